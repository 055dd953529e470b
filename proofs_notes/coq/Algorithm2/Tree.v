(** Expectations over the finite tree of runs, and what follows from the
    potential being a supermartingale: the clock lemma and the tail of r.

    Selected results:
      Tend_mono, TendD, TendZ == expectation is monotone and linear
      Tend_count              == E of a count is E of the sum of its increments
      Tsum_super              == a supermartingale bounds a sum along the tree
      clock                   == the clock lemma, for any rule with r <= rbar
      labels_bound            == distinct labels are at most draws
      Pr_markov, Pr_late      == Markov; P(not stopped by n) = O(1/n)
      terminates              == the paper's rule has stopped after d/g^2 draws
      tail_tree, tail         == the tail of r at the stop, by induction on the tree
      um_lower, event_gamma   == u_m is large with high probability *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Trees.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation hst := (hst U g).
Local Notation rr := (rr U g).
Local Notation ss := (ss U g).
Local Notation p h x := (prob U (hst h) x).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation paper_stop := (paper_stop U g).
Local Notation level_stop := (level_stop U g).
Local Notation sure_stop := (sure_stop U g).
Local Notation inv_h := (inv_h d_gt0 isoU g_gt0 g_lt).
Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).
Local Notation clk_gt0 := (clk_gt0 d_gt0 g_gt0 g_lt).
Local Notation d_pos := (@d_pos R d d_gt0).
Local Notation d_ge1 := (@d_ge1 R d d_gt0).
Implicit Types (h : seq I) (f : seq I -> R).

Lemma p_ge0 h x : 0 <= p h x.
Proof. by apply: prob_ge0 => //; exact: inv_h. Qed.
Lemma p_sum h : \sum_x p h x = 1.
Proof. by apply: prob_sum => //; exact: inv_h. Qed.

(** Means of constants and of affine functions under one draw. *)
Lemma mean_const h (c : R) : \sum_x p h x * c = c.
Proof. by rewrite -mulr_suml p_sum mul1r. Qed.
Lemma mean_le h (f1 f2 : I -> R) : (forall x, f1 x <= f2 x) -> \sum_x p h x * f1 x <= \sum_x p h x * f2 x.
Proof. by move=> le; apply: ler_sum => x _; apply: ler_wpmul2l => //; exact: p_ge0. Qed.

Section Rule.
Variable stop : pred (seq I).
Local Notation Tend := (Tend U g stop).
Local Notation Tsum := (Tsum U g stop).
Local Notation reach := (reach stop).

Lemma Tend_mono n f1 f2 h : (forall h, reach h -> f1 h <= f2 h) -> reach h -> Tend n f1 h <= Tend n f2 h.
Proof.
move=> le; elim: n h => [|n IH] h rh /=; first by case: ifP => _; exact: le.
case: ifP => [_|/negbT ns]; first exact: le.
by apply: mean_le => x; apply: IH; rewrite /= ns.
Qed.

Lemma Tend_eq n f1 f2 h : (forall h, f1 h = f2 h) -> Tend n f1 h = Tend n f2 h.
Proof.
move=> e; elim: n h => [|n IH] h /=; first by rewrite e.
by case: ifP => _; rewrite ?e //; apply: eq_bigr => x _; rewrite IH.
Qed.

Lemma TendD n f1 f2 h : Tend n (fun h => f1 h + f2 h) h = Tend n f1 h + Tend n f2 h.
Proof.
elim: n h => [|n IH] h /=; first by case: ifP.
case: ifP => // _; rewrite -big_split /=; apply: eq_bigr => x _.
by rewrite IH mulrDr.
Qed.

Lemma TendZ n f c h : Tend n (fun h => c * f h) h = c * Tend n f h.
Proof.
elim: n h => [|n IH] h /=; first by case: ifP.
case: ifP => // _; rewrite mulr_sumr; apply: eq_bigr => x _.
by rewrite IH mulrCA.
Qed.

Lemma TendB n f1 f2 h : Tend n (fun h => f1 h - f2 h) h = Tend n f1 h - Tend n f2 h.
Proof.
rewrite -[- Tend n f2 h]mulN1r -TendZ -TendD; apply: Tend_eq => h'.
by rewrite mulN1r.
Qed.

