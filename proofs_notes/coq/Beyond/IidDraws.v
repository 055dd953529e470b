(** N independent draws: mean and second moment of a sum, for the estimators
    that correct an answer or weigh their draws once.

      iid_ends    == there are exactly N draws
      iid_sum     == the mean of a sum is N times the mean of one draw
      iid_moment  == E |a (sum - size z) + c|^2 <= |c|^2 + N a^2 V, V the
                     second moment of one draw
      lev_law0, lev_law1 == draws by leverage are a law *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Chain.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Iid.
Variables (R : realFieldType) (d : nat) (O : finType).
Variables (p : O -> R) (B : 'M[R]_d) (pull : O -> 'cV[R]_d) (N : nat).
Hypothesis p_ge0 : forall o, 0 <= p o.
Hypothesis p_sum : \sum_o p o = 1.
Hypothesis B_psd : psd B.

Definition iid_law (_ : seq O) : O -> R := p.
Local Notation stop := (fun h : seq O => (N <= size h)%N).
Local Notation sum h := (\sum_(o <- h) pull o).
Local Notation z := (\sum_o p o *: pull o).
Local Notation V := (\sum_o p o * qf B (pull o)).
Local Notation E := (run_mean iid_law stop).

Let sB : B^T = B. Proof. by case: B_psd. Qed.
Let q0 h (o : O) : reach stop h -> ~~ stop h -> 0 <= iid_law h o.
Proof. by move=> _ _; exact: p_ge0. Qed.

Lemma iid_size h : reach stop h -> stop h -> size h = N.
Proof.
move=> rh sh; apply/eqP; rewrite eqn_leq sh andbT; case: h rh sh => [|o h] //=.
by case/andP => ns _ _; rewrite ltnNge.
Qed.

(** Exactly N draws. *)
Lemma iid_mean_end n h f : (size h + n)%N = N ->
  E n (fun h => (stop h)%:R * f h) h = E n f h.
Proof.
elim: n h => [|n IH] h e; first by rewrite addn0 in e; rewrite /= e leqnn mul1r.
rewrite /=; case: ifP => [sh|_]; first by rewrite ?sh mul1r.
by apply: eq_bigr => o _; rewrite IH //= addSnnS.
Qed.

Lemma iid_ends : run_chance iid_law stop N stop = 1.
Proof.
rewrite /run_chance -[LHS](rmean_eq _ _ N (f1 := fun h => (stop h)%:R * 1)); last first.
  by move=> h; rewrite mulr1.
rewrite iid_mean_end // rmean_const // => h _ _; exact: p_sum.
Qed.

Lemma iid_run_sum n h c : (size h + n)%N = N ->
  run_sum iid_law stop n (fun=> c) h = n%:R * c.
Proof.
elim: n h => [|n IH] h e /=; first by case: ifP; rewrite mul0r.
have -> : (N <= size h)%N = false by rewrite -e leqNgt addnS ltnS leq_addr.
rewrite (eq_bigr (fun o => p o * (n%:R * c))); last first.
  by move=> o _; rewrite IH //= addSnnS.
by rewrite -mulr_suml p_sum mul1r -[n.+1]add1n natrD mulrDl mul1r.
Qed.

Lemma iid_sum i : E N (fun h => (sum h) i 0) [::] = N%:R * z i 0.
Proof.
rewrite (rmean_count _ (f := fun=> z i 0)) => [|h _ _|//].
  by rewrite big_nil mxE add0r iid_run_sum.
transitivity (\sum_o (p o * (sum h) i 0 + (p o *: pull o) i 0)).
  by apply: eq_bigr => o _; rewrite big_cons !mxE mulrDr addrC.
by rewrite big_split /= -mulr_suml p_sum mul1r; congr (_ + _); rewrite summxE.
Qed.

Section Moment.
Variables (a : R) (c : 'cV[R]_d).
Local Notation miss h := (a *: (sum h - (size h)%:R *: z) + c).

Lemma bf_sumr (v : 'cV[R]_d) (F : O -> 'cV[R]_d) :
  bf B v (\sum_o F o) = \sum_o bf B v (F o).
Proof. by apply: (big_morph (bf B v)) => [x y|]; [exact: bfDr | exact: bf0r]. Qed.

Lemma iid_step h :
  \sum_o p o * qf B (miss (o :: h)) <= qf B (miss h) + a ^+ 2 * V.
Proof.
have next o : miss (o :: h) = miss h + a *: (pull o - z).
  rewrite big_cons [size _]/= mulrSr.
  move: (pull o) (\sum_(y <- h) pull y) (z) => A A' C.
  apply/matrixP => i j; rewrite !mxE; move: (A i j) (A' i j) (C i j) => *.
  by ring.
rewrite (eq_bigr (fun o => p o * qf B (miss h) + (2%:R * a * (p o *
   bf B (miss h) (pull o - z)) + a ^+ 2 * (p o * qf B (pull o - z))))); last first.
  move=> o _; rewrite next; move: (miss h) (pull o - z) => m u.
  by rewrite qfDv // bfZr qfZv; move: (bf _ _ _) (qf _ _) (qf _ _) => *; ring.
rewrite big_split /= -mulr_suml p_sum mul1r ler_add2l big_split /= -!mulr_sumr.
have -> : \sum_o p o * bf B (miss h) (pull o - z) = 0.
  have e1 : \sum_o p o *: (pull o - z) = 0.
    transitivity (\sum_o (p o *: pull o - p o *: z)).
      by apply: eq_bigr => o _; rewrite [LHS]scalerBr.
    by rewrite sumrB -scaler_suml p_sum scale1r subrr.
  transitivity (bf B (miss h) (\sum_o p o *: (pull o - z))); last by rewrite e1 bf0r.
  by rewrite bf_sumr; apply: eq_bigr => o _; rewrite bfZr.
rewrite mulr0 add0r; apply: ler_wpmul2l; first exact: sqr_ge0.
have -> : \sum_o p o * qf B (pull o - z) = V - qf B z.
  rewrite (eq_bigr (fun o => p o * qf B (pull o) + (p o * qf B z
    - 2%:R * (p o * bf B z (pull o))))); last first.
    move=> o _; move: (pull o) (z) => A C.
    rewrite -[- C]scaleN1r qfDv // bfZr qfZv (bfC A C sB).
    by move: (bf B C A) (qf B A) (qf B C) => *; ring.
  rewrite big_split /= sumrB -mulr_suml p_sum mul1r -mulr_sumr.
  have -> : \sum_o p o * bf B z (pull o) = qf B z.
    by rewrite [RHS]bf_sumr; apply: eq_bigr => o _; rewrite bfZr.
  by congr (_ + _); move: (qf B _) => y; ring.
by rewrite ler_subl_addr ler_addl; case: B_psd.
Qed.

Lemma iid_moment : E N (fun h => qf B (miss h)) [::] <= qf B c + N%:R * a ^+ 2 * V.
Proof.
apply: le_trans (rmean_grow q0 N (fun h _ _ => iid_step h) (h := [::]) isT) _.
by rewrite big_nil /= scale0r subrr scaler0 add0r iid_run_sum // mulrA.
Qed.

End Moment.
End Iid.

(** What an answer loses on X1 is at most its loss. *)
Lemma part_loss (R : realFieldType) (d : nat) (I : finType) (X : I -> 'cV[R]_d)
    (Y : I -> R) (X1 : pred I) (b : 'cV[R]_d) :
  \sum_(x | X1 x) (Y x - dot (X x) b) ^+ 2 <= loss X Y b.
Proof.
rewrite /loss [X in _ <= X](bigID X1) /= -[X in X <= _]addr0; apply: ler_add.
  by apply: ler_sum => x _; rewrite -sqrrN opprB.
by apply: sumr_ge0 => x _; exact: sqr_ge0.
Qed.

(** Draws by leverage. *)
Section Leverage.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (X1 : pred I).
Hypothesis uG : gram X \in unitmx.
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Local Notation lev := (leverage_of X).
Local Notation rk := (reduced_rank X X1).
Definition lev_law (x : I) : R := if X1 x then lev x / rk else 0.
Local Notation p := lev_law.

Lemma lev_law0 x : 0 <= p x.
Proof.
rewrite /lev_law; case: (X1 x); last exact: lexx.
by apply: divr_ge0; [exact: leverage_ge0 | exact: ltW].
Qed.
Lemma lev_law1 : \sum_x p x = 1.
Proof.
by rewrite /lev_law -big_mkcond /= -mulr_suml -rank_leverage // divff // gt_eqF.
Qed.

(** A draw at weight R/l has the mean of all, whatever the vectors are. *)
Lemma lev_mean (e : I -> R) (A : 'M[R]_d) :
  \sum_x p x *: ((rk / lev x * e x) *: (A *m X x)) =
  A *m \sum_(x | X1 x) e x *: X x.
Proof.
rewrite mulmx_sumr [RHS]big_mkcond /=; apply: eq_bigr => x _; rewrite /lev_law.
case: (boolP (X1 x)) => x1; last by rewrite scale0r.
rewrite -scalemxAr; have [z0|n] := eqVneq (lev x) 0.
  have -> : X x = 0 by apply: (leverage_eq0 uG); rewrite z0.
  by rewrite mulmx0 !scaler0.
rewrite scalerA; congr (_ *: _); move: (e x) => y.
by field; rewrite n gt_eqF.
Qed.

(** Its second moment is at most R times the squares. *)
Lemma lev_moment (e : I -> R) (A B : 'M[R]_d) :
  (forall x, qf B (A *m X x) = lev x) ->
  \sum_x p x * qf B ((rk / lev x * e x) *: (A *m X x)) <=
  rk * \sum_(x | X1 x) e x ^+ 2.
Proof.
move=> el; rewrite mulr_sumr [X in _ <= X]big_mkcond /=; apply: ler_sum => x _.
rewrite /lev_law; case: (X1 x); last by rewrite mul0r.
have [z0|n] := eqVneq (lev x) 0.
  by rewrite z0 !mul0r; apply: mulr_ge0; [exact: ltW | exact: sqr_ge0].
rewrite qfZv el le_eqVlt; apply/orP; left; apply/eqP; move: (e x) => y.
by field; rewrite n gt_eqF.
Qed.

End Leverage.
