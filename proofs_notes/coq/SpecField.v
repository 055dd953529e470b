(** * What is claimed: identities of the samplers that the paper compares itself with

    The first part defines the notions, the second, [Module Type FIELD], states
    the results; Check.v proves [Module Field : FIELD]. They hold for any two
    matrices X and Z of one shape. With Z = X they are about Gram matrices; with
    one column of Z replaced by the labels both sides are Cramer's numerators of
    beta (that step is not stated here). *)
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

(* ========================================================================== *)
(** * II. Results *)

Module Type FIELD.

(** Coins with weights 1/p: E det(sum w x z^T) = det(X^T Z). *)
(* slug: leverage-determinants *)
Parameter coins_determinant : forall (F : fieldType) (d n : nat)
  (p : 'I_n -> F) (X Z : 'M[F]_(n, d)),
  (forall k, p k != 0) ->
  coins_mean p (fun S =>
    \det (weighted_product X Z (fun k => if k \in S then (p k)^-1 else 0)))
  = \det (X^T *m Z).

(** The volumes of all sets of s points, s >= d, sum to C(n-d, s-d) det(X^T X). *)
(* slug: volume-normaliser *)
Parameter volumes_sum : forall (R : comRingType) (d n : nat)
  (X Z : 'M[R]_(n, d)) (s : nat),
  (d <= s)%N ->
  \sum_(S : {set 'I_n} | #|S| == s)
    \det (weighted_product X Z (fun k => (k \in S)%:R))
  = 'C(n - d, s - d)%:R * \det (X^T *m Z).

End FIELD.
