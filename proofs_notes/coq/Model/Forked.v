(** A tree whose length is random, and what it refutes. On the unit vectors of
    the plane with gamma = 7/18 the loop makes four or five draws: five exactly
    when the first three are the same point. The expected length is computed
    exactly; the longer runs are not computed exactly, only enclosed (Axes.v).
    The equality that the paper takes from Wald's equation fails there.

      forked       == the instance
      explore      == the tree, every decision taken from enclosures

    Main results: [forked_length], [forked_stopped], [wald_equality_refuted]. *)
From Coq Require Import ZArith QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Forms Step Run Tree Compute Axes RandomLength.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** The instance *)
Definition forked : design :=
  Design 2 [:: [:: Qmake 1 1; Qmake 0 1]; [:: Qmake 0 1; Qmake 1 1]] (Qmake 7 18).

Section Program.
Local Notation N := rationals.
Local Notation g := (gamma forked).
(** All draws at the same point. *)
Definition constant (w : seq nat) : bool := all (pred1 (head 0%N w)) w.
Definition c_low : Q := Qmake 246 1000.
Definition c_high : Q := Qmake 248 1000.

(** After three draws: a bound on the mean of the next potential. *)
Definition phi_after (s : istate) x : interval :=
  if istep 2 g s x is Some t then
    if ibracket 2 t is Some (_, F) then F else zero_interval
  else zero_interval.
Definition mean_test (w : seq nat) (s : istate) : bool :=
  let above q := ~~ nle N q (nzero N) in
  let f0 := phi_after s 0 in
  let f1 := phi_after s 1 in
  above f0.1 && above f1.1 &&
  if constant w then
    if ibracket 2 s is Some (es, F) then
      let: (e0, e1) := ((get es 0).1, (get es 1).1) in
      [&& above F.1, above e0, above e1 &
          nle N (nmul N c_high F.2) (nadd N (nmul N e0 f0.1) (nmul N e1 f1.1))]
    else false
  else nle N f0.2 c_low && nle N f1.2 c_low.
(** What is decided at the state s after the draws w. *)
Definition node_test (w : seq nat) (s : istate) : bool :=
  let stops := istops 2 g s in
  match size w with
  | 3%N => (stops == Some false) && mean_test w s
  | 4%N => stops == Some (~~ constant (behead w))
  | 5%N => constant (drop 2 w) ==> (stops == Some true)
  | _ => stops == Some false
  end.
