(** What is proved, in the paper's order: every statement in full, closed by
    the theorem it names. A reviewer reads this file and nothing else.

    A theorem that gained a hypothesis no longer fits here, and the build
    compares the assumptions of each with "Closed under the global context".
    Directly above each theorem stands the slug of the claim it settles.

    Conventions. R is any real field, or any real closed field where a square
    root occurs; d >= 1; I is a finite set of points; [U x] is the row of x in
    orthonormal coordinates; g is gamma, 0 < g < 1/2. A run is the list [h] of
    the points drawn, latest first. Probability is a finite tree, cut after n
    draws. A <= B for matrices is [psd (B - A)]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run Tree Regression Whitening SureStop Main.
From Asura Require Import RealClosed WellBalanced Printed Refutations Values.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** * The definitions, each checked by unfolding. *)

(* slug: definitions *)
Theorem def_forms : forall (R : realFieldType) (d : nat) (B : 'M[R]_d) (v w : 'cV[R]_d),
  [/\ qf B v = (v^T *m B *m v) 0 0, dot v w = (v^T *m 1%:M *m w) 0 0,
      sqn v = (v^T *m 1%:M *m v) 0 0,
      psd B = (B^T = B /\ forall z : 'cV[R]_d, 0 <= (z^T *m B *m z) 0 0) &
      pd B = (B^T = B /\ forall z : 'cV[R]_d, z != 0 -> 0 < (z^T *m B *m z) 0 0)].
Proof. by []. Qed.

(** Algorithm 2, lines 2, 4-9; the potential is the sum. *)
(* slug: definitions *)
Theorem def_algorithm2 : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d) (x : I) (M : 'M[R]_d),
  [/\ start d g = State (0 : 'M[R]_d) (2%:R * d%:R / g) (- (2%:R * d%:R / g)),
      phi M s = \tr (M *m (invmx ((up s)%:M - acc s) + invmx (acc s - (lo s)%:M))),
      Phi s = phi 1%:M s,
      prob U s x = qf (invmx ((up s)%:M - acc s) + invmx (acc s - (lo s)%:M)) (U x) / Phi s &
      weight U g s x = g / Phi s / prob U s x] /\
  step U g s x = State (acc s + weight U g s x *: (U x *m (U x)^T))
    (up s + g / (1 - 2%:R * g) / Phi s) (lo s + g / (1 + 2%:R * g) / Phi s).
Proof. by []. Qed.

(* slug: definitions *)
Theorem def_numbers : forall (R : realFieldType) (d : nat) (g : R) (s : state R d),
  [/\ gap s = up s - lo s, mid s = (up s + lo s) / 2%:R, kap g = 1 - 4%:R * g ^+ 2,
      clk d g = g ^+ 2 / (d%:R * kap g) & rad g s = g * gap s / (4%:R * d%:R) - 1].
Proof. by []. Qed.

(** Runs, and the rules. Line 3 of Algorithm 2 goes on while not [paper_stop]. *)
(* slug: definitions *)
Theorem def_runs : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g T : R) (x : I) (h : seq I) (f : seq I -> R) (stop : pred (seq I)),
  [/\ hst U g [::] = start d g, hst U g (x :: h) = step U g (hst U g h) x,
      past f [::] = 0, past f (x :: h) = past f h + f h & rr U g h = rad g (hst U g h)] /\
  [/\ paper_stop U g h = (8%:R * d%:R / g <= gap (hst U g h) + past (fun h' => Phi (hst U g h')) h),
      sure_stop U g h = (8%:R * d%:R / g <= gap (hst U g h)),
      level_stop U g T h = (4%:R * d%:R / g * (1 + T) <= gap (hst U g h)),
      reach stop [::] = true & reach stop (x :: h) = ~~ stop h && reach stop h].
Proof. by []. Qed.

(** E f(run at min(m, n)) and P(event), over the tree. *)
(* slug: definitions *)
Theorem def_expectation : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)) (n : nat) (f : seq I -> R) (q : pred (seq I)) (h : seq I),
  [/\ Tend U g stop 0 f h = f h,
      Tend U g stop n.+1 f h = (if stop h then f h else \sum_x prob U (hst U g h) x * Tend U g stop n f (x :: h)),
      Exp U g stop n f = Tend U g stop n f [::] &
      Pr U g stop n q = Tend U g stop n (fun h' => (q h')%:R) [::]] /\
  [/\ Tsum U g stop 0 f h = 0,
      Tsum U g stop n.+1 f h = (if stop h then 0 else f h + \sum_x prob U (hst U g h) x * Tsum U g stop n f (x :: h)) &
      forall X1 : pred I, labels X1 h = size (undup (filter X1 h))].
Proof. by move=> *; split; split=> //=; case: ifP. Qed.

