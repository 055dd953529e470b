(** The two-sided method with X2 kept, ended exactly at r = T by clip or coin:
    the clock does not overshoot, so no bound gets worse when R_X is small.

      te_inv       == both gaps stay positive definite
      te_sums      == E sum ds Phi <= k T R/g^2
      te_draws     == at most that many labels are expected with the coin
      te_length, te_late == one more draw in any case; late runs
      te_spectrum  == surely M >= L/T at the end of a run
      te_excess, te_loss == the expected excess and loss of finished runs *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Regression SureStop.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Move.
From Asura Require Import Beyond.Chain Beyond.Policy Beyond.OneSided.
From Asura Require Import Beyond.OneSidedData Beyond.Gaps Beyond.TwoSided.
From Asura Require Import Beyond.TwoSidedRun Beyond.TwoSidedData.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Runs.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (g T : R) (coin : bool).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis T_gt0 : 0 < T.
Hypothesis rk_gt0 : 0 < ts_rank U X1.

Local Notation W := (os_vec U X1).
Local Notation D := (os_target U X1).
Local Notation rk := (ts_rank U X1).
Local Notation kap := (1 - 4%:R * g ^+ 2).
Local Notation hi s := (ts_hi U X1 g s).
Local Notation low s := (ts_low U X1 g s).
Local Notation brk s := (ts_brk U X1 g s).
Local Notation pot s := (ts_pot U X1 g s).
Local Notation G := (te_goal U X1 g T).
Local Notation frac s := (te_frac U X1 g T s).
Local Notation pr s o := (te_prob U X1 g T coin s o).
Local Notation wt s o := (te_wt U X1 g T coin s o).
Local Notation next s o := (te_next U X1 g T coin s o).
Local Notation st h := (te_state U X1 g T coin h).
Local Notation p := (te_law U X1 g T coin).
Local Notation ds h := (frac (st h) / pot (st h)).
Local Notation stop := (te_stop U X1 g T coin).

Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.
Lemma te_goal_gt0 : 0 < G.
Proof. by rewrite /te_goal; move: k0; move: (kap) => *; ps. Qed.

Section At.
Variable s : 'M[R]_d * R.
Hypothesis pP : pd (hi s).
Hypothesis pQ : pd (low s).
Hypothesis s_lt : s.2 < G.
Local Notation F := (pot s).
Let F0 : 0 < F := ts_pot_gt0 rk_gt0 pP pQ.
Let G0 : 0 < G - s.2. Proof. by rewrite subr_gt0. Qed.

Lemma te_frac01 : 0 < frac s <= 1.
Proof.
rewrite /te_frac; case: ifP => [l|_]; last by rewrite ltr01 lexx.
by rewrite mulr_gt0 //= ltW.
Qed.
Lemma te_step_le : s.2 + frac s / F <= G.
Proof.
rewrite -ler_subr_addl /te_frac ler_pdivr_mulr //.
by case: ifP => [_|/negbT]; rewrite -?leNgt.
Qed.
Let f0 : 0 < frac s. Proof. by case/andP: te_frac01. Qed.
Let f1 : frac s <= 1. Proof. by case/andP: te_frac01. Qed.

Lemma te_vecT x : W (true, x) = ts_vec U X1 x.
Proof. by rewrite /os_vec /ts_vec. Qed.
Lemma te_qf o : qf (brk s) (W o) = if o.1 then qf (brk s) (ts_vec U X1 o.2) else 0.
Proof. by case: o => [[] x]; rewrite ?te_vecT // /os_vec /= qf0v. Qed.

Lemma te_pr0 o : 0 <= pr s o.
Proof.
apply: mulr_ge0; last exact: ts_pr_ge0.
case: o.1; case: ifP => _; rewrite ?subrr ?ler01 //; first exact: ltW.
by rewrite subr_ge0.
Qed.
Lemma te_pr1 : \sum_o pr s o = 1.
Proof.
rewrite /te_prob; move: (if coin then _ else _) => a.
rewrite (eq_bigr (fun o : bool * I =>
  (fun b x => (if b then a else 1 - a) * ts_prob U X1 g s x) o.1 o.2)); last by case.
rewrite -(pair_bigA _ (fun b x => (if b then a else 1 - a) * ts_prob U X1 g s x)) /=.
by rewrite big_bool /= -!mulr_sumr ts_pr_sum // !mulr1 addrC subrK.
Qed.
Lemma te_part : 0 <= (if coin then 1 else frac s) <= 1.
Proof. by case: (coin); rewrite ?ler01 ?lexx // ltW. Qed.
Lemma te_wt0 o : 0 <= wt s o.
Proof. by apply: mulr_ge0; [case/andP: te_part | exact: ts_wt_ge0]. Qed.
Lemma te_wt_le o : wt s o * qf (brk s) (W o) <= g.
Proof.
rewrite te_qf; case: o.1; last by rewrite mulr0 ltW.
case/andP: te_part => a0 a1; rewrite /te_wt -mulrA.
have le := @ts_wt_le _ _ _ U X1 g g_gt0 s o.2.
apply: le_trans le; apply: ler_pimull => //.
by apply: mulr_ge0; [exact: ts_wt_ge0 | exact/(proj2 (pd_psd (ts_brk_pd pP pQ)))].
Qed.
Lemma te_pw o : W o != 0 -> pr s o * wt s o = g * (frac s / F).
Proof.
case: o => [b x]; case: b; last by rewrite /os_vec /= eqxx.
rewrite te_vecT => n; have := ts_pw rk_gt0 pP pQ n.
rewrite /te_prob /te_wt /=; move: (ts_prob _ _ _ _ _) (ts_wt _ _ _ _ _) => a b e.
by case: (coin); rewrite mulrACA e; ring.
Qed.
Lemma te_e0 : 0 <= frac s / F. Proof. by move: f0 F0; move: (frac s) F => *; nn. Qed.

Lemma te_hi_next o : hi (next s o) = hi s
  + (g / (1 - 2%:R * g) * (frac s / F)) *: pol_target W - wt s o *: (W o *m (W o)^T).
Proof.
rewrite os_targetE /ts_hi /te_next /=; move: (wt s o *: _) (s.1) (D) => A B C.
apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
by ring.
Qed.
Lemma te_low_next o : low (next s o) = low s
  - (g / (1 + 2%:R * g) * (frac s / F)) *: pol_target W + wt s o *: (W o *m (W o)^T).
Proof.
rewrite os_targetE /ts_low /te_next /=; move: (wt s o *: _) (s.1) (D) => A B C.
apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
by ring.
Qed.

Lemma te_next_pd o : pd (hi (next s o)) /\ pd (low (next s o)).
Proof.
rewrite te_hi_next te_low_next; split.
  exact: (gaps_hi_pd g_gt0 g_lt pP pQ te_wt0 te_wt_le te_e0).
exact: (gaps_low_pd g_gt0 pP pQ te_pr0 te_pr1 te_wt0 te_wt_le te_pw).
Qed.

Lemma te_mean_tr M : psd M ->
  \sum_o pr s o * \tr (M *m brk (next s o)) <= \tr (M *m brk s).
Proof.
move=> pM; under eq_bigr do rewrite /ts_brk te_hi_next te_low_next.
exact: (gaps_mean_tr g_gt0 g_lt pP pQ te_pr0 te_pr1 te_wt0 te_wt_le te_pw te_e0 pM).
Qed.

End At.

Lemma te_lt h : ~~ stop h -> (st h).2 < G. Proof. by rewrite /te_stop -ltNge. Qed.

Lemma te_inv h : reach stop h -> pd (hi (st h)) /\ pd (low (st h)).
Proof.
elim: h => [_|o h IH /= /andP[ns rh]].
  have c0 : pd ((2%:R * rk / g)%:M : 'M[R]_d).
    by rewrite -scalemx1; apply: pdZ; [ps | exact: pd1].
  by rewrite /ts_hi /ts_low /= mulr0 !mul0r scale0r add0r !subr0 addr0.
by have [pP pQ] := IH rh; exact: (te_next_pd pP pQ (te_lt ns)).
Qed.

Lemma te_law0 h o : reach stop h -> ~~ stop h -> 0 <= p h o.
Proof. by move=> rh ns; have [pP pQ] := te_inv rh; exact: (te_pr0 pP pQ (te_lt ns)). Qed.
Lemma te_law1 h : reach stop h -> ~~ stop h -> \sum_o p h o = 1.
Proof. by move=> rh ns; have [pP pQ] := te_inv rh; exact: te_pr1. Qed.
Lemma te_pot0 h : reach stop h -> 0 < pot (st h).
Proof. by move=> rh; have [pP pQ] := te_inv rh; exact: ts_pot_gt0. Qed.

Lemma te_sle h : reach stop h -> (st h).2 <= G.
Proof.
case: h => [_|o h /= /andP[ns rh]]; first exact/ltW/te_goal_gt0.
by have [pP pQ] := te_inv rh; exact: (te_step_le pP pQ).
Qed.
Lemma te_sge h : reach stop h -> 0 <= (st h).2.
Proof.
elim: h => [_|o h IH /= /andP[ns rh]] //; apply: addr_ge0; first exact: IH.
by have [pP pQ] := te_inv rh; exact: (te_e0 pP pQ (te_lt ns)).
Qed.
Lemma te_end h : reach stop h -> stop h -> (st h).2 = G.
Proof. by move=> rh sh; apply/eqP; rewrite eq_le te_sle. Qed.

Lemma te_start : pot (st [::]) = g.
Proof.
rewrite /ts_pot /ts_brk /ts_hi /ts_low /= mulr0 !mul0r scale0r add0r !subr0 addr0.
rewrite !invmx_scalar -raddfD /= mul_mx_scalar mxtraceZ -/rk.
by field; rewrite !gt_eqF.
Qed.

Lemma te_pot_super h : reach stop h -> ~~ stop h ->
  \sum_o p h o * pot (st (o :: h)) <= pot (st h).
Proof.
move=> rh ns; have [pP pQ] := te_inv rh.
exact: (te_mean_tr pP pQ (te_lt ns) (tD_psd U X1)).
Qed.

Lemma te_sums n : run_sum p stop n (fun h => ds h * pot (st h)) [::] <= G * g.
Proof.
rewrite -[X in _ <= _ * X]te_start.
apply: (@chain_clock _ _ p stop te_law0 te_law1 (fun h => (st h).2)
  (fun h => ds h) (fun h => pot (st h)) G (fun h o _ _ => erefl) te_sle n erefl).
- by move=> h rh; exact/ltW/te_pot0.
- exact: te_pot_super.
Qed.

(** Each step but the last uses 1 of the clock. *)
Lemma te_steps n : run_sum p stop n (fun=> 1) [::] <= G * g + 1.
Proof.
pose V h := (G - (st h).2) * pot (st h) + (~~ stop h)%:R.
apply: (@le_trans _ _ (V [::])); last first.
  have ns0 : ~~ stop [::] by rewrite /te_stop -ltNge; exact: te_goal_gt0.
  by rewrite /V ns0 te_start subr0.
apply: (rsum_super te_law0) => // h rh.
  have s0 : 0 <= G - (st h).2 by rewrite subr_ge0 te_sle.
  by apply: addr_ge0; [apply: mulr_ge0 => //; exact/ltW/te_pot0 | exact: ler0n].
move=> ns; have P0 := te_pot0 rh; have lt := te_lt ns.
have e2 o : (st (o :: h)).2 = (st h).2 + ds h by [].
have m := te_pot_super rh ns; rewrite /V ns.
have [small|big] := boolP ((G - (st h).2) * pot (st h) < 1).
  have ed : ds h = G - (st h).2 by rewrite /te_frac small mulfK ?gt_eqF.
  rewrite big1 => [|o _]; last first.
    have e3 : (st (o :: h)).2 = G by rewrite e2 ed addrC subrK.
    by rewrite /te_stop e3 lexx subrr !mul0r addr0 mulr0.
  rewrite addr0 ler_addr; apply: mulr_ge0; last exact: ltW.
  by rewrite subr_ge0 te_sle.
have ed : ds h = (pot (st h))^-1 by rewrite /te_frac (negbTE big) mul1r.
have z0 : 0 <= G - ((st h).2 + ds h).
  by rewrite ed opprD addrA subr_ge0 -[_^-1]mul1r ler_pdivr_mulr // leNgt.
apply: (@le_trans _ _ (1 + ((G - ((st h).2 + ds h)) * pot (st h) + 1))).
  rewrite ler_add2l.
  apply: (@le_trans _ _ (\sum_o ((G - ((st h).2 + ds h)) * (p h o * pot (st (o :: h)))
     + p h o))).
    apply: ler_sum => o _; rewrite e2 mulrDr; apply: ler_add.
      by rewrite mulrCA.
    by apply: ler_pimulr; [exact: te_law0 | rewrite -[1]/(1%:R) ler_nat leq_b1].
  by rewrite big_split /= te_law1 // ler_add2r -mulr_sumr; apply: ler_wpmul2l.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite ed -[true%:R]/(1 : R).
by move: (st h).2 (pot (st h)) P0 => a b b0; field; rewrite !gt_eqF.
Qed.

Lemma te_length n : run_mean p stop n (fun h => (size h)%:R) [::] <= G * g + 1.
Proof. by rewrite (rmean_size te_law1); exact: te_steps. Qed.

Lemma te_late n : run_chance p stop n (fun h => ~~ stop h) <= (G * g + 1) / n.+1%:R.
Proof.
rewrite ler_pdivl_mulr ?ltr0n // mulrC.
apply: le_trans (rlate te_law0 te_law1 n (h := [::]) isT) _.
exact: te_steps.
Qed.

(** With the coin: the number of draws that are bought. *)
Lemma te_draws n : coin ->
  run_mean p stop n (fun h => (count fst h)%:R) [::] <= G * g.
Proof.
move=> isc; have ifc (y z : R) : (if coin then y else z) = y by rewrite isc.
rewrite (rmean_count (f := fun h => ds h * pot (st h)) n) //.
  by rewrite add0r; exact: te_sums.
move=> h rh ns /=; have P0 := te_pot0 rh; have [pP pQ] := te_inv rh.
rewrite (eq_bigr (fun o : bool * I => p h o * (count fst h)%:R + p h o * (o.1 : nat)%:R));
  last by move=> o _; rewrite natrD mulrDr addrC.
rewrite big_split /= -mulr_suml te_law1 // mul1r; congr (_ + _).
rewrite (eq_bigr (fun o : bool * I => (fun b x =>
   (if b then frac (st h) * ts_prob U X1 g (st h) x else 0)) o.1 o.2)); last first.
  move=> [b x] _; rewrite /te_law /te_prob ifc /=.
  by case: b; rewrite ?mulr1 ?mulr0.
rewrite -(pair_bigA _ (fun b x => if b then frac (st h) * ts_prob U X1 g (st h) x else 0)) /=.
rewrite big_bool /= [X in _ + X]big1 // addr0 -mulr_sumr ts_pr_sum // mulr1.
by rewrite divfK // gt_eqF.
Qed.

End Runs.

(** ** On the data. *)
Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I).
Variables (g T delta : R) (coin : bool).
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Hypothesis T_gt0 : 0 < T.

Local Notation U := (white X P).
Local Notation W := (os_vec U X1).
Local Notation D := (os_target U X1).
Local Notation rk := (ts_rank U X1).
Local Notation kap := (1 - 4%:R * g ^+ 2).
Local Notation G := (te_goal U X1 g T).
Local Notation st h := (te_state U X1 g T coin h).
Local Notation brk s := (ts_brk U X1 g s).
Local Notation pot s := (ts_pot U X1 g s).
Local Notation frac s := (te_frac U X1 g T s).
Local Notation wt h o := (te_wt U X1 g T coin (st h) o).
Local Notation ds h := (frac (st h) / pot (st h)).
Local Notation p := (te_law U X1 g T coin).
Local Notation stop := (te_stop U X1 g T coin).
Local Notation weight h := (te_weight U X1 g T coin h).
Local Notation fit h := (weighted_fit X Y (weight h)).
Local Notation res := (resid X Y).
Local Notation opt1 := (opt_on X Y X1).

Let rk_gt0 : 0 < rk. Proof. by rewrite /ts_rank (os_rank X1 whP). Qed.
Let g2 : 0 < 1 - 2%:R * g := g2_gt0 g_lt.
Let p2 : 0 < 1 + 2%:R * g := p2_gt0 g_gt0.
Let k0 : 0 < kap := kap_gt0 g_gt0 g_lt.
Let G0 : 0 < G := te_goal_gt0 g_gt0 g_lt T_gt0 rk_gt0.
Local Notation inv := (te_inv (T := T) (coin := coin) g_gt0 g_lt rk_gt0).

Lemma te_goalE : G * g = kap * T * reduced_rank X X1 / g ^+ 2.
Proof. by rewrite /te_goal /ts_rank (os_rank X1 whP); field; rewrite gt_eqF. Qed.

Lemma te_acc h : (st h).1 = dsum (fun h' o => wt h' o *: (W o *m (W o)^T)) h.
Proof. by elim: h => [|o h IH] //=; rewrite -IH. Qed.

(** ** The labels. *)
Lemma te_kept h : kept X1 (weight h).
Proof. by move=> x /negbTE n; rewrite /te_weight n. Qed.
Lemma te_read h x : X1 x -> weight h x != 0 -> (true, x) \in h.
Proof.
rewrite /te_weight => ->; apply: contraR => n.
by rewrite drawn_mem ?mul0r.
Qed.
Lemma te_bought h : (bought X1 (weight h) <= count fst h)%N.
Proof.
rewrite -size_filter -(size_map snd).
apply: leq_trans (card_size _); apply: subset_leq_card; apply/subsetP => x.
rewrite inE => /andP[x1 nz]; apply/mapP; exists (true, x) => //.
by rewrite mem_filter /= te_read.
Qed.
Lemma te_local h (Y' : I -> R) :
  (forall x, ((true, x) \in h) || ~~ X1 x -> Y x = Y' x) ->
  fit h = weighted_fit X Y' (weight h).
Proof.
move=> e; apply: weighted_local => x n; apply: e.
by case: (boolP (X1 x)) => x1; rewrite ?orbT //= te_read.
Qed.

Lemma te_gram h : P^T *m weighted_gram X (weight h) *m P =
  (g * G)^-1 *: (st h).1 + (1%:M - D).
Proof.
have conj x : P^T *m (X x *m (X x)^T) *m P = U x *m (U x)^T.
  by rewrite /white trmx_mul trmxK !mulmxA.
rewrite /weighted_gram mulmx_sumr mulmx_suml.
rewrite (eq_bigr (fun x => weight h x *: (U x *m (U x)^T))); last first.
  by move=> x _; rewrite -scalemxAr -scalemxAl conj.
rewrite (bigID X1) /= -(os_compl X1 whP); congr (_ + _); last first.
  by apply: eq_bigr => x n; rewrite te_kept // scale1r.
rewrite te_acc -(drawn_sum id (fun h' o => wt h' o) (fun o => W o *m (W o)^T)).
rewrite (os_pairs (X1 := X1)).
- rewrite scaler_sumr; apply: eq_bigr => x x1.
  by rewrite /te_weight x1 /os_vec /= x1 scalerA mulrC.
- by move=> x; rewrite /os_vec /= mul0mx scaler0.
- by move=> x /negbTE n; rewrite /os_vec /= n mul0mx scaler0.
Qed.

Hypothesis delta_ge0 : 0 <= delta.
Hypothesis D_le : psd (delta%:M - D).
Local Notation L := ((1 - 2%:R * g * delta / (1 + 2%:R * g)) * T - 2%:R * g / kap).

(* slug: two-sided *)
Lemma te_spectrum h : reach stop h -> stop h ->
  psd (weighted_gram X (weight h) - (L / T) *: gram X).
Proof.
move=> rh sh; have uP := P_unit whP; apply: psd_leP.
- by rewrite linearZ /= (G_sym X).
- exact: weighted_gram_sym.
move=> v; have -> : v = P *m (invmx P *m v) by rewrite mulKVmx.
move: (invmx P *m v) => z; rewrite qfZ !qf_mul te_gram whP.
have [_ /pd_psd pl] := inv rh.
have c1 : 0 <= (g * G)^-1 by nn.
have c2 : 0 <= 2%:R * g / (1 + 2%:R * g) by nn.
have := psdD (psdZ c1 pl) (psdZ c2 D_le).
have -> : (g * G)^-1 *: ts_low U X1 g (st h) +
    2%:R * g / (1 + 2%:R * g) *: (delta%:M - D) =
  ((g * G)^-1 *: (st h).1 + (1%:M - D)) - (L / T) *: 1%:M.
  rewrite /ts_low (te_end g_gt0 g_lt T_gt0 rk_gt0 rh sh) /te_goal.
  move: (st h).1 (D) => A C.
  apply/matrixP => i j; rewrite !mxE; move: (A i j) (C i j) => a c.
  have kE : kap = (1 - 2%:R * g) * (1 + 2%:R * g) by ring.
  by rewrite kE; case: (i == j) => /=; field; rewrite !gt_eqF.
by move/(psd_le z); rewrite qfZ.
Qed.

(** ** The noise. *)
Local Notation e := (fun o : bool * I => if o.1 && X1 o.2 then res o.2 else 0).
Local Notation bias := (pol_bias W e).
Definition te_noise h : 'cV[R]_d :=
  dsum (fun h' o => (wt h' o * e o) *: W o) h - (g * (st h).2) *: bias.

Lemma te_noiseE h : reach stop h -> stop h ->
  noise_size X Y X1 (weight h) = sqn (te_noise h) / (g * G) ^+ 2.
Proof.
move=> rh sh; rewrite /noise_size -(PPt whP).
have -> : P *m P^T = (P^T)^T *m 1%:M *m P^T by rewrite trmxK mulmx1.
rewrite -qf_mul -/(sqn _).
have gs : 0 < g * G by ps.
have -> : P^T *m noise_vector X Y X1 (weight h) = (g * G)^-1 *: te_noise h.
  rewrite /te_noise (te_end g_gt0 g_lt T_gt0 rk_gt0 rh sh).
  rewrite scalerBr scalerA mulVf ?gt_eqF // scale1r.
  rewrite /pol_bias (os_pairs (X1 := X1) (F := fun o => e o *: W o)); first last.
  - by move=> x /negbTE n; rewrite /os_vec /= n scaler0.
  - by move=> x; rewrite /os_vec /= scaler0.
  have -> : dsum (fun h' o => (wt h' o * e o) *: W o) h =
    \sum_o drawn_weight id (fun h' o => wt h' o) h o *: (e o *: W o).
    by rewrite drawn_sum; apply: eq_dsum => h' o; rewrite scalerA.
  rewrite (os_pairs (X1 := X1)); first last.
  - by move=> x /negbTE n; rewrite /os_vec /= n !scaler0.
  - by move=> x; rewrite /os_vec /= !scaler0.
  rewrite /noise_vector mulmx_sumr scaler_sumr -sumrB; apply: eq_bigr => x x1.
  rewrite /te_weight /os_vec /= x1 -scalemxAr -/(white X P x) !scalerA -scalerBl.
  by congr (_ *: _); ring.
by rewrite /sqn qfZv mulrC exprVn.
Qed.

Local Notation r h := (g ^+ 3 * (st h).2 / (kap * rk)).
Local Notation dr h := (g ^+ 3 * ds h / (kap * rk)).

Lemma te_moment_step h : reach stop h -> ~~ stop h ->
  \sum_o p h o * sqn (te_noise (o :: h)) <= sqn (te_noise h) +
  opt1 * (rk ^+ 2 * kap / g ^+ 2) * ((1 + delta * r h) * dr h).
Proof.
move=> rh ns; have [pP pQ] := inv rh.
have lt := te_lt ns; have F0 := ts_pot_gt0 rk_gt0 pP pQ.
have s0 := te_sge g_gt0 g_lt rk_gt0 rh.
have r1 : 0 < 1 + delta * r h.
  by have := ts_r0 g_gt0 g_lt rk_gt0 s0; move: (r h) => *; ps.
have e0 := te_e0 rk_gt0 pP pQ lt.
pose m := (g * ds h) *: bias.
have mean : \sum_o p h o *: ((wt h o * e o) *: W o) = m.
  rewrite /m /pol_bias scaler_sumr; apply: eq_bigr => o _.
  have [->|n] := eqVneq (W o) 0; first by rewrite !scaler0.
  by rewrite !scalerA mulrA (te_pw T coin rk_gt0 pP pQ n).
have step o : te_noise (o :: h) = te_noise h + ((wt h o * e o) *: W o - m).
  have e2 : g * (st (o :: h)).2 = g * (st h).2 + g * ds h by rewrite /= mulrDr.
  rewrite {1}/te_noise e2 scalerDl opprD -/m [dsum _ (o :: h)]/= /te_noise !addrA.
  by congr (_ - _); rewrite addrAC.
under eq_bigr do rewrite step.
apply: le_trans (centred_moment _ (te_law1 g_gt0 g_lt rk_gt0 rh ns) mean) _.
rewrite ler_add2l -(os_opt X Y X1) -[X in _ <= X]mulrA mulr_suml.
apply: ler_sum => o _; have [z|n] := eqVneq (W o) 0.
  rewrite z scaler0 /sqn qf0v mulr0.
  apply: mulr_ge0; first exact: sqr_ge0.
  by move: k0 e0 r1; move: (kap) (ds h) (1 + delta * _) => *; nn.
have q0 : 0 < qf (brk (st h)) (W o) by apply: (proj2 (ts_brk_pd pP pQ)).
have le : sqn (W o) / qf (brk (st h)) (W o) <= rk * (1 + delta * r h) / g.
  rewrite ler_pdivr_mulr //.
  have := psd_le (W o) (ts_brk_ge g_gt0 g_lt rk_gt0 pP pQ delta_ge0 D_le s0).
  rewrite -scalemx1 qfZ -/(sqn _) => b.
  have -> : sqn (W o) = rk * (1 + delta * r h) / g *
    (g / (rk * (1 + delta * r h)) * sqn (W o)).
    by move: r1; move: (1 + _) => *; field; rewrite !gt_eqF.
  by apply: ler_wpmul2l => //; move: r1; move: (1 + _) => *; nn.
have wl : wt h o * sqn (W o) <= g * (rk * (1 + delta * r h) / g).
  apply: (@le_trans _ _ (g * (sqn (W o) / qf (brk (st h)) (W o)))); last first.
    by apply: ler_wpmul2l => //; exact: ltW.
  rewrite mulrA ler_pdivl_mulr // mulrAC; apply: ler_wpmul2r; first exact: sqn_ge0.
  exact: te_wt_le.
have -> : p h o * sqn ((wt h o * e o) *: W o) =
  g * ds h * (e o ^+ 2 * (wt h o * sqn (W o))).
  have pw : p h o * wt h o = g * ds h by exact: te_pw.
  rewrite -pw /sqn qfZv; move: (p h o) (wt h o) (qf _ _) (e o) => a b c z.
  by ring.
apply: (@le_trans _ _ (g * ds h * (e o ^+ 2 * (g * (rk * (1 + delta * r h) / g))))).
  apply: ler_wpmul2l; first by apply: mulr_ge0 => //; exact: ltW.
  by apply: ler_wpmul2l => //; exact: sqr_ge0.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (e o) (ds h) (1 + _) => a b c.
by move: k0; move: (kap) => *; field; rewrite !gt_eqF.
Qed.

Lemma te_moment n : run_mean p stop n (fun h => sqn (te_noise h)) [::] <=
  opt1 * (rk ^+ 2 * kap / g ^+ 2) * (T + delta * T ^+ 2 / 2%:R).
Proof.
have K0 : 0 <= opt1 * (rk ^+ 2 * kap / g ^+ 2).
  apply: mulr_ge0; first by apply: sumr_ge0 => x _; exact: sqr_ge0.
  by move: k0; move: (kap) => *; nn.
have c1 : 0 <= (kap * rk)^-1 by move: k0; move: (kap) => *; nn.
have c0 : 0 <= g ^+ 3 by nn.
have rle h : reach stop h -> r h <= T.
  move=> rh; have eT : g ^+ 3 * G / (kap * rk) = T.
    by rewrite /te_goal; field; rewrite !gt_eqF.
  rewrite -[X in _ <= X]eT; apply: ler_wpmul2r => //; apply: ler_wpmul2l => //.
  exact: (te_sle g_gt0 g_lt T_gt0 rk_gt0 rh).
have r0 h : reach stop h -> 0 <= r h.
  move=> rh; apply: mulr_ge0 => //; apply: mulr_ge0 => //.
  exact: (te_sge g_gt0 g_lt rk_gt0 rh).
have rc h (o : bool * I) : reach stop h -> ~~ stop h -> r (o :: h) = r h + dr h.
  by move=> _ _; rewrite /= mulrDr mulrDl.
have rn : r [::] = 0 by rewrite /= mulr0 mul0r.
have := @chain_moment_at _ _ p stop
  (te_law0 g_gt0 g_lt rk_gt0) (te_law1 g_gt0 g_lt rk_gt0) (fun h => r h)
  (fun h => dr h) T rc rle n delta _
  (fun h => sqn (te_noise h)) delta_ge0 K0 rn r0 te_moment_step.
by rewrite {2}/te_noise /= mulr0 scale0r subr0 /sqn qf0v add0r.
Qed.

Hypothesis L_gt0 : 0 < L.
Local Notation const := (g ^+ 2 / kap * (T + delta * T ^+ 2 / 2%:R) / L ^+ 2).

(* slug: two-sided *)
Theorem te_excess n :
  run_mean p stop n (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  const * opt1.
Proof.
have a0 : 0 < L / T by apply: divr_gt0.
apply: (@le_trans _ _ (run_mean p stop n
  (fun h => (((g * G) * (L / T)) ^+ 2)^-1 * sqn (te_noise h)) [::])).
  apply: rmean_mono => //; first by move=> h o; exact: te_law0.
  move=> h rh; case: (boolP (stop h)) => sh; rewrite ?mul1r ?mul0r; last first.
    by apply: mulr_ge0; [rewrite invr_ge0 sqr_ge0 | exact: sqn_ge0].
  have := weighted_excess Y (G_unit whP) (@te_kept h) a0 (te_spectrum rh sh).
  rewrite te_noiseE // => le; apply: le_trans le _.
  set b := g * G; set c := L / T; rewrite [(b * c) ^+ 2]exprMn [(b ^+ 2 * _)^-1]invfM.
  by rewrite [X in _ <= X]mulrC mulrA.
rewrite rmeanZ; apply: le_trans (ler_wpmul2l _ (te_moment n)) _.
  by rewrite invr_ge0 sqr_ge0.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /te_goal.
move: L_gt0; move: L => y y0; move: k0; move: (kap) => k k1.
move: rk_gt0; move: (ts_rank _ _) => z z0.
by field; rewrite !gt_eqF.
Qed.

Theorem te_loss n beta :
  run_mean p stop n (fun h => (stop h)%:R * loss X Y (fit h)) [::] <=
  (1 + const) * loss X Y beta.
Proof.
have q0 := te_law0 (T := T) (coin := coin) g_gt0 g_lt rk_gt0.
have q1 := te_law1 (T := T) (coin := coin) g_gt0 g_lt rk_gt0.
have c0 : 0 <= const.
  move: L_gt0; move: L => y y0; move: k0; move: (kap) => k k1.
  by have t := ltW T_gt0; nn.
apply: (@le_trans _ _ ((1 + const) * opt X Y)); last first.
  by apply: ler_wpmul2l; [apply: addr_ge0; [exact: ler01|] | exact: (opt_min Y whP)].
have o1 : opt1 <= opt X Y.
  rewrite optE /opt_on [X in _ <= X](bigID X1) /= ler_addl.
  by apply: sumr_ge0 => x _; exact: sqr_ge0.
rewrite mulrDl mul1r.
apply: le_trans (ler_add (lexx _) (le_trans (te_excess n) (ler_wpmul2l c0 o1))).
rewrite -[X in X + _](rmean_const q1 n (opt X Y) (h := [::])) // -rmeanD.
apply: (rmean_mono q0) => // h _.
by case: (stop h); rewrite ?mul1r ?mul0r ?addr0 ?(opt_ge0 X Y) // addrC subrK.
Qed.

End Data.
