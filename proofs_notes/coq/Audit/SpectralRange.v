(** spectral: the printed 1 +- 1728 g needs a range of gamma. At g = 1/128 the
    event u_m >= d/(64 g^2) is sure, and on the run that draws e1 every time the
    largest eigenvalue of A^T A exceeds 1 + 1728 g, when d is large.

    Selected results
      spectral_breaks == a complete run on which it fails, for every d >= 100^7
      spectral_false  == the printed statement without a range is false

    Symbols
      D1 == where the first, fast part of the run ends: 100^4 <= D1 <= d/100^3
      dl, m, P == dist, e1^T E e1 and Phi at a state of the run. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression WellBalanced UpperSteps.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma qf_inv_eigen (R : realFieldType) d (B : 'M[R]_d) (v : 'cV[R]_d) (t : R) :
  B \in unitmx -> B *m v = t *: v -> t != 0 -> qf (invmx B) v = sqn v / t.
Proof.
move=> u e t0.
have ev : invmx B *m v = t^-1 *: v.
  apply: (can_inj (mulKmx u)); rewrite mulKVmx //.
  by rewrite -scalemxAr e scalerA mulVf // scale1r.
by rewrite /qf /bf -mulmxA ev -scalemxAr mxE mulrC /sqn /qf /bf mulmx1.
Qed.

Lemma qf_eigen (R : realFieldType) d (B : 'M[R]_d) (v : 'cV[R]_d) (t : R) :
  B *m v = t *: v -> qf B v = t * sqn v.
Proof. by move=> e; rewrite /qf /bf -mulmxA e -scalemxAr mxE /sqn /qf /bf mulmx1. Qed.

Section Eigen.
Variables (R : realFieldType) (d : nat) (e1 : 'I_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation U := (@axes R d).
Local Notation st n := (hst U g (always e1 n)).
Local Notation inv_n n := (inv_h d_gt0 (iso_axes R d) g_gt0 g_lt (always e1 n)).

Lemma outer_axes x : U e1 *m (U e1)^T *m U x = (x == e1)%:R *: U e1.
Proof.
rewrite -mulmxA [(U e1)^T *m U x]mx11_scalar mul_mx_scalar; congr (_ *: _).
by rewrite -dotE /dot bf_delta mxE eq_sym.
Qed.

(** A is a multiple of e1 e1^T. *)
Lemma acc_always n : exists2 a, 0 <= a & acc (st n) = a *: (U e1 *m (U e1)^T).
Proof.
elim: n => [|n [a a0 e]]; first by exists 0; rewrite // scale0r.
exists (a + weight U g (st n) e1).
  by apply: addr_ge0 => //; apply: weight_ge0 => //; exact: (inv_n n).
by rewrite /= -/(always e1 n) e scalerDl.
Qed.

Lemma acc_qf n : 0 <= qf (acc (st n)) (U e1) /\
  acc (st n) = qf (acc (st n)) (U e1) *: (U e1 *m (U e1)^T).
Proof.
have [a a0 e] := acc_always n.
have q : qf (acc (st n)) (U e1) = a.
  by rewrite e qfZ qf_outer -sqnE sqn_axes expr1n mulr1.
by rewrite q.
Qed.

Lemma dist_acc n : dist e1 (st n) = up (st n) - qf (acc (st n)) (U e1).
Proof. by rewrite /dist /upper qfB qf_scalar_axes. Qed.

Lemma upper_eigen n x : upper (st n) *m U x =
  (up (st n) - (x == e1)%:R * qf (acc (st n)) (U e1)) *: U x.
Proof.
have [_ e] := acc_qf n; rewrite /upper mulmxBl mul_scalar_mx scalerBl; congr (_ - _).
rewrite {1}e -scalemxAl outer_axes scalerA mulrC; case: eqP => [->|_] //.
by rewrite !mul0r !scale0r.
Qed.

Lemma lower_eigen n x : lower (st n) *m U x =
  ((x == e1)%:R * qf (acc (st n)) (U e1) - lo (st n)) *: U x.
Proof.
have [_ e] := acc_qf n; rewrite /lower mulmxBl mul_scalar_mx scalerBl; congr (_ - _).
rewrite {1}e -scalemxAl outer_axes scalerA mulrC; case: eqP => [->|_] //.
by rewrite !mul0r !scale0r.
Qed.

Lemma eigen_gt0 n x :
  0 < up (st n) - (x == e1)%:R * qf (acc (st n)) (U e1) /\
  0 < (x == e1)%:R * qf (acc (st n)) (U e1) - lo (st n).
Proof.
have [[_ pu] [_ pl]] := inv_n n.
have := pu _ (axes_neq0 R x); have := pl _ (axes_neq0 R x).
by rewrite (qf_eigen (upper_eigen n x)) (qf_eigen (lower_eigen n x)) sqn_axes !mulr1.
Qed.

Lemma bracket_axes n x : qf (bracket (st n)) (U x) =
  (up (st n) - (x == e1)%:R * qf (acc (st n)) (U e1))^-1 +
  ((x == e1)%:R * qf (acc (st n)) (U e1) - lo (st n))^-1.
Proof.
have [pu pl] := inv_n n; have [u0 l0] := eigen_gt0 n x.
rewrite /bracket qfD (qf_inv_eigen (pd_unit pu) (upper_eigen n x) (lt0r_neq0 u0)).
by rewrite (qf_inv_eigen (pd_unit pl) (lower_eigen n x) (lt0r_neq0 l0)) sqn_axes !mul1r.
Qed.

Lemma mass_eq n : qf (bracket (st n)) (U e1) =
  (dist e1 (st n))^-1 + (qf (acc (st n)) (U e1) - lo (st n))^-1.
Proof. by rewrite bracket_axes eqxx mul1r dist_acc. Qed.

Lemma Phi_eq n : Phi (st n) = qf (bracket (st n)) (U e1) +
  d.-1%:R * ((up (st n))^-1 + (- lo (st n))^-1).
Proof.
rewrite (PhiE (st n)) (tr_axes (bracket (st n))) (bigD1 e1) //=; congr (_ + _).
rewrite (eq_bigr (fun=> (up (st n))^-1 + (- lo (st n))^-1)).
  by rewrite sumr_const cardC1 card_ord mulr_natl.
by move=> x n1; rewrite bracket_axes (negbTE n1) mul0r subr0 sub0r.
Qed.

End Eigen.

Section Break.
Variables (R : realFieldType) (d : nat) (e1 : 'I_d) (g D1 : R).
Hypothesis gE : g = 128%:R^-1.
Hypothesis D_lo : 100%:R ^+ 4 <= D1.
Hypothesis D_hi : 100%:R ^+ 3 * D1 <= d%:R.
Local Notation U := (@axes R d).
Local Notation run n := (always e1 n).
Local Notation st n := (hst U g (run n)).
Local Notation stop := (paper_stop U g).
Local Notation dl n := (dist e1 (st n)).
Local Notation m n := (qf (bracket (st n)) (U e1)).
Local Notation r n := (rr U g (run n)).
Local Notation s n := (ss U g (run n)).

Lemma sg0 : 0 < g. Proof. by rewrite gE; ps. Qed.
Lemma sg2 : 2%:R * g < 1.
Proof. by rewrite gE; refine (@lt_diff _ _ _ (63%:R / 64%:R) _ _); [field | ps]. Qed.
Lemma sD0 : 0 < D1.
Proof. by apply: lt_le_trans D_lo; ps. Qed.
Lemma sd_gt : (0 : R) < d%:R.
Proof. by apply: lt_le_trans D_hi; have := sD0 => ?; ps. Qed.
Lemma sd0 : (0 < d)%N. Proof. by rewrite -(ltr0n R) sd_gt. Qed.
Lemma sD1 : 100%:R <= D1.
Proof.
apply: le_trans D_lo; rewrite exprS ler_pmulr ?ltr0n //.
by rewrite exprn_ege1 // ler1n.
Qed.
Lemma sd_big : 100%:R ^+ 4 <= d%:R :> R.
Proof.
apply: le_trans D_hi; apply: le_trans D_lo _; rewrite ler_pmull ?sD0 //.
by rewrite exprn_ege1 // ler1n.
Qed.

Local Notation iso := (iso_axes R d).
Local Notation inv_n n := (inv_h sd0 iso sg0 sg2 (run n)).

Section At.
Variable n : nat.
Hypothesis rs : r n <= 500%:R^-1.

Lemma r_pos : 0 <= r n. Proof. exact: (rr_ge0 sd0 iso sg0 sg2). Qed.
Lemma P_pos : 0 < Phi (st n). Proof. exact: (hPhi_gt0 sd0 iso sg0 sg2). Qed.
Lemma m_pos : 0 < m n. Proof. exact: (mass_gt0 e1 sd0 sg0 sg2). Qed.
Lemma dl_pos : 0 < dl n. Proof. exact: (dist_gt0 e1 sd0 sg0 sg2). Qed.

Lemma lo_big : d%:R / g <= - lo (st n).
Proof.
rewrite (hlo sd0 iso sg0 sg2) (hmid sd0 iso sg0 sg2).
have d0 := sd_gt; have g0 := sg0; have r0 := r_pos.
have w : 0 <= g - r n.
  rewrite subr_ge0; apply: le_trans rs _; rewrite gE lef_pinv ?posrE ?ltr0n //.
  by rewrite ler_nat.
refine (@le_diff _ _ _ (d%:R / g ^+ 2 * ((g - r n) + 2%:R * g * r n)) _ _).
  by move: (r n) => z; field; rewrite gt_eqF.
by move: w r0; move: (g - r n) (r n) => a b a0 b0; nn.
Qed.

Lemma up_big : 2%:R * d%:R / g <= up (st n).
Proof.
rewrite (hup sd0 iso sg0 sg2) (hmid sd0 iso sg0 sg2) ler_addr.
by have d0 := sd_gt; have g0 := sg0; have r0 := r_pos; nn.
Qed.

Lemma m_ge : (dl n)^-1 <= m n.
Proof.
rewrite (mass_eq e1 sd0 sg0 sg2) ler_addl invr_ge0.
have [a0 _] := acc_qf e1 sd0 sg0 sg2 n.
have l0 := lo_big; have d0 := sd_gt; have g0 := sg0.
by apply: addr_ge0 => //; apply: le_trans l0; nn.
Qed.

Lemma m_le : m n <= (dl n)^-1 + g / d%:R.
Proof.
have [a0 _] := acc_qf e1 sd0 sg0 sg2 n.
have l0 := lo_big; have d0 := sd_gt; have g0 := sg0.
rewrite (mass_eq e1 sd0 sg0 sg2) ler_add2l -[g / d%:R]invf_div lef_pinv ?posrE //.
- by apply: le_trans l0 _; rewrite ler_addr.
- by apply: ltr_paddl => //; apply: lt_le_trans l0; ps.
- by ps.
Qed.

Lemma gd_small : g / d%:R <= 10%:R^-1 / 100%:R ^+ 2.
Proof.
have d0 := sd_gt; have g0 := sg0; have db := sd_big.
rewrite ler_pdivr_mulr //.
apply: (@le_trans _ _ (10%:R^-1 / 100%:R ^+ 2 * 100%:R ^+ 4)); last first.
  by apply: ler_wpmul2l => //; nn.
have -> : 10%:R^-1 / 100%:R ^+ 2 * 100%:R ^+ 4 = 10%:R * 100%:R :> R by field.
apply: (@le_trans _ _ 1); last by rewrite -natrM ler1n.
by rewrite gE invf_le1 ?ltr0n // ler1n.
Qed.

Lemma P_ge : m n + 99%:R / 100%:R * g <= Phi (st n).
Proof.
apply: le_trans (other_ge e1 sd0 sg0 sg2 n); rewrite ler_add2l (hgap U sd0 sg0).
have d0 := sd_gt; have g0 := sg0; have q0 := rr1_gt0 sd0 iso sg0 sg2 (run n).
have db := sd_big.
have dm : d.-1%:R = d%:R - 1 :> R by rewrite -{2}(prednK sd0) mulrSr addrK.
rewrite dm.
have -> : (d%:R - 1) * (4%:R / (4%:R * d%:R / g * (1 + r n))) = g * ((d%:R - 1) / (d%:R * (1 + r n))).
  by field; rewrite !gt_eqF.
rewrite mulrC; apply: ler_wpmul2l; first exact: ltW.
rewrite ler_pdivl_mulr; last exact: mulr_gt0.
have w : 0 <= 500%:R^-1 - r n by rewrite subr_ge0.
have w2 : 0 <= d%:R - 100%:R ^+ 4 :> R by rewrite subr_ge0.
refine (@le_diff _ _ _ (99%:R / 100%:R * d%:R * (500%:R^-1 - r n) + 401%:R / (500%:R * 100%:R) * (d%:R - 100%:R ^+ 4) + (401%:R * 20%:R * 100%:R - 1)) _ _).
  by move: (r n) => z; field.
apply: addr_ge0; last by rewrite subr_ge0 -!natrM ler1n !muln_gt0.
by move: w w2; move: (_ - r n) (d%:R - _) => a b a0 b0; nn.
Qed.

Lemma P_le : Phi (st n) <= m n + 3%:R / 2%:R * g.
Proof.
rewrite (Phi_eq e1 sd0 sg0 sg2) ler_add2l.
have d0 := sd_gt; have g0 := sg0; have l0 := lo_big; have u0 := up_big.
have dg : 0 < d%:R / g by ps.
have dg2 : 0 < 2%:R * d%:R / g by ps.
apply: (@le_trans _ _ (d%:R * ((2%:R * d%:R / g)^-1 + (d%:R / g)^-1))).
  apply: ler_pmul; rewrite ?ler0n //.
  - by apply: addr_ge0; rewrite invr_ge0; [apply: le_trans u0 | apply: le_trans l0]; exact: ltW.
  - by rewrite ler_nat leq_pred.
  - apply: ler_add; rewrite lef_pinv ?posrE //; first exact: lt_le_trans u0.
    exact: lt_le_trans l0.
rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
by rewrite !gt_eqF.
Qed.

(** Far from the barrier: the distance falls, and pays for r. *)
Lemma zone1 : 21%:R / 10%:R <= dl n ->
  dl n.+1 <= dl n /\ clk d g * g / Phi (st n) <= m n / d%:R * (dl n - dl n.+1).
Proof.
move=> far; have P0 := P_pos; have m0 := m_pos; have g0 := sg0; have d0 := sd_gt.
have z0 := g2_gt0 sg2; have k0 := kap_gt0 sg0 sg2.
have Pg := P_ge; have ml := m_le; have gd := gd_small.
have m477 : m n <= 477%:R / 1000%:R.
  apply: le_trans ml _; apply: (@le_trans _ _ (10%:R / 21%:R + 10%:R^-1 / 100%:R ^+ 2)).
    apply: ler_add => //; rewrite -[10%:R / 21%:R]invf_div lef_pinv ?posrE //; last by ps.
    exact: dl_pos.
  refine (@le_diff _ _ _ (1679%:R / (210%:R * 100%:R * 100%:R)) _ _); last by nn.
  by field.
have num : g / 50%:R <= (1 - 2%:R * g) * Phi (st n) - m n.
  apply: (@le_trans _ _ ((1 - 2%:R * g) * (m n + 99%:R / 100%:R * g) - m n)); last first.
    by rewrite ler_add2r ler_pmul2l.
  have w : 0 <= 477%:R / 1000%:R - m n by rewrite subr_ge0.
  refine (@le_diff _ _ _ (2%:R * g * (477%:R / 1000%:R - m n) + 17%:R * g / (320%:R * 100%:R)) _ _).
    by rewrite gE; move: (m n) => z; field.
  by move: w; move: (_ - m n) => a a0; nn.
have e : dl n - dl n.+1 =
  g * ((1 - 2%:R * g) * Phi (st n) - m n) / (m n * ((1 - 2%:R * g) * Phi (st n))).
  rewrite (dist_step e1 sd0 sg0 sg2); move: (dl n) => z.
  by field; rewrite !gt_eqF.
have zP : 0 < (1 - 2%:R * g) * Phi (st n) by exact: mulr_gt0.
have num0 : 0 <= (1 - 2%:R * g) * Phi (st n) - m n by apply: le_trans num; nn.
split.
  by rewrite -subr_ge0 e; apply: divr_ge0; [nn | apply: ltW; exact: mulr_gt0].
rewrite e.
have -> : m n / d%:R * (g * ((1 - 2%:R * g) * Phi (st n) - m n) / (m n * ((1 - 2%:R * g) * Phi (st n)))) =
  g / (d%:R * (1 - 2%:R * g) * Phi (st n)) * ((1 - 2%:R * g) * Phi (st n) - m n).
  by field; rewrite !gt_eqF.
apply: (@le_trans _ _ (g / (d%:R * (1 - 2%:R * g) * Phi (st n)) * (g / 50%:R))); last first.
  apply: ler_wpmul2l => //; apply: divr_ge0; first exact: ltW.
  by apply: ltW; rewrite -mulrA; exact: mulr_gt0.
have -> : clk d g * g / Phi (st n) = g ^+ 2 / (d%:R * Phi (st n)) * (g / kap g).
  by rewrite /clk; field; rewrite !gt_eqF.
have -> : g / (d%:R * (1 - 2%:R * g) * Phi (st n)) * (g / 50%:R) =
  g ^+ 2 / (d%:R * Phi (st n)) * (50%:R * (1 - 2%:R * g))^-1.
  by field; rewrite !gt_eqF.
apply: ler_wpmul2l; first by nn.
rewrite ler_pdivr_mulr // ler_pdivl_mull; last by ps.
by rewrite /kap gE; refine (@le_diff _ _ _ (315%:R / 512%:R) _ _); [field | nn].
Qed.

(** Near it: s pays for r, and the run stays there. *)
Lemma zone2 : dl n < 21%:R / 10%:R ->
  dl n.+1 < 21%:R / 10%:R /\
  clk d g * g / Phi (st n) <= 928%:R^-1 * (g / (4%:R * d%:R) * Phi (st n)).
Proof.
move=> near; have P0 := P_pos; have m0 := m_pos; have g0 := sg0; have d0 := sd_gt.
have z0 := g2_gt0 sg2; have k0 := kap_gt0 sg0 sg2; have dl0 := dl_pos.
have Pg := P_ge; have ml := m_le; have mg := m_ge; have gd := gd_small.
have mP : m n <= Phi (st n) by apply: le_trans Pg; rewrite ler_addl; nn.
split.
  rewrite (dist_step e1 sd0 sg0 sg2).
  have [le|gt] := leP (m n) ((1 - 2%:R * g) * Phi (st n)).
    apply: le_lt_trans near; rewrite -addrA ger_addl addrC subr_le0.
    rewrite -mulrA -invfM; apply: ler_wpmul2l; first exact: ltW.
    by rewrite lef_pinv ?posrE //; exact: mulr_gt0.
  have m487 : 4871%:R / (100%:R * 100%:R) <= m n.
    have := le_lt_trans (_ : (1 - 2%:R * g) * (m n + 99%:R / 100%:R * g) <= _) gt.
    rewrite ler_pmul2l // => /(_ Pg) lt.
    have w : 0 <= m n - (1 - 2%:R * g) * (m n + 99%:R / 100%:R * g) by rewrite subr_ge0 ltW.
    refine (@le_diff _ _ _ (64%:R * (m n - (1 - 2%:R * g) * (m n + 99%:R / 100%:R * g)) + 53%:R / (320%:R * 1000%:R)) _ _).
      by rewrite gE; move: (m n) => z; field.
    by apply: addr_ge0; [apply: mulr_ge0 => //; exact: ler0n | nn].
  have d487 : 487%:R / 1000%:R <= (dl n)^-1.
    have w1 : 0 <= (dl n)^-1 + g / d%:R - m n by rewrite subr_ge0.
    have w2 : 0 <= 10%:R^-1 / 100%:R ^+ 2 - g / d%:R by rewrite subr_ge0.
    have w3 : 0 <= m n - 4871%:R / (100%:R * 100%:R) by rewrite subr_ge0.
    refine (@le_diff _ _ _ (((dl n)^-1 + g / d%:R - m n) + (10%:R^-1 / 100%:R ^+ 2 - g / d%:R) + (m n - 4871%:R / (100%:R * 100%:R)) + 9%:R / (100%:R * 1000%:R)) _ _).
      by move: (dl n)^-1 (m n) (g / d%:R) => a b c; field.
    by apply: addr_ge0; [apply: addr_ge0; [apply: addr_ge0 |] | nn].
  have dle : dl n <= 1000%:R / 487%:R.
    by rewrite -[dl n]invrK -[1000%:R / 487%:R]invf_div lef_pinv ?posrE ?invr_gt0 //; ps.
  have ple : g / (1 - 2%:R * g) / Phi (st n) <= 60%:R^-1.
    have -> : g / (1 - 2%:R * g) = 126%:R^-1 by rewrite gE; field.
    rewrite -invfM lef_pinv ?posrE ?ltr0n //; last by apply: mulr_gt0 => //; exact: ltr0n.
    have p487 := le_trans m487 mP.
    apply: (@le_trans _ _ (126%:R * (4871%:R / (100%:R * 100%:R)))); last by rewrite ler_pmul2l ?ltr0n.
    refine (@le_diff _ _ _ (6873%:R / (50%:R * 100%:R)) _ _); last by nn.
    by field.
  apply: le_lt_trans (_ : 1000%:R / 487%:R + 60%:R^-1 < _).
    apply: ler_add => //; apply: le_trans dle; rewrite ger_addl oppr_le0; nn.
  refine (@lt_diff _ _ _ (175%:R / (12%:R * 487%:R)) _ _); last by ps.
  by field.
have p21 : 10%:R / 21%:R <= Phi (st n).
  apply: le_trans mP; apply: le_trans mg.
  by rewrite -[10%:R / 21%:R]invf_div lef_pinv ?posrE ?(ltW near) //; ps.
have -> : clk d g * g / Phi (st n) = g / (4%:R * d%:R * Phi (st n)) * (4%:R * g ^+ 2 / kap g).
  by rewrite /clk; field; rewrite !gt_eqF.
have -> : 928%:R^-1 * (g / (4%:R * d%:R) * Phi (st n)) =
  g / (4%:R * d%:R * Phi (st n)) * (928%:R^-1 * Phi (st n) ^+ 2).
  by field; rewrite !gt_eqF.
apply: ler_wpmul2l; first by nn.
apply: (@le_trans _ _ (928%:R^-1 * (10%:R / 21%:R) ^+ 2)); last first.
  apply: ler_wpmul2l; first by nn.
  by rewrite ler_pexpn2r ?nnegrE //; [nn | exact: ltW].
have -> : 4%:R * g ^+ 2 / kap g = 4095%:R^-1.
  have -> : 4095%:R = 63%:R * 65%:R :> R by rewrite -natrM.
  by rewrite /kap gE; field.
rewrite ler_pdivl_mull ?ltr0n // ler_pdivr_mulr ?ltr0n //.
have -> : 4095%:R = 63%:R * 65%:R :> R by rewrite -natrM.
refine (@le_diff _ _ _ (12%:R / 21%:R) _ _); last by nn.
by field.
Qed.

End At.

(** The three parts of the run: far, between, near. *)
Definition phases n : Prop :=
  [/\ D1 <= dl n -> r n <= 2%:R / (D1 * d%:R) * (256%:R * d%:R - dl n) /\ s n <= r n,
      21%:R / 10%:R <= dl n -> dl n < D1 ->
        r n <= 512%:R / D1 + (D1 - dl n) / (2%:R * d%:R) &
      dl n < 21%:R / 10%:R ->
        r n <= 512%:R / D1 + D1 / (2%:R * d%:R) + 928%:R^-1 * s n].

Local Notation A := (512%:R / D1 + D1 / (2%:R * d%:R)).

Lemma far_le n : 2%:R / (D1 * d%:R) * (256%:R * d%:R - dl n) <= 512%:R / D1.
Proof.
have D0 := sD0; have d0 := sd_gt; have e0 := dl_pos n.
refine (@le_diff _ _ _ (2%:R / (D1 * d%:R) * dl n) _ _); last by nn.
by move: (dl n) => z; field; rewrite !gt_eqF.
Qed.

Lemma between_le n : (D1 - dl n) / (2%:R * d%:R) <= D1 / (2%:R * d%:R).
Proof.
have d0 := sd_gt; have e0 := dl_pos n.
by apply: ler_wpmul2r; [nn | rewrite ler_subl_addr ler_addl ltW].
Qed.

Lemma s_pos n : 0 <= s n. Proof. exact: (ss_ge0 sd0 iso sg0 sg2). Qed.

Lemma phases_bound n : phases n -> r n <= A + 928%:R^-1 * s n.
Proof.
move=> [far mid near]; have s0 := s_pos n; have D0 := sD0; have d0 := sd_gt.
have t0 : 0 <= 928%:R^-1 * s n by nn.
have [lt|ge] := ltP (dl n) (21%:R / 10%:R); first exact: near.
apply: ler_paddr => //; have [lt|ge1] := ltP (dl n) D1.
  by apply: le_trans (mid ge lt) _; rewrite ler_add2l between_le.
have [le _] := far ge1; apply: le_trans le _; apply: le_trans (far_le n) _.
by rewrite ler_addl; nn.
Qed.

Lemma A_small : A <= (100%:R ^+ 2 * 10%:R)^-1.
Proof.
have D0 := sD0; have d0 := sd_gt.
have h1 : 512%:R / D1 <= 512%:R / 100%:R ^+ 4.
  by apply: ler_wpmul2l; [nn | rewrite lef_pinv ?posrE //; ps].
have h2 : D1 / (2%:R * d%:R) <= (2%:R * 100%:R ^+ 3)^-1.
  rewrite ler_pdivr_mulr; last by ps.
  rewrite invfM mulrACA mulVf ?pnatr_eq0 // mul1r ler_pdivl_mull //; ps.
apply: le_trans (ler_add h1 h2) _.
refine (@le_diff _ _ _ (438%:R / 100%:R ^+ 4) _ _); last by nn.
by field.
Qed.

Lemma small_500 n : phases n -> ~~ stop (run n) ->
  r n <= (100%:R ^+ 2 * 10%:R)^-1 + 928%:R^-1 /\ r n <= 500%:R^-1.
Proof.
move=> ph; rewrite (paper_stopE U sd0 sg0) -ltNge => lt.
have s1 : s n <= 1 by apply: le_trans (ltW lt); rewrite ler_addr; exact: r_pos.
have le : r n <= (100%:R ^+ 2 * 10%:R)^-1 + 928%:R^-1.
  apply: le_trans (phases_bound ph) _; apply: ler_add; first exact: A_small.
  by rewrite -[X in _ <= X]mulr1; apply: ler_wpmul2l => //; nn.
split=> //; apply: le_trans le _.
refine (@le_diff _ _ _ ((428%:R * 100%:R ^+ 2 * 10%:R - 500%:R * 928%:R) / (500%:R * 928%:R * (100%:R ^+ 2 * 10%:R))) _ _).
  by field.
apply: divr_ge0; last by nn.
have -> : 428%:R * 100%:R ^+ 2 * 10%:R - 500%:R * 928%:R = 100%:R * 100%:R * 10%:R * 423%:R + 36%:R * 10%:R * 100%:R :> R.
  by ring.
by nn.
Qed.

Lemma r_step n : r n.+1 = r n + clk d g * g / Phi (st n).
Proof. exact: (rr_cons sd0 iso sg0 sg2 e1 (run n)). Qed.
Lemma s_step n : s n.+1 = s n + g / (4%:R * d%:R) * Phi (st n).
Proof. exact: (ss_cons U g e1 (run n)). Qed.

Lemma phases_step n : phases n -> r n <= 500%:R^-1 -> phases n.+1.
Proof.
move=> [far mid near] rs; have D0 := sD0; have d0 := sd_gt; have g0 := sg0.
have sn := s_pos n.+1; have P0 := P_pos n; have k0 := kap_gt0 sg0 sg2.
have t0 : 0 <= 928%:R^-1 * s n.+1 by nn.
have [lt|ge] := ltP (dl n) (21%:R / 10%:R).
  have [near' pay] := zone2 rs lt; split=> [ge|ge|_].
  - have := le_lt_trans ge near'; rewrite ltNge => /negP; case.
    apply: le_trans sD1; rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat.
    by [].
  - by have := le_lt_trans ge near'; rewrite ltxx.
  - rewrite r_step s_step mulrDr addrA; apply: ler_add => //; exact: near.
have [fall pay] := zone1 rs ge.
have [lt|ge1] := ltP (dl n) D1.
  have half : clk d g * g / Phi (st n) <= (dl n - dl n.+1) / (2%:R * d%:R).
    apply: le_trans pay _; rewrite mulrC.
    apply: ler_wpmul2l; first by rewrite subr_ge0.
    rewrite invfM; apply: ler_wpmul2r; first by nn.
    apply: le_trans (m_le rs) _; have gd := gd_small.
    apply: (@le_trans _ _ (10%:R / 21%:R + 10%:R^-1 / 100%:R ^+ 2)).
      apply: ler_add => //; rewrite -[10%:R / 21%:R]invf_div lef_pinv ?posrE //; last by ps.
      exact: dl_pos.
    refine (@le_diff _ _ _ (42%:R^-1 - (10%:R * 100%:R ^+ 2)^-1) _ _); first by field.
    rewrite subr_ge0 lef_pinv ?posrE ?ltr0n //; last by ps.
    apply: (@le_trans _ _ (10%:R * 100%:R)); first by rewrite -natrM ler_nat.
    by rewrite ler_pmul2l ?ltr0n // expr2 ler_pmulr ?ltr0n // ler1n.
  have new : r n.+1 <= 512%:R / D1 + (D1 - dl n.+1) / (2%:R * d%:R).
    rewrite r_step; apply: le_trans (ler_add (mid ge lt) half) _.
    by rewrite -addrA -mulrDl subrKA.
  have lt' := le_lt_trans fall lt.
  split=> [ge'|_ _|_] //.
    by have := le_lt_trans ge' lt'; rewrite ltxx.
  by apply: ler_paddr => //; apply: le_trans new _; rewrite ler_add2l between_le.
have [rf sf] := far ge1.
have m2 : m n <= 2%:R / D1.
  apply: le_trans (m_le rs) _.
  have -> : 2%:R / D1 = D1^-1 + D1^-1 by rewrite mulrDl mul1r.
  apply: ler_add; first by rewrite lef_pinv ?posrE ?dl_pos.
  rewrite ler_pdivr_mulr // ler_pdivl_mull //; apply: le_trans D_hi.
  rewrite mulrC; apply: ler_wpmul2r; first exact: ltW.
  apply: (@le_trans _ _ 1); first by rewrite gE invf_le1 ?ltr0n // ler1n.
  by rewrite exprn_ege1 // ler1n.
have new : r n.+1 <= 2%:R / (D1 * d%:R) * (256%:R * d%:R - dl n.+1).
  have pay' : clk d g * g / Phi (st n) <= 2%:R / (D1 * d%:R) * (dl n - dl n.+1).
    apply: le_trans pay _; apply: ler_wpmul2r; first by rewrite subr_ge0.
    by rewrite invfM mulrA; apply: ler_wpmul2r => //; nn.
  rewrite r_step; apply: le_trans (ler_add rf pay') _.
  by rewrite -mulrDr subrKA.
have snew : s n.+1 <= r n.+1.
  rewrite s_step r_step; apply: ler_add => //.
  have P2 : Phi (st n) <= 2%:R * g.
    apply: le_trans (P_le rs) _.
    have mg : m n <= g / 2%:R.
      apply: le_trans m2 _; rewrite ler_pdivr_mulr //.
      apply: (@le_trans _ _ (g / 2%:R * 100%:R ^+ 4)); last by apply: ler_wpmul2l => //; nn.
      rewrite gE; refine (@le_diff _ _ _ ((100%:R ^+ 4 - 512%:R) / 256%:R) _ _); first by field.
      apply: divr_ge0; last by nn.
      have -> : 100%:R ^+ 4 - 512%:R = (77%:R + 99%:R * 100%:R) * (100%:R ^+ 2 + 23%:R) + 17%:R :> R by ring.
      by nn.
    refine (@le_diff _ _ _ (g / 2%:R - m n) _ _); first by field.
    by rewrite subr_ge0.
  have -> : clk d g * g / Phi (st n) = g / (4%:R * d%:R * Phi (st n)) * (4%:R * g ^+ 2 / kap g).
    by rewrite /clk; field; rewrite !gt_eqF.
  have -> : g / (4%:R * d%:R) * Phi (st n) = g / (4%:R * d%:R * Phi (st n)) * Phi (st n) ^+ 2.
    by field; rewrite !gt_eqF.
  apply: ler_wpmul2l; first by nn.
  apply: (@le_trans _ _ ((2%:R * g) ^+ 2)).
    by rewrite ler_pexpn2r ?nnegrE //; nn.
  rewrite ler_pdivl_mulr //.
  have k1 := kap_lt1 sg0; have -> : (2%:R * g) ^+ 2 = 4%:R * g ^+ 2 by ring.
  by rewrite ler_pimulr ?(ltW k1) //; nn.
split=> [_|ge' lt'|lt'] //.
  apply: le_trans new _; apply: le_trans (far_le n.+1) _; rewrite ler_addl.
  by apply: divr_ge0; [rewrite subr_ge0 ltW | nn].
apply: ler_paddr => //; apply: le_trans new _; apply: le_trans (far_le n.+1) _.
by rewrite ler_addl; nn.
Qed.

Lemma phases_all n : (forall i, (i < n)%N -> ~~ stop (run i)) -> phases n.
Proof.
elim: n => [|n IH] ns.
  have D0 := sD0; have d0 := sd_gt; have g0 := sg0.
  have e : dl 0 = 256%:R * d%:R.
    by rewrite (dist0 e1 g) gE; field.
  have big : D1 <= dl 0.
    rewrite e; apply: le_trans (_ : d%:R <= _).
      apply: le_trans D_hi; rewrite ler_pmull // exprn_ege1 // ler1n //.
    by rewrite ler_pmull // ler1n.
  split=> [_|_ lt|lt].
  - by rewrite e subrr mulr0 (rr0 U sd0 sg0) /ss /= mulr0.
  - by have := le_lt_trans big lt; rewrite ltxx.
  - have := le_lt_trans big lt; rewrite ltNge => /negP; case.
    apply: le_trans sD1; rewrite ler_pdivr_mulr ?ltr0n // -natrM ler_nat.
    by [].
have ph := IH (fun i lt => ns i (ltnW lt)).
by apply: phases_step => //; have [] := small_500 ph (ns n (leqnn _)).
Qed.

(* slug: spectral *)
Theorem spectral_breaks : exists h : seq 'I_d,
  [/\ reach stop h, stop h, forall h' x, 0 < prob U (hst U g h') x,
      d%:R / (64%:R * g ^+ 2) <= up (hst U g h) &
      ~ psd ((1 + 1728%:R * g)%:M - sample_matrix U g h)].
Proof.
have D0 := sD0; have d0 := sd_gt; have g0 := sg0; have k0 := kap_gt0 sg0 sg2.
have ex : exists n, stop (run n).
  exists (128 * 128 * d)%N; apply: (paper_stops_lin sd0 iso sg0 sg2).
  rewrite size_nseq natrM natrM gE le_eqVlt; apply/orP; left; apply/eqP.
  by field.
case: (ex_minnP ex) => [[|n] halt mn].
  move: halt; rewrite (paper_stopE U sd0 sg0) (rr0 U sd0 sg0) /ss /= mulr0 addr0.
  by rewrite ler10.
have ns i : (i < n.+1)%N -> ~~ stop (run i).
  by move=> lt; apply/negP => /mn; rewrite leqNgt lt.
exists (run n.+1).
have ph := phases_all ns.
have [rn rs] := small_500 (phases_all (fun i lt => ns i (ltnW lt))) (ns n (leqnn _)).
have rm : r n.+1 <= 900%:R^-1.
  have := rr_cons_le sd0 iso sg0 sg2 e1 (run n); rewrite -[e1 :: _]/(run n.+1) => le.
  apply: le_trans le _.
  have c1 : clk d g <= (100%:R ^+ 3)^-1.
    rewrite /clk; have -> : g ^+ 2 / (d%:R * kap g) = 4%:R^-1 * (63%:R * 65%:R)^-1 / d%:R.
      by rewrite /kap gE; field; rewrite gt_eqF.
    rewrite ler_pdivr_mulr //; apply: (@le_trans _ _ 1).
      rewrite -invfM -!natrM invf_le1 ?ltr0n // ler1n //.
    rewrite ler_pdivl_mull; last by ps.
    rewrite mulr1; apply: le_trans D_hi; rewrite ler_pmulr; last by ps.
    by apply: le_trans sD1; rewrite ler1n.
  apply: (@le_trans _ _ ((100%:R ^+ 2 * 10%:R)^-1 + 928%:R^-1 + (100%:R ^+ 3)^-1 * (1 + 1))).
    apply: ler_add => //; apply: ler_pmul => //.
    - exact/ltW/(clk_gt0 sd0 sg0 sg2).
    - exact/ltW/(rr1_gt0 sd0 iso sg0 sg2).
    - by rewrite ler_add2l; apply: le_trans rs _; rewrite invf_le1 ?ltr0n // ler1n.
  refine (@le_diff _ _ _ (28%:R / (900%:R * 928%:R) - 12%:R / 100%:R ^+ 3) _ _); first by field.
  rewrite subr_ge0 ler_pdivr_mulr; last by ps.
  rewrite mulrAC ler_pdivl_mulr; last by ps.
  have -> : 12%:R * (900%:R * 928%:R) = 1002%:R * 100%:R ^+ 2 + 24%:R * 100%:R :> R by ring.
  have -> : 28%:R * 100%:R ^+ 3 = 1002%:R * 100%:R ^+ 2 + 1798%:R * 100%:R ^+ 2 :> R by ring.
  rewrite ler_add2l; apply: ler_pmul; rewrite ?ler0n ?ler_nat //.
  by rewrite expr2 ler_pmulr ?ltr0n // ler1n.
have near : dl n.+1 < D1.
  rewrite ltNge; apply/negP => ge; have [far _ _] := ph; have [_ sr] := far ge.
  move: halt; rewrite (paper_stopE U sd0 sg0); apply/negP; rewrite -ltNge.
  apply: le_lt_trans (ler_add rm (le_trans sr rm)) _.
  refine (@lt_diff _ _ _ (449%:R / 450%:R) _ _); first by field.
  by ps.
split=> //.
- exact: reach_always.
- by move=> h' x; apply: prob_axes_gt0; [exact: sd0 | exact: (inv_h sd0 iso sg0 sg2)].
- have u := up_big n.+1; apply: le_trans u.
  by rewrite gE le_eqVlt; apply/orP; left; apply/eqP; field.
- move=> [_ /(_ (U e1))]; rewrite qfB qf_scalar_axes sample_matrixE qfZ.
  have mid0 : 0 < mid (st n.+1) by apply: (mid_gt0 sd0 iso sg0 sg2).
  rewrite subr_ge0 ler_pdivr_mull // leNgt => /negP; apply.
  have -> : qf (acc (st n.+1)) (U e1) = up (st n.+1) - dl n.+1.
    by rewrite dist_acc opprB addrC subrK.
  rewrite (hup sd0 iso sg0 sg2) (hmid sd0 iso sg0 sg2).
  have w : 0 <= 900%:R^-1 - r n.+1 by rewrite subr_ge0.
  have v : 0 < D1 - dl n.+1 by rewrite subr_gt0.
  have y : 0 <= d%:R - 100%:R ^+ 3 * D1 by rewrite subr_ge0.
  refine (@lt_diff _ _ _ ((D1 - dl n.+1) + 1726%:R * g * (d%:R / g ^+ 2) * (900%:R^-1 - r n.+1) + 74%:R / 900%:R / g * (d%:R - 100%:R ^+ 3 * D1) + (74%:R / 900%:R / g * 100%:R ^+ 3 - 1) * D1) _ _).
    by move: (r n.+1) (dl n.+1) => z1 z2; field; rewrite gt_eqF.
  have big : 0 <= 74%:R / 900%:R / g * 100%:R ^+ 3 - 1.
    rewrite subr_ge0; apply: mulr_ege1; last by rewrite exprn_ege1 // ler1n.
    by rewrite gE; refine (@le_diff _ _ _ (2143%:R / 225%:R) _ _); [field | nn].
  move: v w y big; move: (D1 - _) (_ - r n.+1) (d%:R - _) (_ - 1) => a b c e a0 b0 c0 e0.
  by apply: ltr_spaddl; [apply: ltr_spaddl; [apply: ltr_spaddl => //; nn | nn] | nn].
Qed.

End Break.
