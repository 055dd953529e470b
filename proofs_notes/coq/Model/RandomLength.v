(** Trees whose runs make four or five draws, and the equality that the paper
    takes from Wald's equation,

      E sum_(j < m) Phi_j = sum_j P(m > j) E[Phi_j].

    It fails as soon as the runs that go on after four draws have the larger
    potentials. Forked.v is an instance.

      Tend_split, Tsum_split == the first k draws, where nothing stops
      late_covariance        == when the mean of f after three draws separates
                                the runs of five draws from those of four, the
                                left side is larger

    Main results: [length_late], [stopped_late], [late_covariance]. *)
From Coq Require Import ZArith QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Spec Forms Step Run Tree Compute Axes.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Tree.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R) (stop : pred (seq I)).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation p h x := (prob U (hst U g h) x).
(** The loop that never stops. *)
Local Notation E0 := (Tend U g xpred0).
Local Notation Tend := (Tend U g stop).
Local Notation Tsum := (Tsum U g stop).
Local Notation p_ge0 := (p_ge0 d_gt0 isoU g_gt0 g_lt).
Local Notation mean_const := (mean_const d_gt0 isoU g_gt0 g_lt).
Implicit Types (h : seq I) (f : seq I -> R).

Lemma Tend_split k n f h : (forall h', (size h' < size h + k)%N -> ~~ stop h') ->
  Tend (k + n) f h = E0 k (Tend n f) h.
Proof.
elim: k h => [|k IH] h ns; first by [].
rewrite addSn /= (negPf (ns h _)) ?addnS ?ltnS ?leq_addr //.
by apply: eq_bigr => x _; rewrite IH // => h' /=; rewrite addSnnS; exact: ns.
Qed.

Lemma Tsum_split k n f h : (forall h', (size h' < size h + k)%N -> ~~ stop h') ->
  Tsum (k + n) f h = \sum_(j < k) E0 j f h + E0 k (Tsum n f) h.
Proof.
elim: k h => [|k IH] h ns; first by rewrite big_ord0 add0r.
rewrite addSn big_ord_recl /= (negPf (ns h _)) ?addnS ?ltnS ?leq_addr //.
rewrite -addrA; congr (_ + _).
rewrite exchange_big -big_split /=; apply: eq_bigr => x _.
rewrite IH; last by move=> h' /=; rewrite addSnnS; exact: ns.
by rewrite mulrDr mulr_sumr.
Qed.

Lemma E0_le k f1 f2 h :
  (forall h', size h' = (size h + k)%N -> f1 h' <= f2 h') -> E0 k f1 h <= E0 k f2 h.
Proof.
elim: k h => [|k IH] h le /=; first by apply: le; rewrite addn0.
apply: ler_sum => x _; apply: ler_wpmul2l; first exact: p_ge0.
by apply: IH => h'; rewrite /= addSnnS; exact: le.
Qed.

Lemma E0_eq k f1 f2 h :
  (forall h', size h' = (size h + k)%N -> f1 h' = f2 h') -> E0 k f1 h = E0 k f2 h.
Proof. by move=> e; apply/eqP; rewrite eq_le !E0_le // => h' /e ->. Qed.

Definition next_mean f h : R := \sum_x p h x * f (x :: h).
Lemma E0_last k f h : E0 k.+1 f h = E0 k (next_mean f) h.
Proof.
by elim: k h => [|k IH] h //; apply: eq_bigr => x _; congr (_ * _); exact: IH.
Qed.

(** P(m > j), for runs cut at n draws. *)
Definition longer n j : R := Pr U g stop n (fun h => (j < size h)%N).

Variables (on : pred (seq I)) (f : seq I -> R) (c0 c1 : R).
Hypothesis early : forall h, (size h < 4)%N -> ~~ stop h.
Hypothesis late : forall x h, size h = 3%N -> stop (x :: h) = ~~ on h.
Local Notation q := (E0 3 (fun h => (on h)%:R) [::]).

Lemma longer_early j : (j < 4)%N -> longer 5 j = 1.
Proof.
move=> lt; rewrite /longer /Pr /Exp -[5%N]/(4 + 1)%N Tend_split //.
rewrite -[RHS](Tend_const d_gt0 isoU g_gt0 g_lt xpred0 4 1 [::]).
apply: E0_eq => h sz /=; rewrite sz lt; case: ifP => // _.
rewrite -[RHS](mean_const h); apply: eq_bigr => x _.
by rewrite if_same ltnS ltnW.
Qed.

Lemma longer_late : longer 5 4 = q.
Proof.
rewrite /longer /Pr /Exp -[5%N]/(4 + 1)%N Tend_split // E0_last.
apply: E0_eq => h sz; rewrite /next_mean -[RHS](mean_const h).
apply: eq_bigr => x _ /=; rewrite late //= sz; congr (_ * _).
case: (on h) => //=; rewrite -[RHS](mean_const (x :: h)).
by apply: eq_bigr => y _; rewrite if_same.
Qed.

Lemma length_late : Exp U g stop 5 (fun h => (size h)%:R) = 4%:R + q.
Proof.
rewrite /Exp (Tend_size d_gt0 isoU g_gt0 g_lt) -[(size _)%:R]/(0 : R) add0r.
rewrite -[LHS]/(Tsum (4 + 1) (fun=> 1) [::]) Tsum_split //.
rewrite (eq_bigr (fun=> 1)) => [|j _]; last first.
  exact: (Tend_const d_gt0 isoU g_gt0 g_lt).
