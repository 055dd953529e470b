(** The paper's lower bound with its quantifiers in order: one design, then
    every learner, then labels on which it fails.

    Selected results:
      hard_instance       == beta* and OPT on the paper's labels
      coins_bound         == m labels are too few, at a finite n
      lower_bound_general == m > 45 R_X/eps for eps (1 + lambda) <= 1
      lower_bound         == the paper's range *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions Design Learner Urn Optimal Coins.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Finite.
Variables (R : rcfType) (d n : nat) (lambda epsilon : R).
Hypotheses (n_gt0 : (0 < n)%N) (d_gt0 : (0 < d)%N).
Hypotheses (lambda_ge0 : 0 <= lambda) (epsilon_gt0 : 0 < epsilon).

Let L := 1 + lambda.
Let L0 : 0 < L. Proof. by rewrite /L ltr_paddr ?ltr01. Qed.
Let n0 : 0 < n%:R :> R. Proof. by rewrite ltr0n. Qed.
Let nn : n%:R != 0 :> R. Proof. by rewrite gt_eqF. Qed.
Let LL : L != 0. Proof. by rewrite gt_eqF. Qed.

Lemma design_gram_unit :
  (design R d n)^T *m design R d n + (ridge_rows d lambda)^T *m ridge_rows d lambda = L%:M.
Proof.
by rewrite /ridge_rows scalar_gram sqr_sqrtr // design_gram // -raddfD.
Qed.

Lemma design_least_squares (z : 'I_(rows d n) -> R) :
  least_squares (design R d n) (ridge_rows d lambda) (\col_x (z x / Num.sqrt n%:R)) 0 =
  \col_i (fibre_sum z i / (n%:R * (1 + lambda))).
Proof.
rewrite /least_squares design_gram_unit mulmx0 addr0 invmx_scalar mul_scalar_mx.
apply/matrixP => i j; rewrite (ord1 j) !mxE.
rewrite (eq_bigr (fun x => if coordinate x == i then z x / n%:R else 0)); last first.
  move=> x _; rewrite !mxE; case: (coordinate x == i); rewrite ?mul0r // mul1r mulrCA -expr2.
  by rewrite exprVn sqrt_n.
by rewrite -big_mkcond /= -mulr_suml -/(fibre_sum z i) mulrC invfM mulrA.
Qed.

Lemma design_optimum (z : 'I_(rows d n) -> R) :
  optimum (design R d n) (ridge_rows d lambda) (\col_x (z x / Num.sqrt n%:R)) 0 = best_loss lambda z.
Proof. by rewrite /optimum design_least_squares best_loss_attained. Qed.

(* The paper's instance with the noise's limit moments: signs s, and noise    *)
(* that sums to 0 with mean square (1 + lambda)/epsilon in every row.         *)
Theorem hard_instance (s : {ffun 'I_d -> bool}) (noise : 'I_(rows d n) -> R) :
  (forall i, fibre_sum noise i = 0) ->
  (forall i, fibre_sum (fun x => noise x ^+ 2) i = n%:R * ((1 + lambda) / epsilon)) ->
  let sign i : R := if s i then 1 else -1 in
  let Y := \col_x (((1 + lambda) * sign (coordinate x) + noise x) / Num.sqrt n%:R) in
  least_squares (design R d n) (ridge_rows d lambda) Y 0 = \col_i sign i /\
  optimum (design R d n) (ridge_rows d lambda) Y 0 =
    d%:R * (lambda * (1 + lambda) + (1 + lambda) / epsilon).
Proof.
move=> n1 n2 sign Y.
have ss i : sign i ^+ 2 = 1 by rewrite /sign; case: (s i); rewrite ?sqrrN expr1n.
pose w x := (1 + lambda) * sign (coordinate x) + noise x.
have S i : fibre_sum w i = n%:R * ((1 + lambda) * sign i).
  rewrite /fibre_sum big_split /= -/(fibre_sum noise i) n1 addr0 -(sum_fibre_const n i).
  by apply: eq_bigr => x /eqP ->.
have Q i : fibre_sum (fun x => w x ^+ 2) i = n%:R * ((1 + lambda) ^+ 2 + (1 + lambda) / epsilon).
  rewrite /fibre_sum (eq_bigr (fun x => (1 + lambda) ^+ 2 + (2%:R * (1 + lambda) * sign i * noise x + noise x ^+ 2))).
    rewrite !big_split /= sum_fibre_const -mulr_sumr -/(fibre_sum noise i) n1 mulr0 add0r.
    by rewrite -/(fibre_sum (fun x => noise x ^+ 2) i) n2 -mulrDr.
  move=> x /eqP xi; rewrite /w xi sqrrD exprMn ss mulr1.
  by move: (sign i) (noise x) => x1 x2; ring.
rewrite /Y -/w; split.
  rewrite (design_least_squares w); apply/matrixP => i j; rewrite !mxE S.
  by have := LL; rewrite /L => LL'; move: (sign i) => x1; field; rewrite nn LL'.
rewrite (design_optimum w) /best_loss sum_rows.
rewrite (eq_bigr (fun=> n%:R * ((1 + lambda) ^+ 2 + (1 + lambda) / epsilon))) => [|i _]; last exact: Q.
rewrite [X in _ - _ * X](eq_bigr (fun=> n%:R ^+ 2 * (1 + lambda) ^+ 2)) => [|i _]; last first.
  by rewrite S !exprMn ss mulr1.
have sumc (c : R) : \sum_(x < d) c = d%:R * c by rewrite sumr_const card_ord mulr_natl.
rewrite !sumc; have := LL; rewrite /L => LL'; field.
by rewrite nn LL' gt_eqF.
Qed.

Let outcome := {ffun 'I_(rows d n) -> bool}.
Let z (o : outcome) (x : 'I_(rows d n)) : R := coin R (o x).
Let label (b : bool) : R := coin R b / Num.sqrt n%:R.
Let C (beta : 'cV[R]_d) (i : 'I_d) : R := n%:R * L * beta i 0.

Let fibre (i : 'I_d) : read_in (@coordinate d n) i setT = n.
Proof. by rewrite -[RHS](card_fibre n i); apply: eq_card => x; rewrite !inE. Qed.

Let labelsE o : labels_of label o = \col_x (z o x / Num.sqrt n%:R).
Proof. by apply/matrixP => x j; rewrite !mxE. Qed.

Let threshold : R := epsilon / 1000%:R * d%:R * (n%:R ^+ 2 * L).

Lemma best_loss_le o : best_loss lambda (z o) <= d%:R.
Proof.
rewrite /best_loss (eq_bigr (fun=> 1)); last first.
  by move=> x _; rewrite /z /coin; case: (o x); rewrite ?sqrrN expr1n.
have sumc k : \sum_(x < k) (1 : R) = k%:R by rewrite sumr_const card_ord.
have rowsE : rows d n = (d * n)%N by rewrite /rows card_prod (card_ord d) (card_ord n).
rewrite sumc rowsE natrM mulrCA mulVf // mulr1 ler_subl_addr ler_addl mulr_ge0 //.
  by rewrite invr_ge0 mulr_ge0 ?sqr_ge0 // ltW.
by apply: sumr_ge0 => i _; apply: sqr_ge0.
Qed.

Lemma success_hit o beta :
  stacked_loss (design R d n) (ridge_rows d lambda) (labels_of label o) 0 beta <=
    (1 + epsilon / 1000%:R) * optimum (design R d n) (ridge_rows d lambda) (labels_of label o) 0 ->
  distance (@coordinate d n) (C beta) o <= threshold.
Proof.
rewrite labelsE design_optimum design_loss_square // mulrDl mul1r ler_add2l => h.
have n2L : 0 < n%:R ^+ 2 * L by rewrite mulr_gt0 ?exprn_gt0.
have {}h := le_trans h (ler_wpmul2l _ (best_loss_le o)).
have e0 : 0 <= epsilon / 1000%:R by rewrite divr_ge0 ?ler0n ?ltW.
move: (h e0); rewrite mulrC ler_pdivr_mulr // => {}h.
rewrite /distance /threshold; apply: le_trans h.
rewrite le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => i _; congr ((_ - _) ^+ 2).
by rewrite /total /fibre_sum; apply: eq_bigl => x; rewrite inE.
Qed.

Theorem coins_bound (T : learner R (rows d n) d) (m : nat) : valid T -> reads_at_most m T ->
  threshold <= 2%:R / 11%:R * (n%:R * d%:R - m%:R) ->
  exists Y, success_probability (design R d n) (ridge_rows d lambda) 0 (epsilon / 1000%:R) Y T
            < 3%:R / 4%:R.
Proof.
move=> vT mT hm.
have t0 : 0 < threshold.
  by rewrite /threshold !mulr_gt0 ?invr_gt0 ?exprn_gt0 ?ltr0n.
have c0 : 0 < 2%:R / 11%:R :> R by rewrite divr_gt0 ?ltr0n.
have leaf (D : {set 'I_(rows d n)}) (beta : 'cV[R]_d) (o : outcome) : (#|D| <= m)%N ->
    0 <= cyl D o (fun o' => coins R (setT : {set 'I_(rows d n)}) *
      (242%:R / 323%:R - hit (@coordinate d n) (C beta) threshold o')).
  move=> Dm.
  have mg : n%:R * d%:R - m%:R <= mean n (@coordinate d n) (C beta) D o.
    apply: le_trans (mean_ge n (@coordinate d n) (C beta) D o).
    by rewrite ler_add2l ler_opp2 ler_nat.
  have hm' : threshold <= 2%:R / 11%:R * mean n (@coordinate d n) (C beta) D o.
    by apply: le_trans hm _; rewrite ler_pmul2l.
  apply: (leaf_coins fibre) => //.
  by rewrite -(pmulr_rgt0 _ c0); apply: lt_le_trans t0 hm'.
pose Y (o : outcome) := labels_of label o.
pose s o := success_probability (design R d n) (ridge_rows d lambda) 0 (epsilon / 1000%:R) (Y o) T.
have [/existsP[o ho]|] := boolP [exists o : outcome, s o < 3%:R / 4%:R]; first by exists (Y o).
rewrite negb_exists => /forallP bad.
pose g (o : outcome) (D : {set 'I_(rows d n)}) (beta : 'cV[R]_d) : R :=
  coins R (setT : {set 'I_(rows d n)}) *
      (242%:R / 323%:R - hit (@coordinate d n) (C beta) threshold o).
have := bayes (P := fun D _ => (#|D| <= m)%N) (g := g) (label := label) leaf
   (o := [ffun=> true]) (D := set0) vT (fun o _ => mT (labels_of label o)).
rewrite cyl_empty => main.
suff : \sum_(o : outcome) average (g o) (labels_of label o) set0 T < 0 by rewrite ltNge main.
have C1 : \sum_(o : outcome) coins R (setT : {set 'I_(rows d n)}) = 1.
  rewrite -(cyl_empty [ffun=> true]) cyl_coins.
  by rewrite /coins cards0 expr0 invr1.
apply: le_lt_trans (_ : \sum_(o : outcome) coins R (setT : {set 'I_(rows d n)}) * (242%:R / 323%:R - 3%:R / 4%:R) < 0).
  apply: ler_sum => o _; rewrite averageZ; apply: ler_wpmul2l.
    by rewrite invr_ge0 exprn_ge0 ?ler0n.
  rewrite (@average_eq _ _ _ _ (fun D beta => 242%:R / 323%:R +
     (- 1) * hit (@coordinate d n) (C beta) threshold o)); last by move=> D beta; rewrite mulN1r.
  rewrite averageD average_const // averageZ mulN1r ler_add2l ler_opp2.
  have := bad o; rewrite -leNgt => h; apply: le_trans h _; apply: average_le => // D beta.
  rewrite /hit; case: ifP => [/success_hit -> //|_].
  by case: ifP => _; rewrite ?ler01.
rewrite -mulr_suml C1 mul1r subr_lt0 ltr_pdivl_mulr ?ltr0n // mulrAC ltr_pdivr_mulr ?ltr0n //.
by rewrite -!natrM ltr_nat.
Qed.

End Finite.

Section Main.
Variable R : rcfType.
Hypothesis archimedean : Num.archimedean_axiom R.

Lemma floor (x : R) : 0 <= x -> exists k : nat, k%:R <= x < k.+1%:R.
Proof.
move=> x0; have ex : exists k : nat, x < k%:R.
  by have [k hk] := archimedean x; exists k; apply: le_lt_trans (ler_norm x) hk.
case: (ex_minnP ex) => [[|k]] hk least; first by move: hk; rewrite ltNge x0.
exists k; rewrite hk andbT leNgt; apply/negP => /least.
by rewrite ltnn.
Qed.

Theorem lower_bound_general (d : nat) (lambda epsilon : R) :
  (0 < d)%N -> 0 <= lambda -> 0 < epsilon -> epsilon * (1 + lambda) <= 1 ->
  exists2 n : nat, (0 < n)%N &
    forall (T : learner R (rows d n) d) (m : nat), valid T -> reads_at_most m T ->
    (forall Y, 3%:R / 4%:R <=
       success_probability (design R d n) (ridge_rows d lambda) 0 (epsilon / 1000%:R) Y T) ->
    45%:R * stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon < m%:R.
Proof.
move=> d0 l0 e0 y1.
have L0 : 0 < 1 + lambda by rewrite ltr_paddr ?ltr01.
set y := epsilon * (1 + lambda) in y1.
have y0 : 0 < y by rewrite mulr_gt0.
have d0' : 0 < d%:R :> R by rewrite ltr0n.
pose x := 1000%:R / (11%:R * y).
have x0 : 0 <= x by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?ltW.
have [n /andP[nx xn]] := floor x0.
have n0 : (0 < n)%N.
  rewrite lt0n; apply/eqP => n0; move: xn; rewrite n0 ltNge /x.
  rewrite ler_pdivl_mulr ?mulr_gt0 ?ltr0n // mul1r.
  rewrite (le_trans (_ : _ <= 11%:R * 1)) // ?ler_pmul2l ?ltr0n //.
  by rewrite mulr1 ler_nat.
exists n => // T m vT mT good; rewrite ltNge; apply/negP => hm.
suff [Y] : exists Y, success_probability (design R d n) (ridge_rows d lambda) 0 (epsilon / 1000%:R) Y T
            < 3%:R / 4%:R by rewrite ltNge good.
apply: (coins_bound n0 d0 l0 e0 vT mT).
rewrite design_reduced_rank // in hm.
have {hm} hm : m%:R <= d%:R * (45%:R / y).
  apply: le_trans hm _; rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite /y; field.
  by rewrite !gt_eqF.
apply: le_trans (_ : 2%:R / 11%:R * (n%:R * d%:R - d%:R * (45%:R / y)) <= _); last first.
  by rewrite ler_pmul2l ?divr_gt0 ?ltr0n // ler_add2l ler_opp2.
pose eta := x - n%:R.
have eta0 : 0 <= eta by rewrite subr_ge0.
have eta1 : eta <= 1 by rewrite ler_subl_addr addrC; move: xn; rewrite -addn1 natrD => /ltW.
have nE : n%:R = x - eta :> R by rewrite /eta opprB addrC subrK.
rewrite -subr_ge0.
rewrite [X in 0 <= X](_ : _ = d%:R * (10%:R / 121%:R / y - y / 1000%:R * eta ^+ 2)); last first.
  rewrite nE -[epsilon / _ * _ * _]mulrA; rewrite /x.
  rewrite (_ : epsilon = y / (1 + lambda)); last by rewrite /y mulfK // gt_eqF.
  by clearbody y; move: eta {eta0 eta1 nE} => h; field; rewrite !gt_eqF.
apply: mulr_ge0; first exact: ltW.
rewrite subr_ge0; apply: le_trans (_ : 1000%:R^-1 <= _).
  rewrite -[X in _ <= X]mulr1 [y / _]mulrC -mulrA ler_wpmul2l ?invr_ge0 ?ler0n //.
  apply: mulr_ile1 => //; [exact: ltW | exact: sqr_ge0 | exact: exprn_ile1].
apply: le_trans (_ : 10%:R / 121%:R <= _).
  by rewrite ler_pdivl_mulr ?ltr0n // mulrC ler_pdivr_mulr ?ltr0n // -natrM ler_nat.
rewrite ler_pdivl_mulr // ler_pimulr ?divr_ge0 ?ler0n //.
Qed.

Theorem lower_bound (d : nat) (lambda epsilon : R) :
  (0 < d)%N -> 0 <= lambda <= 50%:R -> 0 < epsilon <= 100%:R^-1 ->
  exists2 n : nat, (0 < n)%N &
    forall (T : learner R (rows d n) d) (m : nat), valid T -> reads_at_most m T ->
    (forall Y, 3%:R / 4%:R <=
       success_probability (design R d n) (ridge_rows d lambda) 0 (epsilon / 1000%:R) Y T) ->
    45%:R * stacked_reduced_rank (design R d n) (ridge_rows d lambda) / epsilon < m%:R.
Proof.
move=> d0 /andP[l0 l50] /andP[e0 e1]; apply: lower_bound_general => //.
apply: le_trans (_ : 100%:R^-1 * 100%:R <= _); last by rewrite mulVf // pnatr_eq0.
apply: ler_pmul => //; [exact: ltW | by rewrite addr_ge0 ?ler01 |].
by apply: le_trans (ler_add (lexx _) l50) _; rewrite -[1]/(1%:R) -natrD ler_nat.
Qed.

End Main.
