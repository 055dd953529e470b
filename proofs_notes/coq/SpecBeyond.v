(** * What is claimed beyond the paper

    The first part defines what these results speak of; the data, its Gram
    matrix, the loss, the optimum and Algorithm 2 are those of Spec.v. The
    second, [Module Type BEYOND], states the results; Check.v proves
    [Module Beyond : BEYOND]. R is any ordered field, or any real closed one
    where a square root occurs. Expectations of runs are over the tree cut
    after n draws, for every n; losses carry the indicator of finished runs.

      mean mu f            == the expectation of f over a finite space
      redrawn mu G n f     == draw, keep the first draw in G of at most n
      leverage_of X x      == x^T (X^T X)^-1 x, the leverage of a point
      weighted_gram X w    == the Gram matrix of the points weighted by w
      weighted_loss X Y w  == the loss with weights
      weighted_fit X Y w   == weighted least squares
      opt_on X Y X1        == what the optimum loses on the points of X1
      kept X1 w            == the points outside X1 have weight 1
      noise_size X Y X1 w  == |v|^2, v the noise of the weights
      bought X1 w          == the labels of X1 that the weights ask for
      coin_mass p X1       == independent coins on the points of X1
      coin_weight p X1 S   == weight 1/p on what the coins chose, 1 outside
      run_mean p stop n f h == the expectation of f at the end of a run
      run_sum p stop n f h == the expected sum of f over the run's states
      drawn_weight w h x   == the sum of the weights of the draws of x
      rated_step, rated_state, rated_clock, rated_stop, rated_weight ==
                              Algorithm 2 with any rates, and its stop rule
      pol_acc, pol_sig, pol_gap, pol_stop, valid_at ==
                              one-sided sampling under any policy
      os_vec, os_gap, os_pot, os_frac, os_prob, os_wt, os_step, os_state,
      os_law, os_stop, os_weight ==
                              one-sided sampling of X1, with clip or coin
      ts_vec, ts_rank, ts_hi, ts_low, ts_brk, ts_pot, ts_prob, ts_wt,
      ts_state, ts_clock, ts_level, ts_paper, ts_weight ==
                              the paper's method with X2 kept
      te_goal, te_frac, te_prob, te_wt, te_next, te_state, te_law, te_stop,
      te_weight ==            the same, ended exactly at r = T by clip or coin
      redrawing E G k f    == draw whole runs, keep the first one in G
      heavy X X1 tau       == the points of X1 with leverage at least tau
      light X X1 tau       == the others *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

(** ** A finite probability space: outcome o has probability [mu o]. *)
Section Space.
Variables (R : realFieldType) (O : finType) (mu : O -> R).

(** The expectation of f. *)
Definition mean (f : O -> R) : R := \sum_o mu o * f o.

(** The probability of an event. *)
Definition chance (G : pred O) : R := mean (fun o => (G o)%:R).

(** [mu] is a law: no outcome is negative, and they sum to one. *)
Definition law := (forall o, 0 <= mu o) /\ \sum_o mu o = 1.

(** Draw; stop at the first draw in G; give up after n draws (value 0). The
    expectation of f at the draw that was kept. *)
Fixpoint redrawn (G : pred O) (n : nat) (f : O -> R) : R :=
  if n is n'.+1 then mean (fun o => if G o then f o else redrawn G n' f)
  else 0.

End Space.

(** ** Weighted least squares on the data. *)
Section Weights.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (w : I -> R).

(** The leverage of a point; in orthonormal coordinates it is |U(x)|^2. *)
Definition leverage_of (x : I) : R := qf (invmx (gram X)) (X x).

