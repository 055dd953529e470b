(** Algorithm 3 (ConstructM): a greedy packing of the sign vectors on the
    lower-bound design, its four properties, and the count behind the fourth.

    Symbols:
      hamming == the Hamming distance

    Selected results:
      constructM_total == Algorithm 3 returns something
      constructM_far   == what it returns is pairwise far
      constructM_count == and covers the cube
      closeE           == close means Hamming distance at most radius
      volume_bound     == the volume of a Hamming ball, without logarithms
      packing          == the four properties *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.zify Require Import zify.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions Design.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A run of the greedy procedure on U: it may choose any element of U, then   *)
(* removes everything that is close to it; it ends when U is empty.           *)
Section Greedy.
Variables (T : finType) (close : rel T).
Local Notation constructM := (constructM close).

Hypothesis close_refl : reflexive close.
Hypothesis close_sym : symmetric close.

Lemma constructM_total (U : {set T}) : exists M, constructM U M.
Proof.
have [m] := ubnP #|U|; elim: m U => // m IHm U; rewrite ltnS => Um.
have [->|[b bU]] := set_0Vmem U; first by exists [::]; constructor.
have /IHm [M cM] : (#|U :\: [set b' | close b b']| < m)%N.
  apply: leq_trans Um; apply: proper_card; apply/properP; split; first exact: subsetDl.
  by exists b; rewrite // !inE close_refl.
by exists (b :: M); apply: ConstructStep bU cM.
Qed.

Lemma constructM_sub U M : constructM U M -> {subset M <= U}.
Proof.
elim=> {U M} // U b M bU _ IH c; rewrite inE => /predU1P[-> //|/IH].
by rewrite inE => /andP[].
Qed.

Lemma constructM_far U M : constructM U M ->
  uniq M /\ {in M &, forall b c, b != c -> ~~ close b c}.
Proof.
elim=> {U M} [|U b M bU cM [uM far]]; first by split.
have out c : c \in M -> ~~ close b c.
  by move/(constructM_sub cM); rewrite !inE => /andP[].
split; first by rewrite /= uM andbT; apply/negP => /out; rewrite close_refl.
move=> c c'; rewrite !inE => /predU1P[->|cM1] /predU1P[->|cM2].
- by rewrite eqxx.
- by move=> _; apply: out.
- by move=> _; rewrite close_sym; apply: out.
exact: far.
Qed.

Lemma constructM_cover U M : constructM U M ->
  {in U, forall c, exists2 b, b \in M & close b c}.
Proof.
elim=> {U M} [c|U b M bU cM IH c cU]; first by rewrite inE.
case: (boolP (close b c)) => [bc|nbc]; first by exists b; rewrite // mem_head.
have [|b' b'M b'c] := IH c; first by rewrite !inE nbc.
by exists b'; rewrite // inE b'M orbT.
Qed.

Lemma constructM_count U M k : constructM U M ->
  (forall b, #|[set b' | close b b']| <= k)%N -> (#|U| <= size M * k)%N.
Proof.
move=> cM volume; elim: cM => {U M} [|U b M bU cM IH]; first by rewrite cards0.
rewrite mulSn -(cardsID [set b' | close b b'] U); apply: leq_add => //.
by apply: leq_trans (volume b); apply: subset_leq_card; apply: subsetIr.
Qed.

End Greedy.

Section Signs.
Variable d : nat.

(* A vertex of the cube: true stands for +1, false for -1.                    *)
Definition hamming (b c : {ffun 'I_d -> bool}) : nat := #|[set i | b i != c i]|.

Lemma hamming_ball (b : {ffun 'I_d -> bool}) r :
  #|[set c | hamming b c <= r]%N| = (\sum_(i < r.+1) 'C(d, i))%N.
Proof.
pose F (c : {ffun 'I_d -> bool}) := [set i | b i != c i].
have Finj : injective F.
  move=> c c' /setP e; apply/ffunP => i; have := e i; rewrite !inE.
  by case: (b i) (c i) (c' i) => [] [] [].
have Fsur (A : {set 'I_d}) : exists c, F c = A.
  exists [ffun i => b i (+) (i \in A)]; apply/setP => i; rewrite inE ffunE.
  by case: (b i) (i \in A) => [] [].
rewrite -(card_imset _ Finj).
have -> : F @: [set c | hamming b c <= r]%N = [set A : {set 'I_d} | #|A| <= r]%N.
  apply/setP => A; rewrite inE; apply/imsetP/idP => [[c]|Ar].
    by rewrite inE /hamming -/(F c) => h ->.
  by have [c Fc] := Fsur A; exists c; rewrite ?inE ?/hamming -/(F c) Fc.
elim: r => [|r IHr].
  rewrite big_ord1 bin0 -(cards1 (set0 : {set 'I_d})); apply: eq_card => A.
  by rewrite !inE leqn0 cards_eq0.
rewrite big_ord_recr /= -IHr -[d in 'C(d, _)]card_ord -card_draws.
rewrite -[LHS](cardsID [set A : {set 'I_d} | #|A| <= r]%N); congr (_ + _)%N; apply: eq_card => A.
  by rewrite !inE andbC; case: leqP => //= /leqW ->.
by rewrite !inE -ltnNge [RHS]eqn_leq andbC.
Qed.

End Signs.

(* The volume of a Hamming ball, without logarithms: x^r vol(r) <= (1 + x)^d, *)
(* and (1 + 1/(2m))^m <= 2.                                                   *)
Section Volume.
Variable R : realFieldType.


Lemma volume_power d r (x : R) : (r <= d)%N -> 0 <= x <= 1 ->
  (volume d r)%:R * x ^+ r <= (1 + x) ^+ d.
Proof.
move=> rd /andP[x0 x1]; rewrite /volume natr_sum mulr_suml exprDn.
rewrite (eq_bigr (fun i : 'I_d.+1 => 'C(d, i)%:R * x ^+ i)); last first.
  by move=> i _; rewrite expr1n mul1r mulr_natl.
rewrite -(big_mkord xpredT (fun i => 'C(d, i)%:R * x ^+ r)).
rewrite -(big_mkord xpredT (fun i => 'C(d, i)%:R * x ^+ i)).
rewrite (@big_cat_nat _ _ _ r.+1 0 d.+1) //= -[X in X <= _]addr0; apply: ler_add.
  rewrite !big_mkord; apply: ler_sum => i _; apply: ler_wpmul2l; first exact: ler0n.
  by apply: ler_wiexpn2l => //; rewrite -ltnS.
by apply: sumr_ge0 => i _; apply: mulr_ge0; rewrite ?ler0n ?exprn_ge0.
Qed.

Lemma bernoulli (x : R) m : x <= 1 -> 1 - m%:R * x <= (1 - x) ^+ m.
Proof.
move=> x1; elim: m => [|m IHm]; first by rewrite mul0r subr0 expr0.
have x1' : 0 <= 1 - x by rewrite subr_ge0.
apply: le_trans (_ : (1 - m%:R * x) * (1 - x) <= _); last by rewrite exprSr; apply: ler_wpmul2r.
rewrite -subr_ge0 [X in 0 <= X](_ : _ = m%:R * x ^+ 2); last by rewrite -addn1 natrD; ring.
by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
Qed.

Lemma near_one_power m : (0 < m)%N -> (1 + (2%:R * m%:R)^-1) ^+ m <= 2%:R :> R.
Proof.
move=> m0; set y : R := _^-1.
have mr : 1 <= m%:R :> R by rewrite ler1n.
have m0' : 0 < m%:R :> R by rewrite ltr0n.
have y0 : 0 < y by rewrite invr_gt0 mulr_gt0 ?ltr0n.
have y1 : y <= 2%:R^-1.
  by rewrite /y lef_pinv ?posrE ?mulr_gt0 ?ltr0n // ler_pmulr ?ltr0n.
have h2 : 2%:R^-1 < 1 :> R by rewrite invf_lt1 ?ltr0n ?ltr1n.
have hb : 2%:R^-1 <= (1 - y) ^+ m.
  apply: le_trans (bernoulli m (le_trans y1 (ltW h2))).
  rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /y; field.
  by rewrite pnatr_eq0 gt_eqF.
have pr : (1 + y) ^+ m * (1 - y) ^+ m <= 1.
  rewrite -exprMn exprn_ile1 //.
    by apply: mulr_ge0; [apply: addr_ge0; rewrite ?ler01 ?ltW | rewrite subr_ge0 (le_trans y1) ?ltW].
  rewrite -subr_ge0 [X in 0 <= X](_ : _ = y ^+ 2) ?sqr_ge0 //; ring.
have := le_trans (ler_wpmul2l _ hb) pr.
rewrite ler_pdivr_mulr ?ltr0n // mul1r; apply.
by apply: exprn_ge0; apply: addr_ge0; rewrite ?ler01 ?ltW.
Qed.

(* vol(r) <= 2^(d/2^9 + 10 r).                                                *)
Lemma volume_bound d r : (r <= d)%N -> (volume d r ^ 2 ^ 9 <= 2 ^ (d + 10 * r * 2 ^ 9))%N.
Proof.
have m0 : (0 < 2 ^ 9)%N by rewrite expn_gt0.
have px : (2%:R * (2 ^ 9)%:R)^-1 = (2%:R ^+ 10)^-1 :> R by rewrite natrX -exprS.
move: (2 ^ 9)%N m0 px => m m0 px rd.
pose x : R := (2%:R * m%:R)^-1.
have p2 : 0 < 2%:R ^+ 10 :> R by rewrite exprn_gt0 ?ltr0n.
have x0 : 0 < x by rewrite /x px invr_gt0.
have x1 : x <= 1 by rewrite /x px invf_le1 // exprn_ege1 // ler1n.
have h0 : 0 <= (volume d r)%:R * x ^+ r by apply: mulr_ge0; [apply: ler0n | apply/exprn_ge0/ltW].
have h1 : (volume d r)%:R * x ^+ r <= (1 + x) ^+ d by apply: volume_power; rewrite // x1 ltW.
have h2 : ((volume d r)%:R * x ^+ r) ^+ m <= ((1 + x) ^+ d) ^+ m.
  by apply: ler_expn2r; rewrite ?nnegrE // (le_trans h0).
have h3 : ((1 + x) ^+ d) ^+ m <= 2%:R ^+ d.
  rewrite exprAC; apply: ler_expn2r; rewrite ?nnegrE ?ler0n ?near_one_power //.
  by apply/exprn_ge0/addr_ge0; [apply: ler01 | apply: ltW].
have h4 : (volume d r)%:R ^+ m <= 2%:R ^+ (d + 10 * r * m) :> R.
  have := le_trans h2 h3; rewrite exprMn /x px exprVn exprVn ler_pdivr_mulr; last first.
    by rewrite !exprn_gt0 ?ltr0n.
  by rewrite -!exprM -exprD.
by rewrite -(ler_nat R) !natrX.
Qed.

End Volume.

Section Claim.
Variables (R : rcfType) (d n : nat) (lambda epsilon : R).
Hypotheses (n_gt0 : (0 < n)%N) (epsilon_gt0 : 0 < epsilon) (epsilon_le : epsilon <= 100%:R^-1).
Hypotheses (lambda_ge0 : 0 <= lambda) (lambda_le : lambda <= 50%:R).

Local Notation sign_vector := (sign_vector R).
Local Notation separation := (separation d lambda epsilon).
Local Notation close := (@close R d n lambda epsilon).
Local Notation radius := (radius d lambda epsilon).
Let X := design R d n.

Lemma design_hamming b c :
  sqnorm (X *m sign_vector c - X *m sign_vector b) = (4 * hamming b c)%:R.
Proof.
rewrite -mulmxBr design_sqnorm // /sqnorm /hamming.
rewrite (eq_bigr (fun i => if b i != c i then 4%:R else 0)); last first.
  by move=> i _; rewrite !mxE; case: (b i) (c i) => [] [] /=; ring.
rewrite -big_mkcond /= sumr_const natrM mulr_natr; congr (_ *+ _).
by apply: eq_card => i; rewrite !inE.
Qed.

Lemma hamming_le (b c : {ffun 'I_d -> bool}) : (hamming b c <= d)%N.
Proof. by rewrite -[d in X in (_ <= X)%N]card_ord; apply: max_card. Qed.

Lemma separation_ge0 : 0 <= separation.
Proof.
rewrite /separation; apply: mulr_ge0; first by rewrite mulr_ge0 ?divr_ge0 ?ler0n.
by rewrite !addr_ge0 ?mulr_ge0 ?addr_ge0 ?ler01 // ltW.
Qed.

Lemma radius_close : (4 * radius)%:R <= separation.
Proof.
rewrite /radius; elim/big_ind: _ => [|h h' H H'|h //]; first by rewrite muln0 separation_ge0.
by rewrite /maxn; case: ifP.
Qed.

Lemma radius_le : (radius <= d)%N.
Proof. by apply/bigmax_leqP => h _; rewrite -ltnS. Qed.

Lemma closeE b c : close b c = (hamming b c <= radius)%N.
Proof.
rewrite /close design_hamming; apply/idP/idP => h.
  have hd : (hamming b c < d.+1)%N by rewrite ltnS hamming_le.
  exact: (@leq_bigmax_cond _ (fun h : 'I_d.+1 => (4 * h)%:R <= separation) (@nat_of_ord _) (Ordinal hd)).
by apply: le_trans radius_close; rewrite ler_nat leq_mul2l.
Qed.

Lemma close_refl : reflexive close.
Proof. by move=> b; rewrite /close subrr /sqnorm big1 ?separation_ge0 // => i _; rewrite mxE expr0n. Qed.

Lemma close_sym : symmetric close.
Proof.
move=> b c; rewrite !closeE /hamming; congr (_ <= _)%N.
by apply: eq_card => i; rewrite !inE eq_sym.
Qed.

Lemma close_volume b : #|[set b' | close b b']| = volume d radius.
Proof. by rewrite /volume -(hamming_ball b); apply: eq_card => c; rewrite !inE closeE. Qed.

(* 10 radius + d/512 <= 0.011 (1 + lambda) d                                  *)
Lemma exponent_bound :
  d%:R / 500%:R + 10%:R * radius%:R <= 11%:R / 1000%:R * (1 + lambda) * d%:R :> R.
Proof.
have el : epsilon * lambda <= 2%:R^-1.
  apply: le_trans (ler_pmul _ _ epsilon_le lambda_le) _; rewrite ?(ltW epsilon_gt0) //.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; field.
have d0 : 0 <= d%:R :> R by rewrite ler0n.
have T0 : 0 <= (1 + lambda) * d%:R by rewrite mulr_ge0 ?addr_ge0 ?ler01.
have Td : d%:R <= (1 + lambda) * d%:R by rewrite ler_pemull // ler_addl.
set T := (1 + lambda) * d%:R in T0 Td *.
have r1 : 4%:R * radius%:R <= 2%:R / 1000%:R * T * (1 + 2%:R^-1).
  rewrite -natrM; apply: le_trans radius_close _.
  have -> : separation = 2%:R / 1000%:R * T * (1 + epsilon * lambda) by rewrite /separation /T; ring.
  apply: ler_wpmul2l; last by rewrite ler_add2l.
  by rewrite mulr_ge0 // divr_ge0 ?ler0n.
rewrite -mulrA -/T.
apply: le_trans (_ : T / 500%:R + 10%:R * (4%:R^-1 * (2%:R / 1000%:R * T * (1 + 2%:R^-1))) <= _).
  apply: ler_add; first by rewrite ler_wpmul2r ?invr_ge0 ?ler0n.
  by rewrite ler_wpmul2l ?ler0n // mulrC ler_pdivl_mulr ?ltr0n // mulrC.
rewrite -subr_ge0 [X in 0 <= X](_ : _ = 3%:R / 2000%:R * T); last by field.
by rewrite mulr_ge0 // divr_ge0 ?ler0n.
Qed.

Lemma volume_exponent a b : (0 < b)%N ->
  11%:R / 1000%:R * (1 + lambda) * d%:R <= a%:R / b%:R :> R ->
  (volume d radius ^ b <= 2 ^ a)%N.
Proof.
move=> b0 hab.
have m0 : (0 < 2 ^ 9)%N by rewrite expn_gt0.
have m5 : (500 <= 2 ^ 9)%N by [].
have vb := volume_bound R radius_le.
move: (2 ^ 9)%N m0 m5 vb => m m0 m5 vb.
rewrite -(leq_exp2r _ _ m0) -!expnM mulnC expnM.
apply: (@leq_trans ((2 ^ (d + 10 * radius * m)) ^ b)%N); first by rewrite leq_exp2r.
rewrite -expnM leq_exp2l // -(ler_nat R).
have b0' : 0 < b%:R :> R by rewrite ltr0n.
have m0' : 0 < m%:R :> R by rewrite ltr0n.
have := le_trans exponent_bound hab; rewrite ler_pdivl_mulr // => h.
have {}h : (d%:R / m%:R + 10%:R * radius%:R) * b%:R <= a%:R :> R.
  apply: le_trans h; rewrite ler_pmul2r // ler_add2r ler_wpmul2l ?ler0n //.
  by rewrite lef_pinv ?posrE ?ltr0n // ler_nat.
rewrite -(ler_pmul2r m0') in h.
rewrite natrM [X in _ <= X]natrM; apply: le_trans h.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite natrD !natrM; field.
by rewrite gt_eqF.
Qed.

Theorem packing (M : seq {ffun 'I_d -> bool}) : constructM close setT M ->
  [/\ uniq M,
      {in M, forall b, sqnorm (X *m sign_vector b) <= d%:R},
      {in M, forall b i, `|sign_vector b i 0| <= 1},
      {in M &, forall b c, b != c ->
         separation < sqnorm (X *m sign_vector b - X *m sign_vector c)} &
      (2 ^ d <= size M * volume d radius)%N] /\
  (forall a b : nat, (0 < b)%N ->
        11%:R / 1000%:R * (1 + lambda) * d%:R <= a%:R / b%:R :> R ->
        (2 ^ (d * b) <= size M ^ b * 2 ^ a)%N).
Proof.
move=> cM; have [uM far] := constructM_far close_refl close_sym cM.
have count : (2 ^ d <= size M * volume d radius)%N.
  have -> : (2 ^ d = #|[set: {ffun 'I_d -> bool}]|)%N by rewrite cardsT card_ffun card_bool card_ord.
  by apply: (constructM_count cM) => b; rewrite close_volume.
split; first split=> //.
- move=> b _; rewrite design_sqnorm // /sqnorm (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
  by rewrite mxE; case: (b i); rewrite ?sqrrN expr1n.
- by move=> b _ i; rewrite mxE; case: (b i); rewrite ?normrN normr1.
- by move=> b c bM cM' bc; have := far _ _ cM' bM; rewrite eq_sym bc /close -ltNge => /(_ isT).
move=> a b b0 hab; rewrite expnM; apply: (@leq_trans ((size M * volume d radius) ^ b)%N).
  by rewrite leq_exp2r.
by rewrite expnMn leq_mul2l volume_exponent ?orbT.
Qed.

Theorem packing_exists : exists M, constructM close setT M.
Proof. exact: constructM_total close_refl _. Qed.

End Claim.
