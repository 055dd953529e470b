(** The tail of r at the paper's stop, sharp and short: while Phi/g stays
    below L the run cannot stop before r = q, and Phi/g is a nonnegative
    supermartingale.

      ss_below      == while Phi/g < L, s <= (k L^2/4) r
      tail_factor   == the tail for any factor F with F(r) Phi a supermartingale
      tail_sharp    == P(r_m < q) <= q/((1+q) L - 1), if k L^2 q <= 4 (1-q)
      tail_sharp_event == with probability 1 - t, r_m >= q *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Tail.
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
Local Notation stop := (paper_stop U g).
Local Notation inv_h := (inv_h d_gt0 isoU g_gt0 g_lt).
Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).
Local Notation d_pos := (@d_pos R d d_gt0).
Local Notation Tend := (Tend U g stop).
Local Notation Pr := (Pr U g stop).
Local Notation rr_ge0 := (rr_ge0 d_gt0 isoU g_gt0 g_lt).
Implicit Types h : seq I.

Section Factor.
Variables (q L f0 : R) (F : R -> R).
Hypothesis q_gt0 : 0 < q.
Hypothesis L_gt0 : 0 < L.
Hypothesis qL : kap * L ^+ 2 * q <= 4%:R * (1 - q).
(** F(r) Phi is a supermartingale, 1 <= F and f0 (1+r) <= F(r) below q. *)
Hypothesis F_super : forall h x0,
  \sum_x p h x * (F (rr (x0 :: h)) * Phi (hst (x :: h))) <= F (rr h) * Phi (hst h).
Hypothesis F_ge1 : forall r, 0 <= r -> r < q -> 1 <= F r.
Hypothesis F_ge : forall r, 0 <= r -> r < q -> f0 * (1 + r) <= F r.

(** All earlier potentials were below L g. *)
Fixpoint calm h : bool :=
  if h is _ :: h' then (Phi (hst h') < L * g) && calm h' else true.

Lemma ss_below h : calm h -> 4%:R * ss h <= kap * L ^+ 2 * rr h.
Proof.
have d0 := d_pos; have k0 := kap_gt0.
elim: h => [_|x h IH /= /andP[lt /IH le]].
  by rewrite (rr0 U d_gt0 g_gt0) /ss /= !mulr0.
have P0 := Phi_gt0 d_gt0 (inv_h h).
rewrite ss_cons (rr_cons d_gt0 isoU g_gt0 g_lt) /clk.
move: le lt P0; move: (rr h) (ss h) (Phi _) => r s P le lt P0.
rewrite 2!mulrDr; apply: ler_add => //.
refine (@le_diff _ _ _ (g / (d%:R * P) * ((L * g) ^+ 2 - P ^+ 2)) _ _); first by field; rewrite !gt_eqF.
apply: mulr_ge0; first by nn.
by rewrite subr_ge0 ler_pexpn2r ?nnegrE ?(ltW lt) //; nn.
Qed.

Lemma calm_on h : calm h -> rr h < q -> ~~ stop h.
Proof.
move=> c rq; have le := ss_below c; have r0 := rr_ge0 h.
rewrite (paper_stopE _ d_gt0 g_gt0) -ltNge.
rewrite -(ltr_pmul2l (ltr0Sn R 3)) mulrDr mulr1.
apply: le_lt_trans (ler_add (lexx _) le) _.
have h1 : q * (kap * L ^+ 2 * rr h) <= rr h * (4%:R * (1 - q)).
  have -> : q * (kap * L ^+ 2 * rr h) = rr h * (kap * L ^+ 2 * q) by ring.
  exact: ler_wpmul2l.
rewrite -(ltr_pmul2l q_gt0) mulrDr; apply: le_lt_trans (ler_add (lexx _) h1) _.
refine (@lt_diff _ _ _ (4%:R * (q - rr h)) _ _); first by ring.
by rewrite pmulr_rgt0 ?ltr0n // subr_gt0.
Qed.

Local Notation ev := (fun h => (stop h && (rr h < q))%:R : R).

Lemma tail_factor_tree n h : f0 < L -> calm h -> rr h < q ->
  Tend n ev h * (L - f0) <= F (rr h) * (Phi (hst h) / g) - f0.
