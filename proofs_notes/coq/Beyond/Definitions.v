(** What the results beyond the paper speak of, in one place: nothing is
    proved here. The data, its Gram matrix, the loss, the optimum and the
    residuals are those of the paper's development.

      mean mu f            == the expectation of f over a finite space
      redrawn mu G n f     == draw, keep the first draw in G of at most n
      leverage X x         == x^T (X^T X)^-1 x, the leverage of a point
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
      drawn w h x          == the sum of the weights of the draws of x
      rated_step, rated_state, rated_clock, rated_stop, rated_weight ==
                              Algorithm 2 with any rates, and its stop rule
      pol_acc, pol_sig, pol_gap, pol_stop, valid_at ==
                              one-sided sampling under any policy
      os_vec, os_gap, os_pot, os_frac, os_prob, os_wt, os_ds, os_state,
      os_law, os_stop, os_weight ==
                              one-sided sampling of X1, with clip or coin
      ts_vec, ts_rank, ts_hi, ts_low, ts_brk, ts_pot, ts_prob, ts_wt,
      ts_state, ts_clock, ts_level, ts_paper, ts_weight ==
                              the paper's method with X2 kept
      redrawing E G k f    == draw whole runs, keep the first one in G
      heavy X X1 tau       == the points of X1 with leverage at least tau
      light X X1 tau       == the others *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run Regression.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
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
Definition leverage (x : I) : R := qf (invmx (gram X)) (X x).

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
Definition drawn (I : finType) (pt : O -> I) (w : seq O -> O -> R)
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
  drawn id (fun h' y => weight U g (rated_state h') y) h x.

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
  if X1 x then drawn id (fun h' o => os_wt (os_state h') o) h (true, x) / S
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

Definition heavy (x : I) : bool := X1 x && (tau <= leverage X x).
Definition light (x : I) : bool := X1 x && (leverage X x < tau).

End Heavy.

(** ** The paper's method with X2 kept: two barriers that move along D, the
    Gram matrix of X1 in orthonormal coordinates, in place of the identity. *)
Section TwoSided.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (g : R).

(** Points outside X1 are never drawn. *)
Definition ts_vec (x : I) : 'cV[R]_d := if X1 x then U x else 0.
Local Notation D := (os_target U X1).
(** R_X. *)
Definition ts_rank : R := \tr D.

(** A state is the weighted sum of the draws and the sum of the 1/Phi; the
    two gaps, the bracket, the potential, the law and the weights. *)
Implicit Types s : 'M[R]_d * R.
Definition ts_hi s : 'M[R]_d :=
  (2%:R * ts_rank / g)%:M + (g * s.2 / (1 - 2%:R * g)) *: D - s.1.
Definition ts_low s : 'M[R]_d :=
  s.1 + (2%:R * ts_rank / g)%:M - (g * s.2 / (1 + 2%:R * g)) *: D.
Definition ts_brk s : 'M[R]_d := invmx (ts_hi s) + invmx (ts_low s).
Definition ts_pot s : R := \tr (D *m ts_brk s).
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
  if X1 x then drawn id (fun h' y => ts_wt (ts_state h') y) h x
               / (g * (ts_state h).2)
  else 1.

End TwoSided.
