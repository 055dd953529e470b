(** The main theorem for the paper's own rule with any constant: C for the
    rate g = sqrt(eps)/C, q for the level of r, y for the tangent that stands
    in for a logarithm, t for any bound on the tail of r at q.

      den t        == (C-2) t - 2, so that l_m >= (d/g^2) den(r)/C
      main_total   == the noise integral: weight 1/den(q)^2 up to q, then
                      1/den(r)^2, with 1/D <= (y/D^2 + 1/y)/2
      main_any     == P(good) >= 1 - (t + main_total/C^2)
      main_fifteen == C = 15: probability 3/4 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop.
From Asura Require Import Beyond.TailSharp.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Weight.
Variables (R : realFieldType) (C q y : R).
Implicit Types r t : R.

Definition den t : R := (C - 2%:R) * t - 2%:R.
Definition above r : R := if r <= q then q else r.
Definition below r : R := if r <= q then r else q.
Definition psi r : R := (C / den (above r)) ^+ 2.
Definition far t : R := (C / (C - 2%:R)) ^+ 2 *
  (den t / (2%:R * y) - (C + y / 2%:R) / den t).
Definition prim r : R :=
  (C / den q) ^+ 2 * (below r + below r ^+ 2 / 2%:R) + far (above r).
Definition main_total : R := (C / den q) ^+ 2 * (q + q ^+ 2 / 2%:R) +
  (far (1 + 2%:R / (C ^+ 2 - 4%:R)) - far q).

Hypothesis C_gt2 : 2%:R < C.
Hypothesis q_ge0 : 0 <= q.
Hypothesis y_gt0 : 0 < y.
Hypothesis den_q : 0 < den q.

Lemma C2_gt0 : 0 < C - 2%:R. Proof. by rewrite subr_gt0. Qed.
Lemma C_gt0 : 0 < C. Proof. by apply: lt_trans C_gt2; rewrite ltr0n. Qed.

Lemma den_mono t t' : t <= t' -> den t <= den t'.
Proof. by have c := C2_gt0 => le; rewrite ler_add2r; apply: ler_wpmul2l; [exact: ltW|]. Qed.

Lemma den_gt0 t : q <= t -> 0 < den t.
Proof. by move/den_mono; exact: lt_le_trans. Qed.

Lemma above_ge r : q <= above r.
Proof. by rewrite /above; case: (lerP r q) => // /ltW. Qed.

Lemma psi_ge0 r : 0 <= r -> 0 <= psi r.
Proof. by move=> _; exact: sqr_ge0. Qed.

Lemma weight_anti t t' : q <= t -> t <= t' -> (C / den t') ^+ 2 <= (C / den t) ^+ 2.
Proof.
move=> qt le; have a := den_gt0 qt; have b := den_gt0 (le_trans qt le).
have c := C_gt0; rewrite ler_pexpn2r ?nnegrE //; try by nn.
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
  (C / den t') ^+ 2 * ((1 + t) * (t' - t)) <= far t' - far t.
Proof.
move=> qt le; have a := den_gt0 qt; have b := den_gt0 (le_trans qt le).
have z : 0 <= t' - t by rewrite subr_ge0.
have c := den_mono le; have c2 := C2_gt0; have c0 := C_gt0.
refine (@le_diff _ _ _ (C ^+ 2 * (t' - t) / ((C - 2%:R) * den t' ^+ 2) *
  ((C + y / 2%:R) * (den t' - den t) / den t +
   (den t' - den t) * (den t' + den t) / (2%:R * y) +
   (den t - y) ^+ 2 / (2%:R * y))) _ _).
  have e : t = (den t + 2%:R) / (C - 2%:R) by rewrite /den; field; rewrite gt_eqF.
  have e' : t' = (den t' + 2%:R) / (C - 2%:R) by rewrite /den; field; rewrite gt_eqF.
  rewrite /far; move: e e' a b; move: (den t) (den t') => D D' -> -> a b.
  by field; rewrite !gt_eqF.
move: z c; rewrite -[den t <= _]subr_ge0 => z c.
move: z c c2 a b; move: (t' - t) (den t' - den t) (C - 2%:R) (den t) (den t').
by move=> x1 x2 x3 x4 x5 *; nn.
Qed.

Lemma far_mono t t' : q <= t -> t <= t' -> far t <= far t'.
Proof.
move=> qt le; rewrite -subr_ge0; apply: le_trans (far_grow qt le).
apply: mulr_ge0; first exact: sqr_ge0.
apply: mulr_ge0; last by rewrite subr_ge0.
by apply: addr_ge0; [exact: ler01 | exact: le_trans qt].
Qed.

Lemma near_grow (c r r' : R) : 0 <= c -> r <= r' ->
  c * ((1 + r) * (r' - r)) <= c * (r' + r' ^+ 2 / 2%:R) - c * (r + r ^+ 2 / 2%:R).
Proof.
move=> c0 le.
by refine (@le_diff _ _ _ (c * (r' - r) ^+ 2 / 2%:R) _ _); [field | nn].
Qed.

Lemma prim_grow r r' : 0 <= r -> r <= r' -> psi r' * ((1 + r) * (r' - r)) <= prim r' - prim r.
Proof.
move=> r0 le; rewrite /psi /prim /above /below.
have near := near_grow (sqr_ge0 (C / den q)).
case: (lerP r' q) => rq'.
  have rq := le_trans le rq'; rewrite rq.
  by rewrite opprD addrACA subrr addr0; exact: near.
case: (lerP r q) => rq; last first.
  by rewrite opprD addrACA subrr add0r; exact: far_grow (ltW rq) le.
have h1 := near _ _ rq; have h2 := far_grow (lexx _) (ltW rq').
have anti := weight_anti (lexx _) (ltW rq').
move: (C / den q) (C / den r') h1 h2 anti {near} => a b h1 h2 anti.
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
by ring.
Qed.

Lemma prim_end r : q <= r -> prim r - prim 0 =
  (C / den q) ^+ 2 * (q + q ^+ 2 / 2%:R) + (far r - far q).
Proof.
move=> qr; rewrite /prim /above /below q_ge0.
case: (lerP r q) => rq; last first.
  by move: (far r) (far q) (C / den q) => f1 f2 z; field.
have -> : r = q by apply/eqP; rewrite eq_le rq qr.
by move: (far q) (C / den q) => f2 z; field.
Qed.

End Weight.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g C q y : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_le : C * g <= 1.
Hypothesis C_gt2 : 2%:R < C.
Hypothesis q01 : 0 <= q <= 1.
Hypothesis y_gt0 : 0 < y.
Hypothesis den_q : 0 < den C q.

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
Local Notation den := (den C).
Local Notation rbar := (1 + 2%:R / (C ^+ 2 - 4%:R)).
Local Notation C_gt0 := (C_gt0 C_gt2).
Local Notation den_gt0 := (den_gt0 C_gt2 den_q).

Lemma q_ge0 : 0 <= q. Proof. by case/andP: q01. Qed.
Lemma g_half : 2%:R * g < 1.
Proof. by apply: lt_le_trans g_le; rewrite ltr_pmul2r. Qed.
Local Notation g_lt := g_half.
Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).
Local Notation d_pos := (@d_pos R d d_gt0).
Local Notation d_ge1 := (@d_ge1 R d d_gt0).

Lemma g_sq : C ^+ 2 * g ^+ 2 <= 1.
Proof. by have c := C_gt0; rewrite -exprMn expr_le1 //; nn. Qed.

Lemma C4_gt0 : 0 < C ^+ 2 - 4%:R.
Proof.
have c := C_gt0; have c2 := C2_gt0 C_gt2.
have -> : C ^+ 2 - 4%:R = (C - 2%:R) * (C + 2%:R) by ring.
by apply: mulr_gt0 => //; ps.
Qed.

(** k r stays below k + 2 g^2, r below rbar. *)
Lemma rbar_any h : reach stop h -> rr h <= rbar.
Proof.
move=> rh; apply: le_trans (paper_reach_rr d_gt0 isoU g_gt0 g_lt rh) _.
have d0 := d_pos; have d1 := d_ge1; have k0 := kap_gt0; have gs := g_sq.
have c4 := C4_gt0; rewrite ler_add2l -[1 + 1]/(2%:R) mulrC.
apply: ler_wpmul2l; first exact: ler0n.
rewrite /clk ler_pdivr_mulr; last by ps.
rewrite mulrC ler_pdivl_mulr //.
apply: (@le_trans _ _ kap); last by rewrite ler_pmull.
refine (@le_diff _ _ _ (1 - C ^+ 2 * g ^+ 2) _ _); first by rewrite /kap; ring.
by rewrite subr_ge0.
Qed.

Lemma rbar_ge1 : 1 <= rbar.
Proof. by have c4 := C4_gt0; rewrite ler_addl; nn. Qed.

Lemma lo_any h : q <= rr h -> d%:R / g ^+ 2 * (den (rr h) / C) <= lo (hst h).
Proof.
move=> qr; rewrite (lo_rr d_gt0 whP g_gt0 g_lt); have d0 := d_pos.
apply: ler_wpmul2l; first by nn.
have r0 := rr_ge0 d_gt0 isoU g_gt0 g_lt h; have c := C_gt0.
refine (@le_diff _ _ _ (2%:R / C * (1 - C * g) * (1 + rr h)) _ _); last by nn.
by rewrite /MainAny.den; move: (rr h) => r; field; rewrite gt_eqF.
Qed.

Lemma lo_any_gt0 h : q <= rr h -> 0 < lo (hst h).
Proof.
move=> qr; apply: lt_le_trans (lo_any qr); have a := den_gt0 qr; have d0 := d_pos.
by have c := C_gt0; move: a; move: (den _) => z z0; ps.
Qed.

Local Notation psi := (psi C q).
Local Notation sized h := (sqn (noise X Y P g h) * psi (rr h)).

Lemma leaf_any h : q <= rr h ->
  loss (betahat h) - opt <= (g ^+ 2 / d%:R) ^+ 2 * sized h.
Proof.
move=> qr; have l0 := lo_any_gt0 qr; have le := lo_any qr.
have a := den_gt0 qr; have d0 := d_pos; have c := C_gt0.
apply: le_trans (excess Y d_gt0 whP g_gt0 g_lt l0) _.
have ea : above q (rr h) = rr h.
  by rewrite /above; case: (lerP (rr h) q) => // rq; apply/eqP; rewrite eq_le rq qr.
rewrite mulrCA; apply: ler_wpmul2l; first exact: sqn_ge0.
have -> : (g ^+ 2 / d%:R) ^+ 2 * psi (rr h) = ((d%:R / g ^+ 2 * (den (rr h) / C)) ^+ 2)^-1.
  by rewrite /MainAny.psi ea; move: a; move: (den _) => z z0; field; rewrite !gt_eqF.
set z := d%:R / g ^+ 2 * _ in le *.
have y0 : 0 < z by rewrite /z; move: a; move: (den _) => x x0; ps.
by rewrite lef_pinv ?posrE ?exprn_gt0 // ler_pexpn2r ?nnegrE // ltW.
Qed.

Lemma noise_any n : Exp U g stop n (fun h => sized h) <=
  opt * (d%:R ^+ 2 * kap / g ^+ 2) * main_total C q y.
Proof.
have d0 := d_pos; have k0 := kap_gt0.
have le := @weighted_noise _ _ _ X Y P g d_gt0 whP g_gt0 g_lt stop psi
  (prim C q y) rbar (@psi_ge0 R C q) (psi_anti C_gt2 den_q)
  (prim_grow C_gt2 y_gt0 den_q) rbar_any n.
apply: le_trans le _; apply: ler_wpmul2l.
  by apply: mulr_ge0; [exact: opt_ge0 | nn].
rewrite (prim_end _ _ q_ge0) //; apply: le_trans rbar_ge1.
by case/andP: q01.
Qed.

Local Notation eps := (C ^+ 2 * g ^+ 2).

Lemma bad_any n :
  Pr U g stop n (fun h => (stop h && (q <= rr h)) && ~~ (loss (betahat h) <= (1 + eps) * opt)) <=
  main_total C q y / C ^+ 2.
Proof.
have d0 := d_pos; have k0 := kap_gt0; have k1 := kap_lt1 g_gt0; have c := C_gt0.
have T0 : 0 <= main_total C q y.
  rewrite /main_total; apply: addr_ge0.
    by have z := q_ge0; nn.
  rewrite subr_ge0; apply: (far_mono C_gt2 q_ge0 y_gt0 den_q) => //.
  by apply: le_trans rbar_ge1; case/andP: q01.
have := opt_ge0 X Y; rewrite le_eqVlt => /orP[/eqP o0|o0].
  rewrite -o0; apply: (@le_trans _ _ 0); last by nn.
  rewrite -[X in _ <= X](Tend_const d_gt0 isoU g_gt0 g_lt stop n 0 [::]).
  apply: Tend_mono => //; [exact: isoU | exact: g_lt | move=> h _].
  case: (boolP (stop h)) => //= st; case: (boolP (q <= rr h)) => //= qr.
  have := leaf_any qr; rewrite (noise_zero _ _ _ (esym o0)) mul0r mulr0 -o0 subr0 mulr0.
  by move=> ->.
have eps0 : 0 < eps by ps.
pose f h := (g ^+ 2 / d%:R) ^+ 2 * sized h.
apply: (@le_trans _ _ (Exp U g stop n f / (eps * opt))).
  apply: Pr_markov => //; [exact: isoU | exact: g_lt | by ps | |].
    move=> h _; rewrite /f; apply: mulr_ge0; first by nn.
    by apply: mulr_ge0; [exact: sqn_ge0 | exact: sqr_ge0].
  move=> h _ /andP[/andP[_ qr]]; rewrite -ltNge => lt.
  apply: le_trans (leaf_any qr); rewrite ler_subr_addl.
  by move: (ltW lt); rewrite mulrDl mul1r.
rewrite ler_pdivr_mulr; last by ps.
rewrite /f /Exp TendZ -/(Exp _ _ _ _ _); apply: le_trans (ler_wpmul2l _ (noise_any n)) _; first by nn.
move: T0; move: (main_total C q y) => T T0.
refine (@le_diff _ _ _ (T * g ^+ 2 * opt * (1 - kap)) _ _).
  by move: (kap) => k; field; rewrite !gt_eqF.
by nn.
Qed.

(** The theorem, for any bound t on the tail at q. *)
(* slug: main-15 *)
Theorem main_any n t beta : d%:R <= n%:R * g ^+ 2 ->
  Pr U g stop n (fun h => stop h && (rr h < q)) <= t ->
  1 - (t + main_total C q y / C ^+ 2) <= Pr U g stop n (fun h =>
    [&& stop h, 0 < lo (hst h) & loss (betahat h) <= (1 + eps) * loss beta]).
Proof.
move=> hn tail; have c := C_gt0.
have T := tail_event_of d_gt0 isoU g_gt0 g_lt hn tail.
have u : Pr U g stop n (fun h => stop h && (q <= rr h)) <=
  Pr U g stop n (fun h => [&& stop h, 0 < lo (hst h) & loss (betahat h) <= (1 + eps) * loss beta]) +
  Pr U g stop n (fun h => (stop h && (q <= rr h)) && ~~ (loss (betahat h) <= (1 + eps) * opt)).
  apply: Pr_union => //; [exact: isoU | exact: g_lt | move=> h _ /andP[st qr]].
  rewrite st qr /= lo_any_gt0 //=.
  case: (boolP (loss (betahat h) <= (1 + eps) * opt)) => le; last by rewrite orbT.
  apply/orP; left; apply: le_trans le _; apply: ler_wpmul2l; last exact: (opt_min Y whP).
  by nn.
have := le_trans T (le_trans u (ler_add (lexx _) (bad_any n))).
by rewrite opprD addrA -ler_subl_addr.
Qed.

End Data.

(** The total from bounds on its parts. *)
Lemma total_le (R : realFieldType) (C q y D D1 c1 c2 c3 c4 : R) :
  den C q = D -> den C (1 + 2%:R / (C ^+ 2 - 4%:R)) = D1 ->
  0 < D -> 0 < D1 -> 0 < y -> D <= D1 -> 0 <= C ->
  (C / D) ^+ 2 * (q + q ^+ 2 / 2%:R) <= c1 -> (C / (C - 2%:R)) ^+ 2 <= c2 ->
  (D1 - D) / (2%:R * y) <= c3 -> (C + y / 2%:R) * (D^-1 - D1^-1) <= c4 ->
  main_total C q y <= c1 + c2 * (c3 + c4).
Proof.
move=> e e1 D0 D10 y0 le C0 h1 h2 h3 h4; rewrite /main_total /far e e1.
apply: ler_add => //; rewrite -mulrBr; apply: ler_pmul => //.
- exact: sqr_ge0.
- rewrite subr_ge0 ler_add //; first by rewrite ler_wpmul2r //; nn.
  rewrite ler_opp2; apply: ler_wpmul2l; first by nn.
  by rewrite lef_pinv.
- apply: le_trans (ler_add h3 h4); rewrite le_eqVlt; apply/orP; left.
  by apply/eqP; field; rewrite !gt_eqF.
Qed.

(** ** C = 15, q = 3/8, L = 5/2, y = 6. *)
Section Fifteen.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_le : 15%:R * g <= 1.
Local Notation U := (white X P).

Lemma den15 : den (15%:R : R) (3%:R / 8%:R) = 23%:R / 8%:R.
Proof. by rewrite /den; field. Qed.

Lemma total15 : main_total (15%:R : R) (3%:R / 8%:R) 6%:R <= 20%:R.
Proof.
apply: le_trans (total_le (c1 := 49%:R / 4%:R) (c2 := 4%:R / 3%:R)
  (c3 := 7%:R / 10%:R) (c4 := 14%:R / 3%:R) den15 (D1 := 189%:R / 17%:R)
  _ _ _ _ _ _ _ _ _ _) _; try by ps.
- by rewrite /den; field.
- by refine (@le_diff _ _ _ (1121%:R / 136%:R) _ _); [field | nn].
- by nn.
- by refine (@le_diff _ _ _ (271%:R / (46%:R * 46%:R)) _ _); [field | nn].
- by refine (@le_diff _ _ _ (507%:R^-1) _ _); [field | nn].
- by refine (@le_diff _ _ _ (107%:R / (80%:R * 102%:R)) _ _); [field | nn].
- by refine (@le_diff _ _ _ (4%:R / 161%:R) _ _); [field | nn].
by refine (@le_diff _ _ _ (107%:R / 180%:R) _ _); [field | nn].
Qed.

(* slug: main-15 *)
Theorem main_fifteen n beta : d%:R <= n%:R * g ^+ 2 ->
  3%:R / 4%:R <= Pr U g (paper_stop U g) n (fun h =>
    [&& paper_stop U g h, 0 < lo (hst U g h) &
        loss X Y (betahat X Y U g h) <= (1 + 15%:R ^+ 2 * g ^+ 2) * loss X Y beta]).
Proof.
move=> hn; have C2 : 2%:R < 15%:R :> R by rewrite ltr_nat.
have g2 := g_half g_gt0 g_le C2; have k1 := kap_lt1 g_gt0.
have tail : Pr U g (paper_stop U g) n
    (fun h => paper_stop U g h && (rr U g h < 3%:R / 8%:R)) <= 2%:R / 13%:R.
  have := @tail_sharp _ _ _ _ g d_gt0 (isoU whP) g_gt0 g2 n (3%:R / 8%:R) (5%:R / 2%:R).
  have -> : 3%:R / 8%:R / ((1 + 3%:R / 8%:R) * (5%:R / 2%:R) - 1) = 2%:R / 13%:R :> R.
    by field.
  apply; try by ps.
    by refine (@lt_diff _ _ _ (39%:R / 16%:R) _ _); [field | ps].
  refine (@le_diff _ _ _ (75%:R / 32%:R * (1 - kap g) + 5%:R / 32%:R) _ _).
    by field.
  by nn.
have q01 : 0 <= (3%:R / 8%:R : R) <= 1.
  apply/andP; split; first by nn.
  by refine (@le_diff _ _ _ (5%:R / 8%:R) _ _); [field | nn].
have dq : 0 < den (15%:R : R) (3%:R / 8%:R) by rewrite den15; ps.
have y0 : 0 < 6%:R :> R by ps.
apply: le_trans (main_any Y d_gt0 whP g_gt0 g_le C2 q01 y0 dq beta hn tail).
have := total15; move: (main_total _ _ _) => T le.
refine (@le_diff _ _ _ ((20%:R - T) / 15%:R ^+ 2 + 17%:R / (52%:R * 45%:R)) _ _).
  by field.
by nn.
Qed.

End Fifteen.
