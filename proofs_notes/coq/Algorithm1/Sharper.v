(** Sharper forms of what is printed, each a few lines from the development.

    Selected results
      draws_sharp         == E[draws from X1] <= k rbar R_X/g^2 <= (1/g^2-2) R_X
      gap_clock           == u_m - l_m <= (4d/g)(1 + rho + c(1 + rho))
      balanced_constants  == well-balanced with 12 g, 1 - 4g^2 and 10 g^2
      coreset_words       == the numbers that the coreset takes
      noise_martingale    == E[v_(j+1) | history] = v_j
      level_excess_opt    == E[excess] at any stop level, against the optimum
      sure_273            == 27.3 R_X/eps labels for every eps <= 1

    Symbols
      k = 1 - 4g^2, c = g^2/(d k) (kap, clk); rho == the positive root of
      r^2 + (k/4) r = 1 (RealClosed); rbar == the bound on r at the stop. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression Whitening SureStop.
From Asura Require Import RealClosed WellBalanced.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Roots.
Variables (R : rcfType) (g : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation rho := (rho g).

Lemma rho_ge0 : 0 <= rho.
Proof.
have k0 := kap_gt0 g_gt0 g_lt.
rewrite /rho divr_ge0 ?ler0n // addrC subr_ge0.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE //; [| by nn | exact: sqrtr_ge0].
by rewrite sqr_sqrtr ?ler_addl ?ler0n //; nn.
Qed.

Lemma rho_root : rho ^+ 2 + kap g / 4%:R * rho = 1.
Proof.
have k0 := kap_gt0 g_gt0 g_lt.
rewrite /rho; set q := Num.sqrt _.
have e : q ^+ 2 = (kap g / 4%:R) ^+ 2 + 4%:R by rewrite /q sqr_sqrtr //; nn.
transitivity ((q ^+ 2 - (kap g / 4%:R) ^+ 2) / 4%:R); first by field.
by rewrite e; field.
Qed.

Lemma rho_le1 : rho <= 1.
Proof.
have k0 := kap_gt0 g_gt0 g_lt; have p0 := rho_ge0.
rewrite -(@expr_le1 _ 2) // -rho_root ler_addl; nn.
Qed.

End Roots.

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
Local Notation isoU := (isoU whP).
Local Notation d_pos := (@d_pos R d d_gt0).

(** The clock lemma with M = D, counting draws. *)
Lemma draws_rule (stop : pred (seq I)) n rbar (X1 : pred I) :
  (forall h, reach stop h -> rr h <= rbar) ->
  Exp U g stop n (fun h => (count X1 h)%:R) <=
    kap g * rbar * reduced_rank X X1 / g ^+ 2.
Proof.
by move=> rb; rewrite -(trace_identity whP); apply: draws_bound => //; exact: isoU.
Qed.

Lemma draws_ceiling rbar (X1 : pred I) : rbar <= 1 + clk d g * (1 + 1) ->
  kap g * rbar * reduced_rank X X1 / g ^+ 2 <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof.
move=> rb; have k0 := kap_gt0 g_gt0 g_lt.
have -> : ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1 =
   (1 - 2%:R * g ^+ 2) * reduced_rank X X1 / g ^+ 2 by field; rewrite gt_eqF.
apply: ler_wpmul2r; first by nn.
apply: ler_wpmul2r; first exact: (psd_rank whP).
apply: le_trans (kap_rbar1 d_gt0 g_gt0 g_lt).
by apply: ler_wpmul2l => //; exact: ltW.
Qed.

Lemma draws_paper n (X1 : pred I) :
  Exp U g (paper_stop U g) n (fun h => (count X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof.
apply: le_trans (draws_ceiling X1 (lexx _)).
by apply: draws_rule => h; apply: paper_reach_rr => //; exact: isoU.
Qed.

Lemma draws_sure n (X1 : pred I) :
  Exp U g (sure_stop U g) n (fun h => (count X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof.
apply: le_trans (draws_ceiling X1 (lexx _)).
by apply: draws_rule => h; exact: sure_reach.
Qed.

Lemma draws_level T n (X1 : pred I) : 0 < T ->
  Exp U g (level_stop U g T) n (fun h => (count X1 h)%:R) <=
    kap g * (T + clk d g * (1 + T)) * reduced_rank X X1 / g ^+ 2.
Proof.
move=> T0; apply: draws_rule => h.
by apply: level_reach_rr => //; [exact: isoU | exact: ltW].
Qed.

(** The coreset: d numbers for each row drawn from X1, one weight a draw. *)
(* slug: coreset *)
Lemma coreset_words n (X1 : pred I) :
  Exp U g (paper_stop U g) n (fun h => (d * count X1 h)%:R) <=
    d%:R * (((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1) /\
  (forall h, reach (paper_stop U g) h -> (size h)%:R < d%:R / g ^+ 2).
Proof.
have d0 := d_pos; split.
  have -> : Exp U g (paper_stop U g) n (fun h => (d * count X1 h)%:R) =
    d%:R * Exp U g (paper_stop U g) n (fun h => (count X1 h)%:R).
    by rewrite /Exp -TendZ; apply: Tend_eq => h; rewrite natrM.
  by apply: ler_wpmul2l; [exact: ltW | exact: draws_paper].
case=> [|x h] /=; first by move=> _; ps.
move=> /andP[ns _]; have := paper_short_lin d_gt0 isoU g_gt0 g_lt ns.
rewrite ltr_pdivl_mulr ?exprn_gt0 //; apply: lt_trans.
by rewrite ltr_pmul2r ?exprn_gt0 // -natrD ltr_nat addn2.
Qed.

(** The noise vector is a martingale. *)
(* slug: identity-7 *)
Lemma noise_martingale h :
  \sum_x prob U (hst h) x *: noise X Y P g (x :: h) = noise X Y P g h.
Proof.
have i := inv_h d_gt0 isoU g_gt0 g_lt h.
rewrite /noise /= -/(noise X Y P g h).
under eq_bigr do rewrite scalerDr.
rewrite big_split /= -scaler_suml (p_sum d_gt0 isoU g_gt0 g_lt) scale1r.
rewrite (eq_bigr (fun x => (g / Phi (hst h)) *: (resid X Y x *: U x))); last first.
  move=> x _; have [->|n] := eqVneq (U x) 0; first by rewrite !scaler0.
  by rewrite !scalerA mulrA (prob_weight g d_gt0 i n).
by rewrite -scaler_sumr (normal_eq Y whP) scaler0 addr0.
Qed.

(** The excess itself, at the runs that have stopped; no loss is added. *)
(* slug: sure-stop *)
Lemma level_excess_opt T n : 0 < T -> 2%:R * g < (1 - 2%:R * g) * T ->
  Exp U g (level_stop U g T) n (fun h => (level_stop U g T h)%:R *
    (loss X Y (betahat X Y U g h) - loss X Y (betastar X Y))) <=
  level_const d g T * loss X Y (betastar X Y).
Proof. by move=> T0 gT; exact: level_excess. Qed.

End Data.

Section Rows.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

(* slug: well-balanced *)
Theorem balanced_constants n : d%:R <= n%:R * g ^+ 2 ->
  exists good : pred (seq I),
  3%:R / 4%:R <= Pr U g (paper_stop U g) n good /\
  forall h, good h ->
    [/\ paper_stop U g h,
        psd ((1 + 12%:R * g)%:M - sample_matrix U g h) /\
        psd (sample_matrix U g h - (1 - 12%:R * g)%:M),
        past (alpha U g h) h = 1 - 4%:R * g ^+ 2 &
        forall h' x (v : 'cV[R]_d), ~~ paper_stop U g h' -> v != 0 ->
          alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst U g h') x) <=
          10%:R * g ^+ 2].
Proof.
move=> hn; exists (fun h => paper_stop U g h && (5%:R^-1 <= rr U g h)); split.
  exact: (rr_fifth d_gt0 isoU g_gt0 g_lt hn).
move=> h /andP[st le]; have T0 : (0 : R) < 5%:R^-1 by ps.
have r0 : 0 < rr U g h by exact: lt_le_trans le.
have nh : h != [::].
  by apply: contraTneq r0 => ->; rewrite (rr0 U d_gt0 g_gt0) ltxx.
split=> //.
- have := spectral_white d_gt0 isoU g_gt0 g_lt T0 le.
  by have -> : 2%:R * g * (1 + 5%:R^-1^-1) = 12%:R * g by rewrite invrK; ring.
- exact: sum_alpha.
- move=> h' x v ns v0.
  apply: le_trans (alpha_k_run d_gt0 isoU g_gt0 g_lt x nh v0 ns) _.
  rewrite ler_pdivr_mulr //.
  have w : 0 <= rr U g h - 5%:R^-1 by rewrite subr_ge0.
  refine (@le_diff _ _ _ (10%:R * g ^+ 2 * (rr U g h - 5%:R^-1)) _ _); first by field.
  by move: w; move: (rr U g h - _) => y y0; nn.
Qed.

Lemma draws_rows n (X1 : pred I) :
  Exp U g (paper_stop U g) n (fun h => (count X1 h)%:R) <=
    ((g ^+ 2)^-1 - 2%:R) * \tr (\sum_(x | X1 x) U x *m (U x)^T).
Proof.
have rb h := @paper_reach_rr _ _ _ U g d_gt0 isoU g_gt0 g_lt h.
apply: le_trans (draws_bound d_gt0 isoU g_gt0 g_lt n X1 rb) _.
have -> : ((g ^+ 2)^-1 - 2%:R) * \tr (\sum_(x | X1 x) U x *m (U x)^T) =
   (1 - 2%:R * g ^+ 2) * \tr (\sum_(x | X1 x) U x *m (U x)^T) / g ^+ 2.
  by field; rewrite gt_eqF.
apply: ler_wpmul2r; first by nn.
apply: ler_wpmul2r; last exact: (kap_rbar1 d_gt0 g_gt0 g_lt).
rewrite -[X in \tr X]mulmx1; apply: tr_psd; last exact: psd1.
by apply: psd_sum => x _; exact: psd_outer.
Qed.

End Rows.

Section Closed.
Variables (R : rcfType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.
Local Notation U := (white X P).

(* slug: query-appendix *)
Theorem draws_sharp (g : R) n (X1 : pred I) : 0 < g -> 2%:R * g < 1 ->
  let rbar := rho g + clk d g * (1 + rho g) in
  Exp U g (paper_stop U g) n (fun h => (count X1 h)%:R) <=
    kap g * rbar * reduced_rank X X1 / g ^+ 2 /\
  kap g * rbar * reduced_rank X X1 / g ^+ 2 <=
    ((g ^+ 2)^-1 - 2%:R) * reduced_rank X X1.
Proof.
move=> g0 g2 rbar; split.
  apply: draws_rule => // h.
  exact: (paper_reach_rho d_gt0 (isoU whP) g0 g2).
apply: (draws_ceiling d_gt0 whP g0 g2); have p1 := rho_le1 g0 g2.
have c0 := clk_gt0 d_gt0 g0 g2; rewrite /rbar; apply: ler_add => //.
by apply: ler_wpmul2l; [exact: ltW | rewrite ler_add2l].
Qed.

(* slug: gap-final *)
Theorem gap_clock (g : R) h : 0 < g -> 2%:R * g < 1 ->
  reach (paper_stop U g) h ->
  up (hst U g h) - lo (hst U g h) <=
    4%:R * d%:R / g * (1 + (rho g + clk d g * (1 + rho g))).
Proof.
move=> g0 g2 rh; rewrite -/(gap _) (hgap U d_gt0 g0).
have d0 : (0 : R) < d%:R by rewrite ltr0n.
apply: ler_wpmul2l; first by nn.
by rewrite ler_add2l; exact: (paper_reach_rho d_gt0 (isoU whP) g0 g2).
Qed.

Lemma root_273 (s : R) : 0 < s -> s <= 1 ->
  (Num.sqrt (3%:R / 2%:R) + 4%:R * s) ^+ 2 <= 273%:R / 10%:R.
Proof.
move=> s0 s1.
have [t1 tE] : 0 < Num.sqrt (3%:R / 2%:R : R) /\
   Num.sqrt (3%:R / 2%:R) ^+ 2 = 3%:R / 2%:R :> R.
  by apply: sqrt_gt0; ps.
have tb : Num.sqrt (3%:R / 2%:R : R) <= 158%:R / 129%:R.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE //; try by nn.
  rewrite tE.
  by refine (@le_diff _ _ _ (5%:R / (2%:R * 129%:R * 129%:R)) _ _); [field | nn].
have u : Num.sqrt (3%:R / 2%:R : R) + 4%:R * s <= 158%:R / 129%:R + 4%:R.
  by apply: ler_add => //; rewrite ler_pimulr // ler0n.
apply: (@le_trans _ _ ((158%:R / 129%:R + 4%:R) ^+ 2)).
  by rewrite ler_pexpn2r ?nnegrE //; nn.
by refine (@le_diff _ _ _ (233%:R / (10%:R * 129%:R * 129%:R)) _ _); [field | nn].
Qed.

(* slug: sure-stop *)
Theorem sure_273 (eps : R) n (X1 : pred I) : 0 < eps -> eps <= 1 ->
  let g := Num.sqrt eps / (Num.sqrt (3%:R / 2%:R) + 4%:R * Num.sqrt eps) in
  [/\ 4%:R * g < 1,
      Exp U g (sure_stop U g) n (fun h => (count X1 h)%:R) <=
        273%:R / 10%:R / eps * reduced_rank X X1,
      Exp U g (sure_stop U g) n (fun h => (labels X1 h)%:R) <=
        273%:R / 10%:R / eps * reduced_rank X X1 &
      forall beta, Exp U g (sure_stop U g) n
          (fun h => (sure_stop U g h)%:R * loss X Y (betahat X Y U g h)) <=
        (1 + eps) * loss X Y beta].
Proof.
move=> e0 e1 g.
have [s0 sE] := sqrt_gt0 e0.
have s1 : Num.sqrt eps <= 1 by rewrite -(@expr_le1 _ 2) ?sqrtr_ge0 // sE.
have [g4 _ L] := sure_stop_best Y d_gt0 whP n X1 e0.
have [t1 _] : 0 < Num.sqrt (3%:R / 2%:R : R) /\
   Num.sqrt (3%:R / 2%:R) ^+ 2 = 3%:R / 2%:R :> R by apply: sqrt_gt0; ps.
rewrite -/g in g4 L.
have c0 : 0 < Num.sqrt (3%:R / 2%:R : R) + 4%:R * Num.sqrt eps by ps.
have g0 : 0 < g by rewrite /g; ps.
have g2 := half_of_quarter g0 g4.
have D : Exp U g (sure_stop U g) n (fun h => (count X1 h)%:R) <=
  273%:R / 10%:R / eps * reduced_rank X X1.
  apply: le_trans (draws_sure d_gt0 whP g0 g2 n X1) _.
  apply: ler_wpmul2r; first exact: (psd_rank whP).
  apply: (@le_trans _ _ ((g ^+ 2)^-1)); first by rewrite ler_subl_addr ler_addl ler0n.
  have -> : (g ^+ 2)^-1 =
    (Num.sqrt (3%:R / 2%:R) + 4%:R * Num.sqrt eps) ^+ 2 / eps.
    by rewrite /g exprMn exprVn sE invfM invrK mulrC.
  by apply: ler_wpmul2r; [nn | exact: root_273].
split=> //; apply: le_trans D; apply: Tend_mono => //; first exact: isoU.
by move=> h _; rewrite ler_nat labels_le.
Qed.

End Closed.
