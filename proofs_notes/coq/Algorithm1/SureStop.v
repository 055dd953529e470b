(** The rule on the gap alone, at any level T, composed with Algorithm 1:
    labels, draws, conditioning and loss; then the corollaries in epsilon.

    Symbols:
      rbar        == T + clk (1 + T), the largest r at the stop
      level_const == the constant of the excess loss at level T

    Selected results:
      labels_rule              == (1/g^2 - 2) R_X labels if r <= 1 + 2 clk
      spectral_at              == A/mid within 1 +- 2g(1 + 1/T) where r >= T
      level_excess             == E[stopped (loss - OPT)] <= level_const OPT
      level_probability        == the loss in probability, for every horizon
      level1_const             == level_const <= (3/2) g^2/(1 - 4g)^2 at T = 1
      sure_late, level_late    == P(not stopped by n) = O(1/n)
      sharp_loss, sharp_labels == the constant tends to 1 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression Whitening.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation U := (white X P).
Local Notation hst := (hst U g).
Local Notation rr := (rr U g).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation loss := (loss X Y).
Local Notation opt := (opt X Y).
Local Notation betahat := (betahat X Y U g).
Local Notation isoU := (isoU whP).
Local Notation paper_stop := (paper_stop U g).
Local Notation level_stop := (level_stop U g).
Local Notation sure_stop := (sure_stop U g).

Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).
Local Notation clk_gt0 := (clk_gt0 d_gt0 g_gt0 g_lt).
Local Notation d_pos := (@d_pos R d d_gt0).
Local Notation d_ge1 := (@d_ge1 R d d_gt0).
Local Notation rr_ge0 := (rr_ge0 d_gt0 isoU g_gt0 g_lt).

Lemma psd_rank (X1 : pred I) : 0 <= reduced_rank X X1.
Proof.
rewrite -(trace_identity whP) -[X in \tr X]mulmx1; apply: tr_psd; last exact: psd1.
by apply: psd_sum => x _; exact: psd_outer.
Qed.

(** k rbar <= 1 - 2 g^2 for rbar = 1 + 2c. *)
Lemma kap_rbar1 : kap * (1 + clk * (1 + 1)) <= 1 - 2%:R * g ^+ 2.
Proof.
have d0 := d_pos; have d1 := d_ge1; have k0 := kap_gt0.
refine (@le_diff _ _ _ (2%:R * g ^+ 2 / d%:R * (d%:R - 1)) _ _); last by nn.
by move: k0; rewrite /clk /kap => k0; field; rewrite !gt_eqF.
Qed.

Lemma labels_rule (stop : pred (seq I)) n (X1 : pred I) :
  (forall h, reach stop h -> rr h <= 1 + clk * (1 + 1)) ->
  Exp U g stop n (fun h => (labels X1 h)%:R) <= ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof.
move=> rb; apply: le_trans (labels_bound d_gt0 isoU g_gt0 g_lt n X1 rb) _.
rewrite (trace_identity whP).
have -> : ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1 =
   (1 - 2%:R * g ^+ 2) * reduced_rank X X1 / g ^+ 2 by field; rewrite gt_eqF.
apply: ler_wpmul2r; first by nn.
by apply: ler_wpmul2r; [exact: psd_rank | exact: kap_rbar1].
Qed.

(* slug: query-appendix *)
Lemma paper_labels n (X1 : pred I) :
  Exp U g paper_stop n (fun h => (labels X1 h)%:R) <= ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof. by apply: labels_rule => h; apply: paper_reach_rr => //; exact: isoU. Qed.

Lemma sure_reach h : reach sure_stop h -> rr h <= 1 + clk * (1 + 1).
Proof.
apply: reach_bound => //; [exact: isoU | exact: ler01 | move=> h'].
by rewrite sure_stopE // -ltNge => /ltW.
Qed.

Lemma sure_labels n (X1 : pred I) :
  Exp U g sure_stop n (fun h => (labels X1 h)%:R) <= ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof. by apply: labels_rule; exact: sure_reach. Qed.

Lemma sure_length n : Exp U g sure_stop n (fun h => (size h)%:R) <= d%:R * kap / g ^+ 2 + 2%:R.
Proof.
apply: le_trans (length_bound d_gt0 isoU g_gt0 g_lt n sure_reach) _.
have d0 := d_pos; have k0 := kap_gt0.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /clk; field; rewrite !gt_eqF.
Qed.

