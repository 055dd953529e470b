(* What is proved about the reductions, the packing and the number of labels, *)
(* restated in full. A reader needs only this file: first the definitions,    *)
(* each shown equal to what it stands for, then the results, each closed by   *)
(* the theorem that proves it and nothing else.                               *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.real_closed Require Import realalg.
From Asura Require Import Reductions Eigenbasis ReducedRank Design Packing Learner Urn Optimal Matching Coins LowerBound RealAlgebraic.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ------------------------------------------------------------------------- *)
(* Definitions: data, loss, reduced rank                                       *)

(* slug: definitions *)
Theorem means_sqnorm (R : fieldType) n (v : 'cV[R]_n) :
  sqnorm v = \sum_i v i 0 ^+ 2.
Proof. exact: erefl. Qed.

(* Points X1 over X2, labels Y1 over Y2.                                      *)
(* slug: definitions *)
Theorem means_stacked_loss (R : fieldType) n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y1 : 'cV[R]_n1) (Y2 : 'cV[R]_n2) (beta : 'cV[R]_d) :
  stacked_loss X1 X2 Y1 Y2 beta = sqnorm (col_mx X1 X2 *m beta - col_mx Y1 Y2).
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_reduced_rank (R : fieldType) n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  stacked_reduced_rank X1 X2 = \tr (invmx (X1^T *m X1 + X2^T *m X2) *m (X1^T *m X1)).
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_generalised_inverse (R : fieldType) d (A G : 'M[R]_d) :
  generalised_inverse A G = (A *m G *m A = A).
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_leverage (R : fieldType) n d (X : 'M[R]_(n, d)) (i : 'I_n) :
  leverage X i = (row i X *m invmx (X^T *m X) *m (row i X)^T) 0 0.
Proof. exact: erefl. Qed.

(* Independent inclusion of point i with probability p i; the expected number *)
(* of included points in A.                                                   *)
(* slug: definitions *)
Theorem means_expected_count (R : fieldType) (I : finType) (p : I -> R) (A : {set I}) :
  expected_count p A =
  \sum_(S : {set I}) (\prod_i (if i \in S then p i else 1 - p i)) * #|S :&: A|%:R.
Proof. exact: erefl. Qed.

(* Leverage score sampling: the points of X1 are the first n1.                *)
(* slug: definitions *)
Theorem means_leverage_labels (R : realFieldType) n1 n2 d (m : R)
    (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  leverage_labels m X1 X2 =
  expected_count (fun i => Num.min 1 (m / d%:R * leverage (col_mx X1 X2) i))
    [set lshift n2 i | i : 'I_n1].
Proof. exact: erefl. Qed.

(* ------------------------------------------------------------------------- *)
(* The reductions                                                              *)

(* slug: def-reduced-rank *)
Theorem audit_reduced_rank_bounds (R : realFieldType) n1 n2 d
    (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  X1^T *m X1 + X2^T *m X2 \in unitmx ->
  0 <= stacked_reduced_rank X1 X2 <= (\rank X1)%:R.
Proof. exact: reduced_rank_bounds. Qed.

(* slug: ridge-is-ssar *)
Theorem audit_ridge_is_ssar (R : rcfType) n d (X1 : 'M[R]_(n, d)) (Y1 : 'cV[R]_n)
    (lambda : R) (beta : 'cV[R]_d) :
  0 <= lambda ->
  stacked_loss X1 (Num.sqrt lambda)%:M Y1 0 beta =
  sqnorm (X1 *m beta - Y1) + lambda * sqnorm beta.
Proof. exact: ridge_is_ssar. Qed.

(* slug: kernel-is-ssar *)
Theorem audit_kernel_is_ssar (R : rcfType) n (K Z : 'M[R]_n) (Y1 : 'cV[R]_n)
    (lambda : R) (beta : 'cV[R]_n) :
  0 <= lambda -> Z^T *m Z = K ->
  stacked_loss K (Num.sqrt lambda *: Z) Y1 0 beta =
  sqnorm (K *m beta - Y1) + lambda * (beta^T *m K *m beta) 0 0.
Proof. exact: kernel_is_ssar. Qed.

(* slug: kernel-is-ssar *)
Theorem audit_kernel_root_not_unique (R : rcfType) :
  exists K Z Z' : 'M[R]_1, [/\ Z^T *m Z = K, Z'^T *m Z' = K & Z != Z'].
Proof. exact: kernel_root_not_unique. Qed.

(* slug: kernel-is-ssar *)
Theorem audit_kernel_row_needs_root (R : rcfType) :
  ~ (forall n (K Z : 'M[R]_n) (lambda : R), 0 < lambda -> Z^T *m Z = K -> K \in unitmx ->
     stacked_reduced_rank K Z = \tr (invmx (K + lambda%:M) *m K)).
Proof. exact: kernel_row_needs_root. Qed.

(* slug: rr-ridge *)
Theorem audit_rr_ridge (R : rcfType) n d (X1 : 'M[R]_(n, d)) (lambda : R) :
  0 < lambda ->
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \tr (invmx (X1^T *m X1 + lambda%:M) *m (X1^T *m X1)) /\
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \tr (X1 *m X1^T *m invmx (X1 *m X1^T + lambda%:M)).
Proof. exact: rr_ridge. Qed.

(* slug: rr-ridge *)
Theorem audit_rr_ridge_zero (R : rcfType) n d (X1 : 'M[R]_(n, d)) : X1^T *m X1 \in unitmx ->
  stacked_reduced_rank X1 ((Num.sqrt 0)%:M : 'M_d) = (\rank X1)%:R.
Proof. exact: rr_ridge_zero. Qed.

(* sigma: the singular values of X1, zeros included; V: eigenvectors of       *)
(* X1^T X1.                                                                   *)
(* slug: rr-ridge *)
Theorem audit_rr_ridge_sd (R : rcfType) n d (X1 : 'M[R]_(n, d)) (V : 'M[R]_d)
    (sigma : 'rV[R]_d) (lambda : R) :
  0 < lambda -> V \in unitmx ->
  X1^T *m X1 *m V = V *m diag_mx (\row_i sigma 0 i ^+ 2) ->
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \sum_(i | sigma 0 i != 0) (1 + lambda / sigma 0 i ^+ 2)^-1 /\
  \rank X1 = #|[set i | sigma 0 i != 0]|.
Proof. exact: rr_ridge_sd. Qed.

(* Such values exist for every X1.                                            *)
(* slug: rr-ridge *)
Theorem audit_singular_values_exist (R : rcfType) n d (X1 : 'M[R]_(n, d)) :
  exists (V : 'M[R]_d) (sigma : 'rV[R]_d), [/\ V \in unitmx, forall i, 0 <= sigma 0 i &
    X1^T *m X1 *m V = V *m diag_mx (\row_i sigma 0 i ^+ 2)].
Proof. exact: singular_values_exist. Qed.

(* slug: rr-kernel *)
Theorem audit_rr_kernel (R : rcfType) n (K Z : 'M[R]_n) (lambda : R) :
  0 < lambda -> Z^T *m Z = K -> K \in unitmx ->
  stacked_reduced_rank K (Num.sqrt lambda *: Z) = \tr (invmx (K + lambda%:M) *m K).
Proof. exact: rr_kernel. Qed.

(* slug: rr-kernel *)
Theorem audit_rr_kernel_singular (R : rcfType) n (K Z G : 'M[R]_n) (lambda : R) :
  0 < lambda -> Z^T *m Z = K ->
  generalised_inverse (K^T *m K + (Num.sqrt lambda *: Z)^T *m (Num.sqrt lambda *: Z)) G ->
  \tr (G *m (K^T *m K)) = \tr (invmx (K + lambda%:M) *m K).
Proof. exact: rr_kernel_singular. Qed.

(* slug: rr-kernel *)
Theorem audit_effective_dimension (R : rcfType) n (K Z V : 'M[R]_n) (mu : 'rV[R]_n) (lambda : R) :
  0 < lambda -> Z^T *m Z = K -> V \in unitmx -> K *m V = V *m diag_mx mu ->
  \tr (invmx (K + lambda%:M) *m K) = \sum_(i | mu 0 i != 0) (1 + lambda / mu 0 i)^-1 /\
  \rank K = #|[set i | mu 0 i != 0]|.
Proof. exact: effective_dimension. Qed.

(* Such eigenvalues exist for every K.                                        *)
(* slug: rr-kernel *)
Theorem audit_eigenvalues_exist (R : rcfType) n (K Z : 'M[R]_n) : Z^T *m Z = K ->
  exists (V : 'M[R]_n) (mu : 'rV[R]_n), V \in unitmx /\ K *m V = V *m diag_mx mu.
Proof. exact: eigenvalues_exist. Qed.

(* U: the rows of any factor with orthonormal columns, such as the SVD's.     *)
(* slug: leverage-sampling *)
Theorem audit_leverage_factor (R : realFieldType) n d (X U : 'M[R]_(n, d)) (B : 'M[R]_d) i :
  X = U *m B -> U^T *m U = 1%:M -> B \in unitmx ->
  leverage X i = sqnorm (row i U)^T.
Proof. exact: leverage_factor. Qed.

(* slug: leverage-sampling *)
Theorem audit_leverage_sampling (R : realFieldType) n1 n2 d (m : R)
    (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  leverage_labels m X1 X2 <= m / d%:R * stacked_reduced_rank X1 X2.
Proof. exact: leverage_sampling. Qed.

(* slug: leverage-sampling *)
Theorem audit_leverage_sampling_uncapped (R : realFieldType) n1 n2 d (m : R)
    (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) :
  (forall i, m / d%:R * leverage (col_mx X1 X2) (lshift n2 i) <= 1) ->
  leverage_labels m X1 X2 = m / d%:R * stacked_reduced_rank X1 X2.
Proof. exact: leverage_sampling_uncapped. Qed.

(* slug: leverage-sampling *)
Theorem audit_leverage_sampling_capped (R : realFieldType) d (m : R) (X2 : 'M[R]_(0, d)) :
  (0 < d)%N -> d%:R <= m ->
  leverage_labels m (1%:M : 'M_d) X2 = d%:R /\
  m / d%:R * stacked_reduced_rank (1%:M : 'M_d) X2 = m.
Proof. exact: leverage_sampling_capped. Qed.

(* ------------------------------------------------------------------------- *)
(* The lower bound's data: n copies of e_i / sqrt(n) for each i, numbered by   *)
(* an enumeration of the pairs (i, t); ridge rows sqrt(lambda) I, labels 0     *)

(* slug: definitions *)
Theorem means_design (R : rcfType) d n (x : 'I_#|{: 'I_d * 'I_n}|) (j : 'I_d) :
  design R d n x j = ((enum_val x).1 == j)%:R / Num.sqrt n%:R.
Proof. by rewrite mxE. Qed.

(* slug: definitions *)
Theorem means_rows d n : rows d n = #|{: 'I_d * 'I_n}|.
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_ridge_rows (R : rcfType) d (lambda : R) : ridge_rows d lambda = (Num.sqrt lambda)%:M.
Proof. exact: erefl. Qed.

(* The statistical dimension of this data.                                    *)
(* slug: lower-bound *)
Theorem audit_design_reduced_rank (R : rcfType) (d n : nat) : (0 < n)%N ->
  forall lambda : R, 0 <= lambda ->
  stacked_reduced_rank (design R d n) (ridge_rows d lambda) = d%:R / (1 + lambda).
Proof. exact: design_reduced_rank. Qed.

(* ------------------------------------------------------------------------- *)
(* The packing                                                                 *)

(* A run of Algorithm 3 on U: choose any b in U, remove what is close to it.  *)
(* slug: definitions *)
Theorem means_constructM (T : finType) (close : rel T) (P : {set T} -> seq T -> Prop) :
  P set0 [::] ->
  (forall (U : {set T}) (b : T) (M : seq T), b \in U -> constructM close (U :\: [set b' | close b b']) M ->
     P (U :\: [set b' | close b b']) M -> P U (b :: M)) ->
  forall U M, constructM close U M -> P U M.
Proof. exact: constructM_ind. Qed.

(* slug: definitions *)
Theorem means_sign_vector (R : rcfType) d (b : {ffun 'I_d -> bool}) i :
  sign_vector R b i 0 = if b i then 1 else -1.
Proof. by rewrite mxE. Qed.

(* slug: definitions *)
Theorem means_separation (R : rcfType) d (lambda epsilon : R) :
  separation d lambda epsilon =
  2%:R / 1000%:R * d%:R * (epsilon * lambda * (1 + lambda) + 1 + lambda).
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_close (R : rcfType) d n (lambda epsilon : R) (b c : {ffun 'I_d -> bool}) :
  close n lambda epsilon b c =
  (sqnorm (design R d n *m sign_vector R c - design R d n *m sign_vector R b)
     <= separation d lambda epsilon).
Proof. exact: erefl. Qed.

(* The largest Hamming distance of two vectors that are close.                *)
(* slug: definitions *)
Theorem means_radius (R : rcfType) d (lambda epsilon : R) :
  radius d lambda epsilon = \max_(h < d.+1 | (4 * h)%:R <= separation d lambda epsilon) h.
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_volume d r : volume d r = (\sum_(i < r.+1) 'C(d, i))%N.
Proof. exact: erefl. Qed.

(* Property 4 without logarithms: 2^d / size M is at most 2^(a/b) for every   *)
(* rational a/b >= 0.011 (1 + lambda) d.                                      *)
(* slug: packing *)
Theorem audit_packing (R : rcfType) (d n : nat) (lambda epsilon : R) :
  (0 < n)%N -> 0 < epsilon -> epsilon <= 100%:R^-1 -> 0 <= lambda -> lambda <= 50%:R ->
  forall M : seq {ffun 'I_d -> bool}, constructM (close n lambda epsilon) setT M ->
  [/\ uniq M,
      {in M, forall b, sqnorm (design R d n *m sign_vector R b) <= d%:R},
      {in M, forall b i, `|sign_vector R b i 0| <= 1},
      {in M &, forall b c, b != c -> separation d lambda epsilon <
         sqnorm (design R d n *m sign_vector R b - design R d n *m sign_vector R c)} &
      (2 ^ d <= size M * volume d (radius d lambda epsilon))%N] /\
  (forall a b : nat, (0 < b)%N ->
     11%:R / 1000%:R * (1 + lambda) * d%:R <= a%:R / b%:R :> R ->
     (2 ^ (d * b) <= size M ^ b * 2 ^ a)%N).
Proof. exact: packing. Qed.

(* slug: packing *)
Theorem audit_packing_exists (R : rcfType) (d n : nat) (lambda epsilon : R) :
  0 < epsilon -> 0 <= lambda -> exists M, constructM (@close R d n lambda epsilon) setT M.
Proof. exact: packing_exists. Qed.

(* ------------------------------------------------------------------------- *)
(* Learners                                                                    *)

(* A learner answers, or reads the label of a point and goes on with what it  *)
(* saw, or tosses a finite die and goes on with the outcome.                  *)
(* slug: definitions *)
Theorem means_learner (R : realFieldType) n d (P : learner R n d -> Prop) :
  (forall beta : 'cV[R]_d, P (Answer n beta)) ->
  (forall (x : 'I_n) (next : R -> learner R n d), (forall y, P (next y)) -> P (Read x next)) ->
  (forall (J : finType) (weight : J -> R) (next : J -> learner R n d),
     (forall j, P (next j)) -> P (Toss weight next)) ->
  forall T, P T.
Proof. exact: learner_ind. Qed.

(* slug: definitions *)
Theorem means_valid (R : realFieldType) (n d : nat) (beta : 'cV[R]_d) (x : 'I_n)
    (read : R -> learner R n d) (J : finType) (weight : J -> R) (toss : J -> learner R n d) :
  [/\ valid (Answer n beta) = True,
      valid (Read x read) = (forall y, valid (read y)) &
      valid (Toss weight toss) =
        [/\ forall j, 0 <= weight j, \sum_j weight j = 1 & forall j, valid (toss j)]].
Proof. by []. Qed.

(* The expectation of g(labels read, answer) when the labels are Y.           *)
(* slug: definitions *)
Theorem means_average (R : realFieldType) (n d : nat) (g : {set 'I_n} -> 'cV[R]_d -> R)
    (Y : 'cV[R]_n) (seen : {set 'I_n}) (beta : 'cV[R]_d) (x : 'I_n)
    (read : R -> learner R n d) (J : finType) (weight : J -> R) (toss : J -> learner R n d) :
  [/\ average g Y seen (Answer n beta) = g seen beta,
      average g Y seen (Read x read) = average g Y (x |: seen) (read (Y x 0)) &
      average g Y seen (Toss weight toss) = \sum_j weight j * average g Y seen (toss j)].
Proof. by []. Qed.

(* P at every outcome of positive probability.                                *)
(* slug: definitions *)
Theorem means_always (R : realFieldType) (n d : nat) (P : {set 'I_n} -> 'cV[R]_d -> Prop)
    (Y : 'cV[R]_n) (seen : {set 'I_n}) (beta : 'cV[R]_d) (x : 'I_n)
    (read : R -> learner R n d) (J : finType) (weight : J -> R) (toss : J -> learner R n d) :
  [/\ always P Y seen (Answer n beta) = P seen beta,
      always P Y seen (Read x read) = always P Y (x |: seen) (read (Y x 0)) &
      always P Y seen (Toss weight toss) =
        (forall j, weight j != 0 -> always P Y seen (toss j))].
Proof. by []. Qed.

(* slug: definitions *)
Theorem means_expected_loss (R : realFieldType) (n n2 d : nat) (X1 : 'M[R]_(n, d)) (X2 : 'M[R]_(n2, d))
    (Y2 : 'cV[R]_n2) (Y1 : 'cV[R]_n) (T : learner R n d) :
  expected_loss X1 X2 Y2 Y1 T = average (fun _ beta => stacked_loss X1 X2 Y1 Y2 beta) Y1 set0 T.
Proof. exact: erefl. Qed.

(* The number of distinct labels that were read.                              *)
(* slug: definitions *)
Theorem means_expected_labels (R : realFieldType) (n d : nat) (Y1 : 'cV[R]_n) (T : learner R n d) :
  expected_labels Y1 T = average (fun seen _ => #|seen|%:R) Y1 set0 T.
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_reads_at_most (R : realFieldType) (n d m : nat) (T : learner R n d) :
  reads_at_most m T = forall Y1, always (fun seen _ => #|seen| <= m)%N Y1 set0 T.
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_optimum (R : realFieldType) (n n2 d : nat) (X1 : 'M[R]_(n, d)) (X2 : 'M[R]_(n2, d))
    (Y1 : 'cV[R]_n) (Y2 : 'cV[R]_n2) :
  least_squares X1 X2 Y1 Y2 =
    invmx (X1^T *m X1 + X2^T *m X2) *m (X1^T *m Y1 + X2^T *m Y2) /\
  optimum X1 X2 Y1 Y2 = stacked_loss X1 X2 Y1 Y2 (least_squares X1 X2 Y1 Y2).
Proof. by []. Qed.

(* slug: definitions *)
Theorem means_success_probability (R : realFieldType) (n n2 d : nat) (X1 : 'M[R]_(n, d))
    (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2) (epsilon : R) (Y1 : 'cV[R]_n) (T : learner R n d) :
  success_probability X1 X2 Y2 epsilon Y1 T =
  average (fun _ beta =>
    if stacked_loss X1 X2 Y1 Y2 beta <= (1 + epsilon) * optimum X1 X2 Y1 Y2 then 1 else 0)
    Y1 set0 T.
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_guarantee (R : rcfType) d n (lambda epsilon : R) (T : learner R (rows d n) d) :
  guarantee lambda epsilon T =
  forall Y beta,
    expected_loss (design R d n) (ridge_rows d lambda) 0 Y T <=
    (1 + epsilon) * stacked_loss (design R d n) (ridge_rows d lambda) Y 0 beta.
Proof. exact: erefl. Qed.

(* The optimum is the least loss.                                             *)
(* slug: lower-bound *)
Theorem audit_optimum_least (R : realFieldType) n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    Y1 Y2 beta :
  X1^T *m X1 + X2^T *m X2 \in unitmx ->
  optimum X1 X2 Y1 Y2 <= stacked_loss X1 X2 Y1 Y2 beta.
Proof. exact: optimum_least. Qed.

(* Whatever draws j without looking at labels, reads the labels of the points *)
(* xs j and answers with a function of these labels is a learner: Algorithm 1 *)
(* with the sequence of draws as j.                                           *)
(* slug: optimal *)
Theorem audit_draws_are_learner (R : realFieldType) (n d : nat) (J : finType) (weight : J -> R)
    (xs : J -> seq 'I_n) (out : J -> 'cV[R]_n -> 'cV[R]_d) :
  (forall j, 0 <= weight j) -> \sum_j weight j = 1 ->
  (forall j (Y Y' : 'cV[R]_n), {in xs j, forall x, Y x 0 = Y' x 0} -> out j Y = out j Y') ->
  [/\ valid (draws_learner weight xs out),
      forall f Y, average (fun _ beta => f beta) Y set0 (draws_learner weight xs out) =
                  \sum_j weight j * f (out j Y) &
      forall Y, expected_labels Y (draws_learner weight xs out) =
                \sum_j weight j * #|[set x in xs j]|%:R].
Proof. exact: draws_are_learner. Qed.

(* ------------------------------------------------------------------------- *)
(* The paper's hard instance, with the moments that its noise has in the limit *)

(* slug: definitions *)
Theorem means_fibre_sum (R : rcfType) d n (z : 'I_(rows d n) -> R) (i : 'I_d) :
  fibre_sum z i = \sum_(x | (enum_val x).1 == i) z x.
Proof. exact: erefl. Qed.

(* slug: definitions *)
Theorem means_coordinate d n (x : 'I_(rows d n)) : coordinate x = (enum_val x).1.
Proof. exact: erefl. Qed.

(* slug: lower-bound-opt *)
Theorem audit_hard_instance (R : rcfType) (d n : nat) (lambda epsilon : R) :
  (0 < n)%N -> 0 <= lambda -> 0 < epsilon ->
  forall (s : {ffun 'I_d -> bool}) (noise : 'I_(rows d n) -> R),
  (forall i, fibre_sum noise i = 0) ->
  (forall i, fibre_sum (fun x => noise x ^+ 2) i = n%:R * ((1 + lambda) / epsilon)) ->
  let sign i : R := if s i then 1 else -1 in
  let Y := \col_x (((1 + lambda) * sign (coordinate x) + noise x) / Num.sqrt n%:R) in
  least_squares (design R d n) (ridge_rows d lambda) Y 0 = \col_i sign i /\
  optimum (design R d n) (ridge_rows d lambda) Y 0 =
    d%:R * (lambda * (1 + lambda) + (1 + lambda) / epsilon).
Proof. exact: hard_instance. Qed.

(* ------------------------------------------------------------------------- *)
(* The number of labels                                                        *)

(* slug: lower-bound *)
Theorem audit_lower_bound (R : rcfType) : Num.archimedean_axiom R ->
  forall (d : nat) (lambda epsilon : R),
  (0 < d)%N -> 0 <= lambda <= 50%:R -> 0 < epsilon <= 100%:R^-1 ->
  exists2 n : nat, (0 < n)%N &
    forall (T : learner R (rows d n) d) (m : nat), valid T -> reads_at_most m T ->
    (forall Y, 3%:R / 4%:R <=
       success_probability (design R d n) (ridge_rows d lambda) 0 (epsilon / 1000%:R) Y T) ->
    45%:R * stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon < m%:R.
Proof. exact: lower_bound. Qed.

(* slug: lower-bound *)
Theorem audit_lower_bound_general (R : rcfType) : Num.archimedean_axiom R ->
  forall (d : nat) (lambda epsilon : R),
  (0 < d)%N -> 0 <= lambda -> 0 < epsilon -> epsilon * (1 + lambda) <= 1 ->
  exists2 n : nat, (0 < n)%N &
    forall (T : learner R (rows d n) d) (m : nat), valid T -> reads_at_most m T ->
    (forall Y, 3%:R / 4%:R <=
       success_probability (design R d n) (ridge_rows d lambda) 0 (epsilon / 1000%:R) Y T) ->
    45%:R * stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon < m%:R.
Proof. exact: lower_bound_general. Qed.

(* slug: optimal *)
Theorem audit_optimal (R : rcfType) (d : nat) (lambda epsilon delta : R) :
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
Proof. exact: optimal. Qed.

(* slug: optimal *)
Theorem audit_no_labels (R : rcfType) (d n : nat) (lambda epsilon : R) :
  (0 < n)%N -> 0 <= lambda -> 0 < epsilon -> 1 <= epsilon * lambda ->
  exists T : learner R (rows d n) d,
    [/\ valid T, guarantee lambda epsilon T & reads_at_most 0 T].
Proof. exact: no_labels. Qed.

(* The real algebraic numbers meet the hypotheses on the field.               *)
(* slug: optimal *)
Theorem audit_realalg_archimedean : Num.archimedean_axiom [rcfType of realalg].
Proof. exact: realalg_archimedean. Qed.
