(** * What is claimed: the model is the program

    The Python reference never whitens: it runs Algorithm 2 in Gram coordinates,
    where G = X^T X stands for the identity and B_j = sum w' x x^T for A_j, so that
    every number is rational in the data. The first part writes that program down;
    the second writes down, on lists of numbers, the checkers of recorded runs (the
    extracted program); the third says when two forms are near each other; the
    fourth, [Module Type MODEL], states that the program is Algorithm 2 of Spec.v, for
    every whitening, that what the checkers accept is faithful, and how far an honest
    program may be from the state that it reports. Check.v proves
    [Module Model : MODEL].

    A point may carry a squared scale c_x, and then stands for sqrt(c_x) x (ridge
    and kernel data of the reference); c = 1 is the plain case. *)
From Coq Require Import ZArith QArith_base Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec.
From Asura Require SpecValues.

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
(** * II. The checkers

    Programs on lists, generic in their numbers: run with Coq's rationals inside the
    kernel, and extracted. A matrix is the list of its rows; what a list does not hold
    is 0. An inverse comes from an elimination about which nothing is claimed: it is
    multiplied back, and there is no answer unless A B = I. *)

(* 0, 1, +, -, *, 1/a, =, <= *)
Record numbers (T : Type) := Numbers {
  nzero : T; nunit : T; nadd : T -> T -> T; nopp : T -> T; nmul : T -> T -> T;
  ninv : T -> T; neq : T -> T -> bool; nle : T -> T -> bool }.

(* v reads these numbers in R: all operations mean what they are called; 1/0 = 0 *)
Record reads (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R) : Prop := Reads {
  read0 : v (nzero N) = 0;
  read1 : v (nunit N) = 1;
  readD : forall a b, v (nadd N a b) = v a + v b;
  readN : forall a, v (nopp N a) = - v a;
  readM : forall a b, v (nmul N a b) = v a * v b;
  readV : forall a, v (ninv N a) = (v a)^-1;
  readE : forall a b, neq N a b -> v a = v b;
  readL : forall a b, nle N a b = (v a <= v b) }.

