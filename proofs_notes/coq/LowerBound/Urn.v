(** A Polya urn a row: the labels of a row are blocks of N signs drawn from
    one symmetric urn. Functions of the plus and minus counts that are
    harmonic for the urn give the posterior mean and variance of a row's sum.

    Symbols:
      urn x y         == P(x pluses and y minuses, in one order)
      spread          == 4bc/((b + c)(b + c + 1)), the mean spread of the urn
      pluses, minuses == how many signs of a row were seen
      prior           == the law of all labels

    Selected results:
      block                    == a harmonic function, N signs at a time
      martingale_harmonic      == martingales of the urn give harmonic functions
      posterior                == posterior expectations as cylinder sums
      leaf_row                 == the posterior variance of a row at a leaf, from below
      mean_square, mean_spread == prior means *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions Learner.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Harmonic.
Variables (R : realFieldType) (alpha : R).
Hypothesis alpha_gt0 : 0 < alpha.

Definition harmonic (f : nat -> nat -> R) := forall x y, f x y = f x.+1 y + f x y.+1.

Lemma block f N x y : harmonic f ->
  \sum_(j < N.+1) 'C(N, j)%:R * f (x + j)%N (y + (N - j))%N = f x y.
Proof.
move=> hf; elim: N x y => [|N IHN] x y.
  by rewrite big_ord1 bin0 mul1r subn0 !addn0.
rewrite hf -[f x.+1 y]IHN -[f x y.+1]IHN.
rewrite big_ord_recl /= bin0 mul1r addn0 subn0.
rewrite (eq_bigr (fun i : 'I_N.+1 => 'C(N, i)%:R * f (x.+1 + i)%N (y + (N - i))%N +
                                     'C(N, i.+1)%:R * f (x + i.+1)%N (y + (N - i))%N)); last first.
  by move=> i _; rewrite /bump /= add1n binS natrD mulrDl subSS addSnnS addrC.
rewrite big_split /= addrCA; congr (_ + _).
rewrite [RHS]big_ord_recl /= bin0 mul1r addn0 subn0 addSnnS; congr (_ + _).
rewrite big_ord_recr /= bin_small ?mul0r ?addr0 //; apply: eq_bigr => i _.
by rewrite /bump /= add1n addSnnS -subSn ?subSS //.
Qed.

Definition rising (a : R) (k : nat) : R := \prod_(i < k) (a + i%:R).

(* Probability that given x + y draws are given x pluses and y minuses.       *)
Definition urn (x y : nat) : R := rising alpha x * rising alpha y / rising (alpha + alpha) (x + y).

Let a (x : nat) : R := alpha + x%:R.

Lemma a_gt0 x : 0 < a x.
Proof. by apply: ltr_paddr => //; apply: ler0n. Qed.

Lemma aS x : a x.+1 = a x + 1.
Proof. by rewrite /a -addn1 natrD addrA. Qed.

Lemma rising_gt0 (b : R) k : 0 < b -> 0 < rising b k.
Proof. by move=> b0; apply: prodr_gt0 => i _; apply: ltr_paddr => //; apply: ler0n. Qed.

Lemma rising_S (b : R) k : rising b k.+1 = rising b k * (b + k%:R).
Proof. by rewrite /rising big_ord_recr. Qed.

Lemma urn_gt0 x y : 0 < urn x y.
Proof. by apply: divr_gt0; [apply: mulr_gt0|]; apply: rising_gt0; rewrite ?addr_gt0. Qed.

Lemma urn00 : urn 0 0 = 1.
Proof. by rewrite /urn /rising !big_ord0 mulr1 divr1. Qed.

Lemma total_a x y : alpha + alpha + (x + y)%:R = a x + a y.
Proof. by rewrite /a natrD; ring. Qed.

Lemma urnSx x y : urn x.+1 y = urn x y * (a x / (a x + a y)).
Proof.
rewrite /urn addSn !rising_S total_a -/(a x).
have h1 : rising (alpha + alpha) (x + y) != 0 by rewrite gt_eqF ?rising_gt0 ?addr_gt0.
have h2 : a x + a y != 0 by rewrite gt_eqF //; apply: addr_gt0; apply: a_gt0.
by field; rewrite ?h1 ?h2.
Qed.

Lemma urnSy x y : urn x y.+1 = urn x y * (a y / (a x + a y)).
Proof.
rewrite /urn addnS !rising_S total_a -/(a y).
have h1 : rising (alpha + alpha) (x + y) != 0 by rewrite gt_eqF ?rising_gt0 ?addr_gt0.
have h2 : a x + a y != 0 by rewrite gt_eqF //; apply: addr_gt0; apply: a_gt0.
by field; rewrite ?h1 ?h2.
Qed.

(* In the coordinates a = alpha + pluses, b = alpha + minuses.                *)
Definition spread (b c : R) : R := 4%:R * b * c / ((b + c) * (b + c + 1)).
Definition second_moment (q e b c : R) : R :=
  (e - (b - c) * q / (b + c)) ^+ 2 + q * (q - (b + c)) / (b + c) * spread b c.

Definition martingale (h : R -> R -> R) := forall b c : R, 0 < b -> 0 < c ->
  h b c = b / (b + c) * h (b + 1) c + c / (b + c) * h b (c + 1).

Lemma martingale_harmonic h : martingale h -> harmonic (fun x y => urn x y * h (a x) (a y)).
Proof.
by move=> hh x y; rewrite hh ?a_gt0 // urnSx urnSy -!aS mulrDr !mulrA.
Qed.

Lemma one_martingale : martingale (fun _ _ => 1).
Proof.
move=> b c b0 c0; have bc : b + c != 0 by rewrite gt_eqF ?addr_gt0.
by field.
Qed.

Lemma spread_martingale : martingale spread.
Proof.
move=> b c b0 c0; have bc : 0 < b + c by rewrite addr_gt0.
have n0 : b + c != 0 by rewrite gt_eqF.
have n1 : b + c + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have n2 : b + c + 1 + 1 != 0 by rewrite gt_eqF // !addr_gt0 ?ltr01.
rewrite /spread.
have -> : b + 1 + c = b + c + 1 by ring.
have -> : b + (c + 1) = b + c + 1 by ring.
by field; rewrite n0 n1 n2.
Qed.

Lemma second_moment_martingale q e : martingale (second_moment q e).
Proof.
move=> b c b0 c0; have bc : 0 < b + c by rewrite addr_gt0.
have n0 : b + c != 0 by rewrite gt_eqF.
have n1 : b + c + 1 != 0 by rewrite gt_eqF // addr_gt0 ?ltr01.
have n2 : b + c + 1 + 1 != 0 by rewrite gt_eqF // !addr_gt0 ?ltr01.
rewrite /second_moment /spread.
have -> : b + 1 + c = b + c + 1 by ring.
have -> : b + (c + 1) = b + c + 1 by ring.
by field; rewrite n0 n1 n2.
Qed.

Lemma spread_ge0 b c : 0 < b -> 0 < c -> 0 <= spread b c.
Proof.
move=> b0 c0; rewrite /spread; apply: divr_ge0; first by rewrite !mulr_ge0 ?ler0n ?ltW.
by apply: mulr_ge0; rewrite ?addr_ge0 ?ler01 ?ltW.
Qed.

Lemma spread_le1 b c : 0 < b -> 0 < c -> spread b c <= 1.
Proof.
move=> b0 c0; have bc : 0 < b + c by rewrite addr_gt0.
rewrite /spread ler_pdivr_mulr; last by rewrite mulr_gt0 // addr_gt0 ?ltr01.
rewrite mul1r -subr_ge0 [X in 0 <= X](_ : _ = (b - c) ^+ 2 + (b + c)); last by ring.
by rewrite addr_ge0 ?sqr_ge0 ?ltW.
Qed.

(* The tangent at k = kappa of the posterior variance per unit of spread.     *)
Lemma second_moment_tangent q e b c kappa : 0 < b -> 0 < c -> 0 < kappa ->
  (q ^+ 2 * (2%:R / kappa - (b + c) / kappa ^+ 2) - q) * spread b c <= second_moment q e b c.
Proof.
move=> b0 c0 k0; have bc : 0 < b + c by rewrite addr_gt0.
have n0 : b + c != 0 by rewrite gt_eqF.
have k0' : kappa != 0 by rewrite gt_eqF.
apply: le_trans (_ : q * (q - (b + c)) / (b + c) * spread b c <= _); last first.
  by rewrite /second_moment ler_addr sqr_ge0.
apply: ler_wpmul2r; first exact: spread_ge0.
rewrite -subr_ge0 [X in 0 <= X](_ : _ = q ^+ 2 * (kappa - (b + c)) ^+ 2 / (b + c) / kappa ^+ 2); last first.
  by field; rewrite n0 k0'.
apply: divr_ge0; last exact: sqr_ge0.
by apply: divr_ge0; [rewrite mulr_ge0 ?sqr_ge0 | apply: ltW].
Qed.

Lemma second_moment_end q e b c : 0 < b -> 0 < c -> b + c = q ->
  second_moment q e b c = (e - (b - c)) ^+ 2.
Proof.
move=> b0 c0 bc; rewrite /second_moment bc subrr mulr0 !mul0r addr0 mulfK //.
by rewrite -bc gt_eqF ?addr_gt0.
Qed.

End Harmonic.

Section Rows.
Variables (R : realFieldType) (alpha : R) (I : finType) (d N : nat) (coordinate : I -> 'I_d).
Hypothesis alpha_gt0 : 0 < alpha.

(* An outcome: how many of the N signs of each label are plus.                *)
Local Notation outcome := {ffun I -> 'I_N.+1}.
Implicit Types (D : {set I}) (o : outcome) (i : 'I_d).

Definition pluses (i : 'I_d) D o : nat := (\sum_(x in D | coordinate x == i) o x)%N.
Definition minuses (i : 'I_d) D o : nat := (\sum_(x in D | coordinate x == i) (N - o x))%N.

Definition weigh (f : 'I_d -> nat -> nat -> R) D o : R :=
  (\prod_(x in D) 'C(N, o x)%:R) * \prod_i f i (pluses i D o) (minuses i D o).

Lemma count_upd (F : 'I_N.+1 -> nat) i D o x b : x \notin D ->
  (\sum_(z in x |: D | coordinate z == i) F (upd o x b z) =
   (if coordinate x == i then F b else 0) + \sum_(z in D | coordinate z == i) F (o z))%N.
Proof.
move=> xD; rewrite big_mkcondr big_setU1 //= ffunE eqxx; congr (_ + _)%N.
rewrite -big_mkcondr /=; apply: eq_bigr => z /andP[zD _]; rewrite ffunE.
by case: eqP => // zx; rewrite -zx zD in xD.
Qed.

Lemma weigh_harmonic f : (forall i, harmonic (f i)) ->
  forall D o x, x \notin D -> weigh f D o = \sum_b weigh f (x |: D) (upd o x b).
Proof.
move=> hf D o x xD; rewrite /weigh.
have cs b : \prod_(z in x |: D) 'C(N, upd o x b z)%:R =
            'C(N, b)%:R * \prod_(z in D) 'C(N, o z)%:R :> R.
  rewrite big_setU1 //= ffunE eqxx; congr (_ * _); apply: eq_bigr => z zD; rewrite ffunE.
  by case: eqP => // zx; rewrite -zx zD in xD.
have ps i b : pluses i (x |: D) (upd o x b) = ((if coordinate x == i then b : nat else 0) + pluses i D o)%N.
  exact: (@count_upd (fun b => b : nat)).
have ms i b : minuses i (x |: D) (upd o x b) = ((if coordinate x == i then N - b else 0) + minuses i D o)%N.
  exact: (@count_upd (fun b => N - b)%N).
rewrite (bigD1 (coordinate x)) //= -(block N _ _ (hf (coordinate x))).
rewrite mulr_suml mulr_sumr; apply: eq_bigr => b _.
rewrite cs [in RHS](bigD1 (coordinate x)) //= ps ms eqxx.
rewrite [in RHS](eq_bigr (fun i => f i (pluses i D o) (minuses i D o))); last first.
  by move=> i ix; rewrite ps ms eq_sym (negbTE ix).
rewrite [(_ + pluses _ _ _)%N in RHS]addnC [(_ + minuses _ _ _)%N in RHS]addnC.
by rewrite -!mulrA [LHS]mulrCA.
Qed.

Definition prior : outcome -> R := weigh (fun _ => urn alpha) setT.

Let a (i : 'I_d) D o : R := alpha + (pluses i D o)%:R.
Let b (i : 'I_d) D o : R := alpha + (minuses i D o)%:R.

Lemma weigh_row h i D o :
  weigh (fun j x y => if j == i then urn alpha x y * h (alpha + x%:R) (alpha + y%:R) else urn alpha x y) D o =
  weigh (fun _ => urn alpha) D o * h (a i D o) (b i D o).
Proof.
rewrite /weigh (bigD1 i) //= [in RHS](bigD1 i) //= eqxx.
rewrite (eq_bigr (fun j => urn alpha (pluses j D o) (minuses j D o))) => [|j /negbTE -> //].
by rewrite -[RHS]mulrA; congr (_ * _); rewrite [LHS]mulrAC.
Qed.

Lemma urn_harmonic : harmonic (urn alpha).
Proof.
have := martingale_harmonic alpha_gt0 (@one_martingale R) => h x y.
by have := h x y; rewrite !mulr1.
Qed.

Lemma row_harmonic h i : martingale h -> forall j : 'I_d, harmonic
  (fun x y => if j == i then urn alpha x y * h (alpha + x%:R) (alpha + y%:R) else urn alpha x y).
Proof.
move=> hh j; case: (j == i); first exact: martingale_harmonic.
exact: urn_harmonic.
Qed.

(* The posterior expectation of a row's martingale is its current value.      *)
Lemma posterior h i D o : martingale h ->
  cyl D o (fun o' => prior o' * h (a i setT o') (b i setT o')) =
  weigh (fun _ => urn alpha) D o * h (a i D o) (b i D o).
Proof.
move=> hh; rewrite -weigh_row -(cyl_harmonic (weigh_harmonic (row_harmonic i hh))).
by apply: eq_bigr => o' _; rewrite weigh_row.
Qed.

Lemma posterior1 D o : cyl D o prior = weigh (fun _ => urn alpha) D o.
Proof. exact: (cyl_harmonic (weigh_harmonic (fun _ => urn_harmonic))). Qed.

Lemma weigh_ge0 D o : 0 <= weigh (fun _ => urn alpha) D o.
Proof.
apply: mulr_ge0; first by apply: prodr_ge0 => x _; apply: ler0n.
by apply: prodr_ge0 => i _; apply: ltW; apply: urn_gt0.
Qed.

Lemma prior_ge0 o : 0 <= prior o. Proof. exact: weigh_ge0. Qed.

Lemma weigh0 o : weigh (fun _ => urn alpha) set0 o = 1.
Proof.
rewrite /weigh big_set0 mul1r big1 // => i _.
by rewrite /pluses /minuses !big_pred0 ?urn00 // => x; rewrite inE.
Qed.

Lemma count0 i o : (pluses i set0 o = 0)%N /\ (minuses i set0 o = 0)%N.
Proof. by rewrite /pluses /minuses !big_pred0 // => x; rewrite inE. Qed.

Lemma prior_sum : \sum_o prior o = 1.
Proof. by rewrite -(cyl_empty [ffun=> ord0]) posterior1 weigh0. Qed.

(* Number of labels read in row i.                                            *)
Definition read_in (i : 'I_d) D : nat := #|[set x in D | coordinate x == i]|.

Lemma counts i D o : (pluses i D o + minuses i D o = N * read_in i D)%N.
Proof.
rewrite /pluses /minuses -big_split /= (eq_bigr (fun=> N)).
  by rewrite sum_nat_const mulnC; congr (_ * _)%N; apply: eq_card => x; rewrite !inE.
by move=> x _; rewrite subnKC // -ltnS.
Qed.

Lemma read_in_sum D : (\sum_i read_in i D = #|D|)%N.
Proof.
rewrite -[RHS]sum1_card (partition_big coordinate xpredT) //=; apply: eq_bigr => i _.
by rewrite sum1_card; apply: eq_card => x; rewrite !inE.
Qed.

(* Sum of the signs of row i: pluses minus minuses.                           *)
Definition row_sum i o : R := (pluses i setT o)%:R - (minuses i setT o)%:R.
Definition row_spread i o : R := spread (a i setT o) (b i setT o).

Variable n : nat.
Hypothesis fibre : forall i, read_in i setT = n.

Let A : R := alpha + alpha.
Let q : R := A + N%:R * n%:R.

Lemma ab_sum i D o : a i D o + b i D o = A + N%:R * (read_in i D)%:R.
Proof. by rewrite /a /b addrACA -natrD counts natrM. Qed.

Lemma a_pos i D o : 0 < a i D o. Proof. exact: a_gt0. Qed.
Lemma b_pos i D o : 0 < b i D o. Proof. exact: a_gt0. Qed.

Lemma posterior_square i e D o :
  cyl D o (fun o' => prior o' * (e - row_sum i o') ^+ 2) =
  weigh (fun _ => urn alpha) D o * second_moment q e (a i D o) (b i D o).
Proof.
rewrite -posterior; last exact: second_moment_martingale.
apply: eq_bigr => o' _; congr (_ * _).
rewrite second_moment_end ?a_pos ?b_pos ?ab_sum ?fibre //; congr (_ ^+ 2); congr (_ - _).
by rewrite /row_sum /a /b; ring.
Qed.

Lemma posterior_spread i D o :
  cyl D o (fun o' => prior o' * row_spread i o') =
  weigh (fun _ => urn alpha) D o * spread (a i D o) (b i D o).
Proof. by rewrite -posterior //; apply: spread_martingale. Qed.

Lemma leaf_row kappa i e D o : 0 < kappa ->
  0 <= cyl D o (fun o' => prior o' *
    ((e - row_sum i o') ^+ 2 - (q ^+ 2 * (2%:R / kappa - A / kappa ^+ 2) - q) * row_spread i o' +
     q ^+ 2 * N%:R / kappa ^+ 2 * (read_in i D)%:R)).
Proof.
move=> k0.
set c0 := _ - q; set c1 := _ / kappa ^+ 2.
have -> : cyl D o (fun o' => prior o' * ((e - row_sum i o') ^+ 2 - c0 * row_spread i o' + c1 * (read_in i D)%:R)) =
  cyl D o (fun o' => prior o' * (e - row_sum i o') ^+ 2) +
  (- c0) * cyl D o (fun o' => prior o' * row_spread i o') +
  c1 * (read_in i D)%:R * cyl D o prior.
  by rewrite -!cylZ -!cylD; apply: eq_bigr => o' _; ring.
rewrite posterior_square posterior_spread posterior1.
set W := weigh _ D o.
rewrite [X in 0 <= X](_ : _ = W * (second_moment q e (a i D o) (b i D o)
   - c0 * spread (a i D o) (b i D o) + c1 * (read_in i D)%:R)); last by ring.
apply: mulr_ge0; first exact: weigh_ge0.
have t := second_moment_tangent q e (a_pos i D o) (b_pos i D o) k0.
have s1 := spread_le1 (a_pos i D o) (b_pos i D o).
rewrite ab_sum in t; set s := spread _ _ in t s1 *.
have k0' : kappa != 0 by rewrite gt_eqF.
have c1k : 0 <= c1 * (read_in i D)%:R.
  apply: mulr_ge0; last exact: ler0n.
  by apply: divr_ge0; [apply: mulr_ge0; [exact: sqr_ge0 | exact: ler0n] | exact: sqr_ge0].
have e0 : q ^+ 2 * (2%:R / kappa - (A + N%:R * (read_in i D)%:R) / kappa ^+ 2) - q =
          c0 - c1 * (read_in i D)%:R by rewrite /c0 /c1; field.
rewrite e0 in t.
apply: le_trans (_ : c1 * (read_in i D)%:R * (1 - s) <= _); first by rewrite mulr_ge0 // subr_ge0.
by rewrite -subr_ge0 in t; rewrite -subr_ge0; apply: le_trans t _; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
Qed.

Lemma mean_square i : \sum_o prior o * row_sum i o ^+ 2 = q * (q - A) / (A + 1).
Proof.
have A0 : 0 < A by rewrite addr_gt0.
have nA : A != 0 by rewrite gt_eqF.
have nA1 : A + 1 != 0 by rewrite gt_eqF // ltr_paddr // ler01.
rewrite -(cyl_empty [ffun=> ord0]).
rewrite (_ : cyl _ _ _ = cyl set0 [ffun=> ord0] (fun o' => prior o' * (0 - row_sum i o') ^+ 2)).
  rewrite posterior_square weigh0 mul1r.
  have [p m] := count0 i [ffun=> ord0]; rewrite /a /b p m addr0 /second_moment /spread.
  rewrite -/A subrr !mul0r subr0 expr0n add0r.
  have -> : 4%:R * alpha * alpha = A ^+ 2 by rewrite /A; ring.
  by field; rewrite nA nA1.
by apply: eq_bigr => o' _; rewrite sub0r sqrrN.
Qed.

Lemma mean_spread i : \sum_o prior o * row_spread i o = A / (A + 1).
Proof.
have A0 : 0 < A by rewrite addr_gt0.
have nA : A != 0 by rewrite gt_eqF.
have nA1 : A + 1 != 0 by rewrite gt_eqF // ltr_paddr // ler01.
rewrite -(cyl_empty [ffun=> ord0]) posterior_spread weigh0 mul1r.
have [p m] := count0 i [ffun=> ord0]; rewrite /a /b p m addr0 /spread -/A.
have -> : 4%:R * alpha * alpha = A ^+ 2 by rewrite /A; ring.
by field; rewrite nA nA1.
Qed.

(* The square of one label.                                                   *)
Definition signs (j : 'I_N.+1) : R := j%:R - (N - j)%:R.

Lemma mean_label (x : I) :
  \sum_o prior o * signs (o x) ^+ 2 = (A + N%:R) * N%:R / (A + 1).
Proof.
have A0 : 0 < A by rewrite addr_gt0.
have nA : A != 0 by rewrite gt_eqF.
have nA1 : A + 1 != 0 by rewrite gt_eqF // ltr_paddr // ler01.
pose o0 : outcome := [ffun=> ord0]; pose i := coordinate x.
pose h := second_moment (A + N%:R) 0.
have x0 : x \notin set0 by rewrite inE.
have hm : martingale h by apply: second_moment_martingale.
rewrite -(cyl_empty o0) (cyl_split _ _ x0).
transitivity (\sum_c weigh (fun _ => urn alpha) (x |: set0) (upd o0 x c) *
                h (a i (x |: set0) (upd o0 x c)) (b i (x |: set0) (upd o0 x c))).
  apply: eq_bigr => c _.
  rewrite (_ : cyl _ _ _ = signs c ^+ 2 * cyl (x |: set0) (upd o0 x c) prior); last first.
    rewrite -cylZ; apply: eq_bigr => o' /agreeP /(_ x); rewrite !inE eqxx => /(_ isT) ->.
    by rewrite ffunE eqxx mulrC.
  rewrite posterior1 mulrC; congr (_ * _).
  have p1 : pluses i (x |: set0) (upd o0 x c) = c.
    by rewrite /pluses (count_upd (fun c => c : nat)) // eqxx big_pred0 ?addn0 // => z; rewrite inE.
  have m1 : minuses i (x |: set0) (upd o0 x c) = (N - c)%N.
    by rewrite /minuses (count_upd (fun c => N - c)%N) // eqxx big_pred0 ?addn0 // => z; rewrite inE.
  rewrite /h second_moment_end ?a_pos ?b_pos //; rewrite /a /b p1 m1.
    by rewrite sub0r sqrrN /signs; congr (_ ^+ 2); ring.
  by rewrite addrACA -natrD subnKC // -ltnS.
under eq_bigr do rewrite -weigh_row.
rewrite -(weigh_harmonic (row_harmonic i hm)) // weigh_row weigh0 mul1r.
have [p m] := count0 i o0; rewrite /a /b p m addr0 /h /second_moment /spread.
rewrite -/A subrr !mul0r subr0 expr0n add0r.
have -> : 4%:R * alpha * alpha = A ^+ 2 by rewrite /A; ring.
by field; rewrite nA nA1.
Qed.

End Rows.
