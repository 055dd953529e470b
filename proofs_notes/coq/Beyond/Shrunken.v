(** A fixed number of labels where X2 already says a lot: the fit on the given
    labels, corrected by N independent draws by leverage, and shrunken.

      shr_mean    == the mean of one correction
      shr_excess  == E excess <= s^2 Z + (1-s)^2 (R/N) (OPT + Z)
      shr_ends    == there are exactly N draws
      shr_eps     == at s = eps (1-delta)/delta: E excess <= eps OPT *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Chain.
From Asura Require Import Beyond.NoLabel Beyond.IidDraws.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

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
Local Notation p := (fun _ : seq I => lev_law X X1).
Definition shr_pull x := (rk / lev x * e2 x) *: (invmx G *m X x).
Local Notation pull := shr_pull.
Local Notation stop := (fun h : seq I => (N <= size h)%N).
Local Notation sum h := (\sum_(x <- h) pull x).
Local Notation fit := (fun h => beta2 + ((1 - s) / N%:R) *: sum h).

Let pG : pd G := gram_pd uG.
Let sG : G^T = G. Proof. by case: pG. Qed.
Let N0 : (0 : R) < N%:R. Proof. by rewrite ltr0n. Qed.

Let p0 := lev_law0 uG R_gt0.
Let p1 := lev_law1 R_gt0.

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

Lemma shr_mean : \sum_x lev_law X X1 x *: pull x = z.
Proof. by rewrite lev_mean // shr_normal mulKmx. Qed.

Lemma shr_excess :
  run_mean p stop N (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  s ^+ 2 * Z + (1 - s) ^+ 2 * (rk / N%:R) * (opt X Y + Z).
Proof.
have q0 h x : reach stop h -> ~~ stop h -> 0 <= p h x by move=> _ _; exact: p0.
have ps := pd_psd pG.
have eZ : qf G z = Z.
  rewrite (fit_pythagoras Y uG beta2) [RHS]addrC addKr.
  by rewrite -[X in qf G X = _]opprB -scaleN1r qfZv sqrrN expr1n mul1r.
pose a := (1 - s) / N%:R; pose c := - s *: z.
apply: (@le_trans _ _ (run_mean p stop N (fun h => qf G (a *:
    (sum h - (size h)%:R *: (\sum_x lev_law X X1 x *: pull x)) + c)) [::])).
  apply: (rmean_mono q0) => // h rh; case: (boolP (N <= size h)%N) => sh; last first.
    by rewrite mul0r; case: ps.
  rewrite mul1r (fit_pythagoras Y uG (fit h)) [X in X <= _]addrC addKr shr_mean.
  rewrite le_eqVlt; apply/orP; left; apply/eqP; congr (qf G _); rewrite (iid_size rh sh).
  rewrite /c /a; move: (\sum_(y <- h) pull y) (betastar X Y) (beta2) => A B C.
  apply/matrixP => i j; rewrite !mxE; move: (A i j) (B i j) (C i j) => *.
  by field; rewrite gt_eqF.
apply: le_trans (iid_moment pull N p0 p1 ps a c) _.
rewrite /c qfZv sqrrN eZ ler_add2l [opt X Y + _]addrC subrK.
have el x : qf G (invmx G *m X x) = lev x by rewrite -qf_inv.
have le := lev_moment R_gt0 e2 el.
have part := part_loss X Y X1 beta2.
apply: (@le_trans _ _ (N%:R * a ^+ 2 * (rk * loss X Y beta2))).
  apply: ler_wpmul2l; first by rewrite mulr_ge0 ?sqr_ge0 // ltW.
  by apply: le_trans le _; apply: ler_wpmul2l => //; exact: ltW.
rewrite le_eqVlt /a; apply/orP; left; apply/eqP; move: (loss X Y beta2) => y.
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
Proof. exact: iid_ends. Qed.

End Data.
