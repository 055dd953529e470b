(** Values of the model at data that are not orthonormal, from the program in
    Gram coordinates: what the program answers on rationals holds for every
    whitening of the data, in every real field.

      gram_reaches, gram_evaluate     == tests of what the program computes

    Each [*_value] theorem reduces a value to one evaluation of the program. *)
From Coq Require Import QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Regression Compute.
From Asura Require Import Gram GramProgram StateChecker.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Program.
Variable D : design.
Local Notation d := (dimension D).
Local Notation N := rationals.
Local Notation G := (pgram N d (rows D) [::]).

Fixpoint gram_run_from (G : seq (seq Q)) hs : option (pstate Q) :=
  if hs is x :: hs' then
    if gram_run_from G hs' is Some s then
      if pinvert N d G s is Some (E, F) then
        Some (pstep N d (rows D) [::] (gamma D) s E F x)
      else None
    else None
  else Some (pstart N d (gamma D)).

Definition gram_reaches (hs : seq nat) (k : pstate Q -> bool) : bool :=
  [&& (0 < d)%N, less N (nzero N) (gamma D),
      less N (nmul N (nnat N 2) (gamma D)) (nunit N), in_range D hs &
      if gram_run_from G hs is Some s then k s else false].
Definition gram_evaluate hs (k : seq (seq Q) -> Q -> bool) : bool :=
  gram_reaches hs (fun s =>
    if pinvert N d G s is Some (E, F) then k E F else false).
End Program.

Section Evaluate.
Variables (R : realFieldType) (D : design).
Local Notation d := (dimension D).
Local Notation n := (size (rows D)).
Local Notation N := rationals.
Local Notation v := (frac R).
Local Notation ok := (frac_reads R).
Local Notation X := (point R D).
Local Notation g := (rate R D).
Local Notation c := (@scale_of Q N R v (rows D) [::]).

(** The Gram matrix is this one, and it has an inverse. *)
Theorem gram_value A :
  equal D (pgram N d (rows D) [::]) A && inverse N d (pgram N d (rows D) [::]) ->
  gram X = table R D A /\ gram X \in unitmx.
Proof.
have c1 : c =1 plain R (I := ordinal_finType n).
  by move=> x; rewrite /scale_of /pscale nth_nil (read1 ok).
have e : gram X = mx_of N v d (pgram N d (rows D) [::]).
  rewrite (pgram_ok ok) -plain_gram; apply: eq_bigr => x _.
  by rewrite /gouter c1.
rewrite e; case/andP => /(same_table_ok ok) same; case i: (inverse _ _ _) => [B|] // _.
by have [u _] := inverse_unit ok i; split=> //; rewrite same.
Qed.

Variable P : 'M[R]_d.
Hypothesis wP : whitens X P.
Local Notation whitened_after := (whitened_after R D).
Local Notation whitened_probabilities := (whitened_probabilities R D).
Local Notation whitened_weights := (whitened_weights R D).
Local Notation whitened_stops := (whitened_stops R D).
Local Notation U := (white X P).

Lemma point_whites : whites c X P U.
Proof.
have [e o] := plain_whites wP.
have c1 x : gouter c X x = gouter (plain R (I := ordinal_finType n)) X x.
  by rewrite /gouter /scale_of /pscale nth_nil (read1 ok).
split=> [|x]; last by rewrite c1 o.
by rewrite -[RHS]e; congr (_ *m _ *m _); apply: eq_bigr => x _; exact: c1.
Qed.

Lemma gram_run_ok h s : gram_run_from D (pgram N d (rows D) [::])
    [seq val x | x <- h] = Some s -> gstate_of N v d s = grun c X g h.
Proof.
elim: h s => [|x h IH] s /=; first by case=> <-; exact: (pstart_ok ok).
case r: (gram_run_from _ _ _) => [t|] //; case i: (pinvert _ _ _ _) => [[E F]|] // [<-].
have [_ _ eE eF] := pinvert_ok ok i.
by rewrite (pstep_ok ok _ eE eF) (IH _ r).
Qed.

