(** Steps and remarks that are printed and false, for every instance where they
    can be stated, or with one instance.

    Selected results
      lower_increment_false == the increment of l in the proof of wjwjT-l
      gap_increment_false   == the increment of the gap in the proof of um-lb
      short_runs_false      == P(m < p d/g^2) <= p, at d = 1, g = 1/10, p = 7/10
      text_stopE            == what the text's criterion is in terms of r, s
      text_differs          == the text's criterion has not fired when line 3 has
      martingale_false      == the potential is no martingale, on the line
      packing_step_false    == the logarithm step of the packing without the -1
      average_over_points   == E_D <b, U>^2 = |b|^2/n: off by n
      ratio_meant, ratio_printed == K with D/D_i and with D_i/D

    Symbols
      text_stop U g h == sum 4g^2/(k Phi_i) + sum Phi_i > 8d/g, Section 4. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Refutations Values.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Increments.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R) (s : state R d).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis ins : inv s.

(* slug: rank-one-lower *)
Lemma lower_increment_false x :
  lo (step U g s x) - lo s = g / (1 + 2%:R * g) / Phi s /\
  lo (step U g s x) - lo s < g / (1 - 2%:R * g) / Phi s.
Proof.
have P0 := Phi_gt0 d_gt0 ins; have a := g2_gt0 g_lt; have b := p2_gt0 g_gt0.
have e : lo (step U g s x) - lo s = g / (1 + 2%:R * g) / Phi s by rewrite /= addrC addKr.
split=> //; rewrite e.
refine (@lt_diff _ _ _ (4%:R * g ^+ 2 / ((1 - 2%:R * g) * (1 + 2%:R * g) * Phi s)) _ _).
  by field; rewrite !gt_eqF.
by move: a; move: (1 - 2%:R * g) => z z0; ps.
Qed.

(* slug: um-lower *)
Lemma gap_increment_false x :
  gap (step U g s x) - gap s = 4%:R * (g ^+ 2 / (Phi s * kap g)) /\
  g ^+ 2 / (Phi s * kap g) < gap (step U g s x) - gap s.
Proof.
have P0 := Phi_gt0 d_gt0 ins; have k0 := kap_gt0 g_gt0 g_lt.
have e : gap (step U g s x) - gap s = 4%:R * (g ^+ 2 / (Phi s * kap g)).
  rewrite gap_step // addrC addKr; field.
  by rewrite !gt_eqF.
split=> //; rewrite e -[X in X < _]mul1r ltr_pmul2r ?ltr1n //; ps.
Qed.

End Increments.

(** ** The criterion of the text. *)
Section Text.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation d_pos := (@d_pos R d d_gt0).

Lemma past_gap h : past (fun h' => 4%:R * g ^+ 2 / (Phi (hst U g h') * kap g)) h =
  gap (hst U g h) - 4%:R * d%:R / g.
Proof.
have d0 := d_pos; have k0 := kap_gt0 g_gt0 g_lt.
elim: h => [|x h IH]; first by rewrite /gap /=; field; rewrite gt_eqF.
have i := inv_h d_gt0 isoU g_gt0 g_lt h.
by rewrite [LHS]/= IH [in RHS]/= gap_step // (mulrC (kap g)) addrAC.
Qed.

(** Line 3, with the initial gap taken out: 4d/g, not 8d/g. *)
(* slug: stop-text *)
Lemma line_threeE h : paper_stop U g h =
  (4%:R * d%:R / g <=
   past (fun h' => 4%:R * g ^+ 2 / (Phi (hst U g h') * kap g)) h +
   past (fun h' => Phi (hst U g h')) h).
Proof.
rewrite past_gap /paper_stop -subr_ge0 -[RHS]subr_ge0; congr (0 <= _).
by field; rewrite gt_eqF.
Qed.

Lemma text_stopE h : text_stop U g h = (2%:R < rr U g h + ss U g h).
Proof.
rewrite /text_stop past_gap (hgap U d_gt0 g_gt0) /ss; have d0 := d_pos.
have c0 : 0 < 4%:R * d%:R / g by ps.
rewrite -[RHS](ltr_pmul2l c0) -subr_gt0 -[RHS]subr_gt0; congr (0 < _).
by move: (past _ _) (rr _ _ _) => z r; field; rewrite !gt_eqF.
Qed.

End Text.

