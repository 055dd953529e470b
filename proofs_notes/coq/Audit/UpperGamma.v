(** u-grows, in the order of gamma: two axes, the first drawn every time. Let
    L = -l be what the lower barrier has still to go to reach the eigenvalue 0,
    and D = u - a the distance from the upper one to the other eigenvalue a.
    L <= D is kept, so 1/L <= Phi <= 4/L. Hence L falls by a fraction of order g
    a draw, the sum of the potentials is a geometric one, and the loop still
    goes on when L comes to 4. There Phi is of order 1, and u grows by at most
    6 g.

    Selected results
      upper_by_gamma == for 12 g <= 1: such a run (archimedean fields)

    Symbols
      D, L, u == as above; m == 1/D + 1/(u - D + L), o == 1/u + 1/L, P = m + o. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree UpperSteps SpectralRange.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** One draw, in numbers. *)
Section Draw.
Variables (R : realFieldType) (g D L u : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_small : 12%:R * g <= 1.
Hypothesis L_gt0 : 0 < L.
Hypothesis LD : L <= D.
Hypothesis Du : D <= u.
Let b := u - D + L.
Let m := D^-1 + b^-1.
Let o := u^-1 + L^-1.
Let P := m + o.

Lemma D_gt0 : 0 < D. Proof. exact: lt_le_trans L_gt0 LD. Qed.
Lemma u_gt0 : 0 < u. Proof. exact: lt_le_trans D_gt0 Du. Qed.
Lemma Lb : L <= b. Proof. by rewrite /b ler_addr subr_ge0. Qed.
Lemma b_gt0 : 0 < b. Proof. exact: lt_le_trans L_gt0 Lb. Qed.
Lemma m_gt0 : 0 < m. Proof. by have := D_gt0; have := b_gt0 => *; rewrite /m; ps. Qed.
Lemma o_gt0 : 0 < o. Proof. by have := u_gt0 => *; rewrite /o; ps. Qed.
Lemma P_gt0 : 0 < P. Proof. by apply: addr_gt0; [exact: m_gt0 | exact: o_gt0]. Qed.

Lemma split_gap : o - m = (D - L) * ((D * L)^-1 - (u * b)^-1).
Proof.
have d0 := D_gt0; have u0 := u_gt0; have b0 := b_gt0.
by rewrite /o /m /b; field; rewrite -/b !gt_eqF.
Qed.

Lemma inv_le : (u * b)^-1 <= (D * L)^-1.
Proof.
have d0 := D_gt0; have u0 := u_gt0; have b0 := b_gt0.
rewrite lef_pinv ?posrE ?mulr_gt0 //.
by apply: ler_pmul => //; [exact: ltW | exact: ltW | exact: Lb].
Qed.

Lemma m_le_o : m <= o.
Proof. by rewrite -subr_ge0 split_gap mulr_ge0 ?subr_ge0 // inv_le. Qed.

Lemma P_ge : L^-1 <= P.
Proof.
have d0 := D_gt0; have u0 := u_gt0; have b0 := b_gt0.
by rewrite /P /o addrA ler_addr ltW // /m; ps.
Qed.

Lemma P_le : P <= 4%:R / L.
Proof.
have u0 := u_gt0.
have le : o <= 2%:R / L.
  rewrite /o; have -> : 2%:R / L = L^-1 + L^-1 by rewrite mulr_natl mulr2n.
  rewrite ler_add2r lef_pinv ?posrE //; exact: le_trans LD Du.
have -> : 4%:R / L = 2%:R / L + 2%:R / L by rewrite -mulrDl -natrD.
by apply: ler_add => //; exact: le_trans m_le_o le.
Qed.

Lemma z_gt0 : 0 < 1 - 2%:R * g.
Proof.
refine (@lt_diff _ _ _ ((1 - 12%:R * g) / 6%:R + 5%:R / 6%:R) _ _); first by field.
by apply: ltr_paddl; [rewrite divr_ge0 ?ler0n // subr_ge0 | ps].
Qed.

Let L' := L - g / (1 + 2%:R * g) / P.
Let D' := D - g / m + g / (1 - 2%:R * g) / P.

(** L <= D is kept. *)
Lemma order_kept : L' <= D'.
Proof.
have d0 := D_gt0; have u0 := u_gt0; have b0 := b_gt0; have m0 := m_gt0.
have P0 := P_gt0; have z0 := z_gt0; have y0 : 0 < 1 + 2%:R * g by ps.
have mP : (D + L) / (D ^+ 2 * L) <= m * P.
  have -> : (D + L) / (D ^+ 2 * L) = D^-1 * (D^-1 + L^-1) by field; rewrite !gt_eqF.
  apply: ler_pmul; rewrite ?addr_ge0 ?invr_ge0 ?(ltW d0) ?(ltW L_gt0) //.
    by rewrite /m ler_addl invr_ge0 ltW.
  refine (@le_diff _ _ _ (b^-1 + u^-1) _ _); first by rewrite /P /m /o; ring.
  by nn.
have part : g / m - 2%:R * g / P <= D - L.
  have -> : g / m - 2%:R * g / P = g * (o - m) / (m * P).
    by rewrite /P; field; rewrite -/P !gt_eqF.
  rewrite ler_pdivr_mulr ?mulr_gt0 // split_gap.
  apply: (@le_trans _ _ ((D - L) * ((D + L) / (D ^+ 2 * L)))); last first.
    by apply: ler_wpmul2l => //; rewrite subr_ge0.
  rewrite mulrCA; apply: ler_wpmul2l; first by rewrite subr_ge0.
  apply: (@le_trans _ _ (1 * (D * L)^-1)).
    apply: ler_pmul; [exact: ltW | by rewrite subr_ge0 inv_le | | ].
      by apply: le_trans g_small; rewrite ler_pmull // ler1n.
    by rewrite ler_subl_addr ler_addl invr_ge0 ltW // mulr_gt0.
  refine (@le_diff _ _ _ (D ^+ 2)^-1 _ _); first by field; rewrite !gt_eqF.
  by nn.
have more : 2%:R * g / P <= g / (1 - 2%:R * g) / P + g / (1 + 2%:R * g) / P.
  rewrite -mulrDl; apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
  refine (@le_diff _ _ _ (8%:R * g ^+ 3 / ((1 - 2%:R * g) * (1 + 2%:R * g))) _ _).
    by field; rewrite !gt_eqF.
  by nn.
rewrite /L' /D'; move: part more; rewrite -subr_ge0 => part; rewrite -subr_ge0 => more.
move: part more; move: (g / m) (2%:R * g / P) (g / (1 - 2%:R * g) / P) (g / (1 + 2%:R * g) / P) => A B C E part more.
refine (@le_diff _ _ _ (D - L - (A - B) + (C + E - B)) _ _); first by ring.
exact: addr_ge0.
Qed.

(** L falls by a fraction between g/5 and g. *)
Lemma fall_le : L' * (5%:R + g) <= 5%:R * L.
Proof.
have P0 := P_gt0; have y0 : 0 < 1 + 2%:R * g by ps.
have q : g * L / (4%:R * (1 + 2%:R * g)) <= g / (1 + 2%:R * g) / P.
  have -> : g * L / (4%:R * (1 + 2%:R * g)) = g / (1 + 2%:R * g) * (L / 4%:R).
    by field; rewrite !gt_eqF.
  apply: ler_wpmul2l; first by nn.
  have -> : L / 4%:R = (4%:R / L)^-1 by rewrite invf_div.
  by rewrite lef_pinv ?posrE ?P_le // divr_gt0 ?ltr0n.
apply: (@le_trans _ _ ((L - g * L / (4%:R * (1 + 2%:R * g))) * (5%:R + g))).
  by apply: ler_wpmul2r; [nn | rewrite /L' ler_add2l ler_oppl opprK].
refine (@le_diff _ _ _ (g * L * (1 - 7%:R * g) / (4%:R * (1 + 2%:R * g))) _ _).
  by field; rewrite !gt_eqF.
have h : 0 <= 1 - 7%:R * g.
  apply: (@le_trans _ _ (1 - 12%:R * g)); first by rewrite subr_ge0.
  by rewrite ler_add2l ler_oppl opprK ler_pmul2r // ler_nat.
by nn.
Qed.

Lemma fall_ge : (1 - g) * L <= L'.
Proof.
have P0 := P_gt0; have y0 : 0 < 1 + 2%:R * g by ps.
rewrite /L' mulrBl mul1r ler_add2l ler_oppl opprK.
apply: (@le_trans _ _ (g / P)).
  apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
  by rewrite ler_pdivr_mulr // ler_pmulr // ler_addl; nn.
apply: ler_wpmul2l; first exact: ltW.
by rewrite -[L]invrK lef_pinv ?posrE ?invr_gt0 // P_ge.
Qed.

End Draw.

Section Plane.
Variables (R : realFieldType) (g : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_small : 12%:R * g <= 1.
Local Notation U := (@axes R 2).
Local Notation run n := (always (ord0 : 'I_2) n).
Local Notation hst := (hst U g).
Local Notation stop := (paper_stop U g).
Local Notation st n := (hst (run n)).
Let two_gt0 : (0 < 2)%N := isT.
Local Notation iso := (iso_axes R 2).
Local Notation D n := (dist ord0 (st n)).
Local Notation L n := (- lo (st n)).
Local Notation u n := (up (st n)).

Lemma g_lt : 2%:R * g < 1.
Proof. by rewrite -subr_gt0; exact: z_gt0. Qed.

Lemma L_pos n : 0 < L n.
Proof.
have [_] := eigen_gt0 (ord0 : 'I_2) two_gt0 g_gt0 g_lt n (lift ord0 ord0).
by rewrite /= mul0r sub0r.
Qed.

Lemma D_le n : D n <= u n.
Proof.
have [a0 _] := acc_qf (ord0 : 'I_2) two_gt0 g_gt0 g_lt n.
by rewrite dist_acc ler_subl_addr ler_addl.
Qed.

Lemma mass_at n : qf (bracket (st n)) (U ord0) = (D n)^-1 + (u n - D n + L n)^-1.
Proof.
rewrite (mass_eq ord0 two_gt0 g_gt0 g_lt); congr (_ + _^-1).
by rewrite dist_acc; ring.
Qed.

Lemma Phi_at n : Phi (st n) =
  (D n)^-1 + (u n - D n + L n)^-1 + ((u n)^-1 + (L n)^-1).
Proof. by rewrite (Phi_eq ord0 two_gt0 g_gt0 g_lt) mass_at mul1r. Qed.

Lemma L_step n : L n.+1 = L n - g / (1 + 2%:R * g) / Phi (st n).
Proof. by rewrite [st n.+1]/= opprD. Qed.

Lemma L_start : L 0 = 4%:R / g.
Proof. by rewrite /= opprK -natrM. Qed.

Lemma order n : L n <= D n.
Proof.
elim: n => [|n IH].
  by rewrite L_start dist0 -natrM.
rewrite L_step dist_step //; last exact: g_lt.
rewrite mass_at Phi_at; apply: order_kept => //; [exact: L_pos | exact: D_le].
Qed.

Lemma Phi_bounds n : (L n)^-1 <= Phi (st n) /\ Phi (st n) <= 4%:R / L n.
Proof.
rewrite Phi_at; have l0 := L_pos n; have o := order n; have d := D_le n.
by split; [exact: P_ge | exact: P_le].
Qed.

(** The sum of the potentials, and r. *)
Lemma sum_at n : ss U g (run n) <= 5%:R / (2%:R * L n).
Proof.
elim: n => [|n IH].
  have -> : ss U g (run 0) = 0 by rewrite /ss /= mulr0.
  by have := ltW (L_pos 0); move: (L 0) => l l0; nn.
have l0 := L_pos n; have l1 := L_pos n.+1; have [_ hi] := Phi_bounds n.
rewrite [run n.+1]/= -/(run n) ss_cons.
apply: (@le_trans _ _ (5%:R / (2%:R * L n) + g / (4%:R * 2%:R) * (4%:R / L n))).
  by apply: ler_add IH _; apply: ler_wpmul2l hi; nn.
have -> : 5%:R / (2%:R * L n) + g / (4%:R * 2%:R) * (4%:R / L n) = (5%:R + g) / (2%:R * L n).
  by move: (L n) l0 => l l0; field; rewrite gt_eqF.
rewrite ler_pdivr_mulr ?mulr_gt0 ?ltr0n // mulrAC ler_pdivl_mulr ?mulr_gt0 ?ltr0n //.
rewrite mulrCA [5%:R * _]mulrCA ler_pmul2l ?ltr0n // mulrC L_step Phi_at.
by apply: fall_le => //; [exact: order | exact: D_le].
Qed.

Lemma clock_at n :
  rr U g (run n) = clk 2 g * (1 + 2%:R * g) * (4%:R / g - L n).
Proof.
have y0 : 0 < 1 + 2%:R * g by ps.
elim: n => [|n IH].
  by rewrite (rr0 _ two_gt0 g_gt0) L_start subrr mulr0.
rewrite [run n.+1]/= -/(run n) (rr_cons two_gt0 iso g_gt0 g_lt) IH.
rewrite -[lo (step _ _ _ _)]/(lo (st n.+1)) L_step.
have P0 := hPhi_gt0 two_gt0 iso g_gt0 g_lt (run n).
by move: (Phi _) P0 (clk 2 g) => P P0 c; field; rewrite !gt_eqF.
Qed.

Lemma clock_small n : rr U g (run n) <= 1 / 5%:R.
Proof.
have z0 := z_gt0 g_small; have y0 : 0 < 1 + 2%:R * g by ps.
have c0 := clk_gt0 two_gt0 g_gt0 g_lt; have l0 := L_pos n.
rewrite clock_at; apply: (@le_trans _ _ (clk 2 g * (1 + 2%:R * g) * (4%:R / g))).
  by apply: ler_wpmul2l; [nn | rewrite ler_subl_addr ler_addl ltW].
have k : kap g = (1 - 2%:R * g) * (1 + 2%:R * g) by rewrite /kap; ring.
rewrite /clk k.
refine (@le_diff _ _ _ ((1 - 12%:R * g) / (5%:R * (1 - 2%:R * g))) _ _).
  by field; rewrite !gt_eqF.
by rewrite divr_ge0 ?subr_ge0 //; nn.
Qed.

Lemma still_on n : 4%:R <= L n -> ~~ stop (run n).
Proof.
move=> l4; rewrite (paper_stopE U two_gt0 g_gt0) -ltNge; have l0 := L_pos n.
apply: le_lt_trans (ler_add (clock_small n) (sum_at n)) _.
apply: (@le_lt_trans _ _ (1 / 5%:R + 5%:R / 8%:R)).
  rewrite ler_add2l; apply: ler_wpmul2l; first exact: ler0n.
  rewrite lef_pinv ?posrE ?mulr_gt0 ?ltr0n //.
  have -> : 8%:R = 2%:R * 4%:R :> R by rewrite -natrM.
  by rewrite ler_pmul2l ?ltr0n.
refine (@lt_diff _ _ _ (7%:R / 40%:R) _ _); first by field.
by ps.
Qed.

Lemma L_falls n : L n.+1 <= L n.
Proof.
have P0 := hPhi_gt0 two_gt0 iso g_gt0 g_lt (run n).
by rewrite L_step ler_subl_addr ler_addl; nn.
Qed.

Lemma L_down k n : (k <= n)%N -> L n <= L k.
Proof.
elim: n => [|n IH]; first by case: k.
by rewrite leq_eqVlt => /orP[/eqP -> //|/IH]; apply: le_trans; exact: L_falls.
Qed.

Lemma L_steps n : 4%:R <= L n -> L n <= 4%:R / g - n%:R * (g / 2%:R).
Proof.
elim: n => [|n IH] l4; first by rewrite L_start mul0r subr0.
have l4' : 4%:R <= L n := le_trans l4 (L_falls n).
have [_ hi] := Phi_bounds n; have l0 := L_pos n.
have P0 := hPhi_gt0 two_gt0 iso g_gt0 g_lt (run n).
have P1 : Phi (st n) <= 1 by apply: le_trans hi _; rewrite ler_pdivr_mulr // mul1r.
have y0 : 0 < 1 + 2%:R * g by ps.
have fall : g / 2%:R <= g / (1 + 2%:R * g) / Phi (st n).
  rewrite -mulrA; apply: ler_wpmul2l; first exact: ltW.
  rewrite -invfM lef_pinv ?posrE ?mulr_gt0 ?ltr0n //.
  apply: (@le_trans _ _ (2%:R * 1)); last by rewrite mulr1.
  apply: ler_pmul; [exact: ltW | exact: ltW | | exact: P1].
  refine (@le_diff _ _ _ (1 - 2%:R * g) _ _); first by ring.
  by rewrite ltW // z_gt0.
rewrite L_step [X in _ <= X](_ : _ = 4%:R / g - n%:R * (g / 2%:R) - g / 2%:R); last first.
  by rewrite mulrSr; ring.
by apply: ler_add (IH l4') _; rewrite ler_oppl opprK.
Qed.

(* slug: u-grows *)
Theorem upper_by_gamma : Num.archimedean_axiom R ->
  exists n, [/\ reach stop (run n), ~~ stop (run n),
    forall h x, 0 < prob U (hst h) x &
    up (st n.+1) - up (st n) <= 6%:R * g].
Proof.
move=> arch; have z0 := z_gt0 g_small.
have ex : exists n, L n.+1 < 4%:R.
  have [N hN] := arch (8%:R / g ^+ 2); exists N.
  rewrite ger0_norm in hN; last by nn.
  rewrite ltNge; apply/negP => l4; have := L_steps l4.
  apply/negP; rewrite -ltNge; apply: (@lt_le_trans _ _ 0); last exact: le_trans (ler0n _ 4) l4.
  rewrite subr_lt0 -ltr_pdivr_mulr; last by ps.
  have -> : 4%:R / g / (g / 2%:R) = 8%:R / g ^+ 2 by field; rewrite gt_eqF.
  by apply: lt_trans hN _; rewrite ltr_nat.
case: (ex_minnP ex) => n ln mn; exists n.
have l4 : 4%:R <= L n.
  case: n ln mn => [|n] ln mn.
    rewrite L_start ler_pdivl_mulr // ler_pimulr ?ler0n //.
    by apply: le_trans g_small; rewrite ler_pmull // ler1n.
  by rewrite leNgt; apply/negP => /mn; rewrite ltnn.
have [lo _] := Phi_bounds n; have l0 := L_pos n.
have P0 := hPhi_gt0 two_gt0 iso g_gt0 g_lt (run n).
split.
- by apply: reach_always => k lt; apply: still_on; apply: le_trans l4 (L_down (ltnW lt)).
- exact: still_on.
- by move=> h x; apply: prob_axes_gt0 => //; exact: (inv_h two_gt0 iso g_gt0 g_lt).
rewrite [st n.+1]/= -/(run n) /= addrC addKr.
have Ln : L n * (1 - g) <= 4%:R.
  apply: ltW; apply: le_lt_trans ln; rewrite mulrC L_step Phi_at.
  by apply: fall_ge => //; [exact: order | exact: D_le].
have w0 : 0 < 1 - g.
  by apply: lt_le_trans z0 _; rewrite ler_add2l ler_oppl opprK ler_pmull // ler1n.
apply: (@le_trans _ _ (g / (1 - 2%:R * g) * (4%:R / (1 - g)))).
  apply: ler_wpmul2l; first by nn.
  apply: (@le_trans _ _ (L n)); last by rewrite ler_pdivl_mulr.
  by rewrite -[L n]invrK lef_pinv ?posrE ?invr_gt0.
refine (@le_diff _ _ _ (g * ((1 - 12%:R * g) * 3%:R / 2%:R + 2%:R^-1 + 12%:R * g ^+ 2) / ((1 - 2%:R * g) * (1 - g))) _ _).
  by field; rewrite !gt_eqF.
have h : 0 <= 1 - 12%:R * g by rewrite subr_ge0.
by nn.
Qed.

End Plane.
