(** The two-sided method with X2 kept, on the data: spectrum and excess.

      centred_moment == the second moment of a centred step
      ts_spectrum    == M >= ((1-2g) r - 2g)/(k r), surely
      ts_excess      == E excess <= OPT_1 g^2 k (rbar + rbar^2/2)/L(T)^2
      ts_loss        == the same for the loss *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Regression SureStop.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Move.
From Asura Require Import Beyond.Chain Beyond.Policy Beyond.OneSided.
From Asura Require Import Beyond.OneSidedData Beyond.TwoSided Beyond.TwoSidedRun.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma centred_moment (R : realFieldType) (d : nat) (I : finType) (p : I -> R)
    (z : I -> 'cV[R]_d) (v m : 'cV[R]_d) :
  \sum_x p x = 1 -> \sum_x p x *: z x = m ->
  \sum_x p x * sqn (v + (z x - m)) <= sqn v + \sum_x p x * sqn (z x).
Proof.
move=> p1 mean.
have dev x : sqn (v + (z x - m)) = (sqn v - 2%:R * dot v m + sqn m)
    + 2%:R * dot (v - m) (z x) + sqn (z x).
  have -> : v + (z x - m) = (v - m) + z x by rewrite addrCA addrC.
  rewrite /sqn qfDv ?trmx1 // -/(dot _ _); congr (_ + _ + _).
  rewrite -[- m]scaleN1r qfDv ?trmx1 // bfZr qfZv -/(dot v m).
  by move: (dot v m) (qf _ _) (qf _ _) => *; ring.
pose C := sqn v - 2%:R * dot v m + sqn m.
rewrite (eq_bigr (fun x => p x * C + (2%:R * dot (v - m) (p x *: z x)
   + p x * sqn (z x)))); last first.
  move=> x _; rewrite dev -/C [dot _ (p x *: _)]dotZr.
  by move: (dot _ _) (sqn _) => *; ring.
rewrite big_split /= -mulr_suml p1 mul1r big_split /= -mulr_sumr -dot_sumr mean.
rewrite addrA ler_add2r /C [dot (_ - m) m]dotC dotBr -sqnE [dot m _]dotC.
refine (@le_diff _ _ _ (sqn m) _ _); last exact: sqn_ge0.
by move: (dot v m) (sqn v) (sqn m) => *; ring.
Qed.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I).
Variables (g T : R).
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Hypothesis T_gt0 : 0 < T.

Local Notation U := (white X P).
Local Notation V := (ts_vec U X1).
Local Notation D := (os_target U X1).
Local Notation rk := (ts_rank U X1).
Local Notation st h := (ts_state U X1 g h).
Local Notation brk h := (ts_brk U X1 g (st h)).
Local Notation pot h := (ts_pot U X1 g (st h)).
Local Notation wt h x := (ts_wt U X1 g (st h) x).
Local Notation p := (ts_law U X1 g).
Local Notation r h := (ts_clock U X1 g h).
Local Notation kap := (1 - 4%:R * g ^+ 2).
Local Notation e h := (g ^+ 3 / (kap * rk) / pot h).
Local Notation stop := (ts_level U X1 g T).
Local Notation weight h := (ts_weight U X1 g h).
Local Notation fit h := (weighted_fit X Y (weight h)).
Local Notation res := (resid X Y).

Let D_le : psd (1%:M - D). Proof. exact: target_le1. Qed.
Let rk_gt0 : 0 < rk. Proof. by rewrite /ts_rank (os_rank X1 whP). Qed.
Let g2 : 0 < 1 - 2%:R * g := g2_gt0 g_lt.
Let p2 : 0 < 1 + 2%:R * g := p2_gt0 g_gt0.
Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.
Local Notation inv := (ts_inv g_gt0 g_lt rk_gt0).
Local Notation rp := (tr_ge0 g_gt0 g_lt rk_gt0).

Lemma ts_acc h : (st h).1 = dsum (fun h' x => wt h' x *: (V x *m (V x)^T)) h.
Proof. by elim: h => [|x h IH] //=; rewrite -IH. Qed.

