(** The main theorem in epsilon: 15 from the sharp tail alone, 13 with the
    theta-supermartingale, and 150 R_X/eps labels.

      main_thirteen   == C = 13: probability 3/4
      labels_thirteen == at most 150/(13^2 g^2) R_X labels are expected
      main_eps_15, main_eps_13 == both with g = sqrt(eps)/C *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop RealClosed.
From Asura Require Import Beyond.TailSharp Beyond.MainAny Beyond.Drift.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** C = 13, q = 2/5, L = 22/9, th = 9/20, y = 4. *)
Section Thirteen.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_le : 13%:R * g <= 1.
Local Notation U := (white X P).
Local Notation stop := (paper_stop U g).
Local Notation th := (9%:R / 20%:R : R).

Let C2 : 2%:R < 13%:R :> R. Proof. by rewrite ltr_nat. Qed.
Let g2 : 2%:R * g < 1. Proof. exact: (MainAny.g_half g_gt0 g_le C2). Qed.
Let z0 : 0 <= 1 - 13%:R * g. Proof. by rewrite subr_ge0. Qed.

Lemma g5_13 : 0 <= 1 - 5%:R * g + 5%:R * g ^+ 2.
Proof.
have -> : 1 - 5%:R * g + 5%:R * g ^+ 2 =
  5%:R / 13%:R * (1 - 13%:R * g) + 8%:R / 13%:R + 5%:R * g ^+ 2 by field.
by move: z0; move: (1 - 13%:R * g) => z *; nn.
Qed.

Lemma th01_13 : 0 <= th <= 1.
Proof.
apply/andP; split; first by nn.
by refine (@le_diff _ _ _ (11%:R / 20%:R) _ _); [field | nn].
Qed.

Lemma th_13 : th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= kap g.
Proof.
refine (@le_diff _ _ _ (21%:R * 41%:R / (3380%:R * 13%:R) +
  3533%:R / (3380%:R * 13%:R) * (1 - 13%:R * g) +
  503%:R / 845%:R * g * (1 - 13%:R * g) +
  9%:R / 65%:R * g ^+ 2 * (1 - 13%:R * g)) _ _).
  by rewrite /kap; field.
by move: z0; move: (1 - 13%:R * g) => z *; nn.
Qed.

Lemma den13 : den (13%:R : R) (2%:R / 5%:R) = 12%:R / 5%:R.
Proof. by rewrite /den; field. Qed.

Lemma total13 : main_total (13%:R : R) (2%:R / 5%:R) 4%:R <= 22%:R.
Proof.
apply: le_trans (total_le (c1 := 141%:R / 10%:R) (c2 := 7%:R / 5%:R)
  (c3 := 101%:R / 120%:R) (c4 := 37%:R / 8%:R) den13 (D1 := 137%:R / 15%:R)
  _ _ _ _ _ _ _ _ _ _) _; try by ps.
- by rewrite /den; field.
- by refine (@le_diff _ _ _ (101%:R / 15%:R) _ _); [field | nn].
- by nn.
- by refine (@le_diff _ _ _ (60%:R^-1) _ _); [field | nn].
- by refine (@le_diff _ _ _ (2%:R / 605%:R) _ _); [field | nn].
- by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
- by refine (@le_diff _ _ _ (19%:R / (8%:R * 137%:R)) _ _); [field | nn].
by refine (@le_diff _ _ _ (37%:R / 150%:R) _ _); [field | nn].
Qed.

(* slug: main-13 *)
Theorem main_thirteen n beta : d%:R <= n%:R * g ^+ 2 ->
  3%:R / 4%:R <= Pr U g stop n (fun h =>
    [&& stop h, 0 < lo (hst U g h) &
        loss X Y (betahat X Y U g h) <= (1 + 13%:R ^+ 2 * g ^+ 2) * loss X Y beta]).
Proof.
move=> hn; have k1 := kap_lt1 g_gt0.
have tail : Pr U g stop n
    (fun h => stop h && (rr U g h < 2%:R / 5%:R)) <= 9%:R^-1.
  have := @tail_theta _ _ _ U g th d_gt0 (isoU whP) g_gt0 g2 g5_13 th01_13 th_13
    n (2%:R / 5%:R) (22%:R / 9%:R).
  have -> : (1 - th) * (2%:R / 5%:R) = 11%:R / 50%:R by field.
  move=> T; apply: le_trans (T _ _ _ _) _; try by ps.
  - by refine (@lt_diff _ _ _ (892%:R / 450%:R) _ _); [field | ps].
  - refine (@le_diff _ _ _ (22%:R * 22%:R * 2%:R / (81%:R * 5%:R) * (1 - kap g)
      + 4%:R / 405%:R) _ _); first by field.
    by nn.
  - by refine (@le_diff _ _ _ (9%:R^-1 * (1 / 892%:R)) _ _); [field | nn].
have q01 : 0 <= (2%:R / 5%:R : R) <= 1.
  apply/andP; split; first by nn.
  by refine (@le_diff _ _ _ (3%:R / 5%:R) _ _); [field | nn].
