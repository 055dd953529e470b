(** A checker of one recorded state of a run and of the line that follows it,
    in Gram coordinates, and its soundness.

    Exact traces grow: eight draws take a hundred thousand bits. A recorded
    state (B, u, l, any rationals) makes the steps independent of each other.
    The checker decides that the state lies strictly between its barriers, that
    what the line says (u, l, Phi, p, the probabilities, the weight) is within a
    relative allowance e of what Algorithm 2 computes from this very state, and,
    for recorded next states, that the step is exact. With e = 0 all is exact.
    The checkers are those of SpecModel.v (definite, check_state, check_step).

    Main results: [definite_ok], [check_state_sound], [check_step_sound]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Compute.
From Asura Require Import Gram GramProgram TraceChecker.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Sound.
Variables (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R).
Hypothesis ok : reads N v.

Lemma size_of_ok a : v (size_of N a) = `|v a|.
Proof.
rewrite /size_of (readL ok) (read0 ok); case: ifP => [/ger0_norm -> //|].
by move/negbT; rewrite -ltNge (readN ok) => /ltr0_norm ->.
Qed.

Local Notation nearly := (nearly v).
Local Notation nearly_all := (nearly_all v).

Lemma near_ok e a b : near N e a b -> `|v a - v b| <= v e * `|v b|.
Proof. by rewrite /near (readL ok) size_of_ok (read_sub ok) (readM ok) size_of_ok. Qed.
Lemma said_near e o a : said (near N e) o a -> nearly (v e) o (v a).
Proof. by case: o => // b /= /near_ok le _ [<-]. Qed.
Lemma said_all_near e o l : said_all (near N e) o l -> nearly_all (v e) o (map v l).
Proof.
case: o => // b /=; rewrite all2E => /andP[/eqP sz al] _ [<-].
rewrite size_map; split=> // i t lt.
move/(all_nthP (t, t)): al => /(_ i); rewrite size_zip -sz minnn => /(_ lt).
by rewrite nth_zip //= => /near_ok; rewrite (nth_map t) -?sz.
Qed.

Section Matrices.
Variable d : nat.
Local Notation mx_of := (mx_of N v d).

Lemma same_table_ok A B : same_table N d A B -> mx_of A = mx_of B.
Proof.
move=> /allP same; apply/matrixP => i j; rewrite !mxE.
have below (k : 'I_d) : val k \in iota 0 d by rewrite mem_iota /= add0n.
by have /allP/(_ _ (below j))/(readE ok) := same _ (below i).
Qed.

Lemma flip_ok A : mx_of (flip N d A) = (mx_of A)^T.
Proof. by rewrite (mx_build N v); apply/matrixP => i j; rewrite !mxE. Qed.

Lemma pd_diag (D : 'rV[R]_d) : (forall i, 0 < D 0 i) -> pd (diag_mx D).
Proof.
move=> D0; split=> [|z z0]; first exact: tr_diag_mx.
have e : qf (diag_mx D) z = \sum_i D 0 i * z i 0 ^+ 2.
  rewrite /qf /bf mxE; apply: eq_bigr => i _.
  by rewrite mul_mx_diag !mxE [z i 0 * _]mulrC -mulrA -expr2.
have [i zi] : exists i, z i 0 != 0.
  apply/existsP; apply: contraR z0 => /existsPn z0; apply/eqP/matrixP => i j.
  by rewrite mxE ord1; have := z0 i; rewrite negbK => /eqP.
rewrite e (bigD1 i) //= ltr_paddr //; last by rewrite mulr_gt0 // exprn_even_gt0.
by apply: sumr_ge0 => k _; rewrite mulr_ge0 ?sqr_ge0 // ltW.
Qed.

Lemma definite_ok M : definite N d M -> pd (mx_of M).
Proof.
rewrite /definite; move: (orthogonal N d M) => C.
case i: (inverse _ _ _) => [B|] //= /andP[/allP pos /same_table_ok].
have [uC _] := inverse_unit ok i; have uT : (mx_of C)^T \in unitmx by rewrite unitmx_tr.
rewrite !(mx_product ok) flip_ok => e.
apply/(pd_congr (mx_of M) uT); rewrite trmxK e (mx_build N v).
set E := product N d _ _.
have -> : \matrix_(i, j) v (scalar N (entry N E i i) i j) =
    diag_mx (\row_i v (entry N E i i)) :> 'M[R]_d.
  apply/matrixP => k l; rewrite !mxE /scalar -val_eqE /=.
  by case: eqP; rewrite ?mulr1n // mulr0n (read0 ok).
apply: pd_diag => k; rewrite mxE -[X in X < _](read0 ok) -(less_ok ok).
by apply: pos; rewrite mem_iota /= add0n.
Qed.
End Matrices.

Section Data.
Variables (d : nat) (pts : seq (seq T)) (scales : seq T) (g e : T).
Local Notation n := (size pts).
Local Notation c := (@scale_of T N R v pts scales).
Local Notation X := (@pt_of T N R v d pts).
Variables (P : 'M[R]_d) (U : 'I_n -> 'cV[R]_d).
Hypothesis whP : whites c X P U.

(** The recorded state in whitened coordinates. *)
Definition recorded (s : pstate T) : state R d := whitened P (gstate_of N v d s).

(* slug: model *)
Theorem check_state_sound s a : check_state N e d pts scales g s a ->
  let w := recorded s in
  exists x : 'I_n, [/\ pick a = x, inv w, 0 < prob U w x &
    forall r, line_uniform a = Some r ->
        \sum_(y < n | (y < x)%N) prob U w y <= v r /\
        v r < \sum_(y < n | (y <= x)%N) prob U w y] /\
  [/\ nearly (v e) (line_u a) (up w), nearly (v e) (line_l a) (lo w),
      nearly (v e) (line_phi a) (Phi w) & nearly (v e) (line_p a) (prob U w x)] /\
      nearly_all (v e) (line_probabilities a) [seq prob U w y | y <- enum 'I_n] /\
      nearly (v e) (line_weight a) (weight U (v g) w x).
Proof.
case/and4P => /(header_range ok)[d0 g0 g2 _ _] pu pl.
case i: (pinvert _ _ _ _) => [[E F]|] //; have [uu ul eE eF] := pinvert_ok ok i.
move: pu pl => /definite_ok pu /definite_ok pl /=.
set G := pgram N d pts scales in i pu pl.
have eG (k l : 'I_d) : v (entry N G k l) = ggram c X k l.
  by rewrite -(pgram_ok ok) [RHS]mxE.
have bs : within_barriers c X (gstate_of N v d s).
  split; [move: pu | move: pl]; rewrite (mx_build N v); congr pd;
    by apply/matrixP => k l; rewrite [LHS]mxE (read_sub ok) (readM ok) eG !mxE.
have [_ _ F0] := barriers_units whP d0 bs.
have ePhi := potential_whitened whP uu ul.
have pE (y : 'I_n) : v (pprob N d pts scales E F y) = prob U (recorded s) y.
  by rewrite (pprob_ok ok eE eF) (prob_whitened whP).
have vF : v F = Phi (recorded s) by rewrite ePhi eF.
move=> chk; have [|x ex [pos unif]] := line_draws ok pE vF _ chk.
  by rewrite -vF -eF.
move: chk => /and5P[_ _ _ /said_near su /andP[/said_near sl]].
case/and4P => /said_near sphi; rewrite ex.
move=> /said_near sp /said_all_near sps /said_near sw.
exists x; split; [split=> // | split; [split | split]].
- exact/(barriers_whitened whP).
- exact: su.
- exact: sl.
- by rewrite -vF.
- by rewrite -(pE x).
- move: sps; rewrite -map_comp; congr (nearly_all _ _ _).
  by rewrite -val_enum_ord -map_comp; apply: eq_map => y; exact: pE.
- move: sw; rewrite (pweight_ok ok g eE) -(weight_whitened (v g) whP) //.
  exact: lt0r_neq0.
Qed.

(* slug: model *)
Theorem check_step_sound s a s' : check_step N e d pts scales g s a s' ->
  exists2 x : 'I_n, pick a = x & recorded s' = step U (v g) (recorded s) x.
Proof.
case/andP => chk; have [x [[ex i _ _] _]] := check_state_sound chk.
case i': (pinvert _ _ _ _) => [[E F]|] //; have [uu ul eE eF] := pinvert_ok ok i'.
case/and4P => /same_table_ok eA /(readE ok) eu /(readE ok) el _.
exists x => //; have [/(header_range ok)[d0 _ _ _ _] _] := andP chk.
have bs : within_barriers c X (gstate_of N v d s) by apply/(barriers_whitened whP).
have [_ _ F0] := barriers_units whP d0 bs.
rewrite (step_whitened (v g) whP uu ul (lt0r_neq0 F0)) -(pstep_ok ok g eE eF).
by rewrite /recorded /whitened /= eA eu el ex.
Qed.

End Data.
End Sound.
