(** What the paper prints and what holds as printed, on a range at least as
    large: corollaries of the sharper statements. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Printed.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation hst := (hst U g).
Local Notation stop := (paper_stop U g).

(* slug: rank-one-lower *)
Lemma rank_one_lower_printed s x : inv s ->
  psd ((2%:R * g) *: (acc s - (lo (step U g s x))%:M) - weight U g s x *: (U x *m (U x)^T)).
Proof.
move=> i; apply: psd_trans (rank_one_lower d_gt0 isoU g_gt0 i x) _.
have -> : acc s - (lo (step U g s x))%:M = lower s - (g / (1 + 2%:R * g) / Phi s)%:M.
  by rewrite /lower /= raddfD /= opprD addrA.
rewrite -scalerBl; apply: psdZ; last exact/pd_psd/(lower_shift_pd d_gt0 isoU g_gt0 i).
have p0 : 0 < 1 + g by ps.
have -> : 2%:R * g - g * (1 + 2%:R * g) / (1 + g) = g / (1 + g) by field; rewrite gt_eqF.
by nn.
Qed.

(* slug: potential-lower *)
Lemma potential_lower_printed h : ~~ stop h -> g / 2%:R <= Phi (hst h).
Proof.
move=> ns; have r1 := paper_run_rr1 d_gt0 isoU g_gt0 g_lt ns.
apply: le_trans (hPhi_rad d_gt0 isoU g_gt0 g_lt h).
apply: ler_wpmul2l; first exact: ltW.
have r0 := rr1_gt0 d_gt0 isoU g_gt0 g_lt h.
rewrite lef_pinv ?posrE ?ltr0n //.
by refine (@le_diff _ _ _ (1 - rr U g h) _ _); [ring | nn].
Qed.

(* slug: m-bound *)
Lemma m_bound_printed h : reach stop h -> (size h)%:R <= 2%:R * d%:R / g ^+ 2.
Proof.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
case: h => [|x h] /=; first by move=> _; nn.
move=> /andP[ns _]; have lt := paper_short_lin d_gt0 isoU g_gt0 g_lt ns.
rewrite ler_pdivl_mulr ?exprn_gt0 // mulrSr.
have z : 0 <= d%:R - ((size h)%:R + 2%:R) * g ^+ 2 by rewrite subr_ge0 ltW.
refine (@le_diff _ _ _ ((d%:R - ((size h)%:R + 2%:R) * g ^+ 2) + d%:R + g ^+ 2) _ _); first by ring.
by apply: addr_ge0; [apply: addr_ge0 => //; nn | nn].
Qed.

(* slug: um-lower *)
Lemma um_lower_printed n p : 0 <= p -> p < 1 -> d%:R <= n%:R * g ^+ 2 ->
  1 - p <= Pr U g stop n (fun h => stop h && (p ^+ 2 * d%:R / (8%:R * g ^+ 2) <= up (hst h))).
Proof.
move=> p0 p1 hn; apply: le_trans (um_lower d_gt0 isoU g_gt0 g_lt p0 hn) _.
apply: Pr_mono => // h _ /andP[st le]; apply/andP; split=> //; apply: le_trans le.
have n0 : 0 < 1 + 4%:R * p ^+ 2 by apply: ltr_spaddl; [exact: ltr01 | nn].
have q1 : p ^+ 2 <= 1 by rewrite expr_le1 // ltW.
have z : 0 <= 1 - p ^+ 2 by rewrite subr_ge0.
refine (@le_diff _ _ _ (p ^+ 2 * d%:R / (8%:R * g ^+ 2 * (1 + 4%:R * p ^+ 2)) *
  (27%:R + 4%:R * (1 - p ^+ 2))) _ _); first by field; rewrite !gt_eqF.
by move: z n0; move: (1 - p ^+ 2) (1 + 4%:R * p ^+ 2) => y w y0 w0; nn.
Qed.

(* slug: query-appendix *)
Lemma query_appendix_printed n (X1 : pred I) :
  Exp U g stop n (fun h => (count X1 h)%:R) <= 4%:R * \tr (\sum_(x | X1 x) U x *m (U x)^T) / g ^+ 2.
Proof.
have rb h : reach stop h -> rr U g h <= 1 + clk d g * (1 + 1) by exact: paper_reach_rr.
apply: le_trans (draws_bound d_gt0 isoU g_gt0 g_lt n X1 rb) _.
apply: ler_wpmul2r; first by nn.
apply: ler_wpmul2r.
  rewrite -[X in \tr X]mulmx1; apply: tr_psd; last exact: psd1.
  by apply: psd_sum => x _; exact: psd_outer.
apply: le_trans (kap_rbar1 d_gt0 g_gt0 g_lt) _.
by refine (@le_diff _ _ _ (3%:R + 2%:R * g ^+ 2) _ _); [ring | nn].
Qed.

End Printed.