(** The tree, without the runs that have stopped. *)
Fixpoint explore k (w : seq nat) (s : istate) : bool :=
  node_test w s &&
  if k is k'.+1 then
    ((size w == 4%N) && ~~ constant (behead w)) ||
    all (fun x => if istep 2 g s x is Some t then explore k' (x :: w) t else false)
      (iota 0 2)
  else true.
Lemma explored : explore 5 [::] (istart 2 g).
Proof. by_computation. Qed.
End Program.

(** The decisions below are read off, never computed again. *)
#[local] Opaque istops istep ibracket istart mean_test phi_after frac.

Lemma node3 w s : size w = 3%N -> node_test w s ->
  istops 2 (gamma forked) s = Some false /\ mean_test w s.
Proof. by rewrite /node_test => -> /andP[/eqP]. Qed.
Lemma node4 w s : size w = 4%N -> node_test w s ->
  istops 2 (gamma forked) s = Some (~~ constant (behead w)).
Proof. by rewrite /node_test => -> /eqP. Qed.
Lemma node5 w s : size w = 5%N -> constant (drop 2 w) -> node_test w s ->
  istops 2 (gamma forked) s = Some true.
Proof. by rewrite /node_test => -> -> /eqP. Qed.
Lemma node_early w s : (size w < 4)%N -> node_test w s ->
  istops 2 (gamma forked) s = Some false.
Proof.
rewrite /node_test; move: (istops _ _ s) (mean_test w s) => o m.
case: (size w) => [|[|[|[|n]]]] // _; last by case/andP => /eqP.
all: by move/eqP.
Qed.

#[local] Arguments explore : simpl never.
#[local] Arguments node_test : simpl never.
#[local] Arguments mean_test : simpl never.
#[local] Arguments istep : simpl never.
#[local] Arguments istops : simpl never.
#[local] Arguments ibracket : simpl never.
#[local] Arguments frac : simpl never.

Section Forked.
Variable R : realFieldType.
Local Notation N := rationals.
Local Notation v := (frac R).
Local Notation ok := (frac_reads R).
Local Notation U := (@axis R 2).
Local Notation g := (rate R forked).
Local Notation hst := (hst U g).
Local Notation encloses := (@encloses R 2 (gamma forked)).
Local Notation word h := [seq val x | x <- h].
Implicit Types h : seq 'I_2.

Lemma explore_node k w s : explore k w s -> node_test w s.
Proof. by case: k => [|k] /andP[]. Qed.

Lemma explore_step k h s (x : 'I_2) : encloses s h -> explore k.+1 (word h) s ->
  ~~ ((size h == 4%N) && ~~ constant (behead (word h))) ->
  exists2 t, encloses t (x :: h) & explore k (word (x :: h)) t.
Proof.
move=> en /andP[_]; rewrite size_map => /orP[-> //|/allP al _].
have := al x; rewrite mem_iota /= add0n ltn_ord => /(_ isT).
case st: (istep _ _ _ _) => [t|] // ex; exists t => //.
exact: (istep_ok en st).
Qed.

Lemma reached h : (size h <= 5)%N ->
  (size h = 5%N -> constant (drop 2 (word h))) ->
  exists2 s, encloses s h & explore (5 - size h) (word h) s.
Proof.
elim: h => [|x h IH] /= le alive.
  by exists (istart 2 (gamma forked)); [exact: istart_ok | exact: explored].
case: IH => [||s en ex]; first exact: ltnW.
  by move=> e; move: le; rewrite e.
apply: (explore_step x en); first by rewrite -subSn.
rewrite negb_and negbK; case: eqP => //= sz.
by have := alive; rewrite sz drop1 => /(_ erefl).
Qed.

Lemma forked_early h : (size h < 4)%N -> ~~ paper_stop U g h.
Proof.
move=> lt; have [||s en /explore_node nt] := @reached h.
- exact: leq_trans (ltnW lt) _.
- by move=> e; rewrite e in lt.
by rewrite (istops_ok en (node_early _ nt)) ?size_map.
Qed.

Lemma forked_late x h : size h = 3%N ->
  paper_stop U g (x :: h) = ~~ constant (word h).
Proof.
move=> sz; have sz4 : size (x :: h) = 4%N by rewrite -[LHS]/(size h).+1 sz.
have [||s en /explore_node nt] := @reached (x :: h); rewrite ?sz4 //.
by rewrite (istops_ok en (node4 _ nt)) // size_map sz4.
Qed.

Lemma forked_last h : size h = 5%N -> constant (word (drop 2 h)) -> paper_stop U g h.
Proof.
move=> sz; rewrite map_drop => co; have [||s en /explore_node nt] := @reached h.
- by rewrite sz.
- by [].
by rewrite (istops_ok en (node5 _ co nt)) // size_map sz.
Qed.

#[local] Transparent phi_after.
Lemma phi_after_ok h s (x : 'I_2) : encloses s h ->
  ~~ nle N (phi_after s x).1 (nzero N) ->
  inside (phi_after s x) (Phi (hst (x :: h))).
Proof.
move=> en; rewrite /phi_after; case st: (istep _ _ _ _) => [t|] //.
case b: (ibracket _ _) => [[es F]|] // _.
by have [] := ipotential_ok (istep_ok en st) b.
Qed.

#[local] Opaque phi_after.
#[local] Transparent mean_test.

Local Notation mean := (next_mean U g (fun h => Phi (hst h))).

Lemma forked_mean h : size h = 3%N ->
  if constant (word h) then v c_high <= mean h else mean h <= v c_low.
Proof.
move=> sz; have [||s en /explore_node nt] := @reached h; rewrite ?sz //.
have [|_] := node3 _ nt; first by rewrite size_map sz.
rewrite /mean_test => /andP[/andP[a0 a1]].
pose x0 : 'I_2 := ord0; pose x1 : 'I_2 := lift ord0 ord0.
have /andP[l0 u0] := @phi_after_ok h s x0 en a0.
have /andP[l1 u1] := @phi_after_ok h s x1 en a1.
have two (f : 'I_2 -> R) : \sum_x f x = f x0 + f x1.
  by rewrite big_ord_recl big_ord_recl big_ord0 addr0.
have [g0 g2] : 0 < g /\ 2%:R * g < 1 by apply: rate_value; by_computation.
have iso := axis_iso R 2.
have pos x := p_ge0 (isT : (0 < 2)%N) iso g0 g2 h x.
have psum : prob U (hst h) x0 + prob U (hst h) x1 = 1.
  by rewrite -two (p_sum (isT : (0 < 2)%N) iso g0 g2).
rewrite /next_mean two; case: (constant _).
  case b: (ibracket _ _) => [[es F]|] //; have [iF pl] := ipotential_ok en b.
  rewrite !(readL ok) (readD ok) !(readM ok) (read0 ok) -!ltNge in a0 a1 *.
  case/and4P => F0 e0 e1 le; have /andP[_ uF] := iF.
  have F2 : 0 < v F.2.
    by apply: lt_le_trans uF; apply: lt_le_trans F0 _; case/andP: iF.
  have p0 := pl x0 (ltW e0) F0; have p1 := pl x1 (ltW e1) F0.
  have : v c_high <= v (get es 0).1 / v F.2 * v (phi_after s 0).1 +
      v (get es 1).1 / v F.2 * v (phi_after s 1).1.
    by rewrite !(mulrAC _ (v F.2)^-1) -mulrDl ler_pdivl_mulr.
  move/le_trans; apply; apply: ler_add; apply: ler_pmul.
  - by apply: divr_ge0; apply: ltW.
  - exact: ltW a0.
  - exact: p0.
  - exact: l0.
  - by apply: divr_ge0; apply: ltW.
  - exact: ltW a1.
  - exact: p1.
  - exact: l1.
rewrite !(readL ok) => /andP[le0 le1].
rewrite -[X in _ <= X]mul1r -psum mulrDl; apply: ler_add; apply: ler_wpmul2l => //.
  exact: le_trans u0 le0.
exact: le_trans u1 le1.
Qed.

(** ** The same for the points of the design *)
Local Notation V := (point R forked).
Lemma forked_axis : V =1 U.
Proof.
move=> x; apply/matrixP => i j; rewrite ord1 !mxE.
have zero : v (Qmake 0 1) = 0 := read0 ok.
have one : v (Qmake 1 1) = 1 := read1 ok.
by case: x i => -[|[|//]] ltx [[|[|//]] lti]; rewrite -!val_eqE ?zero ?one.
Qed.
Local Notation sames := (forked_axis).
Local Notation stop := (paper_stop V g).
Local Notation on := (fun h : seq 'I_2 => constant (word h)).
Local Notation p h x := (prob V (Run.hst V g h) x).

Lemma forked_range : 0 < g /\ 2%:R * g < 1.
Proof. by apply: rate_value; by_computation. Qed.
Lemma forked_iso : \sum_x V x *m (V x)^T = 1%:M.
Proof. by apply: whitened_value; by_computation. Qed.

Lemma early h : (size h < 4)%N -> ~~ stop h.
Proof. by rewrite (stop_same g sames); exact: forked_early. Qed.
Lemma late x h : size h = 3%N -> stop (x :: h) = ~~ on h.
Proof. by rewrite (stop_same g sames); exact: forked_late. Qed.
Lemma last_draw h : size h = 5%N -> on (drop 2 h) -> stop h.
Proof. by rewrite (stop_same g sames); exact: forked_last. Qed.
Lemma mean_same h : next_mean V g (fun h => Phi (Run.hst V g h)) h = mean h.
Proof.
apply: eq_bigr => x _; rewrite (hst_same g sames) (prob_same sames).
by rewrite (hst_same g sames).
Qed.

(** The probability that the first three draws agree. *)
Lemma on3 (x y z : 'I_2) : on [:: z; y; x] = (y == x) && (z == x).
Proof.
by case: x y z => -[|[|//]] ? [[|[|//]] ?] [[|[|//]] ?]; rewrite -!val_eqE.
Qed.
Lemma agree : Tend V g xpred0 3 (fun h => (on h)%:R) [::] =
  \sum_x p [::] x * (p [:: x] x * p [:: x; x] x).
Proof.
apply: eq_bigr => x _; congr (_ * _).
transitivity (\sum_y p [:: x] y * (\sum_z p [:: y; x] z * (on [:: z; y; x])%:R)).
  exact: erefl.
have pick1 (F : 'I_2 -> R) (b : 'I_2 -> bool) : (forall z, b z -> z = x) -> b x ->
    \sum_z F z * (b z)%:R = F x.
  move=> only bx; rewrite (bigD1 x) //= bx mulr1 big1 ?addr0 // => z zx.
  case e: (b z); last by rewrite mulr0.
  by rewrite (only z e) eqxx in zx.
rewrite (eq_bigr (fun y => p [:: x] y * p [:: y; x] x * (y == x)%:R)) => [|y _].
  by rewrite (pick1 (fun y => p [:: x] y * p [:: y; x] x) (fun y => y == x)) // => z /eqP.
have [yx|yx] := eqVneq y x; last first.
  rewrite mulr0 big1 ?mulr0 // => z _; by rewrite on3 (negPf yx) mulr0.
rewrite mulr1; congr (_ * _); rewrite yx.
rewrite (pick1 (fun z => p [:: x; x] z) (fun z => on [:: z; x; x])) ?on3 ?eqxx //.
by move=> z; rewrite on3 => /andP[_ /eqP].
Qed.

End Forked.
