(** spectral as printed, without a range of gamma, is false: the statement with
    every quantifier, refuted by [spectral_breaks] (SpectralRange). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run WellBalanced UpperSteps SpectralRange.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** Every dimension from 100^7 on. *)
Theorem spectral_large (R : realFieldType) (d : nat) :
  100%:R ^+ 7 <= d%:R :> R ->
  let g : R := 128%:R^-1 in let U := @axes R d in
  exists h : seq 'I_d,
  [/\ reach (paper_stop U g) h, paper_stop U g h,
      forall h' x, 0 < prob U (hst U g h') x,
      d%:R / (64%:R * g ^+ 2) <= up (hst U g h) &
      ~ psd ((1 + 1728%:R * g)%:M - sample_matrix U g h)].
Proof.
move=> hd g U.
have d0 : (0 < d)%N.
  by rewrite -(ltr0n R); apply: lt_le_trans hd; rewrite exprn_gt0 // ltr0n.
apply: (@spectral_breaks R d (Ordinal d0) g (100%:R ^+ 4) (erefl _) (lexx _)).
by rewrite -exprD.
Qed.

(* slug: spectral *)
Theorem spectral_false (R : realFieldType) :
  ~ (forall (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (h : seq I),
     (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
     reach (paper_stop U g) h -> paper_stop U g h ->
     d%:R / (64%:R * g ^+ 2) <= up (hst U g h) ->
     psd ((1 + 1728%:R * g)%:M - sample_matrix U g h) /\
     psd (sample_matrix U g h - (1 - 1728%:R * g)%:M)).
Proof.
have [d hd] : exists d : nat, 100%:R ^+ 7 <= d%:R :> R.
  by exists (100 ^ 7)%N; rewrite natrX.
have d0 : (0 < d)%N.
  by rewrite -(ltr0n R); apply: lt_le_trans hd; rewrite exprn_gt0 // ltr0n.
have [h [rh sh _ ev br]] := spectral_large hd; move=> all.
apply: br; apply: (proj1 (all d _ (@axes R d) _ h d0 (iso_axes R d) _ _ rh sh ev)).
  by rewrite invr_gt0 ltr0n.
by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
Qed.