(** The data, and Algorithm 1. *)
(* slug: definitions *)
Theorem def_regression : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I) (beta : 'cV[R]_d) (x : I),
  [/\ gram X = \sum_i X i *m (X i)^T,
      reduced_rank X X1 = \tr (invmx (gram X) *m \sum_(i | X1 i) X i *m (X i)^T),
      loss X Y beta = \sum_i (dot (X i) beta - Y i) ^+ 2,
      whitens X P = (P^T *m gram X *m P = 1%:M) & white X P x = P^T *m X x].
Proof. by []. Qed.

(* slug: definitions *)
Theorem def_sample : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (U : I -> 'cV[R]_d) (g : R) (h : seq I) (beta : 'cV[R]_d),
  [/\ forall (V : zmodType) (f : seq I -> I -> V), dsum f [::] = 0 /\ forall x h', dsum f (x :: h') = dsum f h' + f h' x,
      sample_loss X Y U g h beta =
        dsum (fun h' x => weight U g (hst U g h') x / mid (hst U g h) * (dot (X x) beta - Y x) ^+ 2) h,
      sample_gram X U g h = dsum (fun h' x => weight U g (hst U g h') x *: (X x *m (X x)^T)) h,
      sample_rhs X Y U g h = dsum (fun h' x => (weight U g (hst U g h') x * Y x) *: X x) h &
      betahat X Y U g h = invmx (sample_gram X U g h) *m sample_rhs X Y U g h] /\
  [/\ sample_matrix U g h = dsum (fun h' x => (weight U g (hst U g h') x / mid (hst U g h)) *: (U x *m (U x)^T)) h &
      forall h', alpha U g h h' = g / Phi (hst U g h') / mid (hst U g h)].
Proof. by []. Qed.

(** The instances of the refutations: the point 1 on the line, and the points
    3/5 (true) and 4/5 (false) on the line. *)
(* slug: definitions *)
Theorem def_instances : forall (R : realFieldType) (x : unit) (b : bool),
  one R x = 1%:M /\ two R b = (if b then 3%:R / 5%:R else 4%:R / 5%:R)%:M.
Proof. by []. Qed.

(** * Section 3 and the reduced rank. *)

(** The whitening stands in for the SVD: it exists when X has full column
    rank, it gives orthonormal rows, and Tr D = R_X for any of them. *)
(* slug: trace-identity *)
Theorem whitening_exists : forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d),
  gram X \in unitmx -> exists P : 'M[R]_d, P^T *m gram X *m P = 1%:M.
Proof. exact: data_whitening. Qed.

(* slug: trace-identity *)
Theorem whitening_rows : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d),
  whitens X P -> \sum_x white X P x *m (white X P x)^T = 1%:M.
Proof. by move=> R d I X P w; exact: isoU. Qed.

(* slug: trace-identity *)
Theorem trace_identity : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (X1 : pred I),
  whitens X P -> \tr (\sum_(x | X1 x) white X P x *m (white X P x)^T) = \tr (invmx (gram X) *m \sum_(x | X1 x) X x *m (X x)^T).
Proof. by move=> R d I X P X1 w; exact: Regression.trace_identity. Qed.

(** * Algorithm 2, one iteration, from any state strictly between its barriers. *)

(* slug: probabilities-sum *)
Theorem probabilities_sum : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  (forall x, 0 <= prob U s x) /\ \sum_x prob U s x = 1.
Proof. by move=> R d I U s d0 iso p1 p2; split=> [x|]; [exact: prob_ge0 | exact: prob_sum]. Qed.

(** Line 4 as printed: with the trace of the product they sum to the gap. *)
(* slug: alg-potential *)
Theorem alg_potential_refuted : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  \sum_x qf (bracket s) (U x) / \tr (invmx ((up s)%:M - acc s) *m invmx (acc s - (lo s)%:M)) = up s - lo s.
Proof. by move=> R d I U s d0 iso p1 p2; exact: product_potential. Qed.

(* slug: sampling-mass *)
Theorem sampling_mass : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d) (X1 : pred I),
  \sum_(x | X1 x) prob U s x = phi (\sum_(x | X1 x) U x *m (U x)^T) s / Phi s.
Proof. exact: Step.sampling_mass. Qed.

(* slug: rank-one-upper *)
Theorem rank_one_upper : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d) (x : I),
  (0 < d)%N -> 0 < g -> pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  psd (g *: ((up s)%:M - acc s) - weight U g s x *: (U x *m (U x)^T)).
Proof. by move=> R d I U g s x d0 g0 p1 p2; exact: Step.rank_one_upper. Qed.

(** The sharp factor; 2g is an upper bound for it. *)
(* slug: rank-one-lower *)
Theorem rank_one_lower : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  psd ((g * (1 + 2%:R * g) / (1 + g)) *: (acc s - (lo (step U g s x))%:M) - weight U g s x *: (U x *m (U x)^T)).
Proof. by move=> R d I U g s x d0 iso g0 p1 p2; exact: Step.rank_one_lower. Qed.

(** As printed, for all g < 1/2. *)
(* slug: rank-one-lower *)
Theorem rank_one_lower_as_printed : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  psd ((2%:R * g) *: (acc s - (lo (step U g s x))%:M) - weight U g s x *: (U x *m (U x)^T)).
Proof. by move=> R d I U g s x d0 iso g0 g2 p1 p2; exact: rank_one_lower_printed. Qed.

