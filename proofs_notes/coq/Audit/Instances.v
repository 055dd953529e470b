(** The lower bound as printed: its quantifiers, and the scaling of the noise in
    the main text.

    Selected results
      fixed_instance_easy == on any one instance some learner reads nothing and
                             is optimal
      main_text_optimum   == with noise of variance (1+lambda)/eps in each label
                             the optimum grows with the number n of copies *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Reductions Design Learner Optimal Coins LowerBound.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* slug: lower-bound *)
Theorem fixed_instance_easy (R : realFieldType) (n1 n2 d : nat) (X1 : 'M[R]_(n1, d))
    (X2 : 'M[R]_(n2, d)) (Y1 : 'cV[R]_n1) (Y2 : 'cV[R]_n2) (epsilon : R) :
  0 <= epsilon ->
  exists T : learner R n1 d, [/\ valid T, reads_at_most 0 T &
    success_probability X1 X2 Y2 epsilon Y1 T = 1].
Proof.
move=> e0; exists (Answer n1 (least_squares X1 X2 Y1 Y2)); split=> //.
  by move=> Y; rewrite /= cards0.
rewrite /success_probability /= -/(optimum X1 X2 Y1 Y2) ifT //.
rewrite mulrDl mul1r ler_addl mulr_ge0 //.
by rewrite /optimum /stacked_loss /sqnorm; apply: sumr_ge0 => i _; exact: sqr_ge0.
Qed.

(* slug: lower-bound-opt *)
Theorem main_text_optimum (R : rcfType) (d n : nat) (lambda epsilon : R) :
  (0 < n)%N -> 0 <= lambda -> 0 < epsilon ->
  forall (s : {ffun 'I_d -> bool}) (noise : 'I_(rows d n) -> R),
  (forall i, fibre_sum noise i = 0) ->
  (forall i, fibre_sum (fun x => noise x ^+ 2) i = n%:R * ((1 + lambda) / epsilon)) ->
  let sign i : R := if s i then 1 else -1 in
  let Y := \col_x ((1 + lambda) * sign (coordinate x) / Num.sqrt n%:R + noise x) in
  optimum (design R d n) (ridge_rows d lambda) Y 0 =
    d%:R * (lambda * (1 + lambda) + n%:R * ((1 + lambda) / epsilon)).
Proof.
move=> n0 l0 e0 s noise z v sign Y.
have np : (0 : R) < n%:R by rewrite ltr0n.
have q0 : 0 < Num.sqrt n%:R :> R by rewrite sqrtr_gt0.
have qq : Num.sqrt n%:R ^+ 2 = n%:R :> R by rewrite sqr_sqrtr // ltW.
have e0' : 0 < epsilon / n%:R by exact: divr_gt0.
have z' i : fibre_sum (fun x => Num.sqrt n%:R * noise x) i = 0 :> R.
  by rewrite /fibre_sum -mulr_sumr -/(fibre_sum noise i) z mulr0.
have v' i : fibre_sum (fun x => (Num.sqrt n%:R * noise x) ^+ 2) i =
    n%:R * ((1 + lambda) / (epsilon / n%:R)) :> R.
  transitivity (n%:R * fibre_sum (fun x => noise x ^+ 2) i).
    by rewrite /fibre_sum mulr_sumr; apply: eq_bigr => x _; rewrite exprMn qq.
  by rewrite v; field; rewrite !gt_eqF.
have [_] := hard_instance n0 l0 e0' s z' v'.
have -> : \col_x (((1 + lambda) * (if s (coordinate x) then 1 else -1) +
    Num.sqrt n%:R * noise x) / Num.sqrt n%:R) = Y.
  apply/colP => x; rewrite !mxE /sign; move: (if _ then _ else _) => c.
  by field; rewrite gt_eqF.
by move=> ->; congr (_ * (_ + _)); field; rewrite !gt_eqF.
Qed.
