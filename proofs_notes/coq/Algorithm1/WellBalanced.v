(** Theorem RBSS: both conditions of a well-balanced sampling procedure, with
    explicit constants, on an event of probability at least 3/4.

    Selected results:
      sample_matrixE == A^T A = A_m/mid
      spectral_white == its spectrum where r >= T
      spectral_12    == within 1 +- 12 g with probability 3/4
      well_balanced  == both conditions together, g <= 1/48 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression SureStop.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis isoU : \sum_x U x *m (U x)^T = 1%:M.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.

Local Notation hst := (hst U g).
Local Notation rr := (rr U g).
Local Notation stop := (paper_stop U g).
Local Notation sample_matrix := (sample_matrix U g).

Lemma sample_matrixE h : sample_matrix h = (mid (hst h))^-1 *: acc (hst h).
Proof.
rewrite /sample_matrix; move: (mid (hst h)) => m.
elim: h => [|x h IH] /=; first by rewrite scaler0.
by rewrite IH scalerDr scalerA [m^-1 * _]mulrC.
Qed.

Lemma spectral_white h T : 0 < T -> T <= rr h ->
  psd ((1 + 2%:R * g * (1 + T^-1))%:M - sample_matrix h) /\
  psd (sample_matrix h - (1 - 2%:R * g * (1 + T^-1))%:M).
Proof.
have wh : whitens U 1%:M by rewrite /whitens trmx1 mulmx1 mul1mx.
have e : white U 1%:M =1 U by move=> x; rewrite /white trmx1 mul1mx.
have es s x : step (white U 1%:M) g s x = step U g s x by rewrite /step /weight /prob !e.
have eh h' : Spec.hst (white U 1%:M) g h' = hst h' by elim: h' => //= x h' ->; exact: es.
move=> T0 le; rewrite sample_matrixE -eh; apply: (spectral_at d_gt0 wh g_gt0 g_lt T0).
by rewrite /Spec.rr eh.
Qed.

(** On the paper's event: 1728 g, for g <= 1/139. *)
Theorem spectral_gamma h : 139%:R * g <= 1 -> d%:R / (64%:R * g ^+ 2) <= up (hst h) ->
  psd ((1 + 1728%:R * g)%:M - sample_matrix h) /\ psd (sample_matrix h - (1 - 1728%:R * g)%:M).
Proof.
move=> gs hu; have T0 : (0 : R) < 863%:R^-1 by ps.
have le : 863%:R^-1 <= rr h.
  apply: (rr_gamma d_gt0 isoU g_gt0 g_lt hu).
  have z : 0 <= 1 - 139%:R * g by rewrite subr_ge0.
  refine (@le_diff _ _ _ ((27%:R * 64%:R / 139%:R * (1 - 139%:R * g) + 7%:R * 67%:R / (64%:R * 139%:R)) / 863%:R) _ _).
    by field.
  by move: z; move: (1 - 139%:R * g) => y y0; nn.
have := spectral_white T0 le.
have -> : 2%:R * g * (1 + 863%:R^-1^-1) = 1728%:R * g; last by [].
by rewrite invrK; have -> : 1728%:R = 2%:R * (1 + 863%:R) :> R by [rewrite -mulrS -natrM]; ring.
Qed.

(* slug: spectral *)
Theorem spectral_12 n : d%:R <= n%:R * g ^+ 2 ->
  exists good : pred (seq I),
  3%:R / 4%:R <= Pr U g stop n good /\
  forall h, good h -> [/\ stop h, psd ((1 + 12%:R * g)%:M - sample_matrix h) &
     psd (sample_matrix h - (1 - 12%:R * g)%:M)].
Proof.
move=> hn; exists (fun h => stop h && (5%:R^-1 <= rr h)); split.
  exact: (rr_fifth d_gt0 isoU g_gt0 g_lt hn).
move=> h /andP[st le]; have T0 : (0 : R) < 5%:R^-1 by ps.
have := spectral_white T0 le.
have -> : 2%:R * g * (1 + 5%:R^-1^-1) = 12%:R * g by rewrite invrK; ring.
by move=> [s1 s2]; split.
Qed.

(* slug: well-balanced *)
Theorem well_balanced n : 48%:R * g <= 1 -> d%:R <= n%:R * g ^+ 2 ->
  exists good : pred (seq I),
  3%:R / 4%:R <= Pr U g stop n good /\
  forall h, good h ->
    [/\ stop h,
        psd ((5%:R / 4%:R)%:M - sample_matrix h) /\ psd (sample_matrix h - (3%:R / 4%:R)%:M),
        past (alpha U g h) h = 1 - 4%:R * g ^+ 2 &
        forall h' x (v : 'cV[R]_d), ~~ stop h' -> v != 0 ->
          alpha U g h h' * (dot (U x) v ^+ 2 / sqn v / prob U (hst h') x) <= 10%:R * g ^+ 2].
Proof.
move=> g48 hn; exists (fun h => stop h && (5%:R^-1 <= rr h)); split.
  exact: (rr_fifth d_gt0 isoU g_gt0 g_lt hn).
move=> h /andP[st le]; have T0 : (0 : R) < 5%:R^-1 by ps.
have r0 : 0 < rr h by exact: lt_le_trans le.
have nh : h != [::] by apply: contraTneq r0 => ->; rewrite (rr0 U d_gt0 g_gt0) ltxx.
have z : 0 <= 1 - 48%:R * g by rewrite subr_ge0.
have z4 : 0 <= (1 - 48%:R * g) / 4%:R by move: z; move: (1 - _) => y y0; nn.
split=> //; last 2 first.
- exact: sum_alpha.
- move=> h' x v ns v0; apply: le_trans (alpha_k_run d_gt0 isoU g_gt0 g_lt x nh v0 ns) _.
  rewrite ler_pdivr_mulr //.
  have w : 0 <= rr h - 5%:R^-1 by rewrite subr_ge0.
  refine (@le_diff _ _ _ (10%:R * g ^+ 2 * (rr h - 5%:R^-1)) _ _); first by field.
  by move: w; move: (rr h - _) => y y0; nn.
have [s1 s2] := spectral_white T0 le; rewrite invrK in s1 s2; split.
  have -> : (5%:R / 4%:R)%:M - sample_matrix h =
    ((1 + 2%:R * g * (1 + 5%:R))%:M - sample_matrix h) + ((1 - 48%:R * g) / 4%:R)%:M.
    move: (sample_matrix h) => Z; apply/matrixP => i j; rewrite !mxE.
    by case: (i == j) => /=; field.
  by apply: psdD => //; exact: psd_scalar.
have -> : sample_matrix h - (3%:R / 4%:R)%:M =
  (sample_matrix h - (1 - 2%:R * g * (1 + 5%:R))%:M) + ((1 - 48%:R * g) / 4%:R)%:M.
  move: (sample_matrix h) => Z; apply/matrixP => i j; rewrite !mxE.
  by case: (i == j) => /=; field.
by apply: psdD => //; exact: psd_scalar.
Qed.

End Data.
