(** What was known from instances only, restated in full; the definitions that
    are not spelled out in Audit.v and AuditBounds.v come first.

    Draws and labels. [count X1 h] counts the draws from X1, with repetitions;
    [labels X1 h] counts the distinct points of X1 among them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run Tree Regression Whitening SureStop.
From Asura Require Import RealClosed WellBalanced Refutations Values.
From Asura Require Import Sharper Copies FalseSteps UpperSteps Coreset.
From Asura Require Import SpectralRange SpectralFalse Compute Unpredictable Tuned.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** * Definitions. *)

(** M^2 copies of the point 1/M on the line; the unit vectors; the points 1 to n
    on the line; one point and one ridge row; the criterion of the text; the
    level constant; the best coefficients. *)
(* slug: definitions *)
Theorem def_gap_instances : forall (R : rcfType) (M d n : nat) (x : 'I_M * 'I_M)
    (e i : 'I_d) (z : 'I_n) (lambda : R) (b : bool),
  [/\ copies R x = (M%:R^-1)%:M, axes R e i 0 = ((i == e) && ((0 : 'I_1) == 0))%:R,
      whole_points R z = (z.+1%:R)%:M &
      ridge_line lambda b = (if b then 1 else Num.sqrt lambda)%:M].
Proof. by move=> *; split=> //; rewrite mxE. Qed.

(* slug: definitions *)
Theorem def_text_stop : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  text_stop U g h =
  (8%:R * d%:R / g <
   past (fun h' => 4%:R * g ^+ 2 / (Phi (hst U g h') * (1 - 4%:R * g ^+ 2))) h +
   past (fun h' => Phi (hst U g h')) h).
Proof. by []. Qed.

(* slug: definitions *)
Theorem def_betastar : forall (R : realFieldType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (Y : I -> R),
  betastar X Y = invmx (gram X) *m \sum_i Y i *: X i.
Proof. by []. Qed.

(** * One iteration. *)

(** From every state strictly between its barriers, whatever is drawn. *)
(* slug: invariant *)
Theorem invariant_one_step : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (s : state R d) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  pd ((up (step U g s x))%:M - acc (step U g s x)) /\
  pd (acc (step U g s x) - (lo (step U g s x))%:M).
Proof. by move=> R d I U g s x d0 iso g0 g2 p1 p2; exact: inv_step. Qed.

(** E[w w^T | state] = (g/Phi) I. *)
(* slug: potential-monotone *)
Theorem unbiased_update : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M ->
  pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  \sum_x prob U s x *: (weight U g s x *: (U x *m (U x)^T)) = (g / Phi s)%:M.
Proof. by move=> R d I U g s d0 iso p1 p2; exact: mean_update. Qed.

(** No martingale: it falls in the first step on the line, for every g. *)
(* slug: potential-monotone *)
Theorem potential_martingale_refuted : forall (R : realFieldType) (g : R),
  0 < g -> 2%:R * g < 1 ->
  \sum_x prob (@one R) (start 1 g) x * Phi (step (@one R) g (start 1 g) x) <
  Phi (start 1 g).
Proof. by move=> R g g0 g2; exact: martingale_false. Qed.

(** The increment of l in the printed proof is that of u, and too large at
    every state. *)
(* slug: rank-one-lower *)
Theorem rank_one_lower_increment_refuted : forall (R : realFieldType) (d : nat)
    (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d) (x : I),
  (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  lo (step U g s x) - lo s = g / (1 + 2%:R * g) / Phi s /\
  lo (step U g s x) - lo s < g / (1 - 2%:R * g) / Phi s.
Proof. by move=> R d I U g s x d0 g0 g2 p1 p2; exact: lower_increment_false. Qed.

(** The printed increment of the gap lacks a factor 4, at every state. *)
(* slug: um-lower *)
Theorem um_lower_increment_refuted : forall (R : realFieldType) (d : nat)
    (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d) (x : I),
  (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  gap (step U g s x) - gap s = 4%:R * (g ^+ 2 / (Phi s * (1 - 4%:R * g ^+ 2))) /\
  g ^+ 2 / (Phi s * (1 - 4%:R * g ^+ 2)) < gap (step U g s x) - gap s.
Proof. by move=> R d I U g s x d0 g0 g2 p1 p2; exact: gap_increment_false. Qed.

(** * The stop. *)

(** Line 3 with the initial gap taken out: 4d/g. *)
(* slug: stop-text *)
Theorem stop_text_line_three : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  paper_stop U g h =
  (4%:R * d%:R / g <=
   past (fun h' => 4%:R * g ^+ 2 / (Phi (hst U g h') * (1 - 4%:R * g ^+ 2))) h +
   past (fun h' => Phi (hst U g h')) h).
