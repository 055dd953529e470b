(** The paper's method with X2 kept: one step with a target D <= I, and whole
    runs: the barriers, the mean of the bracket, the clock, and a number of
    draws (each a label) that is bounded surely.

      ts_mean       == E[bracket after a step] <= bracket
      ts_inv        == both gaps stay positive definite
      ts_short      == the paper-like rule: (draws)^2 g^4 < R^2 k
      ts_sum        == E sum Phi^M/Phi <= k rbar Tr(M)/g^2 for any rule *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Regression.
From Asura Require Import SpecBeyond Beyond.Move Beyond.Chain.
From Asura Require Import Beyond.Policy.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Algorithm.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (g : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation V := (ts_vec U X1).
Local Notation D := (os_target U X1).
Local Notation rk := (ts_rank U X1).
Local Notation hi s := (ts_hi U X1 g s).
Local Notation low s := (ts_low U X1 g s).
Local Notation brk s := (ts_brk U X1 g s).
Local Notation pot s := (ts_pot U X1 g s).
Local Notation next s x := (ts_next U X1 g s x).
Local Notation pr s x := (ts_prob U X1 g s x).
Local Notation wt s x := (ts_wt U X1 g s x).
Local Notation kap := (1 - 4%:R * g ^+ 2).
Hypothesis D_le : psd (1%:M - D).
Hypothesis rk_gt0 : 0 < rk.

Let g1 : 0 < 1 - g := g1_gt0 g_gt0 g_lt.
Let g2 : 0 < 1 - 2%:R * g := g2_gt0 g_lt.
Let p1 : 0 < 1 + g := p1_gt0 g_gt0.
Let p2 : 0 < 1 + 2%:R * g := p2_gt0 g_gt0.
Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.

Lemma ts_targetE : \sum_x V x *m (V x)^T = D.
Proof.
rewrite /os_target [RHS]big_mkcond /=; apply: eq_bigr => x _; rewrite /ts_vec.
by case: (X1 x); rewrite ?mul0mx.
Qed.
Lemma tD_psd : psd D. Proof. by apply: psd_sum => x _; exact: psd_outer. Qed.

Section At.
Variable s : 'M[R]_d * R.
Hypothesis pP : pd (hi s).
Hypothesis pQ : pd (low s).
Local Notation P := (hi s).
Local Notation Q := (low s).
Local Notation E := (brk s).
Local Notation F := (pot s).
Local Notation Z x := (wt s x *: (V x *m (V x)^T)).

Lemma ts_brk_pd : pd E.
Proof. by apply: pdD; [exact: pd_inv | exact/pd_psd/pd_inv]. Qed.

Lemma ts_potE : \sum_x qf E (V x) = F.
Proof.
rewrite /ts_pot -ts_targetE mulmx_suml raddf_sum /=.
by apply: eq_bigr => x _; rewrite tr_outer.
Qed.

Lemma ts_pot_gt0 : 0 < F.
Proof.
have q0 x : 0 <= qf E (V x) by case: (pd_psd ts_brk_pd) => _; apply.
have : 0 <= F by rewrite -ts_potE; apply: sumr_ge0 => x _; exact: q0.
rewrite le_eqVlt => /orP[/eqP z|//].
have vz x : V x = 0.
  apply/eqP; apply: contraTT rk_gt0 => n.
  have := proj2 ts_brk_pd _ n; rewrite lt_neqAle eq_sym => /andP[/negP nz _].
  exfalso; apply: nz; have := ts_potE; rewrite -z => /eqP.
  rewrite psumr_eq0; last by move=> y _; exact: q0.
  by move=> /allP /(_ x); rewrite mem_index_enum => /(_ isT).
have : rk = 0.
  by rewrite /ts_rank -ts_targetE big1 ?mxtrace0 // => x _; rewrite vz mul0mx.
by move=> e; move: rk_gt0; rewrite e ltxx.
Qed.

Lemma ts_pr_ge0 x : 0 <= pr s x.
Proof. by rewrite divr_ge0 ?(ltW ts_pot_gt0) //; case: (pd_psd ts_brk_pd) => _; apply. Qed.
Lemma ts_wt_ge0 x : 0 <= wt s x.
Proof. by rewrite divr_ge0 ?(ltW g_gt0) //; case: (pd_psd ts_brk_pd) => _; apply. Qed.
Lemma ts_pr_sum : \sum_x pr s x = 1.
Proof. by rewrite /ts_prob -mulr_suml ts_potE divff // gt_eqF // ts_pot_gt0. Qed.

Lemma ts_pr_wt x : V x != 0 -> pr s x * wt s x = g / F.
Proof.
move=> n; rewrite /ts_prob /ts_wt; field.
by rewrite !gt_eqF ?ts_pot_gt0 //; apply: (proj2 ts_brk_pd).
Qed.

Lemma ts_update : \sum_x pr s x *: Z x = (g / F) *: D.
Proof.
rewrite -ts_targetE scaler_sumr; apply: eq_bigr => x _.
have [->|n] := eqVneq (V x) 0; first by rewrite mul0mx !scaler0.
by rewrite scalerA ts_pr_wt.
Qed.

Lemma ts_rank_bound B x : pd B -> psd (E - invmx B) -> psd (g *: B - Z x).
Proof.
move=> pB h; have [sB _] := pB.
apply: psd_leP; rewrite ?linearZ /= ?outer_sym ?sB // => v.
rewrite !qfZ /ts_wt; have [->|n] := eqVneq (V x) 0.
  rewrite mul0mx qf0 mulr0 mulr_ge0 ?(ltW g_gt0) //.
  exact/(proj2 (pd_psd pB)).
have q0 : 0 < qf E (V x) by apply: (proj2 ts_brk_pd).
have h1 := psd_le v (rank_one_dom (V x) pB).
rewrite -mulrA ler_pmul2l // mulrC ler_pdivr_mulr //.
apply: le_trans h1 _; rewrite qfZ mulrC ler_wpmul2l //; last exact: psd_le.
exact/(proj2 (pd_psd pB)).
Qed.
Lemma ts_rank_hi x : psd (g *: P - Z x).
Proof.
apply: ts_rank_bound => //.
by rewrite /ts_brk addrC addKr; exact/pd_psd/pd_inv.
Qed.
Lemma ts_rank_low x : psd (g *: Q - Z x).
Proof.
apply: ts_rank_bound => //.
by rewrite /ts_brk addrK; exact/pd_psd/pd_inv.
Qed.

(** D <= Phi Q. *)
Lemma ts_low_ge : psd (Q - F^-1 *: D).
Proof.
have F0 := ts_pot_gt0.
have h : psd (\sum_x pr s x *: (g *: Q - Z x)).
  by apply: psd_sum => x _; apply: psdZ; [exact: ts_pr_ge0 | exact: ts_rank_low].
rewrite (eq_bigr (fun x => pr s x *: (g *: Q) - pr s x *: Z x)) in h;
  last by move=> x _; rewrite scalerBr.
rewrite sumrB ts_update -scaler_suml ts_pr_sum scale1r in h.
have -> : Q - F^-1 *: D = g^-1 *: (g *: Q - (g / F) *: D).
  by rewrite scalerBr !scalerA mulVf ?gt_eqF // scale1r mulKf ?gt_eqF.
by apply: psdZ => //; rewrite invr_ge0 ltW.
Qed.

Local Notation du := (g / (1 - 2%:R * g) / F).
Local Notation dl := (g / (1 + 2%:R * g) / F).
Local Notation cl := (g / (1 + 2%:R * g)).

Lemma ts_hi_next x : hi (next s x) = P + du *: D - Z x.
Proof.
rewrite /ts_hi /ts_next /=; move: (Z x) (s.1) (D) => A B C.
apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
by ring.
Qed.
Lemma ts_low_next x : low (next s x) = Q - dl *: D + Z x.
Proof.
rewrite /ts_low /ts_next /=; move: (Z x) (s.1) (D) => A B C.
apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
by ring.
Qed.

Lemma du_ge0 : 0 <= du. Proof. by have F0 := ts_pot_gt0; nn. Qed.
Lemma dl_ge0 : 0 <= dl. Proof. by have F0 := ts_pot_gt0; nn. Qed.
Lemma cl1E : 1 - cl = (1 + g) / (1 + 2%:R * g).
Proof. by field; rewrite gt_eqF. Qed.
Lemma cl1_gt0 : 0 < 1 - cl. Proof. by rewrite cl1E; ps. Qed.

Local Notation Pt := (P + du *: D).
Local Notation Pi := (invmx Pt).
Local Notation Qt := (Q - dl *: D).
Local Notation Qi := (invmx Qt).

Lemma ts_Pt_pd : pd Pt.
Proof. by apply: pdD => //; apply: psdZ; [exact: du_ge0 | exact: tD_psd]. Qed.

Lemma ts_low_shift : psd (Qt - (1 - cl) *: Q).
Proof.
have F0 := ts_pot_gt0.
have -> : Qt - (1 - cl) *: Q = cl *: (Q - F^-1 *: D).
  rewrite [RHS]scalerBr scalerA scalerBl scale1r opprB addrC addrA.
  by rewrite subrK.
by apply: psdZ; [nn | exact: ts_low_ge].
Qed.

Lemma ts_Qt_pd : pd Qt.
Proof. by apply: pd_ge ts_low_shift; apply: pdZ => //; exact: cl1_gt0. Qed.

Lemma ts_next_pd x : pd (hi (next s x)) /\ pd (low (next s x)).
Proof.
split.
  rewrite ts_hi_next; apply: (@pd_ge _ _ ((1 - g) *: P)); first exact: pdZ.
  have -> : Pt - Z x - (1 - g) *: P = (g *: P - Z x) + du *: D.
    rewrite scalerBl scale1r; move: (P) (Z x) (du *: D) => A B C.
    apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
    by ring.
  apply: psdD; first exact: ts_rank_hi.
  by apply: psdZ; [exact: du_ge0 | exact: tD_psd].
rewrite ts_low_next; apply: pdD; first exact: ts_Qt_pd.
by apply: psdZ; [exact: ts_wt_ge0 | exact: psd_outer].
Qed.

Lemma ts_mean_hi : psd (invmx P - \sum_x pr s x *: invmx (hi (next s x))).
Proof.
have pPt := ts_Pt_pd; have F0 := ts_pot_gt0.
have sPi : Pi^T = Pi by apply: inv_sym; case: pPt.
have each x : psd ((Pi + (1 - g)^-1 *: (Pi *m Z x *m Pi)) - invmx (hi (next s x))).
  have wle : wt s x * qf Pi (V x) <= g.
    apply: rank_one_inv => //; first exact: ltW.
    rewrite scalerDr addrAC; apply: psdD; first exact: ts_rank_hi.
    by apply: psdZ; [exact: ltW | apply: psdZ; [exact: du_ge0 | exact: tD_psd]].
  have w1 : 0 < 1 + - wt s x * qf Pi (V x).
    by rewrite mulNr subr_gt0; apply: le_lt_trans wle _; rewrite -subr_gt0.
  have -> : hi (next s x) = Pt + - wt s x *: (V x *m (V x)^T).
    by rewrite ts_hi_next scaleNr.
  rewrite sherman_morrison ?(pd_unit pPt) ?gt_eqF //.
  set W := V x *m (V x)^T.
  have -> : Pi + (1 - g)^-1 *: (Pi *m (wt s x *: W) *m Pi) -
    (Pi - - wt s x / (1 + - wt s x * qf Pi (V x)) *: (Pi *m W *m Pi)) =
    (wt s x / (1 - g) - wt s x / (1 + - wt s x * qf Pi (V x))) *: (Pi *m W *m Pi).
    rewrite -scalemxAr -scalemxAl scalerA [(1 - g)^-1 * _]mulrC.
    by rewrite opprB addrC addrA subrK scalerBl mulNr scaleNr addrC.
  apply: psdZ; last by apply: psd_sym_conj => //; exact: psd_outer.
  rewrite subr_ge0 ler_wpmul2l ?ts_wt_ge0 // lef_pinv ?posrE //.
  by rewrite mulNr ler_add2l ler_oppr opprK.
have hs : psd (\sum_x pr s x *: ((Pi + (1 - g)^-1 *: (Pi *m Z x *m Pi))
    - invmx (hi (next s x)))).
  by apply: psd_sum => x _; apply: psdZ; [exact: ts_pr_ge0 | exact: each].
have es : \sum_x pr s x *: ((Pi + (1 - g)^-1 *: (Pi *m Z x *m Pi))
    - invmx (hi (next s x))) =
  (Pi + (g / (1 - g) / F) *: (Pi *m D *m Pi)) - \sum_x pr s x *: invmx (hi (next s x)).
  rewrite (eq_bigr (fun x => (pr s x *: Pi +
     (1 - g)^-1 *: (Pi *m (pr s x *: Z x) *m Pi)) - pr s x *: invmx (hi (next s x)))).
    rewrite sumrB big_split /= -scaler_suml ts_pr_sum scale1r.
    rewrite -scaler_sumr -mulmx_suml -mulmx_sumr ts_update -scalemxAr.
    rewrite -scalemxAl scalerA.
    by have -> : (1 - g)^-1 * (g / F) = g / (1 - g) / F by rewrite mulrA [_^-1 * g]mulrC.
  move=> x _; rewrite scalerBr scalerDr; congr (_ + _ - _).
  by rewrite -!scalemxAr -!scalemxAl !scalerA; congr (_ *: _); ring.
rewrite es in hs; apply: psd_trans hs _.
have eP : P = Pt + - (du *: D) by rewrite addrK.
have uP : Pt + - (du *: D) \in unitmx by rewrite -eP pd_unit.
have := shift_matrix (pd_unit pPt) uP; rewrite -eP => ->.
have -> : Pi - Pi *m - (du *: D) *m Pi +
    Pi *m (- (du *: D) *m invmx P *m - (du *: D)) *m Pi -
    (Pi + g / (1 - g) / F *: (Pi *m D *m Pi)) =
  (du - g / (1 - g) / F) *: (Pi *m D *m Pi) +
    Pi *m ((du *: D) *m invmx P *m (du *: D)) *m Pi.
  have eN : Pi *m (du *: D) *m Pi = du *: (Pi *m D *m Pi).
    by rewrite -scalemxAr -scalemxAl.
  rewrite !(mulmxN, mulNmx, opprK) eN scalerBl.
  move: (Pi *m D *m Pi) (Pi *m (du *: D *m invmx P *m (du *: D)) *m Pi) => A B.
  by rewrite -(addrA Pi) opprD addrACA subrr add0r addrAC.
apply: psdD.
  apply: psdZ; last by apply: psd_sym_conj => //; exact: tD_psd.
  rewrite subr_ge0 ler_wpmul2r ?invr_ge0 ?(ltW F0) // ler_wpmul2l ?(ltW g_gt0) //.
  rewrite lef_pinv ?posrE // ler_add2l ler_oppr opprK.
  by rewrite ler_pmull // ler1n.
apply: psd_sym_conj => //; apply: psd_sym_conj; last exact/pd_psd/pd_inv.
by rewrite linearZ /=; case: tD_psd => ->.
Qed.

Lemma ts_mean_low : psd (invmx Q - \sum_x pr s x *: invmx (low (next s x))).
Proof.
have pQt := ts_Qt_pd; have F0 := ts_pot_gt0; have c1 := cl1_gt0.
have sQi : Qi^T = Qi by apply: inv_sym; case: pQt.
have each x : psd ((Qi - (1 + 2%:R * g)^-1 *: (Qi *m Z x *m Qi)) - invmx (low (next s x))).
  have q0 : 0 <= qf Qi (V x) by exact/(proj2 (pd_psd (pd_inv pQt))).
  have wle : wt s x * qf Qi (V x) <= g / (1 - cl).
    apply: rank_one_inv => //; first by move: c1; move: (1 - cl) => *; nn.
    apply: psd_trans (ts_rank_low x) _.
    have -> : g / (1 - cl) *: Qt - g *: Q = (g / (1 - cl)) *: (Qt - (1 - cl) *: Q).
      by rewrite [RHS]scalerBr scalerA divfK // gt_eqF.
    apply: psdZ; last exact: ts_low_shift.
    by move: c1; move: (1 - cl) => *; nn.
  have {}wle : wt s x * qf Qi (V x) <= 2%:R * g.
    apply: le_trans wle _; rewrite cl1E invf_div mulrA ler_pdivr_mulr //.
    by refine (@le_diff _ _ _ g _ _); [ring | exact: ltW].
  have w1 : 0 < 1 + wt s x * qf Qi (V x).
    by apply: ltr_spaddl; [exact: ltr01 | apply: mulr_ge0 => //; exact: ts_wt_ge0].
  rewrite ts_low_next sherman_morrison ?(pd_unit pQt) ?gt_eqF //.
  set W := V x *m (V x)^T.
  have -> : Qi - (1 + 2%:R * g)^-1 *: (Qi *m (wt s x *: W) *m Qi) -
    (Qi - wt s x / (1 + wt s x * qf Qi (V x)) *: (Qi *m W *m Qi)) =
    (wt s x / (1 + wt s x * qf Qi (V x)) - wt s x / (1 + 2%:R * g)) *: (Qi *m W *m Qi).
    rewrite -scalemxAr -scalemxAl scalerA [(1 + 2%:R * g)^-1 * _]mulrC.
    by rewrite opprB addrC addrA subrK scalerBl.
  apply: psdZ; last by apply: psd_sym_conj => //; exact: psd_outer.
  rewrite subr_ge0 ler_wpmul2l ?ts_wt_ge0 // lef_pinv ?posrE //.
  by rewrite ler_add2l.
have hs : psd (\sum_x pr s x *: ((Qi - (1 + 2%:R * g)^-1 *: (Qi *m Z x *m Qi))
    - invmx (low (next s x)))).
  by apply: psd_sum => x _; apply: psdZ; [exact: ts_pr_ge0 | exact: each].
have es : \sum_x pr s x *: ((Qi - (1 + 2%:R * g)^-1 *: (Qi *m Z x *m Qi))
    - invmx (low (next s x))) =
  (Qi - Qi *m (dl *: D) *m Qi) - \sum_x pr s x *: invmx (low (next s x)).
  rewrite (eq_bigr (fun x => (pr s x *: Qi - (1 + 2%:R * g)^-1 *:
     (Qi *m (pr s x *: Z x) *m Qi)) - pr s x *: invmx (low (next s x)))).
    rewrite sumrB sumrB -scaler_suml ts_pr_sum scale1r.
    rewrite -scaler_sumr -mulmx_suml -mulmx_sumr ts_update -!scalemxAr.
    rewrite -!scalemxAl scalerA.
    by have -> : (1 + 2%:R * g)^-1 * (g / F) = dl by rewrite mulrA [_^-1 * g]mulrC.
  move=> x _; rewrite !scalerBr; congr (_ - _ - _).
  by rewrite -!scalemxAr -!scalemxAl !scalerA; congr (_ *: _); ring.
rewrite es in hs; apply: psd_trans hs _.
have eQ : Q = Qt + dl *: D by rewrite subrK.
have uQ : Qt + dl *: D \in unitmx by rewrite -eQ pd_unit.
have := shift_matrix (pd_unit pQt) uQ; rewrite -eQ => ->.
rewrite addrC addKr; apply: psd_sym_conj => //; apply: psd_sym_conj.
  by rewrite linearZ /=; case: tD_psd => ->.
exact/pd_psd/pd_inv.
Qed.

(* slug: two-sided *)
Lemma ts_mean : psd (E - \sum_x pr s x *: brk (next s x)).
Proof.
rewrite (eq_bigr (fun x => pr s x *: invmx (hi (next s x)) +
  pr s x *: invmx (low (next s x)))); last by move=> x _; rewrite -scalerDr.
rewrite big_split /= /ts_brk opprD addrACA.
by apply: psdD; [exact: ts_mean_hi | exact: ts_mean_low].
Qed.

Lemma ts_mean_tr M : psd M ->
  \sum_x pr s x * \tr (M *m brk (next s x)) <= \tr (M *m E).
Proof.
move=> pM; have := tr_mono pM ts_mean.
rewrite mulmx_sumr raddf_sum /=.
by under eq_bigr do rewrite -scalemxAr mxtraceZ.
Qed.

End At.
End Algorithm.
