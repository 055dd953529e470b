(** How often a one-sided run exceeds a budget: the clock is spent evenly.

      os_spent      == the steps made, the last one counted by its fraction
      spent_size    == draws < spent + 1
      spent_mean    == E spent <= N
      spent_inverse == S^2 R^2 <= eta spent sum of ds Tr(Q D)
      budget_tail   == P(finished and spent > (1+t) N), for every a < 1 + t
      within_budget == P(finished within B draws), with N the parameter *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression SureStop.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Move.
From Asura Require Import Beyond.Chain Beyond.Policy Beyond.OneSided.
From Asura Require Import Beyond.OneSidedData.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** Cauchy-Schwarz, one summand at a time. *)
Lemma square_add (R : realFieldType) (a b A B C E : R) :
  0 <= a -> 0 <= b -> 0 <= A -> 0 <= B -> 0 <= C -> 0 <= E ->
  a ^+ 2 <= A * B -> b ^+ 2 <= C * E -> (a + b) ^+ 2 <= (A + C) * (B + E).
Proof.
move=> a0 b0 A0 B0 C0 E0 h1 h2.
have h3 : 2%:R * (a * b) <= A * E + C * B.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE //; try by nn.
  have h4 : (a * b) ^+ 2 <= (A * B) * (C * E).
    by rewrite exprMn; apply: ler_pmul => //; nn.
  refine (@le_diff _ _ _ (4%:R * ((A * B) * (C * E) - (a * b) ^+ 2) +
    (A * E - C * B) ^+ 2) _ _); first by ring.
  by apply: addr_ge0; [apply: mulr_ge0; [nn | rewrite subr_ge0] | nn].
refine (@le_diff _ _ _ ((A * B - a ^+ 2) + (C * E - b ^+ 2) +
  (A * E + C * B - 2%:R * (a * b))) _ _); first by ring.
by apply: addr_ge0; [apply: addr_ge0|]; rewrite subr_ge0.
Qed.

Section Tail.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (X1 : pred I) (nu eta c S : R) (coin : bool).
Hypothesis nu_gt0 : 0 < nu.
Hypothesis nu_lt1 : nu < 1.
Hypothesis eta_gt0 : 0 < eta.
Hypothesis eta_le : eta * (1 - nu ^+ 2) <= nu.
Hypothesis c_gt0 : 0 < c.
Hypothesis S_gt0 : 0 < S.

Local Notation D := (os_target U X1).
Local Notation st h := (os_state U X1 nu eta c S coin h).
Local Notation p := (os_law U X1 nu eta c S coin).
Local Notation w := (fun h o => os_wt U X1 nu eta c S coin (st h) o).
Local Notation ds := (fun h => os_step U X1 nu eta c S (st h)).
Local Notation stop := (os_stop U X1 nu eta c S coin).
Local Notation Q h := (os_gap U X1 nu c (st h)).
Local Notation pot h := (os_pot U X1 nu c (st h)).
Local Notation frac h := (os_frac U X1 nu eta c S (st h)).
Hypothesis D_gt0 : 0 < \tr D.
Local Notation N := (S * \tr D / (c * eta)).
Local Notation opd := (os_pd nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 D_gt0).
Local Notation law0 := (os_law0 nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 D_gt0).
Local Notation law1 := (os_law1 nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 D_gt0).