(** The rule on the gap alone goes on for long with small probability. *)
Lemma sure_late n :
  Pr U g sure_stop n (fun h => ~~ sure_stop h) <=
  (d%:R * kap / g ^+ 2 + 2%:R) / n.+1%:R.
Proof.
apply: le_trans (Pr_late d_gt0 isoU g_gt0 g_lt n sure_reach) _.
have d0 := d_pos; have k0 := kap_gt0; rewrite le_eqVlt; apply/orP; left.
apply/eqP; congr (_ / _); rewrite /clk; field.
by rewrite !gt_eqF.
Qed.

Lemma paper_length n : Exp U g paper_stop n (fun h => (size h)%:R) <= d%:R * kap / g ^+ 2 + 2%:R.
Proof.
have rb h : reach paper_stop h -> rr h <= 1 + clk * (1 + 1).
  by apply: paper_reach_rr => //; exact: isoU.
apply: le_trans (length_bound d_gt0 isoU g_gt0 g_lt n rb) _.
have d0 := d_pos; have k0 := kap_gt0.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /clk; field; rewrite !gt_eqF.
Qed.

(** Conditioning from a lower bound on r. *)
Lemma lo_rr h : lo (hst h) = d%:R / g ^+ 2 * ((1 - 2%:R * g) * rr h - 2%:R * g).
Proof.
rewrite (hlo d_gt0 isoU g_gt0 g_lt) (hmid d_gt0 isoU g_gt0 g_lt).
by move: (rr h) => r; field; rewrite gt_eqF.
Qed.

