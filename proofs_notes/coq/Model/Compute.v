(** Algorithm 2 as a program on lists of numbers, and the proof that it
    computes the definitions of Spec.v.

    The program is generic in its numbers, with the tables and the checked
    inverse of SpecModel.v. Run with Coq's rationals it gives
    exact values inside the kernel; [frac R] reads a rational in any real
    field R. Inverses come from an elimination about which nothing is proved:
    the program multiplies back and gives no answer unless A B = I. *)
From Coq Require Import ZArith QArith_base Qreduction.
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree.
From Asura Require Export SpecValues SpecModel.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** * The program *)

Section Program.
Variables (T : Type) (N : numbers T) (d : nat) (pts : seq (seq T)) (g : T).

Local Notation nsub := (nsub N).
Local Notation ndiv := (ndiv N).
Local Notation nnat := (nnat N).
Local Notation total := (total N).
Local Notation entry := (entry N).
Local Notation build := (build d).
Local Notation scalar := (scalar N).
Local Notation inverse := (inverse N d).
Local Notation cmass := (cmass N d pts).

(** A_j, u_j, l_j, and the sum of the potentials before j. A_j is computed when
    it is asked for: the loop test does not need it. *)
Record cstate := CState { cacc : unit -> seq (seq T); cup : T; clo : T; csum : T }.

Definition cstart : cstate :=
  let u := ndiv (nmul N (nnat 2) (nnat d)) g in
  CState (fun=> build (fun _ _ => nzero N)) u (nopp N u) (nzero N).

(** E_j and Phi_j. *)
Definition invert A u l : option (seq (seq T) * T) :=
  if inverse (build (fun i j => nsub (scalar u i j) (entry A i j))) is Some P then
  if inverse (build (fun i j => nsub (entry A i j) (scalar l i j))) is Some Q then
    let E := build (fun i j => nadd N (entry P i j) (entry Q i j)) in
    Some (E, total d (fun i => entry E i i))
  else None else None.
Definition analyse s : option (seq (seq T) * T) := invert (cacc s tt) (cup s) (clo s).

Definition cprob E F x : T := ndiv (cmass E x) F.
Definition cweight E F x : T := ndiv (ndiv g F) (cprob E F x).
Definition update A w x : seq (seq T) :=
  build (fun i j => nadd N (entry A i j) (nmul N w (nmul N (entry pts x i) (entry pts x j)))).
Definition cstep s E F : nat -> cstate :=
  let u := nadd N (cup s) (ndiv (ndiv g (nsub (nunit N) (nmul N (nnat 2) g))) F) in
  let l := nadd N (clo s) (ndiv (ndiv g (nadd N (nunit N) (nmul N (nnat 2) g))) F) in
  let c := nadd N (csum s) F in
  fun x => CState (fun=> update (cacc s tt) (cweight E F x) x) u l c.

(** The state after the draws hs, latest first. *)
Fixpoint crun (hs : seq nat) : option cstate :=
  if hs is x :: hs' then
    if crun hs' is Some s then
      if analyse s is Some (E, F) then Some (cstep s E F x) else None
    else None
  else Some cstart.

(** Both stopping rules. *)
Definition cbound : T := ndiv (nmul N (nnat 8) (nnat d)) g.
Definition cpaper s : bool := nle N cbound (nadd N (nsub (cup s) (clo s)) (csum s)).
Definition csure s : bool := nle N cbound (nsub (cup s) (clo s)).

(** Expectations over the tree, of a value at the end and of a sum along the way. *)
Definition mean (p : nat -> T) (v : nat -> option T) (l : seq nat) : option T :=
  foldr (fun x acc => if acc is Some a then
    if v x is Some b then Some (nadd N (nmul N (p x) b) a) else None else None)
    (Some (nzero N)) l.
