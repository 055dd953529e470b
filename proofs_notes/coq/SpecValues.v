(** * What is claimed: exact values on small instances

    The values are computed inside the kernel by the program of Model/Compute.v,
    which is proved to compute the definitions of Spec.v; they hold in every
    ordered field R. The first part defines how an instance is written; the
    second and third, [Module Type VALUES] and [Module Type SKEW], state the values;
    Check.v proves [Module Values : VALUES] and [Module Skew : SKEW].

    tests/proofs/test_model.py reads this file and compares each value with the Python
    reference, without tolerance.

    [design], [rows] and [point] are those of this file here, not those of Spec.v. *)
From Coq Require Import ZArith QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Local Open Scope Q_scope.
Local Open Scope ring_scope.

(* ========================================================================== *)
(** * I. Instances *)

(* Coq's integers and rationals (p # q is p/q) as elements of R *)
Definition integer (R : realFieldType) (z : Z) : R :=
  match z with
  | Z0 => 0
  | Zpos p => (Pos.to_nat p)%:R
  | Zneg p => - (Pos.to_nat p)%:R
  end.
Definition frac (R : realFieldType) (q : Q) : R :=
  integer R (Qnum q) / (Pos.to_nat (Qden q))%:R.

(* d, the rows U(x), gamma *)
Record design := Design { dimension : nat; rows : seq (seq Q); gamma : Q }.
(* the paper's rule, and the rule on the gap alone (8d/gamma) *)
Inductive rule := Paper | Sure.

Section Instance.
Variables (R : realFieldType) (D : design).

(* a square table of rationals as a matrix *)
Definition table (A : seq (seq Q)) : 'M[R]_(dimension D) :=
  \matrix_(i, j) frac R (nth (Qmake 0 1) (nth [::] A i) j).
(* a list of rationals as a list of numbers *)
Definition fracs (l : seq Q) : seq R := [seq frac R q | q <- l].
(* U(x), for the points x = 0, 1, ... *)
Definition point (x : 'I_(size (rows D))) : 'cV[R]_(dimension D) :=
  \col_i frac R (nth (Qmake 0 1) (nth [::] (rows D) x) i).
(* gamma *)
Definition rate : R := frac R (gamma D).

(* the history that draws the points with these numbers, latest first *)
Definition draws (hs : seq nat) : seq 'I_(size (rows D)) := pmap insub hs.
(* the state after it *)
Definition after hs : state R (dimension D) := hst point rate (draws hs).
(* p_x and w'_x of every point, in order, after it *)
Definition probabilities hs : seq R :=
  [seq prob point (after hs) x | x <- enum 'I_(size (rows D))].
Definition weights hs : seq R :=
  [seq weight point rate (after hs) x | x <- enum 'I_(size (rows D))].
(* has the rule stopped at this history? *)
Definition stops (r : rule) : pred (seq 'I_(size (rows D))) :=
  match r with Paper => paper_stop point rate | Sure => sure_stop point rate end.
(* X1 is made of the first k points *)
Definition first k : pred 'I_(size (rows D)) := fun x => (x < k)%N.

End Instance.
Arguments point R D x : clear implicits.
Arguments stops R D r h : clear implicits.
Arguments first D k x : clear implicits.

(* data that are not orthonormal: [point] are then the rows of X itself, and these are
   the notions above in the coordinates of a whitening P *)
Section Whitened.
Variables (R : realFieldType) (D : design) (P : 'M[R]_(dimension D)).

Definition whitened_after hs : state R (dimension D) :=
  hst (white (point R D) P) (rate R D) (draws D hs).
Definition whitened_probabilities hs : seq R :=
  [seq prob (white (point R D) P) (whitened_after hs) x | x <- enum 'I_(size (rows D))].
Definition whitened_weights hs : seq R :=
  [seq weight (white (point R D) P) (rate R D) (whitened_after hs) x
     | x <- enum 'I_(size (rows D))].
Definition whitened_stops (r : rule) : pred (seq 'I_(size (rows D))) :=
  match r with
  | Paper => paper_stop (white (point R D) P) (rate R D)
  | Sure => sure_stop (white (point R D) P) (rate R D)
  end.

End Whitened.
Arguments whitened_after R D P hs : clear implicits.
Arguments whitened_probabilities R D P hs : clear implicits.
Arguments whitened_weights R D P hs : clear implicits.
Arguments whitened_stops R D P r h : clear implicits.

(* two points, the unit vectors of the plane *)
Definition axes : design :=
  Design 2 [:: [:: 1 # 1; 0 # 1]; [:: 0 # 1; 1 # 1]] (2 # 5).
(* the same at a larger gamma: every run stops after three draws *)
Definition axes_short : design :=
  Design 2 [:: [:: 1 # 1; 0 # 1]; [:: 0 # 1; 1 # 1]] (3 # 7).
(* three points of the plane, no two parallel or orthogonal *)
Definition skew : design :=
  Design 2 [:: [:: 1 # 3; 2 # 3]; [:: 2 # 3; 1 # 3]; [:: 2 # 3; -2 # 3]] (1 # 4).
(* two points on the line *)
Definition line : design :=
  Design 1 [:: [:: 3 # 5]; [:: 4 # 5]] (1 # 4).
(* the same points at a gamma where the two rules stop at different times *)
Definition line_between : design :=
  Design 1 [:: [:: 3 # 5]; [:: 4 # 5]] (5 # 14).

(* three points of the plane, far from orthonormal *)
Definition slanted : design :=
  Design 2 [:: [:: 1 # 1; 2 # 1]; [:: 3 # 1; 1 # 1]; [:: 0 # 1; 1 # 1]] (2 # 5).
(* a copy, a multiple and a thin direction, in fractions *)
Definition crowded : design :=
  Design 2 [:: [:: 1 # 2; 1 # 3]; [:: 1 # 2; 1 # 3]; [:: -1 # 1; -2 # 3]; [:: 1 # 1; 7 # 10]] (1 # 4).
(* the unit vectors, where a run has four or five draws *)
Definition fork : design :=
  Design 2 [:: [:: 1 # 1; 0 # 1]; [:: 0 # 1; 1 # 1]] (7 # 18).

(* ========================================================================== *)
(** * II. Values *)

Module Type VALUES.

(* -------------------------------------------------------------------------- *)
(** ** Two points, the unit vectors of the plane. *)

(* slug: model *)
Parameter axes_rows : forall R : realFieldType,
  \sum_x point R axes x *m (point R axes x)^T = 1%:M.

(* slug: model *)
Parameter axes_gamma : forall R : realFieldType,
  0 < rate R axes /\ 2%:R * rate R axes < 1.

(* slug: model *)
Parameter axes_potential_start : forall R : realFieldType,
  Phi (after R axes [::]) = frac R (2 # 5).

(* slug: model *)
Parameter axes_probabilities_start : forall R : realFieldType,
  probabilities R axes [::] = fracs R [:: 1 # 2; 1 # 2].

(* slug: model *)
Parameter axes_weights_start : forall R : realFieldType,
  weights R axes [::] = fracs R [:: 2 # 1; 2 # 1].

(* slug: model *)
Parameter axes_state_after_0 : forall R : realFieldType,
  after R axes [:: 0]%N =
  State (table R axes [:: [:: 2 # 1; 0 # 1]; [:: 0 # 1; 0 # 1]]) (frac R (15 # 1))
    (frac R (-85 # 9)).

(* slug: model *)
Parameter axes_potential_after_0 : forall R : realFieldType,
  Phi (after R axes [:: 0]%N) = frac R (115016 # 341445).

(* slug: model *)
Parameter axes_probabilities_after_0 : forall R : realFieldType,
  probabilities R axes [:: 0]%N = fracs R [:: 1275 # 2614; 1339 # 2614].

(* slug: model *)
Parameter axes_weights_after_0 : forall R : realFieldType,
  weights R axes [:: 0]%N = fracs R [:: 1339 # 550; 51 # 22].

(* slug: model *)
Parameter axes_state_after_00 : forall R : realFieldType,
  after R axes [:: 0; 0]%N =
  State (table R axes [:: [:: 2439 # 550; 0 # 1]; [:: 0 # 1; 0 # 1]])
    (frac R (1204065 # 57508)) (frac R (-4546735 # 517572)).

(* slug: model *)
Parameter axes_potential_after_00 : forall R : realFieldType,
  Phi (after R axes [:: 0; 0]%N) =
    frac R (147049002114427382439519808 # 493721190764438642384416245).

(* slug: model *)
Parameter axes_probabilities_after_00 : forall R : realFieldType,
  probabilities R axes [:: 0; 0]%N = fracs R [:: 380178088734375 # 831100890693134;
    450922801958759 # 831100890693134].

(* slug: model *)
Parameter axes_weights_after_00 : forall R : realFieldType,
  weights R axes [:: 0; 0]%N = fracs R [:: 4058305217628831 # 1382287447750000;
    218982579111 # 88466396656].

(* slug: model *)
Parameter axes_state_after_01 : forall R : realFieldType,
  after R axes [:: 1; 0]%N =
  State (table R axes [:: [:: 2 # 1; 0 # 1]; [:: 0 # 1; 51 # 22]])
    (frac R (1204065 # 57508)) (frac R (-4546735 # 517572)).

(* slug: model *)
Parameter axes_potential_after_01 : forall R : realFieldType,
  Phi (after R axes [:: 1; 0]%N) =
    frac R (983752417333531899638720 # 3400412963076206100238371).

(* slug: model *)
Parameter axes_probabilities_after_01 : forall R : realFieldType,
  probabilities R axes [:: 1; 0]%N = fracs R [:: 6153135937311 # 12232075680382;
    6078939743071 # 12232075680382].

(* slug: model *)
Parameter axes_weights_after_01 : forall R : realFieldType,
  weights R axes [:: 1; 0]%N = fracs R [:: 6078939743071 # 2211659916400;
    559375994301 # 201059992400].

(* slug: model *)
Parameter axes_paper_test_start : forall R : realFieldType,
  stops R axes Paper (draws axes [::]) = false.

(* slug: model *)
Parameter axes_sure_test_start : forall R : realFieldType,
  stops R axes Sure (draws axes [::]) = false.

(* slug: model *)
Parameter axes_paper_test_after_001 : forall R : realFieldType,
  stops R axes Paper (draws axes [:: 1; 0; 0]%N) = false.

(* slug: model *)
Parameter axes_sure_test_after_001 : forall R : realFieldType,
  stops R axes Sure (draws axes [:: 1; 0; 0]%N) = false.

(* slug: model *)
Parameter axes_short_paper_length : forall R : realFieldType,
  Exp (point R axes_short) (rate R axes_short) (stops R axes_short Paper) 4 (fun h => (size h)%:R) =
    frac R (3 # 1).

(* slug: model *)
Parameter axes_sure_stopped : forall R : realFieldType,
  Pr (point R axes) (rate R axes) (stops R axes Sure) 3 (stops R axes Sure) =
    frac R (0 # 1).

(* slug: model *)
Parameter axes_sure_draws : forall R : realFieldType,
  Exp (point R axes) (rate R axes) (stops R axes Sure) 3 (fun
    h => (draws_from (first axes 1) h)%:R) = frac R (3 # 2).

(* slug: model *)
Parameter axes_sure_labels : forall R : realFieldType,
  Exp (point R axes) (rate R axes) (stops R axes Sure) 3 (fun
    h => (labels (first axes 1) h)%:R) =
    frac R (3860268393407376427 # 4344995456543704552).

(* slug: model *)
Parameter axes_sure_gap : forall R : realFieldType,
  Exp (point R axes) (rate R axes) (stops R axes Sure) 3 (fun
    h => gap (hst (point R axes) (rate R axes) h)) =
    frac R (90506537167923011320810095620644817608327 #
    2529442297389836925945310182759795946860).

(* slug: model *)
Parameter axes_sure_potentials : forall R : realFieldType,
  Tsum (point R axes) (rate R axes) (stops R axes Sure) 3 (fun
    h => Phi (hst (point R axes) (rate R axes) h)) [::] =
    frac R (8443303264920161057371608271615727248318386602 #
    8194857821029339061612133385439846346321809685).

(* -------------------------------------------------------------------------- *)
(** ** Three points of the plane, no two parallel or orthogonal. *)

(* slug: model *)
Parameter skew_rows : forall R : realFieldType,
  \sum_x point R skew x *m (point R skew x)^T = 1%:M.

(* slug: model *)
Parameter skew_gamma : forall R : realFieldType,
  0 < rate R skew /\ 2%:R * rate R skew < 1.

(* slug: model *)
Parameter skew_potential_start : forall R : realFieldType,
  Phi (after R skew [::]) = frac R (1 # 4).

(* slug: model *)
Parameter skew_probabilities_start : forall R : realFieldType,
  probabilities R skew [::] = fracs R [:: 5 # 18; 5 # 18; 4 # 9].

(* slug: model *)
Parameter skew_weights_start : forall R : realFieldType,
  weights R skew [::] = fracs R [:: 18 # 5; 18 # 5; 9 # 4].

(* slug: model *)
Parameter skew_state_after_0 : forall R : realFieldType,
  after R skew [:: 0]%N =
  State (table R skew [:: [:: 2 # 5; 4 # 5]; [:: 4 # 5; 8 # 5]]) (frac R (18 # 1))
    (frac R (-46 # 3)).

(* slug: model *)
Parameter skew_potential_after_0 : forall R : realFieldType,
  Phi (after R skew [:: 0]%N) = frac R (10375 # 43056).

(* slug: model *)
Parameter skew_probabilities_after_0 : forall R : realFieldType,
  probabilities R skew [:: 0]%N = fracs R [:: 23 # 83; 576 # 2075; 924 # 2075].

(* slug: model *)
Parameter skew_weights_after_0 : forall R : realFieldType,
  weights R skew [:: 0]%N = fracs R [:: 468 # 125; 299 # 80; 897 # 385].

(* slug: model *)
Parameter skew_state_after_2 : forall R : realFieldType,
  after R skew [:: 2]%N =
  State (table R skew [:: [:: 1 # 1; -1 # 1]; [:: -1 # 1; 1 # 1]]) (frac R (18 # 1))
    (frac R (-46 # 3)).

(* slug: model *)
Parameter skew_potential_after_2 : forall R : realFieldType,
  Phi (after R skew [:: 2]%N) = frac R (10375 # 43056).

(* slug: model *)
Parameter skew_probabilities_after_2 : forall R : realFieldType,
  probabilities R skew [:: 2]%N = fracs R [:: 231 # 830; 231 # 830; 184 # 415].

(* slug: model *)
Parameter skew_weights_after_2 : forall R : realFieldType,
  weights R skew [:: 2]%N = fracs R [:: 7176 # 1925; 7176 # 1925; 117 # 50].

(* slug: model *)
Parameter skew_state_after_21 : forall R : realFieldType,
  after R skew [:: 1; 2]%N =
  State (table R skew [:: [:: 15343 # 5775; -991 # 5775]; [:: -991 # 5775;
    8167 # 5775]]) (frac R (208278 # 10375)) (frac R (-455722 # 31125)).

(* slug: model *)
Parameter skew_potential_after_21 : forall R : realFieldType,
  Phi (after R skew [:: 1; 2]%N) =
    frac R (2418198707049150056972125 # 10463254196994922748884992).

(* slug: model *)
Parameter skew_probabilities_after_21 : forall R : realFieldType,
  probabilities R skew [:: 1; 2]%N = fracs R [:: 480449119580005 # 1725625647911042;
    478828582384845 # 1725625647911042; 383173972973096 # 862812823955521].

(* slug: model *)
Parameter skew_weights_after_21 : forall R : realFieldType,
  weights R skew [:: 1; 2]%N =
    fracs R [:: 5231627098497461374442496 # 1346550963910063320960625;
    1743875699499153791480832 # 447336365691639600281875;
    14216377985047449387072 # 5836514546503581500375].

(* slug: model *)
Parameter skew_paper_test_after_2 : forall R : realFieldType,
  stops R skew Paper (draws skew [:: 2]%N) = false.

(* slug: model *)
Parameter skew_sure_test_after_2 : forall R : realFieldType,
  stops R skew Sure (draws skew [:: 2]%N) = false.

(* slug: model *)
Parameter skew_paper_draws : forall R : realFieldType,
  Exp (point R skew) (rate R skew) (stops R skew Paper) 2 (fun
    h => (draws_from (first skew 2) h)%:R) = frac R (10 # 9).

(* slug: model *)
Parameter skew_paper_labels : forall R : realFieldType,
  Exp (point R skew) (rate R skew) (stops R skew Paper) 2 (fun
    h => (labels (first skew 2) h)%:R) = frac R (715 # 747).

(* slug: model *)
Parameter skew_paper_gap : forall R : realFieldType,
  Exp (point R skew) (rate R skew) (stops R skew Paper) 2 (fun
    h => gap (hst (point R skew) (rate R skew) h)) = frac R (1080556 # 31125).

(* slug: model *)
Parameter skew_paper_potentials : forall R : realFieldType,
  Tsum (point R skew) (rate R skew) (stops R skew Paper) 2 (fun
    h => Phi (hst (point R skew) (rate R skew) h)) [::] = frac R (21139 # 43056).

(* slug: model *)
Parameter skew_sure_draws : forall R : realFieldType,
  Exp (point R skew) (rate R skew) (stops R skew Sure) 2 (fun
    h => (draws_from (first skew 1) h)%:R) = frac R (5 # 9).

(* -------------------------------------------------------------------------- *)
(** ** Two points on the line. *)

(* slug: model *)
Parameter line_rows : forall R : realFieldType,
  \sum_x point R line x *m (point R line x)^T = 1%:M.

(* slug: model *)
Parameter line_gamma : forall R : realFieldType,
  0 < rate R line /\ 2%:R * rate R line < 1.

(* slug: model *)
Parameter line_potential_start : forall R : realFieldType,
  Phi (after R line [::]) = frac R (1 # 4).

(* slug: model *)
Parameter line_probabilities_start : forall R : realFieldType,
  probabilities R line [::] = fracs R [:: 9 # 25; 16 # 25].

(* slug: model *)
Parameter line_weights_start : forall R : realFieldType,
  weights R line [::] = fracs R [:: 25 # 9; 25 # 16].

(* slug: model *)
Parameter line_state_after_0 : forall R : realFieldType,
  after R line [:: 0]%N =
  State (table R line [:: [:: 1 # 1]]) (frac R (10 # 1)) (frac R (-22 # 3)).

(* slug: model *)
Parameter line_potential_after_0 : forall R : realFieldType,
  Phi (after R line [:: 0]%N) = frac R (52 # 225).

(* slug: model *)
Parameter line_probabilities_after_0 : forall R : realFieldType,
  probabilities R line [:: 0]%N = fracs R [:: 9 # 25; 16 # 25].

(* slug: model *)
Parameter line_weights_after_0 : forall R : realFieldType,
  weights R line [:: 0]%N = fracs R [:: 625 # 208; 5625 # 3328].

(* slug: model *)
Parameter line_state_after_01 : forall R : realFieldType,
  after R line [:: 1; 0]%N =
  State (table R line [:: [:: 433 # 208]]) (frac R (1265 # 104)) (frac R (-2063 # 312)).

(* slug: model *)
Parameter line_potential_after_01 : forall R : realFieldType,
  Phi (after R line [:: 1; 0]%N) = frac R (2436928 # 11376225).

(* slug: model *)
Parameter line_probabilities_after_01 : forall R : realFieldType,
  probabilities R line [:: 1; 0]%N = fracs R [:: 9 # 25; 16 # 25].

(* slug: model *)
Parameter line_weights_after_01 : forall R : realFieldType,
  weights R line [:: 1; 0]%N = fracs R [:: 31600625 # 9747712; 284405625 # 155963392].

(* slug: model *)
Parameter line_state_after_010 : forall R : realFieldType,
  after R line [:: 0; 1; 0]%N =
  State (table R line [:: [:: 31668337 # 9747712]]) (frac R (70659185 # 4873856))
    (frac R (-85304207 # 14621568)).

(* slug: model *)
Parameter line_potential_after_010 : forall R : realFieldType,
  Phi (after R line [:: 0; 1; 0]%N) = frac R (5795633997657088 # 29124520816493025).

(* slug: model *)
Parameter line_probabilities_after_010 : forall R : realFieldType,
  probabilities R line [:: 0; 1; 0]%N = fracs R [:: 9 # 25; 16 # 25].

(* slug: model *)
Parameter line_weights_after_010 : forall R : realFieldType,
  weights R line [:: 0; 1; 0]%N = fracs R [:: 80901446712480625 # 23182535990628352;
    728113020412325625 # 370920575850053632].

(* slug: model *)
Parameter line_paper_test_after_010 : forall R : realFieldType,
  stops R line Paper (draws line [:: 0; 1; 0]%N) = false.

(* slug: model *)
Parameter line_sure_test_after_010 : forall R : realFieldType,
  stops R line Sure (draws line [:: 0; 1; 0]%N) = false.

(* slug: model *)
Parameter line_paper_draws : forall R : realFieldType,
  Exp (point R line) (rate R line) (stops R line Paper) 3 (fun
    h => (draws_from (first line 1) h)%:R) = frac R (27 # 25).

(* slug: model *)
Parameter line_paper_labels : forall R : realFieldType,
  Exp (point R line) (rate R line) (stops R line Paper) 3 (fun
    h => (labels (first line 1) h)%:R) = frac R (11529 # 15625).

(* slug: model *)
Parameter line_paper_gap : forall R : realFieldType,
  Exp (point R line) (rate R line) (stops R line Paper) 3 (fun
    h => gap (hst (point R line) (rate R line) h)) = frac R (148640881 # 7310784).

(* slug: model *)
Parameter line_paper_potentials : forall R : realFieldType,
  Tsum (point R line) (rate R line) (stops R line Paper) 3 (fun
    h => Phi (hst (point R line) (rate R line) h)) [::] = frac R (140625 # 202244).

(* -------------------------------------------------------------------------- *)
(** ** The same points at a gamma where the two rules stop at different times. *)

(* slug: model *)
Parameter line_between_rows : forall R : realFieldType,
  \sum_x point R line_between x *m (point R line_between x)^T = 1%:M.

(* slug: model *)
Parameter line_between_gamma : forall R : realFieldType,
  0 < rate R line_between /\ 2%:R * rate R line_between < 1.

(* slug: model *)
Parameter line_between_paper_test_after_00 : forall R : realFieldType,
  stops R line_between Paper (draws line_between [:: 0; 0]%N) = false.

(* slug: model *)
Parameter line_between_sure_test_after_00 : forall R : realFieldType,
  stops R line_between Sure (draws line_between [:: 0; 0]%N) = false.

(* slug: model *)
Parameter line_between_paper_test_after_001 : forall R : realFieldType,
  stops R line_between Paper (draws line_between [:: 1; 0; 0]%N) = true.

(* slug: model *)
Parameter line_between_sure_test_after_001 : forall R : realFieldType,
  stops R line_between Sure (draws line_between [:: 1; 0; 0]%N) = false.

(* slug: model *)
Parameter line_between_paper_stopped : forall R : realFieldType,
  Pr (point R line_between) (rate R line_between)
    (stops R line_between Paper) 4 (stops R line_between Paper) = frac R (1 # 1).

(* slug: model *)
Parameter line_between_paper_length : forall R : realFieldType,
  Exp (point R line_between) (rate R line_between) (stops R line_between Paper) 4 (fun
    h => (size h)%:R) = frac R (3 # 1).

(* slug: model *)
Parameter line_between_paper_draws : forall R : realFieldType,
  Exp (point R line_between) (rate R line_between) (stops R line_between Paper) 4 (fun
    h => (draws_from (first line_between 1) h)%:R) = frac R (27 # 25).

(* slug: model *)
Parameter line_between_sure_length : forall R : realFieldType,
  Exp (point R line_between) (rate R line_between) (stops R line_between Sure) 5 (fun
    h => (size h)%:R) = frac R (4 # 1).

End VALUES.

(* ========================================================================== *)
(** * III. Values at data that are not orthonormal, and on a tree of random length *)

Module Type SKEW.

(* -------------------------------------------------------------------------- *)
(** ** Three points of the plane, far from orthonormal. *)

(* slug: model *)
Parameter slanted_gram : forall R : realFieldType,
  gram (point R slanted) = table R slanted [:: [:: 10 # 1; 5 # 1]; [:: 5 # 1; 6 # 1]] /\ gram (point R slanted) \in unitmx.

(* slug: model *)
Parameter slanted_gamma : forall R : realFieldType,
  0 < rate R slanted /\ 2%:R * rate R slanted < 1.

(* slug: model *)
Parameter slanted_potential_start : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  Phi (whitened_after R slanted P [::]) = frac R (2 # 5).

(* slug: model *)
Parameter slanted_probabilities_start : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_probabilities R slanted P [::] = fracs R [:: 13 # 35; 17 # 35; 1 # 7].

(* slug: model *)
Parameter slanted_weights_start : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_weights R slanted P [::] = fracs R [:: 35 # 13; 35 # 17; 7 # 1].

(* slug: model *)
Parameter slanted_state_after_0 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_after R slanted P [:: 0]%N =
  State (P^T *m table R slanted [:: [:: 35 # 13; 70 # 13]; [:: 70 # 13; 140 # 13]] *m P) (frac R (15 # 1)) (frac R (-85 # 9)).

(* slug: model *)
Parameter slanted_potential_after_0 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  Phi (whitened_after R slanted P [:: 0]%N) = frac R (115016 # 341445).

(* slug: model *)
Parameter slanted_probabilities_after_0 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_probabilities R slanted P [:: 0]%N = fracs R [:: 3315 # 9149; 59155 # 118937; 16687 # 118937].

(* slug: model *)
Parameter slanted_weights_after_0 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_weights R slanted P [:: 0]%N = fracs R [:: 721 # 220; 6214299 # 2602820; 6214299 # 734228].

(* slug: model *)
Parameter slanted_state_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_after R slanted P [:: 1; 0]%N =
  State (P^T *m table R slanted [:: [:: 818171683 # 33836660; 424555061 # 33836660]; [:: 424555061 # 33836660; 445180687 # 33836660]] *m P) (frac R (1204065 # 57508)) (frac R (-4546735 # 517572)).

(* slug: model *)
Parameter slanted_potential_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  Phi (whitened_after R slanted P [:: 1; 0]%N) = frac R (189295617307646504490327217892293952 # 654132327174140224282367082057186405).

(* slug: model *)
Parameter slanted_probabilities_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_probabilities R slanted P [:: 1; 0]%N = fracs R [:: 1398049521746396653349475 # 3744555478805228922876461; 1235889420715234851090625 # 2562064274971998736704947; 7022678448175357333128943 # 48679221224467975997393993].

(* slug: model *)
Parameter slanted_weights_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_weights R slanted P [:: 1; 0]%N = fracs R [:: 1381274899010250850671665029985009 # 373093223334985894943968586242400; 11905208354569352081939080893440792571 # 4154717981206025123233576367212100000; 11905208354569352081939080893440792571 # 1242542114367647402554246802064029216].

(* slug: model *)
Parameter slanted_paper_test_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_stops R slanted P Paper (draws slanted [:: 1; 0]%N) = false.

(* slug: model *)
Parameter slanted_sure_test_after_01 : forall R : realFieldType,
  forall P, whitens (point R slanted) P ->
  whitened_stops R slanted P Sure (draws slanted [:: 1; 0]%N) = false.

(* -------------------------------------------------------------------------- *)
(** ** A copy, a multiple and a thin direction, in fractions. *)

(* slug: model *)
Parameter crowded_gram : forall R : realFieldType,
  gram (point R crowded) = table R crowded [:: [:: 5 # 2; 17 # 10]; [:: 17 # 10; 347 # 300]] /\ gram (point R crowded) \in unitmx.

(* slug: model *)
Parameter crowded_gamma : forall R : realFieldType,
  0 < rate R crowded /\ 2%:R * rate R crowded < 1.

(* slug: model *)
Parameter crowded_potential_start : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  Phi (whitened_after R crowded P [::]) = frac R (1 # 4).

(* slug: model *)
Parameter crowded_probabilities_start : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_probabilities R crowded P [::] = fracs R [:: 1 # 12; 1 # 12; 1 # 3; 1 # 2].

(* slug: model *)
Parameter crowded_weights_start : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_weights R crowded P [::] = fracs R [:: 12 # 1; 12 # 1; 3 # 1; 2 # 1].

(* slug: model *)
Parameter crowded_state_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_after R crowded P [:: 2]%N =
  State (P^T *m table R crowded [:: [:: 3 # 1; 2 # 1]; [:: 2 # 1; 4 # 3]] *m P) (frac R (18 # 1)) (frac R (-46 # 3)).

(* slug: model *)
Parameter crowded_potential_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  Phi (whitened_after R crowded P [:: 2]%N) = frac R (10375 # 43056).

(* slug: model *)
Parameter crowded_probabilities_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_probabilities R crowded P [:: 2]%N = fracs R [:: 69 # 830; 69 # 830; 138 # 415; 208 # 415].

(* slug: model *)
Parameter crowded_weights_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_weights R crowded P [:: 2]%N = fracs R [:: 312 # 25; 312 # 25; 78 # 25; 207 # 100].

(* slug: model *)
Parameter crowded_paper_test_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_stops R crowded P Paper (draws crowded [:: 2]%N) = false.

(* slug: model *)
Parameter crowded_sure_test_after_2 : forall R : realFieldType,
  forall P, whitens (point R crowded) P ->
  whitened_stops R crowded P Sure (draws crowded [:: 2]%N) = false.

(* -------------------------------------------------------------------------- *)
(** ** A tree whose length is random: four or five draws. *)

(* slug: model *)
Parameter fork_paper_stopped : forall R : realFieldType,
  Pr (point R fork) (rate R fork) (stops R fork Paper) 5 (stops R fork Paper) = frac R (1 # 1).

(* slug: model *)
Parameter fork_paper_length : forall R : realFieldType,
  Exp (point R fork) (rate R fork) (stops R fork Paper) 5 (fun h => (size h)%:R) = frac R (2476705318680169339313956999367833 # 585953009571809214072967501258900).

End SKEW.