Proof. by move=> R d I U g h d0 iso g0 g2; exact: line_threeE. Qed.

(** The text's 8d/g: on the line, for every g <= 1/4, it has not fired on any
    run that line 3 allows, the complete ones included. *)
(* slug: stop-text *)
Theorem stop_text_refuted : forall (R : realFieldType) (g : R) h,
  0 < g -> 2%:R * g < 1 -> 4%:R * g <= 1 ->
  reach (paper_stop (@one R) g) h -> ~~ text_stop (@one R) g h.
Proof. by move=> R g h g0 g2 g4; exact: text_differs. Qed.

(** No constant bounds the growth of u from below: for every c > 0 there are a
    gamma and a run, still going on, every point having positive probability
    at every state, whose next growth is below c. *)
(* slug: u-grows *)
Theorem u_grows_refuted : forall (R : realFieldType) (c : R),
  Num.archimedean_axiom R -> 0 < c ->
  exists (g : R) (h : seq 'I_2) (x : 'I_2), let U := @axes R 2 in
  [/\ 0 < g, 2%:R * g < 1, reach (paper_stop U g) h, ~~ paper_stop U g h &
      (forall h' y, 0 < prob U (hst U g h') y) /\
      up (hst U g (x :: h)) - up (hst U g h) < c].
Proof. exact: upper_no_constant. Qed.

(** For each gamma: the growth falls to 1/((1 - 2g) K) for every K >= 1 with
    2000 K^3 g <= 1, within 33 K^2/g draws. *)
(* slug: u-grows *)
Theorem u_grows_slowly : forall (R : realFieldType) (g K : R) (N : nat),
  0 < g -> 2%:R * g < 1 -> 1 <= K -> 2000%:R * (K ^+ 3 * g) <= 1 ->
  32%:R * K ^+ 2 <= N%:R * g -> N%:R * g <= 33%:R * K ^+ 2 ->
  exists n : nat, let U := @axes R 2 in
  [/\ reach (paper_stop U g) (nseq n ord0), ~~ paper_stop U g (nseq n ord0),
      forall h x, 0 < prob U (hst U g h) x &
      up (hst U g (nseq n.+1 ord0)) - up (hst U g (nseq n ord0)) <=
        ((1 - 2%:R * g) * K)^-1].
Proof.
move=> R g K N g0 g2 K1 Kg lo hi; exact: (upper_slow g0 g2 K1 Kg lo hi).
Qed.

(** P(m < p d/g^2) <= p: at d = 1, g = 1/10, p = 7/10 that probability is 1. *)
(* slug: um-lower *)
Theorem um_lower_short_runs_refuted : forall (R : realFieldType) (n : nat),
  (100 <= n)%N -> let g : R := 10%:R^-1 in
  Pr (@one R) g (paper_stop (@one R) g) n (fun h => paper_stop (@one R) g h &&
    ((size h)%:R < 7%:R / 10%:R * 1%:R / g ^+ 2)) = 1.
Proof. exact: short_runs_false. Qed.

