(** * What is claimed: identities of the samplers that the paper compares itself with

    The first part defines the notions, the second, [Module Type FIELD], states
    the results; Check.v proves [Module Field : FIELD]. The rows of X are the
    points; the determinants are stated for any two matrices X and Z of one shape,
    of which Z = X gives Gram matrices. *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

(* ========================================================================== *)
(** * I. Definitions *)

(** X^T W Z, the sum of w_k x_k z_k^T over the rows of X and Z. *)
Definition weighted_product (R : comRingType) (d n : nat) (X Z : 'M[R]_(n, d))
  (w : 'I_n -> R) : 'M[R]_d :=
  X^T *m (diag_mx (\row_k w k) *m Z).

(** The mean over independent coins: k is in S with probability p k. *)
Definition coins_mean (F : fieldType) (n : nat) (p : 'I_n -> F)
  (v : {set 'I_n} -> F) : F :=
  \sum_(S : {set 'I_n}) (\prod_k (if k \in S then p k else 1 - p k)) * v S.

(** Weighted least squares: (X^T W X)^-1 X^T W y. Where the weighted points do
    not span, [invmx] is no inverse and this value means nothing; every statement
    below multiplies it by the determinant, which then is 0. *)
Definition weighted_solution (F : fieldType) (d n : nat) (X : 'M[F]_(n, d))
  (y : 'cV[F]_n) (w : 'I_n -> F) : 'cV[F]_d :=
  invmx (weighted_product X X w) *m (X^T *m (diag_mx (\row_k w k) *m y)).

(** Weight 1 on the points of S. *)
Definition inside (F : fieldType) (n : nat) (S : {set 'I_n}) (k : 'I_n) : F :=
  (k \in S)%:R.

(** Volume sampling of size s: S has the probability
    det(X_S^T X_S)/(C(n-d, s-d) det(X^T X)); and the mean over it. *)
Definition volume_chance (F : fieldType) (d n : nat) (X : 'M[F]_(n, d))
  (s : nat) (S : {set 'I_n}) : F :=
  \det (weighted_product X X (inside F S))
  / ('C(n - d, s - d)%:R * \det (X^T *m X)).
Definition volume_mean (F : fieldType) (d n : nat) (X : 'M[F]_(n, d))
  (s : nat) (v : {set 'I_n} -> F) : F :=
  \sum_(S : {set 'I_n} | #|S| == s) volume_chance X s S * v S.

(** k independent draws, each by q: the mean over all sequences f. *)
Definition draws_mean (F : fieldType) (n k : nat) (q : 'I_n -> F)
  (v : ('I_k -> 'I_n) -> F) : F :=
  \sum_(f : {ffun 'I_k -> 'I_n}) (\prod_j q (f j)) * v f.

(** The whole weight of point i among the draws f: 1/q for every draw. *)
Definition drawn (F : fieldType) (n k : nat) (q : 'I_n -> F) (f : 'I_k -> 'I_n)
  (i : 'I_n) : F :=
  \sum_(j | f j == i) (q i)^-1.

(** The score x^T (X^T X + lam I)^-1 x of point i: the leverage at lam = 0, the
    ridge leverage at lam > 0. *)
Definition score (F : fieldType) (d n : nat) (X : 'M[F]_(n, d)) (lam : F)
  (i : 'I_n) : F :=
  (X *m invmx (X^T *m X + lam%:M) *m X^T) i i.

(** The rows and columns of L in S; the identity elsewhere, so that the
    determinant is that of L_S. *)
Definition principal (R : comRingType) (n : nat) (L : 'M[R]_n)
  (S : {set 'I_n}) : 'M[R]_n :=
  \matrix_(i, j) if (i \in S) && (j \in S) then L i j else (i == j)%:R.

(** The determinantal process of L: S has the probability det(L_S)/det(I + L). *)
Definition process_chance (F : fieldType) (n : nat) (L : 'M[F]_n)
  (S : {set 'I_n}) : F :=
  \det (principal L S) / \det (1%:M + L).
Definition process_mean (F : fieldType) (n : nat) (L : 'M[F]_n)
  (v : {set 'I_n} -> F) : F :=
  \sum_(S : {set 'I_n}) process_chance L S * v S.

(** Nystrom's kernel K E (E^T K E)^-1 E^T K; the columns of E are those of the
    identity in S. *)
Definition nystrom (F : fieldType) (n k : nat) (K : 'M[F]_n)
  (E : 'M[F]_(n, k)) : 'M[F]_n :=
  K *m E *m invmx (E^T *m K *m E) *m (E^T *m K).

(* ========================================================================== *)
(** * II. Results *)

Module Type FIELD.

(** Coins with weights 1/p: E det(sum w x z^T) = det(X^T Z). A point that is
    never drawn must be the zero point. *)
(* slug: leverage-determinants *)
Parameter coins_determinant : forall (F : fieldType) (d n : nat)
  (p : 'I_n -> F) (X Z : 'M[F]_(n, d)),
  (forall k, p k = 0 -> row k X = 0) ->
  coins_mean p (fun S =>
    \det (weighted_product X Z (fun k => if k \in S then (p k)^-1 else 0)))
  = \det (X^T *m Z).

(** E[det beta] = det(X^T X) beta*, in every coordinate: leverage sampling is
    unbiased under the determinant. A kept point has p = 1. *)
(* slug: leverage-determinants *)
Parameter coins_unbiased : forall (R : realFieldType) (d n : nat)
  (p : 'I_n -> R) (X : 'M[R]_(n, d)) (y : 'cV[R]_n) (k : 'I_d),
  (forall j, 0 <= p j) -> (forall j, p j = 0 -> row j X = 0) ->
  coins_mean p (fun S =>
    let w j := if j \in S then (p j)^-1 else 0 in
    \det (weighted_product X X w) * weighted_solution X y w k 0)
  = \det (X^T *m X) * weighted_solution X y (fun=> 1) k 0.

(** The volumes of all sets of s points, s >= d, sum to C(n-d, s-d) det(X^T X). *)
(* slug: volume-normaliser *)
Parameter volumes_sum : forall (R : comRingType) (d n : nat)
  (X Z : 'M[R]_(n, d)) (s : nat),
  (d <= s)%N ->
  \sum_(S : {set 'I_n} | #|S| == s)
    \det (weighted_product X Z (fun k => (k \in S)%:R))
  = 'C(n - d, s - d)%:R * \det (X^T *m Z).

(** Volume sampling is a law, and unbiased for every size s >= d: E beta_S = beta*
    in every coordinate, degenerate points included. *)
(* slug: volume-unbiased *)
Parameter volume_unbiased : forall (R : realFieldType) (d n : nat)
  (X : 'M[R]_(n, d)) (y : 'cV[R]_n) (s : nat) (k : 'I_d),
  (d <= s <= n)%N -> X^T *m X \in unitmx ->
  [/\ forall S, 0 <= volume_chance X s S,
      volume_mean X s (fun=> 1) = 1 &
      volume_mean X s (fun S => weighted_solution X y (inside R S) k 0)
      = weighted_solution X y (fun=> 1) k 0].

(** The adjugates of all sets of s points sum to C(n-d+1, s-d+1) adj(X^T X). *)
(* slug: volume-inverse *)
Parameter adjugates_sum : forall (R : comRingType) (d n : nat)
  (X : 'M[R]_(n, d)) (s : nat),
  (0 < d <= s)%N -> (s <= n)%N ->
  \sum_(S : {set 'I_n} | #|S| == s)
    \adj (weighted_product X X (fun k => (k \in S)%:R))
  = 'C((n - d).+1, (s - d).+1)%:R *: \adj (X^T *m X).

(** Where every s points span, E (X_S^T X_S)^-1 = (n-d+1)/(s-d+1) (X^T X)^-1,
    entry by entry. *)
(* slug: volume-inverse *)
Parameter volume_inverse : forall (R : realFieldType) (d n : nat)
  (X : 'M[R]_(n, d)) (s : nat) (i j : 'I_d),
  (0 < d <= s)%N -> (s <= n)%N -> X^T *m X \in unitmx ->
  (forall S : {set 'I_n}, #|S| = s ->
     weighted_product X X (inside R S) \in unitmx) ->
  volume_mean X s (fun S => invmx (weighted_product X X (inside R S)) i j)
  = (n - d).+1%:R / (s - d).+1%:R * invmx (X^T *m X) i j.

(** The leverage scores lie between 0 and 1 and sum to d; k independent draws by
    q = l/d with weights 1/(k q) have E sum w x x^T = X^T X, entry by entry. *)
(* slug: sampled-gram *)
Parameter draws_gram : forall (R : realFieldType) (d n k : nat)
  (X : 'M[R]_(n, d)),
  (0 < k)%N -> X^T *m X \in unitmx ->
  let q i := score X 0 i / d%:R in
  [/\ forall i, 0 <= score X 0 i <= 1,
      \sum_i score X 0 i = d%:R &
      forall a b, draws_mean q (fun f : 'I_k -> 'I_n =>
        weighted_product X X (fun i => drawn q f i / k%:R) a b)
      = (X^T *m X) a b].

(** Leveraged volume sampling, any law q: the determinants of sum x z^T/q over
    all sequences of k draws sum to k!/(k-d)! det(X^T Z). A point that is never
    drawn must be the zero point. *)
(* slug: leveraged-volume *)
Parameter sequences_sum : forall (F : fieldType) (d n k : nat)
  (q : 'I_n -> F) (X Z : 'M[F]_(n, d)),
  \sum_i q i = 1 -> (forall i, q i = 0 -> row i X = 0) ->
  draws_mean q (fun f : 'I_k -> 'I_n =>
    \det (weighted_product X Z (drawn q f)))
  = (k ^_ d)%:R * \det (X^T *m Z).

(** With the density det(sum x x^T/q) (k-d)!/(k! det(X^T X)) the draws are a law,
    and E beta = beta* in every coordinate. A common factor of the weights, as
    1/k, does not change beta. *)
(* slug: leveraged-volume *)
Parameter leveraged_unbiased : forall (R : realFieldType) (d n k : nat)
  (q : 'I_n -> R) (X : 'M[R]_(n, d)) (y : 'cV[R]_n) (c : 'I_d),
  (d <= k)%N -> X^T *m X \in unitmx -> (forall i, 0 <= q i) ->
  \sum_i q i = 1 -> (forall i, q i = 0 -> row i X = 0) ->
  let density (f : 'I_k -> 'I_n) := \det (weighted_product X X (drawn q f))
    / ((k ^_ d)%:R * \det (X^T *m X)) in
  [/\ forall f, 0 <= density f,
      draws_mean q density = 1 &
      draws_mean q (fun f => density f * weighted_solution X y (drawn q f) c 0)
      = weighted_solution X y (fun=> 1) c 0].

(** The principal minors of every matrix sum to det(I + L). *)
(* slug: ridge-process *)
Parameter process_normaliser : forall (R : comRingType) (n : nat) (L : 'M[R]_n),
  \sum_(S : {set 'I_n}) \det (principal L S) = \det (1%:M + L).

(** The determinantal process of ridge regression is a law; point i is in S with
    its ridge leverage score as the probability; E|S| is the statistical
    dimension; and with the weights 1/P(i in S) the mean of sum w x x^T is the
    Gram matrix of all sampled points, entry by entry. *)
(* slug: ridge-process *)
Parameter ridge_process : forall (R : realFieldType) (d n : nat)
  (X : 'M[R]_(n, d)) (lam : R),
  0 < lam ->
  let L := lam^-1 *: (X *m X^T) in
  [/\ forall S, 0 <= process_chance L S,
      process_mean L (fun=> 1) = 1,
      forall i, process_mean L (fun S => (i \in S)%:R) = score X lam i,
      process_mean L (fun S => #|S|%:R)
      = \tr (X^T *m X *m invmx (X^T *m X + lam%:M)) &
      forall a b, process_mean L (fun S => weighted_product X X
        (fun i => if i \in S then (score X lam i)^-1 else 0) a b)
      = (X^T *m X) a b].

(** Nystrom's kernel is below the kernel, for every set S (every E) where it
    exists; and it is the kernel on S. *)
(* slug: nystrom *)
Parameter nystrom_below : forall (R : realFieldType) (n k : nat) (K : 'M[R]_n)
  (E : 'M[R]_(n, k)),
  K^T = K -> (forall v : 'cV[R]_n, 0 <= (v^T *m K *m v) 0 0) ->
  E^T *m K *m E \in unitmx ->
  (forall v : 'cV[R]_n, 0 <= (v^T *m (K - nystrom K E) *m v) 0 0)
  /\ (K - nystrom K E) *m E = 0.

End FIELD.
