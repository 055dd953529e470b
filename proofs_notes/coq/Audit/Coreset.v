(** coreset: bits do not suffice, and the number of weights is not O(d sd/eps).

    Selected results
      bits_too_few  == for every number b of bits there are data on the line with
                       more possible first draws than b bits can name
      weights_too_many == for every C there is a ridge problem on which every
                       run has more than C d sd/eps weights

    Symbols
      whole_points n i == the point i + 1 on the line, i < n
      ridge_line lambda == the point 1 (true) and the ridge row (false). *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression Whitening Values.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Bits.
Variables (R : rcfType) (n : nat).
Local Notation X := (@whole_points R n.+1).

Lemma whole_points_inj : injective X.
Proof.
move=> i j /matrixP/(_ 0 0); rewrite !mxE eqxx !mulr1n => /eqP.
by rewrite eqr_nat eqSS => /eqP/val_inj.
Qed.

Lemma whole_points_gram : gram X \in unitmx.
Proof.
have -> : gram X = (\sum_(i < n.+1) i.+1%:R ^+ 2)%:M.
  rewrite /gram raddf_sum /=; apply: eq_bigr => i _.
  by rewrite /whole_points tr_scalar_mx -scalar_mxM expr2.
rewrite unitmxE det_scalar1 unitfE gt_eqF // big_ord_recl.
apply: ltr_spaddl; first by ps.
by apply: sumr_ge0 => i _; exact: sqr_ge0.
Qed.

(* slug: coreset *)
Theorem first_draw_any (g : R) : 0 < g -> exists P : 'M[R]_1,
  whitens X P /\ forall i, 0 < prob (white X P) (start 1 g) i.
Proof.
move=> g0; have [P wP] := data_whitening whole_points_gram; exists P; split=> // i.
have uP : P \in unitmx := P_unit wP.
have n0 : white X P i != 0.
  apply/eqP => z; have : (P^T)^-1 *m white X P i = 0 by rewrite z mulmx0.
  rewrite /white mulKmx ?unitmx_tr // => /matrixP/(_ 0 0); rewrite !mxE eqxx mulr1n.
  by move/eqP; rewrite pnatr_eq0.
have [_ -> _ _] := first_step (ltnSn 0) g0 n0.
by rewrite divr1; exact: sqn_gt0.
Qed.

End Bits.

(** With more points than words of b bits, two first draws share a word. *)
Lemma too_few (b : nat) (enc : 'I_(2 ^ b).+1 -> b.-tuple bool) : ~ injective enc.
Proof.
move=> /leq_card; rewrite card_ord card_tuple card_bool.
by rewrite ltnn.
Qed.

(* slug: coreset *)
Theorem bits_too_few (R : rcfType) (b : nat) (g : R) : 0 < g ->
  exists (n : nat) (P : 'M[R]_1), let X := @whole_points R n in
  [/\ whitens X P, injective X,
      forall i, 0 < prob (white X P) (start 1 g) i &
      forall enc : 'I_n -> b.-tuple bool, ~ injective enc].
Proof.
move=> g0; have [P [wP pr]] := first_draw_any (2 ^ b) g0.
exists (2 ^ b).+1, P; split=> //; first exact: whole_points_inj.
exact: too_few.
Qed.

(** One point and one ridge row: sd = 1/(1 + lambda). *)
Section Weights.
Variables (R : rcfType) (lambda : R).
Hypothesis l0 : 0 <= lambda.
Local Notation X := (@ridge_line R lambda).

Lemma ridge_gram : gram X = (1 + lambda)%:M.
Proof.
rewrite /gram big_bool /ridge_line /= !tr_scalar_mx -!scalar_mxM -raddfD /=.
by rewrite mulr1 -expr2 sqr_sqrtr.
Qed.

Lemma ridge_rank : reduced_rank X id = (1 + lambda)^-1.
Proof.
rewrite /reduced_rank ridge_gram invmx_scalar (bigD1 true) //= big1 ?addr0; last by case.
by rewrite /ridge_line tr_scalar_mx -!scalar_mxM !mulr1 mxtrace_scalar mulr1n.
Qed.

End Weights.

(** No constant C bounds the number of weights by C d sd/eps. *)
(* slug: coreset *)
Theorem weights_too_many (R : rcfType) (C eps : R) : 0 < C -> 0 < eps ->
  exists (lambda : R) (P : 'M[R]_1), let X := @ridge_line R lambda in
  [/\ 0 <= lambda, whitens X P &
      forall (g : R) (h : seq bool), 0 < g -> paper_stop (white X P) g h ->
        C * (1%:R * reduced_rank X id / eps) < (size h)%:R].
Proof.
move=> C0 e0; pose l := C / eps; have l0 : 0 < l by rewrite /l; ps.
have u : gram (@ridge_line R l) \in unitmx.
  rewrite ridge_gram ?(ltW l0) // unitmxE det_scalar1 unitfE gt_eqF //; ps.
have [P wP] := data_whitening u; exists l, P; split=> //; first exact: ltW.
move=> g h g0; case: h => [|x h] st.
  move: st; rewrite (paper_stopE _ (ltnSn 0) g0) (rr0 _ (ltnSn 0) g0) /ss /= mulr0 addr0.
  by rewrite ler10.
apply: (@lt_le_trans _ _ 1); last by rewrite ler1n.
rewrite ridge_rank ?(ltW l0) // mul1r mulrCA -/l mulrC ltr_pdivr_mulr; last by ps.
by rewrite mul1r ltr_addr ltr01.
Qed.
