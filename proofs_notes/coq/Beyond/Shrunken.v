(** A fixed number of labels where X2 already says a lot: the fit on the given
    labels, corrected by N independent draws by leverage, and shrunken.

      shr_mean, shr_moment == mean and second moment of one correction
      shr_excess  == E excess <= s^2 Z + (1-s)^2 (R/N) (OPT + Z)
      shr_ends    == there are exactly N draws
      shr_eps     == at s = eps (1-delta)/delta: E excess <= eps OPT *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Chain.
From Asura Require Import Beyond.NoLabel.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma bf_sumr (R : realFieldType) (d : nat) (I : finType) (B : 'M[R]_d)
    (v : 'cV[R]_d) (F : I -> 'cV[R]_d) :
  bf B v (\sum_x F x) = \sum_x bf B v (F x).
Proof. by apply: (big_morph (bf B v)) => [x y|]; [exact: bfDr | exact: bf0r]. Qed.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (delta s : R) (N : nat).
Hypothesis uG : gram X \in unitmx.
Hypothesis delta_ge0 : 0 <= delta.
Hypothesis delta_lt1 : delta < 1.
Hypothesis G1_le : psd (delta *: gram X - \sum_(x | X1 x) X x *m (X x)^T).
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Hypothesis N_gt0 : (0 < N)%N.

Local Notation G := (gram X).
Local Notation lev := (leverage_of X).
Local Notation rk := (reduced_rank X X1).
Local Notation w := (fun x : I => if X1 x then 0 else 1 : R).
Local Notation beta2 := (weighted_fit X Y w).
Local Notation e2 := (fun x => Y x - dot (X x) beta2).
Local Notation z := (betastar X Y - beta2).
Local Notation Z := (loss X Y beta2 - opt X Y).
Definition shr_law (_ : seq I) x : R := if X1 x then lev x / rk else 0.
Local Notation p := shr_law.
Definition shr_pull x := (rk / lev x * e2 x) *: (invmx G *m X x).
Local Notation pull := shr_pull.
Local Notation stop := (fun h : seq I => (N <= size h)%N).
Local Notation sum h := (\sum_(x <- h) pull x).
Local Notation fit := (fun h => beta2 + ((1 - s) / N%:R) *: sum h).

Let pG : pd G := gram_pd uG.
Let sG : G^T = G. Proof. by case: pG. Qed.
Let N0 : (0 : R) < N%:R. Proof. by rewrite ltr0n. Qed.

Lemma shr_law0 h x : 0 <= p h x.
Proof.
rewrite /shr_law; case: (X1 x); last exact: lexx.
by apply: divr_ge0; [exact: leverage_ge0 | exact: ltW].
Qed.
Lemma shr_law1 h : \sum_x p h x = 1.
Proof.
by rewrite /shr_law -big_mkcond /= -mulr_suml -rank_leverage // divff // gt_eqF.
Qed.

(** G (beta* - beta_2) = sum over X1 of e2 x. *)
Lemma shr_normal : \sum_(x | X1 x) e2 x *: X x = G *m z.
Proof.
have pW := free_pd uG delta_lt1 G1_le.
have out (x : I) : X x *m ((X x)^T *m beta2) = dot (X x) beta2 *: X x.
  by rewrite [(X x)^T *m _]mx11_scalar -dotE mul_mx_scalar.
have all : \sum_x e2 x *: X x = G *m z.
  rewrite mulmxBr {1}/betastar mulKVmx // /rhs /gram mulmx_suml -sumrB.
  by apply: eq_bigr => x _; rewrite scalerBl -mulmxA out.
have zero : \sum_(x | ~~ X1 x) e2 x *: X x = 0.
  have : weighted_gram X w *m beta2 = \sum_x (w x * Y x) *: X x.
    by rewrite /weighted_fit mulKVmx // pd_unit.
  rewrite /weighted_gram mulmx_suml => /esym/eqP; rewrite -subr_eq0 -sumrB => /eqP e0.
  rewrite -[RHS]e0 [LHS]big_mkcond /=; apply: eq_bigr => x _.
  rewrite -scalemxAl -mulmxA out; case: (X1 x).
    by rewrite mul0r !scale0r subr0.
  by rewrite mul1r scale1r scalerBl.
by rewrite -all [RHS](bigID X1) /= zero addr0.
Qed.

Lemma shr_pw x : X1 x -> (lev x / rk) *: pull x = e2 x *: (invmx G *m X x).
Proof.
move=> x1; rewrite /shr_pull; have [z0|n] := eqVneq (lev x) 0.
  have -> : X x = 0 by apply: (leverage_eq0 uG); rewrite z0.
  by rewrite mulmx0 !scaler0.
rewrite scalerA; congr (_ *: _); move: (e2 x) => y.
by field; rewrite n gt_eqF.
Qed.

Lemma shr_mean h : \sum_x p h x *: pull x = z.
Proof.
rewrite (eq_bigr (fun x => if X1 x then e2 x *: (invmx G *m X x) else 0)); last first.
  move=> x _; rewrite /shr_law; case: (boolP (X1 x)) => x1; last by rewrite scale0r.
  exact: shr_pw.
rewrite -big_mkcond /=.
have -> : \sum_(x | X1 x) e2 x *: (invmx G *m X x) = invmx G *m \sum_(x | X1 x) e2 x *: X x.
  by rewrite mulmx_sumr; apply: eq_bigr => x _; rewrite -scalemxAr.
by rewrite shr_normal mulKmx.
Qed.

Lemma shr_moment h : \sum_x p h x * qf G (pull x) <= rk * loss X Y beta2.
Proof.
rewrite /loss mulr_sumr; apply: ler_sum => x _.
have sq : (dot (X x) beta2 - Y x) ^+ 2 = e2 x ^+ 2 by rewrite -sqrrN opprB.
rewrite sq /shr_law; case: (X1 x); last by rewrite mul0r; apply: mulr_ge0; [exact: ltW | exact: sqr_ge0].
have [z0|n] := eqVneq (lev x) 0.
  by rewrite z0 !mul0r; apply: mulr_ge0; [exact: ltW | exact: sqr_ge0].
have el : qf G (invmx G *m X x) = lev x by rewrite -qf_inv.
rewrite /shr_pull qfZv el le_eqVlt; apply/orP; left; apply/eqP; move: (e2 x) => y.
by field; rewrite n gt_eqF.
Qed.

(** What the fit would miss if the rest of the draws came at their mean. *)
Local Notation a := ((1 - s) / N%:R).
Local Notation miss h := (a *: (sum h - (size h)%:R *: z) - s *: z).

Lemma shr_step h : \sum_x p h x * qf G (miss (x :: h)) <=
  qf G (miss h) + a ^+ 2 * (rk * loss X Y beta2).
Proof.
have next x : miss (x :: h) = miss h + a *: (pull x - z).
  rewrite big_cons [size _]/= mulrSr.
  move: (pull x) (\sum_(y <- h) pull y) (z) => A B C.
  apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
  by ring.
rewrite (eq_bigr (fun x => p h x * qf G (miss h) + (2%:R * a * (p h x *
   bf G (miss h) (pull x - z)) + a ^+ 2 * (p h x * qf G (pull x - z))))); last first.
  by move=> x _; rewrite next qfDv // bfZr qfZv; move: (bf _ _ _) (qf _ _) (qf _ _) => *; ring.
rewrite big_split /= -mulr_suml shr_law1 mul1r ler_add2l big_split /= -!mulr_sumr.
have -> : \sum_x p h x * bf G (miss h) (pull x - z) = 0.
  have -> : \sum_x p h x * bf G (miss h) (pull x - z) =
    bf G (miss h) (\sum_x p h x *: (pull x - z)).
    by rewrite bf_sumr; apply: eq_bigr => x _; rewrite bfZr.
  have e1 : \sum_x p h x *: (pull x - z) = 0.
    transitivity (\sum_x (p h x *: pull x - p h x *: z)).
      by apply: eq_bigr => x _; rewrite [LHS]scalerBr.
    by rewrite sumrB shr_mean -scaler_suml shr_law1 scale1r subrr.
  by rewrite e1 bf0r.
rewrite mulr0 add0r; apply: ler_wpmul2l; first exact: sqr_ge0.
apply: le_trans (shr_moment h).
have -> : \sum_x p h x * qf G (pull x - z) = \sum_x p h x * qf G (pull x) - qf G z.
  rewrite (eq_bigr (fun x => p h x * qf G (pull x) + (p h x * qf G z
    - 2%:R * (p h x * bf G z (pull x))))); last first.
    move=> x _; move: (pull x) (z) => A C.
    rewrite -[- C]scaleN1r qfDv // bfZr qfZv (bfC A C sG).
    by move: (bf G C A) (qf G A) (qf G C) => *; ring.
  rewrite big_split /= sumrB -mulr_suml shr_law1 mul1r -mulr_sumr.
  have -> : \sum_x p h x * bf G z (pull x) = qf G z.
    transitivity (bf G z (\sum_x p h x *: pull x)); last by rewrite shr_mean.
    by rewrite bf_sumr; apply: eq_bigr => x _; rewrite bfZr.
  by congr (_ + _); move: (qf G _) => y; ring.
by rewrite ler_subl_addr ler_addl; exact: (proj2 (pd_psd pG)).
Qed.

Lemma shr_excess :
  run_mean p stop N (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  s ^+ 2 * Z + (1 - s) ^+ 2 * (rk / N%:R) * (opt X Y + Z).
Proof.
have q0 h x : reach stop h -> ~~ stop h -> 0 <= p h x by move=> _ _; exact: shr_law0.
have eZ : qf G z = Z.
  rewrite (fit_pythagoras Y uG beta2) [RHS]addrC addKr.
  by rewrite -[X in qf G X = _]opprB -scaleN1r qfZv sqrrN expr1n mul1r.
apply: (@le_trans _ _ (run_mean p stop N (fun h => qf G (miss h)) [::])).
  apply: (rmean_mono q0) => // h rh; case: (boolP (N <= size h)%N) => sh; last first.
    by rewrite mul0r; exact: (proj2 (pd_psd pG)).
  have sz : size h = N.
    apply/eqP; rewrite eqn_leq sh andbT; case: h rh sh => [|x h] //= /andP[ns _] _.
    by rewrite ltnNge.
  rewrite mul1r (fit_pythagoras Y uG (fit h)) [X in X <= _]addrC addKr.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (qf G _); rewrite sz.
  move: (\sum_(y <- h) pull y) (betastar X Y) (beta2) => A B C.
  apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
  by field; rewrite gt_eqF.
apply: le_trans (rmean_grow q0 N (fun h _ _ => shr_step h) (h := [::]) isT) _.
have m0 : miss [::] = - (s *: z).
  by rewrite big_nil /= scale0r subrr scaler0 add0r.
rewrite m0 -scaleN1r scalerA mulN1r qfZv sqrrN eZ ler_add2l.
have c0 : 0 <= a ^+ 2 * (rk * loss X Y beta2).
  apply: mulr_ge0; first exact: sqr_ge0.
  apply: mulr_ge0; [exact: ltW | apply: sumr_ge0 => x _; exact: sqr_ge0].
have len (c : R) n h : 0 <= c -> run_sum p stop n (fun=> c) h <= n%:R * c.
  move=> cp; elim: n h => [|n IH] h /=; first by rewrite mul0r; case: ifP.
  case: ifP => _; first by apply: mulr_ge0 => //; exact: ler0n.
  rewrite -[n.+1]add1n natrD mulrDl mul1r ler_add2l.
  have -> : n%:R * c = \sum_x p h x * (n%:R * c) by rewrite -mulr_suml shr_law1 mul1r.
  apply: ler_sum => x _.
  by apply: ler_wpmul2l; [exact: shr_law0 | exact: IH].
apply: le_trans (len _ N [::] c0) _; rewrite [opt X Y + _]addrC subrK.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (loss X Y beta2) => y.
by field; rewrite gt_eqF.
Qed.

Lemma shr_eps eps : 0 < eps -> 0 < delta -> s = eps * ((1 - delta) / delta) ->
  s <= 1 -> rk * (1 - s) <= N%:R * (eps * (1 - delta)) ->
  run_mean p stop N (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  eps * opt X Y.
Proof.
move=> e0 de0 es s1 hN; have d1 : 0 < 1 - delta by rewrite subr_gt0.
have s0 : 0 <= s by rewrite es; move: d1; move: (1 - delta) => *; nn.
have t0 : 0 <= 1 - s by rewrite subr_ge0.
have o0 : 0 <= opt X Y by exact: opt_ge0.
have Z0 : 0 <= Z by rewrite subr_ge0; exact: fit_opt_min.
have Zl := free_excess Y uG delta_ge0 delta_lt1 G1_le.
apply: le_trans shr_excess _.
move: Zl Z0; move: (Z) => y Zl Z0.
have r1 : (1 - s) * (rk / N%:R) <= eps * (1 - delta).
  by rewrite mulrA ler_pdivr_mulr // [X in X <= _]mulrC [X in _ <= X]mulrC.
apply: (@le_trans _ _ (s ^+ 2 * y + (1 - s) * (eps * (1 - delta)) * (opt X Y + y))).
  rewrite ler_add2l; apply: ler_wpmul2r; first exact: addr_ge0.
  by rewrite expr2 -mulrA; apply: ler_wpmul2l.
have c0 : 0 <= s ^+ 2 + (1 - s) * (eps * (1 - delta)).
  by apply: addr_ge0; [exact: sqr_ge0 | apply: mulr_ge0 => //; apply: mulr_ge0; exact: ltW].
refine (@le_diff _ _ _ ((s ^+ 2 + (1 - s) * (eps * (1 - delta)))
  * (delta / (1 - delta) * opt X Y - y)) _ _); last first.
  by apply: mulr_ge0 => //; rewrite subr_ge0.
rewrite es; move: (opt X Y) => o; field.
by rewrite !gt_eqF.
Qed.

(** Exactly N draws. *)
Lemma shr_ends : run_chance p stop N stop = 1.
Proof.
suff gen n h : (size h + n)%N = N ->
    run_mean p stop n (fun h => (stop h)%:R) h = 1 by exact: gen.
elim: n h => [|n IH] h e; first by rewrite addn0 in e; rewrite /= e leqnn.
rewrite /=; case: ifP => [->//|_].
rewrite (eq_bigr (fun x => p h x)) ?shr_law1 // => x _.
by rewrite IH ?mulr1 //= addSnnS.
Qed.

End Data.
