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

End FIELD.
