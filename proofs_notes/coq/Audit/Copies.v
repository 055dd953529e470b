(** Copies of one point: M^2 points 1/M on the line.

    Every point has probability 1/M^2 whatever was drawn, so that with M >= 1/g^2
    draws are hardly ever repeated: what is refuted by counting draws is refuted
    by counting distinct labels too.

    Selected results
      copies_distinct     == E[labels] > E[m] - 1, for every g < 1/2
      iterations_distinct == the sum from j = 1 is too small for labels
      query_distinct      == E[labels] > 2 R_X/g at g = 1/10
      pathwise_distinct   == a run whose labels exceed the sum of probabilities

    Symbols
      copies M (i, t) == the point 1/M, for i, t < M
      of_size n       == the run of n draws of the one point of [one]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop Refutations.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Copies.
Variables (R : realFieldType) (M : nat).
Hypothesis M_gt0 : (0 < M)%N.
Local Notation I := [finType of 'I_M * 'I_M].
Local Notation U := (@copies R M : I -> 'cV[R]_1).
Local Notation N := (M%:R ^+ 2 : R).

Lemma M_pos : (0 : R) < M%:R.
Proof. by rewrite ltr0n. Qed.

Lemma card_copies : (#|{: I}|)%:R = N.
Proof. by rewrite card_prod card_ord natrM expr2. Qed.

Lemma outer_copies x : U x *m (U x)^T = (N^-1)%:M.
Proof. by rewrite /copies tr_scalar_mx -scalar_mxM -expr2 exprVn. Qed.

Lemma iso_copies : \sum_x U x *m (U x)^T = 1%:M.
Proof.
under eq_bigr do rewrite outer_copies.
rewrite sumr_const -raddfMn /=; congr (_%:M).
rewrite -mulr_natr card_copies mulVf // expf_neq0 // gt_eqF //.
exact: M_pos.
Qed.

Lemma prob_copies (s : state R 1) x : inv s -> prob U s x = N^-1.
Proof.
move=> i; have P0 := Phi_gt0 (ltnSn 0) i.
rewrite /prob /copies -scalemx1 qfZv.
have -> : qf (bracket s) 1%:M = Phi s.
  by rewrite PhiE /qf /bf trmx1 mul1mx mulmx1 /mxtrace big_ord1.
by rewrite mulfK ?gt_eqF // exprVn.
Qed.

Lemma mass_copies (s : state R 1) (X1 : pred I) : inv s ->
  \sum_(x | X1 x) prob U s x = #|X1|%:R / N.
Proof.
move=> i; under eq_bigr do rewrite prob_copies //.
by rewrite sumr_const mulr_natl.
Qed.

Section Gamma.
Variable g : R.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation hst := (hst U g).
Local Notation stop := (paper_stop U g).
Local Notation inv_c := (inv_h (ltnSn 0) iso_copies g_gt0 g_lt).

Definition of_size n : seq unit := nseq n tt.

(** The states are those of the one point 1. *)
Lemma hst_copies h : hst h = Spec.hst (@one R) g (of_size (size h)).
Proof.
elim: h => //= x h IH; rewrite -IH.
have i := inv_c h; have N0 : N != 0 by rewrite expf_neq0 // gt_eqF // M_pos.
rewrite /step (weight_one g tt i) /weight prob_copies // outer_copies.
congr (State (_ + _) _ _).
rewrite /one trmx1 mulmx1 !scale_scalar_mx mulr1; congr (_%:M).
by rewrite invrK mulfK.
Qed.

Lemma past_copies (f : state R 1 -> R) h :
  past (fun h' => f (hst h')) h =
  past (fun h' => f (Spec.hst (@one R) g h')) (of_size (size h)).
Proof. by elim: h => //= x h ->; rewrite hst_copies. Qed.

Lemma stop_copies h : stop h = paper_stop (@one R) g (of_size (size h)).
Proof.
rewrite /paper_stop hst_copies; congr (_ <= _ + _).
exact: (past_copies (@Phi R 1)).
Qed.

(** A draw is new with probability at least 1 - j/N. *)
Lemma mean_labels h : (labels xpredT h)%:R + (1 - (size h)%:R / N) <=
  \sum_x prob U (hst h) x * (labels xpredT (x :: h))%:R.
Proof.
have N0 : 0 < N by rewrite exprn_gt0 // M_pos.
have lab x : labels xpredT (x :: h) = (labels xpredT h + (x \notin h))%N.
  rewrite /labels !filter_predT /=; case: ifP => _ /=; first by rewrite addn0.
  by rewrite addn1.
under eq_bigr do rewrite lab natrD mulrDr.
rewrite big_split /= (mean_const (ltnSn 0) iso_copies g_gt0 g_lt) ler_add2l.
under [X in _ <= X]eq_bigr do rewrite (prob_copies _ (inv_c h)).
rewrite -mulr_sumr -natr_sum.
have {1}-> : 1 = N^-1 * N by rewrite mulVf // gt_eqF.
rewrite [_ / N]mulrC -mulrBr ler_pmul2l ?invr_gt0 // ler_subl_addr.
rewrite -card_copies -natrD ler_nat.
have -> : (\sum_x (x \notin h) = #|[predC h]|)%N.
  rewrite -sum1_card [RHS]big_mkcond /=; apply: eq_bigr => x _.
  by rewrite -[x \in [predC h]]/(x \notin h); case: (x \notin h).
by rewrite -(cardC (mem h)) addnC leq_add2l card_size.
Qed.

Lemma labels_tree n h :
  (labels xpredT h)%:R + Tsum U g stop n (fun h => 1 - (size h)%:R / N) h <=
  Tend U g stop n (fun h => (labels xpredT h)%:R) h.
Proof.
elim: n h => [|n IH] h /=; first by rewrite !if_same addr0.
case: ifP => _; first by rewrite addr0.
apply: le_trans (mean_le (ltnSn 0) iso_copies g_gt0 g_lt h (fun x => IH (x :: h))).
under [X in _ <= X]eq_bigr do rewrite mulrDr.
by rewrite big_split /= addrA ler_add2r; exact: mean_labels.
Qed.

Lemma Tsum_mono n (f1 f2 : seq I -> R) h :
  (forall h, ~~ stop h -> f1 h <= f2 h) ->
  Tsum U g stop n f1 h <= Tsum U g stop n f2 h.
Proof.
move=> le; elim: n h => [|n IH] h //=.
case: ifP => // /negbT ns; apply: ler_add; first exact: le.
exact: (mean_le (ltnSn 0) iso_copies g_gt0 g_lt).
Qed.

(** With M >= 1/g^2 less than one draw is a repetition, in expectation. *)
Theorem copies_distinct n : 1 <= M%:R * g ^+ 2 ->
  Tsum U g stop n (fun=> 1) [::] - 1 <
  Exp U g stop n (fun h => (labels xpredT h)%:R).
Proof.
move=> hM; have N0 : 0 < N by rewrite exprn_gt0 // M_pos.
have M0 := M_pos; have gg : 0 < g ^+ 2 by rewrite exprn_gt0.
set S := Tsum _ _ _ _ _ _.
apply: lt_le_trans (labels_tree n [::]); rewrite /labels /= add0r.
have rb h : reach stop h -> rr U g h <= 1 + clk 1 g * (1 + 1).
  exact: (paper_reach_rr (ltnSn 0) iso_copies g_gt0 g_lt).
have Sle : S <= M%:R - 2%:R.
  have := length_bound (ltnSn 0) iso_copies g_gt0 g_lt n rb.
  rewrite /Exp (Tend_size (ltnSn 0) iso_copies g_gt0 g_lt) /= add0r -/S => le.
  apply: le_trans le _; rewrite mulr1.
  have k := kap_rbar1 (ltnSn 0) g_gt0 g_lt.
  rewrite ler_pdivr_mulr //; apply: le_trans k _.
  by refine (@le_diff _ _ _ (M%:R * g ^+ 2 - 1) _ _); [ring | rewrite subr_ge0].
have S0 : 0 <= S.
  have := @Tsum_mono n (fun=> 0) (fun=> 1) [::] (fun _ _ => ler01).
  apply: le_trans; elim: (n) [::] => [|m IH] h /=; first by rewrite if_same.
  case: ifP => // _; rewrite add0r; apply: sumr_ge0 => x _.
  by apply: mulr_ge0 (IH _); rewrite prob_copies ?invr_ge0 ?(ltW N0) //; exact: inv_c.
apply: (@lt_le_trans _ _ (Tsum U g stop n (fun=> (1 - M%:R^-1) * 1) [::])).
  rewrite TsumZ -/S; have M1 : M%:R != 0 :> R by rewrite gt_eqF.
  refine (@lt_diff _ _ _ ((M%:R - S) / M%:R) _ _); first by field.
  apply: divr_gt0 => //; rewrite subr_gt0; apply: le_lt_trans Sle _.
  by rewrite ltr_subl_addr ltr_addl ltr0n.
apply: Tsum_mono => h ns; rewrite mulr1 ler_add2l ler_oppr opprK.
have := paper_short_lin (ltnSn 0) iso_copies g_gt0 g_lt ns => lt.
rewrite ler_pdivr_mulr //.
have -> : M%:R^-1 * N = M%:R by rewrite expr2 mulKf // gt_eqF.
rewrite -(ler_pmul2r gg); apply: le_trans hM; apply: le_trans (ltW lt).
by rewrite ler_pmul2r // ler_addl ler0n.
Qed.

(** iterations, the sum from j = 1, against labels. *)
Theorem iterations_distinct n : 1 <= M%:R * g ^+ 2 ->
  ~ (Exp U g stop n.+1 (fun h => (labels xpredT h)%:R) <=
     \sum_x prob U (start 1 g) x * Tsum U g stop n
       (fun h => phi (\sum_x U x *m (U x)^T) (hst h) / Phi (hst h)) [:: x]).
Proof.
move=> hM; apply/negP; rewrite -ltNge; apply: le_lt_trans (copies_distinct n.+1 hM).
rewrite /= (stop_copies [::]) (paper_stopE _ (ltnSn 0) g_gt0).
rewrite (rr0 _ (ltnSn 0) g_gt0) /ss /= mulr0 addr0 ler10 addrC addrA addNr add0r.
apply: ler_sum => x _; apply: ler_wpmul2l.
  rewrite prob_copies ?invr_ge0 ?exprn_ge0 ?ler0n //; exact: (inv_c [::]).
apply: Tsum_mono => h _; rewrite iso_copies -/(Phi _) divff //.
by rewrite gt_eqF // Phi_gt0 //; exact: inv_c.
Qed.

(** A sure way to stop: run lengths. *)
Lemma reach_short h : (forall h', (size h' < size h)%N -> ~~ stop h') -> reach stop h.
Proof.
elim: h => //= x h IH ns; rewrite ns //=; apply: IH => h' lt.
by apply: ns; exact: ltnW.
Qed.

(** eq-m1 on a run: X1 is one M-th of the points, and all draws are new. *)
Theorem pathwise_distinct : 1 <= M%:R * g ^+ 2 -> forall i0 : 'I_M,
  exists h : seq I, [/\ reach stop h, stop h,
    forall h' x, prob U (hst h') x = N^-1 &
    past (fun h' => \sum_(x | x.1 == i0) prob U (hst h') x) h <
      (labels (fun x : I => x.1 == i0) h)%:R].
