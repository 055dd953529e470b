(** What the paper prints and what is false: each refutation is a theorem,
    with its instance. They hold over every ordered field.

    Selected results:
      product_potential == line 4 with the product: the p_x sum to u - l
      invariant_false   == g = 3/5, one point
      gap_final_false   == g = 23/50, one point
      query_main_false  == g = 1/10, one point: 21 draws at least
      pathwise_false    == a complete run that draws only the point 3/5 *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** alg-potential: with the product of the inverses the "probabilities"
    sum to the gap. *)
(* slug: alg-potential *)
Theorem product_potential (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) (s : state R d) :
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> inv s ->
  \sum_x qf (bracket s) (U x) / \tr (invmx (upper s) *m invmx (lower s)) = gap s.
Proof.
move=> d0 iso i; have [pu pl] := i.
have e : bracket s = gap s *: (invmx (upper s) *m invmx (lower s)).
  have h : upper s + lower s = (gap s)%:M by rewrite /upper /lower /gap raddfB /= addrA subrK.
  rewrite scalemxAl -mul_mx_scalar -h mulmxDr mulVmx ?pd_unit // mulmxDl mul1mx.
  by rewrite -mulmxA mulmxV ?pd_unit // mulmx1 addrC.
have P0 := Phi_gt0 d0 i.
have eP : Phi s = gap s * \tr (invmx (upper s) *m invmx (lower s)).
  by rewrite PhiE e mxtraceZ.
have sq : \sum_x qf (bracket s) (U x) = Phi s.
  have := sampling_mass U s xpredT; rewrite iso -mulr_suml => /(mulIf _) -> //.
  by rewrite invr_eq0 gt_eqF.
rewrite -mulr_suml sq eP mulfK //.
by apply/eqP => z; move: P0; rewrite eP z mulr0 ltxx.
Qed.

(** ** One point on the line: U = 1, d = 1. *)
Section Line.
Variable R : realFieldType.
Local Notation one := (@one R).

Lemma iso_one : \sum_x one x *m (one x)^T = 1%:M.
Proof.
rewrite (bigD1 tt) //= big1 ?addr0; last by case.
by rewrite /one trmx1 mulmx1.
Qed.

Lemma prob_one (s : state R 1) x : inv s -> prob one s x = 1.
Proof.
move=> i; have := prob_sum (ltnSn 0) iso_one i.
rewrite (bigD1 tt) //= big1 ?addr0; last by case.
by case: x.
Qed.

Lemma weight_one g (s : state R 1) x : inv s -> weight one g s x = g / Phi s.
Proof. by move=> i; rewrite /weight prob_one // divr1. Qed.

