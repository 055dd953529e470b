(** sure-stop: chosen pairs (T, g) for four accuracies, valid in every dimension.

    Selected results
      tuned_pair == two inequalities of rationals give both bounds for every d
      tuned      == the pairs, the inequalities decided in the kernel on Coq's Q

    Symbols
      level_const d g T == the excess constant of SureStop, at stop level T. *)
From Coq Require Import QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree SureStop Compute.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** Chosen pairs (T, g): both bounds are largest at d = 1. *)
Section Tuned.
Variables (R : realFieldType) (d : nat) (g T eps C : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Hypothesis T_gt0 : 0 < T.
Hypothesis gT : 2%:R * g < (1 - 2%:R * g) * T.
Local Notation rbar := (T + clk d g * (1 + T)).
Local Notation rone := (T + g ^+ 2 / kap g * (1 + T)).

Lemma rbar_one : rbar <= rone.
Proof.
have k0 := kap_gt0 g_gt0 g_lt; have d1 : (1 : R) <= d%:R by rewrite ler1n.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
rewrite ler_add2l; apply: ler_wpmul2r; first by nn.
rewrite /clk; apply: ler_wpmul2l; first by nn.
by rewrite lef_pinv ?posrE ?ler_pmull //; ps.
Qed.

Lemma tuned_pair :
  g ^+ 2 * kap g * (rone + rone ^+ 2 / 2%:R) <= eps * ((1 - 2%:R * g) * T - 2%:R * g) ^+ 2 ->
  kap g * rone * eps <= C * g ^+ 2 -> 0 < eps ->
  level_const d g T <= eps /\ kap g * rbar / g ^+ 2 <= C / eps.
Proof.
move=> h1 h2 e0; have k0 := kap_gt0 g_gt0 g_lt; have le := rbar_one.
have c0 := clk_gt0 d_gt0 g_gt0 g_lt.
have r0 : 0 <= rbar by nn.
have z0 : 0 < (1 - 2%:R * g) * T - 2%:R * g by rewrite subr_gt0.
split.
  rewrite /level_const ler_pdivr_mulr ?exprn_gt0 //; apply: le_trans h1.
  apply: ler_wpmul2l; first by nn.
  apply: ler_add => //; apply: ler_wpmul2r; first by nn.
  by rewrite ler_pexpn2r ?nnegrE // (le_trans r0 le).
rewrite ler_pdivr_mulr ?exprn_gt0 // [X in _ <= X]mulrAC ler_pdivl_mulr //; apply: le_trans h2.
by apply: ler_wpmul2r; [exact: ltW | apply: ler_wpmul2l => //; exact: ltW].
Qed.

End Tuned.


(** The pair is good: the margin is positive, the excess at most eps OPT and the
    labels at most (C/eps) R_X. *)
Definition good (R : realFieldType) (d : nat) (eps T g C : R) : Prop :=
  [/\ 0 < g, 2%:R * g < 1, 2%:R * g < (1 - 2%:R * g) * T,
      level_const d g T <= eps &
      kap g * (T + clk d g * (1 + T)) / g ^+ 2 <= C / eps].

Section Decide.
Variables (e T g C : Q).
Local Notation N := rationals.
Local Notation "x .+ y" := (nadd N x y) (at level 50).
Local Notation "x .- y" := (nsub N x y) (at level 50).
Local Notation "x .* y" := (nmul N x y) (at level 40).
Local Notation "x ./ y" := (ndiv N x y) (at level 40).
Local Notation one := (nunit N).
Local Notation two := (nnat N 2).

Let k := one .- (nnat N 4 .* (g .* g)).
Let rone := T .+ ((g .* g ./ k) .* (one .+ T)).
Let z := ((one .- (two .* g)) .* T) .- (two .* g).

Definition decides : bool :=
  [&& ~~ nle N g (nzero N), ~~ nle N one (two .* g), ~~ nle N T (nzero N),
      ~~ nle N e (nzero N), ~~ nle N z (nzero N),
      nle N (((g .* g) .* k) .* (rone .+ ((rone .* rone) ./ two))) (e .* (z .* z)) &
      nle N ((k .* rone) .* e) (C .* (g .* g))].

Lemma decides_ok (R : realFieldType) (d : nat) : (0 < d)%N -> decides ->
  good d (frac R e) (frac R T) (frac R g) (frac R C).
Proof.
move=> d0; move: (frac R) (frac_reads R) => v ok.
have rk : v k = kap (v g).
  by rewrite /k (read_sub ok) (readM ok) (readM ok) (read1 ok) (read_nat ok) /kap expr2.
have rr : v rone = v T + v g ^+ 2 / kap (v g) * (1 + v T).
  by rewrite /rone (readD ok) (readM ok) (read_div ok) (readM ok) rk (readD ok) (read1 ok) expr2.
have rz : v z = (1 - 2%:R * v g) * v T - 2%:R * v g.
  by rewrite /z (read_sub ok) (readM ok) (read_sub ok) (readM ok) (read1 ok) (read_nat ok).
rewrite /decides !(readL ok) (read0 ok) !(readM ok) (readD ok) (read_div ok) (readM ok).
rewrite rk rr rz (read1 ok) (read_nat ok) -!ltNge.
case/and5P => g0 g1 T0 e0 /and3P[z0 h1 h2].
have gT : 2%:R * v g < (1 - 2%:R * v g) * v T by rewrite -subr_gt0.
have [a b] : level_const d (v g) (v T) <= v e /\
    kap (v g) * (v T + clk d (v g) * (1 + v T)) / v g ^+ 2 <= v C / v e.
  by apply: tuned_pair => //; rewrite !expr2.
by split.
Qed.

End Decide.

(* slug: sure-stop *)
Theorem tuned (R : realFieldType) (d : nat) : (0 < d)%N ->
  [/\ good d (1 / 1%:R) (8%:R / 7%:R) (9%:R / 44%:R) (249%:R / 10%:R : R),
      good d (1 / 10%:R) (5%:R / 6%:R) (2%:R / 17%:R) (59%:R / 10%:R : R),
      good d (1 / 100%:R) (6%:R / 11%:R) (1 / 21%:R) (24%:R / 10%:R : R) &
      good d (1 / 1000%:R) (2%:R / 9%:R) (1 / 82%:R) (15%:R / 10%:R : R)].
Proof.
move=> d0; split.
- apply: (@decides_ok (Qmake 1 1) (Qmake 8 7) (Qmake 9 44) (Qmake 249 10) R d d0).
  by_computation.
- apply: (@decides_ok (Qmake 1 10) (Qmake 5 6) (Qmake 2 17) (Qmake 59 10) R d d0).
  by_computation.
- apply: (@decides_ok (Qmake 1 100) (Qmake 6 11) (Qmake 1 21) (Qmake 24 10) R d d0).
  by_computation.
- apply: (@decides_ok (Qmake 1 1000) (Qmake 2 9) (Qmake 1 82) (Qmake 15 10) R d d0).
  by_computation.
Qed.
