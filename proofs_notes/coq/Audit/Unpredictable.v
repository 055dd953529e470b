(** def-well-balanced: w_j and alpha_j contain mid, which is not known when x_j is
    drawn. Two axes, g = 2/5: two complete runs with the same first draw and
    different mid, by computation in the kernel.

    Symbols
      plane == the design of two axes with g = 2/5 (Compute). *)
From Coq Require Import QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run Tree Compute.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Definition plane : design :=
  Design 2 [:: [:: Qmake 1 1; Qmake 0 1]; [:: Qmake 0 1; Qmake 1 1]] (Qmake 2 5).

Section Plane.
Variable R : realFieldType.
Local Notation U := (point R plane).
Local Notation g := (rate R plane).
Local Notation stop := (paper_stop U g).

Lemma up_below hs q :
  reaches plane hs (fun s => Qle_bool (cup s) q) -> up (after R plane hs) <= frac R q.
Proof.
case/(@reaches_ok R) => s [st _] le; rewrite /after -st /=.
by rewrite -(readL (frac_reads R)).
Qed.

Lemma up_above hs q :
  reaches plane hs (fun s => ~~ Qle_bool (cup s) q) -> frac R q < up (after R plane hs).
Proof.
case/(@reaches_ok R) => s [st _] le; rewrite /after -st /= ltNge.
by rewrite -(readL (frac_reads R)).
Qed.

Lemma plane_iso : \sum_x U x *m (U x)^T = 1%:M.
Proof. by apply: whitened_value; by_computation. Qed.
Lemma plane_rate : 0 < g /\ 2%:R * g < 1.
Proof. by apply: rate_value; by_computation. Qed.

Lemma plane_stop hs b :
  reaches plane hs (fun s => cstops plane Paper s == b) -> stop (draws plane hs) = b.
Proof. exact: (@stops_value R plane Paper). Qed.

Lemma plane_run a b c : (a < 2)%N -> (b < 2)%N -> (c < 2)%N ->
  reaches plane [:: c; b; a; 0%N] (fun s => cstops plane Paper s == true) ->
  reaches plane [:: b; a; 0%N] (fun s => cstops plane Paper s == false) ->
  reaches plane [:: a; 0%N] (fun s => cstops plane Paper s == false) ->
  reach stop (draws plane [:: c; b; a; 0%N]) /\ stop (draws plane [:: c; b; a; 0%N]).
Proof.
move=> ha hb hc s4 s3 s2; split; last exact: plane_stop.
have s1 : stop (draws plane [:: 0%N]) = false by apply: plane_stop; by_computation.
have s0 : stop (draws plane [::]) = false by apply: plane_stop; by_computation.
have e3 := plane_stop s3; have e2 := plane_stop s2.
move: e3 e2 s1 s0; rewrite /draws /=.
by do 4![rewrite insubT /=] => -> -> -> ->.
Qed.

(* slug: def-well-balanced *)
Theorem mid_unknown : exists h1 h2 : seq 'I_2, exists x : 'I_2,
  [/\ reach stop h1 && stop h1, reach stop h2 && stop h2,
      last x h1 = last x h2, h1 != [::] /\ h2 != [::] &
      mid (hst U g h1) != mid (hst U g h2)].
Proof.
pose h1 := draws plane [:: 0; 0; 0; 0]%N; pose h2 := draws plane [:: 1; 0; 1; 0]%N.
exists h1, h2, ord0.
have [r1 st1] : reach stop h1 /\ stop h1 by apply: plane_run; by_computation.
have [r2 st2] : reach stop h2 /\ stop h2 by apply: plane_run; by_computation.
have [g0 g2] := plane_rate.
have e1 : last ord0 h1 = last ord0 h2.
  by rewrite /h1 /h2 /draws /=; do !rewrite insubT /=.
have ne : h1 != [::] /\ h2 != [::].
  by rewrite /h1 /h2 /draws /=; do !rewrite insubT /=.
split; rewrite ?r1 ?st1 ?r2 ?st2 //; apply/eqP => e.
have u1 : up (after R plane [:: 0; 0; 0; 0]%N) <= frac R (Qmake 35 1).
  by apply: up_below; by_computation.
have u2 : frac R (Qmake 35 1) < up (after R plane [:: 1; 0; 1; 0]%N).
  by apply: up_above; by_computation.
have := le_lt_trans u1 u2; rewrite /after.
by rewrite !(hup (ltn0Sn 1) plane_iso g0 g2) -/h1 -/h2 e ltxx.
Qed.

End Plane.

(** The same with the unit vectors themselves: a run depends on the values of
    U alone. *)
Lemma eq_hst (R : realFieldType) d (I : finType) (U U' : I -> 'cV[R]_d) g h :
  U =1 U' -> hst U g h = hst U' g h.
Proof.
move=> e; elim: h => [|x h IH]; first reflexivity.
rewrite [LHS]/(step U g (hst U g h) x) [RHS]/(step U' g (hst U' g h) x) IH.
by rewrite /step /weight /prob e.
Qed.

Lemma eq_paper_stop (R : realFieldType) d (I : finType) (U U' : I -> 'cV[R]_d)
    g h :
  U =1 U' -> paper_stop U g h = paper_stop U' g h.
Proof.
move=> e; suff p : past (fun h' => Phi (hst U g h')) h =
    past (fun h' => Phi (hst U' g h')) h.
  by rewrite /paper_stop (eq_hst g h e) p; reflexivity.
elim: h => [|x h IH]; first reflexivity.
by rewrite [LHS]/(past _ h + _) [RHS]/(past _ h + _) IH (eq_hst g h e).
Qed.

Lemma eq_reach (I : finType) (s s' : pred (seq I)) h :
  s =1 s' -> reach s h = reach s' h.
Proof. by move=> e; elim: h => //= x h ->; rewrite e. Qed.

Lemma plane_axes (R : realFieldType) : point R plane =1 @Spec.axes R 2.
Proof.
move=> x; apply/colP => i; rewrite !mxE andbT.
by case: x => -[|[|//]] lx; case: i => -[|[|//]] li;
  rewrite /frac /= ?mul0r ?divr1.
Qed.

(* slug: def-well-balanced *)
Theorem mid_unknown_axes (R : realFieldType) :
  let U := @Spec.axes R 2 in
  let g : R := 2%:R / 5%:R in
  exists (h1 h2 : seq 'I_2) (x : 'I_2),
    [/\ reach (paper_stop U g) h1 && paper_stop U g h1,
        reach (paper_stop U g) h2 && paper_stop U g h2,
        last x h1 = last x h2, h1 != [::] /\ h2 != [::] &
        mid (hst U g h1) != mid (hst U g h2)].
Proof.
move=> U g; have [h1 [h2 [x [r1 r2 e n m]]]] := mid_unknown R.
have eU : point R plane =1 U := @plane_axes R.
have es : paper_stop (point R plane) (rate R plane) =1 paper_stop U g.
  by move=> h; exact: eq_paper_stop.
have m' : mid (hst U g h1) != mid (hst U g h2).
  by rewrite -(eq_hst g h1 eU) -(eq_hst g h2 eU); exact: m.
exists h1, h2, x; split; [| | exact: e | exact: n | exact: m'].
  by rewrite -(eq_reach h1 es) -(es h1); exact: r1.
by rewrite -(eq_reach h2 es) -(es h2); exact: r2.
Qed.
