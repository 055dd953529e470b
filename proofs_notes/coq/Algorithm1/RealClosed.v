(** The statements that need square roots, over a real closed field, and the
    theorems of the paper in terms of epsilon.

    Symbols:
      rho == the root of r^2 + (k/4) r = 1

    Selected results:
      paper_reach_rho == r <= rho + clk (1 + rho) at the stop
      tail_sqrt       == P(r_m < q) <= sqrt(k q/(1 - q))/2
      sure_stop_eps   == 28 R_X/eps labels, rule on the gap alone
      sure_stop_best  == the g for which the loss bound is 1 + eps exactly
      sharp_eps       == (1 + 3 delta) R_X/eps labels
      main_eps        == the main theorem, g = sqrt(eps)/33 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression Whitening SureStop Main.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Runs.
Variables (R : rcfType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation rr := (rr U g).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation paper_stop := (paper_stop U g).
Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).

(* slug: m-bound *)
Lemma paper_short_sqrt h : ~~ paper_stop h -> (size h)%:R < d%:R * Num.sqrt kap / g ^+ 2.
Proof.
move=> ns; have lt := paper_short d_gt0 isoU g_gt0 g_lt ns.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
have k0 := kap_gt0; have s0 : 0 < Num.sqrt kap by rewrite sqrtr_gt0.
rewrite ltr_pdivl_mulr ?exprn_gt0 // -(@ltr_pexpn2r _ 2) ?nnegrE //; try by nn.
have -> : (d%:R * Num.sqrt kap) ^+ 2 = d%:R ^+ 2 * kap by rewrite exprMn sqr_sqrtr // ltW.
by have -> : ((size h)%:R * g ^+ 2) ^+ 2 = (size h)%:R ^+ 2 * g ^+ 4 by ring.
Qed.

(** rho: the positive root of r^2 + (k/4) r = 1. *)
Definition rho : R := (- (kap / 4%:R) + Num.sqrt ((kap / 4%:R) ^+ 2 + 4%:R)) / 2%:R.

(* slug: I3 *)
Lemma paper_run_rho h : ~~ paper_stop h -> rr h < rho.
Proof.
move=> ns; have lt := paper_run_rr d_gt0 isoU g_gt0 g_lt ns.
have k0 := kap_gt0; have r0 := rr_ge0 d_gt0 isoU g_gt0 g_lt h.
rewrite /rho ltr_pdivl_mulr ?ltr0n // addrC ltr_subr_addr.
rewrite -(@ltr_pexpn2r _ 2) ?nnegrE //; [| by nn | exact: sqrtr_ge0].
rewrite sqr_sqrtr; last by nn.
by refine (@lt_diff _ _ _ (4%:R * (1 - (rr h ^+ 2 + kap / 4%:R * rr h))) _ _); [field | apply: mulr_gt0; [ps | rewrite subr_gt0]].
Qed.

Lemma paper_reach_rho h : reach paper_stop h -> rr h <= rho + clk * (1 + rho).
Proof.
have k0 := kap_gt0.
have rho0 : 0 <= rho.
  rewrite /rho divr_ge0 ?ler0n // addrC subr_ge0 -(@ler_pexpn2r _ 2) ?nnegrE //; [| by nn | exact: sqrtr_ge0].
  by rewrite sqr_sqrtr ?ler_addl ?ler0n //; nn.
by apply: reach_bound => // h' /paper_run_rho/ltW.
Qed.

(* slug: tail *)
Lemma tail_sqrt n q : 0 < q -> q < 1 ->
  Pr U g paper_stop n (fun h => paper_stop h && (rr h < q)) <= Num.sqrt (kap * q / (1 - q)) / 2%:R.
Proof.
move=> q0 q1; have z0 : 0 < 1 - q by rewrite subr_gt0.
have k0 := kap_gt0; set s := Num.sqrt _.
have s0 : 0 < s.
  by rewrite sqrtr_gt0; move: z0; move: (1 - q) => z z0; ps.
have ss : s ^+ 2 = kap * q / (1 - q).
  by rewrite sqr_sqrtr //; move: z0; move: (1 - q) => z z0; nn.
have q01 : 0 <= q <= 1 by rewrite !ltW.
have si : 0 < s^-1 by ps.
have T := tail d_gt0 isoU g_gt0 g_lt n si q01.
rewrite -(ler_pmul2l z0); apply: le_trans T _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
have -> : kap * s^-1 * q = s * (1 - q).
  have -> : kap * s^-1 * q = kap * q / (1 - q) * (1 - q) / s by field; rewrite !gt_eqF.
  by rewrite -ss; field; rewrite gt_eqF.
by rewrite invrK; field.
Qed.

End Runs.

(** ** Algorithm 1 in terms of epsilon: X has full column rank, and P is any
    whitening (one exists: [data_whitening]). *)
Section Epsilon.
Variables (R : rcfType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.

Lemma sqrt_gt0 (a : R) : 0 < a -> 0 < Num.sqrt a /\ Num.sqrt a ^+ 2 = a.
Proof. by move=> a0; rewrite sqrtr_gt0 a0 sqr_sqrtr // ltW. Qed.

Lemma half_of_quarter (g : R) : 0 < g -> 4%:R * g < 1 -> 2%:R * g < 1.
Proof. by move=> g0; apply: lt_trans; rewrite ltr_pmul2r // ltr_nat. Qed.

(* slug: sure-stop *)
Theorem sure_stop_eps (eps : R) n (X1 : pred I) : 0 < eps -> eps <= 1 ->
  let g := Num.sqrt (eps / 28%:R) in
  let U := white X P in
  let stop := sure_stop U g in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <= 28%:R / eps * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= 28%:R * d%:R / eps,
      forall beta, Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <= (1 + eps) * loss X Y beta &
      forall beta t, 0 < t -> 1 - t^-1 - 28%:R * d%:R / eps / n.+1%:R <=
        Pr U g stop n (fun h => stop h && (loss X Y (betahat X Y U g h) <= (1 + t * eps) * loss X Y beta))].
Proof.
move=> e0 e1 g U stop.
have [g0 gE] : 0 < g /\ g ^+ 2 = eps / 28%:R by apply: sqrt_gt0; ps.
have e28 : 28%:R * g ^+ 2 = eps by rewrite gE; field.
have [g4 le] := eps28 g0 e28 e1.
have g2 := half_of_quarter g0 g4.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
have k0 := kap_gt0 g0 g2.
have d1 : (1 : R) <= d%:R by rewrite ler1n.
have len : d%:R * kap g / g ^+ 2 + 2%:R <= 28%:R * d%:R / eps.
  have -> : 28%:R * d%:R / eps = d%:R / g ^+ 2 by rewrite gE; field; rewrite gt_eqF.
  refine (@le_diff _ _ _ (2%:R * d%:R + 2%:R * (d%:R - 1)) _ _); last by nn.
  by rewrite /kap; field; rewrite gt_eqF.
split.
- apply: le_trans (sure_labels d_gt0 whP g0 g2 n X1) _.
  apply: ler_wpmul2r; first exact: psd_rank whP _.
  have -> : 28%:R / eps = (g ^+ 2)^-1 by rewrite gE invf_div.
  by rewrite ler_subl_addr ler_addl ler0n.
- exact: le_trans (sure_length d_gt0 whP g0 g2 n) len.
- move=> beta; apply: le_trans (sure_loss Y d_gt0 whP g0 g2 n beta g4) _.
  apply: ler_wpmul2r; last by rewrite ler_add2l.
  by rewrite /loss; apply: sumr_ge0 => x _; exact: sqr_ge0.
- move=> beta t t0.
  have lc : level_const d g 1 <= eps := le_trans (level1_const d_gt0 g0 g2 g4) le.
  have := level_probability Y d_gt0 whP g0 g2 ltr01 (level1_gT g4) n beta t0 e0 lc.
  have -> : Pr (white X P) g (level_stop (white X P) g 1) n (fun h => level_stop (white X P) g 1 h &&
     (loss X Y (betahat X Y (white X P) g h) <= (1 + t * eps) * loss X Y beta)) =
     Pr U g stop n (fun h => stop h && (loss X Y (betahat X Y U g h) <= (1 + t * eps) * loss X Y beta)).
    have e h : stop h = level_stop U g 1 h := sure_level X P d_gt0 g0 h.
    rewrite /Pr /Exp -(Tend_stop X P g n _ [::] e).
    by apply: Tend_eq => h; rewrite e.
  apply: le_trans; rewrite ler_add2l ler_oppr opprK; apply: ler_wpmul2r; first by nn.
  apply: le_trans len; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /clk.
  by field; rewrite !gt_eqF.
Qed.

(** The g for which the bound on the loss is exactly 1 + eps, for every eps. *)
Theorem sure_stop_best (eps : R) n (X1 : pred I) : 0 < eps ->
  let c := Num.sqrt (3%:R / 2%:R) + 4%:R * Num.sqrt eps in
  let g := Num.sqrt eps / c in
  let U := white X P in
  let stop := sure_stop U g in
  [/\ 4%:R * g < 1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <= (c ^+ 2 / eps - 2%:R) * reduced_rank X X1 &
      forall beta, Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <= (1 + eps) * loss X Y beta].
Proof.
move=> e0 c g U stop.
have [e1 eE] := sqrt_gt0 e0.
have [t1 tE] : 0 < Num.sqrt (3%:R / 2%:R : R) /\ Num.sqrt (3%:R / 2%:R) ^+ 2 = 3%:R / 2%:R :> R.
  by apply: sqrt_gt0; ps.
have c0 : 0 < c by rewrite /c; ps.
have g0 : 0 < g by rewrite /g; ps.
have gz : 1 - 4%:R * g = Num.sqrt (3%:R / 2%:R) / c.
  by rewrite /g; move: c0; rewrite /c => c0; field; rewrite gt_eqF.
have g4 : 4%:R * g < 1 by rewrite -subr_gt0 gz; ps.
have g2 := half_of_quarter g0 g4.
split=> //.
  have -> : c ^+ 2 / eps = (g ^+ 2)^-1 by rewrite /g exprMn exprVn eE invfM invrK mulrC.
  exact: sure_labels.
move=> beta; have := sure_loss Y d_gt0 whP g0 g2 n beta g4.
have -> // : 3%:R / 2%:R * g ^+ 2 / (1 - 4%:R * g) ^+ 2 = eps.
by rewrite gz /g -{1}tE -[RHS]eE; field; rewrite !gt_eqF.
Qed.

(** The constant tends to 1: level delta, 64 eps <= delta^3. *)
Theorem sharp_eps (eps delta : R) n (X1 : pred I) :
  0 < eps -> 0 < delta -> 2%:R * delta <= 1 -> 64%:R * eps <= delta ^+ 3 ->
  let g := Num.sqrt (eps * delta / (1 + 29%:R / 10%:R * delta)) in
  let U := white X P in
  let stop := level_stop U g delta in
  [/\ Exp U g stop n (fun h => (labels X1 h)%:R) <= (1 + 3%:R * delta) / eps * reduced_rank X X1,
      Exp U g stop n (fun h => (size h)%:R) <= (1 + 3%:R * delta) / eps * d%:R &
      forall beta, Exp U g stop n (fun h => (stop h)%:R * loss X Y (betahat X Y U g h)) <= (1 + eps) * loss X Y beta].
Proof.
move=> e0 de0 de1 le g U stop.
have [g0 gE] : 0 < g /\ g ^+ 2 = eps * delta / (1 + 29%:R / 10%:R * delta) by apply: sqrt_gt0; ps.
have g2 : 2%:R * g < 1  by exact: (sharp_half g0 de0 de1 le gE).
have gT : 2%:R * g < (1 - 2%:R * g) * delta  by exact: (sharp_gT g0 de0 de1 le gE).
have lb : kap g * (delta + clk d g * (1 + delta)) / g ^+ 2 <= (1 + 3%:R * delta) / eps by exact: sharp_labels.
split.
- apply: le_trans (level_labels d_gt0 whP g0 g2 de0 n X1) _.
  by apply: ler_wpmul2r => //; exact: psd_rank whP _.
- apply: le_trans (level_length d_gt0 whP g0 g2 de0 n) _.
  by rewrite mulrAC; apply: ler_wpmul2r; [exact: ler0n | exact: lb].
- move=> beta; apply: le_trans (level_loss Y d_gt0 whP g0 g2 de0 gT n beta) _.
  apply: ler_wpmul2r.
    by rewrite /loss; apply: sumr_ge0 => x _; exact: sqr_ge0.
  by rewrite ler_add2l; exact: sharp_loss.
Qed.

(* slug: main *)
Theorem main_eps (eps : R) n (X1 : pred I) : 0 < eps -> eps <= 1 -> 33%:R ^+ 2 * d%:R <= n%:R * eps ->
  let g := Num.sqrt eps / 33%:R in
  let U := white X P in
  let stop := paper_stop U g in
  [/\ forall beta, 3%:R / 4%:R <= Pr U g stop n (fun h =>
        [&& stop h, 0 < lo (hst U g h) & loss X Y (betahat X Y U g h) <= (1 + eps) * loss X Y beta]),
      Pr U g stop n stop = 1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <= (33%:R ^+ 2 / eps - 2%:R) * reduced_rank X X1 &
      forall h, reach stop h -> (size h)%:R < 33%:R ^+ 2 * d%:R / eps].
Proof.
move=> e0 e1 hn g U stop.
have [s0 sE] := sqrt_gt0 e0.
have g0 : 0 < g by rewrite /g; ps.
have gE : g ^+ 2 = eps / 33%:R ^+ 2 by rewrite /g exprMn sE exprVn.
have gl : 33%:R * g <= 1.
  have -> : 33%:R * g = Num.sqrt eps by rewrite /g; field.
  by rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?ler01 ?sE ?expr1n //; nn.
have g2 := g_half g0 gl.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
have hn' : d%:R <= n%:R * g ^+ 2.
  by rewrite gE mulrA ler_pdivl_mulr ?exprn_gt0 ?ltr0n // mulrC.
have eE : 33%:R ^+ 2 * g ^+ 2 = eps by rewrite gE; field.
split.
- move=> beta; have := main_probability Y d_gt0 whP g0 gl beta hn'.
  by rewrite eE.
- exact: (terminates_lin d_gt0 (isoU whP) g0 g2 hn').
- have := paper_labels d_gt0 whP g0 g2 n X1.
  by have -> : (g ^+ 2)^-1 = 33%:R ^+ 2 / eps by rewrite gE invf_div.
- case=> [|x h] /=; first by move=> _; ps.
  move=> /andP[ns _]; have := paper_short_lin d_gt0 (isoU whP) g0 g2 ns.
  rewrite gE ltr_pdivl_mulr // mulrA ltr_pdivr_mulr ?exprn_gt0 ?ltr0n //.
  rewrite [d%:R * _]mulrC; apply: le_lt_trans; rewrite ler_pmul2r //.
  by rewrite mulrSr ler_add2l ler1n.
Qed.

End Epsilon.
