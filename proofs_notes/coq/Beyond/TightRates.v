(** Algorithm 2 with any rates, stopped at a level of r, on the data; then
    the tight rates, for every g < 1.

      rated_inv     == the barriers stay strict
      rated_mean    == E[bracket after a step] <= bracket
      rated_labels, rated_length, rated_late == labels, draws, late runs
      rated_loss    == E[loss of stopped runs] <= (1 + const) loss(beta)
      tight_ok      == the tight rates are admissible for all g < 1
      tight_twenty  == g = sqrt(eps/13): 20 R_X/eps labels, loss 1 + eps *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop RealClosed.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Move.
From Asura Require Import Beyond.Chain.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** One step, from any state between its barriers. *)
Section OneStep.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g cu cl : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt1 : g < 1.
Hypothesis cu_ge0 : 0 <= cu.
Hypothesis cl_ge0 : 0 <= cl.
Hypothesis cl_lt1 : cl < 1.
Variable s : state R d.
Hypothesis ins : inv s.

Local Notation step := (rated_step U g cu cl s).

Lemma rpot : pot (upper s) (lower s) = Phi s.
Proof. by rewrite PhiE. Qed.
Lemma rpr x : pr U (upper s) (lower s) x = prob U s x.
Proof. by rewrite /pr rpot. Qed.
Lemma rwt x : wt U g (upper s) (lower s) x = weight U g s x.
Proof. by rewrite (weightE _ _ d_gt0 ins). Qed.

Lemma rup x : up_move U g (upper s) (lower s) cu x = upper (step x).
Proof.
rewrite /up_move rpot rwt /upper /= raddfD /=.
move: (weight _ _ _ _ *: _) => Z; apply/matrixP => i j; rewrite !mxE.
by move: (acc s i j) (Z i j) => *; ring.
Qed.
Lemma rlo x : lo_move U g (upper s) (lower s) cl x = lower (step x).
Proof.
rewrite /lo_move rpot rwt /lower /= raddfD /=.
move: (weight _ _ _ _ *: _) => Z; apply/matrixP => i j; rewrite !mxE.
by move: (acc s i j) (Z i j) => *; ring.
Qed.

Lemma rated_inv_step x : inv (step x).
Proof.
case: (ins) => pP pQ; split.
  by rewrite -rup; exact: move_upper_pd.
by rewrite -rlo; exact: move_lower_pd.
Qed.

Hypothesis ku0 : 0 <= ku g cu.
Hypothesis kl0 : 0 <= kl g cl.

Lemma rated_mean : psd (bracket s - \sum_x prob U s x *: bracket (step x)).
Proof.
case: (ins) => pP pQ.
have := move_bracket d_gt0 isoU g_gt0 g_lt1 pP pQ cu_ge0 cl_ge0 cl_lt1 ku0 kl0.
rewrite -/(bracket s).
by under eq_bigr => x _ do rewrite rpr /brk_move rup rlo.
Qed.

Lemma rated_mean_phi M : psd M -> \sum_x prob U s x * phi M (step x) <= phi M s.
Proof.
move=> pM; have := tr_mono pM rated_mean.
rewrite mulmx_sumr raddf_sum /=.
by under eq_bigr do rewrite -scalemxAr mxtraceZ.
Qed.

End OneStep.

(** ** Runs on the data. *)
Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g cu cl T : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt1 : g < 1.
Hypothesis cu_ge0 : 0 <= cu.
Hypothesis cl_ge0 : 0 <= cl.
Hypothesis cl_lt1 : cl < 1.
Hypothesis ku0 : 0 <= ku g cu.
Hypothesis kl0 : 0 <= kl g cl.
Hypothesis W_gt0 : cl < cu.
Hypothesis T_ge0 : 0 <= T.

Local Notation U := (white X P).
Local Notation isoU := (isoU whP).
Local Notation st h := (rated_state U g cu cl h).
Local Notation p := (rated_law U g cu cl).
Local Notation r h := (rated_clock U g cu cl h).
Local Notation stop := (rated_stop U g cu cl T).
Local Notation W := (cu - cl).
Local Notation e h := (g * W / (4%:R * d%:R) / Phi (st h)).
Local Notation w h x := (rated_weight U g cu cl h x).
Local Notation fit h := (weighted_fit X Y (rated_weight U g cu cl h)).
Local Notation rbar := (T + W / (4%:R * d%:R) * (1 + T)).
Local Notation d_pos := (@d_pos R d d_gt0).

Lemma W_pos : 0 < W. Proof. by rewrite subr_gt0. Qed.

Lemma rated_inv h : inv (st h).
Proof.
elim: h => [|x h IH] /=; first exact: inv_start.
by apply: rated_inv_step => //; exact: isoU.
Qed.

Lemma rPhi_gt0 h : 0 < Phi (st h).
Proof. exact: (Phi_gt0 d_gt0 (rated_inv h)). Qed.

Lemma rated_law_ge0 h x : 0 <= p h x.
Proof. by apply: prob_ge0 => //; exact: rated_inv. Qed.
Lemma rated_law_sum h : \sum_x p h x = 1.
Proof. by apply: prob_sum => //; [exact: isoU | exact: rated_inv]. Qed.

