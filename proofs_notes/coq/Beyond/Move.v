(** One move of the sampler with ANY rates: the upper barrier rises by
    cu/Phi, the lower one by cl/Phi. The paper's rates are g/(1-2g) and
    g/(1+2g); the tight rates are another choice.

    Symbols: P, Q the gaps to the upper and to the lower barrier; E the
    bracket P^-1 + Q^-1; F its trace; w x = g/(U^T E U), p x = U^T E U/F.

      move_upper_pd, move_lower_pd == the barriers stay strict
      drift_upper, drift_lower == E[P'^-1] <= P^-1 - (ku/F) P^-2, and below
      move_bracket  == E[P'^-1 + Q'^-1] <= P^-1 + Q^-1
      drift_bracket == E[P'^-1 + Q'^-1] <= (1 - s) (P^-1 + Q^-1) *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** Two identities of inverses. *)
Section Inverses.
Variables (R : realFieldType) (d : nat).
Implicit Types (P Q B Z : 'M[R]_d).

Lemma psd_scal (a : R) : 0 <= a -> psd (a%:M : 'M[R]_d).
Proof. by move=> a0; rewrite -scalemx1; apply: psdZ => //; exact: psd1. Qed.

Lemma psd_sq Z : Z^T = Z -> psd (Z *m Z).
Proof. by move=> sZ; rewrite -{1}sZ -[Z^T]mulmx1; exact/psd_conj/psd1. Qed.

Lemma psd_sym_conj Z B : Z^T = Z -> psd B -> psd (Z *m B *m Z).
Proof. by move=> sZ pB; rewrite -{1}sZ; exact: psd_conj. Qed.

(** The first-order shift of the inverse, on either side. *)
Lemma shift_left P b : P \in unitmx -> P + b%:M \in unitmx ->
  invmx P = invmx (P + b%:M) + b *: (invmx (P + b%:M) *m invmx P).
Proof.
move=> uP uQ; rewrite -[LHS](mulKmx uQ) mulmxDl mulmxV // mul_scalar_mx.
by rewrite mulmxDr mulmx1 -scalemxAr.
Qed.

Lemma shift_right P b : P \in unitmx -> P + b%:M \in unitmx ->
  invmx P = invmx (P + b%:M) + b *: (invmx P *m invmx (P + b%:M)).
Proof.
move=> uP uQ; rewrite -[LHS](mulmxK uQ) mulmxDr mulVmx // mul_mx_scalar.
by rewrite mulmxDl mul1mx -scalemxAl.
Qed.

(** The same for the square of the inverse. *)
Lemma shift_square P b : P \in unitmx -> P + b%:M \in unitmx ->
  let Q := invmx (P + b%:M) in
  invmx P *m invmx P = Q *m Q + (2%:R * b) *: (Q *m invmx P *m Q)
    + b ^+ 2 *: (Q *m (invmx P *m invmx P) *m Q).
Proof.
move=> uP uQ Q; rewrite {1}(shift_left uP uQ) {2}(shift_right uP uQ) -/Q.
rewrite mulmxDl !mulmxDr -!scalemxAl -!scalemxAr !mulmxA.
move: (Q *m Q) (Q *m invmx P *m Q) (Q *m invmx P *m invmx P *m Q) => A B C.
by apply/matrixP => i j; rewrite !mxE;
  move: (A i j) (B i j) (C i j) => *; ring.
Qed.

(** Tangent of the square: B^-2 >= 2 c B^-1 - c^2. *)
Lemma square_tangent Z c : Z^T = Z ->
  psd (Z *m Z - (2%:R * c *: Z - (c ^+ 2)%:M)).
Proof.
move=> sZ; have -> : Z *m Z - (2%:R * c *: Z - (c ^+ 2)%:M) =
  (Z - c%:M) *m (Z - c%:M).
  rewrite mulmxBl !mulmxBr mul_mx_scalar !mul_scalar_mx scale_scalar_mx.
  move: (Z *m Z) => ZZ; apply/matrixP => i j; rewrite !mxE.
  by move: (ZZ i j) (Z i j) => *; case: (i == j) => /=; ring.
by apply: psd_sq; rewrite linearB /= sZ tr_scalar_mx.
Qed.

Lemma slope_identity (A B C D : 'M[R]_d) (F ku kl s : R) :
  F != 0 -> ku != 0 -> kl != 0 ->
  (1 - s / F) *: (C + D) - (C - (ku / F) *: A + (D - (kl / F) *: B)) =
  F^-1 *: (ku *: (A - (2%:R * (s / ku) *: C - ((s / ku) ^+ 2)%:M)) +
    kl *: (B - (2%:R * (s / kl) *: D - ((s / kl) ^+ 2)%:M)) +
    s *: (C + D - (s * (ku^-1 + kl^-1))%:M)).
Proof.
move=> F0 u0 l0; apply/matrixP => i j; rewrite !mxE.
move: (A i j) (B i j) (C i j) (D i j) => a b c e.
by case: (i == j) => /=; field; rewrite F0 u0 l0.
Qed.

End Inverses.

(** ** One move. *)
Section Move.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R) (P Q : 'M[R]_d).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt1 : g < 1.
Hypothesis pP : pd P.
Hypothesis pQ : pd Q.

Definition brk : 'M[R]_d := invmx P + invmx Q.
Definition pot : R := \tr brk.
Definition pr (x : I) : R := qf brk (U x) / pot.
Definition wt (x : I) : R := g / qf brk (U x).

Local Notation W x := (wt x *: (U x *m (U x)^T)).

Lemma brk_pd : pd brk.
Proof. by apply: pdD; [exact: pd_inv | exact/pd_psd/pd_inv]. Qed.
Lemma pot_gt0 : 0 < pot.
Proof. by apply: tr_pd_gt0 => //; exact: brk_pd. Qed.
Lemma g1_pos : 0 < 1 - g. Proof. by rewrite subr_gt0. Qed.
Lemma pr_ge0 x : 0 <= pr x.
Proof. by rewrite divr_ge0 ?(ltW pot_gt0) //; case: (pd_psd brk_pd) => _; apply. Qed.
Lemma wt_ge0 x : 0 <= wt x.
Proof. by rewrite divr_ge0 ?(ltW g_gt0) //; case: (pd_psd brk_pd) => _; apply. Qed.

Lemma pr_sum : \sum_x pr x = 1.
Proof.
rewrite /pr -mulr_suml.
have -> : \sum_x qf brk (U x) = pot.
  rewrite (eq_bigr (fun x => \tr (U x *m (U x)^T *m brk))); last first.
    by move=> x _; rewrite tr_outer.
  by rewrite -raddf_sum -mulmx_suml isoU mul1mx.
by rewrite divff // gt_eqF // pot_gt0.
Qed.

Lemma pr_wt x : pr x *: W x = (g / pot) *: (U x *m (U x)^T).
Proof.
have [->|n] := eqVneq (U x) 0; first by rewrite mul0mx !scaler0.
rewrite scalerA; congr (_ *: _); rewrite /pr /wt; field.
by rewrite !gt_eqF ?pot_gt0 //; apply: (proj2 brk_pd).
Qed.

Lemma move_mean : \sum_x pr x *: W x = (g / pot)%:M.
Proof. by rewrite (eq_bigr _ (fun x _ => pr_wt x)) -scaler_sumr isoU scalemx1. Qed.

Lemma rank_bound B x : pd B -> psd (brk - invmx B) -> psd (g *: B - W x).
Proof.
move=> pB h; have [sB _] := pB.
apply: psd_leP; rewrite ?linearZ /= ?outer_sym ?sB // => v.
rewrite !qfZ /wt; have [->|n] := eqVneq (U x) 0.
  rewrite mul0mx qf0 mulr0 mulr_ge0 ?(ltW g_gt0) //.
  exact/(proj2 (pd_psd pB)).
have q0 : 0 < qf brk (U x) by apply: (proj2 brk_pd).
have h1 := psd_le v (rank_one_dom (U x) pB).
rewrite -mulrA ler_pmul2l // mulrC ler_pdivr_mulr //.
apply: le_trans h1 _; rewrite qfZ mulrC ler_wpmul2l //; last exact: psd_le.
exact/(proj2 (pd_psd pB)).
Qed.

Lemma rank_upper x : psd (g *: P - W x).
Proof.
apply: rank_bound => //.
by rewrite /brk addrC addKr; exact/pd_psd/pd_inv.
Qed.
Lemma rank_lower x : psd (g *: Q - W x).
Proof.
apply: rank_bound => //.
by rewrite /brk addrK; exact/pd_psd/pd_inv.
Qed.

(** I <= Phi B when the rank-one bounds hold against g B. *)
Lemma pot_bound B : (forall x, psd (g *: B - W x)) -> psd (B - pot^-1%:M).
Proof.
move=> rb; have F0 := pot_gt0.
have h : psd (\sum_x pr x *: (g *: B - W x)).
  by apply: psd_sum => x _; apply: psdZ; [exact: pr_ge0 | exact: rb].
rewrite (eq_bigr (fun x => pr x *: (g *: B) - pr x *: W x)) in h;
  last by move=> x _; rewrite scalerBr.
rewrite big_split /= sumrN move_mean -scaler_suml pr_sum scale1r in h.
have -> : B - pot^-1%:M = g^-1 *: (g *: B - (g / pot)%:M).
  apply/matrixP => i j; rewrite !mxE; move: (B i j) => b.
  by case: (i == j) => /=; field; rewrite !gt_eqF.
by apply: psdZ => //; rewrite invr_ge0 ltW.
Qed.
Lemma upper_ge : psd (P - pot^-1%:M). Proof. exact: pot_bound rank_upper. Qed.
Lemma lower_ge : psd (Q - pot^-1%:M). Proof. exact: pot_bound rank_lower. Qed.

(** ** The rates. *)
Variables cu cl : R.
Hypothesis cu_ge0 : 0 <= cu.
Hypothesis cl_ge0 : 0 <= cl.
Hypothesis cl_lt1 : cl < 1.

Local Notation du := (cu / pot).
Local Notation dl := (cl / pot).
Definition up_move (x : I) : 'M[R]_d := P + du%:M - W x.
Definition lo_move (x : I) : 'M[R]_d := Q - dl%:M + W x.

Lemma du_ge0 : 0 <= du. Proof. by rewrite divr_ge0 // ltW // pot_gt0. Qed.
Lemma dl_ge0 : 0 <= dl. Proof. by rewrite divr_ge0 // ltW // pot_gt0. Qed.
Lemma cl1_gt0 : 0 < 1 - cl. Proof. by rewrite subr_gt0. Qed.

Lemma up_move_ge x : psd (up_move x - (1 - g) *: P).
Proof.
have -> : up_move x - (1 - g) *: P = (g *: P - W x) + du%:M.
  rewrite /up_move; move: (W x) => Z; apply/matrixP => i j; rewrite !mxE.
  by move: (P i j) (Z i j) => *; ring.
by apply: psdD; [exact: rank_upper | exact/psd_scal/du_ge0].
Qed.

Lemma move_upper_pd x : pd (up_move x).
Proof. by apply: pd_ge (up_move_ge x); apply: pdZ => //; exact: g1_pos. Qed.

(** Before the sample the lower gap is still (1-cl) Q at least. *)
Lemma lo_shift : psd ((Q - dl%:M) - (1 - cl) *: Q).
Proof.
have F0 := pot_gt0.
have -> : (Q - dl%:M) - (1 - cl) *: Q = cl *: (Q - pot^-1%:M).
  apply/matrixP => i j; rewrite !mxE; move: (Q i j) => z.
  by case: (i == j) => /=; field; rewrite gt_eqF.
by apply: psdZ => //; exact: lower_ge.
Qed.

Lemma lo_shift_pd : pd (Q - dl%:M).
Proof. by apply: pd_ge lo_shift; apply: pdZ => //; exact: cl1_gt0. Qed.

Lemma lo_move_ge x : psd (lo_move x - (1 - cl) *: Q).
Proof.
rewrite /lo_move addrAC; apply: psdD; first exact: lo_shift.
by apply: psdZ; [exact: wt_ge0 | exact: psd_outer].
Qed.

Lemma move_lower_pd x : pd (lo_move x).
Proof. by apply: pd_ge (lo_move_ge x); apply: pdZ => //; exact: cl1_gt0. Qed.

(** ** Above: the mean of the new inverse. *)
Local Notation Pt := (P + du%:M).
Local Notation Pi := (invmx Pt).
Local Notation au := (g / (1 - g) / pot).

Lemma Pt_pd : pd Pt.
Proof. by apply: pdD => //; exact/psd_scal/du_ge0. Qed.
Lemma Pi_sym : Pi^T = Pi.
Proof. by apply: inv_sym; case: Pt_pd. Qed.

Lemma mean_up_raw :
  psd (Pi + au *: (Pi *m Pi) - \sum_x pr x *: invmx (up_move x)).
Proof.
have pPt := Pt_pd; have sPi := Pi_sym; have F0 := pot_gt0; have g1 := g1_pos.
have each x : psd ((Pi + (1 - g)^-1 *: (Pi *m W x *m Pi)) - invmx (up_move x)).
  have wle : wt x * qf Pi (U x) <= g.
    apply: rank_one_inv => //; first exact: ltW.
    rewrite scalerDr addrAC; apply: psdD; first exact: rank_upper.
    by apply: psdZ; [exact: ltW | exact/psd_scal/du_ge0].
  have w1 : 0 < 1 + - wt x * qf Pi (U x).
    by rewrite mulNr subr_gt0; apply: le_lt_trans wle _.
  have -> : up_move x = Pt + - wt x *: (U x *m (U x)^T) by rewrite scaleNr.
  rewrite sherman_morrison ?(pd_unit pPt) ?gt_eqF //.
  set V := U x *m (U x)^T.
  have -> : Pi + (1 - g)^-1 *: (Pi *m (wt x *: V) *m Pi) -
    (Pi - - wt x / (1 + - wt x * qf Pi (U x)) *: (Pi *m V *m Pi)) =
    (wt x / (1 - g) - wt x / (1 + - wt x * qf Pi (U x))) *: (Pi *m V *m Pi).
    rewrite -scalemxAr -scalemxAl scalerA [(1 - g)^-1 * _]mulrC.
    by rewrite opprB addrC addrA subrK scalerBl mulNr scaleNr addrC.
  apply: psdZ.
    rewrite subr_ge0 ler_wpmul2l ?wt_ge0 // lef_pinv ?posrE ?g1_pos //.
    by rewrite mulNr ler_add2l ler_oppr opprK.
  by apply: psd_sym_conj => //; exact: psd_outer.
have h : psd (\sum_x pr x *: ((Pi + (1 - g)^-1 *: (Pi *m W x *m Pi))
    - invmx (up_move x))).
  by apply: psd_sum => x _; apply: psdZ; [exact: pr_ge0 | exact: each].
suff <- : \sum_x pr x *: ((Pi + (1 - g)^-1 *: (Pi *m W x *m Pi))
    - invmx (up_move x)) = Pi + au *: (Pi *m Pi) - \sum_x pr x *: invmx (up_move x).
  exact: h.
rewrite (eq_bigr (fun x => (pr x *: Pi +
   (1 - g)^-1 *: (Pi *m (pr x *: W x) *m Pi)) - pr x *: invmx (up_move x))).
  rewrite sumrB big_split /= -scaler_suml pr_sum scale1r.
  rewrite -scaler_sumr -mulmx_suml -mulmx_sumr move_mean mul_mx_scalar.
  rewrite -scalemxAl scalerA.
  by have -> : (1 - g)^-1 * (g / pot) = au by rewrite mulrA [_^-1 * g]mulrC.
move=> x _; rewrite scalerBr scalerDr; congr (_ + _ - _).
by rewrite -!scalemxAr -!scalemxAl !scalerA; congr (_ *: _); ring.
Qed.

(** What is left: the shift, against any part ku of the difference. *)
Definition ku : R := cu - g / (1 - g).

Lemma mean_upper : 0 <= ku ->
  psd (invmx P - \sum_x pr x *: invmx (up_move x)).
Proof.
move=> k0; have F0 := pot_gt0; have sPi := Pi_sym.
have uP := pd_unit pP; have uPt := pd_unit Pt_pd.
apply: psd_trans mean_up_raw _; have := shift_inv uP uPt; rewrite /= -/Pi => ->.
have -> : Pi + du *: (Pi *m Pi) + du ^+ 2 *: (Pi *m invmx P *m Pi)
   - (Pi + au *: (Pi *m Pi)) =
   (ku / pot) *: (Pi *m Pi) + du ^+ 2 *: (Pi *m invmx P *m Pi).
  have -> : ku / pot = du - au by rewrite /ku mulrBl.
  rewrite scalerBl; move: (Pi *m Pi) (Pi *m invmx P *m Pi) (Pi) => A B C.
  by rewrite -(addrA C) opprD addrACA subrr add0r addrAC.
apply: psdD; apply: psdZ; rewrite ?sqr_ge0 //.
- by rewrite divr_ge0 // ltW.
- exact: psd_sq.
- by apply: psd_sym_conj => //; exact/pd_psd/pd_inv.
Qed.

Lemma drift_upper : 0 <= ku -> ku * cu <= 2%:R * (g / (1 - g)) - cu ->
  psd (invmx P - (ku / pot) *: (invmx P *m invmx P)
       - \sum_x pr x *: invmx (up_move x)).
Proof.
move=> k0 cond; have F0 := pot_gt0; have g1 := g1_pos.
have uP := pd_unit pP; have uPt := pd_unit Pt_pd; have sPi := Pi_sym.
apply: psd_trans mean_up_raw _.
have := shift_square uP uPt; have := shift_inv uP uPt; rewrite /= -/Pi.
pose A := Pi *m Pi; pose B := Pi *m invmx P *m Pi.
pose C := Pi *m (invmx P *m invmx P) *m Pi.
rewrite -/A -/B -/C => e1 e2.
have -> : invmx P - ku / pot *: (invmx P *m invmx P) - (Pi + au *: A) =
  du *: ((2%:R * (g / (1 - g)) - cu) / pot *: B - (ku / pot * du) *: C).
  rewrite e2 {1}e1 /ku; move: (A) (B) (C) (Pi) => A' B' C' D'.
  apply/matrixP => i j; rewrite !mxE.
  by move: (A' i j) (B' i j) (C' i j) (D' i j) => *; field; rewrite !gt_eqF.
apply: psdZ; first exact: du_ge0.
have -> : (2%:R * (g / (1 - g)) - cu) / pot *: B - (ku / pot * du) *: C =
  Pi *m (invmx P *m ((2%:R * (g / (1 - g)) - cu) / pot *: P
     - (ku / pot * du)%:M) *m invmx P) *m Pi.
  rewrite mulmxBr mulmxBl mulmxBr mulmxBl /B /C; congr (_ - _).
    by rewrite -scalemxAr -scalemxAl -scalemxAr -scalemxAl mulVmx // mul1mx.
  by rewrite mul_mx_scalar -scalemxAl -scalemxAr -scalemxAl.
apply: psd_sym_conj => //; apply: psd_sym_conj; first by apply: inv_sym; case: pP.
have z0 : 0 <= 2%:R * (g / (1 - g)) - cu by apply: le_trans cond; exact: mulr_ge0.
move: cond z0; move: (2%:R * (g / (1 - g)) - cu) => z cond z0.
have -> : z / pot *: P - (ku / pot * du)%:M =
  (z / pot) *: (P - pot^-1%:M) + ((z - ku * cu) / pot ^+ 2)%:M.
  apply/matrixP => i j; rewrite !mxE; move: (P i j) => y.
  by case: (i == j) => /=; field; rewrite gt_eqF.
apply: psdD; last by apply: psd_scal; rewrite divr_ge0 ?sqr_ge0 // subr_ge0.
by apply: psdZ; [rewrite divr_ge0 // ltW | exact: upper_ge].
Qed.

(** ** Below. *)
Local Notation Qt := (Q - dl%:M).
Local Notation Qi := (invmx Qt).
(** w U^T Qt^-1 U <= tl. *)
Definition tl : R := g / (1 - cl).
Local Notation al := (g / (1 + tl) / pot).

Lemma tl_gt0 : 0 < tl. Proof. by rewrite divr_gt0 // cl1_gt0. Qed.
Lemma tl1_gt0 : 0 < 1 + tl. Proof. by have t := tl_gt0; ps. Qed.
Lemma Qi_sym : Qi^T = Qi.
Proof. by apply: inv_sym; case: lo_shift_pd. Qed.

Lemma rank_lower_sharp x : psd (tl *: Qt - W x).
Proof.
apply: psd_trans (rank_lower x) _; have c := cl1_gt0.
have -> : tl *: Qt - g *: Q = tl *: (Qt - (1 - cl) *: Q).
  rewrite [RHS]scalerBr scalerA; congr (_ - _ *: _).
  by rewrite /tl divfK // gt_eqF.
by apply: psdZ; [exact/ltW/tl_gt0 | exact: lo_shift].
Qed.

Lemma mean_lo_raw :
  psd (Qi - al *: (Qi *m Qi) - \sum_x pr x *: invmx (lo_move x)).
Proof.
have pQt := lo_shift_pd; have sQi := Qi_sym; have F0 := pot_gt0.
have t1 := tl1_gt0.
have each x : psd ((Qi - (1 + tl)^-1 *: (Qi *m W x *m Qi)) - invmx (lo_move x)).
  have q0 : 0 <= qf Qi (U x) by exact/(proj2 (pd_psd (pd_inv pQt))).
  have wle : wt x * qf Qi (U x) <= tl.
    by apply: rank_one_inv => //; [exact/ltW/tl_gt0 | exact: rank_lower_sharp].
  have w1 : 0 < 1 + wt x * qf Qi (U x).
    by apply: ltr_spaddl; [exact: ltr01 | apply: mulr_ge0 => //; exact: wt_ge0].
  rewrite /lo_move sherman_morrison ?(pd_unit pQt) ?gt_eqF //.
  set V := U x *m (U x)^T.
  have -> : Qi - (1 + tl)^-1 *: (Qi *m (wt x *: V) *m Qi) -
    (Qi - wt x / (1 + wt x * qf Qi (U x)) *: (Qi *m V *m Qi)) =
    (wt x / (1 + wt x * qf Qi (U x)) - wt x / (1 + tl)) *: (Qi *m V *m Qi).
    rewrite -scalemxAr -scalemxAl scalerA [(1 + tl)^-1 * _]mulrC.
    by rewrite opprB addrC addrA subrK scalerBl.
  apply: psdZ.
    rewrite subr_ge0 ler_wpmul2l ?wt_ge0 // lef_pinv ?posrE //.
    by rewrite ler_add2l.
  by apply: psd_sym_conj => //; exact: psd_outer.
have h : psd (\sum_x pr x *: ((Qi - (1 + tl)^-1 *: (Qi *m W x *m Qi))
    - invmx (lo_move x))).
  by apply: psd_sum => x _; apply: psdZ; [exact: pr_ge0 | exact: each].
suff <- : \sum_x pr x *: ((Qi - (1 + tl)^-1 *: (Qi *m W x *m Qi))
    - invmx (lo_move x)) = Qi - al *: (Qi *m Qi) - \sum_x pr x *: invmx (lo_move x).
  exact: h.
rewrite (eq_bigr (fun x => (pr x *: Qi -
   (1 + tl)^-1 *: (Qi *m (pr x *: W x) *m Qi)) - pr x *: invmx (lo_move x))).
  rewrite sumrB sumrB -scaler_suml pr_sum scale1r.
  rewrite -scaler_sumr -mulmx_suml -mulmx_sumr move_mean mul_mx_scalar.
  rewrite -scalemxAl scalerA.
  by have -> : (1 + tl)^-1 * (g / pot) = al by rewrite mulrA [_^-1 * g]mulrC.
move=> x _; rewrite !scalerBr; congr (_ - _ - _).
by rewrite -!scalemxAr -!scalemxAl !scalerA; congr (_ *: _); ring.
Qed.

Definition kl : R := g / (1 + tl) - cl.

Lemma drift_lower : 0 <= kl ->
  psd (invmx Q - (kl / pot) *: (invmx Q *m invmx Q)
       - \sum_x pr x *: invmx (lo_move x)).
Proof.
move=> k0; have F0 := pot_gt0; have sQi := Qi_sym; have d0 := dl_ge0.
have uQ := pd_unit pQ; have uQt := pd_unit lo_shift_pd.
have sQ : (invmx Q)^T = invmx Q by apply: inv_sym; case: pQ.
apply: psd_trans mean_lo_raw _.
have eQt : Qt = Q + (- dl)%:M by rewrite raddfN.
have eQ : Q = Qt + dl%:M by rewrite subrK.
have := @shift_inv _ _ Q (- dl) uQ; rewrite -eQt => /(_ uQt) /= e1.
have := @shift_square _ _ Qt dl uQt; rewrite -eQ => /(_ uQ) /= e2.
have {e1} e1 : invmx Q = Qi - dl *: (Qi *m Qi) + dl ^+ 2 *: (Qi *m invmx Q *m Qi).
  by rewrite {1}e1 sqrrN scaleNr.
have kE : kl / pot = al - dl by rewrite /kl mulrBl.
have -> : invmx Q - kl / pot *: (invmx Q *m invmx Q) - (Qi - al *: (Qi *m Qi)) =
  (kl / pot) *: (Qi *m Qi - invmx Q *m invmx Q) + dl ^+ 2 *: (Qi *m invmx Q *m Qi).
  rewrite {1}e1 kE; move: (Qi *m invmx Q *m Qi) (Qi *m Qi) (invmx Q *m invmx Q).
  move: (Qi) {e1 e2} => D A B C; apply/matrixP => i j; rewrite !mxE.
  by move: (A i j) (B i j) (C i j) (D i j) => *; ring.
apply: psdD; apply: psdZ; rewrite ?sqr_ge0 //; last first.
- by apply: psd_sym_conj => //; exact/pd_psd/pd_inv.
- rewrite e2 -(addrA (invmx Q *m invmx Q)) addrC addKr.
  apply: psdD; apply: psdZ.
  + by apply: mulr_ge0; [exact: ler0n|].
  + by apply: psd_sym_conj => //; exact/pd_psd/pd_inv/lo_shift_pd.
  + exact: sqr_ge0.
  + by apply: psd_sym_conj => //; exact: psd_sq.
- by rewrite divr_ge0 // ltW.
Qed.

(** ** The bracket. *)
Definition brk_move (x : I) : 'M[R]_d := invmx (up_move x) + invmx (lo_move x).

Lemma brk_mean : \sum_x pr x *: brk_move x =
  \sum_x pr x *: invmx (up_move x) + \sum_x pr x *: invmx (lo_move x).
Proof. by rewrite -big_split; apply: eq_bigr => x _; rewrite /= -scalerDr. Qed.

Lemma move_bracket : 0 <= ku -> 0 <= kl ->
  psd (brk - \sum_x pr x *: brk_move x).
Proof.
move=> u0 l0; rewrite brk_mean /brk opprD addrACA; apply: psdD.
  exact: mean_upper.
apply: psd_trans (drift_lower l0) _; rewrite opprD addrA subrr add0r opprK.
apply: psdZ; first by rewrite divr_ge0 // ltW // pot_gt0.
by apply: psd_sq; apply: inv_sym; case: pQ.
Qed.

(** Two tangents with one slope, and E >= c I. *)
Lemma drift_bracket c : 0 < ku -> 0 < kl ->
  ku * cu <= 2%:R * (g / (1 - g)) - cu -> 0 < c -> psd (brk - c%:M) ->
  psd ((1 - c / (ku^-1 + kl^-1) / pot) *: brk - \sum_x pr x *: brk_move x).
Proof.
move=> u0 l0 cond c0 hc; have F0 := pot_gt0.
have sP : (invmx P)^T = invmx P by apply: inv_sym; case: pP.
have sQ : (invmx Q)^T = invmx Q by apply: inv_sym; case: pQ.
pose rho := ku^-1 + kl^-1; have r0 : 0 < rho by rewrite /rho; ps.
pose s := c / rho; have s0 : 0 < s by rewrite /s; ps.
rewrite brk_mean.
have h := psdD (drift_upper (ltW u0) cond) (drift_lower (ltW l0)).
have t1 := psdZ (ltW u0) (square_tangent (s / ku) sP).
have t2 := psdZ (ltW l0) (square_tangent (s / kl) sQ).
have t3 := psdZ (ltW s0) hc.
have t4 : 0 <= pot^-1 by rewrite invr_ge0 ltW.
have t := psdZ t4 (psdD (psdD t1 t2) t3).
have ec : c = s * (ku^-1 + kl^-1) by rewrite -/rho /s divfK // gt_eqF.
rewrite /brk {1}ec in t.
rewrite -slope_identity ?gt_eqF // in t.
rewrite addrACA -opprD in h; exact: psd_trans h t.
Qed.

End Move.
