(** One step of Algorithm 2 with perturbed forms and points.

      form_scaled   == (1 - th) M <= M' <= (1 + th) M when |M' - M| <= eta and
                       th = eta |M^-1|
      inverse_moves == M^-1/(1 + th) <= M'^-1 <= M^-1/(1 - th)
      moved_mass    == sqrt m moves by at most s when the point moves
      perturbed_step, perturbed_state == potential and masses
      moved_points  == sum W U U^T when the points move together by tau
      frobenius_within == a form is at most its Frobenius norm *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Spec SpecModel Forms Step.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Ordered.
Variables (R : realFieldType) (d : nat).
Implicit Types (M N E S : 'M[R]_d) (v w : 'cV[R]_d) (a c eta th : R).

Lemma qf_scalar a v : qf a%:M v = a * sqn v.
Proof. by rewrite -[a%:M]scalemx1 qfZ. Qed.

Lemma within_sym S eta : form_within S eta -> S^T = S.
Proof.
by move=> [_ [+ _]]; rewrite linearD /= tr_scalar_mx => /addrI.
Qed.

Lemma within_le S eta v : form_within S eta ->
  - (eta * sqn v) <= qf S v <= eta * sqn v.
Proof.
move=> [[_ /(_ v) le] [_ /(_ v) ge]]; move: le ge; rewrite qfB qfD qf_scalar.
by move=> le ge; rewrite -subr_ge0 opprK addrC ge /= -subr_ge0.
Qed.

Lemma withinP S eta : S^T = S ->
  (forall v, - (eta * sqn v) <= qf S v <= eta * sqn v) -> form_within S eta.
Proof.
move=> sS b; have se : (eta%:M : 'M[R]_d)^T = eta%:M by rewrite tr_scalar_mx.
split; split=> [|v]; last 1 first.
- by rewrite qfD qf_scalar -[eta * _]opprK addrC subr_ge0; case/andP: (b v).
- by rewrite linearB /= se sS.
- by rewrite qfB qf_scalar subr_ge0; case/andP: (b v).
- by rewrite linearD /= se sS.
Qed.

(** |v|^2 <= |M^-1| v^T M v. *)
Lemma inverse_bound M a v : pd M -> psd (a%:M - invmx M) -> sqn v <= a * qf M v.
Proof.
move=> pM h; have [sM _] := pM; have uM := pd_unit pM.
have := psd_le v h; rewrite qf_scalar => le.
have q0 : 0 <= qf M v by exact: (proj2 (pd_psd pM)).
have cs : sqn v ^+ 2 <= qf (invmx M) v * qf M v.
  have -> : sqn v = bf M (invmx M *m v) v.
    by rewrite bf_mull inv_sym // mulVmx.
  by rewrite qf_inv //; exact/cauchy_schwarz/pd_psd.
move: (sqn_ge0 v); rewrite le_eqVlt => /orP[/eqP z|n0].
  have -> : v = 0 by apply/eqP; rewrite -sqn_eq0 -z.
  by rewrite /sqn !qf0v mulr0.
rewrite -(ler_pmul2l n0) -expr2; apply: le_trans cs _.
by rewrite mulrA [sqn v * a]mulrC; apply: ler_wpmul2r.
Qed.

Lemma form_scaled M M' eta a : pd M -> 0 <= eta -> psd (a%:M - invmx M) ->
  form_within (M' - M) eta ->
  psd (M' - (1 - a * eta) *: M) /\ psd ((1 + a * eta) *: M - M').
Proof.
move=> pM e0 ha hw; have [sM _] := pM.
have sM' : M'^T = M'.
  by have := within_sym hw; rewrite linearB /= sM => /addIr.
have Z t : (t *: M)^T = t *: M by rewrite linearZ /= sM.
have b v : - (a * eta * qf M v) <= qf M' v - qf M v <= a * eta * qf M v.
  have /andP[lo hi] := within_le v hw; rewrite qfB in lo hi.
  have le : eta * sqn v <= a * eta * qf M v.
    by rewrite [a * eta]mulrC -mulrA; apply: ler_wpmul2l => //; exact: inverse_bound.
  by rewrite (le_trans hi le) andbT; apply: le_trans lo; rewrite ler_opp2.
split; apply: psd_leP => // v; rewrite qfZ; have /andP[lo hi] := b v.
  by rewrite mulrBl mul1r ler_subl_addr -ler_subl_addl -opprB ler_oppl.
by rewrite mulrDl mul1r -ler_subl_addl.
Qed.

Lemma inverse_moves M M' eta a : pd M -> 0 <= eta -> 0 <= a ->
  psd (a%:M - invmx M) -> form_within (M' - M) eta -> a * eta < 1 ->
  [/\ pd M', psd (invmx M' - (1 + a * eta)^-1 *: invmx M) &
      psd ((1 - a * eta)^-1 *: invmx M - invmx M')].
Proof.
move=> pM e0 a0 ha hw t1; have [lo hi] := form_scaled pM e0 ha hw.
have uM := pd_unit pM.
have m0 : 0 < 1 - a * eta by rewrite subr_gt0.
have p0 : 0 < 1 + a * eta by rewrite ltr_paddr ?ltr01 // mulr_ge0.
have pl : pd ((1 - a * eta) *: M) by exact: pdZ.
have pM' := pd_ge pl lo; split=> //.
  by have := inv_anti pM' hi; rewrite invmxZ ?gt_eqF.
by have := inv_anti pl lo; rewrite invmxZ ?gt_eqF.
Qed.

(** E <= Tr E. *)
Lemma form_trace E v : psd E -> qf E v <= \tr E * sqn v.
Proof.
move=> pE; have p1 : psd ((sqn v)%:M - v *m v^T).
  apply: psd_leP => [||w]; rewrite ?outer_sym ?tr_scalar_mx //.
  by rewrite qf_outer qf_scalar; exact/cauchy_schwarz/psd1.
have := tr_psd p1 pE; rewrite mulmxBl linearB /= tr_outer subr_ge0.
by rewrite mul_scalar_mx mxtraceZ mulrC.
Qed.

(** Frobenius. *)
Lemma frobenius_within S eta : S^T = S -> 0 <= eta ->
  \sum_i \sum_j S i j ^+ 2 <= eta ^+ 2 -> form_within S eta.
Proof.
move=> sS e0 le; apply: withinP => // v.
have rowE i : (S *m v) i 0 = dot (row i S)^T v.
  by rewrite dotE trmxK -row_mul [RHS]mxE.
have sq : sqn (S *m v) <= eta ^+ 2 * sqn v.
  rewrite sqn_sum; apply: (@le_trans _ _ (\sum_i (\sum_j S i j ^+ 2) * sqn v)).
    apply: ler_sum => i _; rewrite rowE.
    have -> : \sum_j S i j ^+ 2 = sqn (row i S)^T.
      by rewrite sqn_sum; apply: eq_bigr => j _; rewrite !mxE.
    exact/cauchy_schwarz/psd1.
  by rewrite -mulr_suml; apply: ler_wpmul2r => //; exact: sqn_ge0.
have n0 := sqn_ge0 v.
have q2 : qf S v ^+ 2 <= (eta * sqn v) ^+ 2.
  have -> : qf S v = dot v (S *m v) by rewrite dot_mulr.
  apply: le_trans (cauchy_schwarz _ _ (psd1 _ _)) _; rewrite -/(sqn v) -/(sqn _).
  have -> : (eta * sqn v) ^+ 2 = sqn v * (eta ^+ 2 * sqn v) by ring.
  exact: ler_wpmul2l.
rewrite -ler_norml -(@ler_pexpn2r _ 2) ?nnegrE ?mulr_ge0 //.
by rewrite -normrX ger0_norm // sqr_ge0.
Qed.

End Ordered.

Section Closed.
Variables (R : rcfType) (d : nat).
Implicit Types (M N E S : 'M[R]_d) (U v w : 'cV[R]_d) (a c eta tau : R).

(** The root of a form at a moved point. *)
Lemma moved_mass E U U' c tau : psd E -> 0 <= c -> psd (c%:M - E) -> 0 <= tau ->
  sqn (U' - U) <= tau ^+ 2 ->
  Num.max 0 (Num.sqrt (qf E U) - tau * Num.sqrt c) ^+ 2 <= qf E U'
    <= (Num.sqrt (qf E U) + tau * Num.sqrt c) ^+ 2.
Proof.
move=> pE c0 hc t0 near; set s := tau * _; have [sE E0] := pE.
set e := U' - U; set q := qf E e; set m := qf E U; set b := bf E U e.
have eU : qf E U' = m + 2%:R * b + q by rewrite -[U'](subrK U) addrC qfDv.
have m0 : 0 <= m by exact: E0.
have q0 : 0 <= q by exact: E0.
have s0 : 0 <= s by rewrite mulr_ge0 // sqrtr_ge0.
set x := Num.sqrt m; have x0 : 0 <= x by exact: sqrtr_ge0.
set y := Num.sqrt q; have y0 : 0 <= y by exact: sqrtr_ge0.
have mx2 : m = x ^+ 2 by rewrite sqr_sqrtr.
have qy2 : q = y ^+ 2 by rewrite sqr_sqrtr.
have qs : q <= s ^+ 2.
  rewrite exprMn sqr_sqrtr //; apply: le_trans (psd_le e hc) _.
  by rewrite qf_scalar mulrC; apply: ler_wpmul2l.
have ys : y <= s by rewrite -(@ler_pexpn2r _ 2) ?nnegrE // -qy2.
have bb : `|b| <= x * y.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?mulr_ge0 // -normrX ger0_norm ?sqr_ge0 //.
  by rewrite exprMn -mx2 -qy2; exact: cauchy_schwarz.
move: bb; rewrite ler_norml => /andP[bl bu].
rewrite eU mx2 qy2; apply/andP; split.
  case: (leP x s) => [le|lt].
    rewrite max_l ?subr_le0 // expr0n /= -qy2 -mx2 -eU; exact: E0.
  rewrite max_r ?subr_ge0 ?(ltW lt) //.
  apply: (@le_trans _ _ ((x - y) ^+ 2)).
    rewrite ler_pexpn2r ?nnegrE ?subr_ge0 ?(ltW lt) //.
      by rewrite ler_add2l ler_opp2.
    exact: le_trans ys (ltW lt).
  rewrite -subr_ge0 (_ : _ - _ = 2%:R * (b + x * y)); last by ring.
  by apply: mulr_ge0; rewrite ?ler0n // -ler_subl_addr sub0r.
apply: (@le_trans _ _ ((x + y) ^+ 2)).
  rewrite -subr_ge0 (_ : _ - _ = 2%:R * (x * y - b)); last by ring.
  by apply: mulr_ge0; rewrite ?ler0n // subr_ge0.
by rewrite ler_pexpn2r ?nnegrE ?addr_ge0 // ler_add2l.
Qed.

Theorem perturbed_step M N M' N' (U U' : 'cV[R]_d) eta a c tau :
  pd M -> pd N -> 0 <= eta ->
  form_within (M' - M) eta -> form_within (N' - N) eta ->
  0 <= a -> psd (a%:M - invmx M) -> psd (a%:M - invmx N) ->
  0 <= c -> psd (c%:M - (invmx M + invmx N)) ->
  0 <= tau -> sqn (U' - U) <= tau ^+ 2 -> a * eta < 1 ->
  let theta := a * eta in
  let E := invmx M + invmx N in
  let E' := invmx M' + invmx N' in
  let s := tau * Num.sqrt c in
  [/\ pd M', pd N',
      \tr E / (1 + theta) <= \tr E' <= \tr E / (1 - theta) &
      Num.max 0 (Num.sqrt (qf E U) - s) ^+ 2 / (1 + theta) <= qf E' U'
      <= (Num.sqrt (qf E U) + s) ^+ 2 / (1 - theta)].
Proof.
move=> pM pN e0 wM wN a0 aM aN c0 cE t0 near t1 theta E E' s.
have [pM' loM hiM] := inverse_moves pM e0 a0 aM wM t1.
have [pN' loN hiN] := inverse_moves pN e0 a0 aN wN t1.
have lo : psd (E' - (1 + theta)^-1 *: E).
  by have := psdD loM loN; rewrite addrACA -opprD -scalerDr.
have hi : psd ((1 - theta)^-1 *: E - E').
  by have := psdD hiM hiN; rewrite addrACA -opprD -scalerDr.
have pE : psd E by apply: psdD; apply/pd_psd/pd_inv.
have m0 : 0 <= (1 - theta)^-1 by rewrite invr_ge0 subr_ge0 ltW.
have p0 : 0 <= (1 + theta)^-1 by rewrite invr_ge0; apply: addr_ge0; [exact: ler01 | exact: mulr_ge0].
have /andP[ml mh] := moved_mass pE c0 cE t0 near.
split=> //; apply/andP; split.
- by have := tr_mono (psd1 _ _) lo; rewrite !mul1mx mxtraceZ mulrC.
- by have := tr_mono (psd1 _ _) hi; rewrite !mul1mx mxtraceZ mulrC.
- apply: le_trans (psd_le U' lo); rewrite qfZ mulrC; exact: ler_wpmul2l.
- apply: le_trans (psd_le U' hi) _; rewrite qfZ mulrC; exact: ler_wpmul2r.
Qed.

(** sum W U U^T, when all points move together. *)
Theorem moved_points (I : finType) (W : I -> R) (U U' : I -> 'cV[R]_d) (top a tau : R) :
  (forall x, 0 <= W x <= top) -> 0 <= top -> 0 <= a -> 0 <= tau ->
  psd (a%:M - \sum_x W x *: (U x *m (U x)^T)) ->
  psd ((tau ^+ 2)%:M - \sum_x (U' x - U x) *m (U' x - U x)^T) ->
  form_within (\sum_x W x *: (U' x *m (U' x)^T) - \sum_x W x *: (U x *m (U x)^T))
    (2%:R * tau * Num.sqrt (a * top) + tau ^+ 2 * top).
Proof.
move=> W0 top0 a0 t0 hA he; set A := \sum_x W x *: (U x *m _) in hA *.
set A' := \sum_x W x *: (U' x *m _).
have sA (V : I -> 'cV[R]_d) : (\sum_x W x *: (V x *m (V x)^T))^T =
    \sum_x W x *: (V x *m (V x)^T).
  by rewrite raddf_sum /=; apply: eq_bigr => x _; rewrite linearZ /= outer_sym.
apply: withinP => [|v]; first by rewrite linearB /= !sA.
pose e x := U' x - U x.
pose p x := dot (U x) v; pose q x := dot (e x) v.
pose B := \sum_x W x * (p x * q x); pose C := \sum_x W x * q x ^+ 2.
have qA : qf A v = \sum_x W x * p x ^+ 2.
  by rewrite qf_sum; apply: eq_bigr => x _; rewrite qfZ qf_outer.
have eq : qf (A' - A) v = 2%:R * B + C.
  rewrite qfB qA qf_sum mulr_sumr -sumrB -big_split /=; apply: eq_bigr => x _.
  rewrite qfZ qf_outer.
  have -> : dot (U' x) v = p x + q x.
    by rewrite /p /q /e /dot -bfDl addrC subrK.
  by ring.
have n0 := sqn_ge0 v.
have C0 : 0 <= C.
  by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?sqr_ge0 //; case/andP: (W0 x).
have Cle : C <= tau ^+ 2 * top * sqn v.
  apply: (@le_trans _ _ (top * \sum_x q x ^+ 2)).
    rewrite mulr_sumr; apply: ler_sum => x _; apply: ler_wpmul2r; first exact: sqr_ge0.
    by case/andP: (W0 x).
  rewrite [_ ^+ 2 * top]mulrC -mulrA; apply: ler_wpmul2l => //.
  have := psd_le v he; rewrite qf_scalar qf_sum; apply: le_trans.
  by apply: ler_sum => x _; rewrite qf_outer.
have Ale : qf A v <= a * sqn v by have := psd_le v hA; rewrite qf_scalar.
have cs : B ^+ 2 <= qf A v * C.
  apply: discriminant => // t.
  have -> : qf A v + 2%:R * t * B + t ^+ 2 * C = \sum_x W x * (p x + t * q x) ^+ 2.
    rewrite qA /B /C !mulr_sumr -!big_split /=; apply: eq_bigr => x _; ring.
  by apply: sumr_ge0 => x _; rewrite mulr_ge0 ?sqr_ge0 //; case/andP: (W0 x).
have r0 : 0 <= tau * Num.sqrt (a * top) by rewrite mulr_ge0 // sqrtr_ge0.
have Bn : `|B| <= tau * Num.sqrt (a * top) * sqn v.
  rewrite -(@ler_pexpn2r _ 2) ?nnegrE ?mulr_ge0 ?sqrtr_ge0 //.
  rewrite -normrX ger0_norm ?sqr_ge0 // !exprMn sqr_sqrtr ?mulr_ge0 //.
  apply: le_trans cs _.
  have -> : tau ^+ 2 * (a * top) * sqn v ^+ 2 = (a * sqn v) * (tau ^+ 2 * top * sqn v).
    by ring.
  apply: ler_pmul => //; rewrite qA; apply: sumr_ge0 => x _.
  by rewrite mulr_ge0 ?sqr_ge0 //; case/andP: (W0 x).
rewrite eq -ler_norml; apply: le_trans (ler_norm_add _ _) _.
rewrite [X in _ <= X]mulrDl; apply: ler_add; last by rewrite ger0_norm.
have -> : 2%:R * tau * Num.sqrt (a * top) * sqn v
    = 2%:R * (tau * Num.sqrt (a * top) * sqn v) by ring.
by rewrite normrM normr_nat; apply: ler_wpmul2l; first exact: ler0n.
Qed.

(** From a reported state, with theta = Phi eta. *)
Theorem perturbed_state (s : state R d) M' N' (U U' : 'cV[R]_d)
    (eta tau rho phi' mass' : R) :
  (0 < d)%N -> inv s -> 0 <= eta -> 0 <= tau -> 0 <= rho <= 1 -> U != 0 ->
  form_within (M' - upper s) eta -> form_within (N' - lower s) eta ->
  sqn (U' - U) <= tau ^+ 2 ->
  let E' := invmx M' + invmx N' in
  `|phi' - \tr E'| <= rho * \tr E' ->
  `|mass' - qf E' U'| <= rho * qf E' U' ->
  let theta := Phi s * eta in
  let chi := Phi s * gap s / (4%:R * d%:R) in
  let nu := Num.sqrt (d%:R * chi) * tau / Num.sqrt (sqn U) in
  theta < 1 -> nu < 1 ->
  (1 - rho) / (1 + theta) <= phi' / Phi s <= (1 + rho) / (1 - theta) /\
  (1 - rho) * (1 - nu) ^+ 2 / (1 + theta) <= mass' / qf (bracket s) U
    <= (1 + rho) * (1 + nu) ^+ 2 / (1 - theta).
Proof.
move=> d0 ins e0 t0 /andP[r0 r1] U0 wM wN near E' hphi hmass theta chi nu th1 nu1.
have [pM pN] := ins; have pE := bracket_pd ins; have F0 := Phi_gt0 d0 ins.
have u0 : 0 < sqn U by exact: sqn_gt0.
have m0 : 0 < qf (bracket s) U by exact: (proj2 pE).
have psM : psd (invmx (upper s)) by exact/pd_psd/pd_inv.
have psN : psd (invmx (lower s)) by exact/pd_psd/pd_inv.
have FE := PhiE s.
have tr0 (B : 'M[R]_d) : psd B -> 0 <= \tr B.
  by move=> pB; have := tr_psd (psd1 _ _) pB; rewrite mul1mx.
have scal (B : 'M[R]_d) : psd B -> \tr B <= Phi s -> psd ((Phi s)%:M - B).
  move=> pB le; apply: psd_leP => [||v]; rewrite ?tr_scalar_mx ?(proj1 pB) //.
  rewrite qf_scalar; apply: le_trans (form_trace v pB) _.
  by apply: ler_wpmul2r => //; exact: sqn_ge0.
have aM : psd ((Phi s)%:M - invmx (upper s)).
  by apply: scal => //; rewrite FE mxtraceD ler_addl; exact: tr0.
have aN : psd ((Phi s)%:M - invmx (lower s)).
  by apply: scal => //; rewrite FE mxtraceD ler_addr; exact: tr0.
have aE : psd ((Phi s)%:M - (invmx (upper s) + invmx (lower s))).
  by apply: scal; [exact: pd_psd | rewrite FE].
have [_ _ hT hQ] := perturbed_step pM pN e0 wM wN (ltW F0) aM aN (ltW F0) aE t0 near th1.
rewrite -/(bracket s) -FE -/E' -/theta in hT; rewrite -/(bracket s) -/E' -/theta in hQ.
have /andP[Tl Th] := hT.
have p1 : 0 < 1 + theta by rewrite ltr_paddr ?ltr01 // mulr_ge0 // ltW.
have n1 : 0 < 1 - theta by rewrite subr_gt0.
have sides : upper s + lower s = (gap s)%:M.
  by rewrite /upper /lower /gap addrA subrK raddfB.
have g0 : 0 < gap s.
  by have := proj2 (pdD pM (pd_psd pN)) _ U0; rewrite sides qf_scalar pmulr_lgt0.
have mlow : 4%:R / gap s * sqn U <= qf (bracket s) U.
  pose c := 2%:R / gap s.
  have xy : qf (upper s) U + qf (lower s) U = gap s * sqn U by rewrite -qfD sides qf_scalar.
  have := psd_le U (tangent c pM); have := psd_le U (tangent c pN).
  rewrite !qfB !qfZ -/(sqn U) => h1 h2.
  rewrite /bracket qfD; apply: le_trans (ler_add h2 h1).
  move: xy; move: (qf (upper s) U) (qf (lower s) U) => x y xy.
  have -> : y = gap s * sqn U - x by rewrite -xy addrC addKr.
  rewrite le_eqVlt; apply/orP; left; apply/eqP.
  by rewrite /c; field; rewrite gt_eqF.
set m := qf (bracket s) U in m0 mlow hQ *.
set x := Num.sqrt m in hQ *.
have x0 : 0 < x by rewrite sqrtr_gt0.
have mx2 : m = x ^+ 2 by rewrite sqr_sqrtr // ltW.
have F0' := ltW F0.
have nu0 : 0 <= nu by rewrite divr_ge0 ?mulr_ge0 ?sqrtr_ge0.
have dchi : d%:R * chi = Phi s * gap s / 4%:R.
  rewrite /chi; field; rewrite pnatr_eq0 -lt0n d0 //.
have sx : tau * Num.sqrt (Phi s) <= nu * x.
  have y0 : 0 < Num.sqrt (sqn U) by rewrite sqrtr_gt0.
  have roots : Num.sqrt (Phi s) * Num.sqrt (sqn U) <= Num.sqrt (d%:R * chi) * x.
    rewrite dchi /x -sqrtrM // -sqrtrM; last by rewrite divr_ge0 ?ler0n ?mulr_ge0 ?(ltW g0).
    apply: ler_wsqrtr; rewrite -!mulrA; apply: ler_wpmul2l => //.
    rewrite -(@ler_pmul2l _ (4%:R / gap s)) ?divr_gt0 ?ltr0n //.
    apply: le_trans mlow _; rewrite le_eqVlt; apply/orP; left; apply/eqP.
    by field; rewrite gt_eqF.
  have -> : nu * x = tau * (Num.sqrt (d%:R * chi) * x) / Num.sqrt (sqn U).
    by rewrite /nu; ring.
  by rewrite ler_pdivl_mulr // -mulrA; apply: ler_wpmul2l.
have sum0 : 0 <= tau * Num.sqrt (Phi s) by rewrite mulr_ge0 // sqrtr_ge0.
have Ql : (1 - nu) ^+ 2 * m / (1 + theta) <= qf E' U'.
  case/andP: hQ => + _; apply: le_trans; apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
  have le : (1 - nu) * x <= x - tau * Num.sqrt (Phi s).
    by rewrite mulrBl mul1r ler_add2l ler_opp2.
  have ge : 0 <= (1 - nu) * x by apply: mulr_ge0; rewrite ?subr_ge0 ltW.
  rewrite max_r; last exact: le_trans ge le.
  rewrite {1}mx2 -exprMn ler_pexpn2r ?nnegrE //; exact: le_trans ge le.
have Qh : qf E' U' <= (1 + nu) ^+ 2 * m / (1 - theta).
  case/andP: hQ => _ h; apply: le_trans h _; apply: ler_wpmul2r; first by rewrite invr_ge0 ltW.
  have le : x + tau * Num.sqrt (Phi s) <= (1 + nu) * x by rewrite mulrDl mul1r ler_add2l.
  have ge : 0 <= x + tau * Num.sqrt (Phi s) by rewrite addr_ge0 // ltW.
  by rewrite {1}mx2 -exprMn ler_pexpn2r ?nnegrE //; exact: le_trans ge le.
have around (y y' Y lo hi : R) : 0 < Y -> `|y' - y| <= rho * y -> lo * Y <= y -> y <= hi * Y ->
    (1 - rho) * lo <= y' / Y <= (1 + rho) * hi.
  move=> Y0; rewrite ler_norml => /andP[al ah] ll lh.
  rewrite ler_pdivl_mulr // ler_pdivr_mulr // -!mulrA; apply/andP; split.
    apply: (@le_trans _ _ ((1 - rho) * y)); first by apply: ler_wpmul2l; rewrite ?subr_ge0.
    by rewrite mulrBl mul1r ler_subl_addr -ler_subl_addl -opprB ler_oppl.
  apply: (@le_trans _ _ ((1 + rho) * y)); last by apply: ler_wpmul2l; rewrite ?addr_ge0 ?ler01.
  by rewrite mulrDl mul1r -ler_subl_addl.
split; first by apply: (around (\tr E')) => //; rewrite mulrC.
have -> : (1 - rho) * (1 - nu) ^+ 2 / (1 + theta) =
  (1 - rho) * ((1 - nu) ^+ 2 / (1 + theta)) by ring.
have -> : (1 + rho) * (1 + nu) ^+ 2 / (1 - theta) =
  (1 + rho) * ((1 + nu) ^+ 2 / (1 - theta)) by ring.
by apply: (around (qf E' U')) => //; rewrite [_ / _ * m]mulrAC.
Qed.

End Closed.
