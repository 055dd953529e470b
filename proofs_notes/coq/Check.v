(** The development proves what Spec.v claims.

    [Module Check : RESULTS] compiles only if there is, for every result of
    Spec.v, a constant of that name with that statement. Most lines below put
    the arguments of a theorem in the order of the statement, or two theorems
    side by side; nothing is argued here. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec SpecValues SpecModel.
From Asura Require Import Forms Reductions ReducedRank Eigenbasis.
From Asura Require Import Step Run Tree.
From Asura Require Import Regression Whitening SureStop Main RealClosed.
From Asura Require Import WellBalanced Sharper Algorithm1.
From Asura Require Import Design Packing Learner Urn Optimal Matching Coins.
From Asura Require Import LowerBound RealAlgebraic.
From Asura Require Import Printed Refutations Values.
From Asura Require Import Copies FalseSteps UpperSteps UpperGamma Coreset.
From Asura Require Import SpectralFalse Unpredictable Instances Events Tuned.
From Asura Require Computed GramComputed AuditModel.
From Asura Require SpecBeyond AuditBeyond SpecKept KeptComputed.
From Asura Require SpecField Determinants Unbiased Processes.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Module Check : RESULTS.

(** ** Section 2 *)
Definition reduced_rank_bounds := @ReducedRank.reduced_rank_bounds.
Definition ridge_is_ssar := @Reductions.ridge_is_ssar.
Definition kernel_is_ssar := @Reductions.kernel_is_ssar.
Definition kernel_root_not_unique := @Reductions.kernel_root_not_unique.
Definition kernel_row_needs_root := @Reductions.kernel_row_needs_root.

(** ** Section 3 *)
Definition leverage_factor := @Reductions.leverage_factor.
Definition leverage_sampling := @Reductions.leverage_sampling.
Definition leverage_sampling_uncapped := @Reductions.leverage_sampling_uncapped.
Definition leverage_sampling_capped := @Reductions.leverage_sampling_capped.
Definition leverage_logarithm := @Events.leverage_logarithm.
Definition rr_ridge := @Reductions.rr_ridge.
Definition rr_ridge_zero := @ReducedRank.rr_ridge_zero.
Definition rr_ridge_sd := @Reductions.rr_ridge_sd.
Definition singular_values_exist := @Eigenbasis.singular_values_exist.
Definition rr_kernel := @Reductions.rr_kernel.
Definition rr_kernel_singular := @Reductions.rr_kernel_singular.
Definition effective_dimension := @Reductions.effective_dimension.
Definition eigenvalues_exist := @Eigenbasis.eigenvalues_exist.

(** ** The whitening *)
Definition whitening_exists := @data_whitening.
Definition whitening_rows := @isoU.
Definition trace_identity R d I X P X1 w :=
  @Regression.trace_identity R d I X P w X1.

(** ** One iteration *)
Definition probabilities_sum R d I U s d0 iso i :=
  conj (@prob_ge0 R d I U d0 s i) (@prob_sum R d I U d0 iso s i).
Definition alg_potential_refuted := @product_potential.
Definition sampling_mass := @Step.sampling_mass.
Definition rank_one_upper R d I U g s x d0 g0 i :=
  @Step.rank_one_upper R d I U g d0 g0 s i x.
Definition rank_one_lower R d I U g s x d0 iso g0 i :=
  @Step.rank_one_lower R d I U g d0 iso g0 s i x.
Definition rank_one_lower_as_printed (R : realFieldType) d I U (g : R) s x d0 iso g0
    (_ : 2%:R * g < 1) i :=
  @rank_one_lower_printed R d I U g d0 iso g0 s x i.
Definition rank_one_lower_increment_refuted R d I U g s x d0 g0 g2 i :=
  @lower_increment_false R d I U g s d0 g0 g2 i x.
Definition invariant_step R d I U g s x d0 iso g0 g2 i :=
  @inv_step R d I U g d0 iso g0 g2 s i x.
Definition invariant R d I U g h d0 iso g0 g2 := @inv_h R d I U g d0 iso g0 g2 h.
Definition invariant_refuted := @invariant_false.
Definition potential_monotone R d I U g s M d0 iso g0 g2 i :=
  @Step.potential_monotone R d I U g d0 iso g0 g2 s i M.
Definition potential_monotone_loewner R d I U g s d0 iso g0 g2 :=
  @mean_bracket R d I U g d0 iso g0 g2 s.
Definition unbiased_update R d I U g s d0 iso :=
  @mean_update R d I U g d0 iso s.
Definition potential_martingale_refuted := @martingale_false.
Definition potential_lower R d s d0 := @Phi_lower R d d0 s.
Definition potential_lower_run R d I U g h d0 iso g0 g2 :=
  conj (@hPhi_rad R d I U g d0 iso g0 g2 h) (@paper_run_rr1 R d I U g d0 iso g0 g2 h).
Definition potential_lower_as_printed R d I U g h d0 iso g0 g2 :=
  @potential_lower_printed R d I U g d0 iso g0 g2 h.

(** ** Identities of a run *)
Definition clock_increments R d I U g h x d0 iso g0 g2 :=
  conj (@rr0 R d I U g d0 g0) (@rr_cons R d I U g d0 iso g0 g2 x h).
Definition barriers_of_clock R d I U g h d0 iso g0 g2 :=
  And3 (@hmid R d I U g d0 iso g0 g2 h) (@hup R d I U g d0 iso g0 g2 h)
       (@hlo R d I U g d0 iso g0 g2 h).
Definition clock_bounds (R : rcfType) d I U g d0 iso g0 g2 :=
  And4 (@ss_lower R d I U g d0 iso g0 g2) (@paper_stopE R d I U g d0 g0)
       (@paper_run_rho R d I U g d0 iso g0 g2) (@paper_reach_rho R d I U g d0 iso g0 g2).
Definition leverage_over_bracket R d I U s x d0 i :=
  @leverage_ratio R d I U d0 s i x.
Definition potential_growth R d I U g s x M d0 iso g0 g2 i :=
  @phi_growth R d I U g d0 iso g0 g2 s i M x.

(** ** The number of draws *)
Definition m_bound (R : rcfType) d I U g h d0 iso g0 g2 ns :=
  conj (@paper_short_sqrt R d I U g d0 iso g0 g2 h ns)
       (@paper_short_lin R d I U g d0 iso g0 g2 h ns).
Definition m_bound_as_printed R d I U g h d0 iso g0 g2 :=
  @m_bound_printed R d I U g d0 iso g0 g2 h.
Definition termination R d I U g n d0 iso g0 g2 :=
  @terminates R d I U g d0 iso g0 g2 n.
Definition m_bound_event_repaired (R : realFieldType) d (I : finType)
    (U : I -> 'cV[R]_d) g h t :=
  @complete_run I (paper_stop U g) h t.
Definition m_bound_event_refuted (R : realFieldType) d (I : finType)
    (U : I -> 'cV[R]_d) g h :=
  @event_false I (paper_stop U g) h.
Definition expected_length R d I X P g n d0 w g0 g2 :=
  conj (@paper_length R d I X P g d0 w g0 g2 n) (@sure_length R d I X P g d0 w g0 g2 n).
Definition stop_text_line_three R d I U g h d0 iso g0 g2 :=
  @line_threeE R d I U g d0 iso g0 g2 h.
Definition stop_text_refuted R g h g0 g2 := @text_differs R g g0 g2 h.
Definition u_grows_refuted := @upper_no_constant.
Definition u_grows_slowly R g K N g0 g2 := @upper_slow R g g0 g2 K N.
Definition u_grows_by_gamma R g a g0 gs := @upper_by_gamma R g g0 gs a.

(** ** The number of labels *)
Definition iterations R d I U g stop n X1 d0 iso g0 g2 :=
  etrans (@Tend_draws R d I U g d0 iso g0 g2 stop n X1 [::]) (add0r _).
Definition iterations_refuted := @iterations_false.
Definition iterations_distinct_refuted R M g n M0 g0 g2 :=
  @iterations_distinct R M M0 g g0 g2 n.
Definition eq_m1_refuted := @pathwise_false.
Definition eq_m1_distinct_refuted R M g i0 M0 g0 g2 le :=
  @pathwise_distinct R M M0 g g0 g2 le i0.
Definition clock_lemma R d I U g stop n rbar M d0 iso g0 g2 :=
  @clock R d I U g d0 iso g0 g2 stop n rbar M.
Lemma wald_repaired (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d)
    (g : R) (stop : pred (seq I)) (n : nat) (M : 'M[R]_d) :
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> psd M ->
  Tsum U g stop n (fun h => phi M (hst U g h)) [::] <= n%:R * (g / d%:R * \tr M).
Proof.
by move=> d0 iso g0 g2 pM; rewrite -(phi_start d0 g0); exact: potential_sum.
Qed.
Definition wald_whole_run R d I U g n M d0 iso g0 g2 pM le :=
  conj (@terminates R d I U g d0 iso g0 g2 n le)
       (@wald_repaired R d I U g (paper_stop U g) n M d0 iso g0 g2 pM).
Definition query_appendix R d I X P g n X1 d0 w g0 g2 :=
  conj (@paper_labels R d I X P g d0 w g0 g2 n X1)
       (@sure_labels R d I X P g d0 w g0 g2 n X1).
Definition query_appendix_as_printed R d I U g n X1 d0 iso g0 g2 :=
  @query_appendix_printed R d I U g d0 iso g0 g2 n X1.
Definition query_draws_sharp R d I X P g n X1 d0 w :=
  @draws_sharp R d I X P d0 w g n X1.
Definition query_main_refuted := @query_main_false.
Definition query_main_distinct_instance := @query_distinct.
Definition query_main_distinct_refuted := @query_main_labels_false.
Definition coreset_count R d I X P g n X1 d0 w g0 g2 :=
  @coreset_words R d I X P g d0 w g0 g2 n X1.
Definition coreset_bits_refuted := @bits_too_few.
Definition coreset_weights_refuted := @weights_too_many.

(** ** How far the loop goes *)
Definition tail R d I U g n q y d0 iso g0 g2 :=
  @Tree.tail R d I U g d0 iso g0 g2 n q y.
Definition tail_root R d I U g n q d0 iso g0 g2 :=
  @tail_sqrt R d I U g d0 iso g0 g2 n q.
Definition um_lower R d I U g n p d0 iso g0 g2 hn p0 :=
  @Tree.um_lower R d I U g d0 iso g0 g2 n p p0 hn.
Definition um_lower_as_printed R d I U g n p d0 iso g0 g2 hn p0 p1 :=
  @um_lower_printed R d I U g d0 iso g0 g2 n p p0 p1 hn.
Definition um_lower_increment_refuted R d I U g s x d0 g0 g2 i :=
  @gap_increment_false R d I U g s d0 g0 g2 i x.
Definition um_lower_short_runs_refuted := @short_runs_false.
Definition event_gamma R d I U g n d0 iso g0 g2 :=
  @Tree.event_gamma R d I U g d0 iso g0 g2 n.
Definition event_gamma_constant_refuted := @constant_false.
Definition gap_final R d I U g x h d0 iso g0 g2 :=
  @Run.gap_final R d I U g d0 iso g0 g2 x h.
Definition gap_final_clock R d I X P g h d0 w := @gap_clock R d I X P d0 w g h.
Definition gap_final_refuted := @gap_final_false.
Definition lm_positive R d I U g h d0 iso g0 g2 :=
  conj (@lo_gt0 R d I U g d0 iso g0 g2 h) (@lo_gamma R d I U g d0 iso g0 g2 h).
Definition condition_number R d I U g h d0 iso g0 g2 :=
  conj (@gap_over_up R d I U g d0 iso g0 g2 h)
       (conj (@condition_gamma R d I U g d0 iso g0 g2 h)
             (@condition_printed R d I U g d0 iso g0 g2 h)).

(** ** Well-balanced sampling *)
Definition spectral R d I U g h T d0 iso g0 g2 :=
  @spectral_white R d I U g d0 iso g0 g2 h T.
Definition spectral_event R d I U g h d0 iso g0 g2 :=
  @spectral_gamma R d I U g d0 iso g0 g2 h.
Definition spectral_refuted := @spectral_false.
Definition spectral_refuted_instance := @spectral_large.
Definition spectral_probability R d I U g n d0 iso g0 g2 :=
  @spectral_12 R d I U g d0 iso g0 g2 n.
Definition sum_alpha R d I U g h d0 iso g0 g2 :=
  @Run.sum_alpha R d I U g d0 iso g0 g2 h.
Definition alpha_k R d I U g h h' x v d0 iso g0 g2 :=
  @Run.alpha_k R d I U g d0 iso g0 g2 h h' x v.
Definition alpha_k_small R d I U g h h' x v d0 iso g0 g2 :=
  @alpha_k_run R d I U g d0 iso g0 g2 h h' x v.
Definition alpha_k_event R d I U g h h' x v d0 iso g0 g2 :=
  @alpha_k_gamma R d I U g d0 iso g0 g2 h h' x v.
Definition alpha_k_refuted R g h x v g0 g2 n v0 :=
  conj (@alpha_k_attained R g g0 g2 h x v n v0) (@alpha_k_false R g g0 g2 h x v n v0).
Definition well_balanced R d I U g n d0 iso g0 g2 :=
  @WellBalanced.well_balanced R d I U g d0 iso g0 g2 n.
Definition well_balanced_constants R d I U g n X1 d0 iso g0 g2 hn :=
  conj (@balanced_constants R d I U g d0 iso g0 g2 n hn)
       (@draws_rows R d I U g d0 iso g0 g2 n X1).
Definition well_balanced_off_by_n R d I U b iso :=
  conj (@sum_dot R d I U iso b) (@average_over_points R d I U iso b).
Definition well_balanced_ratio R d I U x d0 iso u0 :=
  And3 (@ratio_meant R d I U iso x u0 d0) (@ratio_printed R d I U iso x u0 d0)
    (fun beta => @ratio_largest R d I U iso x beta u0).
Definition well_balanced_mid_unknown := @mid_unknown_axes.

(** ** Algorithm 1 and the main theorem *)
Definition betahat_minimises R d I X Y P g h beta d0 w g0 g2 :=
  @sample_min R d I X Y P g d0 w g0 g2 h beta.
Definition betahat_uses_sampled_labels R d I X Y Y' P g h :=
  @betahat_local R d I X Y P g Y' h.
Definition noise_lemma R d I X Y P g h d0 w g0 g2 :=
  And3 (@opt_min R d I X Y P w) (@excess R d I X Y P g d0 w g0 g2 h)
       (@noise_moment R d I X Y P g d0 w g0 g2 h).
Definition identity_7_martingale R d I X Y P g h d0 w g0 g2 :=
  @noise_martingale R d I X Y P g d0 w g0 g2 h.
Definition main R d I X Y P eps n X1 d0 w := @main_eps R d I X Y P d0 w eps n X1.
Definition main_gamma R d I X Y P g n beta d0 w g0 gl :=
  @main_probability R d I X Y P g d0 w g0 gl n beta.
Definition algorithm1_paper := @Algorithm1.algorithm1_paper.

(** ** The lower bound *)
Definition optimum_least := @Coins.optimum_least.
Definition design_reduced_rank R d n lambda n0 :=
  @Design.design_reduced_rank R d n n0 lambda.
Definition hard_instance := @LowerBound.hard_instance.
Definition lower_bound_opt_main_text_refuted := @main_text_optimum.
Definition packing := @Packing.packing.
Definition packing_exists := @Packing.packing_exists.
Definition packing_step_refuted := @packing_step_false.
Definition packing_step_repaired := @packing_step_true.
Definition lower_bound R d lambda epsilon a :=
  @LowerBound.lower_bound R a d lambda epsilon.
Definition lower_bound_general R d lambda epsilon a :=
  @LowerBound.lower_bound_general R a d lambda epsilon.
Definition lower_bound_quantifiers_refuted := @fixed_instance_easy.

(** ** The rule on the gap alone *)
Lemma half_gamma (R : realFieldType) (g : R) : 0 < g -> 4%:R * g < 1 -> 2%:R * g < 1.
Proof. by move=> g0; apply: lt_trans; rewrite ltr_pmul2r // ltr_nat. Qed.

Lemma sure_leaf (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (g : R) (h : seq I) :
  (0 < d)%N -> whitens X P -> 0 < g -> 4%:R * g < 1 -> sure_stop (white X P) g h ->
  [/\ 0 < lo (hst (white X P) g h),
      psd ((1 + 4%:R * g)%:M - sample_matrix (white X P) g h) &
      psd (sample_matrix (white X P) g h - (1 - 4%:R * g)%:M)].
Proof.
move=> d0 w g0 g4 st; have g2 := half_gamma g0 g4; rewrite sample_matrixE.
by have [s1 s2] := sure_spectral d0 w g0 g2 st; split=> //; exact: sure_lo st.
Qed.
Definition sure_stop_theorem R d I X Y P g n X1 d0 w g0 g4 :=
  And4 (@sure_labels R d I X P g d0 w g0 (half_gamma g0 g4) n X1)
       (@sure_length R d I X P g d0 w g0 (half_gamma g0 g4) n)
       (fun h => @sure_leaf R d I X P g h d0 w g0 g4)
       (fun beta => @sure_loss R d I X Y P g d0 w g0 (half_gamma g0 g4) n beta g4).
Definition sure_stop_excess R d I X Y P g n d0 w g0 g4 :=
  conj (@sure_excess R d I X Y P g d0 w g0 (half_gamma g0 g4) n g4)
       (@sure_late R d I X P g d0 w g0 (half_gamma g0 g4) n).

Lemma level_leaf (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (g T : R) (h : seq I) :
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < T ->
  level_stop (white X P) g T h ->
  psd ((1 + 2%:R * g * (1 + T^-1))%:M - sample_matrix (white X P) g h) /\
  psd (sample_matrix (white X P) g h - (1 - 2%:R * g * (1 + T^-1))%:M).
Proof.
move=> d0 w g0 g2 T0; rewrite level_stopE // sample_matrixE => le.
exact: spectral_at.
Qed.
Definition level_stop_theorem R d I X Y P g T n X1 d0 w g0 g2 T0 gT :=
  And4 (@level_labels R d I X P g d0 w g0 g2 T T0 n X1)
       (@level_length R d I X P g d0 w g0 g2 T T0 n)
       (fun h => @level_leaf R d I X P g T h d0 w g0 g2 T0)
       (@level_loss R d I X Y P g d0 w g0 g2 T T0 gT n).
Definition level_stop_excess R d I X Y P g T n d0 w g0 g2 T0 gT :=
  conj (@level_excess R d I X Y P g d0 w g0 g2 T T0 gT n)
       (@level_late R d I X P g d0 w g0 g2 T T0 n).
Definition sure_stop_draws R d I X P g T n X1 d0 w g0 g2 T0 :=
  conj (@draws_sure R d I X P g d0 w g0 g2 n X1)
       (@draws_level R d I X P g d0 w g0 g2 T n X1 T0).
Definition sure_stop_epsilon R d I X Y P eps n X1 d0 w :=
  @sure_stop_eps R d I X Y P d0 w eps n X1.
Definition sure_stop_best_gamma R d I X Y P eps n X1 d0 w :=
  @sure_stop_best R d I X Y P d0 w eps n X1.
Definition sure_stop_accuracy R d I X Y P eps n X1 d0 w :=
  @sure_273 R d I X Y P d0 w eps n X1.
Definition sure_stop_chosen := @tuned.
Definition sure_stop_sharp R d I X Y P eps delta n X1 d0 w :=
  @sharp_eps R d I X Y P d0 w eps delta n X1.
Definition algorithm1_sharp := @Algorithm1.algorithm1_sharp.

(** ** The number of labels, settled *)
Definition draws_are_learner := @Learner.draws_are_learner.
Definition point_loss := @Algorithm1.point_loss.
Definition point_reduced_rank := @Algorithm1.point_reduced_rank.
Definition algorithm1_average := @Algorithm1.algorithm1_average.
Definition optimal := @Matching.optimal.
Definition no_labels := @Matching.no_labels.
Definition settled := @Algorithm1.settled.
Definition realalg_archimedean := @RealAlgebraic.realalg_archimedean.

(** ** Exact values *)
Definition first_iteration R d I U g x d0 g0 := @first_step R d I U g d0 g0 x.
Definition line_values R g h g0 g2 := @line_potential R g g0 g2 h.
Definition line_two_draws := @line_length.

End Check.

Module Values : VALUES.
Include Computed.
End Values.

Module Skew : SKEW.
Include GramComputed.
End Skew.

Module Model : MODEL.
Include AuditModel.
End Model.

Module Beyond : SpecBeyond.BEYOND.
Include AuditBeyond.
End Beyond.

Module KeptValues : SpecKept.KEPT_VALUES.
Include KeptComputed.
End KeptValues.

Module Field : SpecField.FIELD.
Definition coins_determinant F d n p X Z p0 :=
  @Determinants.mean_det F d n p X Z p0.
Definition coins_unbiased := @Unbiased.coins_unbiased.
Definition volumes_sum := @Determinants.volume_sum.
Definition volume_unbiased := @Unbiased.volume_unbiased.
Definition adjugates_sum := @Unbiased.adjugates_sum.
Definition volume_inverse := @Unbiased.volume_inverse.
Definition draws_gram R d n k X k0 u := @Processes.draws_gram R d n k X u k0.
Definition sequences_sum F d n k q X Z q_sum q_eq0 :=
  @Processes.sequences_sum F d n k q X Z q_sum q_eq0.
Definition leveraged_unbiased := @Processes.leveraged_unbiased.
Definition process_normaliser := @Processes.process_normaliser.
Definition ridge_process := @Processes.ridge_process.
Definition nystrom_below := @Processes.nystrom_below.
End Field.