(** The steps made so far. *)
Definition os_spent (h : seq (bool * I)) : R := past (fun h' => frac h') h.
(** Sum of ds Tr(Q D). *)
Definition os_gain (h : seq (bool * I)) : R :=
  past (fun h' => ds h' * \tr (Q h' *m D)) h.

Let pD : psd D. Proof. by apply: psd_sum => x _; exact: psd_outer. Qed.

Lemma frac_ds h : reach stop h -> frac h = ds h * pot h / eta.
Proof.
move=> rh; have P0 := os_pot_gt0 D_gt0 (opd rh); rewrite /os_step.
by field; rewrite !gt_eqF.
Qed.

Lemma frac_bounds h : reach stop h -> ~~ stop h -> 0 < frac h <= 1.
Proof. by move=> rh ns; apply: (frac01 eta_gt0 D_gt0 (opd rh)); exact: os_lt ns. Qed.

(** A step that is not the last is a whole one. *)
Lemma spent_whole h : reach stop h -> ~~ stop h -> os_spent h = (size h)%:R.
Proof.
elim: h => [//|o h IH] /= /andP[ns rh] ns'.
rewrite /os_spent /= -/(os_spent h) IH // -addn1 natrD; congr (_ + _).
have P0 := os_pot_gt0 D_gt0 (opd rh).
rewrite /os_frac; case: ifP => // small; move: ns'; rewrite /os_stop /=.
rewrite /os_step /os_frac small divfK ?gt_eqF // mulfK ?gt_eqF //.
by rewrite addrC subrK lexx.
Qed.

Lemma spent_size h : reach stop h -> (size h)%:R < os_spent h + 1.
Proof.
case: h => [|o h] /=; first by rewrite /os_spent /= add0r ltr01.
move=> /andP[ns rh]; have /andP[f0 _] := frac_bounds rh ns.
rewrite /os_spent /= -/(os_spent h) spent_whole // -addn1 natrD.
by rewrite ltr_add2r ltr_addl.
Qed.

Lemma spent_ge0 h : reach stop h -> 0 <= os_spent h.
Proof.
elim: h => [//|o h IH] /= /andP[ns rh]; have /andP[f0 _] := frac_bounds rh ns.
by rewrite /os_spent /= -/(os_spent h) addr_ge0 ?IH // ltW.
Qed.

Lemma gain_ge0 h : reach stop h -> 0 <= os_gain h.
Proof.
elim: h => [//|o h IH] /= /andP[ns rh]; have /andP[f0 _] := frac_bounds rh ns.
have P0 := os_pot_gt0 D_gt0 (opd rh).
rewrite /os_gain /= -/(os_gain h) addr_ge0 ?IH //; apply: mulr_ge0.
  by rewrite /os_step; nn.
by apply: tr_psd => //; exact/pd_psd/opd.
Qed.

(** R^2 <= Tr(D Q^-1) Tr(D Q). *)
Lemma rank_square B : pd B -> \tr D ^+ 2 <= \tr (D *m invmx B) * \tr (B *m D).
Proof.
move=> pB; rewrite [\tr (B *m D)]mxtrace_mulC.
pose F x := sqn (U x); pose A x := qf (invmx B) (U x); pose E x := qf B (U x).
have e1 : \tr D = \sum_(x | X1 x) F x.
  rewrite /os_target raddf_sum; apply: eq_bigr => x _.
  by rewrite /= -[X in \tr X]mulmx1 tr_outer.
have e2 M : \tr (D *m M) = \sum_(x | X1 x) qf M (U x).
  rewrite /os_target mulmx_suml raddf_sum; apply: eq_bigr => x _.
  by rewrite /= tr_outer.
rewrite e1 !e2.
have A0 x : 0 <= A x by case: (pd_psd (pd_inv pB)) => _; apply.
have E0 x : 0 <= E x by case: (pd_psd pB) => _; apply.
have [_ [_ [_ //]]] : 0 <= \sum_(x | X1 x) F x /\ 0 <= \sum_(x | X1 x) A x /\
  0 <= \sum_(x | X1 x) E x /\
  (\sum_(x | X1 x) F x) ^+ 2 <= (\sum_(x | X1 x) A x) * (\sum_(x | X1 x) E x).
elim/big_rec3: _ => [|x a b f _ [f0 [b0 [a0 le]]]]; first by rewrite expr0n mul0r.
have F0 : 0 <= F x := sqn_ge0 _.
by do !split; try exact: addr_ge0; apply: square_add => //; exact: leverage_gap.
Qed.

Lemma spent_inverse h : reach stop h ->
  ((st h).2 * \tr D) ^+ 2 <= eta * os_spent h * os_gain h.
Proof.
elim: h => [_|o h IH].
  by rewrite /os_spent /os_gain /= !mulr0 mul0r expr0n.
move=> rho; have /andP[ns rh] := rho; have P0 := os_pot_gt0 D_gt0 (opd rh).
have /andP[f0 _] := frac_bounds rh ns.
have d0 : 0 <= ds h by rewrite /os_step; nn.
have s0 : 0 <= (st h).2.
  elim: (h) rh => [//|o' h' IH' /= /andP[ns' rh']].
  have P0' := os_pot_gt0 D_gt0 (opd rh'); have /andP[f0' _] := frac_bounds rh' ns'.
  by apply: addr_ge0; [exact: IH' | rewrite /os_step; nn].
have e1 : (st (o :: h)).2 * \tr D = (st h).2 * \tr D + ds h * \tr D.
  by rewrite -mulrDl.
have e2 : eta * os_spent (o :: h) = eta * os_spent h + eta * frac h.
  by rewrite -mulrDr.
have e3 : os_gain (o :: h) = os_gain h + ds h * \tr (Q h *m D) by [].
rewrite e1 e2 e3; apply: square_add.
- by apply: mulr_ge0 => //; exact: ltW.
- by apply: mulr_ge0 => //; exact: ltW.
- by apply: mulr_ge0; [exact: ltW | exact: spent_ge0].
- exact: gain_ge0.
- by apply: mulr_ge0; exact: ltW.
- by apply: mulr_ge0 => //; apply: tr_psd => //; exact/pd_psd/opd.
- exact: IH.
rewrite exprMn (frac_ds rh).
have -> : eta * (ds h * pot h / eta) * (ds h * \tr (Q h *m D)) =
  ds h ^+ 2 * (pot h * \tr (Q h *m D)) by field; rewrite gt_eqF.
by apply: ler_wpmul2l; [exact: sqr_ge0 | exact/rank_square/opd].
Qed.

Lemma spent_mean n : run_mean p stop n os_spent [::] <= N.
Proof.
have e : run_mean p stop n os_spent [::] =
  run_sum p stop n (fun h => frac h) [::].
  rewrite (@rmean_count _ _ p stop n os_spent (fun h => frac h) [::]) ?add0r //.
  by move=> h rh ns; rewrite (step_const law1).
rewrite e.
apply: (@le_trans _ _ (run_sum p stop n (fun h => eta^-1 * (ds h * pot h)) [::])).
  apply: (rsum_mono law0) => // h rh _; rewrite (frac_ds rh) mulrC.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
rewrite rsumZ.
apply: le_trans (ler_wpmul2l _ (os_clock coin nu_gt0 nu_lt1 eta_gt0 eta_le c_gt0 S_gt0 D_gt0 n)) _.
  by nn.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite !gt_eqF.
Qed.

Section Delta.
Variable delta : R.
Hypothesis D_le : psd (delta%:M - D).
Local Notation z := (nu * delta * S / (2%:R * c)).

Lemma gain_mean n :
  run_mean p stop n os_gain [::] <= S * c * \tr D * (1 + z).
Proof.
rewrite (@rmean_count _ _ p stop n os_gain (fun h => ds h * \tr (Q h *m D)) [::]) //;
  last by move=> h rh ns; rewrite (step_const law1).
rewrite add0r.
have := policy_gap_sum nu_gt0 nu_lt1 eta_le c_gt0 S_gt0
  (os_policy (coin := coin) eta_gt0 D_gt0) n pD.
rewrite (@run_sum_stop _ _ _ U X1 nu eta c S coin _ _ n _ [::]
  (os_stopE U X1 nu eta c S coin)) => le.
apply: le_trans (le_trans _ le) _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: rsum_eq => h.
  by rewrite os_gapE.
rewrite mul_scalar_mx mxtraceZ os_targetE.
have dd : \tr (D *m D) <= delta * \tr D.
  by have := tr_mono pD D_le; rewrite mul_mx_scalar mxtraceZ.
refine (@le_diff _ _ _ (nu * S ^+ 2 / 2%:R * (delta * \tr D - \tr (D *m D))) _ _).
  by field; rewrite gt_eqF.
by apply: mulr_ge0; [nn | rewrite subr_ge0].
Qed.

Variables (a t : R) (n : nat).
Hypothesis a_ge0 : 0 <= a.
Hypothesis a_lt : a < 1 + t.
Local Notation late := (run_chance p stop n (fun h => ~~ stop h)).
Local Notation tail := ((1 + t) / (1 + t - a) ^+ 2 *
  ((1 - a) ^+ 2 + a ^+ 2 * z + 2%:R * a * late)).

Let N_gt0 : 0 < N. Proof. by ps. Qed.
Let v0 : 0 < 1 + t. Proof. exact: le_lt_trans a_lt. Qed.

Local Notation u h := (os_spent h / N).
Local Notation y h := (os_gain h * (N * eta / (S * \tr D) ^+ 2)).

Lemma spread h : reach stop h -> stop h -> 0 < u h /\ 1 <= u h * y h.
Proof.
move=> rh sh.
have sS : (st h).2 = S.
  apply/eqP; rewrite eq_le; apply/andP; split; last exact: sh.
  rewrite os_stateE /=; move: rh; rewrite os_reach.
  exact: (policy_sig nu_gt0 nu_lt1 eta_le c_gt0 S_gt0
    (os_policy (coin := coin) eta_gt0 D_gt0)).
have := spent_inverse rh; rewrite sS => le.
have uy : 1 <= u h * y h.
  have -> : u h * y h = eta * os_spent h * os_gain h / (S * \tr D) ^+ 2.
    by move: N_gt0; move: (N) => M M0; field; rewrite !gt_eqF.
  by rewrite ler_pdivl_mulr ?mul1r // exprn_gt0 // mulr_gt0.
split=> //; have u0 : 0 <= u h by apply: divr_ge0; [exact: spent_ge0 | exact: ltW].
rewrite lt_def u0 andbT; apply: contraTneq uy => ->.
by rewrite mul0r -ltNge ltr01.
Qed.

(* slug: sure-budget *)
Theorem budget_tail :
  run_chance p stop n (fun h => stop h && ((1 + t) * N < os_spent h)) <= tail.
Proof.
pose f h := (stop h)%:R * (u h - 2%:R * a + a ^+ 2 * y h).
have va : 0 < 1 + t - a by rewrite subr_gt0.
have low h : reach stop h -> stop h -> (u h - a) ^+ 2 / u h <= u h - 2%:R * a + a ^+ 2 * y h.
  move=> rh sh; have [u0 uy] := spread rh sh; move: u0 uy.
  move: (u h) (y h) => x x' x0 xx.
  refine (@le_diff _ _ _ (a ^+ 2 * (x * x' - 1) / x) _ _).
    by field; rewrite gt_eqF.
  by apply: mulr_ge0; [apply: mulr_ge0; [nn | rewrite subr_ge0] | nn].
have k0 : 0 < (1 + t - a) ^+ 2 / (1 + t) by move: va v0; move: (1 + t) (1 + t - a) => *; ps.
apply: (@le_trans _ _ (run_mean p stop n f [::] / ((1 + t - a) ^+ 2 / (1 + t)))).
  apply: (rchance_markov law0) => //.
    move=> h rh; rewrite /f; case: (boolP (stop h)) => sh; rewrite ?mul0r // mul1r.
    apply: le_trans (low h rh sh); have [u0 _] := spread rh sh.
    by move: u0; move: (u h) => x x0; nn.
  move=> h rh /andP[sh big]; rewrite /f sh mul1r; apply: le_trans (low h rh sh).
  have [u0 _] := spread rh sh.
  have uv : 1 + t <= u h by rewrite ler_pdivl_mulr // ltW.
  move: u0 uv; move: (u h) v0 a_lt; move: (1 + t) => v x v1 av x0 vx.
  refine (@le_diff _ _ _ ((x - v) * ((x - v) * v + (v - a) * (v + a)) / (x * v)) _ _).
    by field; rewrite !gt_eqF.
  have h1 : 0 <= x - v by rewrite subr_ge0.
  have h2 : 0 <= v - a by rewrite subr_ge0 ltW.
  by move: h1 h2; move: (x - v) (v - a) => *; nn.
rewrite invf_div mulrC; apply: ler_wpmul2l.
  by move: va v0; move: (1 + t) (1 + t - a) => *; nn.
apply: (@le_trans _ _ (run_mean p stop n (fun h => (N^-1 * os_spent h +
   (a ^+ 2 * (N * eta / (S * \tr D) ^+ 2)) * os_gain h) +
   ((- (2%:R * a)) * 1 + 2%:R * a * (~~ stop h)%:R)) [::])).
  apply: (rmean_mono law0) => // h rh; rewrite /f.
  have s0 := spent_ge0 rh; have g0 := gain_ge0 rh.
  case: (boolP (stop h)) => sh /=.
    by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
  rewrite mul0r !mulr1 addNr addr0.
  by move: N_gt0; move: (N) => M M0; nn.
rewrite !rmeanD !rmeanZ (rmean_const law1) // -/late.
have m1 : N^-1 * run_mean p stop n os_spent [::] <= 1.
  by rewrite mulrC ler_pdivr_mulr // mul1r; exact: spent_mean.
have m2 : a ^+ 2 * (N * eta / (S * \tr D) ^+ 2) * run_mean p stop n os_gain [::] <=
  a ^+ 2 * (1 + z).
  apply: le_trans (ler_wpmul2l _ (gain_mean n)) _.
    by move: N_gt0; move: (N) => M M0; nn.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite !gt_eqF.
apply: le_trans (ler_add (ler_add m1 m2) (lexx _)) _.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

(** Within any integer budget B >= (1+t) N. *)
Theorem budget_chance (B : nat) : (1 + t) * N <= B%:R ->
  1 - late - tail <=
  run_chance p stop n (fun h => stop h && (size h <= B)%N).
Proof.
move=> hB; have b := budget_tail.
have u : 1 <= run_chance p stop n (fun h => ~~ stop h) +
  (run_chance p stop n (fun h => stop h && (size h <= B)%N) +
   run_chance p stop n (fun h => stop h && ((1 + t) * N < os_spent h))).
  rewrite /run_chance -!rmeanD -[X in X <= _](@rmean_const _ _ p stop law1 n 1 [::] isT).
  apply: (rmean_mono law0) => // h rh; case: (stop h) => /=; last first.
    by rewrite addr0 addr0 -[1]/(1%:R) lexx.
  rewrite add0r -natrD -[1]/(1%:R) ler_nat.
  case: (ltrP ((1 + t) * N) (os_spent h)) => [_|le]; first by rewrite addn1.
  have := lt_le_trans (spent_size rh) (ler_add le (lexx 1)) => lt.
  have := lt_le_trans lt (ler_add hB (lexx 1)).
  by rewrite -(natrD _ B 1) ltr_nat addn1 ltnS => ->.
rewrite ler_subl_addr ler_subl_addr; apply: le_trans u _.
by rewrite addrC ler_add2r ler_add2l.
Qed.

End Delta.
End Tail.

(** ** With N the parameter. *)
Theorem within_budget (R : realFieldType) (d : nat) (I : finType)
    (X : I -> 'cV[R]_d) (P : 'M[R]_d) (X1 : pred I) (nu N S delta a t : R)
    (coin : bool) (B n : nat) :
  whitens X P -> 0 < nu -> nu < 1 -> 0 < N -> 0 < S ->
  0 < reduced_rank X X1 -> psd (delta%:M - os_target (white X P) X1) ->
  0 <= a -> a < 1 + t -> (1 + t) * N <= B%:R ->
  let U := white X P in
  let eta := nu / (1 - nu ^+ 2) in
  let c := S * reduced_rank X X1 / (N * eta) in
  let p := os_law U X1 nu eta c S coin in
  let stop := os_stop U X1 nu eta c S coin in
  let late := run_chance p stop n (fun h => ~~ stop h) in
  let z := delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2) * (reduced_rank X X1 / N)) in
  1 - late - (1 + t) / (1 + t - a) ^+ 2 *
      ((1 - a) ^+ 2 + a ^+ 2 * z + 2%:R * a * late)
    <= run_chance p stop n (fun h => stop h && (size h <= B)%N).
Proof.
move=> w n0 n1 N0 S0 R0 Dl a0 at1 hB /=.
pose U := white X P; pose eta := nu / (1 - nu ^+ 2).
pose c := S * reduced_rank X X1 / (N * eta).
have n2 : 0 < 1 - nu ^+ 2.
  have -> : 1 - nu ^+ 2 = (1 - nu) * (1 + nu) by ring.
  by apply: mulr_gt0; [rewrite subr_gt0 | ps].
have e0 : 0 < eta by rewrite /eta; move: n2; move: (1 - nu ^+ 2) => *; ps.
have e1 : eta * (1 - nu ^+ 2) <= nu by rewrite /eta divfK // gt_eqF.
have c0 : 0 < c by rewrite /c; ps.
have D0 : 0 < \tr (os_target U X1) by rewrite (os_rank X1 w).
have NE : S * \tr (os_target U X1) / (c * eta) = N.
  by rewrite (os_rank X1 w) /c; field; rewrite !gt_eqF.
have hB' : (1 + t) * (S * \tr (os_target U X1) / (c * eta)) <= B%:R by rewrite NE.
have b := budget_chance coin n0 n1 e0 e1 c0 S0 D0 Dl n a0 at1 hB'.
have zE : nu * delta * S / (2%:R * c) =
  delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2) * (reduced_rank X X1 / N)).
  rewrite /c /eta; move: n2; move: (1 - nu ^+ 2) => y y0.
  by field; rewrite !gt_eqF.
by rewrite zE in b.
Qed.
