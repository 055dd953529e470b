(** The field: what the determinants say about the solutions.

      adj_column      == Cramer: (adj M b)_k is M with column k replaced by b
      singular_adj    == on a sample that does not span, adj(X^T W X) X^T W y = 0
      volume_ge0      == det(X^T W X) is a sum of squares
      coins_unbiased  == E[det beta] = det(X^T X) beta*
      volume_unbiased == E beta_S = beta* for every size s >= d
      adjugates_sum   == sum of adj(X_S^T X_S) = C(n-d+1, s-d+1) adj(X^T X)
      volume_inverse  == the expected inverse, where every s points span *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From Asura Require Import SpecField Determinants.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** Determinants of weighted Gram matrices are sums of squares. *)
Section Squares.
Variables (R : comRingType) (d n : nat) (X : 'M[R]_(n, d)) (w : 'I_n -> R).
Local Notation rows f := (\matrix_(i, j) X (f i) j : 'M[R]_d).

Lemma rows_perm (f : {ffun 'I_d -> 'I_n}) (s : 'S_d) :
  \det (rows [ffun i => f (s i)]) = (-1) ^+ s * \det (rows f).
Proof.
rewrite -det_perm -det_mulmx -row_permE; congr (\det _).
by apply/matrixP => i j; rewrite !mxE ffunE.
Qed.

Lemma det_squares : (d`!)%:R * \det (weighted X X w) =
  \sum_(f : {ffun 'I_d -> 'I_n} | injectiveb f) (\prod_i w (f i)) * \det (rows f) ^+ 2.
Proof.
pose h (f : {ffun 'I_d -> 'I_n}) := (\prod_i w (f i)) * share X X f.
have turn (s : 'S_d) : \sum_(f : {ffun 'I_d -> 'I_n} | injectiveb f) h f =
    \sum_(f : {ffun 'I_d -> 'I_n} | injectiveb f) h [ffun i => f (s i)].
  rewrite (reindex (fun f : {ffun 'I_d -> 'I_n} => [ffun i => f (s i)])) /=; last first.
    exists (fun f : {ffun 'I_d -> 'I_n} => [ffun i => f (s^-1%g i)]) => f _;
      by apply/ffunP => i; rewrite !ffunE ?permKV ?permK.
  apply: eq_bigl => f; apply/injectiveP/injectiveP => inj i j.
    by move=> e; apply: (perm_inj (s := s^-1%g)); apply: inj; rewrite !ffunE !permKV.
  by rewrite !ffunE => /inj/perm_inj.
rewrite det_weighted -/h.
transitivity (\sum_(s : 'S_d) \sum_(f : {ffun 'I_d -> 'I_n} | injectiveb f) h f).
  by rewrite sumr_const card_Sn mulr_natl.
under eq_bigr => s _ do rewrite (turn s).
rewrite exchange_big /=; apply: eq_bigr => f _.
transitivity (\sum_(s : 'S_d) (\prod_i w (f i)) * \det (rows f) *
    ((-1) ^+ s * \prod_i (rows f)^T i (s i))).
  apply: eq_bigr => s _; rewrite /h /share rows_perm.
  rewrite [X in X * _ = _](_ : _ = \prod_i w (f i)); last first.
    rewrite [RHS](reindex_inj (@perm_inj _ s)) /=.
    by apply: eq_bigr => i _; rewrite ffunE.
  have -> : \prod_i X^T i ([ffun i => f (s i)] i) = \prod_i (rows f)^T i (s i).
    by apply: eq_bigr => i _; rewrite !mxE ffunE.
  move: (\prod_i w (f i)) (\prod_i _) ((-1) ^+ s) (\det _) => a b c e.
  by rewrite -!mulrA; congr (_ * _); rewrite mulrCA [RHS]mulrCA; congr (_ * _); rewrite mulrC.
by rewrite -mulr_sumr -/(determinant _) det_tr expr2 mulrA.
Qed.
End Squares.

Lemma volume_ge0 (R : realFieldType) (d n : nat) (X : 'M[R]_(n, d)) (w : 'I_n -> R) :
  (forall k, 0 <= w k) -> 0 <= \det (weighted_product X X w).
Proof.
move=> w0; have f0 : 0 < (d`!)%:R :> R by rewrite ltr0n fact_gt0.
rewrite -(pmulr_rge0 _ f0) det_squares; apply: sumr_ge0 => f _.
by rewrite mulr_ge0 ?sqr_ge0 // prodr_ge0.
Qed.

Section Cramer.
Variables (R : comRingType) (d n : nat).

(** X with the column k replaced by y. *)
Definition replaced (m : nat) (k : 'I_d) (X : 'M[R]_(m, d)) (y : 'cV[R]_m) : 'M[R]_(m, d) :=
  \matrix_(i, j) if j == k then y i 0 else X i j.

Lemma adj_column (M : 'M[R]_d) (b : 'cV[R]_d) k :
  (\adj M *m b) k 0 = \det (replaced k M b).
Proof.
rewrite (expand_det_col _ k) mxE; apply: eq_bigr => i _.
rewrite !mxE eqxx mulrC; congr (_ * _); rewrite /cofactor; congr (_ * \det _).
by apply/matrixP => a c; rewrite !mxE eq_sym (negPf (neq_lift _ _)).
Qed.

Lemma mul_replaced (m : nat) (A : 'M[R]_(m, n)) (X : 'M[R]_(n, d)) (y : 'cV[R]_n) k :
  A *m replaced k X y = replaced k (A *m X) (A *m y).
Proof.
apply/matrixP => i j; rewrite !mxE; case: eqP => [->|ne]; apply: eq_bigr => a _.
  by rewrite mxE eqxx.
by rewrite mxE; case: eqP.
Qed.

Lemma weighted_replaced (X : 'M[R]_(n, d)) (y : 'cV[R]_n) (w : 'I_n -> R) k :
  \det (weighted_product X (replaced k X y) w) =
  (\adj (weighted_product X X w) *m (X^T *m (diag_mx (\row_k w k) *m y))) k 0.
Proof. by rewrite adj_column /weighted_product mul_replaced mul_replaced. Qed.

Lemma plain_replaced (X : 'M[R]_(n, d)) (y : 'cV[R]_n) k :
  \det (X^T *m replaced k X y) = (\adj (X^T *m X) *m (X^T *m y)) k 0.
Proof. by rewrite adj_column mul_replaced. Qed.

End Cramer.

Section Solutions.
Variables (F : fieldType) (d : nat).

Lemma adj_invmx (M : 'M[F]_d) : M \in unitmx -> \adj M = \det M *: invmx M.
Proof.
move=> u; rewrite /invmx u scalerA divff ?scale1r //.
by rewrite -unitfE -unitmxE.
Qed.

Lemma det_not_unit (M : 'M[F]_d) : M \notin unitmx -> \det M = 0.
Proof. by rewrite unitmxE unitfE negbK => /eqP. Qed.

End Solutions.

Section Ordered.
Variables (R : realFieldType) (d n : nat).
Implicit Types (X : 'M[R]_(n, d)) (y : 'cV[R]_n) (w : 'I_n -> R).
Local Notation W w := (diag_mx (\row_k w k)).

(** v^T X^T W X v = sum w (x v)^2, so W X v = 0 where it vanishes. *)
Lemma weighted_kernel X w (v : 'rV[R]_d) : (forall k, 0 <= w k) ->
  v *m weighted_product X X w = 0 -> v *m X^T *m W w = 0.
Proof.
move=> w0 z; pose u := v *m X^T.
have q : \sum_k w k * u 0 k ^+ 2 = 0.
  transitivity ((v *m weighted_product X X w *m v^T) 0 0); last by rewrite z mul0mx mxE.
  have -> : v *m weighted_product X X w *m v^T = u *m (W w *m u^T).
    by rewrite /u /weighted_product trmx_mul trmxK !mulmxA.
  rewrite mxE; apply: eq_bigr => k _; rewrite mul_diag_mx !mxE; ring.
have each k : w k * u 0 k = 0.
  move/eqP: q; rewrite psumr_eq0 => [/allP/(_ k)|i _]; last by rewrite mulr_ge0 ?sqr_ge0.
  rewrite mem_index_enum => /(_ isT); rewrite /= mulf_eq0 sqrf_eq0.
  by case/orP => /eqP ->; rewrite ?mul0r ?mulr0.
apply/rowP => k; rewrite mul_mx_diag !mxE mulrC.
by have := each k; rewrite /u mxE.
Qed.

(** On a sample that does not span, Cramer's numerators vanish. *)
Lemma singular_numerator X w (Z : 'M[R]_(n, d)) : (forall k, 0 <= w k) ->
  weighted_product X X w \notin unitmx -> \det (weighted_product X Z w) = 0.
Proof.
move=> w0 /det_not_unit/eqP/det0P[v v0 z].
apply/eqP/det0P; exists v => //.
by rewrite /weighted_product !mulmxA weighted_kernel // mul0mx.
Qed.

(** det(M) beta_k is Cramer's numerator, spanning or not. *)
Lemma det_solution X y w k : (forall j, 0 <= w j) ->
  \det (weighted_product X X w) * weighted_solution X y w k 0 =
  \det (weighted_product X (replaced k X y) w).
Proof.
move=> w0; case: (boolP (weighted_product X X w \in unitmx)) => u; last first.
  by rewrite (singular_numerator (replaced k X y) w0 u) det_not_unit ?mul0r //.
by rewrite weighted_replaced adj_invmx // -scalemxAl [RHS]mxE.
Qed.

Lemma weighted_ones X (Z : 'M[R]_(n, d)) : weighted_product X Z (fun=> 1) = X^T *m Z.
Proof.
rewrite /weighted_product (_ : diag_mx _ = 1%:M) ?mul1mx //.
by apply/matrixP => i j; rewrite !mxE; case: (i == j).
Qed.

Lemma det_solution_all X y k :
  \det (X^T *m X) * weighted_solution X y (fun=> 1) k 0 = \det (X^T *m replaced k X y).
Proof. by rewrite -!weighted_ones; apply: det_solution => j; exact: ler01. Qed.

(** Volume sampling. *)
Lemma inside_ge0 (S : {set 'I_n}) k : 0 <= inside R S k.
Proof. exact: ler0n. Qed.

Theorem volume_numerators X y s k : (d <= s)%N ->
  \sum_(S : {set 'I_n} | #|S| == s)
    \det (weighted_product X X (inside R S)) * weighted_solution X y (inside R S) k 0 =
  'C(n - d, s - d)%:R * (\det (X^T *m X) * weighted_solution X y (fun=> 1) k 0).
Proof.
move=> ds; rewrite det_solution_all -(volume_sum X (replaced k X y) ds).
by apply: eq_bigr => S _; rewrite det_solution //; exact: inside_ge0.
Qed.

Theorem volume_unbiased X y s k : (d <= s <= n)%N -> X^T *m X \in unitmx ->
  [/\ forall S, 0 <= volume_chance X s S,
      volume_mean X s (fun=> 1) = 1 &
      volume_mean X s (fun S => weighted_solution X y (inside R S) k 0) =
      weighted_solution X y (fun=> 1) k 0].
Proof.
move=> /andP[ds sn] u.
have D0 : \det (X^T *m X) != 0 by rewrite -unitfE -unitmxE.
have C0 : 'C(n - d, s - d)%:R != 0 :> R.
  by rewrite pnatr_eq0 -lt0n bin_gt0 leq_sub2r.
have N0 : 'C(n - d, s - d)%:R * \det (X^T *m X) != 0 by rewrite mulf_neq0.
have D1 : 0 <= \det (X^T *m X) by rewrite -weighted_ones; apply: volume_ge0 => j; exact: ler01.
rewrite /volume_mean /volume_chance; split.
- move=> S; apply: divr_ge0; first by apply: volume_ge0; exact: inside_ge0.
  by apply: mulr_ge0; [exact: ler0n | exact: D1].
- under eq_bigr do rewrite mulr1; rewrite -mulr_suml.
  by rewrite [X in X / _](volume_sum X X ds) divff.
- under eq_bigr do rewrite mulrAC.
  by rewrite -mulr_suml volume_numerators // mulrA mulrAC divff // mul1r.
Qed.


(** Coins. *)
Theorem coins_unbiased (p : 'I_n -> R) X y k : (forall j, 0 <= p j) ->
  (forall j, p j = 0 -> row j X = 0) ->
  coins_mean p (fun S =>
    let w j := if j \in S then (p j)^-1 else 0 in
    \det (weighted_product X X w) * weighted_solution X y w k 0) =
  \det (X^T *m X) * weighted_solution X y (fun=> 1) k 0.
Proof.
move=> p0 pz; rewrite det_solution_all -(mean_det (replaced k X y) pz).
apply: eq_bigr => S _; congr (_ * _); apply: det_solution => j.
by case: ifP => _; rewrite ?invr_ge0.
Qed.

End Ordered.

(** The adjugates of all sets of s points, and the inverses where all span. *)
Section Inverse.

Lemma minor_product (R : comRingType) (d n : nat) (X : 'M[R]_(n, d)) w (i j : 'I_d) :
  row' i (col' j (weighted_product X X w)) =
  weighted_product (col' i X) (col' j X) w.
Proof.
apply/matrixP => a b; rewrite !mxE; apply: eq_bigr => k _.
by rewrite !mxE; congr (_ * _); apply: eq_bigr => l _; rewrite !mxE.
Qed.

Lemma minor_gram (R : comRingType) (d n : nat) (X : 'M[R]_(n, d)) (i j : 'I_d) :
  row' i (col' j (X^T *m X)) = (col' i X)^T *m col' j X.
Proof.
by apply/matrixP => a b; rewrite !mxE; apply: eq_bigr => k _; rewrite !mxE.
Qed.

Theorem adjugates_sum (R : comRingType) (d n : nat) (X : 'M[R]_(n, d)) (s : nat) :
  (0 < d <= s)%N -> (s <= n)%N ->
  \sum_(S : {set 'I_n} | #|S| == s)
    \adj (weighted_product X X (fun k => (k \in S)%:R)) =
  'C((n - d).+1, (s - d).+1)%:R *: \adj (X^T *m X).
Proof.
case: d X => // d X /= ds sn; apply/matrixP => i j; rewrite summxE !mxE.
have small : (d <= s)%N by exact: ltnW.
under eq_bigr => S _ do rewrite mxE /cofactor minor_product.
rewrite -mulr_sumr [X in _ * X](volume_sum (col' j X) (col' i X) small).
rewrite /cofactor minor_gram mulrCA (subnSK ds) (subnSK (leq_trans ds sn)).
by [].
Qed.

Theorem volume_inverse (R : realFieldType) (d n : nat) (X : 'M[R]_(n, d)) (s : nat) i j :
  (0 < d <= s)%N -> (s <= n)%N -> X^T *m X \in unitmx ->
  (forall S : {set 'I_n}, #|S| = s -> weighted_product X X (inside R S) \in unitmx) ->
  volume_mean X s (fun S => invmx (weighted_product X X (inside R S)) i j) =
  (n - d).+1%:R / (s - d).+1%:R * invmx (X^T *m X) i j.
Proof.
move=> ds sn u all; have D0 : \det (X^T *m X) != 0 by rewrite -unitfE -unitmxE.
have C0 : 'C(n - d, s - d)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n bin_gt0 leq_sub2r.
transitivity ((\sum_(S : {set 'I_n} | #|S| == s)
    \adj (weighted_product X X (inside R S)) i j)
    / ('C(n - d, s - d)%:R * \det (X^T *m X))).
  rewrite mulr_suml; apply: eq_bigr => S /eqP sz.
  by rewrite /volume_chance mulrAC (adj_invmx (all _ sz)) [X in _ = X / _]mxE.
have -> : \sum_(S : {set 'I_n} | #|S| == s) \adj (weighted_product X X (inside R S)) i j =
    'C((n - d).+1, (s - d).+1)%:R * (\det (X^T *m X) * invmx (X^T *m X) i j).
  have /matrixP/(_ i j) := adjugates_sum X ds sn; rewrite summxE => ->.
  by rewrite adj_invmx // !mxE.
have e : (s - d).+1%:R * 'C((n - d).+1, (s - d).+1)%:R =
    (n - d).+1%:R * 'C(n - d, s - d)%:R :> R.
  by rewrite -!natrM -mul_bin_diag.
have S0 : (s - d).+1%:R != 0 :> R by rewrite pnatr_eq0.
have -> : 'C((n - d).+1, (s - d).+1)%:R =
    (n - d).+1%:R * 'C(n - d, s - d)%:R / (s - d).+1%:R :> R.
  by rewrite -e mulrAC divff // mul1r.
move: S0 C0 D0; move: ((n - d).+1%:R) ((s - d).+1%:R) ('C(_, _)%:R) (\det _) => a b c t.
move=> b0 c0 t0.
by field; rewrite b0 c0 t0.
Qed.
End Inverse.
