(** * What is claimed: every notion and every result, in one file.

    A reviewer reads this file and the paper, and nothing else. It requires
    Mathematical Components alone. The first part defines every notion that a
    statement uses; the second, [Module Type RESULTS], states every result in
    the paper's order. Check.v proves [Module Check : RESULTS], so that a proof
    of a weaker statement does not compile; `make proofs` then asks the compiled
    library for the type and the axioms of each result (CHECKING.md).
    Companions do the same for what is not in the paper: SpecValues.v for exact
    values on small instances ([Module Type VALUES], and [SKEW] for data that are
    not orthonormal), SpecModel.v for the program of the reference, the checkers
    of traces, Wald's equality and data of any rank ([MODEL]), SpecBeyond.v for
    what goes beyond the paper ([BEYOND]), SpecKept.v for values of the variants
    that keep X2 ([KEPT_VALUES]), SpecField.v for other samplers ([FIELD]).

    Above each result stands the slug of the claim that it settles, or of the
    notion that it is about. A result
    that ends in [_as_printed] is the paper's own statement, one that ends in
    [_refuted] shows that the paper's statement is false; the others are sharper
    or repaired forms.

    ** Conventions
    - R is any ordered field (realFieldType), or any real closed one (rcfType)
      where a square root occurs; the real numbers are among them.
    - d is the number of columns of X, I the finite set of its rows ("points").
    - g is the paper's gamma; 0 < g < 1/2 unless the statement says otherwise.
    - A <= B for symmetric matrices (the Loewner order) is [psd (B - A)].
    - n%:R is the number n in R; a%:M is a times the identity matrix; M^T is the
      transpose, \tr M the trace, *m the product of matrices, a *: M scaling,
      invmx M the inverse (M itself where there is none: a statement has a
      hypothesis, or a theorem before it, by which there is one; the few without,
      such as leverage_sampling, hold with either).
    - [x :: h] is the list h with x put in front; [::] is the empty list.
    - [/\ A, B & C] is "A and B and C"; [&& a, b & c] the same of booleans.

    ** What is counted
    "Draws" are counted with multiplicity: [size h], and [draws_from X1 h] for
    those that fall in X1. "Labels" are distinct points of X1: [labels X1 h].
    Each statement says which of the two it bounds.

    ** What is not covered
    - Stopping rules are functions of the history, that is of the list of the
      points drawn: no rule tosses a coin of its own.
    - The horizon n is finite: a run is cut after n draws, and the theorems hold
      for every n. Under the paper's rule n >= d/g^2 is the whole run, surely.
      Under the rule on the gap alone the limit of n is not taken: the loss
      bounds carry the indicator of the runs that have stopped by n.
    - Learners toss finite dice: there is no continuous randomness.
    - A whitening P exists only if X has full column rank; statements that
      assume one (or an invertible Gram matrix) say nothing about other X, which
      SpecModel.v restricts to their row space.
    - Arithmetic is exact: nothing here is about rounding. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.real_closed Require Import realalg.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

(* ========================================================================== *)
(** * I. Definitions *)

(* -------------------------------------------------------------------------- *)
(** ** Quadratic forms *)

Section Forms.
Variables (R : realFieldType) (d : nat).
Implicit Types (B : 'M[R]_d) (v w : 'cV[R]_d).

(* v^T B w, a bilinear form *)
Definition bf B v w : R := (v^T *m B *m w) 0 0.
(* v^T B v, a quadratic form *)
Definition qf B v : R := bf B v v.
(* <v, w>, the inner product *)
Definition dot v w : R := bf 1%:M v w.
(* |v|^2, the squared Euclidean norm *)
Definition sqn v : R := qf 1%:M v.
(* B is symmetric and positive semidefinite *)
Definition psd B := B^T = B /\ forall v, 0 <= qf B v.
(* B is symmetric and positive definite *)
Definition pd B := B^T = B /\ forall v, v != 0 -> 0 < qf B v.

End Forms.

(* -------------------------------------------------------------------------- *)
(** ** The data: a family of points, all of X *)

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R).

(* X^T X, the sum of the outer products of the rows *)
Definition gram : 'M[R]_d := \sum_i X i *m (X i)^T.
(* R_X, the reduced rank: Tr((X^T X)^-1 X1^T X1), X1 a subset of the points *)
Definition reduced_rank (X1 : pred I) : R :=
  \tr (invmx gram *m \sum_(i | X1 i) X i *m (X i)^T).
(* |X beta - Y|^2 *)
Definition loss (beta : 'cV[R]_d) : R := \sum_i (dot (X i) beta - Y i) ^+ 2.

(* X^T Y *)
Definition rhs : 'cV[R]_d := \sum_i Y i *: X i.
(* beta^*, the least squares solution on all labels *)
Definition betastar : 'cV[R]_d := invmx gram *m rhs.
(* OPT = |X beta^* - Y|^2 (noise_lemma: no beta has a smaller loss) *)
Definition opt : R := loss betastar.
(* y_x - <x, beta^*>, the noise of a label *)
Definition resid x : R := Y x - dot (X x) betastar.

(* P whitens X: (X P)^T (X P) = I. P = V Sigma^-1 of the SVD is one such P; the
   theorems hold for each of them, and whitening_exists gives one. *)
Definition whitens (P : 'M[R]_d) := P^T *m gram *m P = 1%:M.
(* the rows of X P; for P = V Sigma^-1 they are the paper's U(x) *)
Definition white (P : 'M[R]_d) (i : I) : 'cV[R]_d := P^T *m X i.

End Data.

(* -------------------------------------------------------------------------- *)
(** ** Algorithm 2 (ASURA): one iteration *)

Section Iteration.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).

(* the state of the loop: A_j, u_j, l_j *)
Record state := State { acc : 'M[R]_d; up : R; lo : R }.

Implicit Types s : state.

(* u_j I - A_j and A_j - l_j I, the distances to the two barriers *)
Definition upper s : 'M[R]_d := (up s)%:M - acc s.
Definition lower s : 'M[R]_d := acc s - (lo s)%:M.
(* (u_j I - A_j)^-1 + (A_j - l_j I)^-1, the bracket of equation (p_x) *)
Definition bracket s : 'M[R]_d := invmx (upper s) + invmx (lower s).
(* Phi_j^M = Tr(M (u_j I - A_j)^-1 + M (A_j - l_j I)^-1), the potential *)
Definition phi (M : 'M[R]_d) s : R := \tr (M *m bracket s).
(* Phi_j^Id; line 4 prints a product in place of this sum (alg_potential_refuted) *)
Definition Phi s : R := phi 1%:M s.
(* p_x, the probability to draw x (line 6) *)
Definition prob s x : R := qf (bracket s) (U x) / Phi s.
(* w'_x = (gamma / Phi) / p_x, the weight that x gets if it is drawn (line 8) *)
Definition weight s x : R := g / Phi s / prob s x.
(* the state after x was drawn (lines 7 and 9) *)
Definition step s x : state :=
  State (acc s + weight s x *: (U x *m (U x)^T))
        (up s + g / (1 - 2%:R * g) / Phi s)
        (lo s + g / (1 + 2%:R * g) / Phi s).
(* the initial state: A_0 = 0, u_0 = 2d/gamma, l_0 = -2d/gamma (line 2) *)
Definition start : state := State 0 (2%:R * d%:R / g) (- (2%:R * d%:R / g)).

(* the invariant: l_j I < A_j < u_j I, strictly *)
Definition inv s := pd (upper s) /\ pd (lower s).

(* u_j - l_j *)
Definition gap s : R := up s - lo s.
(* mid_j = (u_j + l_j)/2; the paper's mid is mid_m (line 13) *)
Definition mid s : R := (up s + lo s) / 2%:R.
(* kappa = 1 - 4 gamma^2 *)
Definition kap : R := 1 - 4%:R * g ^+ 2.
(* gamma^2 / (d kappa), the rate of the clock r (clock_increments) *)
Definition clk : R := g ^+ 2 / (d%:R * kap).
(* r of a state: its gap in units of the initial gap 4d/gamma, less 1 *)
Definition rad s : R := g * gap s / (4%:R * d%:R) - 1.

End Iteration.

(* -------------------------------------------------------------------------- *)
(** ** Algorithm 2: histories and stopping rules

    A history h is the list of the points drawn, LATEST FIRST; its length
    [size h] is the number j of draws. After x was drawn h becomes [x :: h]. *)

Section Histories.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).

(* the state after the draws h *)
Definition hst (h : seq I) : state R d :=
  foldr (fun x s => step U g s x) (start d g) h.
(* sum_{i < j} f(the first i draws), over the j draws of h *)
Fixpoint past (f : seq I -> R) (h : seq I) : R :=
  if h is _ :: h' then past f h' + f h' else 0.

(* the clock r_j = gamma (u_j - l_j)/(4d) - 1: it starts at 0 and increases *)
Definition rr h : R := rad g (hst h).
(* s_j = gamma/(4d) sum_{i < j} Phi_i, the other part of the stopping rule *)
Definition ss h : R := g / (4%:R * d%:R) * past (fun h' => Phi (hst h')) h.

(* the paper's rule: line 3 goes on while (u_j - l_j) + sum_{i<j} Phi_i < 8d/gamma *)
Definition paper_stop h : bool :=
  8%:R * d%:R / g <= gap (hst h) + past (fun h' => Phi (hst h')) h.
(* the rule on the gap alone at level T: stop when r_j >= T *)
Definition level_stop (T : R) h : bool := 4%:R * d%:R / g * (1 + T) <= gap (hst h).
(* the same at T = 1: stop when u_j - l_j >= 8d/gamma *)
Definition sure_stop h : bool := 8%:R * d%:R / g <= gap (hst h).
(* the criterion of the text: the growth of the gap, not the gap, beside the sum *)
Definition text_stop h : bool :=
  8%:R * d%:R / g <
  past (fun h' => 4%:R * g ^+ 2 / (Phi (hst h') * kap g)) h + past (fun h' => Phi (hst h')) h.
(* a run comes to h: the rule [stop] let the loop go on before each draw of h *)
Fixpoint reach (stop : pred (seq I)) (h : seq I) : bool :=
  if h is _ :: h' then ~~ stop h' && reach stop h' else true.

(* alpha = (gamma/Phi)/mid (line 13), of the draw made after h', in the run h *)
Definition alpha h h' : R := g / Phi (hst h') / mid (hst h).

(* the number of draws in X1, with multiplicity *)
Definition draws_from (X1 : pred I) (h : seq I) : nat := count X1 h.
(* the number of DISTINCT points of X1 among the draws: the labels paid for *)
Definition labels (X1 : pred I) (h : seq I) : nat := size (undup (filter X1 h)).

End Histories.

(* -------------------------------------------------------------------------- *)
(** ** Probability: the finite tree of the runs, cut after n draws

    m is the number of draws when the rule stops. *)

Section Tree.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)).

(* E[f(history at the end)], from h on, for at most n more draws *)
Fixpoint Tend (n : nat) (f : seq I -> R) (h : seq I) : R :=
  if stop h then f h
  else if n is n'.+1 then \sum_x prob U (hst U g h) x * Tend n' f (x :: h) else f h.
(* E[sum of f over the histories before each draw], from h on, likewise *)
Fixpoint Tsum (n : nat) (f : seq I -> R) (h : seq I) : R :=
  if stop h then 0
  else if n is n'.+1 then f h + \sum_x prob U (hst U g h) x * Tsum n' f (x :: h) else 0.

(* E[f(history after min(m, n) draws)] *)
Definition Exp n f : R := Tend n f [::].
(* P(the history after min(m, n) draws is in p) *)
Definition Pr n (p : pred (seq I)) : R := Exp n (fun h => (p h)%:R).

End Tree.

(* -------------------------------------------------------------------------- *)
(** ** Algorithm 1: least squares on the sample *)

(* the sum of f(h', x) over the draws of h: x was drawn after h' *)
Fixpoint dsum (I : finType) (V : zmodType) (f : seq I -> I -> V) (h : seq I) : V :=
  if h is x :: h' then dsum f h' + f h' x else 0.

Section Sample.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (U : I -> 'cV[R]_d) (g : R).

(* sum_i w_i (<x_i, beta> - y_i)^2 with w_i = w'_i/mid: what line 4 minimises *)
Definition sample_loss h (beta : 'cV[R]_d) : R :=
  dsum (fun h' x => weight U g (hst U g h') x / mid (hst U g h) *
                    (dot (X x) beta - Y x) ^+ 2) h.
(* sum_i w'_i x_i x_i^T *)
Definition sample_gram h : 'M[R]_d :=
  dsum (fun h' x => weight U g (hst U g h') x *: (X x *m (X x)^T)) h.
(* sum_i w'_i y_i x_i *)
Definition sample_rhs h : 'cV[R]_d :=
  dsum (fun h' x => (weight U g (hst U g h') x * Y x) *: X x) h.
(* betahat, what Algorithm 1 returns (betahat_minimises: the minimiser) *)
Definition betahat h : 'cV[R]_d := invmx (sample_gram h) *m sample_rhs h.

(* A^T A of the definition of well-balanced: sum_i w_i U(x_i) U(x_i)^T *)
Definition sample_matrix h : 'M[R]_d :=
  dsum (fun h' x => (weight U g (hst U g h') x / mid (hst U g h)) *: (U x *m (U x)^T)) h.

