(** The drift of the potential under the paper's rates, quantified, and what
    it gives: a stronger supermartingale, a sharper tail, fewer labels.

      drift_above, drift_below == E[(u-A)^-1], E[(A-l)^-1] after one step
      theta_bracket == E[E'] <= (1 - th (r'-r)/(1+r)) E
      theta_super   == (1+r)/(1+(1-th) r) Phi^M is a supermartingale
      tail_theta    == the tail of r with (1-th) q for q
      clock_drift   == the clock lemma with a smaller number for rbar
      labels_drift  == labels under the paper's rule *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop.
From Asura Require Import Beyond.Move Beyond.TailSharp.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section OneStep.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Variable s : state R d.
Hypothesis ins : inv s.

Local Notation P := (upper s).
Local Notation Q := (lower s).
Local Notation cu := (g / (1 - 2%:R * g)).
Local Notation cl := (g / (1 + 2%:R * g)).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).

Lemma potE : pot P Q = Phi s.
Proof. by rewrite PhiE. Qed.
Lemma prE x : pr U P Q x = prob U s x.
Proof. by rewrite /pr potE. Qed.
Lemma wtE x : wt U g P Q x = weight U g s x.
Proof. by rewrite (weightE _ _ d_gt0 ins). Qed.
Lemma up_moveE x : up_move U g P Q cu x = upper (step U g s x).
Proof. by rewrite upper_step /up_move potE wtE addrAC. Qed.
Lemma lo_moveE x : lo_move U g P Q cl x = lower (step U g s x).
Proof. by rewrite lower_step /lo_move potE wtE. Qed.

Let g1 := g1_gt0 g_gt0 g_lt.
Let g2 := g2_gt0 g_lt.
Let p1 := p1_gt0 g_gt0.
Let p2 := p2_gt0 g_gt0.

Lemma p3_gt0 : 0 < 1 + 2%:R * g + 2%:R * g ^+ 2. Proof. by ps. Qed.

Lemma kuE : ku g cu = g ^+ 2 / ((1 - g) * (1 - 2%:R * g)).
Proof. by rewrite /ku; field; rewrite !gt_eqF. Qed.

Lemma klE : kl g cl = g ^+ 2 / ((1 + 2%:R * g) * (1 + 2%:R * g + 2%:R * g ^+ 2)).
Proof.
have c : 1 - cl = (1 + g) / (1 + 2%:R * g) by field; rewrite !gt_eqF.
have t : 1 + tl g cl = (1 + 2%:R * g + 2%:R * g ^+ 2) / (1 + g).
  by rewrite /tl c; field; rewrite !gt_eqF.
have p3 := p3_gt0; rewrite /kl t.
have -> : g / ((1 + 2%:R * g + 2%:R * g ^+ 2) / (1 + g)) =
  g * (1 + g) / (1 + 2%:R * g + 2%:R * g ^+ 2) by rewrite invf_div mulrA.
apply/eqP; rewrite -subr_eq0; apply/eqP.
move: p3; set z := 1 + 2%:R * g + 2%:R * g ^+ 2 => p3.
have -> : g * (1 + g) / z - cl - g ^+ 2 / ((1 + 2%:R * g) * z) =
  g * ((1 + g) * (1 + 2%:R * g) - z - g) / ((1 + 2%:R * g) * z).
  by field; rewrite !gt_eqF.
by have -> : (1 + g) * (1 + 2%:R * g) - z - g = 0 by [rewrite /z; ring];
  rewrite mulr0 mul0r.
Qed.

Lemma ku_gt0 : 0 < ku g cu. Proof. by rewrite kuE; ps. Qed.
Lemma kl_gt0 : 0 < kl g cl. Proof. by have p3 := p3_gt0; rewrite klE; ps. Qed.
Lemma cu_ge0 : 0 <= cu. Proof. by nn. Qed.
Lemma cl_ge0 : 0 <= cl. Proof. by nn. Qed.
Lemma cl_lt1 : cl < 1.
Proof. by rewrite ltr_pdivr_mulr // mul1r; refine (@lt_diff _ _ _ (1 + g) _ _); [ring|]. Qed.
Lemma g_lt1 : g < 1. Proof. by rewrite -subr_gt0. Qed.

Lemma cu_cond : 0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 ->
  ku g cu * cu <= 2%:R * (g / (1 - g)) - cu.
