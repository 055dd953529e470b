(** What is proved beyond the paper: every statement in full, closed by the
    theorem it names; directly above each stands the slug of its claim. Read
    SpecBeyond.v first. R is any real field, or any real closed field where
    a square root occurs. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run Tree Regression.
From Asura Require Import SpecBeyond Beyond.FreeDraws.
From Asura Require Import Beyond.TailSharp Beyond.MainAny Beyond.MainEps.
From Asura Require Import Beyond.Move Beyond.Drift Beyond.TightRates.
From Asura Require Import Beyond.Policy Beyond.OneSided Beyond.OneSidedData.
From Asura Require Import Beyond.SureBudget Beyond.BudgetTail Beyond.TwoSided.
From Asura Require Import Beyond.TwoSidedRun Beyond.TwoSidedData Beyond.TwoSidedMain.
From Asura Require Import Beyond.Chain Beyond.TwoSidedExact Beyond.PaperInstance.
From Asura Require Import Beyond.NoLabel Beyond.Shrunken Beyond.Powers.
From Asura Require Import Beyond.IidDraws Beyond.IidEstimators.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** * Draw for free, look, then pay. *)

(** The wrapper. [mu] is the law of any procedure that chooses weights [w o]
    without reading a label and leaves weight 1 outside X1; G is any event
    on which the weighted Gram matrix is at least a times the Gram matrix.
    The excess on G is at most E|v|^2/a^2; drawing again until G, at most n
    times, divides it by P(G). *)
(* slug: free-draws *)
Theorem label_blind_wrapper : forall (R : realFieldType) (d : nat)
  (I O : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I)
  (mu : O -> R) (w : O -> I -> R) (a : R) (G : pred O) (n : nat),
  gram X \in unitmx -> law mu -> (forall o, kept X1 (w o)) -> 0 < a ->
  (forall o, G o -> psd (weighted_gram X (w o) - a *: gram X)) ->
  let excess o := loss X Y (weighted_fit X Y (w o)) - opt X Y in
  let size := mean mu (fun o => noise_size X Y X1 (w o)) in
  [/\ mean mu (fun o => (G o)%:R * excess o) <= size / a ^+ 2,
      redrawn mu G n excess * chance mu G =
        (1 - (1 - chance mu G) ^+ n) * mean mu (fun o => (G o)%:R * excess o) &
      0 < chance mu G ->
        mean mu (fun o => (G o)%:R * excess o) / chance mu G
          <= size / (a ^+ 2 * chance mu G) /\
        redrawn mu G n excess <= size / (a ^+ 2 * chance mu G)].
Proof.
move=> R d I O X Y X1 mu w a G n uG l k a0 g /=; split.
- exact: wrapper.
- exact: redrawE.
- by move=> c0; split; [exact: wrapper_given | exact: wrapper_redrawn].
Qed.

(** Independent coins: they are a law, so many labels are expected, and the
    noise has this mean. *)
