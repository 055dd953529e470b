(** One-sided sampling under any policy: the gap stays positive definite, its
    inverse does not grow in the mean, the clock, and the second moment of
    the noise.

      policy_pd     == the gap is positive definite after every run
      policy_mean   == E[Q'^-1] <= Q^-1
      policy_clock  == E sum ds Tr(M Q^-1) <= S Tr(M)/c
      policy_noise  == E|v|^2 <= eta (S c + nu delta S^2/2) sum of e^2
      policy_order  == at sigma = S: A >= (1-nu) S D - c I *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression.
From Asura Require Import SpecBeyond Beyond.Move Beyond.Chain.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** The shift of an inverse by a matrix: convexity as an identity. *)
Lemma shift_matrix (R : realFieldType) (d : nat) (B N : 'M[R]_d) :
  B \in unitmx -> B + N \in unitmx ->
  invmx (B + N) = invmx B - invmx B *m N *m invmx B +
    invmx B *m (N *m invmx (B + N) *m N) *m invmx B.
Proof.
move=> uB uC; set C := B + N in uC *.
have h1 : invmx C = invmx B - invmx B *m N *m invmx C.
  rewrite -[LHS](mulKmx uB) [X in _ *m (X *m _)](_ : B = C - N).
    by rewrite mulmxBl mulmxV // mulmxBr mulmx1 !mulmxA.
  by rewrite /C addrK.
have h2 : invmx C = invmx B - invmx C *m N *m invmx B.
  rewrite -[LHS](mulmxK uB) [X in _ *m X *m _](_ : B = C - N).
    by rewrite mulmxBr mulVmx // mulmxBl mul1mx.
  by rewrite /C addrK.
rewrite {1}h1 {1}h2 mulmxBr opprB addrA addrAC -!mulmxA.
by [].
Qed.

Section Policy.
Variables (R : realFieldType) (d : nat) (O : finType) (V : O -> 'cV[R]_d).
Variables (nu eta c S : R) (p w : seq O -> O -> R) (ds : seq O -> R).
Hypothesis nu_gt0 : 0 < nu.
Hypothesis nu_lt1 : nu < 1.
Hypothesis eta_gt0 : 0 < eta.
Hypothesis eta_le : eta * (1 - nu ^+ 2) <= nu.
Hypothesis c_gt0 : 0 < c.
Hypothesis S_gt0 : 0 < S.

Local Notation D := (pol_target V).
Local Notation acc := (pol_acc V w).
Local Notation sig := (pol_sig ds).
Local Notation Q := (pol_gap V nu c w ds).
Local Notation stop := (pol_stop S ds).
Local Notation ok h := (valid_at V nu eta c S p w ds h).
Local Notation q := (1 - nu).
Hypothesis valid : forall h, reach stop h -> pd (Q h) -> ~~ stop h -> ok h.

Let q_gt0 : 0 < q. Proof. by rewrite subr_gt0. Qed.

Lemma D_psd : psd D.
Proof. by apply: psd_sum => o _; exact: psd_outer. Qed.

Lemma qeta : q * eta < 1.
Proof.
have n1 : 0 < 1 + nu by ps.
rewrite -(ltr_pmul2r n1) mul1r; apply: (@le_lt_trans _ _ nu).
  by have -> : q * eta * (1 + nu) = eta * (1 - nu ^+ 2) by ring.
by rewrite ltr_addr ltr01.
Qed.
Lemma qeta_gt0 : 0 < 1 - q * eta. Proof. by rewrite subr_gt0 qeta. Qed.

Lemma gap_cons o h : Q (o :: h) =
  (Q h - (q * ds h) *: D) + w h o *: (V o *m (V o)^T).
Proof.
rewrite /pol_gap /pol_acc /pol_sig /= -/(acc h) -/(sig h).
move: (acc h) (sig h) (ds h) (D) (w h o *: _) => A s e T Z.
by apply/matrixP => i j; rewrite !mxE; move: (A i j) (T i j) (Z i j) => *; ring.
Qed.

Section At.
Variable h : seq O.
Hypothesis pQ : pd (Q h).
Hypothesis okh : ok h.
Local Notation B := (Q h).
Local Notation Z o := (w h o *: (V o *m (V o)^T)).
Local Notation e := (ds h).

Let p0 o : 0 <= p h o. Proof. by case: okh. Qed.
Let p1 : \sum_o p h o = 1. Proof. by case: okh. Qed.
Let w0 o : 0 <= w h o. Proof. by case: okh => _ _ /(_ o) []. Qed.
Let w1 o : w h o * qf (invmx B) (V o) <= eta. Proof. by case: okh => _ _ /(_ o) []. Qed.
Let e0 : 0 <= e. Proof. by case: okh => _ _ _ _ []. Qed.

Lemma pol_pw o : p h o *: Z o = e *: (V o *m (V o)^T).
Proof.
have [->|n] := eqVneq (V o) 0; first by rewrite mul0mx !scaler0.
by case: okh => _ _ _ /(_ o n) pw _; rewrite scalerA pw.
Qed.

Lemma pol_mean : \sum_o p h o *: Z o = e *: D.
Proof. by rewrite /pol_target scaler_sumr; apply: eq_bigr => o _; exact: pol_pw. Qed.

Lemma pol_rank o : psd (eta *: B - Z o).
Proof.
have -> : eta *: B - Z o = (eta - w h o * qf (invmx B) (V o)) *: B +
  w h o *: (qf (invmx B) (V o) *: B - V o *m (V o)^T).
  move: (B) (V o *m _) (qf _ _) (w h o) => A W t y.
  by apply/matrixP => i j; rewrite !mxE; move: (A i j) (W i j) => *; ring.
apply: psdD; apply: psdZ => //; first by rewrite subr_ge0.
  exact: pd_psd.
exact: rank_one_dom.
Qed.

(** ds D <= eta Q. *)
Lemma pol_step_le : psd (eta *: B - e *: D).
Proof.
rewrite -pol_mean -[eta *: B]scale1r -p1 scaler_suml -sumrB; apply: psd_sum => o _.
by rewrite -scalerBr; apply: psdZ => //; exact: pol_rank.
Qed.

Local Notation Bt := (B - (q * e) *: D).
Local Notation Bi := (invmx Bt).

Lemma pol_shift : psd (Bt - (1 - q * eta) *: B).
Proof.
have -> : Bt - (1 - q * eta) *: B = q *: (eta *: B - e *: D).
  move: (B) (D) => A T; apply/matrixP => i j; rewrite !mxE.
  by move: (A i j) (T i j) => *; ring.
by apply: psdZ; [exact: ltW | exact: pol_step_le].
Qed.

Lemma pol_shift_pd : pd Bt.
Proof. by apply: pd_ge pol_shift; apply: pdZ => //; exact: qeta_gt0. Qed.

Lemma pol_next_pd o : pd (Q (o :: h)).
Proof.
rewrite gap_cons; apply: pdD; first exact: pol_shift_pd.
by apply: psdZ => //; exact: psd_outer.
Qed.

Lemma Bi_sym : Bi^T = Bi.
Proof. by apply: inv_sym; case: pol_shift_pd. Qed.

(** 1/(1+t) >= 1 - nu for every draw. *)
Lemma pol_each o : psd ((Bi - q *: (Bi *m Z o *m Bi)) - invmx (Q (o :: h))).
Proof.
have pBt := pol_shift_pd; have sBi := Bi_sym; have k := qeta_gt0.
have q0 : 0 <= qf Bi (V o) by exact/(proj2 (pd_psd (pd_inv pBt))).
have wle : w h o * qf Bi (V o) <= eta / (1 - q * eta).
  apply: rank_one_inv => //; first by nn.
  apply: psd_trans (pol_rank o) _.
  have -> : eta / (1 - q * eta) *: Bt - eta *: B =
    (eta / (1 - q * eta)) *: (Bt - (1 - q * eta) *: B).
    rewrite [RHS]scalerBr scalerA; congr (_ - _ *: _).
    by rewrite divfK // gt_eqF.
  by apply: psdZ; [nn | exact: pol_shift].
have t1 : 0 < 1 + w h o * qf Bi (V o).
  by apply: ltr_spaddl; [exact: ltr01 | exact: mulr_ge0].
rewrite gap_cons sherman_morrison ?(pd_unit pBt) ?gt_eqF //.
set W := V o *m (V o)^T.
have -> : Bi - q *: (Bi *m (w h o *: W) *m Bi) -
  (Bi - w h o / (1 + w h o * qf Bi (V o)) *: (Bi *m W *m Bi)) =
  (w h o / (1 + w h o * qf Bi (V o)) - q * w h o) *: (Bi *m W *m Bi).
  rewrite -scalemxAr -scalemxAl scalerA.
  by rewrite opprB addrC addrA subrK scalerBl.
apply: psdZ; last by apply: psd_sym_conj => //; exact: psd_outer.
rewrite subr_ge0 [q * _]mulrC; apply: ler_wpmul2l => //.
rewrite -[X in X <= _]invrK lef_pinv ?posrE ?invr_gt0 //.
apply: (@le_trans _ _ (1 + eta / (1 - q * eta))); first by rewrite ler_add2l.
refine (@le_diff _ _ _ ((nu - eta * (1 - nu ^+ 2)) / (q * (1 - q * eta))) _ _).
  have -> : nu - eta * (1 - nu ^+ 2) = nu * (1 - q * eta) - q * eta by ring.
  by move: k; move: (1 - q * eta) => z z0; field; rewrite !gt_eqF.
by apply: mulr_ge0; [rewrite subr_ge0 | move: k; move: (1 - q * eta) => *; nn].
Qed.

Lemma policy_mean : psd (invmx B - \sum_o p h o *: invmx (Q (o :: h))).
Proof.
have pBt := pol_shift_pd; have sBi := Bi_sym.
have hs : psd (\sum_o p h o *: ((Bi - q *: (Bi *m Z o *m Bi))
    - invmx (Q (o :: h)))).
  by apply: psd_sum => o _; apply: psdZ => //; exact: pol_each.
have es : \sum_o p h o *: ((Bi - q *: (Bi *m Z o *m Bi)) - invmx (Q (o :: h)))
  = (Bi - Bi *m ((q * e) *: D) *m Bi) - \sum_o p h o *: invmx (Q (o :: h)).
  rewrite (eq_bigr (fun o => (p h o *: Bi - q *: (Bi *m (p h o *: Z o) *m Bi))
     - p h o *: invmx (Q (o :: h)))); last first.
    move=> o _; rewrite !scalerBr; congr (_ - _ - _).
    by rewrite -!scalemxAr -!scalemxAl !scalerA; congr (_ *: _); ring.
  rewrite sumrB sumrB -scaler_suml p1 scale1r -scaler_sumr -mulmx_suml.
  rewrite -mulmx_sumr pol_mean; congr (_ - _ - _).
  by rewrite -!scalemxAr -!scalemxAl scalerA.
rewrite es in hs; apply: psd_trans hs _.
have eB : B = Bt + (q * e) *: D by rewrite subrK.
have uB : Bt + (q * e) *: D \in unitmx by rewrite -eB pd_unit.
have := shift_matrix (pd_unit pBt) uB; rewrite -eB => ->.
rewrite addrC addKr; apply: psd_sym_conj => //; apply: psd_sym_conj.
  by rewrite linearZ /=; case: D_psd => ->.
exact/pd_psd/pd_inv.
Qed.

Lemma policy_mean_tr M : psd M ->
  \sum_o p h o * \tr (M *m invmx (Q (o :: h))) <= \tr (M *m invmx B).
Proof.
move=> pM; have := tr_mono pM policy_mean.
rewrite mulmx_sumr raddf_sum /=.
by under eq_bigr do rewrite -scalemxAr mxtraceZ.
Qed.

(** The mean of the gap itself grows by nu ds D. *)
Lemma policy_gap_tr K : \sum_o p h o * \tr (Q (o :: h) *m K) =
  \tr (B *m K) + nu * e * \tr (D *m K).
Proof.
have mix : \sum_o p h o *: Q (o :: h) = B + (nu * e) *: D.
  rewrite (eq_bigr (fun o => p h o *: Bt + p h o *: Z o)); last first.
    by move=> o _; rewrite gap_cons scalerDr.
  rewrite big_split /= -scaler_suml p1 scale1r pol_mean.
  move: (B) (D) => A T; apply/matrixP => i j; rewrite !mxE.
  by move: (A i j) (T i j) => *; ring.
have := congr1 (fun A => \tr (A *m K)) mix.
rewrite /= mulmx_suml raddf_sum /= mulmxDl mxtraceD -scalemxAl mxtraceZ => <-.
by apply: eq_bigr => o _; rewrite -scalemxAl mxtraceZ.
Qed.

End At.

Lemma policy_start : Q [::] = c%:M.
Proof. by rewrite /pol_gap /pol_acc /pol_sig /= mulr0 scale0r subr0 addr0. Qed.

Lemma policy_pd h : reach stop h -> pd (Q h).
Proof.
elim: h => [_|o h IH /= /andP[ns rh]].
  by rewrite policy_start -scalemx1; apply: pdZ => //; exact: pd1.
by have pQ := IH rh; apply: pol_next_pd => //; exact: valid.
Qed.

Lemma policy_ok h : reach stop h -> ~~ stop h -> ok h.
Proof. by move=> rh ns; apply: valid => //; exact: policy_pd. Qed.

Lemma policy_law0 h o : reach stop h -> ~~ stop h -> 0 <= p h o.
Proof. by move=> rh ns; case: (policy_ok rh ns). Qed.
Lemma policy_law1 h : reach stop h -> ~~ stop h -> \sum_o p h o = 1.
Proof. by move=> rh ns; case: (policy_ok rh ns). Qed.

Lemma policy_sig h : reach stop h -> sig h <= S.
Proof.
case: h => [_|o h /= /andP[ns rh]]; first by rewrite /pol_sig /= ltW.
by case: (policy_ok rh ns) => _ _ _ _ [].
Qed.

(** The clock. *)
Lemma policy_clock n M : psd M ->
  run_sum p stop n (fun h => ds h * \tr (M *m invmx (Q h))) [::] <= S * \tr M / c.
Proof.
move=> pM.
have := @chain_clock _ _ p stop policy_law0 policy_law1 sig ds
  (fun h => \tr (M *m invmx (Q h))) S (fun h o _ _ => erefl) policy_sig n erefl.
have f0 h : reach stop h -> 0 <= \tr (M *m invmx (Q h)).
  by move=> rh; apply: tr_psd => //; exact/pd_psd/pd_inv/policy_pd.
move=> /(_ f0) le; apply: le_trans (le _) _.
  by move=> h rh ns; apply: policy_mean_tr => //; [exact: policy_pd | exact: policy_ok].
by rewrite policy_start invmx_scalar mul_mx_scalar mxtraceZ mulrA mulrAC lexx.
Qed.

(** At the stop. *)
Lemma policy_order h : reach stop h -> stop h ->
  psd (acc h - ((1 - nu) * S) *: D + c%:M).
Proof.
move=> rh sh; have := pd_psd (policy_pd rh); rewrite /pol_gap.
have -> : sig h = S by apply/eqP; rewrite eq_le policy_sig.
by rewrite -addrA addrC.
Qed.

(** The gap itself, summed along the clock. *)
Lemma policy_gap_sum n K : psd K ->
  run_sum p stop n (fun h => ds h * \tr (Q h *m K)) [::] <=
  S * \tr (c%:M *m K) + nu * \tr (D *m K) * S ^+ 2 / 2%:R.
Proof.
move=> pK; pose t := \tr (D *m K).
pose W h := (S - sig h) * \tr (Q h *m K) + nu * t * (S - sig h) ^+ 2 / 2%:R.
have t0 : 0 <= t by apply: tr_psd => //; exact: D_psd.
have f0 h : reach stop h -> 0 <= \tr (Q h *m K).
  by move=> rh; apply: tr_psd => //; exact/pd_psd/policy_pd.
have -> : S * \tr (c%:M *m K) + nu * \tr (D *m K) * S ^+ 2 / 2%:R = W [::].
  by rewrite /W /pol_sig /= subr0 policy_start.
apply: (rsum_super policy_law0) => // h rh.
  have s0 : 0 <= S - sig h by rewrite subr_ge0 policy_sig.
  by rewrite /W; have := f0 h rh; move: (\tr (Q h *m K)) (S - sig h) s0 => *; nn.
move=> ns; have okh := policy_ok rh ns; have pQ := policy_pd rh.
have [p0 p1 _ _ [e0 eS]] := okh.
have sx o : S - sig (o :: h) = S - sig h - ds h by rewrite /pol_sig /= opprD addrA.
rewrite (eq_bigr (fun o => (S - sig h - ds h) * (p h o * \tr (Q (o :: h) *m K)) +
  p h o * (nu * t * (S - sig h - ds h) ^+ 2 / 2%:R))); last first.
  by move=> o _; rewrite /W sx; ring.
rewrite big_split /= -mulr_sumr policy_gap_tr // -mulr_suml p1 mul1r -/t.
rewrite /W; move: (\tr (Q h *m K)) (S - sig h) => y z.
refine (@le_diff _ _ _ (nu * t * ds h ^+ 2 / 2%:R) _ _); first by field.
by nn.
Qed.

(** ** The noise: v = sum w e V - sigma b, b = sum e V. *)
Section Noise.
Variables (e : O -> R) (delta : R).
Hypothesis delta_ge0 : 0 <= delta.
Hypothesis D_le : psd (delta%:M - D).

Definition pol_bias : 'cV[R]_d := \sum_o e o *: V o.
Definition pol_noise h : 'cV[R]_d :=
  dsum (fun h' o => (w h' o * e o) *: V o) h - sig h *: pol_bias.
(** K = sum of e^2 V V^T / |V|^2. *)
Definition pol_K : 'M[R]_d :=
  \sum_o (e o ^+ 2 / sqn (V o)) *: (V o *m (V o)^T).
Local Notation K := pol_K.
Local Notation f h := (\tr (Q h *m K)).
Local Notation OPT := (\sum_o e o ^+ 2).

Lemma K_psd : psd K.
Proof.
apply: psd_sum => o _; apply: psdZ; last exact: psd_outer.
by have s0 := sqn_ge0 (V o); nn.
Qed.

Lemma trK (A : 'M[R]_d) : \tr (A *m K) = \sum_o e o ^+ 2 / sqn (V o) * qf A (V o).
Proof.
rewrite /pol_K mulmx_sumr raddf_sum /=; apply: eq_bigr => o _.
by rewrite -scalemxAr mxtraceZ mxtrace_mulC tr_outer.
Qed.

Lemma trK_scalar (a : R) : 0 <= a -> \tr (a%:M *m K) <= a * OPT.
Proof.
move=> a0; rewrite trK mulr_sumr; apply: ler_sum => o _.
rewrite -scalemx1 qfZ -/(sqn (V o)).
have [z|n] := eqVneq (sqn (V o)) 0; first by rewrite z mulr0 mulr0; nn.
by rewrite mulrCA divfK.
Qed.

Lemma trK_D : \tr (D *m K) <= delta * OPT.
Proof.
apply: le_trans (trK_scalar delta_ge0); rewrite mxtrace_mulC.
by rewrite [X in _ <= X]mxtrace_mulC; apply: tr_mono => //; exact: K_psd.
Qed.

(** |V|^4 <= (V^T Q^-1 V) (V^T Q V). *)
Lemma leverage_gap (B : 'M[R]_d) v : pd B -> sqn v ^+ 2 <= qf (invmx B) v * qf B v.
Proof.
move=> pB; have [sB _] := pB.
have -> : sqn v = bf B (invmx B *m v) v.
  by rewrite bf_mull inv_sym // mulVmx ?pd_unit.
by rewrite qf_inv //; exact/cauchy_schwarz/pd_psd.
Qed.

Lemma noise_cons o h : pol_noise (o :: h) =
  pol_noise h + ((w h o * e o) *: V o - ds h *: pol_bias).
Proof.
rewrite /pol_noise /= /pol_sig /= -/(sig h) scalerDl opprD !addrA.
by congr (_ - _); rewrite addrAC.
Qed.

Lemma noise_moment h : reach stop h -> ~~ stop h ->
  \sum_o p h o * sqn (pol_noise (o :: h)) <=
  sqn (pol_noise h) + eta * (ds h * f h).
Proof.
move=> rh ns; have pQ := policy_pd rh; have okh := policy_ok rh ns.
have [p0 p1 wb pw [e0 _]] := okh.
pose m := ds h *: pol_bias.
have mean : \sum_o p h o *: ((w h o * e o) *: V o) = m.
  rewrite /m /pol_bias scaler_sumr; apply: eq_bigr => o _.
  have [->|n] := eqVneq (V o) 0; first by rewrite !scaler0.
  by rewrite !scalerA mulrA pw.
have dev o : sqn (pol_noise (o :: h)) = (sqn (pol_noise h) - 2%:R * dot (pol_noise h) m
    + sqn m) + 2%:R * dot (pol_noise h - m) ((w h o * e o) *: V o)
    + sqn ((w h o * e o) *: V o).
  rewrite noise_cons -/m; move: (pol_noise h) ((w h o * e o) *: V o) => a b.
  have -> : a + (b - m) = (a - m) + b by rewrite addrCA addrC.
  rewrite /sqn qfDv ?trmx1 // -/(dot _ _); congr (_ + _ + _).
  rewrite -[- m]scaleN1r qfDv ?trmx1 // bfZr qfZv -/(dot a m).
  by move: (dot a m) (qf _ _) (qf _ _) => *; ring.
pose C := sqn (pol_noise h) - 2%:R * dot (pol_noise h) m + sqn m.
rewrite (eq_bigr (fun o => p h o * C + (2%:R * dot (pol_noise h - m)
   (p h o *: ((w h o * e o) *: V o)) + p h o * sqn ((w h o * e o) *: V o)))); last first.
  move=> o _; rewrite dev -/C [dot _ (p h o *: _)]dotZr.
  by move: (dot _ _) (sqn _) => *; ring.
rewrite big_split /= -mulr_suml p1 mul1r big_split /= -mulr_sumr -dot_sumr mean.
have -> : C + (2%:R * dot (pol_noise h - m) m +
   \sum_o p h o * sqn ((w h o * e o) *: V o)) =
  sqn (pol_noise h) - sqn m + \sum_o p h o * sqn ((w h o * e o) *: V o).
  rewrite /C addrA; congr (_ + _); rewrite [dot (_ - m) m]dotC dotBr -sqnE.
  by rewrite [dot m _]dotC; ring.
apply: (@le_trans _ _ (sqn (pol_noise h) + \sum_o p h o * sqn ((w h o * e o) *: V o))).
  by rewrite ler_add2r ler_subl_addr ler_addl; exact: sqn_ge0.
rewrite ler_add2l mulrA trK mulr_sumr; apply: ler_sum => o _.
have [->|n] := eqVneq (V o) 0.
  by rewrite scaler0 /sqn !qf0v !mulr0.
have s0 := sqn_gt0 n; have [w0 wle] := wb o.
have i0 : 0 < qf (invmx (Q h)) (V o) by apply: (proj2 (pd_inv pQ)).
have g0 : 0 < qf (Q h) (V o) by apply: (proj2 pQ).
have -> : p h o * sqn ((w h o * e o) *: V o) =
  ds h * (e o ^+ 2 * (w h o * sqn (V o))).
  by rewrite /sqn qfZv -(pw o n); ring.
have -> : eta * ds h * (e o ^+ 2 / sqn (V o) * qf (Q h) (V o)) =
  ds h * (e o ^+ 2 * (eta * qf (Q h) (V o) / sqn (V o))) by ring.
apply: ler_wpmul2l => //; apply: ler_wpmul2l; first exact: sqr_ge0.
rewrite ler_pdivl_mulr //.
apply: (@le_trans _ _ (w h o * (qf (invmx (Q h)) (V o) * qf (Q h) (V o)))).
  by rewrite -mulrA; apply: ler_wpmul2l => //; rewrite -expr2; exact: leverage_gap.
by rewrite mulrA; apply: ler_wpmul2r => //; exact: ltW.
Qed.

Lemma policy_noise n : run_mean p stop n (fun h => sqn (pol_noise h)) [::] <=
  eta * (S * c + nu * delta * S ^+ 2 / 2%:R) * OPT.
Proof.
have O0 : 0 <= OPT by apply: sumr_ge0 => o _; exact: sqr_ge0.
have le := rmean_grow policy_law0 n noise_moment (h := [::]) isT.
apply: le_trans le _.
rewrite {1}/pol_noise /= /pol_sig /= scale0r subr0 /sqn qf0v add0r rsumZ -mulrA.
apply: ler_wpmul2l; first exact: ltW.
apply: le_trans (policy_gap_sum n K_psd) _; rewrite mulrDl; apply: ler_add.
  by rewrite -mulrA; apply: ler_wpmul2l; [exact: ltW | exact/trK_scalar/ltW].
have := trK_D; move: (OPT) (\tr (D *m K)) => y u tD.
refine (@le_diff _ _ _ (nu * S ^+ 2 / 2%:R * (delta * y - u)) _ _); first by ring.
by apply: mulr_ge0; [nn | rewrite subr_ge0].
Qed.

End Noise.
End Policy.