Fixpoint cexp (stop : cstate -> bool) n (f : seq nat -> cstate -> T) hs s : option T :=
  if stop s then Some (f hs s)
  else if n is n'.+1 then
    if analyse s is Some (E, F) then
      let next := cstep s E F in
      mean (cprob E F) (fun x => cexp stop n' f (x :: hs) (next x)) (iota 0 (size pts))
    else None
  else Some (f hs s).
Fixpoint csums (stop : cstate -> bool) n (f : seq (seq T) -> T -> T) s : option T :=
  if stop s then Some (nzero N)
  else if n is n'.+1 then
    if analyse s is Some (E, F) then
      let next := cstep s E F in
      if mean (cprob E F) (fun x => csums stop n' f (next x)) (iota 0 (size pts)) is Some a
      then Some (nadd N (f E F) a) else None
    else None
  else Some (nzero N).

End Program.

Arguments nnat {T} N n : simpl never.

(** * What it computes, for numbers read in R by a morphism *)

Section Correct.
Variables (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R).
Hypothesis ok : reads N v.
Variables (d : nat) (pts : seq (seq T)) (g : T).

Local Notation state := (state R d).
Local Notation I := 'I_(size pts).
Local Notation total := (total N).
Local Notation entry := (entry N).

Local Notation mx_of := (mx_of N v d).
Definition state_of (s : cstate T) : state := State (mx_of (cacc s tt)) (v (cup s)) (v (clo s)).

Local Notation U := (pt_of N v d pts).

Lemma read_sub a b : v (nsub N a b) = v a - v b.
Proof. by rewrite (readD ok) (readN ok). Qed.
Lemma read_div a b : v (ndiv N a b) = v a / v b.
Proof. by rewrite (readM ok) (readV ok). Qed.
Lemma read_nat n : v (nnat N n) = n%:R.
Proof.
elim: n => [|n IH]; first exact: read0 ok.
by rewrite /nnat iterS (readD ok) (read1 ok) -/(nnat N n) IH mulrS.
Qed.
Lemma read_total n f : v (total n f) = \sum_(i < n) v (f i).
Proof.
rewrite /total -(big_mkord xpredT (fun i => v (f i))) /index_iota subn0.
elim: (iota 0 n) => [|i l IH]; first by rewrite big_nil; exact: read0 ok.
by rewrite big_cons /= (readD ok) IH.
Qed.
Lemma read_scalar a (i j : 'I_d) : v (scalar N a i j) = (v a)%:M i j.
Proof. by rewrite /scalar mxE -val_eqE /=; case: eqP; rewrite ?mulr1n // mulr0n (read0 ok). Qed.

Lemma entry_build f (i j : 'I_d) : entry (build d f) i j = f i j.
Proof. by rewrite /entry /build nth_mkseq // nth_mkseq. Qed.
Lemma mx_build f : mx_of (build d f) = \matrix_(i, j) v (f i j).
Proof. by apply/matrixP => i j; rewrite !mxE entry_build. Qed.
Lemma mx_product A B : mx_of (product N d A B) = mx_of A *m mx_of B.
Proof.
rewrite mx_build; apply/matrixP => i j; rewrite !mxE read_total.
by apply: eq_bigr => k _; rewrite !mxE (readM ok).
Qed.

(** The only fact about the elimination: it was checked. *)
Lemma inverse_ok A B : inverse N d A = Some B -> invmx (mx_of A) = mx_of B.
Proof.
rewrite /inverse; move: (eliminate N d A) => C; case: ifP => // /allP one [<-].
have e : mx_of A *m mx_of C = 1%:M.
  rewrite -mx_product; apply/matrixP => i j.
  have below (k : 'I_d) : val k \in iota 0 d by rewrite mem_iota /= add0n ltn_ord.
  have /allP/(_ _ (below j))/(readE ok) r := one _ (below i).
  by rewrite mxE r read_scalar (read1 ok).
have [u _] := mulmx1_unit e.
by rewrite -[mx_of C](mulKmx u) e mulmx1.
Qed.

(** E_j and Phi_j. *)
Lemma analyse_ok s E F : analyse N d s = Some (E, F) ->
  bracket (state_of s) = mx_of E /\ Phi (state_of s) = v F.
Proof.
rewrite /analyse /invert.
case P: (inverse _ _ _) => [P'|] //; case Q: (inverse _ _ _) => [Q'|] // [<- <-].
have e : bracket (state_of s) = mx_of (build d (fun i j => nadd N (entry P' i j) (entry Q' i j))).
  rewrite mx_build; apply/matrixP => i j.
  rewrite /bracket [LHS]mxE [RHS]mxE (readD ok); congr (_ + _).
    have := inverse_ok P; rewrite mx_build => /matrixP/(_ i j); rewrite [RHS]mxE => <-.
    congr (invmx _ _ _); apply/matrixP => a b.
    by rewrite /upper [RHS]mxE read_sub read_scalar [LHS]mxE; congr (_ + _); rewrite !mxE.
  have := inverse_ok Q; rewrite mx_build => /matrixP/(_ i j); rewrite [RHS]mxE => <-.
  congr (invmx _ _ _); apply/matrixP => a b.
  by rewrite /lower [RHS]mxE read_sub read_scalar [LHS]mxE; congr (_ + _); rewrite [LHS]mxE.
split=> //; rewrite /Phi /phi mul1mx e /mxtrace read_total.
by apply: eq_bigr => i _; rewrite mxE.
Qed.

Section AtState.
Variables (s : cstate T) (E : seq (seq T)) (F : T).
Hypothesis eE : bracket (state_of s) = mx_of E.
Hypothesis eF : Phi (state_of s) = v F.

Lemma cprob_ok (x : I) : v (cprob N d pts E F x) = prob U (state_of s) x.
Proof.
rewrite /cprob read_div /prob eE eF; congr (_ / _).
rewrite /cmass read_total /qf /bf mxE; apply: eq_bigr => j _.
rewrite (readM ok) read_total [U x j 0]mxE mxE; congr (_ * _).
by apply: eq_bigr => i _; rewrite (readM ok) !mxE.
Qed.

Lemma cweight_ok (x : I) : v (cweight N d pts g E F x) = weight U (v g) (state_of s) x.
Proof. by rewrite /cweight read_div cprob_ok read_div /weight eF. Qed.

Lemma cstep_ok (x : I) : state_of (cstep N d pts g s E F x) = step U (v g) (state_of s) x.
Proof.
rewrite /step /state_of /cstep /= /update mx_build; congr State.
- apply/matrixP => i j; rewrite [LHS]mxE (readD ok) (readM ok) cweight_ok (readM ok).
  rewrite [RHS]mxE [in RHS]mxE; congr (_ + _); rewrite mxE; congr (_ * _).
  by rewrite mxE big_ord1 !mxE.
- by rewrite (readD ok) !read_div read_sub (readM ok) read_nat (read1 ok) eF.
- by rewrite (readD ok) !read_div (readD ok) (readM ok) read_nat (read1 ok) eF.
Qed.

End AtState.

Local Notation hst := (hst U (v g)).
Local Notation psum := (past (fun h => Phi (hst h))).
(** The program's state stands for the run h. *)
Definition stands (s : cstate T) (h : seq I) : Prop := state_of s = hst h /\ v (csum s) = psum h.

Lemma cstart_ok : stands (cstart N d g) [::].
Proof.
split; last exact: read0 ok.
rewrite /state_of /cstart /= mx_build; congr State.
- by apply/matrixP => i j; rewrite !mxE (read0 ok).
- by rewrite read_div (readM ok) !read_nat.
- by rewrite (readN ok) read_div (readM ok) !read_nat.
Qed.

Lemma stands_step s h E F (x : I) : stands s h -> analyse N d s = Some (E, F) ->
  stands (cstep N d pts g s E F x) (x :: h).
Proof.
move=> [e1 e2] a; have [eE eF] := analyse_ok a.
split; first by rewrite (cstep_ok eE eF) e1.
by rewrite /= (readD ok) e2 -eF e1.
Qed.

Theorem crun_ok h s : crun N d pts g [seq val x | x <- h] = Some s -> stands s h.
Proof.
elim: h s => [|x h IH] s /=; first by case=> <-; exact: cstart_ok.
case r: (crun _ _ _ _ _) => [t|] //; case a: (analyse _ _ _) => [[E F]|] // [<-].
by apply: stands_step a; exact: IH.
Qed.

Theorem cpaper_ok s h : stands s h -> cpaper N d g s = paper_stop U (v g) h.
Proof.
move=> [e1 e2]; rewrite /cpaper (readL ok) read_div (readM ok) !read_nat (readD ok) read_sub e2.
by rewrite /paper_stop -e1.
Qed.
Theorem csure_ok s h : stands s h -> csure N d g s = sure_stop U (v g) h.
Proof.
move=> [e1 e2]; rewrite /csure (readL ok) read_div (readM ok) !read_nat read_sub.
by rewrite /sure_stop -e1.
Qed.

Lemma mean_ok p f (G : nat -> R) l a : mean N p f l = Some a ->
  (forall x b, x \in l -> f x = Some b -> v b = G x) -> v a = \sum_(x <- l) v (p x) * G x.
Proof.
elim: l a => [|x l IH] a /=; first by case=> <- _; rewrite big_nil (read0 ok).
case m: (mean _ _ _ _) => [c|] //; case e: (f x) => [b|] // [<-] H.
rewrite big_cons (readD ok) (readM ok) (H x b) ?mem_head // (IH c) // => y z yl.
by apply: H; rewrite in_cons yl orbT.
Qed.

Section Expectation.
Variables (cstop : cstate T -> bool) (stop : pred (seq I)).
Hypothesis stop_ok : forall s h, stands s h -> cstop s = stop h.
Variables (cf : seq nat -> cstate T -> T) (f : seq I -> R).
Hypothesis f_ok : forall s h, stands s h -> v (cf [seq val x | x <- h] s) = f h.

Theorem cexp_ok n h s a : stands s h ->
  cexp N d pts g cstop n cf [seq val x | x <- h] s = Some a -> v a = Tend U (v g) stop n f h.
Proof.
elim: n h s a => [|n IH] h s a st /=; rewrite (stop_ok st).
  by case: ifP => _ [<-]; exact: f_ok.
case: ifP => _; first by case=> <-; exact: f_ok.
case A: (analyse _ _ _) => [[E F]|] // m; have [eE eF] := analyse_ok A.
pose G y := if insub y is Some x then Tend U (v g) stop n f (x :: h) else 0.
rewrite (mean_ok (G := G) m).
  have -> : iota 0 (size pts) = index_iota 0 (size pts) by rewrite /index_iota subn0.
  rewrite big_mkord.
  by apply: eq_bigr => x _; rewrite /G valK (cprob_ok eE eF); case: st => ->.
move=> y b; rewrite mem_iota /= add0n => lt.
have [x ->] : exists x : I, y = val x by exists (Ordinal lt).
by rewrite /G valK => e; exact: (IH (x :: h) _ _ (stands_step x st A) e).
Qed.

End Expectation.

Section Sum.
Variables (cstop : cstate T -> bool) (stop : pred (seq I)).
Hypothesis stop_ok : forall s h, stands s h -> cstop s = stop h.
Variables (cf : seq (seq T) -> T -> T) (f : seq I -> R).
Hypothesis f_ok : forall s h E F, stands s h -> bracket (state_of s) = mx_of E ->
  Phi (state_of s) = v F -> v (cf E F) = f h.

Theorem csums_ok n h s a : stands s h ->
  csums N d pts g cstop n cf s = Some a -> v a = Tsum U (v g) stop n f h.
Proof.
elim: n h s a => [|n IH] h s a st /=; rewrite (stop_ok st).
  by case: ifP => _ [<-]; exact: read0 ok.
case: ifP => _; first by case=> <-; exact: read0 ok.
case A: (analyse _ _ _) => [[E F]|] //; have [eE eF] := analyse_ok A.
case m: (mean _ _ _ _) => [b|] // [<-]; rewrite (readD ok) (f_ok st eE eF); congr (_ + _).
pose G y := if insub y is Some x then Tsum U (v g) stop n f (x :: h) else 0.
rewrite (mean_ok (G := G) m).
  have -> : iota 0 (size pts) = index_iota 0 (size pts) by rewrite /index_iota subn0.
  rewrite big_mkord.
  by apply: eq_bigr => x _; rewrite /G valK (cprob_ok eE eF); case: st => ->.
move=> y c; rewrite mem_iota /= add0n => lt.
have [x ->] : exists x : I, y = val x by exists (Ordinal lt).
by rewrite /G valK => e; exact: (IH (x :: h) _ _ (stands_step x st A) e).
Qed.

End Sum.
End Correct.

(** * Rational numbers *)

(** Reduced fractions; adding 0 and multiplying by 0 or 1 cost nothing. As in
    Knuth (4.5.1), common factors are removed before products are formed: the
    checker has no virtual machine, and long divisors are what it spends its
    time on. *)
Definition qsum (a b : Q) : Q :=
  let: (c, (da, db)) := Pos.ggcd (Qden a) (Qden b) in
  let t := Z.add (Z.mul (Qnum a) (Zpos db)) (Z.mul (Qnum b) (Zpos da)) in
  let r := if Pos.eqb c xH then Qmake t xH else Qred (Qmake t c) in
  Qmake (Qnum r) (Pos.mul (Pos.mul da db) (Qden r)).
Definition qprod (a b : Q) : Q :=
  let r := Qred (Qmake (Qnum a) (Qden b)) in
  let r' := Qred (Qmake (Qnum b) (Qden a)) in
  Qmake (Z.mul (Qnum r) (Qnum r')) (Pos.mul (Qden r) (Qden r')).
Definition qadd (a b : Q) : Q :=
  match Qnum a, Qnum b with
  | Z0, _ => b | _, Z0 => a
  | _, _ => if Pos.eqb (Qden a) (Qden b) then Qred (Qmake (Z.add (Qnum a) (Qnum b)) (Qden a))
            else qsum a b end.
Definition qmul (a b : Q) : Q :=
  match a, b with
  | Qmake Z0 _, _ => a | _, Qmake Z0 _ => b
  | Qmake (Zpos xH) xH, _ => b | _, Qmake (Zpos xH) xH => a
  | _, _ => qprod a b end.
Definition rationals : numbers Q :=
  Numbers (Qmake 0 1) (Qmake 1 1) qadd Qopp qmul Qinv Qeq_bool Qle_bool.

#[local] Arguments Pos.to_nat : simpl never.

Section Rational.
Variable R : realFieldType.
Local Notation integer := (integer R).
Local Notation frac := (frac R).
Local Notation pos p := ((Pos.to_nat p)%:R : R).

Lemma pos_gt0 p : 0 < pos p.
Proof. by rewrite ltr0n; apply/ssrnat.ltP; exact: Pos2Nat.is_pos. Qed.
Lemma pos_neq0 p : pos p != 0.
Proof. by rewrite gt_eqF // pos_gt0. Qed.
Lemma posD p q : pos (p + q)%positive = pos p + pos q.
Proof. by rewrite Pos2Nat.inj_add -natrD. Qed.
Lemma posM p q : pos (p * q)%positive = pos p * pos q.
Proof. by rewrite Pos2Nat.inj_mul -natrM. Qed.
Lemma posB p q : (q < p)%positive -> pos (p - q)%positive = pos p - pos q.
Proof.
move=> lt; rewrite Pos2Nat.inj_sub // -natrB //.
by apply/ssrnat.leP; apply: PeanoNat.Nat.lt_le_incl; exact/Pos2Nat.inj_lt.
Qed.

Lemma integer_pos_sub p q : integer (Z.pos_sub p q) = pos p - pos q.
Proof.
rewrite Z.pos_sub_spec; case: Pos.compare_spec => [->|lt|lt] /=; first by rewrite subrr.
  by rewrite posB // opprB.
by rewrite posB.
Qed.
Lemma integerD a b : integer (Z.add a b) = integer a + integer b.
Proof.
case: a b => [|p|p] [|q|q] /=; rewrite ?add0r ?addr0 ?integer_pos_sub ?posD //.
  by rewrite addrC.
by rewrite opprD.
Qed.
Lemma integerM a b : integer (Z.mul a b) = integer a * integer b.
Proof. by case: a b => [|p|p] [|q|q] /=; rewrite ?mul0r ?mulr0 ?posM ?mulNr ?mulrN ?opprK. Qed.
Lemma integerN a : integer (Z.opp a) = - integer a.
Proof. by case: a => [|p|p] /=; rewrite ?oppr0 ?opprK. Qed.
Lemma integer_ge0 a : Z.leb 0 a = (0 <= integer a).
Proof.
case: a => [|p|p] /=; rewrite ?lexx // ?(ltW (pos_gt0 p)) //.
by rewrite oppr_ge0 leNgt pos_gt0.
Qed.
Lemma integer_le a b : Z.leb a b = (integer a <= integer b).
Proof.
rewrite -subr_ge0 -integerN -integerD -integer_ge0.
by apply/idP/idP => /Z.leb_le le; apply/Z.leb_le; apply/Z.le_0_sub.
Qed.

Lemma frac_eq a b : Qeq a b -> frac a = frac b.
Proof.
rewrite /Qeq /frac => /(congr1 integer); rewrite !integerM /= => e.
by apply/eqP; rewrite eqr_div ?pos_neq0 // e.
Qed.
Lemma frac_red a : frac (Qred a) = frac a.
Proof. exact/frac_eq/Qred_correct. Qed.

Lemma frac_over a p : frac (Qmake (Qnum a) (Pos.mul p (Qden a))) = frac a / pos p.
Proof. by rewrite /frac /= posM invfM mulrCA mulrC. Qed.
Lemma frac_sum a b : frac (qsum a b) = frac a + frac b.
Proof.
have /= := Pos.ggcd_correct_divisors (Qden a) (Qden b).
rewrite /qsum; case: (Pos.ggcd _ _) => c [da db] [ea eb].
set t := Z.add _ _; set r := if _ then _ else _.
have er : frac r = integer t / pos c.
  by rewrite /r; case: Pos.eqb_spec => [->|_]; rewrite ?frac_red.
rewrite frac_over er /t integerD !integerM /= /frac ea eb !posM.
have := (pos_neq0 c, pos_neq0 da, pos_neq0 db).
move: (pos c) (pos da) (pos db) => x y z [[x0 y0] z0].
move: (integer _) (integer _) => v w.
by field; rewrite x0 y0 z0.
Qed.
Lemma frac_prod a b : frac (qprod a b) = frac a * frac b.
Proof.
rewrite /qprod; set r := Qred _; set r' := Qred _.
have e : frac r * frac r' = frac a * frac b.
  by rewrite /r /r' !frac_red /frac /= mulf_div [X in _ / X]mulrC -mulf_div.
by rewrite -e /frac /= integerM posM mulf_div.
Qed.

Lemma fracD a b : frac (qadd a b) = frac a + frac b.
Proof.
have slow : frac (qsum a b) = frac a + frac b := frac_sum a b.
have quick : Pos.eqb (Qden a) (Qden b) ->
    frac (Qred (Qmake (Z.add (Qnum a) (Qnum b)) (Qden a))) = frac a + frac b.
  by move/Pos.eqb_eq => e; rewrite frac_red /frac /= integerD e mulrDl.
have zero c : Qnum c = Z0 -> frac c = 0 by rewrite /frac => ->; rewrite mul0r.
rewrite /qadd; case ea: (Qnum a) => [|p|p]; first by rewrite (zero a) // add0r.
all: case eb: (Qnum b) => [|q|q]; first by rewrite (zero b) // addr0.
all: by case: ifP; rewrite -?ea -?eb.
Qed.
Lemma fracM a b : frac (qmul a b) = frac a * frac b.
Proof.
have slow : frac (qprod a b) = frac a * frac b := frac_prod a b.
have zero q : frac (Qmake Z0 q) = 0 by rewrite /frac mul0r.
have one : frac (Qmake 1 1) = 1 by rewrite /frac /= divr1.
rewrite /qmul.
case: a slow => [[|[p|p|]|p] [q|q|]] slow; rewrite ?zero ?mul0r //.
all: by case: b slow => [[|[p'|p'|]|p'] [q'|q'|]] slow; rewrite ?zero ?one ?mulr0 ?mul1r ?mulr1.
Qed.

Theorem frac_reads : reads rationals frac.
Proof.
split.
- by rewrite /frac mul0r.
- by rewrite /frac /= divr1.
- exact: fracD.
- by move=> a; rewrite /frac /= integerN mulNr.
- exact: fracM.
- move=> [[|p|p] q]; rewrite /frac /= ?mul0r ?invr0 //; first by rewrite invf_div.
  by rewrite !mulNr invrN invf_div.
- by move=> a b /Qeq_bool_eq/frac_eq.
- move=> a b; apply: etrans (integer_le _ _) _; rewrite !integerM /=.
  by rewrite /frac ler_pdivr_mulr ?pos_gt0 // mulrAC ler_pdivl_mulr ?pos_gt0.
Qed.

(** The same with Coq's own sum and product. *)
Theorem reduced_reads : reads reduced_rationals frac.
Proof.
have [e0 e1 _ eN _ eV eE eL] := frac_reads.
split=> // a b.
- rewrite -[nadd _ a b]/(Qred (Qplus a b)) frac_red /frac /Qplus.
  rewrite ![Qnum (Qmake _ _)]/= ![Qden (Qmake _ _)]/= integerD !integerM posM.
  rewrite -![integer (Zpos _)]/(pos _).
  have := (pos_neq0 (Qden a), pos_neq0 (Qden b)).
  move: (pos (Qden a)) (pos (Qden b)) (integer _) (integer _) => x y z w [x0 y0].
  by field; rewrite x0 y0.
- rewrite -[nmul _ a b]/(Qred (Qmult a b)) frac_red /frac /Qmult.
  by rewrite ![Qnum (Qmake _ _)]/= ![Qden (Qmake _ _)]/= integerM posM mulf_div.
Qed.

End Rational.

(** * Instances *)

Section Evaluate.
Variables (R : realFieldType) (D : design).
Local Notation d := (dimension D).
Local Notation n := (size (rows D)).
Local Notation N := rationals.
Local Notation run := (crun N d (rows D) (gamma D)).
Local Notation stands := (@stands Q N R (frac R) d (rows D) (gamma D)).
Local Notation ok := (frac_reads R).

Definition in_range (hs : seq nat) : bool := all (fun x => (x < n)%N) hs.
(** Test the state after the draws hs, or what is drawn from there. *)
Definition reaches (hs : seq nat) (k : cstate Q -> bool) : bool :=
  in_range hs && if run hs is Some s then k s else false.
Definition evaluate (hs : seq nat) (k : seq (seq Q) -> Q -> bool) : bool :=
  reaches hs (fun s => if analyse N d s is Some (E, F) then k E F else false).

Lemma draws_val hs : in_range hs -> [seq val x | x <- draws D hs] = hs.
Proof.
elim: hs => //= x hs IH /andP[lt /IH]; rewrite /draws /= => e.
by rewrite insubT /= e.
Qed.

Lemma reaches_ok hs k : reaches hs k -> exists2 s, stands s (draws D hs) & k s.
Proof.
case/andP => /draws_val e; case r: (run hs) => [s|] // ks.
by exists s => //; apply: (crun_ok ok); rewrite e.
Qed.
Lemma evaluate_ok hs k : evaluate hs k -> exists s E F,
  [/\ stands s (draws D hs), bracket (state_of N (frac R) d s) = mx_of N (frac R) d E,
      Phi (state_of N (frac R) d s) = frac R F & k E F].
Proof.
case/reaches_ok => s st; case a: (analyse N d s) => [[E F]|] // kk.
by exists s, E, F; have [eE eF] := analyse_ok ok a.
Qed.


Definition same (l l' : seq Q) : bool := all2 Qeq_bool l l'.
Lemma same_ok l l' : same l l' -> fracs R l = fracs R l'.
Proof.
rewrite /same; elim: l l' => [|a l IH] [|b l'] //= /andP[ab /IH e].
by rewrite /fracs /= (readE ok ab) -/(fracs R l) e.
Qed.
Lemma fracs_points (f : nat -> Q) (G : 'I_n -> R) : (forall x : 'I_n, frac R (f x) = G x) ->
  fracs R (mkseq f n) = [seq G x | x <- enum 'I_n].
Proof. by move=> e; rewrite /fracs /mkseq -val_enum_ord -!map_comp; exact: eq_map. Qed.

(** Each value below holds as soon as the program, run on rationals, answers true. *)
Theorem potential_value hs q : evaluate hs (fun _ F => Qeq_bool F q) ->
  Phi (after R D hs) = frac R q.
Proof. by case/evaluate_ok => s [E [F [[st _] _ eF /(readE ok) <-]]]; rewrite -eF st. Qed.

Theorem probabilities_value hs l :
  evaluate hs (fun E F => same (mkseq (cprob N d (rows D) E F) n) l) ->
  probabilities R D hs = fracs R l.
Proof.
case/evaluate_ok => s [E [F [[st _] eE eF /same_ok <-]]].
by rewrite (@fracs_points _ (prob (point R D) (after R D hs))) // => x; rewrite (cprob_ok ok eE eF) st.
Qed.

Theorem weights_value hs l :
  evaluate hs (fun E F => same (mkseq (cweight N d (rows D) (gamma D) E F) n) l) ->
  weights R D hs = fracs R l.
Proof.
case/evaluate_ok => s [E [F [[st _] eE eF /same_ok <-]]].
by rewrite (@fracs_points _ (weight (point R D) (rate R D) (after R D hs))) // => x; rewrite (cweight_ok ok _ eE eF) st.
Qed.

Definition equal (A B : seq (seq Q)) : bool :=
  all (fun i => all (fun j => Qeq_bool (entry N A i j) (entry N B i j)) (iota 0 d)) (iota 0 d).
Theorem state_value hs A u l :
  reaches hs (fun s => [&& Qeq_bool (cup s) u, Qeq_bool (clo s) l &
    equal (cacc s tt) A]) ->
  after R D hs = State (table R D A) (frac R u) (frac R l).
Proof.
case/reaches_ok => s [st _] /and3P[/(readE ok) <- /(readE ok) <- /allP same_entries].
rewrite /after -st; congr State; apply/matrixP => i j; rewrite !mxE.
have below (k : 'I_d) : val k \in iota 0 d by rewrite mem_iota /= add0n ltn_ord.
by have /allP/(_ _ (below j))/(readE ok) := same_entries _ (below i).
Qed.

(** The loop test. *)
Definition cstops (r : rule) : cstate Q -> bool :=
  match r with Paper => cpaper N d (gamma D) | Sure => csure N d (gamma D) end.
Lemma cstops_ok r s h : stands s h -> cstops r s = stops R D r h.
Proof. by case: r => st; [exact: (cpaper_ok ok st) | exact: (csure_ok ok st)]. Qed.

Theorem stops_value r hs b : reaches hs (fun s => cstops r s == b) -> stops R D r (draws D hs) = b.
Proof. by case/reaches_ok => s st /eqP <-; rewrite (cstops_ok r st). Qed.

(** The rows are orthonormal. *)
Theorem whitened_value :
  is_one N d (build d (fun i j => total N n (fun x => nmul N (entry N (rows D) x i) (entry N (rows D) x j)))) ->
  \sum_x point R D x *m (point R D x)^T = 1%:M.
Proof.
move=> /allP one; apply/matrixP => i j.
have below (k : 'I_d) : val k \in iota 0 d by rewrite mem_iota /= add0n ltn_ord.
have /allP/(_ _ (below j))/(readE ok) := one _ (below i).
rewrite (entry_build N) (read_scalar ok) (read1 ok) (read_total ok) => <-.
rewrite summxE; apply: eq_bigr => x _.
by rewrite mxE big_ord1 !mxE (readM ok).
Qed.
Theorem rate_value : ~~ Qle_bool (gamma D) (Qmake 0 1) && ~~ Qle_bool (Qmake 1 2) (gamma D) ->
  0 < rate R D /\ 2%:R * rate R D < 1.
Proof.
have le a b : Qle_bool a b = (frac R a <= frac R b) := readL ok a b.
rewrite !le -!ltNge => /andP[g0 g2]; split; first by rewrite -[0](read0 ok).
have half : frac R (Qmake 1 2) = 1 / 2%:R by [].
by move: g2; rewrite half ltr_pdivl_mulr ?ltr0n // mulrC.
Qed.

(** Expectations over the tree, cut at the horizon m. *)
Section Expected.
Variables (r : rule) (m : nat) (cf : seq nat -> cstate Q -> Q) (f : seq 'I_n -> R).
Hypothesis f_ok : forall s h, stands s h -> frac R (cf [seq val x | x <- h] s) = f h.

Definition expects q : bool :=
  if cexp N d (rows D) (gamma D) (cstops r) m cf [::] (cstart N d (gamma D)) is Some a
  then Qeq_bool a q else false.
Lemma exp_value q : expects q -> Exp (point R D) (rate R D) (stops R D r) m f = frac R q.
Proof.
rewrite /expects; case e: (cexp _ _ _ _ _ _ _ _ _) => [a|] // /(readE ok) <-.
by rewrite (cexp_ok ok (@cstops_ok r) f_ok (cstart_ok ok d (rows D) (gamma D)) e).
Qed.
End Expected.

Theorem potential_sum_value r m q :
  (if csums N d (rows D) (gamma D) (cstops r) m (fun _ F => F) (cstart N d (gamma D)) is Some a
   then Qeq_bool a q else false) ->
  Tsum (point R D) (rate R D) (stops R D r) m (fun h => Phi (hst (point R D) (rate R D) h)) [::] = frac R q.
Proof.
case e: (csums _ _ _ _ _ _ _ _) => [a|] // /(readE ok) <-; apply: esym.
apply: (csums_ok ok (@cstops_ok r) _ (cstart_ok ok d (rows D) (gamma D)) e).
by move=> s h E F [st _] _ eF; rewrite -eF st.
Qed.

Theorem length_value r m q : expects r m (fun hs _ => nnat N (size hs)) q ->
  Exp (point R D) (rate R D) (stops R D r) m (fun h => (size h)%:R) = frac R q.
Proof. by apply: exp_value => s h _; rewrite (read_nat ok) size_map. Qed.

Theorem stopped_value r m q : expects r m (fun _ s => if cstops r s then nunit N else nzero N) q ->
  Pr (point R D) (rate R D) (stops R D r) m (stops R D r) = frac R q.
Proof. by apply: exp_value => s h /(cstops_ok r) ->; case: ifP; rewrite ?(read1 ok) ?(read0 ok). Qed.

Theorem gap_value r m q : expects r m (fun _ s => nsub N (cup s) (clo s)) q ->
  Exp (point R D) (rate R D) (stops R D r) m (fun h => gap (hst (point R D) (rate R D) h)) = frac R q.
Proof. by apply: exp_value => s h [st _]; rewrite (read_sub ok) -[hst _ _ _]st. Qed.

Theorem draws_value r m k q : expects r m (fun hs _ => nnat N (count (fun x => x < k)%N hs)) q ->
  Exp (point R D) (rate R D) (stops R D r) m (fun h => (count (first D k) h)%:R) = frac R q.
Proof. by apply: exp_value => s h _; rewrite (read_nat ok) count_map. Qed.

Theorem labels_value r m k q : expects r m (fun hs _ => nnat N (size (undup (filter (fun x => x < k)%N hs)))) q ->
  Exp (point R D) (rate R D) (stops R D r) m (fun h => (labels (first D k) h)%:R) = frac R q.
Proof.
apply: exp_value => s h _; rewrite (read_nat ok) filter_map undup_map_inj ?size_map //.
exact: val_inj.
Qed.

End Evaluate.

(** The kernel runs the program, once, when the proof is closed. *)
Ltac by_computation := vm_cast_no_check (erefl true).
