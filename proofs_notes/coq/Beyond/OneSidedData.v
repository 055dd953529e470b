(** One-sided sampling of X1 on the data: which labels are bought, the
    spectrum, the expected excess.

      os_spectrum  == surely M >= 1 - nu delta - c/S at the end of a run
      os_loss      == E[loss of finished runs] <= (1 + const) loss(beta)
      one_sided_N  == the same with N, the expected number of labels
      one_sided_y  == nu = y^2, R = N y^3: the constant is explicit *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression SureStop.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Move.
From Asura Require Import Beyond.Chain Beyond.Policy Beyond.OneSided.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I).
Variables (nu eta c S delta : R) (coin : bool).
Hypothesis whP : whitens X P.
Hypothesis nu_gt0 : 0 < nu.
Hypothesis nu_lt1 : nu < 1.
Hypothesis eta_gt0 : 0 < eta.
Hypothesis eta_le : eta * (1 - nu ^+ 2) <= nu.
Hypothesis c_gt0 : 0 < c.
Hypothesis S_gt0 : 0 < S.
Hypothesis R_gt0 : 0 < reduced_rank X X1.

Local Notation U := (white X P).
Local Notation V := (os_vec U X1).
Local Notation D := (os_target U X1).
Local Notation st h := (os_state U X1 nu eta c S coin h).
Local Notation p := (os_law U X1 nu eta c S coin).
Local Notation w := (fun h o => os_wt U X1 nu eta c S coin (st h) o).
Local Notation ds := (fun h => os_step U X1 nu eta c S (st h)).
Local Notation stop := (os_stop U X1 nu eta c S coin).
Local Notation weight h := (os_weight U X1 nu eta c S coin h).
Local Notation fit h := (weighted_fit X Y (weight h)).
Local Notation isoU := (isoU whP).
Local Notation uG := (G_unit whP).

Lemma os_rank : \tr D = reduced_rank X X1.
Proof. exact: (trace_identity whP). Qed.
Let D_gt0 : 0 < \tr D. Proof. by rewrite os_rank. Qed.
Local Notation os_policy := (os_policy (coin := coin) eta_gt0 D_gt0).

(** Sums over outcomes are sums over X1. *)
Lemma os_pairs (Z : zmodType) (F : bool * I -> Z) :
  (forall x, F (false, x) = 0) -> (forall x, ~~ X1 x -> F (true, x) = 0) ->
  \sum_o F o = \sum_(x | X1 x) F (true, x).
Proof.
move=> f0 f1; rewrite (eq_bigr (fun o : bool * I => (fun b x => F (b, x)) o.1 o.2));
  last by case.
rewrite -(pair_bigA _ (fun b x => F (b, x))) /= big_bool /=.
rewrite [X in _ + X]big1 ?addr0 // [RHS]big_mkcond /=; apply: eq_bigr => x _.
by case: (boolP (X1 x)) => // n; rewrite f1.
Qed.

Lemma os_compl : \sum_(x | ~~ X1 x) U x *m (U x)^T = 1%:M - D.
Proof.
apply/eqP; rewrite eq_sym subr_eq -isoU [X in X == _](bigID X1) /= addrC.
exact: eqxx.
Qed.

(** ** The labels. *)
Lemma drawn_mem (O : finType) (v : seq O -> O -> R) h o :
  o \notin h -> drawn_weight id v h o = 0.