Proof.
move=> h; rewrite kuE.
refine (@le_diff _ _ _ (g * (1 - 5%:R * g + 5%:R * g ^+ 2) /
   ((1 - g) * (1 - 2%:R * g) ^+ 2)) _ _); first by field; rewrite !gt_eqF.
by move: h; move: (1 - 5%:R * g + _) => y y0; nn.
Qed.

(* slug: drift *)
Lemma drift_above : 0 <= 1 - 5%:R * g + 5%:R * g ^+ 2 ->
  psd (invmx P - (g ^+ 2 / ((1 - g) * (1 - 2%:R * g)) / Phi s) *: (invmx P *m invmx P)
       - \sum_x prob U s x *: invmx (upper (step U g s x))).
Proof.
case: ins => pP pQ h.
have := drift_upper d_gt0 isoU g_gt0 g_lt1 pP pQ cu_ge0 (ltW ku_gt0) (cu_cond h).
rewrite kuE potE.
by under eq_bigr => x _ do rewrite prE up_moveE.
Qed.

(* slug: drift *)
Lemma drift_below :
  psd (invmx Q - (g ^+ 2 / ((1 + 2%:R * g) * (1 + 2%:R * g + 2%:R * g ^+ 2)) / Phi s)
         *: (invmx Q *m invmx Q)
       - \sum_x prob U s x *: invmx (lower (step U g s x))).
Proof.
case: ins => pP pQ.
have := drift_lower d_gt0 isoU g_gt0 pP pQ cl_ge0 cl_lt1 (ltW kl_gt0).
rewrite klE potE.
by under eq_bigr => x _ do rewrite prE lo_moveE.
Qed.

(** The rate of decrease in terms of r. *)
Lemma theta_rate : 4%:R / gap s / ((ku g cu)^-1 + (kl g cl)^-1) / Phi s =
  kap / (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) *
  (clk * g / Phi s / (1 + rad g s)).
Proof.
have d0 := @d_pos R d d_gt0; have F0 := Phi_gt0 d_gt0 ins.
have k0 := kap_gt0 g_gt0 g_lt; have p3 := p3_gt0.
have a0 : 0 < gap s by apply: (gap_gt0 d_gt0 ins).
have -> : (ku g cu)^-1 + (kl g cl)^-1 =
  (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) / g ^+ 2.
  by rewrite kuE klE; field; rewrite !gt_eqF.
have z0 : 0 < 2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3 by ps.
have -> : 1 + rad g s = g * gap s / (4%:R * d%:R) by rewrite /rad addrC subrK.
rewrite /clk; move: z0 F0 a0 k0.
move: (2%:R + g + _ + _) (Phi s) (gap s) (kap) => z F a k *.
by field; rewrite !gt_eqF.
Qed.

Section Theta.
Variable th : R.
Hypothesis th_le : th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= kap.
Hypothesis g5 : 0 <= 1 - 5%:R * g + 5%:R * g ^+ 2.

(* slug: theta-supermartingale *)
Lemma theta_bracket :
  psd ((1 - th * (clk * g / Phi s / (1 + rad g s))) *: bracket s
       - \sum_x prob U s x *: bracket (step U g s x)).
Proof.
have F0 := Phi_gt0 d_gt0 ins; have a0 := gap_gt0 d_gt0 ins.
have z0 : 0 < 2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3 by ps.
have c0 : 0 < 4%:R / gap s by ps.
case: (ins) => pP pQ.
have := drift_bracket d_gt0 isoU g_gt0 g_lt1 pP pQ cu_ge0 cl_ge0 cl_lt1 ku_gt0
  kl_gt0 (cu_cond g5) c0 (bracket_ge d_gt0 ins).
rewrite potE theta_rate -/(bracket s).
under eq_bigr => x _ do rewrite prE /brk_move up_moveE lo_moveE.
move=> h; apply: psd_trans h _; rewrite -scalerBl.
apply: psdZ; last exact/pd_psd/bracket_pd.
have th_K : th <= kap / (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3).
  by rewrite ler_pdivl_mulr.
move: th_K; move: (kap / _) => K th_K.
set y := clk * g / _ / _; have -> : 1 - th * y - (1 - K * y) = (K - th) * y by ring.
rewrite /y; apply: mulr_ge0; first by rewrite subr_ge0.
have k0 := clk_gt0 d_gt0 g_gt0 g_lt; have r1 := rad1_gt0 d_gt0 g_gt0 ins.
by move: r1; move: (1 + rad g s) => b b0; nn.
Qed.