Definition weighted_gram : 'M[R]_d := \sum_x w x *: (X x *m (X x)^T).
Definition weighted_loss (beta : 'cV[R]_d) : R :=
  \sum_x w x * (dot (X x) beta - Y x) ^+ 2.
Definition weighted_fit : 'cV[R]_d :=
  invmx weighted_gram *m \sum_x (w x * Y x) *: X x.

(** OPT_1: the part of the least loss that falls on the points of X1. *)
Definition opt_on : R := \sum_(x | X1 x) resid X Y x ^+ 2.

(** The points outside X1 keep their weight 1. *)
Definition kept := forall x, ~~ X1 x -> w x = 1.

(** The labels of X1 that have to be paid for: those with a weight. *)
Definition bought : nat := #|[set x | X1 x && (w x != 0)]|.

(** The noise v = sum over X1 of (w - 1) e x, and |v|^2 in the norm of the
    inverse Gram matrix (the plain norm in orthonormal coordinates). *)
Definition noise_vector : 'cV[R]_d :=
  \sum_(x | X1 x) ((w x - 1) * resid X Y x) *: X x.
Definition noise_size : R := qf (invmx (gram X)) noise_vector.

End Weights.

(** ** Independent coins. *)
Section Coins.
Variables (R : realFieldType) (I : finType) (p : I -> R) (X1 : pred I).

(** The probability that the coins choose exactly the set S. *)
Definition coin_mass (S : {set I}) : R :=
  if S \subset X1 then \prod_(x | X1 x) (if x \in S then p x else 1 - p x)
  else 0.

(** The weights after the draw: 1/p where the coin fell, 0 elsewhere on X1,
    and 1 on the points whose labels are given. *)
Definition coin_weight (S : {set I}) (x : I) : R :=
  if X1 x then (if x \in S then (p x)^-1 else 0) else 1.

End Coins.

(** ** Runs of any sequential procedure: after the history h (latest draw
    first) the outcome o is drawn with probability [p h o], until [stop]. *)
Section Runs.
Variables (R : realFieldType) (O : finType).
Variables (p : seq O -> O -> R) (stop : pred (seq O)).

(** The expectation of f at the end of the run, cut after n more draws. *)
Fixpoint run_mean (n : nat) (f : seq O -> R) (h : seq O) : R :=
  if stop h then f h
  else if n is n'.+1 then \sum_o p h o * run_mean n' f (o :: h) else f h.

(** The expected sum of f over the states before the end, cut alike. *)
Fixpoint run_sum (n : nat) (f : seq O -> R) (h : seq O) : R :=
  if stop h then 0
  else if n is n'.+1 then f h + \sum_o p h o * run_sum n' f (o :: h) else 0.

(** The probability of an event at the end of a run from the start. *)
Definition run_chance (n : nat) (q : pred (seq O)) : R :=
  run_mean n (fun h => (q h)%:R) [::].

(** The weight that the draws of a run give to the point x; [w h' o] is the
    weight of the draw o made after h', and [pt o] its point. *)
Definition drawn_weight (I : finType) (pt : O -> I) (w : seq O -> O -> R)
    (h : seq O) (x : I) : R :=
  dsum (fun h' o => if pt o == x then w h' o else 0) h.

End Runs.

(** ** Algorithm 2 with other rates: the same probabilities and weights, but
    the barriers rise by cu/Phi and cl/Phi. The paper's rates are
    cu = g/(1-2g), cl = g/(1+2g); the tight ones cu = g/(1-g),
    cl = g/(1+xi). The stop is at the level T of the rescaled gap r. *)
Section Rated.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g cu cl : R).

Definition rated_step (s : state R d) (x : I) : state R d :=
  State (acc s + weight U g s x *: (U x *m (U x)^T))
        (up s + cu / Phi s) (lo s + cl / Phi s).
Definition rated_state (h : seq I) : state R d :=
  foldr (fun x s => rated_step s x) (start d g) h.
Definition rated_law (h : seq I) (x : I) : R := prob U (rated_state h) x.
Definition rated_clock (h : seq I) : R := rad g (rated_state h).
Definition rated_stop (T : R) (h : seq I) : bool := T <= rated_clock h.

(** The weight of the point x after the run h (the fit does not depend on
    the scale of the weights). *)
Definition rated_weight (h : seq I) (x : I) : R :=
  drawn_weight id (fun h' y => weight U g (rated_state h') y) h x.

End Rated.

(** ** One-sided sampling under any policy. After the history h the outcome o
    (its vector is [V o]) is drawn with probability [p h o] and gets the
    weight [w h o]; the clock sigma moves by [ds h], whatever is drawn. There
    is one barrier, (1-nu) sigma D - c I, below. *)
Section Policy.
Variables (R : realFieldType) (d : nat) (O : finType) (V : O -> 'cV[R]_d).
Variables (nu eta c S : R) (p w : seq O -> O -> R) (ds : seq O -> R).

(** The target: what the draws have to add up to. *)
Definition pol_target : 'M[R]_d := \sum_o V o *m (V o)^T.
(** The weighted sum of the draws, the clock, the gap to the barrier. *)
Definition pol_acc (h : seq O) : 'M[R]_d :=
  dsum (fun h' o => w h' o *: (V o *m (V o)^T)) h.
Definition pol_sig (h : seq O) : R := past ds h.
Definition pol_gap (h : seq O) : 'M[R]_d :=
  c%:M + pol_acc h - ((1 - nu) * pol_sig h) *: pol_target.
(** The run ends when the clock has reached S. *)
Definition pol_stop (h : seq O) : bool := S <= pol_sig h.

(** What a policy has to respect after h: it is a law; a draw moves the gap
    by at most the fraction eta; the draws are unbiased, p w = ds; and the
    clock does not pass S. *)
Definition valid_at (h : seq O) :=
  [/\ forall o, 0 <= p h o, \sum_o p h o = 1,
      forall o, 0 <= w h o /\ w h o * qf (invmx (pol_gap h)) (V o) <= eta,
      forall o, V o != 0 -> p h o * w h o = ds h &
      0 <= ds h /\ pol_sig h + ds h <= S].

End Policy.

(** ** One-sided sampling of X1, X2 kept. An outcome is a pair (b, x): the
    point x was drawn, and bought if b. The last step would take the clock
    past S, so only the fraction [os_frac] of it is made: with the clip the
    draw gets that fraction of its weight, with the coin it is bought with
    that probability, at full weight. *)
Section OneSided.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (nu eta c S : R) (coin : bool).

(** What an outcome contributes; points outside X1 are never drawn. *)
Definition os_vec (o : bool * I) : 'cV[R]_d :=
  if o.1 && X1 o.2 then U o.2 else 0.
Definition os_target : 'M[R]_d := \sum_(x | X1 x) U x *m (U x)^T.

(** A state is the weighted sum of the draws and the clock. *)
Implicit Types s : 'M[R]_d * R.
Definition os_gap s : 'M[R]_d := c%:M + s.1 - ((1 - nu) * s.2) *: os_target.
Definition os_pot s : R := \tr (os_target *m invmx (os_gap s)).
Definition os_lev s (x : I) : R := qf (invmx (os_gap s)) (os_vec (true, x)).
Definition os_frac s : R :=
  if (S - s.2) * os_pot s < eta then (S - s.2) * os_pot s / eta else 1.
Definition os_prob s (o : bool * I) : R :=
  let a := if coin then os_frac s else 1 in
  (if o.1 then a else 1 - a) * os_lev s o.2 / os_pot s.
Definition os_wt s (o : bool * I) : R :=
  (if coin then 1 else os_frac s) * eta / os_lev s o.2.
Definition os_step s : R := os_frac s * eta / os_pot s.
Definition os_next s (o : bool * I) : 'M[R]_d * R :=
  (s.1 + os_wt s o *: (os_vec o *m (os_vec o)^T), s.2 + os_step s).

Definition os_state (h : seq (bool * I)) : 'M[R]_d * R :=
  foldr (fun o s => os_next s o) (0, 0) h.
Definition os_law (h : seq (bool * I)) (o : bool * I) : R :=
  os_prob (os_state h) o.
Definition os_stop (h : seq (bool * I)) : bool := S <= (os_state h).2.

(** The weights on the data: the draws bought, divided by S, and 1 on X2. *)
Definition os_weight (h : seq (bool * I)) (x : I) : R :=
  if X1 x then drawn_weight id (fun h' o => os_wt (os_state h') o) h (true, x) / S
  else 1.

End OneSided.

(** ** A sure budget: whole runs are drawn, for free, until one lies in G. *)

(** [E] is any expectation; at most k draws, the value 0 if none is kept. *)
Fixpoint redrawing (R : realFieldType) (T : Type) (E : (T -> R) -> R)
    (G : pred T) (k : nat) (f : T -> R) : R :=
  if k is k'.+1 then E (fun h => if G h then f h else redrawing E G k' f)
  else 0.