have dq : 0 < den (13%:R : R) (2%:R / 5%:R) by rewrite den13; ps.
have y0 : 0 < 4%:R :> R by ps.
apply: le_trans (main_any Y d_gt0 whP g_gt0 g_le C2 q01 y0 dq beta hn tail).
have := total13; move: (main_total _ _ _) => T le.
refine (@le_diff _ _ _ ((22%:R - T) / 13%:R ^+ 2 + 53%:R / (36%:R * 169%:R)) _ _).
  by field.
by nn.
Qed.

Lemma clk_13 : clk d g <= 11%:R / 20%:R.
Proof.
have d1 := @d_ge1 R d d_gt0; have k0 := kap_gt0 g_gt0 g2.
have d0 := @d_pos R d d_gt0.
rewrite /clk ler_pdivr_mulr; last by ps.
apply: (@le_trans _ _ (11%:R / 20%:R * kap g)); last first.
  by rewrite ler_pmul2l ?ler_pmull //; ps.
refine (@le_diff _ _ _ (11%:R / 20%:R - 16%:R / 65%:R * g
  + 16%:R / 65%:R * g * (1 - 13%:R * g)) _ _); first by rewrite /kap; field.
have h : 0 <= 11%:R / 20%:R - 16%:R / 65%:R * g.
  have -> : 11%:R / 20%:R - 16%:R / 65%:R * g = (11%:R / 20%:R - 16%:R / 845%:R)
    + 16%:R / 845%:R * (1 - 13%:R * g) by field.
  apply: addr_ge0; last by move: z0; move: (1 - 13%:R * g) => z *; nn.
  have -> : 11%:R / 20%:R - 16%:R / 845%:R = 1795%:R / (845%:R * 4%:R) :> R by field.
  by nn.
by move: z0 h; move: (1 - 13%:R * g) (11%:R / 20%:R - _) => z y *; nn.
Qed.

(* slug: main-13 *)
Theorem labels_thirteen n (X1 : pred I) :
  Exp U g stop n (fun h => (labels X1 h)%:R) <=
  150%:R / (13%:R ^+ 2 * g ^+ 2) * reduced_rank X X1.
Proof.
apply: le_trans (labels_drift d_gt0 (isoU whP) g_gt0 g2 g5_13 th01_13 th_13 n X1) _.
rewrite (trace_identity whP) -[X in X <= _]mulrA.
have d1 := @d_ge1 R d d_gt0; have k0 := kap_gt0 g_gt0 g2.
have d0 := @d_pos R d d_gt0; have c0 := clk_gt0 d_gt0 g_gt0 g2.
have R0 := psd_rank whP X1.
have -> : 150%:R / (13%:R ^+ 2 * g ^+ 2) * reduced_rank X X1 =
  150%:R / 13%:R ^+ 2 * (reduced_rank X X1 / g ^+ 2).
  by field; rewrite gt_eqF.
apply: ler_wpmul2r; first by nn.
have kc : kap g * clk d g <= g ^+ 2.
  have -> : kap g * clk d g = g ^+ 2 / d%:R by rewrite /clk; field; rewrite !gt_eqF.
  by rewrite ler_pdivr_mulr // ler_pmulr // exprn_gt0.
have c1 := clk_13; move: c0 kc c1; move: (clk d g) => c c0 kc c1.
have c2 : 0 < 1 + c by ps.
have h1 : 9%:R / 80%:R <= th * (1 + 2%:R * c) ^+ 2 / (2%:R * (1 + (1 + 2%:R * c))).
  refine (@le_diff _ _ _ (9%:R / 80%:R * (3%:R * c + 4%:R * c ^+ 2) / (1 + c)) _ _).
    have -> : 1 + (1 + 2%:R * c) = 2%:R * (1 + c) by ring.
    by field; rewrite gt_eqF.
  by nn.
have h2 : kap g * (71%:R / 80%:R + 3%:R * c + c ^+ 2) <= 150%:R / 13%:R ^+ 2.
  refine (@le_diff _ _ _ ((g ^+ 2 - kap g * c) * (3%:R + c) +
     g ^+ 2 * (11%:R / 20%:R - c) + (169%:R * 80%:R)^-1) _ _).
    by move: kc; rewrite /kap => _; field.
  by move: kc c1; rewrite -subr_ge0 -[c <= _]subr_ge0; move: (g ^+ 2 - _) (_ - c) => x y *; nn.
apply: le_trans h2; apply: ler_wpmul2l; first exact: ltW.
refine (@le_diff _ _ _ (th * (1 + 2%:R * c) ^+ 2 / (2%:R * (1 + (1 + 2%:R * c)))
  - 9%:R / 80%:R) _ _); last by rewrite subr_ge0.
have b0 : 0 < 1 + (1 + 2%:R * c) by ps.
by move: b0; move: (th * _ / _) => y b0; field.
Qed.

End Thirteen.

