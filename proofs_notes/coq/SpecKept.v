(** * What is claimed: exact values of the kept variants on one instance

    The two-sided and the one-sided method with X2 kept (SpecBeyond.v) on three
    points of the plane, of which the first two are to be paid for. The values
    are computed inside the kernel by the program of Beyond/KeptCompute.v, which
    is proved to compute the definitions of SpecBeyond.v; they hold in every
    ordered field R. Check.v proves [Module KeptValues : KEPT_VALUES].

    tests/proofs/test_kept_model.py compares each with the Python reference,
    without tolerance. [design], [point], [first] are those of SpecValues.v. *)
From Coq Require Import ZArith QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec SpecValues SpecBeyond.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Q_scope.
Local Open Scope ring_scope.

(* ========================================================================== *)
(** * I. Instances *)

Section Instance.
Variables (R : realFieldType) (D : design) (k : nat).

(** Two-sided: X1 is made of the first k points, gamma is that of the design.
    The state after a history, and potential, law and weights there. *)
Definition two_after (hs : seq nat) : 'M[R]_(dimension D) * R :=
  ts_state (point R D) (first D k) (rate R D) (draws D hs).
Definition two_potential (hs : seq nat) : R :=
  ts_pot (point R D) (first D k) (rate R D) (two_after hs).
