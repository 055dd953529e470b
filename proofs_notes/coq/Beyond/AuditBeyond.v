(** What is proved beyond the paper: every statement in full, closed by the
    theorem it names; directly above each stands the slug of its claim. Read
    Definitions.v first. R is any real field, or any real closed field where
    a square root occurs. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run Tree Regression.
From Asura Require Import Beyond.Definitions Beyond.FreeDraws.
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
  \sum_(x | X1 x) (1 - p x) / p x * leverage X x * resid X Y x ^+ 2.
Proof. exact: coin_noise. Qed.

(** The method: coins with l (1 - p) <= tau p, any test G of the chosen set
    that implies M >= a and at most B labels. *)
(* slug: free-draws *)
Theorem free_draws_method : forall (R : realFieldType) (d : nat) (I : finType)
  (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (p : I -> R) (tau a : R)
  (B n : nat) (G : pred {set I}),
  gram X \in unitmx -> 0 <= tau -> 0 < a ->
  (forall x, X1 x -> 0 <= p x <= 1) ->
  (forall x, X1 x -> leverage X x * (1 - p x) <= tau * p x) ->
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
  let p x := leverage X x / (leverage X x + tau) in
  [/\ forall x, 0 <= p x <= 1,
      forall x, leverage X x * (1 - p x) = tau * p x,
      mean (coin_mass p X1) (fun S => #|S|%:R) =
        \sum_(x | X1 x) leverage X x / (leverage X x + tau) &
      \sum_(x | X1 x) leverage X x / (leverage X x + tau)
        <= reduced_rank X X1 / tau].
Proof.
move=> R d I X X1 tau uG t0 /=; split.
- exact: best_unit.
- exact: best_tau.
- exact: free_draws_tau.
- exact: best_labels.
Qed.
