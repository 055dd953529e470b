(** Averages over learners (adaptive decision trees that toss finite dice), and
    the posterior means by which a prior on the labels bounds their cost.

    Symbols:
      agree D o o' == the outcomes o and o' agree on D
      cyl D o f    == the sum of f over the outcomes that agree with o on D

    Selected results:
      averageD, averageZ, average_le == averages are linear and monotone
      read_all_average               == reading some labels, then answering
      draws_are_learner              == drawing without looking, then reading, is a learner
      cyl_split                      == a cylinder sum, one more label read
      bayes                          == a bound at every leaf bounds the mean over the prior *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Learner.
Variables (R : realFieldType) (n d : nat).
Local Notation learner := (learner R n d).
Local Notation valid := (@valid R n d).
Local Notation average := (@average R n d).
Local Notation always := (@always R n d).
Local Notation read_all := (@read_all R n d).

Lemma average_eq g g' Y seen T : (forall D beta, g D beta = g' D beta) ->
  average g Y seen T = average g' Y seen T.
Proof.
move=> e; elim: T seen => [beta|x next IH|J w next IH] seen //=.
by apply: eq_bigr => j _; rewrite IH.
Qed.

Lemma averageD g g' Y seen T :
  average (fun D beta => g D beta + g' D beta) Y seen T = average g Y seen T + average g' Y seen T.
Proof.
elim: T seen => [beta|x next IH|J w next IH] seen //=.
by rewrite -big_split; apply: eq_bigr => j _; rewrite IH mulrDr.
Qed.

Lemma averageZ c g Y seen T :
  average (fun D beta => c * g D beta) Y seen T = c * average g Y seen T.
Proof.
elim: T seen => [beta|x next IH|J w next IH] seen //=.
by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite IH mulrCA.
Qed.

Lemma average_const c Y seen T : valid T -> average (fun _ _ => c) Y seen T = c.
Proof.
elim: T seen => [beta|x next IH|J w next IH] seen //= vT; first exact: IH.
have [_ w1 vn] := vT.
rewrite (eq_bigr (fun j => w j * c)) => [|j _]; last by rewrite IH.
by rewrite -mulr_suml w1 mul1r.
Qed.

Lemma average_le g g' Y seen T : valid T -> (forall D beta, g D beta <= g' D beta) ->
  average g Y seen T <= average g' Y seen T.
Proof.
move=> vT le; elim: T seen vT => [beta|x next IH|J w next IH] seen //= vT; first exact: IH.
have [w0 _ vn] := vT.
by apply: ler_sum => j _; apply: ler_wpmul2l => //; apply: IH.
Qed.

