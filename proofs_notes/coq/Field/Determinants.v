(** The field: determinants of sampled Gram matrices.

    [mean_det]: with independent coins and weights 1/p, E det(X^T W Z) = det(X^T Z).
    [volume_sum]: the sum over all sets S of s points of det(X_S^T Z_S) is C(n-d, s-d) det(X^T Z).

    With Z = X these are E det = det(X^T X) (claim leverage-determinants) and the normaliser of
    volume sampling (claim volume-normaliser). With one column of Z replaced by the labels, both
    sides are Cramer's numerators of beta: E[det beta] = det beta* and E beta_S = beta*
    (claim volume-unbiased). Both rest on the expansion of Cauchy and Binet, [det_weighted]. *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Section Expansion.
Variable R : comRingType.
Variables d n : nat.

(** det(A B) is the sum over all maps f from coordinates to points, of the product of the
    A i (f i) and the determinant of the rows f i of B. *)
Lemma det_mulmx_maps (A : 'M[R]_(d, n)) (B : 'M[R]_(n, d)) :
  \det (A *m B) =
  \sum_(f : {ffun 'I_d -> 'I_n}) (\prod_i A i (f i)) * \det (\matrix_(i, j) B (f i) j).
Proof.
rewrite /determinant.
transitivity (\sum_(s : {perm 'I_d}) \sum_(f : {ffun 'I_d -> 'I_n})
   (-1) ^+ s * \prod_i (A i (f i) * B (f i) (s i))).
  apply: eq_bigr => s _; rewrite -big_distrr /=; congr (_ * _).
  rewrite -(bigA_distr_bigA (fun i k => A i k * B k (s i))) /=.
  by apply: eq_bigr => i _; rewrite mxE.
rewrite exchange_big /=; apply: eq_bigr => f _.
rewrite big_distrr /=; apply: eq_bigr => s _.
rewrite big_split /= mulrCA; congr (_ * (_ * _)).
by apply: eq_bigr => i _; rewrite mxE.
Qed.

(** A map that takes two coordinates to one point contributes nothing. *)
Lemma det_rows_not_injective (B : 'M[R]_(n, d)) (f : {ffun 'I_d -> 'I_n}) :
  ~~ injectiveb f -> \det (\matrix_(i, j) B (f i) j) = 0.
Proof.
move=> /injectivePn[i [k neq same]]; apply: (determinant_alternate neq) => j.
by rewrite !mxE same.
Qed.

Variables X Z : 'M[R]_(n, d).

(** X^T W Z = sum w x z^T. *)
Definition weighted (w : 'I_n -> R) : 'M[R]_d := X^T *m (diag_mx (\row_k w k) *m Z).

(** What a map contributes when all weights are 1. *)
Definition share (f : {ffun 'I_d -> 'I_n}) : R :=
  (\prod_i X^T i (f i)) * \det (\matrix_(i, j) Z (f i) j).

Lemma det_weighted (w : 'I_n -> R) :
  \det (weighted w) =
  \sum_(f : {ffun 'I_d -> 'I_n} | injectiveb f) (\prod_i w (f i)) * share f.
Proof.
rewrite /weighted det_mulmx_maps (bigID (fun f : {ffun 'I_d -> 'I_n} => injectiveb f)) /=
  [X in _ + X]big1 ?addr0; last first.
  by move=> f notinj; rewrite det_rows_not_injective // mulr0.
apply: eq_bigr => f inj.
rewrite (_ : \matrix_(i, j) _ = diag_mx (\row_i w (f i)) *m \matrix_(i, j) Z (f i) j).
  by rewrite det_mulmx det_diag mulrCA; congr (_ * _); apply: eq_bigr => i _; rewrite mxE.
apply/matrixP=> i j; rewrite !mxE (bigD1 (f i)) //= !mxE eqxx mulr1n big1 ?addr0.
  rewrite (bigD1 i) //= !mxE eqxx mulr1n big1 ?addr0 // => k neq.
  by rewrite !mxE eq_sym (negPf neq) mulr0n mul0r.
by move=> k neq; rewrite !mxE eq_sym (negPf neq) mulr0n mul0r.
Qed.

Lemma det_unweighted :
  \det (X^T *m Z) = \sum_(f : {ffun 'I_d -> 'I_n} | injectiveb f) share f.
Proof.
rewrite det_mulmx_maps (bigID (fun f : {ffun 'I_d -> 'I_n} => injectiveb f)) /=
  [X in _ + X]big1 ?addr0 //.
by move=> f notinj; rewrite det_rows_not_injective // mulr0.
Qed.

(** *** Volume sampling *)

(** Sets of s points that contain T. *)
Lemma card_supersets (T : {set 'I_n}) (s : nat) :
  (#|T| <= s)%N -> #|[set S : {set 'I_n} | (T \subset S) && (#|S| == s)]| = 'C(n - #|T|, s - #|T|).
Proof.
move=> small.
have -> : (n - #|T| = #|~: T|)%N.
  have whole := cardsC T; rewrite card_ord in whole.
  by rewrite -{1}whole addKn.
rewrite -cards_draws.
rewrite -(card_in_imset (f := fun S => S :\: T)); last first.
  move=> S1 S2; rewrite !inE => /andP[in1 _] /andP[in2 _] same.
  by rewrite -(setID S1 T) -(setID S2 T) same (setIidPr in1) (setIidPr in2).
apply: eq_card => U; rewrite !inE; apply/imsetP/andP.
  case=> S; rewrite inE => /andP[TS /eqP <-] ->.
  by rewrite subsetDr cardsD (setIidPr TS).
case=> UT /eqP cardU; exists (U :|: T).
  rewrite inE subsetUr /= cardsU cardU (_ : U :&: T = set0); last first.
    by apply/eqP; rewrite setI_eq0 disjoints_subset.
  by rewrite cards0 subn0 subnK.
rewrite setDUl setDv setU0; apply/esym/setDidPl.
by rewrite disjoints_subset.
Qed.

Theorem volume_sum (s : nat) : (d <= s)%N ->
  \sum_(S : {set 'I_n} | #|S| == s) \det (weighted (fun k => (k \in S)%:R)) =
  'C(n - d, s - d)%:R * \det (X^T *m Z).
Proof.
move=> small; rewrite det_unweighted big_distrr /=.
under eq_bigr => S _ do rewrite det_weighted.
rewrite exchange_big /=; apply: eq_bigr => f /injectiveP inj.
rewrite -big_distrl /=; congr (_ * _).
pose T := [set f i | i : 'I_d].
have cardT : #|T| = d by rewrite card_imset // card_ord.
have inside (S : {set 'I_n}) : \prod_i ((f i \in S)%:R : R) = (T \subset S)%:R.
  case: (boolP (T \subset S)) => [sub | /subsetPn[k /imsetP[i _ ->] out]].
    by rewrite big1 // => i _; rewrite (subsetP sub) // imset_f.
  by rewrite (bigD1 i) //= (negPf out) mul0r.
have counted : (\sum_(S : {set 'I_n} | #|S| == s) (T \subset S) = 'C(n - d, s - d))%N.
  rewrite -cardT -card_supersets ?cardT // -sum1dep_card big_mkcondl.
  by apply: eq_bigr => S _; case: (T \subset S).
by rewrite -counted natr_sum; apply: eq_bigr => S _; apply: inside.
Qed.

End Expansion.

(** *** Sums over sets *)

Lemma sum_prod_sets (R : comRingType) (n : nat) (g : 'I_n -> bool -> R) :
  \sum_(S : {set 'I_n}) \prod_k g k (k \in S) = \prod_k (g k true + g k false).
Proof.
under [RHS]eq_bigr => k _.
  rewrite (_ : g k true + g k false = \sum_(b : bool) g k b); last by rewrite big_bool.
  over.
rewrite bigA_distr_bigA /=.
rewrite (reindex (fun S : {set 'I_n} => [ffun k => k \in S])) /=; last first.
  exists (fun f : {ffun 'I_n -> bool} => [set k | f k]) => [S _ | f _].
    by apply/setP=> k; rewrite inE ffunE.
  by apply/ffunP=> k; rewrite ffunE inE.
by apply: eq_bigr => S _; apply: eq_bigr => k _; rewrite ffunE.
Qed.

(** *** Leverage sampling *)

Section Coins.
Variable F : fieldType.
Variables d n : nat.
Variable p : 'I_n -> F.

(** Independent coins: the mean over all sets S, where k is in S with probability p k. *)
Definition chance (S : {set 'I_n}) : F := \prod_k (if k \in S then p k else 1 - p k).
Definition mean (v : {set 'I_n} -> F) : F := \sum_(S : {set 'I_n}) chance S * v S.
Definition coin_weight (S : {set 'I_n}) (k : 'I_n) : F := if k \in S then (p k)^-1 else 0.

(** The product of the weights of different points has mean 1; so the chances sum to 1. *)
Lemma mean_weights (T : {set 'I_n}) : (forall k, k \in T -> p k != 0) ->
  mean (fun S => \prod_(k in T) coin_weight S k) = 1.
Proof.
move=> p_neq0; pose g k b := (if b then p k else 1 - p k) *
  (if k \in T then (if b then (p k)^-1 else 0) else 1).
transitivity (\sum_(S : {set 'I_n}) \prod_k g k (k \in S)).
  apply: eq_bigr => S _; rewrite /chance /g big_split /=; congr (_ * _).
  by rewrite big_mkcond.
rewrite sum_prod_sets big1 // => k _; rewrite /g.
by case: (boolP (k \in T)) => kT; rewrite ?mulr1 ?mulr0 ?addr0 ?mulfV ?p_neq0 // addrC subrK.
Qed.

Variables X Z : 'M[F]_(n, d).
(** A point that is never drawn is the zero point. *)
Hypothesis p_eq0 : forall k, p k = 0 -> row k X = 0.

Theorem mean_det : mean (fun S => \det (weighted X Z (coin_weight S))) = \det (X^T *m Z).
Proof.
rewrite det_unweighted /mean.
under eq_bigr => S _ do rewrite det_weighted big_distrr /=.
rewrite exchange_big /=; apply: eq_bigr => f /injectiveP inj.
under eq_bigr => S _ do rewrite mulrA.
rewrite -big_distrl /= -[RHS]mul1r.
case: (pickP (fun i => p (f i) == 0)) => [i /eqP never | drawn].
  suff -> : share X Z f = 0 by rewrite !mulr0.
  rewrite /share (bigD1 i) //= mxE (_ : X (f i) i = 0) ?mul0r //.
  by have /rowP/(_ i) := p_eq0 never; rewrite !mxE.
congr (_ * _).
transitivity (mean (fun S => \prod_(k in [set f i | i : 'I_d]) coin_weight S k)); last first.
  by apply: mean_weights => k /imsetP[i _ ->]; rewrite drawn.
apply: eq_bigr => S _; congr (_ * _).
by rewrite big_imset //= => i k _ _; apply: inj.
Qed.

End Coins.

