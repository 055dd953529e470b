(** No label at all: the fit on the points outside X1 when these hold most of
    the Gram matrix.

      free_excess  == excess <= delta/(1-delta) OPT
      free_local   == no label of X1 is read *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Regression.
From Asura Require Import SpecBeyond Beyond.WeightedFit.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (delta : R).
Hypothesis uG : gram X \in unitmx.
Hypothesis delta_ge0 : 0 <= delta.
Hypothesis delta_lt1 : delta < 1.
Local Notation G := (gram X).
Local Notation G1 := (\sum_(x | X1 x) X x *m (X x)^T).
Hypothesis G1_le : psd (delta *: G - G1).
Local Notation w := (fun x : I => if X1 x then 0 else 1 : R).
Local Notation W := (weighted_gram X w).
Local Notation fit := (weighted_fit X Y w).
Local Notation res := (resid X Y).

Let d1 : 0 < 1 - delta. Proof. by rewrite subr_gt0. Qed.

Lemma free_gram : W = G - G1.
Proof.
rewrite /weighted_gram /gram [X in X - _](bigID X1) /= addrC addKr [RHS]big_mkcond /=.
by apply: eq_bigr => x _; case: (X1 x); rewrite ?scale0r ?scale1r.
Qed.
Lemma free_ge : psd (W - (1 - delta) *: G).
Proof.
have -> : W - (1 - delta) *: G = delta *: G - G1 => //.
rewrite free_gram; move: (G) (G1) => A B; apply/matrixP => i j; rewrite !mxE.
by move: (A i j) (B i j) => *; ring.
Qed.
Lemma free_pd : pd W. Proof. exact: (weighted_pd uG d1 free_ge). Qed.
Lemma free_kept : kept X1 w. Proof. by move=> x /negbTE ->. Qed.

Lemma free_unique beta : beta != fit ->
  weighted_loss X Y w fit < weighted_loss X Y w beta.
Proof. exact/weighted_unique/free_pd. Qed.

Lemma free_bought : bought X1 w = 0%N.
Proof.
apply/eqP; rewrite cards_eq0; apply/eqP/setP => x; rewrite !inE.
by case: (X1 x); rewrite ?eqxx.
Qed.

Lemma free_local (Y' : I -> R) : (forall x, ~~ X1 x -> Y x = Y' x) ->
  fit = weighted_fit X Y' w.
Proof.
by move=> e; apply: weighted_local => x; case: (boolP (X1 x)) => [|n _]; rewrite ?eqxx // e.
Qed.

Lemma free_excess : loss X Y fit - opt X Y <= delta / (1 - delta) * opt X Y.
Proof.
pose Z := fit - betastar X Y; pose u := qf W Z; pose t := qf G1 Z.
pose O1 := \sum_(x | X1 x) res x ^+ 2; pose O2 := \sum_(x | ~~ X1 x) res x ^+ 2.
have eo : opt X Y = O1 + O2.
  rewrite /opt /loss (bigID X1) /=.
  by congr (_ + _); apply: eq_bigr => x _; rewrite -sqrrN opprB.
have t0 : 0 <= t.
  have [_ h] : psd G1 by apply: psd_sum => x _; exact: psd_outer.
  exact: h.
have u0 : 0 <= u by exact: (proj2 (pd_psd free_pd)).
have eG : G1 + W = G by rewrite free_gram addrC subrK.
have eq : loss X Y fit - opt X Y = t + u.
  by rewrite (fit_pythagoras Y uG) addrC addKr /u /t -qfD eG.
have tE : t = \sum_(x | X1 x) dot (X x) Z ^+ 2.
  by rewrite /t qf_sum; apply: eq_bigr => x _; exact: qf_outer.
have uE : u = - \sum_(x | X1 x) res x * dot (X x) Z.
  rewrite /u -[qf W Z]/(bf W Z Z) -dot_mulr (weighted_noise Y uG free_kept free_pd).
  rewrite /noise_vector big_mkcond /= dot_sumr [X in _ = - X]big_mkcond /=.
  rewrite -sumrN; apply: eq_bigr => x _; case: (X1 x); last by rewrite /dot bf0r oppr0.
  by rewrite sub0r mulN1r dotZr mulNr dotC.
have cs : u ^+ 2 <= O1 * t.
  apply: discriminant => // a.
  have -> : O1 + 2%:R * a * u + a ^+ 2 * t =
    \sum_(x | X1 x) (res x - a * dot (X x) Z) ^+ 2.
    rewrite /O1 uE tE mulrN !mulr_sumr -sumrN -!big_split /=.
    by apply: eq_bigr => x _; ring.
  by apply: sumr_ge0 => x _; exact: sqr_ge0.
have le2 : u <= O2.
  have := weighted_square Y (betastar X Y) (pd_unit free_pd).
  have -> : qf W (betastar X Y - fit) = u.
    by rewrite -opprB -scaleN1r /qf bfZl bfZr mulrA mulN1r opprK mul1r.
  have -> : weighted_loss X Y w (betastar X Y) = O2.
    rewrite /weighted_loss /O2 [RHS]big_mkcond /=; apply: eq_bigr => x _.
    by case: (X1 x); rewrite ?mul0r // mul1r -sqrrN opprB.
  move=> ->; rewrite ler_addr; apply: sumr_ge0 => x _.
  by case: (X1 x); rewrite ?mul0r // mul1r sqr_ge0.
have tl : t <= delta * (t + u).
  have := psd_le Z G1_le; rewrite qfZ -/t.
  by rewrite (_ : qf G Z = t + u) // /t /u -qfD eG.
have h : u * (t + u) <= (O1 + O2) * t.
  refine (@le_diff _ _ _ ((O1 * t - u ^+ 2) + (O2 - u) * t) _ _); first by ring.
  by apply: addr_ge0; [rewrite subr_ge0 | apply: mulr_ge0; rewrite ?subr_ge0].
rewrite eq eo mulrAC ler_pdivl_mulr //.
have o0 : 0 <= O1 + O2.
  by apply: addr_ge0; apply: sumr_ge0 => x _; exact: sqr_ge0.
move: (addr_ge0 t0 u0); rewrite le_eqVlt => /orP[/eqP <-|pos].
  by rewrite mul0r mulr_ge0.
have ul : u <= delta * (O1 + O2).
  rewrite -(ler_pmul2r pos); apply: le_trans h _.
  by rewrite -mulrA mulrCA; apply: ler_wpmul2l.
apply: le_trans ul; rewrite mulrBr mulr1 ler_subl_addr [X in _ <= X]addrC ler_add2r.
by rewrite mulrC.
Qed.

End Data.
