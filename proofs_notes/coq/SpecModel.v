(** * What is claimed: the model is the program

    The Python reference never whitens: it runs Algorithm 2 in Gram coordinates,
    where G = X^T X stands for the identity and B_j = sum w' x x^T for A_j, so that
    every number is rational in the data. The first part writes that program down;
    the second, [Module Type MODEL], states that it is Algorithm 2 of Spec.v, for
    every whitening. Check.v proves [Module Model : MODEL].

    A point may carry a squared scale c_x, and then stands for sqrt(c_x) x (ridge
    and kernel data of the reference); c = 1 is the plain case. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

(* ========================================================================== *)
(** * I. The program *)

Section Program.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (c : I -> R) (X : I -> 'cV[R]_d) (g : R).

(* B_j, u_j, l_j, and the sum of the potentials before j *)
Record gstate := GState { gacc : 'M[R]_d; gup : R; glo : R; gsum : R }.
Implicit Types (s : gstate) (x : I).

(* c_x x x^T *)
Definition gouter x : 'M[R]_d := c x *: (X x *m (X x)^T).
(* G *)
Definition ggram : 'M[R]_d := \sum_x gouter x.
(* u G - B and B - l G *)
Definition below_upper s : 'M[R]_d := gup s *: ggram - gacc s.
Definition above_lower s : 'M[R]_d := gacc s - glo s *: ggram.
(* (u G - B)^-1 + (B - l G)^-1 *)
Definition gbracket s : 'M[R]_d := invmx (below_upper s) + invmx (above_lower s).
(* Tr(G bracket), the potential *)
Definition gpotential s : R := \tr (ggram *m gbracket s).
(* c_x x^T bracket x, which is p_x times the potential *)
Definition gmass s x : R := c x * qf (gbracket s) (X x).
(* p_x = mass/potential *)
Definition gprob s x : R := gmass s x / gpotential s.
(* w'_x = gamma/mass *)
Definition gweight s x : R := g / gmass s x.
(* one iteration *)
Definition gstep s x : gstate :=
  GState (gacc s + gweight s x *: gouter x)
         (gup s + g / (1 - 2%:R * g) / gpotential s)
         (glo s + g / (1 + 2%:R * g) / gpotential s)
         (gsum s + gpotential s).
(* the initial state *)
Definition gstart : gstate := GState 0 (2%:R * d%:R / g) (- (2%:R * d%:R / g)) 0.
(* the state after the draws h, latest first *)
Definition grun (h : seq I) : gstate := foldr (fun x s => gstep s x) gstart h.

(* (u + l)/2, by which the final weights are divided *)
Definition gmid s : R := (gup s + glo s) / 2%:R.
(* does the loop go on? line 3 of Algorithm 2, and the rule on the gap alone *)
Definition proceeds_paper s : bool := gup s - glo s + gsum s < 8%:R * d%:R / g.
Definition proceeds_level (T : R) s : bool := gup s - glo s < 4%:R * d%:R / g * (1 + T).

(* the barriers, as the reference tests them *)
Definition within_barriers s := pd (below_upper s) /\ pd (above_lower s).

Section Tree.
Variable stop : pred (seq I).
(* expectations over the tree, as [Tend] and [Tsum] *)
Fixpoint gTend (n : nat) (f : seq I -> R) (h : seq I) : R :=
  if stop h then f h
  else if n is n'.+1 then \sum_x gprob (grun h) x * gTend n' f (x :: h)
  else f h.
Fixpoint gTsum (n : nat) (f : seq I -> R) (h : seq I) : R :=
  if stop h then 0
  else if n is n'.+1 then
    f h + \sum_x gprob (grun h) x * gTsum n' f (x :: h)
  else 0.
End Tree.

(* P whitens the scaled points, and U(x) is the point x in its coordinates, up to
   sign: U(x) = sqrt(c_x) P^T x *)
Definition whites (P : 'M[R]_d) (U : I -> 'cV[R]_d) :=
  P^T *m ggram *m P = 1%:M /\
  forall x, U x *m (U x)^T = P^T *m gouter x *m P.

End Program.

(* a state in whitened coordinates: A = P^T B P *)
Definition whitened (R : realFieldType) (d : nat) (P : 'M[R]_d) (s : gstate R d) :
    state R d :=
  State (P^T *m gacc s *m P) (gup s) (glo s).
(* plain points: c = 1 *)
Definition plain (R : realFieldType) (I : finType) : I -> R := fun=> 1.

(* ========================================================================== *)
(** * II. Results *)

Module Type MODEL.

(* one iteration, from EVERY state where the program can compute *)
(* slug: model *)
Parameter gram_step_is_whitened_step :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (s : gstate R d) (x : I),
  whites c X P U ->
  below_upper c X s \in unitmx -> above_lower c X s \in unitmx -> gpotential c X s != 0 ->
  [/\ Phi (whitened P s) = gpotential c X s,
      prob U (whitened P s) x = gprob c X s x,
      weight U g (whitened P s) x = gweight c X g s x &
      step U g (whitened P s) x = whitened P (gstep c X g s x)].

(* the barriers mean the same *)
(* slug: model *)
Parameter gram_barriers :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (U : I -> 'cV[R]_d) (s : gstate R d),
  whites c X P U -> within_barriers c X s <-> inv (whitened P s).

(* whole runs: state, sum of the potentials, potential, probabilities, weights, mid
   and the loop tests *)
(* slug: model *)
Parameter gram_run_is_whitened_run :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  [/\ hst U g h = whitened P (grun c X g h),
      past (fun h' => Phi (hst U g h')) h = gsum (grun c X g h),
      Phi (hst U g h) = gpotential c X (grun c X g h),
      forall x, prob U (hst U g h) x = gprob c X (grun c X g h) x &
      forall x, weight U g (hst U g h) x = gweight c X g (grun c X g h) x] /\
  [/\ mid (hst U g h) = gmid (grun c X g h),
      paper_stop U g h = ~~ proceeds_paper g (grun c X g h),
      sure_stop U g h = ~~ proceeds_level g 1 (grun c X g h) &
      forall T, level_stop U g T h = ~~ proceeds_level g T (grun c X g h)].

(* the final weights w'/mid, of the draw x made after h' in the run h *)
(* slug: model *)
Parameter gram_weights :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (h h' : seq I) (x : I),
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  weight U g (hst U g h') x / mid (hst U g h) =
  gweight c X g (grun c X g h') x / gmid (grun c X g h).

(* expectations over the tree *)
(* slug: model *)
Parameter gram_tree :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)) (n : nat)
    (f : seq I -> R) (h : seq I),
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  Tend U g stop n f h = gTend c X g stop n f h /\
  Tsum U g stop n f h = gTsum c X g stop n f h.

(* plain points: U(x) = P^T x *)
(* slug: model *)
Parameter plain_rows :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d),
  whitens X P -> whites (@plain R I) X P (white X P).

(* scaled points: a whitening exists as soon as G is invertible *)
(* slug: model *)
Parameter scaled_rows :
  forall (R : rcfType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d),
  (forall x, 0 <= c x) -> ggram c X \in unitmx ->
  exists P, whites c X P (fun x => Num.sqrt (c x) *: (P^T *m X x)).

(* a run does not depend on the whitening *)
(* slug: model *)
Parameter whitening_free :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P P' : 'M[R]_d) (U U' : I -> 'cV[R]_d) (g : R) (h : seq I) (x : I),
  whites c X P U -> whites c X P' U' -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  [/\ Phi (hst U g h) = Phi (hst U' g h),
      prob U (hst U g h) x = prob U' (hst U' g h) x,
      weight U g (hst U g h) x = weight U' g (hst U' g h) x &
      paper_stop U g h = paper_stop U' g h].

(* nor on the coordinates of the data: an invertible change T of them *)
(* slug: model *)
Parameter coordinates_free :
  forall (R : realFieldType) (d : nat) (I : finType) (c c' : I -> R) (X X' : I -> 'cV[R]_d)
    (T P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (h : seq I) (x : I),
  T \in unitmx -> (forall x, gouter c' X' x = T^T *m gouter c X x *m T) ->
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  [/\ gpotential c' X' (grun c' X' g h) = gpotential c X (grun c X g h),
      gprob c' X' (grun c' X' g h) x = gprob c X (grun c X g h) x,
      gweight c' X' g (grun c' X' g h) x = gweight c X g (grun c X g h) x &
      proceeds_paper g (grun c' X' g h) = proceeds_paper g (grun c X g h)].

(* -------------------------------------------------------------------------- *)
(** ** Wald's equation *)

(* E[sum_{j<m} Phi_j] = sum_j P(m > j) E[Phi_j], the corollary's first equality with
   the loop run on in E[Phi_j], is false, even where the rule stops surely *)
(* slug: wald *)
Parameter wald_equality_false :
  forall R : realFieldType,
  ~ (forall (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
     (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
     Pr U g (paper_stop U g) n (paper_stop U g) = 1 ->
     Tsum U g (paper_stop U g) n (fun h => Phi (hst U g h)) [::] =
     \sum_(j < n) Pr U g (paper_stop U g) n (fun h => (j < size h)%N) *
       Exp U g xpred0 j (fun h => Phi (hst U g h))).

(* -------------------------------------------------------------------------- *)
(** ** Data of any rank, by restriction to the row space

    X = Z C with C of full row rank and Z of full column rank: the results of Spec.v
    about one design apply to Z, and R_X and Tr D are the same with any generalised
    inverse W. That the losses of X and Z agree (beta -> C beta) is not stated. *)

(* slug: def-reduced-rank *)
Parameter any_rank_reduced_rank :
  forall (R : realFieldType) (n1 n2 d r : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Z1 : 'M[R]_(n1, r)) (Z2 : 'M[R]_(n2, r)) (C : 'M[R]_(r, d)),
  X1 = Z1 *m C -> X2 = Z2 *m C -> row_free C -> Z1^T *m Z1 + Z2^T *m Z2 \in unitmx ->
  (forall W, generalised_inverse (X1^T *m X1 + X2^T *m X2) W ->
     stacked_reduced_rank Z1 Z2 = \tr (W *m (X1^T *m X1))) /\
  0 <= stacked_reduced_rank Z1 Z2 <= (\rank X1)%:R.

(* ridge data at lambda = 0: rank X1, whatever the rank *)
(* slug: rr-ridge *)
Parameter any_rank_ridge_zero :
  forall (R : rcfType) (n d : nat) (X1 : 'M[R]_(n, d)) (W : 'M[R]_d),
  generalised_inverse (X1^T *m X1 + (Num.sqrt 0)%:M^T *m (Num.sqrt 0)%:M) W ->
  \tr (W *m (X1^T *m X1)) = (\rank X1)%:R.

(* Tr D = R_X *)
(* slug: trace-identity *)
Parameter any_rank_trace_identity :
  forall (R : realFieldType) (d r : nat) (I : finType) (X : I -> 'cV[R]_d)
    (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)) (P : 'M[R]_r) (W : 'M[R]_d) (X1 : pred I),
  (forall x, X x = C^T *m Z x) -> row_free C -> gram Z \in unitmx ->
  whitens Z P -> generalised_inverse (gram X) W ->
  \tr (\sum_(x | X1 x) white Z P x *m (white Z P x)^T) =
  \tr (W *m \sum_(x | X1 x) X x *m (X x)^T).

(* such Z, C and a whitening of Z exist for all data *)
(* slug: trace-identity *)
Parameter any_rank_whitening :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d),
  exists r (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)) (P : 'M[R]_r),
    [/\ forall x, X x = C^T *m Z x, row_free C & gram Z \in unitmx] /\ whitens Z P.

End MODEL.
