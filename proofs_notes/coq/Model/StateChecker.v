(** A checker of one recorded state of a run and of the line that follows it,
    in Gram coordinates, and its soundness.

    Exact traces grow: eight draws take a hundred thousand bits. A recorded
    state (B, u, l, any rationals) makes the steps independent of each other.
    The checker decides that the state lies strictly between its barriers, that
    what the line says (u, l, Phi, p, the probabilities, the weight) is within a
    relative allowance e of what Algorithm 2 computes from this very state, and,
    for recorded next states, that the step is exact. With e = 0 all is exact.

      definite M       == M is symmetric positive definite, by vectors that are
                          orthogonal for M (found by an elimination about which
                          nothing is proved, then checked)
      check_state e    == the state and the line
      check_step e     == the state, the line and the next state
      nearly e o a     == the value o, if given, is within e |a| of a

    Main results: [definite_ok], [check_state_sound], [check_step_sound]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Compute.
From Asura Require Import Gram GramProgram TraceChecker.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Checker.
Variables (T : Type) (N : numbers T).

Definition size_of a : T := if nle N (nzero N) a then a else nopp N a.
Definition near e a b : bool :=
  nle N (size_of (nsub N a b)) (nmul N e (size_of b)).

Section Definite.
Variable d : nat.
Definition form_of (M : seq (seq T)) (a b : seq T) : T :=
  total N d (fun i => nmul N (nth (nzero N) a i)
    (total N d (fun j => nmul N (entry N M i j) (nth (nzero N) b j)))).
(** Gram and Schmidt for the form M, from the unit vectors. *)
Definition orthogonal (M : seq (seq T)) : seq (seq T) :=
  foldl (fun vs k =>
    let e := mkseq (fun i => scalar N (nunit N) i k) d in
    rcons vs (foldl (fun a b =>
      let t := ndiv N (form_of M b e) (form_of M b b) in
      mkseq (fun i => nsub N (nth (nzero N) a i)
                             (nmul N t (nth (nzero N) b i))) d) e vs))
    [::] (iota 0 d).
Definition same_table (A B : seq (seq T)) : bool :=
  all (fun i => all (fun j => neq N (entry N A i j) (entry N B i j)) (iota 0 d))
    (iota 0 d).
Definition flip (A : seq (seq T)) : seq (seq T) := build d (fun i j => entry N A j i).
Definition definite (M : seq (seq T)) : bool :=
  let C := orthogonal M in
  let D := product N d (product N d C M) (flip C) in
  [&& inverse N d C : bool, all (fun i => less N (nzero N) (entry N D i i)) (iota 0 d) &
      same_table D (build d (fun i j => scalar N (entry N D i i) i j))].
End Definite.

Definition check_state e d pts scales g (s : pstate T) (a : line T) : bool :=
  let G := pgram N d pts scales in
  [&& header_ok N d pts scales g,
      definite d (build d (fun i j =>
        nsub N (nmul N (pup s) (entry N G i j)) (entry N (pacc s) i j))),
      definite d (build d (fun i j =>
        nsub N (entry N (pacc s) i j) (nmul N (plo s) (entry N G i j)))) &
  if pinvert N d G s is Some (E, F) then
    line_ok N d pts scales g (near e) s E F a else false].

Definition check_step e d pts scales g s a (s' : pstate T) : bool :=
  check_state e d pts scales g s a &&
  if pinvert N d (pgram N d pts scales) s is Some (E, F) then
    let t := pstep N d pts scales g s E F (pick a) in
    [&& same_table d (pacc s') (pacc t), neq N (pup s') (pup t),
        neq N (plo s') (plo t) & neq N (psum s') (psum t)]
  else false.

End Checker.

Section Sound.
Variables (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R).
Hypothesis ok : reads N v.

Lemma size_of_ok a : v (size_of N a) = `|v a|.
Proof.
rewrite /size_of (readL ok) (read0 ok); case: ifP => [/ger0_norm -> //|].
by move/negbT; rewrite -ltNge (readN ok) => /ltr0_norm ->.
Qed.

(** The value, if it is given, is within e |a| of a. *)
Definition nearly (e : R) (o : option T) (a : R) : Prop :=
  forall b, o = Some b -> `|v b - a| <= e * `|a|.
Definition nearly_all (e : R) (o : option (seq T)) (l : seq R) : Prop :=
  forall b, o = Some b -> size b = size l /\
    forall i t, (i < size b)%N -> `|v (nth t b i) - nth 0 l i| <= e * `|nth 0 l i|.

Lemma near_ok e a b : near N e a b -> `|v a - v b| <= v e * `|v b|.
Proof. by rewrite /near (readL ok) size_of_ok (read_sub ok) (readM ok) size_of_ok. Qed.
Lemma said_near e o a : said (near N e) o a -> nearly (v e) o (v a).
Proof. by case: o => // b /= /near_ok le _ [<-]. Qed.
Lemma said_all_near e o l : said_all (near N e) o l -> nearly_all (v e) o (map v l).
Proof.
case: o => // b /=; rewrite all2E => /andP[/eqP sz al] _ [<-].
rewrite size_map; split=> // i t lt.
move/(all_nthP (t, t)): al => /(_ i); rewrite size_zip -sz minnn => /(_ lt).
by rewrite nth_zip //= => /near_ok; rewrite (nth_map t) -?sz.
Qed.

Section Matrices.
Variable d : nat.
Local Notation mx_of := (mx_of N v d).

Lemma same_table_ok A B : same_table N d A B -> mx_of A = mx_of B.
Proof.
move=> /allP same; apply/matrixP => i j; rewrite !mxE.
have below (k : 'I_d) : val k \in iota 0 d by rewrite mem_iota /= add0n.
by have /allP/(_ _ (below j))/(readE ok) := same _ (below i).
Qed.

Lemma flip_ok A : mx_of (flip N d A) = (mx_of A)^T.
Proof. by rewrite (mx_build N v); apply/matrixP => i j; rewrite !mxE. Qed.

Lemma pd_diag (D : 'rV[R]_d) : (forall i, 0 < D 0 i) -> pd (diag_mx D).
Proof.
move=> D0; split=> [|z z0]; first exact: tr_diag_mx.
have e : qf (diag_mx D) z = \sum_i D 0 i * z i 0 ^+ 2.
  rewrite /qf /bf mxE; apply: eq_bigr => i _.
  by rewrite mul_mx_diag !mxE [z i 0 * _]mulrC -mulrA -expr2.
have [i zi] : exists i, z i 0 != 0.
  apply/existsP; apply: contraR z0 => /existsPn z0; apply/eqP/matrixP => i j.
  by rewrite mxE ord1; have := z0 i; rewrite negbK => /eqP.
rewrite e (bigD1 i) //= ltr_paddr //; last by rewrite mulr_gt0 // exprn_even_gt0.
by apply: sumr_ge0 => k _; rewrite mulr_ge0 ?sqr_ge0 // ltW.
Qed.

Lemma definite_ok M : definite N d M -> pd (mx_of M).
Proof.
rewrite /definite; move: (orthogonal N d M) => C.
case i: (inverse _ _ _) => [B|] //= /andP[/allP pos /same_table_ok].
have [uC _] := inverse_unit ok i; have uT : (mx_of C)^T \in unitmx by rewrite unitmx_tr.
rewrite !(mx_product ok) flip_ok => e.
apply/(pd_congr (mx_of M) uT); rewrite trmxK e (mx_build N v).
set E := product N d _ _.
have -> : \matrix_(i, j) v (scalar N (entry N E i i) i j) =
    diag_mx (\row_i v (entry N E i i)) :> 'M[R]_d.
  apply/matrixP => k l; rewrite !mxE /scalar -val_eqE /=.
  by case: eqP; rewrite ?mulr1n // mulr0n (read0 ok).
apply: pd_diag => k; rewrite mxE -[X in X < _](read0 ok) -(less_ok ok).
by apply: pos; rewrite mem_iota /= add0n.
Qed.
End Matrices.

Section Data.
Variables (d : nat) (pts : seq (seq T)) (scales : seq T) (g e : T).
Local Notation n := (size pts).
Local Notation c := (@scale_of T N R v pts scales).
Local Notation X := (@pt_of T N R v d pts).
Variables (P : 'M[R]_d) (U : 'I_n -> 'cV[R]_d).
Hypothesis whP : whites c X P U.

(** The recorded state in whitened coordinates. *)
Definition recorded (s : pstate T) : state R d := whitened P (gstate_of N v d s).

(* slug: model *)
Theorem check_state_sound s a : check_state N e d pts scales g s a ->
  let w := recorded s in
  exists x : 'I_n, [/\ pick a = x, inv w, 0 < prob U w x &
    forall r, line_uniform a = Some r ->
        \sum_(y < n | (y < x)%N) prob U w y <= v r /\
        v r < \sum_(y < n | (y <= x)%N) prob U w y] /\
  [/\ nearly (v e) (line_u a) (up w), nearly (v e) (line_l a) (lo w),
      nearly (v e) (line_phi a) (Phi w) & nearly (v e) (line_p a) (prob U w x)] /\
      nearly_all (v e) (line_probabilities a) [seq prob U w y | y <- enum 'I_n] /\
      nearly (v e) (line_weight a) (weight U (v g) w x).
Proof.
case/and4P => /(header_range ok)[d0 g0 g2 _ _] pu pl.
case i: (pinvert _ _ _ _) => [[E F]|] //; have [uu ul eE eF] := pinvert_ok ok i.
move: pu pl => /definite_ok pu /definite_ok pl /=.
set G := pgram N d pts scales in i pu pl.
have eG (k l : 'I_d) : v (entry N G k l) = ggram c X k l.
  by rewrite -(pgram_ok ok) [RHS]mxE.
have bs : within_barriers c X (gstate_of N v d s).
  split; [move: pu | move: pl]; rewrite (mx_build N v); congr pd;
    by apply/matrixP => k l; rewrite [LHS]mxE (read_sub ok) (readM ok) eG !mxE.
have [_ _ F0] := barriers_units whP d0 bs.
have ePhi := potential_whitened whP uu ul.
have pE (y : 'I_n) : v (pprob N d pts scales E F y) = prob U (recorded s) y.
  by rewrite (pprob_ok ok eE eF) (prob_whitened whP).
have vF : v F = Phi (recorded s) by rewrite ePhi eF.
move=> chk; have [|x ex [pos unif]] := line_draws ok pE vF _ chk.
  by rewrite -vF -eF.
move: chk => /and5P[_ _ _ /said_near su /andP[/said_near sl]].
case/and4P => /said_near sphi; rewrite ex.
move=> /said_near sp /said_all_near sps /said_near sw.
exists x; split; [split=> // | split; [split | split]].
- exact/(barriers_whitened whP).
- exact: su.
- exact: sl.
- by rewrite -vF.
- by rewrite -(pE x).
- move: sps; rewrite -map_comp; congr (nearly_all _ _ _).
  by rewrite -val_enum_ord -map_comp; apply: eq_map => y; exact: pE.
- move: sw; rewrite (pweight_ok ok g eE) -(weight_whitened (v g) whP) //.
  exact: lt0r_neq0.
Qed.

(* slug: model *)
Theorem check_step_sound s a s' : check_step N e d pts scales g s a s' ->
  exists2 x : 'I_n, pick a = x & recorded s' = step U (v g) (recorded s) x.
Proof.
case/andP => chk; have [x [[ex i _ _] _]] := check_state_sound chk.
case i': (pinvert _ _ _ _) => [[E F]|] //; have [uu ul eE eF] := pinvert_ok ok i'.
case/and4P => /same_table_ok eA /(readE ok) eu /(readE ok) el _.
exists x => //; have [/(header_range ok)[d0 _ _ _ _] _] := andP chk.
have bs : within_barriers c X (gstate_of N v d s) by apply/(barriers_whitened whP).
have [_ _ F0] := barriers_units whP d0 bs.
rewrite (step_whitened (v g) whP uu ul (lt0r_neq0 F0)) -(pstep_ok ok g eE eF).
by rewrite /recorded /whitened /= eA eu el ex.
Qed.

End Data.
End Sound.
