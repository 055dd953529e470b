(** One iteration of Algorithm 2, from any state between its barriers.

    Symbols:
      E      == bracket s
      du, dl == the moves of u and l

    Selected results:
      prob_sum, prob_ge0 == the p_x are probabilities
      mean_update        == E[w w^T] = (g/Phi) I
      rank_one_upper     == w w^T <= g (u I - A)
      rank_one_lower     == w w^T <= g (1 + 2g)/(1 + g) (A - l' I)
      inv_step           == the invariant is kept by every draw
      bracket_ge         == the bracket is at least 4/(u - l) I
      Phi_lower          == 4d/(u - l) <= Phi
      mean_bracket       == the mean of the next bracket is at most the bracket
      potential_monotone == E[Phi^M] does not grow, M psd
      rad_step, mid_step == r and mid move by multiples of 1/Phi *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section OneStep.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation state := (state R d).
Local Notation step := (step U g).
Local Notation prob := (prob U).
Local Notation weight := (weight U g).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation rad := (rad g).
Implicit Types s : state.

Lemma d_pos : (0 : R) < d%:R.
Proof. by rewrite ltr0n. Qed.
Lemma d_ge1 : (1 : R) <= d%:R.
Proof. by rewrite ler1n. Qed.
Lemma g2_gt0 : 0 < 1 - 2%:R * g.
Proof. by rewrite subr_gt0. Qed.
Lemma g1_gt0 : 0 < 1 - g.
Proof. by rewrite subr_gt0; apply: le_lt_trans g_lt; rewrite ler_pmull // ler1n. Qed.
Lemma p2_gt0 : 0 < 1 + 2%:R * g.
Proof. by ps. Qed.
Lemma p1_gt0 : 0 < 1 + g.
Proof. by ps. Qed.
Lemma kapE : kap = (1 - 2%:R * g) * (1 + 2%:R * g).
Proof. by rewrite /kap; ring. Qed.
Lemma kap_gt0 : 0 < kap.
Proof. by rewrite kapE mulr_gt0 ?g2_gt0 ?p2_gt0. Qed.
Lemma kap_lt1 : kap < 1.
Proof. by rewrite /kap ltr_subl_addr ltr_addl; ps. Qed.
Lemma clk_gt0 : 0 < clk.
Proof. by rewrite /clk divr_gt0 ?exprn_gt0 // mulr_gt0 ?d_pos ?kap_gt0. Qed.

Section At.
Variable s : state.
Hypothesis ins : inv s.

Local Notation E := (bracket s).

Lemma upper_pd : pd (upper s). Proof. by case: ins. Qed.
Lemma lower_pd : pd (lower s). Proof. by case: ins. Qed.

Lemma bracket_pd : pd E.
Proof. by apply: pdD; [exact/pd_inv/upper_pd | exact/pd_psd/pd_inv/lower_pd]. Qed.

Lemma PhiE : Phi s = \tr E.
Proof. by rewrite /Phi /phi mul1mx. Qed.

Lemma Phi_gt0 : 0 < Phi s.
Proof. by rewrite PhiE tr_pd_gt0 //; exact: bracket_pd. Qed.

Lemma phi_ge0 M : psd M -> 0 <= phi M s.
Proof. by move=> pM; apply: tr_psd => //; exact/pd_psd/bracket_pd. Qed.

Lemma prob_ge0 x : 0 <= prob s x.
Proof.
rewrite /prob divr_ge0 ?(ltW Phi_gt0) //; exact/(proj2 (pd_psd bracket_pd)).
Qed.

(* slug: sampling-mass *)
Lemma sampling_mass (X1 : pred I) :
  \sum_(x | X1 x) prob s x = phi (\sum_(x | X1 x) U x *m (U x)^T) s / Phi s.
Proof.
rewrite /prob -mulr_suml; congr (_ / _).
rewrite /phi mulmx_suml raddf_sum /=; apply: eq_bigr => x _.
by rewrite tr_outer.
Qed.

(* slug: probabilities-sum *)
Lemma prob_sum : \sum_x prob s x = 1.
Proof. by rewrite sampling_mass isoU divff // gt_eqF // Phi_gt0. Qed.

Lemma prob0 x : prob s x = 0 -> U x = 0.
Proof.
move=> h; apply/eqP; case: eqP => // /eqP n.
have := proj2 bracket_pd _ n; rewrite lt_def => /andP[nz _].
move/eqP: h; rewrite /prob mulf_eq0 (negbTE nz) invr_eq0 /=.
by rewrite gt_eqF // Phi_gt0.
Qed.

Lemma weightE x : weight s x = g / qf E (U x).
Proof.
rewrite /weight /prob; have [->|n] := eqVneq (qf E (U x)) 0.
  by rewrite mul0r !invr0 !mulr0.
by field; rewrite n gt_eqF // Phi_gt0.
Qed.

Lemma weight_ge0 x : 0 <= weight s x.
Proof.
by rewrite weightE divr_ge0 ?(ltW g_gt0) //; exact/(proj2 (pd_psd bracket_pd)).
Qed.

Lemma prob_weight x : U x != 0 -> prob s x * weight s x = g / Phi s.
Proof.
move=> n; rewrite weightE /prob; field.
by rewrite !gt_eqF ?Phi_gt0 //; apply: (proj2 bracket_pd).
Qed.

(** The mean of the update is (g/Phi) I. *)
Lemma prob_weight_outer x :
  prob s x *: (weight s x *: (U x *m (U x)^T)) = (g / Phi s) *: (U x *m (U x)^T).
Proof.
have [->|n] := eqVneq (U x) 0; first by rewrite mul0mx !scaler0.
by rewrite scalerA prob_weight.
Qed.

Lemma mean_update : \sum_x prob s x *: (weight s x *: (U x *m (U x)^T)) = (g / Phi s)%:M.
Proof.
rewrite (eq_bigr _ (fun x _ => prob_weight_outer x)) -scaler_sumr isoU.
by rewrite scalemx1.
Qed.

Lemma rank_one_bound B x : pd B -> psd (E - invmx B) ->
  psd (g *: B - weight s x *: (U x *m (U x)^T)).
Proof.
move=> pB h; have [sB _] := pB.
apply: psd_leP; rewrite ?linearZ /= ?outer_sym ?sB // => v.
rewrite !qfZ weightE.
have [->|n] := eqVneq (U x) 0.
  rewrite mul0mx qf0 mulr0 mulr_ge0 ?(ltW g_gt0) //; exact/(proj2 (pd_psd pB)).
have q0 : 0 < qf E (U x) by apply: (proj2 bracket_pd).
have h1 := psd_le v (rank_one_dom (U x) pB).
rewrite -mulrA ler_pmul2l // mulrC ler_pdivr_mulr //.
apply: le_trans h1 _; rewrite qfZ mulrC ler_wpmul2l //; last exact: psd_le.
exact/(proj2 (pd_psd pB)).
Qed.

(* slug: rank-one-upper *)
Lemma rank_one_upper x : psd (g *: upper s - weight s x *: (U x *m (U x)^T)).
Proof.
apply: rank_one_bound; first exact: upper_pd.
by rewrite /bracket addrC addKr; exact/pd_psd/pd_inv/lower_pd.
Qed.

Lemma rank_one_lower0 x : psd (g *: lower s - weight s x *: (U x *m (U x)^T)).
Proof.
apply: rank_one_bound; first exact: lower_pd.
by rewrite /bracket addrK; exact/pd_psd/pd_inv/upper_pd.
Qed.

(** I <= Phi (A - l I): sum the rank-one bound over all points. *)
Lemma lower_ge : psd (lower s - (Phi s)^-1%:M).
Proof.
have [sL _] := lower_pd.
have h : psd (\sum_x prob s x *: (g *: lower s - weight s x *: (U x *m (U x)^T))).
  by apply: psd_sum => x _; apply: psdZ; [exact: prob_ge0 | exact: rank_one_lower0].
rewrite (eq_bigr (fun x => prob s x *: (g *: lower s) -
   prob s x *: (weight s x *: (U x *m (U x)^T)))) in h; last by move=> x _; rewrite scalerBr.
rewrite big_split /= sumrN mean_update -scaler_suml prob_sum scale1r in h.
have -> : lower s - (Phi s)^-1%:M = g^-1 *: (g *: lower s - (g / Phi s)%:M).
  apply/matrixP => i j; rewrite !mxE; case: (i == j) => /=; field; rewrite !gt_eqF ?Phi_gt0 //.
by apply: psdZ => //; rewrite invr_ge0 ltW.
Qed.

Local Notation dl := (g / (1 + 2%:R * g) / Phi s).
Local Notation du := (g / (1 - 2%:R * g) / Phi s).

Lemma dl_gt0 : 0 < dl.
Proof. by rewrite !divr_gt0 ?p2_gt0 ?Phi_gt0. Qed.
Lemma du_gt0 : 0 < du.
Proof. by rewrite !divr_gt0 ?g2_gt0 ?Phi_gt0. Qed.

(** A - l' I, before the update, is at least (1+g)/(1+2g) (A - l I). *)
Lemma lower_shift : psd ((lower s - dl%:M) - ((1 + g) / (1 + 2%:R * g)) *: lower s).
Proof.
have -> : (lower s - dl%:M) - ((1 + g) / (1 + 2%:R * g)) *: lower s =
   (g / (1 + 2%:R * g)) *: (lower s - (Phi s)^-1%:M).
  apply/matrixP => i j; rewrite !mxE; case: (i == j) => /=; field.
    by rewrite !gt_eqF ?Phi_gt0 ?p2_gt0.
  by rewrite !gt_eqF ?Phi_gt0 ?p2_gt0.
apply: psdZ; last exact: lower_ge.
by rewrite divr_ge0 ?(ltW p2_gt0) // ltW.
Qed.

Lemma lower_shift_pd : pd (lower s - dl%:M).
Proof.
apply: pd_ge lower_shift; apply: pdZ; last exact: lower_pd.
by rewrite divr_gt0 ?p1_gt0 ?p2_gt0.
Qed.

(* slug: rank-one-lower *)
Lemma rank_one_lower x :
  psd ((g * (1 + 2%:R * g) / (1 + g)) *: (acc s - (lo (step s x))%:M)
       - weight s x *: (U x *m (U x)^T)).
Proof.
have -> : acc s - (lo (step s x))%:M = lower s - dl%:M.
  by rewrite /lower /= raddfD /= opprD addrA.
apply: psd_trans (rank_one_lower0 x) _.
have -> : (g * (1 + 2%:R * g) / (1 + g)) *: (lower s - dl%:M) - g *: lower s =
  (g * (1 + 2%:R * g) / (1 + g)) *: ((lower s - dl%:M) - ((1 + g) / (1 + 2%:R * g)) *: lower s).
  apply/matrixP => i j; rewrite !mxE; case: (i == j) => /=; field.
    by rewrite !gt_eqF ?Phi_gt0 ?p2_gt0 ?p1_gt0.
  by rewrite !gt_eqF ?Phi_gt0 ?p2_gt0 ?p1_gt0.
apply: psdZ; last exact: lower_shift.
by rewrite divr_ge0 ?(ltW p1_gt0) // mulr_ge0 ?(ltW p2_gt0) // ltW.
Qed.

Lemma upper_step x :
  upper (step s x) = upper s - weight s x *: (U x *m (U x)^T) + du%:M.
Proof.
rewrite /upper /= raddfD /=.
by apply/matrixP => i j; rewrite !mxE; ring.
Qed.

Lemma lower_step x :
  lower (step s x) = (lower s - dl%:M) + weight s x *: (U x *m (U x)^T).
Proof.
rewrite /lower /= raddfD /=.
by apply/matrixP => i j; rewrite !mxE; ring.
Qed.

Lemma psd_scalar a : 0 <= a -> psd (a%:M : 'M[R]_d).
Proof. by move=> a0; rewrite -scalemx1; apply: psdZ => //; exact: psd1. Qed.

Lemma upper_step_ge x : psd (upper (step s x) - (1 - g) *: upper s).
Proof.
rewrite upper_step.
have -> : upper s - weight s x *: (U x *m (U x)^T) + du%:M - (1 - g) *: upper s =
  (g *: upper s - weight s x *: (U x *m (U x)^T)) + du%:M.
  by rewrite scalerBl scale1r; apply/matrixP => i j; rewrite !mxE; ring.
apply: psdD; first exact: rank_one_upper.
exact/psd_scalar/ltW/du_gt0.
Qed.

Lemma lower_step_ge x : psd (lower (step s x) - ((1 + g) / (1 + 2%:R * g)) *: lower s).
Proof.
rewrite lower_step addrAC; apply: psdD; first exact: lower_shift.
by apply: psdZ; [exact: weight_ge0 | exact: psd_outer].
Qed.

(* slug: invariant *)
Lemma inv_step x : inv (step s x).
Proof.
split.
  by apply: pd_ge (upper_step_ge x); apply: pdZ; [exact: g1_gt0 | exact: upper_pd].
apply: pd_ge (lower_step_ge x); apply: pdZ; last exact: lower_pd.
by rewrite divr_gt0 ?p1_gt0 ?p2_gt0.
Qed.

Lemma gap_gt0 : 0 < gap s.
Proof.
have h : pd (upper s + lower s) by apply: pdD; [exact: upper_pd | exact/pd_psd/lower_pd].
have := tr_pd_gt0 d_gt0 h.
have -> : upper s + lower s = (gap s)%:M.
  by rewrite /upper /lower /gap raddfB /= addrA subrK.
by rewrite mxtrace_scalar -mulr_natr pmulr_lgt0 // d_pos.
Qed.

(** E >= (4/gap) I. *)
Lemma bracket_ge : psd (E - (4%:R / gap s)%:M).
Proof.
pose c := 2%:R / gap s.
have -> : E - (4%:R / gap s)%:M =
   (invmx (upper s) - (2%:R * c *: 1%:M - c ^+ 2 *: upper s)) +
   (invmx (lower s) - (2%:R * c *: 1%:M - c ^+ 2 *: lower s)).
  rewrite /bracket; move: (invmx (upper s)) (invmx (lower s)) => P Q.
  have n : gap s != 0 by rewrite gt_eqF // gap_gt0.
  apply/matrixP => i j; rewrite /c /upper /lower !mxE; move: n; rewrite /gap.
  by case: (i == j) => /= n; field.
by apply: psdD; apply: tangent; [exact: upper_pd | exact: lower_pd].
Qed.

(* slug: potential-lower *)
Lemma Phi_lower : 4%:R * d%:R / gap s <= Phi s.
Proof.
have := tr_mono (psd1 R d) bracket_ge; rewrite !mul1mx -PhiE mxtrace_scalar.
by rewrite -mulr_natr mulrAC.
Qed.

(* slug: I6 *)
Lemma leverage_ratio x : sqn (U x) <= gap s / 4%:R * qf E (U x).
Proof.
have := psd_le (U x) bracket_ge; rewrite -scalemx1 qfZ -/(sqn _) => h.
have -> : sqn (U x) = gap s / 4%:R * (4%:R / gap s * sqn (U x)).
  by field; rewrite gt_eqF // gap_gt0.
by apply: ler_wpmul2l => //; rewrite divr_ge0 ?ler0n ?(ltW gap_gt0).
Qed.

(* slug: I8 *)
Lemma bracket_growth x : psd ((1 - g)^-1 *: E - bracket (step s x)).
Proof.
have h1 : psd ((1 - g)^-1 *: invmx (upper s) - invmx (upper (step s x))).
  rewrite -invmxZ ?gt_eqF ?g1_gt0 ?pd_unit //; last exact: upper_pd.
  apply: inv_anti; last exact: upper_step_ge.
  by apply: pdZ; [exact: g1_gt0 | exact: upper_pd].
have c0 : 0 < (1 + g) / (1 + 2%:R * g) by rewrite divr_gt0 ?p1_gt0 ?p2_gt0.
have h2 : psd (((1 + g) / (1 + 2%:R * g))^-1 *: invmx (lower s) - invmx (lower (step s x))).
  rewrite -invmxZ ?(gt_eqF c0) ?pd_unit //; last exact: lower_pd.
  apply: inv_anti; last exact: lower_step_ge.
  by apply: pdZ => //; exact: lower_pd.
have h3 : psd ((1 - g)^-1 *: invmx (lower s) - invmx (lower (step s x))).
  apply: psd_trans h2 _; rewrite -scalerBl; apply: psdZ; last exact/pd_psd/pd_inv/lower_pd.
  have -> : (1 - g)^-1 - ((1 + g) / (1 + 2%:R * g))^-1 = 2%:R * g ^+ 2 / ((1 - g) * (1 + g)).
    by field; rewrite !gt_eqF ?g1_gt0 ?p1_gt0 ?p2_gt0.
  by have a := g1_gt0; have b := p1_gt0; nn.
rewrite /bracket scalerDr opprD addrACA; exact: psdD.
Qed.

Lemma phi_growth M x : psd M -> phi M (step s x) <= phi M s / (1 - g).
Proof.
move=> pM; have := tr_mono pM (bracket_growth x).
by rewrite -scalemxAr mxtraceZ mulrC.
Qed.

(** Expectations after one step. *)
Lemma mean_inv_upper :
  psd (invmx (upper s) - \sum_x prob s x *: invmx (upper (step s x))).
Proof.
pose P' := upper s + du%:M.
have pU := upper_pd.
have pP' : pd P' by apply: pdD => //; exact/psd_scalar/ltW/du_gt0.
have uP' := pd_unit pP'; pose Q := invmx P'.
have [sP' _] := pP'; have [sU _] := pU.
have sQ : Q^T = Q by exact: inv_sym.
have each x : psd ((Q + (weight s x / (1 - g)) *: (Q *m (U x *m (U x)^T) *m Q))
                   - invmx (upper (step s x))).
  have wle : weight s x * qf Q (U x) <= g.
    apply: rank_one_inv => //; first exact: ltW.
    rewrite /P' scalerDr addrAC; apply: psdD; first exact: rank_one_upper.
    by apply: psdZ; [exact: ltW | exact/psd_scalar/ltW/du_gt0].
  have w1 : 0 < 1 + - weight s x * qf Q (U x).
    by rewrite mulNr subr_gt0; apply: le_lt_trans wle _; rewrite -subr_gt0 g1_gt0.
  have -> : upper (step s x) = P' + - weight s x *: (U x *m (U x)^T).
    by rewrite upper_step addrAC scaleNr.
  rewrite sherman_morrison ?gt_eqF //.
  rewrite -/Q; set W := U x *m (U x)^T.
  have -> : Q + weight s x / (1 - g) *: (Q *m W *m Q) -
    (Q - - weight s x / (1 + - weight s x * qf Q (U x)) *: (Q *m W *m Q)) =
    (weight s x / (1 - g) - weight s x / (1 + - weight s x * qf Q (U x))) *: (Q *m W *m Q).
    by rewrite opprB addrC addrA subrK scalerBl mulNr scaleNr addrC.
  apply: psdZ.
    rewrite subr_ge0 ler_wpmul2l ?weight_ge0 // lef_pinv ?posrE ?g1_gt0 //.
    by rewrite mulNr ler_add2l ler_oppr opprK.
  by rewrite -{1}sQ; exact/psd_conj/psd_outer.
have h : psd (\sum_x prob s x *: ((Q + (weight s x / (1 - g)) *: (Q *m (U x *m (U x)^T) *m Q))
                   - invmx (upper (step s x)))).
  by apply: psd_sum => x _; apply: psdZ; [exact: prob_ge0 | exact: each].
have e : \sum_x prob s x *: ((Q + (weight s x / (1 - g)) *: (Q *m (U x *m (U x)^T) *m Q))
                   - invmx (upper (step s x))) =
   Q + (g / (1 - g) / Phi s) *: (Q *m Q) - \sum_x prob s x *: invmx (upper (step s x)).
  rewrite (eq_bigr (fun x => (prob s x *: Q + (1 - g)^-1 *:
     (Q *m (prob s x *: (weight s x *: (U x *m (U x)^T))) *m Q))
     - prob s x *: invmx (upper (step s x)))); last first.
    move=> x _; rewrite scalerBr scalerDr; congr (_ + _ - _).
    by rewrite -!scalemxAr -!scalemxAl !scalerA mulrC -mulrA mulrCA [_ * weight _ _]mulrC mulrA.
  rewrite big_split /= sumrN big_split /= -scaler_suml prob_sum scale1r.
  rewrite -scaler_sumr -mulmx_suml -mulmx_sumr mean_update mul_mx_scalar -scalemxAl scalerA.
  by have -> : (1 - g)^-1 * (g / Phi s) = g / (1 - g) / Phi s by rewrite mulrA [_^-1 * g]mulrC.
rewrite e in h.
apply: psd_trans h _.
rewrite (shift_inv (pd_unit pU) uP') -/P' -/Q.
have -> : Q + du *: (Q *m Q) + du ^+ 2 *: (Q *m invmx (upper s) *m Q) -
   (Q + g / (1 - g) / Phi s *: (Q *m Q)) =
   (du - g / (1 - g) / Phi s) *: (Q *m Q) + du ^+ 2 *: (Q *m invmx (upper s) *m Q).
  rewrite scalerBl; move: (Q *m Q) (Q *m invmx (upper s) *m Q) => Z1 Z2.
  by apply/matrixP => i j; rewrite !mxE; ring.
apply: psdD; apply: psdZ; rewrite ?sqr_ge0 //.
- rewrite subr_ge0 ler_wpmul2r ?invr_ge0 ?(ltW Phi_gt0) // ler_wpmul2l ?(ltW g_gt0) //.
  rewrite lef_pinv ?posrE ?g1_gt0 ?g2_gt0 // ler_add2l ler_oppr opprK.
  by rewrite ler_pmull // ler1n.
- by rewrite -{1}sQ -[Q^T]mulmx1; exact/psd_conj/psd1.
- by rewrite -{1}sQ; exact/psd_conj/pd_psd/pd_inv.
Qed.

Lemma mean_inv_lower :
  psd (invmx (lower s) - \sum_x prob s x *: invmx (lower (step s x))).
Proof.
pose P' := lower s - dl%:M.
have pL := lower_pd.
have pP' : pd P' := lower_shift_pd.
have uP' := pd_unit pP'; pose Q := invmx P'.
have [sP' _] := pP'; have [sL _] := pL.
have sQ : Q^T = Q by exact: inv_sym.
have each x : psd ((Q - (weight s x / (1 + 2%:R * g)) *: (Q *m (U x *m (U x)^T) *m Q))
                   - invmx (lower (step s x))).
  have q0 : 0 <= qf Q (U x) by exact/(proj2 (pd_psd (pd_inv pP'))).
  have wle : weight s x * qf Q (U x) <= 2%:R * g.
    apply: (@le_trans _ _ (g * (1 + 2%:R * g) / (1 + g))).
      apply: rank_one_inv => //.
        by rewrite divr_ge0 ?(ltW p1_gt0) // mulr_ge0 ?(ltW p2_gt0) // ltW.
      have := rank_one_lower x; have -> // : acc s - (lo (step s x))%:M = P'.
      by rewrite /P' /lower /= raddfD /= opprD addrA.
    by rewrite ler_pdivr_mulr ?p1_gt0 //; refine (@le_diff _ _ _ g _ _); [ring | exact: ltW].
  have w1 : 0 < 1 + weight s x * qf Q (U x).
    by apply: ltr_spaddl; [exact: ltr01 | apply: mulr_ge0 => //; exact: weight_ge0].
  rewrite lower_step -/P' sherman_morrison ?gt_eqF //.
  rewrite -/Q; set W := U x *m (U x)^T.
  have -> : Q - weight s x / (1 + 2%:R * g) *: (Q *m W *m Q) -
    (Q - weight s x / (1 + weight s x * qf Q (U x)) *: (Q *m W *m Q)) =
    (weight s x / (1 + weight s x * qf Q (U x)) - weight s x / (1 + 2%:R * g)) *: (Q *m W *m Q).
    by rewrite opprB addrC addrA subrK scalerBl.
  apply: psdZ.
    rewrite subr_ge0 ler_wpmul2l ?weight_ge0 // lef_pinv ?posrE ?p2_gt0 //.
    by rewrite ler_add2l.
  by rewrite -{1}sQ; exact/psd_conj/psd_outer.
have h : psd (\sum_x prob s x *: ((Q - (weight s x / (1 + 2%:R * g)) *: (Q *m (U x *m (U x)^T) *m Q))
                   - invmx (lower (step s x)))).
  by apply: psd_sum => x _; apply: psdZ; [exact: prob_ge0 | exact: each].
have e : \sum_x prob s x *: ((Q - (weight s x / (1 + 2%:R * g)) *: (Q *m (U x *m (U x)^T) *m Q))
                   - invmx (lower (step s x))) =
   Q - dl *: (Q *m Q) - \sum_x prob s x *: invmx (lower (step s x)).
  rewrite (eq_bigr (fun x => (prob s x *: Q - (1 + 2%:R * g)^-1 *:
     (Q *m (prob s x *: (weight s x *: (U x *m (U x)^T))) *m Q))
     - prob s x *: invmx (lower (step s x)))); last first.
    move=> x _; rewrite !scalerBr; congr (_ - _ - _).
    by rewrite -!scalemxAr -!scalemxAl !scalerA mulrC -mulrA mulrCA [_ * weight _ _]mulrC mulrA.
  rewrite big_split /= sumrN big_split /= sumrN -scaler_suml prob_sum scale1r.
  rewrite -scaler_sumr -mulmx_suml -mulmx_sumr mean_update mul_mx_scalar -scalemxAl scalerA.
  by have -> : (1 + 2%:R * g)^-1 * (g / Phi s) = dl by rewrite mulrA [_^-1 * g]mulrC.
rewrite e in h.
apply: psd_trans h _.
have eL : lower s = P' + dl%:M by rewrite subrK.
have uL : lower s \in unitmx by exact: pd_unit.
have eP' : P' = lower s + (- dl)%:M by rewrite raddfN.
have := @shift_inv _ _ (lower s) (- dl) uL; rewrite -eP' => /(_ uP') /= ->.
rewrite -/Q sqrrN.
have -> : Q + - dl *: (Q *m Q) + dl ^+ 2 *: (Q *m invmx (lower s) *m Q) -
   (Q - dl *: (Q *m Q)) = dl ^+ 2 *: (Q *m invmx (lower s) *m Q).
  by rewrite scaleNr addrC addKr.
apply: psdZ; rewrite ?sqr_ge0 //.
by rewrite -{1}sQ; exact/psd_conj/pd_psd/pd_inv.
Qed.

Lemma mean_bracket : psd (E - \sum_x prob s x *: bracket (step s x)).
Proof.
rewrite /bracket (eq_bigr (fun x => prob s x *: invmx (upper (step s x)) +
  prob s x *: invmx (lower (step s x)))); last by move=> x _; rewrite scalerDr.
rewrite big_split /= opprD addrACA; apply: psdD.
  exact: mean_inv_upper.
exact: mean_inv_lower.
Qed.

(* slug: potential-monotone *)
Lemma potential_monotone M : psd M -> \sum_x prob s x * phi M (step s x) <= phi M s.
Proof.
move=> pM; have := tr_mono pM mean_bracket.
rewrite mulmx_sumr raddf_sum /=.
by under eq_bigr do rewrite -scalemxAr mxtraceZ.
Qed.

(** I1: the increments of gap, mid and r. *)
Lemma gap_step x : gap (step s x) = gap s + 4%:R * g ^+ 2 / (kap * Phi s).
Proof.
rewrite /gap /= kapE; field; rewrite !gt_eqF ?g2_gt0 ?p2_gt0 ?Phi_gt0 //.
Qed.
Lemma rad_step x : rad (step s x) = rad s + clk * g / Phi s.
Proof.
rewrite /rad gap_step /clk; field.
by rewrite !gt_eqF ?kap_gt0 ?d_pos ?Phi_gt0.
Qed.
Lemma mid_step x : mid (step s x) = mid s + g / (kap * Phi s).
Proof.
rewrite /mid /= kapE; field; rewrite !gt_eqF ?g2_gt0 ?p2_gt0 ?Phi_gt0 //.
Qed.

Lemma rad1_gt0 : 0 < 1 + rad s.
Proof. by rewrite /rad addrC subrK; have a := gap_gt0; have b := d_pos; ps. Qed.

(* slug: I3 *)
Lemma Phi_rad : g / (1 + rad s) <= Phi s.
Proof.
apply: le_trans Phi_lower; rewrite le_eqVlt; apply/orP; left; apply/eqP.
rewrite /rad addrC subrK; field.
by rewrite !gt_eqF ?gap_gt0 ?d_pos.
Qed.

End At.

(** The initial state. *)
Lemma inv_start : inv (start d g).
Proof.
have p : pd ((2%:R * d%:R / g)%:M : 'M[R]_d).
  rewrite -scalemx1; apply: pdZ; last exact: pd1.
  by have a := d_pos; ps.
by split; rewrite /upper /lower /= ?subr0 // raddfN /= opprK add0r.
Qed.

Lemma rad_start : rad (start d g) = 0.
Proof. by rewrite /rad /gap /=; field; rewrite !gt_eqF ?d_pos. Qed.

Lemma mid_start : mid (start d g) = 0.
Proof. by rewrite /mid /= subrr mul0r. Qed.

Lemma phi_start M : phi M (start d g) = g / d%:R * \tr M.
Proof.
have e : forall a : R, a != 0 -> invmx (a%:M : 'M[R]_d) = (a^-1)%:M.
  by move=> a _; rewrite invmx_scalar.
rewrite /phi /bracket /upper /lower /= subr0 raddfN /= opprK add0r !invmx_scalar.
rewrite -raddfD /= mul_mx_scalar mxtraceZ; congr (_ * _); field.
by rewrite !gt_eqF ?d_pos.
Qed.

Lemma Phi_start : Phi (start d g) = g.
Proof. by rewrite /Phi phi_start mxtrace1 divfK // gt_eqF // d_pos. Qed.

End OneStep.