Lemma theta_phi M : psd M -> \sum_x prob U s x * phi M (step U g s x) <=
  (1 - th * (clk * g / Phi s / (1 + rad g s))) * phi M s.
Proof.
move=> pM; have := tr_mono pM theta_bracket.
rewrite mulmx_sumr raddf_sum /= -scalemxAr mxtraceZ.
by under eq_bigr do rewrite -scalemxAr mxtraceZ.
Qed.

End Theta.
End OneStep.

(** ** The rational factor. *)
Section Factor.
Variables (R : realFieldType) (th : R).
Hypothesis th01 : 0 <= th <= 1.
Definition lift (r : R) : R := (1 + r) / (1 + (1 - th) * r).

Let mu0 : 0 <= 1 - th. Proof. by rewrite subr_ge0; case/andP: th01. Qed.
Let th0 : 0 <= th. Proof. by case/andP: th01. Qed.

Lemma lift_den r : 0 <= r -> 0 < 1 + (1 - th) * r.
Proof. by move=> r0; apply: ltr_spaddl; [exact: ltr01 | exact: mulr_ge0]. Qed.

Lemma lift0 : lift 0 = 1.
Proof. by rewrite /lift mulr0 !addr0 divr1. Qed.

Lemma lift_ge1 r : 0 <= r -> 1 <= lift r.
Proof.
move=> r0; rewrite /lift ler_pdivl_mulr ?lift_den // mul1r ler_add2l.
by apply: ler_pimull => //; rewrite ler_subl_addr ler_addl.
Qed.

Lemma lift_gt0 r : 0 <= r -> 0 < lift r.
Proof. by move/lift_ge1; apply: lt_le_trans; exact: ltr01. Qed.

Lemma lift_step r e : 0 <= r -> 0 <= e ->
  lift (r + e) * (1 - th * (e / (1 + r))) <= lift r.
Proof.
move=> r0 e0; have a := lift_den r0; have b := lift_den (addr_ge0 r0 e0).
have c : 0 < 1 + r by ps.
refine (@le_diff _ _ _ (((1 - th) * th * e * r * (1 + r) +
  th * (1 + (1 - th) * r) * e ^+ 2) /
  ((1 + (1 - th) * r) * (1 + (1 - th) * (r + e)) * (1 + r))) _ _).
  by rewrite /lift; field; rewrite !gt_eqF.
have m := mu0; have t := th0.
move: a b m; move: (1 + (1 - th) * r) (1 + (1 - th) * (r + e)) (1 - th).
by move=> x1 x2 x3 *; nn.
Qed.

End Factor.

Section Trees.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g th : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis g5 : 0 <= 1 - 5%:R * g + 5%:R * g ^+ 2.
Hypothesis th01 : 0 <= th <= 1.
Hypothesis th_le : th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= kap g.

Local Notation hst := (hst U g).
Local Notation rr := (rr U g).
Local Notation p h x := (prob U (hst h) x).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation stop := (paper_stop U g).
Local Notation inv_h := (inv_h d_gt0 isoU g_gt0 g_lt).
Local Notation rr_ge0 := (rr_ge0 d_gt0 isoU g_gt0 g_lt).
Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).
Local Notation clk_gt0 := (clk_gt0 d_gt0 g_gt0 g_lt).
Local Notation d_pos := (@d_pos R d d_gt0).

Let th0 : 0 <= th. Proof. by case/andP: th01. Qed.
Let th1 : th <= 1. Proof. by case/andP: th01. Qed.

(* slug: theta-supermartingale *)
Lemma theta_super h x0 M : psd M ->
  \sum_x p h x * (lift th (rr (x0 :: h)) * phi M (hst (x :: h))) <=
  lift th (rr h) * phi M (hst h).
Proof.
move=> pM; have r0 := rr_ge0 h.
have m0 := phi_ge0 (inv_h h) pM.
rewrite (eq_bigr (fun x => lift th (rr (x0 :: h)) *
   (p h x * phi M (step U g (hst h) x)))); last by move=> x _; rewrite mulrCA.
