(** The paper's method with X2 kept, under the rule like the paper's: the tail
    of the clock, and the main theorem with any constant and with 15, for
    every R_X > 0. When R_X is small one step may take the clock far beyond 1,
    but every step starts below 1, so its noise is at most that of 1 + r = 2.

      ts_tail        == P(r_m < q) <= q/((1+q) L - 1), if k L^2 q <= 4 (1-q)
      kept_prim      == the primitive of the weight, 1 + min(r, 1) for 1 + r
      kept_total     == what it grows by, from 0 to infinity
      ts_main_any    == P(good) >= 1 - (t + kept_total/C^2)
      ts_main_fifteen == C = 15: probability 3/4 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Regression SureStop RealClosed.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.MainAny.
From Asura Require Import Beyond.Move Beyond.Chain Beyond.OneSidedData.
From Asura Require Import Beyond.TwoSided Beyond.TwoSidedRun Beyond.TwoSidedData.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** The tail. *)
Section Tail.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (g : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis D_le : psd (1%:M - os_target U X1).
Hypothesis rk_gt0 : 0 < ts_rank U X1.

Local Notation rk := (ts_rank U X1).
Local Notation st h := (ts_state U X1 g h).
Local Notation pot h := (ts_pot U X1 g (st h)).
Local Notation p := (ts_law U X1 g).
Local Notation r h := (ts_clock U X1 g h).
Local Notation ss h := (ts_spent U X1 g h).
Local Notation kap := (1 - 4%:R * g ^+ 2).
Local Notation stop := (ts_paper U X1 g).
Local Notation potp h := (tpot_gt0 g_gt0 g_lt rk_gt0 h).
Local Notation rp h := (tr_ge0 g_gt0 g_lt rk_gt0 h).
Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.
Implicit Types h : seq I.

Variables q L : R.
Hypothesis q_gt0 : 0 < q.
Hypothesis L_gt0 : 0 < L.
Hypothesis qL : kap * L ^+ 2 * q <= 4%:R * (1 - q).

(** All earlier potentials were below L g. *)
Fixpoint ts_calm h : bool :=
  if h is _ :: h' then (pot h' < L * g) && ts_calm h' else true.

Lemma ts_below h : ts_calm h -> 4%:R * ss h <= kap * L ^+ 2 * r h.
Proof.
elim: h => [_|x h IH /= /andP[lt /IH le]].
  by rewrite (tr_nil U X1 g) /ts_spent /= !mulr0.
have P0 := potp h; rewrite ts_cons (tr_cons g_gt0 g_lt rk_gt0) 2!mulrDr.
apply: ler_add => //; move: k0 lt P0; move: (kap) (pot h) => k F k1 lt P0.
refine (@le_diff _ _ _ (g / (rk * F) * ((L * g) ^+ 2 - F ^+ 2)) _ _).
  by field; rewrite !gt_eqF.
apply: mulr_ge0; first by nn.
by rewrite subr_ge0 ler_pexpn2r ?nnegrE ?(ltW lt) //; nn.
Qed.

Lemma ts_calm_on h : ts_calm h -> r h < q -> ~~ stop h.
Proof.
move=> c rq; have le := ts_below c; have r0 := rp h.
rewrite /ts_paper -ltNge -(ltr_pmul2l (ltr0Sn R 3)) mulrDr mulr1.
apply: le_lt_trans (ler_add (lexx _) le) _.
have h1 : q * (kap * L ^+ 2 * r h) <= r h * (4%:R * (1 - q)).
  have -> : q * (kap * L ^+ 2 * r h) = r h * (kap * L ^+ 2 * q) by ring.
  exact: ler_wpmul2l.
rewrite -(ltr_pmul2l q_gt0) mulrDr; apply: le_lt_trans (ler_add (lexx _) h1) _.
refine (@lt_diff _ _ _ (4%:R * (q - r h)) _ _); first by ring.
by rewrite pmulr_rgt0 ?ltr0n // subr_gt0.
Qed.

Local Notation ev := (fun h => (stop h && (r h < q))%:R : R).
Let q0 h x : reach stop h -> ~~ stop h -> 0 <= p h x.
Proof. by move=> _ _; exact: ts_law0. Qed.
Let q1 h : reach stop h -> ~~ stop h -> \sum_x p h x = 1.
Proof. by move=> _ _; exact: ts_law1. Qed.