(* slug: free-draws *)
Theorem coins_law : forall (R : realFieldType) (I : finType) (p : I -> R)
  (X1 : pred I), (forall x, X1 x -> 0 <= p x <= 1) ->
  law (coin_mass p X1) /\
  mean (coin_mass p X1) (fun S => #|S|%:R) = \sum_(x | X1 x) p x.
Proof. by move=> R I p X1 h; split; [exact: coin_law | exact: coin_labels]. Qed.

(* slug: free-draws *)
Theorem coins_noise : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (p : I -> R),
  (forall x, X1 x -> p x = 0 -> X x = 0) ->
  mean (coin_mass p X1) (fun S => noise_size X Y X1 (coin_weight p X1 S)) =
  \sum_(x | X1 x) (1 - p x) / p x * leverage_of X x * resid X Y x ^+ 2.
Proof. exact: coin_noise. Qed.

(** The method: coins with l (1 - p) <= tau p, any test G of the chosen set
    that implies M >= a and at most B labels. *)
(* slug: free-draws *)
Theorem free_draws_method : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (p : I -> R) (tau a : R)
  (B n : nat) (G : pred {set I}),
  gram X \in unitmx -> 0 <= tau -> 0 < a ->
  (forall x, X1 x -> 0 <= p x <= 1) ->
  (forall x, X1 x -> leverage_of X x * (1 - p x) <= tau * p x) ->
  (forall S, G S -> psd (weighted_gram X (coin_weight p X1 S) - a *: gram X)
     /\ (#|S| <= B)%N) ->
  let mu := coin_mass p X1 in
  let fit S := weighted_fit X Y (coin_weight p X1 S) in
  let excess S := loss X Y (fit S) - opt X Y in
  [/\ mean mu (fun S => (G S)%:R * excess S) <= tau * opt_on X Y X1 / a ^+ 2,
      0 < chance mu G ->
        mean mu (fun S => (G S)%:R * excess S) / chance mu G
          <= tau * opt_on X Y X1 / (a ^+ 2 * chance mu G) /\
        redrawn mu G n excess <= tau * opt_on X Y X1 / (a ^+ 2 * chance mu G),
      forall S, G S -> (bought X1 (coin_weight p X1 S) <= B)%N,
      forall S beta, G S -> beta != fit S ->
        weighted_loss X Y (coin_weight p X1 S) (fit S) <
        weighted_loss X Y (coin_weight p X1 S) beta &
      forall (S : {set I}) (Y' : I -> R),
        (forall x, (x \in S) || ~~ X1 x -> Y x = Y' x) ->
        fit S = weighted_fit X Y' (coin_weight p X1 S)].
Proof.
move=> R d I X Y X1 p tau a B n G uG t0 a0 p01 pt g /=; split.
- exact: free_draws g.
- by move=> c0; split;
    [exact: free_draws_given g c0 | exact: free_draws_redrawn g n c0].
- exact: free_draws_budget g.
- by move=> S beta; exact: (free_draws_fit uG a0 g).
- exact: free_draws_local.
Qed.

(** The best coins for tau: p = l/(l+tau) meets the condition with equality,
    and at most R_X/tau labels are expected. *)
(* slug: free-draws *)
Theorem free_draws_best : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (X1 : pred I) (tau : R),
  gram X \in unitmx -> 0 < tau ->
  let p x := leverage_of X x / (leverage_of X x + tau) in
  [/\ forall x, 0 <= p x <= 1,
      forall x, leverage_of X x * (1 - p x) = tau * p x,
      mean (coin_mass p X1) (fun S => #|S|%:R) =
        \sum_(x | X1 x) leverage_of X x / (leverage_of X x + tau) &
      \sum_(x | X1 x) leverage_of X x / (leverage_of X x + tau)
        <= reduced_rank X X1 / tau].
Proof.
move=> R d I X X1 tau uG t0 /=; split.
- exact: best_unit.
- exact: best_tau.
- exact: free_draws_tau.
- exact: best_labels.
Qed.

(** * The paper's algorithm, sharper. *)

(** One step from any state between the barriers: the mean of each inverse
    falls by a multiple of its square. *)
(* slug: drift *)
Theorem drift_upper : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> inv s ->
  psd (invmx (upper s)
       - (g ^+ 2 / ((1 - g) * (1 - 2%:R * g)) / Phi s)
           *: (invmx (upper s) *m invmx (upper s))
       - \sum_x prob U s x *: invmx (upper (step U g s x))).
Proof. by move=> *; exact: drift_above. Qed.

(* slug: drift *)
Theorem drift_lower : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  inv s ->
  psd (invmx (lower s)
       - (g ^+ 2 / ((1 + 2%:R * g) * (1 + 2%:R * g + 2%:R * g ^+ 2)) / Phi s)
           *: (invmx (lower s) *m invmx (lower s))
       - \sum_x prob U s x *: invmx (lower (step U g s x))).
Proof. by move=> *; exact: drift_below. Qed.

(** The bracket falls by the factor 1 - th (r'-r)/(1+r); r' - r is known
    before the draw. *)
(* slug: theta-supermartingale *)
Theorem theta_bracket : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g th : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> inv s ->
  th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= 1 - 4%:R * g ^+ 2 ->
  (forall x, rad g (step U g s x) = rad g s + clk d g * g / Phi s) /\
  psd ((1 - th * (clk d g * g / Phi s / (1 + rad g s))) *: bracket s
       - \sum_x prob U s x *: bracket (step U g s x)).
Proof.
move=> R d I U g th s d0 iso g0 g2 g5 ins t; split.
  by move=> x; exact: rad_step.
exact: Drift.theta_bracket.
Qed.

(** Without powers: (1+r)/(1+(1-th) r) Phi^M is a supermartingale. *)
(* slug: theta-supermartingale *)
Theorem theta_supermartingale : forall (R : realFieldType) (d : nat)
  (I : finType) (U : I -> 'cV[R]_d) (g th : R) (h : seq I) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> 0 <= th <= 1 ->
  th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= 1 - 4%:R * g ^+ 2 ->
  psd M ->
  let F r := (1 + r) / (1 + (1 - th) * r) in
  forall x0, \sum_x prob U (hst U g h) x *
      (F (rr U g (x0 :: h)) * phi M (hst U g (x :: h)))
    <= F (rr U g h) * phi M (hst U g h).
Proof. by move=> R d I U g th h M d0 iso g0 g2 g5 t01 t pM F x0; exact: theta_super. Qed.

(** The labels that follow: rbar = 1 + 2c is replaced by a smaller number. *)
(* slug: theta-supermartingale *)
Theorem theta_labels : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g th : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> 0 <= th <= 1 ->
  th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= 1 - 4%:R * g ^+ 2 ->
  let U := white X P in
  let c := clk d g in
  let rbar := 1 + 2%:R * c in
  Exp U g (paper_stop U g) n (fun h => (labels X1 h)%:R) <=
  kap g * (rbar + c * (1 + rbar) / 2%:R - th * rbar ^+ 2 / (2%:R * (1 + rbar)))
    * reduced_rank X X1 / g ^+ 2.
Proof.
move=> R d I X P g th n X1 d0 w g0 g2 g5 t01 t /=.
rewrite -(Regression.trace_identity w).
exact: labels_drift (isoU w) g0 g2 g5 t01 t n X1.
Qed.

(** With true powers: th = a/b, and pw(x) = x^th for x >= 1, which means
    pw(x)^b = x^a. Over a real closed field there is such a function. *)
(* slug: theta-supermartingale *)
Theorem theta_power_exists : forall (R : rcfType) (a b : nat), (0 < b)%N ->
  exists pw : R -> R, forall x, 1 <= x -> 0 < pw x /\ pw x ^+ b = x ^+ a.
Proof. exact: power_exists. Qed.

(** (1+r)^th Phi^M is a supermartingale, and in the clock lemma rbar is replaced
    by (1+c)^th ((1+rbar)^(1-th) - 1)/(1-th). *)
(* slug: theta-supermartingale *)
Theorem theta_powers : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g : R) (a b : nat) (pw : R -> R) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> (a < b)%N ->
  a%:R / b%:R * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3)
    <= 1 - 4%:R * g ^+ 2 ->
  (forall x, 1 <= x -> 0 < pw x /\ pw x ^+ b = x ^+ a) -> psd M ->
  (forall h x0, \sum_x prob U (hst U g h) x *
       (pw (1 + rr U g (x0 :: h)) * phi M (hst U g (x :: h)))
     <= pw (1 + rr U g h) * phi M (hst U g h)) /\
  (forall (stop : pred (seq I)) n rbar,
     (forall h, reach stop h -> rr U g h <= rbar) ->
     Tsum U g stop n (fun h => phi M (hst U g h) / Phi (hst U g h)) [::]
     <= kap g * (pw (1 + clk d g) * ((1 + rbar) / pw (1 + rbar) - 1)
                 / (1 - a%:R / b%:R)) * \tr M / g ^+ 2).
Proof.
move=> R d I U g a b pw M d0 iso g0 g2 g5 ab th pwP pM.
have b0 : (0 < b)%N by apply: leq_ltn_trans ab.
split=> [h x0|st n rbar rb].
  exact: (power_martingale d0 iso g0 g2 g5 b0 th pwP h x0 pM).
exact: (power_clock d0 iso g0 g2 g5 b0 ab th pwP n pM rb).
Qed.

(** The labels under the paper's rule. *)
(* slug: theta-supermartingale *)
Theorem theta_power_labels : forall (R : realFieldType) (d : nat)
  (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g : R) (a b : nat)
  (pw : R -> R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> (a < b)%N ->
  a%:R / b%:R * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3)
    <= 1 - 4%:R * g ^+ 2 ->
  (forall x, 1 <= x -> 0 < pw x /\ pw x ^+ b = x ^+ a) ->
  let U := white X P in
  let rbar := 1 + 2%:R * clk d g in
  Exp U g (paper_stop U g) n (fun h => (labels X1 h)%:R) <=
  kap g * (pw (1 + clk d g) * ((1 + rbar) / pw (1 + rbar) - 1)
           / (1 - a%:R / b%:R)) * reduced_rank X X1 / g ^+ 2.
Proof.
move=> R d I X P g a b pw n X1 d0 w g0 g2 g5 ab th pwP.
have b0 : (0 < b)%N by apply: leq_ltn_trans ab.
have := power_labels d0 (isoU w) g0 g2 g5 b0 ab th pwP n X1.
by rewrite (trace_identity w).
Qed.

(** The tail of r at the paper's stop, for all g < 1/2; L stands for
    2 sqrt((1-q)/(k q)), or any smaller number. *)
(* slug: tail-sharp *)
Theorem tail_sharp : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g : R) (n : nat) (q L : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 < q -> 0 < L -> 1 < (1 + q) * L ->
  (1 - 4%:R * g ^+ 2) * L ^+ 2 * q <= 4%:R * (1 - q) ->
  Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (rr U g h < q))
  <= q / ((1 + q) * L - 1).
Proof. by move=> *; exact: TailSharp.tail_sharp. Qed.

(* slug: tail-sharp *)
Theorem tail_sharp_theta : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g th : R) (n : nat) (q L : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> 0 <= th <= 1 ->
  th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= 1 - 4%:R * g ^+ 2 ->
  0 < q -> 0 < L -> 1 < (1 + (1 - th) * q) * L ->
  (1 - 4%:R * g ^+ 2) * L ^+ 2 * q <= 4%:R * (1 - q) ->
  Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (rr U g h < q))
  <= (1 - th) * q / ((1 + (1 - th) * q) * L - 1).
Proof. by move=> *; exact: tail_theta. Qed.

(** The main theorem for any C, any level q and any tangent y: t is any
    bound on the tail at q. *)
(* slug: main-15 *)
Theorem main_any_constant : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g C q y t : R) (n : nat)
  (beta : 'cV[R]_d),
  (0 < d)%N -> whitens X P -> 0 < g -> C * g <= 1 -> 2%:R < C ->
  0 <= q <= 1 -> 0 < y -> d%:R <= n%:R * g ^+ 2 ->
  let D r := (C - 2%:R) * r - 2%:R in
  let far r := (C / (C - 2%:R)) ^+ 2
    * (D r / (2%:R * y) - (C + y / 2%:R) / D r) in
  let total := (C / D q) ^+ 2 * (q + q ^+ 2 / 2%:R)
    + (far (1 + 2%:R / (C ^+ 2 - 4%:R)) - far q) in
  let U := white X P in
  let stop := paper_stop U g in
  0 < D q ->
  Pr U g stop n (fun h => stop h && (rr U g h < q)) <= t ->
  1 - (t + total / C ^+ 2) <= Pr U g stop n (fun h =>
    [&& stop h, 0 < lo (hst U g h) &
        loss X Y (betahat X Y U g h)
          <= (1 + C ^+ 2 * g ^+ 2) * loss X Y beta]).
Proof.
move=> R d I X Y P g C q y t n beta d0 w g0 gC C2 q01 y0 hn D far total U stop D0.
exact: (main_any Y d0 w g0 gC C2 q01 y0 D0 beta hn).
Qed.

(** With C = 15: g = sqrt(eps)/15. *)
(* slug: main-15 *)
Theorem main_15 : forall (R : rcfType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (eps : R) (n : nat)
  (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 ->
  15%:R ^+ 2 * d%:R <= n%:R * eps ->
  let U := white X P in
  let g := Num.sqrt eps / 15%:R in
  let stop := paper_stop U g in
  [/\ forall beta, 3%:R / 4%:R <= Pr U g stop n (fun h =>
        [&& stop h, 0 < lo (hst U g h) &
            loss X Y (betahat X Y U g h) <= (1 + eps) * loss X Y beta]),
      Pr U g stop n stop = 1,
      Exp U g stop n (fun h => (labels X1 h)%:R)
        <= (15%:R ^+ 2 / eps - 2%:R) * reduced_rank X X1 &
      forall h, reach stop h -> (size h)%:R < 15%:R ^+ 2 * d%:R / eps].
Proof. by move=> *; exact: main_eps_15. Qed.

(** With C = 13, by the theta-supermartingale: 150 R_X/eps labels. *)
(* slug: main-13 *)
Theorem main_13 : forall (R : rcfType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (eps : R) (n : nat)
  (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 ->
  13%:R ^+ 2 * d%:R <= n%:R * eps ->
  let U := white X P in
  let g := Num.sqrt eps / 13%:R in
  let stop := paper_stop U g in
  [/\ forall beta, 3%:R / 4%:R <= Pr U g stop n (fun h =>
        [&& stop h, 0 < lo (hst U g h) &
            loss X Y (betahat X Y U g h) <= (1 + eps) * loss X Y beta]),
      Pr U g stop n stop = 1,
      Exp U g stop n (fun h => (labels X1 h)%:R)
        <= 150%:R / eps * reduced_rank X X1 &
      forall h, reach stop h -> (size h)%:R < 13%:R ^+ 2 * d%:R / eps].
Proof. by move=> *; exact: main_eps_13. Qed.

(** * The same algorithm with other rates. *)

(** One step with any rates cu >= g/(1-g), cl (1 + g/(1-cl)) <= g: the
    barriers stay strict and the bracket does not grow in the mean. *)
(* slug: tight-rates *)
Theorem rates_one_step : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g cu cl : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> g < 1 ->
  0 <= cu -> 0 <= cl -> cl < 1 -> inv s ->
  (forall x, inv (rated_step U g cu cl s x)) /\
  (0 <= cu - g / (1 - g) -> 0 <= g / (1 + g / (1 - cl)) - cl ->
   psd (bracket s - \sum_x prob U s x *: bracket (rated_step U g cu cl s x))).
Proof.
move=> R d I U g cu cl s d0 iso g0 g1 u0 l0 l1 ins; split.
  by move=> x; exact: rated_inv_step.
by move=> ku kl; exact: rated_mean.
Qed.

(** The tight rates meet both for every g < 1; xi = g + g^2 always will do. *)
(* slug: tight-rates *)
Theorem tight_rates_admissible : forall (R : realFieldType) (g xi : R),
  0 < g -> g < 1 -> 0 < xi -> g <= xi ^+ 2 + xi * (1 - 2%:R * g) ->
  let cu := g / (1 - g) in
  let cl := g / (1 + xi) in
  [/\ 0 <= cu, 0 <= cl, cl < 1, cl < cu &
      0 <= cu - g / (1 - g) /\ 0 <= g / (1 + g / (1 - cl)) - cl] /\
  g <= (g + g ^+ 2) ^+ 2 + (g + g ^+ 2) * (1 - 2%:R * g).
Proof.
move=> R g xi g0 g1 x0 h /=; split; last exact: tight_xi.
split; [exact: tight_cu|exact: tight_cl|exact: tight_cl1|exact: tight_W|].
by split; [rewrite subrr | exact: tight_kl].
Qed.

(** Whole runs on the data, at any stop level T, with W = cu - cl: labels,
    draws, late runs, loss of the runs that stopped. *)
(* slug: tight-rates *)
Theorem rates_runs : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g cu cl T : R) (n : nat)
  (X1 : pred I) (beta : 'cV[R]_d),
  (0 < d)%N -> whitens X P -> 0 < g -> g < 1 ->
  0 <= cu -> 0 <= cl -> cl < 1 -> 0 <= cu - g / (1 - g) ->
  0 <= g / (1 + g / (1 - cl)) - cl -> cl < cu -> 0 <= T ->
  let U := white X P in
  let p := rated_law U g cu cl in
  let stop := rated_stop U g cu cl T in
  let W := cu - cl in
  let rbar := T + W / (4%:R * d%:R) * (1 + T) in
  [/\ forall h, inv (rated_state U g cu cl h),
      run_mean p stop n (fun h => (labels X1 h)%:R) [::]
        <= 4%:R * rbar * reduced_rank X X1 / W,
      run_mean p stop n (fun h => (size h)%:R) [::]
        <= 4%:R * rbar * d%:R / W,
      run_chance p stop n (fun h => ~~ stop h)
        <= 4%:R * rbar * d%:R / W / n.+1%:R &
      W < 2%:R * cl * T ->
      run_mean p stop n (fun h => (stop h)%:R *
          loss X Y (weighted_fit X Y (rated_weight U g cu cl h))) [::]
      <= (1 + g ^+ 2 * W * (rbar + rbar ^+ 2 / 2%:R)
              / (2%:R * cl * T - W) ^+ 2) * loss X Y beta].
Proof.
move=> R d I X Y P g cu cl T n X1 beta d0 w g0 g1 u0 l0 l1 ku kl W0 T0 /=; split.
- exact: rated_inv.
- exact: rated_labels.
- exact: rated_length.
- exact: rated_late.
- by move=> TW; exact: rated_loss.
Qed.

(** One uniform theorem: g = sqrt(eps/13), T = 10/13, xi = g + g^2. *)
(* slug: tight-rates *)
Theorem tight_rates_20 : forall (R : rcfType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (eps : R) (n : nat)
  (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 ->
  let g := Num.sqrt (eps / 13%:R) in
  let U := white X P in
  let cu := g / (1 - g) in
  let cl := g / (1 + (g + g ^+ 2)) in
  let p := rated_law U g cu cl in
  let stop := rated_stop U g cu cl (10%:R / 13%:R) in
  [/\ run_mean p stop n (fun h => (labels X1 h)%:R) [::]
        <= 20%:R / eps * reduced_rank X X1,
      run_mean p stop n (fun h => (size h)%:R) [::] <= 20%:R * d%:R / eps,
      run_chance p stop n (fun h => ~~ stop h)
        <= 20%:R * d%:R / eps / n.+1%:R &
      forall beta, run_mean p stop n (fun h => (stop h)%:R *
          loss X Y (weighted_fit X Y (rated_weight U g cu cl h))) [::]
        <= (1 + eps) * loss X Y beta].
Proof. by move=> *; exact: tight_twenty. Qed.

(** * Keep X2, sample X1 against one barrier. *)

(** Under any valid policy: the gap stays positive definite, its inverse does
    not grow in the mean, and at the end A >= (1-nu) S D - c I. *)
(* slug: one-sided *)
Theorem one_sided_policy : forall (R : realFieldType) (d : nat) (O : finType)
  (V : O -> 'cV[R]_d) (nu eta c S : R) (p w : seq O -> O -> R)
  (ds : seq O -> R),
  0 < nu -> nu < 1 -> 0 < eta -> eta * (1 - nu ^+ 2) <= nu -> 0 < c -> 0 < S ->
  let D := pol_target V in
  let Q := pol_gap V nu c w ds in
  let stop := pol_stop S ds in
  (forall h, reach stop h -> pd (Q h) -> ~~ stop h ->
     valid_at V nu eta c S p w ds h) ->
  [/\ forall h, reach stop h -> pd (Q h),
      forall h, reach stop h -> ~~ stop h ->
        psd (invmx (Q h) - \sum_o p h o *: invmx (Q (o :: h))),
      forall n M, psd M ->
        run_sum p stop n (fun h => ds h * \tr (M *m invmx (Q h))) [::]
          <= S * \tr M / c &
      forall h, reach stop h -> stop h ->
        psd (pol_acc V w h - ((1 - nu) * S) *: D + c%:M)].
Proof.
move=> R d O V nu eta c S p w ds n0 n1 e0 e1 c0 S0 D Q stop ok; split.
- exact: (policy_pd n0 n1 e1 c0 ok).
- move=> h rh ns; have pQ := policy_pd n0 n1 e1 c0 ok rh.
  exact: (policy_mean n0 n1 e0 e1 pQ (ok h rh pQ ns)).
- by move=> n M; exact: (policy_clock n0 n1 e0 e1 c0 S0 ok).
- by move=> h; exact: (policy_order n0 n1 e1 c0 S0 ok).
Qed.

(** The algorithm, clip or coin, for any N: eta = nu/(1-nu^2) and
    c = S R_X/(N eta). At most N labels are expected with the coin, N + 1
    draws in any case; the spectrum holds surely; only labels that were
    bought or given are read; the excess is that of the finished runs. *)
(* slug: one-sided *)
Theorem one_sided : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I)
  (nu N S delta : R) (coin : bool) (n : nat),
  whitens X P -> 0 < nu -> nu < 1 -> 0 < N -> 0 < S ->
  0 < reduced_rank X X1 -> 0 <= delta ->
  psd (delta%:M - os_target (white X P) X1) ->
  let U := white X P in
  let x := reduced_rank X X1 / N in
  let eta := nu / (1 - nu ^+ 2) in
  let c := S * reduced_rank X X1 / (N * eta) in
  let p := os_law U X1 nu eta c S coin in
  let stop := os_stop U X1 nu eta c S coin in
  let weight h := os_weight U X1 nu eta c S coin h in
  let fit h := weighted_fit X Y (weight h) in
  let a := 1 - delta * nu - (1 - nu ^+ 2) * x / nu in
  [/\ coin -> run_mean p stop n (fun h => (bought X1 (weight h))%:R) [::] <= N,
      run_mean p stop n (fun h => (size h)%:R) [::] <= N + 1 /\
        run_chance p stop n (fun h => ~~ stop h) <= (N + 1) / n.+1%:R,
      forall h, reach stop h -> stop h ->
        psd (weighted_gram X (weight h) - a *: gram X),
      forall h (Y' : I -> R),
        (forall z, ((true, z) \in h) || ~~ X1 z -> Y z = Y' z) ->
        fit h = weighted_fit X Y' (weight h) &
      0 < a ->
      run_mean p stop n
        (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::]
        <= (x + delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2))) / a ^+ 2
           * opt_on X Y X1 /\
      forall beta, run_mean p stop n
        (fun h => (stop h)%:R * loss X Y (fit h)) [::]
        <= (1 + (x + delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2))) / a ^+ 2)
           * loss X Y beta].
Proof.
move=> R d I X Y P X1 nu N S delta coin n w n0 n1 N0 S0 R0 d0 Dl /=; split.
- exact: one_sided_draws.
- by split; [exact: one_sided_length | exact: one_sided_late].
- by move=> h; exact: one_sided_spectrum.
- by move=> h Y' e; exact: os_local.
- move=> a0; split; first exact: one_sided_excess.
  by move=> beta; exact: one_sided_loss.
Qed.

(** delta = 1 always will do; and nu = y^2 with R_X = N y^3 makes the
    constant at most (R_X/N) (1+y)/(1-y-y^2)^2. *)
(* slug: one-sided *)
Theorem one_sided_explicit : forall (R : realFieldType) (d : nat)
  (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (X1 : pred I) (y : R),
  whitens X P -> 0 < y -> 0 < 1 - y - y ^+ 2 ->
  psd (1%:M - os_target (white X P) X1) /\
  let nu := y ^+ 2 in
  let x := y ^+ 3 in
  let a := 1 - nu - (1 - nu ^+ 2) * x / nu in
  [/\ nu < 1, 0 < a &
      (x + nu ^+ 2 / (2%:R * (1 - nu ^+ 2))) / a ^+ 2
        <= x * (1 + y) / (1 - y - y ^+ 2) ^+ 2].
Proof.
move=> R d I X P X1 y w y0 y1; split; first exact: target_le1.
split; [exact: y2_lt1 | exact: lt_le_trans (y_den y0) | exact: y_const].
Qed.

(** * A budget that is never exceeded. *)

(** Redrawing under any expectation: the run that is kept is a run given G. *)
(* slug: sure-budget *)
Theorem redrawing_conditions : forall (R : realFieldType) (T : Type)
  (E : (T -> R) -> R) (G : pred T) (k : nat) (f : T -> R),
  (forall f1 f2, f1 =1 f2 -> E f1 = E f2) ->
  (forall f1 f2, E (fun h => f1 h + f2 h) = E f1 + E f2) ->
  (forall c g, E (fun h => c * g h) = c * E g) -> E (fun=> 1) = 1 ->
  redrawing E G k f * E (fun h => (G h)%:R) =
  (1 - (1 - E (fun h => (G h)%:R)) ^+ k) * E (fun h => (G h)%:R * f h).
Proof. by move=> *; exact: redrawingE. Qed.

(** One-sided sampling: G is any event of finished runs within the budget B. *)
(* slug: sure-budget *)
Theorem one_sided_budget : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I)
  (nu N S delta : R) (coin : bool) (B n k : nat) (G : pred (seq (bool * I))),
  whitens X P -> 0 < nu -> nu < 1 -> 0 < N -> 0 < S ->
  0 < reduced_rank X X1 -> 0 <= delta ->
  psd (delta%:M - os_target (white X P) X1) ->
  let U := white X P in
  let x := reduced_rank X X1 / N in
  let eta := nu / (1 - nu ^+ 2) in
  let c := S * reduced_rank X X1 / (N * eta) in
  let p := os_law U X1 nu eta c S coin in
  let stop := os_stop U X1 nu eta c S coin in
  let weight h := os_weight U X1 nu eta c S coin h in
  let excess h := loss X Y (weighted_fit X Y (weight h)) - opt X Y in
  let a := 1 - delta * nu - (1 - nu ^+ 2) * x / nu in
  0 < a -> (forall h, G h -> stop h && (count fst h <= B)%N) ->
  (forall h, G h -> (bought X1 (weight h) <= B)%N) /\
  (0 < run_chance p stop n G ->
   redrawing (fun f => run_mean p stop n f [::]) G k excess
   <= (x + delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2))) / a ^+ 2
      * opt_on X Y X1 / run_chance p stop n G).
Proof.
move=> R d I X Y P X1 nu N S delta coin B n k G w n0 n1 N0 S0 R0 d0 Dl.
move=> U x eta c p stop weight excess a a0 gs; split.
  exact: (sure_labels gs).
by move=> g0; exact: (sure_budget Y w n0 n1 N0 S0 R0 d0 Dl a0 gs k g0).
Qed.

(** How likely a run is to stay within the budget: B >= (1+t) N, any a. *)
(* slug: sure-budget *)
Theorem one_sided_within_budget : forall (R : realFieldType) (d : nat)
  (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (X1 : pred I)
  (nu N S delta a t : R) (coin : bool) (B n : nat),
  whitens X P -> 0 < nu -> nu < 1 -> 0 < N -> 0 < S ->
  0 < reduced_rank X X1 -> psd (delta%:M - os_target (white X P) X1) ->
  0 <= a -> a < 1 + t -> (1 + t) * N <= B%:R ->
  let U := white X P in
  let eta := nu / (1 - nu ^+ 2) in
  let c := S * reduced_rank X X1 / (N * eta) in
  let p := os_law U X1 nu eta c S coin in
  let stop := os_stop U X1 nu eta c S coin in
  let late := run_chance p stop n (fun h => ~~ stop h) in
  let z := delta * nu ^+ 2
    / (2%:R * (1 - nu ^+ 2) * (reduced_rank X X1 / N)) in
  1 - late - (1 + t) / (1 + t - a) ^+ 2
      * ((1 - a) ^+ 2 + a ^+ 2 * z + 2%:R * a * late)
    <= run_chance p stop n (fun h => stop h && (size h <= B)%N).
Proof. by move=> *; exact: within_budget. Qed.

(** * Heavy points, bought outright and then kept. *)

(** The leverages do not depend on which labels are known, so R_X drops by
    those of the heavy points; with C R'/tau labels for the others the total
    is at most C sum of min(1, l/tau). *)
(* slug: heavy-points *)
Theorem heavy_points : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (tau : R),
  [/\ reduced_rank X X1 = \sum_(x | X1 x) leverage_of X x,
      reduced_rank X (light X X1 tau) =
        reduced_rank X X1 - \sum_(x | heavy X X1 tau x) leverage_of X x,
      opt_on X Y (light X X1 tau) <= opt_on X Y X1 &
      forall C, 0 < tau -> 1 <= C ->
        #|[set x | heavy X X1 tau x]|%:R
          + C / tau * reduced_rank X (light X X1 tau)
        <= C * \sum_(x | X1 x) Num.min 1 (leverage_of X x / tau)].
Proof.
move=> R d I X Y X1 tau; split.
- exact: WeightedFit.rank_leverage.
- exact: heavy_rank.
- exact: heavy_opt.
- exact: heavy_labels.
Qed.

(** * The paper's method with X2 kept: two barriers along D <= I. *)

(** Surely: both gaps stay positive definite; in the mean: the bracket does
    not grow; and the clock lemma for every rule that keeps r below rbar. *)
(* slug: two-sided *)
Theorem two_sided_runs : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (X1 : pred I) (g : R),
  0 < g -> 2%:R * g < 1 -> psd (1%:M - os_target U X1) ->
  0 < \tr (os_target U X1) ->
  let st h := ts_state U X1 g h in
  let E h := ts_brk U X1 g (st h) in
  let p := ts_law U X1 g in
  [/\ forall h, pd (ts_hi U X1 g (st h)) /\ pd (ts_low U X1 g (st h)),
      forall h, psd (E h - \sum_x p h x *: E (x :: h)),
      forall h, g / (1 + ts_clock U X1 g h) <= ts_pot U X1 g (st h) &
      forall (stop : pred (seq I)) rbar n M, psd M ->
        (forall h, reach stop h -> ts_clock U X1 g h <= rbar) ->
        run_sum p stop n
          (fun h => \tr (M *m E h) / ts_pot U X1 g (st h)) [::]
        <= (1 - 4%:R * g ^+ 2) * rbar * \tr M / g ^+ 2].
Proof.
move=> R d I U X1 g g0 g2 Dl R0 st E p; split.
- exact: (ts_inv g0 g2 R0).
- move=> h; have [pP pQ] := ts_inv g0 g2 R0 h.
  exact: (ts_mean g0 g2 R0 pP pQ).
- exact: (tpot_ge g0 g2 Dl R0).
- by move=> stop rbar n M pM rb; exact: (ts_sum g0 g2 R0 n pM rb).
Qed.

(** Under the rule like the paper's every draw is a label, and there are at
    most B of them, surely, for every B with B g^2 >= R_X sqrt(k). *)
(* slug: two-sided *)
Theorem two_sided_sure_labels : forall (R : realFieldType) (d : nat)
  (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (X1 : pred I) (g : R)
  (B : nat),
  whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < reduced_rank X X1 ->
  reduced_rank X X1 ^+ 2 * (1 - 4%:R * g ^+ 2) <= B%:R ^+ 2 * g ^+ 4 ->
  let U := white X P in
  let stop := ts_paper U X1 g in
  (forall h, reach stop h ->
     (size h <= B)%N /\ (bought X1 (ts_weight U X1 g h) <= B)%N) /\
  run_chance (ts_law U X1 g) stop B stop = 1.
Proof.
move=> R d I X P X1 g B w g0 g2; rewrite -(os_rank X1 w) => R0 hB U stop; split.
  move=> h rh; have le := ts_sure g0 g2 R0 hB rh; split=> //.
  by apply: leq_trans le; exact: ts_bought.
exact: (ts_ends g0 g2 R0 hB).
Qed.

(** Under the rule r >= T: draws, spectrum, labels read, excess and loss. *)
(* slug: two-sided *)
Theorem two_sided : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I) (g T : R)
  (n : nat),
  whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < reduced_rank X X1 -> 0 < T ->
  let U := white X P in
  let k := 1 - 4%:R * g ^+ 2 in
  let p := ts_law U X1 g in
  let stop := ts_level U X1 g T in
  let weight h := ts_weight U X1 g h in
  let fit h := weighted_fit X Y (weight h) in
  let rbar := T + g ^+ 2 / (k * \tr (os_target U X1)) * (1 + T) in
  let L := (1 - 2%:R * g) * T - 2%:R * g in
  [/\ \tr (os_target U X1) = reduced_rank X X1,
      run_mean p stop n (fun h => (size h)%:R) [::]
        <= k * rbar * reduced_rank X X1 / g ^+ 2,
      forall h, 0 < ts_clock U X1 g h ->
        psd (weighted_gram X (weight h)
             - (((1 - 2%:R * g) * ts_clock U X1 g h - 2%:R * g)
                / (k * ts_clock U X1 g h)) *: gram X),
      forall h (Y' : I -> R),
        (forall x, (x \in h) || ~~ X1 x -> Y x = Y' x) ->
        fit h = weighted_fit X Y' (weight h) &
      0 < L ->
      run_mean p stop n
        (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::]
        <= g ^+ 2 * k * (rbar + rbar ^+ 2 / 2%:R) / L ^+ 2 * opt_on X Y X1 /\
      forall beta, run_mean p stop n
        (fun h => (stop h)%:R * loss X Y (fit h)) [::]
        <= (1 + g ^+ 2 * k * (rbar + rbar ^+ 2 / 2%:R) / L ^+ 2)
           * loss X Y beta].
Proof.
move=> R d I X Y P X1 g T n w g0 g2 R0 T0 U k p stop weight fit rbar L.
have R0' : 0 < ts_rank U X1 by rewrite /ts_rank (os_rank X1 w).
split.
- exact: (os_rank X1 w).
- have := ts_length g0 g2 R0' n (rbar := rbar) (stop := stop).
  rewrite /ts_rank (os_rank X1 w); apply=> h.
  by apply: (ts_reach g0 g2 _ R0' (ltW T0)); exact: target_le1.
- exact: (ts_spectrum w g0 g2 R0).
- by move=> h Y' eq; exact: ts_local.
- move=> L0; have gT : 2%:R * g < (1 - 2%:R * g) * T by rewrite -subr_gt0.
  split; first exact: ts_excess.
  by move=> beta; exact: ts_loss.
Qed.

(** The tail of the clock at the rule like the paper's, with the same numbers
    as for the paper's algorithm; L stands for 2 sqrt((1-q)/(k q)). *)
(* slug: two-sided *)
Theorem two_sided_tail : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (X1 : pred I) (g : R) (n : nat) (q L : R),
  0 < g -> 2%:R * g < 1 -> psd (1%:M - os_target U X1) ->
  0 < \tr (os_target U X1) -> 0 < q -> 0 < L -> 1 < (1 + q) * L ->
  (1 - 4%:R * g ^+ 2) * L ^+ 2 * q <= 4%:R * (1 - q) ->
  let stop := ts_paper U X1 g in
  run_chance (ts_law U X1 g) stop n
    (fun h => stop h && (ts_clock U X1 g h < q)) <= q / ((1 + q) * L - 1).
Proof.
move=> R d I U X1 g n q L g0 g2 Dl R0 q0 L0 qL kL.
exact: (ts_tail g0 g2 Dl R0 q0 L0 kL qL n).
Qed.

(** The main theorem for any C, any level q and any tangent y, and for every
    R_X > 0: t is any bound on the tail at q. A last step that starts below 1
    may end anywhere; it costs the last term of the total. *)
(* slug: two-sided *)
Theorem two_sided_main : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I)
  (g C q y t : R) (B : nat),
  whitens X P -> 0 < g -> C * g <= 1 -> 2%:R < C -> 0 <= q <= 1 -> 0 < y ->
  0 < reduced_rank X X1 ->
  reduced_rank X X1 ^+ 2 * (1 - 4%:R * g ^+ 2) <= B%:R ^+ 2 * g ^+ 4 ->
  let D r := (C - 2%:R) * r - 2%:R in
  let far r := (C / (C - 2%:R)) ^+ 2
    * (D r / (2%:R * y) - (C + y / 2%:R) / D r) in
  let total := (C / D q) ^+ 2 * (q + q ^+ 2 / 2%:R) + (far 1 - far q)
    + 2%:R * C ^+ 2 / (C - 2%:R) / D 1 in
  let U := white X P in
  let p := ts_law U X1 g in
  let stop := ts_paper U X1 g in
  let fit h := weighted_fit X Y (ts_weight U X1 g h) in
  0 < D q ->
  run_chance p stop B (fun h => stop h && (ts_clock U X1 g h < q)) <= t ->
  1 - (t + total / C ^+ 2) <= run_chance p stop B (fun h =>
    [&& stop h, q <= ts_clock U X1 g h &
        loss X Y (fit h) - opt X Y <= C ^+ 2 * g ^+ 2 * opt_on X Y X1]).
Proof.
move=> R d I X Y P X1 g C q y t B w g0 gC C2 q01 y0 R0 hB D far total U p stop fit.
move=> Dq tail; have := ts_main_any Y w g0 gC C2 q01 y0 Dq R0 (t := t) (n := B).
by rewrite /ts_rank (os_rank X1 w) => /(_ hB tail).
Qed.

(** With C = 15, for every R_X > 0: g = sqrt(eps)/15 and at most B labels,
    surely, for every B >= 225 R_X/eps. With probability 3/4 the excess is at
    most eps times what the optimum loses on X1, at a state where the fit is
    the only minimiser of the weighted loss; only labels that were drawn or
    given are read. *)
(* slug: two-sided *)
Theorem two_sided_main_15 : forall (R : rcfType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I) (eps : R)
  (B : nat),
  whitens X P -> 0 < reduced_rank X X1 -> 0 < eps -> eps <= 1 ->
  15%:R ^+ 2 * reduced_rank X X1 <= B%:R * eps ->
  let g := Num.sqrt eps / 15%:R in
  let U := white X P in
  let p := ts_law U X1 g in
  let stop := ts_paper U X1 g in
  let weight h := ts_weight U X1 g h in
  let fit h := weighted_fit X Y (weight h) in
  [/\ 3%:R / 4%:R <= run_chance p stop B (fun h =>
        [&& stop h, 3%:R / 8%:R <= ts_clock U X1 g h &
            loss X Y (fit h) - opt X Y <= eps * opt_on X Y X1]),
      run_chance p stop B stop = 1,
      forall h, reach stop h ->
        (size h <= B)%N /\ (bought X1 (weight h) <= B)%N,
      forall h (Y' : I -> R),
        (forall x, (x \in h) || ~~ X1 x -> Y x = Y' x) ->
        fit h = weighted_fit X Y' (weight h) &
      forall h beta, 3%:R / 8%:R <= ts_clock U X1 g h -> beta != fit h ->
        weighted_loss X Y (weight h) (fit h)
        < weighted_loss X Y (weight h) beta].
Proof.
by move=> R d I X Y P X1 eps B w R0 e0 e1 hB; exact: (ts_main_eps Y w R0 e0 e1 hB).
Qed.

(** Ended exactly at r = T, by clip or coin, for any delta with D <= delta:
    with N = k T R_X/g^2, at most N labels are expected with the coin and
    N + 1 draws in any case; the spectrum holds surely; only labels that were
    bought or given are read; the excess is that of the finished runs. Nothing
    here gets worse when R_X is small. *)
(* slug: two-sided *)
Theorem two_sided_exact : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I)
  (g T delta : R) (coin : bool) (n : nat),
  whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < reduced_rank X X1 -> 0 < T ->
  0 <= delta -> psd (delta%:M - os_target (white X P) X1) ->
  let U := white X P in
  let k := 1 - 4%:R * g ^+ 2 in
  let p := te_law U X1 g T coin in
  let stop := te_stop U X1 g T coin in
  let weight h := te_weight U X1 g T coin h in
  let fit h := weighted_fit X Y (weight h) in
  let N := k * T * reduced_rank X X1 / g ^+ 2 in
  let L := (1 - 2%:R * g * delta / (1 + 2%:R * g)) * T - 2%:R * g / k in
  let C := g ^+ 2 / k * (T + delta * T ^+ 2 / 2%:R) / L ^+ 2 in
  [/\ coin -> run_mean p stop n (fun h => (bought X1 (weight h))%:R) [::] <= N,
      run_mean p stop n (fun h => (size h)%:R) [::] <= N + 1 /\
        run_chance p stop n (fun h => ~~ stop h) <= (N + 1) / n.+1%:R,
      forall h, reach stop h -> stop h ->
        psd (weighted_gram X (weight h) - (L / T) *: gram X),
      forall h (Y' : I -> R),
        (forall z, ((true, z) \in h) || ~~ X1 z -> Y z = Y' z) ->
        fit h = weighted_fit X Y' (weight h) &
      0 < L ->
      run_mean p stop n
        (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::]
        <= C * opt_on X Y X1 /\
      forall beta, run_mean p stop n
        (fun h => (stop h)%:R * loss X Y (fit h)) [::]
        <= (1 + C) * loss X Y beta].
Proof.
move=> R d I X Y P X1 g T delta coin n w g0 g2 R0 T0 d0 Dl U k p stop weight fit N L C.
have R0' : 0 < ts_rank U X1 by rewrite /ts_rank (os_rank X1 w).
have e : N = te_goal U X1 g T * g by apply: esym; exact: te_goalE.
have q0 := te_law0 (T := T) (coin := coin) g0 g2 R0'.
split.
- move=> c; rewrite e; apply: le_trans (te_draws g0 g2 T0 R0' n c).
  by apply: (rmean_mono q0) => // h _; rewrite ler_nat te_bought.
- by rewrite e; split; [exact: te_length | exact: te_late].
- by move=> h rh sh; exact: te_spectrum.
- by move=> h Y' eq; exact: te_local.
- by move=> L0; split; [exact: te_excess | move=> beta; exact: te_loss].
Qed.

(** ** The paper's algorithm is the case of an empty X2: D = 1, R_X = d. *)

(** The same states, gaps, brackets, potentials, law, weights, clocks, stops
    and expectations. *)
(* slug: two-sided *)
Theorem paper_is_two_sided : forall (R : realFieldType) (d : nat)
  (I : finType) (U : I -> 'cV[R]_d) (g : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  let st h := ts_state U xpredT g h in
  let p := ts_law U xpredT g in
  [/\ forall h, [/\ acc (hst U g h) = (st h).1,
        upper (hst U g h) = ts_hi U xpredT g (st h) &
        lower (hst U g h) = ts_low U xpredT g (st h)],
      forall h, bracket (hst U g h) = ts_brk U xpredT g (st h) /\
        Phi (hst U g h) = ts_pot U xpredT g (st h),
      forall h x, prob U (hst U g h) x = p h x /\
        weight U g (hst U g h) x = ts_wt U xpredT g (st h) x,
      forall h, [/\ rr U g h = ts_clock U xpredT g h,
        paper_stop U g h = ts_paper U xpredT g h &
        forall T, level_stop U g T h = ts_level U xpredT g T h] &
      forall stop n f, Exp U g stop n f = run_mean p stop n f [::] /\
        Tsum U g stop n f [::] = run_sum p stop n f [::]].
Proof.
move=> R d I U g d0 iso g0 g2 st p.
have e := paper_state d0 iso g0 g2; split.
- by move=> h; rewrite e (paper_upper g iso) (paper_lower g iso).
- by move=> h; rewrite e (paper_bracket g iso) (paper_potential g iso).
- by move=> h x; rewrite (paper_prob d0 iso g0 g2) (paper_wt d0 iso g0 g2).
- move=> h; rewrite (paper_clock d0 iso g0 g2) (paper_rule d0 iso g0 g2).
  by split=> // T; exact: (paper_level d0 iso g0 g2).
- move=> stop n f.
  by rewrite /Exp (paper_mean d0 iso g0 g2) (paper_sums d0 iso g0 g2).
Qed.

(** The same fit, wherever the fit of the sample is determined. *)
(* slug: two-sided *)
Theorem paper_fit_is_two_sided : forall (R : realFieldType) (d : nat)
  (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R)
  (h : seq I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  sample_gram X U g h \in unitmx ->
  weighted_fit X Y (ts_weight U xpredT g h) = betahat X Y U g h.
Proof.
move=> R d I X Y P g h d0 w g0 g2 U u; have iso := isoU w.
case: h u => [|x h] u; last first.
  by apply: (paper_fit d0 iso g0 g2) => //; exact: paper_sum_gt0.
rewrite /weighted_fit /betahat [sample_rhs _ _ _ _ _]/= mulmx0 big1 ?mulmx0 //.
by move=> x _; rewrite /ts_weight /drawn_weight /= !mul0r scale0r.
Qed.

(** ** When X2 already says a lot: no label at all. *)

(** If the unlabelled points hold at most the part delta < 1 of the Gram matrix,
    the fit on the given labels loses at most delta/(1-delta) OPT, and it reads
    no label of X1. *)
(* slug: zero-labels *)
Theorem no_label_excess : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (delta : R),
  gram X \in unitmx -> 0 <= delta -> delta < 1 ->
  psd (delta *: gram X - \sum_(x | X1 x) X x *m (X x)^T) ->
  let weight (x : I) : R := if X1 x then 0 else 1 in
  let fit := weighted_fit X Y weight in
  [/\ loss X Y fit - opt X Y <= delta / (1 - delta) * opt X Y,
      bought X1 weight = 0%N,
      forall beta, beta != fit ->
        weighted_loss X Y weight fit < weighted_loss X Y weight beta &
      forall Y' : I -> R, (forall x, ~~ X1 x -> Y x = Y' x) ->
        fit = weighted_fit X Y' weight].
Proof.
move=> R d I X Y X1 delta u d0 d1 Dl weight fit; split.
- exact: (free_excess Y u d0 d1 Dl).
- exact: free_bought.
- by move=> beta; exact: (free_unique u d1 Dl).
- by move=> Y' e; exact: free_local.
Qed.

(** Exactly N labels: the fit on the given labels, corrected by the mean of N
    independent draws by leverage, and shrunken. At eps (1-delta)/delta = 1 it
    needs no label, as the lower bound says. *)
(* slug: shrunken-draws *)
Theorem shrunken_excess : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (delta eps : R) (N : nat),
  gram X \in unitmx -> 0 < delta -> delta < 1 ->
  psd (delta *: gram X - \sum_(x | X1 x) X x *m (X x)^T) ->
  0 < reduced_rank X X1 -> (0 < N)%N -> 0 < eps ->
  eps * ((1 - delta) / delta) <= 1 ->
  reduced_rank X X1 * (1 - eps * ((1 - delta) / delta))
    <= N%:R * (eps * (1 - delta)) ->
  let s := eps * ((1 - delta) / delta) in
  let beta2 := weighted_fit X Y (fun x => if X1 x then 0 else 1) in
  let p (_ : seq I) x : R :=
    if X1 x then leverage_of X x / reduced_rank X X1 else 0 in
  let stop (h : seq I) := (N <= size h)%N in
  let pull x := (reduced_rank X X1 / leverage_of X x
    * (Y x - dot (X x) beta2)) *: (invmx (gram X) *m X x) in
  let fit (h : seq I) := beta2 + ((1 - s) / N%:R) *: \sum_(x <- h) pull x in
  run_chance p stop N stop = 1 /\
  run_mean p stop N
    (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::]
  <= eps * opt X Y.
Proof.
move=> R d I X Y X1 delta eps N u d0 d1 Dl R0 N0 e0 s1 hN s beta2 p stop pull fit.
split; first by apply: shr_ends.
exact: (shr_eps Y u (ltW d0) d1 Dl R0 N0 e0 d0 erefl s1 hN).
Qed.

(** N independent draws by leverage, each at weight R_X/(N l), and X2 kept at
    weight 1: weighted least squares. If X1 holds at most the part delta < 1 of
    the Gram matrix, the expected excess is at most (R_X/N) OPT_1/(1-delta)^2;
    a run of N draws buys at most N different labels and reads no other. *)
(* slug: independent-draws *)
Theorem independent_draws : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (delta : R) (N : nat),
  gram X \in unitmx -> delta < 1 ->
  psd (delta *: gram X - \sum_(x | X1 x) X x *m (X x)^T) ->
  0 < reduced_rank X X1 -> (0 < N)%N ->
  let p (_ : seq I) x : R :=
    if X1 x then leverage_of X x / reduced_rank X X1 else 0 in
  let stop (h : seq I) := (N <= size h)%N in
  let weight (h : seq I) x : R :=
    if X1 x
    then (count_mem x h)%:R * (reduced_rank X X1 / (N%:R * leverage_of X x))
    else 1 in
  let fit (h : seq I) := weighted_fit X Y (weight h) in
  [/\ run_chance p stop N stop = 1,
      run_mean p stop N
        (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::]
      <= reduced_rank X X1 / N%:R * (opt_on X Y X1 / (1 - delta) ^+ 2),
      forall h : seq I, (bought X1 (weight h) <= size h)%N,
      forall (h : seq I) beta, beta != fit h ->
        weighted_loss X Y (weight h) (fit h) < weighted_loss X Y (weight h) beta &
      forall (h : seq I) (Y' : I -> R), (forall x, (x \in h) || ~~ X1 x -> Y x = Y' x) ->
        fit h = weighted_fit X Y' (weight h)].
Proof.
move=> R d I X Y X1 delta N u d1 Dl R0 N0 p stop weight fit; split.
- exact: draws_end.
- exact: ind_excess.
- exact: ind_bought.
- exact: (ind_unique u R0 N0 d1 Dl).
- exact: ind_local.
Qed.

(** Two stages: a first answer b, corrected by the mean of N independent draws by
    leverage and by all of X2. Given b, the mean is beta* in every coordinate,
    and the expected excess is at most (R_X/N) loss(b); so a random pilot of
    expected loss (1+eps) OPT, drawn before and independently, gives
    (R_X/N)(1+eps) OPT. Only the labels drawn and those of X2 are read. *)
(* slug: two-stages *)
Theorem two_stages : forall (R : realFieldType) (d : nat) (I O : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (N : nat)
  (mu : O -> R) (pilot : O -> 'cV[R]_d) (eps : R),
  gram X \in unitmx -> 0 < reduced_rank X X1 -> (0 < N)%N ->
  let p (_ : seq I) x : R :=
    if X1 x then leverage_of X x / reduced_rank X X1 else 0 in
  let stop (h : seq I) := (N <= size h)%N in
  let pull (Z : I -> R) b x := (reduced_rank X X1 / leverage_of X x
    * (Z x - dot (X x) b)) *: (invmx (gram X) *m X x) in
  let fit (Z : I -> R) (b : 'cV[R]_d) (h : seq I) :=
    b + N%:R^-1 *: (\sum_(x <- h) pull Z b x)
    + invmx (gram X) *m \sum_(x | ~~ X1 x) (Z x - dot (X x) b) *: X x in
  let excess b := run_mean p stop N
    (fun h => (stop h)%:R * (loss X Y (fit Y b h) - opt X Y)) [::] in
  [/\ run_chance p stop N stop = 1,
      forall b i, run_mean p stop N (fun h => (stop h)%:R * fit Y b h i 0) [::]
        = betastar X Y i 0,
      forall b, excess b <= reduced_rank X X1 / N%:R * loss X Y b,
      law mu -> mean mu (fun o => loss X Y (pilot o)) <= (1 + eps) * opt X Y ->
        mean mu (fun o => excess (pilot o))
        <= reduced_rank X X1 / N%:R * ((1 + eps) * opt X Y) &
      forall b (h : seq I) (Y' : I -> R), (forall x, (x \in h) || ~~ X1 x -> Y x = Y' x) ->
        fit Y b h = fit Y' b h].
Proof.
move=> R d I O X Y X1 N mu pilot eps u R0 N0 p stop pull fit excess; split.
- exact: draws_end.
- by move=> b i; exact: (sec_mean u R0 N0 Y b i).
- by move=> b; exact: (sec_excess u R0 N0 Y b).
- exact: (sec_pilot u R0 N0).
- by move=> b h Y'; exact: sec_local.
Qed.