(** On every run, strictly. *)
(* slug: invariant *)
Theorem invariant : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  pd ((up (hst U g h))%:M - acc (hst U g h)) /\ pd (acc (hst U g h) - (lo (hst U g h))%:M).
Proof. by move=> R d I U g h d0 iso g0 g2; exact: inv_h. Qed.

(** The printed range g < 1 is too large: one point on the line, g = 3/5. *)
(* slug: invariant *)
Theorem invariant_refuted : forall R : realFieldType,
  ~ (forall g : R, 0 < g -> g < 1 -> forall h, psd ((up (hst (@one R) g h))%:M - acc (hst (@one R) g h))).
Proof. exact: invariant_false. Qed.

(* slug: potential-monotone *)
Theorem potential_monotone : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) -> psd M ->
  \sum_x prob U s x * phi M (step U g s x) <= phi M s.
Proof. by move=> R d I U g s M d0 iso g0 g2 p1 p2 pM; exact: Step.potential_monotone. Qed.

(* slug: potential-monotone *)
Theorem potential_monotone_loewner : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  psd (bracket s - \sum_x prob U s x *: bracket (step U g s x)).
Proof. by move=> R d I U g s d0 iso g0 g2 p1 p2; exact: mean_bracket. Qed.

(* slug: potential-lower *)
Theorem potential_lower : forall (R : realFieldType) (d : nat) (s : state R d),
  (0 < d)%N -> pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) -> 4%:R * d%:R / (up s - lo s) <= Phi s.
Proof. by move=> R d s d0 p1 p2; exact: Phi_lower. Qed.

(** Before the stop, r < 1, so this is the printed g/2 and sharper. *)
(* slug: potential-lower *)
Theorem potential_lower_run : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  g / (1 + rr U g h) <= Phi (hst U g h) /\ (~~ paper_stop U g h -> rr U g h < 1).
Proof. by move=> R d I U g h d0 iso g0 g2; split; [exact: hPhi_rad | exact: paper_run_rr1]. Qed.

(* slug: potential-lower *)
Theorem potential_lower_as_printed : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> ~~ paper_stop U g h -> g / 2%:R <= Phi (hst U g h).
Proof. by move=> R d I U g h d0 iso g0 g2 ns; exact: potential_lower_printed. Qed.

(** * The identities of a run: r, mid, the barriers, s. *)

(* slug: I1 *)
Theorem clock_increments : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  rr U g [::] = 0 /\ rr U g (x :: h) = rr U g h + clk d g * g / Phi (hst U g h).
Proof. by move=> R d I U g h x d0 iso g0 g2; split; [exact: rr0 | exact: rr_cons]. Qed.

(* slug: I2 *)
Theorem barriers_of_clock : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  [/\ mid (hst U g h) = d%:R / g ^+ 2 * rr U g h,
      up (hst U g h) = (1 + 2%:R * g) * mid (hst U g h) + 2%:R * d%:R / g &
      lo (hst U g h) = (1 - 2%:R * g) * mid (hst U g h) - 2%:R * d%:R / g].
Proof. by move=> R d I U g h d0 iso g0 g2; split; [exact: hmid | exact: hup | exact: hlo]. Qed.

(* slug: I3 *)
Theorem clock_bounds : forall (R : rcfType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  let k := 1 - 4%:R * g ^+ 2 in
  let rho := (- (k / 4%:R) + Num.sqrt ((k / 4%:R) ^+ 2 + 4%:R)) / 2%:R in
  [/\ forall h, k / 4%:R * (rr U g h / (1 + rr U g h)) <= ss U g h,
      forall h, paper_stop U g h = (1 <= rr U g h + ss U g h),
      forall h, ~~ paper_stop U g h -> rr U g h < rho &
      forall h, reach (paper_stop U g) h -> rr U g h <= rho + clk d g * (1 + rho)].
Proof.
move=> R d I U g d0 iso g0 g2 k rho; split; [exact: ss_lower | exact: paper_stopE | exact: paper_run_rho |].
exact: paper_reach_rho.
Qed.

(* slug: I6 *)
Theorem leverage_over_bracket : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d) (x : I),
  (0 < d)%N -> pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) ->
  sqn (U x) <= (up s - lo s) / 4%:R * qf (bracket s) (U x).
Proof. by move=> R d I U s x d0 p1 p2; exact: leverage_ratio. Qed.

(* slug: I8 *)
Theorem potential_growth : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (s : state R d) (x : I) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  pd ((up s)%:M - acc s) -> pd (acc s - (lo s)%:M) -> psd M -> phi M (step U g s x) <= phi M s / (1 - g).
Proof. by move=> R d I U g s x M d0 iso g0 g2 p1 p2 pM; exact: phi_growth. Qed.

(** * The number of iterations. *)

(** A run that has not stopped is shorter than d sqrt(k)/g^2, and the final
    length m (one more draw) has m + 1 < d/g^2. *)