Lemma ts_ev_le1 n h : reach stop h -> run_mean p stop n ev h <= 1.
Proof.
move=> rh; rewrite -[X in _ <= X](rmean_const q1 n 1 rh).
by apply: (rmean_mono q0) => // h' _; rewrite -[1]/(1%:R) ler_nat leq_b1.
Qed.

(** Once r has passed q the event is over. *)
Lemma ts_ev_zero n h : q <= r h -> run_mean p stop n ev h = 0.
Proof.
elim: n h => [|n IH] h le /=; first by rewrite ltNge le andbF if_same.
rewrite ltNge le andbF; case: ifP => // _; rewrite big1 // => x _.
rewrite IH ?mulr0 // (tr_cons g_gt0 g_lt rk_gt0).
by apply: le_trans le _; rewrite ler_addl ltW // te_gt0.
Qed.

Hypothesis qL1 : 1 < (1 + q) * L.
Let q1_gt0 : 0 < 1 + q. Proof. by ps. Qed.
Let f0 := (1 + q)^-1.
Let fL : 0 < L - f0.
Proof. by rewrite subr_gt0 -(ltr_pmul2l q1_gt0) /f0 mulfV ?gt_eqF. Qed.

Lemma ts_tail_tree n h : reach stop h -> ts_calm h -> r h < q ->
  run_mean p stop n ev h * (L - f0) <= pot h / g - f0.