(** ** In epsilon. *)
Section Epsilon.
Variables (R : rcfType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.

(** What g = sqrt(eps)/C is. *)
Lemma eps_rate (C eps : R) n : 0 < C -> 0 < eps -> eps <= 1 ->
  C ^+ 2 * d%:R <= n%:R * eps ->
  let g := Num.sqrt eps / C in
  [/\ 0 < g, C * g <= 1, C ^+ 2 * g ^+ 2 = eps & d%:R <= n%:R * g ^+ 2].
Proof.
move=> C0 e0 e1 hn g; have [s0 sE] := sqrt_gt0 e0.
have g0 : 0 < g by rewrite /g; ps.
have gE : g ^+ 2 = eps / C ^+ 2 by rewrite /g exprMn sE exprVn.
split=> //.
- have -> : C * g = Num.sqrt eps by rewrite /g mulrCA divff ?mulr1 ?gt_eqF.
  by rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?ler01 ?sE ?expr1n //; nn.
- by rewrite gE mulrC divfK // gt_eqF // exprn_gt0.
- by rewrite gE mulrA ler_pdivl_mulr ?exprn_gt0 // mulrC.
Qed.

Local Notation U := (white X P).

Lemma eps_length (C eps g : R) h : 0 < C -> 0 < g -> 2%:R * g < 1 ->
  C ^+ 2 * g ^+ 2 = eps -> reach (paper_stop U g) h ->
  (size h)%:R < C ^+ 2 * d%:R / eps.
Proof.
move=> C0 g0 g2 <-; have d0 : (0 : R) < d%:R by rewrite ltr0n.
have -> : C ^+ 2 * d%:R / (C ^+ 2 * g ^+ 2) = d%:R / g ^+ 2.
  by field; rewrite !gt_eqF.
case: h => [|x h] /=; first by move=> _; ps.
move=> /andP[ns _]; have := paper_short_lin d_gt0 (isoU whP) g0 g2 ns.
rewrite ltr_pdivl_mulr ?exprn_gt0 //; apply: le_lt_trans.
rewrite ler_pmul2r ?exprn_gt0 //.
by rewrite mulrSr ler_add2l ler1n.
Qed.

(* slug: main-15 *)
Theorem main_eps_15 (eps : R) n (X1 : pred I) :
  0 < eps -> eps <= 1 -> 15%:R ^+ 2 * d%:R <= n%:R * eps ->
  let g := Num.sqrt eps / 15%:R in
  let stop := paper_stop U g in
  [/\ forall beta, 3%:R / 4%:R <= Pr U g stop n (fun h =>
        [&& stop h, 0 < lo (hst U g h) &
            loss X Y (betahat X Y U g h) <= (1 + eps) * loss X Y beta]),
      Pr U g stop n stop = 1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <=
        (15%:R ^+ 2 / eps - 2%:R) * reduced_rank X X1 &
      forall h, reach stop h -> (size h)%:R < 15%:R ^+ 2 * d%:R / eps].
Proof.
move=> e0 e1 hn g stop; have C0 : 0 < 15%:R :> R by ps.
have C2 : 2%:R < 15%:R :> R by rewrite ltr_nat.
have [g0 gl gE hn'] := eps_rate C0 e0 e1 hn; rewrite -/g in g0 gl gE hn'.
have g2 := MainAny.g_half g0 gl C2.
split.
- by move=> beta; have := main_fifteen Y d_gt0 whP g0 gl beta hn'; rewrite gE.
- exact: (terminates_lin d_gt0 (isoU whP) g0 g2 hn').
- have := paper_labels d_gt0 whP g0 g2 n X1.
  have -> // : (g ^+ 2)^-1 = 15%:R ^+ 2 / eps.
  by rewrite -gE; field; rewrite gt_eqF.
- by move=> h; exact: eps_length.
Qed.

(* slug: main-13 *)
Theorem main_eps_13 (eps : R) n (X1 : pred I) :
  0 < eps -> eps <= 1 -> 13%:R ^+ 2 * d%:R <= n%:R * eps ->
  let g := Num.sqrt eps / 13%:R in
  let stop := paper_stop U g in
  [/\ forall beta, 3%:R / 4%:R <= Pr U g stop n (fun h =>
        [&& stop h, 0 < lo (hst U g h) &
            loss X Y (betahat X Y U g h) <= (1 + eps) * loss X Y beta]),
      Pr U g stop n stop = 1,
      Exp U g stop n (fun h => (labels X1 h)%:R) <=
        150%:R / eps * reduced_rank X X1 &
      forall h, reach stop h -> (size h)%:R < 13%:R ^+ 2 * d%:R / eps].
Proof.
move=> e0 e1 hn g stop; have C0 : 0 < 13%:R :> R by ps.
have C2 : 2%:R < 13%:R :> R by rewrite ltr_nat.
have [g0 gl gE hn'] := eps_rate C0 e0 e1 hn; rewrite -/g in g0 gl gE hn'.
have g2 := MainAny.g_half g0 gl C2.
split.
- by move=> beta; have := main_thirteen Y d_gt0 whP g0 gl beta hn'; rewrite gE.
- exact: (terminates_lin d_gt0 (isoU whP) g0 g2 hn').
- by have := labels_thirteen d_gt0 whP g0 gl n X1; rewrite gE.
- by move=> h; exact: eps_length.
Qed.

End Epsilon.
