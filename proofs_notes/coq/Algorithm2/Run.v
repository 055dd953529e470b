(** Whole runs of Algorithm 2: a run is the list of the points drawn, latest
    first. Everything here holds on every list of points, not only likely ones.

    Selected results:
      inv_h           == the invariant after every history
      hmid, hup, hlo  == mid, u and l as functions of r
      sum_alpha       == sum of the alpha_i = 1 - 4 g^2
      ss_lower        == s >= (k/4) r/(1 + r)
      paper_stopE     == the paper's rule is r + s >= 1
      length_square   == (size h)^2 g^4 <= d^2 k (r + s)^2
      paper_short_lin == a run that goes on has size h + 2 < d/g^2
      spectral        == A/mid within 1 +- 2g(1 + 1/r)
      alpha_k         == alpha_i K_i <= (g/mid)(u_i - l_i)/4
      gap_final       == u_m - l_m <= 9d/g for 10 g^2 <= 1 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Runs.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation hst := (hst U g).
Local Notation rr := (rr U g).
Local Notation ss := (ss U g).
Local Notation prob := (prob U).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation paper_stop := (paper_stop U g).
Local Notation level_stop := (level_stop U g).
Local Notation sure_stop := (sure_stop U g).

Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).
Local Notation clk_gt0 := (clk_gt0 d_gt0 g_gt0 g_lt).
Local Notation d_pos := (@d_pos R d d_gt0).
Local Notation d_ge1 := (@d_ge1 R d d_gt0).
Implicit Types (h : seq I) (x : I).

(* slug: invariant *)
Lemma inv_h h : inv (hst h).
Proof. by elim: h => [|x h IH] /=; [exact: inv_start | exact: inv_step]. Qed.

Lemma hPhi_gt0 h : 0 < Phi (hst h).
Proof. exact/(Phi_gt0 d_gt0)/inv_h. Qed.

Lemma rr0 : rr [::] = 0.
Proof. exact: rad_start. Qed.

Lemma rr_cons x h : rr (x :: h) = rr h + clk * g / Phi (hst h).
Proof. by rewrite /rr /= rad_step //; exact: inv_h. Qed.

Lemma ss_cons x h : ss (x :: h) = ss h + g / (4%:R * d%:R) * Phi (hst h).
Proof. by rewrite /ss /= mulrDr. Qed.

Lemma dr_gt0 h : 0 < clk * g / Phi (hst h).
Proof. by have a := clk_gt0; have b := hPhi_gt0 h; ps. Qed.

Lemma ds_gt0 h : 0 < g / (4%:R * d%:R) * Phi (hst h).
Proof. by have a := d_pos; have b := hPhi_gt0 h; ps. Qed.

Lemma rr_ge0 h : 0 <= rr h.
Proof.
elim: h => [|x h IH]; first by rewrite rr0.
by rewrite rr_cons addr_ge0 // ltW // dr_gt0.
Qed.

Lemma rr1_gt0 h : 0 < 1 + rr h.
Proof. by apply: ltr_spaddl; [exact: ltr01 | exact: rr_ge0]. Qed.

Lemma ss_ge0 h : 0 <= ss h.
Proof.
elim: h => [|x h IH]; first by rewrite /ss /= mulr0.
by rewrite ss_cons addr_ge0 // ltW // ds_gt0.
Qed.

(* slug: I3 *)
Lemma hPhi_rad h : g / (1 + rr h) <= Phi (hst h).
Proof. by apply: Phi_rad => //; exact: inv_h. Qed.

Lemma dr_le h : clk * g / Phi (hst h) <= clk * (1 + rr h).
Proof.
rewrite -mulrA ler_pmul2l ?clk_gt0 // ler_pdivr_mulr ?hPhi_gt0 //.
by have := hPhi_rad h; rewrite ler_pdivr_mulr ?rr1_gt0 // mulrC.
Qed.

Lemma rr_cons_le x h : rr (x :: h) <= rr h + clk * (1 + rr h).
Proof. by rewrite rr_cons ler_add2l dr_le. Qed.

(* slug: I2 *)
Lemma hmid h : mid (hst h) = d%:R / g ^+ 2 * rr h.
Proof.
elim: h => [|x h IH]; first by rewrite rr0 mulr0 /= mid_start.
rewrite rr_cons /= mid_step //; last exact: inv_h.
rewrite IH /clk; move: (rr h) => r; field.
by rewrite !gt_eqF ?hPhi_gt0 ?d_pos ?kap_gt0.
Qed.

