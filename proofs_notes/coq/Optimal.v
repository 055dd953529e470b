(* The number of labels that every learner needs, with its constant, and the  *)
(* learner that needs no more.                                                *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions Design Learner Urn.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Guarantee.
Variables (R : rcfType) (d n : nat).

(* The learner's expected loss on the design is within 1 + epsilon of the     *)
(* loss of every beta, whatever the labels are.                               *)
Definition guarantee (lambda epsilon : R) (T : learner R (rows d n) d) : Prop :=
  forall Y beta,
    expected_loss (design R d n) (ridge_rows d lambda) 0 Y T <=
    (1 + epsilon) * stacked_loss (design R d n) (ridge_rows d lambda) Y 0 beta.

End Guarantee.

Section Finite.
Variables (R : rcfType) (d n N : nat) (lambda epsilon a tau : R).
Hypotheses (n_gt0 : (0 < n)%N) (N_gt0 : (0 < N)%N).
Hypotheses (lambda_ge0 : 0 <= lambda) (epsilon_gt0 : 0 < epsilon).
Hypotheses (a_gt0 : 0 < a) (tau_gt0 : 0 < tau).

Let alpha : R := N%:R * a / 2%:R.
Let L := 1 + lambda.

Let N0 : 0 < N%:R :> R. Proof. by rewrite ltr0n. Qed.
Let n0 : 0 < n%:R :> R. Proof. by rewrite ltr0n. Qed.
Let L0 : 0 < L. Proof. by rewrite /L ltr_paddr ?ltr01. Qed.

Let alpha_gt0 : 0 < alpha.
Proof. by rewrite /alpha divr_gt0 ?ltr0n // mulr_gt0. Qed.

Let A_E : alpha + alpha = N%:R * a.
Proof. by rewrite /alpha; field. Qed.

Let outcome := {ffun 'I_(rows d n) -> 'I_N.+1}.
Let P : outcome -> R := prior alpha (@coordinate d n).
Let z (o : outcome) (x : 'I_(rows d n)) : R := signs R (o x).
Let label (j : 'I_N.+1) : R := signs R j / Num.sqrt n%:R.

Let fibre (i : 'I_d) : read_in (@coordinate d n) i setT = n.
Proof. by rewrite -[RHS](card_fibre n i); apply: eq_card => x; rewrite !inE. Qed.

Let rowE (o : outcome) i : row_sum R (@coordinate d n) i o = fibre_sum (z o) i.
Proof.
rewrite /row_sum /pluses /minuses /fibre_sum !natr_sum -sumrB.
by apply: eq_big => [x|x _]; rewrite ?inE.
Qed.

Let q : R := N%:R * a + N%:R * n%:R.
Let kappa : R := N%:R * tau.
Let c0 : R := q ^+ 2 * (2%:R / kappa - N%:R * a / kappa ^+ 2) - q.
Let c1 : R := q ^+ 2 * N%:R / kappa ^+ 2.

Let kappa_gt0 : 0 < kappa. Proof. by rewrite /kappa mulr_gt0. Qed.

Lemma mean_best_loss :
  \sum_o P o * best_loss lambda (z o) =
  d%:R * ((N%:R * a + N%:R) * N%:R - q * (q - N%:R * a) / (n%:R ^+ 2 * L)) / (N%:R * a + 1).
Proof.
have A1 : N%:R * a + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 // mulr_gt0.
transitivity (n%:R^-1 * (\sum_(x < rows d n) \sum_o P o * z o x ^+ 2)
   - (n%:R ^+ 2 * L)^-1 * (\sum_i \sum_o P o * fibre_sum (z o) i ^+ 2)).
  rewrite exchange_big [in X in _ - X]exchange_big /= !mulr_sumr -sumrB; apply: eq_bigr => o _.
  by rewrite /best_loss -!mulr_sumr mulrBr ![P o * (_ * _)]mulrCA.
rewrite (eq_bigr (fun=> (N%:R * a + N%:R) * N%:R / (N%:R * a + 1))); last first.
  by move=> x _; rewrite -A_E; apply: mean_label.
rewrite [X in _ - _ * X](eq_bigr (fun=> q * (q - N%:R * a) / (N%:R * a + 1))); last first.
  move=> i _; rewrite /q -A_E -(mean_square N alpha_gt0 fibre i).
  by apply: eq_bigr => o _; rewrite rowE.
rewrite !sumr_const !card_ord /rows card_prod !card_ord -!mulr_natl natrM.
by field; rewrite A1 !gt_eqF.
Qed.

Lemma bayes_cost (T : learner R (rows d n) d) : valid T -> guarantee lambda epsilon T ->
  c0 * (d%:R * (N%:R * a / (N%:R * a + 1))) -
    epsilon * (n%:R ^+ 2 * L) * (\sum_o P o * best_loss lambda (z o)) <=
  c1 * \sum_o P o * expected_labels (labels_of label o) T.
Proof.
move=> vT good.
pose F (beta : 'cV[R]_d) o i := (n%:R * L * beta i 0 - row_sum R (@coordinate d n) i o) ^+ 2.
pose Z o := \sum_i row_spread alpha (@coordinate d n) i o.
pose g (o : outcome) (D : {set 'I_(rows d n)}) (beta : 'cV[R]_d) : R :=
  P o * (\sum_i F beta o i - c0 * Z o + c1 * #|D|%:R).
have leaf D beta o : True -> 0 <= cyl D o (fun o' => g o' D beta).
  move=> _; pose G i o' := P o' * (F beta o' i - c0 * row_spread alpha (@coordinate d n) i o' +
                         c1 * (read_in (@coordinate d n) i D)%:R).
  rewrite (_ : cyl _ _ _ = \sum_i cyl D o (G i)).
    apply: sumr_ge0 => i _.
    have := leaf_row alpha_gt0 fibre i (n%:R * L * beta i 0) D o kappa_gt0.
    by rewrite A_E.
  rewrite -cyl_sum; apply: eq_bigr => o' _; rewrite /g /G -mulr_sumr; congr (_ * _).
  by rewrite big_split sumrB /= -!mulr_sumr -natr_sum read_in_sum.
have := bayes (P := fun _ _ => True) (label := label) leaf (o := [ffun=> ord0]) (D := set0) vT.
have tr Y D (T' : learner R (rows d n) d) : always (fun _ _ => True) Y D T'.
  by elim: T' D => //= J w next IH D j _; apply: IH.
move/(_ (fun _ _ => tr _ _ _)); rewrite cyl_empty => main.
have lossE o beta : stacked_loss (design R d n) (ridge_rows d lambda) (labels_of label o) 0 beta =
    best_loss lambda (z o) + (n%:R ^+ 2 * L)^-1 * \sum_i F beta o i.
  rewrite (_ : labels_of label o = \col_x (z o x / Num.sqrt n%:R)); last by apply/matrixP => x j; rewrite !mxE.
  rewrite design_loss_square //; congr (_ + _ * _); apply: eq_bigr => i _.
  by rewrite /F rowE.
have n2L : n%:R ^+ 2 * L != 0 by rewrite gt_eqF // mulr_gt0 // exprn_gt0.
have avg o : average (g o) (labels_of label o) set0 T =
    P o * (n%:R ^+ 2 * L * (expected_loss (design R d n) (ridge_rows d lambda) 0 (labels_of label o) T
             - best_loss lambda (z o)) - c0 * Z o + c1 * expected_labels (labels_of label o) T).
  pose K := - (n%:R ^+ 2 * L * best_loss lambda (z o)) - c0 * Z o.
  rewrite (@average_eq _ _ _ _ (fun D beta => P o * ((n%:R ^+ 2 * L *
     stacked_loss (design R d n) (ridge_rows d lambda) (labels_of label o) 0 beta + c1 * #|D|%:R) + K))).
    rewrite averageZ averageD averageD !averageZ average_const //; congr (_ * _).
    by rewrite /K /expected_loss /expected_labels; ring.
  move=> D beta; rewrite /g lossE /K; congr (_ * _).
  by move: (\sum_i F beta o i) => S; field.
have P0 o : 0 <= P o by apply: prior_ge0.
have good' o : n%:R ^+ 2 * L * (expected_loss (design R d n) (ridge_rows d lambda) 0 (labels_of label o) T
             - best_loss lambda (z o)) <= epsilon * (n%:R ^+ 2 * L) * best_loss lambda (z o).
  rewrite mulrAC mulrC; apply: ler_wpmul2r; first by rewrite mulr_ge0 ?sqr_ge0 // ltW.
  rewrite ler_subl_addr -[X in _ + X]mul1r -mulrDl [epsilon + 1]addrC.
  rewrite (_ : labels_of label o = \col_x (z o x / Num.sqrt n%:R)); last by apply/matrixP => x j; rewrite !mxE.
  rewrite -best_loss_attained //; exact: good.
have {main} main : 0 <= \sum_o (epsilon * (n%:R ^+ 2 * L) * (P o * best_loss lambda (z o))
    + (- c0 * (P o * Z o) + c1 * (P o * expected_labels (labels_of label o) T))).
  apply: le_trans main _; apply: ler_sum => o _; rewrite avg.
  apply: le_trans (ler_wpmul2l (P0 o) (ler_add (ler_add (good' o) (lexx _)) (lexx _))) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite big_split big_split /= -!mulr_sumr in main.
have ZE : \sum_o P o * Z o = d%:R * (N%:R * a / (N%:R * a + 1)).
  rewrite (eq_bigr (fun o => \sum_i P o * row_spread alpha (@coordinate d n) i o)); last first.
    by move=> o _; rewrite /Z mulr_sumr.
  rewrite exchange_big (eq_bigr (fun=> N%:R * a / (N%:R * a + 1))) /=.
    by rewrite sumr_const card_ord mulr_natl.
  by move=> i _; rewrite -A_E; apply: mean_spread.
rewrite ZE in main; rewrite ler_subl_addr -subr_ge0; apply: le_trans main _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

End Finite.