Lemma Tend_const n c h : Tend n (fun=> c) h = c.
Proof.
elim: n h => [|n IH] h /=; first by case: ifP.
by case: ifP => // _; under eq_bigr do rewrite IH; exact: mean_const.
Qed.

Lemma Tend_ge0 n f h : (forall h, reach h -> 0 <= f h) -> reach h -> 0 <= Tend n f h.
Proof. by move=> f0 rh; rewrite -(Tend_const n 0 h); exact: Tend_mono. Qed.

Lemma TsumZ n f c h : Tsum n (fun h => c * f h) h = c * Tsum n f h.
Proof.
elim: n h => [|n IH] h /=; first by case: ifP; rewrite mulr0.
case: ifP => [_|_]; rewrite ?mulr0 // mulrDr mulr_sumr; congr (_ + _).
by apply: eq_bigr => x _; rewrite IH mulrCA.
Qed.

Lemma Tsum_eq n f1 f2 h : (forall h, f1 h = f2 h) -> Tsum n f1 h = Tsum n f2 h.
Proof.
move=> e; elim: n h => [|n IH] h //=.
by case: ifP => _ //; rewrite e; congr (_ + _); apply: eq_bigr => x _; rewrite IH.
Qed.

(** E of a sum along the run is the sum of the conditional means. *)
Lemma Tend_count n (c : seq I -> R) f h :
  (forall h, \sum_x p h x * c (x :: h) = c h + f h) -> Tend n c h = c h + Tsum n f h.
Proof.
move=> e; elim: n h => [|n IH] h /=; first by case: ifP; rewrite addr0.
case: ifP => _; first by rewrite addr0.
under eq_bigr do rewrite IH mulrDr.
by rewrite big_split /= e addrA.
Qed.

Lemma Tend_past n f h : Tend n (past f) h = past f h + Tsum n f h.
Proof. by apply: Tend_count => h' /=; exact: mean_const. Qed.

Lemma Tend_size n h : Tend n (fun h => (size h)%:R) h = (size h)%:R + Tsum n (fun=> 1) h.
Proof. by apply: Tend_count => h' /=; rewrite mean_const -addn1 natrD. Qed.

Lemma Tend_draws n (X1 : pred I) h : Tend n (fun h => (count X1 h)%:R) h =
  (count X1 h)%:R + Tsum n (fun h => phi (\sum_(x | X1 x) U x *m (U x)^T) (hst h) / Phi (hst h)) h.
Proof.
apply: Tend_count => h' /=.
under eq_bigr do rewrite natrD mulrDr addrC.
rewrite big_split /= mean_const; congr (_ + _).
rewrite -sampling_mass [RHS]big_mkcond /=; apply: eq_bigr => x _.
by case: (X1 x); rewrite ?mulr1 ?mulr0.
Qed.

Lemma labels_le (X1 : pred I) h : (labels X1 h <= count X1 h)%N.
Proof. by rewrite -size_filter size_undup. Qed.

(** Supermartingales. *)
Lemma Tsum_super n f W h :
  (forall h, reach h -> 0 <= W h) ->
  (forall h, reach h -> ~~ stop h -> f h + \sum_x p h x * W (x :: h) <= W h) ->
  reach h -> Tsum n f h <= W h.
Proof.
move=> W0 WS; elim: n h => [|n IH] h rh /=; first by case: ifP => _; exact: W0.
case: ifP => [_|/negbT ns]; first exact: W0.
apply: le_trans (WS _ rh ns); rewrite ler_add2l; apply: mean_le => x.
by apply: IH; rewrite /= ns.
Qed.

Lemma Tend_super n W h :
  (forall h, reach h -> ~~ stop h -> \sum_x p h x * W (x :: h) <= W h) ->
  reach h -> Tend n W h <= W h.
Proof.
move=> WS; elim: n h => [|n IH] h rh /=; first by case: ifP.
case: ifP => [_|/negbT ns] //.
apply: le_trans (WS _ rh ns); apply: mean_le => x.
by apply: IH; rewrite /= ns.
Qed.