Lemma ts_sumE h : (st h).2 = kap * rk / g ^+ 3 * r h.
Proof. by rewrite /ts_clock; field; rewrite !gt_eqF. Qed.

Lemma ts_kept h : kept X1 (weight h).
Proof. by move=> x /negbTE n; rewrite /ts_weight n. Qed.

(** The labels bought are labels drawn. *)
Lemma ts_read h x : X1 x -> weight h x != 0 -> x \in h.
Proof.
rewrite /ts_weight => ->; apply: contraR => n.
by rewrite drawn_mem ?mul0r.
Qed.
Lemma ts_bought h : (bought X1 (weight h) <= size h)%N.
Proof.
apply: leq_trans (card_size h); apply: subset_leq_card; apply/subsetP => x.
by rewrite inE => /andP[x1 nz]; exact: ts_read.
Qed.
Lemma ts_local h (Y' : I -> R) :
  (forall x, (x \in h) || ~~ X1 x -> Y x = Y' x) ->
  fit h = weighted_fit X Y' (weight h).
Proof.
move=> eq; apply: weighted_local => x n; apply: eq.
by case: (boolP (X1 x)) => x1; rewrite ?orbT //= ts_read.
Qed.

Lemma ts_gram h : P^T *m weighted_gram X (weight h) *m P =
  (g * (st h).2)^-1 *: (st h).1 + (1%:M - D).
Proof.
have conj x : P^T *m (X x *m (X x)^T) *m P = U x *m (U x)^T.
  by rewrite /white trmx_mul trmxK !mulmxA.
rewrite /weighted_gram mulmx_sumr mulmx_suml.
rewrite (eq_bigr (fun x => weight h x *: (U x *m (U x)^T))); last first.
  by move=> x _; rewrite -scalemxAr -scalemxAl conj.
rewrite (bigID X1) /= -(os_compl X1 whP); congr (_ + _); last first.
  by apply: eq_bigr => x n; rewrite ts_kept // scale1r.
rewrite ts_acc -(drawn_sum id (fun h' x => wt h' x) (fun x => V x *m (V x)^T)).
rewrite [X in _ = _ *: X](bigID X1) /= [X in _ = _ *: (_ + X)]big1 ?addr0;
  last first.
  by move=> x /negbTE n; rewrite /ts_vec n mul0mx scaler0.
rewrite scaler_sumr; apply: eq_bigr => x x1.
by rewrite /ts_weight x1 /ts_vec x1 scalerA mulrC.
Qed.

(* slug: two-sided *)
Lemma ts_spectrum h : 0 < r h ->
  psd (weighted_gram X (weight h)
       - (((1 - 2%:R * g) * r h - 2%:R * g) / (kap * r h)) *: gram X).
Proof.
move=> r0; have uP := P_unit whP; apply: psd_leP.
- by rewrite linearZ /= (G_sym X).
- exact: weighted_gram_sym.
move=> v; have -> : v = P *m (invmx P *m v) by rewrite mulKVmx.
move: (invmx P *m v) => z; rewrite qfZ !qf_mul ts_gram whP.
have [_ /pd_psd pl] := inv h.
have s0 : 0 < (st h).2 by rewrite ts_sumE; move: k0; move: (kap) => *; ps.
have c1 : 0 <= (g * (st h).2)^-1 by nn.
have c2 : 0 <= 2%:R * g / (1 + 2%:R * g) by nn.
have := psdD (psdZ c1 pl) (psdZ c2 D_le).
have -> : (g * (st h).2)^-1 *: ts_low U X1 g (st h) +
    2%:R * g / (1 + 2%:R * g) *: (1%:M - D) =
  ((g * (st h).2)^-1 *: (st h).1 + (1%:M - D)) -
    (((1 - 2%:R * g) * r h - 2%:R * g) / (kap * r h)) *: 1%:M.
  rewrite /ts_low ts_sumE; move: (st h).1 (D) (r h) r0 => A C y y0.
  apply/matrixP => i j; rewrite !mxE; move: (A i j) (C i j) => a c.
  have kE : kap = (1 - 2%:R * g) * (1 + 2%:R * g) by ring.
  by rewrite kE; case: (i == j) => /=; field; rewrite !gt_eqF.
by move/(psd_le z); rewrite qfZ.
Qed.

(** ** The noise. *)
Definition ts_bias : 'cV[R]_d := \sum_x res x *: V x.
Definition ts_noise h : 'cV[R]_d :=
  dsum (fun h' x => (wt h' x * res x) *: V x) h - (g * (st h).2) *: ts_bias.

Lemma ts_noiseE h : 0 < (st h).2 ->
  noise_size X Y X1 (weight h) = sqn (ts_noise h) / (g * (st h).2) ^+ 2.
Proof.
move=> s0; rewrite /noise_size -(PPt whP).
have -> : P *m P^T = (P^T)^T *m 1%:M *m P^T by rewrite trmxK mulmx1.
rewrite -qf_mul -/(sqn _).
have gs : 0 < g * (st h).2 by ps.
have -> : P^T *m noise_vector X Y X1 (weight h) = (g * (st h).2)^-1 *: ts_noise h.
  rewrite /ts_noise scalerBr scalerA mulVf ?(gt_eqF gs) // scale1r.
  have -> : dsum (fun h' x => (wt h' x * res x) *: V x) h =
    \sum_x drawn_weight id (fun h' x => wt h' x) h x *: (res x *: V x).
    by rewrite drawn_sum; apply: eq_dsum => h' x; rewrite scalerA.
  rewrite /noise_vector /ts_bias mulmx_sumr [RHS](_ : _ = \sum_(x | X1 x)
    ((g * (st h).2)^-1 *: (drawn_weight id (fun h' x => wt h' x) h x *: (res x *: V x))
     - res x *: V x)).
    apply: eq_bigr => x x1.
    rewrite /ts_weight /ts_vec x1 -scalemxAr -/(white X P x) !scalerA -scalerBl.
    by congr (_ *: _); ring.
  rewrite scaler_sumr -sumrB (bigID X1) /= [X in _ + X]big1 ?addr0 //.
  by move=> x /negbTE n; rewrite /ts_vec n !scaler0 subrr.
