(** u-grows: no constant bounds the growth of u from below.

    Two axes, the first drawn every time. While Phi < K g, the distance u - a
    from the upper barrier to the eigenvalue falls by at least 1/(8 K^2) a draw;
    it starts at 4/g and stays positive, so within 33 K^2/g draws Phi reaches
    K g, long before the loop stops. There u grows by at most 1/((1 - 2g) K).

    Selected results
      upper_slow          == for K >= 1, 2000 K^3 g <= 1: such a run
      upper_no_constant   == for every c > 0 there are g and a run with
                             growth < c (archimedean fields)

    Symbols
      axes x == the x-th unit vector of the plane
      dist e1 s == e1^T (u - A) e1
      always e1 n == the run that draws e1 n times. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Axes.
Variables (R : realFieldType) (d : nat).
Local Notation U := (@axes R d).

Lemma iso_axes : \sum_x U x *m (U x)^T = 1%:M.
Proof.
apply/matrixP => i j; rewrite summxE (bigD1 i) //= big1 => [|k ki].
  by rewrite addr0 !mxE big_ord1 !mxE eqxx /= mul1r eq_sym andbT.
by rewrite !mxE big_ord1 !mxE [i == k]eq_sym (negbTE ki) mul0r.
Qed.

Lemma sqn_axes x : sqn (U x) = 1.
Proof. by rewrite /sqn /qf bf_delta mxE eqxx. Qed.

Lemma axes_neq0 x : U x != 0.
Proof. by rewrite -sqn_eq0 sqn_axes oner_eq0. Qed.

Lemma tr_axes (B : 'M[R]_d) : \tr B = \sum_x qf B (U x).
Proof. by apply: eq_bigr => x _; rewrite /qf bf_delta. Qed.

Lemma prob_axes_gt0 (s : state R d) x : (0 < d)%N -> inv s -> 0 < prob U s x.
Proof.
move=> d0 i; rewrite lt_def prob_ge0 // andbT; apply/eqP => /(prob0 d0 i) z.
by have := axes_neq0 x; rewrite z eqxx.
Qed.

End Axes.

Section Path.
Variables (R : realFieldType) (d : nat) (e1 : 'I_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation U := (@axes R d).
Local Notation hst := (hst U g).
Local Notation stop := (paper_stop U g).

Definition always n : seq 'I_d := nseq n e1.
Definition dist (s : state R d) : R := qf (upper s) (U e1).

Local Notation st n := (hst (always n)).
Local Notation inv_n n := (inv_h d_gt0 (iso_axes R d) g_gt0 g_lt (always n)).

Lemma qf_scalar_axes (a : R) x : qf (a%:M : 'M[R]_d) (U x) = a.
Proof. by rewrite -scalemx1 qfZ -/(sqn _) sqn_axes mulr1. Qed.

Lemma dist_gt0 n : 0 < dist (st n).
Proof. by have [[_ H] _] := inv_n n; apply: H; exact: axes_neq0. Qed.

Lemma dist0 : dist (st 0) = 2%:R * d%:R / g.
Proof. by rewrite /dist /upper /= subr0 qf_scalar_axes. Qed.

(** One draw of e1. *)
Lemma dist_step n : dist (st n.+1) =
  dist (st n) - g / qf (bracket (st n)) (U e1) + g / (1 - 2%:R * g) / Phi (st n).
Proof.
rewrite /dist [hst (always n.+1)]/= -/(always n) upper_step qfD qfB qfZ qf_outer.
rewrite (weightE U g d_gt0 (inv_n n)) -sqnE sqn_axes expr1n mulr1.
by congr (_ + _); rewrite qf_scalar_axes.
Qed.

Lemma mass_gt0 n : 0 < qf (bracket (st n)) (U e1).
Proof. by apply: (proj2 (bracket_pd (inv_n n))); exact: axes_neq0. Qed.

(** Phi >= m + (d - 1) 4/gap, m = e1^T E e1. *)
Lemma other_ge n : qf (bracket (st n)) (U e1) + d.-1%:R * (4%:R / gap (st n)) <= Phi (st n).
Proof.
rewrite (PhiE (st n)) (tr_axes (bracket (st n))) (bigD1 e1) //= ler_add2l.
apply: (@le_trans _ _ (\sum_(x < d | x != e1) 4%:R / gap (st n))).
  by rewrite sumr_const cardC1 card_ord mulr_natl.
apply: ler_sum => x _; have := psd_le (U x) (bracket_ge d_gt0 (inv_n n)).
by rewrite qf_scalar_axes.
Qed.

Lemma reach_always n : (forall i, (i < n)%N -> ~~ stop (always i)) -> reach stop (always n).
Proof.
elim: n => //= n IH ns; rewrite ns //=; apply: IH => i lt.
by apply: ns; exact: ltnW.
Qed.

End Path.

Section Plane.
Variables (R : realFieldType) (g : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation U := (@axes R 2).
Local Notation run n := (always (ord0 : 'I_2) n).
Local Notation hst := (hst U g).
Local Notation stop := (paper_stop U g).
Local Notation st n := (hst (run n)).
Local Notation dist := (dist ord0).
Let two_gt0 : (0 < 2)%N := isT.
Local Notation iso := (iso_axes R 2).

Section Slow.
Variables (K : R) (N : nat).
Hypothesis K1 : 1 <= K.
Hypothesis Kg : 2000%:R * (K ^+ 3 * g) <= 1.
Hypothesis N_lo : 32%:R * K ^+ 2 <= N%:R * g.
Hypothesis N_hi : N%:R * g <= 33%:R * K ^+ 2.

Lemma K0 : 0 < K. Proof. exact: lt_le_trans ltr01 K1. Qed.

Lemma K3g : K ^+ 3 * g <= 2000%:R^-1.
Proof. by rewrite -(ler_pmul2l (ltr0Sn R 1999)) mulfV ?pnatr_eq0. Qed.

Lemma K2_3 : K ^+ 2 <= K ^+ 3.
Proof. by have k := K0; rewrite [X in _ <= X]exprS ler_pmull ?exprn_gt0. Qed.

Lemma K1_3 : K <= K ^+ 3.
Proof.
by have k := K0; apply: le_trans K2_3; rewrite expr2 ler_pmull.
Qed.

Lemma Kg_small : K * g <= 2000%:R^-1.
Proof. by apply: le_trans K3g; apply: ler_wpmul2r; [exact: ltW | exact: K1_3]. Qed.

Lemma g_small : g <= 2000%:R^-1.
Proof. by apply: le_trans Kg_small; rewrite ler_pmull. Qed.

Lemma clk_le : clk 2 g <= g ^+ 2.
Proof.
have k0 := kap_gt0 g_gt0 g_lt.
rewrite /clk ler_pdivr_mulr; last by ps.
have gs := g_small; have y : 0 <= 2000%:R^-1 - g by rewrite subr_ge0.
rewrite -[X in X <= _]mulr1 ler_pmul2l ?exprn_gt0 //.
rewrite /kap; apply: (@le_trans _ _ (2%:R * (1 - 4%:R * (2000%:R^-1) ^+ 2))).
  refine (@le_diff _ _ _ (1 - 8%:R / (2000%:R * 2000%:R)) _ _); first by field.
  rewrite subr_ge0 ler_pdivr_mulr; last by ps.
  by rewrite mul1r -natrM ler_nat.
rewrite ler_pmul2l ?ltr0n // ler_add2l ler_oppr opprK ler_pmul2l ?ltr0n //.
by rewrite ler_pexpn2r ?nnegrE //; nn.
Qed.

Lemma budget_r n : (n <= N)%N -> 2%:R * (n%:R * g ^+ 2) <= 33%:R / 1000%:R.
Proof.
move=> le; have k3 := K3g.
apply: (@le_trans _ _ (2%:R * (N%:R * g) * g)).
  rewrite -mulrA -mulrA -expr2 ler_pmul2l ?ltr0n //.
  by apply: ler_wpmul2r; [nn | rewrite ler_nat].
apply: (@le_trans _ _ (2%:R * (33%:R * K ^+ 3) * g)).
  apply: ler_wpmul2r; first exact: ltW.
  rewrite ler_pmul2l ?ltr0n //; apply: le_trans N_hi _.
  by rewrite ler_pmul2l ?ltr0n //; exact: K2_3.
refine (@le_diff _ _ _ (66%:R * (2000%:R^-1 - K ^+ 3 * g)) _ _); first by field.
by apply: mulr_ge0; [nn | rewrite subr_ge0].
Qed.

Lemma budget_s n : (n <= N)%N -> n%:R * (K * g ^+ 2) / 8%:R <= 33%:R / 16000%:R.
Proof.
move=> le; have k3 := K3g; have k0 := K0.
rewrite ler_pdivr_mulr ?ltr0n //.
apply: (@le_trans _ _ (N%:R * g * (K * g))).
  have -> : N%:R * g * (K * g) = N%:R * (K * g ^+ 2) by ring.
  by apply: ler_wpmul2r; [nn | rewrite ler_nat].
apply: (@le_trans _ _ (33%:R * K ^+ 2 * (K * g))).
  by apply: ler_wpmul2r => //; nn.
have -> : 33%:R * K ^+ 2 * (K * g) = 33%:R * (K ^+ 3 * g) by ring.
refine (@le_diff _ _ _ (33%:R * (2000%:R^-1 - K ^+ 3 * g)) _ _); last first.
  by apply: mulr_ge0; [nn | rewrite subr_ge0].
have -> : 16000%:R = 8%:R * 2000%:R :> R by rewrite -natrM.
by field.
Qed.

(** While Phi < K g: r, s and the distance. *)
Lemma slow_path n : (n <= N)%N -> (forall i, (i < n)%N -> Phi (st i) < K * g) ->
  [/\ rr U g (run n) <= 2%:R * (n%:R * g ^+ 2),
      ss U g (run n) <= n%:R * (K * g ^+ 2) / 8%:R &
      dist (st n) <= 4%:R / g - n%:R / (8%:R * K ^+ 2)].
Proof.
have k0 := K0; elim: n => [|n IH] le sm.
  rewrite (rr0 _ two_gt0 g_gt0) /ss /= !mul0r !mulr0 subr0; split=> //.
  have -> := dist0 (ord0 : 'I_2) g.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
have [IHr IHs IHd] := IH (ltnW le) (fun i lt => sm i (ltnW lt)).
have r0 := rr_ge0 two_gt0 iso g_gt0 g_lt (run n).
have r1 : rr U g (run n) <= 33%:R / 1000%:R := le_trans IHr (budget_r (ltnW le)).
have r1' : rr U g (run n) <= 1.
  apply: le_trans r1 _; rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat //.
have P1 := ltW (sm n (leqnn _)).
have n1 : n.+1%:R = n%:R + 1 :> R by rewrite mulrSr.
have gg : 0 < g ^+ 2 by rewrite exprn_gt0.
split.
- rewrite [run n.+1]/= -/(run n).
  apply: le_trans (rr_cons_le two_gt0 iso g_gt0 g_lt ord0 (run n)) _.
  rewrite n1 [X in _ <= 2%:R * X]mulrDl mul1r [X in _ <= X]mulrDr; apply: ler_add => //.
  have c0 := clk_gt0 two_gt0 g_gt0 g_lt; have c1 := clk_le.
  rewrite mulrC; apply: ler_pmul => //; [by nn | exact: ltW |].
  by rewrite -[2%:R]/(1 + 1) ler_add2l.
- rewrite [run n.+1]/= -/(run n) ss_cons n1 !mulrDl mul1r; apply: ler_add => //.
  refine (@le_diff _ _ _ (g / 8%:R * (K * g - Phi (st n))) _ _); first by field.
  by apply: mulr_ge0; [nn | rewrite subr_ge0].
- rewrite dist_step //.
  set m := qf _ _; have m0 : 0 < m by exact: mass_gt0.
  set P := Phi _; have P0 : 0 < P by exact: (hPhi_gt0 two_gt0 iso g_gt0 g_lt).
  have z0 := g2_gt0 g_lt.
  have oth : m + g / 4%:R <= P.
    apply: le_trans (other_ge (ord0 : 'I_2) two_gt0 g_gt0 g_lt n).
    rewrite ler_add2l mul1r (hgap U two_gt0 g_gt0).
    have q0 := rr1_gt0 two_gt0 iso g_gt0 g_lt (run n).
    have -> : 4%:R / (4%:R * 2%:R / g * (1 + rr U g (run n))) = g / 2%:R / (1 + rr U g (run n)).
      by field; rewrite !gt_eqF.
    rewrite ler_pdivl_mulr //.
    refine (@le_diff _ _ _ (g / 4%:R * (1 - rr U g (run n))) _ _); first by field.
    by nn.
  have mK : m <= K * g.
    apply: le_trans P1; apply: le_trans oth; rewrite ler_addl; nn.
  have num : g / 8%:R <= (1 - 2%:R * g) * P - m.
    have gs := g_small; have kg := Kg_small.
    apply: (@le_trans _ _ ((1 - 2%:R * g) * (m + g / 4%:R) - m)); last first.
      by rewrite ler_add2r ler_pmul2l.
    have w1 : 0 <= 2000%:R^-1 - K * g by rewrite subr_ge0.
    have w2 : 0 <= 2000%:R^-1 - g by rewrite subr_ge0.
    have w3 : 0 <= K * g - m by rewrite subr_ge0.
    refine (@le_diff _ _ _ (2%:R * g * ((K * g - m) + (2000%:R^-1 - K * g) + 4%:R^-1 * (2000%:R^-1 - g)) + g * (8%:R^-1 - 5%:R / (2%:R * 2000%:R))) _ _).
      by field.
    apply: addr_ge0.
      by move: w1 w2 w3; move: (_ - K * g) (_ - g) (K * g - _) => a b c a0 b0 c0; nn.
    apply: mulr_ge0; first exact: ltW.
    rewrite subr_ge0 ler_pdivr_mulr; last by ps.
    by rewrite mulrC ler_pdivl_mulr ?ltr0n // -!natrM ler_nat.
  have drop : 1 / (8%:R * K ^+ 2) <= g / m - g / (1 - 2%:R * g) / P.
    have -> : g / m - g / (1 - 2%:R * g) / P =
      g * ((1 - 2%:R * g) * P - m) / (m * ((1 - 2%:R * g) * P)).
      by field; rewrite !gt_eqF.
    have zP : (1 - 2%:R * g) * P <= K * g.
      apply: le_trans P1; rewrite ler_pimull ?(ltW P0) // ler_subl_addr ler_addl; nn.
    rewrite ler_pdivl_mulr; last by apply: mulr_gt0 => //; exact: mulr_gt0.
    apply: (@le_trans _ _ (1 / (8%:R * K ^+ 2) * (K * g * (K * g)))).
      apply: ler_wpmul2l; first by nn.
      by apply: ler_pmul => //; apply: ltW => //; exact: mulr_gt0.
    apply: (@le_trans _ _ (g * (g / 8%:R))); last by apply: ler_wpmul2l => //; exact: ltW.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
  have -> : dist (st n) - g / m + g / (1 - 2%:R * g) / P =
    dist (st n) - (g / m - g / (1 - 2%:R * g) / P) by rewrite opprB addrA addrAC.
  rewrite n1 [(n%:R + 1) / _]mulrDl [- (n%:R / _ + _)]opprD [X in _ <= X]addrA; apply: ler_add IHd _.
  by rewrite ler_oppr opprK.
Qed.

Lemma slow_goes_on n : (n <= N)%N -> (forall i, (i < n)%N -> Phi (st i) < K * g) ->
  ~~ stop (run n).
Proof.
move=> le sm; have [hr hs _] := slow_path le sm.
rewrite (paper_stopE U two_gt0 g_gt0) -ltNge.
apply: le_lt_trans (ler_add (le_trans hr (budget_r le)) (le_trans hs (budget_s le))) _.
have -> : 16000%:R = 16%:R * 1000%:R :> R by rewrite -natrM.
refine (@lt_diff _ _ _ ((16%:R * 1000%:R - 33%:R * 17%:R) / (16%:R * 1000%:R)) _ _); first by field.
by apply: divr_gt0; [rewrite -!natrM subr_gt0 ltr_nat | ps].
Qed.

(* slug: u-grows *)
Theorem upper_slow : exists n, [/\ reach stop (run n), ~~ stop (run n),
  forall h x, 0 < prob U (hst h) x &
  up (st n.+1) - up (st n) <= ((1 - 2%:R * g) * K)^-1].
Proof.
have k0 := K0; have z0 := g2_gt0 g_lt.
have [i hi] : exists i : 'I_N, K * g <= Phi (st i).
  case: (pickP (fun i : 'I_N => K * g <= Phi (st i))) => [i hi|no]; first by exists i.
  have sm i : (i < N)%N -> Phi (st i) < K * g.
    by move=> lt; have := no (Ordinal lt); rewrite /= leNgt => /negbFE.
  have [_ _] := slow_path (leqnn N) sm.
  have d0 := @dist_gt0 R 2 ord0 g two_gt0 g_gt0 g_lt N.
  move=> /(lt_le_trans d0); rewrite subr_gt0 ltNge => /negP; case.
  rewrite ler_pdivl_mulr; last by ps.
  refine (@le_diff _ _ _ ((N%:R * g - 32%:R * K ^+ 2) / g) _ _); first by field; rewrite gt_eqF.
  by apply: divr_ge0; [rewrite subr_ge0 | exact: ltW].
have ex : exists j, (j <= N)%N && (K * g <= Phi (st j)).
  by exists i; rewrite hi andbT ltnW.
case: (ex_minnP ex) => j /andP[jN hj] mn; exists j.
have sm k : (k < j)%N -> Phi (st k) < K * g.
  move=> lt; rewrite ltNge; apply/negP => hk; have := mn k.
  rewrite hk andbT (leq_trans (ltnW lt) jN) => /(_ isT).
  by rewrite leqNgt lt.
split.
- apply: reach_always => k lt; apply: slow_goes_on.
    exact: leq_trans (ltnW lt) jN.
  by move=> k' lt'; apply: sm; exact: ltn_trans lt.
- exact: slow_goes_on.
- by move=> h x; apply: prob_axes_gt0 => //; exact: (inv_h two_gt0 iso g_gt0 g_lt).
- rewrite [st j.+1]/= -/(run j) /= addrC addKr.
  have P0 := hPhi_gt0 two_gt0 iso g_gt0 g_lt (run j).
  rewrite invfM -mulrA mulrCA; apply: ler_wpmul2l; first by rewrite invr_ge0 ltW.
  by rewrite ler_pdivr_mulr // mulrC ler_pdivl_mulr // mulrC.
Qed.

End Slow.
End Plane.

(** For every c > 0 there are a gamma and a run of positive probability, still
    going on, on which the next growth of u is below c. *)
(* slug: u-grows *)
Theorem upper_no_constant (R : realFieldType) (c : R) :
  Num.archimedean_axiom R -> 0 < c ->
  exists (g : R) (h : seq 'I_2) (x : 'I_2), let U := @axes R 2 in
  [/\ 0 < g, 2%:R * g < 1, reach (paper_stop U g) h, ~~ paper_stop U g h &
      (forall h' y, 0 < prob U (hst U g h') y) /\
      up (hst U g (x :: h)) - up (hst U g h) < c].
Proof.
move=> arch c0.
have [m hm] := arch c^-1; rewrite ger0_norm ?invr_ge0 ?(ltW c0) // in hm.
pose k := (2 * m).+2; pose K : R := k%:R.
pose g : R := (2000%:R * K ^+ 3)^-1; pose N := (32 * 2000 * k ^ 5)%N.
have K1 : 1 <= K by rewrite /K ler1n.
have k0 : 0 < K by exact: lt_le_trans ltr01 K1.
have g0 : 0 < g by rewrite /g; ps.
have K3 : 1 <= K ^+ 3 by rewrite exprn_ege1.
have gs : g <= 2000%:R^-1.
  rewrite /g lef_pinv ?posrE ?ltr0n //; last by ps.
  by rewrite ler_pmulr ?ltr0n.
have g2 : 2%:R * g < 1.
  apply: le_lt_trans (_ : 2%:R * 2000%:R^-1 < 1); first by rewrite ler_pmul2l ?ltr0n.
  by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
have Kg : 2000%:R * (K ^+ 3 * g) <= 1.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /g; field; rewrite gt_eqF.
have Ng : N%:R * g = 32%:R * K ^+ 2.
  by rewrite /N natrM (natrX _ k 5) [(32 * 2000)%:R]natrM -/K /g; field; rewrite gt_eqF.
have Nlo : 32%:R * K ^+ 2 <= N%:R * g by rewrite Ng.
have Nhi : N%:R * g <= 33%:R * K ^+ 2 by rewrite Ng ler_pmul2r ?exprn_gt0 // ler_nat.
have [n [rn sn pr gr]] := upper_slow g0 g2 K1 Kg Nlo Nhi.
exists g, (always ord0 n), ord0; split=> //; split=> //.
apply: le_lt_trans gr _.
have z0 := g2_gt0 g2.
have half : 2%:R^-1 <= 1 - 2%:R * g.
  have w : 0 <= 2000%:R^-1 - g by rewrite subr_ge0.
  refine (@le_diff _ _ _ (2%:R * (2000%:R^-1 - g) + (2%:R^-1 - 2%:R / 2000%:R)) _ _); first by field.
  apply: addr_ge0; first by nn.
  rewrite subr_ge0 ler_pdivr_mulr ?ltr0n // mulrC ler_pdivl_mulr ?ltr0n //.
  by rewrite -natrM ler_nat.
rewrite -[c]invrK ltf_pinv ?posrE ?invr_gt0 //; last exact: mulr_gt0.
apply: lt_le_trans hm _; apply: (@le_trans _ _ (2%:R^-1 * K)); last by rewrite ler_pmul2r.
rewrite mulrC ler_pdivl_mulr ?ltr0n // /K -natrM ler_nat /k mulnC.
by rewrite leqW // leqW.
Qed.
