(* Algorithm 1 among the learners: statements in full. The run's tree (Tend,  *)
(* hst, prob, betahat) is spelled out in Audit.v, learners in AuditBounds.v.  *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run Tree Regression.
From Asura Require Import Reductions Design Learner Optimal Coins LowerBound Algorithm1.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* The stacked data as a family of points, the first n1 those of X1; the      *)
(* points of X1 in a run.                                                     *)
(* slug: definitions *)
Theorem means_point (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y1 : 'cV[R]_n1) (Y2 : 'cV[R]_n2) (i : 'I_(n1 + n2)) (h : seq 'I_(n1 + n2)) :
  [/\ point X1 X2 i = (row i (col_mx X1 X2))^T,
      label Y2 Y1 i = col_mx Y1 Y2 i 0 &
      drawn h = pmap (fun i => if split i is inl j then Some j else None) h].
Proof. by []. Qed.

(* Draw while the rule does not stop and the horizon allows it, then read the *)
(* labels of the points drawn and answer; at the horizon, read every label.   *)
(* slug: definitions *)
Theorem means_algorithm1 (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y2 : 'cV[R]_n2) (U : 'I_(n1 + n2) -> 'cV[R]_d) (g : R) (stop : pred (seq 'I_(n1 + n2)))
    (n : nat) (h : seq 'I_(n1 + n2)) :
  algorithm1 X1 X2 Y2 U g stop 0 h =
    (if stop h then read_all (fun Y1 => betahat (point X1 X2) (label Y2 Y1) U g h) (drawn h) 0
     else read_all (fun Y1 => least_squares X1 X2 Y1 Y2) (enum 'I_n1) 0) /\
  algorithm1 X1 X2 Y2 U g stop n.+1 h =
    (if stop h then read_all (fun Y1 => betahat (point X1 X2) (label Y2 Y1) U g h) (drawn h) 0
     else Toss (prob U (hst U g h)) (fun x => algorithm1 X1 X2 Y2 U g stop n (x :: h))).
Proof. by []. Qed.

(* slug: definitions *)
Theorem means_read_all (R : realFieldType) (n d : nat) (answer : 'cV[R]_n -> 'cV[R]_d)
    (z : 'I_n) (zs : seq 'I_n) (known : 'cV[R]_n) :
  read_all answer [::] known = Answer n (answer known) /\
  read_all answer (z :: zs) known =
    Read z (fun y => read_all answer zs (\col_x (if x == z then y else known x 0))).
Proof. by []. Qed.

(* The same loss and the same reduced rank in both descriptions of the data.  *)
(* slug: optimal *)
Theorem audit_point_loss (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d))
    (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2) (Y1 : 'cV[R]_n1) (beta : 'cV[R]_d) :
  loss (point X1 X2) (label Y2 Y1) beta = stacked_loss X1 X2 Y1 Y2 beta.
Proof. exact: point_loss. Qed.

(* slug: optimal *)
Theorem audit_point_reduced_rank (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d))
    (X2 : 'M[R]_(n2, d)) :
  reduced_rank (point X1 X2) (fun i => (i < n1)%N) = stacked_reduced_rank X1 X2.
Proof. exact: point_reduced_rank. Qed.

(* For every rule, averages over the learner are averages over the run.       *)
(* slug: optimal *)
Theorem audit_algorithm1_average (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d))
    (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2) (U : 'I_(n1 + n2) -> 'cV[R]_d) (g : R)
    (stop : pred (seq 'I_(n1 + n2))) (G : {set 'I_n1} -> 'cV[R]_d -> R) (Y1 : 'cV[R]_n1)
    (n : nat) (h : seq 'I_(n1 + n2)) :
  average G Y1 set0 (algorithm1 X1 X2 Y2 U g stop n h) =
  Tend U g stop n (fun h' =>
    if stop h' then G [set x in drawn h'] (betahat (point X1 X2) (label Y2 Y1) U g h')
    else G setT (least_squares X1 X2 Y1 Y2)) h.
Proof. exact: algorithm1_average. Qed.

(* slug: main *)
Theorem audit_algorithm1_paper (R : rcfType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d))
    (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2) (epsilon : R) :
  Num.archimedean_axiom R -> (0 < d)%N -> X1^T *m X1 + X2^T *m X2 \in unitmx ->
  0 < epsilon -> epsilon <= 1 ->
  let g := Num.sqrt epsilon / 33%:R in
  exists (P : 'M[R]_d) (n : nat), let U := white (point X1 X2) P in
  let T := algorithm1 X1 X2 Y2 U g (paper_stop U g) n [::] in
  [/\ whitens (point X1 X2) P, valid T,
    forall Y1, 3%:R / 4%:R <= success_probability X1 X2 Y2 epsilon Y1 T &
    forall Y1, expected_labels Y1 T <= (33%:R ^+ 2 / epsilon - 2%:R) * stacked_reduced_rank X1 X2].
Proof. exact: algorithm1_paper. Qed.

(* slug: sure-stop *)
Theorem audit_algorithm1_sharp (R : rcfType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d))
    (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2) :
  Num.archimedean_axiom R -> (0 < d)%N -> X1^T *m X1 + X2^T *m X2 \in unitmx ->
  forall epsilon delta eta : R,
  0 < epsilon -> 0 < delta -> 2%:R * delta <= 1 -> 64%:R * epsilon <= delta ^+ 3 -> 0 < eta ->
  let g := Num.sqrt (epsilon * delta / (1 + 29%:R / 10%:R * delta)) in
  exists (P : 'M[R]_d) (n : nat), let U := white (point X1 X2) P in
  let T := algorithm1 X1 X2 Y2 U g (level_stop U g delta) n [::] in
  [/\ whitens (point X1 X2) P, valid T,
    forall Y1, expected_labels Y1 T <= (1 + 3%:R * delta) / epsilon * stacked_reduced_rank X1 X2 + eta &
    forall Y1 beta, expected_loss X1 X2 Y2 Y1 T <=
      (1 + epsilon + eta) * stacked_loss X1 X2 Y1 Y2 beta].
Proof. exact: algorithm1_sharp. Qed.

(* The constant is 1 on both sides as epsilon tends to 0.                     *)
(* slug: optimal *)
Theorem audit_settled (R : rcfType) (d : nat) (lambda epsilon delta eta : R) :
  Num.archimedean_axiom R -> (0 < d)%N -> 0 <= lambda -> 0 < epsilon -> epsilon * lambda < 1 ->
  0 < delta -> 2%:R * delta <= 1 -> 64%:R * epsilon <= delta ^+ 3 -> 0 < eta ->
  exists2 n : nat, (0 < n)%N &
    (forall T : learner R (rows d n) d, valid T -> guarantee lambda epsilon T ->
       exists Y, (1 - delta) * (1 - Num.sqrt (epsilon * lambda)) ^+ 2 *
                 stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon <=
                 expected_labels Y T) /\
    (exists T : learner R (rows d n) d, [/\ valid T, guarantee lambda (epsilon + eta) T &
       forall Y, expected_labels Y T <=
         (1 + 3%:R * delta) / epsilon * stacked_reduced_rank (design R d n) (ridge_rows d lambda) + eta]).
Proof. exact: settled. Qed.