by rewrite /sqn qfZv mulrC exprVn.
Qed.

Lemma ts_moment_step h : \sum_x p h x * sqn (ts_noise (x :: h)) <=
  sqn (ts_noise h) +
  opt_on X Y X1 * (rk ^+ 2 * kap / g ^+ 2) * ((1 + r h) * e h).
Proof.
have [pP pQ] := inv h; have F0 := ts_pot_gt0 rk_gt0 pP pQ.
have r1 := tr1_gt0 g_gt0 g_lt rk_gt0 h.
pose m := (g / pot h) *: ts_bias.
have p1 := ts_law1 g_gt0 g_lt rk_gt0 h.
have mean : \sum_x p h x *: ((wt h x * res x) *: V x) = m.
  rewrite /m /ts_bias scaler_sumr; apply: eq_bigr => x _.
  have [->|n] := eqVneq (V x) 0; first by rewrite !scaler0.
  by rewrite !scalerA mulrA (ts_pr_wt rk_gt0 pP pQ n).
have step x : ts_noise (x :: h) = ts_noise h + ((wt h x * res x) *: V x - m).
  have e2 : g * (st (x :: h)).2 = g * (st h).2 + g / pot h by rewrite /= mulrDr.
  rewrite {1}/ts_noise e2 scalerDl opprD -/m [dsum _ (x :: h)]/= /ts_noise !addrA.
  by congr (_ - _); rewrite addrAC.
under eq_bigr do rewrite step.
apply: le_trans (centred_moment _ p1 mean) _; rewrite ler_add2l.
rewrite -[X in _ <= X]mulrA /opt_on mulr_suml [X in _ <= X]big_mkcond /=.
apply: ler_sum => x _; have [z|n] := eqVneq (V x) 0.
  rewrite z scaler0 /sqn qf0v mulr0; case: ifP => // _.
  apply: mulr_ge0; first exact: sqr_ge0.
  by move: k0 F0 r1; move: (kap) (pot h) (1 + r h) => *; nn.