Lemma gram_reaches_ok hs k : gram_reaches D hs k ->
  [/\ (0 < d)%N, 0 < g & 2%:R * g < 1] /\
  exists2 s, gstate_of N v d s = grun c X g (draws D hs) & k s.
Proof.
case/and5P => d0; rewrite !(less_ok ok) (readM ok) (read_nat ok) (read0 ok).
rewrite (read1 ok) => g0 g2 /draws_val e; case r: (gram_run_from _ _ _) => [s|] // ks.
by split=> //; exists s => //; apply: gram_run_ok; rewrite e.
Qed.

Lemma gram_evaluate_ok hs k : gram_evaluate D hs k -> exists E F,
  [/\ Phi (whitened_after P hs) = v F,
      forall x : 'I_n, v (pprob N d (rows D) [::] E F x) =
        prob U (whitened_after P hs) x,
      forall x : 'I_n, v (pweight N d (rows D) [::] (gamma D) E x) =
        weight U g (whitened_after P hs) x & k E F].
Proof.
case/gram_reaches_ok => -[d0 g0 g2] [s st].
case i: (pinvert _ _ _ _) => [[E F]|] // kk; have [_ _ eE eF] := pinvert_ok ok i.
have [[_ _ ePhi ep ew] _] := gram_run point_whites d0 g0 g2 (draws D hs).
exists E, F; split=> // [|x|x]; first by rewrite ePhi -st eF.
  by rewrite (pprob_ok ok eE eF) st -ep.
by rewrite (pweight_ok ok _ eE) st -ew.
Qed.

Theorem gram_potential_value hs q : gram_evaluate D hs (fun _ F => Qeq_bool F q) ->
  Phi (whitened_after P hs) = v q.
Proof. by case/gram_evaluate_ok => E [F [-> _ _ /(readE ok)]]. Qed.

Theorem gram_probabilities_value hs l :
  gram_evaluate D hs (fun E F => same (mkseq (pprob N d (rows D) [::] E F) n) l) ->
  whitened_probabilities P hs = fracs R l.
Proof.
case/gram_evaluate_ok => E [F [_ ep _ /(same_ok R) <-]].
by apply/esym; apply: fracs_points => x; exact: ep.
Qed.

Theorem gram_weights_value hs l :
  gram_evaluate D hs
    (fun E F => same (mkseq (pweight N d (rows D) [::] (gamma D) E) n) l) ->
  whitened_weights P hs = fracs R l.
Proof.
case/gram_evaluate_ok => E [F [_ _ ew /(same_ok R) <-]].
by apply/esym; apply: fracs_points => x; exact: ew.
Qed.

Theorem gram_state_value hs A u l :
  gram_reaches D hs (fun s => [&& Qeq_bool (pup s) u, Qeq_bool (plo s) l &
    equal D (pacc s) A]) ->
  whitened_after P hs = State (P^T *m table R D A *m P) (v u) (v l).
Proof.
case/gram_reaches_ok => -[d0 g0 g2] [s st] /and3P[/(readE ok) <- /(readE ok) <-].
move=> /(same_table_ok ok) eA; rewrite -[table R D A]eA.
have [[e _ _ _ _] _] := gram_run point_whites d0 g0 g2 (draws D hs).
by rewrite /SpecValues.whitened_after e -st.
Qed.

Theorem gram_stops_value r hs b :
  gram_reaches D hs (fun s => ~~ (match r with
    | Paper => ppaper N d (gamma D) s
    | Sure => plevel N d (gamma D) (nunit N) s end) == b) ->
  whitened_stops P r (draws D hs) = b.
Proof.
case/gram_reaches_ok => -[d0 g0 g2] [s st] /eqP <-.
have [_ [_ ep es _]] := gram_run point_whites d0 g0 g2 (draws D hs).
case: r; first by rewrite (ppaper_ok ok) st -ep.
by rewrite (plevel_ok ok) st (read1 ok) -es.
Qed.

End Evaluate.
