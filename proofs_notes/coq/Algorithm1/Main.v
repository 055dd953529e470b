(** The main theorem for the paper's own stopping rule, with C_0 = 33.

    The runs with r >= q = 3/20 at the stop are weighted by psi, whose integral
    is bounded without a logarithm; the others are rare by the tail of r.

    Symbols:
      den  == 31 t - 2, in units of which l_m is bounded from below
      psi  == (33/den(max(r, q)))^2, the weight
      prim == an upper primitive of psi(r)(1 + r)

    Selected results:
      prim_grow        == prim is a primitive of psi(r)(1 + r), from above
      prim_total       == its total is at most 87/2
      noise_main       == E[psi(r) |noise|^2], summed up
      main_probability == loss <= (1 + 33^2 g^2) OPT with probability 3/4 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** The weight and its primitive: constant below q = 3/20, then of order
    1/r^2; the logarithm in the integral is avoided by a tangent. *)
Section Weight.
Variable R : realFieldType.
Implicit Types r t : R.

Local Notation q := (3%:R / 20%:R : R).
Definition den t : R := 31%:R * t - 2%:R.
Definition above r : R := if r <= q then q else r.
Definition below r : R := if r <= q then r else q.
Definition psi r : R := (33%:R / den (above r)) ^+ 2.
Definition far t : R :=
  33%:R ^+ 2 * (2%:R * t / 31%:R ^+ 2 - 295%:R / (248%:R * 31%:R) / den t).
Definition prim r : R :=
  (33%:R / den q) ^+ 2 * (below r + below r ^+ 2 / 2%:R) + far (above r).

Lemma den_q : den q = 53%:R / 20%:R.
Proof. by rewrite /den; field. Qed.

Lemma den_gt0 t : q <= t -> 0 < den t.
Proof.
move=> le; have -> : den t = 31%:R * (t - q) + 53%:R / 20%:R by rewrite /den; field.
have z : 0 <= t - q by rewrite subr_ge0.
by move: z; move: (t - q) => z z0; apply: ltr_spaddr; [ps | nn].
Qed.

Lemma above_ge r : q <= above r.
Proof. by rewrite /above; case: (lerP r q) => // /ltW. Qed.

Lemma psi_ge0 r : 0 <= r -> 0 <= psi r.
Proof. by move=> _; exact: sqr_ge0. Qed.

Lemma den_mono t t' : t <= t' -> den t <= den t'.
Proof. by move=> le; rewrite /den ler_add2r; apply: ler_wpmul2l; [nn|]. Qed.