End Sample.

(* sum_i w'_i (y_i - <x_i, beta^*>) U(x_i), the noise gathered by the sample *)
Definition noise (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d)
    (Y : I -> R) (P : 'M[R]_d) (g : R) (h : seq I) : 'cV[R]_d :=
  dsum (fun h' x => (weight (white X P) g (hst (white X P) g h') x * resid X Y x) *:
                    white X P x) h.

(* -------------------------------------------------------------------------- *)
(** ** The instances of some refutations *)

(* the single point 1 on the line *)
Definition one (R : realFieldType) (x : unit_finType) : 'cV[R]_1 := 1%:M.
(* the points 3/5 (true) and 4/5 (false) on the line *)
Definition two (R : realFieldType) (b : bool) : 'cV[R]_1 :=
  (if b then 3%:R / 5%:R else 4%:R / 5%:R)%:M.
(* M^2 copies of the point 1/M on the line *)
Definition copies (R : realFieldType) (M : nat) (x : 'I_M * 'I_M) : 'cV[R]_1 :=
  (M%:R^-1)%:M.
(* the unit vectors e_1, ..., e_d *)
Definition axes (R : realFieldType) (d : nat) (x : 'I_d) : 'cV[R]_d := delta_mx x 0.
(* the points 1, ..., n on the line *)
Definition whole_points (R : realFieldType) (n : nat) (i : 'I_n) : 'cV[R]_1 :=
  (i.+1%:R)%:M.
(* the point 1 (true) and the ridge row sqrt(lambda) (false) on the line *)
Definition ridge_line (R : rcfType) (lambda : R) (x : bool) : 'cV[R]_1 :=
  (if x then 1 else Num.sqrt lambda)%:M.

(* -------------------------------------------------------------------------- *)
(** ** The data as matrices: X1 (unlabelled) over X2 (labelled) *)

Section Stacked.
Variable R : fieldType.

(* |v|^2 *)
Definition sqnorm n (v : 'cV[R]_n) : R := \sum_i v i 0 ^+ 2.
(* |X beta - Y|^2 for X = [X1; X2], Y = [Y1; Y2] *)
Definition stacked_loss n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y1 : 'cV[R]_n1) (Y2 : 'cV[R]_n2) (beta : 'cV[R]_d) : R :=
  sqnorm (col_mx X1 X2 *m beta - col_mx Y1 Y2).
(* R_X, as in [reduced_rank] (point_reduced_rank: the same number) *)
Definition stacked_reduced_rank n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) : R :=
  \tr (invmx (X1^T *m X1 + X2^T *m X2) *m (X1^T *m X1)).
(* G is a generalised inverse of A *)
Definition generalised_inverse d (A G : 'M[R]_d) := A *m G *m A = A.

(* x (X^T X)^-1 x^T, the leverage score of row i of X *)
Definition leverage n d (X : 'M[R]_(n, d)) (i : 'I_n) : R :=
  (row i X *m invmx (X^T *m X) *m (row i X)^T) 0 0.
(* P(the sample is S) when point i is included with probability p i, independently *)
Definition inclusion_probability (I : finType) (p : I -> R) (S : {set I}) : R :=
  \prod_i (if i \in S then p i else 1 - p i).
(* E|S n A|, the expected number of distinct points of A in the sample *)
Definition expected_count (I : finType) (p : I -> R) (A : {set I}) : R :=
  \sum_(S : {set I}) inclusion_probability p S * #|S :&: A|%:R.

End Stacked.

Section LeastSquares.
Variable R : realFieldType.

(* (X^T X)^-1 X^T Y *)
Definition least_squares n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y1 : 'cV[R]_n1) (Y2 : 'cV[R]_n2) : 'cV[R]_d :=
  invmx (X1^T *m X1 + X2^T *m X2) *m (X1^T *m Y1 + X2^T *m Y2).
(* OPT (optimum_least: no beta has a smaller loss) *)
Definition optimum n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) Y1 Y2 : R :=
  stacked_loss X1 X2 Y1 Y2 (least_squares X1 X2 Y1 Y2).

(* leverage score sampling (Section 3): min{1, (m/d) leverage} *)
Definition sampling_probability n d (m : R) (X : 'M[R]_(n, d)) (i : 'I_n) : R :=
  Num.min 1 (m / d%:R * leverage X i).
(* the points of X1 among those of [X1; X2]: the first n1 *)
Definition unlabelled n1 n2 : {set 'I_(n1 + n2)} := [set lshift n2 i | i : 'I_n1].
(* E|S n X1|, the expected number of labels of leverage score sampling *)
Definition leverage_labels n1 n2 d (m : R) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) : R :=
  expected_count (sampling_probability m (col_mx X1 X2)) (unlabelled n1 n2).

End LeastSquares.

(* -------------------------------------------------------------------------- *)
(** ** Learners

    The labels of X1 are a column Y1, of which a learner sees an entry only by
    reading it. An adaptive learner is a tree; a finite mixture of learners is a
    tree that tosses first. *)

Section Learner.
Variables (R : realFieldType) (n d : nat).

(* answer beta; or read the label of point x and go on with what was seen; or
   toss a finite die whose faces j have the given weights and go on with j *)
