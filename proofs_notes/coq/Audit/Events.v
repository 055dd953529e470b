(** Three more printed steps that are false.

    Selected results
      complete_run       == for a complete run of m draws, the loop's condition
                            holds at t exactly when t < m
      event_false        == so "m >= t exactly when it holds at t" is false
      constant_false     == p = 1/4 in um-lb gives d/(128 g^2), not d/(64 g^2)
      leverage_logarithm == at m = C d log(d)/eps, C R_X log(d)/eps labels *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Reductions.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma reach_drop (I : finType) (stop : pred (seq I)) h k :
  reach stop h -> (0 < k)%N -> (k <= size h)%N -> ~~ stop (drop k h).
Proof.
elim: h k => [|x h IH] [|k] //= /andP[ns rh] _ le.
by case: k le => [|k] le; [rewrite drop0 | exact: IH].
Qed.

(** The state after t of the m draws is that of [drop (m - t) h]. *)
Lemma complete_run (I : finType) (stop : pred (seq I)) h t :
  reach stop h -> stop h -> (t <= size h)%N ->
  ~~ stop (drop (size h - t) h) = (t < size h)%N.
Proof.
move=> rh sh le; have [lt|ge] := ltnP t (size h).
  by apply: reach_drop => //; [rewrite subn_gt0 | exact: leq_subr].
have -> : (size h - t = 0)%N by apply/eqP; rewrite subn_eq0.
by rewrite drop0 sh.
Qed.

(* slug: m-bound *)
Theorem event_false (I : finType) (stop : pred (seq I)) h :
  reach stop h -> stop h ->
  ~ (forall t, (t <= size h)%N ->
       (t <= size h)%N = ~~ stop (drop (size h - t) h)).
Proof.
by move=> rh sh /(_ (size h) (leqnn _)); rewrite subnn drop0 sh leqnn.
Qed.

(* slug: event-gamma *)
Theorem constant_false (R : realFieldType) (d : nat) (g : R) : (0 < d)%N -> 0 < g ->
  (1 / 4%:R) ^+ 2 * d%:R / (8%:R * g ^+ 2) < d%:R / (64%:R * g ^+ 2).
Proof.
move=> d0 g0; have dd : (0 : R) < d%:R by rewrite ltr0n.
refine (@lt_diff _ _ _ (d%:R / (128%:R * g ^+ 2)) _ _); last by ps.
by field; rewrite gt_eqF.
Qed.

(* slug: leverage-sampling *)
Theorem leverage_logarithm (R : realFieldType) n1 n2 d (X1 : 'M[R]_(n1, d))
    (X2 : 'M[R]_(n2, d)) (C eps logd : R) :
  (0 < d)%N -> let m := C * (d%:R * logd / eps) in
  leverage_labels m X1 X2 <= C * (stacked_reduced_rank X1 X2 * logd / eps) /\
  (logd = 0 -> leverage_labels m X1 X2 = 0).
Proof.
move=> d0 m; have d1 : (d%:R : R) != 0 by rewrite pnatr_eq0 -lt0n.
split=> [|l0].
  have := leverage_sampling m X1 X2; congr (_ <= _).
  by rewrite /m; move: (stacked_reduced_rank _ _) (eps^-1) => a b; field.
rewrite /leverage_labels /expected_count big1 // => S _.
have [->|/set0Pn[x xS]] := eqVneq (S :&: unlabelled n1 n2) set0.
  by rewrite cards0 mulr0.
rewrite /inclusion_probability (bigD1 x) //=; case/setIP: xS => -> _.
by rewrite /sampling_probability /m l0 mulr0 mul0r mulr0 !mul0r min_r ?ler01 // !mul0r.
Qed.
