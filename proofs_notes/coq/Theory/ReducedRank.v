(** The reduced rank lies between 0 and rank X1.

    Selected results:
      form_bounds         == 0 <= v^T X1 (X^T X)^-1 X1^T v <= |v|^2
      reduced_rank_bounds == 0 <= R_X <= rank X1
      rr_ridge_zero       == R_X = rank X1 at lambda = 0 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma sqnorm_sub (R : realFieldType) n (v w : 'cV[R]_n) :
  sqnorm (v - w) = sqnorm v - 2%:R * (v^T *m w) 0 0 + sqnorm w.
Proof.
rewrite /sqnorm [(v^T *m _) 0 0]mxE mulr_sumr -sumrB -big_split /=; apply: eq_bigr => i _.
by rewrite !mxE; move: (v i 0) (w i 0) => x y; ring.
Qed.

Section Bounds.
Variables (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)).

Let G := X1^T *m X1 + X2^T *m X2.
Hypothesis unitG : G \in unitmx.

Let H := X1 *m invmx G *m X1^T.

Let symG : G^T = G.
Proof.
have trD (M N : 'M[R]_d) : (M + N)^T = M^T + N^T by apply/matrixP => i j; rewrite !mxE.
by rewrite /G trD !trmx_mul !trmxK.
Qed.

Lemma form_bounds (v : 'cV[R]_n1) : 0 <= (v^T *m H *m v) 0 0 <= sqnorm v.
Proof.
pose a := invmx G *m (X1^T *m v).
have Ga : X1^T *m v = G *m a by rewrite /a mulmxA mulmxV // mul1mx.
have E : (v^T *m H *m v) 0 0 = sqnorm (X1 *m a) + sqnorm (X2 *m a).
  have -> : v^T *m H *m v = (X1^T *m v)^T *m a by rewrite /H /a trmx_mul trmxK !mulmxA.
  rewrite Ga trmx_mul symG /G !sqnormE !trmx_mul mulmxDr mulmxDl [LHS]mxE.
  by rewrite !mulmxA.
have E2 : (v^T *m H *m v) 0 0 = (v^T *m (X1 *m a)) 0 0 by rewrite /H /a !mulmxA.
rewrite E addr_ge0 ?sqnorm_ge0 //=.
have := sqnorm_ge0 (v - X1 *m a).
rewrite sqnorm_sub -E2 E => h; rewrite -subr_ge0; apply: le_trans h _.
rewrite -subr_ge0 [X in 0 <= X](_ : _ = sqnorm (X2 *m a)); last by ring.
exact: sqnorm_ge0.
Qed.

Lemma reduced_rankE : stacked_reduced_rank X1 X2 = \tr H.
Proof. by rewrite /stacked_reduced_rank /H -/G mulmxA mxtrace_mulC mulmxA. Qed.

Lemma diag_form n (A : 'M[R]_n) i : ((delta_mx i 0 : 'cV[R]_n)^T *m A *m (delta_mx i 0 : 'cV[R]_n)) 0 0 = A i i.
Proof. by rewrite trmx_delta -rowE -colE !mxE. Qed.

Theorem reduced_rank_bounds : 0 <= stacked_reduced_rank X1 X2 <= (\rank X1)%:R.
Proof.
rewrite reduced_rankE; apply/andP; split.
  by apply: sumr_ge0 => i _; rewrite -diag_form; have /andP[] := form_bounds (delta_mx i 0 : 'cV[R]_n1).
pose B := col_base X1.
have uB : B^T *m B \in unitmx.
  rewrite -row_free_unit /row_free rank_gram; exact: col_base_full.
have XB : B *m row_base X1 = X1 by apply: mulmx_base.
clearbody B; pose P := B *m invmx (B^T *m B) *m B^T.
have PB : P *m B = B by rewrite /P -[_ *m B^T *m B]mulmxA mulmxKV.
have PX : P *m X1 = X1.
  transitivity (P *m (B *m row_base X1)); first by rewrite XB.
  by rewrite mulmxA PB XB.
have PT : P^T = P.
  have iT : (invmx (B^T *m B))^T = invmx (B^T *m B) by rewrite trmx_inv trmx_mul trmxK.
  by rewrite /P !trmx_mul trmxK iT mulmxA.
have PP : P *m P = P by rewrite {2}/P !mulmxA PB.
have trP : \tr P = (\rank X1)%:R.
  by rewrite /P mxtrace_mulC mulmxA mulmxV // mxtrace1.
have trH : \tr H = \tr (P *m H *m P).
  by rewrite [RHS]mxtrace_mulC mulmxA PP /H !mulmxA PX.
rewrite -trP trH -subr_ge0 -raddfB /=; apply: sumr_ge0 => i _.
have -> : (P - P *m H *m P) i i = sqnorm (P *m (delta_mx i 0 : 'cV[R]_n1)) -
    ((P *m (delta_mx i 0 : 'cV[R]_n1))^T *m H *m (P *m (delta_mx i 0 : 'cV[R]_n1))) 0 0.
  rewrite sqnormE trmx_mul PT [LHS]mxE [X in _ + X]mxE -[in LHS](diag_form P) -[in LHS](diag_form (P *m H *m P)).
  by congr (_ - _); [rewrite -[in LHS]PP !mulmxA | rewrite !mulmxA].
by rewrite subr_ge0; have /andP[] := form_bounds (P *m (delta_mx i 0 : 'cV[R]_n1)).
Qed.

End Bounds.

(* Without ridge, and with full column rank, it is the rank.                  *)
Theorem rr_ridge_zero (R : rcfType) n d (X1 : 'M[R]_(n, d)) : X1^T *m X1 \in unitmx ->
  stacked_reduced_rank X1 ((Num.sqrt 0)%:M : 'M_d) = (\rank X1)%:R.
Proof.
move=> uG; rewrite /stacked_reduced_rank scalar_gram sqrtr0 expr0n raddf0 addr0 mulVmx // mxtrace1.
by rewrite -rank_gram; congr _%:R; apply/esym/eqP; rewrite -row_free_unit in uG.
Qed.