Proof.
have base h' : r h' < q -> 0 <= pot h' / g - f0.
  move=> rq; rewrite subr_ge0; apply: (@le_trans _ _ ((1 + r h')^-1)).
    have r1 := tr1_gt0 g_gt0 g_lt rk_gt0 h'.
    by rewrite /f0 lef_pinv ?posrE // ler_add2l ltW.
  by rewrite ler_pdivl_mulr // mulrC; exact: tpot_ge.
elim: n h => [|n IH] h rh c rq.
  have /negbTE ns := ts_calm_on c rq.
  by rewrite /= ns /= mul0r; exact: base.
have ns := ts_calm_on c rq.
case: (lerP (L * g) (pot h)) => [big|small].
  apply: (@le_trans _ _ (L - f0)).
    by apply: ler_pimull; [exact: ltW | exact: ts_ev_le1].
  by rewrite ler_add2r ler_pdivl_mulr.
rewrite [run_mean _ _ _ _ _]/= (negbTE ns).
case: (lerP q (r h + g ^+ 3 / (kap * rk) / pot h)) => [out|inq].
  rewrite big1 ?mul0r ?base // => x _.
  by rewrite ts_ev_zero ?mulr0 // (tr_cons g_gt0 g_lt rk_gt0).
rewrite mulr_suml.
apply: (@le_trans _ _ (\sum_x p h x * (pot (x :: h) / g - f0))).
  apply: ler_sum => x _; rewrite -mulrA; apply: ler_wpmul2l; first exact: q0.
  apply: IH; [by rewrite /= ns | by rewrite /= small |].
  by rewrite (tr_cons g_gt0 g_lt rk_gt0).
rewrite (eq_bigr (fun x => p h x * pot (x :: h) / g - p h x * f0)); last first.
  by move=> x _; rewrite mulrBr mulrA.
rewrite sumrB -[X in _ - X]mulr_suml q1 // mul1r ler_add2r -mulr_suml.
apply: ler_wpmul2r; first by nn.
have [pP pQ] := ts_inv g_gt0 g_lt rk_gt0 h.
exact: (ts_mean_tr g_gt0 g_lt rk_gt0 pP pQ (tD_psd U X1)).
Qed.

Lemma ts_pot_start : pot [::] = g.
Proof.
rewrite /ts_pot /ts_brk /ts_hi /ts_low /= mulr0 !mul0r scale0r add0r !subr0 addr0.
rewrite !invmx_scalar -raddfD /= mul_mx_scalar mxtraceZ -/rk.
by field; rewrite !gt_eqF.
Qed.

(* slug: two-sided *)
Theorem ts_tail n :
  run_chance p stop n (fun h => stop h && (r h < q)) <= q / ((1 + q) * L - 1).
Proof.
have z : 0 < (1 + q) * L - 1 by rewrite subr_gt0.
have -> : q / ((1 + q) * L - 1) = (1 - f0) / (L - f0).
  have -> : L - f0 = ((1 + q) * L - 1) / (1 + q) by rewrite /f0; field; rewrite gt_eqF.
  by rewrite /f0; move: z; move: ((1 + q) * L - 1) => y y0; field; rewrite !gt_eqF.
rewrite ler_pdivl_mulr //; have := @ts_tail_tree n [::] isT isT.
by rewrite (tr_nil U X1 g) ts_pot_start divff ?gt_eqF // => /(_ q_gt0).
Qed.

End Tail.

(** ** The weight, for steps that start below 1 and end anywhere. *)
Section Weight.
Variables (R : realFieldType) (C q y : R).
Hypothesis C_gt2 : 2%:R < C.
Hypothesis q_ge0 : 0 <= q.
Hypothesis q_le1 : q <= 1.
Hypothesis y_gt0 : 0 < y.
Hypothesis den_q : 0 < den C q.
Implicit Types r : R.

Local Notation den := (den C).
Local Notation psi := (psi C q).
Local Notation prim := (prim C q y).
Local Notation last := (2%:R * C ^+ 2 / (C - 2%:R)).

Definition kept_prim r : R :=
  if r <= 1 then prim r else prim 1 + last * ((den 1)^-1 - (den r)^-1).
Definition kept_total : R := (C / den q) ^+ 2 * (q + q ^+ 2 / 2%:R) +
  (far C y 1 - far C y q) + last / den 1.

Let c2 : 0 < C - 2%:R := C2_gt0 C_gt2.
Let c0 : 0 < C := C_gt0 C_gt2.
Let d1 : 0 < den 1 := den_gt0 C_gt2 den_q q_le1.

Lemma prim_mono r r' : 0 <= r -> r <= r' -> prim r <= prim r'.
Proof.
move=> r0 le; rewrite -subr_ge0; apply: le_trans (prim_grow C_gt2 y_gt0 den_q r0 le).
apply: mulr_ge0; first exact: sqr_ge0.
by apply: mulr_ge0; [nn | rewrite subr_ge0].
Qed.

Lemma kept_grow r r' : 0 <= r -> r <= 1 -> r <= r' ->
  psi r' * ((1 + r) * (r' - r)) <= kept_prim r' - kept_prim r.
Proof.
move=> r0 r1 le; rewrite /kept_prim r1; case: (lerP r' 1) => r1'.
  exact: prim_grow.
have d2 : 0 < den r' := den_gt0 C_gt2 den_q (le_trans q_le1 (ltW r1')).
have a1 : psi r' * ((1 + r) * (1 - r)) <= prim 1 - prim r.
  apply: le_trans (prim_grow C_gt2 y_gt0 den_q r0 r1).
  apply: ler_wpmul2r; last exact: (psi_anti C_gt2 den_q ler01 (ltW r1')).
  by apply: mulr_ge0; [nn | rewrite subr_ge0].
have ea : above q r' = r'.
  by rewrite /above leNgt (le_lt_trans q_le1 r1').
have a2 : psi r' * ((1 + r) * (r' - 1)) <= last * ((den 1)^-1 - (den r')^-1).
  apply: (@le_trans _ _ (psi r' * (2%:R * (r' - 1)))).
    apply: ler_wpmul2l; first exact: sqr_ge0.
    by apply: ler_wpmul2r; rewrite ?subr_ge0 ?(ltW r1') // -[2%:R]/(1 + 1) ler_add2l.
  have e1 : r' = 1 + (den r' - den 1) / (C - 2%:R).
    by rewrite /MainAny.den; field; rewrite gt_eqF.
  have z : 0 <= den r' - den 1 by rewrite subr_ge0 den_mono // ltW.
  refine (@le_diff _ _ _ (2%:R * C ^+ 2 / (C - 2%:R) * (den r' - den 1) ^+ 2
    / (den 1 * den r' ^+ 2)) _ _); last first.
    by move: z d1 d2 c2; move: (den r' - den 1) (den 1) (den r') (C - 2%:R) => *; nn.
  rewrite /MainAny.psi ea; have -> : r' - 1 = (den r' - den 1) / (C - 2%:R).
    by rewrite {1}e1 addrC addKr.
  by move: d1 d2 c2; move: (den 1) (den r') (C - 2%:R) => D D' c *; field; rewrite !gt_eqF.
have -> : psi r' * ((1 + r) * (r' - r)) =
  psi r' * ((1 + r) * (1 - r)) + psi r' * ((1 + r) * (r' - 1)) by ring.
by rewrite addrAC; apply: ler_add.
Qed.

Lemma kept_cap r : 0 <= r -> kept_prim r <= prim 1 + last / den 1.
Proof.
have l0 : 0 <= last by move: c2; move: (C - 2%:R) => *; nn.
have l1 : 0 <= last / den 1 by apply: mulr_ge0 => //; rewrite invr_ge0 ltW.
move=> r0; rewrite /kept_prim; case: (lerP r 1) => r1.
  by apply: le_trans (prim_mono r0 r1) _; rewrite ler_addl.
rewrite ler_add2l; apply: ler_wpmul2l => //; rewrite ler_subl_addr ler_addl.
by rewrite invr_ge0 ltW //; apply: (den_gt0 C_gt2 den_q); apply: le_trans (ltW r1).
Qed.

Lemma kept_totalE : (prim 1 + last / den 1) - kept_prim 0 = kept_total.
Proof.
rewrite /kept_prim ler01 addrAC (prim_end _ _ q_ge0 q_le1) //.
Qed.

Lemma kept_total_ge0 : 0 <= kept_total.
Proof. by rewrite -kept_totalE subr_ge0; exact: kept_cap. Qed.

End Weight.

(** ** On the data. *)
Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I).
Variables (g C q y : R).
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_le : C * g <= 1.
Hypothesis C_gt2 : 2%:R < C.
Hypothesis q01 : 0 <= q <= 1.
Hypothesis y_gt0 : 0 < y.
Hypothesis den_q : 0 < den C q.
Hypothesis R_gt0 : 0 < reduced_rank X X1.

Local Notation U := (white X P).
Local Notation rk := (ts_rank U X1).
Local Notation st h := (ts_state U X1 g h).
Local Notation pot h := (ts_pot U X1 g (st h)).
Local Notation p := (ts_law U X1 g).
Local Notation r h := (ts_clock U X1 g h).
Local Notation kap := (1 - 4%:R * g ^+ 2).
Local Notation stop := (ts_paper U X1 g).
Local Notation weight h := (ts_weight U X1 g h).
Local Notation fit h := (weighted_fit X Y (weight h)).
Local Notation excess h := (loss X Y (fit h) - opt X Y).
Local Notation e h := (g ^+ 3 / (kap * rk) / pot h).
Local Notation noise h := (sqn (ts_noise X Y P X1 g h)).
Local Notation psi := (psi C q).
Local Notation opt1 := (opt_on X Y X1).
Local Notation eps := (C ^+ 2 * g ^+ 2).

Let q_ge0 : 0 <= q. Proof. by case/andP: q01. Qed.
Let q_le1 : q <= 1. Proof. by case/andP: q01. Qed.
Let g_lt : 2%:R * g < 1 := g_half g_gt0 g_le C_gt2.
Let D_le : psd (1%:M - os_target U X1). Proof. exact: target_le1. Qed.
Let rk_gt0 : 0 < rk. Proof. by rewrite /ts_rank (os_rank X1 whP). Qed.
Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.
Let c0 : 0 < C := C_gt0 C_gt2.
Let o0 : 0 <= opt1. Proof. by apply: sumr_ge0 => x _; exact: sqr_ge0. Qed.
Local Notation rp h := (tr_ge0 g_gt0 g_lt rk_gt0 h).
Let q0 h x : reach stop h -> ~~ stop h -> 0 <= p h x.
Proof. by move=> _ _; exact: ts_law0. Qed.
Let q1 h : reach stop h -> ~~ stop h -> \sum_x p h x = 1.
Proof. by move=> _ _; exact: ts_law1. Qed.

(** A step starts below 1. *)
Lemma ts_start h : ~~ stop h -> r h <= 1.
Proof.
rewrite /ts_paper -ltNge => /ltW; apply: le_trans.
by rewrite ler_addl; exact: ts_ge0.
Qed.

Lemma ts_noise_main n : run_mean p stop n (fun h => noise h * psi (r h)) [::] <=
  opt1 * (rk ^+ 2 * kap / g ^+ 2) * kept_total C q y.
Proof.
have K0 : 0 <= opt1 * (rk ^+ 2 * kap / g ^+ 2).
  by apply: mulr_ge0 => //; move: k0; move: (kap) => *; nn.
have ep h : 0 < e h by exact: te_gt0.
have := @chain_weighted _ _ p stop q0 q1 (fun h => r h) (fun h => e h)
  (fun h x _ _ => tr_cons g_gt0 g_lt rk_gt0 x h) n
  (opt1 * (rk ^+ 2 * kap / g ^+ 2)) (fun h => noise h) psi
  (kept_prim C q y) (prim C q y 1 + 2%:R * C ^+ 2 / (C - 2%:R) / den C 1) K0
  (tr_nil U X1 g) (fun h _ => rp h).
have -> : noise [::] * psi 0 = 0.
  by rewrite /ts_noise /= mulr0 scale0r subr0 /sqn qf0v mul0r.
rewrite kept_totalE // add0r.
apply.
- by move=> h _ _; exact: ltW.
- by move=> h _; exact: sqn_ge0.
- by move=> x _; exact: sqr_ge0.
- move=> h rh ns; have le : r h <= r h + e h by rewrite ler_addl ltW.
  split; first by apply: psi_anti => //; exact: (rp h).
  have := @kept_grow _ C q y C_gt2 q_le1 y_gt0 den_q (r h) (r h + e h) (rp h)
    (ts_start ns) le.
  by have -> : r h + e h - r h = e h by rewrite addrC addKr.
- by move=> h _; apply: kept_cap => //; exact: (rp h).
- by move=> h _ _; exact: ts_moment_step.
Qed.

Lemma ts_den h : q <= r h -> den C (r h) / C <= (1 - 2%:R * g) * r h - 2%:R * g.
Proof.
move=> qr; have r0 := rp h.
refine (@le_diff _ _ _ (2%:R / C * (1 - C * g) * (1 + r h)) _ _); last first.
  by move: g_le; rewrite -subr_ge0; move: (1 - C * g) => *; nn.
by rewrite /den; move: (r h) => z; field; rewrite gt_eqF.
Qed.

Lemma ts_den_gt0 h : q <= r h -> 0 < (1 - 2%:R * g) * r h - 2%:R * g.
Proof.
move=> qr; apply: lt_le_trans (ts_den qr).
by apply: divr_gt0 => //; exact: den_gt0 qr.
Qed.

(** There the fit is the only minimiser of the weighted loss. *)
Lemma ts_unique h beta : q <= r h -> beta != fit h ->
  weighted_loss X Y (weight h) (fit h) < weighted_loss X Y (weight h) beta.
Proof.
move=> qr ne; have l0 := ts_den_gt0 qr.
have r0 : 0 < r h.
  rewrite -(pmulr_rgt0 _ (g2_gt0 g_lt)).
  apply: lt_trans (_ : 2%:R * g < _); first by ps.
  by rewrite -subr_gt0.
apply: weighted_unique ne.
apply: (weighted_pd (G_unit whP) _ (ts_spectrum whP g_gt0 g_lt R_gt0 r0)).
by apply: divr_gt0 => //; move: k0; move: (kap) => *; ps.
Qed.

Lemma ts_leaf_main h : q <= r h ->
  excess h <= (g ^+ 2 / rk) ^+ 2 * (noise h * psi (r h)).
Proof.
move=> qr; have l0 := ts_den_gt0 qr; have le := ts_den qr.
have dn := den_gt0 C_gt2 den_q qr.
apply: le_trans (ts_leaf_at Y whP g_gt0 g_lt R_gt0 l0) _.
have ea : above q (r h) = r h.
  rewrite /above; case: (lerP (r h) q) => // rq.
  by apply/eqP; rewrite eq_le rq qr.
rewrite [X in _ <= X]mulrCA; apply: ler_wpmul2l; first exact: sqn_ge0.
have -> : (g ^+ 2 / rk) ^+ 2 * psi (r h) = ((rk / g ^+ 2 * (den C (r h) / C)) ^+ 2)^-1.
  by rewrite /MainAny.psi ea; move: dn; move: (den _ _) => z z0; field; rewrite !gt_eqF.
have b0 : 0 < rk / g ^+ 2 by ps.
have m0 : 0 < rk / g ^+ 2 * (den C (r h) / C) by apply: mulr_gt0 => //; exact: divr_gt0.
have m1 := mulr_gt0 b0 l0.
rewrite lef_pinv ?posrE ?exprn_gt0 // ler_pexpn2r ?nnegrE ?(ltW m0) ?(ltW m1) //.
by rewrite ler_pmul2l.
Qed.

Lemma ts_bad n : run_chance p stop n (fun h =>
    (stop h && (q <= r h)) && ~~ (excess h <= eps * opt1)) <=
  kept_total C q y / C ^+ 2.
Proof.
have k1 := kap_lt1 g_gt0; have T0 := @kept_total_ge0 _ C q y C_gt2 q_ge0 q_le1 y_gt0 den_q.
have f0 h : 0 <= (g ^+ 2 / rk) ^+ 2 * (noise h * psi (r h)).
  by apply: mulr_ge0; [nn | apply: mulr_ge0; [exact: sqn_ge0 | exact: sqr_ge0]].
have small : run_mean p stop n (fun h => (g ^+ 2 / rk) ^+ 2 * (noise h * psi (r h))) [::]
    <= eps * opt1 * (kept_total C q y / C ^+ 2).
  rewrite rmeanZ; apply: le_trans (ler_wpmul2l _ (ts_noise_main n)) _; first by nn.
  move: T0; move: (kept_total C q y) => T T0.
  refine (@le_diff _ _ _ (T * g ^+ 2 * opt1 * (1 - kap)) _ _).
    by move: (kap) => k; field; rewrite !gt_eqF.
  by apply: mulr_ge0; [nn | rewrite subr_ge0 ltW].
have := o0; rewrite le_eqVlt => /orP[/eqP z|pos].
  apply: (@le_trans _ _ 0); last by nn.
  have zz h : noise h * psi (r h) = 0.
    have nz : ts_noise X Y P X1 g h = 0.
      have rz x : X1 x -> resid X Y x = 0.
        move=> x1; have /eqP := esym z; rewrite psumr_eq0; last by move=> *; exact: sqr_ge0.
        by move=> /allP /(_ x); rewrite mem_index_enum x1 sqrf_eq0 => /(_ isT) /eqP.
      have vz x : resid X Y x *: ts_vec U X1 x = 0.
        rewrite /ts_vec; case: (boolP (X1 x)) => x1; last by rewrite scaler0.
        by rewrite rz // scale0r.
      rewrite /ts_noise /ts_bias big1 ?scaler0 ?subr0 => [|x _]; last exact: vz.
      by elim: h => [|x h IH] //=; rewrite IH add0r -scalerA vz scaler0.
    by rewrite nz /sqn qf0v mul0r.
  rewrite -[X in _ <= X](rmean_const q1 n 0 (h := [::])) //.
  apply: (rmean_mono q0) => // h _.
  case: (boolP (stop h)) => //= sh; case: (boolP (q <= r h)) => //= qr.
  by have := ts_leaf_main qr; rewrite zz mulr0 -z mulr0 => ->.
have e0 : 0 < eps * opt1 by apply: mulr_gt0 => //; ps.
apply: (@le_trans _ _ (run_mean p stop n
  (fun h => (g ^+ 2 / rk) ^+ 2 * (noise h * psi (r h))) [::] / (eps * opt1))).
  apply: (rchance_markov q0) => // h _.
  move=> /andP[/andP[_ qr]]; rewrite -ltNge => lt.
  by apply: le_trans (ts_leaf_main qr); exact: ltW.
by rewrite ler_pdivr_mulr // [X in _ <= X]mulrC.
Qed.

(* slug: two-sided *)
Theorem ts_main_any n t : rk ^+ 2 * kap <= n%:R ^+ 2 * g ^+ 4 ->
  run_chance p stop n (fun h => stop h && (r h < q)) <= t ->
  1 - (t + kept_total C q y / C ^+ 2) <= run_chance p stop n (fun h =>
    [&& stop h, q <= r h & excess h <= eps * opt1]).
Proof.
move=> hn tail.
have ends := ts_ends g_gt0 g_lt rk_gt0 hn.
have u : run_chance p stop n stop <=
  run_chance p stop n (fun h => [&& stop h, q <= r h & excess h <= eps * opt1]) +
  (run_chance p stop n (fun h => stop h && (r h < q)) +
   run_chance p stop n (fun h => (stop h && (q <= r h)) && ~~ (excess h <= eps * opt1))).
  rewrite /run_chance -!rmeanD; apply: (rmean_mono q0) => // h _.
  case: (stop h) => //=; rewrite ?addr0 // [r h < q]ltNge.
  case: (q <= r h); rewrite /= ?add0r ?addr0 //.
  by case: (excess h <= _); rewrite /= ?add0r ?addr0.
rewrite ends in u; rewrite ler_subl_addr; apply: le_trans u _.
by rewrite ler_add2l; apply: ler_add => //; exact: ts_bad.
Qed.

End Data.

(** ** C = 15, q = 3/8, L = 18/7, y = 6. *)
Lemma kept_total15 (R : realFieldType) :
  kept_total (15%:R : R) (3%:R / 8%:R) 6%:R <= 45%:R / 2%:R.
Proof.
have e1 : den (15%:R : R) 1 = 11%:R by rewrite /den; ring.
rewrite /kept_total /far den15 e1.
by refine (@le_diff _ _ _ (15%:R * (279%:R * 100%:R + 1)
  / (32%:R * 143%:R * 529%:R)) _ _); [field | nn].
Qed.

Section Fifteen.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I) (g : R).
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_le : 15%:R * g <= 1.
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Local Notation U := (white X P).
Local Notation stop := (ts_paper U X1 g).
Local Notation kap := (1 - 4%:R * g ^+ 2).

Lemma q38 : 0 <= (3%:R / 8%:R : R) <= 1.
Proof.
apply/andP; split; first by nn.
by refine (@le_diff _ _ _ (5%:R / 8%:R) _ _); [field | nn].
Qed.
Lemma den38 : 0 < den (15%:R : R) (3%:R / 8%:R).
Proof. by rewrite den15; ps. Qed.
Lemma C15 : 2%:R < 15%:R :> R. Proof. by rewrite ltr_nat. Qed.
Local Notation g2 := (g_half g_gt0 g_le C15).

(* slug: two-sided *)
Theorem ts_main_fifteen n : reduced_rank X X1 ^+ 2 * kap <= n%:R ^+ 2 * g ^+ 4 ->
  3%:R / 4%:R <= run_chance (ts_law U X1 g) stop n (fun h =>
    [&& stop h, 3%:R / 8%:R <= ts_clock U X1 g h &
        loss X Y (weighted_fit X Y (ts_weight U X1 g h)) - opt X Y
          <= (15%:R ^+ 2 * g ^+ 2) * opt_on X Y X1]).
Proof.
move=> hn; have k1 := kap_lt1 g_gt0; rewrite /Spec.kap in k1.
have R0 : 0 < ts_rank U X1 by rewrite /ts_rank (os_rank X1 whP).
have tail : run_chance (ts_law U X1 g) stop n
    (fun h => stop h && (ts_clock U X1 g h < 3%:R / 8%:R)) <= 21%:R / 142%:R.
  have := @ts_tail _ _ _ U X1 g g_gt0 g2 (target_le1 X1 whP) R0
    (3%:R / 8%:R) (18%:R / 7%:R) _ _ _ _ n.
  have -> : 3%:R / 8%:R / ((1 + 3%:R / 8%:R) * (18%:R / 7%:R) - 1) = 21%:R / 142%:R :> R.
    by field.
  apply; try by ps.
    refine (@le_diff _ _ _ (243%:R / 98%:R * (1 - kap) + 98%:R^-1 * 2%:R) _ _).
      by field.
    by move: k1; rewrite -subr_gt0; move: (1 - kap) => *; nn.
  by refine (@lt_diff _ _ _ (71%:R / 28%:R) _ _); [field | ps].
have hn' : ts_rank U X1 ^+ 2 * kap <= n%:R ^+ 2 * g ^+ 4.
  by rewrite /ts_rank (os_rank X1 whP).
have y0 : 0 < 6%:R :> R by ps.
apply: le_trans (ts_main_any Y whP g_gt0 g_le C15 q38 y0 den38 R_gt0 hn' tail).
have := kept_total15 R; move: (kept_total _ _ _) => T le.
refine (@le_diff _ _ _ ((45%:R / 2%:R - T) / 15%:R ^+ 2 + 3%:R / (20%:R * 71%:R)) _ _).
  by field.
by nn.
Qed.

End Fifteen.

(** ** In epsilon. *)
Section Epsilon.
Variables (R : rcfType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I).
Variables (eps : R) (B : nat).
Hypothesis whP : whitens X P.
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Hypothesis e_gt0 : 0 < eps.
Hypothesis e_le1 : eps <= 1.
Hypothesis B_ge : 15%:R ^+ 2 * reduced_rank X X1 <= B%:R * eps.
Local Notation g := (Num.sqrt eps / 15%:R).
Local Notation U := (white X P).
Local Notation stop := (ts_paper U X1 g).

Lemma kept_rate : [/\ 0 < g, 15%:R * g <= 1, 15%:R ^+ 2 * g ^+ 2 = eps &
  reduced_rank X X1 ^+ 2 * (1 - 4%:R * g ^+ 2) <= B%:R ^+ 2 * g ^+ 4].
Proof.
have [s0 sE] := sqrt_gt0 e_gt0; have C0 : 0 < 15%:R :> R by ps.
have g0 : 0 < g by ps.
have gE : 15%:R ^+ 2 * g ^+ 2 = eps.
  have -> : g ^+ 2 = eps / 15%:R ^+ 2 by rewrite exprMn sE exprVn.
  by rewrite mulrC divfK // gt_eqF // exprn_gt0.
split=> //.
- have -> : 15%:R * g = Num.sqrt eps by rewrite mulrCA divff ?mulr1 ?gt_eqF.
  by rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?ler01 ?sE ?expr1n //; nn.
have le : reduced_rank X X1 <= B%:R * g ^+ 2.
  rewrite -(ler_pmul2l (exprn_gt0 2 C0)); apply: le_trans B_ge _.
  by rewrite -{1}gE mulrCA.
apply: (@le_trans _ _ (reduced_rank X X1 ^+ 2)).
  by apply: ler_pimulr; [nn | rewrite ler_subl_addr ler_addl; nn].
have -> : B%:R ^+ 2 * g ^+ 4 = (B%:R * g ^+ 2) ^+ 2 by ring.
by rewrite ler_pexpn2r ?nnegrE ?(ltW R_gt0) //; apply: le_trans le; exact: ltW.
Qed.

(* slug: two-sided *)
Theorem ts_main_eps :
  [/\ 3%:R / 4%:R <= run_chance (ts_law U X1 g) stop B (fun h =>
        [&& stop h, 3%:R / 8%:R <= ts_clock U X1 g h &
            loss X Y (weighted_fit X Y (ts_weight U X1 g h)) - opt X Y
              <= eps * opt_on X Y X1]),
      run_chance (ts_law U X1 g) stop B stop = 1,
      forall h, reach stop h -> (size h <= B)%N /\
        (bought X1 (ts_weight U X1 g h) <= B)%N,
      forall h (Y' : I -> R),
        (forall x, (x \in h) || ~~ X1 x -> Y x = Y' x) ->
        weighted_fit X Y (ts_weight U X1 g h) =
        weighted_fit X Y' (ts_weight U X1 g h) &
      forall h beta, 3%:R / 8%:R <= ts_clock U X1 g h ->
        beta != weighted_fit X Y (ts_weight U X1 g h) ->
        weighted_loss X Y (ts_weight U X1 g h)
          (weighted_fit X Y (ts_weight U X1 g h))
        < weighted_loss X Y (ts_weight U X1 g h) beta].
Proof.
have [g0 g1 gE hB] := kept_rate; have g2 := g_half g0 g1 (C15 R).
have R0 : 0 < ts_rank U X1 by rewrite /ts_rank (os_rank X1 whP).
have hB' : ts_rank U X1 ^+ 2 * (1 - 4%:R * g ^+ 2) <= B%:R ^+ 2 * g ^+ 4.
  by rewrite /ts_rank (os_rank X1 whP).
split.
- by have := ts_main_fifteen Y whP g0 g1 R_gt0 hB; rewrite gE.
- exact: (ts_ends g0 g2 R0 hB').
- move=> h rh; have le := ts_sure g0 g2 R0 hB' rh; split=> //.
  by apply: leq_trans le; exact: ts_bought.
- by move=> h Y' e; exact: ts_local.
- by move=> h beta; exact: (ts_unique whP g0 g1 (C15 R) (den38 R) R_gt0).
Qed.

End Epsilon.