Lemma always_imp (P Q : {set 'I_n} -> 'cV[R]_d -> Prop) Y seen T :
  (forall D beta, P D beta -> Q D beta) -> always P Y seen T -> always Q Y seen T.
Proof.
move=> PQ; elim: T seen => [beta|x next IH|J w next IH] seen //=; [exact: PQ | exact: IH |].
by move=> h j wj; apply: IH; apply: h.
Qed.

(* A procedure that draws j with probability weight j, whatever the labels    *)
(* are, then reads the labels of the points in xs j and answers with a        *)
(* function of these labels is a learner. Algorithm 1 is of this kind: j is   *)
(* the sequence of draws, xs j its points in X1, out j the weighted least     *)
(* squares solution (every label, for sequences that did not stop in time).   *)
Section Draws.
Variables (J : finType) (weight : J -> R) (xs : J -> seq 'I_n).
Variable out : J -> 'cV[R]_n -> 'cV[R]_d.
Local Notation draws_learner := (draws_learner weight xs out).

Lemma read_all_valid answer zs known : valid (read_all answer zs known).
Proof. by elim: zs known => //= z zs IH known y; apply: IH. Qed.

Lemma read_all_average g (Y : 'cV[R]_n) (answer : 'cV[R]_n -> 'cV[R]_d) (zs : seq 'I_n)
    (known : 'cV[R]_n) (seen : {set 'I_n}) :
  (forall Y' : 'cV[R]_n, {in seen, forall x, Y' x 0 = Y x 0} -> {in zs, forall x, Y' x 0 = Y x 0} ->
     answer Y' = answer Y) ->
  {in seen, forall x, known x 0 = Y x 0} ->
  average g Y seen (read_all answer zs known) = g (seen :|: [set x in zs]) (answer Y).
Proof.
elim: zs known seen => [|z zs IH] known seen dep kn /=.
  by rewrite (_ : seen :|: _ = seen) ?dep //; apply/setP => x; rewrite !inE orbF.
rewrite IH; first by congr g; apply/setP => x; rewrite !inE orbCA orbA.
  move=> Y' s1 s2; apply: dep => x xs'; first by apply: s1; rewrite inE xs' orbT.
  move: xs'; rewrite inE => /predU1P[->|]; last exact: s2.
  by apply: s1; rewrite !inE eqxx.
move=> x; rewrite !inE mxE; case: eqP => [-> //|_ /= xs']; exact: kn.
Qed.

Hypothesis weight_ge0 : forall j, 0 <= weight j.
Hypothesis weight_sum : \sum_j weight j = 1.
Hypothesis local : forall j (Y Y' : 'cV[R]_n), {in xs j, forall x, Y x 0 = Y' x 0} -> out j Y = out j Y'.

Theorem draws_are_learner :
  [/\ valid draws_learner,
      forall f Y, average (fun _ beta => f beta) Y set0 draws_learner =
                  \sum_j weight j * f (out j Y) &
      forall Y, expected_labels Y draws_learner = \sum_j weight j * #|[set x in xs j]|%:R].
Proof.
have av g Y : average g Y set0 draws_learner =
    \sum_j weight j * g [set x in xs j] (out j Y).
  apply: eq_bigr => j _; congr (_ * _).
  have := @read_all_average g Y (out j) (xs j) 0 set0; rewrite set0U; apply=> [Y' _ h|x].
    exact: local.
  by rewrite inE.
split; first by split=> // j; apply: read_all_valid.
  by move=> f Y; rewrite av.
by move=> Y; rewrite /expected_labels av.
Qed.

Lemma read_all_always m Y answer (zs : seq 'I_n) known (seen : {set 'I_n}) : (#|seen| + size zs <= m)%N ->
  always (fun D _ => #|D| <= m)%N Y seen (read_all answer zs known).
Proof.
elim: zs known seen => [|z zs IH] known seen /=; first by rewrite addn0.
move=> h; apply: IH; apply: leq_trans h; rewrite addnS -addSn leq_add2r.
by rewrite cardsU1 -add1n leq_add2r; case: (z \notin _).
Qed.

Lemma draws_at_most m : (forall j, size (xs j) <= m)%N -> reads_at_most m draws_learner.
Proof. by move=> h Y j _; apply: read_all_always; rewrite cards0 add0n. Qed.

End Draws.

End Learner.

(* Functions on a finite set of outcomes, one at a time: sums over the        *)
(* functions that agree with o on D.                                          *)
Section Cylinder.
Variables (R : realFieldType) (I B : finType).
Implicit Types (D : {set I}) (o : {ffun I -> B}).

Definition agree D o o' := [forall (x | x \in D), o x == o' x].
Definition upd o x b : {ffun I -> B} := [ffun z => if z == x then b else o z].
Definition cyl D o (f : {ffun I -> B} -> R) : R := \sum_(o' | agree D o' o) f o'.

Lemma agreeP D o o' : reflect {in D, forall x, o x = o' x} (agree D o o').
Proof. by apply: (iffP forall_inP) => h x /h /eqP. Qed.

Lemma agree_refl D o : agree D o o.
Proof. by apply/agreeP. Qed.

Lemma cyl_split D o x f : x \notin D -> cyl D o f = \sum_b cyl (x |: D) (upd o x b) f.
Proof.
move=> xD; rewrite /cyl (partition_big (fun o' : {ffun I -> B} => o' x) xpredT) //=.
apply: eq_bigr => b _; apply: eq_bigl => o'; apply/andP/agreeP.
  move=> [/agreeP h /eqP xb] z; rewrite !inE ffunE; case: eqP => [-> //|_ /= zD]; exact: h.
move=> h; split; last by have := h x; rewrite !inE ffunE eqxx => /(_ isT) ->.
apply/agreeP => z zD; have := h z; rewrite !inE ffunE zD orbT => /(_ isT).
by case: eqP => // zx; rewrite -zx zD in xD.
Qed.

Lemma cyl_full o f : cyl setT o f = f o.
Proof.
rewrite /cyl (big_pred1 o) // => o'; apply/agreeP/eqP => [h|-> //].
by apply/ffunP => x; apply: h.
Qed.

Lemma cyl_empty o f : cyl set0 o f = \sum_o' f o'.
Proof. by apply: eq_bigl => o'; apply/agreeP => x; rewrite inE. Qed.

(* Harmonic in the outcomes: its sum over a cylinder is its value there.      *)
Lemma cyl_harmonic (H : {set I} -> {ffun I -> B} -> R) :
  (forall D o x, x \notin D -> H D o = \sum_b H (x |: D) (upd o x b)) ->
  forall D o, cyl D o (H setT) = H D o.
Proof.
move=> harm D; have [m] := ubnP #|~: D|; elim: m D => // m IHm D Dm o.
have [DT|[x]] := set_0Vmem (~: D).
  have -> : D = setT by rewrite -[D]setCK DT setC0.
  by rewrite cyl_full.
rewrite inE => xD; rewrite (harm D o x) // (cyl_split _ _ xD); apply: eq_bigr => b _.
apply: IHm; rewrite ltnS in Dm; apply: leq_trans Dm; apply: proper_card; apply/properP; split.
  by rewrite setCS subsetUr.
by exists x; rewrite !inE ?eqxx.
Qed.

Lemma cylZ D o c f : cyl D o (fun o' => c * f o') = c * cyl D o f.
Proof. by rewrite /cyl mulr_sumr. Qed.

Lemma cylD D o f g : cyl D o (fun o' => f o' + g o') = cyl D o f + cyl D o g.
Proof. by rewrite /cyl big_split. Qed.

Lemma cyl_sum D o (J : finType) (f : J -> {ffun I -> B} -> R) :
  cyl D o (fun o' => \sum_j f j o') = \sum_j cyl D o (f j).
Proof. by rewrite /cyl exchange_big. Qed.

End Cylinder.

(* If every leaf's cylinder sum is nonnegative, so is the whole tree's: the   *)
(* learner knows of the outcomes only what it has read.                       *)
Section Bayes.
Variables (R : realFieldType) (n d : nat) (B : finType) (label : B -> R).

Definition labels_of (o : {ffun 'I_n -> B}) : 'cV[R]_n := \col_x label (o x).

Lemma bayes (P : {set 'I_n} -> 'cV[R]_d -> Prop)
    (g : {ffun 'I_n -> B} -> {set 'I_n} -> 'cV[R]_d -> R) :
  (forall D beta o, P D beta -> 0 <= cyl D o (fun o' => g o' D beta)) ->
  forall (T : learner R n d) D o, valid T ->
  (forall o', agree D o' o -> always P (labels_of o') D T) ->
  0 <= cyl D o (fun o' => average (g o') (labels_of o') D T).
Proof.
move=> leaf; elim=> [beta|x next IH|J w next IH] D o /= vT alw.
- by apply: leaf; apply: (alw o); apply: agree_refl.
- have [xD|xD] := boolP (x \in D).
    have xDD : x |: D = D by apply/setUidPr; rewrite sub1set.
    rewrite [X in 0 <= X](_ : _ = cyl D o (fun o' => average (g o') (labels_of o') D (next (label (o x))))).
      apply: IH; first exact: vT.
      by move=> o' ao'; have := alw _ ao'; rewrite xDD mxE; have /agreeP-> := ao'.
    by apply: eq_bigr => o' /agreeP ao'; rewrite xDD mxE ao'.
  rewrite (cyl_split _ _ xD); apply: sumr_ge0 => b _.
  have ob o' : agree (x |: D) o' (upd o x b) -> o' x = b.
    by move/agreeP => h; rewrite h ?inE ?eqxx // ffunE eqxx.
  have od o' : agree (x |: D) o' (upd o x b) -> agree D o' o.
    move/agreeP => h; apply/agreeP => z zD; rewrite h ?inE ?zD ?orbT // ffunE.
    by case: eqP => // zx; rewrite -zx zD in xD.
  rewrite [X in 0 <= X](_ : _ = cyl (x |: D) (upd o x b)
            (fun o' => average (g o') (labels_of o') (x |: D) (next (label b)))).
    apply: IH; first exact: vT.
    by move=> o' ao'; have := alw _ (od _ ao'); rewrite mxE (ob _ ao').
  by apply: eq_bigr => o' ao'; rewrite mxE (ob _ ao').
have [w0 _ vn] := vT.
rewrite cyl_sum; apply: sumr_ge0 => j _; rewrite cylZ.
have [->|wj] := eqVneq (w j) 0; first by rewrite mul0r.
apply: mulr_ge0 => //; apply: IH => // o' ao'; exact: (alw _ ao' j wj).
Qed.

End Bayes.