(* slug: m-bound *)
Theorem m_bound : forall (R : rcfType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> ~~ paper_stop U g h ->
  (size h)%:R < d%:R * Num.sqrt (1 - 4%:R * g ^+ 2) / g ^+ 2 /\ ((size h)%:R + 2%:R) * g ^+ 2 < d%:R.
Proof. by move=> R d I U g h d0 iso g0 g2 ns; split; [exact: (paper_short_sqrt d0 iso g0 g2 ns) | exact: (paper_short_lin d0 iso g0 g2 ns)]. Qed.

(* slug: m-bound *)
Theorem m_bound_as_printed : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> reach (paper_stop U g) h -> (size h)%:R <= 2%:R * d%:R / g ^+ 2.
Proof. by move=> R d I U g h d0 iso g0 g2 rh; exact: (m_bound_printed d0 iso g0 g2 rh). Qed.

(* slug: m-bound *)
Theorem termination : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  d%:R ^+ 2 * (1 - 4%:R * g ^+ 2) <= n%:R ^+ 2 * g ^+ 4 -> Pr U g (paper_stop U g) n (paper_stop U g) = 1.
Proof. by move=> R d I U g n d0 iso g0 g2 le; exact: terminates. Qed.

(* slug: m-bound *)
Theorem expected_length : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g : R) (n : nat),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  Exp (white X P) g (paper_stop (white X P) g) n (fun h => (size h)%:R) <= d%:R * (1 - 4%:R * g ^+ 2) / g ^+ 2 + 2%:R /\
  Exp (white X P) g (sure_stop (white X P) g) n (fun h => (size h)%:R) <= d%:R * (1 - 4%:R * g ^+ 2) / g ^+ 2 + 2%:R.
Proof. by move=> R d I X P g n d0 w g0 g2; split; [exact: paper_length | exact: sure_length]. Qed.

(** * The number of labels. *)

(** Counted with multiplicity, equation m1 and Lemma iterations are an
    equality in expectation, the sum starting at j = 0. *)
(* slug: iterations *)
Theorem iterations : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)) (n : nat) (X1 : pred I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  Exp U g stop n (fun h => (count X1 h)%:R) =
  Tsum U g stop n (fun h => phi (\sum_(x | X1 x) U x *m (U x)^T) (hst U g h) / Phi (hst U g h)) [::].
Proof. by move=> R d I U g stop n X1 d0 iso g0 g2; rewrite /Exp Tend_draws // add0r. Qed.

(** As printed, from j = 1, it fails whenever R_X > 0. *)
(* slug: iterations *)
Theorem iterations_refuted : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 < \tr (\sum_(x | X1 x) U x *m (U x)^T) ->
  ~ (Exp U g (paper_stop U g) n.+1 (fun h => (count X1 h)%:R) <=
     \sum_x prob U (start d g) x * Tsum U g (paper_stop U g) n
       (fun h => phi (\sum_(x | X1 x) U x *m (U x)^T) (hst U g h) / Phi (hst U g h)) [:: x]).
Proof. by move=> R d I U g n X1 d0 iso g0 g2 t0; exact: iterations_false. Qed.

(** Pathwise it fails: two points, 3/5 and 4/5; a complete run that only draws
    the first, whose probability is 9/25 at every step. *)
(* slug: eq-m1 *)
Theorem eq_m1_refuted : forall (R : realFieldType) (g : R) (n : nat), 0 < g -> 2%:R * g < 1 -> 1 <= n%:R * g ^+ 2 ->
  exists h : seq bool, [/\ reach (paper_stop (@two R) g) h, paper_stop (@two R) g h,
    forall h', prob (@two R) (hst (@two R) g h') true = 9%:R / 25%:R, all id h &
    past (fun h' => \sum_(b | b) prob (@two R) (hst (@two R) g h') b) h < (count id h)%:R].
Proof. exact: pathwise_false. Qed.

(** I5: the clock lemma, for any rule with r <= rbar; it replaces Wald. *)
(* slug: I5 *)
Theorem clock_lemma : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)) (n : nat) (rbar : R) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> psd M ->
  (forall h, reach stop h -> rr U g h <= rbar) ->
  Tsum U g stop n (fun h => phi M (hst U g h) / Phi (hst U g h)) [::] <= (1 - 4%:R * g ^+ 2) * rbar * \tr M / g ^+ 2.
Proof. by move=> R d I U g stop n rbar M d0 iso g0 g2 pM rb; exact: clock. Qed.

(** What the corollary by Wald's equation was meant to give, for any rule cut
    after n draws; under the paper's rule n = ceil(d sqrt(k)/g^2) is the whole run. *)
(* slug: wald *)
Theorem wald_repaired : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)) (n : nat) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> psd M ->
  Tsum U g stop n (fun h => phi M (hst U g h)) [::] <= n%:R * (g / d%:R * \tr M).
Proof.
move=> R d I U g stop n M d0 iso g0 g2 pM; rewrite -(phi_start d0 g0); exact: potential_sum.
Qed.

