(** The data of the lower bound: n copies of e_i/sqrt(n) for each i, and the
    ridge rows sqrt(lambda) I with labels 0.

    Symbols:
      best_loss == the least loss, labels z/sqrt(n)

    Selected results:
      design_gram         == X1^T X1 = I
      design_reduced_rank == R_X = d/(1 + lambda)
      design_loss_square  == the loss, with the square completed
      best_loss_attained  == best_loss is the least loss *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Design.
Variables (R : rcfType) (d n : nat).
Local Notation rows := (rows d n).
Local Notation coordinate := (@coordinate d n).
Local Notation design := (design R d n).
Local Notation ridge_rows := (@ridge_rows R d).
Local Notation fibre_sum := (@fibre_sum R d n).

Lemma sum_rows (F : 'I_rows -> R) :
  \sum_x F x = \sum_i \sum_(x | coordinate x == i) F x.
Proof.
by rewrite (partition_big coordinate xpredT).
Qed.

Lemma card_fibre (i : 'I_d) : #|[pred x | coordinate x == i]| = n.
Proof.
rewrite -[RHS]card_ord -(card_imset predT (f := fun t : 'I_n => enum_rank (i, t))); last first.
  by move=> t t' /enum_rank_inj [].
apply: eq_card => x; rewrite inE; apply/eqP/imsetP => [ix|[t _ ->]].
  exists (enum_val x).2 => //; rewrite -{1}ix /coordinate -surjective_pairing.
  by rewrite enum_valK.
by rewrite /coordinate enum_rankK.
Qed.

Lemma sum_fibre_const (i : 'I_d) (c : R) : \sum_(x | coordinate x == i) c = n%:R * c.
Proof. by rewrite sumr_const card_fibre mulr_natl. Qed.

Hypothesis n_gt0 : (0 < n)%N.

Let n_neq0 : n%:R != 0 :> R.
Proof. by rewrite pnatr_eq0 -lt0n. Qed.

Lemma sqrt_n : Num.sqrt n%:R ^+ 2 = n%:R :> R.
Proof. by rewrite sqr_sqrtr ?ler0n. Qed.

Lemma sqrt_n_neq0 : Num.sqrt n%:R != 0 :> R.
Proof. by rewrite -sqrf_eq0 sqrt_n. Qed.

Lemma design_mul (beta : 'cV[R]_d) x :
  (design *m beta) x 0 = beta (coordinate x) 0 / Num.sqrt n%:R.
Proof.
rewrite mxE (bigD1 (coordinate x)) //= mxE eqxx big1 ?addr0; last first.
  by move=> j /negbTE nj; rewrite mxE eq_sym nj !mul0r.
by rewrite mul1r mulrC.
Qed.

Lemma design_sqnorm (beta : 'cV[R]_d) : sqnorm (design *m beta) = sqnorm beta.
Proof.
rewrite /sqnorm sum_rows; apply: eq_bigr => i _.
rewrite (eq_bigr (fun=> beta i 0 ^+ 2 / n%:R)); last first.
  by move=> x /eqP <-; rewrite design_mul expr_div_n sqrt_n.
by rewrite sum_fibre_const mulrCA divff ?mulr1.
Qed.

Lemma design_gram : design^T *m design = 1%:M.
Proof.
apply/matrixP => i j; rewrite !mxE sum_rows (bigD1 i) //= [X in _ + X]big1 ?addr0; last first.
  move=> k ki; apply: big1 => x /eqP xk; rewrite !mxE xk (negbTE ki) !mul0r //.
rewrite (eq_bigr (fun=> (i == j)%:R / n%:R)).
  by rewrite sum_fibre_const mulrCA divff ?mulr1.
move=> x /eqP xi; rewrite !mxE xi eqxx mul1r mulrCA -expr2 exprVn sqrt_n //.
Qed.

Lemma design_reduced_rank (lambda : R) : 0 <= lambda ->
  stacked_reduced_rank design (ridge_rows lambda) = d%:R / (1 + lambda).
Proof.
move=> l0; rewrite /stacked_reduced_rank /ridge_rows scalar_gram sqr_sqrtr // design_gram mulmx1.
by rewrite -raddfD /= invmx_scalar mxtrace_scalar mulr_natl.
Qed.

(* The loss on this data, written out.                                        *)
Lemma design_loss (lambda : R) (Y : 'cV[R]_rows) (beta : 'cV[R]_d) : 0 <= lambda ->
  stacked_loss design (ridge_rows lambda) Y 0 beta =
  \sum_x (beta (coordinate x) 0 / Num.sqrt n%:R - Y x 0) ^+ 2 + lambda * sqnorm beta.
Proof.
move=> l0; rewrite /ridge_rows ridge_is_ssar //; congr (_ + _).
by apply: eq_bigr => x _; rewrite -design_mul !mxE.
Qed.


(* Completed square: the optimum, and how far beta is from it.                *)
Definition best_loss (lambda : R) (z : 'I_rows -> R) : R :=
  n%:R^-1 * (\sum_x z x ^+ 2) - (n%:R ^+ 2 * (1 + lambda))^-1 * \sum_i fibre_sum z i ^+ 2.

Lemma design_loss_square (lambda : R) (z : 'I_rows -> R) (beta : 'cV[R]_d) : 0 <= lambda ->
  stacked_loss design (ridge_rows lambda) (\col_x (z x / Num.sqrt n%:R)) 0 beta =
  best_loss lambda z + (n%:R ^+ 2 * (1 + lambda))^-1 *
    \sum_i (n%:R * (1 + lambda) * beta i 0 - fibre_sum z i) ^+ 2.
Proof.
move=> l0; have L0 : 1 + lambda != 0 by rewrite gt_eqF // ltr_paddr ?ltr01.
rewrite design_loss // (eq_bigr (fun x => (beta (coordinate x) 0 - z x) ^+ 2 / n%:R)); last first.
  by move=> x _; rewrite mxE -mulrBl exprMn exprVn sqrt_n.
rewrite /best_loss sum_rows (sum_rows (fun x => z x ^+ 2)) /sqnorm !mulr_sumr.
rewrite -sumrB -!big_split /=; apply: eq_bigr => i _.
rewrite (eq_bigr (fun x => beta i 0 ^+ 2 / n%:R + ((- (2%:R * beta i 0 / n%:R)) * z x + n%:R^-1 * z x ^+ 2))); last first.
  by move=> x /eqP ->; ring.
rewrite !big_split /= sum_fibre_const -!mulr_sumr -/(fibre_sum z i).
by move: (\sum_(x | coordinate x == i) z x ^+ 2) => Q; field; rewrite n_neq0 L0.
Qed.

(* Every column of labels is of this form.                                    *)
Lemma labels_scaled (Y : 'cV[R]_rows) :
  Y = \col_x ((Num.sqrt n%:R * Y x 0) / Num.sqrt n%:R).
Proof.
apply/matrixP => x j; rewrite (ord1 j) mxE mulrC mulrA mulVf ?mul1r //.
exact: sqrt_n_neq0.
Qed.

Lemma best_loss_attained (lambda : R) (z : 'I_rows -> R) : 0 <= lambda ->
  stacked_loss design (ridge_rows lambda) (\col_x (z x / Num.sqrt n%:R)) 0
    (\col_i (fibre_sum z i / (n%:R * (1 + lambda)))) = best_loss lambda z.
Proof.
move=> l0; have L0 : 1 + lambda != 0 by rewrite gt_eqF // ltr_paddr ?ltr01.
rewrite design_loss_square // big1 ?mulr0 ?addr0 // => i _; rewrite mxE.
by rewrite mulrC divfK ?subrr ?expr0n // mulf_neq0.
Qed.

End Design.
