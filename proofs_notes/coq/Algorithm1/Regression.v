(** Algorithm 1 on the data: the whitening, weighted least squares on the
    sampled labels in the original coordinates, and the noise lemma.

    Selected results:
      isoU           == the whitened rows have orthonormal columns
      trace_identity == Tr D = R_X
      pythagoras     == loss beta = OPT + |X (beta - betastar)|^2
      white_gram     == P^T (sum w x x^T) P = A
      sample_min     == betahat is the only minimiser of the sample loss
      excess         == loss - OPT <= |noise|^2/l^2
      noise_moment   == one step of E|noise|^2
      weighted_noise == E[psi(r) |noise|^2] for any nonincreasing weight psi *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis whP : whitens X P.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation G := (gram X).
Local Notation U := (white X P).
Local Notation hst := (hst U g).
Local Notation rr := (rr U g).
Local Notation p h x := (prob U (hst h) x).
Local Notation w h x := (weight U g (hst h) x).
Local Notation kap := (kap g).
Local Notation clk := (clk d g).
Local Notation loss := (loss X Y).
Local Notation betahat := (betahat X Y U g).
Local Notation sample_gram := (sample_gram X U g).
Local Notation sample_rhs := (sample_rhs X Y U g).
Local Notation sample_loss := (sample_loss X Y U g).
Local Notation rhs := (rhs X Y).
Local Notation betastar := (betastar X Y).
Local Notation resid := (resid X Y).
Local Notation opt := (opt X Y).
Local Notation noise := (noise X Y P g).

Lemma isoU : \sum_x U x *m (U x)^T = 1%:M.
Proof.
rewrite -whP /gram mulmx_sumr mulmx_suml; apply: eq_bigr => x _.
by rewrite /white trmx_mul trmxK !mulmxA.
Qed.

Local Notation inv_h := (inv_h d_gt0 isoU g_gt0 g_lt).
Local Notation kap_gt0 := (kap_gt0 g_gt0 g_lt).
Local Notation clk_gt0 := (clk_gt0 d_gt0 g_gt0 g_lt).
Local Notation d_pos := (@d_pos R d d_gt0).
Local Notation d_ge1 := (@d_ge1 R d d_gt0).
Local Notation rr_ge0 := (rr_ge0 d_gt0 isoU g_gt0 g_lt).

Lemma P_unit : P \in unitmx.
Proof. by case/mulmx1_unit: whP. Qed.
Lemma G_unit : G \in unitmx.
Proof. by case/mulmx1_unit: whP; rewrite unitmx_mul => /andP[]. Qed.
Lemma G_sym : G^T = G.
Proof. by rewrite /gram raddf_sum /=; apply: eq_bigr => x _; exact: outer_sym. Qed.
Lemma G_psd : psd G.
Proof. by apply: psd_sum => x _; exact: psd_outer. Qed.

Lemma PPt : P *m P^T = invmx G.
Proof.
have h : P *m (P^T *m G) = 1%:M by apply: mulmx1C; exact: whP.
by rewrite -[LHS](mulmxK G_unit) -(mulmxA P) h mul1mx.
Qed.

(* slug: trace-identity *)
Lemma trace_identity (X1 : pred I) : \tr (\sum_(x | X1 x) U x *m (U x)^T) = reduced_rank X X1.
Proof.
rewrite /reduced_rank -PPt -mulmxA mxtrace_mulC -mulmxA.
rewrite mulmx_suml mulmx_sumr; congr (\tr _); apply: eq_bigr => x _.
by rewrite /white trmx_mul trmxK !mulmxA.
Qed.

(** Quadratic expansion of both losses. *)
Lemma optE : opt = \sum_x resid x ^+ 2.
Proof. by rewrite /opt /loss; apply: eq_bigr => x _; rewrite /resid -sqrrN opprB. Qed.

Lemma opt_ge0 : 0 <= opt.
Proof. by rewrite optE; apply: sumr_ge0 => x _; exact: sqr_ge0. Qed.

Lemma dot_sumr (J : finType) (f : J -> 'cV[R]_d) v : dot v (\sum_j f j) = \sum_j dot v (f j).
Proof. by rewrite dotE mulmx_sumr summxE; apply: eq_bigr => j _; rewrite dotE. Qed.
Lemma dotZr (v z : 'cV[R]_d) t : dot v (t *: z) = t * dot v z.
Proof. exact: bfZr. Qed.
Lemma dotDr (v z z' : 'cV[R]_d) : dot v (z + z') = dot v z + dot v z'.
Proof. exact: bfDr. Qed.
Lemma dotBr (v z z' : 'cV[R]_d) : dot v (z - z') = dot v z - dot v z'.
Proof. by rewrite dotDr -scaleN1r dotZr mulN1r. Qed.

Lemma loss_expand beta : loss beta = qf G beta - 2%:R * dot beta rhs + \sum_x Y x ^+ 2.
Proof.
rewrite /loss /rhs dot_sumr qf_sum mulr_sumr -sumrB -big_split /=; apply: eq_bigr => x _.
by rewrite qf_outer dotZr [dot beta _]dotC; ring.
Qed.

(** Completing the square. *)
Lemma square_complete (B : 'M[R]_d) (v z beta : 'cV[R]_d) : B^T = B -> B *m v = z ->
  qf B beta - 2%:R * dot beta z = (qf B v - 2%:R * dot v z) + qf B (beta - v).
Proof.
move=> sB e; rewrite -e !dot_mulr -/(qf _ _).
rewrite -[- v]scaleN1r qfDv // bfZr qfZv -/(qf B v); ring.
Qed.

Lemma pythagoras beta : loss beta = opt + qf G (beta - betastar).
Proof.
rewrite /opt !loss_expand (@square_complete G betastar) ?G_sym //; first by ring.
by rewrite /betastar mulKVmx // G_unit.
Qed.

Lemma opt_min beta : opt <= loss beta.
Proof. by rewrite pythagoras ler_addl; case: G_psd. Qed.

Lemma normal_eq : \sum_x resid x *: U x = 0.
Proof.
rewrite (eq_bigr (fun x => P^T *m (Y x *: X x - X x *m (X x)^T *m betastar))); last first.
  move=> x _; rewrite /white /resid scalemxAr; congr (_ *m _).
  by rewrite scalerBl -mulmxA [(X x)^T *m betastar]mx11_scalar -dotE mul_mx_scalar.
by rewrite -mulmx_sumr sumrB -mulmx_suml -/G /betastar mulKVmx ?G_unit // subrr mulmx0.
Qed.

(** The sample. *)
Lemma w_ge0 h x : 0 <= w h x.
Proof. by apply: weight_ge0 => //; exact: inv_h. Qed.

Lemma white_gram h : P^T *m sample_gram h *m P = acc (hst h).
Proof.
elim: h => [|x h IH] /=; first by rewrite /sample_gram /= mulmx0 mul0mx.
rewrite /sample_gram /= -/(sample_gram h) mulmxDr mulmxDl IH; congr (_ + _).
by rewrite -scalemxAr -scalemxAl /white trmx_mul trmxK !mulmxA.
Qed.

Lemma sample_gram_sym h : (sample_gram h)^T = sample_gram h.
Proof.
rewrite /sample_gram; elim: h => [|x h IH] /=; first by rewrite trmx0.
by rewrite linearD /= IH linearZ /= outer_sym.
Qed.

Lemma acc_pd h : 0 < lo (hst h) -> pd (acc (hst h)).
Proof.
move=> l0; have [_ pl] := inv_h h.
have -> : acc (hst h) = lower (hst h) + (lo (hst h))%:M by rewrite subrK.
by apply: pdD => //; apply: psd_scalar; exact: ltW.
Qed.

Lemma sample_gram_pd h : 0 < lo (hst h) -> pd (sample_gram h).
Proof.
move=> l0; split; first exact: sample_gram_sym.
move=> v v0; have vE : v = P *m (invmx P *m v) by rewrite mulKVmx // P_unit.
rewrite vE qf_mul white_gram; apply: (proj2 (acc_pd l0)).
by apply: contra v0 => /eqP e; rewrite vE e mulmx0.
Qed.

Lemma sample_expand h beta : dsum (fun h' x => w h' x * (dot (X x) beta - Y x) ^+ 2) h =
  qf (sample_gram h) beta - 2%:R * dot beta (sample_rhs h) + dsum (fun h' x => w h' x * Y x ^+ 2) h.
Proof.
rewrite /sample_gram /sample_rhs; elim: h => [|x h IH] /=.
  by rewrite qf0 /dot bf0r mulr0 subrr addr0.
rewrite IH qfD qfZ qf_outer dotDr dotZr [dot beta (X x)]dotC.
move: (qf (dsum _ h) beta) (dot beta (dsum _ h)) (dot (X x) beta) (w h x) => a b c t.
move: (dsum _ h) => z; move: {IH} z (Y x) => z y.
by rewrite -[RHS]/(_ : R); ring.
Qed.

Lemma dsum_mulr (f : seq I -> I -> R) c h : dsum (fun h' x => f h' x * c) h = dsum f h * c.
Proof. by elim: h => [|x h IH] /=; rewrite ?mul0r // mulrDl IH. Qed.

Lemma eq_dsum (V : zmodType) (f1 f2 : seq I -> I -> V) h : (forall h x, f1 h x = f2 h x) -> dsum f1 h = dsum f2 h.
Proof. by move=> e; elim: h => [|x h IH] //=; rewrite IH e. Qed.

Lemma sample_normal h : 0 < lo (hst h) -> sample_gram h *m betahat h = sample_rhs h.
Proof. by move=> l0; rewrite /betahat mulKVmx //; exact/pd_unit/sample_gram_pd. Qed.

(** betahat is the unique minimiser of the weighted loss. *)
Lemma sample_lossE h beta : 0 < lo (hst h) ->
  sample_loss h beta = sample_loss h (betahat h) + qf (sample_gram h) (beta - betahat h) / mid (hst h).
Proof.
move=> l0; have e b : sample_loss h b = dsum (fun h' x => w h' x * (dot (X x) b - Y x) ^+ 2) h / mid (hst h).
  by rewrite -dsum_mulr /sample_loss; apply: eq_dsum => h' x; rewrite mulrAC.
rewrite !e -mulrDl; congr (_ / _); rewrite !sample_expand.
rewrite (@square_complete (sample_gram h) (betahat h) (sample_rhs h) beta); first by ring.
  exact: sample_gram_sym.
exact: sample_normal.
Qed.

Lemma lo_mid h : 0 < lo (hst h) -> 0 < mid (hst h).
Proof.
rewrite (hlo d_gt0 isoU g_gt0 g_lt) subr_gt0 => l0.
have d0 := d_pos; have g2 := g2_gt0 g_lt.
rewrite -(pmulr_rgt0 _ g2); apply: lt_trans l0; ps.
Qed.

Lemma sample_min h beta : 0 < lo (hst h) -> beta != betahat h -> sample_loss h (betahat h) < sample_loss h beta.
Proof.
move=> l0 ne; rewrite (sample_lossE beta l0) ltr_addl divr_gt0 ?lo_mid //.
by apply: (proj2 (sample_gram_pd l0)); rewrite subr_eq0.
Qed.

(** The noise vector. *)

Lemma noiseE h : P^T *m (sample_rhs h - sample_gram h *m betastar) = noise h.
Proof.
rewrite /noise /sample_rhs /sample_gram; elim: h => [|x h IH] /=.
  by rewrite mul0mx subrr mulmx0.
rewrite -IH mulmxDl opprD addrACA mulmxDr; congr (_ + _).
rewrite -scalemxAl -mulmxA [(X x)^T *m betastar]mx11_scalar -dotE mul_mx_scalar scalerA.
by rewrite -scalerBl -mulrBr -scalemxAr.
Qed.

(* slug: noise *)
Lemma excess h : 0 < lo (hst h) -> loss (betahat h) - opt <= sqn (noise h) / lo (hst h) ^+ 2.
Proof.
move=> l0; rewrite pythagoras addrC addKr.
set dl := invmx P *m (betahat h - betastar).
have e : betahat h - betastar = P *m dl by rewrite /dl mulKVmx // P_unit.
have -> : qf G (betahat h - betastar) = sqn dl by rewrite e qf_mul whP.
have ev : acc (hst h) *m dl = noise h.
  by rewrite -white_gram -!mulmxA -e mulmxBr sample_normal // -noiseE.
have le : lo (hst h) * sqn dl <= dot dl (noise h).
  rewrite -ev dot_mulr; have [_ /pd_psd pl] := inv_h h.
  by have := psd_le dl pl; rewrite -scalemx1 qfZ.
have cs := cauchy_schwarz dl (noise h) (psd1 R d).
rewrite -/(dot _ _) -/(sqn _) -/(sqn _) in cs.
have [z|dl0] := eqVneq dl 0.
  by rewrite z /sqn qf0v divr_ge0 ?sqr_ge0 //; exact: sqn_ge0.
have n0 := sqn_gt0 dl0.
rewrite ler_pdivl_mulr ?exprn_gt0 // mulrC -(ler_pmul2r n0).
apply: le_trans (le_trans _ cs) _; last by rewrite mulrC.
have -> : lo (hst h) ^+ 2 * sqn dl * sqn dl = (lo (hst h) * sqn dl) ^+ 2 by ring.
by rewrite ler_pexpn2r ?nnegrE //; [nn | apply: le_trans le; nn].
Qed.

(** I7: one step of the second moment. *)
Lemma noise_step h x : sqn (noise (x :: h)) =
  sqn (noise h) + 2%:R * (w h x * resid x * dot (noise h) (U x)) + (w h x * resid x) ^+ 2 * sqn (U x).
Proof. by rewrite /sqn {1}/noise /= -/(noise h) qfDv ?trmx1 // bfZr qfZv. Qed.

Lemma noise_moment h : \sum_x p h x * sqn (noise (x :: h)) <=
  sqn (noise h) + opt * (d%:R ^+ 2 * kap / g ^+ 2) * ((1 + rr h) * (clk * g / Phi (hst h))).
Proof.
have i := inv_h h; have P0 := Phi_gt0 d_gt0 i; have d0 := d_pos; have k0 := kap_gt0.
under eq_bigr do rewrite noise_step -addrA mulrDr.
rewrite big_split /= (mean_const d_gt0 isoU g_gt0 g_lt) ler_add2l.
under eq_bigr do rewrite mulrDr.
rewrite big_split /=.
have -> : \sum_x p h x * (2%:R * (w h x * resid x * dot (noise h) (U x))) = 0.
  transitivity (\sum_x (2%:R * (g / Phi (hst h))) * dot (noise h) (resid x *: U x)).
    apply: eq_bigr => x _; rewrite dotZr; have [->|n] := eqVneq (U x) 0.
      by rewrite /dot bf0r !mulr0.
    by rewrite -(prob_weight g d_gt0 i n); ring.
  by rewrite -mulr_sumr -dot_sumr normal_eq /dot bf0r mulr0.
rewrite add0r optE -!mulrA mulr_suml; apply: ler_sum => x _.
have [->|n] := eqVneq (U x) 0.
  rewrite /sqn qf0v !mulr0; have := clk_gt0 => c0.
  by have := rr_ge0 h => r0; nn.
have q0 : 0 < qf (bracket (hst h)) (U x) by apply: (proj2 (bracket_pd i)).
have e1 : p h x * ((w h x * resid x) ^+ 2 * sqn (U x)) =
  resid x ^+ 2 * (g ^+ 2 / Phi (hst h)) * (sqn (U x) / qf (bracket (hst h)) (U x)).
  by rewrite (weightE U g d_gt0 i) /prob; move: (sqn _) => z; field; rewrite !gt_eqF.
have le : sqn (U x) / qf (bracket (hst h)) (U x) <= gap (hst h) / 4%:R.
  by rewrite ler_pdivr_mulr //; exact: leverage_ratio.
rewrite e1; apply: (@le_trans _ _ (resid x ^+ 2 * (g ^+ 2 / Phi (hst h)) * (gap (hst h) / 4%:R))).
  by apply: ler_wpmul2l => //; nn.
rewrite (hgap U d_gt0 g_gt0) /clk le_eqVlt; apply/orP; left; apply/eqP.
by move: (rr h) => r; field; rewrite !gt_eqF.
Qed.

Lemma noise_zero h : opt = 0 -> sqn (noise h) = 0.
Proof.
rewrite optE => /eqP; rewrite psumr_eq0; last by move=> x _; exact: sqr_ge0.
move=> /allP z; have e x : resid x = 0.
  by apply/eqP; rewrite -sqrf_eq0; apply: z; rewrite mem_index_enum.
have -> : noise h = 0; last by rewrite /sqn qf0v.
by rewrite /noise; elim: h => [|x h IH] //=; rewrite IH e mulr0 scale0r addr0.
Qed.

(** The weighted noise lemma, for any rule and any nonincreasing weight. *)
(* slug: noise *)
Section Weighted.
Variables (stop : pred (seq I)) (psi W : R -> R) (rbar : R).
Hypothesis psi_ge0 : forall r, 0 <= r -> 0 <= psi r.
Hypothesis psi_anti : forall r r', 0 <= r -> r <= r' -> psi r' <= psi r.
Hypothesis W_grow : forall r r', 0 <= r -> r <= r' -> psi r' * ((1 + r) * (r' - r)) <= W r' - W r.
Hypothesis bounded : forall h, reach stop h -> rr h <= rbar.

Lemma weighted_noise n :
  Exp U g stop n (fun h => sqn (noise h) * psi (rr h)) <=
  opt * (d%:R ^+ 2 * kap / g ^+ 2) * (W rbar - W 0).
Proof.
have d0 := d_pos; have k0 := kap_gt0.
pose K := opt * (d%:R ^+ 2 * kap / g ^+ 2).
have K0 : 0 <= K by rewrite /K mulr_ge0 ?opt_ge0 //; nn.
have Wm r r' : 0 <= r -> r <= r' -> W r <= W r'.
  move=> r0 le; rewrite -subr_ge0; apply: le_trans (W_grow r0 le).
  apply: mulr_ge0; first by apply: psi_ge0; exact: le_trans le.
  by nn.
pose V h := sqn (noise h) * psi (rr h) + K * (W rbar - W (rr h)).
apply: (@le_trans _ _ (Exp U g stop n V)).
  apply: Tend_mono => //; [exact: isoU | move=> h rh].
  by rewrite /V ler_addl mulr_ge0 // subr_ge0 Wm // ?bounded // rr_ge0.
apply: (@le_trans _ _ (V [::])); last first.
  by rewrite /V /noise /= /sqn qf0v mul0r add0r (rr0 U d_gt0 g_gt0).
apply: Tend_super => //; first exact: isoU.
move=> h rh ns; pose r' := rr h + clk * g / Phi (hst h).
have rx x : rr (x :: h) = r' by rewrite rr_cons //; exact: isoU.
have dr0 : 0 < clk * g / Phi (hst h) by apply: dr_gt0 => //; exact: isoU.
have r0 := rr_ge0 h; have rle : rr h <= r' by rewrite /r' ler_addl ltW.
have r'0 : 0 <= r' by exact: le_trans rle.
have e : \sum_x p h x * V (x :: h) = psi r' * (\sum_x p h x * sqn (noise (x :: h))) + K * (W rbar - W r').
  rewrite -[X in _ + X](mean_const d_gt0 isoU g_gt0 g_lt h) mulr_sumr -big_split /=.
  by apply: eq_bigr => x _; rewrite /V rx; ring.
rewrite e; have m := ler_wpmul2l (psi_ge0 r'0) (noise_moment h).
apply: le_trans (ler_add m (lexx _)) _; rewrite -/K /V.
have edr : clk * g / Phi (hst h) = r' - rr h by rewrite /r' addrC addKr.
rewrite edr.
have h1 : psi r' * sqn (noise h) <= sqn (noise h) * psi (rr h).
  by rewrite mulrC; apply: ler_wpmul2l; [exact: sqn_ge0 | exact: psi_anti].
have h2 := ler_wpmul2l K0 (W_grow r0 rle).
have -> : psi r' * (sqn (noise h) + K * ((1 + rr h) * (r' - rr h))) + K * (W rbar - W r') =
  psi r' * sqn (noise h) + (K * (psi r' * ((1 + rr h) * (r' - rr h))) + K * (W rbar - W r')) by ring.
apply: ler_add => //; apply: le_trans (ler_add h2 (lexx _)) _.
by rewrite -mulrDr addrC addrA subrK.
Qed.

End Weighted.
End Data.