(* Coq's rationals, reduced after every sum and product *)
Definition reduced_rationals : numbers Q :=
  Numbers (Qmake 0 1) (Qmake 1 1) (fun a b => Qred (Qplus a b)) Qopp
    (fun a b => Qred (Qmult a b)) Qinv Qeq_bool Qle_bool.

Section Tables.
Variables (T : Type) (N : numbers T) (d : nat) (pts : seq (seq T)).

(* a - b, a/b, n, f 0 + ... + f (n-1), a < b *)
Definition nsub a b : T := nadd N a (nopp N b).
Definition ndiv a b : T := nmul N a (ninv N b).
Definition nnat n : T := iter n (nadd N (nunit N)) (nzero N).
Definition total n (f : nat -> T) : T := foldr (fun i a => nadd N (f i) a) (nzero N) (iota 0 n).
Definition less a b : bool := ~~ nle N b a.

(* A_ij, the table of the f i j, the entries of a I, the product *)
Definition entry (A : seq (seq T)) i j : T := nth (nzero N) (nth [::] A i) j.
Definition build (f : nat -> nat -> T) : seq (seq T) := mkseq (fun i => mkseq (f i) d) d.
Definition scalar a (i j : nat) : T := if i == j then a else nzero N.
Definition product A B : seq (seq T) :=
  build (fun i j => total d (fun k => nmul N (entry A i k) (entry B k j))).

(* Gauss-Jordan, without pivoting: column c, then all columns of [A, I] *)
Definition sweep (M : seq (seq T)) c : seq (seq T) :=
  let top := nth [::] M c in
  let scale := ninv N (nth (nzero N) top c) in
  let top := [seq nmul N scale a | a <- top] in
  mkseq (fun i => if i == c then top else
    let row := nth [::] M i in
    let factor := nth (nzero N) row c in
    [seq nsub ab.1 (nmul N factor ab.2) | ab <- zip row top]) d.
Definition eliminate (A : seq (seq T)) : seq (seq T) :=
  [seq drop d row | row <-
    foldl sweep (mkseq (fun i => nth [::] A i ++ mkseq (scalar (nunit N) i) d) d) (iota 0 d)].
(* A = I; the inverse, multiplied back *)
Definition is_one (A : seq (seq T)) : bool :=
  all (fun i => all (fun j => neq N (entry A i j) (scalar (nunit N) i j)) (iota 0 d)) (iota 0 d).
Definition inverse A : option (seq (seq T)) :=
  let B := eliminate A in if is_one (product A B) then Some B else None.

(* x^T E x for the point number x *)
Definition cmass (E : seq (seq T)) x : T :=
  total d (fun j => nmul N (total d (fun i => nmul N (entry pts x i) (entry E i j))) (entry pts x j)).

End Tables.

(* B_j, u_j, l_j, and the sum of the potentials before j *)
Record pstate (T : Type) :=
  PState { pacc : seq (seq T); pup : T; plo : T; psum : T }.

(* the program of part I, on lists: the bracket E and the potential F are computed by
   [pinvert], or nothing *)
Section ListProgram.
Variables (T : Type) (N : numbers T) (d : nat).
Variables (pts : seq (seq T)) (scales : seq T) (g : T).
Implicit Types (s : pstate T) (x : nat).

(* c_x, and 1 where the list of scales is too short; c_x x_i x_j; G *)
Definition pscale x : T := nth (nunit N) scales x.
Definition pouter x (i j : nat) : T :=
  nmul N (pscale x) (nmul N (entry N pts x i) (entry N pts x j)).
Definition pgram : seq (seq T) :=
  build d (fun i j => total N (size pts) (fun x => pouter x i j)).

Definition pinvert (G : seq (seq T)) s : option (seq (seq T) * T) :=
  if inverse N d (build d (fun i j =>
       nsub N (nmul N (pup s) (entry N G i j)) (entry N (pacc s) i j))) is Some P then
  if inverse N d (build d (fun i j =>
       nsub N (entry N (pacc s) i j) (nmul N (plo s) (entry N G i j)))) is Some Q then
    let E := build d (fun i j => nadd N (entry N P i j) (entry N Q i j)) in
    Some (E, total N d (fun i => total N d (fun j =>
      nmul N (entry N G i j) (entry N E j i))))
  else None else None.

(* as gmass, gprob, gweight, gstep and gstart *)
Definition pmass E x : T := nmul N (pscale x) (cmass N d pts E x).
Definition pprob E F x : T := ndiv N (pmass E x) F.
Definition pweight E x : T := ndiv N g (pmass E x).
Definition pstep s E F x : pstate T :=
  let w := pweight E x in
  let one := nunit N in
  let two := nnat N 2 in
  PState (build d (fun i j => nadd N (entry N (pacc s) i j) (nmul N w (pouter x i j))))
         (nadd N (pup s) (ndiv N (ndiv N g (nsub N one (nmul N two g))) F))
         (nadd N (plo s) (ndiv N (ndiv N g (nadd N one (nmul N two g))) F))
         (nadd N (psum s) F).
Definition pstart : pstate T :=
  let u := ndiv N (nmul N (nnat N 2) (nnat N d)) g in
  PState (build d (fun _ _ => nzero N)) u (nopp N u) (nzero N).

(* the loop goes on, by either rule; (u + l)/2 *)
Definition ppaper s : bool :=
  less N (nadd N (nsub N (pup s) (plo s)) (psum s)) (ndiv N (nmul N (nnat N 8) (nnat N d)) g).
Definition plevel t s : bool :=
  less N (nsub N (pup s) (plo s))
    (nmul N (ndiv N (nmul N (nnat N 4) (nnat N d)) g) (nadd N (nunit N) t)).
Definition pmid s : T := ndiv N (nadd N (pup s) (plo s)) (nnat N 2).

End ListProgram.

(* -------------------------------------------------------------------------- *)
(** ** Traces

    What the format asura-trace/1 holds: the points, gamma and the rule, one line an
    iteration, a result. A value that is left out claims nothing. *)

(* the paper's rule; the rule on the gap alone, at level T *)
Inductive stop_rule (T : Type) := RulePaper | RuleGap of T.
Arguments RulePaper {T}.

(* one draw: the point, the uniform that picked it, u_j, l_j, Phi_j, p_x, all p, w'_x *)
Record trace_line (T : Type) := Line {
  pick : nat; line_uniform : option T; line_u : option T; line_l : option T;
  line_phi : option T; line_p : option T;
  line_probabilities : option (seq T); line_weight : option T }.

(* d, X, c, gamma, the rule; the lines; m, u_m, l_m, mid, w'/mid and alpha of all draws *)
Record trace (T : Type) := Trace {
  trace_d : nat; trace_points : seq (seq T); trace_scales : seq T;
  trace_gamma : T; trace_rule : stop_rule T; trace_lines : seq (trace_line T);
  trace_m : nat; trace_u : option T; trace_l : option T; trace_mid : option T;
  trace_weights : option (seq T); trace_alphas : option (seq T) }.

Section Checker.
Variables (T : Type) (N : numbers T).

(* a value that is given passes the test *)
Definition said (test : T -> T -> bool) (o : option T) a : bool :=
  if o is Some b then test b a else true.
Definition said_all (test : T -> T -> bool) (o : option (seq T)) l : bool :=
  if o is Some l' then all2 test l' l else true.

Section Data.
Variables (d : nat) (pts : seq (seq T)) (scales : seq T) (g : T).
Variable rule : stop_rule T.

Definition goes_on (s : pstate T) : bool :=
  match rule with
  | RulePaper => ppaper N d g s
  | RuleGap t => plevel N d g t s
  end.

(* the line e at the state s with bracket E and potential F *)
Definition line_ok test (s : pstate T) E F (e : trace_line T) : bool :=
  let x := pick e in
  let below := total N x (pprob N d pts scales E F) in
  [&& (x < size pts)%N, less N (nzero N) (pmass N d pts scales E x),
      (if line_uniform e is Some r then
         nle N below r && less N r (nadd N below (pprob N d pts scales E F x)) else true),
      said test (line_u e) (pup s), said test (line_l e) (plo s) &
  [&& said test (line_phi e) F, said test (line_p e) (pprob N d pts scales E F x),
      said_all test (line_probabilities e) (mkseq (pprob N d pts scales E F) (size pts)) &
      said test (line_weight e) (pweight N d pts scales g E x)]].

(* the lines one after the other; [log] holds weights and potentials, latest first *)
Fixpoint follow (G : seq (seq T)) (s : pstate T) (log : seq (T * T))
    (ls : seq (trace_line T)) : option (pstate T * seq (T * T)) :=
  if ls is e :: ls' then
    if goes_on s then
      if pinvert N d G s is Some (E, F) then
        if line_ok (neq N) s E F e then
          follow G (pstep N d pts scales g s E F (pick e))
            ((pweight N d pts scales g E (pick e), F) :: log) ls'
        else None
      else None
    else None
  else Some (s, log).

Definition header_ok : bool :=
  [&& (0 < d)%N, less N (nzero N) g, less N (nmul N (nnat N 2) g) (nunit N),
      all (nle N (nzero N)) scales & inverse N d (pgram N d pts scales)].

End Data.

(* the checker of whole traces: every number is exact *)
Definition check (t : trace T) : bool :=
  let: Trace d pts scales g rule ls m u l mid ws als := t in
  [&& header_ok d pts scales g, size ls == m &
  if follow d pts scales g rule (pgram N d pts scales) (pstart N d g) [::] ls
    is Some (s, log) then
    let c := pmid N s in
    [&& ~~ goes_on d g rule s, said (neq N) u (pup s), said (neq N) l (plo s),
        said (neq N) mid c,
        said_all (neq N) ws (rev [seq ndiv N a.1 c | a <- log]) &
        said_all (neq N) als (rev [seq ndiv N (ndiv N g a.2) c | a <- log])]
  else false].

(* |a|; a is within e |b| of b *)
Definition size_of a : T := if nle N (nzero N) a then a else nopp N a.
Definition near e a b : bool :=
  nle N (size_of (nsub N a b)) (nmul N e (size_of b)).

(* M is symmetric positive definite: the rows of C, found by Gram and Schmidt for the
   form M from the unit vectors, are independent, and C M C^T is diagonal and positive *)
Section Definite.
Variable d : nat.
Definition form_of (M : seq (seq T)) (a b : seq T) : T :=
  total N d (fun i => nmul N (nth (nzero N) a i)
    (total N d (fun j => nmul N (entry N M i j) (nth (nzero N) b j)))).
Definition orthogonal (M : seq (seq T)) : seq (seq T) :=
  foldl (fun vs k =>
    let e := mkseq (fun i => scalar N (nunit N) i k) d in
    rcons vs (foldl (fun a b =>
      let t := ndiv N (form_of M b e) (form_of M b b) in
      mkseq (fun i => nsub N (nth (nzero N) a i)
                             (nmul N t (nth (nzero N) b i))) d) e vs))
    [::] (iota 0 d).
Definition same_table (A B : seq (seq T)) : bool :=
  all (fun i => all (fun j => neq N (entry N A i j) (entry N B i j)) (iota 0 d))
    (iota 0 d).
Definition flip (A : seq (seq T)) : seq (seq T) := build d (fun i j => entry N A j i).
Definition definite (M : seq (seq T)) : bool :=
  let C := orthogonal M in
  let D := product N d (product N d C M) (flip C) in
  [&& inverse N d C : bool, all (fun i => less N (nzero N) (entry N D i i)) (iota 0 d) &
      same_table D (build d (fun i j => scalar N (entry N D i i) i j))].
End Definite.

(* the checker of one recorded state and of the line that follows it: values within a
   relative allowance e *)
Definition check_state e d pts scales g (s : pstate T) (a : trace_line T) : bool :=
  let G := pgram N d pts scales in
  [&& header_ok d pts scales g,
      definite d (build d (fun i j =>
        nsub N (nmul N (pup s) (entry N G i j)) (entry N (pacc s) i j))),
      definite d (build d (fun i j =>
        nsub N (entry N (pacc s) i j) (nmul N (plo s) (entry N G i j)))) &
  if pinvert N d G s is Some (E, F) then
    line_ok d pts scales g (near e) s E F a else false].

(* the same, and that the next recorded state s' is exact *)
Definition check_step e d pts scales g s a (s' : pstate T) : bool :=
  check_state e d pts scales g s a &&
  if pinvert N d (pgram N d pts scales) s is Some (E, F) then
    let t := pstep N d pts scales g s E F (pick a) in
    [&& same_table d (pacc s') (pacc t), neq N (pup s') (pup t),
        neq N (plo s') (plo t) & neq N (psum s') (psum t)]
  else false.

End Checker.

(* -------------------------------------------------------------------------- *)
(** ** What lists stand for, and what a faithful trace is *)

Section Reading.
Variables (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R).
Variables (d : nat) (pts : seq (seq T)) (scales : seq T).

(* a table, the point number x, its squared scale, a state of the list program *)
Definition mx_of (A : seq (seq T)) : 'M[R]_d := \matrix_(i, j) v (entry N A i j).
Definition pt_of (x : 'I_(size pts)) : 'cV[R]_d := \col_i v (entry N pts x i).
Definition scale_of (x : 'I_(size pts)) : R := v (pscale N scales x).
Definition gstate_of (s : pstate T) : gstate R d :=
  GState (mx_of (pacc s)) (v (pup s)) (v (plo s)) (v (psum s)).

End Reading.
Arguments pt_of {T} N {R} v d pts x.
Arguments scale_of {T} N {R} v pts scales x.

Section Faithful.
Variables (T : Type) (R : realFieldType) (v : T -> R).

(* a value that is given is a; a list that is given is l *)
Definition says (o : option T) (a : R) : Prop :=
  forall b, o = Some b -> v b = a.
Definition says_all (o : option (seq T)) (l : seq R) : Prop :=
  forall b, o = Some b -> [seq v a | a <- b] = l.
(* the same up to e |a| *)
Definition nearly (e : R) (o : option T) (a : R) : Prop :=
  forall b, o = Some b -> `|v b - a| <= e * `|a|.
Definition nearly_all (e : R) (o : option (seq T)) (l : seq R) : Prop :=
  forall b, o = Some b -> size b = size l /\
    forall i t, (i < size b)%N -> `|v (nth t b i) - nth 0 l i| <= e * `|nth 0 l i|.

Section Run.
Variables (d n : nat) (U : 'I_n -> 'cV[R]_d) (g : R) (stop : pred (seq 'I_n)).

(* the values f h' x for every x drawn after h' in h, latest first *)
Fixpoint alongside (V : Type) (f : seq 'I_n -> 'I_n -> V) h : seq V :=
  if h is x :: h' then f h' x :: alongside f h' else [::].

(* the line e says what Algorithm 2 does when it draws x after the draws h *)
Definition describes (e : trace_line T) (x : 'I_n) (h : seq 'I_n) : Prop :=
  [/\ pick e = x, 0 < prob U (hst U g h) x &
      forall r, line_uniform e = Some r ->
        \sum_(y < n | (y < x)%N) prob U (hst U g h) y <= v r /\
        v r < \sum_(y < n | (y <= x)%N) prob U (hst U g h) y] /\
  [/\ says (line_u e) (up (hst U g h)), says (line_l e) (lo (hst U g h)),
      says (line_phi e) (Phi (hst U g h)) & says (line_p e) (prob U (hst U g h) x)] /\
      says_all (line_probabilities e) [seq prob U (hst U g h) y | y <- enum 'I_n] /\
      says (line_weight e) (weight U g (hst U g h) x).

(* lines and draws, latest first; the loop goes on before every draw *)
Fixpoint follows (ls : seq (trace_line T)) (h : seq 'I_n) : Prop :=
  match ls, h with
  | [::], [::] => True
  | e :: ls', x :: h' => [/\ ~~ stop h', describes e x h' & follows ls' h']
  | _, _ => False
  end.

End Run.

(* the rule of a trace, for the points U *)
Definition stop_of d n (U : 'I_n -> 'cV[R]_d) (g : R) (r : stop_rule T) :
    pred (seq 'I_n) :=
  match r with
  | RulePaper => paper_stop U g
  | RuleGap t => level_stop U g (v t)
  end.

(* the trace t is the run h of Algorithm 2 on the points U: every line is that of its
   draw, the loop stops after the last, and the result is that of the run *)
Definition faithful (t : trace T)
    (U : 'I_(size (trace_points t)) -> 'cV[R]_(trace_d t)) h : Prop :=
  let g := v (trace_gamma t) in
  let stop := stop_of U g (trace_rule t) in
  let s := hst U g h in
  [/\ follows U g stop (rev (trace_lines t)) h, stop h,
      size h = trace_m t &
  [/\ says (trace_u t) (up s), says (trace_l t) (lo s),
      says (trace_mid t) (mid s),
      says_all (trace_weights t)
        (rev (alongside (fun h' x => weight U g (hst U g h') x / mid s) h)) &
      says_all (trace_alphas t)
        (rev (alongside (fun h' _ => alpha U g h h') h))]].

End Faithful.

(* two traces of the one point 1 on the line, gamma = 2/5, that differ in u_2 alone *)
Definition example (u2 : Q) : trace Q :=
  Trace 1 [:: [:: Qmake 1 1]] [::] (Qmake 2 5) RulePaper
    [:: Line 0 (Some (Qmake 1 2)) None None (Some (Qmake 2 5)) (Some (Qmake 1 1)) None None;
        Line 0 None None None None None None None]
    2 (Some u2) None None None None.

(* ========================================================================== *)
(** * III. A step with perturbed forms and points *)

(* |S| <= eta for a symmetric form S: -eta I <= S <= eta I *)
Definition form_within (R : realFieldType) (d : nat) (S : 'M[R]_d) (eta : R) :=
  psd (eta%:M - S) /\ psd (eta%:M + S).

(* ========================================================================== *)
(** * IV. Results *)

Module Type MODEL.

(* one iteration, from EVERY state where the program can compute *)
(* slug: gram-model *)
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
(* slug: gram-model *)
Parameter gram_barriers :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (U : I -> 'cV[R]_d) (s : gstate R d),
  whites c X P U -> within_barriers c X s <-> inv (whitened P s).

(* whole runs: state, sum of the potentials, potential, probabilities, weights, mid
   and the loop tests *)
(* slug: gram-model *)
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
(* slug: gram-model *)
Parameter gram_weights :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (h h' : seq I) (x : I),
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  weight U g (hst U g h') x / mid (hst U g h) =
  gweight c X g (grun c X g h') x / gmid (grun c X g h).

(* expectations over the tree *)
(* slug: gram-model *)
Parameter gram_tree :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)) (n : nat)
    (f : seq I -> R) (h : seq I),
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  Tend U g stop n f h = gTend c X g stop n f h /\
  Tsum U g stop n f h = gTsum c X g stop n f h.

(* plain points: U(x) = P^T x *)
(* slug: gram-model *)
Parameter plain_rows :
  forall (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d) (P : 'M[R]_d),
  whitens X P -> whites (@plain R I) X P (white X P).

(* scaled points: a whitening exists as soon as G is invertible *)
(* slug: gram-model *)
Parameter scaled_rows :
  forall (R : rcfType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d),
  (forall x, 0 <= c x) -> ggram c X \in unitmx ->
  exists P, whites c X P (fun x => Num.sqrt (c x) *: (P^T *m X x)).

(* a run does not depend on the whitening *)
(* slug: gram-model *)
Parameter whitening_free :
  forall (R : realFieldType) (d : nat) (I : finType) (c : I -> R) (X : I -> 'cV[R]_d)
    (P P' : 'M[R]_d) (U U' : I -> 'cV[R]_d) (g : R) (h : seq I) (x : I),
  whites c X P U -> whites c X P' U' -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  [/\ Phi (hst U g h) = Phi (hst U' g h),
      prob U (hst U g h) x = prob U' (hst U' g h) x,
      weight U g (hst U g h) x = weight U' g (hst U' g h) x &
      paper_stop U g h = paper_stop U' g h].

(* nor on the coordinates of the data: an invertible change T of them *)
(* slug: gram-model *)
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
(** ** Checked traces *)

(* an accepted trace is a faithful run, in every whitened form of its data *)
(* slug: trace-checker *)
Parameter accepted_traces_are_faithful :
  forall (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R) (t : trace T)
    (P : 'M[R]_(trace_d t)) (U : 'I_(size (trace_points t)) -> 'cV[R]_(trace_d t)),
  reads N v -> check N t ->
  whites (scale_of N v (trace_points t) (trace_scales t))
    (pt_of N v (trace_d t) (trace_points t)) P U ->
  exists h, faithful v U h.

(* and there is such a form *)
(* slug: trace-checker *)
Parameter accepted_traces_have_a_whitening :
  forall (T : Type) (N : numbers T) (R : rcfType) (v : T -> R) (t : trace T),
  reads N v -> check N t ->
  exists P, let c := scale_of N v (trace_points t) (trace_scales t) in
    let X := pt_of N v (trace_d t) (trace_points t) in
    let U x := Num.sqrt (c x) *: (P^T *m X x) in
    whites c X P U /\ exists h, faithful v U h.

(* an accepted state lies between its barriers, and the accepted line says, within the
   allowance e, what Algorithm 2 does from there *)
(* slug: trace-checker *)
Parameter accepted_states :
  forall (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R) (d : nat)
    (pts : seq (seq T)) (scales : seq T) (g e : T) (P : 'M[R]_d)
    (U : 'I_(size pts) -> 'cV[R]_d) (s : pstate T) (a : trace_line T),
  reads N v -> whites (scale_of N v pts scales) (pt_of N v d pts) P U ->
  check_state N e d pts scales g s a ->
  let w := whitened P (gstate_of N v d s) in
  exists x : 'I_(size pts),
    [/\ pick a = x, inv w, 0 < prob U w x &
        forall r, line_uniform a = Some r ->
          \sum_(y < size pts | (y < x)%N) prob U w y <= v r /\
          v r < \sum_(y < size pts | (y <= x)%N) prob U w y] /\
    [/\ nearly v (v e) (line_u a) (up w), nearly v (v e) (line_l a) (lo w),
        nearly v (v e) (line_phi a) (Phi w) & nearly v (v e) (line_p a) (prob U w x)] /\
        nearly_all v (v e) (line_probabilities a)
          [seq prob U w y | y <- enum 'I_(size pts)] /\
        nearly v (v e) (line_weight a) (weight U (v g) w x).

(* an accepted step is one iteration of Algorithm 2 *)
(* slug: trace-checker *)
Parameter accepted_steps :
  forall (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R) (d : nat)
    (pts : seq (seq T)) (scales : seq T) (g e : T) (P : 'M[R]_d)
    (U : 'I_(size pts) -> 'cV[R]_d) (s s' : pstate T) (a : trace_line T),
  reads N v -> whites (scale_of N v pts scales) (pt_of N v d pts) P U ->
  check_step N e d pts scales g s a s' ->
  exists2 x : 'I_(size pts), pick a = x &
    whitened P (gstate_of N v d s') =
    step U (v g) (whitened P (gstate_of N v d s)) x.

(* Coq's rationals are such numbers, in every R *)
(* slug: trace-checker *)
Parameter rationals_are_read :
  forall R : realFieldType, reads reduced_rationals (SpecValues.frac R).

(* something is accepted, and something is not *)
(* slug: trace-checker *)
Parameter examples_checked :
  check reduced_rationals (example (Qmake 1091 65)) /\
  ~~ check reduced_rationals (example (Qmake 1 1)).

(* -------------------------------------------------------------------------- *)
(** ** How far an honest program may be from the state that it reports

    The theorem by which the oracle judges values that depend on the data. Nothing is
    said here about how large eta, tau and rho of a rounded method are. *)

(* M and N are the forms u I - A and A - l I of the reported state, M' and N' those of
   a program, each within eta; the point moved by at most tau. a bounds |M^-1| and
   |N^-1|, c bounds |M^-1 + N^-1|. The potential and every mass U^T (M^-1 + N^-1) U
   are off by these factors; the root of a mass by tau sqrt c besides *)
(* slug: trace-checker *)
Parameter perturbed_step :
  forall (R : rcfType) (d : nat) (M N M' N' : 'M[R]_d) (U U' : 'cV[R]_d)
    (eta a c tau : R),
  pd M -> pd N -> 0 <= eta ->
  form_within (M' - M) eta -> form_within (N' - N) eta ->
  0 <= a -> psd (a%:M - invmx M) -> psd (a%:M - invmx N) ->
  0 <= c -> psd (c%:M - (invmx M + invmx N)) ->
  0 <= tau -> sqn (U' - U) <= tau ^+ 2 -> a * eta < 1 ->
  let theta := a * eta in
  let E := invmx M + invmx N in
  let E' := invmx M' + invmx N' in
  let s := tau * Num.sqrt c in
  [/\ pd M', pd N',
      \tr E / (1 + theta) <= \tr E' <= \tr E / (1 - theta) &
      Num.max 0 (Num.sqrt (qf E U) - s) ^+ 2 / (1 + theta) <= qf E' U'
      <= (Num.sqrt (qf E U) + s) ^+ 2 / (1 - theta)].

(* the same at a state of Algorithm 2, with theta = Phi eta and nu = sqrt(d chi) tau/|U|
   alone; the values phi' and mass' that are written down are off by the factor rho
   besides *)
(* slug: trace-checker *)
Parameter perturbed_state :
  forall (R : rcfType) (d : nat) (s : state R d) (M' N' : 'M[R]_d) (U U' : 'cV[R]_d)
    (eta tau rho phi' mass' : R),
  (0 < d)%N -> inv s -> 0 <= eta -> 0 <= tau -> 0 <= rho <= 1 -> U != 0 ->
  form_within (M' - upper s) eta -> form_within (N' - lower s) eta ->
  sqn (U' - U) <= tau ^+ 2 ->
  let E' := invmx M' + invmx N' in
  `|phi' - \tr E'| <= rho * \tr E' ->
  `|mass' - qf E' U'| <= rho * qf E' U' ->
  let theta := Phi s * eta in
  let chi := Phi s * gap s / (4%:R * d%:R) in
  let nu := Num.sqrt (d%:R * chi) * tau / Num.sqrt (sqn U) in
  theta < 1 -> nu < 1 ->
  (1 - rho) / (1 + theta) <= phi' / Phi s <= (1 + rho) / (1 - theta) /\
  (1 - rho) * (1 - nu) ^+ 2 / (1 + theta) <= mass' / qf (bracket s) U
    <= (1 + rho) * (1 + nu) ^+ 2 / (1 - theta).

(* when the points move together by tau (all of them, as a matrix), A = sum W U U^T with
   0 <= W <= top and A <= a moves by at most 2 tau sqrt(a top) + tau^2 top *)
(* slug: trace-checker *)
Parameter moved_points :
  forall (R : rcfType) (d : nat) (I : finType) (W : I -> R) (U U' : I -> 'cV[R]_d)
    (top a tau : R),
  (forall x, 0 <= W x <= top) -> 0 <= top -> 0 <= a -> 0 <= tau ->
  psd (a%:M - \sum_x W x *: (U x *m (U x)^T)) ->
  psd ((tau ^+ 2)%:M - \sum_x (U' x - U x) *m (U' x - U x)^T) ->
  form_within
    (\sum_x W x *: (U' x *m (U' x)^T) - \sum_x W x *: (U x *m (U x)^T))
    (2%:R * tau * Num.sqrt (a * top) + tau ^+ 2 * top).

(* the Frobenius norm, which the oracle computes, is such a bound *)
(* slug: trace-checker *)
Parameter frobenius_within :
  forall (R : realFieldType) (d : nat) (S : 'M[R]_d) (eta : R),
  S^T = S -> 0 <= eta -> \sum_i \sum_j S i j ^+ 2 <= eta ^+ 2 -> form_within S eta.

(* -------------------------------------------------------------------------- *)
(** ** Wald's equation *)

(* E[sum_{j<m} Phi_j] = sum_j P(m > j) E[Phi_j], the corollary's first equality with
   the loop run on in E[Phi_j], is false, even where the rule stops surely; m counts
   DRAWS *)
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
    inverse W, and so are the losses (beta for X is C beta for Z). *)

(* the losses agree, and every solution for Z comes from one for X *)
(* slug: def-reduced-rank *)
Parameter any_rank_loss :
  forall (R : realFieldType) (d r : nat) (I : finType) (X : I -> 'cV[R]_d)
    (Z : I -> 'cV[R]_r) (C : 'M[R]_(r, d)) (Y : I -> R),
  (forall x, X x = C^T *m Z x) ->
  (forall beta, loss X Y beta = loss Z Y (C *m beta)) /\
  (row_free C -> forall b : 'cV[R]_r, exists beta : 'cV[R]_d, C *m beta = b).

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
