(** Runs of any sequential procedure on a finite tree: expectations, sums,
    supermartingales, Markov, the clock and the second moment.

      rmean_mono, rmeanD, rmeanZ, rmean_const == the expectation
      rmean_count     == the mean of a count is the expected sum of chances
      rmean_super, rsum_super == supermartingales
      chain_clock     == E sum (r'-r) f <= rbar f(start)
      chain_moment    == E N <= N(start) + K (rbar + rbar^2/2)
      chain_weighted  == the same under a weight that falls with the clock
      rlate           == P(not stopped by n) <= E(length)/(n+1)
      drawn_sum       == sums over points of the weights drawn *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression.
From Asura Require Import SpecBeyond.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Chain.
Variables (R : realFieldType) (O : finType).
Variables (p : seq O -> O -> R) (stop : pred (seq O)).
Local Notation E := (run_mean p stop).
Local Notation S := (run_sum p stop).
Local Notation reach := (reach stop).
Implicit Types (h : seq O) (f : seq O -> R).

Lemma rmean_eq n f1 f2 h : f1 =1 f2 -> E n f1 h = E n f2 h.
Proof.
move=> e; elim: n h => [|n IH] h /=; first by rewrite e.
by case: ifP => _; rewrite ?e //; apply: eq_bigr => o _; rewrite IH.
Qed.

Lemma rmeanD n f1 f2 h : E n (fun h => f1 h + f2 h) h = E n f1 h + E n f2 h.
Proof.
elim: n h => [|n IH] h /=; first by case: ifP.
case: ifP => // _; rewrite -big_split /=; apply: eq_bigr => o _.
by rewrite IH mulrDr.
Qed.

Lemma rmeanZ n f c h : E n (fun h => c * f h) h = c * E n f h.
Proof.
elim: n h => [|n IH] h /=; first by case: ifP.
case: ifP => // _; rewrite mulr_sumr; apply: eq_bigr => o _.
by rewrite IH mulrCA.
Qed.

Lemma rsum_eq n f1 f2 h : f1 =1 f2 -> S n f1 h = S n f2 h.
Proof.
move=> e; elim: n h => [|n IH] h //=.
by case: ifP => _ //; rewrite e; congr (_ + _); apply: eq_bigr => o _; rewrite IH.
Qed.

Lemma rsumZ n f c h : S n (fun h => c * f h) h = c * S n f h.
Proof.
elim: n h => [|n IH] h /=; first by case: ifP; rewrite mulr0.
case: ifP => [_|_]; rewrite ?mulr0 // mulrDr mulr_sumr; congr (_ + _).
by apply: eq_bigr => o _; rewrite IH mulrCA.
Qed.

(** The law is asked for only where a run draws. *)
Hypothesis p_ge0 : forall h o, reach h -> ~~ stop h -> 0 <= p h o.
Hypothesis p_sum : forall h, reach h -> ~~ stop h -> \sum_o p h o = 1.

Lemma step_le h (f1 f2 : O -> R) : reach h -> ~~ stop h ->
  (forall o, f1 o <= f2 o) -> \sum_o p h o * f1 o <= \sum_o p h o * f2 o.
Proof.
move=> rh ns le; apply: ler_sum => o _; apply: ler_wpmul2l => //.
exact: p_ge0.
Qed.

Lemma step_const h c : reach h -> ~~ stop h -> \sum_o p h o * c = c.
Proof. by move=> rh ns; rewrite -mulr_suml p_sum // mul1r. Qed.

Lemma reach_cons h o : reach h -> ~~ stop h -> reach (o :: h).
Proof. by move=> rh ns; rewrite /= ns. Qed.

Lemma rmean_mono n f1 f2 h : (forall h, reach h -> f1 h <= f2 h) -> reach h ->
  E n f1 h <= E n f2 h.
Proof.
move=> le; elim: n h => [|n IH] h rh /=; first by case: ifP => _; exact: le.
case: ifP => [_|/negbT ns]; first exact: le.
by apply: step_le => // o; apply: IH; exact: reach_cons.
Qed.

Lemma rmean_const n c h : reach h -> E n (fun=> c) h = c.
Proof.
elim: n h => [|n IH] h rh /=; first by case: ifP.
case: ifP => // /negbT ns; rewrite -[RHS](step_const c rh ns).
by apply: eq_bigr => o _; rewrite IH //; exact: reach_cons.
Qed.

Lemma rmean_ge0 n f h : (forall h, reach h -> 0 <= f h) -> reach h -> 0 <= E n f h.
Proof. by move=> f0 rh; rewrite -(rmean_const n 0 rh); exact: rmean_mono. Qed.

Lemma rmean_count n (c : seq O -> R) f h :
  (forall h, reach h -> ~~ stop h -> \sum_o p h o * c (o :: h) = c h + f h) ->
  reach h -> E n c h = c h + S n f h.
Proof.
move=> e; elim: n h => [|n IH] h rh /=; first by case: ifP; rewrite addr0.
case: ifP => [_|/negbT ns]; first by rewrite addr0.
rewrite addrA -e // -big_split /=; apply: eq_bigr => o _.
by rewrite IH ?mulrDr //; exact: reach_cons.
Qed.

Lemma rmean_size n : E n (fun h => (size h)%:R) [::] = S n (fun=> 1) [::].
Proof.
rewrite (rmean_count _ (f := fun=> 1)) ?add0r // => h rh ns /=.
by rewrite step_const // -addn1 natrD.
Qed.

Lemma rsum_mono n f1 f2 h : (forall h, reach h -> ~~ stop h -> f1 h <= f2 h) ->
  reach h -> S n f1 h <= S n f2 h.
Proof.
move=> le; elim: n h => [|n IH] h rh //=; case: ifP => [//|/negbT ns].
apply: ler_add; first exact: le.
by apply: step_le => // o; apply: IH; exact: reach_cons.
Qed.

Lemma rsum_super n f W h : (forall h, reach h -> 0 <= W h) ->
  (forall h, reach h -> ~~ stop h -> f h + \sum_o p h o * W (o :: h) <= W h) ->
  reach h -> S n f h <= W h.
Proof.
move=> W0 WS; elim: n h => [|n IH] h rh /=; first by case: ifP => _; exact: W0.
case: ifP => [_|/negbT ns]; first exact: W0.
apply: le_trans (WS _ rh ns); rewrite ler_add2l; apply: step_le => // o.
by apply: IH; exact: reach_cons.
Qed.

Lemma rmean_super n W h :
  (forall h, reach h -> ~~ stop h -> \sum_o p h o * W (o :: h) <= W h) ->
  reach h -> E n W h <= W h.
Proof.
move=> WS; elim: n h => [|n IH] h rh /=; first by case: ifP.
case: ifP => [_|/negbT ns] //.
apply: le_trans (WS _ rh ns); apply: step_le => // o.
by apply: IH; exact: reach_cons.
Qed.

(** What a function grows by in one step bounds its mean. *)
Lemma rmean_grow n N f h :
  (forall h, reach h -> ~~ stop h -> \sum_o p h o * N (o :: h) <= N h + f h) ->
  reach h -> E n N h <= N h + S n f h.
Proof.
move=> le; elim: n h => [|n IH] h rh /=; first by case: ifP; rewrite addr0.
case: ifP => [_|/negbT ns]; first by rewrite addr0.
rewrite addrA; apply: le_trans (ler_add (le _ rh ns) (lexx _)).
rewrite -big_split /=; apply: ler_sum => o _; rewrite -mulrDr.
apply: ler_wpmul2l; first exact: p_ge0.
by apply: IH; exact: reach_cons.
Qed.

Section Clock.
Variables (r e f : seq O -> R) (rbar : R).
Hypothesis r_cons : forall h o, reach h -> ~~ stop h -> r (o :: h) = r h + e h.
Hypothesis r_le : forall h, reach h -> r h <= rbar.

Lemma some_draw h : reach h -> ~~ stop h -> exists o : O, True.
Proof.
move=> rh ns; case: (pickP O) => [o _|no]; first by exists o.
have := p_sum rh ns; rewrite big_pred0 ?no // => /eqP.
by rewrite eq_sym oner_eq0.
Qed.

Lemma step_bar h : reach h -> ~~ stop h -> r h + e h <= rbar.
Proof.
move=> rh ns; have [o _] := some_draw rh ns.
by rewrite -(r_cons o rh ns); apply: r_le; exact: reach_cons.
Qed.

(** The clock lemma. *)
Lemma chain_clock n : r [::] = 0 -> (forall h, reach h -> 0 <= f h) ->
  (forall h, reach h -> ~~ stop h -> \sum_o p h o * f (o :: h) <= f h) ->
  S n (fun h => e h * f h) [::] <= rbar * f [::].
Proof.
move=> r0 f0 fs; pose W h := (rbar - r h) * f h.
have -> : rbar * f [::] = W [::] by rewrite /W r0 subr0.
apply: rsum_super => // h rh.
  by apply: mulr_ge0; [rewrite subr_ge0 r_le | exact: f0].
move=> ns; have le := step_bar rh ns.
have -> : \sum_o p h o * W (o :: h) =
  (rbar - (r h + e h)) * \sum_o p h o * f (o :: h).
  by rewrite mulr_sumr; apply: eq_bigr => o _; rewrite /W r_cons // mulrCA.
have m : (rbar - (r h + e h)) * (\sum_o p h o * f (o :: h)) <=
  (rbar - (r h + e h)) * f h by apply: ler_wpmul2l; [rewrite subr_ge0 | exact: fs].
apply: le_trans (ler_add (lexx _) m) _; rewrite le_eqVlt /W; apply/orP; left.
by apply/eqP; ring.
Qed.

(** The second moment of a martingale whose steps grow with 1 + delta r. *)
Lemma chain_moment_at n delta K N : 0 <= delta -> 0 <= K -> r [::] = 0 ->
  (forall h, reach h -> 0 <= r h) ->
  (forall h, reach h -> ~~ stop h -> \sum_o p h o * N (o :: h) <=
     N h + K * ((1 + delta * r h) * e h)) ->
  E n N [::] <= N [::] + K * (rbar + delta * rbar ^+ 2 / 2%:R).
Proof.
move=> D0 K0 r0 rp le; apply: le_trans (rmean_grow n le _) _ => //.
rewrite ler_add2l rsumZ; apply: ler_wpmul2l => //.
pose W h := (rbar + delta * rbar ^+ 2 / 2%:R) - (r h + delta * r h ^+ 2 / 2%:R).
have -> : rbar + delta * rbar ^+ 2 / 2%:R = W [::].
  by rewrite /W r0 expr0n mulr0 mul0r addr0 subr0.
apply: rsum_super => // h rh.
  have a := rp _ rh; have b := r_le rh.
  rewrite /W subr_ge0 ler_add // ler_wpmul2r ?invr_ge0 ?ler0n //.
  apply: ler_wpmul2l => //.
  by rewrite ler_pexpn2r ?nnegrE // (le_trans a).
move=> ns; have le2 := step_bar rh ns.
have [o _] := some_draw rh ns.
have -> : \sum_o p h o * W (o :: h) = W (o :: h).
  rewrite -[RHS](step_const _ rh ns); apply: eq_bigr => o' _.
  by rewrite /W !r_cons.
rewrite /W r_cons //.
refine (@le_diff _ _ _ (delta * e h ^+ 2 / 2%:R) _ _); last by nn.
by move: (r h) (e h) => x y; field.
Qed.

Lemma chain_moment n K N : 0 <= K -> r [::] = 0 -> (forall h, reach h -> 0 <= r h) ->
  (forall h, reach h -> ~~ stop h -> \sum_o p h o * N (o :: h) <=
     N h + K * ((1 + r h) * e h)) ->
  E n N [::] <= N [::] + K * (rbar + rbar ^+ 2 / 2%:R).
Proof.
move=> K0 r0 rp le; have := @chain_moment_at n 1 K N ler01 K0 r0 rp.
by rewrite mul1r; apply=> h rh ns; rewrite mul1r; exact: le.
Qed.

(** The same under a weight psi that falls with the clock: W is a primitive of
    psi(r') (1 + r) for steps that start below [top], and stays below [cap]. *)
Lemma chain_weighted n K N (psi W : R -> R) (cap : R) :
  0 <= K -> r [::] = 0 -> (forall h, reach h -> 0 <= r h) ->
  (forall h, reach h -> ~~ stop h -> 0 <= e h) ->
  (forall h, reach h -> 0 <= N h) -> (forall x, 0 <= x -> 0 <= psi x) ->
  (forall h, reach h -> ~~ stop h ->
     psi (r h + e h) <= psi (r h) /\
     psi (r h + e h) * ((1 + r h) * e h) <= W (r h + e h) - W (r h)) ->
  (forall h, reach h -> W (r h) <= cap) ->
  (forall h, reach h -> ~~ stop h -> \sum_o p h o * N (o :: h) <=
     N h + K * ((1 + r h) * e h)) ->
  E n (fun h => N h * psi (r h)) [::] <= N [::] * psi 0 + K * (cap - W 0).
Proof.
move=> K0 r0 rp e0 N0 psi0 grow capped le.
pose V h := N h * psi (r h) + K * (cap - W (r h)).
apply: (@le_trans _ _ (E n V [::])).
  apply: rmean_mono => // h rh; rewrite /V ler_addl.
  by apply: mulr_ge0 => //; rewrite subr_ge0 capped.
have -> : N [::] * psi 0 + K * (cap - W 0) = V [::] by rewrite /V r0.
apply: rmean_super => // h rh ns; have [anti g1] := grow h rh ns.
have p0 : 0 <= psi (r h + e h).
  by apply: psi0; apply: addr_ge0; [exact: rp | exact: e0].
have -> : \sum_o p h o * V (o :: h) = psi (r h + e h) * (\sum_o p h o * N (o :: h))
    + K * (cap - W (r h + e h)).
  rewrite -[X in _ + X](step_const _ rh ns) mulr_sumr -big_split /=.
  by apply: eq_bigr => o _; rewrite /V r_cons //; ring.
apply: le_trans (ler_add (ler_wpmul2l p0 (le h rh ns)) (lexx _)) _.
rewrite /V; have h1 := ler_wpmul2l (N0 h rh) anti; have h2 := ler_wpmul2l K0 g1.
move: h1 h2; move: (psi _) (psi _) (W _) (W _) (N h) => a b w1 w2 y h1 h2.
refine (@le_diff _ _ _ ((y * a - y * b) + (K * (w2 - w1)
  - K * (b * ((1 + r h) * e h)))) _ _); first by ring.
by apply: addr_ge0; rewrite subr_ge0.
Qed.

End Clock.

Lemma rchance_markov n f t (q : pred (seq O)) : 0 < t ->
  (forall h, reach h -> 0 <= f h) -> (forall h, reach h -> q h -> t <= f h) ->
  run_chance p stop n q <= E n f [::] / t.
Proof.
move=> t0 f0 qf; rewrite ler_pdivl_mulr // mulrC -rmeanZ.
apply: rmean_mono => // h rh.
by case: (boolP (q h)) => qh; rewrite ?mulr1 ?mulr0; [exact: qf | exact: f0].
Qed.

Lemma rlate n h : reach h ->
  n.+1%:R * E n (fun h => (~~ stop h)%:R) h <= S n.+1 (fun=> 1) h.
Proof.
elim: n h => [|n IH] h rh.
  rewrite /=; case: (stop h) => /=; first by rewrite mulr0.
  under eq_bigr do rewrite if_same mulr0.
  by rewrite big1 // addr0 mulr1.
rewrite [S _ _ _]/= -/S [E _ _ _]/=.
case: ifP => [->|/negbT ns] /=; first by rewrite mulr0.
set A := \sum_o p h o * E n _ _.
have A1 : A <= 1.
  rewrite -[X in _ <= X](step_const 1 rh ns); apply: step_le => // o.
  rewrite -[X in _ <= X](rmean_const n 1 (reach_cons o rh ns)).
  apply: rmean_mono; last exact: reach_cons.
  by move=> h' _; rewrite -[1]/(1%:R) ler_nat leq_b1.
rewrite -[n.+2]add1n natrD mulrDl mul1r; apply: ler_add => //.
rewrite mulr_sumr; apply: ler_sum => o _; rewrite mulrCA.
by apply: ler_wpmul2l; [exact: p_ge0 | apply: IH; exact: reach_cons].
Qed.

End Chain.

(** Sums over the points of the weights that a run has drawn. *)
Section Drawn.
Variables (R : realFieldType) (O I : finType) (V : lmodType R).
Variables (pt : O -> I) (w : seq O -> O -> R).

Lemma drawn_cons h o x :
  drawn_weight pt w (o :: h) x = drawn_weight pt w h x + (if pt o == x then w h o else 0).
Proof. by []. Qed.

Lemma drawn_sum (F : I -> V) h :
  \sum_x drawn_weight pt w h x *: F x = dsum (fun h' o => w h' o *: F (pt o)) h.
Proof.
elim: h => [|o h IH].
  by rewrite big1 // => x _; rewrite /drawn_weight /= scale0r.
rewrite [RHS]/= -IH (eq_bigr (fun x => drawn_weight pt w h x *: F x +
  (if pt o == x then w h o else 0) *: F x)); last by move=> x _; rewrite drawn_cons scalerDl.
rewrite big_split /=; congr (_ + _); rewrite (bigD1 (pt o)) //= eqxx big1 ?addr0 //.
by move=> x ne; rewrite eq_sym (negbTE ne) scale0r.
Qed.

End Drawn.