(** ** Heavy points: bought outright, once each, and then kept. *)
Section Heavy.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (X1 : pred I) (tau : R).

Definition heavy (x : I) : bool := X1 x && (tau <= leverage_of X x).
Definition light (x : I) : bool := X1 x && (leverage_of X x < tau).

End Heavy.

(** ** The paper's method with X2 kept: two barriers that move along D, the
    Gram matrix of X1 in orthonormal coordinates, in place of the identity. *)
Section TwoSided.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (g : R).

(** Points outside X1 are never drawn. *)
Definition ts_vec (x : I) : 'cV[R]_d := if X1 x then U x else 0.
(** R_X. *)
Definition ts_rank : R := \tr (os_target U X1).

(** A state is the weighted sum of the draws and the sum of the 1/Phi; the
    two gaps, the bracket, the potential, the law and the weights. *)
Implicit Types s : 'M[R]_d * R.
Definition ts_hi s : 'M[R]_d :=
  (2%:R * ts_rank / g)%:M + (g * s.2 / (1 - 2%:R * g)) *: os_target U X1 - s.1.
Definition ts_low s : 'M[R]_d :=
  s.1 + (2%:R * ts_rank / g)%:M - (g * s.2 / (1 + 2%:R * g)) *: os_target U X1.
Definition ts_brk s : 'M[R]_d := invmx (ts_hi s) + invmx (ts_low s).
Definition ts_pot s : R := \tr (os_target U X1 *m ts_brk s).
Definition ts_prob s (x : I) : R := qf (ts_brk s) (ts_vec x) / ts_pot s.
Definition ts_wt s (x : I) : R := g / qf (ts_brk s) (ts_vec x).
Definition ts_next s (x : I) : 'M[R]_d * R :=
  (s.1 + ts_wt s x *: (ts_vec x *m (ts_vec x)^T), s.2 + (ts_pot s)^-1).
