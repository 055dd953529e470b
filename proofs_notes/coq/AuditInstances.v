(** What is printed about the hard instance and false; the definitions of
    learners, of the design and of the optimum are spelled out in AuditBounds.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Reductions Design Learner Optimal Coins LowerBound Instances.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** "There is (X, Y) such that every learner reads many labels" is false: on any
    one instance, the learner that knows its answer reads none. *)
(* slug: lower-bound *)
Theorem lower_bound_quantifiers_refuted : forall (R : realFieldType) (n1 n2 d : nat)
    (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) (Y1 : 'cV[R]_n1) (Y2 : 'cV[R]_n2)
    (epsilon : R), 0 <= epsilon ->
  exists T : learner R n1 d, [/\ valid T, reads_at_most 0 T &
    success_probability X1 X2 Y2 epsilon Y1 T = 1].
Proof. exact: fixed_instance_easy. Qed.

(** With noise of variance (1 + lambda)/eps in every label, as in the main text,
    the optimum has a factor n in front of the noise. *)
(* slug: lower-bound-opt *)
Theorem lower_bound_opt_main_text_refuted : forall (R : rcfType) (d n : nat)
    (lambda epsilon : R),
  (0 < n)%N -> 0 <= lambda -> 0 < epsilon ->
  forall (s : {ffun 'I_d -> bool}) (noise : 'I_(rows d n) -> R),
  (forall i, fibre_sum noise i = 0) ->
  (forall i, fibre_sum (fun x => noise x ^+ 2) i = n%:R * ((1 + lambda) / epsilon)) ->
  let sign i : R := if s i then 1 else -1 in
  let Y := \col_x ((1 + lambda) * sign (coordinate x) / Num.sqrt n%:R + noise x) in
  optimum (design R d n) (ridge_rows d lambda) Y 0 =
    d%:R * (lambda * (1 + lambda) + n%:R * ((1 + lambda) / epsilon)).
Proof. exact: main_text_optimum. Qed.