(** E[labels] <= (1/g^2 - 2) R_X under both rules; the paper's 4 R_X/g^2 follows. *)
(* slug: query-appendix *)
Theorem query_appendix : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  Exp (white X P) g (paper_stop (white X P) g) n (fun h => (labels X1 h)%:R) <= ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1 /\
  Exp (white X P) g (sure_stop (white X P) g) n (fun h => (labels X1 h)%:R) <= ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof. by move=> R d I X P g n X1 d0 w g0 g2; split; [exact: paper_labels | exact: sure_labels]. Qed.

(** As printed, counting every draw from X1. *)
(* slug: query-appendix *)
Theorem query_appendix_as_printed : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  Exp U g (paper_stop U g) n (fun h => (count X1 h)%:R) <= 4%:R * \tr (\sum_(x | X1 x) U x *m (U x)^T) / g ^+ 2.
Proof. by move=> R d I U g n X1 d0 iso g0 g2; exact: query_appendix_printed. Qed.

(** The main text's 2 R_X/g is false: one point, g = 1/10, at least 21 draws. *)
(* slug: query-main *)
Theorem query_main_refuted : forall R : realFieldType,
  ~ (forall (g : R) (n : nat), 0 < g -> 2%:R * g < 1 ->
     Exp (@one R) g (paper_stop (@one R) g) n (fun h => (count xpredT h)%:R) <=
     2%:R / g * \tr (\sum_x one R x *m (one R x)^T)).
Proof. exact: query_main_false. Qed.

(** * How far the loop goes. *)

(** I4: the tail of r at the stop. *)
(* slug: I4 *)
Theorem tail : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat) (q y : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> 0 < y -> 0 <= q <= 1 ->
  (1 - q) * Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (rr U g h < q)) <=
  ((1 - 4%:R * g ^+ 2) * y * q + (1 - q) / y) / 4%:R.
Proof. by move=> R d I U g n q y d0 iso g0 g2 y0 q01; exact: Tree.tail. Qed.

(* slug: I4 *)
Theorem tail_root : forall (R : rcfType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat) (q : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> 0 < q -> q < 1 ->
  Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (rr U g h < q)) <=
  Num.sqrt ((1 - 4%:R * g ^+ 2) * q / (1 - q)) / 2%:R.
Proof. by move=> R d I U g n q d0 iso g0 g2 q0 q1; exact: tail_sqrt. Qed.

(* slug: um-lower *)
Theorem um_lower : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat) (p : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> d%:R <= n%:R * g ^+ 2 -> 0 <= p ->
  1 - p <= Pr U g (paper_stop U g) n (fun h => paper_stop U g h &&
    (4%:R * p ^+ 2 / (1 + 4%:R * p ^+ 2) * d%:R / g ^+ 2 <= up (hst U g h))).
Proof. by move=> R d I U g n p d0 iso g0 g2 hn p0; exact: Tree.um_lower. Qed.

(** As printed, for all g < 1/2. *)
(* slug: um-lower *)
Theorem um_lower_as_printed : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat) (p : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> d%:R <= n%:R * g ^+ 2 -> 0 <= p -> p < 1 ->
  1 - p <= Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (p ^+ 2 * d%:R / (8%:R * g ^+ 2) <= up (hst U g h))).
Proof. by move=> R d I U g n p d0 iso g0 g2 hn p0 p1; exact: um_lower_printed. Qed.

(* slug: event-gamma *)
Theorem event_gamma : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> d%:R <= n%:R * g ^+ 2 ->
  14%:R / 15%:R <= Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (d%:R / (64%:R * g ^+ 2) <= up (hst U g h))).
Proof. by move=> R d I U g n d0 iso g0 g2 hn; exact: Tree.event_gamma. Qed.

(** The last gap, for g <= 1/sqrt(10); it fails at g = 23/50. *)
(* slug: gap-final *)
Theorem gap_final : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (x : I) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> 10%:R * g ^+ 2 <= 1 -> ~~ paper_stop U g h ->
  up (hst U g (x :: h)) - lo (hst U g (x :: h)) <= 9%:R * d%:R / g.
Proof. by move=> R d I U g x h d0 iso g0 g2 gs ns; exact: Run.gap_final. Qed.

(* slug: gap-final *)
Theorem gap_final_refuted : forall R : realFieldType,
  ~ (forall g : R, 0 < g -> 2%:R * g < 1 -> forall x h, reach (paper_stop (@one R) g) (x :: h) ->
     up (hst (@one R) g (x :: h)) - lo (hst (@one R) g (x :: h)) <= 9%:R * 1%:R / g).
Proof. exact: gap_final_false. Qed.

(* slug: lm-positive *)
Theorem lm_positive : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  (0 < lo (hst U g h)) = (4%:R * d%:R / (g * (1 - 2%:R * g)) < up (hst U g h)) /\
  (258%:R * g < 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst U g h) -> 0 < lo (hst U g h)).
Proof. by move=> R d I U g h d0 iso g0 g2; split; [exact: lo_gt0 | exact: lo_gamma]. Qed.

(** The identity; on the event 1 + 260 g/(1 - 258 g), and the printed
    1 + 3456 g for g <= 1/279. *)
(* slug: condition-number *)
Theorem condition_number : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  (0 < up (hst U g h) -> (up (hst U g h) - lo (hst U g h)) / up (hst U g h) =
     4%:R * g * (1 + d%:R / (g ^+ 2 * up (hst U g h))) / (1 + 2%:R * g)) /\
  (258%:R * g < 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
     up (hst U g h) / lo (hst U g h) <= 1 + 260%:R * g / (1 - 258%:R * g)) /\
  (279%:R * g <= 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
     up (hst U g h) / lo (hst U g h) <= 1 + 3456%:R * g).
