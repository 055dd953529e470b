(** The kept variants as a program on lists of numbers, and the proof that it
    computes the definitions of SpecBeyond.v; in the manner of Model/Compute.v,
    whose inverses, numbers and readings it uses.

      two_ok, one_ok   == the program's state stands for the run
      two_exp_ok, one_exp_ok == expectations over the whole tree
      two_..._value, one_..._value == a value of SpecKept.v holds as soon as
                          the program, run on rationals, answers true *)
From Coq Require Import ZArith QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Compute.
From Asura Require Import SpecBeyond SpecKept.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** * The program *)
Section Program.
Variables (T : Type) (N : numbers T) (d : nat) (pts : seq (seq T)) (k : nat).
Local Notation add := (nadd N).
Local Notation mul := (nmul N).
Local Notation sub := (nsub N).
Local Notation div := (ndiv N).
Local Notation one := (nunit N).
Local Notation zero := (nzero N).

(** A_j, the clock, the sum of the potentials. *)
Record kstate := KState { kacc : seq (seq T); ksig : T; kpast : T }.
Definition kstart : kstate := KState (build d (fun _ _ => zero)) zero zero.

Definition ktarget : seq (seq T) :=
  build d (fun i j => total N k (fun x => mul (entry N pts x i) (entry N pts x j))).
Definition krank (D : seq (seq T)) : T := total N d (fun i => entry N D i i).
(** c I + a D + b A. *)
Definition kmix (D : seq (seq T)) c a b A : seq (seq T) :=
  build d (fun i j => add (add (scalar N c i j) (mul a (entry N D i j)))
                          (mul b (entry N A i j))).
Definition kpot (D E : seq (seq T)) : T :=
  total N d (fun i => total N d (fun j => mul (entry N D i j) (entry N E j i))).
Definition kmass (E : seq (seq T)) x : T :=
  if (x < k)%N then cmass N d pts E x else zero.
Definition kupdate A w x : seq (seq T) :=
  if (x < k)%N then update N d pts A w x else A.

(** Two-sided; D is the target, computed once. *)
Section Two.
Variables (g : T) (D : seq (seq T)).
Definition two_dist : T := div (mul (nnat N 2) (krank D)) g.
Definition two_bracket (s : kstate) : option (seq (seq T) * T) :=
  let a := div (mul g (ksig s)) (sub one (mul (nnat N 2) g)) in
  let b := div (mul g (ksig s)) (add one (mul (nnat N 2) g)) in
  if inverse N d (kmix D two_dist a (nopp N one) (kacc s)) is Some P then
  if inverse N d (kmix D two_dist (nopp N b) one (kacc s)) is Some Q then
    let E := build d (fun i j => add (entry N P i j) (entry N Q i j)) in
    Some (E, kpot D E)
  else None else None.
Definition two_p E F x : T := div (kmass E x) F.
Definition two_w E x : T := div g (kmass E x).
Definition two_step (s : kstate) E F x : kstate :=
  KState (kupdate (kacc s) (two_w E x) x) (add (ksig s) (ninv N F)) (add (kpast s) F).
Definition two_stop (s : kstate) : bool :=
  let g2 := mul g g in
  let kap := sub one (mul (nnat N 4) g2) in
  nle N one (add (div (mul (mul g g2) (ksig s)) (mul kap (krank D)))
    (mul (div g (mul (nnat N 4) (krank D))) (kpast s))).
Fixpoint two_run (hs : seq nat) : option kstate :=
  if hs is x :: hs' then
    if two_run hs' is Some s then
      if two_bracket s is Some (E, F) then Some (two_step s E F x) else None
    else None
  else Some kstart.