Proof.
elim: h => [|o' h IH] //; rewrite in_cons negb_or => /andP[ne ni].
by rewrite drawn_cons IH // add0r eq_sym (negbTE ne).
Qed.

Lemma os_kept h : kept X1 (weight h).
Proof. by move=> x /negbTE n; rewrite /os_weight n. Qed.

Lemma os_read h x : X1 x -> weight h x != 0 -> (true, x) \in h.
Proof.
rewrite /os_weight => ->; apply: contraR => n.
by rewrite drawn_mem ?mul0r.
Qed.

Lemma os_bought h : (bought X1 (weight h) <= count fst h)%N.
Proof.
rewrite -size_filter -(size_map snd).
apply: leq_trans (card_size _); apply: subset_leq_card; apply/subsetP => x.
rewrite inE => /andP[x1 nz]; apply/mapP; exists (true, x) => //.
by rewrite mem_filter /= os_read.
Qed.

(** No other label is read. *)
Lemma os_local h (Y' : I -> R) :
  (forall x, ((true, x) \in h) || ~~ X1 x -> Y x = Y' x) ->
  fit h = weighted_fit X Y' (weight h).
Proof.
move=> e; apply: weighted_local => x n; apply: e.
by case: (boolP (X1 x)) => x1; rewrite ?orbT //= os_read.
Qed.

(** ** The spectrum. *)
Lemma os_gram h : P^T *m weighted_gram X (weight h) *m P =
  S^-1 *: (st h).1 + (1%:M - D).
Proof.
have conj x : P^T *m (X x *m (X x)^T) *m P = U x *m (U x)^T.
  by rewrite /white trmx_mul trmxK !mulmxA.
rewrite /weighted_gram mulmx_sumr mulmx_suml.
rewrite (eq_bigr (fun x => weight h x *: (U x *m (U x)^T))); last first.
  by move=> x _; rewrite -scalemxAr -scalemxAl conj.
rewrite (bigID X1) /= -os_compl; congr (_ + _); last first.
  by apply: eq_bigr => x n; rewrite os_kept // scale1r.
rewrite os_stateE /= /pol_acc -(drawn_sum id w (fun o => V o *m (V o)^T)).
rewrite os_pairs.
- rewrite scaler_sumr; apply: eq_bigr => x x1.
  by rewrite /os_weight x1 /os_vec /= x1 scalerA mulrC.
- by move=> x; rewrite /os_vec /= mul0mx scaler0.
- by move=> x /negbTE n; rewrite /os_vec /= n mul0mx scaler0.
Qed.

Hypothesis delta_ge0 : 0 <= delta.
Hypothesis D_le : psd (delta%:M - D).
Local Notation a := (1 - nu * delta - c / S).

(* slug: one-sided *)
Lemma os_spectrum h : reach stop h -> stop h ->
  psd (weighted_gram X (weight h) - a *: gram X).
Proof.
move=> rh sh; have uP := P_unit whP; apply: psd_leP.
- by rewrite linearZ /= (G_sym X).
- exact: weighted_gram_sym.
move=> v; have -> : v = P *m (invmx P *m v) by rewrite mulKVmx.
move: (invmx P *m v) => z; rewrite qfZ !qf_mul os_gram whP.
have rh' : reach (pol_stop S ds) h by rewrite -os_reach.
have sh' : pol_stop S ds h by rewrite os_stopE.
have := policy_order nu_gt0 nu_lt1 eta_le c_gt0 S_gt0 os_policy rh' sh'.
have -> : pol_acc V w h = (st h).1 by rewrite os_stateE.
rewrite os_targetE => o1.
have Si : 0 <= S^-1 by rewrite invr_ge0 ltW.
have := psdD (psdZ Si o1) (psdZ (ltW nu_gt0) D_le).
have -> : S^-1 *: ((st h).1 - (1 - nu) * S *: D + c%:M) + nu *: (delta%:M - D) =
  (S^-1 *: (st h).1 + (1%:M - D)) - a *: 1%:M.
  move: (st h).1 (D) => A T; apply/matrixP => i j; rewrite !mxE.
  move: (A i j) (T i j) => x y.
  by case: (i == j) => /=; field; rewrite gt_eqF.
by move/(psd_le z); rewrite qfZ.
Qed.

(** ** The noise. *)
Local Notation e := (fun o : bool * I => if o.1 && X1 o.2 then resid X Y o.2 else 0).

Lemma os_opt : \sum_o (e o) ^+ 2 = opt_on X Y X1.
Proof.
rewrite (os_pairs (F := fun o => e o ^+ 2)) /opt_on /=.
- by apply: eq_bigr => x ->.
- by move=> x; rewrite expr0n.
- by move=> x /negbTE ->; rewrite expr0n.
Qed.

Lemma os_noise h : reach stop h -> stop h ->
  noise_size X Y X1 (weight h) = sqn (pol_noise V w ds e h) / S ^+ 2.
Proof.
move=> rh sh.
have sig : pol_sig ds h = S.
  apply/eqP; rewrite eq_le; apply/andP; split.
    apply: (policy_sig nu_gt0 nu_lt1 eta_le c_gt0 S_gt0 os_policy).
    by rewrite -os_reach.
  by move: sh; rewrite -os_stopE.
rewrite /noise_size -(PPt whP).
have -> : P *m P^T = (P^T)^T *m 1%:M *m P^T by rewrite trmxK mulmx1.
rewrite -qf_mul -/(sqn _).
have -> : P^T *m noise_vector X Y X1 (weight h) = S^-1 *: pol_noise V w ds e h.
  rewrite /pol_noise sig scalerBr scalerA mulVf ?gt_eqF // scale1r.
  rewrite /pol_bias (os_pairs (F := fun o => e o *: V o)); first last.
  - by move=> x /negbTE n; rewrite /os_vec /= n scaler0.
  - by move=> x; rewrite /os_vec /= scaler0.
  have -> : dsum (fun h' o => (w h' o * e o) *: V o) h =
    \sum_o drawn_weight id w h o *: (e o *: V o).
    by rewrite drawn_sum; apply: eq_dsum => h' o; rewrite scalerA.
  rewrite os_pairs; first last.
  - by move=> x /negbTE n; rewrite /os_vec /= n !scaler0.
  - by move=> x; rewrite /os_vec /= !scaler0.
  rewrite /noise_vector mulmx_sumr scaler_sumr -sumrB; apply: eq_bigr => x x1.
  rewrite /os_weight /os_vec /= x1 -scalemxAr -/(white X P x) !scalerA -scalerBl.
  by congr (_ *: _); ring.
by rewrite /sqn qfZv mulrC exprVn.
Qed.

Hypothesis a_gt0 : 0 < a.
Local Notation const := (eta * (c / S + nu * delta / 2%:R) / a ^+ 2).

(* slug: one-sided *)
Lemma os_excess n :
  run_mean p stop n (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  const * opt_on X Y X1.
Proof.
apply: (@le_trans _ _ (run_mean p stop n
  (fun h => (S ^+ 2 * a ^+ 2)^-1 * sqn (pol_noise V w ds e h)) [::])).
  apply: rmean_mono => //.
    by move=> h o; exact: os_law0.
  move=> h rh; case: (boolP (stop h)) => sh; rewrite ?mul1r ?mul0r; last first.
    by apply: mulr_ge0; [nn | exact: sqn_ge0].
  have := weighted_excess Y uG (@os_kept h) a_gt0 (os_spectrum rh sh).
  rewrite os_noise // => le; apply: le_trans le _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; move: a_gt0 (sqn _).
  move: (1 - nu * delta - c / S) => y y0 z.
  by field; rewrite !gt_eqF.
rewrite rmeanZ.
have Dl : psd (delta%:M - pol_target V) by rewrite os_targetE.
have := policy_noise nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 os_policy
  e delta_ge0 Dl n.
rewrite os_opt (@run_mean_stop _ _ _ U X1 nu eta c S coin _ _ n
  _ [::] (os_stopE U X1 nu eta c S coin)) => le.
apply: le_trans (ler_wpmul2l _ le) _; first by nn.
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by move: a_gt0; move: (1 - nu * delta - c / S) => y y0; field; rewrite !gt_eqF.
Qed.

Lemma os_const_ge0 : 0 <= const.
Proof. by move: a_gt0; move: (1 - nu * delta - c / S) => y y0; nn. Qed.

Lemma os_loss n beta :
  run_mean p stop n (fun h => (stop h)%:R * loss X Y (fit h)) [::] <=
  (1 + const) * loss X Y beta.
Proof.
have p0 h o : reach stop h -> ~~ stop h -> 0 <= p h o by exact: os_law0.
have p1 h : reach stop h -> ~~ stop h -> \sum_o p h o = 1 by exact: os_law1.
have c0 := os_const_ge0.
apply: (@le_trans _ _ ((1 + const) * opt X Y)); last first.
  by apply: ler_wpmul2l; [apply: addr_ge0; [exact: ler01|] | exact: (opt_min Y whP)].
have o1 : opt_on X Y X1 <= opt X Y.
  rewrite optE /opt_on [X in _ <= X](bigID X1) /= ler_addl.
  by apply: sumr_ge0 => x _; exact: sqr_ge0.
rewrite mulrDl mul1r.
apply: le_trans (ler_add (lexx _) (le_trans (os_excess n) (ler_wpmul2l c0 o1))).
rewrite -[X in X + _](rmean_const p1 n (opt X Y) (h := [::])) // -rmeanD.
apply: (rmean_mono p0) => // h _.
by case: (stop h); rewrite ?mul1r ?mul0r ?addr0 ?(opt_ge0 X Y) // addrC subrK.
Qed.

End Data.

(** ** With the number N of labels as the parameter: eta = nu/(1-nu^2),
    c = S R/(N eta), x = R/N. *)
Section Budget.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I).
Variables (nu N S delta : R) (coin : bool).
Hypothesis whP : whitens X P.
Hypothesis nu_gt0 : 0 < nu.
Hypothesis nu_lt1 : nu < 1.
Hypothesis N_gt0 : 0 < N.
Hypothesis S_gt0 : 0 < S.
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Hypothesis delta_ge0 : 0 <= delta.

Local Notation U := (white X P).
Local Notation r := (reduced_rank X X1).
Local Notation x := (r / N).
Local Notation eta := (nu / (1 - nu ^+ 2)).
Local Notation c := (S * r / (N * eta)).
Local Notation p := (os_law U X1 nu eta c S coin).
Local Notation stop := (os_stop U X1 nu eta c S coin).
Local Notation weight h := (os_weight U X1 nu eta c S coin h).
Local Notation fit h := (weighted_fit X Y (weight h)).
Local Notation a := (1 - delta * nu - (1 - nu ^+ 2) * x / nu).

Let n2 : 0 < 1 - nu ^+ 2.
Proof.
have -> : 1 - nu ^+ 2 = (1 - nu) * (1 + nu) by ring.
by apply: mulr_gt0; [rewrite subr_gt0 | ps].
Qed.
Let eta_gt0 : 0 < eta. Proof. by move: n2; move: (1 - nu ^+ 2) => *; ps. Qed.
Let eta_le : eta * (1 - nu ^+ 2) <= nu. Proof. by rewrite divfK // gt_eqF. Qed.
Let c_gt0 : 0 < c. Proof. by move: eta_gt0; move: eta => *; ps. Qed.
Let D_gt0 : 0 < \tr (os_target U X1). Proof. by rewrite (os_rank X1 whP). Qed.

Lemma budget_N : S * \tr (os_target U X1) / (c * eta) = N.
Proof.
rewrite (os_rank X1 whP); move: eta_gt0; move: eta => e e0.
by field; rewrite !gt_eqF.
Qed.

Lemma budget_a : 1 - nu * delta - c / S = a.
Proof.
by move: n2; move: (1 - nu ^+ 2) => z z0; field; rewrite !gt_eqF.
Qed.

(* slug: one-sided *)
Theorem one_sided_draws n : coin ->
  run_mean p stop n (fun h => (bought X1 (weight h))%:R) [::] <= N.
Proof.
move=> isc; rewrite -[X in _ <= X]budget_N.
apply: le_trans (os_draws nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 D_gt0 n isc).
apply: (rmean_mono (os_law0 nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 D_gt0)) => // h _.
by rewrite ler_nat os_bought.
Qed.

Theorem one_sided_length n :
  run_mean p stop n (fun h => (size h)%:R) [::] <= N + 1.
Proof.
have := os_length coin nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 D_gt0 n.
by rewrite budget_N.
Qed.

Theorem one_sided_late n :
  run_chance p stop n (fun h => ~~ stop h) <= (N + 1) / n.+1%:R.
Proof.
have := os_late coin nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 D_gt0 n.
by rewrite budget_N.
Qed.

Hypothesis D_le : psd (delta%:M - os_target U X1).

Theorem one_sided_spectrum h : reach stop h -> stop h ->
  psd (weighted_gram X (weight h) - a *: gram X).
Proof.
move=> rh sh; rewrite -budget_a.
exact: (os_spectrum whP nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 R_gt0 D_le rh sh).
Qed.

Hypothesis a_gt0 : 0 < a.

Theorem one_sided_excess n :
  run_mean p stop n (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  (x + delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2))) / a ^+ 2 * opt_on X Y X1.
Proof.
have a0 : 0 < 1 - nu * delta - c / S by rewrite budget_a.
have := os_excess Y coin whP nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 R_gt0 delta_ge0
  D_le a0 n.
rewrite budget_a.
have -> // : eta * (c / S + nu * delta / 2%:R) =
  x + delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2)).
