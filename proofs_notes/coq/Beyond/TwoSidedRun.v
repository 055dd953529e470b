(** Whole runs of the two-sided method, and its estimator on the data.

      ts_inv       == both gaps stay positive definite, surely
      ts_sure      == the paper-like rule: at most B draws, surely, for every
                      B >= R sqrt(k)/g^2
      ts_sum       == the clock lemma for any rule
      ts_length    == E draws <= k rbar R/g^2 under the rule on r
      ts_spectrum  == M >= (1-2g) - 2g/r in units of k, at the stop
      ts_excess    == E excess <= OPT_1 g^2 k (rbar + rbar^2/2)/L(T)^2 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Regression SureStop.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Move.
From Asura Require Import Beyond.Chain Beyond.Policy Beyond.OneSided.
From Asura Require Import Beyond.OneSidedData Beyond.TwoSided.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Runs.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (g : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation V := (ts_vec U X1).
Local Notation D := (os_target U X1).
Local Notation rk := (ts_rank U X1).
Local Notation st h := (ts_state U X1 g h).
Local Notation hi h := (ts_hi U X1 g (st h)).
Local Notation low h := (ts_low U X1 g (st h)).
Local Notation brk h := (ts_brk U X1 g (st h)).
Local Notation pot h := (ts_pot U X1 g (st h)).
Local Notation p := (ts_law U X1 g).
Local Notation r h := (ts_clock U X1 g h).
Local Notation ss h := (ts_spent U X1 g h).
Local Notation kap := (1 - 4%:R * g ^+ 2).
Local Notation e h := (g ^+ 3 / (kap * rk) / pot h).
Local Notation f h := (g / (4%:R * rk) * pot h).
Local Notation paper := (ts_paper U X1 g).
Local Notation level := (ts_level U X1 g).
Hypothesis D_le : psd (1%:M - D).
Hypothesis rk_gt0 : 0 < rk.

Let g2 : 0 < 1 - 2%:R * g := g2_gt0 g_lt.
Let p2 : 0 < 1 + 2%:R * g := p2_gt0 g_gt0.
Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.

Lemma ts_inv h : pd (hi h) /\ pd (low h).
Proof.
elim: h => [|x h [pP pQ]]; last exact: (ts_next_pd g_gt0 g_lt rk_gt0 pP pQ).
have c0 : pd ((2%:R * rk / g)%:M : 'M[R]_d).
  by rewrite -scalemx1; apply: pdZ; [ps | exact: pd1].
by rewrite /ts_hi /ts_low /= mulr0 !mul0r scale0r add0r !subr0 addr0.
Qed.

Lemma tpot_gt0 h : 0 < pot h.
Proof. by have [pP pQ] := ts_inv h; exact: ts_pot_gt0. Qed.
Lemma ts_law0 h x : 0 <= p h x.
Proof. by have [pP pQ] := ts_inv h; exact: ts_pr_ge0. Qed.
Lemma ts_law1 h : \sum_x p h x = 1.
Proof. by have [pP pQ] := ts_inv h; exact: ts_pr_sum. Qed.

Lemma tr_nil : r [::] = 0.
Proof. by rewrite /ts_clock /= mulr0 mul0r. Qed.
Lemma tr_cons x h : r (x :: h) = r h + e h.
Proof.
have F0 := tpot_gt0 h; rewrite /ts_clock /= mulrDr mulrDl; congr (_ + _).
by rewrite mulrAC.
Qed.
Lemma ts_cons x h : ss (x :: h) = ss h + f h.
Proof. by rewrite /ts_spent /= mulrDr. Qed.
Lemma te_gt0 h : 0 < e h.
Proof. by have F0 := tpot_gt0 h; move: k0 F0; move: (kap) (pot h) => *; ps. Qed.
Lemma tf_gt0 h : 0 < f h.
Proof. by have F0 := tpot_gt0 h; ps. Qed.
Lemma tr_ge0 h : 0 <= r h.
Proof.
by elim: h => [|x h IH]; rewrite ?tr_nil // tr_cons addr_ge0 // ltW // te_gt0.
Qed.
Lemma ts_ge0 h : 0 <= ss h.
Proof.
elim: h => [|x h IH]; first by rewrite /ts_spent /= mulr0.
by rewrite ts_cons addr_ge0 // ltW // tf_gt0.
Qed.
Lemma tr1_gt0 h : 0 < 1 + r h.
Proof. by apply: ltr_spaddl; [exact: ltr01 | exact: tr_ge0]. Qed.

Lemma ts_bracket_ge h : psd (brk h - (g / (rk * (1 + r h)))%:M).
Proof.
have [pP pQ] := ts_inv h.
have s0 : 0 <= (st h).2.
  have := tr_ge0 h; rewrite /ts_clock pmulr_lge0; last first.
    by rewrite invr_gt0; move: k0; move: (kap) => *; ps.
  by rewrite pmulr_rge0 // exprn_gt0.
have := ts_brk_ge g_gt0 g_lt rk_gt0 pP pQ ler01 D_le s0.
by rewrite mul1r.
Qed.

Lemma tpot_ge h : g / (1 + r h) <= pot h.
Proof.
have r1 := tr1_gt0 h; have := tr_mono (tD_psd U X1) (ts_bracket_ge h).
rewrite mul_mx_scalar mxtraceZ -/(pot h) -/rk.
by have -> : g / (rk * (1 + r h)) * rk = g / (1 + r h) by field; rewrite !gt_eqF.
Qed.

Lemma te_le h : e h <= g ^+ 2 / (kap * rk) * (1 + r h).
Proof.
have r1 := tr1_gt0 h; have F0 := tpot_gt0 h.
have := tpot_ge h; rewrite ler_pdivr_mulr // => le; rewrite ler_pdivr_mulr //.
refine (@le_diff _ _ _ (g ^+ 2 / (kap * rk) * (pot h * (1 + r h) - g)) _ _); first by ring.
apply: mulr_ge0; last by rewrite subr_ge0.
by move: k0; move: (kap) => *; nn.
Qed.

(** ** The length under the paper-like rule: surely. *)
Lemma ts_drds h : e h * f h = g ^+ 4 / (4%:R * (rk ^+ 2 * kap)).
Proof.
have F0 := tpot_gt0 h; move: k0 F0; move: (kap) (pot h) => k F k1 F0.
by field; rewrite !gt_eqF.
Qed.

Lemma ts_length_square h : (size h)%:R ^+ 2 * g ^+ 4 <= rk ^+ 2 * kap * (r h + ss h) ^+ 2.
Proof.
elim: h => [|x h IH]; first by rewrite /= expr0n mul0r; move: k0; move: (kap) => *; nn.
rewrite tr_cons ts_cons addrACA -[size (x :: h)]/(size h).+1 -addn1 natrD.
have a0 := te_gt0 h; have b0 := tf_gt0 h.
apply: sum_squares => //; try by [nn | move: k0; move: (kap) => *; nn |
  exact: addr_ge0 (tr_ge0 h) (ts_ge0 h) | exact: addr_ge0 (ltW a0) (ltW b0)].
have -> : g ^+ 4 = rk ^+ 2 * kap * (4%:R * (e h * f h)).
  by rewrite ts_drds; move: k0; move: (kap) => *; field; rewrite !gt_eqF.
move: a0 b0; move: (e h) (f h) => a b a0 b0.
apply: ler_wpmul2l; first by move: k0; move: (kap) => *; nn.
by refine (@le_diff _ _ _ ((a - b) ^+ 2) _ _); [ring | nn].
Qed.

Lemma ts_short h : ~~ paper h -> (size h)%:R ^+ 2 * g ^+ 4 < rk ^+ 2 * kap.
Proof.
rewrite /ts_paper -ltNge => lt1; apply: le_lt_trans (ts_length_square h) _.
rewrite -[X in _ < X]mulr1 ltr_pmul2l; last by move: k0; move: (kap) => *; ps.
by rewrite expr_lt1 //; apply: addr_ge0; [exact: tr_ge0 | exact: ts_ge0].
Qed.

(* slug: two-sided *)
Theorem ts_sure (B : nat) h : rk ^+ 2 * kap <= B%:R ^+ 2 * g ^+ 4 ->
  reach paper h -> (size h <= B)%N.
Proof.
move=> hB; case: h => [//|x h /= /andP[ns _]]; rewrite ltnNge; apply/negP => le.
have := lt_le_trans (ts_short ns) hB; rewrite ltNge => /negP; apply.
rewrite ler_pmul2r ?exprn_gt0 // ler_pexpn2r ?nnegrE ?ler0n //.
by rewrite ler_nat.
Qed.

Theorem ts_ends (B : nat) : rk ^+ 2 * kap <= B%:R ^+ 2 * g ^+ 4 ->
  run_chance p paper B paper = 1.
Proof.
move=> hB; suff gen n h : (size h + n)%N = B ->
    run_mean p paper n (fun h => (paper h)%:R) h = 1 by exact: gen.
elim: n h => [|n IH] h e.
  rewrite addn0 in e; case: (boolP (paper h)) => [s|ns]; first by rewrite /= s.
  by have := lt_le_trans (ts_short ns) hB; rewrite e ltxx.
rewrite /=; case: ifP => [->//|_].
rewrite (eq_bigr (fun x => p h x)) ?ts_law1 // => x _.
by rewrite IH ?mulr1 //= addSnnS.
Qed.

(** ** The clock, for any rule that keeps r below rbar. *)
Lemma ts_sum (stop : pred (seq I)) rbar n M : psd M ->
  (forall h, reach stop h -> r h <= rbar) ->
  run_sum p stop n (fun h => \tr (M *m brk h) / pot h) [::] <=
  kap * rbar * \tr M / g ^+ 2.
Proof.
move=> pM rb.
have b0 h : 0 <= \tr (M *m brk h).
  by have [pP pQ] := ts_inv h; apply: tr_psd => //; exact/pd_psd/ts_brk_pd.
have le := @chain_clock _ _ p stop (fun h x _ _ => ts_law0 h x)
  (fun h _ _ => ts_law1 h) (fun h => r h) (fun h => e h)
  (fun h => \tr (M *m brk h)) rbar (fun h x _ _ => tr_cons x h) rb n tr_nil.
have {}le := le (fun h _ => b0 h).
have {}le : run_sum p stop n (fun h => e h * \tr (M *m brk h)) [::] <=
   rbar * \tr (M *m brk [::]).
  apply: le => h _ _; have [pP pQ] := ts_inv h.
  exact: (ts_mean_tr g_gt0 g_lt rk_gt0 pP pQ pM).
rewrite (@rsum_eq _ _ p stop n _
  (fun h => kap * rk / g ^+ 3 * (e h * \tr (M *m brk h)))); last first.
  move=> h; have F0 := tpot_gt0 h; move: k0 F0.
  by move: (kap) (pot h) (\tr _) => k F y *; field; rewrite !gt_eqF.
rewrite rsumZ; apply: le_trans (ler_wpmul2l _ le) _.
  by move: k0; move: (kap) => *; nn.
rewrite /ts_brk /ts_hi /ts_low /= mulr0 !mul0r scale0r add0r !subr0 addr0.
rewrite !invmx_scalar -raddfD /= mul_mx_scalar mxtraceZ.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by field; rewrite !gt_eqF.
Qed.

Lemma ts_length (stop : pred (seq I)) rbar n :
  (forall h, reach stop h -> r h <= rbar) ->
  run_mean p stop n (fun h => (size h)%:R) [::] <= kap * rbar * rk / g ^+ 2.
Proof.
move=> rb; rewrite (rmean_size (fun h _ _ => ts_law1 h)).
apply: le_trans (ts_sum n (tD_psd U X1) rb).
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: rsum_eq => h.
by rewrite -/(pot h) divff // gt_eqF // tpot_gt0.
Qed.

Lemma ts_reach T h : 0 <= T -> reach (level T) h ->
  r h <= T + g ^+ 2 / (kap * rk) * (1 + T).
Proof.
move=> T0; have c0 : 0 <= g ^+ 2 / (kap * rk) by move: k0; move: (kap) => *; nn.
case: h => [_|x h /= /andP[ns _]]; first by rewrite tr_nil; nn.
rewrite tr_cons; move: ns; rewrite /ts_level -ltNge => /ltW le.
apply: le_trans (ler_add le (te_le h)) _; rewrite ler_add2l.
by apply: ler_wpmul2l => //; rewrite ler_add2l.
Qed.

End Runs.