Lemma weight_anti t t' : q <= t -> t <= t' -> (33%:R / den t') ^+ 2 <= (33%:R / den t) ^+ 2.
Proof.
move=> qt le; have a := den_gt0 qt; have b := den_gt0 (le_trans qt le).
rewrite ler_pexpn2r ?nnegrE //; try by nn.
by apply: ler_wpmul2l; [nn | rewrite lef_pinv ?posrE // den_mono].
Qed.

Lemma above_mono r r' : r <= r' -> above r <= above r'.
Proof.
move=> le; rewrite /above; case: (lerP r q) => rq; case: (lerP r' q) => rq' //.
  exact: ltW.
by have := lt_le_trans rq (le_trans le rq'); rewrite ltxx.
Qed.

Lemma psi_anti r r' : 0 <= r -> r <= r' -> psi r' <= psi r.
Proof. by move=> _ le; apply: weight_anti; [exact: above_ge | exact: above_mono]. Qed.

Lemma far_grow t t' : q <= t -> t <= t' ->
  (33%:R / den t') ^+ 2 * ((1 + t) * (t' - t)) <= far t' - far t.
Proof.
move=> qt le; have a := den_gt0 qt; have b := den_gt0 (le_trans qt le).
have z : 0 <= t' - t by rewrite subr_ge0.
have c := den_mono le.
refine (@le_diff _ _ _ (33%:R ^+ 2 * (t' - t) / den t' ^+ 2 *
  (295%:R / 248%:R * (den t' - den t) / den t +
   2%:R * (den t' - den t) * (den t' + den t) / 31%:R ^+ 2 +
   2%:R * (den t / 31%:R - 1 / 4%:R) ^+ 2)) _ _).
  have e : t = (den t + 2%:R) / 31%:R by rewrite /den; field.
  have e' : t' = (den t' + 2%:R) / 31%:R by rewrite /den; field.
  rewrite /far; move: e e' a b; move: (den t) (den t') => D D' -> -> a b.
  by field; rewrite !gt_eqF.
move: z c; rewrite -[den t <= _]subr_ge0; move: (t' - t) (den t' - den t) => x y x0 y0; nn.
Qed.

Lemma near_grow r r' : r <= r' ->
  (33%:R / den q) ^+ 2 * ((1 + r) * (r' - r)) <=
  (33%:R / den q) ^+ 2 * (r' + r' ^+ 2 / 2%:R) - (33%:R / den q) ^+ 2 * (r + r ^+ 2 / 2%:R).
Proof.
move=> le; move: ((33%:R / den q) ^+ 2) (sqr_ge0 (33%:R / den q)) => c c0.
by refine (@le_diff _ _ _ (c * (r' - r) ^+ 2 / 2%:R) _ _); [field | nn].
Qed.

Lemma prim_grow r r' : 0 <= r -> r <= r' -> psi r' * ((1 + r) * (r' - r)) <= prim r' - prim r.
Proof.
move=> r0 le; rewrite /psi /prim /above /below.
case: (lerP r' q) => rq'.
  have rq := le_trans le rq'; rewrite rq.
  by rewrite opprD addrACA subrr addr0; exact: near_grow.
case: (lerP r q) => rq; last first.
  by rewrite opprD addrACA subrr add0r; exact: far_grow (ltW rq) le.
have h1 := near_grow rq; have h2 := far_grow (lexx _) (ltW rq').
have anti := weight_anti (lexx _) (ltW rq').
move: (33%:R / den q) (33%:R / den r') h1 h2 anti => a b h1 h2 anti.
have x0 : 0 <= q - r by rewrite subr_ge0.
have y0 : 0 <= r' - q by rewrite subr_ge0 ltW.
have -> : a ^+ 2 * (q + q ^+ 2 / 2%:R) + far r' - (a ^+ 2 * (r + r ^+ 2 / 2%:R) + far q) =
  (a ^+ 2 * (q + q ^+ 2 / 2%:R) - a ^+ 2 * (r + r ^+ 2 / 2%:R)) + (far r' - far q).
  by move: (far r') (far q) => f1 f2; ring.
apply: le_trans (ler_add h1 h2).
have h3 : b ^+ 2 * ((1 + r) * (q - r)) <= a ^+ 2 * ((1 + r) * (q - r)).
  by apply: ler_wpmul2r => //; move: x0; move: (q - r) => x x0; nn.
have h4 : b ^+ 2 * ((1 + r) * (r' - q)) <= b ^+ 2 * ((1 + q) * (r' - q)).
  apply: ler_wpmul2l; first by nn.
  by apply: ler_wpmul2r => //; rewrite ler_add2l.
apply: le_trans (ler_add h3 h4); rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: q => y; ring.
Qed.

Lemma prim_total r : q <= r -> r <= 501%:R / 500%:R -> prim r - prim 0 <= 87%:R / 2%:R.
Proof.
move=> qr le; have a := den_gt0 qr.
have -> : prim r - prim 0 = (33%:R / den q) ^+ 2 * (q + q ^+ 2 / 2%:R) + (far r - far q).
  rewrite /prim /above /below.
  have -> : (0 <= q) by nn.
  case: (lerP r q) => rq; last first.
    by move: (far r) (far q) (33%:R / den q) => f1 f2 z; field.
  have -> : r = q by apply/eqP; rewrite eq_le rq qr.
  by move: (far q) (33%:R / den q) => f2 z; field.
have h1 : (33%:R / den q) ^+ 2 * (q + q ^+ 2 / 2%:R) <= 156%:R * (129%:R / 800%:R).
  rewrite den_q.
  have -> : q + q ^+ 2 / 2%:R = 129%:R / 800%:R by field.
  apply: ler_wpmul2r; first by nn.
  by refine (@le_diff _ _ _ (12%:R * 7%:R * 31%:R / (53%:R * 53%:R)) _ _); [field | nn].
have h2 : far r - far q <= 16%:R + 2%:R.
  have -> : far r - far q = 33%:R ^+ 2 * (295%:R / (248%:R * 31%:R) / (53%:R / 20%:R)) +
     33%:R ^+ 2 * (2%:R * (r - q) / 31%:R ^+ 2) - 33%:R ^+ 2 * (295%:R / (248%:R * 31%:R) / den r).
    by rewrite /far den_q; move: a; move: (den r) => D a; field; rewrite gt_eqF.
  rewrite ler_subl_addr; apply: ler_paddr; first by nn.
  apply: ler_add.
    apply: (@le_trans _ _ (141%:R / 4%:R * (6%:R / 5%:R) * (20%:R / 53%:R))); last first.
      by refine (@le_diff _ _ _ (2%:R / 53%:R) _ _); [field | nn].
    have -> : 33%:R ^+ 2 * (295%:R / (248%:R * 31%:R) / (53%:R / 20%:R)) =
      33%:R ^+ 2 / 31%:R * (295%:R / 248%:R) * (20%:R / 53%:R) :> R by field.
    apply: ler_wpmul2r; first by nn.
    apply: ler_pmul; [by nn | by nn | |].
      by refine (@le_diff _ _ _ (15%:R / 124%:R) _ _); [field | nn].
    by refine (@le_diff _ _ _ (13%:R / (124%:R * 10%:R)) _ _); [field | nn].
  have -> : 33%:R ^+ 2 * (2%:R * (r - q) / 31%:R ^+ 2) = 33%:R ^+ 2 / 31%:R ^+ 2 * (2%:R * (r - q)) by field.
  apply: (@le_trans _ _ (8%:R / 7%:R * (2%:R * (213%:R / 250%:R)))).
    apply: ler_pmul; [by nn | by nn | |].
      by refine (@le_diff _ _ _ (65%:R / (7%:R * 31%:R ^+ 2)) _ _); [field | nn].
    apply: ler_wpmul2l; first by nn.
    by refine (@le_diff _ _ _ (501%:R / 500%:R - r) _ _); [field | nn].
  by refine (@le_diff _ _ _ (46%:R / 875%:R) _ _); [field | nn].
apply: le_trans (ler_add h1 h2) _.
by refine (@le_diff _ _ _ (69%:R / 200%:R) _ _); [field | nn].
Qed.

End Weight.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_le : 33%:R * g <= 1.

Local Notation U := (white X P).
Local Notation hst := (hst U g).
Local Notation rr := (rr U g).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation loss := (loss X Y).
Local Notation opt := (opt X Y).
Local Notation betahat := (betahat X Y U g).
Local Notation isoU := (isoU whP).
Local Notation stop := (paper_stop U g).
Local Notation q := (3%:R / 20%:R : R).

Lemma g_half : 2%:R * g < 1.
Proof.
apply: lt_le_trans g_le; rewrite ltr_pmul2r // ltr_nat //.
Qed.
Local Notation g_lt := g_half.
Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).
Local Notation d_pos := (@d_pos R d d_gt0).
Local Notation d_ge1 := (@d_ge1 R d d_gt0).

Lemma g_sq : 33%:R ^+ 2 * g ^+ 2 <= 1.
Proof.
rewrite -exprMn; have g0 : 0 <= 33%:R * g by nn.
by rewrite expr_le1.
Qed.

Lemma rbar_main h : reach stop h -> rr h <= 501%:R / 500%:R.
Proof.
move=> rh; apply: le_trans (paper_reach_rr d_gt0 isoU g_gt0 g_lt rh) _.
have d0 := d_pos; have d1 := d_ge1; have k0 := kap_gt0; have gs := g_sq.
have z : 0 <= 1 - 33%:R ^+ 2 * g ^+ 2 by rewrite subr_ge0.
have c1 : clk <= 1000%:R^-1.
  rewrite /clk ler_pdivr_mulr; last by ps.
  have k1 : 1000%:R * g ^+ 2 <= kap.
    rewrite /kap; refine (@le_diff _ _ _ ((1 - 33%:R ^+ 2 * g ^+ 2) + 85%:R * g ^+ 2) _ _); first by ring.
    by move: z; move: (1 - 33%:R ^+ 2 * g ^+ 2) => y y0; nn.
  rewrite mulrC ler_pdivl_mulr ?ltr0n // mulrC; apply: le_trans k1 _.
  by rewrite ler_pmull.
refine (@le_diff _ _ _ (2%:R * (1000%:R^-1 - clk)) _ _); first by field.
by nn.
Qed.

Lemma lo_main h : q <= rr h -> d%:R / g ^+ 2 * (den (rr h) / 33%:R) <= lo (hst h).
Proof.
move=> qr; rewrite (lo_rr d_gt0 whP g_gt0 g_lt); have d0 := d_pos.
apply: ler_wpmul2l; first by nn.
have r0 := rr_ge0 d_gt0 isoU g_gt0 g_lt h.
refine (@le_diff _ _ _ (2%:R / 33%:R * (1 - 33%:R * g) * (1 + rr h)) _ _); last by nn.
by rewrite /den; move: (rr h) => r; field.
Qed.

Lemma lo_main_gt0 h : q <= rr h -> 0 < lo (hst h).
Proof.
move=> qr; apply: lt_le_trans (lo_main qr); have a := den_gt0 qr; have d0 := d_pos.
by move: a; move: (den _) => z z0; ps.
Qed.

Lemma leaf_main h : q <= rr h ->
  loss (betahat h) - opt <= (g ^+ 2 / d%:R) ^+ 2 * (sqn (noise X Y P g h) * psi (rr h)).
Proof.
move=> qr; have l0 := lo_main_gt0 qr; have le := lo_main qr.
have a := den_gt0 qr; have d0 := d_pos.
apply: le_trans (excess Y d_gt0 whP g_gt0 g_lt l0) _.
have ea : above (rr h) = rr h.
  by rewrite /above; case: (lerP (rr h) q) => // rq; apply/eqP; rewrite eq_le rq qr.
rewrite mulrCA; apply: ler_wpmul2l; first exact: sqn_ge0.
have -> : (g ^+ 2 / d%:R) ^+ 2 * psi (rr h) = ((d%:R / g ^+ 2 * (den (rr h) / 33%:R)) ^+ 2)^-1.
  by rewrite /psi ea; move: a; move: (den _) => z z0; field; rewrite !gt_eqF.
set y := d%:R / g ^+ 2 * _ in le *.
have y0 : 0 < y by rewrite /y; move: a; move: (den _) => z z0; ps.
by rewrite lef_pinv ?posrE ?exprn_gt0 // ler_pexpn2r ?nnegrE // ltW.
Qed.

Lemma noise_main n :
  Exp U g stop n (fun h => sqn (noise X Y P g h) * psi (rr h)) <=
  opt * (d%:R ^+ 2 * kap / g ^+ 2) * (87%:R / 2%:R).
Proof.
have d0 := d_pos; have k0 := kap_gt0.
have := @weighted_noise _ _ _ X Y P g d_gt0 whP g_gt0 g_lt stop
  (@psi R) (@prim R) (501%:R / 500%:R) (@psi_ge0 R) (@psi_anti R) (@prim_grow R) rbar_main n.
move=> le; apply: le_trans le _; apply: ler_wpmul2l.
  by apply: mulr_ge0; [exact: opt_ge0 | nn].
apply: prim_total => //.
by refine (@le_diff _ _ _ (213%:R / 250%:R) _ _); [field | nn].
Qed.

Local Notation eps := (33%:R ^+ 2 * g ^+ 2).

Lemma bad_main n :
  Pr U g stop n (fun h => (stop h && (q <= rr h)) && ~~ (loss (betahat h) <= (1 + eps) * opt)) <=
  87%:R / (2%:R * 33%:R ^+ 2).
Proof.
have d0 := d_pos; have k0 := kap_gt0; have k1 := kap_lt1 g_gt0.
have := opt_ge0 X Y; rewrite le_eqVlt => /orP[/eqP o0|o0].
  rewrite -o0; apply: (@le_trans _ _ 0); last by nn.
  rewrite -[X in _ <= X](Tend_const d_gt0 isoU g_gt0 g_lt stop n 0 [::]).
  apply: Tend_mono => //; [exact: isoU | exact: g_lt | move=> h _].
  case: (boolP (stop h)) => //= st; case: (boolP (q <= rr h)) => //= qr.
  have := leaf_main qr; rewrite (noise_zero _ _ _ (esym o0)) mul0r mulr0 -o0 subr0 mulr0.
  by move=> ->.
have eps0 : 0 < eps by ps.
pose f h := (g ^+ 2 / d%:R) ^+ 2 * (sqn (noise X Y P g h) * psi (rr h)).
apply: (@le_trans _ _ (Exp U g stop n f / (eps * opt))).
  apply: Pr_markov => //; [exact: isoU | exact: g_lt | by ps | |].
    move=> h _; rewrite /f; apply: mulr_ge0; first by nn.
    by apply: mulr_ge0; [exact: sqn_ge0 | exact: sqr_ge0].
  move=> h _ /andP[/andP[_ qr]]; rewrite -ltNge => lt.
  apply: le_trans (leaf_main qr); rewrite ler_subr_addl.
  by move: (ltW lt); rewrite mulrDl mul1r.
rewrite ler_pdivr_mulr; last by ps.
rewrite /f /Exp TendZ -/(Exp _ _ _ _ _); apply: le_trans (ler_wpmul2l _ (noise_main n)) _; first by nn.
refine (@le_diff _ _ _ (87%:R / 2%:R * g ^+ 2 * opt * (1 - kap)) _ _).
  by move: (kap) => k; field; rewrite !gt_eqF.
by nn.
Qed.

(* slug: main *)
Theorem main_probability n beta : d%:R <= n%:R * g ^+ 2 ->
  3%:R / 4%:R <= Pr U g stop n (fun h =>
    [&& stop h, 0 < lo (hst h) & loss (betahat h) <= (1 + eps) * loss beta]).
Proof.
move=> hn; pose y : R := 12%:R / 5%:R; pose t : R := 857%:R / (40%:R * 102%:R).
have q01 : 0 <= q < 1.
  apply/andP; split; first by nn.
  by refine (@lt_diff _ _ _ (17%:R / 20%:R) _ _); [field | ps].
have y0 : 0 < y by rewrite /y; ps.
have T := @tail_event _ _ _ _ _ d_gt0 isoU g_gt0 g_lt n q y t y0 q01 hn.
have {}T : 1 - t <= Pr U g stop n (fun h => stop h && (q <= rr h)).
  by apply: T; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /y /t; field.
have u : Pr U g stop n (fun h => stop h && (q <= rr h)) <=
  Pr U g stop n (fun h => [&& stop h, 0 < lo (hst h) & loss (betahat h) <= (1 + eps) * loss beta]) +
  Pr U g stop n (fun h => (stop h && (q <= rr h)) && ~~ (loss (betahat h) <= (1 + eps) * opt)).
  apply: Pr_union => //; [exact: isoU | exact: g_lt | move=> h _ /andP[st qr]].
  rewrite st qr /= lo_main_gt0 //=.
  case: (boolP (loss (betahat h) <= (1 + eps) * opt)) => le; last by rewrite orbT.
  apply/orP; left; apply: le_trans le _; apply: ler_wpmul2l; last exact: (opt_min Y whP).
  by nn.
have := le_trans T (le_trans u (ler_add (lexx _) (bad_main n))).
rewrite -ler_subl_addr; apply: le_trans.
by refine (@le_diff _ _ _ (3%:R / (40%:R * 102%:R * 121%:R)) _ _); [rewrite /t; field | nn].
Qed.

End Data.
