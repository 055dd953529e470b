(** Algorithm 2 on the unit vectors, enclosed: its states are diagonal, and a
    program on intervals with rational ends encloses u, l, the diagonal, the
    potentials and the loop test, so that long runs stay cheap.

      axis d x         == the point x: the unit vector e_x
      interval         == a lower and an upper end; [inside R i a]
      outward          == the ends rounded outward to 2^-16
      irun d g hs      == the enclosures after the draws hs, latest first
      ibracket         == enclosures of the diagonal of E_j
      istops           == the loop test of line 3, if the enclosures decide it

    Main results: [irun_ok], [ipotential_ok], [istops_ok]. *)
From Coq Require Import ZArith QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Compute.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** Diagonal states *)
Section Diagonal.
Variables (R : realFieldType) (d : nat).
Definition axis (x : 'I_d) : 'cV[R]_d := delta_mx x 0.

Lemma axis_iso : \sum_x axis x *m (axis x)^T = 1%:M.
Proof.
rewrite mx1_sum_delta; apply: eq_bigr => x _.
by rewrite /axis trmx_delta mul_delta_mx.
Qed.

Lemma invmx_diag (r : 'rV[R]_d) : (forall i, r 0 i != 0) ->
  invmx (diag_mx r) = diag_mx (\row_i (r 0 i)^-1).
Proof.
move=> r0; have e : diag_mx r *m diag_mx (\row_i (r 0 i)^-1) = 1%:M.
  rewrite mulmx_diag -diag_const_mx; congr diag_mx; apply/rowP => i.
  by rewrite !mxE mulfV.
by have [u _] := mulmx1_unit e; rewrite -[RHS](mulKmx u) e mulmx1.
Qed.

Variables (a : 'rV[R]_d) (u l : R).
Hypothesis below : forall i, 0 < u - a 0 i.
Hypothesis above : forall i, 0 < a 0 i - l.
Let s := State (diag_mx a) u l.
Definition ev i : R := (u - a 0 i)^-1 + (a 0 i - l)^-1.

Lemma bracket_diag : bracket s = diag_mx (\row_i ev i).
Proof.
have e1 : upper s = diag_mx (\row_i (u - a 0 i)).
  by apply/matrixP => i j; rewrite !mxE; case: eqP; rewrite ?mulr1n // !mulr0n subr0.
have e2 : lower s = diag_mx (\row_i (a 0 i - l)).
  by apply/matrixP => i j; rewrite !mxE; case: eqP; rewrite ?mulr1n // !mulr0n subr0.
rewrite /bracket e1 e2 !invmx_diag => [|i|i]; rewrite ?mxE ?gt_eqF //.
apply/matrixP => i j; rewrite !mxE /ev.
by case: eqP; rewrite ?mulr1n // !mulr0n addr0.
Qed.

Lemma qf_axis x : qf (bracket s) (axis x) = ev x.
Proof. by rewrite /qf /axis bf_delta bracket_diag !mxE eqxx mulr1n. Qed.

Lemma Phi_diag : Phi s = \sum_i ev i.
Proof.
rewrite /Phi /phi mul1mx bracket_diag mxtrace_diag.
by apply: eq_bigr => i _; rewrite mxE.
Qed.

Lemma step_diag g x : Phi s != 0 -> step axis g s x =
  State (diag_mx (a + \row_i (if i == x then g / ev x else 0)))
    (u + g / (1 - 2%:R * g) / Phi s) (l + g / (1 + 2%:R * g) / Phi s).
Proof.
move=> F0; rewrite /step /=; congr State.
have -> : weight axis g s x = g / ev x.
  by rewrite /weight /prob qf_axis -mulrA -invfM [Phi s * _]mulrC mulfVK.
apply/matrixP => i j; rewrite /axis trmx_delta mul_delta_mx !mxE.
have [<-|ij] := eqVneq i j; last first.
  rewrite !mulr0n add0r; case: (i =P x) => [ix|_]; last by rewrite mulr0.
  by rewrite -ix eq_sym (negPf ij) mulr0.
by rewrite !mulr1n andbb; case: eqP; rewrite ?mulr1 ?mulr0.
Qed.

End Diagonal.

(** ** Intervals *)
Definition interval : Type := (Q * Q)%type.

Definition down (q : Q) : Q :=
  let k := 65536%positive in
  let r := Qmake (Z.div (Z.mul (Qnum q) (Zpos k)) (Zpos (Qden q))) k in
  if Qle_bool r q then r else q.
Definition outward (i : interval) : interval :=
  (down i.1, Qopp (down (Qopp i.2))).
Local Notation N := rationals.
Definition iadd (i j : interval) : interval :=
  outward (Qplus i.1 j.1, Qplus i.2 j.2).
Definition isub (i j : interval) : interval :=
  outward (Qminus i.1 j.2, Qminus i.2 j.1).
(** c/i for a rational c >= 0, where i > 0. *)
Definition iover (c : Q) (i : interval) : option interval :=
  if ~~ nle N i.1 (nzero N) && nle N (nzero N) c
  then Some (outward (Qdiv c i.2, Qdiv c i.1)) else None.
Definition exactly (q : Q) : interval := (q, q).

Section Inside.
Variable R : realFieldType.
Local Notation v := (frac R).
Local Notation ok := (frac_reads R).
Definition inside (i : interval) (a : R) : bool := (v i.1 <= a) && (a <= v i.2).

(** Coq's own operations, which do not reduce: the ends are rounded anyway. *)
Lemma v_add a b : v (Qplus a b) = v a + v b.
Proof. by rewrite /frac /= integerD !integerM posM addf_div ?pos_neq0. Qed.
Lemma v_sub a b : v (Qminus a b) = v a - v b.
Proof. by rewrite /Qminus v_add (readN ok). Qed.
Lemma v_div a b : v (Qdiv a b) = v a / v b.
Proof. by rewrite -(readV ok) /Qdiv /frac /= integerM posM mulf_div. Qed.

Lemma down_le q : v (down q) <= v q.
Proof. by rewrite /down; case: ifP => // le; rewrite -(readL ok). Qed.
Lemma outward_ok i a : inside i a -> inside (outward i) a.
Proof.
case/andP => l u; apply/andP; split; first exact: le_trans (down_le _) l.
apply: le_trans u _; have := down_le (Qopp i.2).
by rewrite /= !(readN ok) ler_oppr.
Qed.
Lemma iadd_ok i j a b : inside i a -> inside j b -> inside (iadd i j) (a + b).
Proof.
move=> /andP[l u] /andP[l' u']; apply: outward_ok.
by rewrite /inside /= !v_add !ler_add.
Qed.
Lemma isub_ok i j a b : inside i a -> inside j b -> inside (isub i j) (a - b).
Proof.
move=> /andP[l u] /andP[l' u']; apply: outward_ok.
by rewrite /inside /= !v_sub !ler_sub.
Qed.
Lemma iover_ok c i j a : iover c i = Some j -> inside i a ->
  0 < a /\ inside j (v c / a).
Proof.
rewrite /iover; case: ifP => // /andP[]; rewrite !(readL ok) (read0 ok) -ltNge.
move=> i0 c0 [<-] /andP[l u]; have a0 := lt_le_trans i0 l; split=> //.
have u0 := lt_le_trans a0 u.
apply: outward_ok; rewrite /inside [_.1]/= [_.2]/= !v_div.
by rewrite !ler_wpmul2l ?lef_pinv.
Qed.
Lemma exactly_ok q : inside (exactly q) (v q).
Proof. by rewrite /inside lexx. Qed.
End Inside.

(** ** Enclosed runs *)
Record istate := IState { ia : seq interval; iu : interval; il : interval;
  isum : interval }.

Definition zero_interval : interval := (nzero N, nzero N).
Definition get (l : seq interval) i : interval := nth zero_interval l i.

Section Run.
Variables (d : nat) (g : Q).
Definition ev_at (s : istate) (i : nat) : option interval :=
  if iover (nunit N) (isub (iu s) (get (ia s) i)) is Some p then
  if iover (nunit N) (isub (get (ia s) i) (il s)) is Some q then
    Some (iadd p q) else None else None.
Fixpoint collect (f : nat -> option interval) (l : seq nat) :=
  if l is i :: l' then
    if f i is Some a then
      if collect f l' is Some r then Some (a :: r) else None
    else None
  else Some [::].
(** The diagonal of E_j, and its sum. *)
Definition ibracket s : option (seq interval * interval) :=
  if collect (ev_at s) (iota 0 d) is Some es then
    Some (es, foldr iadd zero_interval es) else None.
Definition istep (s : istate) (x : nat) : option istate :=
  let two := nnat N 2 in
  let one := nunit N in
  if ibracket s is Some (es, F) then
  if iover g (get es x) is Some w then
  if iover (ndiv N g (nsub N one (nmul N two g))) F is Some du then
  if iover (ndiv N g (nadd N one (nmul N two g))) F is Some dl then
    Some (IState (set_nth zero_interval (ia s) x (iadd (get (ia s) x) w))
      (iadd (iu s) du) (iadd (il s) dl) (iadd (isum s) F))
  else None else None else None else None.
Definition istart : istate :=
  let u := ndiv N (nmul N (nnat N 2) (nnat N d)) g in
  IState (nseq d zero_interval) (exactly u) (exactly (nopp N u)) zero_interval.
Fixpoint irun (hs : seq nat) : option istate :=
  if hs is x :: hs' then
    if irun hs' is Some s then istep s x else None
  else Some istart.
(** Line 3, when the enclosure decides it: Some true where the loop stops. *)
Definition istops (s : istate) : option bool :=
  let c := iadd (isub (iu s) (il s)) (isum s) in
  let b := ndiv N (nmul N (nnat N 8) (nnat N d)) g in
  if nle N b c.1 then Some true else
  if nle N b c.2 then None else Some false.
End Run.

Section Correct.
Variables (R : realFieldType) (d : nat) (g : Q).
Local Notation v := (frac R).
Local Notation ok := (frac_reads R).
Local Notation U := (@axis R d).
Local Notation hst := (hst U (v g)).

Definition encloses (s : istate) (h : seq 'I_d) : Prop :=
  exists a : 'rV[R]_d, [/\ acc (hst h) = diag_mx a,
    size (ia s) = d /\ forall i : 'I_d, inside (get (ia s) i) (a 0 i),
    inside (iu s) (up (hst h)), inside (il s) (lo (hst h)) &
    inside (isum s) (past (fun h' => Phi (hst h')) h)].

Lemma collect_ok f l r : collect f l = Some r ->
  size r = size l /\ forall i j, (i < size l)%N -> f (nth j l i) = Some (get r i).
Proof.
elim: l r => [|k l IH] r /=; first by case=> <-.
case fk: (f k) => [a|] //; case c: (collect f l) => [r'|] // [<-].
have [sz e] := IH _ c; split=> /=; first by rewrite sz.
by case=> [|i] j lt //=; rewrite (e _ j).
Qed.

Lemma ibracket_ok s h es F : encloses s h -> ibracket d s = Some (es, F) ->
  exists a : 'rV[R]_d, [/\ hst h = State (diag_mx a) (up (hst h)) (lo (hst h)),
    forall i : 'I_d, inside (get (ia s) i) (a 0 i),
    forall i : 'I_d, 0 < up (hst h) - a 0 i /\ 0 < a 0 i - lo (hst h),
    forall i : 'I_d, inside (get es i) (ev a (up (hst h)) (lo (hst h)) i) &
    inside F (Phi (hst h))].
Proof.
case=> a [ea [sz ia] iu il _]; rewrite /ibracket.
case c: (collect _ _) => [es'|] // [<- <-]; have [sz' e] := collect_ok c.
have at_i (i : 'I_d) : (0 < up (hst h) - a 0 i /\ 0 < a 0 i - lo (hst h)) /\
    inside (get es' i) (ev a (up (hst h)) (lo (hst h)) i).
  have := e i 0%N; rewrite size_iota nth_iota // add0n => /(_ (ltn_ord i)).
  rewrite /ev_at; case p: (iover _ _) => [p'|] //; case q: (iover _ _) => [q'|] // [<-].
  have [u0 iP] := iover_ok p (isub_ok iu (ia i)).
  have [l0 iQ] := iover_ok q (isub_ok (ia i) il).
  by split=> //; apply: iadd_ok; [move: iP | move: iQ]; rewrite (read1 ok) mul1r.
have eh : hst h = State (diag_mx a) (up (hst h)) (lo (hst h)).
  by move: ea; case: (hst h) => A u l /= ->.
exists a; split=> // [i|i|]; [exact: (at_i i).1 | exact: (at_i i).2 |].
rewrite eh Phi_diag => [|i|i]; [|exact: (at_i i).1.1 | exact: (at_i i).1.2].
have {e c} : forall l k, (l + k = d)%N ->
    inside (foldr iadd zero_interval (drop k es'))
      (\sum_(i < d | (k <= i)%N) ev a (up (hst h)) (lo (hst h)) i).
  rewrite size_iota in sz'.
  elim=> [|l IH] k; rewrite ?add0n => ek.
    rewrite drop_oversize ?sz' ?ek // big1 /= => [|i]; last first.
      by rewrite leqNgt ltn_ord.
    by rewrite /inside /= (read0 ok) lexx.
  have lt : (k < d)%N by rewrite -ek addSn ltnS leq_addl.
  rewrite (drop_nth zero_interval) ?sz' //= (bigD1 (Ordinal lt)) //=.
  apply: iadd_ok; first exact: (at_i (Ordinal lt)).2.
  have := IH k.+1; rewrite addnS -addSn => /(_ ek); congr (inside _ _).
  by apply: eq_bigl => i; rewrite ltn_neqAle andbC eq_sym.
by move=> /(_ d 0%N (addn0 d)); rewrite drop0.
Qed.

Lemma istep_ok s h (x : 'I_d) s' : encloses s h -> istep d g s x = Some s' ->
  encloses s' (x :: h).
Proof.
move=> en; rewrite /istep; case b: (ibracket d s) => [[es F]|] //.
have [a [eh ia' pos ie iF]] := ibracket_ok en b.
have [_ [_ [sz _] iu' il' is']] := en.
case w: (iover _ _) => [w'|] //; case du: (iover _ _) => [du'|] //.
case dl: (iover _ _) => [dl'|] // [<-].
have [_ iw] := iover_ok w (ie x); have [F0 idu] := iover_ok du iF.
have [_ idl] := iover_ok dl iF.
have eF : Phi (State (diag_mx a) (up (hst h)) (lo (hst h))) = Phi (hst h) by rewrite -eh.
have st : hst (x :: h) = State
    (diag_mx (a + \row_i (if i == x then v g / ev a (up (hst h)) (lo (hst h)) x else 0)))
    (up (hst h) + v g / (1 - 2%:R * v g) / Phi (hst h))
    (lo (hst h) + v g / (1 + 2%:R * v g) / Phi (hst h)).
  rewrite /= [in LHS]eh step_diag ?eF ?gt_eqF // => i; by case: (pos i).
rewrite !(read_div ok) (read_sub ok) (read1 ok) (readM ok) (read_nat ok) in idu.
rewrite !(read_div ok) (readD ok) (read1 ok) (readM ok) (read_nat ok) in idl.
exists (a + \row_i (if i == x then v g / ev a (up (hst h)) (lo (hst h)) x else 0)).
split; rewrite ?st //=; try exact: iadd_ok.
split; first by rewrite size_set_nth sz; apply/maxn_idPr.
move=> i; rewrite !mxE /get nth_set_nth /= val_eqE; case: eqP => [->|_].
  exact: iadd_ok (ia' x) iw.
by rewrite addr0; exact: ia'.
Qed.

Lemma istart_ok : encloses (istart d g) [::].
Proof.
exists 0; split=> /=.
- by rewrite raddf0.
- split=> [|i]; first exact: size_nseq.
  by rewrite mxE /get nth_nseq ltn_ord /inside /= (read0 ok) lexx.
- have := exactly_ok R (ndiv N (nmul N (nnat N 2) (nnat N d)) g).
  by rewrite (read_div ok) (readM ok) !(read_nat ok).
- have := exactly_ok R (nopp N (ndiv N (nmul N (nnat N 2) (nnat N d)) g)).
  by rewrite (readN ok) (read_div ok) (readM ok) !(read_nat ok).
- by rewrite /inside /= (read0 ok) lexx.
Qed.

Theorem irun_ok h s : irun d g [seq val x | x <- h] = Some s -> encloses s h.
Proof.
elim: h s => [|x h IH] s /=; first by case=> <-; exact: istart_ok.
by case r: (irun _ _ _) => [t|] //; apply: istep_ok; exact: IH.
Qed.

Theorem istops_ok h s b : encloses s h -> istops d g s = Some b ->
  paper_stop U (v g) h = b.
Proof.
case=> a [_ _ iu' il' is']; rewrite /istops !(readL ok) (read_div ok) (readM ok).
rewrite !(read_nat ok).
have /andP[l u] := iadd_ok (isub_ok iu' il') is'.
case: ifP => [le [<-]|_]; first by rewrite /paper_stop; exact: le_trans le l.
case: ifP => // /negbT gt [<-]; apply/negbTE; rewrite /paper_stop -ltNge.
by rewrite -ltNge in gt; exact: le_lt_trans u gt.
Qed.

Theorem ipotential_ok h s es F : encloses s h -> ibracket d s = Some (es, F) ->
  inside F (Phi (hst h)) /\
  forall x : 'I_d, 0 <= v (get es x).1 -> 0 < v F.1 ->
    v (get es x).1 / v F.2 <= prob U (hst h) x.
Proof.
move=> en b; have [a [eh _ pos ie iF]] := ibracket_ok en b; split=> // x e0 f0.
have /andP[l u] := iF; have F0 := lt_le_trans f0 l.
have -> : prob U (hst h) x = ev a (up (hst h)) (lo (hst h)) x / Phi (hst h).
  by rewrite /prob {1}eh qf_axis // => i; case: (pos i).
have /andP[le _] := ie x.
by apply: ler_pmul; rewrite ?invr_ge0 ?lef_pinv ?posrE ?(ltW (lt_le_trans F0 u)) ?(lt_le_trans F0 u).
Qed.
End Correct.