Lemma lo_ge h T : T <= rr h -> d%:R / g ^+ 2 * ((1 - 2%:R * g) * T - 2%:R * g) <= lo (hst h).
Proof.
move=> le; rewrite lo_rr; have d0 := d_pos; have g2 := g2_gt0 g_lt.
by apply: ler_wpmul2l; [nn | rewrite ler_add2r; apply: ler_wpmul2l => //; exact: ltW].
Qed.

Lemma lo_pos h T : 2%:R * g < (1 - 2%:R * g) * T -> T <= rr h -> 0 < lo (hst h).
Proof.
move=> gT /lo_ge; apply: lt_le_trans; have d0 := d_pos.
by apply: mulr_gt0; [ps | rewrite subr_gt0].
Qed.

Lemma spectral_at h T : 0 < T -> T <= rr h ->
  psd ((1 + 2%:R * g * (1 + T^-1))%:M - (mid (hst h))^-1 *: acc (hst h)) /\
  psd ((mid (hst h))^-1 *: acc (hst h) - (1 - 2%:R * g * (1 + T^-1))%:M).
Proof.
move=> T0 le; have r0 : 0 < rr h by exact: lt_le_trans le.
have nh : h != [::] by apply: contraTneq r0 => ->; rewrite (rr0 U d_gt0 g_gt0) ltxx.
have [s1 s2] := spectral d_gt0 isoU g_gt0 g_lt nh.
have d1 : 0 <= 2%:R * g * (1 + T^-1) - 2%:R * g * (1 + (rr h)^-1).
  rewrite subr_ge0; apply: ler_wpmul2l; first by nn.
  by rewrite ler_add2l lef_pinv ?posrE.
split.
  have -> : (1 + 2%:R * g * (1 + T^-1))%:M - (mid (hst h))^-1 *: acc (hst h) =
   ((1 + 2%:R * g * (1 + (rr h)^-1))%:M - (mid (hst h))^-1 *: acc (hst h)) +
   (2%:R * g * (1 + T^-1) - 2%:R * g * (1 + (rr h)^-1))%:M.
    move: (_ *: acc _) => Z; apply/matrixP => i j; rewrite !mxE.
    by case: (i == j) => /=; ring.
  by apply: psdD => //; exact: psd_scalar.
have -> : (mid (hst h))^-1 *: acc (hst h) - (1 - 2%:R * g * (1 + T^-1))%:M =
 ((mid (hst h))^-1 *: acc (hst h) - (1 - 2%:R * g * (1 + (rr h)^-1))%:M) +
 (2%:R * g * (1 + T^-1) - 2%:R * g * (1 + (rr h)^-1))%:M.
  move: (_ *: acc _) => Z; apply/matrixP => i j; rewrite !mxE.
  by case: (i == j) => /=; ring.
by apply: psdD => //; exact: psd_scalar.
Qed.

(** The loss at level T. *)
Section Level.
Variable T : R.
Hypothesis T0 : 0 < T.
Hypothesis gT : 2%:R * g < (1 - 2%:R * g) * T.

Local Notation rbar := (T + clk * (1 + T)).
Definition level_const : R :=
  g ^+ 2 * kap * (rbar + rbar ^+ 2 / 2%:R) / ((1 - 2%:R * g) * T - 2%:R * g) ^+ 2.

Lemma level_den : 0 < (1 - 2%:R * g) * T - 2%:R * g.
Proof. by rewrite subr_gt0. Qed.

Lemma level_const_ge0 : 0 <= level_const.
Proof.
have a := level_den; have k0 := kap_gt0; have c0 := clk_gt0.
rewrite /level_const; move: a; move: ((1 - 2%:R * g) * T - 2%:R * g) => z z0; nn.
Qed.

Lemma level_noise n :
  Exp U g (level_stop T) n (fun h => sqn (noise X Y P g h)) <=
  opt * (d%:R ^+ 2 * kap / g ^+ 2) * (rbar + rbar ^+ 2 / 2%:R).
Proof.
have := @weighted_noise _ _ _ X Y P g d_gt0 whP g_gt0 g_lt (level_stop T)
  (fun=> 1) (fun r => r + r ^+ 2 / 2%:R) rbar.
rewrite expr0n mul0r addr0 subr0 => /(_ _ _ _ _ n) H.
have e : Exp U g (level_stop T) n (fun h => sqn (noise X Y P g h)) =
  Exp U g (level_stop T) n (fun h => sqn (noise X Y P g h) * 1).
  by apply: Tend_eq => h; rewrite mulr1.
rewrite e; apply: H => //.
- by move=> r _; exact: ler01.
- move=> r r' r0 le; rewrite mul1r.
  by refine (@le_diff _ _ _ ((r' - r) ^+ 2 / 2%:R) _ _); [field | nn].
- by move=> h; apply: level_reach_rr => //; [exact: isoU | exact: ltW].
Qed.

(** The excess at a stopped leaf, against the noise. *)
Lemma level_leaf h : level_stop T h -> loss (betahat h) - opt <=
  sqn (noise X Y P g h) / (d%:R / g ^+ 2 * ((1 - 2%:R * g) * T - 2%:R * g)) ^+ 2.
Proof.
rewrite level_stopE // => le; have l0 := lo_pos gT le; have le' := lo_ge le.
apply: le_trans (excess Y d_gt0 whP g_gt0 g_lt l0) _.
have z0 := level_den; have d0 := d_pos.
apply: ler_wpmul2l; first exact: sqn_ge0.
set z := _ * (_ - _) in le' *; have zz : 0 < z by rewrite /z; apply: mulr_gt0 => //; ps.
by rewrite lef_pinv ?posrE ?exprn_gt0 // ler_pexpn2r ?nnegrE // ltW.
Qed.

Lemma level_excess n :
  Exp U g (level_stop T) n (fun h => (level_stop T h)%:R * (loss (betahat h) - opt)) <= level_const * opt.
Proof.
have z0 := level_den; have d0 := d_pos.
pose z := d%:R / g ^+ 2 * ((1 - 2%:R * g) * T - 2%:R * g).
have zz : 0 < z by rewrite /z; apply: mulr_gt0 => //; ps.
apply: (@le_trans _ _ (Exp U g (level_stop T) n (fun h => (z ^+ 2)^-1 * sqn (noise X Y P g h)))).
  apply: Tend_mono => //; [exact: isoU | move=> h _].
  case: (boolP (level_stop T h)) => [st|_]; rewrite ?mul1r ?mul0r.
    by rewrite mulrC; exact: level_leaf.
  by apply: mulr_ge0; [nn | exact: sqn_ge0].
rewrite /Exp TendZ -/(Exp _ _ _ _ _); apply: le_trans (ler_wpmul2l _ (level_noise n)) _; first by nn.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /level_const /z.
move: z0 (clk * (1 + T)); move: ((1 - 2%:R * g) * T - 2%:R * g) => y y0 c.
by field; rewrite !gt_eqF.
Qed.

(* slug: sure-stop *)
Lemma level_loss n beta :
  Exp U g (level_stop T) n (fun h => (level_stop T h)%:R * loss (betahat h)) <= (1 + level_const) * loss beta.
Proof.
apply: (@le_trans _ _ ((1 + level_const) * opt)); last first.
  apply: ler_wpmul2l; last exact: (opt_min Y whP).
  by apply: addr_ge0; [exact: ler01 | exact: level_const_ge0].
rewrite mulrDl mul1r; apply: le_trans (ler_add (lexx _) (level_excess n)).
rewrite -[X in X + _](Tend_const d_gt0 isoU g_gt0 g_lt (level_stop T) n opt [::]) /Exp -TendD.
apply: Tend_mono => //; [exact: isoU | move=> h _].
by case: (level_stop T h); rewrite ?mul1r ?mul0r ?addr0 ?(opt_ge0 X Y) // addrC subrK.
Qed.

Lemma level_labels n (X1 : pred I) :
  Exp U g (level_stop T) n (fun h => (labels X1 h)%:R) <= kap * rbar / g ^+ 2 * reduced_rank X X1.
Proof.
rewrite -(trace_identity whP) -mulrAC; apply: labels_bound => //; first exact: isoU.
by move=> h; apply: level_reach_rr => //; [exact: isoU | exact: ltW].
Qed.

Lemma level_length n :
  Exp U g (level_stop T) n (fun h => (size h)%:R) <= kap * rbar * d%:R / g ^+ 2.
Proof.
apply: length_bound => //; first exact: isoU.
by move=> h; apply: level_reach_rr => //; [exact: isoU | exact: ltW].
Qed.

Lemma level_late n :
  Pr U g (level_stop T) n (fun h => ~~ level_stop T h) <=
  kap * rbar * d%:R / g ^+ 2 / n.+1%:R.
Proof.
apply: Pr_late => //; first exact: isoU.
by move=> h; apply: level_reach_rr => //; [exact: isoU | exact: ltW].
Qed.

(** In probability. *)
Lemma level_bad n t c : 0 < t -> 0 < c -> level_const <= c ->
  Pr U g (level_stop T) n (fun h => level_stop T h && ~~ (loss (betahat h) <= (1 + t * c) * opt)) <= t^-1.
Proof.
move=> t0 c0 lc; have := opt_ge0 X Y; rewrite le_eqVlt => /orP[/eqP o0|o0].
  rewrite -o0; apply: (@le_trans _ _ 0); last by nn.
  rewrite -[X in _ <= X](Tend_const d_gt0 isoU g_gt0 g_lt (level_stop T) n 0 [::]).
  apply: Tend_mono => //; [exact: isoU | move=> h _].
  case: (boolP (level_stop T h)) => //= st; have := level_leaf st.
  by rewrite (noise_zero _ _ _ (esym o0)) mul0r -o0 subr0 mulr0 => ->.
apply: (@le_trans _ _ (Exp U g (level_stop T) n (fun h => (level_stop T h)%:R * (loss (betahat h) - opt)) / (t * c * opt))).
  apply: Pr_markov => //; [exact: isoU | by ps | |].
    move=> h _; case: (level_stop T h); rewrite ?mul0r // mul1r subr_ge0.
    exact: (opt_min Y whP).
  move=> h _ /andP[-> /=]; rewrite -ltNge mul1r => /ltW.
  by rewrite mulrDl mul1r ler_subr_addl.
rewrite ler_pdivr_mulr; last by ps.
have -> : t^-1 * (t * c * opt) = c * opt by field; rewrite gt_eqF.
by apply: le_trans (level_excess n) _; apply: ler_wpmul2r => //; exact: ltW.
Qed.

Lemma level_probability n t c beta : 0 < t -> 0 < c -> level_const <= c ->
  1 - t^-1 - kap * rbar * d%:R / g ^+ 2 / n.+1%:R <=
  Pr U g (level_stop T) n (fun h => level_stop T h && (loss (betahat h) <= (1 + t * c) * loss beta)).
Proof.
move=> t0 c0 lc; pose st := level_stop T.
pose good h := st h && (loss (betahat h) <= (1 + t * c) * opt).
apply: (@le_trans _ _ (Pr U g st n good)); last first.
  apply: Pr_mono => //; [exact: isoU | move=> h _ /andP[s1 le]].
  apply/andP; split=> //; apply: le_trans le _; apply: ler_wpmul2l; last exact: (opt_min Y whP).
  by nn.
have bad := level_bad n t0 c0 lc.
have late := level_late n.
have u : Pr U g st n (fun h => ~~ good h) <= Pr U g st n (fun h => ~~ st h) +
   Pr U g st n (fun h => st h && ~~ (loss (betahat h) <= (1 + t * c) * opt)).
  by apply: Pr_union => //; [exact: isoU | move=> h _; rewrite /good; case: (st h)].
rewrite (PrC d_gt0 isoU g_gt0 g_lt) in u.
have {}u := le_trans u (ler_add late bad).
move: u; rewrite -addrA -opprD ler_subl_addr addrC -ler_subl_addr.
by rewrite [X in 1 - X]addrC.
Qed.

End Level.

(** T = 1: the constant 3/2. *)
Lemma level1_const : 4%:R * g < 1 -> level_const 1 <= 3%:R / 2%:R * g ^+ 2 / (1 - 4%:R * g) ^+ 2.
Proof.
move=> g4; have d0 := d_pos; have d1 := d_ge1; have k0 := kap_gt0.
have z0 : 0 < 1 - 4%:R * g by rewrite subr_gt0.
rewrite /level_const mulr1.
have -> : 1 - 2%:R * g - 2%:R * g = 1 - 4%:R * g by ring.
apply: ler_wpmul2r; first by nn.
have g5 : 0 <= 1 - 5%:R * g ^+ 2.
  have : (4%:R * g) ^+ 2 < 1 by rewrite expr_lt1 //; nn.
  rewrite exprMn => /ltW l1; rewrite subr_ge0; apply: le_trans l1.
  by refine (@le_diff _ _ _ (11%:R * g ^+ 2) _ _); [ring | nn].
refine (@le_diff _ _ _ (2%:R * g ^+ 4 / (kap * d%:R ^+ 2) * ((1 - 5%:R * g ^+ 2) + kap * (d%:R - 1) * (3%:R * d%:R + 1))) _ _).
  by move: k0; rewrite /clk /kap => k0; field; rewrite !gt_eqF.
by move: g5; move: (1 - 5%:R * g ^+ 2) => y y0; nn.
Qed.

Lemma sure_level h : sure_stop h = level_stop 1 h.
Proof. by rewrite sure_stopE // level_stopE. Qed.

Lemma level1_gT : 4%:R * g < 1 -> 2%:R * g < (1 - 2%:R * g) * 1.
Proof. by move=> g4; refine (@lt_diff _ _ _ (1 - 4%:R * g) _ _); [ring | rewrite subr_gt0]. Qed.

Lemma Tend_stop (s1 s2 : pred (seq I)) n f h : (forall h, s1 h = s2 h) ->
  Tend U g s1 n f h = Tend U g s2 n f h.
Proof.
move=> e; elim: n h => [|n IH] h /=; rewrite e //.
by case: ifP => // _; apply: eq_bigr => x _; rewrite IH.
Qed.

Lemma sure_loss n beta : 4%:R * g < 1 ->
  Exp U g sure_stop n (fun h => (sure_stop h)%:R * loss (betahat h)) <=
  (1 + 3%:R / 2%:R * g ^+ 2 / (1 - 4%:R * g) ^+ 2) * loss beta.
Proof.
move=> g4; have gT := level1_gT g4.
rewrite /Exp (Tend_stop _ _ _ sure_level).
have -> : Tend U g (level_stop 1) n (fun h => (sure_stop h)%:R * loss (betahat h)) [::] =
  Exp U g (level_stop 1) n (fun h => (level_stop 1 h)%:R * loss (betahat h)).
  by apply: Tend_eq => h; rewrite sure_level.
apply: le_trans (level_loss ltr01 gT n beta) _; apply: ler_wpmul2r.
  by rewrite /loss; apply: sumr_ge0 => x _; exact: sqr_ge0.
by rewrite ler_add2l level1_const.
Qed.

(* slug: sure-stop *)
Lemma sure_excess n : 4%:R * g < 1 ->
  Exp U g sure_stop n
    (fun h => (sure_stop h)%:R * (loss (betahat h) - opt)) <=
  3%:R / 2%:R * g ^+ 2 / (1 - 4%:R * g) ^+ 2 * opt.
Proof.
move=> g4; have gT := level1_gT g4.
rewrite /Exp (Tend_stop _ _ _ sure_level).
have -> : Tend U g (level_stop 1) n
    (fun h => (sure_stop h)%:R * (loss (betahat h) - opt)) [::] =
  Exp U g (level_stop 1) n
    (fun h => (level_stop 1 h)%:R * (loss (betahat h) - opt)).
  by apply: Tend_eq => h; rewrite sure_level.
apply: le_trans (level_excess ltr01 gT n) _.
by apply: ler_wpmul2r; [exact: opt_ge0 | exact: level1_const].
Qed.

Lemma sure_lo h : 4%:R * g < 1 -> sure_stop h -> 0 < lo (hst h).
Proof. by move=> g4; rewrite sure_stopE // => le; apply: lo_pos le; exact: level1_gT. Qed.

Lemma sure_spectral h : sure_stop h ->
  psd ((1 + 4%:R * g)%:M - (mid (hst h))^-1 *: acc (hst h)) /\
  psd ((mid (hst h))^-1 *: acc (hst h) - (1 - 4%:R * g)%:M).
Proof.
rewrite sure_stopE // => le; have := spectral_at ltr01 le.
by have -> : 2%:R * g * (1 + 1^-1) = 4%:R * g by rewrite invr1; ring.
Qed.

(** Only sampled labels are used. *)
Lemma betahat_local (Y' : I -> R) h : {in h, Y =1 Y'} -> betahat h = Spec.betahat X Y' U g h.
Proof.
move=> e; rewrite /Spec.betahat; congr (_ *m _); rewrite /sample_rhs.
elim: h e => [|x h IH] //= e; rewrite IH; last by move=> y yh; apply: e; rewrite inE yh orbT.
by rewrite (e x) // inE eqxx.
Qed.

End Data.

(** ** Corollaries in epsilon. *)
Section Epsilon.
Variables (R : realFieldType) (g eps : R).
Hypothesis g_gt0 : 0 < g.

(** g^2 = eps/28 gives loss (1 + eps) for all eps <= 1. *)
Lemma eps28 : 28%:R * g ^+ 2 = eps -> eps <= 1 ->
  4%:R * g < 1 /\ 3%:R / 2%:R * g ^+ 2 / (1 - 4%:R * g) ^+ 2 <= eps.
Proof.
move=> e e1.
have g19 : g <= 19%:R / 100%:R.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE //; try by nn.
  refine (@le_diff _ _ _ ((1 - 28%:R * g ^+ 2) / 28%:R + 27%:R / (100%:R * 700%:R)) _ _).
    by field.
  have : 0 <= 1 - 28%:R * g ^+ 2 by rewrite subr_ge0 e.
  by move: (1 - 28%:R * g ^+ 2) => z z0; nn.
have z0 : 0 <= (19%:R / 100%:R - g) by rewrite subr_ge0.
have g4 : 0 < 1 - 4%:R * g.
  have -> : 1 - 4%:R * g = 4%:R * (19%:R / 100%:R - g) + 6%:R / 25%:R by field.
  by apply: ltr_spaddr; [ps | nn].
split; first by rewrite -subr_gt0.
rewrite ler_pdivr_mulr ?exprn_gt0 // -e.
have -> : 1 - 4%:R * g = 4%:R * (19%:R / 100%:R - g) + 6%:R / 25%:R by field.
move: z0; move: (19%:R / 100%:R - g) => z z0.
refine (@le_diff _ _ _ (28%:R * g ^+ 2 * (16%:R * z ^+ 2 + 2%:R * (4%:R * z) * (6%:R / 25%:R)) + g ^+ 2 * (141%:R / (25%:R * 50%:R))) _ _); last by nn.
by field.
Qed.

End Epsilon.

(** The sharp form: level T = delta, g^2 = eps delta / (1 + 29/10 delta). *)
Section Sharp.
Variables (R : realFieldType) (d : nat) (g eps delta : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < g.
Hypothesis de_gt0 : 0 < delta.
Hypothesis de_le : 2%:R * delta <= 1.
Hypothesis eps_gt0 : 0 < eps.
Hypothesis eps_le : 64%:R * eps <= delta ^+ 3.
Hypothesis gE : g ^+ 2 = eps * delta / (1 + 29%:R / 10%:R * delta).

Local Notation mu := (1 + 29%:R / 10%:R * delta).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).

Lemma mu_gt0 : 0 < mu. Proof. by ps. Qed.

Lemma g2_le : g ^+ 2 <= (delta ^+ 2 / 8%:R) ^+ 2.
Proof.
rewrite gE ler_pdivr_mulr ?mu_gt0 //.
refine (@le_diff _ _ _ (delta / 64%:R * (delta ^+ 3 - 64%:R * eps) + delta ^+ 4 / 64%:R * (29%:R / 10%:R * delta)) _ _).
  by field.
by nn.
Qed.

Lemma g_le : g <= delta ^+ 2 / 8%:R.
Proof. by rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?g2_le //; nn. Qed.

Lemma half_sub : 0 <= 1 - 2%:R * delta.
Proof. by rewrite subr_ge0. Qed.

Lemma g_small : 2%:R * g + 2%:R * g / delta <= 3%:R / 8%:R * delta.
Proof.
have gl := g_le; have hs := half_sub.
refine (@le_diff _ _ _ (2%:R * (1 + delta^-1) * (delta ^+ 2 / 8%:R - g) + delta / 8%:R * (1 - 2%:R * delta)) _ _).
  by field; rewrite gt_eqF.
by apply: addr_ge0; [apply: mulr_ge0; [nn | rewrite subr_ge0] | nn].
Qed.

Lemma sharp_den : (1 - 3%:R / 8%:R * delta) * delta <= (1 - 2%:R * g) * delta - 2%:R * g.
Proof.
have gs := g_small.
refine (@le_diff _ _ _ (delta * (3%:R / 8%:R * delta - (2%:R * g + 2%:R * g / delta))) _ _).
  by field; rewrite gt_eqF.
by apply: mulr_ge0; [nn | rewrite subr_ge0].
Qed.

Lemma sharp_one : 0 < 1 - 3%:R / 8%:R * delta.
Proof.
have hs := half_sub.
have -> : 1 - 3%:R / 8%:R * delta = 13%:R / 16%:R + 3%:R / 16%:R * (1 - 2%:R * delta) by field.
by apply: ltr_spaddl; [ps | nn].
Qed.

Lemma sharp_gT : 2%:R * g < (1 - 2%:R * g) * delta.
Proof.
rewrite -subr_gt0; apply: lt_le_trans sharp_den; apply: mulr_gt0 => //; exact: sharp_one.
Qed.

Lemma g2_lin : g ^+ 2 <= delta / 512%:R.
Proof.
apply: le_trans g2_le _; have hs := half_sub.
refine (@le_diff _ _ _ (delta / 512%:R * (1 - 2%:R * delta) * (1 + 2%:R * delta + 4%:R * delta ^+ 2)) _ _).
  by field.
by nn.
Qed.

Lemma sharp_half : 2%:R * g < 1.
Proof.
have gl := g_le; have hs := half_sub.
refine (@lt_diff _ _ _ (2%:R * (delta ^+ 2 / 8%:R - g) + (1 - delta ^+ 2 / 4%:R)) _ _); first by field.
have -> : 1 - delta ^+ 2 / 4%:R = 15%:R / 16%:R + (1 - 2%:R * delta) * (1 + 2%:R * delta) / 16%:R by field.
apply: ltr_spaddr; last by apply: mulr_ge0; [nn | rewrite subr_ge0].
by apply: ltr_spaddl; [ps | nn].
Qed.

Lemma sharp_kap : 2%:R^-1 <= kap.
Proof.
have gl := g2_lin; have hs := half_sub.
refine (@le_diff _ _ _ (4%:R * (delta / 512%:R - g ^+ 2) + (1 - 2%:R * delta) / 256%:R + 127%:R / 256%:R) _ _).
  by rewrite /kap; field.
by move: gl; rewrite -subr_ge0; move: (delta / 512%:R - g ^+ 2) => z z0; nn.
Qed.

Lemma d1 : (1 : R) <= d%:R. Proof. by rewrite ler1n. Qed.

Lemma sharp_krbar : kap * (delta + clk * (1 + delta)) <= delta + g ^+ 2.
Proof.
have k0 : 0 < kap by apply: kap_gt0 => //; exact: sharp_half.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
have dd := d1.
refine (@le_diff _ _ _ (3%:R * g ^+ 2 * delta + g ^+ 2 * (1 + delta) * (d%:R - 1) / d%:R) _ _).
  by move: k0; rewrite /clk /kap => k0; field; rewrite !gt_eqF.
by nn.
Qed.

Lemma sharp_rbar : delta + clk * (1 + delta) <= 5%:R / 4%:R * delta.
Proof.
have k0 : 0 < kap by apply: kap_gt0 => //; exact: sharp_half.
have hk := sharp_kap; have gl := g2_lin; have hs := half_sub; have dd := d1.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
have c1 : clk <= delta / 128%:R.
  rewrite /clk ler_pdivr_mulr; last by ps.
  apply: le_trans gl _.
  refine (@le_diff _ _ _ (delta / 128%:R * (d%:R * (kap - 2%:R^-1) + (d%:R - 1) / 2%:R) + delta / 512%:R) _ _); first by field.
  by move: hk; rewrite -subr_ge0; move: (kap - 2%:R^-1) => z z0; nn.
refine (@le_diff _ _ _ ((1 + delta) * (delta / 128%:R - clk) + delta * (15%:R / 64%:R + (1 - 2%:R * delta) / 256%:R + 1 / 256%:R)) _ _).
  by field.
have c2 : 0 <= delta / 128%:R - clk by rewrite subr_ge0.
by move: c2; move: (delta / 128%:R - clk) => z z0; nn.
Qed.

Lemma sharp_loss : level_const d g delta <= eps.
Proof.
have k0 : 0 < kap by apply: kap_gt0 => //; exact: sharp_half.
have c0 : 0 < clk by apply: clk_gt0 => //; exact: sharp_half.
have hs := half_sub; have s1 := sharp_one; have gl := g2_le.
rewrite /level_const; have den := sharp_den.
have den0 : 0 < (1 - 3%:R / 8%:R * delta) * delta by apply: mulr_gt0.
have den1 : 0 < (1 - 2%:R * g) * delta - 2%:R * g by exact: lt_le_trans den.
rewrite ler_pdivr_mulr ?exprn_gt0 //.
apply: (@le_trans _ _ (eps * ((1 - 3%:R / 8%:R * delta) * delta) ^+ 2)); last first.
  by apply: ler_wpmul2l; [nn | rewrite ler_pexpn2r ?nnegrE //; exact: ltW].
have eE : eps = g ^+ 2 * mu / delta by rewrite gE divfK ?gt_eqF ?mu_gt0 // mulfK // gt_eqF.
have kr := sharp_krbar; have rb := sharp_rbar.
set rbar := delta + clk * (1 + delta) in kr rb *.
have rb0 : 0 < rbar by rewrite /rbar; ps.
have -> : g ^+ 2 * kap * (rbar + rbar ^+ 2 / 2%:R) = g ^+ 2 * ((kap * rbar) * (1 + rbar / 2%:R)) by ring.
rewrite eE.
have -> : g ^+ 2 * mu / delta * ((1 - 3%:R / 8%:R * delta) * delta) ^+ 2 =
  g ^+ 2 * (delta * mu * (1 - 3%:R / 8%:R * delta) ^+ 2) by field; rewrite gt_eqF.
apply: ler_wpmul2l; first by nn.
apply: (@le_trans _ _ ((delta * (1 + delta / 256%:R)) * (1 + 5%:R / 8%:R * delta))).
  apply: ler_pmul; [by nn | by nn | |].
    apply: le_trans kr _; rewrite mulrDr mulr1 ler_add2l; apply: le_trans gl _.
    refine (@le_diff _ _ _ (delta ^+ 2 / 256%:R * (1 - 2%:R * delta) * (1 + 2%:R * delta)) _ _); first by field.
    by nn.
  rewrite ler_add2l; refine (@le_diff _ _ _ ((5%:R / 4%:R * delta - rbar) / 2%:R) _ _); first by field.
  by nn.
have -> : delta * (1 + delta / 256%:R) * (1 + 5%:R / 8%:R * delta) =
  delta * ((1 + delta / 256%:R) * (1 + 5%:R / 8%:R * delta)) by ring.
rewrite -[X in _ <= X]mulrA; apply: ler_wpmul2l; first by nn.
refine (@le_diff _ _ _ (delta * ((1 - 2%:R * delta) * (1 + 13%:R * 29%:R / (64%:R * 64%:R * 5%:R)) +
   29%:R * 71%:R / (64%:R * 64%:R) + 261%:R / 640%:R * delta ^+ 2)) _ _).
  by field.
by nn.
Qed.

Lemma sharp_labels : kap * (delta + clk * (1 + delta)) / g ^+ 2 <= (1 + 3%:R * delta) / eps.
Proof.
have g20 : 0 < g ^+ 2 by ps.
rewrite ler_pdivr_mulr //; apply: le_trans sharp_krbar _.
have m0 := mu_gt0; have hs := half_sub.
rewrite gE.
refine (@le_diff _ _ _ (delta / mu * (delta / 10%:R - eps)) _ _).
  have -> : delta / 10%:R = 1 + 3%:R * delta - mu by field.
  by move: m0; move: mu => m m0; field; rewrite !gt_eqF.
apply: mulr_ge0; first by nn.
have -> : delta / 10%:R - eps = (delta ^+ 3 - 64%:R * eps) / 64%:R +
  delta / 256%:R * (1 - 2%:R * delta) * (1 + 2%:R * delta) + delta * (123%:R / (64%:R * 20%:R)) by field.
by nn.
Qed.

End Sharp.
