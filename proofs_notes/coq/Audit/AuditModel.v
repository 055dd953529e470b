(** The results of SpecModel.v, each closed by the theorem it names. *)
From Coq Require Import QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Regression Whitening Compute.
From Asura Require Import Gram GramProgram TraceChecker StateChecker Forked RowSpace PerturbedStep.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** One iteration, from every state where both inverses exist. *)
(* slug: gram-model *)
Theorem gram_step_is_whitened_step : forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (s : gstate R d) (x : I),
  whites c X P U -> below_upper c X s \in unitmx -> above_lower c X s \in unitmx ->
  gpotential c X s != 0 ->
  [/\ Phi (whitened P s) = gpotential c X s,
      prob U (whitened P s) x = gprob c X s x,
      weight U g (whitened P s) x = gweight c X g s x &
      step U g (whitened P s) x = whitened P (gstep c X g s x)].
Proof. by move=> R d I c X P U g s x w u l F0; exact: gram_step. Qed.

(** Every run: state, potentials, probabilities, weights, both rules. *)
(* slug: gram-model *)
Theorem gram_run_is_whitened_run : forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  [/\ hst U g h = State (P^T *m gacc (grun c X g h) *m P) (gup (grun c X g h)) (glo (grun c X g h)),
      past (fun h' => Phi (hst U g h')) h = gsum (grun c X g h),
      Phi (hst U g h) = gpotential c X (grun c X g h),
      forall x, prob U (hst U g h) x = gprob c X (grun c X g h) x &
      forall x, weight U g (hst U g h) x = gweight c X g (grun c X g h) x] /\
  [/\ mid (hst U g h) = gmid (grun c X g h),
      paper_stop U g h = ~~ proceeds_paper g (grun c X g h),
      sure_stop U g h = ~~ proceeds_level g 1 (grun c X g h) &
      forall T, level_stop U g T h = ~~ proceeds_level g T (grun c X g h)].
Proof. by move=> R d I c X P U g h w d0 g0 g2; exact: gram_run. Qed.