Lemma r_start : r [::] = 0.
Proof. exact: rad_start. Qed.

Lemma r_step h x : r (x :: h) = r h + e h.
Proof.
have d0 := d_pos; have F0 := rPhi_gt0 h.
rewrite /rated_clock /rad /gap /=; move: F0; move: (Phi _) => F F0.
by move: (up _) (lo _) => a b; field; rewrite !gt_eqF.
Qed.

Lemma e_gt0 h : 0 < e h.
Proof.
have d0 := d_pos; have F0 := rPhi_gt0 h; have w0 := W_pos.
by move: w0; move: (cu - cl) => z z0; ps.
Qed.

Lemma r_ge0 h : 0 <= r h.
Proof.
elim: h => [|x h IH]; first by rewrite r_start.
by rewrite r_step addr_ge0 // ltW // e_gt0.
Qed.

Lemma r1_gt0 h : 0 < 1 + r h.
Proof. by apply: ltr_spaddl; [exact: ltr01 | exact: r_ge0]. Qed.

Lemma e_le h : e h <= W / (4%:R * d%:R) * (1 + r h).
Proof.
have d0 := d_pos; have F0 := rPhi_gt0 h; have w0 := W_pos.
have r1 := r1_gt0 h.
have := Phi_rad d_gt0 g_gt0 (rated_inv h); rewrite -/(r h) ler_pdivr_mulr //.
move=> le; rewrite ler_pdivr_mulr //.
have -> : W / (4%:R * d%:R) * (1 + r h) * Phi (st h) =
  W / (4%:R * d%:R) * (Phi (st h) * (1 + r h)) by ring.
have -> : g * W / (4%:R * d%:R) = W / (4%:R * d%:R) * g by ring.
by apply: ler_wpmul2l => //; move: w0; move: (cu - cl) => z z0; nn.
Qed.

Lemma rated_reach h : reach stop h -> r h <= rbar.
Proof.
have d0 := d_pos; have w0 := W_pos.
case: h => [_|x h /= /andP[ns _]].
  by rewrite r_start; move: w0; move: (cu - cl) => z z0; nn.
rewrite r_step; move: ns; rewrite /rated_stop -ltNge => /ltW le.
apply: le_trans (ler_add le (e_le h)) _; rewrite ler_add2l.
apply: ler_wpmul2l; first by move: w0; move: (cu - cl) => z z0; nn.
by rewrite ler_add2l.
Qed.

(** The barriers in terms of r. *)
Lemma rated_gap h : gap (st h) = 4%:R * d%:R / g * (1 + r h).
Proof. by have d0 := d_pos; rewrite /rated_clock /rad; field; rewrite !gt_eqF. Qed.

Lemma rated_lo h : lo (st h) = 2%:R * d%:R / (g * W) * (2%:R * cl * r h - W).
Proof.
have d0 := d_pos; have w0 := W_pos.
elim: h => [|x h IH].
  rewrite r_start mulr0 sub0r /=; move: w0; move: (cu - cl) => z z0.
  by field; rewrite !gt_eqF.
rewrite r_step /= IH; have F0 := rPhi_gt0 h; move: F0 (r h) w0.
move: (Phi _) (cu - cl) => F z F0 r' z0.
by field; rewrite !gt_eqF.
Qed.

(** ** Labels, draws, late runs. *)
Lemma rated_sum n M : psd M ->
  run_sum p stop n (fun h => phi M (st h) / Phi (st h)) [::] <=
  4%:R * rbar * \tr M / W.
Proof.
move=> pM; have d0 := d_pos; have w0 := W_pos.
have le := @chain_clock _ _ p stop (fun h x _ _ => rated_law_ge0 h x)
  (fun h _ _ => rated_law_sum h) (fun h => r h) (fun h => e h)
  (fun h => phi M (st h)) rbar (fun h x _ _ => r_step h x) rated_reach n r_start.
have {}le := le (fun h _ => phi_ge0 (rated_inv h) pM).
have {}le := le (fun h _ _ => rated_mean_phi d_gt0 isoU g_gt0 g_lt1 cu_ge0
  cl_ge0 cl_lt1 (rated_inv h) ku0 kl0 pM).
rewrite /= phi_start // in le.
rewrite (@rsum_eq _ _ p stop n _
  (fun h => 4%:R * d%:R / (g * W) * (e h * phi M (st h)))).
  rewrite rsumZ; apply: le_trans (ler_wpmul2l _ le) _.
    by move: w0; move: (cu - cl) => z z0; nn.
  rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by move: w0; move: (cu - cl) => z z0; field; rewrite !gt_eqF.
move=> h; have F0 := rPhi_gt0 h; move: F0 w0.
move: (phi M _) (Phi _) (cu - cl) => y F z F0 z0.
by field; rewrite !gt_eqF.
Qed.

Lemma rated_draws n (X1 : pred I) :
  run_mean p stop n (fun h => (count X1 h)%:R) [::] <=
  4%:R * rbar * reduced_rank X X1 / W.