Proof.
move=> R d I U g h d0 iso g0 g2; split; first exact: gap_over_up.
by split; [exact: condition_gamma | exact: condition_printed].
Qed.

(** A^T A within 1 +- 2g(1 + 1/r_m), on every run. *)
(* slug: spectral *)
Theorem spectral : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I) (T : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> 0 < T -> T <= rr U g h ->
  psd ((1 + 2%:R * g * (1 + T^-1))%:M - sample_matrix U g h) /\
  psd (sample_matrix U g h - (1 - 2%:R * g * (1 + T^-1))%:M).
Proof. by move=> R d I U g h T d0 iso g0 g2 T0 le; exact: spectral_white. Qed.

(** The printed 1728 g on the event, with the range that was omitted. *)
(* slug: spectral *)
Theorem spectral_event : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> 139%:R * g <= 1 ->
  d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
  psd ((1 + 1728%:R * g)%:M - sample_matrix U g h) /\ psd (sample_matrix U g h - (1 - 1728%:R * g)%:M).
Proof. by move=> R d I U g h d0 iso g0 g2 gs hu; exact: spectral_gamma. Qed.

(* slug: spectral *)
Theorem spectral_probability : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> d%:R <= n%:R * g ^+ 2 ->
  exists good : pred (seq I),
  3%:R / 4%:R <= Pr U g (paper_stop U g) n good /\
  forall h, good h -> [/\ paper_stop U g h, psd ((1 + 12%:R * g)%:M - sample_matrix U g h) &
     psd (sample_matrix U g h - (1 - 12%:R * g)%:M)].
Proof. by move=> R d I U g n d0 iso g0 g2 hn; exact: spectral_12. Qed.

(* slug: sum-alpha *)
Theorem sum_alpha : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> h != [::] ->
  past (fun h' => g / Phi (hst U g h') / mid (hst U g h)) h = 1 - 4%:R * g ^+ 2.
Proof. by move=> R d I U g h d0 iso g0 g2 n; exact: Run.sum_alpha. Qed.

(** K with the ratio D/D_i, as a supremum over the points x and directions v. *)
(* slug: alpha-k *)
Theorem alpha_k : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h h' : seq I) (x : I) (v : 'cV[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> h != [::] -> v != 0 ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <=
  g / mid (hst U g h) * ((up (hst U g h') - lo (hst U g h')) / 4%:R).
Proof. by move=> R d I U g h h' x v d0 iso g0 g2 n v0; exact: Run.alpha_k. Qed.

(** The printed 512 g^2 on the event, for g <= 1/172. *)
(* slug: alpha-k *)
Theorem alpha_k_event : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h h' : seq I) (x : I) (v : 'cV[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> 172%:R * g <= 1 ->
  d%:R / (64%:R * g ^+ 2) <= up (hst U g h) -> v != 0 -> ~~ paper_stop U g h' ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <= 512%:R * g ^+ 2.
Proof. by move=> R d I U g h h' x v d0 iso g0 g2 gs hu v0 ns; exact: alpha_k_gamma. Qed.

(** On the line the corrected bound is attained at j = 0, so the printed
    equality, with /2, is off by a factor 2. *)
(* slug: alpha-k *)
Theorem alpha_k_refuted : forall (R : realFieldType) (g : R) h x (v : 'cV[R]_1), 0 < g -> 2%:R * g < 1 -> h != [::] -> v != 0 ->
  alpha (@one R) g h [::] * (dot (one R x) v ^+ 2 / sqn v / prob (@one R) (hst (@one R) g [::]) x) =
    g / mid (hst (@one R) g h) * ((up (hst (@one R) g [::]) - lo (hst (@one R) g [::])) / 4%:R) /\
  alpha (@one R) g h [::] * (dot (one R x) v ^+ 2 / sqn v / prob (@one R) (hst (@one R) g [::]) x) <
    g / mid (hst (@one R) g h) * ((up (hst (@one R) g [::]) - lo (hst (@one R) g [::])) / 2%:R).
Proof. by move=> R g h x v g0 g2 n v0; split; [exact: alpha_k_attained | exact: alpha_k_false]. Qed.

(* slug: well-balanced *)
Theorem well_balanced : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> 48%:R * g <= 1 -> d%:R <= n%:R * g ^+ 2 ->
  exists good : pred (seq I),
  3%:R / 4%:R <= Pr U g (paper_stop U g) n good /\
  forall h, good h ->
    [/\ paper_stop U g h,
        psd ((5%:R / 4%:R)%:M - sample_matrix U g h) /\ psd (sample_matrix U g h - (3%:R / 4%:R)%:M),
        past (alpha U g h) h = 1 - 4%:R * g ^+ 2 &
        forall h' x (v : 'cV[R]_d), ~~ paper_stop U g h' -> v != 0 ->
          alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <= 10%:R * g ^+ 2].
Proof. by move=> R d I U g n d0 iso g0 g2 g48 hn; exact: WellBalanced.well_balanced. Qed.

(** * Algorithm 1. *)

(** betahat is the unique minimiser of the weighted loss on the sample wherever
    l_m > 0, and uses only the labels of the sampled points. *)
(* slug: weighted-least-squares *)
Theorem betahat_minimises : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R) (h : seq I) (beta : 'cV[R]_d),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < lo (hst (white X P) g h) -> beta != betahat X Y (white X P) g h ->
  sample_loss X Y (white X P) g h (betahat X Y (white X P) g h) < sample_loss X Y (white X P) g h beta.
Proof. by move=> R d I X Y P g h beta d0 w g0 g2 l0 ne; exact: sample_min. Qed.

(* slug: weighted-least-squares *)
Theorem betahat_uses_sampled_labels : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y Y' : I -> R) (P : 'M[R]_d) (g : R) (h : seq I),
  {in h, Y =1 Y'} -> betahat X Y (white X P) g h = betahat X Y' (white X P) g h.
Proof. by move=> R d I X Y Y' P g h e; exact: betahat_local. Qed.

(** I7, the noise lemma: excess loss against the noise vector, and one step of
    its second moment; [betastar] minimises the loss. *)
(* slug: I7 *)
Theorem noise_lemma : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  let v := dsum (fun h' x => (weight U g (hst U g h') x * (Y x - dot (X x) (betastar X Y))) *: U x) in
  [/\ forall beta, loss X Y (betastar X Y) <= loss X Y beta,
      0 < lo (hst U g h) -> loss X Y (betahat X Y U g h) - loss X Y (betastar X Y) <= sqn (v h) / lo (hst U g h) ^+ 2 &
      \sum_x prob U (hst U g h) x * sqn (v (x :: h)) <=
        sqn (v h) + loss X Y (betastar X Y) * (d%:R ^+ 2 * (1 - 4%:R * g ^+ 2) / g ^+ 2) *
        ((1 + rr U g h) * (clk d g * g / Phi (hst U g h)))].
