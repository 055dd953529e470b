(** The supermartingale and the clock with true powers: pw stands for
    x -> x^(a/b), on x >= 1; it exists over a real closed field.

      power_exists   == some function with pw(x)^b = x^a, positive
      power_bern, power_super == (1+y)^th <= 1 + th y, (1+y)^th (1 - th y) <= 1
      power_martingale == (1+r)^th Phi^M is a supermartingale
      power_clock    == the clock lemma with ((1+rbar)^(1-th) - 1)/(1-th) times
                        (1+c)^th in place of rbar
      power_labels   == labels under the paper's rule *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop.
From Asura Require Import Beyond.Move Beyond.Drift.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** The inequality of the means, for two numbers with multiplicities. *)
Lemma two_means (R : realFieldType) (m n : nat) (x y : R) : 0 <= x -> 0 <= y ->
  x ^+ m * y ^+ n <= ((m%:R * x + n%:R * y) / (m + n)%:R) ^+ (m + n).
Proof.
move=> x0 y0; pose E (i : 'I_(m + n)) := if (i < m)%N then x else y.
have E0 : {in 'I_(m + n), forall i, 0 <= E i} by move=> i _; rewrite /E; case: ifP.
have [le _] := leif_AGM E0; rewrite card_ord in le.
have ep : \prod_(i in 'I_(m + n)) E i = x ^+ m * y ^+ n.
  rewrite big_split_ord /=; congr (_ * _).
    by rewrite -[in RHS](card_ord m) -prodr_const; apply: eq_bigr => i _; rewrite /E /= ltn_ord.
  rewrite -[in RHS](card_ord n) -prodr_const; apply: eq_bigr => i _.
  by rewrite /E /= ltnNge leq_addr.
have es : \sum_(i in 'I_(m + n)) E i = m%:R * x + n%:R * y.
  rewrite big_split_ord /=; congr (_ + _).
    rewrite mulr_natl -[in RHS](card_ord m) -sumr_const; apply: eq_bigr => i _.
    by rewrite /E /= ltn_ord.
  rewrite mulr_natl -[in RHS](card_ord n) -sumr_const; apply: eq_bigr => i _.
  by rewrite /E /= ltnNge leq_addr.
by rewrite ep es in le.
Qed.

Section Power.
Variables (R : realFieldType) (a b : nat) (pw : R -> R).
Hypothesis b_gt0 : (0 < b)%N.
Hypothesis ab : (a < b)%N.
Hypothesis pwP : forall x, 1 <= x -> 0 < pw x /\ pw x ^+ b = x ^+ a.
Local Notation th := (a%:R / b%:R : R).

Let b0 : (0 : R) < b%:R. Proof. by rewrite ltr0n. Qed.
Lemma pw_gt0 x : 1 <= x -> 0 < pw x. Proof. by case/pwP. Qed.
Lemma pwE x : 1 <= x -> pw x ^+ b = x ^+ a. Proof. by case/pwP. Qed.
Lemma th_ge0 : 0 <= th. Proof. by rewrite divr_ge0 ?ler0n. Qed.
Lemma th_lt1 : th < 1. Proof. by rewrite ltr_pdivr_mulr // mul1r ltr_nat. Qed.

(** Compare by powers. *)
Lemma by_powers (x y : R) : 0 <= x -> 0 <= y -> (x ^+ b <= y ^+ b) = (x <= y).
Proof. by move=> x0 y0; rewrite ler_pexpn2r ?nnegrE. Qed.

Lemma pw1 : pw 1 = 1.
Proof.
have p0 := pw_gt0 (lexx 1); apply/eqP.
by rewrite -(@eqr_expn2 _ b) ?ler01 ?(ltW p0) // pwE // !expr1n.
Qed.

Lemma power_bern x y : 1 <= x -> x <= y ->
  pw y * x <= pw x * (x + th * (y - x)).
Proof.
move=> x1 xy; have y1 := le_trans x1 xy.
have x0 : 0 <= x by apply: le_trans x1; exact: ler01.
have y0 := le_trans x0 xy; have t0 := th_ge0.
have z0 : 0 <= x + th * (y - x).
  by apply: addr_ge0 => //; apply: mulr_ge0; rewrite ?subr_ge0.
rewrite -by_powers; try by rewrite mulr_ge0 // ltW // pw_gt0.
rewrite !exprMn !pwE //.
have -> : x ^+ b = x ^+ a * x ^+ (b - a) by rewrite -exprD subnKC // ltnW.
rewrite mulrCA; apply: ler_wpmul2l; first exact: exprn_ge0.
apply: le_trans (two_means a (b - a) y0 x0) _; rewrite subnKC ?(ltnW ab) //.
have -> // : (a%:R * y + (b - a)%:R * x) / b%:R = x + th * (y - x).
by rewrite natrB ?(ltnW ab) //; field; rewrite gt_eqF.
Qed.

Lemma power_super x y : 1 <= x -> x <= y ->
  pw y * (1 - th * ((y - x) / x)) <= pw x.
Proof.
move=> x1 xy; have y1 := le_trans x1 xy.
have x0 : 0 < x by apply: lt_le_trans x1; exact: ltr01.
have y0 : 0 <= y := ltW (lt_le_trans x0 xy).
have py := pw_gt0 y1; have px := pw_gt0 x1.
have [neg|pos] := lerP (1 - th * ((y - x) / x)) 0.
  by apply: (@le_trans _ _ 0); [rewrite pmulr_rle0 | exact: ltW].
pose z := x - th * (y - x).
have ez : 1 - th * ((y - x) / x) = z / x.
  by rewrite /z; move: (th) => t; field; rewrite gt_eqF.
have z0 : 0 <= z by move: pos; rewrite ez pmulr_lgt0 ?invr_gt0 //; exact: ltW.
rewrite ez mulrA ler_pdivr_mulr // -by_powers; try by rewrite mulr_ge0 // ltW.
rewrite !exprMn !pwE // -exprD; apply: le_trans (two_means a b y0 z0) _.
have ab0 : (0 : R) < (a + b)%:R by rewrite ltr0n addn_gt0 b_gt0 orbT.
have -> // : (a%:R * y + b%:R * z) / (a + b)%:R = x.
move: ab0; rewrite natrD /z => ab0.
by field; rewrite !gt_eqF.
Qed.

Lemma power_sub x c y : 1 <= x -> 1 <= c -> 1 <= y -> y <= x * c -> pw y <= pw x * pw c.
Proof.
move=> x1 c1 y1 le.
rewrite -by_powers ?(ltW (pw_gt0 y1)) ?mulr_ge0 ?(ltW (pw_gt0 _)) //.
have y0 := le_trans ler01 y1; have xc := le_trans y0 le.
by rewrite exprMn !pwE // -exprMn; apply: ler_expn2r.
Qed.

(** x/pw(x) = x^(1-th) grows, by (1-th)(y-x)/pw(y) at least. *)
Local Notation W x := (x / pw x).
Lemma power_grow x y : 1 <= x -> x <= y ->
  (1 - th) * (y - x) <= pw y * (W y - W x) /\ W x <= W y.
Proof.
move=> x1 xy; have y1 := le_trans x1 xy.
have py := pw_gt0 y1; have px := pw_gt0 x1; have t1 := ltW th_lt1.
have g : (1 - th) * (y - x) <= pw y * (W y - W x).
  have -> : pw y * (W y - W x) = y - pw y * x / pw x.
    by move: py px; move: (pw y) (pw x) => u v *; field; rewrite !gt_eqF.
  have le : pw y * x / pw x <= x + th * (y - x).
    by rewrite ler_pdivr_mulr // [X in _ <= X]mulrC; exact: power_bern.
  move: le; move: (pw y * x / pw x) (th) => u t le.
  refine (@le_diff _ _ _ (x + t * (y - x) - u) _ _); first by ring.
  by rewrite subr_ge0.
split=> //; rewrite -subr_ge0 -(pmulr_rge0 _ py); apply: le_trans g.
by apply: mulr_ge0; rewrite subr_ge0.
Qed.

End Power.

(** Roots exist in a real closed field. *)
Lemma power_exists (R : rcfType) (a b : nat) : (0 < b)%N ->
  exists pw : R -> R, forall x, 1 <= x -> 0 < pw x /\ pw x ^+ b = x ^+ a.
Proof.
move=> b0; have root (x : R) : exists y, (1 <= x) ==> (0 < y) && (y ^+ b == x ^+ a).
  case: (boolP (1 <= x)) => [x1|]; last by exists 0.
  have z1 : 1 <= x ^+ a by exact: exprn_ege1.
  have z0 : 0 <= x ^+ a by exact: le_trans z1.
  pose q := 'X^b - (x ^+ a)%:P : {poly R}.
  have q0 : q.[0] <= 0 by rewrite !hornerE hornerXn expr0n gtn_eqF // sub0r oppr_le0.
  have q1 : 0 <= q.[x ^+ a].
    rewrite !hornerE hornerXn subr_ge0 -[X in X <= _]expr1.
    exact: ler_weexpn2l.
  have [y yI /rootP] := poly_ivt z0 (introT andP (conj q0 q1)).
  rewrite !hornerE hornerXn => /eqP; rewrite subr_eq0 => /eqP e.
  exists y => /=; rewrite e eqxx andbT lt_neqAle eq_sym.
  case/andP: yI => y0 _; rewrite y0 andbT; apply/eqP => y00.
  move: z1; rewrite -e y00 expr0n gtn_eqF // => h.
  by have := lt_le_trans ltr01 h; rewrite ltxx.
exists (fun x => xchoose (root x)) => x x1.
by have /implyP/(_ x1)/andP[y0 /eqP e] := xchooseP (root x).
Qed.

Section Trees.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R) (a b : nat) (pw : R -> R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis g5 : 0 <= 1 - 5%:R * g + 5%:R * g ^+ 2.
Hypothesis b_gt0 : (0 < b)%N.
Hypothesis ab : (a < b)%N.
Local Notation th := (a%:R / b%:R : R).
Hypothesis th_le : th * (2%:R + g + 8%:R * g ^+ 2 + 4%:R * g ^+ 3) <= kap g.
Hypothesis pwP : forall x, 1 <= x -> 0 < pw x /\ pw x ^+ b = x ^+ a.

Local Notation hst := (hst U g).
Local Notation rr := (rr U g).
Local Notation p h x := (prob U (hst h) x).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation stop := (paper_stop U g).
Local Notation inv_h := (inv_h d_gt0 isoU g_gt0 g_lt).
Local Notation rr_ge0 := (rr_ge0 d_gt0 isoU g_gt0 g_lt).
Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.
Let c0 : 0 < clk := clk_gt0 d_gt0 g_gt0 g_lt.
Let d0 : (0 : R) < d%:R := @d_pos R d d_gt0.
Let t1 : 0 < 1 - th. Proof. by rewrite subr_gt0; exact: th_lt1. Qed.

Lemma one_le h : 1 <= 1 + rr h. Proof. by rewrite ler_addl; exact: rr_ge0. Qed.

(** One step, with x = 1 + r and y = 1 + r'. *)
Lemma power_step h x0 M : psd M ->
  pw (1 + rr (x0 :: h)) * (\sum_x p h x * phi M (step U g (hst h) x)) <=
  pw (1 + rr h) * phi M (hst h).
Proof.
move=> pM; have m0 := phi_ge0 (inv_h h) pM.
have t := theta_phi d_gt0 isoU g_gt0 g_lt (inv_h h) th_le g5 pM.
have px := pw_gt0 pwP (one_le (x0 :: h)).
apply: le_trans (ler_wpmul2l (ltW px) t) _.
rewrite [X in X <= _]mulrA; apply: ler_wpmul2r => //.
have e : rr (x0 :: h) = rr h + clk * g / Phi (hst h).
  by rewrite (rr_cons d_gt0 isoU g_gt0 g_lt).
have le : 1 + rr h <= 1 + rr (x0 :: h).
  by rewrite ler_add2l e ler_addl ltW //; exact: dr_gt0.
have := power_super b_gt0 pwP (one_le h) le.
by have -> : 1 + rr (x0 :: h) - (1 + rr h) = clk * g / Phi (hst h)
  by rewrite e; ring.
Qed.

(* slug: theta-supermartingale *)
Lemma power_martingale h x0 M : psd M ->
  \sum_x p h x * (pw (1 + rr (x0 :: h)) * phi M (hst (x :: h))) <=
  pw (1 + rr h) * phi M (hst h).
Proof.
move=> pM; apply: le_trans (power_step h x0 pM); rewrite mulr_sumr.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => x _; rewrite mulrCA.
Qed.

Lemma power_clock (st : pred (seq I)) n rbar M : psd M ->
  (forall h, reach st h -> rr h <= rbar) ->
  Tsum U g st n (fun h => phi M (hst h) / Phi (hst h)) [::] <=
  kap * (pw (1 + clk) * ((1 + rbar) / pw (1 + rbar) - 1) / (1 - th)) * \tr M / g ^+ 2.
Proof.
move=> pM rb.
have rb0 : 0 <= rbar by have := rb [::] isT; rewrite (rr0 U d_gt0 g_gt0).
have c1 : 1 <= 1 + clk by rewrite ler_addl ltW.
have K0 := pw_gt0 pwP c1.
pose W (x : R) := x / pw x.
pose C := pw (1 + clk) / (1 - th) / (clk * g).
have C0 : 0 <= C by move: t1; move: (1 - th) => *; rewrite /C; nn.
pose V h := C * (W (1 + rbar) - W (1 + rr h)) * pw (1 + rr h) * phi M (hst h).
have -> : kap * (pw (1 + clk) * ((1 + rbar) / pw (1 + rbar) - 1) / (1 - th))
    * \tr M / g ^+ 2 = V [::].
  rewrite /V /C /W (rr0 U d_gt0 g_gt0) addr0 (pw1 b_gt0 pwP) /= (phi_start d_gt0 g_gt0).
  move: t1 K0; move: (1 - th) (pw (1 + clk)) ((1 + rbar) / _) => t K w t0 _.
  by move: k0; rewrite /clk; move: (kap) => k k1; field; rewrite !gt_eqF.
apply: Tsum_super => // h rh.
  have m0 := phi_ge0 (inv_h h) pM; have px := pw_gt0 pwP (one_le h).
  have le : 1 + rr h <= 1 + rbar by rewrite ler_add2l rb.
  have [_ w] := power_grow b_gt0 ab pwP (one_le h) le.
  rewrite /V; apply: mulr_ge0 => //; apply: mulr_ge0; last exact: ltW.
  by apply: mulr_ge0 => //; rewrite subr_ge0.
move=> ns; pose e := clk * g / Phi (hst h).
have F0 := Phi_gt0 d_gt0 (inv_h h).
have e0 : 0 < e by exact: (dr_gt0 d_gt0 isoU g_gt0 g_lt).
have ele : e <= clk * (1 + rr h) by exact: (dr_le d_gt0 isoU g_gt0 g_lt).
have rx x : rr (x :: h) = rr h + e by rewrite (rr_cons d_gt0 isoU g_gt0 g_lt).
case: (pickP I) => [x0 _|no]; last first.
  have := p_sum d_gt0 isoU g_gt0 g_lt h; rewrite big_pred0 ?no //.
  by move=> /eqP; rewrite eq_sym oner_eq0.
have rle : rr h + e <= rbar by rewrite -(rx x0) rb //= ns.
have m0 := phi_ge0 (inv_h h) pM; have px := pw_gt0 pwP (one_le h).
have y1 : 1 <= 1 + (rr h + e) by rewrite -(rx x0); exact: one_le.
have xy : 1 + rr h <= 1 + (rr h + e) by rewrite ler_add2l ler_addl ltW.
have py := pw_gt0 pwP y1.
have [_ w1] := power_grow b_gt0 ab pwP y1 (ler_add (lexx 1) rle).
have [g1 w2] := power_grow b_gt0 ab pwP (one_le h) xy.
have sub : pw (1 + (rr h + e)) <= pw (1 + rr h) * pw (1 + clk).
  apply: (power_sub b_gt0 pwP (one_le h) c1 y1).
  by rewrite mulrDr mulr1 addrA ler_add2l mulrC.
have eq : \sum_x p h x * V (x :: h) = C * (W (1 + rbar) - W (1 + (rr h + e))) *
  (pw (1 + rr (x0 :: h)) * \sum_x p h x * phi M (step U g (hst h) x)).
  by rewrite !mulr_sumr; apply: eq_bigr => x _; rewrite /V !rx /=; ring.
have Wn : 0 <= C * (W (1 + rbar) - W (1 + (rr h + e))).
  by apply: mulr_ge0 => //; rewrite subr_ge0.
rewrite eq; apply: le_trans (ler_add (lexx _) (ler_wpmul2l Wn (power_step h x0 pM))) _.
have -> : phi M (hst h) / Phi (hst h) = e / (clk * g) * phi M (hst h).
  by rewrite /e; move: (phi M _) => y; field; rewrite !gt_eqF.
rewrite /V; move: m0; move: (phi M (hst h)) => y m0.
have main : e / (clk * g) <= C * (W (1 + (rr h + e)) - W (1 + rr h)) * pw (1 + rr h).
  rewrite /C; have d1 : 0 <= W (1 + (rr h + e)) - W (1 + rr h) by rewrite subr_ge0.
  have ge : (1 - th) * e <= pw (1 + clk) * (W (1 + (rr h + e)) - W (1 + rr h)) * pw (1 + rr h).
    have ee : 1 + (rr h + e) - (1 + rr h) = e by ring.
    move: g1; rewrite ee => /le_trans; apply.
    by rewrite mulrAC [pw (1 + clk) * _]mulrC; apply: ler_wpmul2r.
  have cg : 0 < clk * g by apply: mulr_gt0.
  move: t1 ge cg; move: (1 - th) (clk * g) => t cc t0 ge cg.
  have -> : e / cc = (t * e) * (t^-1 / cc) by field; rewrite !gt_eqF.
  have -> : pw (1 + clk) / t / cc * (W (1 + (rr h + e)) - W (1 + rr h)) * pw (1 + rr h)
    = pw (1 + clk) * (W (1 + (rr h + e)) - W (1 + rr h)) * pw (1 + rr h) * (t^-1 / cc).
    by ring.
  by apply: ler_wpmul2r => //; nn.
move: main; move: (W (1 + rbar)) (W (1 + (rr h + e))) (W (1 + rr h)) => w w' w''.
move: (e / _) (pw (1 + rr h)) => u q main.
refine (@le_diff _ _ _ ((C * (w' - w'') * q - u) * y) _ _); first by ring.
by apply: mulr_ge0 => //; rewrite subr_ge0.
Qed.

Local Notation rbar := (1 + 2%:R * clk).
(* slug: theta-supermartingale *)
Lemma power_labels n (X1 : pred I) :
  Exp U g stop n (fun h => (labels X1 h)%:R) <=
  kap * (pw (1 + clk) * ((1 + rbar) / pw (1 + rbar) - 1) / (1 - th))
    * \tr (\sum_(x | X1 x) U x *m (U x)^T) / g ^+ 2.
Proof.
apply: (@le_trans _ _ (Exp U g stop n (fun h => (count X1 h)%:R))).
  by apply: Tend_mono => // h _; rewrite ler_nat labels_le.
rewrite /Exp Tend_draws // add0r; apply: power_clock; first exact: psd_mass.
move=> h /(paper_reach_rr d_gt0 isoU g_gt0 g_lt); rewrite -[1 + 1]/(2%:R).
by rewrite mulrC.
Qed.

End Trees.
