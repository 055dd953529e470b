(** Symmetric matrices as quadratic forms, over any ordered field.

    Positive (semi)definiteness is a statement about values of the form, and
    the Loewner order A <= B is [psd (B - A)]: no eigenvalue, no square root,
    no spectral theorem is used anywhere below.

    Selected results:
      ps, nn           == tactics: 0 < e and 0 <= e from the shape of e
      le_diff, lt_diff == an inequality from a difference that is nonnegative
      cauchy_schwarz   == (v^T B w)^2 <= (v^T B v)(w^T B w) for psd B
      rank_one_dom     == v v^T <= (v^T B^-1 v) B for pd B
      inv_anti         == B <= C gives C^-1 <= B^-1
      tangent          == B^-1 >= 2 c I - c^2 B, the tangent bound
      sherman_morrison == the inverse of B + t v v^T
      psd_ind          == a psd matrix is a nonnegative combination of v v^T
      tr_psd, tr_mono  == 0 <= Tr(M N) for psd M, N; Tr(M .) is monotone *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Export Spec.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** [nn] proves [0 <= e] and [ps] proves [0 < e] from the shape of [e]. *)
Ltac ps := first
  [ assumption | exact: ltr01 | exact: ltr0Sn
  | by rewrite subr_gt0; assumption
  | (apply: mulr_gt0; ps)
  | (rewrite invr_gt0; ps)
  | (apply: exprn_gt0; ps)
  | (apply: ltr_spaddl; [ps | nn])
  | (apply: ltr_spaddr; [ps | nn]) ]
with nn := first
  [ assumption | exact: ler01 | exact: ler0n | exact: sqr_ge0
  | by apply: ltW; assumption
  | by rewrite subr_ge0; assumption
  | by rewrite subr_ge0; apply: ltW; assumption
  | (apply: addr_ge0; nn)
  | (apply: mulr_ge0; nn)
  | (rewrite invr_ge0; nn)
  | (apply: exprn_ge0; nn)
  | (apply: sumr_ge0 => ? _; nn) ].

(** An inequality as a difference that is manifestly nonnegative. *)
Lemma le_diff (R : numDomainType) (a b c : R) : b - a = c -> 0 <= c -> a <= b.
Proof. by move=> e; rewrite -e subr_ge0. Qed.

Lemma lt_diff (R : numDomainType) (a b c : R) : b - a = c -> 0 < c -> a < b.
Proof. by move=> e; rewrite -e subr_gt0. Qed.

Section Forms.
Variable R : realFieldType.

Section Fixed.
Variable d : nat.
Local Notation psd := (@psd R d).
Local Notation pd := (@pd R d).
Implicit Types (A B C M N P Q : 'M[R]_d) (v w z : 'cV[R]_d) (a b c t : R).

Lemma bfDr B v w z : bf B v (w + z) = bf B v w + bf B v z.
Proof. by rewrite /bf mulmxDr mxE. Qed.
Lemma bfDl B v w z : bf B (v + w) z = bf B v z + bf B w z.
Proof. by rewrite /bf linearD /= !mulmxDl mxE. Qed.
Lemma bfZr B v w t : bf B v (t *: w) = t * bf B v w.
Proof. by rewrite /bf -scalemxAr mxE. Qed.
Lemma bfZl B v w t : bf B (t *: v) w = t * bf B v w.
Proof. by rewrite /bf linearZ /= -!scalemxAl mxE. Qed.
Lemma bfD A B v w : bf (A + B) v w = bf A v w + bf B v w.
Proof. by rewrite /bf mulmxDr mulmxDl mxE. Qed.
Lemma bfN A v w : bf (- A) v w = - bf A v w.
Proof. by rewrite /bf mulmxN mulNmx mxE. Qed.
Lemma bfZ A v w t : bf (t *: A) v w = t * bf A v w.
Proof. by rewrite /bf -scalemxAr -scalemxAl mxE. Qed.
Lemma bf0r B v : bf B v 0 = 0.
Proof. by rewrite /bf mulmx0 mxE. Qed.
Lemma bf0l B v : bf B 0 v = 0.
Proof. by rewrite /bf trmx0 !mul0mx mxE. Qed.