Proof.
move=> fL; have Lf : 0 < L - f0 by rewrite subr_gt0.
have base h' : rr h' < q -> 0 <= F (rr h') * (Phi (hst h') / g) - f0.
  move=> rq; have r0 := rr_ge0 h'.
  have P0 := Phi_gt0 d_gt0 (inv_h h').
  have := hPhi_rad d_gt0 isoU g_gt0 g_lt h'.
  rewrite ler_pdivr_mulr; last by apply: ltr_spaddl; [exact: ltr01|].
  move=> le; rewrite subr_ge0; have f := F_ge r0 rq.
  have z0 : 0 < Phi (hst h') / g by ps.
  have F0 : 0 <= F (rr h') by apply: le_trans (F_ge1 r0 rq); exact: ler01.
  have [neg|pos] := lerP f0 0.
    by apply: le_trans neg _; nn.
  apply: (@le_trans _ _ (f0 * (1 + rr h') * (Phi (hst h') / g))); last first.
    by apply: ler_wpmul2r => //; exact: ltW.
  rewrite -mulrA ler_pmulr // mulrCA mulrA ler_pdivl_mulr // mul1r.
  by rewrite mulrC in le; rewrite mulrC.
elim: n h => [|n IH] h c rq.
  have /negbTE ns := calm_on c rq.
  by rewrite /= ns /= mul0r; exact: base.
have /negbTE ns := calm_on c rq.
have P0 := Phi_gt0 d_gt0 (inv_h h).
case: (lerP (L * g) (Phi (hst h))) => [big|small].
  apply: (@le_trans _ _ (L - f0)).
    by apply: ler_pimull; [exact: ltW | exact: tail_le1].
  rewrite ler_add2r; apply: (@le_trans _ _ (1 * (Phi (hst h) / g))).
    by rewrite mul1r ler_pdivl_mulr.
  by apply: ler_wpmul2r; [nn | apply: F_ge1 => //; exact: rr_ge0].
rewrite /= ns; case: (pickP I) => [x0 _|no]; last first.
  by rewrite big_pred0 ?mul0r ?base.
have rx x : rr (x :: h) = rr (x0 :: h) by rewrite !rr_cons.
case: (lerP q (rr (x0 :: h))) => [out|inq].
  rewrite big1 ?mul0r ?base // => x _.
  by rewrite tail_zero ?mulr0 ?rx.
have each x : Tend n ev (x :: h) * (L - f0) <=
   F (rr (x0 :: h)) * (Phi (hst (x :: h)) / g) - f0.
  by rewrite -(rx x); apply: IH; rewrite /= ?small ?c // -?(rx x) ?rx.
rewrite mulr_suml.
apply: (@le_trans _ _ (\sum_x p h x *
   (F (rr (x0 :: h)) * (Phi (hst (x :: h)) / g) - f0))).
  apply: ler_sum => x _; rewrite -mulrA; apply: ler_wpmul2l; last exact: each.
  exact: (p_ge0 d_gt0 isoU g_gt0 g_lt).
rewrite (eq_bigr (fun x => p h x * (F (rr (x0 :: h)) * Phi (hst (x :: h))) / g
   - p h x * f0)); last by move=> x _; rewrite !mulrA mulrBr !mulrA.
rewrite sumrB -mulr_suml (mean_const d_gt0 isoU g_gt0 g_lt) ler_add2r mulrA.
by apply: ler_wpmul2r; [nn | exact: F_super].
Qed.

Lemma tail_factor n : F 0 = 1 -> f0 < L ->
  Pr n (fun h => stop h && (rr h < q)) <= (1 - f0) / (L - f0).
Proof.
move=> F0 fL; have Lf : 0 < L - f0 by rewrite subr_gt0.
rewrite ler_pdivl_mulr //; have := @tail_factor_tree n [::] fL isT.
rewrite (rr0 U d_gt0 g_gt0) F0 mul1r => /(_ q_gt0); rewrite /=.
by rewrite (Phi_start d_gt0 g_gt0) divff ?gt_eqF.
Qed.

End Factor.

(** With F = 1. *)
(* slug: tail-sharp *)
Lemma tail_sharp n q L : 0 < q -> 0 < L -> 1 < (1 + q) * L ->
  kap * L ^+ 2 * q <= 4%:R * (1 - q) ->
  Pr n (fun h => stop h && (rr h < q)) <= q / ((1 + q) * L - 1).
Proof.
move=> q0 L0 qL kL; have q1 : 0 < 1 + q by ps.
have z : 0 < (1 + q) * L - 1 by rewrite subr_gt0.
have -> : q / ((1 + q) * L - 1) = (1 - (1 + q)^-1) / (L - (1 + q)^-1).
  have -> : L - (1 + q)^-1 = ((1 + q) * L - 1) / (1 + q).
    by field; rewrite gt_eqF.
  by move: z; move: ((1 + q) * L - 1) => y y0; field; rewrite !gt_eqF.
apply: (@tail_factor q L (1 + q)^-1 (fun=> 1)) => //.
- move=> h x0; rewrite mul1r; under eq_bigr do rewrite mul1r.
  exact: (potential_monotone d_gt0 isoU g_gt0 g_lt (inv_h h) (psd1 R d)).
- move=> r r0 rq; rewrite mulrC ler_pdivr_mulr // mul1r ler_add2l.
  exact: ltW.
- by rewrite -(ltr_pmul2l q1) mulfV ?gt_eqF.
Qed.

(** The tail as an event, for any bound on its probability. *)
Lemma tail_event_of n q t : d%:R <= n%:R * g ^+ 2 ->
  Pr n (fun h => stop h && (rr h < q)) <= t ->
  1 - t <= Pr n (fun h => stop h && (q <= rr h)).
Proof.
move=> hn le.
have u : Pr n stop <= Pr n (fun h => stop h && (q <= rr h)) +
   Pr n (fun h => stop h && (rr h < q)).
  by apply: Pr_union => // h _ ->; rewrite /= ltNge; case: (q <= rr h).
rewrite (terminates_lin d_gt0 isoU g_gt0 g_lt hn) in u.
by rewrite ler_subl_addr; apply: le_trans u _; rewrite ler_add2l.
Qed.

End Tail.
