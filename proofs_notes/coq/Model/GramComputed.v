(** Exact values of the model at data that are not orthonormal, computed
    inside the kernel by the program in Gram coordinates. They hold in every real
    field R and for every whitening P of the data.

    SpecValues.v states them; tests/proofs/test_model.py reads it and compares every
    value with the Python reference, without tolerance, so each keeps to one of these
    forms, where D names a design of SpecValues.v, hs lists the points drawn,
    latest first, and p # q is a rational:

      gram (point R D) = table R D [:: [:: p # q; ...]; ...] /\ gram (point R D) \in unitmx
      0 < rate R D /\ 2%:R * rate R D < 1
    and, after  forall P, whitens (point R D) P ->
      whitened_after R D P hs =
        State (P^T *m table R D [:: ...] *m P) (frac R (p # q)) (frac R (p # q))
      Phi (whitened_after R D P hs) = frac R (p # q)
      whitened_probabilities R D P hs = fracs R [:: p # q; ...]
      whitened_weights R D P hs = fracs R [:: p # q; ...]
      whitened_stops R D P Paper (draws D hs) = true       (or Sure; or false)
    and, for orthonormal rows, the forms of Computed.v. *)
From Coq Require Import QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Regression Compute.
From Asura Require Import Gram GramProgram GramValues Forked.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope Q_scope.
Local Open Scope ring_scope.

(** * Three points of the plane, far from orthonormal. *)

(* slug: model *)
Theorem slanted_gram : forall R : realFieldType,
  gram (point R slanted) = table R slanted [:: [:: 10 # 1; 5 # 1]; [:: 5 # 1; 6 # 1]] /\ gram (point R slanted) \in unitmx.
Proof. by move=> R; apply: gram_value; by_computation. Qed.

(* slug: model *)
Theorem slanted_gamma : forall R : realFieldType,
  0 < rate R slanted /\ 2%:R * rate R slanted < 1.
Proof. by move=> R; apply: rate_value; by_computation. Qed.

(* slug: model *)
Theorem slanted_potential_start : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  Phi (whitened_after R slanted P [::]) = frac R (2 # 5).
Proof. by move=> R P w; apply: (gram_potential_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_probabilities_start : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_probabilities R slanted P [::] = fracs R [:: 13 # 35; 17 # 35; 1 # 7].
Proof. by move=> R P w; apply: (gram_probabilities_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_weights_start : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_weights R slanted P [::] = fracs R [:: 35 # 13; 35 # 17; 7 # 1].
Proof. by move=> R P w; apply: (gram_weights_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_state_after_0 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_after R slanted P [:: 0]%N =
  State (P^T *m table R slanted [:: [:: 35 # 13; 70 # 13]; [:: 70 # 13; 140 # 13]] *m P) (frac R (15 # 1)) (frac R (-85 # 9)).
Proof. by move=> R P w; apply: (gram_state_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_potential_after_0 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  Phi (whitened_after R slanted P [:: 0]%N) = frac R (115016 # 341445).
Proof. by move=> R P w; apply: (gram_potential_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_probabilities_after_0 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_probabilities R slanted P [:: 0]%N = fracs R [:: 3315 # 9149; 59155 # 118937; 16687 # 118937].
Proof. by move=> R P w; apply: (gram_probabilities_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_weights_after_0 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_weights R slanted P [:: 0]%N = fracs R [:: 721 # 220; 6214299 # 2602820; 6214299 # 734228].
Proof. by move=> R P w; apply: (gram_weights_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_state_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_after R slanted P [:: 1; 0]%N =
  State (P^T *m table R slanted [:: [:: 818171683 # 33836660; 424555061 # 33836660]; [:: 424555061 # 33836660; 445180687 # 33836660]] *m P) (frac R (1204065 # 57508)) (frac R (-4546735 # 517572)).
Proof. by move=> R P w; apply: (gram_state_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_potential_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  Phi (whitened_after R slanted P [:: 1; 0]%N) = frac R (189295617307646504490327217892293952 # 654132327174140224282367082057186405).
Proof. by move=> R P w; apply: (gram_potential_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_probabilities_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_probabilities R slanted P [:: 1; 0]%N = fracs R [:: 1398049521746396653349475 # 3744555478805228922876461; 1235889420715234851090625 # 2562064274971998736704947; 7022678448175357333128943 # 48679221224467975997393993].
Proof. by move=> R P w; apply: (gram_probabilities_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_weights_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_weights R slanted P [:: 1; 0]%N = fracs R [:: 1381274899010250850671665029985009 # 373093223334985894943968586242400; 11905208354569352081939080893440792571 # 4154717981206025123233576367212100000; 11905208354569352081939080893440792571 # 1242542114367647402554246802064029216].
Proof. by move=> R P w; apply: (gram_weights_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_paper_test_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_stops R slanted P Paper (draws slanted [:: 1; 0]%N) = false.
Proof. by move=> R P w; apply: (gram_stops_value w); by_computation. Qed.

(* slug: model *)
Theorem slanted_sure_test_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_stops R slanted P Sure (draws slanted [:: 1; 0]%N) = false.
Proof. by move=> R P w; apply: (gram_stops_value w); by_computation. Qed.

(** * A copy, a multiple and a thin direction, in fractions. *)

(* slug: model *)
Theorem crowded_gram : forall R : realFieldType,
  gram (point R crowded) = table R crowded [:: [:: 5 # 2; 17 # 10]; [:: 17 # 10; 347 # 300]] /\ gram (point R crowded) \in unitmx.
Proof. by move=> R; apply: gram_value; by_computation. Qed.

(* slug: model *)
Theorem crowded_gamma : forall R : realFieldType,
  0 < rate R crowded /\ 2%:R * rate R crowded < 1.
Proof. by move=> R; apply: rate_value; by_computation. Qed.

(* slug: model *)
Theorem crowded_potential_start : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  Phi (whitened_after R crowded P [::]) = frac R (1 # 4).
Proof. by move=> R P w; apply: (gram_potential_value w); by_computation. Qed.

(* slug: model *)
Theorem crowded_probabilities_start : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_probabilities R crowded P [::] = fracs R [:: 1 # 12; 1 # 12; 1 # 3; 1 # 2].
Proof. by move=> R P w; apply: (gram_probabilities_value w); by_computation. Qed.

(* slug: model *)
Theorem crowded_weights_start : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_weights R crowded P [::] = fracs R [:: 12 # 1; 12 # 1; 3 # 1; 2 # 1].
Proof. by move=> R P w; apply: (gram_weights_value w); by_computation. Qed.

(* slug: model *)
Theorem crowded_state_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_after R crowded P [:: 2]%N =
  State (P^T *m table R crowded [:: [:: 3 # 1; 2 # 1]; [:: 2 # 1; 4 # 3]] *m P) (frac R (18 # 1)) (frac R (-46 # 3)).
Proof. by move=> R P w; apply: (gram_state_value w); by_computation. Qed.

(* slug: model *)
Theorem crowded_potential_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  Phi (whitened_after R crowded P [:: 2]%N) = frac R (10375 # 43056).
Proof. by move=> R P w; apply: (gram_potential_value w); by_computation. Qed.

(* slug: model *)
Theorem crowded_probabilities_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_probabilities R crowded P [:: 2]%N = fracs R [:: 69 # 830; 69 # 830; 138 # 415; 208 # 415].
Proof. by move=> R P w; apply: (gram_probabilities_value w); by_computation. Qed.

(* slug: model *)
Theorem crowded_weights_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_weights R crowded P [:: 2]%N = fracs R [:: 312 # 25; 312 # 25; 78 # 25; 207 # 100].
Proof. by move=> R P w; apply: (gram_weights_value w); by_computation. Qed.

(* slug: model *)
Theorem crowded_paper_test_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_stops R crowded P Paper (draws crowded [:: 2]%N) = false.
Proof. by move=> R P w; apply: (gram_stops_value w); by_computation. Qed.

(* slug: model *)
Theorem crowded_sure_test_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_stops R crowded P Sure (draws crowded [:: 2]%N) = false.
Proof. by move=> R P w; apply: (gram_stops_value w); by_computation. Qed.

(** * A tree whose length is random: four or five draws. *)

(* slug: model *)
Theorem fork_paper_stopped : forall R : realFieldType,
  Pr (point R fork) (rate R fork) (stops R fork Paper) 5 (stops R fork Paper) = frac R (1 # 1).
Proof. by move=> R; apply: etrans (esym (read1 (frac_reads R))); exact: forked_stopped_all. Qed.

(* slug: model *)
Theorem fork_paper_length : forall R : realFieldType,
  Exp (point R fork) (rate R fork) (stops R fork Paper) 5 (fun h => (size h)%:R) = frac R (2476705318680169339313956999367833 # 585953009571809214072967501258900).
Proof. by move=> R; apply: forked_length_value; by_computation. Qed.