Lemma qf_one (a : R) : qf (a%:M : 'M[R]_1) 1%:M = a.
Proof. by rewrite /qf /bf trmx1 mul1mx mulmx1 mxE eqxx mulr1n. Qed.

(* slug: invariant *)
Theorem invariant_false :
  ~ (forall g : R, 0 < g -> g < 1 -> forall h, psd (upper (hst one g h))).
Proof.
pose g : R := 3%:R / 5%:R.
have g0 : 0 < g by rewrite /g; ps.
move=> /(_ g g0); have g1 : g < 1 by refine (@lt_diff _ _ _ (2%:R / 5%:R) _ _); [rewrite /g; field | ps].
move=> /(_ g1 [:: tt]) [_ /(_ 1%:M)].
have i : inv (start 1 g) := inv_start (ltnSn 0) g0.
rewrite /= /upper /= weight_one // (Phi_start (ltnSn 0) g0) add0r divff ?gt_eqF // scale1r.
rewrite /one trmx1 mulmx1 qfB !qf_one.
have -> : 2%:R * 1%:R / g + g / (1 - 2%:R * g) / g - 1 = - (8%:R / 3%:R).
  have e2 : 1 - 2%:R * g = - 5%:R^-1 by rewrite /g; field.
  by rewrite e2 /g; field.
rewrite oppr_ge0 leNgt => /negP; apply; ps.
Qed.

(** Along the single run with g < 1/2. *)
Section Half.
Variable g : R.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation inv_h := (inv_h (ltnSn 0) iso_one g_gt0 g_lt).

Lemma Phi_le_g h : Phi (hst one g h) <= g.
Proof.
elim: h => [|x h IH]; first by rewrite /= (Phi_start (ltnSn 0) g_gt0).
apply: le_trans IH.
have := potential_monotone (ltnSn 0) iso_one g_gt0 g_lt (inv_h h) (psd1 R 1).
rewrite (bigD1 tt) //= big1 ?addr0; last by case.
by rewrite prob_one ?mul1r; [case: x | exact: inv_h].
Qed.

Lemma ss_le h : ss one g h <= (size h)%:R * (g ^+ 2 / 4%:R).
Proof.
elim: h => [|x h IH]; first by rewrite /ss /= mulr0 mul0r.
have sE : (size (x :: h))%:R = (size h)%:R + 1 :> R by rewrite /= mulrSr.
rewrite ss_cons sE mulrDl mul1r; apply: ler_add => //.
have P := Phi_le_g h.
by refine (@le_diff _ _ _ (g / 4%:R * (g - Phi (hst one g h))) _ _); [field | nn].
Qed.

(* slug: alpha-k *)
Theorem alpha_k_attained h x (v : 'cV[R]_1) : h != [::] -> v != 0 ->
  alpha one g h [::] * (dot (one x) v ^+ 2 / sqn v / prob one (hst one g [::]) x) =
  g / mid (hst one g h) * (gap (hst one g [::]) / 4%:R).
Proof.
move=> nh v0; rewrite prob_one; last exact: inv_h.
have -> : dot (one x) v = v 0 0 by rewrite dot_sum big_ord1 /one !mxE mul1r.
have e : sqn v = v 0 0 ^+ 2 by rewrite sqn_sum big_ord1.
have n0 : v 0 0 != 0 by have := sqn_gt0 v0; rewrite e lt_def sqrf_eq0 => /andP[].
rewrite e /alpha (Phi_start (ltnSn 0) g_gt0) /gap /=.
have m0 := mid_gt0 (ltnSn 0) iso_one g_gt0 g_lt nh.
by move: (v 0 0) n0 m0 => z n0 m0; field; rewrite n0 !gt_eqF.
Qed.

Theorem alpha_k_false h x (v : 'cV[R]_1) : h != [::] -> v != 0 ->
  alpha one g h [::] * (dot (one x) v ^+ 2 / sqn v / prob one (hst one g [::]) x) <
  g / mid (hst one g h) * (gap (hst one g [::]) / 2%:R).
Proof.
move=> nh v0; rewrite alpha_k_attained //.
have m0 := mid_gt0 (ltnSn 0) iso_one g_gt0 g_lt nh.
have p0 := gap_gt0 (ltnSn 0) (inv_h [::]).
by refine (@lt_diff _ _ _ (g / mid (hst one g h) * (gap (hst one g [::]) / 4%:R)) _ _); [field; rewrite gt_eqF | ps].
Qed.

End Half.

(* slug: gap-final *)
Theorem gap_final_false :
  ~ (forall g : R, 0 < g -> 2%:R * g < 1 -> forall x h, reach (paper_stop one g) (x :: h) ->
     gap (hst one g (x :: h)) <= 9%:R * 1%:R / g).
Proof.
pose g : R := 23%:R / 50%:R.
have g0 : 0 < g by rewrite /g; ps.
have g2 : 2%:R * g < 1 by refine (@lt_diff _ _ _ (2%:R / 25%:R) _ _); [rewrite /g; field | ps].
move=> /(_ g g0 g2 tt [::]) /=.
rewrite paper_stopE // rr0 // /ss /= mulr0 addr0 ler10 => /(_ isT).
rewrite -[step _ _ _ _]/(hst one g [:: tt]) hgap // rr_cons //; last exact: iso_one.
rewrite rr0 // add0r (Phi_start (ltnSn 0) g0) leNgt => /negP; apply.
refine (@lt_diff _ _ _ (1225%:R / (552%:R * 2%:R)) _ _); last by ps.
by rewrite /clk /kap /g; field.
Qed.

(** The length of the run when nothing stops it. *)
Lemma Tsum_run g n : 0 < g -> 2%:R * g < 1 ->
  (forall h, (size h < n)%N -> ~~ paper_stop one g h) ->
  Tsum one g (paper_stop one g) n (fun=> 1) [::] = n%:R.
Proof.
move=> g0 g2 ns; suff H m h : (size h + m <= n)%N -> Tsum one g (paper_stop one g) m (fun=> 1) h = m%:R by exact: H.
elim: m h => [|m IH] h le /=; first by rewrite if_same.
rewrite (negbTE (ns h _)); last by apply: leq_trans le; rewrite addnS ltnS leq_addr.
rewrite (eq_bigr (fun x => prob one (hst one g h) x * m%:R)); last first.
  by move=> x _; rewrite IH //= addSnnS.
by rewrite (mean_const (ltnSn 0) iso_one g0 g2) -add1n natrD.
Qed.

(** g = 1/10: the run has at least 21 draws, all from X1, and 2 R_X/g = 20. *)
(* slug: query-main *)
Theorem query_main_false :
  ~ (forall (g : R) n, 0 < g -> 2%:R * g < 1 ->
     Exp one g (paper_stop one g) n (fun h => (count xpredT h)%:R) <=
     2%:R / g * \tr (\sum_x one x *m (one x)^T)).
Proof.
pose g : R := 10%:R^-1.
have g0 : 0 < g by rewrite /g; ps.
have g2 : 2%:R * g < 1 by refine (@lt_diff _ _ _ (4%:R / 5%:R) _ _); [rewrite /g; field | ps].
move=> /(_ g 21%N g0 g2); rewrite iso_one mxtrace1 /g invrK -natrM -natrM leNgt => /negP; apply.
rewrite -/g.
have c : clk 1 g = 96%:R^-1 :> R by rewrite /clk /kap /g; field.
have rle h : (size h <= 48)%N -> rr one g h <= (size h)%:R / 48%:R.
  elim: h => [|x h IH] le; first by rewrite rr0 // mul0r.
  have {}IH := IH (ltnW le); apply: le_trans (rr_cons_le (ltnSn 0) iso_one g0 g2 x h) _.
  rewrite c; have l1 : (size h)%:R / 48%:R <= 1 :> R.
    by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat ltnW.
  have -> : (size (x :: h))%:R = (size h)%:R + 1 :> R by rewrite /= mulrSr.
  have a : 0 <= (size h)%:R / 48%:R - rr one g h by rewrite subr_ge0.
  have b : 0 <= 1 - (size h)%:R / 48%:R :> R by rewrite subr_ge0.
  refine (@le_diff _ _ _ (97%:R / 96%:R * ((size h)%:R / 48%:R - rr one g h) + 96%:R^-1 * (1 - (size h)%:R / 48%:R)) _ _); last by nn.
  by field.
have ns h : (size h < 21)%N -> ~~ paper_stop one g h.
  rewrite ltnS => le; rewrite paper_stopE // -ltNge.
  have s20 : (size h)%:R <= 20%:R :> R by rewrite ler_nat.
  apply: le_lt_trans (ler_add (rle h _) (ss_le g0 g2 h)) _; first exact: leq_trans le _.
  refine (@lt_diff _ _ _ ((20%:R - (size h)%:R) * (7%:R / 300%:R) + 8%:R / 15%:R) _ _).
    by rewrite /g; field.
  have z : 0 <= 20%:R - (size h)%:R :> R by rewrite subr_ge0.
  by apply: ltr_spaddr; [ps | nn].
have -> : Exp one g (paper_stop one g) 21 (fun h => (count xpredT h)%:R) = 21%:R.
  rewrite /Exp; have -> : Tend one g (paper_stop one g) 21 (fun h => (count xpredT h)%:R) [::] =
    Tend one g (paper_stop one g) 21 (fun h => (size h)%:R) [::].
    by apply: Tend_eq => h; rewrite count_predT.
  by rewrite (Tend_size (ltnSn 0) iso_one g0 g2) /= -/Tsum add0r; exact: (Tsum_run g0 g2 ns).
by rewrite ltr_nat.
Qed.

End Line.

(** ** iterations: the sum must start at j = 0. *)
(* slug: iterations *)
Theorem iterations_false (R : realFieldType) (d : nat) (I : finType) (U : I -> 'cV[R]_d) g n (X1 : pred I) :
  (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
  0 < \tr (\sum_(x | X1 x) U x *m (U x)^T) ->
  ~ (Exp U g (paper_stop U g) n.+1 (fun h => (count X1 h)%:R) <=
     \sum_x prob U (start d g) x * Tsum U g (paper_stop U g) n
       (fun h => phi (\sum_(x | X1 x) U x *m (U x)^T) (hst U g h) / Phi (hst U g h)) [:: x]).
Proof.
move=> d0 iso g0 g2 t0.
rewrite /Exp (Tend_draws d0 iso g0 g2) /= add0r paper_stopE // rr0 // /ss /= mulr0 addr0 ler10.
rewrite ger_addr; apply/negP; rewrite -ltNge phi_start // Phi_start //.
by have : (0 : R) < d%:R by [rewrite ltr0n]; move=> dd; ps.
Qed.

(** ** eq-m1 fails on runs: two points, 3/5 and 4/5, on the line; X1 is the
    first. On the run that only draws it, every draw counts, while the
    probabilities add up to 9/25 a draw. *)
Section Pathwise.
Variable R : realFieldType.
Local Notation two := (@two R).

Lemma two_iso : \sum_b two b *m (two b)^T = 1%:M.
Proof.
rewrite big_bool /two /= !tr_scalar_mx -!scalar_mxM -raddfD /=; congr (_%:M).
by field.
Qed.

Lemma two_prob (s : state R 1) : inv s -> prob two s true = 9%:R / 25%:R.
Proof.
move=> i; have P0 := Phi_gt0 (ltnSn 0) i.
rewrite /prob /two; rewrite -scalemx1 qfZv.
have -> : qf (bracket s) 1%:M = Phi s.
  by rewrite PhiE /qf /bf trmx1 mul1mx mulmx1 /mxtrace big_ord1.
by rewrite mulfK ?gt_eqF //; field.
Qed.

(* slug: eq-m1 *)
Theorem pathwise_false (g : R) n : 0 < g -> 2%:R * g < 1 -> 1 <= n%:R * g ^+ 2 ->
  exists h : seq bool, [/\ reach (paper_stop two g) h, paper_stop two g h,
    forall h', prob two (hst two g h') true = 9%:R / 25%:R, all id h &
    past (fun h' => \sum_(b | b) prob two (hst two g h') b) h < (count id h)%:R].
Proof.
move=> g0 g2 hn; have inv2 h : inv (hst two g h) := inv_h (ltnSn 0) two_iso g0 g2 h.
have ex : exists m, paper_stop two g (nseq m true).
  by exists n; apply: (paper_stops_lin (ltnSn 0) two_iso g0 g2); rewrite size_nseq.
pose m := ex_minn ex; exists (nseq m true).
have [st mn] : paper_stop two g (nseq m true) /\ forall k, paper_stop two g (nseq k true) -> (m <= k)%N.
  by rewrite /m; case: ex_minnP.
have m0 : (0 < m)%N.
  rewrite lt0n; apply/eqP => z; move: st; rewrite z /= paper_stopE // rr0 // /ss /= mulr0 addr0.
  by rewrite ler10.
have e k : past (fun h' => \sum_(b | b) prob two (hst two g h') b) (nseq k true) = k%:R * (9%:R / 25%:R).
  elim: k => [|k IH] /=; first by rewrite mul0r.
  rewrite IH (bigD1 true) //= big1 ?addr0; last by case.
  by rewrite (two_prob (inv2 _)) -[k.+1]addn1 natrD mulrDl mul1r.
split=> //.
- have : (m <= m)%N by []; move: {1 3}m => k; elim: k => //= k IH lt.
  rewrite IH ?(ltnW lt) // andbT; apply/negP => /mn.
  by rewrite leqNgt lt.
- by move=> h'; exact: two_prob.
- by rewrite all_nseq orbT.
- rewrite e count_nseq /= mul1n; refine (@lt_diff _ _ _ (m%:R * (16%:R / 25%:R)) _ _); first by field.
  by have : (0 : R) < m%:R by [rewrite ltr0n]; move=> dd; ps.
Qed.

End Pathwise.