Section Line.
Variables (R : realFieldType) (g : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation U := (@one R).

(** On the line, for every g <= 1/4, the text's criterion has not fired when
    line 3 has: the two stop at different times. *)
(* slug: stop-text *)
Theorem text_differs h : 4%:R * g <= 1 -> reach (paper_stop U g) h ->
  ~~ text_stop U g h.
Proof.
move=> g4; rewrite (text_stopE (ltnSn 0) (iso_one R) g_gt0 g_lt) -leNgt.
have k34 : 3%:R / 4%:R <= kap g.
  have y0 : 0 <= 1 - 4%:R * g by rewrite subr_ge0.
  rewrite /kap; refine (@le_diff _ _ _ ((1 - 4%:R * g) * (1 + 4%:R * g) / 4%:R) _ _).
    by field.
  by move: y0; move: (1 - 4%:R * g) => y y0; nn.
have gg : g ^+ 2 <= 16%:R^-1.
  have y0 : 0 <= 1 - 4%:R * g by rewrite subr_ge0.
  refine (@le_diff _ _ _ ((1 - 4%:R * g) * (1 + 4%:R * g) / 16%:R) _ _); first by field.
  by move: y0; move: (1 - 4%:R * g) => y y0; nn.
have c12 : clk 1 g <= 12%:R^-1.
  have k0 := kap_gt0 g_gt0 g_lt.
  rewrite /clk mul1r ler_pdivr_mulr //.
  refine (@le_diff _ _ _ ((16%:R^-1 - g ^+ 2) + (kap g - 3%:R / 4%:R) / 12%:R) _ _).
    by field.
  by apply: addr_ge0; [rewrite subr_ge0 | rewrite divr_ge0 ?ler0n ?subr_ge0].
case: h => [|x h].
  by rewrite (rr0 _ (ltnSn 0) g_gt0) /ss /= mulr0 addr0 ler0n.
rewrite [reach _ _]/= => /andP[ns _]; have r1 := paper_run_rr1 (ltnSn 0) (iso_one R) g_gt0 g_lt ns.
move: ns; rewrite (paper_stopE _ (ltnSn 0) g_gt0) -ltNge => lt.
rewrite ss_cons; have P := Phi_le_g g_gt0 g_lt h.
have dr : rr U g (x :: h) <= rr U g h + 6%:R^-1.
  apply: le_trans (rr_cons_le (ltnSn 0) (iso_one R) g_gt0 g_lt x h) _.
  rewrite ler_add2l; apply: (@le_trans _ _ (12%:R^-1 * (1 + 1))).
    apply: ler_pmul => //; [exact/ltW/(clk_gt0 (ltnSn 0) g_gt0 g_lt) | |].
      exact/ltW/(rr1_gt0 (ltnSn 0) (iso_one R) g_gt0 g_lt).
    by rewrite ler_add2l ltW.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
have ds : g / (4%:R * 1%:R) * Phi (hst U g h) <= 64%:R^-1.
  apply: (@le_trans _ _ (g ^+ 2 / 4%:R)).
    refine (@le_diff _ _ _ (g / 4%:R * (g - Phi (hst U g h))) _ _); first by field.
    by nn.
  by rewrite ler_pdivr_mulr ?ltr0n //; apply: le_trans gg _; rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
apply: le_trans (ler_add dr (ler_add (lexx _) ds)) _.
refine (@le_diff _ _ _ ((1 - (rr U g h + ss U g h)) + 157%:R / 192%:R) _ _); first by field.
by apply: addr_ge0; [rewrite subr_ge0 ltW | nn].
Qed.

(** The potential falls in the first step, so it is no martingale. *)
(* slug: potential-monotone *)
Theorem martingale_false :
  \sum_x prob U (start 1 g) x * Phi (step U g (start 1 g) x) < Phi (start 1 g).
Proof.
have i : inv (start 1 g) := inv_start (ltnSn 0) g_gt0.
rewrite (bigD1 tt) //= big1 ?addr0; last by case.
rewrite (prob_one _ i) mul1r (Phi_start (ltnSn 0) g_gt0).
rewrite -[step _ _ _ _]/(hst U g [:: tt]) (line_potential g_gt0 g_lt).
have r0 : 0 < rr U g [:: tt].
  exact: (rr_gt0 (ltnSn 0) (iso_one R) g_gt0 g_lt).
have z0 := g2_gt0 g_lt; have p0 := p2_gt0 g_gt0.
have a0 : 0 < (1 + 2%:R * g) * rr U g [:: tt] by exact: mulr_gt0.
have b0 : 0 < (1 - 2%:R * g) * rr U g [:: tt] by exact: mulr_gt0.
apply: (@lt_le_trans _ _ (g / 2%:R * 2%:R)); last by rewrite divfK ?pnatr_eq0.
rewrite ltr_pmul2l; last by ps.
rewrite -[2%:R]/(1 + 1).
have l1 z : 0 < z -> (1 + z)^-1 < 1 :> R.
  by move=> zz; rewrite invf_lt1 ?ltr_addl // addr_gt0 ?ltr01.
by apply: ltr_add; exact: l1.
Qed.

End Line.

(** ** P(m < p d/g^2) <= p: on the line at g = 1/10 the loop has fewer than 70
    draws, surely. *)
Section Short.
Variable R : realFieldType.
Local Notation g := (10%:R^-1 : R).
Local Notation U := (@one R).

Lemma tenth0 : 0 < g. Proof. by ps. Qed.
Lemma tenth2 : 2%:R * g < 1.
Proof. by refine (@lt_diff _ _ _ (4%:R / 5%:R) _ _); [field | ps]. Qed.

(** r grows by at least (1 + 24/25 r)/96 while r <= 1. *)
Lemma tenth_step x h : rr U g h <= 1 ->
  rr U g h + (1 + 24%:R / 25%:R * rr U g h) / 96%:R <= rr U g (x :: h).
Proof.
move=> r1; have r0 := rr_ge0 (ltnSn 0) (iso_one R) tenth0 tenth2 h.
rewrite (rr_cons (ltnSn 0) (iso_one R) tenth0 tenth2) ler_add2l.
rewrite (line_potential tenth0 tenth2).
have c : clk 1 g = 96%:R^-1 :> R by rewrite /clk /kap; field.
rewrite c; move: (rr U g h) r0 r1 => r r0 r1.
have -> : 1 + 2%:R * g = 6%:R / 5%:R by field.
have -> : 1 - 2%:R * g = 4%:R / 5%:R by field.
have a0 : 0 < 1 + 6%:R / 5%:R * r by ps.
have b0 : 0 < 1 + 4%:R / 5%:R * r by ps.
have c0 : 0 < 1 + r by ps.
have -> : 96%:R^-1 * g / (g / 2%:R * ((1 + 6%:R / 5%:R * r)^-1 + (1 + 4%:R / 5%:R * r)^-1)) =
  (1 + 6%:R / 5%:R * r) * (1 + 4%:R / 5%:R * r) / (1 + r) / 96%:R.
  by field; rewrite !gt_eqF //; ps.
apply: ler_wpmul2r; first by nn.
rewrite ler_pdivl_mulr //.
by refine (@le_diff _ _ _ (r / 25%:R) _ _); [field | nn].
Qed.

(** After n draws, r >= (n + n(n-1)/200)/96, or the loop has stopped. *)
Lemma tenth_fast h : (forall h', (size h' < size h)%N -> ~~ paper_stop U g h') ->
  ((size h)%:R + (size h)%:R * ((size h)%:R - 1) / 200%:R) / 96%:R <= rr U g h.
Proof.
elim: h => [|x h IH] ns.
  by rewrite /= mul0r mul0r addr0 mul0r rr0 // tenth0.
have le := IH (fun h' lt => ns h' (ltnW lt)).
have r1 := paper_run_rr1 (ltnSn 0) (iso_one R) tenth0 tenth2 (ns h (leqnn _)).
apply: le_trans (tenth_step x (ltW r1)).
have -> : (size (x :: h))%:R = (size h)%:R + 1 :> R by rewrite /= mulrSr.
have q0 : 0 <= (size h)%:R * ((size h)%:R - 1) :> R.
  by case: (size h) => [|k]; rewrite ?mul0r // mulrSr addrK; nn.
have [z zE] : exists z : R, z = (size h)%:R by exists (size h)%:R.
rewrite -zE in le q0 *; move: le; move: (rr U g h) => r le.
have w : 0 <= r - (z + z * (z - 1) / 200%:R) / 96%:R by rewrite subr_ge0.
refine (@le_diff _ _ _ (101%:R / 100%:R * (r - (z + z * (z - 1) / 200%:R) / 96%:R)
  + z * (z - 1) / 200%:R / (96%:R * 100%:R)) _ _); first by field.
by nn.
Qed.

Lemma size_only h h' : size h = size h' -> h = h' :> seq unit.
Proof. by elim: h h' => [|[] h IH] [|[] h'] //= [/IH ->]. Qed.

