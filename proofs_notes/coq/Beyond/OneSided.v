(** Keep X2, sample X1 against one barrier: draws, spectrum, excess.

      os_valid      == the algorithm is a valid policy, with clip and coin
      os_draws      == at most N labels are expected with the coin
      os_length     == at most N + 1 draws are expected, clip or coin
      os_late       == P(not done by n) <= (N+1)/(n+1)
      os_spectrum   == M >= 1 - nu delta - c/S, surely
      os_excess, os_loss == the expected excess and loss of finished runs *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression SureStop.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Move.
From Asura Require Import Beyond.Chain Beyond.Policy.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Algorithm.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (nu eta c S : R) (coin : bool).
Hypothesis nu_gt0 : 0 < nu.
Hypothesis nu_lt1 : nu < 1.
Hypothesis eta_gt0 : 0 < eta.
Hypothesis eta_le : eta * (1 - nu ^+ 2) <= nu.
Hypothesis c_gt0 : 0 < c.
Hypothesis S_gt0 : 0 < S.

Local Notation V := (os_vec U X1).
Local Notation D := (os_target U X1).
Local Notation st h := (os_state U X1 nu eta c S coin h).
Local Notation p := (os_law U X1 nu eta c S coin).
Local Notation w := (fun h o => os_wt U X1 nu eta c S coin (st h) o).
Local Notation ds := (fun h => os_step U X1 nu eta c S (st h)).
Local Notation stop := (os_stop U X1 nu eta c S coin).
Local Notation Q h := (os_gap U X1 nu c (st h)).
Local Notation pot h := (os_pot U X1 nu c (st h)).
Local Notation lev h x := (os_lev U X1 nu c (st h) x).
Local Notation frac h := (os_frac U X1 nu eta c S (st h)).
Hypothesis D_gt0 : 0 < \tr D.

Lemma os_targetE : pol_target V = D.
Proof.
rewrite /pol_target (eq_bigr (fun o : bool * I => (fun b x => V (b, x) *m (V (b, x))^T) o.1 o.2));
  last by case.
rewrite -(pair_bigA _ (fun b x => V (b, x) *m (V (b, x))^T)) /= big_bool /=.
rewrite [X in _ + X]big1 ?addr0; last by move=> x _; rewrite /os_vec /= mul0mx.
rewrite [RHS]big_mkcond /=; apply: eq_bigr => x _; rewrite /os_vec /=.
by case: (X1 x); rewrite ?mul0mx.
Qed.

Lemma os_stateE h : st h = (pol_acc V w h, pol_sig ds h).
Proof.
elim: h => [|o h IH] //.
have -> : st (o :: h) = os_next U X1 nu eta c S coin (st h) o by [].
rewrite /os_next {1}IH /pol_acc /pol_sig /= -/(pol_acc V w h) -/(pol_sig ds h).
by congr (_, _); rewrite {1}IH.
Qed.

Lemma os_gapE h : pol_gap V nu c w ds h = Q h.
Proof. by rewrite /pol_gap /os_gap os_targetE os_stateE. Qed.

Lemma os_stopE h : pol_stop S ds h = stop h.
Proof. by rewrite /pol_stop /os_stop os_stateE. Qed.

Lemma lev_sum h : \sum_x lev h x = pot h.
Proof.
rewrite /os_pot /os_target mulmx_suml raddf_sum /= [RHS]big_mkcond /=.
apply: eq_bigr => x _; rewrite /os_lev /os_vec /=.
by case: (X1 x); rewrite ?tr_outer // qf0v.
Qed.

Section At.
Variable h : seq (bool * I).
Hypothesis pQ : pd (Q h).

Lemma lev_ge0 x : 0 <= lev h x.
Proof. exact: (proj2 (pd_psd (pd_inv pQ))). Qed.

(** Phi > 0: D <= Phi Q, and D is not zero. *)
Lemma os_pot_gt0 : 0 < pot h.
Proof.
have P0 : 0 <= pot h by rewrite -lev_sum; apply: sumr_ge0 => x _; exact: lev_ge0.
move: P0; rewrite le_eqVlt => /orP[/eqP z|//].
have lz x : lev h x = 0.
  have := lev_sum h; rewrite -z => /eqP; rewrite psumr_eq0; last first.
    by move=> y _; exact: lev_ge0.
  by move=> /allP /(_ x); rewrite mem_index_enum => /(_ isT) /eqP.
have vz x : V (true, x) = 0.
  apply/eqP; apply: contraTT D_gt0 => n.
  by have := proj2 (pd_inv pQ) _ n; rewrite -/(lev h x) lz ltxx.
have : \tr D = 0.
  rewrite /os_target big1 ?mxtrace0 // => x x1.
  by have := vz x; rewrite /os_vec /= x1 => ->; rewrite mul0mx.
by move=> e; move: D_gt0; rewrite e ltxx.
Qed.

Lemma frac01 : (st h).2 < S -> 0 < frac h <= 1.
Proof.
move=> lt; have P0 := os_pot_gt0; have s0 : 0 < S - (st h).2 by rewrite subr_gt0.
rewrite /os_frac; case: ifP => [l|_]; last by rewrite ltr01 lexx.
by rewrite divr_gt0 ?mulr_gt0 //= ler_pdivr_mulr // mul1r ltW.
Qed.

Lemma os_sum a : \sum_(o : bool * I) (if o.1 then a else 1 - a) * lev h o.2 / pot h = 1.
Proof.
rewrite (eq_bigr (fun o : bool * I =>
  (fun b x => (if b then a else 1 - a) * lev h x / pot h) o.1 o.2)); last by case.
rewrite -(pair_bigA _ (fun b x => (if b then a else 1 - a) * lev h x / pot h)) /=.
rewrite big_bool /= -!mulr_suml -!mulr_sumr lev_sum.
by have P0 := os_pot_gt0; field; rewrite gt_eqF.
Qed.

Lemma os_valid : (st h).2 < S -> valid_at V nu eta c S p w ds h.
Proof.
move=> lt; have P0 := os_pot_gt0; have /andP[f0 f1] := frac01 lt.
have s0 : 0 < S - (st h).2 by rewrite subr_gt0.
split.
- move=> [b x]; rewrite /os_law /os_prob /=; have l0 := lev_ge0 x.
  apply: mulr_ge0; last by rewrite invr_ge0 ltW.
  apply: mulr_ge0 => //; case: b; case: ifP => _; rewrite ?subrr ?ler01 //.
    exact: ltW.
  by rewrite subr_ge0.
- exact: os_sum.
- move=> [b x]; rewrite os_gapE /os_wt /=; have l0 := lev_ge0 x.
  have b0 : 0 <= (if coin then 1 else frac h) <= 1.
    by case: ifP => _; rewrite ?ler01 ?lexx //= ltW.
  have /andP[b1 b2] := b0; split; first by nn.
  have ev : qf (invmx (Q h)) (V (b, x)) = if b then lev h x else 0.
    by case: b; rewrite // /os_vec /= qf0v.
  rewrite ev; case: b ev => _; last by rewrite mulr0 ltW.
  have [->|n] := eqVneq (lev h x) 0; first by rewrite mulr0 ltW.
  by rewrite divfK // ler_pimull // ltW.
- move=> [b x] n; have bt : b by move: n; rewrite /os_vec /=; case: b; rewrite ?eqxx.
  rewrite bt in n *; have l0 : 0 < lev h x by apply: (proj2 (pd_inv pQ)).
  rewrite /os_law /os_prob /os_wt /os_step /=.
  have [cc|/negbTE cc] : coin \/ ~~ coin by case: (coin); [left | right].
    have ifc (y z : R) : (if coin then y else z) = y by rewrite cc.
    by rewrite !ifc; field; rewrite !gt_eqF.
  have ifc (y z : R) : (if coin then y else z) = z by rewrite cc.
  by rewrite !ifc; field; rewrite !gt_eqF.
- have e0 : 0 <= ds h by rewrite /os_step; nn.
  split=> //; rewrite -[pol_sig _ h]/((pol_acc V w h, pol_sig ds h).2) -os_stateE.
  rewrite -ler_subr_addl /os_step /os_frac ler_pdivr_mulr //.
  case: ifP => [_|/negbT]; first by rewrite divfK // gt_eqF.
  by rewrite mul1r -leNgt.
Qed.

End At.

Lemma os_policy h : reach (pol_stop S ds) h -> pd (pol_gap V nu c w ds h) ->
  ~~ pol_stop S ds h -> valid_at V nu eta c S p w ds h.
Proof.
rewrite os_gapE os_stopE /os_stop -ltNge => _ pQ lt; exact: os_valid.
Qed.

Lemma os_reach h : reach stop h = reach (pol_stop S ds) h.
Proof. by elim: h => [|o h IH] //=; rewrite IH os_stopE. Qed.

Lemma os_pd h : reach stop h -> pd (Q h).
Proof.
by rewrite os_reach -os_gapE; exact: (policy_pd nu_gt0 nu_lt1 eta_le c_gt0 os_policy).
Qed.

Lemma os_lt h : ~~ stop h -> (st h).2 < S. Proof. by rewrite /os_stop -ltNge. Qed.

Lemma os_law0 h o : reach stop h -> ~~ stop h -> 0 <= p h o.
Proof. by move=> rh ns; case: (os_valid (os_pd rh) (os_lt ns)). Qed.
Lemma os_law1 h : reach stop h -> ~~ stop h -> \sum_o p h o = 1.
Proof. by move=> rh ns; case: (os_valid (os_pd rh) (os_lt ns)). Qed.

Lemma run_sum_stop (q1 q2 : pred (seq (bool * I))) n f h : q1 =1 q2 ->
  run_sum p q1 n f h = run_sum p q2 n f h.
Proof.
move=> e; elim: n h => [|n IH] h /=; rewrite e //.
by case: ifP => // _; congr (_ + _); apply: eq_bigr => o _; rewrite IH.
Qed.

Lemma run_mean_stop (q1 q2 : pred (seq (bool * I))) n f h : q1 =1 q2 ->
  run_mean p q1 n f h = run_mean p q2 n f h.
Proof.
move=> e; elim: n h => [|n IH] h /=; rewrite e //.
by case: ifP => // _; apply: eq_bigr => o _; rewrite IH.
Qed.

Lemma os_clock n : run_sum p stop n (fun h => ds h * pot h) [::] <= S * \tr D / c.
Proof.
have pD : psd D by apply: psd_sum => x _; exact: psd_outer.
have := policy_clock nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 os_policy n pD.
rewrite (run_sum_stop _ _ _ os_stopE); congr (_ <= _); apply: rsum_eq => h.
by rewrite /os_pot os_gapE.
Qed.

(** Each step but the last uses eta of the clock. *)
Lemma os_steps n : run_sum p stop n (fun=> 1) [::] <= S * \tr D / (c * eta) + 1.
Proof.
have pD : psd D by apply: psd_sum => x _; exact: psd_outer.
pose W h := (S - (st h).2) * pot h / eta + (~~ stop h)%:R.
have sle h : reach stop h -> (st h).2 <= S.
  move=> rh; rewrite os_stateE /=; move: rh; rewrite os_reach.
  exact: (policy_sig nu_gt0 nu_lt1 eta_le c_gt0 S_gt0 os_policy).
have pot0 h : reach stop h -> 0 <= pot h by move/os_pd/os_pot_gt0/ltW.
apply: (@le_trans _ _ (W [::])); last first.
  have ns0 : ~~ stop [::] by rewrite /os_stop /= -ltNge.
  rewrite /W ns0 ler_add2r /os_pot /os_gap /=.
  rewrite mulr0 scale0r subr0 addr0 subr0 invmx_scalar mul_mx_scalar mxtraceZ.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite !gt_eqF.
apply: (rsum_super os_law0) => // h rh.
  have s0 : 0 <= S - (st h).2 by rewrite subr_ge0 sle.
  apply: addr_ge0; last exact: ler0n.
  by have := pot0 h rh; move: (pot h) => *; nn.
move=> ns; have P0 := os_pot_gt0 (os_pd rh); have lt := os_lt ns.
have e2 o : (st (o :: h)).2 = (st h).2 + ds h by [].
have m : \sum_o p h o * pot (o :: h) <= pot h.
  have rh' : reach (pol_stop S ds) h by rewrite -os_reach.
  have pQ' : pd (pol_gap V nu c w ds h) by rewrite os_gapE; exact: os_pd.
  have := policy_mean_tr nu_gt0 nu_lt1 eta_gt0 eta_le pQ' (os_valid (os_pd rh) lt) pD.
  rewrite os_gapE -/(pot h); congr (_ <= _).
  by apply: eq_bigr => o _; rewrite os_gapE.
rewrite /W ns.
have [small|big] := boolP ((S - (st h).2) * pot h < eta).
  have ed : ds h = S - (st h).2.
    by rewrite /os_step /os_frac small divfK ?gt_eqF // mulfK // gt_eqF.
  rewrite big1 => [|o _]; last first.
    have e3 : (st (o :: h)).2 = S by rewrite e2 ed addrC subrK.
    by rewrite /os_stop e3 lexx subrr !mul0r addr0 mulr0.
  rewrite addr0 ler_addr; apply: mulr_ge0; last by nn.
  by apply: mulr_ge0; [rewrite subr_ge0 sle | exact: ltW].
have ed : ds h = eta / pot h by rewrite /os_step /os_frac (negbTE big) mul1r.
have z0 : 0 <= S - ((st h).2 + ds h).
  by rewrite ed opprD addrA subr_ge0 ler_pdivr_mulr // leNgt.
apply: (@le_trans _ _ (1 + ((S - ((st h).2 + ds h)) / eta * pot h + 1))).
  rewrite ler_add2l.
  apply: (@le_trans _ _ (\sum_o ((S - ((st h).2 + ds h)) / eta * (p h o * pot (o :: h)) + p h o))).
    apply: ler_sum => o _; rewrite e2 mulrDr; apply: ler_add.
      by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
    by apply: ler_pimulr; [exact: os_law0 | rewrite -[1]/(1%:R) ler_nat leq_b1].
  rewrite big_split /= os_law1 // ler_add2r -mulr_sumr; apply: ler_wpmul2l => //.
  by move: z0; move: (S - _) => *; nn.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite ed.
rewrite -[true%:R]/(1 : R).
by move: (st h).2 (pot h) P0 => a b b0; field; rewrite !gt_eqF.
Qed.

Lemma os_length n : run_mean p stop n (fun h => (size h)%:R) [::] <=
  S * \tr D / (c * eta) + 1.
Proof. by rewrite (rmean_size os_law1); exact: os_steps. Qed.

Lemma os_late n : run_chance p stop n (fun h => ~~ stop h) <=
  (S * \tr D / (c * eta) + 1) / n.+1%:R.
Proof.
rewrite ler_pdivl_mulr ?ltr0n // mulrC.
apply: le_trans (rlate os_law0 os_law1 n (h := [::]) isT) _.
exact: os_steps.
Qed.

(** With the coin: the number of draws that are bought. *)
Lemma os_draws n : coin ->
  run_mean p stop n (fun h => (count fst h)%:R) [::] <= S * \tr D / (c * eta).
Proof.
move=> isc; have ifc (y z : R) : (if coin then y else z) = y by rewrite isc.
rewrite (rmean_count (f := fun h => eta^-1 * (ds h * pot h)) n) //.
  rewrite add0r rsumZ; apply: le_trans (ler_wpmul2l _ (os_clock n)) _; first by nn.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite !gt_eqF.
move=> h rh ns /=; have P0 := os_pot_gt0 (os_pd rh).
rewrite (eq_bigr (fun o : bool * I => p h o * (count fst h)%:R + p h o * (o.1 : nat)%:R));
  last by move=> o _; rewrite natrD mulrDr addrC.
rewrite big_split /= -mulr_suml os_law1 // mul1r; congr (_ + _).
rewrite (eq_bigr (fun o : bool * I => (fun b x =>
   (if b then frac h * lev h x / pot h else 0)) o.1 o.2)); last first.
  move=> [b x] _; rewrite /os_law /os_prob ifc /=.
  by case: b; rewrite ?mulr1 ?mulr0.
rewrite -(pair_bigA _ (fun b x => if b then frac h * lev h x / pot h else 0)) /=.
rewrite big_bool /= [X in _ + X]big1 // addr0 -mulr_suml -mulr_sumr lev_sum.
by rewrite /os_step; field; rewrite !gt_eqF.
Qed.

End Algorithm.
