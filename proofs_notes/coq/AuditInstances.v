(** What is printed about the hard instance and false, and three more printed
    steps; the definitions of learners, of the design, of the optimum and of
    leverage sampling are spelled out in AuditBounds.v, runs in Audit.v. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run.
From Asura Require Import Reductions Design Learner Optimal Coins LowerBound Instances Events.
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

(** "m >= t exactly when the loop's condition holds at t": on every complete run
    it holds exactly at t < m; [drop (size h - t) h] are the first t draws. *)
(* slug: m-bound *)
Theorem m_bound_event_repaired : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (h : seq I) (t : nat),
  reach (paper_stop U g) h -> paper_stop U g h -> (t <= size h)%N ->
  ~~ paper_stop U g (drop (size h - t) h) = (t < size h)%N.
Proof. by move=> R d I U g h t rh sh le; exact: complete_run. Qed.

(* slug: m-bound *)
Theorem m_bound_event_refuted : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  reach (paper_stop U g) h -> paper_stop U g h ->
  ~ (forall t, (t <= size h)%N ->
       (t <= size h)%N = ~~ paper_stop U g (drop (size h - t) h)).
Proof. by move=> R d I U g h rh sh; exact: event_false. Qed.

(** The event is not the lemma with p = 1/4: that gives a smaller bound on u_m. *)
(* slug: event-gamma *)
Theorem event_gamma_constant_refuted : forall (R : realFieldType) (d : nat) (g : R),
  (0 < d)%N -> 0 < g ->
  (1 / 4%:R) ^+ 2 * d%:R / (8%:R * g ^+ 2) < d%:R / (64%:R * g ^+ 2).
Proof. exact: constant_false. Qed.

(** R_X log(d)/eps labels for every d: at d = 1 the logarithm is 0, and leverage
    score sampling of the one point 1 takes a label. *)
(* slug: leverage-sampling *)
Theorem leverage_logarithm_refuted : forall (R : realFieldType) (X2 : 'M[R]_(0, 1))
    (C eps m log1 : R), 1 <= m -> log1 = 0 ->
  C * (reduced_rank (1%:M : 'M[R]_1) X2 * log1 / eps) <
    leverage_labels m (1%:M : 'M[R]_1) X2.
Proof. exact: logarithm_false. Qed.
