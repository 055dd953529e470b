(** The paper's algorithm is the two-sided method with nothing kept (X2 empty,
    D = 1): the same states, potentials, law, weights, clock, stops,
    expectations, and the same fit.

      of_pair s      == the state of Algorithm 2 that a pair (A, s) stands for
      paper_state    == the state after h
      paper_mean, paper_sums == expectations over the tree
      paper_fit      == the fit *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression.
From Asura Require Import SpecBeyond Beyond.Chain.
From Asura Require Import Beyond.TwoSided Beyond.TwoSidedRun.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Instance.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation all := (xpredT : pred I).
Local Notation st h := (ts_state U all g h).
Local Notation kap := (1 - 4%:R * g ^+ 2).
Let g2 : 0 < 1 - 2%:R * g := g2_gt0 g_lt.
Let p2 : 0 < 1 + 2%:R * g := p2_gt0 g_gt0.
Let d0 : (0 : R) < d%:R. Proof. by rewrite ltr0n. Qed.
Let kE : kap = (1 - 2%:R * g) * (1 + 2%:R * g). Proof. by ring. Qed.

Lemma all_target : os_target U all = 1%:M.
Proof. exact: isoU. Qed.
Lemma all_rank : ts_rank U all = d%:R.
Proof. by rewrite /ts_rank all_target mxtrace1. Qed.
Let rk0 : 0 < ts_rank U all. Proof. by rewrite all_rank. Qed.

Definition of_pair (s : 'M[R]_d * R) : state R d :=
  State s.1 (2%:R * d%:R / g + g * s.2 / (1 - 2%:R * g))
    (- (2%:R * d%:R / g) + g * s.2 / (1 + 2%:R * g)).

Section At.
Variable s : 'M[R]_d * R.
Lemma paper_upper : upper (of_pair s) = ts_hi U all g s.
Proof. by rewrite /upper /ts_hi all_target all_rank raddfD /= scalemx1. Qed.
Lemma paper_lower : lower (of_pair s) = ts_low U all g s.
Proof.
rewrite /lower /ts_low all_target all_rank raddfD /= scalemx1 raddfN /=.
by rewrite opprD opprK addrA.
Qed.
Lemma paper_bracket : bracket (of_pair s) = ts_brk U all g s.
Proof. by rewrite /bracket paper_upper paper_lower. Qed.
Lemma paper_potential : Phi (of_pair s) = ts_pot U all g s.
Proof. by rewrite /Phi /phi /ts_pot all_target paper_bracket. Qed.
Lemma paper_law x : prob U (of_pair s) x = ts_prob U all g s x.
Proof. by rewrite /prob /ts_prob paper_bracket paper_potential. Qed.

Hypothesis F0 : 0 < ts_pot U all g s.
Lemma paper_weight x : weight U g (of_pair s) x = ts_wt U all g s x.
Proof.
rewrite /weight paper_law paper_potential /ts_prob /ts_wt invf_div mulrA.
by rewrite divfK // gt_eqF.
Qed.
Lemma paper_step x : step U g (of_pair s) x = of_pair (ts_next U all g s x).
Proof.
rewrite /step paper_weight paper_potential /of_pair /ts_next /=.
by congr State; rewrite mulrDr mulrDl addrA; congr (_ + _); rewrite mulrAC.
Qed.
End At.

Lemma paper_state h : hst U g h = of_pair (st h).
Proof.
elim: h => [|x h IH].
  by rewrite /hst /= /start /of_pair /= mulr0 !mul0r !addr0.
have -> : hst U g (x :: h) = step U g (hst U g h) x by [].
rewrite IH paper_step //; exact: tpot_gt0.
Qed.

Lemma paper_clock h : rr U g h = ts_clock U all g h.
Proof.
rewrite /rr paper_state /rad /gap /= /ts_clock all_rank.
by rewrite kE; move: ((st h).2) => t; field; rewrite !gt_eqF.
Qed.

Lemma paper_spent h : ss U g h = ts_spent U all g h.
Proof.
rewrite /ss /ts_spent all_rank; congr (_ * _); elim: h => [|x h IH] //=.
by rewrite IH -paper_potential -paper_state.
Qed.

Lemma paper_rule h : paper_stop U g h = ts_paper U all g h.
Proof. by rewrite (paper_stopE _ d_gt0 g_gt0) paper_clock paper_spent. Qed.

Lemma paper_level T h : level_stop U g T h = ts_level U all g T h.
Proof. by rewrite (level_stopE _ d_gt0 g_gt0) paper_clock. Qed.

Lemma paper_prob h x : prob U (hst U g h) x = ts_law U all g h x.
Proof. by rewrite paper_state paper_law. Qed.

Lemma paper_mean stop n f h : Tend U g stop n f h = run_mean (ts_law U all g) stop n f h.
Proof.
elim: n h => [|n IH] h //=; case: ifP => // _.
by apply: eq_bigr => x _; rewrite IH paper_prob.
Qed.

Lemma paper_sums stop n f h : Tsum U g stop n f h = run_sum (ts_law U all g) stop n f h.
Proof.
elim: n h => [|n IH] h //=; case: ifP => // _; congr (_ + _).
by apply: eq_bigr => x _; rewrite IH paper_prob.
Qed.

(** The weights w'/(g s) differ from the paper's w'/mid by a factor only. *)
Lemma paper_wt h x : weight U g (hst U g h) x = ts_wt U all g (st h) x.
Proof. by rewrite paper_state paper_weight //; exact: tpot_gt0. Qed.

Section Fit.
Variables (X : I -> 'cV[R]_d) (Y : I -> R).

Lemma paper_gram h : weighted_gram X (ts_weight U all g h) =
  (g * (st h).2)^-1 *: sample_gram X U g h.
Proof.
rewrite /sample_gram (@eq_dsum _ _ _ (fun h' x => ts_wt U all g (st h') x
  *: (X x *m (X x)^T))); last by move=> h' x; rewrite paper_wt.
rewrite -(drawn_sum id (fun h' x => ts_wt U all g (st h') x)
  (fun x => X x *m (X x)^T)).
rewrite scaler_sumr; apply: eq_bigr => x _.
by rewrite /ts_weight /= scalerA mulrC.
Qed.

Lemma paper_rhs h : \sum_x (ts_weight U all g h x * Y x) *: X x =
  (g * (st h).2)^-1 *: sample_rhs X Y U g h.
Proof.
rewrite /sample_rhs (@eq_dsum _ _ _ (fun h' x => ts_wt U all g (st h') x
  *: (Y x *: X x))); last by move=> h' x; rewrite paper_wt scalerA.
