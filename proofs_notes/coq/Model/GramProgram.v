(** Algorithm 2 in Gram coordinates as a program on lists of numbers, and the
    proof that it computes the definitions of Gram.v.

    It shares its numbers, tables and checked inverse with Compute.v, and like
    it gives no answer where an inverse, multiplied back, is not one.
    The program itself (pscale, pouter, pgram, pinvert, pmass, pprob, pweight, pstep,
    pstart, ppaper, plevel) is that of SpecModel.v.

    Main results: [pinvert_ok], [pstep_ok], [ppaper_ok], [plevel_ok]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Compute Gram.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Correct.
Variables (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R).
Hypothesis ok : reads N v.
Variables (d : nat) (pts : seq (seq T)) (scales : seq T) (g : T).

Local Notation I := 'I_(size pts).
Local Notation mx_of := (mx_of N v d).
Local Notation X := (@pt_of T N R v d pts).
Local Notation G := (pgram N d pts scales).
Local Notation c := (scale_of N v pts scales).
Local Notation gstate_of := (gstate_of N v d).

Lemma is_one_ok A : is_one N d A -> mx_of A = 1%:M.
Proof.
move=> /allP one; apply/matrixP => i j.
have below (k : 'I_d) : val k \in iota 0 d by rewrite mem_iota /= add0n.
have /allP/(_ _ (below j))/(readE ok) r := one _ (below i).
by rewrite mxE r (read_scalar ok) (read1 ok).
Qed.

Lemma inverse_unit A B : inverse N d A = Some B ->
  mx_of A \in unitmx /\ invmx (mx_of A) = mx_of B.
Proof.
move=> i; split; last exact: inverse_ok i.
move: i; rewrite /inverse; move: (eliminate N d A) => C.
case: ifP => // /is_one_ok; rewrite (mx_product ok) => e _.
by case/mulmx1_unit: e.
Qed.

Lemma pouter_ok (x : I) (i j : 'I_d) :
  v (pouter N pts scales x i j) = gouter c X x i j.
Proof.
rewrite /pouter !(readM ok) [RHS]mxE /scale_of; congr (_ * _).
by rewrite mxE big_ord1 !mxE.
Qed.

Lemma pgram_ok : mx_of G = ggram c X.
Proof.
rewrite (mx_build N v); apply/matrixP => i j.
rewrite mxE (read_total ok) summxE; apply: eq_bigr => x _.
exact: pouter_ok.
Qed.

Lemma pinvert_ok s E F : pinvert N d G s = Some (E, F) ->
  [/\ below_upper c X (gstate_of s) \in unitmx,
      above_lower c X (gstate_of s) \in unitmx,
      gbracket c X (gstate_of s) = mx_of E &
      gpotential c X (gstate_of s) = v F].
Proof.
have eG (i j : 'I_d) : v (entry N G i j) = ggram c X i j.
  by rewrite -pgram_ok [RHS]mxE.
rewrite /pinvert.
set MU := build d _; set ML := build d _.
have eU : mx_of MU = below_upper c X (gstate_of s).
  rewrite (mx_build N v); apply/matrixP => i j; rewrite [LHS]mxE (read_sub ok).
  by rewrite (readM ok) eG !mxE.
have eL : mx_of ML = above_lower c X (gstate_of s).
  rewrite (mx_build N v); apply/matrixP => i j; rewrite [LHS]mxE (read_sub ok).
  by rewrite (readM ok) eG !mxE.
case iU: (inverse N d MU) => [P|] //; case iL: (inverse N d ML) => [Q|] // [<- <-].
have [uU /esym vU] := inverse_unit iU; have [uL /esym vL] := inverse_unit iL.
have e : gbracket c X (gstate_of s) =
    mx_of (build d (fun i j => nadd N (entry N P i j) (entry N Q i j))).
  rewrite (mx_build N v); apply/matrixP => i j; rewrite /gbracket -eU -eL -vU -vL.
  by rewrite [RHS]mxE (readD ok) !mxE.
split; rewrite -?eU -?eL // /gpotential e /mxtrace (read_total ok).
apply: eq_bigr => i _; rewrite mxE (read_total ok); apply: eq_bigr => j _.
by rewrite (readM ok) eG [X in _ * X]mxE.
Qed.

Section AtState.
Variables (s : pstate T) (E : seq (seq T)) (F : T).
Hypothesis eE : gbracket c X (gstate_of s) = mx_of E.
Hypothesis eF : gpotential c X (gstate_of s) = v F.

Lemma pmass_ok (x : I) :
  v (pmass N d pts scales E x) = gmass c X (gstate_of s) x.
Proof.
rewrite /pmass (readM ok) /gmass /scale_of; congr (_ * _).
rewrite eE /cmass (read_total ok) /qf /bf mxE; apply: eq_bigr => j _.
rewrite (readM ok) (read_total ok) [X x j 0]mxE mxE; congr (_ * _).
by apply: eq_bigr => i _; rewrite (readM ok) !mxE.
Qed.

Lemma pprob_ok (x : I) :
  v (pprob N d pts scales E F x) = gprob c X (gstate_of s) x.
Proof. by rewrite /pprob (read_div ok) pmass_ok /gprob eF. Qed.

Lemma pweight_ok (x : I) :
  v (pweight N d pts scales g E x) = gweight c X (v g) (gstate_of s) x.
Proof. by rewrite /pweight (read_div ok) pmass_ok. Qed.

Lemma pstep_ok (x : I) : gstate_of (pstep N d pts scales g s E F x) =
  gstep c X (v g) (gstate_of s) x.
Proof.
rewrite /gstep /gstate_of /pstep /= (mx_build N v); congr GState.
- apply/matrixP => i j; rewrite [LHS]mxE (readD ok) (readM ok) pouter_ok.
  by rewrite pweight_ok [RHS]mxE [X in _ = _ + X]mxE; congr (_ + _); rewrite mxE.
- by rewrite (readD ok) !(read_div ok) (read_sub ok) (readM ok) (read_nat ok)
    (read1 ok) -eF.
- by rewrite (readD ok) !(read_div ok) (readD ok) (readM ok) (read_nat ok)
    (read1 ok) -eF.
- by rewrite (readD ok) -eF.
Qed.

End AtState.

Lemma pstart_ok : gstate_of (pstart N d g) = gstart d (v g).
Proof.
rewrite /gstate_of /= (mx_build N v) (readN ok) (read_div ok) (readM ok).
rewrite !(read_nat ok) (read0 ok); congr GState.
by apply/matrixP => i j; rewrite !mxE.
Qed.

Lemma less_ok a b : less N a b = (v a < v b).
Proof. by rewrite /less (readL ok) -ltNge. Qed.

Lemma ppaper_ok s : ppaper N d g s = proceeds_paper (v g) (gstate_of s).
Proof.
rewrite /ppaper less_ok (readD ok) (read_sub ok) (read_div ok) (readM ok).
by rewrite !(read_nat ok).
Qed.

Lemma plevel_ok t s : plevel N d g t s = proceeds_level (v g) (v t) (gstate_of s).
Proof.
rewrite /plevel less_ok (read_sub ok) (readM ok) (read_div ok) (readM ok).
by rewrite (readD ok) (read1 ok) !(read_nat ok).
Qed.

Lemma pmid_ok s : v (pmid N s) = gmid (gstate_of s).
Proof. by rewrite /pmid (read_div ok) (readD ok) (read_nat ok). Qed.

End Correct.