Proof.
rewrite -(trace_identity whP).
apply: le_trans (rated_sum n (psd_mass U X1)).
rewrite (@rmean_count _ _ p stop n (fun h => (count X1 h)%:R) (fun h =>
  phi (\sum_(x | X1 x) U x *m (U x)^T) (st h) / Phi (st h)) [::]) ?add0r //.
move=> h rh ns /=; under eq_bigr do rewrite natrD mulrDr addrC.
rewrite big_split /= -mulr_suml rated_law_sum mul1r; congr (_ + _).
rewrite -sampling_mass [RHS]big_mkcond /=; apply: eq_bigr => x _.
by case: (X1 x); rewrite ?mulr1 ?mulr0.
Qed.

Lemma rated_labels n (X1 : pred I) :
  run_mean p stop n (fun h => (labels X1 h)%:R) [::] <=
  4%:R * rbar * reduced_rank X X1 / W.
Proof.
apply: le_trans (rated_draws n X1); apply: rmean_mono => //.
  by move=> h x _ _; exact: rated_law_ge0.
by move=> h _; rewrite ler_nat labels_le.
Qed.

Lemma rank_all : reduced_rank X xpredT = d%:R.
Proof. by rewrite -(trace_identity whP) isoU mxtrace1. Qed.

Lemma rated_length n : run_mean p stop n (fun h => (size h)%:R) [::] <=
  4%:R * rbar * d%:R / W.
Proof.
by have := rated_draws n xpredT; rewrite rank_all.
Qed.

Lemma rated_late n : run_chance p stop n (fun h => ~~ stop h) <=
  4%:R * rbar * d%:R / W / n.+1%:R.
Proof.
rewrite ler_pdivl_mulr ?ltr0n // mulrC.
have := @rlate _ _ p stop (fun h x _ _ => rated_law_ge0 h x)
  (fun h _ _ => rated_law_sum h) n [::] isT.
move=> le; apply: le_trans le _; apply: le_trans (rated_length n.+1).
by rewrite (rmean_size (fun h _ _ => rated_law_sum h)).
Qed.

(** ** The noise and the excess. *)
Definition rated_noise h : 'cV[R]_d :=
  dsum (fun h' x => (weight U g (st h') x * resid X Y x) *: U x) h.

Lemma rated_gram h : P^T *m weighted_gram X (rated_weight U g cu cl h) *m P = acc (st h).
Proof.
rewrite /weighted_gram (drawn_sum id _ (fun x => X x *m (X x)^T)).
elim: h => [|x h IH] /=; first by rewrite mulmx0 mul0mx.
rewrite mulmxDr mulmxDl IH; congr (_ + _).
by rewrite -scalemxAr -scalemxAl /white trmx_mul trmxK !mulmxA.
Qed.

Lemma rated_order h : psd (weighted_gram X (rated_weight U g cu cl h) - lo (st h) *: gram X).
Proof.
have uP := P_unit whP; apply: psd_leP.
- by rewrite linearZ /= (G_sym X).
- exact: weighted_gram_sym.
move=> v; have -> : v = P *m (invmx P *m v) by rewrite mulKVmx.
move: (invmx P *m v) => z; rewrite qfZ !qf_mul rated_gram whP.
have [_ /pd_psd pl] := rated_inv h.
by have := psd_le z pl; rewrite -scalemx1 qfZ.
Qed.

Lemma rated_noiseE h :
  noise_size X Y xpredT (rated_weight U g cu cl h) = sqn (rated_noise h).
Proof.
rewrite /noise_size /noise_vector -(PPt whP).
have -> : \sum_x ((w h x - 1) * resid X Y x) *: X x =
  \sum_x w h x *: (resid X Y x *: X x).
  rewrite -[RHS]subr0 -[X in _ = _ - X](fit_normal Y (G_unit whP)) -sumrB.
  by apply: eq_bigr => x _; rewrite scalerA -scalerBl mulrBl mul1r.
rewrite (drawn_sum id _ (fun x => resid X Y x *: X x)).
have -> : P *m P^T = (P^T)^T *m 1%:M *m P^T by rewrite trmxK mulmx1.
rewrite -qf_mul -/(sqn _); congr (sqn _); rewrite /rated_noise.
elim: h => [|x h IH] /=; first by rewrite mulmx0.
by rewrite mulmxDr IH scalerA -scalemxAr.
Qed.

Lemma rated_moment_step h : \sum_x p h x * sqn (rated_noise (x :: h)) <=
  sqn (rated_noise h) + opt X Y * (4%:R * d%:R ^+ 2 / W) * ((1 + r h) * e h).
Proof.
have i := rated_inv h; have F0 := rPhi_gt0 h; have d0 := d_pos; have w0 := W_pos.
have step x : sqn (rated_noise (x :: h)) = sqn (rated_noise h) +
  (2%:R * (weight U g (st h) x * resid X Y x * dot (rated_noise h) (U x)) +
  (weight U g (st h) x * resid X Y x) ^+ 2 * sqn (U x)).
  by rewrite /sqn {1}/rated_noise /= -/(rated_noise h) qfDv ?trmx1 // bfZr qfZv addrA.