Proof.
move=> R d I X Y P g h d0 w g0 g2 U v; split; [exact: (opt_min Y w) | exact: excess | exact: noise_moment].
Qed.

(** The paper's own rule, C_0 = 33: probability 3/4, the loop surely stops, the
    expected labels, and the number of draws, surely. *)
(* slug: main *)
Theorem main : forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (eps : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 -> 33%:R ^+ 2 * d%:R <= n%:R * eps ->
  let g := Num.sqrt eps / 33%:R in
  let U := white X P in
  let stop := paper_stop U g in
  [/\ forall beta, 3%:R / 4%:R <= Pr U g stop n (fun h =>
        [&& stop h, 0 < lo (hst U g h) & loss X Y (betahat X Y U g h) <= (1 + eps) * loss X Y beta]),
      Pr U g stop n stop = 1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <= (33%:R ^+ 2 / eps - 2%:R) * reduced_rank X X1 &
      forall h, reach stop h -> (size h)%:R < 33%:R ^+ 2 * d%:R / eps].
Proof. by move=> R d I X Y P eps n X1 d0 w e0 e1 hn; exact: main_eps. Qed.

(* slug: main *)
Theorem main_gamma : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R) (n : nat) (beta : 'cV[R]_d),
  (0 < d)%N -> whitens X P -> 0 < g -> 33%:R * g <= 1 -> d%:R <= n%:R * g ^+ 2 ->
  3%:R / 4%:R <= Pr (white X P) g (paper_stop (white X P) g) n (fun h =>
    [&& paper_stop (white X P) g h, 0 < lo (hst (white X P) g h) &
        loss X Y (betahat X Y (white X P) g h) <= (1 + 33%:R ^+ 2 * g ^+ 2) * loss X Y beta]).
Proof. by move=> R d I X Y P g n beta d0 w g0 gl hn; exact: main_probability. Qed.

(** * Beyond the paper: stop on the gap alone. *)

(** At 8d/g: at every stopped leaf the spectrum is within 4g and l_m > 0,
    surely; labels, draws and loss in expectation, for every horizon n. *)
(* slug: sure-stop *)
Theorem sure_stop_theorem : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 4%:R * g < 1 ->
  let U := white X P in
  let stop := sure_stop U g in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <= ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= d%:R * (1 - 4%:R * g ^+ 2) / g ^+ 2 + 2%:R,
      forall h, stop h -> [/\ 0 < lo (hst U g h), psd ((1 + 4%:R * g)%:M - (mid (hst U g h))^-1 *: acc (hst U g h)) &
        psd ((mid (hst U g h))^-1 *: acc (hst U g h) - (1 - 4%:R * g)%:M)] &
      forall beta, Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + 3%:R / 2%:R * g ^+ 2 / (1 - 4%:R * g) ^+ 2) * loss X Y beta].
Proof.
move=> R d I X Y P g n X1 d0 w g0 g4 U stop.
have g2 : 2%:R * g < 1 by apply: lt_trans g4; rewrite ltr_pmul2r // ltr_nat.
split; [exact: sure_labels | exact: sure_length | | by move=> beta; exact: sure_loss].
by move=> h st; have [s1 s2] := sure_spectral d0 w g0 g2 st; split=> //; exact: sure_lo st.
Qed.

