(** A tree whose length is random, and what it refutes. On the unit vectors of
    the plane with gamma = 7/18 the loop makes four or five draws: five exactly
    when the first three are the same point. The expected length is computed
    exactly; the longer runs are not computed exactly, only enclosed (Axes.v).
    The equality that the paper takes from Wald's equation fails there.

      forked       == the instance
      explore      == the tree, every decision taken from enclosures

    Main results: [forked_length_all], [forked_stopped_all],
    [wald_equality_refuted]. *)
From Coq Require Import ZArith QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Compute Axes RandomLength.
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
Local Notation p h x := (prob V (Spec.hst V g h) x).

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
Lemma mean_same h : next_mean V g (fun h => Phi (Spec.hst V g h)) h = mean h.
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

Lemma prob_value hs h (x : 'I_2) l q : probabilities R forked hs = fracs R l ->
  draws forked hs = h -> size l = 2%N -> nth (Qmake 0 1) l x = q -> p h x = v q.
Proof.
move=> e <- sz <-; have := congr1 (fun s => nth 0 s x) e.
rewrite /probabilities (nth_map x) ?size_enum_ord // nth_ord_enum => ->.
by rewrite (nth_map (Qmake 0 1)) // sz.
Qed.

Lemma product_value (z1 z2 z3 : R) r1 r2 r3 : z1 = v r1 -> z2 = v r2 ->
  z3 = v r3 -> z1 * (z2 * z3) = v (nmul N r1 (nmul N r2 r3)).
Proof. by move=> -> -> ->; rewrite !(readM ok). Qed.

Lemma sum_value (z0 z1 : R) r0 r1 q : z0 = v r0 -> z1 = v r1 ->
  neq N (nadd N r0 r1) q -> z0 + z1 = v q.
Proof. by move=> -> -> /(readE ok) <-; rewrite (readD ok). Qed.

Definition q_forked : Q :=
  Qmake 132893280392932483022086994332233 585953009571809214072967501258900.

Lemma agree_value : Tend V g xpred0 3 (fun h => (on h)%:R) [::] = v q_forked.
Proof.
pose x0 : 'I_2 := ord0; pose x1 : 'I_2 := lift ord0 ord0.
pose l1 := [:: Qmake 1 2; Qmake 1 2].
pose a1 := Qmake 225423 460450; pose b1 := Qmake 235027 460450.
pose a2 := Qmake 589528488188572075706946471 1272565988862654390428857642.
pose b2 := Qmake 683037500674082314721911171 1272565988862654390428857642.
have e : probabilities R forked [::] = fracs R l1.
  by apply: probabilities_value; by_computation.
have e0 : probabilities R forked [:: 0%N] = fracs R [:: a1; b1].
  by apply: probabilities_value; by_computation.
have e1 : probabilities R forked [:: 1%N] = fracs R [:: b1; a1].
  by apply: probabilities_value; by_computation.
have e00 : probabilities R forked [:: 0%N; 0%N] = fracs R [:: a2; b2].
  by apply: probabilities_value; by_computation.
have e11 : probabilities R forked [:: 1%N; 1%N] = fracs R [:: b2; a2].
  by apply: probabilities_value; by_computation.
have d0 : draws forked [:: 0%N] = [:: x0].
  by apply: (inj_map val_inj); rewrite draws_val.
have d1 : draws forked [:: 1%N] = [:: x1].
  by apply: (inj_map val_inj); rewrite draws_val.
have d00 : draws forked [:: 0%N; 0%N] = [:: x0; x0].
  by apply: (inj_map val_inj); rewrite draws_val.
have d11 : draws forked [:: 1%N; 1%N] = [:: x1; x1].
  by apply: (inj_map val_inj); rewrite draws_val.
have two (f : 'I_2 -> R) : \sum_x f x = f x0 + f x1.
  by rewrite big_ord_recl big_ord_recl big_ord0 addr0.
have q0 : p [::] x0 = v (Qmake 1 2) := @prob_value _ _ x0 _ _ e erefl erefl erefl.
have q1 : p [::] x1 = v (Qmake 1 2) := @prob_value _ _ x1 _ _ e erefl erefl erefl.
have q00 : p [:: x0] x0 = v a1 := @prob_value _ _ x0 _ _ e0 d0 erefl erefl.
have q11 : p [:: x1] x1 = v a1 := @prob_value _ _ x1 _ _ e1 d1 erefl erefl.
have q000 : p [:: x0; x0] x0 = v a2 := @prob_value _ _ x0 _ _ e00 d00 erefl erefl.
have q111 : p [:: x1; x1] x1 = v a2 := @prob_value _ _ x1 _ _ e11 d11 erefl erefl.
have s0 := product_value q0 q00 q000.
have s1 := product_value q1 q11 q111.
rewrite agree two.
have eq : neq N (nadd N (nmul N (Qmake 1 2) (nmul N a1 a2))
    (nmul N (Qmake 1 2) (nmul N a1 a2))) q_forked by by_computation.
exact (sum_value s0 s1 eq).
Qed.

Lemma agree_range : 0 < v q_forked /\ v q_forked < 1.
Proof.
have lt a b : ~~ nle N b a -> v a < v b by rewrite (readL ok) -ltNge.
split; [rewrite -(read0 ok) | rewrite -(read1 ok)]; apply: lt; by_computation.
Qed.

Local Notation d2 := (isT : (0 < 2)%N).
Local Notation g0 := (proj1 forked_range).
Local Notation g2 := (proj2 forked_range).

Theorem forked_stopped_all : Pr V g stop 5 stop = 1.
Proof. exact: (stopped_late d2 forked_iso g0 g2 early late last_draw). Qed.

Theorem forked_length_all : Exp V g stop 5 (fun h => (size h)%:R) = 4%:R + v q_forked.
Proof. by rewrite (length_late d2 forked_iso g0 g2 early late) agree_value. Qed.

Theorem forked_length_value (q : Q) :
  neq N (nadd N (nnat N 4) q_forked) q ->
  Exp V g stop 5 (fun h => (size h)%:R) = v q.
Proof.
move=> e; rewrite forked_length_all; apply: sum_value e; last exact: erefl.
by rewrite (read_nat ok).
Qed.

(** The right side of the equality is smaller. *)
Theorem forked_wald :
  \sum_(j < 5) Pr V g stop 5 (fun h => (j < size h)%N) *
    Exp V g xpred0 j (fun h => Phi (Spec.hst V g h)) <
  Tsum V g stop 5 (fun h => Phi (Spec.hst V g h)) [::].
Proof.
have [q0 q1] := agree_range; rewrite -agree_value in q0 q1.
apply: (@late_covariance _ _ _ V g stop d2 forked_iso g0 g2 on _ (v c_low) (v c_high)
  early late) => // [h sz o|h sz o|].
- by rewrite mean_same; have := forked_mean sz; rewrite o.
- by rewrite mean_same; have := forked_mean sz; rewrite (negPf o).
have lt a b : ~~ nle N b a -> v a < v b by rewrite (readL ok) -ltNge.
by apply: lt; by_computation.
Qed.
End Forked.

(* slug: wald *)
Theorem wald_equality_refuted (R : realFieldType) :
  ~ (forall (d : nat) (I : finType) (U : I -> 'cV[R]_d) (g : R) (n : nat),
      (0 < d)%N -> \sum_x U x *m (U x)^T = 1%:M -> 0 < g -> 2%:R * g < 1 ->
      Pr U g (paper_stop U g) n (paper_stop U g) = 1 ->
      Tsum U g (paper_stop U g) n (fun h => Phi (hst U g h)) [::] =
      \sum_(j < n) Pr U g (paper_stop U g) n (fun h => (j < size h)%N) *
        Exp U g xpred0 j (fun h => Phi (hst U g h))).
Proof.
move=> eq; have [g0 g2] := forked_range R.
have := forked_wald R; rewrite -(eq _ _ (point R forked)) ?ltxx //.
- exact: forked_iso.
- exact: forked_stopped_all.
Qed.