have x1 : X1 x by move: n; rewrite /ts_vec; case: (X1 x); rewrite ?eqxx.
rewrite x1; have q0 : 0 < qf (brk h) (V x) by apply: (proj2 (ts_brk_pd pP pQ)).
have le : sqn (V x) / qf (brk h) (V x) <= rk * (1 + r h) / g.
  rewrite ler_pdivr_mulr //.
  have := psd_le (V x) (ts_bracket_ge g_gt0 g_lt D_le rk_gt0 h).
  rewrite -scalemx1 qfZ -/(sqn _) => b.
  have -> : sqn (V x) = rk * (1 + r h) / g * (g / (rk * (1 + r h)) * sqn (V x)).
    by move: r1; move: (1 + r h) => *; field; rewrite !gt_eqF.
  by apply: ler_wpmul2l => //; nn.
have e1 : p h x * sqn ((wt h x * res x) *: V x) =
  res x ^+ 2 * (g ^+ 2 / pot h) * (sqn (V x) / qf (brk h) (V x)).
  rewrite /sqn qfZv -/(sqn _) /ts_law /ts_prob /ts_wt; move: (sqn _) => y.
  by field; rewrite !gt_eqF.
rewrite e1; apply: le_trans (ler_wpmul2l _ le) _; first by nn.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: k0 F0; move: (kap) (pot h) => *; field; rewrite !gt_eqF.
Qed.

Local Notation rbar := (T + g ^+ 2 / (kap * rk) * (1 + T)).
Let reachT h : reach stop h -> r h <= rbar.
Proof. by apply: ts_reach => //; exact: ltW. Qed.

Lemma ts_moment n : run_mean p stop n (fun h => sqn (ts_noise h)) [::] <=
  opt_on X Y X1 * (rk ^+ 2 * kap / g ^+ 2) * (rbar + rbar ^+ 2 / 2%:R).
Proof.
have K0 : 0 <= opt_on X Y X1 * (rk ^+ 2 * kap / g ^+ 2).
  apply: mulr_ge0; first by apply: sumr_ge0 => x _; exact: sqr_ge0.
  by move: k0; move: (kap) => *; nn.
have := @chain_moment _ _ p stop (fun h x _ _ => ts_law0 g_gt0 g_lt rk_gt0 h x)
  (fun h _ _ => ts_law1 g_gt0 g_lt rk_gt0 h) (fun h => r h) (fun h => e h) rbar
  (fun h x _ _ => tr_cons g_gt0 g_lt rk_gt0 x h) reachT n _
  (fun h => sqn (ts_noise h)) K0 (tr_nil U X1 g) (fun h _ => rp h)
  (fun h _ _ => ts_moment_step h).
by rewrite /ts_noise /= mulr0 scale0r subr0 /sqn qf0v add0r.
Qed.

(** The excess at a state whose lower barrier is positive. *)
Lemma ts_leaf_at h : 0 < (1 - 2%:R * g) * r h - 2%:R * g ->
  loss X Y (fit h) - opt X Y <=
  sqn (ts_noise h) / (rk / g ^+ 2 * ((1 - 2%:R * g) * r h - 2%:R * g)) ^+ 2.
Proof.
move=> l0; have r0 : 0 < r h.
  rewrite -(pmulr_rgt0 _ g2); apply: lt_trans (_ : 2%:R * g < _); first by ps.
  by rewrite -subr_gt0.
have s0 : 0 < (st h).2 by rewrite ts_sumE; move: k0; move: (kap) => *; ps.
have a0 : 0 < ((1 - 2%:R * g) * r h - 2%:R * g) / (kap * r h).
  by apply: divr_gt0 => //; move: k0; move: (kap) => *; ps.
have := weighted_excess Y (G_unit whP) (@ts_kept h) a0 (ts_spectrum r0).
rewrite (ts_noiseE s0) => h1; apply: le_trans h1 _.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite -mulrA -invfM -exprMn; congr (_ / _ ^+ 2).
rewrite ts_sumE; move: k0 r0; move: (kap) (r h) => k y *.
by field; rewrite !gt_eqF.
Qed.

