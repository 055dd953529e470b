(** The learner that matches the lower bound: it reads k random copies a
    coordinate and shrinks their mean by 1 - sqrt(epsilon lambda).

    Symbols:
      copy i t    == the number of copy t of e_i
      shrunk_mean == the answer of that learner

    Selected results:
      sum_square == E(sum of k centred draws)^2 = k times the variance
      matching   == the guarantee with dk labels, surely
      no_labels  == no label is needed for epsilon lambda >= 1
      optimal    == lower and upper bound together *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions Design Learner Optimal.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Draws.
Variables (R : realFieldType) (k n : nat).

Lemma sum_prod (F : 'I_k -> 'I_n -> R) :
  \sum_(g : {ffun 'I_k -> 'I_n}) \prod_j F j (g j) = \prod_j \sum_t F j t.
Proof. by rewrite bigA_distr_bigA. Qed.

Lemma pick_prod (j : 'I_k) (a : 'I_k -> R) : \prod_l (if l == j then a l else 1) = a j.
Proof. by rewrite -big_mkcond big_pred1_eq. Qed.

Variable f : 'I_n -> R.
Hypothesis centred : \sum_t f t = 0.

Lemma mean_zero j : \sum_(g : {ffun 'I_k -> 'I_n}) f (g j) = 0.
Proof.
rewrite (eq_bigr (fun g : {ffun 'I_k -> 'I_n} => \prod_l (if l == j then f (g l) else 1))); last first.
  by move=> g _; rewrite (pick_prod j (fun l => f (g l))).
rewrite (sum_prod (fun l t => if l == j then f t else 1)) (bigD1 j) //= eqxx centred mul0r //.
Qed.

Lemma cross j j' : j != j' -> \sum_(g : {ffun 'I_k -> 'I_n}) f (g j) * f (g j') = 0.
Proof.
move=> jj.
rewrite (eq_bigr (fun g : {ffun 'I_k -> 'I_n} =>
   \prod_l ((if l == j then f (g l) else 1) * (if l == j' then f (g l) else 1)))); last first.
  move=> g _; rewrite big_split /= (pick_prod j (fun l => f (g l))).
  by rewrite (pick_prod j' (fun l => f (g l))).
rewrite (sum_prod (fun l t => (if l == j then f t else 1) * (if l == j' then f t else 1))).
rewrite (bigD1 j) //= eqxx (negbTE jj) (eq_bigr f) ?centred ?mul0r // => t _.
by rewrite mulr1.
Qed.

Lemma square j :
  n%:R * (\sum_(g : {ffun 'I_k -> 'I_n}) f (g j) ^+ 2) = n%:R ^+ k * (\sum_t f t ^+ 2).
Proof.
rewrite (eq_bigr (fun g : {ffun 'I_k -> 'I_n} => \prod_l (if l == j then f (g l) ^+ 2 else 1))); last first.
  by move=> g _; rewrite (pick_prod j (fun l => f (g l) ^+ 2)).
rewrite (sum_prod (fun l t => if l == j then f t ^+ 2 else 1)) (bigD1 j) //= eqxx.
rewrite mulrCA mulrC; congr (_ * _).
transitivity (\prod_(l < k) (n%:R : R)); last by rewrite prodr_const card_ord.
rewrite [RHS](bigD1 j) //=; congr (_ * _); apply: eq_bigr => l /negbTE ->.
by rewrite sumr_const card_ord.
Qed.

Lemma sum_square : n%:R * (\sum_(g : {ffun 'I_k -> 'I_n}) (\sum_j f (g j)) ^+ 2) =
  n%:R ^+ k * (k%:R * (\sum_t f t ^+ 2)).
Proof.
have -> : \sum_(g : {ffun 'I_k -> 'I_n}) (\sum_j f (g j)) ^+ 2 =
          \sum_j \sum_j' \sum_(g : {ffun 'I_k -> 'I_n}) f (g j) * f (g j').
  rewrite (eq_bigr (fun g : {ffun 'I_k -> 'I_n} => \sum_j \sum_j' f (g j) * f (g j'))).
    by rewrite exchange_big; apply: eq_bigr => j _; rewrite exchange_big.
  by move=> g _; rewrite expr2 mulr_suml; apply: eq_bigr => j _; rewrite mulr_sumr.
rewrite mulr_sumr (eq_bigr (fun=> n%:R ^+ k * \sum_t f t ^+ 2)).
  by rewrite sumr_const card_ord [RHS]mulrCA [RHS]mulr_natl.
move=> j _; rewrite (bigD1 j) //= [X in _ + X]big1 ?addr0; last by move=> j' jj; rewrite cross // eq_sym.
by rewrite -(square j).
Qed.

Lemma sum_shift (b c : R) : (0 < n)%N ->
  \sum_(g : {ffun 'I_k -> 'I_n}) (n%:R ^+ k)^-1 * (b * (\sum_j f (g j)) - c) ^+ 2 =
  b ^+ 2 * (k%:R / n%:R) * (\sum_t f t ^+ 2) + c ^+ 2.
Proof.
move=> n0; have n0' : n%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have nk : n%:R ^+ k != 0 :> R by rewrite expf_neq0.
rewrite -mulr_sumr.
rewrite (eq_bigr (fun g : {ffun 'I_k -> 'I_n} => b ^+ 2 * (\sum_j f (g j)) ^+ 2 +
    ((- (2%:R * b * c)) * (\sum_j f (g j)) + c ^+ 2))); last by move=> g _; move: (\sum_j f (g j)) => Z; ring.
rewrite !big_split /= -!mulr_sumr.
have -> : \sum_(g : {ffun 'I_k -> 'I_n}) \sum_j f (g j) = 0.
  by rewrite exchange_big big1 // => j _; apply: mean_zero.
rewrite sumr_const card_ffun !card_ord -[c *+ _]mulr_natl natrX.
have := sum_square => /(canRL (mulKf n0')) ->.
move: (n%:R ^+ k) nk (\sum_t f t ^+ 2) => K nK Q.
by field; rewrite n0' nK.
Qed.

End Draws.

Section Upper.
Variables (R : rcfType) (d n k : nat) (lambda epsilon : R).
Hypotheses (n_gt0 : (0 < n)%N) (lambda_ge0 : 0 <= lambda) (epsilon_gt0 : 0 < epsilon).

Let L := 1 + lambda.
Let L0 : 0 < L. Proof. by rewrite /L ltr_paddr ?ltr01. Qed.
Let n0 : 0 < n%:R :> R. Proof. by rewrite ltr0n. Qed.
Let nn : n%:R != 0 :> R. Proof. by rewrite gt_eqF. Qed.
Let LL : L != 0. Proof. by rewrite gt_eqF. Qed.

Definition copy (i : 'I_d) (t : 'I_n) : 'I_(rows d n) := enum_rank (i, t).

Lemma fibre_reindex (F : 'I_(rows d n) -> R) i :
  \sum_(x | coordinate x == i) F x = \sum_t F (copy i t).
Proof.
rewrite (reindex_onto (copy i) (fun x => (enum_val x).2)) /=.
  by apply: eq_bigl => t; rewrite /coordinate /copy enum_rankK !eqxx.
by move=> x /eqP <-; rewrite /copy /coordinate -surjective_pairing enum_valK.
Qed.

Section Labels.
Variable z : 'I_(rows d n) -> R.
Let S i := fibre_sum z i.
Let V i := \sum_t (z (copy i t) - S i / n%:R) ^+ 2.

Lemma centred_row i : \sum_t (z (copy i t) - S i / n%:R) = 0.
Proof.
rewrite sumrB -fibre_reindex -/(fibre_sum z i) -/(S i) sumr_const card_ord -[(S i / _) *+ _]mulr_natl.
by rewrite mulrCA divff // mulr1 subrr.
Qed.

Lemma V_ge0 i : 0 <= V i.
Proof. by apply: sumr_ge0 => t _; apply: sqr_ge0. Qed.

Lemma V_E i : V i = \sum_t z (copy i t) ^+ 2 - S i ^+ 2 / n%:R.
Proof.
rewrite /V (eq_bigr (fun t => z (copy i t) ^+ 2 + ((- (2%:R * (S i / n%:R))) * z (copy i t) + (S i / n%:R) ^+ 2))).
  rewrite !big_split /= -mulr_sumr -fibre_reindex -/(fibre_sum z i) -/(S i) sumr_const card_ord -[(S i / _) ^+ 2 *+ _]mulr_natl.
  by move: (\sum_t _) => Q; field.
by move=> t _; ring.
Qed.

Lemma best_loss_rows :
  best_loss lambda z = \sum_i (V i / n%:R + lambda / L * (S i ^+ 2 / n%:R ^+ 2)).
Proof.
rewrite /best_loss sum_rows !mulr_sumr -sumrB; apply: eq_bigr => i _.
rewrite V_E fibre_reindex -/(fibre_sum z i) -/(S i); move: (\sum_t _) => Q.
by have := LL; rewrite /L => LL'; field; rewrite nn LL'.
Qed.

(* Any random answer whose excess is within epsilon of the optimum row by row.*)
Lemma excess_rows (J : finType) (w : J -> R) (out : J -> 'cV[R]_d) : \sum_j w j = 1 ->
  (forall i, \sum_j w j * (n%:R * L * out j i 0 - S i) ^+ 2 <=
     epsilon * n%:R * L * V i + epsilon * lambda * S i ^+ 2) ->
  \sum_j w j * stacked_loss (design R d n) (ridge_rows d lambda) (\col_x (z x / Num.sqrt n%:R)) 0 (out j)
    <= (1 + epsilon) * best_loss lambda z.
Proof.
move=> w1 h.
rewrite (eq_bigr (fun j => w j * best_loss lambda z + (n%:R ^+ 2 * L)^-1 *
    (\sum_i w j * (n%:R * L * out j i 0 - S i) ^+ 2))); last first.
  by move=> j _; rewrite design_loss_square // [LHS]mulrDr; congr (_ + _); rewrite [LHS]mulrCA mulr_sumr.
rewrite big_split /= -mulr_suml w1 mul1r mulrDl mul1r ler_add2l.
rewrite -mulr_sumr exchange_big /= best_loss_rows !mulr_sumr; apply: ler_sum => i _.
have n2L : 0 < n%:R ^+ 2 * L by rewrite mulr_gt0 ?exprn_gt0.
rewrite mulrC ler_pdivr_mulr //; apply: le_trans (h i) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (V i) (S i) => v s.
by have := LL; rewrite /L => LL'; field; rewrite nn LL'.
Qed.

End Labels.

(* The labels of every draw are read in each row.                             *)
Definition draw_points (g : {ffun 'I_k -> 'I_n}) : seq 'I_(rows d n) :=
  [seq copy i (g j) | i <- enum 'I_d, j <- enum 'I_k].

Definition shrunk_mean (s : R) (g : {ffun 'I_k -> 'I_n}) (Y : 'cV[R]_(rows d n)) : 'cV[R]_d :=
  \col_i ((1 - s) / (L * k%:R) * \sum_j (Num.sqrt n%:R * Y (copy i (g j)) 0)).

Theorem matching : epsilon * lambda < 1 ->
  (1 - Num.sqrt (epsilon * lambda)) ^+ 2 / (epsilon * (1 + lambda)) <= k%:R ->
  exists T : learner R (rows d n) d,
    [/\ valid T, guarantee lambda epsilon T & reads_at_most (d * k) T].
Proof.
move=> el hk.
pose s := Num.sqrt (epsilon * lambda).
have s2 : s ^+ 2 = epsilon * lambda by rewrite sqr_sqrtr // mulr_ge0 // ltW.
have s1 : s < 1.
  rewrite ltNge; apply/negP => s1; move: el; rewrite -s2 ltNge.
  by rewrite exprn_ege1.
have k0 : 0 < k%:R :> R.
  by apply: lt_le_trans hk; rewrite divr_gt0 ?exprn_gt0 ?subr_gt0 // mulr_gt0.
have kk : k%:R != 0 :> R by rewrite gt_eqF.
pose w (g : {ffun 'I_k -> 'I_n}) : R := (n%:R ^+ k)^-1.
have w0 g : 0 <= w g by rewrite invr_ge0 exprn_ge0 ?ler0n.
have w1 : \sum_g w g = 1.
  rewrite sumr_const card_ffun !card_ord -[LHS]mulr_natl natrX divff //.
  by rewrite expf_neq0.
have loc g (Y Y' : 'cV[R]_(rows d n)) : {in draw_points g, forall x, Y x 0 = Y' x 0} ->
    shrunk_mean s g Y = shrunk_mean s g Y'.
  move=> h; apply/matrixP => i c; rewrite !mxE; congr (_ * _); apply: eq_bigr => j _.
  by rewrite h //; apply/allpairsP; exists (i, j); rewrite !mem_enum.
have [vT lossT _] := draws_are_learner w0 w1 loc.
exists (draws_learner w draw_points (shrunk_mean s)); split=> //; last first.
  by apply: draws_at_most => g; rewrite size_allpairs !size_enum_ord.
move=> Y beta; rewrite /expected_loss lossT.
pose z x := Num.sqrt n%:R * Y x 0.
have YE : Y = \col_x (z x / Num.sqrt n%:R) by apply: labels_scaled.
apply: le_trans (_ : (1 + epsilon) * best_loss lambda z <= _); last first.
  apply: ler_wpmul2l; first by rewrite addr_ge0 ?ler01 ?ltW.
  rewrite [in X in _ <= X]YE design_loss_square // ler_addl mulr_ge0 //.
    by rewrite invr_ge0 mulr_ge0 ?sqr_ge0 // ltW.
  by apply: sumr_ge0 => i _; apply: sqr_ge0.
rewrite (eq_bigr (fun g => w g * stacked_loss (design R d n) (ridge_rows d lambda)
  (\col_x (z x / Num.sqrt n%:R)) 0 (shrunk_mean s g Y))); last by move=> g _; rewrite -YE.
apply: excess_rows => // i.
pose S := fibre_sum z i.
pose f t := z (copy i t) - S / n%:R.
rewrite (eq_bigr (fun g : {ffun 'I_k -> 'I_n} => (n%:R ^+ k)^-1 *
   (n%:R * (1 - s) / k%:R * (\sum_j f (g j)) - s * S) ^+ 2)); last first.
  move=> g _; congr (_ * _ ^+ 2); rewrite mxE /f -/S.
  rewrite sumrB sumr_const card_ord -[(S / _) *+ _]mulr_natl -/z.
  move: (\sum_j z (copy i (g j))) => Z.
  by field; rewrite nn LL kk.
rewrite sum_shift //; last exact: centred_row.
rewrite -/S [(s * S) ^+ 2]exprMn s2; apply: ler_add => //.
apply: ler_wpmul2r; first exact: V_ge0.
apply: le_trans (_ : n%:R * ((1 - s) ^+ 2 / k%:R) <= _).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
  by rewrite nn kk.
rewrite -[X in _ <= X]mulrA [X in _ <= X]mulrCA; apply: ler_wpmul2l; first exact: ltW.
by rewrite ler_pdivr_mulr // [X in _ <= X]mulrC -ler_pdivr_mulr; [exact: hk | exact: mulr_gt0].
Qed.

(* With a strong penalty nothing has to be read.                              *)
Theorem no_labels : 1 <= epsilon * lambda ->
  exists T : learner R (rows d n) d,
    [/\ valid T, guarantee lambda epsilon T & reads_at_most 0 T].
Proof.
move=> el; exists (Answer _ 0); split=> //; last by move=> Y /=; rewrite cards0.
move=> Y beta; rewrite /expected_loss /=.
pose z x := Num.sqrt n%:R * Y x 0.
have YE : Y = \col_x (z x / Num.sqrt n%:R) by apply: labels_scaled.
apply: le_trans (_ : (1 + epsilon) * best_loss lambda z <= _); last first.
  apply: ler_wpmul2l; first by rewrite addr_ge0 ?ler01 ?ltW.
  rewrite [in X in _ <= X]YE design_loss_square // ler_addl mulr_ge0 //.
    by rewrite invr_ge0 mulr_ge0 ?sqr_ge0 // ltW.
  by apply: sumr_ge0 => i _; apply: sqr_ge0.
have := @excess_rows z [finType of 'I_1] (fun=> 1) (fun=> 0).
rewrite !big_ord1 mul1r -YE; apply=> // i.
rewrite big_ord1 mul1r mxE mulr0 sub0r sqrrN.
apply: le_trans (_ : epsilon * lambda * fibre_sum z i ^+ 2 <= _).
  by rewrite ler_pemull ?sqr_ge0.
rewrite ler_addr; apply: mulr_ge0; last exact: V_ge0.
by apply: ltW; apply: mulr_gt0 => //; apply: mulr_gt0.
Qed.

End Upper.

(* The two-sided theorem. For every d, lambda, epsilon with                   *)
(* epsilon lambda < 1 and every delta > 0 there is one design on which every  *)
(* learner needs this many labels, up to delta, and some learner never reads  *)
(* more, rounded up to a whole number of labels per coordinate.               *)
Theorem optimal (R : rcfType) (d : nat) (lambda epsilon delta : R) :
  Num.archimedean_axiom R ->
  0 <= lambda -> 0 < epsilon -> epsilon * lambda < 1 -> 0 < delta ->
  exists2 n : nat, (0 < n)%N &
    (forall T : learner R (rows d n) d, valid T -> guarantee lambda epsilon T ->
       exists Y, (1 - delta) * (1 - Num.sqrt (epsilon * lambda)) ^+ 2 *
                 stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon <=
                 expected_labels Y T) /\
    (forall k : nat,
       (1 - Num.sqrt (epsilon * lambda)) ^+ 2 / (epsilon * (1 + lambda)) <= k%:R ->
       exists T : learner R (rows d n) d,
         [/\ valid T, guarantee lambda epsilon T & reads_at_most (d * k) T]).
Proof.
move=> arch l0 e0 el d0.
have [n n0 low] := optimal_lower arch d l0 e0 el d0; exists n => //; split=> // k hk.
exact: matching.
Qed.
