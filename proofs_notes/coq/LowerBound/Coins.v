(** The lower bound in probability: labels are fair signs; whatever was read,
    the unread signs keep a quarter of the probability away from the optimum.

    Symbols:
      distance == how far the scaled answer c is from the row sums
      unread   == how many copies of a row were not read

    Selected results:
      loss_pythagoras == loss = OPT + |X (beta - least_squares)|^2
      mean_harmonic   == the posterior mean of the distance
      second_le       == its second moment is at most 3 times its square
      leaf_coins      == P(the distance is small) <= 3/4 at a leaf *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions Design Learner Urn.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section LeastSquares.
Variable R : realFieldType.

Lemma loss_pythagoras n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) Y1 Y2 beta :
  X1^T *m X1 + X2^T *m X2 \in unitmx ->
  stacked_loss X1 X2 Y1 Y2 beta = optimum X1 X2 Y1 Y2 +
    sqnorm (col_mx X1 X2 *m (beta - least_squares X1 X2 Y1 Y2)).
Proof.
move=> uG; rewrite /optimum /stacked_loss.
set X := col_mx X1 X2; set Y := col_mx Y1 Y2; set b := least_squares _ _ _ _.
have normal : X^T *m (X *m b - Y) = 0.
  rewrite mulmxBr mulmxA /X /Y tr_col_mx !mul_row_col /b /least_squares.
  by rewrite mulmxA mulmxV // mul1mx subrr.
have -> : X *m beta - Y = (X *m b - Y) + X *m (beta - b).
  by rewrite mulmxBr [RHS]addrC addrA subrK.
move: (X *m b - Y) normal (beta - b) => u Xu w.
have cross : u^T *m (X *m w) = 0.
  by rewrite mulmxA -[u^T *m X]trmxK trmx_mul trmxK Xu trmx0 mul0mx.
have trD : (u + X *m w)^T = u^T + (X *m w)^T by apply/matrixP => i j; rewrite !mxE.
rewrite !sqnormE trD mulmxDl !mulmxDr cross addr0.
have -> : (X *m w)^T *m u = 0 by rewrite trmx_mul -mulmxA Xu mulmx0.
by rewrite add0r [LHS]mxE.
Qed.

Lemma optimum_least n1 n2 d (X1 : 'M[R]_(n1, d)) (X2 : 'M[R]_(n2, d)) Y1 Y2 beta :
  X1^T *m X1 + X2^T *m X2 \in unitmx ->
  optimum X1 X2 Y1 Y2 <= stacked_loss X1 X2 Y1 Y2 beta.
Proof. by move=> uG; rewrite (loss_pythagoras _ _ _ uG) ler_addl sqnorm_ge0. Qed.

End LeastSquares.