(** The last gap by the clock. *)
(* slug: gap-final *)
Theorem gap_final_clock : forall (R : rcfType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  reach (paper_stop (white X P) g) h ->
  let k := 1 - 4%:R * g ^+ 2 in
  let rho := (- (k / 4%:R) + Num.sqrt ((k / 4%:R) ^+ 2 + 4%:R)) / 2%:R in
  up (hst (white X P) g h) - lo (hst (white X P) g h) <=
    4%:R * d%:R / g * (1 + (rho + g ^+ 2 / (d%:R * k) * (1 + rho))).
Proof. by move=> R d I X P g h d0 w g0 g2 rh; exact: (gap_clock d0 w). Qed.

(** The printed 1 +- 1728 g on the event, with no range of gamma: false. At
    g = 1/128 the event is sure; for every d >= 100^7 the run that draws the
    first axis every time breaks it. *)
(* slug: spectral *)
Theorem spectral_refuted : forall R : realFieldType,
  ~ (forall (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
     (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
     reach (paper_stop U g) h -> paper_stop U g h ->
     d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
     psd ((1 + 1728%:R * g)%:M - sample_matrix U g h) /\
     psd (sample_matrix U g h - (1 - 1728%:R * g)%:M)).
Proof. exact: spectral_false. Qed.

(* slug: spectral *)
Theorem spectral_refuted_instance : forall (R : realFieldType) (d : nat),
  100%:R ^+ 7 <= d%:R :> R ->
  let g : R := 128%:R^-1 in let U := @axes R d in
  exists h : seq 'I_d,
  [/\ reach (paper_stop U g) h, paper_stop U g h,
      forall h' x, 0 < prob U (hst U g h') x,
      d%:R / (64%:R * g ^+ 2) <= up (hst U g h) &
      ~ psd ((1 + 1728%:R * g)%:M - sample_matrix U g h)].
Proof. exact: spectral_large. Qed.

(** * The number of draws and of labels. *)

(** Draws from X1, with repetitions, under the paper's rule. *)
(* slug: query-appendix *)
Theorem query_draws_sharp : forall (R : rcfType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  let k := 1 - 4%:R * g ^+ 2 in
  let rho := (- (k / 4%:R) + Num.sqrt ((k / 4%:R) ^+ 2 + 4%:R)) / 2%:R in
  let rbar := rho + g ^+ 2 / (d%:R * k) * (1 + rho) in
  Exp U g (paper_stop U g) n (fun h => (count X1 h)%:R) <=
    k * rbar * reduced_rank X X1 / g ^+ 2 /\
  k * rbar * reduced_rank X X1 / g ^+ 2 <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof. by move=> R d I X P g n X1 d0 w g0 g2; exact: draws_sharp. Qed.

(** Draws under the rule on the gap alone, and at every level. *)
(* slug: sure-stop *)
Theorem sure_stop_draws : forall (R : realFieldType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g T : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < T ->
  let U := white X P in
  let k := 1 - 4%:R * g ^+ 2 in
  Exp U g (sure_stop U g) n (fun h => (count X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1 /\
  Exp U g (level_stop U g T) n (fun h => (count X1 h)%:R) <=
    k * (T + g ^+ 2 / (d%:R * k) * (1 + T)) * reduced_rank X X1 / g ^+ 2.
Proof.
by move=> R d I X P g T n X1 d0 w g0 g2 T0; split; [exact: draws_sure | exact: draws_level].
Qed.

(** The main text's bounds, for distinct labels: both fail at g = 1/10 with
    10000 copies of one point, at every horizon from 21 draws on. *)
(* slug: query-main *)
Theorem query_main_distinct_instance : forall (R : realFieldType) (n : nat),
  (21 <= n)%N ->
  let g : R := 10%:R^-1 in
  let U := @copies R 100 in
  2%:R / g * \tr (\sum_x U x *m (U x)^T) <
    Exp U g (paper_stop U g) n (fun h => (labels xpredT h)%:R) /\
  Exp U g (paper_stop U g) n (fun h => (size h)%:R) *
      (g * \tr (\sum_x U x *m (U x)^T) / 1%:R) <
    Exp U g (paper_stop U g) n (fun h => (labels xpredT h)%:R).
Proof. exact: query_distinct. Qed.

(* slug: query-main *)
Theorem query_main_distinct_refuted : forall R : realFieldType,
  ~ (forall (I : finType) (U : I -> 'cV[R]_1) (g : R) (n : nat) (X1 : pred I),
     \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
     Exp U g (paper_stop U g) n (fun h => (labels X1 h)%:R) <=
     2%:R / g * \tr (\sum_(x | X1 x) U x *m (U x)^T)).
Proof. exact: query_main_labels_false. Qed.

(** The sum from j = 1 is too small for distinct labels too: M^2 copies of one
    point, M >= 1/g^2, for every g < 1/2. *)
(* slug: iterations *)
Theorem iterations_distinct_refuted : forall (R : realFieldType) (M : nat) (g : R) (n : nat),
  (0 < M)%N -> 0 < g -> 2%:R * g < 1 -> 1 <= M%:R * g ^+ 2 ->
  let U := @copies R M in
  ~ (Exp U g (paper_stop U g) n.+1 (fun h => (labels xpredT h)%:R) <=
     \sum_x prob U (start 1 g) x * Tsum U g (paper_stop U g) n
       (fun h => phi (\sum_x U x *m (U x)^T) (hst U g h) / Phi (hst U g h)) [:: x]).
Proof. by move=> R M g n M0 g0 g2 hM; exact: iterations_distinct. Qed.

(** A complete run on which the distinct labels exceed the summed probabilities:
    X1 is one M-th of M^2 copies, every point has probability 1/M^2. *)
(* slug: eq-m1 *)
Theorem eq_m1_distinct_refuted : forall (R : realFieldType) (M : nat) (g : R) (i0 : 'I_M),
  (0 < M)%N -> 0 < g -> 2%:R * g < 1 -> 1 <= M%:R * g ^+ 2 ->
  let U := @copies R M in
  exists h, [/\ reach (paper_stop U g) h, paper_stop U g h,
    forall h' x, prob U (hst U g h') x = (M%:R ^+ 2)^-1 &
    past (fun h' => \sum_(x | x.1 == i0) prob U (hst U g h') x) h <
      (labels (fun x => x.1 == i0) h)%:R].
Proof. by move=> R M g i0 M0 g0 g2 hM; exact: pathwise_distinct. Qed.

(** Wald's corollary with a sure length: the run is over after n draws. *)
(* slug: wald *)
Theorem wald_whole_run : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (n : nat) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> psd M ->
  d%:R ^+ 2 * (1 - 4%:R * g ^+ 2) <= n%:R ^+ 2 * g ^+ 4 ->
  Pr U g (paper_stop U g) n (paper_stop U g) = 1 /\
  Tsum U g (paper_stop U g) n (fun h => phi M (hst U g h)) [::] <=
    n%:R * (g / d%:R * \tr M).
Proof.
move=> R d I U g n M d0 iso g0 g2 pM hn; split; first exact: terminates.
by rewrite -(phi_start d0 g0); exact: potential_sum.
Qed.

(** The coreset in words: d numbers for each draw from X1, in expectation, and
    fewer than d/g^2 weights, surely. *)
(* slug: coreset *)
Theorem coreset_count : forall (R : realFieldType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  Exp U g (paper_stop U g) n (fun h => (d * count X1 h)%:R) <=
    d%:R * (((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1) /\
  forall h, reach (paper_stop U g) h -> (size h)%:R < d%:R / g ^+ 2.
Proof. by move=> R d I X P g n X1 d0 w g0 g2; exact: coreset_words. Qed.

(** In bits: whatever their number b, there are different points on the line,
    each a possible first draw, that b bits cannot tell apart. *)
(* slug: coreset *)
Theorem coreset_bits_refuted : forall (R : rcfType) (b : nat) (g : R), 0 < g ->
  exists (n : nat) (P : 'M[R]_1), let X := @whole_points R n in
  [/\ whitens X P, injective X,
      forall i, 0 < prob (white X P) (start 1 g) i &
      forall enc : 'I_n -> b.-tuple bool, ~ injective enc].
Proof. exact: bits_too_few. Qed.

(** And no constant C bounds the number of weights by C d sd/eps. *)
(* slug: coreset *)
Theorem coreset_weights_refuted : forall (R : rcfType) (C eps : R), 0 < C -> 0 < eps ->
  exists (lambda : R) (P : 'M[R]_1), let X := @ridge_line R lambda in
  [/\ 0 <= lambda, whitens X P &
      forall (g : R) (h : seq bool), 0 < g -> paper_stop (white X P) g h ->
        C * (1%:R * reduced_rank X id / eps) < (size h)%:R].
Proof. exact: weights_too_many. Qed.

(** * Well-balanced sampling. *)

(** alpha_j K_j <= 2 g^2/r_m, on every run, for every draw before the stop. *)
(* slug: alpha-k *)
Theorem alpha_k_small : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (h h' : seq I) (x : I) (v : 'cV[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  h != [::] -> v != 0 -> ~~ paper_stop U g h' ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <=
    2%:R * g ^+ 2 / rr U g h.
Proof. by move=> R d I U g h h' x v d0 iso g0 g2 n v0 ns; exact: alpha_k_run. Qed.

(** All constants, for every g < 1/2, and the draws from X1. *)
(* slug: well-balanced *)
Theorem well_balanced_constants : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  d%:R <= n%:R * g ^+ 2 ->
  (exists good : pred (seq I),
   3%:R / 4%:R <= Pr U g (paper_stop U g) n good /\
   forall h, good h ->
    [/\ paper_stop U g h,
        psd ((1 + 12%:R * g)%:M - sample_matrix U g h) /\
        psd (sample_matrix U g h - (1 - 12%:R * g)%:M),
        past (alpha U g h) h = 1 - 4%:R * g ^+ 2 &
        forall h' x (v : 'cV[R]_d), ~~ paper_stop U g h' -> v != 0 ->
          alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <=
          10%:R * g ^+ 2]) /\
  Exp U g (paper_stop U g) n (fun h => (count X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * \tr (\sum_(x | X1 x) U x *m (U x)^T).
Proof.
move=> R d I U g n X1 d0 iso g0 g2 hn; split; first exact: balanced_constants.
exact: draws_rows.
Qed.

(** The remarks: the mean over n uniform points is |b|^2/n, so that the two
    forms of the first condition differ by the factor n. *)
(* slug: def-well-balanced *)
Theorem well_balanced_off_by_n : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (b : 'cV[R]_d),
  \sum_x U x *m (U x)^T = 1%:M ->
  \sum_x dot (U x) b ^+ 2 = sqn b /\
  \sum_x #|I|%:R^-1 * dot (U x) b ^+ 2 = sqn b / #|I|%:R.
Proof.
by move=> R d I U b iso; split; [exact: sum_dot | exact: average_over_points].
Qed.

(** K at a point for uniform D and the leverage scores as D_i: with the ratio
    D/D_i it is d at every point, with the printed ratio (n |U x|^2)^2/d. *)
(* slug: def-well-balanced *)
Theorem well_balanced_ratio : forall (R : realFieldType) (d : nat) (I : finType)
    (U : I -> 'cV[R]_d) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> U x != 0 ->
  let uniform := #|I|%:R^-1 : R in
  let score := sqn (U x) / d%:R in
  let sensitivity :=
    dot (U x) (U x) ^+ 2 / (\sum_y uniform * dot (U y) (U x) ^+ 2) in
  uniform / score * sensitivity = d%:R /\
  score / uniform * sensitivity = (#|I|%:R * sqn (U x)) ^+ 2 / d%:R.
Proof.
by move=> R d I U x d0 iso u0; split; [exact: ratio_meant | exact: ratio_printed].
Qed.

(** w_j and alpha_j are not known when x_j is drawn: they contain mid. Two axes
    and g = 2/5 ([plane], with the rows and the rate of Compute.v): two complete
    runs with the same first draw end with different mid. *)
(* slug: def-well-balanced *)
Theorem well_balanced_mid_unknown : forall R : realFieldType,
  let U := point R plane in let g := rate R plane in
  exists h1 h2 : seq 'I_2, exists x : 'I_2,
  [/\ reach (paper_stop U g) h1 && paper_stop U g h1,
      reach (paper_stop U g) h2 && paper_stop U g h2,
      last x h1 = last x h2, h1 != [::] /\ h2 != [::] &
      mid (hst U g h1) != mid (hst U g h2)].
Proof. exact: mid_unknown. Qed.

(** * Algorithm 1. *)

(** The noise vector is a martingale. *)
(* slug: identity-7 *)
Theorem identity_7_martingale : forall (R : realFieldType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  let v := dsum (fun h' x =>
    (weight U g (hst U g h') x * (Y x - dot (X x) (betastar X Y))) *: U x) in
  \sum_x prob U (hst U g h) x *: v (x :: h) = v h.
Proof. by move=> R d I X Y P g h d0 w g0 g2 U v; exact: noise_martingale. Qed.

(** The excess itself on the runs that have stopped, at every level. *)
(* slug: sure-stop *)
Theorem sure_stop_excess : forall (R : realFieldType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g T : R) (n : nat),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < T ->
  2%:R * g < (1 - 2%:R * g) * T ->
  let U := white X P in
  let stop := level_stop U g T in
  let k := 1 - 4%:R * g ^+ 2 in
  let rbar := T + g ^+ 2 / (d%:R * k) * (1 + T) in
  Exp U g stop n (fun h => (stop h)%:R *
    (loss X Y (betahat X Y U g h) - loss X Y (betastar X Y))) <=
  g ^+ 2 * k * (rbar + rbar ^+ 2 / 2%:R) / ((1 - 2%:R * g) * T - 2%:R * g) ^+ 2 *
    loss X Y (betastar X Y).
Proof. by move=> R d I X Y P g T n d0 w g0 g2 T0 gT; exact: level_excess_opt. Qed.

(** 27.3 R_X/eps, in draws and in labels. *)
(* slug: sure-stop *)
Theorem sure_stop_accuracy : forall (R : rcfType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (eps : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 ->
  let U := white X P in
  let g := Num.sqrt eps / (Num.sqrt (3%:R / 2%:R) + 4%:R * Num.sqrt eps) in
  [/\ 4%:R * g < 1,
      Exp U g (sure_stop U g) n (fun h => (count X1 h)%:R) <=
        273%:R / 10%:R / eps * reduced_rank X X1,
      Exp U g (sure_stop U g) n (fun h => (labels X1 h)%:R) <=
        273%:R / 10%:R / eps * reduced_rank X X1 &
      forall beta, Exp U g (sure_stop U g) n
          (fun h => (sure_stop U g h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + eps) * loss X Y beta].
Proof. by move=> R d I X Y P eps n X1 d0 w e0 e1; exact: sure_273. Qed.

(** Four pairs (T, g), for every dimension: at accuracy eps the excess constant of
    the level T is at most eps, and that of the draws at most C/eps. *)
(* slug: sure-stop *)
Theorem sure_stop_chosen : forall (R : realFieldType) (d : nat), (0 < d)%N ->
  let chosen (eps T g C : R) :=
    let k := 1 - 4%:R * g ^+ 2 in
    let rbar := T + g ^+ 2 / (d%:R * k) * (1 + T) in
    [/\ 0 < g, 2%:R * g < 1, 2%:R * g < (1 - 2%:R * g) * T,
        g ^+ 2 * k * (rbar + rbar ^+ 2 / 2%:R) / ((1 - 2%:R * g) * T - 2%:R * g) ^+ 2 <= eps &
        k * rbar / g ^+ 2 <= C / eps] in
  [/\ chosen (1 / 1%:R) (8%:R / 7%:R) (9%:R / 44%:R) (249%:R / 10%:R),
      chosen (1 / 10%:R) (5%:R / 6%:R) (2%:R / 17%:R) (59%:R / 10%:R),
      chosen (1 / 100%:R) (6%:R / 11%:R) (1 / 21%:R) (24%:R / 10%:R) &
      chosen (1 / 1000%:R) (2%:R / 9%:R) (1 / 82%:R) (15%:R / 10%:R)].
Proof. by move=> R d d0; exact: tuned. Qed.

(** * The packing. *)

(** Its logarithm step at lambda = 1, where d = 500 t makes the exponents whole:
    false with the factor 2 (d = 500 breaks it), true without; e is any number
    in the range that Euler's is in. *)
(* slug: packing *)
Theorem packing_step_refuted : forall (R : realFieldType) (e : R),
  27%:R / 10%:R <= e ->
  ~ (forall t : nat, 2%:R * (e / (1 / 1000%:R * (1 + 1))) ^+ t <= 2%:R ^+ (11 * t)).
Proof. exact: packing_step_false. Qed.

(* slug: packing *)
Theorem packing_step_repaired : forall (R : realFieldType) (e : R),
  0 <= e -> e <= 4%:R ->
  forall t : nat, (e / (1 / 1000%:R * (1 + 1))) ^+ t <= 2%:R ^+ (11 * t) :> R.
Proof. exact: packing_step_true. Qed.