(** I5, the clock lemma, for any rule that keeps r bounded. *)
(* slug: clock *)
Lemma clock n rbar M : psd M -> (forall h, reach h -> rr h <= rbar) ->
  Tsum n (fun h => phi M (hst h) / Phi (hst h)) [::] <= kap * rbar * \tr M / g ^+ 2.
Proof.
move=> pM rb; have c0 := clk_gt0; have d0 := d_pos; have k0 := kap_gt0.
pose W h := (rbar - rr h) * phi M (hst h) / (clk * g).
have -> : kap * rbar * \tr M / g ^+ 2 = W [::].
  rewrite /W rr0 // subr0 /= phi_start //.
  by rewrite /clk; field; rewrite !gt_eqF.
apply: Tsum_super => // h rh.
  rewrite /W; have a := phi_ge0 (inv_h h) pM.
  have b : 0 <= rbar - rr h by rewrite subr_ge0 rb.
  by move: b; move: (rbar - rr h) => b b0; nn.
move=> ns; pose r' := rr h + clk * g / Phi (hst h).
have P0 := Phi_gt0 d_gt0 (inv_h h).
have rx x : rr (x :: h) = r' by rewrite rr_cons.
have e : \sum_x p h x * W (x :: h) = (rbar - r') / (clk * g) * \sum_x p h x * phi M (step U g (hst h) x).
  rewrite mulr_sumr; apply: eq_bigr => x _.
  by rewrite /W rx /=; ring.
have b' : 0 <= rbar - r'.
  case: (pickP I) => [x _|no]; first by rewrite subr_ge0 -(rx x) rb //= ns.
  by have := p_sum h; rewrite big_pred0 ?no // => /eqP; rewrite eq_sym oner_eq0.
have m := potential_monotone d_gt0 isoU g_gt0 g_lt (inv_h h) pM.
have le : \sum_x p h x * W (x :: h) <= (rbar - r') / (clk * g) * phi M (hst h).
  by rewrite e; apply: ler_wpmul2l => //; move: b'; move: (rbar - r') => b b0; nn.
apply: le_trans (ler_add (lexx _) le) _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /W /r'.
by move: (rr h) (phi M _) => r z; field; rewrite !gt_eqF.
Qed.

(** What Wald's identity was meant to give: a bound with the horizon itself. *)
(* slug: wald *)
Lemma potential_sum n M h : psd M -> Tsum n (fun h => phi M (hst h)) h <= n%:R * phi M (hst h).
Proof.
move=> pM; elim: n h => [|n IH] h /=; first by rewrite if_same mul0r.
have f0 := phi_ge0 (inv_h h) pM.
case: ifP => _; first by apply: mulr_ge0 => //; exact: ler0n.
rewrite mulrSr mulrDl mul1r addrC ler_add2r.
apply: le_trans (mean_le h (fun x => IH (x :: h))) _.
rewrite (eq_bigr (fun x => n%:R * (p h x * phi M (hst (x :: h))))); last by move=> x _; rewrite mulrCA.
rewrite -mulr_sumr; apply: ler_wpmul2l; first exact: ler0n.
exact: (potential_monotone d_gt0 isoU g_gt0 g_lt (inv_h h) pM).
Qed.

(** Expected number of labels and of draws, for a bound on r. *)
Lemma psd_mass (X1 : pred I) : psd (\sum_(x | X1 x) U x *m (U x)^T).
Proof. by apply: psd_sum => x _; exact: psd_outer. Qed.

Lemma draws_bound n rbar (X1 : pred I) : (forall h, reach h -> rr h <= rbar) ->
  Exp U g stop n (fun h => (count X1 h)%:R) <= kap * rbar * \tr (\sum_(x | X1 x) U x *m (U x)^T) / g ^+ 2.
Proof. by move=> rb; rewrite /Exp Tend_draws /= add0r; apply: clock => //; exact: psd_mass. Qed.

Lemma labels_bound n rbar (X1 : pred I) : (forall h, reach h -> rr h <= rbar) ->
  Exp U g stop n (fun h => (labels X1 h)%:R) <= kap * rbar * \tr (\sum_(x | X1 x) U x *m (U x)^T) / g ^+ 2.
Proof.
move=> rb; apply: le_trans (draws_bound n X1 rb).
by apply: Tend_mono => // h _; rewrite ler_nat labels_le.
Qed.

Lemma length_bound n rbar : (forall h, reach h -> rr h <= rbar) ->
  Exp U g stop n (fun h => (size h)%:R) <= kap * rbar * d%:R / g ^+ 2.
Proof.
move=> rb; have := draws_bound n xpredT rb; rewrite isoU mxtrace1.
congr (_ <= _); apply: Tend_eq => h; by rewrite count_predT.
Qed.

(** Markov. *)
Lemma Pr_le1 n q : Pr U g stop n q <= 1.
Proof.
rewrite -[X in _ <= X](Tend_const n 1 [::]); apply: Tend_mono => // h _.
by rewrite -[1]/(1%:R) ler_nat leq_b1.
Qed.

Lemma Pr_markov n f t (q : pred (seq I)) : 0 < t ->
  (forall h, reach h -> 0 <= f h) -> (forall h, reach h -> q h -> t <= f h) ->
  Pr U g stop n q <= Exp U g stop n f / t.
Proof.
move=> t0 f0 qf; rewrite ler_pdivl_mulr // mulrC /Pr /Exp -TendZ; apply: Tend_mono => // h rh.
by case: (boolP (q h)) => qh; rewrite ?mulr1 ?mulr0; [exact: qf | exact: f0].
Qed.

Lemma late_bound n h : n.+1%:R * Tend n (fun h => (~~ stop h)%:R) h <= Tsum n.+1 (fun=> 1) h.
Proof.
elim: n h => [|n IH] h.
  rewrite /=; case: (stop h) => /=; first by rewrite mulr0.
  under eq_bigr do rewrite if_same mulr0.
  by rewrite big1 // addr0 mulr1.
rewrite [Tsum _ _ _]/= -/Tsum; rewrite [Tend _ _ _]/=; case: ifP => [->|_] /=; first by rewrite mulr0.
set S := \sum_x p h x * Tend n _ _.
have S1 : S <= 1.
  rewrite -[X in _ <= X](mean_const h 1); apply: mean_le => x.
  rewrite -[X in _ <= X](Tend_const n 1 (x :: h)).
  elim: (n) (x :: h) => [|m IHm] h' /=.
    by case: (stop h'); rewrite /= ?ler01.
  by case: ifP => [->|_] /=; [exact: ler01 | apply: mean_le].
rewrite -[n.+2]add1n natrD mulrDl mul1r; apply: ler_add => //.
rewrite mulr_sumr; apply: ler_sum => x _; rewrite mulrCA.
by apply: ler_wpmul2l; [exact: p_ge0 | exact: IH].
Qed.

Lemma Pr_late n rbar : (forall h, reach h -> rr h <= rbar) ->
  Pr U g stop n (fun h => ~~ stop h) <= kap * rbar * d%:R / g ^+ 2 / n.+1%:R.
Proof.
move=> rb; rewrite ler_pdivl_mulr ?ltr0n // mulrC; apply: le_trans (late_bound n [::]) _.
apply: le_trans (length_bound n.+1 rb).
by rewrite /Exp Tend_size /= add0r.
Qed.

Lemma PrC n q : Pr U g stop n (fun h => ~~ q h) = 1 - Pr U g stop n q.
Proof.
rewrite /Pr /Exp -[X in X - _](Tend_const n 1 [::]) -TendB; apply: Tend_eq => h.
by case: (q h); rewrite ?subrr ?subr0.
Qed.

Lemma Pr_mono n (q q' : pred (seq I)) : (forall h, reach h -> q h -> q' h) ->
  Pr U g stop n q <= Pr U g stop n q'.
Proof.
move=> qq; apply: Tend_mono => // h rh; rewrite ler_nat.
by have := qq h rh; case: (q h) => // ->.
Qed.

Lemma Pr_union n (q q1 q2 : pred (seq I)) : (forall h, reach h -> q h -> q1 h || q2 h) ->
  Pr U g stop n q <= Pr U g stop n q1 + Pr U g stop n q2.
Proof.
move=> qq; rewrite /Pr /Exp -TendD; apply: Tend_mono => // h rh; rewrite -natrD ler_nat.
by have := qq h rh; case: (q h) => // /(_ isT); case: (q1 h) => //= ->.
Qed.

End Rule.

(** ** The paper's own rule. *)
Section Paper.
Local Notation Tend := (Tend U g paper_stop).
Local Notation Pr := (Pr U g paper_stop).
Local Notation reach := (reach paper_stop).

(* slug: termination *)
Lemma terminates_at n h : d%:R ^+ 2 * kap <= (size h + n)%:R ^+ 2 * g ^+ 4 ->
  Tend n (fun h => (paper_stop h)%:R) h = 1.
Proof.
elim: n h => [|n IH] h le /=.
  by rewrite addn0 in le; rewrite (paper_stops d_gt0 isoU g_gt0 g_lt le).
case: ifP => [-> //|_].
rewrite (eq_bigr (fun x => p h x)) ?p_sum // => x _.
by rewrite IH ?mulr1 //= addSnnS.
Qed.

Lemma terminates n : d%:R ^+ 2 * kap <= n%:R ^+ 2 * g ^+ 4 -> Pr n paper_stop = 1.
Proof. by move=> le; apply: terminates_at. Qed.

Lemma horizon n : d%:R <= n%:R * g ^+ 2 -> d%:R ^+ 2 * kap <= n%:R ^+ 2 * g ^+ 4.
Proof.
move=> le; have d0 := d_pos; have k0 := kap_gt0; have k1 := kap_lt1 g_gt0.
apply: (@le_trans _ _ (d%:R ^+ 2)); first by rewrite ler_pimulr ?exprn_ge0 // ltW.
have -> : n%:R ^+ 2 * g ^+ 4 = (n%:R * g ^+ 2) ^+ 2 by ring.
by rewrite ler_pexpn2r ?nnegrE //; nn.
Qed.

Lemma terminates_lin n : d%:R <= n%:R * g ^+ 2 -> Pr n paper_stop = 1.
Proof. by move=> /horizon; exact: terminates. Qed.

(** I4, the tail of r at the stop. *)
Section Tail.
Variables (q a b : R).
Hypothesis a0 : 0 < a.
Hypothesis b0 : 0 < b.
Hypothesis ab : a * b = d%:R ^+ 2 * kap / g ^+ 4.

Local Notation ev := (fun h => (paper_stop h && (rr h < q))%:R : R).

Lemma tail_zero n h : q <= rr h -> Tend n ev h = 0.
Proof.
elim: n h => [|n IH] h le /=.
  by rewrite if_same ltNge le andbF.
case: ifP => [_|_]; first by rewrite ltNge le ?andbF.
rewrite big1 // => x _; rewrite IH ?mulr0 //; apply: le_trans le _.
by rewrite rr_cons // ler_addl ltW // dr_gt0.
Qed.

Lemma tail_le1 n h : Tend n ev h <= 1.
Proof.
elim: n h => [|n IH] h /=; first by rewrite if_same -[1]/(1%:R) ler_nat leq_b1.
case: ifP => [_|_]; first by rewrite -[1]/(1%:R) ler_nat leq_b1.
by rewrite -[X in _ <= X](mean_const h 1); apply: mean_le.
Qed.

Lemma tail_tree n h : rr h < q -> 0 < 1 - q - ss h ->
  Tend n ev h * (1 - q - ss h) <= g / (4%:R * d%:R) * Phi (hst h) * (a * (q - rr h) + b * (1 - q - ss h)).
Proof.
have d0 := d_pos; have k0 := kap_gt0.
elim: n h => [|n IH] h rq D0.
  have ns : paper_stop h = false.
    apply/negbTE; rewrite paper_stopE // -ltNge.
    by refine (@lt_diff _ _ _ ((q - rr h) + (1 - q - ss h)) _ _); [ring | by apply: addr_gt0 => //; rewrite subr_gt0].
  rewrite /= ns /= mul0r; have P0 := Phi_gt0 d_gt0 (inv_h h).
  by move: D0; move: (1 - q - ss h) => D D0; nn.
have ns : paper_stop h = false.
  apply/negbTE; rewrite paper_stopE // -ltNge.
  by refine (@lt_diff _ _ _ ((q - rr h) + (1 - q - ss h)) _ _); [ring | by apply: addr_gt0 => //; rewrite subr_gt0].
rewrite /= ns; set S := \sum_x _.
have S1 : S <= 1.
  by rewrite -[X in _ <= X](mean_const h 1); apply: mean_le => x; exact: tail_le1.
have P0 := Phi_gt0 d_gt0 (inv_h h).
set D := 1 - q - ss h in D0 *; set Q := q - rr h.
have Q0 : 0 < Q by rewrite subr_gt0.
set dl := g / (4%:R * d%:R) * Phi (hst h).
have dl0 : 0 < dl by rewrite /dl; ps.
pose ka := (4%:R * (a * b))^-1.
have ka0 : 0 < ka by rewrite /ka; ps.
have edr : clk * g / Phi (hst h) = ka / dl.
  by rewrite /ka /dl /clk ab; field; rewrite !gt_eqF.
have rx x : q - rr (x :: h) = Q - ka / dl.
  by rewrite rr_cons // edr /Q opprD addrA.
have sx x : 1 - q - ss (x :: h) = D - dl.
  by rewrite ss_cons /dl /D opprD addrA.
(* the bound 1 suffices once b t + 1/(4 b t) appears *)
have one : (D <= dl * (a * Q + b * D)) -> S * D <= dl * (a * Q + b * D).
  by apply: le_trans; rewrite ler_pimull // ltW.
have amgm (t : R) : 0 < t -> 1 <= a * ka / t + b * t.
  move=> t0; refine (@le_diff _ _ _ ((2%:R * b * t - 1) ^+ 2 / (4%:R * b * t)) _ _); last by nn.
  by rewrite /ka; field; rewrite !gt_eqF.
case: (lerP Q (ka / dl)) => [Qle|Qgt].
  (* r reaches q at once *)
  rewrite /S big1 ?mul0r; first by nn.
  by move=> x _; rewrite tail_zero ?mulr0 // -subr_le0 rx subr_le0.
case: (lerP D dl) => [Dle|Dgt].
  (* s overshoots *)
  apply: one; have := amgm _ D0 => h1.
  apply: (@le_trans _ _ (D * (a * ka / D + b * D))).
    by rewrite -{1}[D]mulr1 ler_pmul2l.
  have -> : D * (a * ka / D + b * D) = a * ka + b * D * D by field; rewrite gt_eqF.
  rewrite mulrDr; apply: ler_add.
    rewrite mulrCA ler_pmul2l //.
    by move: Qgt; rewrite ltr_pdivr_mulr // mulrC => /ltW.
  by rewrite mulrC; apply: ler_wpmul2r => //; nn.
case: (lerP (Q * dl ^+ 2) (D * ka)) => [le|gt]; last first.
  apply: one; have := amgm _ dl0 => h1.
  apply: (@le_trans _ _ (D * (a * ka / dl + b * dl))).
    by rewrite -{1}[D]mulr1 ler_pmul2l.
  refine (@le_diff _ _ _ (a / dl * (Q * dl ^+ 2 - D * ka)) _ _); first by field; rewrite gt_eqF.
  by nn.
have Q'0 : 0 < Q - ka / dl by rewrite subr_gt0.
have D'0 : 0 < D - dl by rewrite subr_gt0.
have each x : Tend n ev (x :: h) <= g / (4%:R * d%:R) * Phi (step U g (hst h) x) * (a * (Q - ka / dl) / (D - dl) + b).
  have rqx : rr (x :: h) < q by rewrite -subr_gt0 rx.
  have := IH (x :: h) rqx; rewrite rx sx => /(_ D'0).
  rewrite -ler_pdivl_mulr //= => h1; apply: le_trans h1 _.
  rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by field; rewrite !gt_eqF.
have m : \sum_x p h x * Phi (step U g (hst h) x) <= Phi (hst h).
  exact: (potential_monotone d_gt0 isoU g_gt0 g_lt (inv_h h) (psd1 R d)).
have h1 : S <= dl * (a * (Q - ka / dl) / (D - dl) + b).
  apply: le_trans (mean_le h each) _.
  rewrite (eq_bigr (fun x => (p h x * Phi (step U g (hst h) x)) *
     (g / (4%:R * d%:R) * (a * (Q - ka / dl) / (D - dl) + b)))); last by move=> x _; ring.
  rewrite -mulr_suml; move: Q'0 D'0; move: (Q - _) (D - _) => z1 z2 z10 z20.
  have -> : dl * (a * z1 / z2 + b) = Phi (hst h) * (g / (4%:R * d%:R) * (a * z1 / z2 + b)).
    by rewrite /dl; ring.
  apply: ler_wpmul2r => //; nn.
apply: (@le_trans _ _ (dl * (a * Q / D + b) * D)); last first.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field; rewrite gt_eqF.
rewrite ler_pmul2r //; apply: le_trans h1 _; rewrite ler_pmul2l // ler_add2r.
rewrite ler_pdivr_mulr //.
refine (@le_diff _ _ _ (a / (D * dl) * (D * ka - Q * dl ^+ 2)) _ _); first by field; rewrite !gt_eqF.
by nn.
Qed.

End Tail.

(* slug: tail *)
Lemma tail n q y : 0 < y -> 0 <= q <= 1 ->
  (1 - q) * Pr n (fun h => paper_stop h && (rr h < q)) <= (kap * y * q + (1 - q) / y) / 4%:R.
Proof.
move=> y0 /andP[q0 q1]; have d0 := d_pos; have k0 := kap_gt0.
have rhs0 : 0 <= (kap * y * q + (1 - q) / y) / 4%:R.
  by have z : 0 <= 1 - q by [rewrite subr_ge0]; move: z; move: (1 - q) => z z0; nn.
move: q1; rewrite le_eqVlt => /orP[/eqP e|q1]; first by rewrite {1}e subrr mul0r.
move: q0; rewrite le_eqVlt => /orP[/eqP e|q0].
  by rewrite /Pr /Exp tail_zero ?mulr0 // rr0 // e.
pose a := d%:R * y * kap / g ^+ 2; pose b := d%:R / (y * g ^+ 2).
have a0 : 0 < a by rewrite /a; ps.
have b0 : 0 < b by rewrite /b; ps.
have ab : a * b = d%:R ^+ 2 * kap / g ^+ 4 by rewrite /a /b; field; rewrite !gt_eqF.
have := @tail_tree q a b a0 b0 ab n [::]; rewrite rr0 // /ss /= mulr0 subr0 subr0 => /(_ q0).
rewrite subr_gt0 => /(_ q1) h1; rewrite mulrC; apply: le_trans h1 _.
rewrite Phi_start // le_eqVlt; apply/orP; left; apply/eqP; rewrite /a /b.
by field; rewrite !gt_eqF.
Qed.

(** With probability at least 1 - t, r_m >= q. *)
Lemma tail_event n q y t : 0 < y -> 0 <= q < 1 -> d%:R <= n%:R * g ^+ 2 ->
  y * q + (1 - q) / y <= 4%:R * t * (1 - q) ->
  1 - t <= Pr n (fun h => paper_stop h && (q <= rr h)).
Proof.
move=> y0 /andP[q0 q1] hn le; have z0 : 0 < 1 - q by rewrite subr_gt0.
have T := @tail n q y y0; rewrite q0 ltW // in T; have {}T := T isT.
have le1 : Pr n (fun h => paper_stop h && (rr h < q)) <= t.
  rewrite -(ler_pmul2l z0); apply: le_trans T _; rewrite ler_pdivr_mulr ?ltr0n //.
  have -> : (1 - q) * t * 4%:R = 4%:R * t * (1 - q) by ring.
  apply: le_trans le; rewrite ler_add2r; apply: ler_wpmul2r => //.
  by apply: ler_pimull; [exact: ltW | exact/ltW/kap_lt1].
have u : Pr n paper_stop <= Pr n (fun h => paper_stop h && (q <= rr h)) + Pr n (fun h => paper_stop h && (rr h < q)).
  by apply: Pr_union => h _ ->; rewrite /= ltNge; case: (q <= rr h).
rewrite terminates_lin // in u.
by rewrite ler_subl_addr; apply: le_trans u _; rewrite ler_add2l.
Qed.

Lemma up_ge h : d%:R / g ^+ 2 * rr h <= up (hst h).
Proof.
rewrite (hup d_gt0 isoU g_gt0 g_lt) (hmid d_gt0 isoU g_gt0 g_lt).
have d0 := d_pos; have r0 := rr_ge0 d_gt0 isoU g_gt0 g_lt h.
by refine (@le_diff _ _ _ (2%:R * g * (d%:R / g ^+ 2 * rr h) + 2%:R * d%:R / g) _ _); [ring | nn].
Qed.

(* slug: um-lower *)
Lemma um_lower n t : 0 <= t -> d%:R <= n%:R * g ^+ 2 ->
  1 - t <= Pr n (fun h => paper_stop h &&
    (4%:R * t ^+ 2 / (1 + 4%:R * t ^+ 2) * d%:R / g ^+ 2 <= up (hst h))).
Proof.
move=> t0 hn; pose q := 4%:R * t ^+ 2 / (1 + 4%:R * t ^+ 2).
have n0 : 0 < 1 + 4%:R * t ^+ 2 by apply: ltr_spaddl; [exact: ltr01 | nn].
have q0 : 0 <= q by rewrite /q; nn.
have eq1 : 1 - q = (1 + 4%:R * t ^+ 2)^-1 by rewrite /q; field; rewrite gt_eqF.
have q1 : q < 1 by rewrite -subr_gt0 eq1 invr_gt0.
have imp : Pr n (fun h => paper_stop h && (q <= rr h)) <=
   Pr n (fun h => paper_stop h && (4%:R * t ^+ 2 / (1 + 4%:R * t ^+ 2) * d%:R / g ^+ 2 <= up (hst h))).
  apply: Pr_mono => h _ /andP[-> qr] /=; apply: le_trans (up_ge h).
  by rewrite -/q -mulrA mulrC; apply: ler_wpmul2l => //; have := d_pos => d0; nn.
apply: le_trans imp.
move: t0; rewrite le_eqVlt => /orP[/eqP e|t0].
  rewrite -e subr0 -(terminates_lin hn); apply: Pr_mono => h _ -> /=.
  have -> : q = 0 by rewrite /q -e expr0n mulr0 mul0r.
  exact: rr_ge0.
apply: (@tail_event n q (2%:R * t)^-1 t) => //; first by ps.
  by rewrite q0 q1.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite eq1 /q; field.
by rewrite !gt_eqF.
Qed.

(* slug: event-gamma *)
Lemma event_gamma n : d%:R <= n%:R * g ^+ 2 ->
  14%:R / 15%:R <= Pr n (fun h => paper_stop h && (d%:R / (64%:R * g ^+ 2) <= up (hst h))).
Proof.
move=> hn; apply: (@le_trans _ _ (Pr n (fun h => paper_stop h && (64%:R^-1 <= rr h)))); last first.
  apply: Pr_mono => h _ /andP[-> qr] /=; apply: le_trans (up_ge h).
  rewrite invfM mulrCA mulrC; apply: ler_wpmul2l => //; have := d_pos => d0; nn.
have -> : 14%:R / 15%:R = 1 - 15%:R^-1 :> R by field.
apply: (@tail_event n _ 8%:R _ (ltr0Sn _ _)) => //.
  by rewrite invr_ge0 ler0n invf_lt1 ?ltr0n // ltr1n.
refine (@le_diff _ _ _ (37%:R / (64%:R * 40%:R)) _ _); first by field.
by nn.
Qed.

(** r_m >= 1/5 with probability 3/4. *)
Lemma rr_fifth n : d%:R <= n%:R * g ^+ 2 ->
  3%:R / 4%:R <= Pr n (fun h => paper_stop h && (5%:R^-1 <= rr h)).
Proof.
move=> hn; have -> : 3%:R / 4%:R = 1 - 4%:R^-1 :> R by field.
apply: (@tail_event n _ 2%:R _ (ltr0Sn _ _)) => //.
  by rewrite invr_ge0 ler0n invf_lt1 ?ltr0n // ltr1n.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
Qed.

End Paper.
End Trees.