Hypothesis gT : 2%:R * g < (1 - 2%:R * g) * T.
Local Notation L := ((1 - 2%:R * g) * T - 2%:R * g).
Let L0 : 0 < L. Proof. by rewrite subr_gt0. Qed.

Lemma ts_leaf h : stop h -> loss X Y (fit h) - opt X Y <=
  sqn (ts_noise h) / (rk / g ^+ 2 * L) ^+ 2.
Proof.
rewrite /ts_level => le.
have l1 : L <= (1 - 2%:R * g) * r h - 2%:R * g by rewrite ler_add2r ler_pmul2l.
have l0 := lt_le_trans L0 l1; apply: le_trans (ts_leaf_at l0) _.
apply: ler_wpmul2l; first exact: sqn_ge0.
have c0 : 0 < rk / g ^+ 2 by ps.
have m0 := mulr_gt0 c0 L0; have m1 := mulr_gt0 c0 l0.
rewrite lef_pinv ?posrE ?exprn_gt0 // ler_pexpn2r ?nnegrE ?(ltW m0) ?(ltW m1) //.
by rewrite ler_pmul2l.
Qed.

Local Notation const := (g ^+ 2 * kap * (rbar + rbar ^+ 2 / 2%:R) / L ^+ 2).

(* slug: two-sided *)
Theorem ts_excess n :
  run_mean p stop n (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  const * opt_on X Y X1.
Proof.
have z0 : 0 < rk / g ^+ 2 * L by apply: mulr_gt0 => //; ps.
apply: (@le_trans _ _ (run_mean p stop n
  (fun h => ((rk / g ^+ 2 * L) ^+ 2)^-1 * sqn (ts_noise h)) [::])).
  apply: rmean_mono => //; first by move=> h x _ _; exact: ts_law0.
  move=> h _; case: (boolP (stop h)) => sh; rewrite ?mul1r ?mul0r.
    by rewrite mulrC; exact: ts_leaf.
  by apply: mulr_ge0; [rewrite invr_ge0 sqr_ge0 | exact: sqn_ge0].
rewrite rmeanZ; apply: le_trans (ler_wpmul2l _ (ts_moment n)) _.
  by rewrite invr_ge0 sqr_ge0.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: L0 (rbar) z0.
by move: L => y y0 b _; field; rewrite !gt_eqF.
Qed.

Theorem ts_loss n beta :
  run_mean p stop n (fun h => (stop h)%:R * loss X Y (fit h)) [::] <=
  (1 + const) * loss X Y beta.
Proof.
have q0 h x : reach stop h -> ~~ stop h -> 0 <= p h x by move=> _ _; exact: ts_law0.
have q1 h : reach stop h -> ~~ stop h -> \sum_x p h x = 1 by move=> _ _; exact: ts_law1.
have b0 : 0 <= rbar by move: k0 (ltW T_gt0); move: (kap) => *; nn.
have c0 : 0 <= const.
  by move: k0 L0 b0; move: (rbar) L (kap) => *; nn.
apply: (@le_trans _ _ ((1 + const) * opt X Y)); last first.
  by apply: ler_wpmul2l; [apply: addr_ge0; [exact: ler01|] | exact: (opt_min Y whP)].
have o1 : opt_on X Y X1 <= opt X Y.
  rewrite optE /opt_on [X in _ <= X](bigID X1) /= ler_addl.
  by apply: sumr_ge0 => x _; exact: sqr_ge0.
rewrite mulrDl mul1r.
apply: le_trans (ler_add (lexx _) (le_trans (ts_excess n) (ler_wpmul2l c0 o1))).
rewrite -[X in X + _](rmean_const q1 n (opt X Y) (h := [::])) // -rmeanD.
apply: (rmean_mono q0) => // h _.
by case: (stop h); rewrite ?mul1r ?mul0r ?addr0 ?(opt_ge0 X Y) // addrC subrK.
Qed.

End Data.
