(** Exact values, to compare a program with: the first iteration on any data,
    and whole runs on the line. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression Refutations.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section First.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (U : I -> 'cV[R]_d) (g : R).
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < g.

Lemma bracket_start : bracket (start d g) = (g / d%:R)%:M :> 'M[R]_d.
Proof.
have d0 : (0 : R) < d%:R by rewrite ltr0n.
rewrite /bracket /upper /lower /= subr0 raddfN /= opprK add0r !invmx_scalar.
by rewrite -raddfD /=; congr (_%:M); field; rewrite !gt_eqF.
Qed.

(* slug: first-step *)
Theorem first_step x : U x != 0 ->
  [/\ Phi (start d g) = g, prob U (start d g) x = sqn (U x) / d%:R,
      weight U g (start d g) x = d%:R / sqn (U x) &
      step U g (start d g) x = State ((d%:R / sqn (U x)) *: (U x *m (U x)^T))
        (2%:R * d%:R / g + (1 - 2%:R * g)^-1) ((1 + 2%:R * g)^-1 - 2%:R * d%:R / g)].
Proof.
move=> n; have d0 : (0 : R) < d%:R by rewrite ltr0n.
have s0 := sqn_gt0 n; have P0 : Phi (start d g) = g by exact: Phi_start.
have p0 : prob U (start d g) x = sqn (U x) / d%:R.
  rewrite /prob P0 bracket_start -scalemx1 qfZ -/(sqn _).
  by field; rewrite !gt_eqF.
have w0 : weight U g (start d g) x = d%:R / sqn (U x).
  by rewrite /weight P0 p0 divff ?gt_eqF // mul1r invf_div.
split=> //; rewrite /step w0 P0 /= add0r.
have c a : g / a / g = a^-1 by rewrite mulrAC divff ?gt_eqF // mul1r.
by rewrite !c [- _ + _]addrC.
Qed.

End First.

Section Line.
Variables (R : realFieldType) (g : R).
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation inv_h := (inv_h (ltnSn 0) (iso_one R) g_gt0 g_lt).
Local Notation hst := (hst (@one R) g).
Local Notation rr := (rr (@one R) g).

Lemma line_acc h : acc (hst h) = (kap g * mid (hst h))%:M.
Proof.
rewrite -(past_alpha (ltnSn 0) (iso_one R) g_gt0 g_lt); elim: h => [|x h IH] /=.
  by rewrite raddf0.
rewrite IH (weight_one g x (inv_h h)) /one trmx1 mulmx1 scalemx1 -raddfD /=.
by [].
Qed.

(* slug: line *)
Theorem line_potential h : Phi (hst h) =
  g / 2%:R * ((1 + (1 + 2%:R * g) * rr h)^-1 + (1 + (1 - 2%:R * g) * rr h)^-1).
Proof.
have r0 := rr_ge0 (ltnSn 0) (iso_one R) g_gt0 g_lt h.
have g2 : 0 < 1 - 2%:R * g by rewrite subr_gt0.
have a0 : 0 < 1 + (1 + 2%:R * g) * rr h by ps.
have b0 : 0 < 1 + (1 - 2%:R * g) * rr h.
  by move: g2; move: (1 - 2%:R * g) => z z0; ps.
rewrite PhiE /bracket /upper /lower line_acc -!raddfB /= !invmx_scalar -raddfD /= mxtrace_scalar mulr1n.
rewrite (hup (ltnSn 0) (iso_one R) g_gt0 g_lt) (hlo (ltnSn 0) (iso_one R) g_gt0 g_lt).
rewrite (hmid (ltnSn 0) (iso_one R) g_gt0 g_lt) /kap; move: (rr h) a0 b0 => r a0 b0.
have -> : (1 + 2%:R * g) * (1%:R / g ^+ 2 * r) + 2%:R * 1%:R / g - (1 - 4%:R * g ^+ 2) * (1%:R / g ^+ 2 * r) =
  2%:R / g * (1 + (1 + 2%:R * g) * r) by field; rewrite gt_eqF.
have -> : (1 - 4%:R * g ^+ 2) * (1%:R / g ^+ 2 * r) - ((1 - 2%:R * g) * (1%:R / g ^+ 2 * r) - 2%:R * 1%:R / g) =
  2%:R / g * (1 + (1 - 2%:R * g) * r) by field; rewrite gt_eqF.
rewrite !invfM invrK mulrDr; congr (_ * _ + _ * _); by rewrite mulrC.
Qed.

End Line.

(** The line at g = 2/5: exactly two draws. *)
(* slug: line *)
Theorem line_length (R : realFieldType) n :
  Exp (@one R) (2%:R / 5%:R) (paper_stop (@one R) (2%:R / 5%:R)) n.+2 (fun h => (size h)%:R) = 2%:R.
Proof.
pose g : R := 2%:R / 5%:R; rewrite -/g.
have g0 : 0 < g by rewrite /g; ps.
have g2 : 2%:R * g < 1 by refine (@lt_diff _ _ _ (1 / 5%:R) _ _); [rewrite /g; field | ps].
have iso := iso_one R.
have c : clk 1 g = 4%:R / 9%:R :> R by rewrite /clk /kap /g; field.
have P0 : Phi (start 1 g) = g by exact: Phi_start.
have r1 x : rr (@one R) g [:: x] = 4%:R / 9%:R.
  by rewrite rr_cons // rr0 // add0r c P0 mulfK // gt_eqF.
have P1 x : Phi (hst (@one R) g [:: x]) = 130%:R / 441%:R.
  by rewrite line_potential // r1 /g; field.
have n0 : paper_stop (@one R) g [::] = false.
  by rewrite paper_stopE // rr0 // /ss /= mulr0 addr0 ler10.
have n1 x : paper_stop (@one R) g [:: x] = false.
  apply/negbTE; rewrite paper_stopE // r1 /ss [past _ _]/= add0r P0 -ltNge.
  by refine (@lt_diff _ _ _ (116%:R / 225%:R) _ _); [rewrite /g; field | ps].
have s2 x y : paper_stop (@one R) g [:: y; x].
  rewrite paper_stopE // rr_cons // r1 c P1; apply: ler_paddr; first by apply: ss_ge0.
  by refine (@le_diff _ _ _ (139%:R / (65%:R * 45%:R)) _ _); [rewrite /g; field | nn].
have m (f : unit -> R) h z : (forall x, f x = z) -> \sum_x prob (@one R) (hst (@one R) g h) x * f x = z.
  move=> e; under eq_bigr do rewrite e.
  by rewrite (mean_const (ltnSn 0) iso g0 g2).
rewrite /Exp /= n0; apply: (m _ [::]) => x; rewrite /= n1; apply: (m _ [:: x]) => y.
by case: n => [|n] /=; rewrite s2.
Qed.