rewrite (eq_bigr (fun x => p h x * sqn (rated_noise h) + (p h x *
  (2%:R * (weight U g (st h) x * resid X Y x * dot (rated_noise h) (U x))) +
  p h x * ((weight U g (st h) x * resid X Y x) ^+ 2 * sqn (U x))))); last first.
  by move=> x _; rewrite step !mulrDr.
rewrite big_split /= -mulr_suml rated_law_sum mul1r ler_add2l big_split /=.
have -> : \sum_x p h x * (2%:R * (weight U g (st h) x * resid X Y x *
    dot (rated_noise h) (U x))) = 0.
  transitivity (\sum_x (2%:R * (g / Phi (st h))) * dot (rated_noise h) (resid X Y x *: U x)).
    apply: eq_bigr => x _; rewrite dotZr; have [->|n] := eqVneq (U x) 0.
      by rewrite /dot bf0r !mulr0.
    by rewrite -(prob_weight g d_gt0 i n) -/(p h x); ring.
  by rewrite -mulr_sumr -dot_sumr (normal_eq Y whP) /dot bf0r mulr0.
rewrite add0r -[X in _ <= X]mulrA optE mulr_suml; apply: ler_sum => x _.
have [->|n] := eqVneq (U x) 0.
  rewrite /sqn qf0v !mulr0; have e0 := e_gt0 h; have r1 := r1_gt0 h.
  apply: mulr_ge0; first exact: sqr_ge0.
  by move: w0 e0 r1; move: (e h) (1 + r h) (cu - cl) => e' r' z *; nn.
have q0 : 0 < qf (bracket (st h)) (U x) by apply: (proj2 (bracket_pd i)).
have e1 : p h x * ((weight U g (st h) x * resid X Y x) ^+ 2 * sqn (U x)) =
  resid X Y x ^+ 2 * (g ^+ 2 / Phi (st h)) * (sqn (U x) / qf (bracket (st h)) (U x)).
  rewrite (weightE U g d_gt0 i) /rated_law /prob; move: (sqn _) => z.
  by field; rewrite !gt_eqF.
have le : sqn (U x) / qf (bracket (st h)) (U x) <= gap (st h) / 4%:R.
  by rewrite ler_pdivr_mulr //; exact: leverage_ratio.
rewrite e1; apply: (@le_trans _ _ (resid X Y x ^+ 2 * (g ^+ 2 / Phi (st h)) * (gap (st h) / 4%:R))).
  by apply: ler_wpmul2l => //; nn.
rewrite rated_gap le_eqVlt; apply/orP; left; apply/eqP.
by move: w0; move: (r h) (cu - cl) => r' z z0; field; rewrite !gt_eqF.
Qed.

Lemma rated_moment n : run_mean p stop n (fun h => sqn (rated_noise h)) [::] <=
  opt X Y * (4%:R * d%:R ^+ 2 / W) * (rbar + rbar ^+ 2 / 2%:R).
Proof.
have d0 := d_pos; have w0 := W_pos.
have K0 : 0 <= opt X Y * (4%:R * d%:R ^+ 2 / W).
  apply: mulr_ge0; first exact: opt_ge0.
  by move: w0; move: (cu - cl) => z z0; nn.
have := @chain_moment _ _ p stop (fun h x _ _ => rated_law_ge0 h x)
  (fun h _ _ => rated_law_sum h) (fun h => r h) (fun h => e h) rbar
  (fun h x _ _ => r_step h x) rated_reach n _ (fun h => sqn (rated_noise h)) K0
  r_start (fun h _ => r_ge0 h) (fun h _ _ => rated_moment_step h).
by rewrite /rated_noise /= /sqn qf0v add0r.
Qed.

Hypothesis TW : W < 2%:R * cl * T.
Local Notation const := (g ^+ 2 * W * (rbar + rbar ^+ 2 / 2%:R) / (2%:R * cl * T - W) ^+ 2).

Lemma rated_lo_ge h : stop h -> 2%:R * d%:R / (g * W) * (2%:R * cl * T - W) <= lo (st h).
Proof.
move=> sh; rewrite rated_lo; have d0 := d_pos; have w0 := W_pos.
apply: ler_wpmul2l; first by move: w0; move: (cu - cl) => z z0; nn.
by rewrite ler_add2r; apply: ler_wpmul2l => //; nn.
Qed.

Lemma rated_lo_gt0 h : stop h -> 0 < lo (st h).
Proof.
move/rated_lo_ge; apply: lt_le_trans; have d0 := d_pos; have w0 := W_pos.
have t : 0 < 2%:R * cl * T - W by rewrite subr_gt0.
move: t; move: (2%:R * cl * T - W) => y y0.
by move: w0; move: (cu - cl) => z z0; ps.
Qed.

Lemma rated_leaf h : stop h -> loss X Y (fit h) - opt X Y <=
  sqn (rated_noise h) / (2%:R * d%:R / (g * W) * (2%:R * cl * T - W)) ^+ 2.