Section Fair.
Variables (R : realFieldType) (I : finType) (d n : nat) (coordinate : I -> 'I_d).
Variable c : 'I_d -> R.
Hypothesis fibre : forall i, read_in coordinate i setT = n.

Local Notation outcome := {ffun I -> bool}.
Implicit Types (D : {set I}) (o : outcome) (i : 'I_d).

Definition coin (b : bool) : R := if b then 1 else -1.

Definition total (F : bool -> R) i D o : R := \sum_(x in D | coordinate x == i) F (o x).

Lemma total_upd F i D o x b : x \notin D ->
  total F i (x |: D) (upd o x b) = (if coordinate x == i then F b else 0) + total F i D o.
Proof.
move=> xD; rewrite /total big_mkcondr big_setU1 //= ffunE eqxx; congr (_ + _).
rewrite -big_mkcondr /=; apply: eq_bigr => z /andP[zD _]; rewrite ffunE.
by case: eqP => // zx; rewrite -zx zD in xD.
Qed.

(* Distance of the target from the sum read so far; signs not yet read.       *)
Definition offset i D o : R := c i - total coin i D o.
Definition unread i D o : R := n%:R - total (fun=> 1) i D o.

Lemma unreadE i D o : unread i D o = n%:R - (read_in coordinate i D)%:R.
Proof.
rewrite /unread /total sumr_const /read_in; congr (_ - _%:R).
by apply: eq_card => x; rewrite !inE.
Qed.

Definition row_mean i D o : R := offset i D o ^+ 2 + unread i D o.
Definition row_variance i D o : R :=
  4%:R * offset i D o ^+ 2 * unread i D o + 2%:R * unread i D o ^+ 2 - 2%:R * unread i D o.

Definition mean D o : R := \sum_i row_mean i D o.
Definition variance D o : R := \sum_i row_variance i D o.
Definition second D o : R := mean D o ^+ 2 + variance D o.
Definition coins D : R := (2%:R ^+ #|D|)^-1.

Lemma coinsU D x : x \notin D -> coins (x |: D) = coins D / 2%:R.
Proof. by move=> xD; rewrite /coins cardsU1 xD add1n exprS invfM mulrC. Qed.

Lemma coins_harmonic D o x : x \notin D ->
  coins D = \sum_(b : bool) coins (x |: D).
Proof. by move=> xD; rewrite big_bool /= coinsU //; field. Qed.

Lemma row_other (F : 'I_d -> {set I} -> outcome -> R) D o x b i :
  F = row_mean \/ F = row_variance -> x \notin D -> i != coordinate x ->
  F i (x |: D) (upd o x b) = F i D o.
Proof.
move=> FF xD ix.
have e : offset i (x |: D) (upd o x b) = offset i D o.
  by rewrite /offset total_upd // eq_sym (negbTE ix) add0r.
have r : unread i (x |: D) (upd o x b) = unread i D o.
  by rewrite /unread total_upd // eq_sym (negbTE ix) add0r.
by case: FF => ->; rewrite /row_mean /row_variance e r.
Qed.

Lemma offset_read D o x b : x \notin D ->
  offset (coordinate x) (x |: D) (upd o x b) = offset (coordinate x) D o - coin b.
Proof. by move=> xD; rewrite /offset total_upd // eqxx; ring. Qed.

Lemma unread_read D o x b : x \notin D ->
  unread (coordinate x) (x |: D) (upd o x b) = unread (coordinate x) D o - 1.
Proof. by move=> xD; rewrite /unread total_upd // eqxx; ring. Qed.

Lemma sum_read (F : 'I_d -> {set I} -> outcome -> R) D o x b :
  F = row_mean \/ F = row_variance -> x \notin D ->
  \sum_i F i (x |: D) (upd o x b) =
  \sum_i F i D o - F (coordinate x) D o + F (coordinate x) (x |: D) (upd o x b).
Proof.
move=> FF xD; rewrite (bigD1 (coordinate x)) //= [in RHS](bigD1 (coordinate x)) //=.
rewrite (eq_bigr (fun i => F i D o)) => [|i ix]; last exact: row_other.
by rewrite [_ + _ - _]addrC addKr addrC.
Qed.

Lemma mean_read D o x b : x \notin D ->
  mean (x |: D) (upd o x b) = mean D o - row_mean (coordinate x) D o +
    row_mean (coordinate x) (x |: D) (upd o x b).
Proof. by move=> xD; apply: (sum_read o b (F := row_mean)) => //; left. Qed.

Lemma variance_read D o x b : x \notin D ->
  variance (x |: D) (upd o x b) = variance D o - row_variance (coordinate x) D o +
    row_variance (coordinate x) (x |: D) (upd o x b).
Proof. by move=> xD; apply: (sum_read o b (F := row_variance)) => //; right. Qed.

Lemma mean_harmonic D o x : x \notin D ->
  coins D * mean D o = \sum_b coins (x |: D) * mean (x |: D) (upd o x b).
Proof.
move=> xD; rewrite big_bool /= coinsU // (mean_read o true xD) (mean_read o false xD).
move: (mean D o) => M.
rewrite /row_mean !offset_read // !unread_read // /coin.
by move: (offset _ _ _) (unread _ _ _) (coins D) => e r k; field.
Qed.

Lemma second_harmonic D o x : x \notin D ->
  coins D * second D o = \sum_b coins (x |: D) * second (x |: D) (upd o x b).
Proof.
move=> xD; rewrite big_bool /= coinsU // /second.
rewrite (mean_read o true xD) (mean_read o false xD) (variance_read o true xD) (variance_read o false xD).
move: (mean D o) (variance D o) => M V.
rewrite /row_mean /row_variance !offset_read // !unread_read // /coin.
by move: (offset _ _ _) (unread _ _ _) (coins D) => e r k; field.
Qed.

(* Squared distance of the target from the row sums, once all is known.       *)
Definition distance o : R := \sum_i (c i - total coin i setT o) ^+ 2.

Definition hit t o : R := if distance o <= t then 1 else 0.

Lemma unread_end i o : unread i setT o = 0.
Proof. by rewrite unreadE fibre subrr. Qed.

Lemma mean_end o : mean setT o = distance o.
Proof. by apply: eq_bigr => i _; rewrite /row_mean unread_end addr0. Qed.

Lemma second_end o : second setT o = distance o ^+ 2.
Proof.
rewrite /second /variance mean_end big1 ?addr0 // => i _.
by rewrite /row_variance unread_end; ring.
Qed.

Lemma cyl_coins D o : cyl D o (fun=> coins setT) = coins D.
Proof. exact: (cyl_harmonic (H := fun D _ => coins D) (fun D o x xD => coins_harmonic o xD)). Qed.

Lemma cyl_mean D o : cyl D o (fun o' => coins setT * distance o') = coins D * mean D o.
Proof.
rewrite -(cyl_harmonic (H := fun D o => coins D * mean D o) mean_harmonic).
by apply: eq_bigr => o' _; rewrite mean_end.
Qed.

Lemma cyl_second D o : cyl D o (fun o' => coins setT * distance o' ^+ 2) = coins D * second D o.
Proof.
rewrite -(cyl_harmonic (H := fun D o => coins D * second D o) second_harmonic).
by apply: eq_bigr => o' _; rewrite second_end.
Qed.

Lemma unread_ge0 i D o : 0 <= unread i D o.
Proof.
rewrite unreadE subr_ge0 ler_nat -(fibre i); apply: subset_leq_card.
by apply/subsetP => x; rewrite !inE => /andP[_ ->].
Qed.

Lemma row_mean_ge0 i D o : 0 <= row_mean i D o.
Proof. by rewrite addr_ge0 ?sqr_ge0 ?unread_ge0. Qed.

Lemma second_le D o : second D o <= 3%:R * mean D o ^+ 2.
Proof.
have sq : \sum_i row_mean i D o ^+ 2 <= mean D o ^+ 2.
  rewrite expr2 {1}/mean mulr_suml; apply: ler_sum => i _; rewrite expr2.
  apply: ler_wpmul2l; first exact: row_mean_ge0.
  rewrite /mean (bigD1 i) //= ler_addl; apply: sumr_ge0 => j _; exact: row_mean_ge0.
have va : variance D o <= 2%:R * \sum_i row_mean i D o ^+ 2.
  rewrite mulr_sumr; apply: ler_sum => i _; rewrite /row_variance /row_mean.
  have := unread_ge0 i D o; move: (offset i D o) (unread i D o) => e r r0.
  rewrite -subr_ge0 [X in 0 <= X](_ : _ = 2%:R * (e ^+ 2) ^+ 2 + 2%:R * r); last by ring.
  by rewrite addr_ge0 // mulr_ge0 ?ler0n ?sqr_ge0.
rewrite /second; apply: le_trans (_ : mean D o ^+ 2 + 2%:R * mean D o ^+ 2 <= _).
  by rewrite ler_add2l; apply: le_trans va _; rewrite ler_wpmul2l ?ler0n.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma mean_ge D o : n%:R * d%:R - #|D|%:R <= mean D o.
Proof.
rewrite -(read_in_sum coordinate D) natr_sum.
have -> : n%:R * d%:R = \sum_(i < d) (n%:R : R) by rewrite sumr_const card_ord [LHS]mulr_natr.
rewrite -sumrB; apply: ler_sum => i _.
by rewrite /row_mean -(unreadE i D o) ler_addr sqr_ge0.
Qed.

(* Cantelli's inequality with the ratio 242/323 < 3/4.                        *)
Lemma leaf_coins D o t : 0 < mean D o -> t <= 2%:R / 11%:R * mean D o ->
  0 <= cyl D o (fun o' => coins setT * (242%:R / 323%:R - hit t o')).
Proof.
move=> m0 ht; set m := mean D o in m0 ht.
pose h := 31%:R / 9%:R * m.
have gap0 : 0 < 323%:R / 99%:R * m by rewrite mulr_gt0 ?divr_gt0 ?ltr0n.
have gap : 323%:R / 99%:R * m <= h - t.
  rewrite ler_subr_addr -ler_subr_addl; apply: le_trans ht _.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /h; field.
pose K := (323%:R / 99%:R * m) ^+ 2.
have K0 : 0 < K by rewrite exprn_gt0.
have ind o' : hit t o' <= (distance o' - h) ^+ 2 / K.
  rewrite /hit; case: (leP (distance o') t) => [le|_]; last by rewrite divr_ge0 ?sqr_ge0 ?ltW.
  rewrite ler_pdivl_mulr // mul1r -sqrrN opprB; apply: ler_expn2r.
  - by rewrite nnegrE ltW.
  - by rewrite nnegrE; apply: le_trans (ltW gap0) _; apply: le_trans gap _; rewrite ler_add2l ler_opp2.
  by apply: le_trans gap _; rewrite ler_add2l ler_opp2.
have C0 A : 0 <= coins A by rewrite invr_ge0 exprn_ge0 ?ler0n.
apply: le_trans (_ : cyl D o (fun o' => coins setT * (242%:R / 323%:R - (distance o' - h) ^+ 2 / K)) <= _);
  last by apply: ler_sum => o' _; rewrite ler_wpmul2l // ler_add2l ler_opp2.
have -> : cyl D o (fun o' => coins setT * (242%:R / 323%:R - (distance o' - h) ^+ 2 / K)) =
  (242%:R / 323%:R - h ^+ 2 / K) * cyl D o (fun=> coins setT) +
  (2%:R * h / K) * cyl D o (fun o' => coins setT * distance o') +
  (- K^-1) * cyl D o (fun o' => coins setT * distance o' ^+ 2).
  by rewrite -!cylZ -!cylD; apply: eq_bigr => o' _; move: (distance o') (coins _) => x y; ring.
rewrite cyl_coins cyl_mean cyl_second -/m.
rewrite [X in 0 <= X](_ : _ = coins D * (242%:R / 323%:R - (h ^+ 2 - 2%:R * h * m + second D o) / K)); last by ring.
apply: mulr_ge0 => //; rewrite subr_ge0 ler_pdivr_mulr //.
apply: le_trans (_ : h ^+ 2 - 2%:R * h * m + 3%:R * m ^+ 2 <= _); first by rewrite ler_add2l second_le.
by rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /h /K; field.
Qed.

End Fair.