Definition two_probabilities (hs : seq nat) : seq R :=
  [seq ts_prob (point R D) (first D k) (rate R D) (two_after hs) x
  | x <- enum 'I_(size (rows D))].
Definition two_weights (hs : seq nat) : seq R :=
  [seq ts_wt (point R D) (first D k) (rate R D) (two_after hs) x
  | x <- enum 'I_(size (rows D))].
Definition two_law : seq 'I_(size (rows D)) -> 'I_(size (rows D)) -> R :=
  ts_law (point R D) (first D k) (rate R D).
Definition two_stops : pred (seq 'I_(size (rows D))) :=
  ts_paper (point R D) (first D k) (rate R D).

(** One-sided: nu is the gamma of the design, S = 1, N expected labels, clip or
    coin. An outcome (b, x) is a draw of x, bought if b; [count fst] counts the
    DRAWS that are bought, with multiplicity. *)
Variables (N : Q) (coin : bool).
Definition one_eta : R := rate R D / (1 - rate R D ^+ 2).
Definition one_c : R :=
  \tr (os_target (point R D) (first D k)) / (frac R N * one_eta).
Definition outcomes (hs : seq (bool * nat)) : seq (bool * 'I_(size (rows D))) :=
  pmap (fun o => omap (pair o.1) (insub o.2)) hs.
Definition one_after (hs : seq (bool * nat)) : 'M[R]_(dimension D) * R :=
  os_state (point R D) (first D k) (rate R D) one_eta one_c 1 coin (outcomes hs).
Definition one_potential (hs : seq (bool * nat)) : R :=
  os_pot (point R D) (first D k) (rate R D) one_c (one_after hs).
Definition one_probabilities (b : bool) (hs : seq (bool * nat)) : seq R :=
  [seq os_prob (point R D) (first D k) (rate R D) one_eta one_c 1 coin
     (one_after hs) (b, x) | x <- enum 'I_(size (rows D))].
Definition one_weights (hs : seq (bool * nat)) : seq R :=
  [seq os_wt (point R D) (first D k) (rate R D) one_eta one_c 1 coin
     (one_after hs) (true, x) | x <- enum 'I_(size (rows D))].
Definition one_law : seq (bool * 'I_(size (rows D))) ->
    bool * 'I_(size (rows D)) -> R :=
  os_law (point R D) (first D k) (rate R D) one_eta one_c 1 coin.
Definition one_stops : pred (seq (bool * 'I_(size (rows D)))) :=
  os_stop (point R D) (first D k) (rate R D) one_eta one_c 1 coin.

End Instance.
Arguments two_law R D k h x : clear implicits.
Arguments two_stops R D k h : clear implicits.
Arguments one_law R D k N coin h o : clear implicits.
Arguments one_stops R D k N coin h : clear implicits.

(** Three points of the plane; gamma = 2/5 for the two-sided method. *)
Definition kept_two : design :=
  Design 2 [:: [:: 1 # 3; 2 # 3]; [:: 2 # 3; 1 # 3]; [:: 2 # 3; -2 # 3]] (2 # 5).
(** The same points; nu = 1/2 for the one-sided method. *)
Definition kept_one : design :=
  Design 2 [:: [:: 1 # 3; 2 # 3]; [:: 2 # 3; 1 # 3]; [:: 2 # 3; -2 # 3]] (1 # 2).

(* ========================================================================== *)
(** * II. Values *)

Module Type KEPT_VALUES.

(* slug: model *)
Parameter kept_two_rows : forall R : realFieldType,
  \sum_x point R kept_two x *m (point R kept_two x)^T = 1%:M.

(* slug: model *)
Parameter kept_two_potential_start : forall R : realFieldType,
  two_potential R kept_two 2 [::] = frac R (2 # 5).

(* slug: model *)
Parameter kept_two_probabilities_start : forall R : realFieldType,
  two_probabilities R kept_two 2 [::] = fracs R [:: 1 # 2; 1 # 2; 0 # 1].

(* slug: model *)
Parameter kept_two_weights_start : forall R : realFieldType,
  two_weights R kept_two 2 [::] = fracs R [:: 2 # 1; 2 # 1; 0 # 1].

(* slug: model *)
Parameter kept_two_state_after_0 : forall R : realFieldType,
  two_after R kept_two 2 [:: 0]%N = (table R kept_two [:: [:: 2 # 9; 4 # 9];
    [:: 4 # 9; 8 # 9]], frac R (5 # 2)).

(* slug: model *)
Parameter kept_two_potential_after_0 : forall R : realFieldType,
  two_potential R kept_two 2 [:: 0]%N = frac R (260504 # 838935).

(* slug: model *)
Parameter kept_two_probabilities_after_0 : forall R : realFieldType,
  two_probabilities R kept_two 2 [:: 0]%N = fracs R [:: 32275 # 65126;
    32851 # 65126; 0 # 1].

(* slug: model *)
Parameter kept_two_weights_after_0 : forall R : realFieldType,
  two_weights R kept_two 2 [:: 0]%N = fracs R [:: 167787 # 64550;
    167787 # 65702; 0 # 1].

(* slug: model *)
Parameter kept_two_state_after_01 : forall R : realFieldType,
  two_after R kept_two 2 [:: 1; 0]%N = (table R kept_two [:: [::
    401276 # 295659; 299191 # 295659]; [:: 299191 # 295659;
    693403 # 591318]], frac R (1490195 # 260504)).

(* slug: model *)
Parameter kept_two_potential_after_01 : forall R : realFieldType,
  two_potential R kept_two 2 [:: 1; 0]%N = frac R
    (1883236848597299694002521410416571200 # 7330561211788849276758574372838935449).

(* slug: model *)
Parameter kept_two_probabilities_after_01 : forall R : realFieldType,
  two_probabilities R kept_two 2 [:: 1; 0]%N = fracs R [::
    847800412414282442461111 # 1688900881779624586716590;
    841100469365342144255479 # 1688900881779624586716590; 0 # 1].

(* slug: model *)
Parameter kept_two_weights_after_01 : forall R : realFieldType,
  two_weights R kept_two 2 [:: 1; 0]%N = fracs R [::
    7330561211788849276758574372838935449 # 2363384663569168846027575515123741200;
    7330561211788849276758574372838935449 # 2344707457924080388978728010917686800;
    0 # 1].

(* slug: model *)
Parameter kept_two_stops_after_01 : forall R : realFieldType,
  two_stops R kept_two 2 (draws kept_two [:: 1; 0]%N) = false.

(* slug: model *)
Parameter kept_two_stops_after_010 : forall R : realFieldType,
  two_stops R kept_two 2 (draws kept_two [:: 0; 1; 0]%N) = true.

(* slug: model *)
Parameter kept_two_stopped : forall R : realFieldType,
  run_chance (two_law R kept_two 2) (two_stops R kept_two 2) 3 (two_stops R
    kept_two 2) = frac R (1 # 1).

(* slug: model *)
Parameter kept_two_length : forall R : realFieldType,
  run_mean (two_law R kept_two 2) (two_stops R kept_two 2) 3 (fun h => (size
    h)%:R) [::] = frac R (3 # 1).

(* slug: model *)
Parameter kept_two_labels : forall R : realFieldType,
  run_mean (two_law R kept_two 2) (two_stops R kept_two 2) 3 (fun h =>
    (labels (first kept_two 2) h)%:R) [::] = frac R
    (185248648234764788700393420547 # 105230866941952786748435186836).

(* slug: model *)
Parameter kept_one_rows : forall R : realFieldType,
  \sum_x point R kept_one x *m (point R kept_one x)^T = 1%:M.

(* slug: model *)
Parameter kept_one_coin_potential_start : forall R : realFieldType,
  one_potential R kept_one 2 (2 # 1) true [::] = frac R (4 # 3).

(* slug: model *)
Parameter kept_one_coin_probabilities_start : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) true true [::] = fracs R [:: 1 # 2;
    1 # 2; 0 # 1].

(* slug: model *)
Parameter kept_one_coin_left_out_start : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) true false [::] = fracs R [::
    0 # 1; 0 # 1; 0 # 1].

(* slug: model *)
Parameter kept_one_coin_weights_start : forall R : realFieldType,
  one_weights R kept_one 2 (2 # 1) true [::] = fracs R [:: 1 # 1; 1 # 1;
    0 # 1].

(* slug: model *)
Parameter kept_one_coin_state_after_0 : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) true [:: (true, 0%N)] = (table R kept_one
    [:: [:: 1 # 9; 2 # 9]; [:: 2 # 9; 4 # 9]], frac R (1 # 2)).

(* slug: model *)
Parameter kept_one_coin_potential_after_0 : forall R : realFieldType,
  one_potential R kept_one 2 (2 # 1) true [:: (true, 0%N)] = frac R
    (424 # 391).

(* slug: model *)
Parameter kept_one_coin_probabilities_after_0 : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) true true [:: (true, 0%N)] = fracs
    R [:: 141 # 391; 177 # 391; 0 # 1].

(* slug: model *)
Parameter kept_one_coin_left_out_after_0 : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) true false [:: (true, 0%N)] = fracs
    R [:: 3431 # 41446; 4307 # 41446; 0 # 1].

(* slug: model *)
Parameter kept_one_coin_weights_after_0 : forall R : realFieldType,
  one_weights R kept_one 2 (2 # 1) true [:: (true, 0%N)] = fracs R [::
    391 # 282; 391 # 354; 0 # 1].

(* slug: model *)
Parameter kept_one_coin_state_after_01 : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) true [:: (true, 1%N); (true, 0%N)] = (table
    R kept_one [:: [:: 959 # 1593; 745 # 1593]; [:: 745 # 1593;
    1807 # 3186]], frac R (1 # 1)).

(* slug: model *)
Parameter kept_one_coin_state_after_0x : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) true [:: (false, 1%N); (true, 0%N)] =
    (table R kept_one [:: [:: 1 # 9; 2 # 9]; [:: 2 # 9; 4 # 9]], frac R
    (1 # 1)).

(* slug: model *)
Parameter kept_one_coin_stopped : forall R : realFieldType,
  run_chance (one_law R kept_one 2 (2 # 1) true) (one_stops R kept_one 2
    (2 # 1) true) 2 (one_stops R kept_one 2 (2 # 1) true) = frac R (1 # 1).

(* slug: model *)
Parameter kept_one_coin_length : forall R : realFieldType,
  run_mean (one_law R kept_one 2 (2 # 1) true) (one_stops R kept_one 2
    (2 # 1) true) 2 (fun h => (size h)%:R) [::] = frac R (2 # 1).

(* slug: model *)
Parameter kept_one_coin_bought : forall R : realFieldType,
  run_mean (one_law R kept_one 2 (2 # 1) true) (one_stops R kept_one 2
    (2 # 1) true) 2 (fun h => (count fst h)%:R) [::] = frac R (709 # 391).

(* slug: model *)
Parameter kept_one_clip_potential_start : forall R : realFieldType,
  one_potential R kept_one 2 (2 # 1) false [::] = frac R (4 # 3).

(* slug: model *)
Parameter kept_one_clip_probabilities_start : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) false true [::] = fracs R [::
    1 # 2; 1 # 2; 0 # 1].

(* slug: model *)
Parameter kept_one_clip_weights_start : forall R : realFieldType,
  one_weights R kept_one 2 (2 # 1) false [::] = fracs R [:: 1 # 1; 1 # 1;
    0 # 1].

(* slug: model *)
Parameter kept_one_clip_state_after_0 : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) false [:: (true, 0%N)] = (table R kept_one
    [:: [:: 1 # 9; 2 # 9]; [:: 2 # 9; 4 # 9]], frac R (1 # 2)).

(* slug: model *)
Parameter kept_one_clip_potential_after_0 : forall R : realFieldType,
  one_potential R kept_one 2 (2 # 1) false [:: (true, 0%N)] = frac R
    (424 # 391).

(* slug: model *)
Parameter kept_one_clip_probabilities_after_0 : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) false true [:: (true, 0%N)] = fracs
    R [:: 47 # 106; 59 # 106; 0 # 1].

(* slug: model *)
Parameter kept_one_clip_weights_after_0 : forall R : realFieldType,
  one_weights R kept_one 2 (2 # 1) false [:: (true, 0%N)] = fracs R [::
    53 # 47; 53 # 59; 0 # 1].

(* slug: model *)
Parameter kept_one_clip_state_after_01 : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) false [:: (true, 1%N); (true, 0%N)] =
    (table R kept_one [:: [:: 271 # 531; 224 # 531]; [:: 224 # 531;
    289 # 531]], frac R (1 # 1)).

(* slug: model *)
Parameter kept_one_clip_stopped : forall R : realFieldType,
  run_chance (one_law R kept_one 2 (2 # 1) false) (one_stops R kept_one 2
    (2 # 1) false) 2 (one_stops R kept_one 2 (2 # 1) false) = frac R (1 # 1).

(* slug: model *)
Parameter kept_one_clip_length : forall R : realFieldType,
  run_mean (one_law R kept_one 2 (2 # 1) false) (one_stops R kept_one 2
    (2 # 1) false) 2 (fun h => (size h)%:R) [::] = frac R (2 # 1).

(* slug: model *)
Parameter kept_one_clip_bought : forall R : realFieldType,
  run_mean (one_law R kept_one 2 (2 # 1) false) (one_stops R kept_one 2
    (2 # 1) false) 2 (fun h => (count fst h)%:R) [::] = frac R (2 # 1).

End KEPT_VALUES.