Inductive learner : Type :=
| Answer (beta : 'cV[R]_d)
| Read (x : 'I_n) (next : R -> learner)
| Toss (J : finType) (weight : J -> R) (next : J -> learner).

(* the weights of every die are probabilities *)
Fixpoint valid (T : learner) : Prop :=
  match T with
  | Answer _ => True
  | Read _ next => forall y, valid (next y)
  | Toss J weight next =>
      [/\ forall j, 0 <= weight j, \sum_j weight j = 1 & forall j, valid (next j)]
  end.

(* E[g(set of the labels read, answer)] when the labels are Y and those of the
   points in [seen] are already read *)
Fixpoint average (g : {set 'I_n} -> 'cV[R]_d -> R) (Y : 'cV[R]_n) (seen : {set 'I_n})
    (T : learner) : R :=
  match T with
  | Answer beta => g seen beta
  | Read x next => average g Y (x |: seen) (next (Y x 0))
  | Toss J weight next => \sum_j weight j * average g Y seen (next j)
  end.

(* P(set of the labels read, answer) at every outcome of nonzero weight *)
Fixpoint always (P : {set 'I_n} -> 'cV[R]_d -> Prop) (Y : 'cV[R]_n) (seen : {set 'I_n})
    (T : learner) : Prop :=
  match T with
  | Answer beta => P seen beta
  | Read x next => always P Y (x |: seen) (next (Y x 0))
  | Toss J weight next => forall j, weight j != 0 -> always P Y seen (next j)
  end.

(* E|X betahat - Y|^2 *)
Definition expected_loss n2 (X1 : 'M[R]_(n, d)) (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2)
    (Y1 : 'cV[R]_n) (T : learner) : R :=
  average (fun _ beta => stacked_loss X1 X2 Y1 Y2 beta) Y1 set0 T.
(* the expected number of DISTINCT labels that are read *)
Definition expected_labels (Y1 : 'cV[R]_n) (T : learner) : R :=
  average (fun seen _ => #|seen|%:R) Y1 set0 T.
(* surely, and whatever the labels are, at most m DISTINCT labels are read *)
Definition reads_at_most (m : nat) (T : learner) : Prop :=
  forall Y1, always (fun seen _ => #|seen| <= m)%N Y1 set0 T.

(* the learner that reads the labels of the points zs, one after the other, and
   answers with a function of the labels known then; [known] holds those known
   before, and 0 elsewhere *)
Fixpoint read_all (answer : 'cV[R]_n -> 'cV[R]_d) (zs : seq 'I_n) (known : 'cV[R]_n) :
    learner :=
  if zs is z :: zs' then
    Read z (fun y => read_all answer zs' (\col_x (if x == z then y else known x 0)))
  else Answer (answer known).
(* the learner that draws j with probability weight j without looking at labels,
   reads the labels of the points xs j and answers with out j of these labels *)
Definition draws_learner (J : finType) (weight : J -> R) (xs : J -> seq 'I_n)
    (out : J -> 'cV[R]_n -> 'cV[R]_d) : learner :=
  Toss weight (fun j => read_all (out j) (xs j) 0).

End Learner.

(* P(|X betahat - Y|^2 <= (1 + epsilon) OPT), over the learner's dice *)
Definition success_probability (R : realFieldType) n1 n2 d (X1 : 'M[R]_(n1, d))
    (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2) (epsilon : R) (Y1 : 'cV[R]_n1)
    (T : learner R n1 d) : R :=
  average (fun _ beta =>
    if stacked_loss X1 X2 Y1 Y2 beta <= (1 + epsilon) * optimum X1 X2 Y1 Y2 then 1 else 0)
    Y1 set0 T.

(* -------------------------------------------------------------------------- *)
(** ** Algorithm 1 as a learner *)

Section AsLearner.
Variables (R : realFieldType) (n1 n2 d : nat).
Variables (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2).

(* the rows of [X1; X2] as a family of points, the first n1 those of X1 *)
Definition point (i : 'I_(n1 + n2)) : 'cV[R]_d := (row i (col_mx X1 X2))^T.
(* their labels *)
Definition label (Y1 : 'cV[R]_n1) (i : 'I_(n1 + n2)) : R := col_mx Y1 Y2 i 0.
(* is it a point of X1? *)
Definition queried : pred 'I_(n1 + n2) := fun i => (i < n1)%N.
(* the number of the point in X1, if it is one *)
Definition in_X1 (i : 'I_(n1 + n2)) : option 'I_n1 :=
  if split i is inl j then Some j else None.
(* the points of X1 in a history *)
Definition drawn (h : seq 'I_(n1 + n2)) : seq 'I_n1 := pmap in_X1 h.

Variables (U : 'I_(n1 + n2) -> 'cV[R]_d) (g : R) (stop : pred (seq 'I_(n1 + n2))).

(* draw by Algorithm 2 until the rule stops, then read the labels of the points
   of X1 that were drawn and answer betahat; if the rule has not stopped after n
   draws, read every label and answer the least squares solution *)
Fixpoint algorithm1 (n : nat) (h : seq 'I_(n1 + n2)) : learner R n1 d :=
  if stop h then read_all (fun Y1 => betahat point (label Y1) U g h) (drawn h) 0
  else if n is n'.+1 then Toss (prob U (hst U g h)) (fun x => algorithm1 n' (x :: h))
  else read_all (fun Y1 => least_squares X1 X2 Y1 Y2) (enum 'I_n1) 0.

End AsLearner.

(* -------------------------------------------------------------------------- *)
(** ** The instance of the lower bound

    X1 has n copies of e_i/sqrt(n) for each i <= d; X2 is sqrt(lambda) I with
    labels 0 (ridge regression). *)

Section Design.
Variables (R : rcfType) (d n : nat).

(* the number of rows of X1: one for each pair (i, t), i < d, t < n *)
Definition rows := #|{: 'I_d * 'I_n}|.
(* i of the pair with number x *)
Definition coordinate (x : 'I_rows) : 'I_d := (enum_val x).1.
(* X1: row x is e_i/sqrt(n), i the coordinate of x *)
Definition design : 'M[R]_(rows, d) :=
  \matrix_(x, j) ((coordinate x == j)%:R / Num.sqrt n%:R).
(* X2 = sqrt(lambda) I *)
Definition ridge_rows (lambda : R) : 'M[R]_d := (Num.sqrt lambda)%:M.
(* the sum of z over the n copies of e_i *)
Definition fibre_sum (z : 'I_rows -> R) (i : 'I_d) : R := \sum_(x | coordinate x == i) z x.
(* E|X betahat - Y|^2 <= (1 + epsilon) |X beta - Y|^2 for all labels and all beta *)
Definition guarantee (lambda epsilon : R) (T : learner R rows d) : Prop :=
  forall Y beta,
    expected_loss design (ridge_rows lambda) 0 Y T <=
    (1 + epsilon) * stacked_loss design (ridge_rows lambda) Y 0 beta.

End Design.

(* -------------------------------------------------------------------------- *)
(** ** Algorithm 3 (ConstructM) and the packing *)

Section Greedy.
Variables (T : finType) (close : rel T).

(* "constructM U M": a run of Algorithm 3 on U may return M. It chooses any b in
   U, removes what is close to b, and goes on until U is empty *)
Inductive constructM : {set T} -> seq T -> Prop :=
| ConstructDone : constructM set0 [::]
| ConstructStep (U : {set T}) (b : T) (M : seq T) :
    b \in U -> constructM (U :\: [set b' | close b b']) M -> constructM U (b :: M).

End Greedy.

(* the number of vectors of {+1, -1}^d within Hamming distance r of one of them *)
Definition volume d r : nat := (\sum_(i < r.+1) 'C(d, i))%N.

Section Packing.
Variables (R : rcfType) (d n : nat) (lambda epsilon : R).

(* a vector of {+1, -1}^d: true stands for +1 *)
Definition sign_vector (b : {ffun 'I_d -> bool}) : 'cV[R]_d :=
  \col_i (if b i then 1 else -1).
(* 0.002 d (epsilon lambda (1 + lambda) + 1 + lambda) *)
Definition separation : R :=
  2%:R / 1000%:R * d%:R * (epsilon * lambda * (1 + lambda) + 1 + lambda).
(* |X beta' - X beta|^2 is at most that *)
Definition close (b c : {ffun 'I_d -> bool}) : bool :=
  sqnorm (design R d n *m sign_vector c - design R d n *m sign_vector b) <= separation.
(* the largest Hamming distance of two vectors that are close *)
Definition radius : nat := \max_(h < d.+1 | (4 * h)%:R <= separation) h.

End Packing.

(* ========================================================================== *)
(** * II. Results *)

Module Type RESULTS.

(* -------------------------------------------------------------------------- *)
(** ** Section 2: the problem and its two special cases *)

(* 0 <= R_X <= rank X1, for X of full column rank *)
(* slug: def-reduced-rank *)
Parameter reduced_rank_bounds :
  forall (R : realFieldType) n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)),
  X1^T *m X1 + X2^T *m X2 \in unitmx ->
  0 <= stacked_reduced_rank X1 X2 <= (\rank X1)%:R.

(* ridge regression: X2 = sqrt(lambda) I, Y2 = 0 *)
(* slug: ridge-is-ssar *)
Parameter ridge_is_ssar :
  forall (R : rcfType) n d (X1 : 'M[R]_(n, d)) (Y1 : 'cV[R]_n) (lambda : R)
    (beta : 'cV[R]_d),
  0 <= lambda ->
  stacked_loss X1 (Num.sqrt lambda)%:M Y1 0 beta =
  sqnorm (X1 *m beta - Y1) + lambda * sqnorm beta.

(* kernel ridge regression: X1 = K, X2 = sqrt(lambda) Z with Z^T Z = K, Y2 = 0 *)
(* slug: kernel-is-ssar *)
Parameter kernel_is_ssar :
  forall (R : rcfType) n (K Z : 'M[R]_n) (Y1 : 'cV[R]_n) (lambda : R) (beta : 'cV[R]_n),
  0 <= lambda -> Z^T *m Z = K ->
  stacked_loss K (Num.sqrt lambda *: Z) Y1 0 beta =
  sqnorm (K *m beta - Y1) + lambda * (beta^T *m K *m beta) 0 0.

(* "the unique solution to Z^T Z = K" is not unique *)
(* slug: kernel-is-ssar *)
Parameter kernel_root_not_unique :
  forall R : rcfType,
  exists K Z Z' : 'M[R]_1, [/\ Z^T *m Z = K, Z'^T *m Z' = K & Z != Z'].

(* X2 = sqrt(K), without sqrt(lambda), is false *)
(* slug: kernel-is-ssar *)
Parameter kernel_row_needs_root :
  forall R : rcfType,
  ~ (forall n (K Z : 'M[R]_n) (lambda : R),
     0 < lambda -> Z^T *m Z = K -> K \in unitmx ->
     stacked_reduced_rank K Z = \tr (invmx (K + lambda%:M) *m K)).

(* -------------------------------------------------------------------------- *)
(** ** Section 3: leverage scores, the statistical and the effective dimension *)

(* leverage scores are |U(x)|^2 for any factor U with orthonormal columns *)
(* slug: leverage-sampling *)
Parameter leverage_factor :
  forall (R : realFieldType) n d (X U : 'M[R]_(n, d)) (B : 'M[R]_d) i,
  X = U *m B -> U^T *m U = 1%:M -> B \in unitmx ->
  leverage X i = sqnorm (row i U)^T.

(* E|S n X1| <= (m/d) R_X; distinct labels *)
(* slug: leverage-sampling *)
Parameter leverage_sampling :
  forall (R : realFieldType) n1 n2 d (m : R) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)),
  leverage_labels m X1 X2 <= m / d%:R * stacked_reduced_rank X1 X2.

(* the paper's equality holds where no probability on X1 is cut at 1; distinct LABELS *)
(* slug: leverage-sampling *)
Parameter leverage_sampling_uncapped :
  forall (R : realFieldType) n1 n2 d (m : R) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)),
  (forall i, m / d%:R * leverage (col_mx X1 X2) (lshift n2 i) <= 1) ->
  leverage_labels m X1 X2 = m / d%:R * stacked_reduced_rank X1 X2.

(* where they are cut it fails: X1 = I, for every m > d (at m = d the two agree);
   distinct LABELS *)
(* slug: leverage-sampling *)
Parameter leverage_sampling_capped :
  forall (R : realFieldType) d (m : R) (X2 : 'M[R]_(0, d)),
  (0 < d)%N -> d%:R <= m ->
  leverage_labels m (1%:M : 'M_d) X2 = d%:R /\
  m / d%:R * stacked_reduced_rank (1%:M : 'M_d) X2 = m.

(* the theorem of Section 3, in expectation: at the paper's m = C d log(d)/eps the
   distinct LABELS are at most C R_X log(d)/eps; at d = 1, where the logarithm is 0,
   nothing is sampled *)
(* slug: leverage-sampling *)
Parameter leverage_logarithm :
  forall (R : realFieldType) n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (C eps logd : R),
  (0 < d)%N ->
  let m := C * (d%:R * logd / eps) in
  leverage_labels m X1 X2 <= C * (stacked_reduced_rank X1 X2 * logd / eps) /\
  (logd = 0 -> leverage_labels m X1 X2 = 0).

(* ridge: R_X = Tr((X1^T X1 + lambda I)^-1 X1^T X1), and the same with X1 X1^T *)
(* slug: rr-ridge *)
Parameter rr_ridge :
  forall (R : rcfType) n d (X1 : 'M[R]_(n, d)) (lambda : R),
  0 < lambda ->
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \tr (invmx (X1^T *m X1 + lambda%:M) *m (X1^T *m X1)) /\
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \tr (X1 *m X1^T *m invmx (X1 *m X1^T + lambda%:M)).

(* lambda = 0 and X1 of full column rank: R_X = rank X1 *)
(* slug: rr-ridge *)
Parameter rr_ridge_zero :
  forall (R : rcfType) n d (X1 : 'M[R]_(n, d)),
  X1^T *m X1 \in unitmx ->
  stacked_reduced_rank X1 ((Num.sqrt 0)%:M : 'M_d) = (\rank X1)%:R.

(* R_X = sd(X1); sigma are the singular values of X1, zeros included, and V
   holds eigenvectors of X1^T X1 *)
(* slug: rr-ridge *)
Parameter rr_ridge_sd :
  forall (R : rcfType) n d (X1 : 'M[R]_(n, d)) (V : 'M[R]_d) (sigma : 'rV[R]_d)
    (lambda : R),
  0 < lambda -> V \in unitmx ->
  X1^T *m X1 *m V = V *m diag_mx (\row_i sigma 0 i ^+ 2) ->
  stacked_reduced_rank X1 ((Num.sqrt lambda)%:M : 'M_d) =
    \sum_(i | sigma 0 i != 0) (1 + lambda / sigma 0 i ^+ 2)^-1 /\
  \rank X1 = #|[set i | sigma 0 i != 0]|.

(* such V and sigma exist for every X1 *)
(* slug: rr-ridge *)
Parameter singular_values_exist :
  forall (R : rcfType) n d (X1 : 'M[R]_(n, d)),
  exists (V : 'M[R]_d) (sigma : 'rV[R]_d),
    [/\ V \in unitmx, forall i, 0 <= sigma 0 i &
        X1^T *m X1 *m V = V *m diag_mx (\row_i sigma 0 i ^+ 2)].

(* kernel: R_X = Tr((K + lambda I)^-1 K), K invertible *)
(* slug: rr-kernel *)
Parameter rr_kernel :
  forall (R : rcfType) n (K Z : 'M[R]_n) (lambda : R),
  0 < lambda -> Z^T *m Z = K -> K \in unitmx ->
  stacked_reduced_rank K (Num.sqrt lambda *: Z) = \tr (invmx (K + lambda%:M) *m K).

(* any K, with any generalised inverse of X^T X in place of the inverse *)
(* slug: rr-kernel *)
Parameter rr_kernel_singular :
  forall (R : rcfType) n (K Z G : 'M[R]_n) (lambda : R),
  0 < lambda -> Z^T *m Z = K ->
  generalised_inverse (K^T *m K + (Num.sqrt lambda *: Z)^T *m (Num.sqrt lambda *: Z)) G ->
  \tr (G *m (K^T *m K)) = \tr (invmx (K + lambda%:M) *m K).

(* that trace is d_lambda(K); mu are the eigenvalues of K, V its eigenvectors *)
(* slug: rr-kernel *)
Parameter effective_dimension :
  forall (R : rcfType) n (K Z V : 'M[R]_n) (mu : 'rV[R]_n) (lambda : R),
  0 < lambda -> Z^T *m Z = K -> V \in unitmx -> K *m V = V *m diag_mx mu ->
  \tr (invmx (K + lambda%:M) *m K) = \sum_(i | mu 0 i != 0) (1 + lambda / mu 0 i)^-1 /\
  \rank K = #|[set i | mu 0 i != 0]|.

(* such V and mu exist for every K *)
(* slug: rr-kernel *)
Parameter eigenvalues_exist :
  forall (R : rcfType) n (K Z : 'M[R]_n),
  Z^T *m Z = K ->
  exists (V : 'M[R]_n) (mu : 'rV[R]_n), V \in unitmx /\ K *m V = V *m diag_mx mu.

(* -------------------------------------------------------------------------- *)
(** ** The whitening, in place of the SVD *)

(* one exists when X has full column rank *)
(* slug: trace-identity *)
Parameter whitening_exists :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d),
  gram X \in unitmx -> exists P : 'M[R]_d, whitens X P.

(* each gives orthonormal columns, which is all that Algorithm 2 is told of X *)
(* slug: trace-identity *)
Parameter whitening_rows :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d),
  whitens X P -> \sum_x white X P x *m (white X P x)^T = 1%:M.

(* Tr D = R_X, D the sum of U(x) U(x)^T over X1 *)
(* slug: trace-identity *)
Parameter trace_identity :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d)
    (X1 : pred I),
  whitens X P ->
  \tr (\sum_(x | X1 x) white X P x *m (white X P x)^T) = reduced_rank X X1.

(* -------------------------------------------------------------------------- *)
(** ** Algorithm 2, one iteration, from EVERY state between its barriers

    Not only from those that a run can come to. *)

(* the p_x are probabilities *)
(* slug: probabilities-sum *)
Parameter probabilities_sum :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> inv s ->
  (forall x, 0 <= prob U s x) /\ \sum_x prob U s x = 1.

(* with the product that line 4 prints for Phi they would sum to u_j - l_j *)
(* slug: alg-potential *)
Parameter alg_potential_refuted :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> inv s ->
  \sum_x qf (bracket s) (U x) /
         \tr (invmx ((up s)%:M - acc s) *m invmx (acc s - (lo s)%:M)) = up s - lo s.

(* the sum of p_x over X1 is Phi^D/Phi^Id *)
(* slug: sampling-mass *)
Parameter sampling_mass :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d)
    (X1 : pred I),
  \sum_(x | X1 x) prob U s x = phi (\sum_(x | X1 x) U x *m (U x)^T) s / Phi s.

(* w' U U^T <= gamma (u_j I - A_j) *)
(* slug: rank-one-upper *)
Parameter rank_one_upper :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d) (x : I),
  (0 < d)%N -> 0 < g -> inv s ->
  psd (g *: ((up s)%:M - acc s) - weight U g s x *: (U x *m (U x)^T)).

(* w' U U^T <= gamma (1 + 2 gamma)/(1 + gamma) (A_j - l_{j+1} I), the sharp factor *)
(* slug: rank-one-lower *)
Parameter rank_one_lower :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> inv s ->
  psd ((g * (1 + 2%:R * g) / (1 + g)) *: (acc s - (lo (step U g s x))%:M) -
       weight U g s x *: (U x *m (U x)^T)).

(* with the printed factor 2 gamma *)
(* slug: rank-one-lower *)
Parameter rank_one_lower_as_printed :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> inv s ->
  psd ((2%:R * g) *: (acc s - (lo (step U g s x))%:M) -
       weight U g s x *: (U x *m (U x)^T)).

(* the printed proof takes the growth of u for that of l: too large at every state *)
(* slug: rank-one-lower *)
Parameter rank_one_lower_increment_refuted :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d) (x : I),
  (0 < d)%N -> 0 < g -> 2%:R * g < 1 -> inv s ->
  lo (step U g s x) - lo s = g / (1 + 2%:R * g) / Phi s /\
  lo (step U g s x) - lo s < g / (1 - 2%:R * g) / Phi s.

(* l_j I < A_j < u_j I is kept by every draw, whichever point it gives *)
(* slug: invariant *)
Parameter invariant_step :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  inv s -> inv (step U g s x).

(* so it holds, strictly, after every history *)
(* slug: invariant *)
Parameter invariant :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  inv (hst U g h).

(* the printed range gamma < 1 is too large: one point on the line, gamma = 3/5, after
   the first draw, which every run makes *)
(* slug: invariant *)
Parameter invariant_refuted :
  forall R : realFieldType,
  ~ (forall g : R, 0 < g -> g < 1 ->
     forall h, psd ((up (hst (one R) g h))%:M - acc (hst (one R) g h))).

(* E[Phi_{j+1}^M] <= Phi_j^M for every psd M *)
(* slug: potential-monotone *)
Parameter potential_monotone :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  inv s -> psd M ->
  \sum_x prob U s x * phi M (step U g s x) <= phi M s.

(* the same without M: the mean of the next bracket is at most the bracket *)
(* slug: potential-monotone *)
Parameter potential_monotone_loewner :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  inv s ->
  psd (bracket s - \sum_x prob U s x *: bracket (step U g s x)).

(* E[w w^T] = (gamma/Phi) I: the update of A is unbiased *)
(* slug: potential-monotone *)
Parameter unbiased_update :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> inv s ->
  \sum_x prob U s x *: (weight U g s x *: (U x *m (U x)^T)) = (g / Phi s)%:M.

(* the potential is no martingale: on the line it falls in the first step *)
(* slug: potential-monotone *)
Parameter potential_martingale_refuted :
  forall (R : realFieldType) (g : R),
  0 < g -> 2%:R * g < 1 ->
  \sum_x prob (one R) (start 1 g) x * Phi (step (one R) g (start 1 g) x) <
  Phi (start 1 g).

(* Phi_j >= 4d/(u_j - l_j) *)
(* slug: potential-lower *)
Parameter potential_lower :
  forall (R : realFieldType) (d : nat) (s : state R d),
  (0 < d)%N -> inv s -> 4%:R * d%:R / (up s - lo s) <= Phi s.

(* on runs: Phi_j >= gamma/(1 + r_j), and r_j < 1 before the stop *)
(* slug: potential-lower *)
Parameter potential_lower_run :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  g / (1 + rr U g h) <= Phi (hst U g h) /\ (~~ paper_stop U g h -> rr U g h < 1).

(* slug: potential-lower *)
Parameter potential_lower_as_printed :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  ~~ paper_stop U g h -> g / 2%:R <= Phi (hst U g h).

(* -------------------------------------------------------------------------- *)
(** ** Identities of a run: the clock r *)

(* r_0 = 0, r_{j+1} = r_j + gamma^3/(d kappa Phi_j) *)
(* slug: identity-1 *)
Parameter clock_increments :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  rr U g [::] = 0 /\ rr U g (x :: h) = rr U g h + clk d g * g / Phi (hst U g h).

(* mid_j = (d/gamma^2) r_j, and the barriers are functions of it *)
(* slug: identity-2 *)
Parameter barriers_of_clock :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  [/\ mid (hst U g h) = d%:R / g ^+ 2 * rr U g h,
      up (hst U g h) = (1 + 2%:R * g) * mid (hst U g h) + 2%:R * d%:R / g &
      lo (hst U g h) = (1 - 2%:R * g) * mid (hst U g h) - 2%:R * d%:R / g].

(* s_j >= (kappa/4) r_j/(1 + r_j); the paper's rule is r_j + s_j >= 1; r stays
   below rho before the stop, and little above it at the stop *)
(* slug: identity-3 *)
Parameter clock_bounds :
  forall (R : rcfType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  let k := 1 - 4%:R * g ^+ 2 in
  let rho := (- (k / 4%:R) + Num.sqrt ((k / 4%:R) ^+ 2 + 4%:R)) / 2%:R in
  [/\ forall h, k / 4%:R * (rr U g h / (1 + rr U g h)) <= ss U g h,
      forall h, paper_stop U g h = (1 <= rr U g h + ss U g h),
      forall h, ~~ paper_stop U g h -> rr U g h < rho &
      forall h, reach (paper_stop U g) h -> rr U g h <= rho + clk d g * (1 + rho)].

(* |U(x)|^2 <= (u_j - l_j)/4 U(x)^T bracket U(x) *)
(* slug: identity-6 *)
Parameter leverage_over_bracket :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d)
    (x : I),
  (0 < d)%N -> inv s -> sqn (U x) <= (up s - lo s) / 4%:R * qf (bracket s) (U x).

(* Phi_{j+1}^M <= Phi_j^M/(1 - gamma), surely *)
(* slug: identity-8 *)
Parameter potential_growth :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d) (x : I) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  inv s -> psd M -> phi M (step U g s x) <= phi M s / (1 - g).

(* -------------------------------------------------------------------------- *)
(** ** The number m of draws *)

(* a history at which the paper's rule goes on has fewer than d sqrt(kappa)/gamma^2
   draws; hence m, one draw more, has m + 1 < d/gamma^2 *)
(* slug: m-bound *)
Parameter m_bound :
  forall (R : rcfType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  ~~ paper_stop U g h ->
  (size h)%:R < d%:R * Num.sqrt (1 - 4%:R * g ^+ 2) / g ^+ 2 /\
  ((size h)%:R + 2%:R) * g ^+ 2 < d%:R.

(* m <= 2d/gamma^2 DRAWS, surely *)
(* slug: m-bound *)
Parameter m_bound_as_printed :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  reach (paper_stop U g) h -> (size h)%:R <= 2%:R * d%:R / g ^+ 2.

(* the paper's rule has stopped, surely, after n >= d sqrt(kappa)/gamma^2 draws *)
(* slug: m-bound *)
Parameter termination :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  d%:R ^+ 2 * (1 - 4%:R * g ^+ 2) <= n%:R ^+ 2 * g ^+ 4 ->
  Pr U g (paper_stop U g) n (paper_stop U g) = 1.

(* on a complete run the condition of line 3 holds after t draws exactly if t < m;
   [drop (size h - t) h] are the first t draws *)
(* slug: m-bound *)
Parameter m_bound_event_repaired :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I) (t : nat),
  reach (paper_stop U g) h -> paper_stop U g h -> (t <= size h)%N ->
  ~~ paper_stop U g (drop (size h - t) h) = (t < size h)%N.

(* so "m >= t exactly if it holds" is false, on every complete run of m DRAWS *)
(* slug: m-bound *)
Parameter m_bound_event_refuted :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  reach (paper_stop U g) h -> paper_stop U g h ->
  ~ (forall t, (t <= size h)%N ->
     (t <= size h)%N = ~~ paper_stop U g (drop (size h - t) h)).

(* E[m] <= d kappa/gamma^2 + 2 under both rules (DRAWS) *)
(* slug: m-bound *)
Parameter expected_length :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d)
    (g : R) (n : nat),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  Exp (white X P) g (paper_stop (white X P) g) n (fun h => (size h)%:R) <=
    d%:R * (1 - 4%:R * g ^+ 2) / g ^+ 2 + 2%:R /\
  Exp (white X P) g (sure_stop (white X P) g) n (fun h => (size h)%:R) <=
    d%:R * (1 - 4%:R * g ^+ 2) / g ^+ 2 + 2%:R.

(* line 3 with the initial gap 4d/gamma taken out *)
(* slug: stop-text *)
Parameter stop_text_line_three :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  paper_stop U g h =
  (4%:R * d%:R / g <=
   past (fun h' => 4%:R * g ^+ 2 / (Phi (hst U g h') * (1 - 4%:R * g ^+ 2))) h +
   past (fun h' => Phi (hst U g h')) h).

(* the text's 8d/gamma is another rule: on the line, gamma <= 1/4, it has not
   stopped at any history that line 3 allows, the complete ones included *)
(* slug: stop-text *)
Parameter stop_text_refuted :
  forall (R : realFieldType) (g : R) (h : seq unit),
  0 < g -> 2%:R * g < 1 -> 4%:R * g <= 1 ->
  reach (paper_stop (one R) g) h -> ~~ text_stop (one R) g h.

(* no constant bounds the growth of u from below: for every c > 0 there are a gamma
   and a run, still going on, whose next growth is less; every point has positive
   probability at every state *)
(* slug: u-grows *)
Parameter u_grows_refuted :
  forall (R : realFieldType) (c : R),
  Num.archimedean_axiom R -> 0 < c ->
  exists (g : R) (h : seq 'I_2) (x : 'I_2),
    let U := @axes R 2 in
    [/\ 0 < g, 2%:R * g < 1, reach (paper_stop U g) h, ~~ paper_stop U g h &
        (forall h' y, 0 < prob U (hst U g h') y) /\
        up (hst U g (x :: h)) - up (hst U g h) < c].

(* for each gamma: the growth falls to 1/((1 - 2 gamma) K) for every K >= 1 with
   2000 K^3 gamma <= 1, on a run of e_1 alone *)
(* slug: u-grows *)
Parameter u_grows_slowly :
  forall (R : realFieldType) (g K : R) (N : nat),
  0 < g -> 2%:R * g < 1 -> 1 <= K -> 2000%:R * (K ^+ 3 * g) <= 1 ->
  32%:R * K ^+ 2 <= N%:R * g -> N%:R * g <= 33%:R * K ^+ 2 ->
  exists n : nat,
    let U := @axes R 2 in
    [/\ reach (paper_stop U g) (nseq n ord0), ~~ paper_stop U g (nseq n ord0),
        forall h x, 0 < prob U (hst U g h) x &
        up (hst U g (nseq n.+1 ord0)) - up (hst U g (nseq n ord0)) <=
        ((1 - 2%:R * g) * K)^-1].

(* for each gamma <= 1/12: the growth falls to 6 gamma, on a run of e_1 alone *)
(* slug: u-grows *)
Parameter u_grows_by_gamma :
  forall (R : realFieldType) (g : R),
  Num.archimedean_axiom R -> 0 < g -> 12%:R * g <= 1 ->
  exists n : nat,
    let U := @axes R 2 in
    [/\ reach (paper_stop U g) (nseq n ord0), ~~ paper_stop U g (nseq n ord0),
        forall h x, 0 < prob U (hst U g h) x &
        up (hst U g (nseq n.+1 ord0)) - up (hst U g (nseq n ord0)) <= 6%:R * g].

(* -------------------------------------------------------------------------- *)
(** ** The number of labels *)

(* DRAWS from X1: their expected number is E[sum_{j<m} Phi_j^D/Phi_j^Id], an
   equality, for every rule; the sum starts at j = 0 *)
(* slug: iterations *)
Parameter iterations :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (stop : pred (seq I)) (n : nat) (X1 : pred I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  Exp U g stop n (fun h => (draws_from X1 h)%:R) =
  Tsum U g stop n
    (fun h => phi (\sum_(x | X1 x) U x *m (U x)^T) (hst U g h) / Phi (hst U g h)) [::].

(* as printed, from j = 1 on, the bound on the DRAWS fails whenever R_X > 0 *)
(* slug: iterations *)
Parameter iterations_refuted :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat)
    (X1 : pred I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 < \tr (\sum_(x | X1 x) U x *m (U x)^T) ->
  ~ (Exp U g (paper_stop U g) n.+1 (fun h => (draws_from X1 h)%:R) <=
     \sum_x prob U (start d g) x * Tsum U g (paper_stop U g) n
       (fun h => phi (\sum_(x | X1 x) U x *m (U x)^T) (hst U g h) / Phi (hst U g h))
       [:: x]).

(* as printed it fails for distinct LABELS too: M^2 copies of one point *)
(* slug: iterations *)
Parameter iterations_distinct_refuted :
  forall (R : realFieldType) (M : nat) (g : R) (n : nat),
  (0 < M)%N -> 0 < g -> 2%:R * g < 1 -> 1 <= M%:R * g ^+ 2 ->
  let U := @copies R M in
  ~ (Exp U g (paper_stop U g) n.+1 (fun h => (labels xpredT h)%:R) <=
     \sum_x prob U (start 1 g) x * Tsum U g (paper_stop U g) n
       (fun h => phi (\sum_x U x *m (U x)^T) (hst U g h) / Phi (hst U g h)) [:: x]).

(* as an inequality on each run it fails, counting DRAWS: points 3/5 and 4/5; a
   complete run that only draws the first, of probability 9/25 at every step *)
(* slug: eq-m1 *)
Parameter eq_m1_refuted :
  forall (R : realFieldType) (g : R) (n : nat),
  0 < g -> 2%:R * g < 1 -> 1 <= n%:R * g ^+ 2 ->
  exists h : seq bool,
    [/\ reach (paper_stop (two R) g) h, paper_stop (two R) g h,
        forall h', prob (two R) (hst (two R) g h') true = 9%:R / 25%:R,
        all id h &
        past (fun h' => \sum_(b | b) prob (two R) (hst (two R) g h') b) h <
        (draws_from id h)%:R].

(* and for distinct LABELS: X1 is one M-th of M^2 copies of one point, each of
   probability 1/M^2 at every step *)
(* slug: eq-m1 *)
Parameter eq_m1_distinct_refuted :
  forall (R : realFieldType) (M : nat) (g : R) (i0 : 'I_M),
  (0 < M)%N -> 0 < g -> 2%:R * g < 1 -> 1 <= M%:R * g ^+ 2 ->
  let U := @copies R M in
  exists h,
    [/\ reach (paper_stop U g) h, paper_stop U g h,
        forall h' x, prob U (hst U g h') x = (M%:R ^+ 2)^-1 &
        past (fun h' => \sum_(x | x.1 == i0) prob U (hst U g h') x) h <
        (labels (fun x => x.1 == i0) h)%:R].

(* the clock lemma: E[sum_{j<m} Phi_j^M/Phi_j^Id] <= kappa rbar Tr M/gamma^2 for
   every rule that keeps r <= rbar; it takes the place of Wald's equation *)
(* slug: identity-5 *)
Parameter clock_lemma :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (stop : pred (seq I)) (n : nat) (rbar : R) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> psd M ->
  (forall h, reach stop h -> rr U g h <= rbar) ->
  Tsum U g stop n (fun h => phi M (hst U g h) / Phi (hst U g h)) [::] <=
  (1 - 4%:R * g ^+ 2) * rbar * \tr M / g ^+ 2.

(* the corollary with the horizon n in place of E[m], for every rule cut after n draws
   (with E[m] itself it is neither proved nor refuted in this file):
   E[sum_{j<m} Phi_j^M] <= n Phi_0^M, and Phi_0^M = (gamma/d) Tr M *)
(* slug: wald *)
Parameter wald_repaired :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (stop : pred (seq I)) (n : nat) (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> psd M ->
  Tsum U g stop n (fun h => phi M (hst U g h)) [::] <= n%:R * (g / d%:R * \tr M).

(* the same for the paper's rule with termination beside it: from
   n >= d sqrt(kappa)/gamma^2 on nothing is cut off *)
(* slug: wald *)
Parameter wald_whole_run :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat)
    (M : 'M[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> psd M ->
  d%:R ^+ 2 * (1 - 4%:R * g ^+ 2) <= n%:R ^+ 2 * g ^+ 4 ->
  Pr U g (paper_stop U g) n (paper_stop U g) = 1 /\
  Tsum U g (paper_stop U g) n (fun h => phi M (hst U g h)) [::] <=
    n%:R * (g / d%:R * \tr M).

(* E[LABELS] <= (1/gamma^2 - 2) R_X under both rules *)
(* slug: query-appendix *)
Parameter query_appendix :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d)
    (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  Exp (white X P) g (paper_stop (white X P) g) n (fun h => (labels X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1 /\
  Exp (white X P) g (sure_stop (white X P) g) n (fun h => (labels X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.

(* the appendix's 4 R_X/gamma^2, even for the DRAWS from X1 *)
(* slug: query-appendix *)
Parameter query_appendix_as_printed :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat)
    (X1 : pred I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  Exp U g (paper_stop U g) n (fun h => (draws_from X1 h)%:R) <=
  4%:R * \tr (\sum_(x | X1 x) U x *m (U x)^T) / g ^+ 2.

(* DRAWS from X1, the sharp form: kappa rbar R_X/gamma^2, which is smaller than
   (1/gamma^2 - 2) R_X *)
(* slug: query-appendix *)
Parameter query_draws_sharp :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g : R)
    (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  let k := 1 - 4%:R * g ^+ 2 in
  let rho := (- (k / 4%:R) + Num.sqrt ((k / 4%:R) ^+ 2 + 4%:R)) / 2%:R in
  let rbar := rho + g ^+ 2 / (d%:R * k) * (1 + rho) in
  Exp U g (paper_stop U g) n (fun h => (draws_from X1 h)%:R) <=
    k * rbar * reduced_rank X X1 / g ^+ 2 /\
  k * rbar * reduced_rank X X1 / g ^+ 2 <= ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.

(* the main text's 2 R_X/gamma is false for DRAWS: one point, gamma = 1/10 *)
(* slug: query-main *)
Parameter query_main_refuted :
  forall R : realFieldType,
  ~ (forall (g : R) (n : nat), 0 < g -> 2%:R * g < 1 ->
     Exp (one R) g (paper_stop (one R) g) n (fun h => (draws_from xpredT h)%:R) <=
     2%:R / g * \tr (\sum_x one R x *m (one R x)^T)).

(* it is false for distinct LABELS too, and so is E[m] gamma Tr D/d: 10000 copies of
   one point, gamma = 1/10, at every horizon from 21 draws on *)
(* slug: query-main *)
Parameter query_main_distinct_instance :
  forall (R : realFieldType) (n : nat),
  (21 <= n)%N ->
  let g : R := 10%:R^-1 in
  let U := @copies R 100 in
  2%:R / g * \tr (\sum_x U x *m (U x)^T) <
    Exp U g (paper_stop U g) n (fun h => (labels xpredT h)%:R) /\
  Exp U g (paper_stop U g) n (fun h => (size h)%:R) *
      (g * \tr (\sum_x U x *m (U x)^T) / 1%:R) <
    Exp U g (paper_stop U g) n (fun h => (labels xpredT h)%:R).

(* so the bound is false for distinct LABELS too *)
(* slug: query-main *)
Parameter query_main_distinct_refuted :
  forall R : realFieldType,
  ~ (forall (I : finType) (U : I -> 'cV[R]_1) (g : R) (n : nat) (X1 : pred I),
     \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
     Exp U g (paper_stop U g) n (fun h => (labels X1 h)%:R) <=
     2%:R / g * \tr (\sum_(x | X1 x) U x *m (U x)^T)).

(* the coreset in words: d numbers for each DRAW from X1, in expectation, and fewer
   than d/gamma^2 weights, surely *)
(* slug: coreset *)
Parameter coreset_count :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d)
    (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  Exp U g (paper_stop U g) n (fun h => (d * draws_from X1 h)%:R) <=
    d%:R * (((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1) /\
  forall h, reach (paper_stop U g) h -> (size h)%:R < d%:R / g ^+ 2.

(* in bits: whatever their number b, there are different points on the line, each a
   possible first draw, that b bits cannot tell apart *)
(* slug: coreset *)
Parameter coreset_bits_refuted :
  forall (R : rcfType) (b : nat) (g : R),
  0 < g ->
  exists (n : nat) (P : 'M[R]_1),
    let X := @whole_points R n in
    [/\ whitens X P, injective X,
        forall i, 0 < prob (white X P) (start 1 g) i &
        forall enc : 'I_n -> b.-tuple bool, ~ injective enc].

(* and no constant C bounds the number of weights, one per DRAW, by C d sd/eps *)
(* slug: coreset *)
Parameter coreset_weights_refuted :
  forall (R : rcfType) (C eps : R),
  0 < C -> 0 < eps ->
  exists (lambda : R) (P : 'M[R]_1),
    let X := @ridge_line R lambda in
    [/\ 0 <= lambda, whitens X P &
        forall (g : R) (h : seq bool), 0 < g -> paper_stop (white X P) g h ->
          C * (1%:R * reduced_rank X id / eps) < (size h)%:R].

(* -------------------------------------------------------------------------- *)
(** ** How far the loop goes *)

(* the tail of r at the stop: P(r_m < q), for every y > 0 *)
(* slug: identity-4 *)
Parameter tail :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat)
    (q y : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 < y -> 0 <= q <= 1 ->
  (1 - q) * Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (rr U g h < q)) <=
  ((1 - 4%:R * g ^+ 2) * y * q + (1 - q) / y) / 4%:R.

(* P(r_m < q) <= sqrt(kappa q/(1 - q))/2 *)
(* slug: identity-4 *)
Parameter tail_root :
  forall (R : rcfType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat)
    (q : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> 0 < q -> q < 1 ->
  Pr U g (paper_stop U g) n (fun h => paper_stop U g h && (rr U g h < q)) <=
  Num.sqrt ((1 - 4%:R * g ^+ 2) * q / (1 - q)) / 2%:R.

(* u_m >= 4p^2/(1 + 4p^2) d/gamma^2 with probability 1 - p *)
(* slug: um-lower *)
Parameter um_lower :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat)
    (p : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  d%:R <= n%:R * g ^+ 2 -> 0 <= p ->
  1 - p <= Pr U g (paper_stop U g) n (fun h => paper_stop U g h &&
    (4%:R * p ^+ 2 / (1 + 4%:R * p ^+ 2) * d%:R / g ^+ 2 <= up (hst U g h))).

(* u_m >= p^2 d/(8 gamma^2) with probability 1 - p *)
(* slug: um-lower *)
Parameter um_lower_as_printed :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat)
    (p : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  d%:R <= n%:R * g ^+ 2 -> 0 <= p -> p < 1 ->
  1 - p <= Pr U g (paper_stop U g) n (fun h => paper_stop U g h &&
    (p ^+ 2 * d%:R / (8%:R * g ^+ 2) <= up (hst U g h))).

(* the printed growth of the gap lacks a factor 4, at every state *)
(* slug: um-lower *)
Parameter um_lower_increment_refuted :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (s : state R d) (x : I),
  (0 < d)%N -> 0 < g -> 2%:R * g < 1 -> inv s ->
  gap (step U g s x) - gap s = 4%:R * (g ^+ 2 / (Phi s * (1 - 4%:R * g ^+ 2))) /\
  g ^+ 2 / (Phi s * (1 - 4%:R * g ^+ 2)) < gap (step U g s x) - gap s.

(* P(m < p d/gamma^2) <= p is false, m the number of DRAWS: one point, gamma = 1/10,
   p = 7/10, where that probability is 1 *)
(* slug: um-lower *)
Parameter um_lower_short_runs_refuted :
  forall (R : realFieldType) (n : nat),
  (100 <= n)%N ->
  let g : R := 10%:R^-1 in
  Pr (one R) g (paper_stop (one R) g) n (fun h => paper_stop (one R) g h &&
    ((size h)%:R < 7%:R / 10%:R * 1%:R / g ^+ 2)) = 1.

(* the event Gamma, u_m >= d/(64 gamma^2), has probability 14/15 at least *)
(* slug: event-gamma *)
Parameter event_gamma :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  d%:R <= n%:R * g ^+ 2 ->
  14%:R / 15%:R <= Pr U g (paper_stop U g) n (fun h => paper_stop U g h &&
    (d%:R / (64%:R * g ^+ 2) <= up (hst U g h))).

(* Gamma is not the lemma with p = 1/4: that gives a smaller bound on u_m *)
(* slug: event-gamma *)
Parameter event_gamma_constant_refuted :
  forall (R : realFieldType) (d : nat) (g : R),
  (0 < d)%N -> 0 < g ->
  (1 / 4%:R) ^+ 2 * d%:R / (8%:R * g ^+ 2) < d%:R / (64%:R * g ^+ 2).

(* u_m - l_m <= 9d/gamma, for gamma <= 1/sqrt(10) *)
(* slug: gap-final *)
Parameter gap_final :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (x : I)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  10%:R * g ^+ 2 <= 1 -> ~~ paper_stop U g h ->
  up (hst U g (x :: h)) - lo (hst U g (x :: h)) <= 9%:R * d%:R / g.

(* for every gamma, by the clock *)
(* slug: gap-final *)
Parameter gap_final_clock :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  reach (paper_stop (white X P) g) h ->
  let k := 1 - 4%:R * g ^+ 2 in
  let rho := (- (k / 4%:R) + Num.sqrt ((k / 4%:R) ^+ 2 + 4%:R)) / 2%:R in
  up (hst (white X P) g h) - lo (hst (white X P) g h) <=
  4%:R * d%:R / g * (1 + (rho + g ^+ 2 / (d%:R * k) * (1 + rho))).

(* it fails without a range: one point on the line, gamma = 23/50 (the witness is a
   history that the run reaches; its gap only grows until the stop) *)
(* slug: gap-final *)
Parameter gap_final_refuted :
  forall R : realFieldType,
  ~ (forall g : R, 0 < g -> 2%:R * g < 1 ->
     forall x h, reach (paper_stop (one R) g) (x :: h) ->
     up (hst (one R) g (x :: h)) - lo (hst (one R) g (x :: h)) <= 9%:R * 1%:R / g).

(* l_m > 0 exactly if u_m > 4d/(gamma (1 - 2 gamma)); so on Gamma, gamma < 1/258 *)
(* slug: lm-positive *)
Parameter lm_positive :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  (0 < lo (hst U g h)) = (4%:R * d%:R / (g * (1 - 2%:R * g)) < up (hst U g h)) /\
  (258%:R * g < 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst U g h) -> 0 < lo (hst U g h)).

(* (u_m - l_m)/u_m, an identity; on Gamma, u_m/l_m <= 1 + 260 g/(1 - 258 g), and
   the printed 1 + 3456 gamma for gamma <= 1/279 *)
(* slug: condition-number *)
Parameter condition_number :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  (0 < up (hst U g h) ->
     (up (hst U g h) - lo (hst U g h)) / up (hst U g h) =
     4%:R * g * (1 + d%:R / (g ^+ 2 * up (hst U g h))) / (1 + 2%:R * g)) /\
  (258%:R * g < 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
     up (hst U g h) / lo (hst U g h) <= 1 + 260%:R * g / (1 - 258%:R * g)) /\
  (279%:R * g <= 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
     up (hst U g h) / lo (hst U g h) <= 1 + 3456%:R * g).

(* -------------------------------------------------------------------------- *)
(** ** Well-balanced sampling *)

(* A^T A is within 1 +- 2 gamma (1 + 1/T) whenever r_m >= T > 0, surely *)
(* slug: spectral *)
Parameter spectral :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I) (T : R),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 < T -> T <= rr U g h ->
  psd ((1 + 2%:R * g * (1 + T^-1))%:M - sample_matrix U g h) /\
  psd (sample_matrix U g h - (1 - 2%:R * g * (1 + T^-1))%:M).

(* the printed 1 +- 1728 gamma on Gamma, for gamma <= 1/139 *)
(* slug: spectral *)
Parameter spectral_event :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  139%:R * g <= 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
  psd ((1 + 1728%:R * g)%:M - sample_matrix U g h) /\
  psd (sample_matrix U g h - (1 - 1728%:R * g)%:M).

(* without a range of gamma the printed 1 +- 1728 gamma on Gamma is false *)
(* slug: spectral *)
Parameter spectral_refuted :
  forall R : realFieldType,
  ~ (forall (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
     (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
     reach (paper_stop U g) h -> paper_stop U g h ->
     d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
     psd ((1 + 1728%:R * g)%:M - sample_matrix U g h) /\
     psd (sample_matrix U g h - (1 - 1728%:R * g)%:M)).

(* the instance: the unit vectors, gamma = 1/128, every d >= 100^7 *)
(* slug: spectral *)
Parameter spectral_refuted_instance :
  forall (R : realFieldType) (d : nat),
  100%:R ^+ 7 <= d%:R :> R ->
  let g : R := 128%:R^-1 in
  let U := @axes R d in
  exists h : seq 'I_d,
    [/\ reach (paper_stop U g) h, paper_stop U g h,
        forall h' x, 0 < prob U (hst U g h') x,
        d%:R / (64%:R * g ^+ 2) <= up (hst U g h) &
        ~ psd ((1 + 1728%:R * g)%:M - sample_matrix U g h)].

(* within 1 +- 12 gamma with probability 3/4 *)
(* slug: spectral *)
Parameter spectral_probability :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  d%:R <= n%:R * g ^+ 2 ->
  exists good : pred (seq I),
    3%:R / 4%:R <= Pr U g (paper_stop U g) n good /\
    forall h, good h ->
      [/\ paper_stop U g h,
          psd ((1 + 12%:R * g)%:M - sample_matrix U g h) &
          psd (sample_matrix U g h - (1 - 12%:R * g)%:M)].

(* sum_i alpha_i = 1 - 4 gamma^2, on every nonempty run *)
(* slug: sum-alpha *)
Parameter sum_alpha :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h : seq I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 -> h != [::] ->
  past (alpha U g h) h = 1 - 4%:R * g ^+ 2.

(* alpha_i K_{D_i} <= (gamma/mid) (u_i - l_i)/4; K as a supremum over the points x
   and the directions v, with the ratio D/D_i *)
(* slug: alpha-k *)
Parameter alpha_k :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h h' : seq I) (x : I) (v : 'cV[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  h != [::] -> v != 0 ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <=
  g / mid (hst U g h) * ((up (hst U g h') - lo (hst U g h')) / 4%:R).

(* alpha_i K_{D_i} <= 2 gamma^2/r_m, for every draw before the stop *)
(* slug: alpha-k *)
Parameter alpha_k_small :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h h' : seq I) (x : I) (v : 'cV[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  h != [::] -> v != 0 -> ~~ paper_stop U g h' ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <=
  2%:R * g ^+ 2 / rr U g h.

(* the printed 512 gamma^2 on Gamma, for gamma <= 1/172 *)
(* slug: alpha-k *)
Parameter alpha_k_event :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R)
    (h h' : seq I) (x : I) (v : 'cV[R]_d),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  172%:R * g <= 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
  v != 0 -> ~~ paper_stop U g h' ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <= 512%:R * g ^+ 2.

(* on the line alpha_k is attained at j = 0, so the printed equality, with /2 in
   place of /4, is off by a factor 2 *)
(* slug: alpha-k *)
Parameter alpha_k_refuted :
  forall (R : realFieldType) (g : R) h x (v : 'cV[R]_1),
  0 < g -> 2%:R * g < 1 -> h != [::] -> v != 0 ->
  alpha (one R) g h [::] *
    (dot (one R x) v ^+ 2 / sqn v / prob (one R) (hst (one R) g [::]) x) =
  g / mid (hst (one R) g h) *
    ((up (hst (one R) g [::]) - lo (hst (one R) g [::])) / 4%:R) /\
  alpha (one R) g h [::] *
    (dot (one R x) v ^+ 2 / sqn v / prob (one R) (hst (one R) g [::]) x) <
  g / mid (hst (one R) g h) *
    ((up (hst (one R) g [::]) - lo (hst (one R) g [::])) / 2%:R).

(* both conditions of the definition, together, with probability 3/4, for
   gamma <= 1/48: 3/4 I <= A^T A <= 5/4 I, sum_i alpha_i = 1 - 4 gamma^2, and
   alpha_i K_{D_i} <= 10 gamma^2 *)
(* slug: well-balanced *)
Parameter well_balanced :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  48%:R * g <= 1 -> d%:R <= n%:R * g ^+ 2 ->
  exists good : pred (seq I),
    3%:R / 4%:R <= Pr U g (paper_stop U g) n good /\
    forall h, good h ->
      [/\ paper_stop U g h,
          psd ((5%:R / 4%:R)%:M - sample_matrix U g h) /\
          psd (sample_matrix U g h - (3%:R / 4%:R)%:M),
          past (alpha U g h) h = 1 - 4%:R * g ^+ 2 &
          forall h' x (v : 'cV[R]_d), ~~ paper_stop U g h' -> v != 0 ->
            alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <=
            10%:R * g ^+ 2].

(* all constants, for every gamma < 1/2, and the DRAWS from X1 *)
(* slug: well-balanced *)
Parameter well_balanced_constants :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat)
    (X1 : pred I),
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
  Exp U g (paper_stop U g) n (fun h => (draws_from X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * \tr (\sum_(x | X1 x) U x *m (U x)^T).

(* the definition's "equivalently" is off by the factor n: the mean of <b, x>^2 over
   n uniform points is |b|^2/n *)
(* slug: def-well-balanced *)
Parameter well_balanced_off_by_n :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (b : 'cV[R]_d),
  \sum_x U x *m (U x)^T = 1%:M ->
  \sum_x dot (U x) b ^+ 2 = sqn b /\
  \sum_x #|I|%:R^-1 * dot (U x) b ^+ 2 = sqn b / #|I|%:R.

(* its K at beta = U(x), for uniform D and the leverage scores as D_i: with the ratio
   D/D_i it is d at every point, with the printed ratio D_i/D it is (n |U(x)|^2)^2/d;
   no other beta gives more *)
(* slug: def-well-balanced *)
Parameter well_balanced_ratio :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (x : I),
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> U x != 0 ->
  let uniform := #|I|%:R^-1 : R in
  let score := sqn (U x) / d%:R in
  let sensitivity (beta : 'cV[R]_d) :=
    dot (U x) beta ^+ 2 / (\sum_y uniform * dot (U y) beta ^+ 2) in
  [/\ uniform / score * sensitivity (U x) = d%:R,
      score / uniform * sensitivity (U x) = (#|I|%:R * sqn (U x)) ^+ 2 / d%:R &
      forall beta, sensitivity beta <= sensitivity (U x)].

(* w_j and alpha_j are not known when x_j is drawn, for they contain mid: two unit
   vectors, gamma = 2/5, two complete runs with the same first draw, different mid *)
(* slug: def-well-balanced *)
Parameter well_balanced_mid_unknown :
  forall R : realFieldType,
  let U := @axes R 2 in
  let g : R := 2%:R / 5%:R in
  exists (h1 h2 : seq 'I_2) (x : 'I_2),
    [/\ reach (paper_stop U g) h1 && paper_stop U g h1,
        reach (paper_stop U g) h2 && paper_stop U g h2,
        last x h1 = last x h2, h1 != [::] /\ h2 != [::] &
        mid (hst U g h1) != mid (hst U g h2)].

(* -------------------------------------------------------------------------- *)
(** ** Algorithm 1 and the main theorem *)

(* betahat is the only minimiser of the weighted loss on the sample, if l_m > 0 *)
(* slug: weighted-least-squares *)
Parameter betahat_minimises :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (g : R) (h : seq I) (beta : 'cV[R]_d),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  0 < lo (hst (white X P) g h) -> beta != betahat X Y (white X P) g h ->
  sample_loss X Y (white X P) g h (betahat X Y (white X P) g h) <
  sample_loss X Y (white X P) g h beta.

(* it uses no label but those of the points drawn *)
(* slug: weighted-least-squares *)
Parameter betahat_uses_sampled_labels :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y Y' : I -> R)
    (P : 'M[R]_d) (g : R) (h : seq I),
  {in h, Y =1 Y'} -> betahat X Y (white X P) g h = betahat X Y' (white X P) g h.

(* beta^* has the least loss; the excess loss is at most |noise|^2/l_m^2; one draw
   adds at most OPT d^2 kappa/gamma^2 (1 + r_j)(r_{j+1} - r_j) to E|noise|^2 *)
(* slug: identity-7 *)
Parameter noise_lemma :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  let U := white X P in
  [/\ forall beta, opt X Y <= loss X Y beta,
      0 < lo (hst U g h) ->
        loss X Y (betahat X Y U g h) - opt X Y <=
        sqn (noise X Y P g h) / lo (hst U g h) ^+ 2 &
      \sum_x prob U (hst U g h) x * sqn (noise X Y P g (x :: h)) <=
      sqn (noise X Y P g h) +
      opt X Y * (d%:R ^+ 2 * (1 - 4%:R * g ^+ 2) / g ^+ 2) *
      ((1 + rr U g h) * (clk d g * g / Phi (hst U g h)))].

(* the noise is a martingale *)
(* slug: identity-7 *)
Parameter identity_7_martingale :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (g : R) (h : seq I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  \sum_x prob (white X P) (hst (white X P) g h) x *: noise X Y P g (x :: h) =
  noise X Y P g h.

(* THE MAIN THEOREM, the paper's own rule, gamma = sqrt(eps)/33, 0 < eps <= 1:
   loss <= (1 + eps) OPT with probability 3/4; the rule stops, surely;
   E[LABELS] <= (33^2/eps - 2) R_X; fewer than 33^2 d/eps DRAWS, surely *)
(* slug: main *)
Parameter main :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (eps : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 -> 33%:R ^+ 2 * d%:R <= n%:R * eps ->
  let g := Num.sqrt eps / 33%:R in
  let U := white X P in
  let stop := paper_stop U g in
  [/\ forall beta, 3%:R / 4%:R <= Pr U g stop n (fun h =>
        [&& stop h, 0 < lo (hst U g h) &
            loss X Y (betahat X Y U g h) <= (1 + eps) * loss X Y beta]),
      Pr U g stop n stop = 1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <=
        (33%:R ^+ 2 / eps - 2%:R) * reduced_rank X X1 &
      forall h, reach stop h -> (size h)%:R < 33%:R ^+ 2 * d%:R / eps].

(* the loss bound in terms of gamma, over any ordered field *)
(* slug: main *)
Parameter main_gamma :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (g : R) (n : nat) (beta : 'cV[R]_d),
  (0 < d)%N -> whitens X P -> 0 < g -> 33%:R * g <= 1 -> d%:R <= n%:R * g ^+ 2 ->
  let U := white X P in
  let stop := paper_stop U g in
  3%:R / 4%:R <= Pr U g stop n (fun h =>
    [&& stop h, 0 < lo (hst U g h) &
        loss X Y (betahat X Y U g h) <= (1 + 33%:R ^+ 2 * g ^+ 2) * loss X Y beta]).

(* Algorithm 1 with the paper's rule, as a learner, for every whitening and every
   horizon n that holds the whole run: success with probability 3/4; LABELS *)
(* slug: main *)
Parameter algorithm1_paper :
  forall (R : rcfType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y2 : 'cV[R]_n2) (epsilon : R) (P : 'M[R]_d) (n : nat),
  (0 < d)%N -> whitens (point X1 X2) P -> 0 < epsilon -> epsilon <= 1 ->
  33%:R ^+ 2 * d%:R <= n%:R * epsilon ->
  let g := Num.sqrt epsilon / 33%:R in
  let U := white (point X1 X2) P in
  let T := algorithm1 X1 X2 Y2 U g (paper_stop U g) n [::] in
  [/\ valid T,
      forall Y1, 3%:R / 4%:R <= success_probability X1 X2 Y2 epsilon Y1 T &
      forall Y1, expected_labels Y1 T <=
        (33%:R ^+ 2 / epsilon - 2%:R) * stacked_reduced_rank X1 X2].

(* -------------------------------------------------------------------------- *)
(** ** Section 5: the lower bound *)

(* least_squares has the least loss *)
(* slug: lower-bound *)
Parameter optimum_least :
  forall (R : realFieldType) n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y1 : 'cV[R]_n1) (Y2 : 'cV[R]_n2) (beta : 'cV[R]_d),
  X1^T *m X1 + X2^T *m X2 \in unitmx ->
  optimum X1 X2 Y1 Y2 <= stacked_loss X1 X2 Y1 Y2 beta.

(* sd = R_X = d/(1 + lambda) on the instance *)
(* slug: lower-bound *)
Parameter design_reduced_rank :
  forall (R : rcfType) (d n : nat) (lambda : R),
  (0 < n)%N -> 0 <= lambda ->
  stacked_reduced_rank (design R d n) (ridge_rows d lambda) = d%:R / (1 + lambda).

(* the paper's labels, with noise that has exactly the moments which it has in the
   limit of n: then beta^* = sgn and OPT is as the paper says *)
(* slug: lower-bound-opt *)
Parameter hard_instance :
  forall (R : rcfType) (d n : nat) (lambda epsilon : R),
  (0 < n)%N -> 0 <= lambda -> 0 < epsilon ->
  forall (s : {ffun 'I_d -> bool}) (noise : 'I_(rows d n) -> R),
  (forall i, fibre_sum noise i = 0) ->
  (forall i, fibre_sum (fun x => noise x ^+ 2) i = n%:R * ((1 + lambda) / epsilon)) ->
  let sign i : R := if s i then 1 else -1 in
  let Y := \col_x (((1 + lambda) * sign (coordinate x) + noise x) / Num.sqrt n%:R) in
  least_squares (design R d n) (ridge_rows d lambda) Y 0 = \col_i sign i /\
  optimum (design R d n) (ridge_rows d lambda) Y 0 =
    d%:R * (lambda * (1 + lambda) + (1 + lambda) / epsilon).

(* with noise of variance (1 + lambda)/epsilon in every label, as in the main text,
   OPT has a factor n before the noise *)
(* slug: lower-bound-opt *)
Parameter lower_bound_opt_main_text_refuted :
  forall (R : rcfType) (d n : nat) (lambda epsilon : R),
  (0 < n)%N -> 0 <= lambda -> 0 < epsilon ->
  forall (s : {ffun 'I_d -> bool}) (noise : 'I_(rows d n) -> R),
  (forall i, fibre_sum noise i = 0) ->
  (forall i, fibre_sum (fun x => noise x ^+ 2) i = n%:R * ((1 + lambda) / epsilon)) ->
  let sign i : R := if s i then 1 else -1 in
  let Y := \col_x ((1 + lambda) * sign (coordinate x) / Num.sqrt n%:R + noise x) in
  optimum (design R d n) (ridge_rows d lambda) Y 0 =
    d%:R * (lambda * (1 + lambda) + n%:R * ((1 + lambda) / epsilon)).

(* whatever Algorithm 3 returns has the four properties of the paper's claim; the
   fourth without logarithms: 2^d/|M| <= 2^(a/b) for all a/b >= 0.011 (1 + lambda) d *)
(* slug: packing *)
Parameter packing :
  forall (R : rcfType) (d n : nat) (lambda epsilon : R),
  (0 < n)%N -> 0 < epsilon -> epsilon <= 100%:R^-1 -> 0 <= lambda -> lambda <= 50%:R ->
  forall M : seq {ffun 'I_d -> bool}, constructM (close n lambda epsilon) setT M ->
  [/\ uniq M,
      {in M, forall b, sqnorm (design R d n *m sign_vector R b) <= d%:R},
      {in M, forall b i, `|sign_vector R b i 0| <= 1},
      {in M &, forall b c, b != c -> separation d lambda epsilon <
         sqnorm (design R d n *m sign_vector R b - design R d n *m sign_vector R c)} &
      (2 ^ d <= size M * volume d (radius d lambda epsilon))%N] /\
  (forall a b : nat, (0 < b)%N ->
     11%:R / 1000%:R * (1 + lambda) * d%:R <= a%:R / b%:R :> R ->
     (2 ^ (d * b) <= size M ^ b * 2 ^ a)%N).

(* and it returns something *)
(* slug: packing *)
Parameter packing_exists :
  forall (R : rcfType) (d n : nat) (lambda epsilon : R),
  0 < epsilon -> 0 <= lambda ->
  exists M : seq {ffun 'I_d -> bool}, constructM (close n lambda epsilon) setT M.

(* the proof's logarithm step, 2 (e/(0.001 (1 + lambda)))^(0.001 d (1 + lambda)) <=
   2^(0.011 d (1 + lambda)), at lambda = 1 and d = 500, where the exponents are 1 and
   11: false, for any e that is as large as Euler's number (it holds for large d) *)
(* slug: packing *)
Parameter packing_step_refuted :
  forall (R : realFieldType) (e : R),
  27%:R / 10%:R <= e ->
  2%:R ^+ 11 < 2%:R * (e / (1 / 1000%:R * (1 + 1))).

(* true without the factor 2, for lambda = 1 and every d = 500 t *)
(* slug: packing *)
Parameter packing_step_repaired :
  forall (R : realFieldType) (e : R),
  0 <= e -> e <= 4%:R ->
  forall t : nat, (e / (1 / 1000%:R * (1 + 1))) ^+ t <= 2%:R ^+ (11 * t) :> R.

(* THE LOWER BOUND: one instance, then every learner that reads at most m LABELS,
   surely, and succeeds at 1 + 0.001 epsilon with probability 3/4 on all labels:
   m > 45 sd/epsilon *)
(* slug: lower-bound *)
Parameter lower_bound :
  forall (R : rcfType) (d : nat) (lambda epsilon : R),
  Num.archimedean_axiom R ->
  (0 < d)%N -> 0 <= lambda <= 50%:R -> 0 < epsilon <= 100%:R^-1 ->
  exists2 n : nat, (0 < n)%N &
    forall (T : learner R (rows d n) d) (m : nat), valid T -> reads_at_most m T ->
    (forall Y, 3%:R / 4%:R <= success_probability (design R d n) (ridge_rows d lambda) 0
                                (epsilon / 1000%:R) Y T) ->
    45%:R * stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon < m%:R.

(* the same for all lambda and epsilon with epsilon (1 + lambda) <= 1 (LABELS) *)
(* slug: lower-bound *)
Parameter lower_bound_general :
  forall (R : rcfType) (d : nat) (lambda epsilon : R),
  Num.archimedean_axiom R ->
  (0 < d)%N -> 0 <= lambda -> 0 < epsilon -> epsilon * (1 + lambda) <= 1 ->
  exists2 n : nat, (0 < n)%N &
    forall (T : learner R (rows d n) d) (m : nat), valid T -> reads_at_most m T ->
    (forall Y, 3%:R / 4%:R <= success_probability (design R d n) (ridge_rows d lambda) 0
                                (epsilon / 1000%:R) Y T) ->
    45%:R * stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon < m%:R.

(* with the quantifiers as printed, one instance (X, Y) and then every learner, it is
   false: the learner that knows the answer reads no LABEL *)
(* slug: lower-bound *)
Parameter lower_bound_quantifiers_refuted :
  forall (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y1 : 'cV[R]_n1) (Y2 : 'cV[R]_n2) (epsilon : R),
  0 <= epsilon ->
  exists T : learner R n1 d,
    [/\ valid T, reads_at_most 0 T & success_probability X1 X2 Y2 epsilon Y1 T = 1].

(* -------------------------------------------------------------------------- *)
(** ** Beyond the paper: stop on the gap alone

    The loss bounds carry [(stop h)%:R], the indicator of the runs that the rule
    has stopped within the horizon n, and hold for every n. *)

(* At 8d/gamma. LABELS and DRAWS in expectation; where the rule stops l_m > 0 and
   A^T A is within 1 +- 4 gamma, surely; the loss in expectation *)
(* slug: sure-stop *)
Parameter sure_stop_theorem :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (g : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 4%:R * g < 1 ->
  let U := white X P in
  let stop := sure_stop U g in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <=
        ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= d%:R * (1 - 4%:R * g ^+ 2) / g ^+ 2 + 2%:R,
      forall h, stop h -> [/\ 0 < lo (hst U g h),
        psd ((1 + 4%:R * g)%:M - sample_matrix U g h) &
        psd (sample_matrix U g h - (1 - 4%:R * g)%:M)] &
      forall beta,
        Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + 3%:R / 2%:R * g ^+ 2 / (1 - 4%:R * g) ^+ 2) * loss X Y beta].

(* The EXCESS loss, E[1{stopped} (loss - OPT)] <= (3/2) gamma^2/(1 - 4 gamma)^2 OPT for
   every n, beside the probability that the rule has not stopped after n draws:
   nothing is truncated but runs longer than n, which are rare *)
(* slug: sure-stop *)
Parameter sure_stop_excess :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (g : R) (n : nat),
  (0 < d)%N -> whitens X P -> 0 < g -> 4%:R * g < 1 ->
  let U := white X P in
  let stop := sure_stop U g in
  Exp U g stop n (fun h => (stop h)%:R * (loss X Y (betahat X Y U g h) - opt X Y)) <=
    3%:R / 2%:R * g ^+ 2 / (1 - 4%:R * g) ^+ 2 * opt X Y /\
  Pr U g stop n (fun h => ~~ stop h) <=
    (d%:R * (1 - 4%:R * g ^+ 2) / g ^+ 2 + 2%:R) / n.+1%:R.

(* At any level T (LABELS, DRAWS, spectrum, loss). *)
(* slug: sure-stop *)
Parameter level_stop_theorem :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (g T : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  0 < T -> 2%:R * g < (1 - 2%:R * g) * T ->
  let U := white X P in
  let stop := level_stop U g T in
  let k := 1 - 4%:R * g ^+ 2 in
  let rbar := T + g ^+ 2 / (d%:R * k) * (1 + T) in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <= k * rbar / g ^+ 2 * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= k * rbar * d%:R / g ^+ 2,
      forall h, stop h ->
        psd ((1 + 2%:R * g * (1 + T^-1))%:M - sample_matrix U g h) /\
        psd (sample_matrix U g h - (1 - 2%:R * g * (1 + T^-1))%:M) &
      forall beta,
        Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + g ^+ 2 * k * (rbar + rbar ^+ 2 / 2%:R) /
             ((1 - 2%:R * g) * T - 2%:R * g) ^+ 2) * loss X Y beta].

(* the EXCESS loss at any level T, and the probability of not having stopped *)
(* slug: sure-stop *)
Parameter level_stop_excess :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (g T : R) (n : nat),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 ->
  0 < T -> 2%:R * g < (1 - 2%:R * g) * T ->
  let U := white X P in
  let stop := level_stop U g T in
  let k := 1 - 4%:R * g ^+ 2 in
  let rbar := T + g ^+ 2 / (d%:R * k) * (1 + T) in
  Exp U g stop n (fun h => (stop h)%:R * (loss X Y (betahat X Y U g h) - opt X Y)) <=
    g ^+ 2 * k * (rbar + rbar ^+ 2 / 2%:R) /
    ((1 - 2%:R * g) * T - 2%:R * g) ^+ 2 * opt X Y /\
  Pr U g stop n (fun h => ~~ stop h) <= k * rbar * d%:R / g ^+ 2 / n.+1%:R.

(* DRAWS from X1 under the rule on the gap alone, and at every level *)
(* slug: sure-stop *)
Parameter sure_stop_draws :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d)
    (g T : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < g -> 2%:R * g < 1 -> 0 < T ->
  let U := white X P in
  let k := 1 - 4%:R * g ^+ 2 in
  Exp U g (sure_stop U g) n (fun h => (draws_from X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1 /\
  Exp U g (level_stop U g T) n (fun h => (draws_from X1 h)%:R) <=
    k * (T + g ^+ 2 / (d%:R * k) * (1 + T)) * reduced_rank X X1 / g ^+ 2.

(* gamma = sqrt(eps/28), every eps <= 1: E[LABELS] <= 28 R_X/eps,
   E[DRAWS] <= 28 d/eps, the loss in expectation and in probability *)
(* slug: sure-stop *)
Parameter sure_stop_epsilon :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (eps : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 ->
  let g := Num.sqrt (eps / 28%:R) in
  let U := white X P in
  let stop := sure_stop U g in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <= 28%:R / eps * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= 28%:R * d%:R / eps,
      forall beta,
        Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + eps) * loss X Y beta &
      forall beta t, 0 < t ->
        1 - t^-1 - 28%:R * d%:R / eps / n.+1%:R <= Pr U g stop n (fun h => stop h &&
          (loss X Y (betahat X Y U g h) <= (1 + t * eps) * loss X Y beta))].

(* the gamma at which the bound on the loss is 1 + eps exactly, for every eps
   (LABELS); (sqrt(3/2) + 4)^2 < 27.3 bounds the constant for eps <= 1 *)
(* slug: sure-stop *)
Parameter sure_stop_best_gamma :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (eps : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps ->
  let c := Num.sqrt (3%:R / 2%:R) + 4%:R * Num.sqrt eps in
  let g := Num.sqrt eps / c in
  let U := white X P in
  let stop := sure_stop U g in
  [/\ 4%:R * g < 1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <=
        (c ^+ 2 / eps - 2%:R) * reduced_rank X X1 &
      forall beta,
        Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + eps) * loss X Y beta].

(* the same gamma, eps <= 1: 27.3 R_X/eps, in DRAWS and in LABELS *)
(* slug: sure-stop *)
Parameter sure_stop_accuracy :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (eps : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P -> 0 < eps -> eps <= 1 ->
  let U := white X P in
  let g := Num.sqrt eps / (Num.sqrt (3%:R / 2%:R) + 4%:R * Num.sqrt eps) in
  let stop := sure_stop U g in
  [/\ 4%:R * g < 1,
      Exp U g stop n (fun h => (draws_from X1 h)%:R) <=
        273%:R / 10%:R / eps * reduced_rank X X1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <=
        273%:R / 10%:R / eps * reduced_rank X X1 &
      forall beta,
        Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + eps) * loss X Y beta].

(* four pairs (T, gamma), for every d: at accuracy eps the excess constant of level T
   is at most eps, and that of the DRAWS at most C/eps *)
(* slug: sure-stop *)
Parameter sure_stop_chosen :
  forall (R : realFieldType) (d : nat),
  (0 < d)%N ->
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

(* the constant tends to 1: E[LABELS] <= (1 + 3 delta) R_X/eps, and all DRAWS are at
   most (1 + 3 delta) d/eps in expectation *)
(* slug: sure-stop *)
Parameter sure_stop_sharp :
  forall (R : rcfType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (Y : I -> R)
    (P : 'M[R]_d) (eps delta : R) (n : nat) (X1 : pred I),
  (0 < d)%N -> whitens X P ->
  0 < eps -> 0 < delta -> 2%:R * delta <= 1 -> 64%:R * eps <= delta ^+ 3 ->
  let g := Num.sqrt (eps * delta / (1 + 29%:R / 10%:R * delta)) in
  let U := white X P in
  let stop := level_stop U g delta in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <=
        (1 + 3%:R * delta) / eps * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= (1 + 3%:R * delta) / eps * d%:R &
      forall beta,
        Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + eps) * loss X Y beta].

(* Algorithm 1 with that rule, as a learner, for every whitening and EVERY horizon n:
   runs that have not stopped by then read every label. Their probability is at most
   late (Markov's inequality and sure_stop_sharp; it is not stated here), which is of
   order 1/n; LABELS *)
(* slug: sure-stop *)
Parameter algorithm1_sharp :
  forall (R : rcfType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y2 : 'cV[R]_n2) (epsilon delta : R) (P : 'M[R]_d) (n : nat),
  (0 < d)%N -> whitens (point X1 X2) P ->
  0 < epsilon -> 0 < delta -> 2%:R * delta <= 1 -> 64%:R * epsilon <= delta ^+ 3 ->
  let g := Num.sqrt (epsilon * delta / (1 + 29%:R / 10%:R * delta)) in
  let U := white (point X1 X2) P in
  let T := algorithm1 X1 X2 Y2 U g (level_stop U g delta) n [::] in
  let late := (1 + 3%:R * delta) / epsilon * d%:R / n.+1%:R in
  [/\ valid T,
      forall Y1, expected_labels Y1 T <=
        (1 + 3%:R * delta) / epsilon * stacked_reduced_rank X1 X2 + n1%:R * late &
      forall Y1 beta, expected_loss X1 X2 Y2 Y1 T <=
        (1 + epsilon + late) * stacked_loss X1 X2 Y1 Y2 beta].

(* -------------------------------------------------------------------------- *)
(** ** Beyond the paper: the number of labels, settled *)

(* drawing without looking at labels, then reading, is a learner (LABELS) *)
(* slug: optimal *)
Parameter draws_are_learner :
  forall (R : realFieldType) (n d : nat) (J : finType) (weight : J -> R)
    (xs : J -> seq 'I_n) (out : J -> 'cV[R]_n -> 'cV[R]_d),
  (forall j, 0 <= weight j) -> \sum_j weight j = 1 ->
  (forall j (Y Y' : 'cV[R]_n), {in xs j, forall x, Y x 0 = Y' x 0} -> out j Y = out j Y') ->
  [/\ valid (draws_learner weight xs out),
      forall f Y, average (fun _ beta => f beta) Y set0 (draws_learner weight xs out) =
                  \sum_j weight j * f (out j Y) &
      forall Y, expected_labels Y (draws_learner weight xs out) =
                \sum_j weight j * #|[set x in xs j]|%:R].

(* the loss and the reduced rank are the same in both descriptions of the data *)
(* slug: optimal *)
Parameter point_loss :
  forall (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y2 : 'cV[R]_n2) (Y1 : 'cV[R]_n1) (beta : 'cV[R]_d),
  loss (point X1 X2) (label Y2 Y1) beta = stacked_loss X1 X2 Y1 Y2 beta.

(* slug: optimal *)
Parameter point_reduced_rank :
  forall (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)),
  reduced_rank (point X1 X2) (@queried n1 n2) = stacked_reduced_rank X1 X2.

(* for every rule, averages over Algorithm 1 as a learner are averages over the
   tree of its runs *)
(* slug: optimal *)
Parameter algorithm1_average :
  forall (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y2 : 'cV[R]_n2) (U : 'I_(n1 + n2) -> 'cV[R]_d) (g : R)
    (stop : pred (seq 'I_(n1 + n2))) (G : {set 'I_n1} -> 'cV[R]_d -> R) (Y1 : 'cV[R]_n1)
    (n : nat) (h : seq 'I_(n1 + n2)),
  average G Y1 set0 (algorithm1 X1 X2 Y2 U g stop n h) =
  Tend U g stop n (fun h' =>
    if stop h' then G [set x in drawn h'] (betahat (point X1 X2) (label Y2 Y1) U g h')
    else G setT (least_squares X1 X2 Y1 Y2)) h.

(* on the instance every learner with the guarantee in expectation reads, for some
   labels, (1 - delta)(1 - sqrt(epsilon lambda))^2 R_X/epsilon LABELS in expectation;
   and one reads at most dk, surely, as soon as dk is at least that with delta = 0 *)
(* slug: optimal *)
Parameter optimal :
  forall (R : rcfType) (d : nat) (lambda epsilon delta : R),
  Num.archimedean_axiom R ->
  0 <= lambda -> 0 < epsilon -> epsilon * lambda < 1 -> 0 < delta ->
  exists2 n : nat, (0 < n)%N &
    (forall T : learner R (rows d n) d, valid T -> guarantee lambda epsilon T ->
       exists Y, (1 - delta) * (1 - Num.sqrt (epsilon * lambda)) ^+ 2 *
                 stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon <=
                 expected_labels Y T) /\
    (forall k : nat,
       (1 - Num.sqrt (epsilon * lambda)) ^+ 2 / (epsilon * (1 + lambda)) <= k%:R ->
       exists T : learner R (rows d n) d,
         [/\ valid T, guarantee lambda epsilon T & reads_at_most (d * k) T]).

(* for epsilon lambda >= 1 no LABEL is needed *)
(* slug: optimal *)
Parameter no_labels :
  forall (R : rcfType) (d n : nat) (lambda epsilon : R),
  (0 < n)%N -> 0 <= lambda -> 0 < epsilon -> 1 <= epsilon * lambda ->
  exists T : learner R (rows d n) d,
    [/\ valid T, guarantee lambda epsilon T & reads_at_most 0 T].

(* both sides by the same instance: what every learner with the guarantee must read,
   and what Algorithm 1 reads with the rule of algorithm1_sharp, for every whitening
   (there is one) and every horizon N; R_X/epsilon LABELS, with constant 1 on both
   sides as N grows and then epsilon tends to 0 *)
(* slug: optimal *)
Parameter settled :
  forall (R : rcfType) (d : nat) (lambda epsilon delta : R),
  Num.archimedean_axiom R -> (0 < d)%N ->
  0 <= lambda -> 0 < epsilon -> epsilon * lambda < 1 ->
  0 < delta -> 2%:R * delta <= 1 -> 64%:R * epsilon <= delta ^+ 3 ->
  let g := Num.sqrt (epsilon * delta / (1 + 29%:R / 10%:R * delta)) in
  exists2 n : nat, (0 < n)%N &
    let X1 := design R d n in
    let X2 := ridge_rows d lambda in
    [/\ forall T : learner R (rows d n) d, valid T -> guarantee lambda epsilon T ->
          exists Y, (1 - delta) * (1 - Num.sqrt (epsilon * lambda)) ^+ 2 *
                    stacked_reduced_rank X1 X2 / epsilon <= expected_labels Y T,
        exists P, whitens (point X1 X2) P &
        forall (P : 'M[R]_d) (N : nat), whitens (point X1 X2) P ->
          let U := white (point X1 X2) P in
          let T := algorithm1 X1 X2 0 U g (level_stop U g delta) N [::] in
          let late := (1 + 3%:R * delta) / epsilon * d%:R / N.+1%:R in
          [/\ valid T, guarantee lambda (epsilon + late) T &
              forall Y, expected_labels Y T <=
                (1 + 3%:R * delta) / epsilon * stacked_reduced_rank X1 X2 +
                (rows d n)%:R * late]].

(* the real algebraic numbers are a field as these theorems want it *)
(* slug: optimal *)
Parameter realalg_archimedean : Num.archimedean_axiom [rcfType of realalg].

(* -------------------------------------------------------------------------- *)
(** ** Exact values, to compare a program with *)

(* the first iteration on any data: leverage scores over d *)
(* slug: first-step *)
Parameter first_iteration :
  forall (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (x : I),
  (0 < d)%N -> 0 < g -> U x != 0 ->
  [/\ Phi (start d g) = g,
      prob U (start d g) x = sqn (U x) / d%:R,
      weight U g (start d g) x = d%:R / sqn (U x) &
      step U g (start d g) x =
      State ((d%:R / sqn (U x)) *: (U x *m (U x)^T))
            (2%:R * d%:R / g + (1 - 2%:R * g)^-1) ((1 + 2%:R * g)^-1 - 2%:R * d%:R / g)].

(* one point on the line: Phi is a function of r *)
(* slug: line *)
Parameter line_values :
  forall (R : realFieldType) (g : R) (h : seq unit),
  0 < g -> 2%:R * g < 1 ->
  Phi (hst (one R) g h) =
  g / 2%:R * ((1 + (1 + 2%:R * g) * rr (one R) g h)^-1 +
              (1 + (1 - 2%:R * g) * rr (one R) g h)^-1).

(* there, at gamma = 2/5, a run has exactly two DRAWS *)
(* slug: line *)
Parameter line_two_draws :
  forall (R : realFieldType) (n : nat),
  Exp (one R) (2%:R / 5%:R) (paper_stop (one R) (2%:R / 5%:R)) n.+2
      (fun h => (size h)%:R) = 2%:R.

End RESULTS.