Lemma scal_tr (x : 'M[R]_1) : x^T = x.
Proof. by apply/matrixP => i j; rewrite mxE !ord1. Qed.

Lemma bfC B v w : B^T = B -> bf B v w = bf B w v.
Proof.
move=> sB; rewrite /bf -[v^T *m B *m w]scal_tr.
by rewrite !trmx_mul trmxK sB mulmxA.
Qed.

Lemma qfD A B v : qf (A + B) v = qf A v + qf B v.
Proof. exact: bfD. Qed.
Lemma qfN A v : qf (- A) v = - qf A v.
Proof. exact: bfN. Qed.
Lemma qfZ A v t : qf (t *: A) v = t * qf A v.
Proof. exact: bfZ. Qed.
Lemma qfB A B v : qf (A - B) v = qf A v - qf B v.
Proof. by rewrite qfD qfN. Qed.
Lemma qf0v A : qf A 0 = 0.
Proof. exact: bf0r. Qed.
Lemma qf0 v : qf 0 v = 0.
Proof. by rewrite /qf /bf mulmx0 mul0mx mxE. Qed.
Lemma qfZv A v t : qf A (t *: v) = t ^+ 2 * qf A v.
Proof. by rewrite /qf bfZl bfZr; ring. Qed.
Lemma qfDv B v w : B^T = B -> qf B (v + w) = qf B v + 2%:R * bf B v w + qf B w.
Proof. by move=> sB; rewrite /qf bfDl !bfDr [bf B w v]bfC //; ring. Qed.

Lemma qf_sum (I : finType) (p : pred I) (F : I -> 'M[R]_d) v :
  qf (\sum_(i | p i) F i) v = \sum_(i | p i) qf (F i) v.
Proof. by rewrite /qf /bf mulmx_sumr mulmx_suml summxE. Qed.

(** The rank-one form. *)
Lemma dotE v w : dot v w = (v^T *m w) 0 0.
Proof. by rewrite /dot /bf mulmx1. Qed.
Lemma dotC v w : dot v w = dot w v.
Proof. by rewrite /dot bfC // trmx1. Qed.
Lemma sqnE v : sqn v = dot v v.
Proof. by []. Qed.
Lemma dot_sum v w : dot v w = \sum_i v i 0 * w i 0.
Proof. by rewrite dotE mxE; apply: eq_bigr => i _; rewrite mxE. Qed.
Lemma sqn_sum v : sqn v = \sum_i v i 0 ^+ 2.
Proof. by rewrite sqnE dot_sum; apply: eq_bigr => i _; rewrite expr2. Qed.
Lemma sqn_ge0 v : 0 <= sqn v.
Proof. by rewrite sqn_sum; apply: sumr_ge0 => i _; exact: sqr_ge0. Qed.
Lemma sqn_eq0 v : (sqn v == 0) = (v == 0).
Proof.
apply/idP/eqP => [|->]; last by rewrite /sqn qf0v.
rewrite sqn_sum psumr_eq0; last by move=> i _; exact: sqr_ge0.
move=> /allP h; apply/matrixP => i j; rewrite ord1 mxE; apply/eqP.
by rewrite -sqrf_eq0; apply: h; rewrite mem_index_enum.
Qed.
Lemma sqn_gt0 v : v != 0 -> 0 < sqn v.
Proof. by move=> v0; rewrite lt_def sqn_eq0 v0 sqn_ge0. Qed.

Lemma bf_outer v w z : bf (z *m z^T) v w = dot z v * dot z w.
Proof.
rewrite /bf [dot z v]dotC !dotE mulmxA -[v^T *m z *m z^T *m w]mulmxA.
by rewrite mxE big_ord1.
Qed.
Lemma qf_outer v z : qf (z *m z^T) v = dot z v ^+ 2.
Proof. by rewrite /qf bf_outer expr2. Qed.
Lemma outer_sym z : (z *m z^T)^T = z *m z^T.
Proof. by rewrite trmx_mul trmxK. Qed.
Lemma psd_outer z : psd (z *m z^T).
Proof. by split; [exact: outer_sym | move=> v; rewrite qf_outer sqr_ge0]. Qed.

Lemma bf_mulr B v w C : bf B v (C *m w) = bf (B *m C) v w.
Proof. by rewrite /bf !mulmxA. Qed.
Lemma bf_mull B v w C : bf B (C *m v) w = bf (C^T *m B) v w.
Proof. by rewrite /bf trmx_mul !mulmxA. Qed.
Lemma qf_mul B C v : qf B (C *m v) = qf (C^T *m B *m C) v.
Proof. by rewrite /qf bf_mulr bf_mull !mulmxA. Qed.
Lemma dot_mulr B v w : dot v (B *m w) = bf B v w.
Proof. by rewrite /dot bf_mulr mul1mx. Qed.
Lemma dot_mull B v w : B^T = B -> dot (B *m v) w = bf B v w.
Proof. by move=> sB; rewrite /dot bf_mull sB mulmx1. Qed.

(** psd and pd are closed under sums, nonnegative multiples, congruence. *)
Lemma psd0 : psd 0.
Proof. by split; [rewrite trmx0 | move=> v; rewrite qf0]. Qed.
Lemma psdD A B : psd A -> psd B -> psd (A + B).
Proof.
by move=> [sA pA] [sB pB]; split; [rewrite linearD /= sA sB | move=> v; rewrite qfD addr_ge0].
Qed.
Lemma psdZ A t : 0 <= t -> psd A -> psd (t *: A).
Proof.
by move=> t0 [sA pA]; split; [rewrite linearZ /= sA | move=> v; rewrite qfZ mulr_ge0].
Qed.
Lemma psd_sum (I : finType) (p : pred I) (F : I -> 'M[R]_d) :
  (forall i, p i -> psd (F i)) -> psd (\sum_(i | p i) F i).
Proof. by move=> h; elim/big_rec: _ => [|i B pi pB]; [exact: psd0 | apply: psdD => //; exact: h]. Qed.
Lemma psd1 : psd 1%:M.
Proof. by split; [rewrite trmx1 | exact: sqn_ge0]. Qed.
Lemma pd1 : pd 1%:M.
Proof. by split; [rewrite trmx1 | exact: sqn_gt0]. Qed.
Lemma pd_psd B : pd B -> psd B.
Proof.
move=> [sB pB]; split=> // v; have [->|v0] := eqVneq v 0; first by rewrite qf0v.
exact/ltW/pB.
Qed.
Lemma pdD A B : pd A -> psd B -> pd (A + B).
Proof.
move=> [sA pA] [sB pB]; split; first by rewrite linearD /= sA sB.
by move=> v v0; rewrite qfD ltr_paddr // pA.
Qed.
Lemma pdZ A t : 0 < t -> pd A -> pd (t *: A).
Proof.
move=> t0 [sA pA]; split; first by rewrite linearZ /= sA.
by move=> v v0; rewrite qfZ mulr_gt0 // pA.
Qed.
Lemma psd_le B v A : psd (B - A) -> qf A v <= qf B v.
Proof. by move=> [_ /(_ v)]; rewrite qfB subr_ge0. Qed.
Lemma psd_leP A B : A^T = A -> B^T = B -> (forall v, qf A v <= qf B v) -> psd (B - A).
Proof.
move=> sA sB h; split; first by rewrite linearB /= sA sB.
by move=> v; rewrite qfB subr_ge0.
Qed.
Lemma psd_trans B A C : psd (B - A) -> psd (C - B) -> psd (C - A).
Proof. by move=> h1 h2; rewrite -[C](subrK B) -addrA; exact: psdD. Qed.
Lemma pd_ge A B : pd A -> psd (B - A) -> pd B.
Proof. by move=> pA h; rewrite -[B](subrK A) addrC; exact: pdD. Qed.
Lemma psd_conj B C : psd B -> psd (C^T *m B *m C).
Proof.
move=> [sB pB]; split; first by rewrite !trmx_mul trmxK sB mulmxA.
by move=> v; rewrite -qf_mul.
Qed.

(** Cauchy-Schwarz. *)
Lemma discriminant a b c : 0 <= c -> (forall t, 0 <= a + 2%:R * t * b + t ^+ 2 * c) -> b ^+ 2 <= a * c.
Proof.
rewrite le_eqVlt => /orP[/eqP<-|c0] h.
  have [->|b0] := eqVneq b 0; first by rewrite expr0n mulr0.
  have := h (- (a + 1) / (2%:R * b)).
  have -> : a + 2%:R * (- (a + 1) / (2%:R * b)) * b + (- (a + 1) / (2%:R * b)) ^+ 2 * 0 = -1.
    by field; rewrite b0.
  by rewrite oppr_ge0 ler10.
have := h (- b / c).
have -> : a + 2%:R * (- b / c) * b + (- b / c) ^+ 2 * c = (a * c - b ^+ 2) / c.
  by field; rewrite gt_eqF.
by rewrite pmulr_lge0 ?invr_gt0 // subr_ge0.
Qed.

Lemma cauchy_schwarz B v w : psd B -> bf B v w ^+ 2 <= qf B v * qf B w.
Proof.
move=> [sB pB]; apply: discriminant => // t.
have := pB (v + t *: w); rewrite qfDv // bfZr qfZv.
by have -> : 2%:R * (t * bf B v w) = 2%:R * t * bf B v w by ring.
Qed.

(** Positive definite matrices are invertible, and so are their inverses. *)
Lemma pd_unit B : pd B -> B \in unitmx.
Proof.
move=> [sB pB]; rewrite -row_free_unit -kermx_eq0; apply/rowV0P => z /sub_kermxP h.
have [//|z0] := eqVneq z 0.
have z0' : z^T != 0 by rewrite -[0]trmx0 (inj_eq (can_inj (@trmxK _ _ _))).
by have := pB _ z0'; rewrite /qf /bf trmxK h mul0mx mxE ltxx.
Qed.

Lemma inv_sym B : B^T = B -> (invmx B)^T = invmx B.
Proof. by move=> sB; rewrite trmx_inv sB. Qed.

Lemma qf_inv B v : pd B -> qf (invmx B) v = qf B (invmx B *m v).
Proof.
move=> pB; rewrite qf_mul inv_sym ?(proj1 pB) //.
by rewrite mulVmx ?pd_unit // mul1mx.
Qed.

Lemma pd_inv B : pd B -> pd (invmx B).
Proof.
move=> pB; split; first by apply: inv_sym; case: pB.
move=> v v0; rewrite qf_inv //; apply: (proj2 pB).
apply: contra v0 => /eqP h.
by rewrite -[v](mulKVmx (pd_unit pB)) h mulmx0.
Qed.

(** v v^T <= (v^T B^-1 v) B. *)
Lemma rank_one_dom B v : pd B -> psd (qf (invmx B) v *: B - v *m v^T).
Proof.
move=> pB; have [sB _] := pB.
apply: psd_leP; [exact: outer_sym | by rewrite linearZ /= sB |] => z.
rewrite qf_outer qfZ qf_inv //.
have -> : dot v z = bf B (invmx B *m v) z.
  by rewrite bf_mull inv_sym // mulVmx ?pd_unit.
exact/cauchy_schwarz/pd_psd.
Qed.

(** t u u^T <= c B implies t u^T B^-1 u <= c. *)
Lemma rank_one_inv B v t c : 0 <= c -> pd B -> psd (c *: B - t *: (v *m v^T)) -> t * qf (invmx B) v <= c.
Proof.
move=> c0 pB /(psd_le (invmx B *m v)); rewrite !qfZ -qf_inv // qf_outer.
rewrite dot_mulr -/(qf _ _); set q := qf _ v => h.
have q0 : 0 <= q by exact/(proj2 (pd_psd (pd_inv pB))).
move: q0; rewrite le_eqVlt => /orP[/eqP<-|q0]; first by rewrite mulr0.
by move: h; rewrite expr2 mulrA ler_pmul2r.
Qed.

(** The inverse is antitone. *)
Lemma inv_anti B C : pd B -> psd (C - B) -> psd (invmx B - invmx C).
Proof.
move=> pB h; have pC := pd_ge pB h.
have [sB _] := pB; have [sC _] := pC.
apply: psd_leP; rewrite ?inv_sym // => v.
set z := invmx C *m v; set q := qf (invmx C) v.
have qz : q = qf C z by rewrite /q qf_inv.
have qd : q = dot v z by rewrite /z dot_mulr.
have q0 : 0 <= q by exact/(proj2 (pd_psd (pd_inv pC))).
have p0 : 0 <= qf (invmx B) v by exact/(proj2 (pd_psd (pd_inv pB))).
have h1 : q ^+ 2 <= qf (invmx B) v * q.
  rewrite {1}qd; have -> : dot v z = bf B (invmx B *m v) z.
    by rewrite bf_mull inv_sym // mulVmx ?pd_unit.
  apply: le_trans (cauchy_schwarz _ _ (pd_psd pB)) _.
  by rewrite -qf_inv // qz ler_wpmul2l // psd_le.
move: q0; rewrite le_eqVlt => /orP[/eqP<- //|q0].
by move: h1; rewrite expr2 ler_pmul2r.
Qed.

Lemma invmxZ B t : t != 0 -> B \in unitmx -> invmx (t *: B) = t^-1 *: invmx B.
Proof.
move=> t0 uB; have u : t *: B \in unitmx by rewrite unitmxZ // unitfE.
have e : (t *: B) *m (t^-1 *: invmx B) = 1%:M.
  by rewrite -scalemxAl -scalemxAr scalerA mulmxV // divff // scale1r.
by rewrite -[RHS](mulKmx u) e mulmx1.
Qed.

(** Tangent bound: B^-1 >= 2cI - c^2 B. *)
Lemma tangent B c : pd B -> psd (invmx B - (2%:R * c *: 1%:M - c ^+ 2 *: B)).
Proof.
move=> pB; have [sB _] := pB; have uB := pd_unit pB.
have -> : invmx B - (2%:R * c *: 1%:M - c ^+ 2 *: B) =
   (1%:M - c *: B)^T *m invmx B *m (1%:M - c *: B).
  have -> : (1%:M - c *: B)^T = 1%:M - c *: B.
    by apply/matrixP => i j; rewrite !mxE -{1}sB mxE eq_sym.
  rewrite mulmxBl mul1mx -scalemxAl mulmxV //.
  rewrite mulmxBr mulmx1 mulmxBl -!scalemxAr mulVmx // -scalemxAl mul1mx scalerA -expr2.
  by apply/matrixP => i j; rewrite !mxE; case: (i == j) => /=; ring.
exact/psd_conj/pd_psd/pd_inv.
Qed.

(** P^-1 in terms of P' = P + aI: convexity as an identity. *)
Lemma shift_inv P a : P \in unitmx -> P + a%:M \in unitmx ->
  let Q := invmx (P + a%:M) in
  invmx P = Q + a *: (Q *m Q) + a ^+ 2 *: (Q *m invmx P *m Q).
Proof.
move=> uP uP' Q.
have h1 : invmx P = Q + a *: (Q *m invmx P).
  rewrite -[LHS](mulKmx uP') -/Q mulmxDl mulmxV // mul_scalar_mx mulmxDr mulmx1.
  by rewrite -scalemxAr.
have h2 : invmx P = Q + a *: (invmx P *m Q).
  rewrite -[LHS](mulmxK uP') -/Q mulmxDr mulVmx // mul_mx_scalar mulmxDl mul1mx.
  by rewrite -scalemxAl.
rewrite {1}h1 {1}h2 mulmxDr scalerDr -scalemxAr scalerA -expr2 mulmxA addrA.
by [].
Qed.

(** Sherman-Morrison. *)
Lemma sherman_morrison B v t : B \in unitmx -> 1 + t * qf (invmx B) v != 0 ->
  invmx (B + t *: (v *m v^T)) =
  invmx B - (t / (1 + t * qf (invmx B) v)) *: (invmx B *m (v *m v^T) *m invmx B).
Proof.
move=> uB nz; set q := qf (invmx B) v in nz *.
set W := v *m v^T; set S := invmx B.
have WSW : W *m S *m W = q *: W.
  rewrite /W /S !mulmxA -[v *m v^T *m invmx B *m v]mulmxA -[v *m v^T *m _]mulmxA.
  rewrite (mulmxA v^T) [v^T *m _ *m v]mx11_scalar -/(bf _ _ _) -/(qf _ _) -/q.
  by rewrite mul_mx_scalar scalemxAl.
clearbody W; rewrite /S in WSW *; clear S; set S := invmx B in WSW *.
have e : (B + t *: W) *m (S - (t / (1 + t * q)) *: (S *m W *m S)) = 1%:M.
  rewrite mulmxDl !mulmxBr -!scalemxAr -!scalemxAl !mulmxA /S mulmxV // mul1mx -/S WSW -!scalemxAl.
  rewrite !scalerA -[RHS]addr0 -addrA; congr (_ + _).
  by move: (W *m S) => Z; apply/matrixP => i j; rewrite !mxE; move: (Z i j) => z; field.
have u : B + t *: W \in unitmx by case/mulmx1_unit: e.
by rewrite -[RHS](mulKmx u) e mulmx1.
Qed.

(** psd matrices are nonnegative combinations of rank-one matrices. *)
Lemma bf_delta B i j : bf B (delta_mx i 0) (delta_mx j 0) = B i j.
Proof. by rewrite /bf trmx_delta -rowE -colE !mxE. Qed.

Lemma psd_diag B i : psd B -> 0 <= B i i.
Proof. by move=> [_ /(_ (delta_mx i 0))]; rewrite /qf bf_delta. Qed.

Lemma psd_diag0 B i j : psd B -> B i i = 0 -> B i j = 0.
Proof.
move=> pB bi; have := cauchy_schwarz (delta_mx i 0) (delta_mx j 0) pB.
rewrite /qf !bf_delta bi mul0r => h; apply/eqP.
by rewrite -sqrf_eq0 eq_le h sqr_ge0.
Qed.

Lemma psd_ind (Pr : 'M[R]_d -> Prop) :
  Pr 0 -> (forall c v N, 0 <= c -> psd N -> Pr N -> Pr (c *: (v *m v^T) + N)) ->
  forall N, psd N -> Pr N.
Proof.
move=> P0 PS N; have [n] := ubnP #|[set i | N i i != 0]|.
elim: n N => // n IH N le pN.
have [sN _] := pN.
case: (pickP (fun i => N i i != 0)) => [i ni|all0]; last first.
  suff -> : N = 0 by [].
  apply/matrixP => i j; rewrite [RHS]mxE; apply: psd_diag0 => //; apply/eqP.
  by have := all0 i => /negbFE.
have pi : 0 < N i i by rewrite lt_def ni psd_diag.
pose v : 'cV_d := col i N; pose c := (N i i)^-1.
pose N' := N - c *: (v *m v^T).
have ev z : dot v z = bf N (delta_mx i 0) z.
  by rewrite /v colE dot_mull.
have pN' : psd N'.
  apply: psd_leP => //; first by rewrite linearZ /= outer_sym.
  move=> z; rewrite qfZ qf_outer ev /c mulrC ler_pdivr_mulr // mulrC.
  by rewrite -(bf_delta N i i); exact: cauchy_schwarz.
have dN' j : N' j j = N j j - c * (N j i) ^+ 2.
  by rewrite !mxE big_ord1 !mxE expr2.
have -> : N = c *: (v *m v^T) + N' by rewrite addrC subrK.
apply: PS => //; first by rewrite invr_ge0 ltW.
apply: IH => //; apply: (@leq_trans #|[set i | N i i != 0]|); last by rewrite -ltnS.
apply: proper_card.
apply/properP; split.
  apply/subsetP => j; rewrite !inE; apply: contra => /eqP nj.
  have := psd_diag j pN'; rewrite dN' nj sub0r oppr_ge0 => h.
  by rewrite oppr_eq0 eq_le h mulr_ge0 ?sqr_ge0 // invr_ge0 ltW.
exists i; first by rewrite inE.
by rewrite inE dN' expr2 /c mulrA mulVf // mul1r subrr eqxx.
Qed.

Lemma tr_outer B v : \tr (v *m v^T *m B) = qf B v.
Proof.
by rewrite -mulmxA mxtrace_mulC /qf /bf /mxtrace big_ord1.
Qed.

Lemma tr_psd M N : psd M -> psd N -> 0 <= \tr (M *m N).
Proof.
move=> pM pN; elim/psd_ind: M / pM => [|c v M c0 pM IH]; first by rewrite mul0mx mxtrace0.
rewrite mulmxDl mxtraceD -scalemxAl mxtraceZ tr_outer addr_ge0 // mulr_ge0 //.
by case: pN.
Qed.

Lemma tr_mono M A B : psd M -> psd (B - A) -> \tr (M *m A) <= \tr (M *m B).
Proof.
by move=> pM h; have := tr_psd pM h; rewrite mulmxBr linearB /= subr_ge0.
Qed.

Lemma tr_pd_gt0 B : (0 < d)%N -> pd B -> 0 < \tr B.
Proof.
move=> d0 [_ pB]; rewrite /mxtrace (bigD1 (Ordinal d0)) //=; apply: ltr_spaddl.
  rewrite -bf_delta; apply: pB; apply/eqP => /matrixP /(_ (Ordinal d0) 0).
  by rewrite !mxE !eqxx => /eqP; rewrite oner_eq0.
apply: sumr_ge0 => i _; rewrite -bf_delta; have [->|z] := eqVneq (delta_mx i 0 : 'cV[R]_d) 0.
  by rewrite bf0r.
exact/ltW/pB.
Qed.

End Fixed.
End Forms.