(** At any level T. *)
(* slug: sure-stop *)
Theorem level_stop_theorem : forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g T : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < T -> 2%:R * g < (1 - 2%:R * g) * T ->
  let U := white X P in
  let stop := level_stop U g T in
  let k := 1 - 4%:R * g ^+ 2 in
  let rbar := T + g ^+ 2 / (d%:R * k) * (1 + T) in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <= k * rbar / g ^+ 2 * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= k * rbar * d%:R / g ^+ 2,
      forall h, stop h -> psd ((1 + 2%:R * g * (1 + T^-1))%:M - (mid (hst U g h))^-1 *: acc (hst U g h)) /\
        psd ((mid (hst U g h))^-1 *: acc (hst U g h) - (1 - 2%:R * g * (1 + T^-1))%:M) &
      forall beta, Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + g ^+ 2 * k * (rbar + rbar ^+ 2 / 2%:R) / ((1 - 2%:R * g) * T - 2%:R * g) ^+ 2) * loss X Y beta].
Proof.
move=> R d I X Y P g T n X1 d0 w g0 g2 T0 gT U stop k rbar.
split; [exact: level_labels | exact: level_length | | by move=> beta; exact: level_loss].
by move=> h; rewrite /stop level_stopE // => le; exact: spectral_at.
Qed.

(** g = sqrt(eps/28), every eps <= 1. *)
(* slug: sure-stop *)
Theorem sure_stop_epsilon : forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (eps : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 ->
  let g := Num.sqrt (eps / 28%:R) in
  let U := white X P in
  let stop := sure_stop U g in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <= 28%:R / eps * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= 28%:R * d%:R / eps,
      forall beta, Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <= (1 + eps) * loss X Y beta &
      forall beta t, 0 < t -> 1 - t^-1 - 28%:R * d%:R / eps / n.+1%:R <=
        Pr U g stop n (fun h => stop h && (loss X Y (betahat X Y U g h) <= (1 + t * eps) * loss X Y beta))].
Proof. by move=> R d I X Y P eps n X1 d0 w e0 e1; exact: sure_stop_eps. Qed.

(** The g for which the bound on the loss is 1 + eps exactly, for every eps;
    (sqrt(3/2) + 4)^2 < 27.3 bounds the constant for eps <= 1. *)
(* slug: sure-stop *)
Theorem sure_stop_best_gamma : forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (eps : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps ->
  let c := Num.sqrt (3%:R / 2%:R) + 4%:R * Num.sqrt eps in
  let g := Num.sqrt eps / c in
  let U := white X P in
  let stop := sure_stop U g in
  [/\ 4%:R * g < 1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <= (c ^+ 2 / eps - 2%:R) * reduced_rank X X1 &
      forall beta, Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <= (1 + eps) * loss X Y beta].
Proof. by move=> R d I X Y P eps n X1 d0 w e0; exact: sure_stop_best. Qed.

(** The constant tends to 1. *)
(* slug: sure-stop *)
Theorem sure_stop_sharp : forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (eps delta : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> 0 < delta -> 2%:R * delta <= 1 -> 64%:R * eps <= delta ^+ 3 ->
  let g := Num.sqrt (eps * delta / (1 + 29%:R / 10%:R * delta)) in
  let U := white X P in
  let stop := level_stop U g delta in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <= (1 + 3%:R * delta) / eps * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= (1 + 3%:R * delta) / eps * d%:R &
      forall beta, Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <= (1 + eps) * loss X Y beta].
Proof. by move=> R d I X Y P eps delta n X1 d0 w e0 de0 de1 le; exact: sharp_eps. Qed.

(** * Exact values, to compare a program with. *)

(** The first iteration on any data: leverage scores over d. *)
(* slug: first-step *)
Theorem first_iteration : forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (x : I),
  (0 < d)%N -> 0 < g -> U x != 0 ->
  [/\ Phi (start d g) = g, prob U (start d g) x = sqn (U x) / d%:R,
      weight U g (start d g) x = d%:R / sqn (U x) &
      step U g (start d g) x = State ((d%:R / sqn (U x)) *: (U x *m (U x)^T))
        (2%:R * d%:R / g + (1 - 2%:R * g)^-1) ((1 + 2%:R * g)^-1 - 2%:R * d%:R / g)].
Proof. by move=> R d I U g x d0 g0 n; exact: first_step. Qed.

(** On the line the potential is a function of r, and at g = 2/5 the run has
    exactly two draws. *)
(* slug: line *)
Theorem line_values : forall (R : realFieldType) (g : R), 0 < g -> 2%:R * g < 1 ->
  forall h, Phi (hst (@one R) g h) =
  g / 2%:R * ((1 + (1 + 2%:R * g) * rr (@one R) g h)^-1 + (1 + (1 - 2%:R * g) * rr (@one R) g h)^-1).
Proof. by move=> R g g0 g2 h; exact: line_potential. Qed.

(* slug: line *)
Theorem line_two_draws : forall (R : realFieldType) (n : nat),
  Exp (@one R) (2%:R / 5%:R) (paper_stop (@one R) (2%:R / 5%:R)) n.+2 (fun h => (size h)%:R) = 2%:R.
Proof. exact: line_length. Qed.