by move: n2; move: (1 - nu ^+ 2) => z z0; field; rewrite !gt_eqF.
Qed.

Theorem one_sided_loss n beta :
  run_mean p stop n (fun h => (stop h)%:R * loss X Y (fit h)) [::] <=
  (1 + (x + delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2))) / a ^+ 2) * loss X Y beta.
Proof.
have a0 : 0 < 1 - nu * delta - c / S by rewrite budget_a.
have := os_loss Y coin whP nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 R_gt0 delta_ge0
  D_le a0 n beta.
rewrite budget_a.
have -> // : eta * (c / S + nu * delta / 2%:R) =
  x + delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2)).
by move: n2; move: (1 - nu ^+ 2) => z z0; field; rewrite !gt_eqF.
Qed.

(** D <= I always. *)
Lemma target_le1 : psd (1%:M - os_target U X1).
Proof. by rewrite -(os_compl X1 whP); apply: psd_sum => z _; exact: psd_outer. Qed.

End Budget.

(** ** nu = y^2 with R = N y^3. *)
Section Explicit.
Variables (R : realFieldType) (y : R).
Hypothesis y_gt0 : 0 < y.
Hypothesis y_small : 0 < 1 - y - y ^+ 2.

Let y1 : y < 1.
Proof.
rewrite -subr_gt0; apply: lt_le_trans y_small _.
by refine (@le_diff _ _ _ (y ^+ 2) _ _); [ring | nn].
Qed.