Proof.
move=> hM i0; have M0 := M_pos.
have ex : exists m, paper_stop (@one R) g (of_size m).
  exists M; apply: (paper_stops_lin (ltnSn 0) (iso_one R) g_gt0 g_lt).
  by rewrite size_nseq.
pose m := ex_minn ex.
have [st mn] : paper_stop (@one R) g (of_size m) /\
    forall k, paper_stop (@one R) g (of_size k) -> (m <= k)%N.
  by rewrite /m; case: ex_minnP.
have mM : (m <= M)%N.
  apply: mn; apply: (paper_stops_lin (ltnSn 0) (iso_one R) g_gt0 g_lt).
  by rewrite size_nseq.
have m0 : (0 < m)%N.
  rewrite lt0n; apply/eqP => z; move: st; rewrite z /of_size /=.
  rewrite (paper_stopE _ (ltnSn 0) g_gt0).
  by rewrite (rr0 _ (ltnSn 0) g_gt0) /ss /= mulr0 addr0 ler10.
pose h : seq I := [seq (i0, t) | t <- take m (enum 'I_M)].
have sz : size h = m by rewrite size_map size_take size_enum_ord; case: ltngtP mM.
have un : uniq h.
  rewrite map_inj_uniq; last by move=> a b [].
  by apply: take_uniq; exact: enum_uniq.
have al : all (fun x : I => x.1 == i0) h by apply/allP => x /mapP[t _ ->] /=.
have M1 : (1 < M)%N.
  rewrite ltnNge; apply/negP => le; move: hM; apply/negP; rewrite -ltNge.
  have g1 : g < 1 by rewrite -subr_gt0; exact: (g1_gt0 g_gt0 g_lt).
  apply: (@le_lt_trans _ _ (1 * g ^+ 2)).
    by rewrite ler_pmul2r ?exprn_gt0 // -[1]/(1%:R) ler_nat.
  by rewrite mul1r expr_lt1 // ltW.
exists h; split.
- apply: reach_short => h' lt; rewrite stop_copies; apply/negP => /mn.
  by rewrite leqNgt -sz lt.
- by rewrite stop_copies sz.
- by move=> h' x; apply: prob_copies; exact: inv_c.
- have -> : labels (fun x : I => x.1 == i0) h = m.
    by rewrite /labels (all_filterP al) undup_id.
  have c : #|(fun x : I => x.1 == i0)| = M.
    rewrite -sum1_card (eq_bigl (fun x : I => (x.1 == i0) && true)); last by move=> x; rewrite andbT.
    by rewrite -(pair_big (fun i => i == i0) xpredT (fun _ _ => 1%N)) /= big_pred1_eq sum1_card card_ord.
  have e h' : past (fun h' => \sum_(x | x.1 == i0) prob U (hst h') x) h' = (size h')%:R / M%:R.
    elim: h' => [|x h' IH] /=; first by rewrite mul0r.
    rewrite IH mass_copies ?c; last exact: inv_c.
    by rewrite [(size h').+1%:R]mulrSr mulrDl expr2 invfM mulrA divff ?gt_eqF.
  rewrite e sz ltr_pdivr_mulr // ltr_pmulr ?ltr0n //.
  by rewrite ltr1n.
Qed.

(** A run that does not stop before m draws has at least m. *)
Lemma Tsum_ge m n h : (forall h', (size h' < m)%N -> ~~ stop h') ->
  (m <= size h + n)%N ->
  m%:R - (size h)%:R <= Tsum U g stop n (fun=> 1) h.
Proof.
move=> ns; elim: n h => [|n IH] h le.
  by rewrite addn0 in le; rewrite /= if_same subr_le0 ler_nat.
have [lt|ge] := ltnP (size h) m; last first.
  apply: (@le_trans _ _ 0); first by rewrite subr_le0 ler_nat.
  have := @Tsum_mono n.+1 (fun=> 0) (fun=> 1) h (fun _ _ => ler01).
  apply: le_trans; elim: (n.+1) h {IH le ge} => [|k IH] h /=; first by rewrite if_same.
  case: ifP => // _; rewrite add0r; apply: sumr_ge0 => x _.
  by apply: mulr_ge0 (IH _); rewrite prob_copies ?invr_ge0 ?exprn_ge0 ?ler0n //; exact: inv_c.
rewrite /= (negbTE (ns h lt)).
have each x : m%:R - (size h)%:R - 1 <= Tsum U g stop n (fun=> 1) (x :: h).
  have := IH (x :: h); rewrite /= addSnnS => /(_ le); apply: le_trans.
  by rewrite -addrA -opprD -mulrSr.
have := mean_le (ltnSn 0) iso_copies g_gt0 g_lt h each.
rewrite (mean_const (ltnSn 0) iso_copies g_gt0 g_lt) => le1.
by apply: le_trans (ler_add (lexx _) le1); rewrite [X in _ <= X]addrC subrK.
Qed.

End Gamma.
End Copies.

(** g = 1/10 on the line: the loop makes at least 21 draws. *)
Lemma tenth_slow (R : realFieldType) h : (size h < 21)%N ->
  ~~ paper_stop (@one R) 10%:R^-1 h.
Proof.
pose g : R := 10%:R^-1; rewrite -/g.
have g0 : 0 < g by rewrite /g; ps.
have g2 : 2%:R * g < 1.
  by refine (@lt_diff _ _ _ (4%:R / 5%:R) _ _); [rewrite /g; field | ps].
have c : clk 1 g = 96%:R^-1 :> R by rewrite /clk /kap /g; field.
have rle h' : (size h' <= 48)%N -> rr (@one R) g h' <= (size h')%:R / 48%:R.
  elim: h' => [|x h' IH] le; first by rewrite rr0 // mul0r.
  have {}IH := IH (ltnW le).
  apply: le_trans (rr_cons_le (ltnSn 0) (iso_one R) g0 g2 x h') _.
  rewrite c; have l1 : (size h')%:R / 48%:R <= 1 :> R.
    by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat ltnW.
  have -> : (size (x :: h'))%:R = (size h')%:R + 1 :> R by rewrite /= mulrSr.
  have a : 0 <= (size h')%:R / 48%:R - rr (@one R) g h' by rewrite subr_ge0.
  have b : 0 <= 1 - (size h')%:R / 48%:R :> R by rewrite subr_ge0.
  refine (@le_diff _ _ _ (97%:R / 96%:R * ((size h')%:R / 48%:R - rr (@one R) g h')
    + 96%:R^-1 * (1 - (size h')%:R / 48%:R)) _ _); last by nn.
  by field.
rewrite ltnS => le; rewrite paper_stopE // -ltNge.
have s20 : (size h)%:R <= 20%:R :> R by rewrite ler_nat.
apply: le_lt_trans (ler_add (rle h _) (ss_le g0 g2 h)) _; first exact: leq_trans le _.
refine (@lt_diff _ _ _ ((20%:R - (size h)%:R) * (7%:R / 300%:R) + 8%:R / 15%:R) _ _).
  by rewrite /g; field.
have z : 0 <= 20%:R - (size h)%:R :> R by rewrite subr_ge0.
by apply: ltr_spaddr; [ps | nn].
Qed.

(** query-main for distinct labels: g = 1/10 and 10000 copies; both printed
    bounds fail at every horizon from 21 draws on, so for the whole run. *)
(* slug: query-main *)
Theorem query_distinct (R : realFieldType) n : (21 <= n)%N ->
  let g : R := 10%:R^-1 in
  let U := @copies R 100 in
  let stop := paper_stop U g in
  2%:R / g * \tr (\sum_x U x *m (U x)^T) <
    Exp U g stop n (fun h => (labels xpredT h)%:R) /\
  Exp U g stop n (fun h => (size h)%:R) * (g * \tr (\sum_x U x *m (U x)^T) / 1%:R) <
    Exp U g stop n (fun h => (labels xpredT h)%:R).
Proof.
move=> hn g U stop.
have g0 : 0 < g by rewrite /g; ps.
have g2 : 2%:R * g < 1.
  by refine (@lt_diff _ _ _ (4%:R / 5%:R) _ _); [rewrite /g; field | ps].
have iso : \sum_x U x *m (U x)^T = 1%:M by exact: iso_copies.
rewrite iso mxtrace1.
have hM : 1 <= 100%:R * g ^+ 2 :> R.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /g; field.
have H : 20%:R < Exp U g stop n (fun h => (labels xpredT h)%:R).
  apply: le_lt_trans (@copies_distinct R 100 isT g g0 g2 n hM).
  have ns h : (size h < 21)%N -> ~~ stop h.
    move=> lt; have -> : stop h = _ := @stop_copies R 100 isT g g0 g2 h.
    apply: tenth_slow.
    by rewrite size_nseq.
  have := @Tsum_ge R 100 isT g g0 g2 21 n [::] ns hn; rewrite subr0 => le.
  by rewrite ler_subr_addr; apply: le_trans le; rewrite -[1]/(1%:R) -natrD ler_nat.
split; first by apply: le_lt_trans H; rewrite /g invrK -!natrM ler_nat.
apply: lt_trans H.
have := length_bound (ltnSn 0) iso g0 g2 n (paper_reach_rr (ltnSn 0) iso g0 g2).
rewrite !mulr1 divr1 => le.
have k := kap_rbar1 (ltnSn 0) g0 g2.
have gg : 0 < g ^+ 2 by rewrite exprn_gt0.
have {le}le : Exp U g stop n (fun h => (size h)%:R) <= 98%:R.
  apply: le_trans le _; rewrite ler_pdivr_mulr //; apply: le_trans k _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /g; field.
apply: (@le_lt_trans _ _ (98%:R * g)).
  by apply: ler_wpmul2r => //; exact: ltW.
by rewrite /g ltr_pdivr_mulr ?ltr0n // -natrM ltr_nat.
Qed.

(* slug: query-main *)
Theorem query_main_labels_false (R : realFieldType) :
  ~ (forall (I : finType) (U : I -> 'cV[R]_1) (g : R) (n : nat) (X1 : pred I),
     \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
     Exp U g (paper_stop U g) n (fun h => (labels X1 h)%:R) <=
     2%:R / g * \tr (\sum_(x | X1 x) U x *m (U x)^T)).
Proof.
pose g : R := 10%:R^-1.
have g0 : 0 < g by rewrite /g; ps.
have g2 : 2%:R * g < 1.
  by refine (@lt_diff _ _ _ (4%:R / 5%:R) _ _); [rewrite /g; field | ps].
move=> /(_ _ (@copies R 100) g 21%N xpredT (@iso_copies R 100 isT) g0 g2).
have [lt _] := @query_distinct R 21 (leqnn _).
by rewrite leNgt => /negP; apply.
Qed.