rewrite -mulr_sumr.
have t := theta_phi d_gt0 isoU g_gt0 g_lt (inv_h h) th_le g5 pM.
have r0' := rr_ge0 (x0 :: h).
apply: le_trans (ler_wpmul2l (ltW (lift_gt0 th01 r0')) t) _.
rewrite [X in X <= _]mulrA; apply: ler_wpmul2r => //.
rewrite (rr_cons d_gt0 isoU g_gt0 g_lt) -/(rr h); apply: lift_step => //.
exact/ltW/(dr_gt0 d_gt0 isoU g_gt0 g_lt).
Qed.

(* slug: tail-sharp *)
Lemma tail_theta n q L : 0 < q -> 0 < L -> 1 < (1 + (1 - th) * q) * L ->
  kap * L ^+ 2 * q <= 4%:R * (1 - q) ->
  Pr U g stop n (fun h => stop h && (rr h < q)) <=
  (1 - th) * q / ((1 + (1 - th) * q) * L - 1).
Proof.
move=> q0 L0 qL kL; have a := lift_den th01 (ltW q0).
have z : 0 < (1 + (1 - th) * q) * L - 1 by rewrite subr_gt0.
pose f0 := (1 + (1 - th) * q)^-1.
have -> : (1 - th) * q / ((1 + (1 - th) * q) * L - 1) = (1 - f0) / (L - f0).
  have -> : L - f0 = ((1 + (1 - th) * q) * L - 1) / (1 + (1 - th) * q).
    by rewrite /f0; field; rewrite gt_eqF.
  move: z; move: ((1 + (1 - th) * q) * L - 1) => y y0; rewrite /f0.
  by field; rewrite !gt_eqF.
apply: (@tail_factor _ _ _ _ _ d_gt0 isoU g_gt0 g_lt q L f0 (lift th)) => //.
- by move=> h x0; exact: (theta_super h x0 (psd1 R d)).
- by move=> r r0 _; exact: lift_ge1.
- move=> r r0 rq; rewrite [f0 * _]mulrC /lift; apply: ler_wpmul2l; first by nn.
  rewrite /f0 lef_pinv ?posrE ?(lift_den th01) ?(ltW q0) // ler_add2l.
  apply: ler_wpmul2l.
    by rewrite subr_ge0.
  exact: ltW.
- exact: lift0.
- by rewrite /f0 -(ltr_pmul2l a) mulfV ?gt_eqF.
Qed.

(** The clock lemma with drift. *)
Lemma clock_drift (st : pred (seq I)) n rbar M : psd M ->
  (forall h, reach st h -> rr h <= rbar) ->
  Tsum U g st n (fun h => phi M (hst h) / Phi (hst h)) [::] <=
  kap * (rbar + clk * (1 + rbar) / 2%:R - th * rbar ^+ 2 / (2%:R * (1 + rbar)))
    * \tr M / g ^+ 2.
Proof.
move=> pM rb; have c0 := clk_gt0; have d0 := d_pos; have k0 := kap_gt0.
have rb0 : 0 <= rbar by have := rb [::] isT; rewrite (rr0 U d_gt0 g_gt0).
have rb1 : 0 < 1 + rbar by ps.
pose H (r : R) : R := (rbar - r) - th * (rbar - r) ^+ 2 / (2%:R * (1 + rbar))
   + clk * (1 + rbar) / 2%:R.
have H0 r : 0 <= r -> r <= rbar -> 0 <= H r.
  move=> r0 rle; have z0 : 0 <= rbar - r by rewrite subr_ge0.
  refine (_ : 0 <= (rbar - r) - th * (rbar - r) ^+ 2 / (2%:R * (1 + rbar)) + _).
  apply: addr_ge0; last by nn.
  rewrite subr_ge0 ler_pdivr_mulr; last by ps.
  refine (@le_diff _ _ _ ((rbar - r) *
     ((1 - th) * (rbar - r) + 2%:R + 2%:R * r + (rbar - r))) _ _).
    by ring.
  by have t : 0 <= 1 - th by [rewrite subr_ge0]; move: z0 t;
    move: (rbar - r) (1 - th) => z1 z2 *; nn.
pose W h := H (rr h) * phi M (hst h) / (clk * g).
have -> : kap * (rbar + clk * (1 + rbar) / 2%:R - th * rbar ^+ 2 / (2%:R * (1 + rbar)))
    * \tr M / g ^+ 2 = W [::].
  rewrite /W (rr0 U d_gt0 g_gt0) /H subr0 /= (phi_start d_gt0 g_gt0).
  by rewrite /clk; field; rewrite !gt_eqF.
apply: Tsum_super => // h rh.
  have a := phi_ge0 (inv_h h) pM.
  have b := H0 _ (rr_ge0 h) (rb h rh).
  by rewrite /W; apply: mulr_ge0; [exact: mulr_ge0 | nn].
move=> ns; pose e := clk * g / Phi (hst h).
have F0 := Phi_gt0 d_gt0 (inv_h h).
have e0 : 0 < e by exact: (dr_gt0 d_gt0 isoU g_gt0 g_lt).
have ele : e <= clk * (1 + rr h) by exact: (dr_le d_gt0 isoU g_gt0 g_lt).
have r0 := rr_ge0 h; have r1 : 0 < 1 + rr h by ps.
have rx x : rr (x :: h) = rr h + e by rewrite (rr_cons d_gt0 isoU g_gt0 g_lt).
have rle : rr h + e <= rbar.
  case: (pickP I) => [x _|no]; first by rewrite -(rx x) rb //= ns.
  have := p_sum d_gt0 isoU g_gt0 g_lt h; rewrite big_pred0 ?no //.
  by move=> /eqP; rewrite eq_sym oner_eq0.
have eq : \sum_x p h x * W (x :: h) =
  H (rr h + e) / (clk * g) * \sum_x p h x * phi M (step U g (hst h) x).
  by rewrite mulr_sumr; apply: eq_bigr => x _; rewrite /W rx /=; ring.
have t := theta_phi d_gt0 isoU g_gt0 g_lt (inv_h h) th_le g5 pM.
have Hn : 0 <= H (rr h + e) / (clk * g).
  apply: mulr_ge0; last by nn.
  by apply: H0 => //; apply: addr_ge0 => //; exact: ltW.
rewrite eq; apply: le_trans (ler_add (lexx _) (ler_wpmul2l Hn t)) _.
rewrite -/(rr h) -/e; have m0 := phi_ge0 (inv_h h) pM.
have -> : phi M (hst h) / Phi (hst h) = e * phi M (hst h) / (clk * g).
  by rewrite /e; move: (phi M _) => y; field; rewrite !gt_eqF.
rewrite /W; set y := phi M (hst h) in m0 *; set r := rr h in r0 r1 rle ele *.
have -> : e * y / (clk * g) + H (r + e) / (clk * g) * ((1 - th * (e / (1 + r))) * y) =
  (e + H (r + e) * (1 - th * (e / (1 + r)))) * (y / (clk * g)) by ring.
rewrite -mulrA; apply: ler_wpmul2r; first by nn.
have z0 : 0 <= rbar - (r + e) by rewrite subr_ge0.
have t0 : 0 <= 1 - th by rewrite subr_ge0.
have c1 : 0 <= clk * (1 + r) - e by rewrite subr_ge0.
refine (@le_diff _ _ _ (th * e / (2%:R * (1 + rbar) * (1 + r)) *
  ((1 + rbar) * ((clk * (1 + r) - e) + clk * (rbar - (r + e) + e)) +
   (1 - th) * (rbar - (r + e)) ^+ 2 + (rbar - (r + e)) ^+ 2 +
   3%:R * (rbar - (r + e)) * e + e ^+ 2)) _ _).
  rewrite /H; move: (clk) (e) (rbar) rb1 => c e' b b1.
  by field; rewrite !gt_eqF.
move: z0 t0 c1 e0; move: (rbar - (r + e)) (1 - th) (clk * (1 + r) - e) (e).
by move=> z1 z2 z3 z4 *; nn.
Qed.

(** Labels under the paper's rule, with rbar = 1 + 2 clk. *)
Local Notation rbar := (1 + 2%:R * clk).
(* slug: theta-supermartingale *)
Lemma labels_drift n (X1 : pred I) :
  Exp U g stop n (fun h => (labels X1 h)%:R) <=
  kap * (rbar + clk * (1 + rbar) / 2%:R - th * rbar ^+ 2 / (2%:R * (1 + rbar)))
    * \tr (\sum_(x | X1 x) U x *m (U x)^T) / g ^+ 2.
Proof.
apply: (@le_trans _ _ (Exp U g stop n (fun h => (count X1 h)%:R))).
  by apply: Tend_mono => // h _; rewrite ler_nat labels_le.
rewrite /Exp Tend_draws // add0r; apply: clock_drift; first exact: psd_mass.
move=> h /(paper_reach_rr d_gt0 isoU g_gt0 g_lt); rewrite -[1 + 1]/(2%:R).
by rewrite mulrC.
Qed.

End Trees.