Lemma tenth_short h : reach (paper_stop U g) h -> (size h < 70)%N.
Proof.
rewrite ltnNge; move=> rh; apply/negP => le.
have rs : forall h1 h2, reach (paper_stop U g) h1 -> (size h2 < size h1)%N -> ~~ paper_stop U g h2.
  elim=> //= -[] h1 IH h2 /andP[ns r1]; rewrite ltnS leq_eqVlt => /orP[/eqP/size_only -> //|].
  exact: IH.
have ns69 := rs h (nseq 69 tt) rh; rewrite size_nseq in ns69; have {}ns69 := ns69 le.
have ns' h' : (size h' < size (nseq 69 tt))%N -> ~~ paper_stop U g h'.
  by rewrite size_nseq => lt; apply: (rs h) => //; apply: ltn_trans lt le.
have := tenth_fast ns'; rewrite size_nseq.
have := paper_run_rr (ltnSn 0) (iso_one R) tenth0 tenth2 ns69.
move: (rr U g _) => r lt ge.
have {ge}ge : 24%:R / 25%:R <= r.
  apply: le_trans ge.
  refine (@le_diff _ _ _ (3%:R / (96%:R * 10%:R)) _ _); last by nn.
  by field.
move: lt; apply/negP; rewrite -leNgt.
have w : 0 <= r - 24%:R / 25%:R by rewrite subr_ge0.
refine (@le_diff _ _ _ ((r - 24%:R / 25%:R) ^+ 2 + (54%:R / 25%:R) * (r - 24%:R / 25%:R) + 19%:R / 125%:R) _ _).
  by rewrite /kap; field.
by move: w; move: (r - _) => w w0; nn.
Qed.

(* slug: um-lower *)
Theorem short_runs_false n : (100 <= n)%N ->
  Pr U g (paper_stop U g) n (fun h => paper_stop U g h &&
    ((size h)%:R < 7%:R / 10%:R * 1%:R / g ^+ 2)) = 1.
Proof.
move=> hn; apply/eqP; rewrite eq_le.
rewrite (Pr_le1 (ltnSn 0) (iso_one R) tenth0 tenth2) /=.
have hn' : 1%:R <= n%:R * g ^+ 2 :> R.
  apply: (@le_trans _ _ (100%:R * g ^+ 2)).
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
  by apply: ler_wpmul2r; [nn | rewrite ler_nat].
rewrite -{1}(terminates_lin (ltnSn 0) (iso_one R) tenth0 tenth2 hn').
apply: (Pr_mono (ltnSn 0) (iso_one R) tenth0 tenth2) => h rh st; rewrite st /=.
have -> : 7%:R / 10%:R * 1%:R / g ^+ 2 = 70%:R :> R by field.
by rewrite ltr_nat; exact: tenth_short.
Qed.

End Short.

(** ** The logarithm step of the packing. At lambda = 1 and d = 500 t all its
    exponents are integers: 0.001 d (1 + lambda) = t, 0.011 d (1 + lambda) =
    11 t; e is Euler's number, of which only 27/10 <= e <= 4 is used. *)
(* slug: packing *)
Theorem packing_step_false (R : realFieldType) (e : R) : 27%:R / 10%:R <= e ->
  2%:R ^+ 11 < 2%:R * (e / (1 / 1000%:R * (1 + 1))).
Proof.
move=> e0.
have -> : 2%:R ^+ 11 = 2048%:R :> R by rewrite -natrX.
have -> : 2%:R * (e / (1 / 1000%:R * (1 + 1))) = 1000%:R * e by field.
apply: (@lt_le_trans _ _ (1000%:R * (27%:R / 10%:R))); last by rewrite ler_pmul2l ?ltr0n.
by rewrite mulrA ltr_pdivl_mulr ?ltr0n // -!natrM ltr_nat.
Qed.

(* slug: packing *)
Theorem packing_step_true (R : realFieldType) (e : R) : 0 <= e -> e <= 4%:R ->
  forall t : nat, (e / (1 / 1000%:R * (1 + 1))) ^+ t <= 2%:R ^+ (11 * t) :> R.
Proof.
move=> e0 e4 t; rewrite exprM; apply: ler_expn2r; rewrite ?nnegrE; try by nn.
have -> : 2%:R ^+ 11 = 2048%:R :> R by rewrite -natrX.
have -> : e / (1 / 1000%:R * (1 + 1)) = 500%:R * e by field.
apply: (@le_trans _ _ (500%:R * 4%:R)); first by rewrite ler_pmul2l ?ltr0n.
by rewrite -natrM ler_nat.
Qed.

(** ** Remarks on the definition of well-balanced sampling. *)
Section WellBalanced.
Variables (R : realFieldType) (d : nat) (I : finType).
Variable U : I -> 'cV[R]_d.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Local Notation n := (#|I|%:R : R).

Lemma sum_dot (b : 'cV[R]_d) : \sum_x dot (U x) b ^+ 2 = sqn b.
Proof.
rewrite /sqn -isoU qf_sum; apply: eq_bigr => x _.
by rewrite qf_outer.
Qed.

(** The mean over uniform points is |b|^2/n, not |b|^2. *)
(* slug: def-well-balanced *)
Lemma average_over_points (b : 'cV[R]_d) :
  \sum_x n^-1 * dot (U x) b ^+ 2 = sqn b / n.
Proof. by rewrite -mulr_sumr sum_dot mulrC. Qed.

(** K at a point x, for the uniform D and for D_i = leverage scores over d:
    the supremum over b is reached at b = U x. With D/D_i it is d at every
    point; with D_i/D it is (n |U x|^2)^2/d. *)
(* slug: def-well-balanced *)
Lemma ratio_meant x : U x != 0 -> (0 < d)%N ->
  (n^-1 / (sqn (U x) / d%:R)) *
    (dot (U x) (U x) ^+ 2 / (\sum_y n^-1 * dot (U y) (U x) ^+ 2)) = d%:R.
Proof.
move=> u0 d0; rewrite average_over_points -/(sqn (U x)).
have s0 := sqn_gt0 u0; have dd : (0 : R) < d%:R by rewrite ltr0n.
have n0 : 0 < n by rewrite ltr0n; apply/card_gt0P; exists x.
by rewrite -sqnE; field; rewrite !gt_eqF.
Qed.

(* slug: def-well-balanced *)
Lemma ratio_printed x : U x != 0 -> (0 < d)%N ->
  ((sqn (U x) / d%:R) / n^-1) *
    (dot (U x) (U x) ^+ 2 / (\sum_y n^-1 * dot (U y) (U x) ^+ 2)) =
  (n * sqn (U x)) ^+ 2 / d%:R.
Proof.
move=> u0 d0; rewrite average_over_points.
have s0 := sqn_gt0 u0; have dd : (0 : R) < d%:R by rewrite ltr0n.
have n0 : 0 < n by rewrite ltr0n; apply/card_gt0P; exists x.
by rewrite -sqnE; field; rewrite !gt_eqF.
Qed.

(* slug: def-well-balanced *)
Lemma ratio_largest x beta : U x != 0 ->
  dot (U x) beta ^+ 2 / (\sum_y n^-1 * dot (U y) beta ^+ 2) <=
  dot (U x) (U x) ^+ 2 / (\sum_y n^-1 * dot (U y) (U x) ^+ 2).
Proof.
move=> u0; rewrite !average_over_points -/(sqn (U x)).
have s0 := sqn_gt0 u0.
have n0 : 0 < n by rewrite ltr0n; apply/card_gt0P; exists x.
have -> : sqn (U x) ^+ 2 / (sqn (U x) / n) = sqn (U x) * n by field; rewrite !gt_eqF.
have [->|b0] := eqVneq beta 0.
  have -> : sqn (0 : 'cV[R]_d) = 0 by apply/eqP; rewrite sqn_eq0.
  by rewrite mul0r invr0 mulr0 mulr_ge0 // ltW.
have t0 := sqn_gt0 b0; rewrite ler_pdivr_mulr ?divr_gt0 //.
have -> : sqn (U x) * n * (sqn beta / n) = sqn (U x) * sqn beta by field; rewrite gt_eqF.
exact: cauchy_schwarz (psd1 _ _).
Qed.

End WellBalanced.
