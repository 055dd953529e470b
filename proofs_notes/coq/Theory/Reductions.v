(** Ridge and kernel ridge regression as semi-supervised active regression;
    the reduced rank as a statistical and as an effective dimension; the
    expected number of labels of leverage score sampling.

    Selected results:
      effective_sum       == the sum that the paper calls sd or d_lambda
      push_through        == Tr((X^T X + l I)^-1 X^T X) = Tr(X X^T (X X^T + l I)^-1)
      rank_gram           == rank(X^T X) = rank X
      resolvent_trace     == that trace as a sum over eigenvalues
      expected_countE     == independent inclusion: the count is the sum of the p_i
      leverage_sampling   == E|S n X1| <= (m/d) R_X
      rr_ridge, rr_kernel == R_X on ridge and on kernel data *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Export Spec.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The sum that the paper calls sd (mu_i the squared singular values of X1)   *)
(* and d_lambda (mu_i the eigenvalues of K): zero values are left out.        *)
Definition effective_sum (R : fieldType) d (mu : 'rV[R]_d) (lambda : R) : R :=
  \sum_(i | mu 0 i != 0) (1 + lambda / mu 0 i)^-1.

Section Algebra.
Variable R : fieldType.

Lemma sqnormE n (v : 'cV[R]_n) : sqnorm v = (v^T *m v) 0 0.
Proof. by rewrite /sqnorm mxE; apply: eq_bigr => i _; rewrite mxE expr2. Qed.

Lemma sqnorm_col n1 n2 (u : 'cV[R]_n1) (v : 'cV[R]_n2) :
  sqnorm (col_mx u v) = sqnorm u + sqnorm v.
Proof.
rewrite /sqnorm big_split_ord /=; congr (_ + _); apply: eq_bigr => i _.
  by rewrite col_mxEu.
by rewrite col_mxEd.
Qed.

Lemma sqnormZ n a (v : 'cV[R]_n) : sqnorm (a *: v) = a ^+ 2 * sqnorm v.
Proof. by rewrite /sqnorm mulr_sumr; apply: eq_bigr => i _; rewrite mxE exprMn. Qed.

Lemma stacked_lossE n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) Y1 beta :
  stacked_loss X1 X2 Y1 0 beta = sqnorm (X1 *m beta - Y1) + sqnorm (X2 *m beta).
Proof.
rewrite /stacked_loss mul_col_mx -[- col_mx _ _]/(- _) opp_col_mx add_col_mx.
by rewrite sqnorm_col oppr0 addr0.
Qed.

Lemma scalar_gram d (s : R) : (s%:M : 'M_d)^T *m s%:M = (s ^+ 2)%:M.
Proof. by rewrite tr_scalar_mx -scalar_mxM expr2. Qed.

Lemma scaled_gram n d (s : R) (Z : 'M[R]_(n, d)) :
  (s *: Z)^T *m (s *: Z) = s ^+ 2 *: (Z^T *m Z).
Proof. have -> : (s *: Z)^T = s *: Z^T by apply/matrixP => i j; rewrite !mxE.
by rewrite -scalemxAr -scalemxAl scalerA expr2. Qed.

(* Trace of the resolvent of a matrix with a basis of eigenvectors V.         *)
Lemma resolvent_trace d (B V : 'M[R]_d) (mu : 'rV[R]_d) (lambda : R) :
  B + lambda%:M \in unitmx -> V \in unitmx -> B *m V = V *m diag_mx mu ->
  \tr (invmx (B + lambda%:M) *m B) = effective_sum mu lambda.
Proof.
move=> uB uV BV.
have DV : (B + lambda%:M) *m V = V *m diag_mx (\row_i (mu 0 i + lambda)).
  rewrite mulmxDl BV mul_scalar_mx -mul_mx_scalar -mulmxDr; congr (_ *m _).
  by apply/matrixP => i j; rewrite !mxE; case: (i == j); rewrite ?mulr1n ?mulr0n ?addr0.
have nz i : mu 0 i + lambda != 0.
  have : diag_mx (\row_i (mu 0 i + lambda)) \in unitmx.
    by have : (B + lambda%:M) *m V \in unitmx; [rewrite unitmx_mul uB | rewrite DV unitmx_mul uV].
  rewrite unitmxE det_diag unitfE => /prodf_neq0 /(_ i isT).
  by rewrite mxE.
pose W := diag_mx (\row_i (mu 0 i / (mu 0 i + lambda))).
have QV : invmx (B + lambda%:M) *m B *m V = V *m W.
  apply: (can_inj (mulKmx uB)); rewrite !mulmxA mulmxV // mul1mx DV BV -mulmxA; congr (_ *m _).
  apply/matrixP => i j; rewrite mul_diag_mx !mxE.
  case: (altP (i =P j)) => [->|_]; rewrite ?mulr1n ?mulr0n ?mulr0 //.
  by rewrite mulrC divfK.
have -> : \tr (invmx (B + lambda%:M) *m B) = \tr W.
  by rewrite -[LHS](congr1 mxtrace (mulmxK uV _)) QV mxtrace_mulC mulmxA mulVmx // mul1mx.
rewrite mxtrace_diag /effective_sum [LHS](bigID (fun i => mu 0 i != 0)) /=.
rewrite [X in _ + X]big1 ?addr0 => [|i]; last by rewrite negbK mxE => /eqP ->; rewrite mul0r.
by apply: eq_bigr => i mi; rewrite mxE -[in RHS](divff mi) -mulrDl invfM invrK mulrC.
Qed.

End Algebra.

Section RealField.
Variable R : realFieldType.

Lemma sqnorm_ge0 n (v : 'cV[R]_n) : 0 <= sqnorm v.
Proof. by apply: sumr_ge0 => i _; apply: sqr_ge0. Qed.

Lemma sqnorm_eq0 n (v : 'cV[R]_n) : sqnorm v = 0 -> v = 0.
Proof.
move=> v0; apply/matrixP => i j; rewrite mxE (ord1 j).
have /psumr_eq0P /(_ v0 i isT) : forall k, true -> 0 <= v k 0 ^+ 2 by move=> k _; apply: sqr_ge0.
by move/eqP; rewrite sqrf_eq0 => /eqP.
Qed.

Lemma ridge_unit n d (Z : 'M[R]_(n, d)) (lambda : R) :
  0 < lambda -> Z^T *m Z + lambda%:M \in unitmx.
Proof.
move=> l0; rewrite -row_free_unit -kermx_eq0; apply/eqP.
apply/row_matrixP => i; rewrite row0; set u := row i _.
have uB : u *m (Z^T *m Z + lambda%:M) = 0 by apply/sub_kermxP; rewrite /u row_sub.
have : sqnorm (Z *m u^T) + lambda * sqnorm u^T = 0.
  have /(congr1 (fun M => (M *m u^T) 0 0)) := uB; rewrite mul0mx [in RHS]mxE => <-.
  rewrite !sqnormE !trmx_mul !trmxK !mulmxDr !mulmxDl mul_mx_scalar -scalemxAl.
  by rewrite [RHS]mxE; congr (_ + _); [rewrite !mulmxA | rewrite [RHS]mxE].
have ge : 0 <= lambda * sqnorm u^T by apply: mulr_ge0; [exact: ltW | exact: sqnorm_ge0].
move/eqP; rewrite paddr_eq0 ?sqnorm_ge0 // => /andP[_].
rewrite mulf_eq0 gt_eqF //= => /eqP /sqnorm_eq0 u0.
by rewrite -[u]trmxK u0 trmx0.
Qed.

(* Data of full column rank has an invertible Gram matrix.                    *)
Lemma gram_kernel n d (X : 'M[R]_(n, d)) (v : 'cV[R]_d) :
  X^T *m X *m v = 0 -> X *m v = 0.
Proof.
move=> h; apply: sqnorm_eq0; rewrite sqnormE trmx_mul -mulmxA [X^T *m _]mulmxA h.
by rewrite mulmx0 mxE.
Qed.

Lemma rank_gram n d (X : 'M[R]_(n, d)) : \rank (X^T *m X) = \rank X.
Proof.
apply/eqP; rewrite eqn_leq mxrankM_maxr /=.
rewrite -[\rank X]mxrank_tr -[\rank (_ *m _)]mxrank_tr trmx_mul trmxK.
have k : (kermx (X^T *m X) <= kermx X^T)%MS.
  apply/sub_kermxP/row_matrixP => i; rewrite row0 row_mul.
  have h : X^T *m X *m (row i (kermx (X^T *m X)))^T = 0.
    have uG : row i (kermx (X^T *m X)) *m (X^T *m X) = 0 by rewrite -row_mul mulmx_ker row0.
    by rewrite -[LHS]trmxK [in LHS]trmx_mul trmxK [X in _ *m X]trmx_mul trmxK uG trmx0.
  have := gram_kernel h => /(congr1 trmx); rewrite trmx_mul trmxK trmx0.
  by [].
have := mxrankS k; rewrite !mxrank_ker.
move: (rank_leq_row X^T) (rank_leq_row (X^T *m X)).
by move: (\rank X^T) (\rank (X^T *m X)) => a b; lia.
Qed.

Lemma rank_diag d (mu : 'rV[R]_d) : \rank (diag_mx mu) = #|[set i | mu 0 i != 0]|.
Proof.
pose P := fun i : 'I_d => mu 0 i != 0.
have dir : mxdirect (\sum_(i | P i) <<delta_mx 0 i : 'rV[R]_d>>).
  by apply: mxdirect_delta => i j.
have -> : \rank (diag_mx mu) = \rank (\sum_(i | P i) <<delta_mx 0 i : 'rV[R]_d>>)%MS.
  apply/eqP; rewrite eqn_leq !mxrankS //.
    apply/sumsmx_subP => i Pi; rewrite genmxE.
    have -> : delta_mx 0 i = (mu 0 i)^-1 *: row i (diag_mx mu) :> 'rV[R]_d.
      by rewrite row_diag_mx scalerA mulVf ?scale1r.
    by apply: scalemx_sub; apply: row_sub.
  apply/row_subP => i; rewrite row_diag_mx; case: (altP (mu 0 i =P 0)) => [->|nz].
    by rewrite scale0r sub0mx.
  by apply: scalemx_sub; apply: (sumsmx_sup i); rewrite ?genmxE.
rewrite (mxdirectP dir) /= -sum1_card; apply: eq_big => [i|i _]; first by rewrite inE.
by rewrite genmxE mxrank_delta.
Qed.

(* Push-through: the same trace on the side of the points.                    *)
Lemma push_through n d (X : 'M[R]_(n, d)) (lambda : R) : 0 < lambda ->
  \tr (invmx (X^T *m X + lambda%:M) *m (X^T *m X)) =
  \tr (X *m X^T *m invmx (X *m X^T + lambda%:M)).
Proof.
move=> l0.
have uB := ridge_unit X l0; have uC := ridge_unit X^T l0; rewrite trmxK in uC.
have comm : (X^T *m X + lambda%:M) *m X^T = X^T *m (X *m X^T + lambda%:M).
  by rewrite mulmxDl mulmxDr mulmxA mul_scalar_mx mul_mx_scalar.
have -> : invmx (X^T *m X + lambda%:M) *m (X^T *m X) =
          X^T *m invmx (X *m X^T + lambda%:M) *m X.
  rewrite mulmxA; congr (_ *m _).
  by apply: (can_inj (mulKmx uB)); rewrite mulmxA mulmxV // mul1mx mulmxA comm mulmxK.
by rewrite mxtrace_mulC mulmxA.
Qed.

(* Any generalised inverse gives the reduced rank of the kernel rows.         *)
Lemma kernel_trace n (K Z G : 'M[R]_n) (lambda : R) : 0 < lambda -> Z^T *m Z = K ->
  generalised_inverse (K *m K + lambda *: K) G ->
  \tr (G *m (K *m K)) = \tr (invmx (K + lambda%:M) *m K).
Proof.
move=> l0 ZK; rewrite /generalised_inverse => gi.
have uK : K + lambda%:M \in unitmx by rewrite -ZK ridge_unit.
have M1 : K *m K + lambda *: K = K *m (K + lambda%:M) by rewrite mulmxDr mul_mx_scalar.
have M2 : K *m K + lambda *: K = (K + lambda%:M) *m K by rewrite mulmxDl mul_scalar_mx.
have h1 : (K + lambda%:M) *m (K *m G *m K) = K.
  apply: (can_inj (mulmxK uK)); rewrite -M1 -[RHS]gi M2.
  by rewrite -!mulmxA -[in LHS]M1 M2 !mulmxA.
rewrite mulmxA mxtrace_mulC mulmxA; congr (\tr _).
by apply: (can_inj (mulKmx uK)); rewrite h1 mulmxA mulmxV // mul1mx.
Qed.

Lemma kernel_sym n (K Z : 'M[R]_n) : Z^T *m Z = K -> K^T = K.
Proof. by move=> <-; rewrite trmx_mul trmxK. Qed.

(* Leverage scores: the rows of any orthonormal factor have these norms.      *)
Lemma leverage_factor n d (X U : 'M[R]_(n, d)) (B : 'M[R]_d) i :
  X = U *m B -> U^T *m U = 1%:M -> B \in unitmx ->
  leverage X i = sqnorm (row i U)^T.
Proof.
move=> -> UU uB; rewrite /leverage trmx_mul mulmxA -[B^T *m _ *m _]mulmxA UU mulmx1.
have uBB : B^T *m B \in unitmx by rewrite unitmx_mul unitmx_tr uB.
have mid : B *m invmx (B^T *m B) *m B^T = 1%:M.
  by apply: mulmx1C; rewrite mulmxA mulmxV.
by rewrite sqnormE trmxK row_mul trmx_mul -!mulmxA [B *m _]mulmxA [B *m _ *m _]mulmxA mid mul1mx.
Qed.

Lemma leverage_col n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  \sum_(i < n1) leverage (col_mx X1 X2) (lshift n2 i) = stacked_reduced_rank X1 X2.
Proof.
rewrite /stacked_reduced_rank mulmxA mxtrace_mulC mulmxA.
rewrite -mul_row_col -tr_col_mx /mxtrace; apply: eq_bigr => i _.
by rewrite /leverage rowKu -row_mul !mxE; apply: eq_bigr => j _; rewrite !mxE.
Qed.

Lemma prod_sets (I : finType) (F G : I -> R) :
  \prod_i (F i + G i) = \sum_(S : {set I}) \prod_i (if i \in S then F i else G i).
Proof.
transitivity (\prod_i \sum_(b : bool) (if b then F i else G i)).
  by apply: eq_bigr => i _; rewrite big_bool.
rewrite bigA_distr_bigA (reindex (fun S : {set I} => [ffun i => i \in S])) /=.
  by apply: eq_bigr => S _; apply: eq_bigr => i _; rewrite ffunE.
exists (fun f : {ffun I -> bool} => [set i | f i]) => [S _|f _].
  by apply/setP => i; rewrite inE ffunE.
by apply/ffunP => i; rewrite ffunE inE.
Qed.

Lemma expected_countE (I : finType) (p : I -> R) (A : {set I}) :
  expected_count p A = \sum_(i in A) p i.
Proof.
rewrite /expected_count.
transitivity (\sum_(S : {set I}) \sum_(i in A) (i \in S)%:R * inclusion_probability p S).
  apply: eq_bigr => S _; rewrite -mulr_suml mulrC; congr (_ * _).
  rewrite -sum1_card natr_sum [LHS](eq_bigl (fun i => (i \in A) && (i \in S))).
    by rewrite big_mkcondr /=; apply: eq_bigr => i _; case: (i \in S).
  by move=> i; rewrite inE andbC.
rewrite exchange_big; apply: eq_bigr => i _ /=.
transitivity (\prod_j ((if j == i then p i else p j) + (if j == i then 0 else 1 - p j))).
  rewrite prod_sets; apply: eq_bigr => S _.
  rewrite /inclusion_probability.
  case: (boolP (i \in S)) => iS; rewrite ?mul1r ?mul0r.
    apply: eq_bigr => j _; case: (altP (j =P i)) => [->|] //; by rewrite iS.
  by rewrite (bigD1 i) //= (negbTE iS) eqxx mul0r.
rewrite (bigD1 i) //= eqxx addr0 big1 ?mulr1 // => j /negbTE ->.
by rewrite addrCA subrr addr0.
Qed.

Lemma leverage_labelsE n1 n2 d m (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  leverage_labels m X1 X2 = \sum_(i < n1) sampling_probability m (col_mx X1 X2) (lshift n2 i).
Proof.
by rewrite /leverage_labels expected_countE big_imset //= => i j _ _; apply: lshift_inj.
Qed.

Theorem leverage_sampling n1 n2 d m (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  leverage_labels m X1 X2 <= m / d%:R * stacked_reduced_rank X1 X2.
Proof.
rewrite leverage_labelsE -leverage_col mulr_sumr; apply: ler_sum => i _.
by rewrite /sampling_probability le_minl lexx orbT.
Qed.

Theorem leverage_sampling_uncapped n1 n2 d m (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  (forall i, m / d%:R * leverage (col_mx X1 X2) (lshift n2 i) <= 1) ->
  leverage_labels m X1 X2 = m / d%:R * stacked_reduced_rank X1 X2.
Proof.
move=> cap; rewrite leverage_labelsE -leverage_col mulr_sumr; apply: eq_bigr => i _.
by rewrite /sampling_probability; apply/min_idPr.
Qed.

(* With X1 = I, X2 empty and m >= d every point is taken: d labels, not m.    *)
Theorem leverage_sampling_capped d (m : R) (X2 : 'M[R]_(0, d)) : (0 < d)%N -> d%:R <= m ->
  leverage_labels m (1%:M : 'M_d) X2 = d%:R /\
  m / d%:R * stacked_reduced_rank (1%:M : 'M_d) X2 = m.
Proof.
move=> d0 dm; have d0' : 0 < d%:R :> R by rewrite ltr0n.
have G : (1%:M : 'M[R]_d)^T *m 1%:M + X2^T *m X2 = 1%:M.
  by rewrite trmx1 mul1mx [X2]flatmx0 mulmx0 addr0.
split; last first.
  by rewrite /stacked_reduced_rank G invmx1 mul1mx trmx1 mul1mx mxtrace1 divfK // gt_eqF.
rewrite leverage_labelsE (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
rewrite /sampling_probability /leverage rowKu tr_col_mx mul_row_col G invmx1 mulmx1.
have -> : (row i (1%:M : 'M[R]_d) *m (row i 1%:M)^T) 0 0 = 1.
  by rewrite tr_row trmx1 -row_mul mul1mx !mxE eqxx.
by rewrite mulr1; apply/min_idPl; rewrite ler_pdivl_mulr // mul1r.
Qed.

End RealField.

Section RealClosed.
Variable R : rcfType.

Theorem ridge_is_ssar n d (X1 : 'M[R]_(n, d)) (Y1 : 'cV[R]_n) (lambda : R) (beta : 'cV[R]_d) :
  0 <= lambda ->
  stacked_loss X1 (Num.sqrt lambda)%:M Y1 0 beta =
  sqnorm (X1 *m beta - Y1) + lambda * sqnorm beta.
Proof.
by move=> l0; rewrite stacked_lossE mul_scalar_mx sqnormZ sqr_sqrtr.
Qed.

Theorem kernel_is_ssar n (K Z : 'M[R]_n) (Y1 : 'cV[R]_n) (lambda : R) (beta : 'cV[R]_n) :
  0 <= lambda -> Z^T *m Z = K ->
  stacked_loss K (Num.sqrt lambda *: Z) Y1 0 beta =
  sqnorm (K *m beta - Y1) + lambda * (beta^T *m K *m beta) 0 0.
Proof.
move=> l0 <-; rewrite stacked_lossE -scalemxAl sqnormZ sqr_sqrtr //.
by rewrite [sqnorm (Z *m _)]sqnormE trmx_mul !mulmxA.
Qed.

Theorem rr_ridge n d (X1 : 'M[R]_(n, d)) (lambda : R) : 0 < lambda ->
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \tr (invmx (X1^T *m X1 + lambda%:M) *m (X1^T *m X1)) /\
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \tr (X1 *m X1^T *m invmx (X1 *m X1^T + lambda%:M)).
Proof.
move=> l0; have E : stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \tr (invmx (X1^T *m X1 + lambda%:M) *m (X1^T *m X1)).
  by rewrite /stacked_reduced_rank scalar_gram sqr_sqrtr // ltW.
by split=> //; rewrite E push_through.
Qed.

(* sigma lists the singular values of X1, zeros included: the squares are the *)
(* eigenvalues of X1^T X1 in the basis V.                                     *)
Theorem rr_ridge_sd n d (X1 : 'M[R]_(n, d)) (V : 'M[R]_d) (sigma : 'rV[R]_d) (lambda : R) :
  0 < lambda -> V \in unitmx ->
  X1^T *m X1 *m V = V *m diag_mx (\row_i sigma 0 i ^+ 2) ->
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \sum_(i | sigma 0 i != 0) (1 + lambda / sigma 0 i ^+ 2)^-1 /\
  \rank X1 = #|[set i | sigma 0 i != 0]|.
Proof.
move=> l0 uV eig; split.
  rewrite (rr_ridge X1 l0).1 (resolvent_trace (ridge_unit X1 l0) uV eig) /effective_sum.
  apply: eq_big => [i|i _]; rewrite mxE //.
  by rewrite expf_eq0.
have -> : \rank X1 = \rank (V *m diag_mx (\row_i sigma 0 i ^+ 2)).
  by rewrite -eig mxrankMfree ?row_free_unit ?rank_gram.
rewrite -mxrank_tr trmx_mul mxrankMfree ?row_free_unit ?unitmx_tr // tr_diag_mx rank_diag.
by apply: eq_card => i; rewrite !inE mxE expf_eq0.
Qed.

(* The kernel rows K and sqrt(lambda) Z, for any Z with Z^T Z = K.            *)
Theorem rr_kernel n (K Z : 'M[R]_n) (lambda : R) :
  0 < lambda -> Z^T *m Z = K -> K \in unitmx ->
  stacked_reduced_rank K (Num.sqrt lambda *: Z) = \tr (invmx (K + lambda%:M) *m K).
Proof.
move=> l0 ZK uK; rewrite /stacked_reduced_rank scaled_gram sqr_sqrtr ?(ltW l0) // ZK (kernel_sym ZK).
apply: (kernel_trace l0 ZK); rewrite /generalised_inverse mulmxV ?mul1mx //.
have -> : K *m K + lambda *: K = K *m (K + lambda%:M) by rewrite mulmxDr mul_mx_scalar.
by rewrite unitmx_mul uK -ZK ridge_unit.
Qed.

(* The same for singular K, with any generalised inverse of the Gram matrix.  *)
Theorem rr_kernel_singular n (K Z G : 'M[R]_n) (lambda : R) :
  0 < lambda -> Z^T *m Z = K ->
  generalised_inverse (K^T *m K + (Num.sqrt lambda *: Z)^T *m (Num.sqrt lambda *: Z)) G ->
  \tr (G *m (K^T *m K)) = \tr (invmx (K + lambda%:M) *m K).
Proof.
move=> l0 ZK; rewrite scaled_gram sqr_sqrtr ?(ltW l0) // ZK (kernel_sym ZK).
exact: (kernel_trace l0 ZK).
Qed.

(* mu lists the eigenvalues of K, zeros included, in the basis V.             *)
Theorem effective_dimension n (K Z V : 'M[R]_n) (mu : 'rV[R]_n) (lambda : R) :
  0 < lambda -> Z^T *m Z = K -> V \in unitmx -> K *m V = V *m diag_mx mu ->
  \tr (invmx (K + lambda%:M) *m K) = \sum_(i | mu 0 i != 0) (1 + lambda / mu 0 i)^-1 /\
  \rank K = #|[set i | mu 0 i != 0]|.
Proof.
move=> l0 ZK uV eig; split.
  by rewrite -/(effective_sum mu lambda); apply: (resolvent_trace _ uV eig); rewrite -ZK ridge_unit.
have -> : \rank K = \rank (V *m diag_mx mu) by rewrite -eig mxrankMfree ?row_free_unit.
by rewrite -mxrank_tr trmx_mul mxrankMfree ?row_free_unit ?unitmx_tr // tr_diag_mx rank_diag.
Qed.

(* Z is not determined by Z^T Z = K.                                          *)
Theorem kernel_root_not_unique :
  exists K Z Z' : 'M[R]_1, [/\ Z^T *m Z = K, Z'^T *m Z' = K & Z != Z'].
Proof.
exists 1%:M, 1%:M, (- 1%:M).
have -> : (- 1%:M : 'M[R]_1)^T = - 1%:M by apply/matrixP => i j; rewrite !mxE eq_sym.
rewrite trmx1 mulNmx mulmxN opprK mulmx1.
split=> //; apply/eqP => /(congr1 (fun M : 'M_1 => M 0 0)); rewrite !mxE eqxx => /eqP.
by rewrite -subr_eq0 opprK -natrD pnatr_eq0.
Qed.

(* Without sqrt(lambda) the kernel row fails: K = 1, lambda = 2.              *)
Theorem kernel_row_needs_root :
  ~ (forall n (K Z : 'M[R]_n) (lambda : R), 0 < lambda -> Z^T *m Z = K -> K \in unitmx ->
     stacked_reduced_rank K Z = \tr (invmx (K + lambda%:M) *m K)).
Proof.
move=> /(_ 1%N 1%:M 1%:M 2%:R); rewrite ltr0n trmx1 mul1mx unitmx1 => /(_ isT erefl isT).
have inv1 (a : R) : invmx (a%:M : 'M_1) = (a^-1)%:M by rewrite invmx_scalar.
rewrite /stacked_reduced_rank trmx1 !mulmx1 -!raddfD /= !inv1 !mxtrace_scalar !mulr1n.
move/eqP; rewrite -subr_eq0.
have -> : (1 + 1)^-1 - (1 + 2%:R)^-1 = 6%:R^-1 :> R by field.
by rewrite invr_eq0 pnatr_eq0.
Qed.

End RealClosed.
