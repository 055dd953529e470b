(** The number of labels that every learner needs in expectation, with its
    constant.

    Selected results:
      bayes_cost    == the guarantee against the prior bounds the mean cost
      mean_cost     == the bound, linear in the expected number of labels
      some_labels   == hence labels on which the learner reads many
      optimal_lower == (1 - delta)(1 - sqrt(eps lambda))^2 R_X/eps labels *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions Design Learner Urn.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Finite.
Variables (R : rcfType) (d n N : nat) (lambda epsilon a tau : R).
Hypotheses (n_gt0 : (0 < n)%N) (N_gt0 : (0 < N)%N).
Hypotheses (lambda_ge0 : 0 <= lambda) (epsilon_gt0 : 0 < epsilon).
Hypotheses (a_gt0 : 0 < a) (tau_gt0 : 0 < tau).

Let alpha : R := N%:R * a / 2%:R.
Let L := 1 + lambda.

Let N0 : 0 < N%:R :> R. Proof. by rewrite ltr0n. Qed.
Let n0 : 0 < n%:R :> R. Proof. by rewrite ltr0n. Qed.
Let L0 : 0 < L. Proof. by rewrite /L ltr_paddr ?ltr01. Qed.

Let alpha_gt0 : 0 < alpha.
Proof. by rewrite /alpha divr_gt0 ?ltr0n // mulr_gt0. Qed.

Let A_E : alpha + alpha = N%:R * a.
Proof. by rewrite /alpha; field. Qed.

Let outcome := {ffun 'I_(rows d n) -> 'I_N.+1}.
Let P : outcome -> R := prior alpha (@coordinate d n).
Let z (o : outcome) (x : 'I_(rows d n)) : R := signs R (o x).
Let label (j : 'I_N.+1) : R := signs R j / Num.sqrt n%:R.

Let fibre (i : 'I_d) : read_in (@coordinate d n) i setT = n.
Proof. by rewrite -[RHS](card_fibre n i); apply: eq_card => x; rewrite !inE. Qed.

Let rowE (o : outcome) i : row_sum R (@coordinate d n) i o = fibre_sum (z o) i.
Proof.
rewrite /row_sum /pluses /minuses /fibre_sum !natr_sum -sumrB.
by apply: eq_big => [x|x _]; rewrite ?inE.
Qed.

Let q : R := N%:R * a + N%:R * n%:R.
Let kappa : R := N%:R * tau.
Let c0 : R := q ^+ 2 * (2%:R / kappa - N%:R * a / kappa ^+ 2) - q.
Let c1 : R := q ^+ 2 * N%:R / kappa ^+ 2.

Let kappa_gt0 : 0 < kappa. Proof. by rewrite /kappa mulr_gt0. Qed.

Let rowsE : rows d n = (d * n)%N.
Proof. by rewrite /rows card_prod (card_ord d) (card_ord n). Qed.

Lemma mean_best_loss :
  \sum_o P o * best_loss lambda (z o) =
  d%:R * ((N%:R * a + N%:R) * N%:R - q * (q - N%:R * a) / (n%:R ^+ 2 * L)) / (N%:R * a + 1).
Proof.
have A1 : N%:R * a + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01 // mulr_gt0.
transitivity (n%:R^-1 * (\sum_(x < rows d n) \sum_o P o * z o x ^+ 2)
   - (n%:R ^+ 2 * L)^-1 * (\sum_i \sum_o P o * fibre_sum (z o) i ^+ 2)).
  rewrite exchange_big [in X in _ - X]exchange_big /= !mulr_sumr -sumrB; apply: eq_bigr => o _.
  by rewrite /best_loss -!mulr_sumr mulrBr ![P o * (_ * _)]mulrCA.
rewrite (eq_bigr (fun=> (N%:R * a + N%:R) * N%:R / (N%:R * a + 1))); last first.
  by move=> x _; rewrite -A_E; apply: mean_label.
rewrite [X in _ - _ * X](eq_bigr (fun=> q * (q - N%:R * a) / (N%:R * a + 1))); last first.
  move=> i _; rewrite /q -A_E -(mean_square N alpha_gt0 fibre i).
  by apply: eq_bigr => o _; rewrite rowE.
have sumc k (c : R) : \sum_(x < k) c = k%:R * c by rewrite sumr_const card_ord mulr_natl.
rewrite !sumc rowsE natrM.
have nn : n%:R != 0 :> R by rewrite gt_eqF.
have LL : L != 0 by rewrite gt_eqF.
move: (N%:R * a + 1) A1 => A1 A1n.
move: ((N%:R * a + N%:R) * N%:R) (q * (q - N%:R * a)) => B C.
move: (n%:R : R) (d%:R : R) L nn LL => n' d' L' nn LL.
by field; rewrite A1n nn LL.
Qed.

Lemma bayes_cost (T : learner R (rows d n) d) : valid T -> guarantee lambda epsilon T ->
  c0 * (d%:R * (N%:R * a / (N%:R * a + 1))) -
    epsilon * (n%:R ^+ 2 * L) * (\sum_o P o * best_loss lambda (z o)) <=
  c1 * \sum_o P o * expected_labels (labels_of label o) T.
Proof.
move=> vT good.
pose F (beta : 'cV[R]_d) (o : outcome) (i : 'I_d) := (n%:R * L * beta i 0 - row_sum R (@coordinate d n) i o) ^+ 2.
pose Z (o : outcome) := \sum_i row_spread alpha (@coordinate d n) i o.
pose g (o : outcome) (D : {set 'I_(rows d n)}) (beta : 'cV[R]_d) : R :=
  P o * (\sum_i F beta o i - c0 * Z o + c1 * #|D|%:R).
have leaf D beta o : True -> 0 <= cyl D o (fun o' => g o' D beta).
  move=> _; pose G (i : 'I_d) (o' : outcome) := P o' * (F beta o' i - c0 * row_spread alpha (@coordinate d n) i o' +
                         c1 * (read_in (@coordinate d n) i D)%:R).
  rewrite (_ : cyl _ _ _ = \sum_i cyl D o (G i)).
    apply: sumr_ge0 => i _.
    have := leaf_row alpha_gt0 fibre i (n%:R * L * beta i 0) D o kappa_gt0.
    by rewrite A_E.
  rewrite -cyl_sum; apply: eq_bigr => o' _; rewrite /g /G -mulr_sumr; congr (_ * _).
  by rewrite big_split sumrB /= -!mulr_sumr -natr_sum read_in_sum.
have := bayes (P := fun _ _ => True) (label := label) leaf (o := [ffun=> ord0]) (D := set0) vT.
have tr Y D (T' : learner R (rows d n) d) : always (fun _ _ => True) Y D T'.
  by elim: T' D => //= J w next IH D j _; apply: IH.
move/(_ (fun _ _ => tr _ _ _)); rewrite cyl_empty => main.
have lossE o beta : stacked_loss (design R d n) (ridge_rows d lambda) (labels_of label o) 0 beta =
    best_loss lambda (z o) + (n%:R ^+ 2 * L)^-1 * \sum_i F beta o i.
  rewrite (_ : labels_of label o = \col_x (z o x / Num.sqrt n%:R)); last by apply/matrixP => x j; rewrite !mxE.
  rewrite design_loss_square //; congr (_ + _ * _); apply: eq_bigr => i _.
  by rewrite /F rowE.
have n2L : n%:R ^+ 2 * L != 0 by rewrite gt_eqF // mulr_gt0 // exprn_gt0.
have avg o : average (g o) (labels_of label o) set0 T =
    P o * (n%:R ^+ 2 * L * (expected_loss (design R d n) (ridge_rows d lambda) 0 (labels_of label o) T
             - best_loss lambda (z o)) - c0 * Z o + c1 * expected_labels (labels_of label o) T).
  pose K := - (n%:R ^+ 2 * L * best_loss lambda (z o)) - c0 * Z o.
  rewrite (@average_eq _ _ _ _ (fun D beta => P o * ((n%:R ^+ 2 * L *
     stacked_loss (design R d n) (ridge_rows d lambda) (labels_of label o) 0 beta + c1 * #|D|%:R) + K))).
    rewrite averageZ averageD averageD !averageZ average_const //; congr (_ * _).
    rewrite /K -/(expected_loss _ _ _ _ _) -/(expected_labels _ _).
    move: (expected_loss _ _ _ _ _) (expected_labels _ _) (best_loss _ _) (Z o) => E1 E2 E3 E4.
    by ring.
  move=> D beta; rewrite /g lossE /K; congr (_ * _).
  by move: (\sum_i F beta o i) (best_loss _ _) (Z o) => S S1 S2; field; rewrite !gt_eqF.
have P0 o : 0 <= P o by apply: prior_ge0.
have good' o : n%:R ^+ 2 * L * (expected_loss (design R d n) (ridge_rows d lambda) 0 (labels_of label o) T
             - best_loss lambda (z o)) <= epsilon * (n%:R ^+ 2 * L) * best_loss lambda (z o).
  rewrite [X in _ <= X]mulrAC [X in _ <= X]mulrC; apply: ler_wpmul2l; first by rewrite mulr_ge0 ?sqr_ge0 // ltW.
  rewrite ler_subl_addr -[X in _ + X]mul1r -mulrDl [epsilon + 1]addrC.
  rewrite (_ : labels_of label o = \col_x (z o x / Num.sqrt n%:R)); last by apply/matrixP => x j; rewrite !mxE.
  rewrite -best_loss_attained //; exact: good.
have {main} main : 0 <= \sum_o (epsilon * (n%:R ^+ 2 * L) * (P o * best_loss lambda (z o))
    + (- c0 * (P o * Z o) + c1 * (P o * expected_labels (labels_of label o) T))).
  apply: le_trans main _; apply: ler_sum => o _; rewrite avg.
  apply: le_trans (ler_wpmul2l (P0 o) (ler_add (ler_add (good' o) (lexx _)) (lexx _))) _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite big_split big_split /= -!mulr_sumr in main.
have ZE : \sum_o P o * Z o = d%:R * (N%:R * a / (N%:R * a + 1)).
  rewrite (eq_bigr (fun o => \sum_i P o * row_spread alpha (@coordinate d n) i o)); last first.
    by move=> o _; rewrite /Z mulr_sumr.
  rewrite exchange_big (eq_bigr (fun=> N%:R * a / (N%:R * a + 1))) /=.
    by rewrite sumr_const card_ord [RHS]mulr_natl.
  by move=> i _; rewrite -A_E; apply: mean_spread.
by move: main; rewrite ZE addrCA mulNr addrC subr_ge0 ler_subl_addl.
Qed.

Let p : R := a + n%:R.
Let full : R :=
  (2%:R * tau - a - tau ^+ 2 / p) * (N%:R * a / (N%:R * a + 1)) -
  epsilon * tau ^+ 2 * (n%:R / p) ^+ 2 * (N%:R / (N%:R * a + 1)) * (L * a + L - p / n%:R).

Let simple : R :=
  2%:R * tau - a - epsilon * tau ^+ 2 * (L * a + lambda) / a - tau ^+ 2 / n%:R - 2%:R * tau / (N%:R * a).

Lemma simple_le : simple <= full.
Proof.
have p0 : 0 < p by rewrite addr_gt0.
have Na : 0 < N%:R * a by rewrite mulr_gt0.
have Na1 : 0 < N%:R * a + 1 by rewrite addr_gt0 ?ltr01.
pose t := (n%:R / p) ^+ 2 * (N%:R / (N%:R * a + 1)).
have t0 : 0 <= t by rewrite /t mulr_ge0 ?sqr_ge0 // divr_ge0 ?ltW.
have tle : t <= a^-1.
  rewrite /t -[X in _ <= X]mul1r; apply: ler_pmul; [exact: sqr_ge0 | by apply: divr_ge0; apply: ltW | |].
    apply: exprn_ile1; first by rewrite divr_ge0 ?ltW.
    by rewrite ler_pdivr_mulr // mul1r /p ler_addr ltW.
  rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr // ler_addl; exact: ler01.
have e1 : epsilon * tau ^+ 2 * (t * (L * a + L - p / n%:R)) <= epsilon * tau ^+ 2 * ((L * a + lambda) / a).
  apply: ler_wpmul2l; first by rewrite mulr_ge0 ?sqr_ge0 ?ltW.
  have -> : L * a + L - p / n%:R = L * a + lambda - a / n%:R.
    by rewrite /L /p; field; rewrite gt_eqF.
  apply: le_trans (_ : t * (L * a + lambda) <= _).
    by apply: ler_wpmul2l => //; rewrite ler_subl_addr ler_addl divr_ge0 ?ltW.
  by rewrite mulrC; apply: ler_wpmul2l => //; rewrite addr_ge0 // mulr_ge0 ?ltW.
have e2 : 2%:R * tau - a - tau ^+ 2 / n%:R - 2%:R * tau / (N%:R * a) <=
    (2%:R * tau - a - tau ^+ 2 / p) * (N%:R * a / (N%:R * a + 1)).
  move: (N%:R * a) Na Na1 => u u0 u1.
  have np : tau ^+ 2 / p <= tau ^+ 2 / n%:R.
    by apply: ler_wpmul2l; rewrite ?sqr_ge0 // lef_pinv ?posrE // /p ler_addr ltW.
  move: (tau ^+ 2 / p) np (divr_ge0 (sqr_ge0 tau) (ltW p0)) => v np v0.
  apply: le_trans (_ : 2%:R * tau - a - v - 2%:R * tau / u <= _).
    by rewrite ler_add2r ler_add2l ler_opp2.
  rewrite -subr_ge0 [X in 0 <= X](_ : _ = 2%:R * tau / (u * (u + 1)) + (a + v) / (u + 1)); last first.
    by field; rewrite !gt_eqF.
  rewrite addr_ge0 //; first by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?ltW.
  by apply: divr_ge0; [apply: addr_ge0 => //; apply: ltW | apply: ltW].
rewrite /simple /full.
apply: le_trans (_ : (2%:R * tau - a - tau ^+ 2 / n%:R - 2%:R * tau / (N%:R * a)) -
   epsilon * tau ^+ 2 * ((L * a + lambda) / a) <= _).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
apply: ler_add => //; rewrite ler_opp2; apply: le_trans e1.
by rewrite /t !mulrA.
Qed.

Lemma mean_cost (T : learner R (rows d n) d) : valid T -> guarantee lambda epsilon T ->
  d%:R * simple <= \sum_o P o * expected_labels (labels_of label o) T.
Proof.
move=> vT good; have := bayes_cost vT good; rewrite mean_best_loss.
have p0 : 0 < p by rewrite addr_gt0.
have Na : 0 < N%:R * a by rewrite mulr_gt0.
have Na1 : 0 < N%:R * a + 1 by rewrite addr_gt0 ?ltr01.
have c1_gt0 : 0 < c1.
  rewrite /c1 divr_gt0 ?exprn_gt0 // mulr_gt0 // exprn_gt0 // /q.
  by rewrite addr_gt0 ?mulr_gt0.
have qE : q = N%:R * p by rewrite /q /p mulrDr.
have qa : q - N%:R * a = N%:R * n%:R by rewrite /q addrC addKr.
have c1E : c1 = N%:R * p ^+ 2 / tau ^+ 2.
  by rewrite /c1 qE /kappa; move: p => P'; field; rewrite !gt_eqF.
have c0E : c0 = c1 * (2%:R * tau - a - tau ^+ 2 / p).
  by rewrite /c0 c1E qE /kappa; move: p p0 => P' P0; field; rewrite !gt_eqF.
have oE : epsilon * (n%:R ^+ 2 * L) *
     (((N%:R * a + N%:R) * N%:R - q * (q - N%:R * a) / (n%:R ^+ 2 * L)) / (N%:R * a + 1)) =
     c1 * (epsilon * tau ^+ 2 * (n%:R / p) ^+ 2 * (N%:R / (N%:R * a + 1)) * (L * a + L - p / n%:R)).
  rewrite c1E qa qE; move: (N%:R * a + 1) Na1 p p0 L L0 => u u0 P' P0 L' L0'.
  by field; rewrite !gt_eqF.
rewrite (_ : _ - _ = c1 * (d%:R * full)).
  rewrite ler_pmul2l // => h; apply: le_trans h.
  by rewrite ler_wpmul2l ?ler0n // simple_le.
rewrite [c1 * _]mulrCA /full [c1 * (_ - _)]mulrBr -oE [c1 * (_ * _)]mulrA -c0E.
move: (q * (q - N%:R * a) / (n%:R ^+ 2 * L)) => Q; ring.
Qed.

Lemma some_labels (T : learner R (rows d n) d) : valid T -> guarantee lambda epsilon T ->
  exists Y, d%:R * simple <= expected_labels Y T.
Proof.
move=> vT good; have h := mean_cost vT good.
have [/existsP[o ho]|] := boolP [exists o, d%:R * simple <= expected_labels (labels_of label o) T].
  by exists (labels_of label o).
rewrite negb_exists => /forallP lt.
suff : \sum_o P o * expected_labels (labels_of label o) T < d%:R * simple.
  by rewrite ltNge h.
have P0 o : 0 <= P o by apply: prior_ge0.
have P1 : \sum_o P o = 1 by apply: prior_sum.
have gap o : 0 <= P o * (d%:R * simple) - P o * expected_labels (labels_of label o) T.
  by rewrite -mulrBr mulr_ge0 // subr_ge0 ltW // ltNge lt.
have tot : d%:R * simple = \sum_o P o * (d%:R * simple) by rewrite -mulr_suml P1 mul1r.
rewrite [X in _ < X]tot -subr_gt0 -sumrB lt_neqAle; apply/andP; split; last first.
  by apply: sumr_ge0 => o _; apply: gap.
apply/eqP => /esym e.
have : \sum_o P o = 0.
  apply: big1 => o _.
  have /eqP : P o * (d%:R * simple) - P o * expected_labels (labels_of label o) T = 0.
    exact: (psumr_eq0P (fun o' _ => gap o') e).
  rewrite -mulrBr mulf_eq0 => /orP[/eqP //|]; rewrite subr_eq0 => /eqP e'.
  by have := lt o; rewrite e' lexx.
by rewrite P1 => /eqP; rewrite oner_eq0.
Qed.

End Finite.

Section Lower.
Variable R : rcfType.

(* The best urn parameter, up to delta when lambda = 0.                       *)
Lemma choose_a (lambda epsilon delta : R) :
  0 <= lambda -> 0 < epsilon -> epsilon * lambda < 1 -> 0 < delta ->
  exists2 a, 0 < a &
    (1 - delta) * ((1 - Num.sqrt (epsilon * lambda)) ^+ 2 / (epsilon * (1 + lambda))) <=
    a / (epsilon * ((1 + lambda) * a + lambda)) - a.
Proof.
move=> l0 e0 el d0.
have L0 : 0 < 1 + lambda by rewrite ltr_paddr ?ltr01.
have [l1|l1] := eqVneq lambda 0.
  rewrite l1 mulr0 sqrtr0 subr0 expr1n !addr0 mulr1 !mul1r.
  exists (delta / epsilon); first by rewrite divr_gt0.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
  by rewrite !gt_eqF.
have lgt : 0 < lambda by rewrite lt_neqAle eq_sym l1.
pose s := Num.sqrt (epsilon * lambda).
have s2 : s ^+ 2 = epsilon * lambda by rewrite sqr_sqrtr // mulr_ge0 // ltW.
have s0 : 0 < s by rewrite sqrtr_gt0 mulr_gt0.
have s1 : s < 1.
  rewrite ltNge; apply/negP => s1; move: el; rewrite -s2 ltNge.
  by rewrite exprn_ege1.
have eE : epsilon = s ^+ 2 / lambda by rewrite s2 mulfK.
have s1' : 0 < 1 - s by rewrite subr_gt0.
exists (lambda * (1 - s) / (s * (1 + lambda))).
  by rewrite divr_gt0 ?mulr_gt0.
have g0 : 0 <= (1 - s) ^+ 2 / (epsilon * (1 + lambda)).
  by apply: divr_ge0; [apply: sqr_ge0 | apply: mulr_ge0; apply: ltW].
apply: le_trans (_ : (1 - s) ^+ 2 / (epsilon * (1 + lambda)) <= _).
  rewrite -/s -[X in _ <= X]mul1r; apply: ler_wpmul2r => //.
  by rewrite ler_subl_addr ler_addl ltW.
have -> : (1 + lambda) * (lambda * (1 - s) / (s * (1 + lambda))) + lambda = lambda / s.
  by field; rewrite !gt_eqF.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite eE; field.
by rewrite !gt_eqF.
Qed.

Hypothesis archimedean : Num.archimedean_axiom R.

Lemma large (x : R) : exists2 k : nat, (0 < k)%N & x <= k%:R.
Proof.
have [k hk] := archimedean x; exists k.+1 => //.
by apply: le_trans (ler_norm x) _; apply: le_trans (ltW hk) _; rewrite ler_nat.
Qed.

(* One design for all learners: the labels that are needed, up to delta.      *)
Theorem optimal_lower (d : nat) (lambda epsilon delta : R) :
  0 <= lambda -> 0 < epsilon -> epsilon * lambda < 1 -> 0 < delta ->
  exists2 n : nat, (0 < n)%N &
    forall T : learner R (rows d n) d, valid T -> guarantee lambda epsilon T ->
    exists Y, (1 - delta) * (1 - Num.sqrt (epsilon * lambda)) ^+ 2 *
              stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon <=
              expected_labels Y T.
Proof.
move=> l0 e0 el d0.
have L0 : 0 < 1 + lambda by rewrite ltr_paddr ?ltr01.
pose s := Num.sqrt (epsilon * lambda).
have s2 : s ^+ 2 = epsilon * lambda by rewrite sqr_sqrtr // mulr_ge0 // ltW.
have s1 : s < 1.
  rewrite ltNge; apply/negP => s1; move: el; rewrite -s2 ltNge.
  by rewrite exprn_ege1.
pose g := (1 - s) ^+ 2 / (epsilon * (1 + lambda)).
have g0 : 0 < g by rewrite divr_gt0 ?exprn_gt0 ?subr_gt0 // mulr_gt0.
have d2 : 0 < delta / 2%:R by rewrite divr_gt0 ?ltr0n.
have [a a0 ha] := choose_a l0 e0 el d2; rewrite -/s -/g in ha.
have La : 0 < (1 + lambda) * a + lambda by rewrite ltr_paddr // mulr_gt0.
pose tau := a / (epsilon * ((1 + lambda) * a + lambda)); rewrite -/tau in ha.
have t0 : 0 < tau by rewrite divr_gt0 // mulr_gt0.
pose h := delta * g / 4%:R.
have h0 : 0 < h by apply: divr_gt0; [apply: mulr_gt0 | rewrite ltr0n].
have [n n0 hn] := large (tau ^+ 2 / h); have [N N0 hN] := large (2%:R * tau / a / h).
exists n => // T vT good.
have [Y hY] := some_labels n0 N0 l0 e0 a0 t0 vT good; exists Y; apply: le_trans hY.
have n0' : 0 < n%:R :> R by rewrite ltr0n.
have N0' : 0 < N%:R :> R by rewrite ltr0n.
rewrite design_reduced_rank //.
rewrite [X in X <= _](_ : _ = d%:R * ((1 - delta) * g)); last first.
  by rewrite -/s /g; field; rewrite !gt_eqF.
apply: ler_wpmul2l; first exact: ler0n.
have -> : epsilon * tau ^+ 2 * ((1 + lambda) * a + lambda) / a = tau.
  by rewrite /tau; field; rewrite !gt_eqF.
have hn' : tau ^+ 2 / n%:R <= h by rewrite ler_pdivr_mulr // mulrC -ler_pdivr_mulr.
have hN' : 2%:R * tau / (N%:R * a) <= h.
  have -> : 2%:R * tau / (N%:R * a) = 2%:R * tau / a / N%:R by field; rewrite !gt_eqF.
  by rewrite ler_pdivr_mulr // [X in _ <= X]mulrC -ler_pdivr_mulr.
have -> : (1 - delta) * g = (1 - delta / 2%:R) * g - h - h by rewrite /h; field.
have -> : 2%:R * tau - a - tau - tau ^+ 2 / n%:R - 2%:R * tau / (N%:R * a) =
          (tau - a) - tau ^+ 2 / n%:R - 2%:R * tau / (N%:R * a) by ring.
by rewrite !ler_sub.
Qed.

End Lower.
