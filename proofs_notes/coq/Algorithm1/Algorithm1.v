(** Algorithm 1 is a learner: the tree of its draws, then the labels of the
    points drawn, then weighted least squares; every label is read when the
    loop has not stopped by the horizon. With the sharp form of the sure
    stopping rule it needs (1 + 3 delta) R_X/epsilon labels on all data.

    Selected results:
      point_loss         == the loss in both descriptions of the data
      drawn_labels       == the labels that are read are the distinct draws from X1
      algorithm1_average == averages over the learner are averages over the tree
      algorithm1_paper   == the main theorem, for the learner
      algorithm1_sharp   == the sharp rule, for the learner, at every horizon
      settled            == lower and upper bound on one instance *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Forms Step Run Tree Regression Whitening SureStop RealClosed.
From Asura Require Import Reductions Design Learner Optimal Coins LowerBound.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Data.
Variables (R : realFieldType) (n1 n2 d : nat).
Variables (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2).
Local Notation point := (point X1 X2).
Local Notation label := (label Y2).
Local Notation queried := (@queried n1 n2).
Local Notation drawn := (@drawn n1 n2).

Lemma point_loss Y1 beta : loss point (label Y1) beta = stacked_loss X1 X2 Y1 Y2 beta.
Proof.
apply: eq_bigr => i _; congr (_ ^+ 2); rewrite [RHS]mxE [X in _ = _ + X]mxE; congr (_ - _).
transitivity (((point i)^T *m 1%:M *m beta) 0 0) => //.
by rewrite /point trmxK mulmx1 -row_mul [LHS]mxE.
Qed.

Lemma point_gram : gram point = X1^T *m X1 + X2^T *m X2.
Proof.
rewrite -mul_row_col -tr_col_mx /gram; apply/matrixP => i j; rewrite summxE !mxE.
by apply: eq_bigr => k _; rewrite !mxE big_ord1 !mxE.
Qed.

Lemma point_reduced_rank : reduced_rank point queried = stacked_reduced_rank X1 X2.
Proof.
rewrite /reduced_rank point_gram /stacked_reduced_rank; congr (\tr (_ *m _)).
rewrite big_mkcond big_split_ord /= [X in _ + X]big1 ?addr0; last first.
  by move=> i _; rewrite /queried /= ltnNge leq_addr.
apply/matrixP => i j; rewrite summxE mxE; apply: eq_bigr => k _.
by rewrite /queried /= ltn_ord /point rowKu !mxE big_ord1 !mxE.
Qed.

Lemma drawn_filter h : [seq lshift n2 j | j <- drawn h] = filter queried h.
Proof.
elim: h => [|i h IH] //=; rewrite /drawn /= /in_X1 /queried.
case: splitP => j ij.
  by rewrite /= -IH; congr (_ :: _); apply: val_inj.
by rewrite /= -IH.
Qed.

Lemma drawn_labels h : #|[set x in drawn h]| = labels queried h.
Proof.
rewrite /labels -drawn_filter undup_map_inj; last exact: lshift_inj.
by rewrite size_map cardsE -(card_uniqP (undup_uniq _)); apply: eq_card => x; rewrite mem_undup.
Qed.

Variables (U : 'I_(n1 + n2) -> 'cV[R]_d) (g : R) (stop : pred (seq 'I_(n1 + n2))).
Local Notation algorithm1 := (algorithm1 X1 X2 Y2 U g stop).

Lemma label_local (Y Y' : 'cV[R]_n1) (h : seq 'I_(n1 + n2)) : {in drawn h, forall x, Y x 0 = Y' x 0} -> {in h, label Y =1 label Y'}.
Proof.
move=> e i ih; rewrite /label !mxE; case: splitP => j ij //; apply: e.
have : i \in filter queried h by rewrite mem_filter ih /queried ij ltn_ord.
rewrite -drawn_filter => /mapP[j' jh ij']; suff -> : j = j' by [].
by apply: val_inj; rewrite /= -ij ij'.
Qed.

(* Averages over the learner are the averages over the tree of the run.       *)
Theorem algorithm1_average G Y1 n h :
  average G Y1 set0 (algorithm1 n h) =
  Tend U g stop n (fun h' =>
    if stop h' then G [set x in drawn h'] (betahat point (label Y1) U g h')
    else G setT (least_squares X1 X2 Y1 Y2)) h.
Proof.
have leaf h' : average G Y1 set0 (read_all (fun Y => betahat point (label Y) U g h') (drawn h') 0) =
    G [set x in drawn h'] (betahat point (label Y1) U g h').
  have := @read_all_average _ _ _ G Y1 (fun Y => betahat point (label Y) U g h') (drawn h') 0 set0.
  rewrite set0U; apply=> [Y' _ e|x]; last by rewrite inE.
  rewrite /betahat; congr (_ *m _); rewrite /sample_rhs.
  have := label_local e; elim: (h') => [|x s IH] //= e'.
  rewrite IH; last by move=> y ys; apply: e'; rewrite inE ys orbT.
  by rewrite (e' x) // inE eqxx.
have all_read : average G Y1 set0 (read_all (fun Y => least_squares X1 X2 Y Y2) (enum 'I_n1) 0) =
    G setT (least_squares X1 X2 Y1 Y2).
  have := @read_all_average _ _ _ G Y1 (fun Y => least_squares X1 X2 Y Y2) (enum 'I_n1) 0 set0.
  have -> : set0 :|: [set x in enum 'I_n1] = setT by apply/setP => x; rewrite !inE mem_enum.
  apply=> [Y' _ e|x]; last by rewrite inE.
  suff -> : Y' = Y1 by [].
  by apply/matrixP => x j; rewrite (ord1 j) e // mem_enum.
elim: n h => [|n IH] h /=.
  by case: ifP => _; [apply: leaf | apply: all_read].
case: ifP => _; first exact: leaf.
by apply: eq_bigr => x _; congr (_ * _); exact: IH.
Qed.

Hypothesis prob_ge0 : forall h x, 0 <= prob U (hst U g h) x.
Hypothesis prob_sum : forall h, \sum_x prob U (hst U g h) x = 1.

Theorem algorithm1_valid n h : valid (algorithm1 n h).
Proof.
elim: n h => [|n IH] h /=; case: ifP => _; try exact: read_all_valid.
by split=> // x; apply: IH.
Qed.

End Data.

Section Sharp.
Variables (R : rcfType) (n1 n2 d : nat).
Variables (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) (Y2 : 'cV[R]_n2).
Variables (epsilon delta : R) (P : 'M[R]_d) (n : nat).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens (point X1 X2) P.
Hypothesis e0 : 0 < epsilon.
Hypothesis de0 : 0 < delta.
Hypothesis de1 : 2%:R * delta <= 1.
Hypothesis le : 64%:R * epsilon <= delta ^+ 3.
Let g := Num.sqrt (epsilon * delta / (1 + 29%:R / 10%:R * delta)).
Let U := white (point X1 X2) P.
Let stop := level_stop U g delta.
Let late := (1 + 3%:R * delta) / epsilon * d%:R / n.+1%:R.

Lemma sharp_range : 0 < g /\ 2%:R * g < 1.
Proof.
have [g0 gE] : 0 < g /\ g ^+ 2 = epsilon * delta / (1 + 29%:R / 10%:R * delta).
  by apply: sqrt_gt0; ps.
by split=> //; exact: (sharp_half g0 de0 de1 le gE).
Qed.

Lemma sharp_full_rank : X1^T *m X1 + X2^T *m X2 \in unitmx.
Proof.
rewrite -point_gram; have [+ _] := mulmx1_unit whP.
by rewrite unitmx_mul => /andP[].
Qed.

(* P(not stopped by n) <= E[min(m, n + 1)]/(n + 1). *)
Lemma sharp_late : Pr U g stop n (fun h => ~~ stop h) <= late.
Proof.
have [g0 g2] := sharp_range; have iso := isoU whP.
have [_ len _] := sharp_eps (label Y2 0) d_gt0 whP n.+1 (@queried n1 n2) e0 de0 de1 le.
rewrite /late ler_pdivl_mulr ?ltr0n // mulrC; apply: le_trans len.
apply: le_trans (late_bound d_gt0 iso g0 g2 stop n [::]) _.
by rewrite /Exp Tend_size //= add0r.
Qed.

(* At every horizon: (1 + 3 delta) R_X / epsilon labels and a factor 1 + epsilon, up to *)
(* what the runs cost that are not over by then.                                        *)
Theorem algorithm1_sharp :
  let T := algorithm1 X1 X2 Y2 U g stop n [::] in
  [/\ valid T,
    forall Y1, expected_labels Y1 T <=
      (1 + 3%:R * delta) / epsilon * stacked_reduced_rank X1 X2 + n1%:R * late &
    forall Y1 beta, expected_loss X1 X2 Y2 Y1 T <=
      (1 + epsilon + late) * stacked_loss X1 X2 Y1 Y2 beta].
Proof.
have [g0 g2] := sharp_range; have iso := isoU whP; have small := sharp_late.
have split_tree (f1 f2 : seq 'I_(n1 + n2) -> R) c :
    (forall h, f1 h = f2 h + c * (~~ stop h)%:R) ->
    Tend U g stop n f1 [::] = Exp U g stop n f2 + c * Pr U g stop n (fun h => ~~ stop h).
  by move=> e; rewrite /Pr /Exp -TendZ -TendD; apply: Tend_eq.
split.
- by apply: algorithm1_valid => [h x|h]; [apply: p_ge0 | apply: p_sum].
- move=> Y1; rewrite /expected_labels algorithm1_average.
  have [lab _ _] := sharp_eps (label Y2 Y1) d_gt0 whP n (@queried n1 n2) e0 de0 de1 le.
  rewrite point_reduced_rank in lab.
  rewrite (split_tree _ (fun h => (stop h)%:R * (labels (@queried n1 n2) h)%:R) n1%:R); last first.
    move=> h; case: (stop h) => /=; first by rewrite mul1r mulr0 addr0 drawn_labels.
    by rewrite mul0r add0r mulr1 cardsT card_ord.
  apply: ler_add; last by apply: ler_wpmul2l => //; exact: ler0n.
  apply: le_trans lab; apply: Tend_mono => // h _.
  by case: (stop h); rewrite ?mul1r ?mul0r //; exact: ler0n.
move=> Y1 beta; rewrite /expected_loss algorithm1_average.
have [_ _ /(_ beta) lossb] := sharp_eps (label Y2 Y1) d_gt0 whP n (@queried n1 n2) e0 de0 de1 le.
rewrite point_loss in lossb.
rewrite (split_tree _ (fun h => (stop h)%:R * loss (point X1 X2) (label Y2 Y1)
    (betahat (point X1 X2) (label Y2 Y1) U g h)) (optimum X1 X2 Y1 Y2)); last first.
  move=> h; case: (stop h) => /=; first by rewrite mul1r mulr0 addr0 point_loss.
  by rewrite mul0r add0r mulr1.
rewrite [X in _ <= X]mulrDl; apply: ler_add => //.
have pr0 : 0 <= Pr U g stop n (fun h => ~~ stop h).
  by apply: Tend_ge0 => // h _; apply: ler0n.
apply: le_trans (ler_wpmul2r pr0 (optimum_least Y1 Y2 beta sharp_full_rank)) _.
by rewrite mulrC ler_wpmul2r // sqnorm_ge0.
Qed.

End Sharp.

(* The paper's own rule: probability 3/4, with C_0 = 33, on all data.         *)
Theorem algorithm1_paper (R : rcfType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d))
    (Y2 : 'cV[R]_n2) (epsilon : R) (P : 'M[R]_d) (n : nat) :
  (0 < d)%N -> whitens (point X1 X2) P -> 0 < epsilon -> epsilon <= 1 ->
  33%:R ^+ 2 * d%:R <= n%:R * epsilon ->
  let g := Num.sqrt epsilon / 33%:R in
  let U := white (point X1 X2) P in
  let T := algorithm1 X1 X2 Y2 U g (paper_stop U g) n [::] in
  [/\ valid T,
    forall Y1, 3%:R / 4%:R <= success_probability X1 X2 Y2 epsilon Y1 T &
    forall Y1, expected_labels Y1 T <= (33%:R ^+ 2 / epsilon - 2%:R) * stacked_reduced_rank X1 X2].
Proof.
move=> d0 whP e0 e1 hn g U T.
pose stop := paper_stop U g.
have iso := isoU whP.
have s0 : 0 < Num.sqrt epsilon by rewrite sqrtr_gt0.
have s1 : Num.sqrt epsilon <= 1 by rewrite -sqrtr1 ler_wsqrtr.
have g0 : 0 < g by rewrite divr_gt0 ?ltr0n.
have g2 : 2%:R * g < 1.
  rewrite /g mulrA ltr_pdivr_mulr ?ltr0n // mul1r.
  by apply: le_lt_trans (_ : 2%:R * 1 < _); [rewrite ler_wpmul2l ?ler0n | rewrite mulr1 ltr_nat].
rewrite {}/T -/stop; split.
- by apply: algorithm1_valid => [h x|h]; [apply: p_ge0 | apply: p_sum].
- move=> Y1; rewrite /success_probability algorithm1_average.
  have [/(_ (least_squares X1 X2 Y1 Y2)) good _ _ _] :=
    main_eps (label Y2 Y1) d0 whP (@queried n1 n2) e0 e1 hn.
  apply: le_trans good _; apply: Tend_mono => // h _.
  case: (boolP (stop h)) => st; rewrite -/g -/U -/stop ?st ?(negbTE st) /=.
    rewrite !point_loss -/(optimum _ _ _ _); case: (_ < _); rewrite /= ?ler01; last by case: ifP; rewrite ?ler01.
    by case: ifP.
  by case: ifP; rewrite ?ler01.
move=> Y1; rewrite /expected_labels algorithm1_average.
have [_ st lab _] := main_eps (label Y2 Y1) d0 whP (@queried n1 n2) e0 e1 hn.
rewrite point_reduced_rank -/g -/U -/stop in lab st.
have late : Pr U g stop n (fun h => ~~ stop h) = 0 by rewrite PrC // st subrr.
apply: le_trans lab; rewrite -[X in _ <= X]addr0 -[X in _ + X](mulr0 n1%:R) -late /Pr /Exp -TendZ -TendD.
apply: Tend_mono => // h _; case: (stop h) => /=.
  by rewrite mulr0 addr0 drawn_labels.
by rewrite mulr1 cardsT card_ord ler_addr ler0n.
Qed.

(* Both sides on one design: no learner beats R_X / epsilon by more than the  *)
(* factor (1 - delta) (1 - sqrt(epsilon lambda))^2, and Algorithm 1 needs no  *)
(* more than the factor 1 + 3 delta. Both tend to 1 with epsilon.             *)
Theorem settled (R : rcfType) (d : nat) (lambda epsilon delta : R) :
  Num.archimedean_axiom R -> (0 < d)%N -> 0 <= lambda -> 0 < epsilon -> epsilon * lambda < 1 ->
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
Proof.
move=> arch d0 l0 e0 el de0 de1 le g.
have [n n0 low] := optimal_lower arch d l0 e0 el de0; exists n => // X1 X2.
have full : X1^T *m X1 + X2^T *m X2 \in unitmx.
  rewrite design_gram_unit // unitmxE det_scalar unitfE expf_neq0 // gt_eqF //.
  by rewrite ltr_paddr ?ltr01.
split=> //; first by apply: data_whitening; rewrite point_gram.
move=> P N whP U T late.
have [vT labT lossT] := algorithm1_sharp 0 N d0 whP e0 de0 de1 le.
split; [exact: vT | | exact: labT].
by move=> Y beta; rewrite addrA; apply: lossT.
Qed.