Lemma hup h : up (hst h) = (1 + 2%:R * g) * mid (hst h) + 2%:R * d%:R / g.
Proof.
elim: h => [|x h IH]; first by rewrite /= mid_start mulr0 add0r.
have i := inv_h h.
rewrite /= mid_step // IH kapE; move: (mid _) => m; field.
by rewrite !gt_eqF ?hPhi_gt0 ?g2_gt0 ?p2_gt0.
Qed.

Lemma hlo h : lo (hst h) = (1 - 2%:R * g) * mid (hst h) - 2%:R * d%:R / g.
Proof.
elim: h => [|x h IH]; first by rewrite /= mid_start mulr0 add0r.
have i := inv_h h.
rewrite /= mid_step // IH kapE; move: (mid _) => m; field.
by rewrite !gt_eqF ?hPhi_gt0 ?g2_gt0 ?p2_gt0.
Qed.

Lemma hgap h : gap (hst h) = 4%:R * d%:R / g * (1 + rr h).
Proof. by rewrite /rr /rad; field; rewrite !gt_eqF ?d_pos. Qed.

(* slug: sum-alpha *)
Lemma past_alpha h : past (fun h' => g / Phi (hst h')) h = kap * mid (hst h).
Proof.
elim: h => [|x h IH]; first by rewrite /= mid_start mulr0.
have i := inv_h h.
rewrite /= mid_step // IH; move: (mid _) => m; field.
by rewrite !gt_eqF ?hPhi_gt0 ?kap_gt0.
Qed.

Lemma past_mulr (f : seq I -> R) c h : past (fun h' => f h' * c) h = past f h * c.
Proof. by elim: h => [|x h IH] /=; rewrite ?mul0r // mulrDl IH. Qed.

Lemma rr_gt0 h : h != [::] -> 0 < rr h.
Proof.
case: h => // x h _; rewrite rr_cons; apply: ltr_paddl; [exact: rr_ge0 | exact: dr_gt0].
Qed.

Lemma mid_gt0 h : h != [::] -> 0 < mid (hst h).
Proof. by move=> n; rewrite hmid; have a := rr_gt0 n; have b := d_pos; ps. Qed.

Lemma sum_alpha h : h != [::] -> past (alpha U g h) h = kap.
Proof. by move=> n; rewrite /alpha past_mulr past_alpha mulfK // gt_eqF // mid_gt0. Qed.