(* slug: gram-model *)
Theorem gram_weights : forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (h h' : seq I) (x : I),
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  weight U g (hst U g h') x / mid (hst U g h) =
  gweight c X g (grun c X g h') x / gmid (grun c X g h).
Proof. by move=> R d I c X P U g h h' x w d0 g0 g2; exact: (gram_final_weights w). Qed.

(* slug: gram-model *)
Theorem gram_tree : forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)) (n : nat) (f : seq I -> R) (h : seq I),
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  Tend U g stop n f h = gTend c X g stop n f h /\
  Tsum U g stop n f h = gTsum c X g stop n f h.
Proof. by move=> R d I c X P U g stop n f h w d0 g0 g2; exact: (gram_expectation w). Qed.

(* slug: gram-model *)
Theorem gram_barriers : forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (U : I -> 'cV[R]_d) (s : gstate R d),
  whites c X P U -> within_barriers c X s <-> inv (whitened P s).
Proof. by move=> R d I c X P U s w; exact: (barriers_whitened w s). Qed.

(** The plain rows of X under a whitening of X are such a U. *)
(* slug: gram-model *)
Theorem plain_rows : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d),
  whitens X P -> whites (fun=> 1) X P (white X P).
Proof. by move=> R d I X P w; exact: plain_whites. Qed.

(** Scaled rows: the ridge and kernel data of the reference. *)
(* slug: gram-model *)
Theorem scaled_rows : forall (R : rcfType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d),
  (forall x, 0 <= c x) -> ggram c X \in unitmx ->
  exists P, whites c X P (fun x => Num.sqrt (c x) *: (P^T *m X x)).
Proof. exact: scaled_whitening. Qed.

Definition whitening_free := @Gram.whitening_free.

(* slug: gram-model *)
Theorem coordinates_free : forall (R : realFieldType) (d : nat) (I : finType) (c c' : I -> R) (X X' : I -> 'cV[R]_d) (T P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (h : seq I) (x : I),
  T \in unitmx -> (forall x, gouter c' X' x = T^T *m gouter c X x *m T) ->
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  [/\ gpotential c' X' (grun c' X' g h) = gpotential c X (grun c X g h),
      gprob c' X' (grun c' X' g h) x = gprob c X (grun c X g h) x,
      gweight c' X' g (grun c' X' g h) x = gweight c X g (grun c X g h) x &
      proceeds_paper g (grun c' X' g h) = proceeds_paper g (grun c X g h)].
Proof. exact: change_free. Qed.

(** * The checkers *)

(* slug: gram-model *)
Theorem accepted_traces_are_faithful : forall (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R) (t : trace T) (P : 'M[R]_(trace_d t)) (U : 'I_(size (trace_points t)) -> 'cV[R]_(trace_d t)),
  reads N v -> check N t ->
  whites (scale_of N v (trace_points t) (trace_scales t))
    (pt_of N v (trace_d t) (trace_points t)) P U ->
  exists h, faithful v U h.
Proof. by move=> T N R v t P U ok; exact: (check_sound ok). Qed.

(* slug: gram-model *)
Theorem accepted_traces_have_a_whitening : forall (T : Type) (N : numbers T) (R : rcfType) (v : T -> R) (t : trace T),
  reads N v -> check N t ->
  exists P, let c := scale_of N v (trace_points t) (trace_scales t) in
    let X := pt_of N v (trace_d t) (trace_points t) in
    let U x := Num.sqrt (c x) *: (P^T *m X x) in
    whites c X P U /\ exists h, faithful v U h.
Proof. by move=> T N R v t ok; exact: (check_whitens ok). Qed.

(* slug: gram-model *)
Theorem accepted_states : forall (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R) (d : nat) (pts : seq (seq T)) (scales : seq T) (g e : T) (P : 'M[R]_d) (U : 'I_(size pts) -> 'cV[R]_d) (s : pstate T) (a : trace_line T),
  reads N v -> whites (scale_of N v pts scales) (pt_of N v d pts) P U ->
  check_state N e d pts scales g s a ->
  let w := whitened P (gstate_of N v d s) in
  exists x : 'I_(size pts), [/\ pick a = x, inv w, 0 < prob U w x &
    forall r, line_uniform a = Some r ->
      \sum_(y < size pts | (y < x)%N) prob U w y <= v r /\
      v r < \sum_(y < size pts | (y <= x)%N) prob U w y] /\
  [/\ nearly v (v e) (line_u a) (up w), nearly v (v e) (line_l a) (lo w),
      nearly v (v e) (line_phi a) (Phi w) & nearly v (v e) (line_p a) (prob U w x)] /\
      nearly_all v (v e) (line_probabilities a) [seq prob U w y | y <- enum 'I_(size pts)] /\
      nearly v (v e) (line_weight a) (weight U (v g) w x).
Proof. by move=> T N R v d pts scales g e P U s a ok wh; exact: (check_state_sound ok wh). Qed.

(* slug: gram-model *)
Theorem accepted_steps : forall (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R) (d : nat) (pts : seq (seq T)) (scales : seq T) (g e : T) (P : 'M[R]_d) (U : 'I_(size pts) -> 'cV[R]_d) (s s' : pstate T) (a : trace_line T),
  reads N v -> whites (scale_of N v pts scales) (pt_of N v d pts) P U ->
  check_step N e d pts scales g s a s' ->
  exists2 x : 'I_(size pts), pick a = x &
    whitened P (gstate_of N v d s') = step U (v g) (whitened P (gstate_of N v d s)) x.
Proof. by move=> T N R v d pts scales g e P U s s' a ok wh; exact: (check_step_sound ok wh). Qed.

(* slug: gram-model *)
Theorem rationals_are_read : forall R : realFieldType, reads reduced_rationals (frac R).
Proof. exact: reduced_reads. Qed.

(* slug: gram-model *)
Theorem examples_checked : check reduced_rationals (example (Qmake 1091 65)) /\
  ~~ check reduced_rationals (example (Qmake 1 1)).
Proof. by split; vm_compute. Qed.

(** * Wald's equality is false *)
(* slug: wald *)
Theorem wald_equality_false : forall R : realFieldType,
  ~ (forall (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
      (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
      Pr U g (paper_stop U g) n (paper_stop U g) = 1 ->
      Tsum U g (paper_stop U g) n (fun h => Phi (hst U g h)) [::] =
      \sum_(j < n) Pr U g (paper_stop U g) n (fun h => (j < size h)%N) *
        Exp U g xpred0 j (fun h => Phi (hst U g h))).
Proof. exact: wald_equality_refuted. Qed.

(** * Data of any rank *)
(* slug: def-reduced-rank *)
Theorem any_rank_factors : forall (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)),
  exists Z1 Z2 C, @factors R n1 n2 d X1 X2 (\rank (col_mx X1 X2)) Z1 Z2 C.
Proof. exact: factors_exist. Qed.

(* slug: def-reduced-rank *)
Theorem any_rank_reduced_rank : forall (R : realFieldType) (n1 n2 d r : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) (Z1 : 'M[R]_(n1, r)) (Z2 : 'M[R]_(n2, r)) (C : 'M[R]_(r, d)),
  X1 = Z1 *m C -> X2 = Z2 *m C -> row_free C -> Z1^T *m Z1 + Z2^T *m Z2 \in unitmx ->
  (forall W, generalised_inverse (X1^T *m X1 + X2^T *m X2) W ->
     stacked_reduced_rank Z1 Z2 = \tr (W *m (X1^T *m X1))) /\
  0 <= stacked_reduced_rank Z1 Z2 <= (\rank X1)%:R.
Proof.
move=> R n1 n2 d r X1 X2 Z1 Z2 C e1 e2 fC u.
have f : factors X1 X2 Z1 Z2 C by split.
by split=> [W|]; [exact: (row_space_reduced_rank f) | exact: (row_space_bounds f)].
Qed.

(* slug: def-reduced-rank *)
Theorem any_rank_loss : forall (R : realFieldType) (d r : nat) (I : finType) (X : I -> 'cV[R]_d) (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)) (Y : I -> R),
  (forall x, X x = C^T *m Z x) ->
  (forall beta, loss X Y beta = loss Z Y (C *m beta)) /\
  (row_free C -> forall b : 'cV[R]_r, exists beta : 'cV[R]_d, C *m beta = b).
Proof.
move=> R d r I X Z C Y e; split=> [beta|f b].
  apply: eq_bigr => x _; congr ((_ - _) ^+ 2).
  by rewrite e /dot /bf trmx_mul trmxK !mulmx1 !mulmxA.
have [B CB] := row_freeP f.
by exists (B *m b); rewrite mulmxA CB mul1mx.
Qed.

(* slug: rr-ridge *)
Theorem any_rank_ridge_zero : forall (R : rcfType) (n d : nat) (X1 : 'M[R]_(n, d)) (W : 'M[R]_d),
  generalised_inverse (X1^T *m X1 + (Num.sqrt 0)%:M^T *m (Num.sqrt 0)%:M) W ->
  \tr (W *m (X1^T *m X1)) = (\rank X1)%:R.
Proof. exact: ridge_zero_any_rank. Qed.

(* slug: trace-identity *)
Theorem any_rank_trace_identity : forall (R : realFieldType) (d r : nat) (I : finType) (X : I -> 'cV[R]_d) (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)) (P : 'M[R]_r) (W : 'M[R]_d) (X1 : pred I),
  (forall x, X x = C^T *m Z x) -> row_free C -> gram Z \in unitmx ->
  whitens Z P -> generalised_inverse (gram X) W ->
  \tr (\sum_(x | X1 x) white Z P x *m (white Z P x)^T) =
  \tr (W *m \sum_(x | X1 x) X x *m (X x)^T).
Proof.
move=> R d r I X Z C P W X1 e fC u; have f : point_factors X Z C by split.
by move=> w gW; exact: (row_space_trace f).
Qed.

(* slug: trace-identity *)
Theorem any_rank_whitening : forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d),
  exists r (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)) (P : 'M[R]_r),
    [/\ forall x, X x = C^T *m Z x, row_free C & gram Z \in unitmx] /\ whitens Z P.
Proof. exact: row_space_whitening. Qed.

(** A step with perturbed forms and points. *)
(* slug: trace-checker *)
Definition perturbed_step := @PerturbedStep.perturbed_step.
Definition perturbed_state := @PerturbedStep.perturbed_state.
Definition moved_points := @PerturbedStep.moved_points.
Definition frobenius_within := @PerturbedStep.frobenius_within.