Definition ts_state (h : seq I) : 'M[R]_d * R :=
  foldr (fun x s => ts_next s x) (0, 0) h.
Definition ts_law (h : seq I) (x : I) : R := ts_prob (ts_state h) x.

(** The clock r, the rule on r alone, and the rule like the paper's. *)
Definition ts_clock (h : seq I) : R :=
  g ^+ 3 * (ts_state h).2 / ((1 - 4%:R * g ^+ 2) * ts_rank).
Definition ts_spent (h : seq I) : R :=
  g / (4%:R * ts_rank) * past (fun h' => ts_pot (ts_state h')) h.
Definition ts_level (T : R) (h : seq I) : bool := T <= ts_clock h.
Definition ts_paper (h : seq I) : bool := 1 <= ts_clock h + ts_spent h.

(** The weights on the data. *)
Definition ts_weight (h : seq I) (x : I) : R :=
  if X1 x then drawn_weight id (fun h' y => ts_wt (ts_state h') y) h x
               / (g * (ts_state h).2)
  else 1.

End TwoSided.

(** ** The same method, ended exactly at the level T of its clock: the step that
    would take r past T is made in part, by clip or coin as above. *)
Section TwoSidedExact.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (g T : R) (coin : bool).

(** The sum of the 1/Phi at which r = T. *)
Definition te_goal : R :=
  (1 - 4%:R * g ^+ 2) * ts_rank U X1 * T / g ^+ 3.

(** The fraction of the step that is made; law, weights and states. An outcome
    (b, x) is a draw of x, bought if b. *)
Implicit Types s : 'M[R]_d * R.
Definition te_frac s : R :=
  if (te_goal - s.2) * ts_pot U X1 g s < 1
  then (te_goal - s.2) * ts_pot U X1 g s else 1.
Definition te_prob s (o : bool * I) : R :=
  let a := if coin then te_frac s else 1 in
  (if o.1 then a else 1 - a) * ts_prob U X1 g s o.2.
Definition te_wt s (o : bool * I) : R :=
  (if coin then 1 else te_frac s) * ts_wt U X1 g s o.2.
Definition te_next s (o : bool * I) : 'M[R]_d * R :=
  (s.1 + te_wt s o *: (os_vec U X1 o *m (os_vec U X1 o)^T),
   s.2 + te_frac s / ts_pot U X1 g s).
Definition te_state (h : seq (bool * I)) : 'M[R]_d * R :=
  foldr (fun o s => te_next s o) (0, 0) h.
Definition te_law (h : seq (bool * I)) (o : bool * I) : R :=
  te_prob (te_state h) o.
Definition te_stop (h : seq (bool * I)) : bool := te_goal <= (te_state h).2.

(** The weights on the data. *)
Definition te_weight (h : seq (bool * I)) (x : I) : R :=
  if X1 x then drawn_weight id (fun h' o => te_wt (te_state h') o) h (true, x)
               / (g * te_goal)
  else 1.

End TwoSidedExact.

(* ========================================================================== *)
(** * II. The results *)

Module Type BEYOND.

(** ** Draw for free, look, then pay. *)

(** The wrapper. [mu] is the law of any procedure that chooses weights [w o]
    without reading a label and leaves weight 1 outside X1; G is any event
    on which the weighted Gram matrix is at least a times the Gram matrix.
    The excess on G is at most E|v|^2/a^2; drawing again until G, at most n
    times, divides it by P(G). *)
(* slug: free-draws *)
Parameter label_blind_wrapper : forall (R : realFieldType) (d : nat)
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

(** Independent coins: they are a law, so many labels are expected, and the
    noise has this mean. *)
