(** * What is claimed: every notion and every result, in one file.

    A reviewer reads this file and the paper, and nothing else. It requires
    Mathematical Components alone. The first part defines every notion that a
    statement uses; the second, [Module Type RESULTS], states every result in
    the paper's order. Check.v proves [Module Check : RESULTS], so that a proof
    of a weaker statement does not compile; check.py then asks the compiled
    library for the type and the axioms of each result. SpecValues.v does the
    same for exact values on small instances ([Module Type VALUES]).

    Above each result stands the slug of the claim that it settles. A result
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
      invmx M the inverse (M itself where there is none: each statement has a
      hypothesis, or a theorem before it, by which there is one).
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
      assume one (or an invertible Gram matrix) say nothing about other X.
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