(* slug: I3 *)
Lemma ss_lower h : kap / 4%:R * (rr h / (1 + rr h)) <= ss h.
Proof.
elim: h => [|x h IH]; first by rewrite rr0 mul0r mulr0 ss_ge0.
rewrite ss_cons; apply: le_trans (ler_add IH (lexx _)).
set P := Phi (hst h); set r := rr h; set r' := rr (x :: h).
have er : r' = r + clk * g / P by exact: rr_cons.
have P0 : 0 < P by exact: hPhi_gt0.
have r0 : 0 < 1 + r := rr1_gt0 h.
have r0' : 0 < 1 + r' := rr1_gt0 (x :: h).
have dr0 : 0 < clk * g / P := dr_gt0 h.
have gP : g <= P * (1 + r) by have := hPhi_rad h; rewrite ler_pdivr_mulr ?rr1_gt0.
have d0 := d_pos; have k0 := kap_gt0.
rewrite -ler_subl_addl.
have -> : kap / 4%:R * (r' / (1 + r')) - kap / 4%:R * (r / (1 + r)) =
   g ^+ 3 / (4%:R * d%:R * P * (1 + r) * (1 + r')).
  have e' : 1 + r + clk * g / P != 0 by rewrite -addrA -er gt_eqF.
  have -> : r' / (1 + r') = 1 - (1 + r')^-1 by field; rewrite gt_eqF.
  have -> : r / (1 + r) = 1 - (1 + r)^-1 by field; rewrite gt_eqF.
  have -> : kap / 4%:R * (1 - (1 + r')^-1) - kap / 4%:R * (1 - (1 + r)^-1)
     = kap / 4%:R * ((r' - r) / ((1 + r) * (1 + r'))) by field; rewrite !gt_eqF.
  have -> : r' - r = g ^+ 3 / (d%:R * kap * P).
    by rewrite er /clk addrC addKr; field; rewrite !gt_eqF.
  by field; rewrite !gt_eqF.
rewrite ler_pdivr_mulr; last by ps.
have -> : g / (4%:R * d%:R) * P * (4%:R * d%:R * P * (1 + r) * (1 + r')) =
  g * (P * (1 + r)) * (P * (1 + r')) by field; rewrite gt_eqF.
have -> : g ^+ 3 = g * g * g by ring.
have gP' : g <= P * (1 + r').
  by apply: le_trans gP _; rewrite ler_pmul2l // ler_add2l er ler_addl ltW.
by rewrite -2!mulrA; apply: ler_wpmul2l; [exact: ltW | apply: ler_pmul; try exact: ltW].
Qed.

(** The criteria in terms of r and s. *)
Lemma paper_stopE h : paper_stop h = (1 <= rr h + ss h).
Proof.
rewrite /paper_stop hgap /ss; move: (past _ h) => p.
have d0 := d_pos.
have c0 : 0 < 4%:R * d%:R / g by ps.
rewrite -[RHS](ler_pmul2l c0) -subr_ge0 -[RHS]subr_ge0; congr (0 <= _).
by field; rewrite !gt_eqF.
Qed.

Lemma level_stopE T h : level_stop T h = (T <= rr h).
Proof.
rewrite /level_stop hgap ler_pmul2l ?ler_add2l //.
by have := d_pos => d0; ps.
Qed.

Lemma sure_stopE h : sure_stop h = (1 <= rr h).
Proof.
rewrite -level_stopE /sure_stop /level_stop; congr (_ <= _).
by field; rewrite gt_eqF.
Qed.

(* slug: I3 *)
Lemma paper_run_rr h : ~~ paper_stop h -> rr h ^+ 2 + kap / 4%:R * rr h < 1.
Proof.
rewrite paper_stopE -ltNge => lt1.
have lt2 : rr h + kap / 4%:R * (rr h / (1 + rr h)) < 1.
  by apply: le_lt_trans lt1; rewrite ler_add2l ss_lower.
have r0 := rr1_gt0 h; move: lt2; rewrite -(ltr_pmul2r r0).
move: r0; set r := rr h => r0.
have -> : (r + kap / 4%:R * (r / (1 + r))) * (1 + r) = (r ^+ 2 + kap / 4%:R * r) + r.
  by field; rewrite gt_eqF.
by rewrite mul1r ltr_add2r.
Qed.

Lemma paper_run_rr1 h : ~~ paper_stop h -> rr h < 1.
Proof.
rewrite paper_stopE -ltNge => lt1; apply: le_lt_trans lt1.
by rewrite ler_addl ss_ge0.
Qed.

Lemma reach_bound (stop : pred (seq I)) T h : 0 <= T -> (forall h, ~~ stop h -> rr h <= T) ->
  reach stop h -> rr h <= T + clk * (1 + T).
Proof.
move=> T0 H; case: h => [|x h] /=.
  move=> _; rewrite rr0; have := clk_gt0 => c0; nn.
move=> /andP[/H le _]; apply: le_trans (rr_cons_le x h) _.
by apply: ler_add => //; apply: ler_wpmul2l; [exact/ltW/clk_gt0 | rewrite ler_add2l].
Qed.

Lemma paper_reach_rr h : reach paper_stop h -> rr h <= 1 + clk * (1 + 1).
Proof. by apply: reach_bound; [exact: ler01 | move=> h' /paper_run_rr1/ltW]. Qed.

Lemma level_reach_rr T h : 0 <= T -> reach (level_stop T) h -> rr h <= T + clk * (1 + T).
Proof.
by move=> T0; apply: reach_bound => // h'; rewrite level_stopE -ltNge => /ltW.
Qed.

(* slug: m-bound *)
Lemma drds h : (clk * g / Phi (hst h)) * (g / (4%:R * d%:R) * Phi (hst h)) = g ^+ 4 / (4%:R * (d%:R ^+ 2 * kap)).
Proof. by rewrite /clk; field; rewrite !gt_eqF ?d_pos ?kap_gt0 ?hPhi_gt0. Qed.

Lemma sum_squares (n G K a b : R) : 0 <= n -> 0 <= G -> 0 <= K -> 0 <= a -> 0 <= b ->
  n ^+ 2 * G <= K * a ^+ 2 -> G <= K * b ^+ 2 -> (n + 1) ^+ 2 * G <= K * (a + b) ^+ 2.
Proof.
move=> n0 G0 K0 a0 b0 h1 h2.
have h3 : n * G <= K * a * b.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE //; try by nn.
  have -> : (n * G) ^+ 2 = (n ^+ 2 * G) * G by ring.
  have -> : (K * a * b) ^+ 2 = (K * a ^+ 2) * (K * b ^+ 2) by ring.
  by apply: ler_pmul => //; nn.
refine (@le_diff _ _ _ ((K * a ^+ 2 - n ^+ 2 * G) + 2%:R * (K * a * b - n * G) + (K * b ^+ 2 - G)) _ _).
  by ring.
by nn.
Qed.

Lemma length_square h : (size h)%:R ^+ 2 * g ^+ 4 <= d%:R ^+ 2 * kap * (rr h + ss h) ^+ 2.
Proof.
have d0 := d_pos; have k0 := kap_gt0.
elim: h => [|x h IH]; first by rewrite /= expr0n mul0r; nn.
rewrite rr_cons ss_cons addrACA -[size (x :: h)]/(size h).+1 -addn1 natrD.
have a0 := dr_gt0 h; have b0 := ds_gt0 h.
apply: sum_squares => //; try by [nn | exact: addr_ge0 (rr_ge0 h) (ss_ge0 h)].
have -> : g ^+ 4 = d%:R ^+ 2 * kap * (4%:R * ((clk * g / Phi (hst h)) * (g / (4%:R * d%:R) * Phi (hst h)))).
  by rewrite drds; field; rewrite !gt_eqF.
move: a0 b0; set a := clk * g / _; set b := g / _ * _ => a0 b0.
apply: ler_wpmul2l; first by nn.
by refine (@le_diff _ _ _ ((a - b) ^+ 2) _ _); [ring | nn].
Qed.

Lemma paper_short h : ~~ paper_stop h -> (size h)%:R ^+ 2 * g ^+ 4 < d%:R ^+ 2 * kap.
Proof.
rewrite paper_stopE -ltNge => lt1; apply: le_lt_trans (length_square h) _.
have d0 := d_pos; have k0 := kap_gt0.
rewrite -[X in _ < X]mulr1 ltr_pmul2l; last by ps.
have r0 : 0 <= rr h + ss h by apply: addr_ge0; [exact: rr_ge0 | exact: ss_ge0].
by rewrite expr_lt1.
Qed.

Lemma paper_short_lin h : ~~ paper_stop h -> ((size h)%:R + 2%:R) * g ^+ 2 < d%:R.
Proof.
move=> /paper_short lt; have d0 := d_pos; have d1 := d_ge1.
have g2 : 0 < 1 - 2%:R * g ^+ 2.
  have := kap_gt0; rewrite /kap => k0.
  apply: (@lt_trans _ _ (1 - 4%:R * g ^+ 2)) => //.
  by refine (@lt_diff _ _ _ (2%:R * g ^+ 2) _ _); [ring | ps].
have hl : (size h)%:R * g ^+ 2 < d%:R * (1 - 2%:R * g ^+ 2).
  rewrite -(@ltr_pexpn2r _ 2) ?nnegrE //; try by nn.
  have -> : ((size h)%:R * g ^+ 2) ^+ 2 = (size h)%:R ^+ 2 * g ^+ 4 by ring.
  apply: lt_le_trans lt _; rewrite exprMn; apply: ler_wpmul2l; first by nn.
  by rewrite /kap; refine (@le_diff _ _ _ (4%:R * g ^+ 4) _ _); [ring | nn].
rewrite mulrDl -ltr_subr_addr; apply: lt_le_trans hl _.
by refine (@le_diff _ _ _ (2%:R * g ^+ 2 * (d%:R - 1)) _ _); [ring | nn].
Qed.

Lemma paper_stops h : d%:R ^+ 2 * kap <= (size h)%:R ^+ 2 * g ^+ 4 -> paper_stop h.
Proof. by rewrite leNgt; apply: contraR => /paper_short. Qed.

Lemma paper_stops_lin h : d%:R <= (size h)%:R * g ^+ 2 -> paper_stop h.
Proof.
rewrite leNgt; apply: contraR => /paper_short_lin; apply: le_lt_trans.
by rewrite ler_pmul2r ?exprn_gt0 // ler_addl ler0n.
Qed.

(** Spectral bounds in terms of r. *)
(* slug: spectral *)
Lemma spectral h : h != [::] ->
  psd ((1 + 2%:R * g * (1 + (rr h)^-1))%:M - (mid (hst h))^-1 *: acc (hst h)) /\
  psd ((mid (hst h))^-1 *: acc (hst h) - (1 - 2%:R * g * (1 + (rr h)^-1))%:M).
Proof.
move=> n; have m0 := mid_gt0 n; have r0 := rr_gt0 n; have d0 := d_pos.
have [/pd_psd pu /pd_psd pl] := inv_h h.
have e : 2%:R * g / rr h = 2%:R * d%:R / g / mid (hst h).
  by rewrite hmid; field; rewrite !gt_eqF.
split.
  have -> : (1 + 2%:R * g * (1 + (rr h)^-1))%:M - (mid (hst h))^-1 *: acc (hst h) =
    (mid (hst h))^-1 *: upper (hst h).
    rewrite /upper scalerBr scale_scalar_mx hup; congr (_%:M - _).
    by rewrite mulrDr mulr1 addrA e; field; rewrite !gt_eqF.
  by apply: psdZ => //; rewrite invr_ge0 ltW.
have -> : (mid (hst h))^-1 *: acc (hst h) - (1 - 2%:R * g * (1 + (rr h)^-1))%:M =
  (mid (hst h))^-1 *: lower (hst h).
  rewrite /lower scalerBr scale_scalar_mx hlo; congr (_ - _%:M).
  by rewrite mulrDr mulr1 e; field; rewrite !gt_eqF.
by apply: psdZ => //; rewrite invr_ge0 ltW.
Qed.

(* slug: lm-positive *)
Lemma lo_gt0 h : (0 < lo (hst h)) = (4%:R * d%:R / (g * (1 - 2%:R * g)) < up (hst h)).
Proof.
rewrite hlo hup; have d0 := d_pos; have g2 := g2_gt0 g_lt; have p2 := p2_gt0 g_gt0.
move: (mid _) => m.
rewrite -subr_gt0 subr0 -[RHS]subr_gt0.
have -> : (1 + 2%:R * g) * m + 2%:R * d%:R / g - 4%:R * d%:R / (g * (1 - 2%:R * g)) =
  (1 + 2%:R * g) / (1 - 2%:R * g) * ((1 - 2%:R * g) * m - 2%:R * d%:R / g).
  by field; rewrite !gt_eqF.
by rewrite [RHS]pmulr_rgt0 //; ps.
Qed.

(** On the event u_m >= d/(64 g^2). *)
Lemma lo_gamma h : 258%:R * g < 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst h) -> 0 < lo (hst h).
Proof.
move=> gs; rewrite lo_gt0; apply: lt_le_trans.
have d0 := d_pos; have g2 := g2_gt0 g_lt.
refine (@lt_diff _ _ _ (d%:R * (1 - 258%:R * g) / (64%:R * g ^+ 2 * (1 - 2%:R * g))) _ _).
  by field; rewrite !gt_eqF.
have : 0 < 1 - 258%:R * g by rewrite subr_gt0.
by move: (1 - 258%:R * g) => z z0; ps.
Qed.

(* slug: condition-number *)
Lemma gap_over_up h : 0 < up (hst h) -> gap (hst h) / up (hst h) =
  4%:R * g * (1 + d%:R / (g ^+ 2 * up (hst h))) / (1 + 2%:R * g).
Proof.
move=> u0; have p2 := p2_gt0 g_gt0.
have -> : gap (hst h) = 4%:R * g / (1 + 2%:R * g) * (up (hst h) + d%:R / g ^+ 2).
  by rewrite /gap hlo hup; move: (mid _) => m; field; rewrite !gt_eqF.
by field; rewrite !gt_eqF.
Qed.

Lemma condition_gamma h : 258%:R * g < 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst h) ->
  up (hst h) / lo (hst h) <= 1 + 260%:R * g / (1 - 258%:R * g).
Proof.
move=> gs hu; have l0 := lo_gamma gs hu; have d0 := d_pos; have p2 := p2_gt0 g_gt0.
have z0 : 0 < 1 - 258%:R * g by rewrite subr_gt0.
rewrite ler_pdivr_mulr //.
have -> : lo (hst h) = ((1 - 2%:R * g) * up (hst h) - 4%:R * d%:R / g) / (1 + 2%:R * g).
  by rewrite hlo hup; move: (mid _) => m; field; rewrite !gt_eqF.
have -> : 1 + 260%:R * g / (1 - 258%:R * g) = (1 + 2%:R * g) / (1 - 258%:R * g).
  by field; rewrite !gt_eqF.
refine (@le_diff _ _ _ (256%:R * g / (1 - 258%:R * g) * (up (hst h) - d%:R / (64%:R * g ^+ 2))) _ _).
  by field; rewrite !gt_eqF.
by apply: mulr_ge0; [move: z0; move: (1 - 258%:R * g) => z z0; nn | rewrite subr_ge0].
Qed.

Lemma condition_printed h : 279%:R * g <= 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst h) ->
  up (hst h) / lo (hst h) <= 1 + 3456%:R * g.
Proof.
move=> gs hu; have z : 0 <= 1 - 279%:R * g by rewrite subr_ge0.
have z0 : 0 < 1 - 258%:R * g.
  have -> : 1 - 258%:R * g = 86%:R / 93%:R * (1 - 279%:R * g) + 7%:R / 93%:R by field.
  by move: z; move: (1 - 279%:R * g) => y y0; apply: ltr_spaddr; [ps | nn].
have g258 : 258%:R * g < 1 by rewrite -subr_gt0.
apply: le_trans (condition_gamma g258 hu) _.
have -> : 3456%:R = 54%:R * 64%:R :> R by rewrite -natrM.
refine (@le_diff _ _ _ (g / (1 - 258%:R * g) *
  (54%:R * 64%:R * (86%:R / 93%:R) * (1 - 279%:R * g) + 12%:R / 93%:R)) _ _).
  by field; rewrite gt_eqF.
by move: z z0; move: (1 - 279%:R * g) (1 - 258%:R * g) => y y' y0 y'0; nn.
Qed.

(** The same event, in terms of r. *)
Lemma rr_gamma h T : d%:R / (64%:R * g ^+ 2) <= up (hst h) ->
  T * (1 + 2%:R * g) <= 64%:R^-1 - 2%:R * g -> T <= rr h.
Proof.
move=> hu le; have d0 := d_pos; have p2 := p2_gt0 g_gt0.
rewrite -(ler_pmul2r p2); apply: le_trans le _.
have e : up (hst h) = d%:R / g ^+ 2 * (rr h * (1 + 2%:R * g) + 2%:R * g).
  by rewrite hup hmid; move: (rr h) => r; field; rewrite gt_eqF.
have c0 : 0 < d%:R / g ^+ 2 by ps.
rewrite ler_subl_addr -(ler_pmul2l c0) -e; apply: le_trans hu.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
Qed.

(* slug: alpha-k *)
Lemma alpha_k h h' x (v : 'cV[R]_d) : h != [::] -> v != 0 ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob (hst h') x) <= g / mid (hst h) * (gap (hst h') / 4%:R).
Proof.
move=> n v0; have m0 := mid_gt0 n; have i := inv_h h'; have P0 := hPhi_gt0 h'.
have g0 := gap_gt0 d_gt0 i.
have nv := sqn_gt0 v0.
have [ux|ux] := eqVneq (U x) 0.
  rewrite ux; have -> : dot 0 v = 0 by rewrite /dot bf0l.
  by rewrite expr0n !mul0r mulr0; nn.
have q0 : 0 < qf (bracket (hst h')) (U x) by apply: (proj2 (bracket_pd i)).
have cs : dot (U x) v ^+ 2 / sqn v <= sqn (U x).
  by rewrite ler_pdivr_mulr //; exact/cauchy_schwarz/psd1.
have lr := leverage_ratio U d_gt0 i x.
have -> : alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob (hst h') x) =
  g / mid (hst h) * (dot (U x) v ^+ 2 / sqn v / qf (bracket (hst h')) (U x)).
  by rewrite /alpha /prob; move: nv; rewrite /sqn; move: (dot _ _) => z nv; field; rewrite !gt_eqF.
apply: ler_wpmul2l; first by nn.
by rewrite ler_pdivr_mulr //; apply: le_trans cs lr.
Qed.

(** Under the paper's rule the gap before the stop is below 8d/g. *)
Lemma alpha_k_run h h' x (v : 'cV[R]_d) : h != [::] -> v != 0 -> ~~ paper_stop h' ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob (hst h') x) <= 2%:R * g ^+ 2 / rr h.
Proof.
move=> n v0 /paper_run_rr1 lt1; apply: le_trans (alpha_k h' x n v0) _.
have r0 := rr_gt0 n; have d0 := d_pos.
rewrite hmid hgap.
refine (@le_diff _ _ _ (g ^+ 2 / rr h * (1 - rr h')) _ _); first by field; rewrite !gt_eqF.
by nn.
Qed.

Lemma alpha_k_gamma h h' x (v : 'cV[R]_d) : 172%:R * g <= 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst h) ->
  v != 0 -> ~~ paper_stop h' ->
  alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob (hst h') x) <= 512%:R * g ^+ 2.
Proof.
move=> gs hu v0 ns.
have r1 : 256%:R^-1 <= rr h.
  apply: rr_gamma hu _.
  have z : 0 <= 1 - 172%:R * g by rewrite subr_ge0.
  refine (@le_diff _ _ _ (3%:R / 256%:R * (1 - 172%:R * g) + g * (2%:R / 256%:R)) _ _); first by field.
  by move: z; move: (1 - 172%:R * g) => y y0; nn.
have p0 : (0 : R) < 256%:R^-1 by ps.
have r0 : 0 < rr h by exact: lt_le_trans r1.
have n : h != [::] by apply: contraTneq r0 => ->; rewrite rr0 ltxx.
apply: le_trans (alpha_k_run x n v0 ns) _; rewrite ler_pdivr_mulr //.
have w : 0 <= rr h - 256%:R^-1 by rewrite subr_ge0.
refine (@le_diff _ _ _ (512%:R * g ^+ 2 * (rr h - 256%:R^-1)) _ _); first by field.
by move: w; move: (rr h - _) => y y0; nn.
Qed.

(* slug: gap-final *)
Lemma gap_final x h : 10%:R * g ^+ 2 <= 1 -> ~~ paper_stop h -> gap (hst (x :: h)) <= 9%:R * d%:R / g.
Proof.
move=> gs ns; have lt := paper_run_rr ns; have d0 := d_pos; have d1 := d_ge1.
have r0 := rr_ge0 h.
have k35 : 3%:R / 5%:R <= kap.
  rewrite /kap; refine (@le_diff _ _ _ (2%:R / 5%:R * (1 - 10%:R * g ^+ 2)) _ _); first by field.
  by nn.
have k0 := kap_gt0.
have c6 : clk <= 6%:R^-1.
  rewrite /clk ler_pdivr_mulr; last by ps.
  refine (@le_diff _ _ _ ((kap - 3%:R / 5%:R) * d%:R / 6%:R + (d%:R - 1) / 10%:R + (1 - 10%:R * g ^+ 2) / 10%:R) _ _).
    by field.
  by apply: addr_ge0; [apply: addr_ge0 |]; rewrite divr_ge0 ?mulr_ge0 ?ler0n ?subr_ge0 // ltW.
have r13 : rr h <= 13%:R / 14%:R.
  rewrite leNgt; apply/negP => gt; move: lt; apply/negP; rewrite -leNgt.
  refine (@le_diff _ _ _ ((rr h - 13%:R / 14%:R) * (rr h + 13%:R / 14%:R) + (kap - 3%:R / 5%:R) / 4%:R * rr h + 3%:R / 20%:R * (rr h - 13%:R / 14%:R) + 3%:R / 2%:R / (10%:R * 98%:R)) _ _).
    by field.
  have a : 0 <= rr h - 13%:R / 14%:R by rewrite subr_ge0 ltW.
  have b : 0 <= kap - 3%:R / 5%:R by rewrite subr_ge0.
  by move: a b; move: (rr h - 13%:R / 14%:R) (kap - 3%:R / 5%:R) => a b a0 b0; nn.
have r54 : rr (x :: h) <= 5%:R / 4%:R.
  apply: le_trans (rr_cons_le x h) _.
  apply: (@le_trans _ _ (13%:R / 14%:R + 6%:R^-1 * (1 + 13%:R / 14%:R))).
    apply: ler_add => //; apply: ler_pmul => //; [exact/ltW/clk_gt0 | by nn | by rewrite ler_add2l].
  by have -> : 13%:R / 14%:R + 6%:R^-1 * (1 + 13%:R / 14%:R) = 5%:R / 4%:R :> R by field.
rewrite hgap; refine (@le_diff _ _ _ (4%:R * d%:R / g * (5%:R / 4%:R - rr (x :: h))) _ _).
  by field; rewrite gt_eqF.
by nn.
Qed.

End Runs.