Fixpoint two_exp n (f : seq nat -> kstate -> T) hs s : option T :=
  if two_stop s then Some (f hs s)
  else if n is n'.+1 then
    if two_bracket s is Some (E, F) then
      Compute.mean N (two_p E F) (fun x => two_exp n' f (x :: hs) (two_step s E F x))
        (iota 0 (size pts))
    else None
  else Some (f hs s).
End Two.

(** One-sided, S = 1. *)
Section One.
Variables (nu num : T) (coin : bool) (D : seq (seq T)).
Definition one_et : T := div nu (sub one (mul nu nu)).
Definition one_dist : T := div (krank D) (mul num one_et).
Definition one_bracket (s : kstate) : option (seq (seq T) * T) :=
  if inverse N d (kmix D one_dist (nopp N (mul (sub one nu) (ksig s))) one (kacc s))
  is Some E then Some (E, kpot D E) else None.
Definition one_frac s F : T :=
  let z := mul (sub one (ksig s)) F in
  if nle N one_et z then one else div z one_et.
Definition one_p s E F (o : bool * nat) : T :=
  let a := if coin then one_frac s F else one in
  div (mul (if o.1 then a else sub one a) (kmass E o.2)) F.
Definition one_w s E F x : T :=
  div (mul (if coin then one else one_frac s F) one_et) (kmass E x).
Definition one_step s E F (o : bool * nat) : kstate :=
  KState (if o.1 then kupdate (kacc s) (one_w s E F o.2) o.2 else kacc s)
    (add (ksig s) (div (mul (one_frac s F) one_et) F)) (kpast s).
Definition one_stop s : bool := nle N one (ksig s).
Fixpoint one_run (hs : seq (bool * nat)) : option kstate :=
  if hs is o :: hs' then
    if one_run hs' is Some s then
      if one_bracket s is Some (E, F) then Some (one_step s E F o) else None
    else None
  else Some kstart.
Definition one_mean p v (l : seq nat) : option T :=
  if Compute.mean N (fun x => p (true, x)) (fun x => v (true, x)) l is Some a then
  if Compute.mean N (fun x => p (false, x)) (fun x => v (false, x)) l is Some b
  then Some (add a b) else None else None.
Fixpoint one_exp n (f : seq (bool * nat) -> kstate -> T) hs s : option T :=
  if one_stop s then Some (f hs s)
  else if n is n'.+1 then
    if one_bracket s is Some (E, F) then
      one_mean (one_p s E F) (fun o => one_exp n' f (o :: hs) (one_step s E F o))
        (iota 0 (size pts))
    else None
  else Some (f hs s).
End One.

End Program.

(** * What it computes *)
Section Correct.
Variables (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R).
Hypothesis ok : reads N v.
Variables (d : nat) (pts : seq (seq T)) (k : nat).
Hypothesis k_le : (k <= size pts)%N.

Local Notation I := 'I_(size pts).
Local Notation U := (@pt_of T N R v d pts).
Local Notation mx := (@mx_of T N R v d).
Local Notation X1 := (fun x : I => (x < k)%N).
Local Notation D := (ktarget N d pts k).

Lemma target_ok : mx D = os_target U X1.
Proof.
rewrite mx_build; apply/matrixP => i j; rewrite mxE (read_total ok) /os_target summxE.
rewrite (big_ord_widen_cond _ xpredT (fun x => v (nmul N (entry N pts x i) (entry N pts x j))) k_le).
by apply: eq_bigr => x _; rewrite mxE big_ord1 !mxE (readM ok).
Qed.

Lemma rank_ok : v (krank N d D) = \tr (os_target U X1).
Proof. by rewrite -target_ok /krank (read_total ok) /mxtrace; apply: eq_bigr => i _; rewrite mxE. Qed.

Lemma mix_ok c a b A : mx (kmix N d D c a b A) =
  (v c)%:M + v a *: os_target U X1 + v b *: mx A.
Proof.
rewrite mx_build -target_ok; apply/matrixP => i j; rewrite [LHS]mxE !(readD ok).
rewrite (read_scalar ok) !(readM ok) [RHS]mxE [in RHS]mxE; congr (_ + _ + _).
  by rewrite [RHS]mxE; congr (_ * _); rewrite [RHS]mxE.
by rewrite [RHS]mxE; congr (_ * _); rewrite [RHS]mxE.
Qed.

Lemma pot_ok E : v (kpot N d D E) = \tr (os_target U X1 *m mx E).
Proof.
rewrite /kpot (read_total ok) -target_ok /mxtrace; apply: eq_bigr => i _.
rewrite (read_total ok) mxE; apply: eq_bigr => j _.
by rewrite (readM ok) !mxE.
Qed.

Lemma mass_ok E (x : I) :
  v (kmass N d pts k E x) = qf (mx E) (if X1 x then U x else 0).
Proof.
rewrite /kmass; case: ifP => lt; last by rewrite qf0v (read0 ok).
rewrite /cmass (read_total ok) /qf /bf mxE; apply: eq_bigr => j _.
rewrite (readM ok) (read_total ok) [U x j 0]mxE mxE; congr (_ * _).
by apply: eq_bigr => i _; rewrite (readM ok) !mxE.
Qed.

Lemma update_ok A w (x : I) : mx (kupdate N d pts k A w x) =
  mx A + v w *: ((if X1 x then U x else 0) *m (if X1 x then U x else 0)^T).
Proof.
rewrite /kupdate; case: ifP => lt; last by rewrite mul0mx scaler0 addr0.
rewrite /update mx_build; apply/matrixP => i j.
rewrite [LHS]mxE (readD ok) !(readM ok) [RHS]mxE [in RHS]mxE; congr (_ + _).
by rewrite mxE; congr (_ * _); rewrite mxE big_ord1 !mxE.
Qed.

(** ** Two-sided. *)
Section Two.
Variable g : T.
Local Notation st h := (ts_state U X1 (v g) h).

Definition two_stands (s : kstate T) (h : seq I) : Prop :=
  [/\ mx (kacc s) = (st h).1, v (ksig s) = (st h).2 &
      v (kpast s) = past (fun h' => ts_pot U X1 (v g) (st h')) h].

Lemma two_start_ok : two_stands (kstart N d) [::].
Proof.
split; rewrite /= ?(read0 ok) // mx_build.
by apply/matrixP => i j; rewrite !mxE (read0 ok).
Qed.

Lemma two_dist_ok : v (two_dist N d g D) = 2%:R * \tr (os_target U X1) / v g.
Proof. by rewrite /two_dist (read_div ok) (readM ok) (read_nat ok) rank_ok. Qed.
Lemma two_up_ok y :
  v (ndiv N (nmul N g y) (nsub N (nunit N) (nmul N (nnat N 2) g))) =
  v g * v y / (1 - 2%:R * v g).
Proof.
rewrite (read_div ok) (readM ok) (read_sub ok) (readM ok) (read_nat ok).
by rewrite (read1 ok).
Qed.
Lemma two_low_ok y :
  v (ndiv N (nmul N g y) (nadd N (nunit N) (nmul N (nnat N 2) g))) =
  v g * v y / (1 + 2%:R * v g).
Proof.
rewrite (read_div ok) (readM ok) (readD ok) (readM ok) (read_nat ok).
by rewrite (read1 ok).
Qed.

Lemma two_bracket_ok s h E F : two_stands s h -> two_bracket N d g D s = Some (E, F) ->
  ts_brk U X1 (v g) (st h) = mx E /\ ts_pot U X1 (v g) (st h) = v F.
Proof.
move=> [eA eS _]; rewrite /two_bracket.
case P: (inverse _ _ _) => [P'|] //; case Q: (inverse _ _ _) => [Q'|] // [<- <-].
have eE : ts_brk U X1 (v g) (st h) =
    mx (build d (fun i j => nadd N (entry N P' i j) (entry N Q' i j))).
  have eP := inverse_ok ok P; have eQ := inverse_ok ok Q.
  rewrite mix_ok two_dist_ok two_up_ok (readN ok) (read1 ok) eA eS scaleN1r in eP.
  rewrite mix_ok two_dist_ok (readN ok) two_low_ok (read1 ok) eA eS in eQ.
  rewrite scale1r scaleNr in eQ.
  have -> : ts_brk U X1 (v g) (st h) = mx P' + mx Q'.
    rewrite -eP -eQ /ts_brk /ts_hi /ts_low; congr (_ + invmx _).
    by rewrite [RHS]addrC addrA.
  by rewrite mx_build; apply/matrixP => i j; rewrite !mxE (readD ok).
by split=> //; rewrite pot_ok -eE.
Qed.

Section At.
Variables (s : kstate T) (h : seq I) (E : seq (seq T)) (F : T).
Hypothesis sh : two_stands s h.
Hypothesis eE : ts_brk U X1 (v g) (st h) = mx E.
Hypothesis eF : ts_pot U X1 (v g) (st h) = v F.

Lemma two_p_ok (x : I) : v (two_p N d pts k E F x) = ts_law U X1 (v g) h x.
Proof. by rewrite /two_p (read_div ok) mass_ok /ts_law /ts_prob eE eF. Qed.
Lemma two_w_ok (x : I) : v (two_w N d pts k g E x) = ts_wt U X1 (v g) (st h) x.
Proof. by rewrite /two_w (read_div ok) mass_ok /ts_wt eE. Qed.
Lemma two_step_ok (x : I) : two_stands (two_step N d pts k g s E F x) (x :: h).
Proof.
have [eA eS eP] := sh; split; rewrite /=.
- by rewrite update_ok eA two_w_ok.
- by rewrite (readD ok) eS (readV ok) eF.
- by rewrite (readD ok) eP eF.
Qed.
End At.

Theorem two_run_ok h s : two_run N d pts k g D [seq val x | x <- h] = Some s -> two_stands s h.
Proof.
elim: h s => [|x h IH] s /=; first by case=> <-; exact: two_start_ok.
case r: (two_run _ _ _ _ _ _ _) => [t|] //; have th := IH _ r.
case a: (two_bracket _ _ _ _ _) => [[E F]|] // [<-].
by have [eE eF] := two_bracket_ok th a; exact: two_step_ok.
Qed.

Theorem two_stop_ok s h : two_stands s h -> two_stop N d g D s = ts_paper U X1 (v g) h.
Proof.
move=> [_ eS eP]; rewrite /two_stop (readL ok) (read1 ok) (readD ok).
have ek : v (nsub N (nunit N) (nmul N (nnat N 4) (nmul N g g))) = 1 - 4%:R * v g ^+ 2.
  by rewrite (read_sub ok) (read1 ok) (readM ok) (read_nat ok) (readM ok) expr2.
rewrite (read_div ok) (readM ok _ (kpast s)) (read_div ok g) (readM ok (nnat N 4)).
rewrite (read_nat ok) rank_ok eP (readM ok _ (ksig s)) (readM ok _ (krank N d D)) ek.
by rewrite rank_ok eS (readM ok g) (readM ok g) -expr2 -exprS.
Qed.

Variables (cf : seq nat -> kstate T -> T) (f : seq I -> R).
Hypothesis f_ok : forall s h, two_stands s h -> v (cf [seq val x | x <- h] s) = f h.

Theorem two_exp_ok n h s a : two_stands s h ->
  two_exp N d pts k g D n cf [seq val x | x <- h] s = Some a ->
  v a = run_mean (ts_law U X1 (v g)) (ts_paper U X1 (v g)) n f h.
Proof.
elim: n h s a => [|n IH] h s a sh /=; rewrite (two_stop_ok sh).
  by case: ifP => _ [<-]; exact: f_ok.
case: ifP => _; first by case=> <-; exact: f_ok.
case A: (two_bracket _ _ _ _ _) => [[E F]|] // m.
have [eE eF] := two_bracket_ok sh A.
pose G y := if insub y is Some x
  then run_mean (ts_law U X1 (v g)) (ts_paper U X1 (v g)) n f (x :: h) else 0.
rewrite (mean_ok ok (G := G) m).
  have -> : iota 0 (size pts) = index_iota 0 (size pts) by rewrite /index_iota subn0.
  rewrite big_mkord.
  by apply: eq_bigr => x _; rewrite /G valK (two_p_ok eE eF).
move=> y b; rewrite mem_iota /= add0n => lt.
have [x ->] : exists x : I, y = val x by exists (Ordinal lt).
by rewrite /G valK => e; exact: (IH (x :: h) _ _ (two_step_ok sh eE eF x) e).
Qed.

End Two.

(** ** One-sided. *)
Section One.
Variables (nu num : T) (coin : bool).
Local Notation et := (v nu / (1 - v nu ^+ 2)).
Local Notation c := (\tr (os_target U X1) / (v num * et)).
Local Notation st h := (os_state U X1 (v nu) et c 1 coin h).
Local Notation law := (os_law U X1 (v nu) et c 1 coin).
Local Notation stop := (os_stop U X1 (v nu) et c 1 coin).
Local Notation codes h := [seq (o.1, val o.2) | o <- h].
Implicit Type h : seq (bool * I).

Definition one_stands (s : kstate T) h : Prop :=
  mx (kacc s) = (st h).1 /\ v (ksig s) = (st h).2.

Lemma one_start_ok : one_stands (kstart N d) [::].
Proof.
split; rewrite /= ?(read0 ok) // mx_build.
by apply/matrixP => i j; rewrite !mxE (read0 ok).
Qed.

Lemma one_et_ok : v (one_et N nu) = et.
Proof. by rewrite /one_et (read_div ok) (read_sub ok) (readM ok) (read1 ok) expr2. Qed.
Lemma one_dist_ok : v (one_dist N d nu num D) = c.
Proof. by rewrite /one_dist (read_div ok) (readM ok) one_et_ok rank_ok. Qed.

Lemma one_bracket_ok s h E F : one_stands s h -> one_bracket N d nu num D s = Some (E, F) ->
  invmx (os_gap U X1 (v nu) c (st h)) = mx E /\ os_pot U X1 (v nu) c (st h) = v F.
Proof.
move=> [eA eS]; rewrite /one_bracket; case Q: (inverse _ _ _) => [Q'|] // [<- <-].
have eE : invmx (os_gap U X1 (v nu) c (st h)) = mx Q'.
  have := inverse_ok ok Q; rewrite mix_ok one_dist_ok (readN ok) (readM ok) (read_sub ok).
  rewrite !(read1 ok) eA eS scale1r scaleNr => <-; congr invmx.
  by rewrite /os_gap addrAC.
by split=> //; rewrite pot_ok -eE.
Qed.

Section At.
Variables (s : kstate T) (h : seq (bool * I)) (E : seq (seq T)) (F : T).
Hypothesis sh : one_stands s h.
Hypothesis eE : invmx (os_gap U X1 (v nu) c (st h)) = mx E.
Hypothesis eF : os_pot U X1 (v nu) c (st h) = v F.

Lemma one_frac_ok : v (one_frac N nu s F) = os_frac U X1 (v nu) et c 1 (st h).
Proof.
have [_ eS] := sh.
rewrite /one_frac /os_frac (readL ok) one_et_ok (readM ok) (read_sub ok) (read1 ok).
rewrite eS eF ltNge; case: (_ <= _) => /=; rewrite ?(read1 ok) //.
by rewrite (read_div ok) one_et_ok (readM ok) (read_sub ok) (read1 ok) eS.
Qed.
Lemma one_lev_ok (x : I) : v (kmass N d pts k E x) = os_lev U X1 (v nu) c (st h) x.
Proof. by rewrite mass_ok /os_lev eE /os_vec. Qed.
Lemma one_p_ok (o : bool * I) : v (one_p N d pts k nu coin s E F (o.1, val o.2)) = law h o.
Proof.
rewrite /one_p (read_div ok) (readM ok) one_lev_ok /os_law /os_prob eF /=.
congr (_ * _ / _); move: one_frac_ok; move: (os_frac _ _ _ _ _ _ _) => z e.
by case: (o.1); case: (coin); rewrite ?(read_sub ok) ?(read1 ok) ?e.
Qed.
Lemma one_w_ok (b : bool) (x : I) : v (one_w N d pts k nu coin s E F x) =
  os_wt U X1 (v nu) et c 1 coin (st h) (b, x).
Proof.
rewrite /one_w (read_div ok) (readM ok) one_et_ok one_lev_ok /os_wt /=.
congr (_ * _ / _); move: one_frac_ok; move: (os_frac _ _ _ _ _ _ _) => z e.
by case: (coin); rewrite ?(read1 ok) ?e.
Qed.
Lemma one_step_ok (o : bool * I) :
  one_stands (one_step N d pts k nu coin s E F (o.1, val o.2)) (o :: h).
Proof.
have [eA eS] := sh; split; rewrite /=.
  case: o => [[] x] /=; last by rewrite eA /os_vec /= mul0mx scaler0 addr0.
  by rewrite update_ok eA (one_w_ok true).
by rewrite (readD ok) eS (read_div ok) (readM ok) one_frac_ok one_et_ok /os_step eF.
Qed.
End At.

Theorem one_run_ok h s : one_run N d pts k nu num coin D (codes h) = Some s -> one_stands s h.
Proof.
elim: h s => [|o h IH] s /=; first by case=> <-; exact: one_start_ok.
case r: (one_run _ _ _ _ _ _ _ _ _) => [t|] //; have th := IH _ r.
case a: (one_bracket _ _ _ _ _ _) => [[E F]|] // [<-].
by have [eE eF] := one_bracket_ok th a; exact: one_step_ok.
Qed.

Theorem one_stop_ok s h : one_stands s h -> one_stop N s = stop h.
Proof. by move=> [_ eS]; rewrite /one_stop (readL ok) (read1 ok) eS. Qed.

Variables (cf : seq (bool * nat) -> kstate T -> T) (f : seq (bool * I) -> R).
Hypothesis f_ok : forall s h, one_stands s h -> v (cf (codes h) s) = f h.

Theorem one_exp_ok n h s a : one_stands s h ->
  one_exp N d pts k nu num coin D n cf (codes h) s = Some a ->
  v a = run_mean law stop n f h.
Proof.
elim: n h s a => [|n IH] h s a sh /=; rewrite (one_stop_ok sh).
  by case: ifP => _ [<-]; exact: f_ok.
case: ifP => _; first by case=> <-; exact: f_ok.
case A: (one_bracket _ _ _ _ _ _) => [[E F]|] //.
have [eE eF] := one_bracket_ok sh A; rewrite /one_mean.
case m1: (Compute.mean _ _ _ _) => [a1|] //; case m2: (Compute.mean _ _ _ _) => [a2|] // [<-].
have part b z : Compute.mean N (fun x => one_p N d pts k nu coin s E F (b, x))
    (fun x => one_exp N d pts k nu num coin D n cf ((b, x) :: codes h)
       (one_step N d pts k nu coin s E F (b, x))) (iota 0 (size pts)) = Some z ->
    v z = \sum_(x : I) law h (b, x) * run_mean law stop n f ((b, x) :: h).
  move=> m; pose G y := if insub y is Some x then run_mean law stop n f ((b, x) :: h) else 0.
  rewrite (mean_ok ok (G := G) m).
    have -> : iota 0 (size pts) = index_iota 0 (size pts) by rewrite /index_iota subn0.
    rewrite big_mkord.
    by apply: eq_bigr => x _; rewrite /G valK (one_p_ok sh eE eF (b, x)).
  move=> y e; rewrite mem_iota /= add0n => lt.
  have [x ->] : exists x : I, y = val x by exists (Ordinal lt).
  by rewrite /G valK => q; exact: (IH ((b, x) :: h) _ _ (one_step_ok sh eE eF (b, x)) q).
rewrite (readD ok) (part true _ m1) (part false _ m2).
rewrite [RHS](eq_bigr (fun o : bool * I => (fun b x => law h (b, x) *
  run_mean law stop n f ((b, x) :: h)) o.1 o.2)); last by case.
rewrite -(pair_bigA _ (fun b x => law h (b, x) * run_mean law stop n f ((b, x) :: h))) /=.
by rewrite big_bool.
Qed.

End One.
End Correct.

(** * Values *)
Section Evaluate.
Variables (R : realFieldType) (D : design) (k : nat).
Local Notation d := (dimension D).
Local Notation n := (size (rows D)).
Local Notation N := rationals.
Local Notation ok := (frac_reads R).
Local Notation target := (ktarget N d (rows D) k).

(** Every value asks that X1 is made of points of the design. *)
Definition inside : bool := (k <= n)%N.

(** ** Two-sided. *)
Definition two_reaches (hs : seq nat) (t : kstate Q -> bool) : bool :=
  [&& inside, in_range D hs &
      if two_run N d (rows D) k (gamma D) target hs is Some s then t s else false].
Definition two_evaluate hs (t : seq (seq Q) -> Q -> bool) : bool :=
  two_reaches hs (fun s =>
    if two_bracket N d (gamma D) target s is Some (E, F) then t E F else false).
Local Notation two_stands := (@two_stands Q N R (frac R) d (rows D) k (gamma D)).

Lemma two_reaches_ok hs t : two_reaches hs t ->
  inside /\ exists2 s, two_stands s (draws D hs) & t s.
Proof.
case/and3P => i /draws_val e; case r: (two_run _ _ _ _ _ _ _) => [s|] // ks.
by split=> //; exists s => //; apply: (two_run_ok ok i); rewrite e.
Qed.
Lemma two_evaluate_ok hs t : two_evaluate hs t -> inside /\ exists s E F,
  [/\ two_stands s (draws D hs),
      ts_brk (point R D) (first D k) (rate R D) (two_after R D k hs)
        = mx_of N (frac R) d E,
      two_potential R D k hs = frac R F & t E F].
Proof.
case/two_reaches_ok => i [s sh]; case a: (two_bracket _ _ _ _ _) => [[E F]|] // kk.
by split=> //; exists s, E, F; have [eE eF] := two_bracket_ok ok i sh a.
Qed.

Theorem two_state_value hs A q :
  two_reaches hs (fun s => Qeq_bool (ksig s) q && equal D (kacc s) A) ->
  two_after R D k hs = (table R D A, frac R q).
Proof.
case/two_reaches_ok => _ [s [eA eS _] /andP[/(readE ok) e /allP same_entries]].
rewrite /two_after [LHS]surjective_pairing -eA -eS e; congr (_, _).
apply/matrixP => i j; rewrite !mxE.
have below (z : 'I_d) : val z \in iota 0 d by rewrite mem_iota /= add0n ltn_ord.
by have /allP/(_ _ (below j))/(readE ok) := same_entries _ (below i).
Qed.

Theorem two_potential_value hs q : two_evaluate hs (fun _ F => Qeq_bool F q) ->
  two_potential R D k hs = frac R q.
Proof. by case/two_evaluate_ok => _ [s [E [F [_ _ -> /(readE ok) ->]]]]. Qed.

Theorem two_probabilities_value hs l :
  two_evaluate hs (fun E F => same (mkseq (two_p N d (rows D) k E F) n) l) ->
  two_probabilities R D k hs = fracs R l.
Proof.
case/two_evaluate_ok => i [s [E [F [_ eE eF /(same_ok R) <-]]]].
rewrite (@fracs_points _ _ _ (ts_prob (point R D) (first D k) (rate R D) (two_after R D k hs))) //.
by move=> x; rewrite (two_p_ok ok eE eF).
Qed.

Theorem two_weights_value hs l :
  two_evaluate hs (fun E F => same (mkseq (two_w N d (rows D) k (gamma D) E) n) l) ->
  two_weights R D k hs = fracs R l.
Proof.
case/two_evaluate_ok => i [s [E [F [_ eE eF /(same_ok R) <-]]]].
rewrite (@fracs_points _ _ _ (ts_wt (point R D) (first D k) (rate R D) (two_after R D k hs))) //.
by move=> x; rewrite (two_w_ok ok eE).
Qed.

Theorem two_stops_value hs b :
  two_reaches hs (fun s => two_stop N d (gamma D) target s == b) ->
  two_stops R D k (draws D hs) = b.
Proof. by case/two_reaches_ok => i [s sh /eqP <-]; rewrite (two_stop_ok ok i sh). Qed.

Section TwoExpected.
Variables (m : nat) (cf : seq nat -> kstate Q -> Q) (f : seq 'I_n -> R).
Hypothesis f_ok : forall s h, inside -> two_stands s h ->
  frac R (cf [seq val x | x <- h] s) = f h.
Definition two_expects q : bool := inside &&
  if two_exp N d (rows D) k (gamma D) target m cf [::] (kstart N d) is Some a
  then Qeq_bool a q else false.
Lemma two_exp_value q : two_expects q ->
  run_mean (two_law R D k) (two_stops R D k) m f [::] = frac R q.
Proof.
case/andP=> i; case e: (two_exp _ _ _ _ _ _ _ _ _ _) => [a|] // /(readE ok) <-.
apply: esym.
exact: (two_exp_ok ok i (fun s h => @f_ok s h i) (two_start_ok ok d (rows D) k (gamma D)) e).
Qed.
End TwoExpected.

Theorem two_length_value m q : two_expects m (fun hs _ => nnat N (size hs)) q ->
  run_mean (two_law R D k) (two_stops R D k) m (fun h => (size h)%:R) [::] = frac R q.
Proof. by apply: two_exp_value => s h _ _; rewrite (read_nat ok) size_map. Qed.

Theorem two_stopped_value m q :
  two_expects m (fun _ s => if two_stop N d (gamma D) target s then nunit N else nzero N) q ->
  run_chance (two_law R D k) (two_stops R D k) m (two_stops R D k) = frac R q.
Proof.
apply: two_exp_value => s h i sh; rewrite (two_stop_ok ok i sh).
by rewrite /two_stops; case: ifP; rewrite ?(read1 ok) ?(read0 ok).
Qed.

Theorem two_labels_value m q :
  two_expects m (fun hs _ => nnat N (size (undup (filter (fun x => x < k)%N hs)))) q ->
  run_mean (two_law R D k) (two_stops R D k) m
    (fun h => (labels (first D k) h)%:R) [::] = frac R q.
Proof.
apply: two_exp_value => s h _ _.
rewrite (read_nat ok) filter_map undup_map_inj ?size_map //.
exact: val_inj.
Qed.

(** ** One-sided. *)
Variables (num : Q) (coin : bool).
Local Notation one_run := (one_run N d (rows D) k (gamma D) num coin target).
Local Notation one_stands := (@one_stands Q N R (frac R) d (rows D) k (gamma D) num coin).
Definition one_reaches (hs : seq (bool * nat)) (t : kstate Q -> bool) : bool :=
  [&& inside, all (fun o => o.2 < n)%N hs &
      if one_run hs is Some s then t s else false].
Definition one_evaluate hs (t : kstate Q -> seq (seq Q) -> Q -> bool) : bool :=
  one_reaches hs (fun s => if one_bracket N d (gamma D) num target s is Some (E, F)
    then t s E F else false).

Lemma outcomes_val hs : all (fun o => o.2 < n)%N hs ->
  [seq (o.1, val o.2) | o <- outcomes D hs] = hs.
Proof.
elim: hs => //= [[b x] hs] IH /andP[lt /IH]; rewrite /outcomes /= => e.
by rewrite insubT /= e.
Qed.

Lemma one_reaches_ok hs t : one_reaches hs t ->
  inside /\ exists2 s, one_stands s (outcomes D hs) & t s.
Proof.
case/and3P => i /outcomes_val e; case r: (one_run hs) => [s|] // ks.
by split=> //; exists s => //; apply: (one_run_ok ok i); rewrite e.
Qed.
Lemma one_evaluate_ok hs t : one_evaluate hs t -> inside /\ exists s E F,
  [/\ one_stands s (outcomes D hs),
      invmx (os_gap (point R D) (first D k) (rate R D) (one_c R D k num)
        (one_after R D k num coin hs)) = mx_of N (frac R) d E,
      one_potential R D k num coin hs = frac R F & t s E F].
Proof.
case/one_reaches_ok => i [s sh]; case a: (one_bracket _ _ _ _ _ _) => [[E F]|] // kk.
by split=> //; exists s, E, F; have [eE eF] := one_bracket_ok ok i sh a.
Qed.

Theorem one_state_value hs A q :
  one_reaches hs (fun s => Qeq_bool (ksig s) q && equal D (kacc s) A) ->
  one_after R D k num coin hs = (table R D A, frac R q).
Proof.
case/one_reaches_ok => _ [s [eA eS] /andP[/(readE ok) e /allP same_entries]].
rewrite [LHS]surjective_pairing -[(one_after _ _ _ _ _ _).1]eA.
rewrite -[(one_after _ _ _ _ _ _).2]eS e; congr (_, _).
apply/matrixP => i j; rewrite !mxE.
have below (z : 'I_d) : val z \in iota 0 d by rewrite mem_iota /= add0n ltn_ord.
by have /allP/(_ _ (below j))/(readE ok) := same_entries _ (below i).
Qed.

Theorem one_potential_value hs q : one_evaluate hs (fun _ _ F => Qeq_bool F q) ->
  one_potential R D k num coin hs = frac R q.
Proof. by case/one_evaluate_ok => _ [s [E [F [_ _ -> /(readE ok) ->]]]]. Qed.

Theorem one_probabilities_value b hs l :
  one_evaluate hs (fun s E F =>
    same (mkseq (fun x => one_p N d (rows D) k (gamma D) coin s E F (b, x)) n) l) ->
  one_probabilities R D k num coin b hs = fracs R l.
Proof.
case/one_evaluate_ok => i [s [E [F [sh eE eF /(same_ok R) <-]]]].
rewrite (@fracs_points _ _ _ (fun x => os_prob (point R D) (first D k) (rate R D)
  (one_eta R D) (one_c R D k num) 1 coin (one_after R D k num coin hs) (b, x))) //.
by move=> x; rewrite (one_p_ok ok sh eE eF (b, x)).
Qed.

Theorem one_weights_value hs l :
  one_evaluate hs (fun s E F =>
    same (mkseq (one_w N d (rows D) k (gamma D) coin s E F) n) l) ->
  one_weights R D k num coin hs = fracs R l.
Proof.
case/one_evaluate_ok => i [s [E [F [sh eE eF /(same_ok R) <-]]]].
rewrite (@fracs_points _ _ _ (fun x => os_wt (point R D) (first D k) (rate R D)
  (one_eta R D) (one_c R D k num) 1 coin (one_after R D k num coin hs) (true, x))) //.
by move=> x; rewrite (one_w_ok ok sh eE eF true).
Qed.

Theorem one_stops_value hs b : one_reaches hs (fun s => one_stop N s == b) ->
  one_stops R D k num coin (outcomes D hs) = b.
Proof. by case/one_reaches_ok => i [s sh /eqP <-]; rewrite (one_stop_ok ok sh). Qed.

Section OneExpected.
Variables (m : nat) (cf : seq (bool * nat) -> kstate Q -> Q).
Variable f : seq (bool * 'I_n) -> R.
Hypothesis f_ok : forall s h, one_stands s h ->
  frac R (cf [seq (o.1, val o.2) | o <- h] s) = f h.
Definition one_expects q : bool := inside &&
  if one_exp N d (rows D) k (gamma D) num coin target m cf [::] (kstart N d) is Some a
  then Qeq_bool a q else false.
Lemma one_exp_value q : one_expects q ->
  run_mean (one_law R D k num coin) (one_stops R D k num coin) m f [::] = frac R q.
Proof.
case/andP=> i; case e: (one_exp _ _ _ _ _ _ _ _ _ _ _ _) => [a|] // /(readE ok) <-.
apply: esym.
exact: (one_exp_ok ok i f_ok (one_start_ok ok d (rows D) k (gamma D) num coin) e).
Qed.
End OneExpected.

Theorem one_length_value m q : one_expects m (fun hs _ => nnat N (size hs)) q ->
  run_mean (one_law R D k num coin) (one_stops R D k num coin) m
    (fun h => (size h)%:R) [::] = frac R q.
Proof. by apply: one_exp_value => s h _; rewrite (read_nat ok) size_map. Qed.

Theorem one_bought_value m q : one_expects m (fun hs _ => nnat N (count fst hs)) q ->
  run_mean (one_law R D k num coin) (one_stops R D k num coin) m
    (fun h => (count fst h)%:R) [::] = frac R q.
Proof. by apply: one_exp_value => s h _; rewrite (read_nat ok) count_map. Qed.

Theorem one_stopped_value m q :
  one_expects m (fun _ s => if one_stop N s then nunit N else nzero N) q ->
  run_chance (one_law R D k num coin) (one_stops R D k num coin) m
    (one_stops R D k num coin) = frac R q.
Proof.
apply: one_exp_value => s h sh; rewrite (one_stop_ok ok sh).
by rewrite /one_stops; case: ifP; rewrite ?(read1 ok) ?(read0 ok).
Qed.

End Evaluate.