rewrite -(drawn_sum id (fun h' x => ts_wt U all g (st h') x)
  (fun x => Y x *: X x)).
rewrite scaler_sumr; apply: eq_bigr => x _.
by rewrite /ts_weight /= !scalerA; congr (_ *: _); ring.
Qed.

Lemma paper_fit h : 0 < (st h).2 -> sample_gram X U g h \in unitmx ->
  weighted_fit X Y (ts_weight U all g h) = betahat X Y U g h.
Proof.
move=> s0 u; have c0 : (g * (st h).2)^-1 != 0.
  by rewrite invr_eq0 gt_eqF // mulr_gt0.
rewrite /weighted_fit /betahat paper_gram paper_rhs invmxZ //.
by rewrite -scalemxAl -scalemxAr scalerA mulVf // scale1r.
Qed.

Lemma paper_sum_gt0 x h : 0 < (st (x :: h)).2.
Proof.
have := te_gt0 g_gt0 g_lt rk0 h; have := tr_ge0 g_gt0 g_lt rk0 h.
move=> r0 e0; have : 0 < ts_clock U all g (x :: h).
  by rewrite (tr_cons g_gt0 g_lt rk0); apply: ltr_paddl.
rewrite /ts_clock pmulr_lgt0; last first.
  by rewrite invr_gt0 mulr_gt0 //; exact: kap_gt0.
by rewrite pmulr_rgt0 // exprn_gt0.
Qed.

End Fit.
End Instance.