rewrite sumr_const card_ord; congr (_ + _); rewrite E0_last; apply: E0_eq => h sz.
rewrite /next_mean -[RHS](mean_const h); apply: eq_bigr => x _ /=.
rewrite late //; congr (_ * _); case: (on h) => //=.
by rewrite big1 ?addr0 // => y _; rewrite if_same mulr0.
Qed.

Lemma stopped_late : (forall h, size h = 5%N -> on (drop 2 h) -> stop h) ->
  Pr U g stop 5 stop = 1.
Proof.
move=> last; rewrite /Pr /Exp -[5%N]/(4 + 1)%N Tend_split //.
rewrite -[RHS](Tend_const d_gt0 isoU g_gt0 g_lt xpred0 4 1 [::]).
apply: E0_eq => -[|x h] //= [sz]; rewrite late //.
case o: (on h) => //=; rewrite -[RHS](mean_const (x :: h)).
by apply: eq_bigr => y _; rewrite if_same last //= ?sz ?drop0.
Qed.

Hypothesis on_high : forall h, size h = 3%N -> on h -> c1 <= next_mean f h.
Hypothesis off_low : forall h, size h = 3%N -> ~~ on h -> next_mean f h <= c0.
Hypothesis c01 : c0 < c1.
Hypothesis q0 : 0 < q.
Hypothesis q1 : q < 1.

Theorem late_covariance :
  \sum_(j < 5) longer 5 j * E0 j f [::] < Tsum 5 f [::].
Proof.
have -> : \sum_(j < 5) longer 5 j * E0 j f [::] =
    \sum_(j < 4) E0 j f [::] + q * E0 4 f [::].
  rewrite big_ord_recr -longer_late; congr (_ + _); apply: eq_bigr => j _.
  by rewrite longer_early ?mul1r //=.
rewrite -[X in _ < X]/(Tsum (4 + 1) f [::]) Tsum_split // ltr_add2l.
pose A h : R := (on h)%:R * next_mean f h.
pose B h : R := (~~ on h)%:R * next_mean f h.
have -> : E0 4 (Tsum 1 f) [::] = E0 3 A [::].
  rewrite E0_last; apply: E0_eq => h sz; rewrite /A /next_mean mulr_sumr.
  apply: eq_bigr => x _ /=; rewrite late //.
  case: (on h) => /=; last by rewrite mul0r mulr0.
  by rewrite big1 ?addr0 ?mul1r // => y _; rewrite if_same mulr0.
have -> : E0 4 f [::] = E0 3 A [::] + E0 3 B [::].
  rewrite E0_last -(TendD U g xpred0); apply: E0_eq => h _.
  by rewrite /A /B; case: (on h); rewrite /= ?mul1r ?mul0r ?addr0 ?add0r.
have lA : c1 * q <= E0 3 A [::].
  rewrite -(TendZ U g xpred0); apply: E0_le => h sz; rewrite /A mulrC.
  by case o: (on h); rewrite ?mul0r // !mul1r on_high ?o.
have lB : E0 3 B [::] <= c0 * (1 - q).
  rewrite -[X in X - _](Tend_const d_gt0 isoU g_gt0 g_lt xpred0 3 1 [::]).
  rewrite -(TendB U g xpred0) -(TendZ U g xpred0); apply: E0_le => h sz.
  rewrite /B mulrC; case o: (on h); rewrite /= ?subrr ?mulr0 //.
  by rewrite subr0 !mulr1 off_low ?o.
have q1' : 0 < 1 - q by rewrite subr_gt0.
rewrite mulrDr -ltr_subr_addl.
apply: le_lt_trans (ler_wpmul2l (ltW q0) lB) _.
have -> : E0 3 A [::] - q * E0 3 A [::] = (1 - q) * E0 3 A [::] by ring.
apply: lt_le_trans (ler_wpmul2l (ltW q1') lA).
have -> : q * (c0 * (1 - q)) = (1 - q) * (c0 * q) by ring.
by rewrite ltr_pmul2l // ltr_pmul2r.
Qed.

End Tree.

(** Points that agree have the same runs. *)
Section Same.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U V : I -> 'cV[R]_d) (g : R).
Hypothesis UV : U =1 V.

Lemma prob_same s x : prob U s x = prob V s x.
Proof. by rewrite /prob UV. Qed.
Lemma step_same s x : step U g s x = step V g s x.
Proof. rewrite /step /weight prob_same UV; exact: erefl. Qed.
Lemma hst_same h : hst U g h = hst V g h.
Proof.
elim: h => [|x h IH]; first exact: erefl.
rewrite /hst /= -/(hst U g h) -/(hst V g h) IH; exact: step_same.
Qed.
Lemma past_same h :
  past (fun h' => Phi (hst U g h')) h = past (fun h' => Phi (hst V g h')) h.
Proof.
elim: h => [|x h IH]; first exact: erefl.
rewrite [LHS]/= [RHS]/= IH hst_same; exact: erefl.
Qed.
Lemma stop_same h : paper_stop U g h = paper_stop V g h.
Proof. rewrite /paper_stop hst_same past_same; exact: erefl. Qed.
Lemma Tend_same (stop stop' : pred (seq I)) n f f' h : stop =1 stop' -> f =1 f' ->
  Tend U g stop n f h = Tend V g stop' n f' h.
Proof.
move=> e ef; elim: n h => [|n IH] h; rewrite [LHS]/= [RHS]/= e ef.
  exact: erefl.
case: ifP => _; first exact: erefl.
apply: eq_bigr => x _; rewrite hst_same prob_same IH; exact: erefl.
Qed.
End Same.
