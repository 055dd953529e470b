(** The field: determinantal processes, independent draws and Nystrom's kernel.

      principal_sum      == sum of the minors det(L_S), each with the product of c
                            outside of S, is det(L + diag c)
      process_normaliser == all principal minors sum to det(I + L)
      ridge_process      == law, inclusions, size and Gram matrix of the process
      sequences_sum      == sum of det over all sequences of k draws
      leveraged_unbiased == E beta = beta* under the determinant
      draws_gram         == leverage scores, and independent draws by them
      nystrom_below      == Nystrom's kernel is below the kernel *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.
From mathcomp Require Import ring.
From Asura Require Import SpecField Determinants Unbiased.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma weighted_entry (R : comRingType) (d n : nat) (X Z : 'M[R]_(n, d)) w (a b : 'I_d) :
  weighted_product X Z w a b = \sum_k X k a * w k * Z k b.
Proof.
by rewrite /weighted_product mul_diag_mx mxE; apply: eq_bigr => k _; rewrite !mxE mulrA.
Qed.

(** *** Principal minors *)
Section Minors.
Variables (R : comRingType) (n : nat) (L : 'M[R]_n).

(** A permutation that moves a point outside of S contributes nothing; any other
    one keeps S, so that rows alone need to be replaced. *)
Lemma det_principal (S : {set 'I_n}) :
  \det (principal L S) = \sum_(s : 'S_n) (-1) ^+ s *
    \prod_i (if i \in S then L i (s i) else (i == s i)%:R).
Proof.
apply: eq_bigr => s _; congr (_ * _).
case: (pickP (fun i => (i \notin S) && (i != s i))) => [i /andP[out moved] | keeps].
  rewrite (bigD1 i) //= [RHS](bigD1 i) //= !mxE (negPf out) /=.
  by rewrite (negPf moved) !mul0r.
apply: eq_bigr => i _; rewrite mxE; case: (boolP (i \in S)) => //= iS.
case: (boolP (s i \in S)) => //= out.
have := keeps (s i); rewrite out /= => /negbFE/eqP/perm_inj fixed.
by move: out; rewrite -fixed iS.
Qed.

Lemma principal_sum (c : 'I_n -> R) :
  \sum_(S : {set 'I_n}) (\prod_i (if i \in S then 1 else c i)) * \det (principal L S)
  = \det (L + diag_mx (\row_i c i)).
Proof.
under eq_bigr => S _ do rewrite det_principal big_distrr /=.
rewrite exchange_big /=; apply: eq_bigr => s _.
under eq_bigr => S _ do rewrite mulrCA -big_split /=.
rewrite -big_distrr /=; congr (_ * _).
pose g (i : 'I_n) (b : bool) := if b then L i (s i) else c i * (i == s i)%:R.
transitivity (\sum_(S : {set 'I_n}) \prod_i g i (i \in S)).
  by apply: eq_bigr => S _; apply: eq_bigr => i _; rewrite /g; case: ifP => _; rewrite ?mul1r.
rewrite sum_prod_sets; apply: eq_bigr => i _.
by rewrite /g !mxE mulr_natr.
Qed.

Theorem process_normaliser :
  \sum_(S : {set 'I_n}) \det (principal L S) = \det (1%:M + L).
Proof.
rewrite addrC -[1%:M](_ : diag_mx (\row_i 1) = _); last first.
  by apply/matrixP => i j; rewrite !mxE.
rewrite -principal_sum; apply: eq_bigr => S _.
by rewrite big1 ?mul1r // => i _; case: ifP.
Qed.

(** The minors of the sets that contain i: Cramer's rule for a row. *)
Lemma minors_with (i : 'I_n) :
  \sum_(S : {set 'I_n}) \det (principal L S) * (i \in S)%:R
  = (L *m \adj (1%:M + L)) i i.
Proof.
transitivity (\det (L + diag_mx (\row_k ((k != i)%:R : R)))).
  rewrite -principal_sum; apply: eq_bigr => S _; rewrite mulrC; congr (_ * _).
  case: (boolP (i \in S)) => iS.
    by rewrite big1 // => k _; case: ifP => // kS; case: eqP kS => // ->; rewrite iS.
  by rewrite (bigD1 i) //= (negPf iS) eqxx mul0r.
rewrite (expand_det_row _ i) mxE; apply: eq_bigr => j _.
rewrite !mxE eqxx /= mul0rn addr0; congr (_ * _).
rewrite /cofactor; congr (_ * \det _); apply/matrixP => a b; rewrite !mxE.
by rewrite eq_sym neq_lift addrC.
Qed.

End Minors.

(** *** Ridge regression *)
Section Ridge.
Variables (R : realFieldType).

Lemma dot_ge0 (m : nat) (v : 'rV[R]_m) : 0 <= (v *m v^T) 0 0.
Proof. by rewrite mxE; apply: sumr_ge0 => k _; rewrite mxE -expr2 sqr_ge0. Qed.

Lemma dot_eq0 (m : nat) (v : 'rV[R]_m) : (v *m v^T) 0 0 = 0 -> v = 0.
Proof.
rewrite mxE => /eqP; rewrite psumr_eq0 => [/allP all0|k _]; last first.
  by rewrite mxE -expr2 sqr_ge0.
apply/rowP => k; have := all0 k; rewrite mem_index_enum => /(_ isT) /=.
by rewrite !mxE -expr2 sqrf_eq0 => /eqP.
Qed.

(** A quadratic form of Y^T Y + lam I is not 0 elsewhere than at 0. *)
Lemma ridge_form (m p : nat) (Y : 'M[R]_(m, p)) (lam : R) (v : 'rV[R]_p) : 0 < lam ->
  (v *m (Y^T *m Y + lam%:M) *m v^T) 0 0 = 0 -> v = 0.
Proof.
move=> lam0.
have -> : v *m (Y^T *m Y + lam%:M) *m v^T =
    (v *m Y^T) *m (v *m Y^T)^T + lam *: (v *m v^T).
  by rewrite mulmxDr mulmxDl trmx_mul trmxK !mulmxA mul_mx_scalar scalemxAl.
rewrite mxE [X in _ + X]mxE => /eqP.
rewrite paddr_eq0 ?dot_ge0 ?mulr_ge0 ?dot_ge0 ?(ltW lam0) // => /andP[_].
by rewrite mulf_eq0 (gt_eqF lam0) /= => /eqP/dot_eq0.
Qed.

Lemma ridge_unit (m p : nat) (Y : 'M[R]_(m, p)) (lam : R) : 0 < lam ->
  Y^T *m Y + lam%:M \in unitmx.
Proof.
move=> lam0; rewrite unitmxE unitfE; apply/negP => /det0P[v v0 z].
by move/eqP: v0; apply; apply: (ridge_form lam0 (Y := Y)); rewrite z mul0mx mxE.
Qed.

Variables (d n : nat) (X : 'M[R]_(n, d)) (lam : R).
Hypothesis lam0 : 0 < lam.
Local Notation L := (lam^-1 *: (X *m X^T)).
Local Notation M := (X^T *m X + lam%:M).

Let lamN0 : lam != 0. Proof. by rewrite gt_eqF. Qed.
Let M_unit : M \in unitmx. Proof. exact: ridge_unit. Qed.

Lemma shifted_unit : 1%:M + L \in unitmx.
Proof.
have -> : 1%:M + L = lam^-1 *: ((X^T)^T *m X^T + lam%:M).
  by rewrite trmxK scalerDr addrC -(scalemx1 _ lam) scalerA mulVf // scale1r.
by rewrite unitmxZ ?unitfE ?invr_eq0 // ridge_unit.
Qed.

(** L (I + L)^-1 = X (X^T X + lam I)^-1 X^T. *)
Lemma push_through : L *m invmx (1%:M + L) = X *m invmx M *m X^T.
Proof.
apply: (can_inj (mulmxK shifted_unit)); rewrite mulmxKV ?shifted_unit //.
have turn : X^T *m (1%:M + L) = lam^-1 *: (M *m X^T).
  rewrite mulmxDr mulmx1 mulmxDl mul_scalar_mx scalerDr scalerA mulVf // scale1r addrC.
  by rewrite -scalemxAr mulmxA.
by rewrite -[RHS]mulmxA turn -scalemxAr !mulmxA mulmxKV.
Qed.

Lemma det_shifted_neq0 : \det (1%:M + L) != 0.
Proof. by rewrite -unitfE -unitmxE shifted_unit. Qed.

Lemma process_inclusion i : process_mean L (fun S => (i \in S)%:R) = score X lam i.
Proof.
rewrite /process_mean /process_chance; under eq_bigr do rewrite mulrAC.
rewrite -mulr_suml minors_with adj_invmx ?shifted_unit // -scalemxAr mxE mulrAC.
by rewrite divff ?det_shifted_neq0 // mul1r push_through.
Qed.

Lemma score_eq0 i : score X lam i = 0 -> row i X = 0.
Proof.
rewrite /score => z; pose u := row i X *m invmx M.
have sM : (invmx M)^T = invmx M.
  by rewrite trmx_inv; congr invmx; rewrite linearD /= trmx_mul trmxK tr_scalar_mx.
have : u = 0.
  apply: (ridge_form lam0 (Y := X)); rewrite mulmxKV // -[RHS]z.
  rewrite trmx_mul sM -[X *m invmx M *m X^T]mulmxA mxE [RHS]mxE.
  apply: eq_bigr => k _; rewrite [row i X 0 k]mxE; congr (_ * _).
  by rewrite !mxE; apply: eq_bigr => l _; rewrite !mxE.
by move/(congr1 (mulmx^~ M)); rewrite mulmxKV // mul0mx.
Qed.

Lemma principal_ge0 (S : {set 'I_n}) : 0 <= \det (principal L S).
Proof.
pose Y : 'M[R]_(n + d, n) := col_mx (\matrix_(i, j) ((i == j) && (i \notin S))%:R)
  (\matrix_(k, j) ((j \in S)%:R * X j k)).
pose w (k : 'I_(n + d)) := if split k is inl _ then 1 else lam^-1.
have wl k : w (lshift d k) = 1 by rewrite /w -[lshift d k]/(unsplit (inl k)) unsplitK.
have wr k : w (rshift n k) = lam^-1 by rewrite /w -[rshift n k]/(unsplit (inr k)) unsplitK.
have Yl k j : Y (lshift d k) j = ((k == j) && (k \notin S))%:R by rewrite col_mxEu mxE.
have Yr k j : Y (rshift n k) j = (j \in S)%:R * X j k by rewrite col_mxEd mxE.
have -> : principal L S = weighted_product Y Y w.
  apply/matrixP => i j; rewrite weighted_entry big_split_ord /= [LHS]mxE.
  under eq_bigr => k _ do rewrite wl !Yl mulr1.
  under [X in _ = _ + X]eq_bigr => k _ do rewrite wr !Yr.
  rewrite (bigD1 i) //= eqxx big1 ?addr0 => [|k /negPf ne]; last by rewrite ne mul0r.
  case: (boolP (i \in S)) => iS; case: (boolP (j \in S)) => jS /=.
  - rewrite mul0r add0r [LHS]mxE [X in _ * X]mxE mulr_sumr.
    by apply: eq_bigr => k _; rewrite [X^T k j]mxE !mul1r mulrA [X i k * _]mulrC.
  - rewrite mul0r add0r big1 => [|k _]; last by rewrite mul0r !mulr0.
    by case: eqP => // e; move: jS; rewrite -e iS.
  - rewrite mul1r [X in _ + X]big1 ?addr0 => [|k _]; last by rewrite !mul0r.
    by rewrite andbT.
  - rewrite mul1r [X in _ + X]big1 ?addr0 => [|k _]; last by rewrite !mul0r.
    by rewrite andbT.
by apply: volume_ge0 => k; rewrite /w; case: split => _; rewrite ?ler01 ?invr_ge0 ?ltW.
Qed.

Theorem ridge_process :
  [/\ forall S, 0 <= process_chance L S,
      process_mean L (fun=> 1) = 1,
      forall i, process_mean L (fun S => (i \in S)%:R) = score X lam i,
      process_mean L (fun S => #|S|%:R)
      = \tr (X^T *m X *m invmx (X^T *m X + lam%:M)) &
      forall a b, process_mean L (fun S => weighted_product X X
        (fun i => if i \in S then (score X lam i)^-1 else 0) a b)
      = (X^T *m X) a b].
Proof.
split.
- move=> S; apply: divr_ge0; first exact: principal_ge0.
  by rewrite -process_normaliser; apply: sumr_ge0 => T _; exact: principal_ge0.
- rewrite /process_mean /process_chance; under eq_bigr do rewrite mulr1.
  by rewrite -mulr_suml process_normaliser divff // det_shifted_neq0.
- exact: process_inclusion.
- rewrite -mulmxA mxtrace_mulC /mxtrace.
  under [RHS]eq_bigr => i _ do rewrite -/(score X lam i) -process_inclusion.
  rewrite exchange_big /=; apply: eq_bigr => S _; rewrite -mulr_sumr; congr (_ * _).
  by rewrite -natr_sum -sum1_card big_mkcond /=; congr _%:R; apply: eq_bigr => i _; case: ifP.
- move=> a b; rewrite [RHS]mxE.
  transitivity (\sum_S \sum_i process_chance L S * (i \in S)%:R *
      (X i a * (score X lam i)^-1 * X i b)).
    apply: eq_bigr => S _; rewrite weighted_entry mulr_sumr; apply: eq_bigr => i _.
    by case: (i \in S); rewrite /= ?mulr1 ?mulr0 ?mul0r ?mulr0.
  rewrite exchange_big /=; apply: eq_bigr => i _.
  rewrite -mulr_suml -/(process_mean L _) process_inclusion !mxE.
  case: (eqVneq (score X lam i) 0) => [z | nz].
    by have /rowP r := score_eq0 z; have := r a; rewrite !mxE => ->; rewrite z !mul0r.
  by rewrite mulrA mulrCA mulfV // mulr1.
Qed.

End Ridge.

(** *** Independent draws *)
Section Draws.
Variables (F : fieldType) (d n k : nat) (q : 'I_n -> F) (X Z : 'M[F]_(n, d)).
Hypothesis q_sum : \sum_i q i = 1.
Hypothesis q_eq0 : forall i, q i = 0 -> row i X = 0.

Lemma never_drawn i a : q i = 0 -> X i a = 0.
Proof. by move=> /q_eq0/rowP/(_ a); rewrite !mxE. Qed.

Lemma drawn_product (f : 'I_k -> 'I_n) :
  weighted_product X Z (drawn q f) =
  (\matrix_(a, j) (X (f j) a / q (f j))) *m (\matrix_(j, b) Z (f j) b).
Proof.
apply/matrixP => a b; rewrite weighted_entry mxE [RHS](partition_big f xpredT) //=.
apply: eq_bigr => i _; rewrite /drawn mulr_sumr mulr_suml.
by apply: eq_bigr => j /eqP <-; rewrite !mxE.
Qed.

(** One map of coordinates to draws and one permutation: the sum over all draws
    is a product, of 1 at the draws that no coordinate uses. *)
Lemma draws_of_map (g : {ffun 'I_d -> 'I_k}) (s : 'S_d) : injective g ->
  \sum_(f : {ffun 'I_k -> 'I_n}) (\prod_j q (f j)) *
    \prod_i (X (f (g i)) i / q (f (g i)) * Z (f (g i)) (s i)) =
  \prod_i (X^T *m Z) i (s i).
Proof.
move=> inj; pose h i m := X m i / q m * Z m (s i).
pose c j m := q m * \prod_(i | g i == j) h i m.
transitivity (\sum_(f : {ffun 'I_k -> 'I_n}) \prod_j c j (f j)).
  apply: eq_bigr => f _; rewrite /c [RHS]big_split /=; congr (_ * _).
  rewrite (partition_big g xpredT) //=; apply: eq_bigr => j _.
  by apply: eq_bigr => i /eqP <-.
rewrite -(bigA_distr_bigA c) /= [RHS](partition_big g xpredT) //=.
apply: eq_bigr => j _; rewrite /c.
case: (pickP (fun i => g i == j)) => [i /eqP ij | none]; last first.
  rewrite [RHS]big_pred0 // -[RHS]q_sum; apply: eq_bigr => m _.
  by rewrite big_pred0 // mulr1.
have only (i' : 'I_d) : (g i' == j) = (i' == i).
  by rewrite -ij; apply/eqP/eqP => [/inj | ->].
rewrite (eq_bigl _ _ only) big_pred1_eq mxE; apply: eq_bigr => m _.
rewrite (eq_bigl _ _ only) big_pred1_eq mxE /h.
case: (eqVneq (q m) 0) => [z | nz]; first by rewrite (never_drawn i z) !mul0r mulr0.
by rewrite mulrA mulrCA mulfV // mulr1.
Qed.

Theorem sequences_sum :
  draws_mean q (fun f : 'I_k -> 'I_n => \det (weighted_product X Z (drawn q f)))
  = (k ^_ d)%:R * \det (X^T *m Z).
Proof.
transitivity (\sum_(g : {ffun 'I_d -> 'I_k} | injectiveb g) \det (X^T *m Z)); last first.
  by rewrite sumr_const -cardsE card_inj_ffuns !card_ord mulr_natl.
rewrite /draws_mean.
under eq_bigr => f _.
  rewrite drawn_product det_mulmx_maps.
  rewrite (bigID (fun g : {ffun 'I_d -> 'I_k} => injectiveb g)) /= [X in _ + X]big1 ?addr0.
    rewrite big_distrr /=; over.
  by move=> g notinj; rewrite det_rows_not_injective // mulr0.
rewrite exchange_big /=; apply: eq_bigr => g /injectiveP inj.
rewrite /determinant; under [RHS]eq_bigr => s _ do rewrite -(draws_of_map s inj).
under eq_bigr => f _ do rewrite big_distrr big_distrr /=.
rewrite exchange_big /=; apply: eq_bigr => s _.
rewrite big_distrr /=; apply: eq_bigr => f _.
rewrite [RHS]mulrCA; congr (_ * _); rewrite mulrCA; congr (_ * _).
by rewrite -big_split /=; apply: eq_bigr => i _; rewrite !mxE.
Qed.

End Draws.

Section Leveraged.
Variables (R : realFieldType) (d n k : nat) (q : 'I_n -> R) (X : 'M[R]_(n, d)).

Lemma drawn_ge0 (f : 'I_k -> 'I_n) i : (forall i, 0 <= q i) -> 0 <= drawn q f i.
Proof. by move=> q0; apply: sumr_ge0 => j _; rewrite invr_ge0. Qed.

Theorem leveraged_unbiased (y : 'cV[R]_n) (c : 'I_d) :
  (d <= k)%N -> X^T *m X \in unitmx -> (forall i, 0 <= q i) ->
  \sum_i q i = 1 -> (forall i, q i = 0 -> row i X = 0) ->
  let density (f : 'I_k -> 'I_n) := \det (weighted_product X X (drawn q f))
    / ((k ^_ d)%:R * \det (X^T *m X)) in
  [/\ forall f, 0 <= density f,
      draws_mean q density = 1 &
      draws_mean q (fun f => density f * weighted_solution X y (drawn q f) c 0)
      = weighted_solution X y (fun=> 1) c 0].
Proof.
move=> dk u q0 q_sum q_eq0 /=.
have D0 : \det (X^T *m X) != 0 by rewrite -unitfE -unitmxE.
have C0 : (k ^_ d)%:R != 0 :> R by rewrite pnatr_eq0 -lt0n ffact_gt0.
have N0 : (k ^_ d)%:R * \det (X^T *m X) != 0 by rewrite mulf_neq0.
have D1 : 0 <= \det (X^T *m X) by rewrite -weighted_ones; apply: volume_ge0 => j; exact: ler01.
split.
- move=> f; apply: divr_ge0; last by rewrite mulr_ge0 ?ler0n.
  by apply: volume_ge0 => i; exact: drawn_ge0.
- rewrite /draws_mean; under eq_bigr do rewrite mulrA.
  by rewrite -mulr_suml -/(draws_mean q (fun f => \det (weighted_product X X (drawn q f))))
    sequences_sum // divff.
- transitivity (draws_mean q (fun f : 'I_k -> 'I_n =>
      \det (weighted_product X (replaced c X y) (drawn q f)))
      / ((k ^_ d)%:R * \det (X^T *m X))).
    rewrite /draws_mean mulr_suml; apply: eq_bigr => f _; rewrite -[RHS]mulrA; congr (_ * _).
    by rewrite mulrAC det_solution // => i; exact: drawn_ge0.
  by rewrite sequences_sum // -det_solution_all mulrA mulrAC divff // mul1r.
Qed.

(** One draw of k has the mean of one draw. *)
Lemma draws_mean_one (v : 'I_n -> R) (j : 'I_k) : \sum_i q i = 1 ->
  draws_mean q (fun f : 'I_k -> 'I_n => v (f j)) = \sum_i q i * v i.
Proof.
move=> q_sum; rewrite /draws_mean.
pose c (l : 'I_k) m := q m * (if l == j then v m else 1).
transitivity (\sum_(f : {ffun 'I_k -> 'I_n}) \prod_l c l (f l)).
  apply: eq_bigr => f _; rewrite /c [RHS]big_split /=; congr (_ * _).
  by rewrite (bigD1 j) //= eqxx big1 ?mulr1 // => l /negPf ->.
rewrite -(bigA_distr_bigA c) /= (bigD1 j) //= [X in _ * X]big1 ?mulr1.
  by apply: eq_bigr => m _; rewrite /c eqxx.
by move=> l /negPf ne; rewrite /c ne; under eq_bigr do rewrite mulr1.
Qed.

End Leveraged.

Section Leverage.
Variables (R : realFieldType) (d n k : nat) (X : 'M[R]_(n, d)).
Hypothesis X_unit : X^T *m X \in unitmx.
Local Notation H := (X *m invmx (X^T *m X) *m X^T).

Lemma score_plain i : score X 0 i = H i i.
Proof. by rewrite /score (_ : 0%:M = 0) ?addr0 //; apply/matrixP => a b; rewrite !mxE mul0rn. Qed.

(** The scores are the diagonal of an orthogonal projection. *)
Lemma hat_square i : score X 0 i = \sum_j H i j ^+ 2.
Proof.
have sym : H^T = H by rewrite !trmx_mul trmxK trmx_inv trmx_mul trmxK mulmxA.
have idem : H *m H = H.
  rewrite -!mulmxA; congr (_ *m _).
  by rewrite (mulmxA X^T) mulmxA mulVmx // mul1mx.
rewrite score_plain -[in LHS]idem [LHS]mxE; apply: eq_bigr => j _.
by rewrite expr2; congr (_ * _); rewrite -[in RHS]sym [RHS]mxE.
Qed.

Lemma score_bounds i : 0 <= score X 0 i <= 1.
Proof.
have s0 : 0 <= score X 0 i by rewrite hat_square; apply: sumr_ge0 => j _; exact: sqr_ge0.
rewrite s0 /= leNgt; apply/negP => big.
have : score X 0 i ^+ 2 <= score X 0 i.
  rewrite {2}hat_square (bigD1 i) //= -score_plain ler_addl.
  by apply: sumr_ge0 => j _; exact: sqr_ge0.
by rewrite expr2 leNgt -{1}[score X 0 i]mulr1 ltr_pmul2l ?big // (lt_trans ltr01).
Qed.

Lemma score_zero i : score X 0 i = 0 -> row i X = 0.
Proof.
move=> z; have h0 j : H i j = 0.
  move/eqP: z; rewrite hat_square psumr_eq0 => [/allP/(_ j)|l _]; last exact: sqr_ge0.
  by rewrite mem_index_enum => /(_ isT); rewrite /= sqrf_eq0 => /eqP.
have hx : H *m X = X by rewrite -!mulmxA mulVmx // mulmx1.
apply/rowP => a; rewrite -{1}hx !mxE big1 // => j _.
by have := h0 j; rewrite mxE => ->; rewrite mul0r.
Qed.

Theorem draws_gram : (0 < k)%N ->
  let q i := score X 0 i / d%:R in
  [/\ forall i, 0 <= score X 0 i <= 1,
      \sum_i score X 0 i = d%:R &
      forall a b, draws_mean q (fun f : 'I_k -> 'I_n =>
        weighted_product X X (fun i => drawn q f i / k%:R) a b)
      = (X^T *m X) a b].
Proof.
move=> k0 q.
have total : \sum_i score X 0 i = d%:R.
  under eq_bigr do rewrite score_plain.
  by rewrite -/(\tr H) -mulmxA mxtrace_mulC -mulmxA mulVmx // mxtrace1.
split=> // [|a b]; first exact: score_bounds.
have d0 : d%:R != 0 :> R by rewrite pnatr_eq0 -lt0n; case: d a {b} => // -[].
have kN0 : k%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
have q_sum : \sum_i q i = 1 by rewrite /q -mulr_suml total divff.
pose v i := X i a * (q i)^-1 * X i b.
transitivity (\sum_(j < k) k%:R^-1 * draws_mean q (fun f : 'I_k -> 'I_n => v (f j))).
  under [RHS]eq_bigr => j _ do rewrite /draws_mean mulr_sumr.
  rewrite exchange_big /=; apply: eq_bigr => f _.
  under [RHS]eq_bigr => j _ do rewrite mulrCA.
  rewrite -mulr_sumr; congr (_ * _).
  rewrite weighted_entry [RHS](partition_big f xpredT) //=.
  apply: eq_bigr => i _; rewrite /drawn mulr_suml mulr_sumr mulr_suml.
  apply: eq_bigr => j /eqP <-; rewrite /v.
  by rewrite [_ / k%:R]mulrC mulrCA -!mulrA.
under eq_bigr => j _ do rewrite draws_mean_one //.
rewrite sumr_const card_ord -mulr_natl mulrA divff // mul1r [RHS]mxE.
apply: eq_bigr => i _; rewrite /v mxE.
case: (eqVneq (score X 0 i) 0) => [z | nz].
  by have /rowP/(_ a) := score_zero z; rewrite !mxE => ->; rewrite !mul0r mulr0.
have q0 : q i != 0 by rewrite /q mulf_neq0 ?invr_eq0.
by rewrite mulrA mulrCA mulfV // mulr1.
Qed.

End Leverage.

(** *** Nystrom's kernel *)
Section Nystrom.
Variables (R : realFieldType) (n k : nat) (K : 'M[R]_n) (E : 'M[R]_(n, k)).
Hypothesis K_sym : K^T = K.
Hypothesis K_psd : forall v : 'cV[R]_n, 0 <= (v^T *m K *m v) 0 0.
Hypothesis inner_unit : E^T *m K *m E \in unitmx.
Local Notation B := (invmx (E^T *m K *m E)).

Theorem nystrom_below :
  (forall v : 'cV[R]_n, 0 <= (v^T *m (K - nystrom K E) *m v) 0 0)
  /\ (K - nystrom K E) *m E = 0.
Proof.
have zero : (K - nystrom K E) *m E = 0.
  rewrite /nystrom mulmxBl -!mulmxA (mulmxA E^T) mulVmx ?mulmx1 ?subrr //.
split=> // v; pose r := v - E *m (B *m (E^T *m (K *m v))).
have Kr : K *m r = (K - nystrom K E) *m v.
  by rewrite /r /nystrom mulmxBr mulmxBl !mulmxA.
have sB : B^T = B by rewrite trmx_inv; congr invmx; rewrite !trmx_mul trmxK K_sym mulmxA.
have sN : (K - nystrom K E)^T = K - nystrom K E.
  by rewrite linearB /= /nystrom !trmx_mul trmxK K_sym sB !mulmxA.
suff -> : v^T *m (K - nystrom K E) *m v = r^T *m K *m r by exact: K_psd.
have left : E^T *m (K - nystrom K E) = 0.
  by rewrite -[LHS]trmxK trmx_mul sN trmxK zero trmx0.
have turned : r^T = v^T - (B *m (E^T *m (K *m v)))^T *m E^T.
  by rewrite /r linearB /= trmx_mul.
rewrite -[RHS]mulmxA Kr turned [RHS]mulmxBl -[X in _ = _ - X]mulmxA.
by rewrite (mulmxA E^T (K - nystrom K E)) left mul0mx mulmx0 subr0 mulmxA.
Qed.

End Nystrom.