Lemma y2_lt1 : y ^+ 2 < 1.
Proof. by rewrite expr_lt1 // ltW. Qed.

Lemma y_den : 1 - y - y ^+ 2 <= 1 - y ^+ 2 - (1 - (y ^+ 2) ^+ 2) * y ^+ 3 / y ^+ 2.
Proof.
have -> : (1 - (y ^+ 2) ^+ 2) * y ^+ 3 / y ^+ 2 = (1 - y ^+ 4) * y.
  by field; rewrite gt_eqF.
by refine (@le_diff _ _ _ (y ^+ 5) _ _); [ring | nn].
Qed.

Lemma y_const : (y ^+ 3 + (y ^+ 2) ^+ 2 / (2%:R * (1 - (y ^+ 2) ^+ 2))) /
    (1 - y ^+ 2 - (1 - (y ^+ 2) ^+ 2) * y ^+ 3 / y ^+ 2) ^+ 2 <=
  y ^+ 3 * (1 + y) / (1 - y - y ^+ 2) ^+ 2.
Proof.
have le := y_den; have a0 := lt_le_trans y_small le.
have y3 : 3%:R * y < 2%:R.
  rewrite ltNge; apply/negP => h; move: y_small; apply/negP; rewrite -leNgt.
  have z : 0 <= 3%:R * y - 2%:R by rewrite subr_ge0.
  refine (@le_diff _ _ _ ((3%:R * y - 2%:R) / 3%:R + (3%:R * y - 2%:R) ^+ 2 / 9%:R
    + 4%:R / 9%:R * (3%:R * y - 2%:R) + 9%:R^-1) _ _); first by field.
  by move: z; move: (_ - _) => *; nn.