(* slug: free-draws *)
Parameter coins_law : forall (R : realFieldType) (I : finType) (p : I -> R)
  (X1 : pred I), (forall x, X1 x -> 0 <= p x <= 1) ->
  law (coin_mass p X1) /\
  mean (coin_mass p X1) (fun S => #|S|%:R) = \sum_(x | X1 x) p x.

(* slug: free-draws *)
Parameter coins_noise : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (p : I -> R),
  (forall x, X1 x -> p x = 0 -> X x = 0) ->
  mean (coin_mass p X1) (fun S => noise_size X Y X1 (coin_weight p X1 S)) =
  \sum_(x | X1 x) (1 - p x) / p x * leverage_of X x * resid X Y x ^+ 2.

(** The method: coins with l (1 - p) <= tau p, any test G of the chosen set
    that implies M >= a and at most B labels. *)
(* slug: free-draws *)
Parameter free_draws_method : forall (R : realFieldType) (d : nat) (I : finType)
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

(** The best coins for tau: p = l/(l+tau) meets the condition with equality,
    and at most R_X/tau labels are expected. *)
(* slug: free-draws *)
Parameter free_draws_best : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (X1 : pred I) (tau : R),
  gram X \in unitmx -> 0 < tau ->
  let p x := leverage_of X x / (leverage_of X x + tau) in
  [/\ forall x, 0 <= p x <= 1,
      forall x, leverage_of X x * (1 - p x) = tau * p x,
      mean (coin_mass p X1) (fun S => #|S|%:R) =
        \sum_(x | X1 x) leverage_of X x / (leverage_of X x + tau) &
      \sum_(x | X1 x) leverage_of X x / (leverage_of X x + tau)
        <= reduced_rank X X1 / tau].

(** ** The paper's algorithm, sharper. *)

(** One step from any state between the barriers: the mean of each inverse
    falls by a multiple of its square. *)
(* slug: drift *)
Parameter drift_upper : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> inv s ->
  psd (invmx (upper s)
       - (g ^+ 2 / ((1 - g) * (1 - 2%:R * g)) / Phi s)
           *: (invmx (upper s) *m invmx (upper s))
       - \sum_x prob U s x *: invmx (upper (step U g s x))).

(* slug: drift *)
Parameter drift_lower : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  inv s ->
  psd (invmx (lower s)
       - (g ^+ 2 / ((1 + 2%:R * g) * (1 + 2%:R * g + 2%:R * g ^+ 2)) / Phi s)
           *: (invmx (lower s) *m invmx (lower s))
       - \sum_x prob U s x *: invmx (lower (step U g s x))).

(** The bracket falls by the factor 1 - th (r'-r)/(1+r); r' - r is known
    before the draw. *)
(* slug: theta-supermartingale *)
Parameter theta_bracket : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g th : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> inv s ->
  th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= 1 - 4%:R * g ^+ 2 ->
  (forall x, rad g (step U g s x) = rad g s + clk d g * g / Phi s) /\
  psd ((1 - th * (clk d g * g / Phi s / (1 + rad g s))) *: bracket s
       - \sum_x prob U s x *: bracket (step U g s x)).

(** Without powers: (1+r)/(1+(1-th) r) Phi^M is a supermartingale. *)
(* slug: theta-supermartingale *)
Parameter theta_supermartingale : forall (R : realFieldType) (d : nat)
  (I : finType) (U : I -> 'cV[R]_d) (g th : R) (h : seq I) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> 0 <= th <= 1 ->
  th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= 1 - 4%:R * g ^+ 2 ->
  psd M ->
  let F r := (1 + r) / (1 + (1 - th) * r) in
  forall x0, \sum_x prob U (hst U g h) x *
      (F (rr U g (x0 :: h)) * phi M (hst U g (x :: h)))
    <= F (rr U g h) * phi M (hst U g h).

(** The labels that follow, with another number in place of rbar = 1 + 2c: smaller for
    small g and the largest th, not for every g and d. *)
(* slug: theta-supermartingale *)
Parameter theta_labels : forall (R : realFieldType) (d : nat) (I : finType)
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

(** With true powers: th = a/b, and pw(x) = x^th for x >= 1, which means
    pw(x)^b = x^a. Over a real closed field there is such a function. *)
(* slug: theta-supermartingale *)
Parameter theta_power_exists : forall (R : rcfType) (a b : nat), (0 < b)%N ->
  exists pw : R -> R, forall x, 1 <= x -> 0 < pw x /\ pw x ^+ b = x ^+ a.

(** (1+r)^th Phi^M is a supermartingale, and in the clock lemma rbar is replaced
    by (1+c)^th ((1+rbar)^(1-th) - 1)/(1-th). *)
(* slug: theta-supermartingale *)
Parameter theta_powers : forall (R : realFieldType) (d : nat) (I : finType)
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

(** The labels under the paper's rule. *)
(* slug: theta-supermartingale *)
Parameter theta_power_labels : forall (R : realFieldType) (d : nat)
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

(** The tail of r at the paper's stop, for all g < 1/2; L stands for
    2 sqrt((1-q)/(k q)), or any smaller number. *)
(* slug: tail-sharp *)
Parameter tail_sharp : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g : R) (n : nat) (q L : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 < q -> 0 < L -> 1 < (1 + q) * L ->
  (1 - 4%:R * g ^+ 2) * L ^+ 2 * q <= 4%:R * (1 - q) ->
  Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (rr U g h < q))
  <= q / ((1 + q) * L - 1).

(* slug: tail-sharp *)
Parameter tail_sharp_theta : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g th : R) (n : nat) (q L : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 -> 0 <= th <= 1 ->
  th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= 1 - 4%:R * g ^+ 2 ->
  0 < q -> 0 < L -> 1 < (1 + (1 - th) * q) * L ->
  (1 - 4%:R * g ^+ 2) * L ^+ 2 * q <= 4%:R * (1 - q) ->
  Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (rr U g h < q))
  <= (1 - th) * q / ((1 + (1 - th) * q) * L - 1).

(** The main theorem for any C, any level q and any tangent y: t is any
    bound on the tail at q. *)
(* slug: main-15 *)
Parameter main_any_constant : forall (R : realFieldType) (d : nat) (I : finType)
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

(** With C = 15: g = sqrt(eps)/15. *)
(* slug: main-15 *)
Parameter main_15 : forall (R : rcfType) (d : nat) (I : finType)
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

(** With C = 13, by the theta-supermartingale: 150 R_X/eps labels. *)
(* slug: main-13 *)
Parameter main_13 : forall (R : rcfType) (d : nat) (I : finType)
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

(** ** The same algorithm with other rates. *)

(** One step with any rates cu >= g/(1-g), cl (1 + g/(1-cl)) <= g: the
    barriers stay strict and the bracket does not grow in the mean. *)
(* slug: tight-rates *)
Parameter rates_one_step : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (g cu cl : R) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> g < 1 ->
  0 <= cu -> 0 <= cl -> cl < 1 -> inv s ->
  (forall x, inv (rated_step U g cu cl s x)) /\
  (0 <= cu - g / (1 - g) -> 0 <= g / (1 + g / (1 - cl)) - cl ->
   psd (bracket s - \sum_x prob U s x *: bracket (rated_step U g cu cl s x))).

(** The tight rates meet both for every g < 1; xi = g + g^2 always will do. *)
(* slug: tight-rates *)
Parameter tight_rates_admissible : forall (R : realFieldType) (g xi : R),
  0 < g -> g < 1 -> 0 < xi -> g <= xi ^+ 2 + xi * (1 - 2%:R * g) ->
  let cu := g / (1 - g) in
  let cl := g / (1 + xi) in
  [/\ 0 <= cu, 0 <= cl, cl < 1, cl < cu &
      0 <= cu - g / (1 - g) /\ 0 <= g / (1 + g / (1 - cl)) - cl] /\
  g <= (g + g ^+ 2) ^+ 2 + (g + g ^+ 2) * (1 - 2%:R * g).

(** Whole runs on the data, at any stop level T, with W = cu - cl: labels,
    draws, late runs, loss of the runs that stopped. *)
(* slug: tight-rates *)
Parameter rates_runs : forall (R : realFieldType) (d : nat) (I : finType)
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

(** One uniform theorem: g = sqrt(eps/13), T = 10/13, xi = g + g^2. *)
(* slug: tight-rates *)
Parameter tight_rates_20 : forall (R : rcfType) (d : nat) (I : finType)
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

(** ** Keep X2, sample X1 against one barrier. *)

(** Under any valid policy: the gap stays positive definite, its inverse does
    not grow in the mean, and at the end A >= (1-nu) S D - c I. *)
(* slug: one-sided *)
Parameter one_sided_policy : forall (R : realFieldType) (d : nat) (O : finType)
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

(** The algorithm, clip or coin, for any N: eta = nu/(1-nu^2) and
    c = S R_X/(N eta). At most N labels are expected with the coin, N + 1
    draws in any case; the spectrum holds surely; only labels that were
    bought or given are read; the excess is that of the finished runs. *)
(* slug: one-sided *)
Parameter one_sided : forall (R : realFieldType) (d : nat) (I : finType)
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

(** delta = 1 always will do; and nu = y^2 with R_X = N y^3 makes the
    constant at most (R_X/N) (1+y)/(1-y-y^2)^2. *)
(* slug: one-sided *)
Parameter one_sided_explicit : forall (R : realFieldType) (d : nat)
  (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (X1 : pred I) (y : R),
  whitens X P -> 0 < y -> 0 < 1 - y - y ^+ 2 ->
  psd (1%:M - os_target (white X P) X1) /\
  let nu := y ^+ 2 in
  let x := y ^+ 3 in
  let a := 1 - nu - (1 - nu ^+ 2) * x / nu in
  [/\ nu < 1, 0 < a &
      (x + nu ^+ 2 / (2%:R * (1 - nu ^+ 2))) / a ^+ 2
        <= x * (1 + y) / (1 - y - y ^+ 2) ^+ 2].

(** ** A budget that is never exceeded. *)

(** Redrawing under any expectation: the run that is kept is a run given G. *)
(* slug: sure-budget *)
Parameter redrawing_conditions : forall (R : realFieldType) (T : Type)
  (E : (T -> R) -> R) (G : pred T) (k : nat) (f : T -> R),
  (forall f1 f2, f1 =1 f2 -> E f1 = E f2) ->
  (forall f1 f2, E (fun h => f1 h + f2 h) = E f1 + E f2) ->
  (forall c g, E (fun h => c * g h) = c * E g) -> E (fun=> 1) = 1 ->
  redrawing E G k f * E (fun h => (G h)%:R) =
  (1 - (1 - E (fun h => (G h)%:R)) ^+ k) * E (fun h => (G h)%:R * f h).

(** One-sided sampling: G is any event of finished runs within the budget B. *)
(* slug: sure-budget *)
Parameter one_sided_budget : forall (R : realFieldType) (d : nat) (I : finType)
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

(** How likely a run is to stay within the budget: B >= (1+t) N, any a. *)
(* slug: sure-budget *)
Parameter one_sided_within_budget : forall (R : realFieldType) (d : nat)
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

(** ** Heavy points, bought outright and then kept. *)

(** The leverages do not depend on which labels are known, so R_X drops by
    those of the heavy points; with C R'/tau labels for the others the total
    is at most C sum of min(1, l/tau). *)
(* slug: heavy-points *)
Parameter heavy_points : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (tau : R),
  [/\ reduced_rank X X1 = \sum_(x | X1 x) leverage_of X x,
      reduced_rank X (light X X1 tau) =
        reduced_rank X X1 - \sum_(x | heavy X X1 tau x) leverage_of X x,
      opt_on X Y (light X X1 tau) <= opt_on X Y X1 &
      forall C, 0 < tau -> 1 <= C ->
        #|[set x | heavy X X1 tau x]|%:R
          + C / tau * reduced_rank X (light X X1 tau)
        <= C * \sum_(x | X1 x) Num.min 1 (leverage_of X x / tau)].

(** ** The paper's method with X2 kept: two barriers along D <= I. *)

(** Surely: both gaps stay positive definite; in the mean: the bracket does
    not grow; and the clock lemma for every rule that keeps r below rbar. *)
(* slug: two-sided *)
Parameter two_sided_runs : forall (R : realFieldType) (d : nat) (I : finType)
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

(** Under the rule like the paper's every draw is a label, and there are at
    most B of them, surely, for every B with B g^2 >= R_X sqrt(k). *)
(* slug: two-sided *)
Parameter two_sided_sure_labels : forall (R : realFieldType) (d : nat)
  (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (X1 : pred I) (g : R)
  (B : nat),
  whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < reduced_rank X X1 ->
  reduced_rank X X1 ^+ 2 * (1 - 4%:R * g ^+ 2) <= B%:R ^+ 2 * g ^+ 4 ->
  let U := white X P in
  let stop := ts_paper U X1 g in
  (forall h, reach stop h ->
     (size h <= B)%N /\ (bought X1 (ts_weight U X1 g h) <= B)%N) /\
  run_chance (ts_law U X1 g) stop B stop = 1.

(** Under the rule r >= T: draws, spectrum, labels read, excess and loss. *)
(* slug: two-sided *)
Parameter two_sided : forall (R : realFieldType) (d : nat) (I : finType)
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

(** The tail of the clock at the rule like the paper's, with the same numbers
    as for the paper's algorithm; L stands for 2 sqrt((1-q)/(k q)). *)
(* slug: two-sided *)
Parameter two_sided_tail : forall (R : realFieldType) (d : nat) (I : finType)
  (U : I -> 'cV[R]_d) (X1 : pred I) (g : R) (n : nat) (q L : R),
  0 < g -> 2%:R * g < 1 -> psd (1%:M - os_target U X1) ->
  0 < \tr (os_target U X1) -> 0 < q -> 0 < L -> 1 < (1 + q) * L ->
  (1 - 4%:R * g ^+ 2) * L ^+ 2 * q <= 4%:R * (1 - q) ->
  let stop := ts_paper U X1 g in
  run_chance (ts_law U X1 g) stop n
    (fun h => stop h && (ts_clock U X1 g h < q)) <= q / ((1 + q) * L - 1).

(** The main theorem for any C, any level q and any tangent y, and for every
    R_X > 0: t is any bound on the tail at q. A last step that starts below 1
    may end anywhere; it costs the last term of the total. *)
(* slug: two-sided *)
Parameter two_sided_main : forall (R : realFieldType) (d : nat) (I : finType)
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

(** With C = 15, for every R_X > 0: g = sqrt(eps)/15 and at most B labels,
    surely, for every B >= 225 R_X/eps. With probability 3/4 the excess is at
    most eps times what the optimum loses on X1, at a state where the fit is
    the only minimiser of the weighted loss; only labels that were drawn or
    given are read. *)
(* slug: two-sided *)
Parameter two_sided_main_15 : forall (R : rcfType) (d : nat) (I : finType)
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

(** Ended exactly at r = T, by clip or coin, for any delta with D <= delta:
    with N = k T R_X/g^2, at most N labels are expected with the coin and
    N + 1 draws in any case; the spectrum holds surely; only labels that were
    bought or given are read; the excess is that of the finished runs. Nothing
    here gets worse when R_X is small. *)
(* slug: two-sided *)
Parameter two_sided_exact : forall (R : realFieldType) (d : nat) (I : finType)
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

(** ** The paper's algorithm is the case of an empty X2: D = 1, R_X = d. *)

(** The same states, gaps, brackets, potentials, law, clocks, stops and
    expectations, and the same weight w' of a draw. The final weights differ by
    the factor 1 - 4 g^2, since the paper divides by mid and [ts_weight] by g s;
    the fit does not see it (the next result). *)
(* slug: two-sided *)
Parameter paper_is_two_sided : forall (R : realFieldType) (d : nat)
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

(** The same fit, wherever the fit of the sample is determined. *)
(* slug: two-sided *)
Parameter paper_fit_is_two_sided : forall (R : realFieldType) (d : nat)
  (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R)
  (h : seq I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  sample_gram X U g h \in unitmx ->
  weighted_fit X Y (ts_weight U xpredT g h) = betahat X Y U g h.

(** ** When X2 already says a lot: no label at all. *)

(** If the unlabelled points hold at most the part delta < 1 of the Gram matrix,
    the loss of the fit on the given labels exceeds OPT by at most
    delta/(1-delta) OPT, and no label of X1 is read. *)
(* slug: zero-labels *)
Parameter no_label_excess : forall (R : realFieldType) (d : nat) (I : finType)
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

(** Exactly N draws, so at most N labels: the fit on the given labels, corrected
    by the mean of N independent draws by leverage, and shrunken. At
    eps (1-delta)/delta = 1 the draws get weight 0: no label is needed, as the
    lower bound says. *)
(* slug: shrunken-draws *)
Parameter shrunken_excess : forall (R : realFieldType) (d : nat) (I : finType)
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

(** N independent draws by leverage, each at weight R_X/(N l), and X2 kept at
    weight 1: weighted least squares. If X1 holds at most the part delta < 1 of
    the Gram matrix, the expected excess is at most (R_X/N) OPT_1/(1-delta)^2;
    a run of N draws buys at most N different labels and reads no other. *)
(* slug: independent-draws *)
Parameter independent_draws : forall (R : realFieldType) (d : nat) (I : finType)
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

(** Two stages: a first answer b, corrected by the mean of N independent draws by
    leverage and by all of X2. Given b, the mean is beta* in every coordinate,
    and the expected excess is at most (R_X/N) loss(b); so a random pilot of
    expected loss (1+eps) OPT, drawn before and independently, gives
    (R_X/N)(1+eps) OPT. Only the labels drawn and those of X2 are read. *)
(* slug: two-stages *)
Parameter two_stages : forall (R : realFieldType) (d : nat) (I O : finType)
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

End BEYOND.