Proof.
move=> sh; have l0 := rated_lo_gt0 sh; have le := rated_lo_ge sh.
have keep : kept xpredT (rated_weight U g cu cl h) by [].
have := weighted_excess Y (G_unit whP) keep l0 (rated_order h).
rewrite rated_noiseE => h1; apply: le_trans h1 _.
apply: ler_wpmul2l; first exact: sqn_ge0.
have d0 := d_pos; have w0 := W_pos.
have t : 0 < 2%:R * cl * T - W by rewrite subr_gt0.
set z := _ * (_ - _) in le *.
have z0 : 0 < z.
  rewrite /z; apply: mulr_gt0 => //; move: w0 {z le}; move: (cu - cl) => y y0; ps.
by rewrite lef_pinv ?posrE ?exprn_gt0 // ler_pexpn2r ?nnegrE // ltW.
Qed.

Lemma rated_excess n :
  run_mean p stop n (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  const * opt X Y.
Proof.
have d0 := d_pos; have w0 := W_pos.
have t : 0 < 2%:R * cl * T - W by rewrite subr_gt0.
pose z := 2%:R * d%:R / (g * W) * (2%:R * cl * T - W).
have z0 : 0 < z.
  rewrite /z; apply: mulr_gt0 => //; move: w0 {z}; move: (cu - cl) => y y0; ps.
apply: (@le_trans _ _ (run_mean p stop n
   (fun h => (z ^+ 2)^-1 * sqn (rated_noise h)) [::])).
  apply: rmean_mono => //; first by move=> h x _ _; exact: rated_law_ge0.
  move=> h _; case: (boolP (stop h)) => sh; rewrite ?mul1r ?mul0r.
    by rewrite mulrC; exact: rated_leaf.
  by apply: mulr_ge0; [nn | exact: sqn_ge0].
rewrite rmeanZ; apply: le_trans (ler_wpmul2l _ (rated_moment n)) _; first by nn.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /z.
move: t {z z0}; move: (2%:R * cl * T - W) (rbar) => y b y0.
by move: w0; move: (cu - cl) => v v0; field; rewrite !gt_eqF.
Qed.

Lemma rated_loss n beta :
  run_mean p stop n (fun h => (stop h)%:R * loss X Y (fit h)) [::] <=
  (1 + const) * loss X Y beta.
Proof.
have t : 0 < 2%:R * cl * T - W by rewrite subr_gt0.
have w0 := W_pos; have d0 := d_pos.
have c0 : 0 <= const.
  have b0 : 0 <= rbar by move: w0; move: (cu - cl) => z z0; nn.
  move: t b0; move: (2%:R * cl * T - W) (rbar) => y b y0 b0.
  by move: w0; move: (cu - cl) => z z0; nn.
apply: (@le_trans _ _ ((1 + const) * opt X Y)); last first.
  by apply: ler_wpmul2l; [apply: addr_ge0; [exact: ler01|] | exact: (opt_min Y whP)].
rewrite mulrDl mul1r; apply: le_trans (ler_add (lexx _) (rated_excess n)).
have p0 h x : reach stop h -> ~~ stop h -> 0 <= p h x by move=> _ _; exact: rated_law_ge0.
have p1 h : reach stop h -> ~~ stop h -> \sum_x p h x = 1 by move=> _ _; exact: rated_law_sum.
rewrite -[X in X + _](rmean_const p1 n (opt X Y) (h := [::])) // -rmeanD.
apply: (rmean_mono p0) => // h _.
by case: (stop h); rewrite ?mul1r ?mul0r ?addr0 ?(opt_ge0 X Y) // addrC subrK.
Qed.

End Data.

(** ** The tight rates. *)
Section Tight.
Variables (R : realFieldType) (g xi : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt1 : g < 1.
Hypothesis xi_gt0 : 0 < xi.

Local Notation cu := (g / (1 - g)).
Local Notation cl := (g / (1 + xi)).
Let g1 : 0 < 1 - g. Proof. by rewrite subr_gt0. Qed.
Let x1 : 0 < 1 + xi. Proof. by ps. Qed.
Let xg : 0 < 1 + xi - g.
Proof. by have -> : 1 + xi - g = (1 - g) + xi by [ring]; ps. Qed.

Lemma tight_cu : 0 <= cu. Proof. by nn. Qed.
Lemma tight_cl : 0 <= cl. Proof. by nn. Qed.
Lemma tight_cl1 : cl < 1.
Proof. by rewrite ltr_pdivr_mulr // mul1r -subr_gt0. Qed.
Lemma tight_W : cl < cu.
Proof.
rewrite ltr_pmul2l // ltf_pinv ?posrE //.
by refine (@lt_diff _ _ _ (g + xi) _ _); [ring | ps].
Qed.
Lemma tight_ku : ku g cu = 0. Proof. by rewrite /ku subrr. Qed.

(** xi^2 + xi (1 - 2g) >= g is all that the lower barrier asks for. *)
Lemma tight_kl : g <= xi ^+ 2 + xi * (1 - 2%:R * g) -> 0 <= kl g cl.
Proof.
move=> h; have c : 1 - cl = (1 + xi - g) / (1 + xi) by field; rewrite gt_eqF.
have t : tl g cl <= xi.
  rewrite /tl c invf_div mulrA ler_pdivr_mulr //.
  refine (@le_diff _ _ _ (xi ^+ 2 + xi * (1 - 2%:R * g) - g) _ _).
    by ring.
  by rewrite subr_ge0.
have t0 : 0 < 1 + tl g cl.
  apply: ltr_spaddl; first exact: ltr01.
  by rewrite /tl c; apply: ltW; move: xg; move: (1 + xi - g) => z z0; ps.
rewrite /kl subr_ge0 ler_pmul2l // lef_pinv ?posrE //.
by rewrite ler_add2l.
Qed.

End Tight.

(** xi = g + g^2 is always admissible and needs no root. *)
Lemma tight_xi (R : realFieldType) (g : R) : 0 < g ->
  g <= (g + g ^+ 2) ^+ 2 + (g + g ^+ 2) * (1 - 2%:R * g).
Proof. by move=> g0; refine (@le_diff _ _ _ (g ^+ 4) _ _); [ring | nn]. Qed.

(** ** g = sqrt(eps/13), T = 10/13. *)
Section Twenty.
Variables (R : realFieldType) (d : nat) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < g.
Hypothesis g13 : 13%:R * g ^+ 2 <= 1.

Local Notation xi := (g + g ^+ 2).
Local Notation cu := (g / (1 - g)).
Local Notation cl := (g / (1 + xi)).
Local Notation W := (cu - cl).
Local Notation T := (10%:R / 13%:R : R).
Local Notation rbar := (T + W / (4%:R * d%:R) * (1 + T)).

Let z0 : 0 <= 1 - 13%:R * g ^+ 2. Proof. by rewrite subr_ge0. Qed.

Lemma g518 : 18%:R * g <= 5%:R.
Proof.
rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?ler0n //; last by nn.
refine (@le_diff _ _ _ (325%:R / 13%:R - 324%:R / 13%:R +
  324%:R / 13%:R * (1 - 13%:R * g ^+ 2)) _ _); first by field.
have -> : 325%:R / 13%:R - 324%:R / 13%:R = 13%:R^-1 :> R by field.
by move: z0; move: (1 - 13%:R * g ^+ 2) => z *; nn.
Qed.
Let y0 : 0 <= 5%:R - 18%:R * g. Proof. by rewrite subr_ge0 g518. Qed.

Lemma g_lt1_20 : g < 1.
Proof.
refine (@lt_diff _ _ _ ((5%:R - 18%:R * g) / 18%:R + 13%:R / 18%:R) _ _).
  by field.
by apply: ltr_paddl; [move: y0; move: (_ - _) => z *; nn | ps].
Qed.
Let g1 : 0 < 1 - g. Proof. by rewrite subr_gt0 g_lt1_20. Qed.

(** g^3 <= 5/234. *)
Lemma g3_le : 234%:R * g ^+ 3 <= 5%:R.
Proof.
refine (@le_diff _ _ _ ((5%:R - 18%:R * g) + 18%:R * g * (1 - 13%:R * g ^+ 2)) _ _).
  by ring.
by move: z0 y0; move: (1 - 13%:R * g ^+ 2) (5%:R - 18%:R * g) => *; nn.
Qed.
Lemma g3_gt0 : 0 < 1 - g ^+ 3.
Proof.
refine (@lt_le_trans _ _ (229%:R / 234%:R) _ _ _ _); first by ps.
refine (@le_diff _ _ _ ((5%:R - 234%:R * g ^+ 3) / 234%:R) _ _); first by field.
by have := g3_le; rewrite -subr_ge0; move: (_ - _) => z *; nn.
Qed.

Lemma WE : W = g ^+ 2 * (2%:R + g) / (1 - g ^+ 3).
Proof.
have x1 : 0 < 1 + xi by ps.
have e : 1 - g ^+ 3 = (1 - g) * (1 + xi) by ring.
rewrite e; have -> : g ^+ 2 * (2%:R + g) = g * ((1 + xi) - (1 - g)) by ring.
by move: x1 g1; move: (1 + xi) (1 - g) => a b *; field; rewrite !gt_eqF.
Qed.

Lemma W20_gt0 : 0 < W.
Proof.
rewrite WE; have g3 := g3_gt0; move: g3; move: (1 - g ^+ 3) => z z1; ps.
Qed.

Lemma labels20 : 4%:R * rbar / W <= 20%:R / (13%:R * g ^+ 2).
Proof.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
have d1 : (1 : R) <= d%:R by rewrite ler1n.
have w0 := W20_gt0; have g3 := g3_gt0.
have -> : 4%:R * rbar / W = 4%:R * T / W + (1 + T) / d%:R.
  by move: w0; move: (cu - cl) => z *; field; rewrite !gt_eqF.
apply: (@le_trans _ _ (4%:R * T / W + (1 + T))).
  by rewrite ler_add2l ler_pdivr_mulr // ler_pmulr //; ps.
rewrite WE; refine (@le_diff _ _ _ ((20%:R - 46%:R * g + 17%:R * g ^+ 2) /
  (13%:R * g * (2%:R + g))) _ _).
  have p2 : 0 < 2%:R + g by ps.
  have -> : 4%:R * T / (g ^+ 2 * (2%:R + g) / (1 - g ^+ 3)) =
    4%:R * T * (1 - g ^+ 3) / (g ^+ 2 * (2%:R + g)).
    by move: g3; move: (1 - g ^+ 3) => z *; field; rewrite !gt_eqF.
  by field; rewrite !gt_eqF.
have -> : 20%:R - 46%:R * g + 17%:R * g ^+ 2 =
  46%:R / 18%:R * (5%:R - 18%:R * g) + 65%:R / 9%:R + 17%:R * g ^+ 2 by field.
by move: y0; move: (5%:R - 18%:R * g) => *; nn.
Qed.

(** 20 - 46 g - 13 g^2 >= 56/9. *)
Lemma den20 : 56%:R / 9%:R <= 20%:R - 46%:R * g - 13%:R * g ^+ 2.
Proof.
refine (@le_diff _ _ _ (46%:R / 18%:R * (5%:R - 18%:R * g) +
  (1 - 13%:R * g ^+ 2)) _ _); first by field.
by move: z0 y0; move: (1 - 13%:R * g ^+ 2) (5%:R - 18%:R * g) => *; nn.
Qed.

Lemma TWE : 2%:R * cl * T - W =
  g * (20%:R - 46%:R * g - 13%:R * g ^+ 2) / (13%:R * (1 - g ^+ 3)).
Proof.
have x1 : 0 < 1 + xi by ps.
have e : 1 - g ^+ 3 = (1 - g) * (1 + xi) by ring.
rewrite e; have -> : 20%:R - 46%:R * g - 13%:R * g ^+ 2 =
  20%:R * (1 - g) - 13%:R * ((1 + xi) - (1 - g)) by ring.
by move: x1 g1; move: (1 + xi) (1 - g) => a b *; field; rewrite !gt_eqF.
Qed.

Lemma TW20 : W < 2%:R * cl * T.
Proof.
rewrite -subr_gt0 TWE; have g3 := g3_gt0.
have n0 := lt_le_trans (_ : 0 < 56%:R / 9%:R) den20.
have {}n0 : 0 < 20%:R - 46%:R * g - 13%:R * g ^+ 2 by apply: n0; ps.
by move: n0 g3; move: (_ - 13%:R * _) (1 - g ^+ 3) => *; ps.
Qed.

Lemma rbar20 : 0 <= rbar <= 17%:R / 20%:R.
Proof.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
have d1 : (1 : R) <= d%:R by rewrite ler1n.
have w0 := W20_gt0; have g3 := g3_gt0.
apply/andP; split; first by move: w0; move: (cu - cl) => *; nn.
have w1 : W <= 41%:R / 229%:R.
  rewrite WE ler_pdivr_mulr //.
  refine (@le_diff _ _ _ (41%:R / 229%:R * (5%:R - 234%:R * g ^+ 3) / 234%:R +
    41%:R / 234%:R * (1 - 13%:R * g ^+ 2) + g ^+ 2 * (5%:R - 18%:R * g) / 18%:R) _ _).
    by field.
  have := g3_le; rewrite -subr_ge0; move: z0 y0.
  by move: (1 - 13%:R * _) (5%:R - 18%:R * g) (5%:R - _) => *; nn.
have : W / (4%:R * d%:R) <= 41%:R / (229%:R * 4%:R).
  rewrite ler_pdivr_mulr; last by ps.
  apply: le_trans w1 _; refine (@le_diff _ _ _ (41%:R / 229%:R * (d%:R - 1)) _ _).
    by field.
  by nn.
move: (W / _) => y le.
refine (@le_diff _ _ _ ((41%:R / (229%:R * 4%:R) - y) * (23%:R / 13%:R) +
  (17%:R / 20%:R - 10%:R / 13%:R - 41%:R * 23%:R / (229%:R * 4%:R * 13%:R))) _ _).
  by field.
have -> : 17%:R / 20%:R - 10%:R / 13%:R - 41%:R * 23%:R / (229%:R * 4%:R * 13%:R) =
  94%:R / (20%:R * 13%:R * 229%:R) :> R by field.
by move: le; rewrite -subr_ge0; move: (_ - y) => *; nn.
Qed.

Lemma const20 : g ^+ 2 * W * (rbar + rbar ^+ 2 / 2%:R) / (2%:R * cl * T - W) ^+ 2
  <= 13%:R * g ^+ 2.
Proof.
have g3 := g3_gt0; have dn := den20; have /andP[b0 b1] := rbar20.
have n0 : 0 < 20%:R - 46%:R * g - 13%:R * g ^+ 2 by apply: lt_le_trans dn; ps.
rewrite TWE; move: b0 b1; move: (rbar) => b b0 b1; rewrite WE.
move: n0 dn; set m := _ - 13%:R * g ^+ 2 => n0 dn.
have -> : g ^+ 2 * (g ^+ 2 * (2%:R + g) / (1 - g ^+ 3)) * (b + b ^+ 2 / 2%:R) /
  (g * m / (13%:R * (1 - g ^+ 3))) ^+ 2 =
  13%:R * g ^+ 2 * (13%:R * (2%:R + g) * (1 - g ^+ 3) * (b + b ^+ 2 / 2%:R) / m ^+ 2).
  by move: g3 n0; move: (1 - g ^+ 3) (m) => *; field; rewrite !gt_eqF.
apply: ler_pimulr; first by nn.
rewrite ler_pdivr_mulr ?exprn_gt0 // mul1r.
have m2 : (56%:R / 9%:R) ^+ 2 <= m ^+ 2.
  by rewrite ler_pexpn2r ?nnegrE //; [nn | exact: ltW].
apply: le_trans m2.
apply: (@le_trans _ _ (13%:R * (41%:R / 18%:R) * 1 * (17%:R / 20%:R + (17%:R / 20%:R) ^+ 2 / 2%:R))).
  apply: ler_pmul; [|by nn| |].
  - by move: g3; move: (1 - g ^+ 3) => *; nn.
  - apply: ler_pmul; [by nn | exact: ltW | |].
      apply: ler_wpmul2l; first by nn.
      refine (@le_diff _ _ _ ((5%:R - 18%:R * g) / 18%:R) _ _); first by field.
      by move: y0; move: (_ - _) => *; nn.
    by rewrite ler_subl_addr ler_addl; nn.
  - apply: ler_add => //; apply: ler_wpmul2r; first by nn.
    by rewrite ler_pexpn2r ?nnegrE //; nn.
rewrite mulr1; refine (@le_diff _ _ _
  ((600%:R * 615%:R + 307%:R) / (360%:R * 360%:R)) _ _); last by nn.
by field.
Qed.

End Twenty.

(** ** In epsilon. *)
Section Epsilon.
Variables (R : rcfType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.

(* slug: tight-rates *)
Theorem tight_twenty (eps : R) n (X1 : pred I) : 0 < eps -> eps <= 1 ->
  let g := Num.sqrt (eps / 13%:R) in
  let U := white X P in
  let cu := g / (1 - g) in
  let cl := g / (1 + (g + g ^+ 2)) in
  let p := rated_law U g cu cl in
  let stop := rated_stop U g cu cl (10%:R / 13%:R) in
  [/\ run_mean p stop n (fun h => (labels X1 h)%:R) [::] <=
        20%:R / eps * reduced_rank X X1,
      run_mean p stop n (fun h => (size h)%:R) [::] <= 20%:R * d%:R / eps,
      run_chance p stop n (fun h => ~~ stop h) <= 20%:R * d%:R / eps / n.+1%:R &
      forall beta, run_mean p stop n (fun h => (stop h)%:R *
          loss X Y (weighted_fit X Y (rated_weight U g cu cl h))) [::] <=
        (1 + eps) * loss X Y beta].
Proof.
move=> e0 e1 g U cu cl p stop.
have [g0 gE] : 0 < g /\ g ^+ 2 = eps / 13%:R by apply: sqrt_gt0; ps.
have g13 : 13%:R * g ^+ 2 = eps by rewrite gE; field.
have g13' : 13%:R * g ^+ 2 <= 1 by rewrite g13.
have g1 := g_lt1_20 g0 g13'.
have x0 : 0 < g + g ^+ 2 by ps.
have ku0 : 0 <= ku g cu by rewrite tight_ku.
have kl0 : 0 <= kl g cl := tight_kl g0 g1 x0 (tight_xi g0).
have cu0 : 0 <= cu := tight_cu g0 g1; have cl0 : 0 <= cl := tight_cl g0 x0.
have cl1 : cl < 1 := tight_cl1 g1 x0.
have W0 : cl < cu := tight_W g0 g1 x0.
have T0 : 0 <= 10%:R / 13%:R :> R by nn.
have lb := labels20 d_gt0 g0 g13'; rewrite -/cu -/cl g13 in lb.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
have len m : 4%:R * m * d%:R / (cu - cl) = 4%:R * m / (cu - cl) * d%:R by ring.
have len2 : 20%:R * d%:R / eps = 20%:R / eps * d%:R by ring.
split.
- apply: le_trans (rated_labels d_gt0 whP g0 g1 cu0 cl0 cl1 ku0 kl0 W0 T0 n X1) _.
  rewrite mulrAC; apply: ler_wpmul2r => //; exact: (psd_rank whP).
- apply: le_trans (rated_length d_gt0 whP g0 g1 cu0 cl0 cl1 ku0 kl0 W0 T0 n) _.
  by rewrite len len2; apply: ler_wpmul2r => //; exact: ltW.
- apply: le_trans (rated_late d_gt0 whP g0 g1 cu0 cl0 cl1 ku0 kl0 W0 T0 n) _.
  apply: ler_wpmul2r; first by nn.
  by rewrite len len2; apply: ler_wpmul2r => //; exact: ltW.
- move=> beta; have TW := TW20 g0 g13'.
  apply: le_trans (rated_loss Y d_gt0 whP g0 g1 cu0 cl0 cl1 W0 T0 TW n beta) _.
  apply: ler_wpmul2r; first by rewrite /loss; apply: sumr_ge0 => x _; exact: sqr_ge0.
  by rewrite ler_add2l -g13; exact: const20.
Qed.

End Epsilon.
