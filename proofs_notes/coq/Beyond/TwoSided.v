(** The paper's method with X2 kept: one step with a target D, an instance of
    Gaps.v.

      ts_pr_sum, ts_pw == the law, and that it is unbiased
      ts_next_pd    == both gaps stay positive definite
      ts_mean       == E[bracket after a step] <= bracket
      ts_brk_ge     == bracket >= (g/R)/(1 + delta r), if D <= delta *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Regression.
From Asura Require Import SpecBeyond Beyond.Move Beyond.Chain.
From Asura Require Import Beyond.Policy Beyond.Gaps.
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
Hypothesis rk_gt0 : 0 < rk.

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

Lemma ts_vecE : pol_target V = D.
Proof. exact: ts_targetE. Qed.

Lemma ts_wt_le x : wt s x * qf E (V x) <= g.
Proof.
rewrite /ts_wt; have [->|n] := eqVneq (qf E (V x)) 0; first by rewrite mulr0 ltW.
by rewrite divfK.
Qed.

Local Notation e := (F^-1).
Lemma ts_pw x : V x != 0 -> pr s x * wt s x = g * e.
Proof. exact: ts_pr_wt. Qed.
Lemma ts_e0 : 0 <= e. Proof. by rewrite invr_ge0 ltW // ts_pot_gt0. Qed.

Lemma ts_hi_next x : hi (next s x) =
  P + (g / (1 - 2%:R * g) * e) *: pol_target V - Z x.
Proof.
rewrite ts_vecE /ts_hi /ts_next /=; move: (Z x) (s.1) (D) => A B C.
apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
by ring.
Qed.
Lemma ts_low_next x : low (next s x) =
  Q - (g / (1 + 2%:R * g) * e) *: pol_target V + Z x.
Proof.
rewrite ts_vecE /ts_low /ts_next /=; move: (Z x) (s.1) (D) => A B C.
apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
by ring.
Qed.

Lemma ts_next_pd x : pd (hi (next s x)) /\ pd (low (next s x)).
Proof.
rewrite ts_hi_next ts_low_next; split.
  exact: (gaps_hi_pd g_gt0 g_lt pP pQ ts_wt_ge0 ts_wt_le ts_e0).
exact: (gaps_low_pd g_gt0 pP pQ ts_pr_ge0 ts_pr_sum ts_wt_ge0 ts_wt_le ts_pw).
Qed.

(* slug: two-sided *)
Lemma ts_mean : psd (E - \sum_x pr s x *: brk (next s x)).
Proof.
under eq_bigr do rewrite /ts_brk ts_hi_next ts_low_next.
exact: (gaps_mean g_gt0 g_lt pP pQ ts_pr_ge0 ts_pr_sum ts_wt_ge0 ts_wt_le ts_pw
  ts_e0).
Qed.

Lemma ts_mean_tr M : psd M ->
  \sum_x pr s x * \tr (M *m brk (next s x)) <= \tr (M *m E).
Proof.
move=> pM; have := tr_mono pM ts_mean.
rewrite mulmx_sumr raddf_sum /=.
by under eq_bigr do rewrite -scalemxAr mxtraceZ.
Qed.

(** P + Q = (4R/g)(I + r D), so the bracket is at least (g/R)/(1 + delta r). *)
Section Norm.
Variable delta : R.
Hypothesis delta_ge0 : 0 <= delta.
Hypothesis D_delta : psd (delta%:M - D).
Hypothesis s_ge0 : 0 <= s.2.
Local Notation r := (g ^+ 3 * s.2 / (kap * rk)).
Let g2 : 0 < 1 - 2%:R * g := g2_gt0 g_lt.
Let p2 : 0 < 1 + 2%:R * g := p2_gt0 g_gt0.
Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.

Lemma ts_r0 : 0 <= r.
Proof. by move: k0; move: (kap) => *; nn. Qed.

Lemma ts_two_gaps : psd ((4%:R * rk / g * (1 + delta * r))%:M - (P + Q)).
Proof.
have -> : (4%:R * rk / g * (1 + delta * r))%:M - (P + Q) =
  (4%:R * rk / g * r) *: (delta%:M - D).
  rewrite /ts_hi /ts_low; move: (s.1) (s.2) (D) => A t C.
  apply/matrixP => i j; rewrite !mxE; move: (A i j) (C i j) => a c.
  have kE : kap = (1 - 2%:R * g) * (1 + 2%:R * g) by ring.
  by rewrite kE; case: (i == j) => /=; field; rewrite !gt_eqF.
by apply: psdZ => //; have r0 := ts_r0; move: r0; move: r => *; nn.
Qed.

Lemma ts_brk_ge : psd (E - (g / (rk * (1 + delta * r)))%:M).
Proof.
have r1 : 0 < 1 + delta * r by have r0 := ts_r0; move: r0; move: r => *; ps.
pose t := 4%:R * rk / g * (1 + delta * r).
have t0 : 0 < t by rewrite /t; move: r1; move: (1 + _) => *; ps.
pose c := 2%:R / t.
have -> : E - (g / (rk * (1 + delta * r)))%:M =
   (invmx P - (2%:R * c *: 1%:M - c ^+ 2 *: P)) +
   (invmx Q - (2%:R * c *: 1%:M - c ^+ 2 *: Q)) +
   c ^+ 2 *: (t%:M - (P + Q)).
  have -> : g / (rk * (1 + delta * r)) = 4%:R / t.
    by rewrite /t; move: r1; move: (1 + _) => *; field; rewrite !gt_eqF.
  rewrite /ts_brk /c; move: (invmx P) (invmx Q) (P) (Q).
  move: t t0 {c} => t t0 A B C K; apply/matrixP => i j; rewrite !mxE.
  move: (A i j) (B i j) (C i j) (K i j) => *.
  by case: (i == j) => /=; field; rewrite gt_eqF.
apply: psdD; first by apply: psdD; exact: tangent.
by apply: psdZ; [exact: sqr_ge0 | exact: ts_two_gaps].
Qed.

End Norm.
End At.
End Algorithm.
