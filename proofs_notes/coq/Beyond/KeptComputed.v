(** The values of SpecKept.v, proved: the program of KeptCompute.v is run
    inside the kernel, once a value. *)
From Coq Require Import QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Compute SpecBeyond SpecKept Beyond.KeptCompute.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope Q_scope.
Local Open Scope ring_scope.

Theorem kept_two_rows : forall R : realFieldType,
  \sum_x point R kept_two x *m (point R kept_two x)^T = 1%:M.
Proof. by move=> R; apply: whitened_value; by_computation. Qed.

Theorem kept_two_potential_start : forall R : realFieldType,
  two_potential R kept_two 2 [::] = frac R (2 # 5).
Proof. by move=> R; apply: two_potential_value; by_computation. Qed.

Theorem kept_two_probabilities_start : forall R : realFieldType,
  two_probabilities R kept_two 2 [::] = fracs R [:: 1 # 2; 1 # 2; 0 # 1].
Proof. by move=> R; apply: two_probabilities_value; by_computation. Qed.

Theorem kept_two_weights_start : forall R : realFieldType,
  two_weights R kept_two 2 [::] = fracs R [:: 2 # 1; 2 # 1; 0 # 1].
Proof. by move=> R; apply: two_weights_value; by_computation. Qed.

Theorem kept_two_state_after_0 : forall R : realFieldType,
  two_after R kept_two 2 [:: 0]%N = (table R kept_two [:: [:: 2 # 9; 4 # 9];
    [:: 4 # 9; 8 # 9]], frac R (5 # 2)).
Proof. by move=> R; apply: two_state_value; by_computation. Qed.

Theorem kept_two_potential_after_0 : forall R : realFieldType,
  two_potential R kept_two 2 [:: 0]%N = frac R (260504 # 838935).
Proof. by move=> R; apply: two_potential_value; by_computation. Qed.

Theorem kept_two_probabilities_after_0 : forall R : realFieldType,
  two_probabilities R kept_two 2 [:: 0]%N = fracs R [:: 32275 # 65126;
    32851 # 65126; 0 # 1].
Proof. by move=> R; apply: two_probabilities_value; by_computation. Qed.

Theorem kept_two_weights_after_0 : forall R : realFieldType,
  two_weights R kept_two 2 [:: 0]%N = fracs R [:: 167787 # 64550;
    167787 # 65702; 0 # 1].
Proof. by move=> R; apply: two_weights_value; by_computation. Qed.

Theorem kept_two_state_after_01 : forall R : realFieldType,
  two_after R kept_two 2 [:: 1; 0]%N = (table R kept_two [:: [::
    401276 # 295659; 299191 # 295659]; [:: 299191 # 295659;
    693403 # 591318]], frac R (1490195 # 260504)).
Proof. by move=> R; apply: two_state_value; by_computation. Qed.

Theorem kept_two_potential_after_01 : forall R : realFieldType,
  two_potential R kept_two 2 [:: 1; 0]%N = frac R
    (1883236848597299694002521410416571200 # 7330561211788849276758574372838935449).
Proof. by move=> R; apply: two_potential_value; by_computation. Qed.

Theorem kept_two_probabilities_after_01 : forall R : realFieldType,
  two_probabilities R kept_two 2 [:: 1; 0]%N = fracs R [::
    847800412414282442461111 # 1688900881779624586716590;
    841100469365342144255479 # 1688900881779624586716590; 0 # 1].
Proof. by move=> R; apply: two_probabilities_value; by_computation. Qed.

Theorem kept_two_weights_after_01 : forall R : realFieldType,
  two_weights R kept_two 2 [:: 1; 0]%N = fracs R [::
    7330561211788849276758574372838935449 # 2363384663569168846027575515123741200;
    7330561211788849276758574372838935449 # 2344707457924080388978728010917686800;
    0 # 1].
Proof. by move=> R; apply: two_weights_value; by_computation. Qed.

Theorem kept_two_stops_after_01 : forall R : realFieldType,
  two_stops R kept_two 2 (draws kept_two [:: 1; 0]%N) = false.
Proof. by move=> R; apply: two_stops_value; by_computation. Qed.

Theorem kept_two_stops_after_010 : forall R : realFieldType,
  two_stops R kept_two 2 (draws kept_two [:: 0; 1; 0]%N) = true.
Proof. by move=> R; apply: two_stops_value; by_computation. Qed.

Theorem kept_two_stopped : forall R : realFieldType,
  run_chance (two_law R kept_two 2) (two_stops R kept_two 2) 3 (two_stops R
    kept_two 2) = frac R (1 # 1).
Proof. by move=> R; apply: two_stopped_value; by_computation. Qed.

Theorem kept_two_length : forall R : realFieldType,
  run_mean (two_law R kept_two 2) (two_stops R kept_two 2) 3 (fun h => (size
    h)%:R) [::] = frac R (3 # 1).
Proof. by move=> R; apply: two_length_value; by_computation. Qed.

Theorem kept_two_labels : forall R : realFieldType,
  run_mean (two_law R kept_two 2) (two_stops R kept_two 2) 3 (fun h =>
    (labels (first kept_two 2) h)%:R) [::] = frac R
    (185248648234764788700393420547 # 105230866941952786748435186836).
Proof. by move=> R; apply: two_labels_value; by_computation. Qed.

Theorem kept_one_rows : forall R : realFieldType,
  \sum_x point R kept_one x *m (point R kept_one x)^T = 1%:M.
Proof. by move=> R; apply: whitened_value; by_computation. Qed.

Theorem kept_one_coin_potential_start : forall R : realFieldType,
  one_potential R kept_one 2 (2 # 1) true [::] = frac R (4 # 3).
Proof. by move=> R; apply: one_potential_value; by_computation. Qed.

Theorem kept_one_coin_probabilities_start : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) true true [::] = fracs R [:: 1 # 2;
    1 # 2; 0 # 1].
Proof. by move=> R; apply: one_probabilities_value; by_computation. Qed.

Theorem kept_one_coin_left_out_start : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) true false [::] = fracs R [::
    0 # 1; 0 # 1; 0 # 1].
Proof. by move=> R; apply: one_probabilities_value; by_computation. Qed.

Theorem kept_one_coin_weights_start : forall R : realFieldType,
  one_weights R kept_one 2 (2 # 1) true [::] = fracs R [:: 1 # 1; 1 # 1;
    0 # 1].
Proof. by move=> R; apply: one_weights_value; by_computation. Qed.

Theorem kept_one_coin_state_after_0 : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) true [:: (true, 0%N)] = (table R kept_one
    [:: [:: 1 # 9; 2 # 9]; [:: 2 # 9; 4 # 9]], frac R (1 # 2)).
Proof. by move=> R; apply: one_state_value; by_computation. Qed.

Theorem kept_one_coin_potential_after_0 : forall R : realFieldType,
  one_potential R kept_one 2 (2 # 1) true [:: (true, 0%N)] = frac R
    (424 # 391).
Proof. by move=> R; apply: one_potential_value; by_computation. Qed.

Theorem kept_one_coin_probabilities_after_0 : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) true true [:: (true, 0%N)] = fracs
    R [:: 141 # 391; 177 # 391; 0 # 1].
Proof. by move=> R; apply: one_probabilities_value; by_computation. Qed.

Theorem kept_one_coin_left_out_after_0 : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) true false [:: (true, 0%N)] = fracs
    R [:: 3431 # 41446; 4307 # 41446; 0 # 1].
Proof. by move=> R; apply: one_probabilities_value; by_computation. Qed.

Theorem kept_one_coin_weights_after_0 : forall R : realFieldType,
  one_weights R kept_one 2 (2 # 1) true [:: (true, 0%N)] = fracs R [::
    391 # 282; 391 # 354; 0 # 1].
Proof. by move=> R; apply: one_weights_value; by_computation. Qed.

Theorem kept_one_coin_state_after_01 : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) true [:: (true, 1%N); (true, 0%N)] = (table
    R kept_one [:: [:: 959 # 1593; 745 # 1593]; [:: 745 # 1593;
    1807 # 3186]], frac R (1 # 1)).
Proof. by move=> R; apply: one_state_value; by_computation. Qed.

Theorem kept_one_coin_state_after_0x : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) true [:: (false, 1%N); (true, 0%N)] =
    (table R kept_one [:: [:: 1 # 9; 2 # 9]; [:: 2 # 9; 4 # 9]], frac R
    (1 # 1)).
Proof. by move=> R; apply: one_state_value; by_computation. Qed.

Theorem kept_one_coin_stopped : forall R : realFieldType,
  run_chance (one_law R kept_one 2 (2 # 1) true) (one_stops R kept_one 2
    (2 # 1) true) 2 (one_stops R kept_one 2 (2 # 1) true) = frac R (1 # 1).
Proof. by move=> R; apply: one_stopped_value; by_computation. Qed.

Theorem kept_one_coin_length : forall R : realFieldType,
  run_mean (one_law R kept_one 2 (2 # 1) true) (one_stops R kept_one 2
    (2 # 1) true) 2 (fun h => (size h)%:R) [::] = frac R (2 # 1).
Proof. by move=> R; apply: one_length_value; by_computation. Qed.

Theorem kept_one_coin_bought : forall R : realFieldType,
  run_mean (one_law R kept_one 2 (2 # 1) true) (one_stops R kept_one 2
    (2 # 1) true) 2 (fun h => (count fst h)%:R) [::] = frac R (709 # 391).
Proof. by move=> R; apply: one_bought_value; by_computation. Qed.

Theorem kept_one_clip_potential_start : forall R : realFieldType,
  one_potential R kept_one 2 (2 # 1) false [::] = frac R (4 # 3).
Proof. by move=> R; apply: one_potential_value; by_computation. Qed.

Theorem kept_one_clip_probabilities_start : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) false true [::] = fracs R [::
    1 # 2; 1 # 2; 0 # 1].
Proof. by move=> R; apply: one_probabilities_value; by_computation. Qed.

Theorem kept_one_clip_weights_start : forall R : realFieldType,
  one_weights R kept_one 2 (2 # 1) false [::] = fracs R [:: 1 # 1; 1 # 1;
    0 # 1].
Proof. by move=> R; apply: one_weights_value; by_computation. Qed.

Theorem kept_one_clip_state_after_0 : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) false [:: (true, 0%N)] = (table R kept_one
    [:: [:: 1 # 9; 2 # 9]; [:: 2 # 9; 4 # 9]], frac R (1 # 2)).
Proof. by move=> R; apply: one_state_value; by_computation. Qed.

Theorem kept_one_clip_potential_after_0 : forall R : realFieldType,
  one_potential R kept_one 2 (2 # 1) false [:: (true, 0%N)] = frac R
    (424 # 391).
Proof. by move=> R; apply: one_potential_value; by_computation. Qed.

Theorem kept_one_clip_probabilities_after_0 : forall R : realFieldType,
  one_probabilities R kept_one 2 (2 # 1) false true [:: (true, 0%N)] = fracs
    R [:: 47 # 106; 59 # 106; 0 # 1].
Proof. by move=> R; apply: one_probabilities_value; by_computation. Qed.

Theorem kept_one_clip_weights_after_0 : forall R : realFieldType,
  one_weights R kept_one 2 (2 # 1) false [:: (true, 0%N)] = fracs R [::
    53 # 47; 53 # 59; 0 # 1].
Proof. by move=> R; apply: one_weights_value; by_computation. Qed.

Theorem kept_one_clip_state_after_01 : forall R : realFieldType,
  one_after R kept_one 2 (2 # 1) false [:: (true, 1%N); (true, 0%N)] =
    (table R kept_one [:: [:: 271 # 531; 224 # 531]; [:: 224 # 531;
    289 # 531]], frac R (1 # 1)).
Proof. by move=> R; apply: one_state_value; by_computation. Qed.

Theorem kept_one_clip_stopped : forall R : realFieldType,
  run_chance (one_law R kept_one 2 (2 # 1) false) (one_stops R kept_one 2
    (2 # 1) false) 2 (one_stops R kept_one 2 (2 # 1) false) = frac R (1 # 1).
Proof. by move=> R; apply: one_stopped_value; by_computation. Qed.

Theorem kept_one_clip_length : forall R : realFieldType,
  run_mean (one_law R kept_one 2 (2 # 1) false) (one_stops R kept_one 2
    (2 # 1) false) 2 (fun h => (size h)%:R) [::] = frac R (2 # 1).
Proof. by move=> R; apply: one_length_value; by_computation. Qed.

Theorem kept_one_clip_bought : forall R : realFieldType,
  run_mean (one_law R kept_one 2 (2 # 1) false) (one_stops R kept_one 2
    (2 # 1) false) 2 (fun h => (count fst h)%:R) [::] = frac R (2 # 1).
Proof. by move=> R; apply: one_bought_value; by_computation. Qed.
