(** Data of any rank, by restriction to the row space: X = Z C with Z of full
    column rank and C of full row rank, as the reference restricts them
    (coordinates.py: [row_space]). The reduced rank of Z does not depend on the
    factors: it is Tr(W X1^T X1) for every generalised inverse W of X^T X, the
    pseudo-inverse among them.

      factors X1 X2 Z1 Z2 C   == X1 = Z1 C, X2 = Z2 C, C of full row rank and
                                 Z1^T Z1 + Z2^T Z2 invertible
      point_factors X Z C     == the same for a family of points: x = C^T z

    Main results: [factors_exist], [row_space_reduced_rank] (any factors, any
    generalised inverse), [row_space_free], [row_space_bounds],
    [ridge_zero_any_rank], and for points [point_factors_exist],
    [row_space_trace] and [row_space_whitening]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Regression Whitening.
From Asura Require Import Reductions ReducedRank.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** The congruence behind everything: A = C^T G C, A W A = A. *)
Lemma generalised_congr (R : realFieldType) d r (C : 'M[R]_(r, d)) (G : 'M[R]_r)
    (W : 'M[R]_d) : row_free C -> G \in unitmx ->
  generalised_inverse (C^T *m G *m C) W -> C *m W *m C^T = invmx G.
Proof.
case/row_freeP => D CD uG; rewrite /generalised_inverse => e.
have DC : D^T *m C^T = 1%:M by rewrite -trmx_mul CD trmx1.
have e2 : G *m (C *m W *m C^T) *m G = G.
  have := congr1 (fun M => D^T *m M *m D) e.
  by rewrite !mulmxA DC !mul1mx -!mulmxA CD !mulmx1 !mulmxA.
by rewrite -[LHS](mulKmx uG) -[X in invmx G *m X](mulmxK uG) e2 mulmxV // mulmx1.
Qed.

Lemma pseudo_inverse (R : realFieldType) d (A : 'M[R]_d) :
  generalised_inverse A (pinvmx A).
Proof. exact: mulmxKpV. Qed.

Lemma full_gram (R : realFieldType) n r (Z : 'M[R]_(n, r)) :
  \rank Z = r -> Z^T *m Z \in unitmx.
Proof. by move=> full; rewrite -row_free_unit /row_free rank_gram full. Qed.

Section Matrices.
Variables (R : realFieldType) (n1 n2 d : nat).
Variables (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)).

Definition factors r (Z1 : 'M[R]_(n1, r)) (Z2 : 'M[R]_(n2, r)) (C : 'M[R]_(r, d)) :=
  [/\ X1 = Z1 *m C, X2 = Z2 *m C, row_free C &
      Z1^T *m Z1 + Z2^T *m Z2 \in unitmx].

Theorem factors_exist : exists Z1 Z2 C,
  @factors (\rank (col_mx X1 X2)) Z1 Z2 C.
Proof.
pose X := col_mx X1 X2; pose Z := col_base X.
have e : Z *m row_base X = X by exact: mulmx_base.
exists (usubmx Z), (dsubmx Z), (row_base X); split.
- by rewrite mul_usub_mx e col_mxKu.
- by rewrite mul_dsub_mx e col_mxKd.
- exact: row_base_free.
suff <- : Z^T *m Z = (usubmx Z)^T *m usubmx Z + (dsubmx Z)^T *m dsubmx Z.
  by apply: full_gram; apply/eqP; exact: col_base_full.
by rewrite -{1 2}[Z]vsubmxK tr_col_mx mul_row_col.
Qed.

Section Any.
Variables (r : nat) (Z1 : 'M[R]_(n1, r)) (Z2 : 'M[R]_(n2, r)) (C : 'M[R]_(r, d)).
Hypothesis fac : factors Z1 Z2 C.

Lemma factors_gram :
  X1^T *m X1 + X2^T *m X2 = C^T *m (Z1^T *m Z1 + Z2^T *m Z2) *m C.
Proof.
by case: fac => -> -> _ _; rewrite !trmx_mul mulmxDr mulmxDl !mulmxA.
Qed.

(* slug: def-reduced-rank *)
Theorem row_space_reduced_rank (W : 'M[R]_d) :
  generalised_inverse (X1^T *m X1 + X2^T *m X2) W ->
  stacked_reduced_rank Z1 Z2 = \tr (W *m (X1^T *m X1)).
Proof.
rewrite factors_gram; case: fac => -> _ fC uG /(generalised_congr fC uG) e.
rewrite /stacked_reduced_rank -e trmx_mul -!mulmxA mxtrace_mulC -!mulmxA.
by rewrite [RHS]mxtrace_mulC -!mulmxA mxtrace_mulC -!mulmxA.
Qed.

(* slug: def-reduced-rank *)
Theorem row_space_bounds : 0 <= stacked_reduced_rank Z1 Z2 <= (\rank X1)%:R.
Proof.
case: fac => -> _ fC uG; rewrite mxrankMfree //.
exact: reduced_rank_bounds.
Qed.

End Any.

(** The number does not depend on the factors. *)
(* slug: def-reduced-rank *)
Theorem row_space_free r r' Z1 Z2 C Z1' Z2' C' :
  @factors r Z1 Z2 C -> @factors r' Z1' Z2' C' ->
  stacked_reduced_rank Z1 Z2 = stacked_reduced_rank Z1' Z2'.
Proof.
move=> f f'; have g := pseudo_inverse (X1^T *m X1 + X2^T *m X2).
by rewrite (row_space_reduced_rank f g) (row_space_reduced_rank f' g).
Qed.

End Matrices.

(** Without ridge it is the rank, whatever the rank. *)
(* slug: rr-ridge *)
Theorem ridge_zero_any_rank (R : rcfType) n d (X1 : 'M[R]_(n, d)) (W : 'M[R]_d) :
  generalised_inverse (X1^T *m X1 + (Num.sqrt 0)%:M^T *m (Num.sqrt 0)%:M) W ->
  \tr (W *m (X1^T *m X1)) = (\rank X1)%:R.
Proof.
move=> gW; pose Z := col_base X1; pose C := row_base X1.
have e : Z *m C = X1 by exact: mulmx_base.
have uZ : Z^T *m Z \in unitmx by apply: full_gram; apply/eqP; exact: col_base_full.
have zero : ((Num.sqrt 0)%:M : 'M[R]_d) = (0 : 'M_(d, _)) *m C.
  by rewrite sqrtr0 raddf0 mul0mx.
have f : factors X1 ((Num.sqrt 0)%:M : 'M_d) Z 0 C.
  by split=> //; [exact: row_base_free | rewrite mulmx0 addr0].
rewrite -(row_space_reduced_rank f gW) /stacked_reduced_rank mulmx0 addr0.
by rewrite mulVmx // mxtrace1.
Qed.

(** ** Families of points *)
Section Points.
Variables (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d).

Definition point_factors r (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)) :=
  [/\ forall x, X x = C^T *m Z x, row_free C & gram Z \in unitmx].

Definition stack : 'M[R]_(#|I|, d) := \matrix_(i, j) X (enum_val i) j 0.

Lemma gram_rows r (A : 'M[R]_(#|I|, r)) :
  gram (fun x => (row (enum_rank x) A)^T) = A^T *m A.
Proof.
rewrite /gram (reindex_onto enum_val enum_rank) => [|x _]; last exact: enum_rankK.
apply/matrixP => i j; rewrite summxE mxE.
apply: eq_big => [k|k _]; first by rewrite enum_valK eqxx.
by rewrite enum_valK mxE big_ord1 !mxE.
Qed.

Theorem point_factors_exist : exists Z C, @point_factors (\rank stack) Z C.
Proof.
pose A := col_base stack; pose C := row_base stack.
exists (fun x => (row (enum_rank x) A)^T), C; split.
- move=> x; rewrite -trmx_mul -row_mul (mulmx_base stack).
  by apply/matrixP => i j; rewrite ord1 !mxE enum_rankK.
- exact: row_base_free.
by rewrite gram_rows; apply: full_gram; apply/eqP; exact: col_base_full.
Qed.

Section Any.
Variables (r : nat) (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)).
Hypothesis fac : point_factors Z C.

Lemma point_mass (q : pred I) :
  \sum_(x | q x) X x *m (X x)^T = C^T *m (\sum_(x | q x) Z x *m (Z x)^T) *m C.
Proof.
case: fac => e _ _; rewrite mulmx_sumr mulmx_suml; apply: eq_bigr => x _.
by rewrite e trmx_mul trmxK !mulmxA.
Qed.

(** Tr D = R_X on the row space, for every whitening there. *)
(* slug: trace-identity *)
Theorem row_space_trace (P : 'M[R]_r) (W : 'M[R]_d) (X1 : pred I) :
  whitens Z P -> generalised_inverse (gram X) W ->
  \tr (\sum_(x | X1 x) white Z P x *m (white Z P x)^T) =
  \tr (W *m \sum_(x | X1 x) X x *m (X x)^T).
Proof.
move=> wP; have [_ fC uG] := fac.
have -> : gram X = C^T *m gram Z *m C by exact: (point_mass xpredT).
move=> /(generalised_congr fC uG) e; rewrite (trace_identity wP) point_mass.
rewrite /reduced_rank -e -!mulmxA mxtrace_mulC -!mulmxA.
by rewrite [RHS]mxtrace_mulC -!mulmxA mxtrace_mulC -!mulmxA.
Qed.

End Any.
End Points.

(* slug: trace-identity *)
Theorem row_space_whitening (R : rcfType) d (I : finType) (X : I -> 'cV[R]_d) :
  exists r (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)) (P : 'M[R]_r),
    point_factors X Z C /\ whitens Z P.
Proof.
have [Z [C f]] := point_factors_exist X; have [_ _ u] := f.
have [P w] := data_whitening u.
by exists (\rank (stack X)), Z, C, P.
Qed.
