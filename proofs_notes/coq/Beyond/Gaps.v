(** One move between two barriers that rise along a target D, as a statement
    about the two gaps P (above) and Q (below) and D only. The draw o has
    probability p, weight w and the vector V; the barriers rise by
    e g/(1-2g) D and e g/(1+2g) D. Algorithm 2 is D = 1; X2 kept is D <= 1;
    the steps cut by clip or coin are those with a smaller e.

      gaps_hi_pd, gaps_low_pd == both gaps stay positive definite
      gaps_mean_hi, gaps_mean_low == their inverses do not grow in the mean
      gaps_mean          == nor does the bracket P^-1 + Q^-1 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Regression.
From Asura Require Import SpecBeyond Beyond.Move Beyond.Policy.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Gaps.
Variables (R : realFieldType) (d : nat) (O : finType) (V : O -> 'cV[R]_d).
Variables (g : R) (P Q : 'M[R]_d) (p w : O -> R) (e : R).
Local Notation D := (pol_target V).
Local Notation E := (invmx P + invmx Q).
Local Notation Z o := (w o *: (V o *m (V o)^T)).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis pP : pd P.
Hypothesis pQ : pd Q.
Hypothesis p_ge0 : forall o, 0 <= p o.
Hypothesis p_sum : \sum_o p o = 1.
Hypothesis w_ge0 : forall o, 0 <= w o.
Hypothesis w_le : forall o, w o * qf E (V o) <= g.
Hypothesis pw : forall o, V o != 0 -> p o * w o = g * e.
Hypothesis e_ge0 : 0 <= e.

Let g1 : 0 < 1 - g := g1_gt0 g_gt0 g_lt.
Let g2 : 0 < 1 - 2%:R * g := g2_gt0 g_lt.
Let p1 : 0 < 1 + g := p1_gt0 g_gt0.
Let p2 : 0 < 1 + 2%:R * g := p2_gt0 g_gt0.

Lemma gaps_D_psd : psd D.
Proof. by apply: psd_sum => o _; exact: psd_outer. Qed.

Lemma gaps_update : \sum_o p o *: Z o = (g * e) *: D.
Proof.
rewrite /pol_target scaler_sumr; apply: eq_bigr => o _.
have [->|n] := eqVneq (V o) 0; first by rewrite mul0mx !scaler0.
by rewrite scalerA pw.
Qed.

Lemma gaps_rank B o : pd B -> psd (E - invmx B) -> psd (g *: B - Z o).
Proof.
move=> pB h.
have le : w o * qf (invmx B) (V o) <= g.
  by apply: le_trans (w_le o); apply: ler_wpmul2l => //; exact: psd_le.
have -> : g *: B - Z o = (g - w o * qf (invmx B) (V o)) *: B +
  w o *: (qf (invmx B) (V o) *: B - V o *m (V o)^T).
  move: (B) (V o *m _) (qf _ _) (w o) => A W t y.
  by apply/matrixP => i j; rewrite !mxE; move: (A i j) (W i j) => *; ring.
apply: psdD; apply: psdZ => //; first by rewrite subr_ge0.
  exact: pd_psd.
exact: rank_one_dom.
Qed.
Lemma gaps_rank_hi o : psd (g *: P - Z o).
Proof. by apply: gaps_rank => //; rewrite addrC addKr; exact/pd_psd/pd_inv. Qed.
Lemma gaps_rank_low o : psd (g *: Q - Z o).
Proof. by apply: gaps_rank => //; rewrite addrK; exact/pd_psd/pd_inv. Qed.

(** e D <= Q. *)
Lemma gaps_low_ge : psd (Q - e *: D).
Proof.
have h : psd (\sum_o p o *: (g *: Q - Z o)).
  by apply: psd_sum => o _; apply: psdZ => //; exact: gaps_rank_low.
rewrite (eq_bigr (fun o => p o *: (g *: Q) - p o *: Z o)) in h;
  last by move=> o _; rewrite scalerBr.
rewrite sumrB gaps_update -scaler_suml p_sum scale1r in h.
have -> : Q - e *: D = g^-1 *: (g *: Q - (g * e) *: D).
  by rewrite scalerBr !scalerA mulVf ?gt_eqF // scale1r mulKf ?gt_eqF.
by apply: psdZ => //; rewrite invr_ge0 ltW.
Qed.

Local Notation du := (g / (1 - 2%:R * g) * e).
Local Notation dl := (g / (1 + 2%:R * g) * e).
Local Notation cl := (g / (1 + 2%:R * g)).
Local Notation Pt := (P + du *: D).
Local Notation Pi := (invmx Pt).
Local Notation Qt := (Q - dl *: D).
Local Notation Qi := (invmx Qt).

Lemma gaps_du : 0 <= du. Proof. by nn. Qed.
Lemma gaps_dl : 0 <= dl. Proof. by nn. Qed.
Lemma gaps_cl : 1 - cl = (1 + g) / (1 + 2%:R * g).
Proof. by field; rewrite gt_eqF. Qed.
Lemma gaps_cl_gt0 : 0 < 1 - cl. Proof. by rewrite gaps_cl; ps. Qed.

Lemma gaps_Pt : pd Pt.
Proof. by apply: pdD => //; apply: psdZ; [exact: gaps_du | exact: gaps_D_psd]. Qed.

Lemma gaps_shift : psd (Qt - (1 - cl) *: Q).
Proof.
have -> : Qt - (1 - cl) *: Q = cl *: (Q - e *: D).
  rewrite [RHS]scalerBr scalerA scalerBl scale1r opprB addrC addrA.
  by rewrite subrK.
by apply: psdZ; [nn | exact: gaps_low_ge].
Qed.

Lemma gaps_Qt : pd Qt.
Proof. by apply: pd_ge gaps_shift; apply: pdZ => //; exact: gaps_cl_gt0. Qed.

Lemma gaps_hi_pd o : pd (Pt - Z o).
Proof.
apply: (@pd_ge _ _ ((1 - g) *: P)); first exact: pdZ.
have -> : Pt - Z o - (1 - g) *: P = (g *: P - Z o) + du *: D.
  rewrite scalerBl scale1r; move: (P) (Z o) (du *: D) => A B C.
  apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
  by ring.
apply: psdD; first exact: gaps_rank_hi.
by apply: psdZ; [exact: gaps_du | exact: gaps_D_psd].
Qed.

Lemma gaps_low_pd o : pd (Qt + Z o).
Proof.
by apply: pdD; [exact: gaps_Qt | apply: psdZ => //; exact: psd_outer].
Qed.

Lemma gaps_mean_hi : psd (invmx P - \sum_o p o *: invmx (Pt - Z o)).
Proof.
have pPt := gaps_Pt.
have sPi : Pi^T = Pi by apply: inv_sym; case: pPt.
have each o : psd ((Pi + (1 - g)^-1 *: (Pi *m Z o *m Pi)) - invmx (Pt - Z o)).
  have wle : w o * qf Pi (V o) <= g.
    apply: rank_one_inv => //; first exact: ltW.
    rewrite scalerDr addrAC; apply: psdD; first exact: gaps_rank_hi.
    by apply: psdZ; [exact: ltW | apply: psdZ; [exact: gaps_du | exact: gaps_D_psd]].
  have w1 : 0 < 1 + - w o * qf Pi (V o).
    by rewrite mulNr subr_gt0; apply: le_lt_trans wle _; rewrite -subr_gt0.
  have -> : Pt - Z o = Pt + - w o *: (V o *m (V o)^T) by rewrite scaleNr.
  rewrite sherman_morrison ?(pd_unit pPt) ?gt_eqF //.
  set W := V o *m (V o)^T.
  have -> : Pi + (1 - g)^-1 *: (Pi *m (w o *: W) *m Pi) -
    (Pi - - w o / (1 + - w o * qf Pi (V o)) *: (Pi *m W *m Pi)) =
    (w o / (1 - g) - w o / (1 + - w o * qf Pi (V o))) *: (Pi *m W *m Pi).
    rewrite -scalemxAr -scalemxAl scalerA [(1 - g)^-1 * _]mulrC.
    by rewrite opprB addrC addrA subrK scalerBl mulNr scaleNr addrC.
  apply: psdZ; last by apply: psd_sym_conj => //; exact: psd_outer.
  rewrite subr_ge0 ler_wpmul2l // lef_pinv ?posrE //.
  by rewrite mulNr ler_add2l ler_oppr opprK.
have hs : psd (\sum_o p o *: ((Pi + (1 - g)^-1 *: (Pi *m Z o *m Pi))
    - invmx (Pt - Z o))).
  by apply: psd_sum => o _; apply: psdZ => //; exact: each.
have es : \sum_o p o *: ((Pi + (1 - g)^-1 *: (Pi *m Z o *m Pi))
    - invmx (Pt - Z o)) =
  (Pi + (g / (1 - g) * e) *: (Pi *m D *m Pi)) - \sum_o p o *: invmx (Pt - Z o).
  rewrite (eq_bigr (fun o => (p o *: Pi +
     (1 - g)^-1 *: (Pi *m (p o *: Z o) *m Pi)) - p o *: invmx (Pt - Z o))).
    rewrite sumrB big_split /= -scaler_suml p_sum scale1r.
    rewrite -scaler_sumr -mulmx_suml -mulmx_sumr gaps_update -scalemxAr.
    rewrite -scalemxAl scalerA.
    by have -> : (1 - g)^-1 * (g * e) = g / (1 - g) * e by rewrite mulrA [_^-1 * g]mulrC.
  move=> o _; rewrite scalerBr scalerDr; congr (_ + _ - _).
  by rewrite -!scalemxAr -!scalemxAl !scalerA; congr (_ *: _); ring.
rewrite es in hs; apply: psd_trans hs _.
have eP : P = Pt + - (du *: D) by rewrite addrK.
have uP : Pt + - (du *: D) \in unitmx by rewrite -eP pd_unit.
have := shift_matrix (pd_unit pPt) uP; rewrite -eP => ->.
have -> : Pi - Pi *m - (du *: D) *m Pi +
    Pi *m (- (du *: D) *m invmx P *m - (du *: D)) *m Pi -
    (Pi + g / (1 - g) * e *: (Pi *m D *m Pi)) =
  (du - g / (1 - g) * e) *: (Pi *m D *m Pi) +
    Pi *m ((du *: D) *m invmx P *m (du *: D)) *m Pi.
  have eN : Pi *m (du *: D) *m Pi = du *: (Pi *m D *m Pi).
    by rewrite -scalemxAr -scalemxAl.
  rewrite !(mulmxN, mulNmx, opprK) eN scalerBl.
  move: (Pi *m D *m Pi) (Pi *m (du *: D *m invmx P *m (du *: D)) *m Pi) => A B.
  by rewrite -(addrA Pi) opprD addrACA subrr add0r addrAC.
apply: psdD.
  apply: psdZ; last by apply: psd_sym_conj => //; exact: gaps_D_psd.
  rewrite subr_ge0 ler_wpmul2r // ler_wpmul2l ?(ltW g_gt0) //.
  rewrite lef_pinv ?posrE // ler_add2l ler_oppr opprK.
  by rewrite ler_pmull // ler1n.
apply: psd_sym_conj => //; apply: psd_sym_conj; last exact/pd_psd/pd_inv.
by rewrite linearZ /=; case: gaps_D_psd => ->.
Qed.

Lemma gaps_mean_low : psd (invmx Q - \sum_o p o *: invmx (Qt + Z o)).
Proof.
have pQt := gaps_Qt; have c1 := gaps_cl_gt0.
have sQi : Qi^T = Qi by apply: inv_sym; case: pQt.
have each o : psd ((Qi - (1 + 2%:R * g)^-1 *: (Qi *m Z o *m Qi)) - invmx (Qt + Z o)).
  have q0 : 0 <= qf Qi (V o) by exact/(proj2 (pd_psd (pd_inv pQt))).
  have wle : w o * qf Qi (V o) <= g / (1 - cl).
    apply: rank_one_inv => //; first by move: c1; move: (1 - cl) => *; nn.
    apply: psd_trans (gaps_rank_low o) _.
    have -> : g / (1 - cl) *: Qt - g *: Q = (g / (1 - cl)) *: (Qt - (1 - cl) *: Q).
      by rewrite [RHS]scalerBr scalerA divfK // gt_eqF.
    apply: psdZ; last exact: gaps_shift.
    by move: c1; move: (1 - cl) => *; nn.
  have {}wle : w o * qf Qi (V o) <= 2%:R * g.
    apply: le_trans wle _; rewrite gaps_cl invf_div mulrA ler_pdivr_mulr //.
    by refine (@le_diff _ _ _ g _ _); [ring | exact: ltW].
  have w1 : 0 < 1 + w o * qf Qi (V o).
    by apply: ltr_spaddl; [exact: ltr01 | exact: mulr_ge0].
  rewrite sherman_morrison ?(pd_unit pQt) ?gt_eqF //.
  set W := V o *m (V o)^T.
  have -> : Qi - (1 + 2%:R * g)^-1 *: (Qi *m (w o *: W) *m Qi) -
    (Qi - w o / (1 + w o * qf Qi (V o)) *: (Qi *m W *m Qi)) =
    (w o / (1 + w o * qf Qi (V o)) - w o / (1 + 2%:R * g)) *: (Qi *m W *m Qi).
    rewrite -scalemxAr -scalemxAl scalerA [(1 + 2%:R * g)^-1 * _]mulrC.
    by rewrite opprB addrC addrA subrK scalerBl.
  apply: psdZ; last by apply: psd_sym_conj => //; exact: psd_outer.
  rewrite subr_ge0 ler_wpmul2l // lef_pinv ?posrE //.
  by rewrite ler_add2l.
have hs : psd (\sum_o p o *: ((Qi - (1 + 2%:R * g)^-1 *: (Qi *m Z o *m Qi))
    - invmx (Qt + Z o))).
  by apply: psd_sum => o _; apply: psdZ => //; exact: each.
have es : \sum_o p o *: ((Qi - (1 + 2%:R * g)^-1 *: (Qi *m Z o *m Qi))
    - invmx (Qt + Z o)) =
  (Qi - Qi *m (dl *: D) *m Qi) - \sum_o p o *: invmx (Qt + Z o).
  rewrite (eq_bigr (fun o => (p o *: Qi - (1 + 2%:R * g)^-1 *:
     (Qi *m (p o *: Z o) *m Qi)) - p o *: invmx (Qt + Z o))).
    rewrite sumrB sumrB -scaler_suml p_sum scale1r.
    rewrite -scaler_sumr -mulmx_suml -mulmx_sumr gaps_update -!scalemxAr.
    rewrite -!scalemxAl scalerA.
    by have -> : (1 + 2%:R * g)^-1 * (g * e) = dl by rewrite mulrA [_^-1 * g]mulrC.
  move=> o _; rewrite !scalerBr; congr (_ - _ - _).
  by rewrite -!scalemxAr -!scalemxAl !scalerA; congr (_ *: _); ring.
rewrite es in hs; apply: psd_trans hs _.
have eQ : Q = Qt + dl *: D by rewrite subrK.
have uQ : Qt + dl *: D \in unitmx by rewrite -eQ pd_unit.
have := shift_matrix (pd_unit pQt) uQ; rewrite -eQ => ->.
rewrite addrC addKr; apply: psd_sym_conj => //; apply: psd_sym_conj.
  by rewrite linearZ /=; case: gaps_D_psd => ->.
exact/pd_psd/pd_inv.
Qed.

Lemma gaps_mean : psd (E - \sum_o p o *: (invmx (Pt - Z o) + invmx (Qt + Z o))).
Proof.
rewrite (eq_bigr (fun o => p o *: invmx (Pt - Z o) + p o *: invmx (Qt + Z o)));
  last by move=> o _; rewrite -scalerDr.
rewrite big_split /= opprD addrACA.
by apply: psdD; [exact: gaps_mean_hi | exact: gaps_mean_low].
Qed.

Lemma gaps_mean_tr M : psd M ->
  \sum_o p o * \tr (M *m (invmx (Pt - Z o) + invmx (Qt + Z o))) <= \tr (M *m E).
Proof.
move=> pM; have := tr_mono pM gaps_mean.
rewrite mulmx_sumr raddf_sum /=.
by under eq_bigr do rewrite -scalemxAr mxtraceZ.
Qed.

End Gaps.
