(** The real algebraic numbers meet every hypothesis on the field. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.real_closed Require Import realalg.
From Asura Require Import Reductions Design Learner Optimal Matching LowerBound.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Theorem realalg_archimedean : Num.archimedean_axiom [rcfType of realalg].
Proof. by move=> x; exists (Num.bound `|x|); exact: (archi_boundP (normr_ge0 x)). Qed.