have y4 : (y ^+ 2) ^+ 2 <= 2%:R^-1.
  have z : 0 <= 2%:R - 3%:R * y by rewrite subr_ge0 ltW.
  have h2 : y ^+ 2 <= 4%:R / 9%:R.
    refine (@le_diff _ _ _ ((2%:R - 3%:R * y) * (2%:R + 3%:R * y) / 9%:R) _ _).
      by field.
    by move: z; move: (2%:R - _) => *; nn.
  apply: (@le_trans _ _ ((4%:R / 9%:R) ^+ 2)).
    by rewrite ler_pexpn2r ?nnegrE //; nn.
  by refine (@le_diff _ _ _ (49%:R / 162%:R) _ _); [field | nn].
have n2 : 0 < 1 - (y ^+ 2) ^+ 2.
  by rewrite subr_gt0; apply: le_lt_trans y4 _; rewrite invf_lt1 ?ltr0n // ltr1n.
apply: ler_pmul.
- by move: n2; move: (1 - (y ^+ 2) ^+ 2) => *; nn.
- by rewrite invr_ge0 exprn_ge0 // ltW.
- have -> : y ^+ 3 * (1 + y) = y ^+ 3 + y ^+ 4 by ring.
  rewrite ler_add2l ler_pdivr_mulr; last by ps.
  refine (@le_diff _ _ _ (y ^+ 4 * (2%:R * (2%:R^-1 - (y ^+ 2) ^+ 2))) _ _).
    by field.
  by apply: mulr_ge0; [nn | apply: mulr_ge0; [nn | rewrite subr_ge0]].
- rewrite lef_pinv ?posrE ?exprn_gt0 // ler_pexpn2r ?nnegrE //; exact: ltW.
Qed.

End Explicit.
