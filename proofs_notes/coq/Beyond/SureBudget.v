(** A budget that is never exceeded: draw the whole run, look at its length,
    draw again before anything is paid; and heavy points bought outright.

      redrawing_le  == E[f of the run kept] <= E[f; G]/P(G)
      sure_budget   == one-sided sampling with at most B labels, surely
      heavy_rank    == the leverages stay, R_X drops by those of the heavy
      heavy_labels  == |heavy| + C R'/tau <= C sum of min(1, l/tau) *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression SureStop.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Chain.
From Asura Require Import Beyond.Policy Beyond.OneSided Beyond.OneSidedData.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** Redrawing under any expectation. *)
Section Redraw.
Variables (R : realFieldType) (T : Type) (E : (T -> R) -> R).
Hypothesis E_eq : forall f1 f2, f1 =1 f2 -> E f1 = E f2.
Hypothesis E_add : forall f1 f2, E (fun h => f1 h + f2 h) = E f1 + E f2.
Hypothesis E_mul : forall c f, E (fun h => c * f h) = c * E f.
Hypothesis E_one : E (fun=> 1) = 1.
Variable G : pred T.
Local Notation PG := (E (fun h => (G h)%:R)).

Lemma redrawingS k f : redrawing E G k.+1 f =
  E (fun h => (G h)%:R * f h) + (1 - PG) * redrawing E G k f.
Proof.
rewrite /= (E_eq (f2 := fun h => (G h)%:R * f h +
   redrawing E G k f * (1 + (-1) * (G h)%:R))); last first.
  by move=> h; case: (G h) => /=; ring.
by rewrite E_add E_mul E_add E_one E_mul; ring.
Qed.

(** The run that is kept is a run conditioned on G. *)
Lemma redrawingE k f : redrawing E G k f * PG =
  (1 - (1 - PG) ^+ k) * E (fun h => (G h)%:R * f h).
Proof.
elim: k => [|k IH]; first by rewrite /= expr0 subrr !mul0r.
rewrite redrawingS exprS; move: IH.
move: (redrawing _ _ _ _) (E (fun h => (G h)%:R)).
move: (E (fun h => (G h)%:R * f h)) => m r c IH.
have -> : (m + (1 - c) * r) * c = m * c + (1 - c) * (r * c) by ring.
by rewrite IH; ring.
Qed.

Lemma redrawing_le k f : 0 < PG -> PG <= 1 -> 0 <= E (fun h => (G h)%:R * f h) ->
  redrawing E G k f <= E (fun h => (G h)%:R * f h) / PG.
Proof.
move=> c0 c1 f0; rewrite ler_pdivl_mulr // redrawingE ler_pimull //.
by rewrite ler_subl_addr ler_addl exprn_ge0 // subr_ge0.
Qed.

End Redraw.

(** ** One-sided sampling within a budget. *)
Section Budget.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (P : 'M[R]_d) (X1 : pred I).
Variables (nu N S delta : R) (coin : bool) (B : nat).
Hypothesis whP : whitens X P.
Hypothesis nu_gt0 : 0 < nu.
Hypothesis nu_lt1 : nu < 1.
Hypothesis N_gt0 : 0 < N.
Hypothesis S_gt0 : 0 < S.
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Hypothesis delta_ge0 : 0 <= delta.

Local Notation U := (white X P).
Local Notation x := (reduced_rank X X1 / N).
Local Notation eta := (nu / (1 - nu ^+ 2)).
Local Notation c := (S * reduced_rank X X1 / (N * eta)).
Local Notation p := (os_law U X1 nu eta c S coin).
Local Notation stop := (os_stop U X1 nu eta c S coin).
Local Notation weight h := (os_weight U X1 nu eta c S coin h).
Local Notation excess h := (loss X Y (weighted_fit X Y (weight h)) - opt X Y).
Local Notation a := (1 - delta * nu - (1 - nu ^+ 2) * x / nu).
Local Notation const := ((x + delta * nu ^+ 2 / (2%:R * (1 - nu ^+ 2))) / a ^+ 2).
Hypothesis D_le : psd (delta%:M - os_target U X1).
Hypothesis a_gt0 : 0 < a.

Variable G : pred (seq (bool * I)).
Hypothesis G_stop : forall h, G h -> stop h && (count fst h <= B)%N.
Variable n : nat.
Local Notation E f := (run_mean p stop n f [::]).
Local Notation PG := (run_chance p stop n G).

Let n2 : 0 < 1 - nu ^+ 2.
Proof.
have -> : 1 - nu ^+ 2 = (1 - nu) * (1 + nu) by ring.
by apply: mulr_gt0; [rewrite subr_gt0 | ps].
Qed.
Let eta_gt0 : 0 < eta. Proof. by move: n2; move: (1 - nu ^+ 2) => *; ps. Qed.
Let eta_le : eta * (1 - nu ^+ 2) <= nu. Proof. by rewrite divfK // gt_eqF. Qed.
Let c_gt0 : 0 < c. Proof. by move: eta_gt0; move: eta => *; ps. Qed.
Let D_gt0 : 0 < \tr (os_target U X1). Proof. by rewrite (os_rank X1 whP). Qed.
Let law0 h o : reach stop h -> ~~ stop h -> 0 <= p h o.
Proof. exact: os_law0. Qed.
Let law1 h : reach stop h -> ~~ stop h -> \sum_o p h o = 1.
Proof. exact: os_law1. Qed.

Lemma excess_pos h : 0 <= excess h.
Proof. by rewrite subr_ge0; exact: (opt_min Y whP). Qed.

Lemma budget_excess : E (fun h => (G h)%:R * excess h) <= const * opt_on X Y X1.
Proof.
apply: le_trans (one_sided_excess Y coin whP nu_gt0 nu_lt1 N_gt0 S_gt0 R_gt0
  delta_ge0 D_le a_gt0 n).
apply: (rmean_mono law0) => // h _; have e0 := excess_pos h.
case: (boolP (G h)) => [/G_stop/andP[-> _] //|_].
by rewrite mul0r mulr_ge0 // ler0n.
Qed.

Lemma budget_PG1 : PG <= 1.
Proof.
rewrite -[X in _ <= X](rmean_const law1 n 1 (h := [::])) //.
by apply: (rmean_mono law0) => // h _; rewrite -[1]/(1%:R) ler_nat leq_b1.
Qed.

(* slug: sure-budget *)
Theorem sure_budget k : 0 < PG ->
  redrawing (fun f => E f) G k (fun h => excess h) <= const * opt_on X Y X1 / PG.
Proof.
move=> c0; have l1 := rmean_const law1 n 1 (h := [::]) isT.
apply: (@le_trans _ _ (E (fun h => (G h)%:R * excess h) / PG)).
  apply: redrawing_le => //.
  - by move=> f1 f2 e; exact: rmean_eq.
  - by move=> f1 f2; rewrite rmeanD.
  - by move=> z f; rewrite rmeanZ.
  - exact: budget_PG1.
  - apply: (rmean_ge0 law0 law1) => // h _; apply: mulr_ge0; first exact: ler0n.
    exact: excess_pos.
by apply: ler_wpmul2r; [rewrite invr_ge0 ltW | exact: budget_excess].
Qed.

Lemma sure_labels h : G h -> (bought X1 (weight h) <= B)%N.
Proof. by case/G_stop/andP => _; apply: leq_trans; exact: os_bought. Qed.

End Budget.

(** ** Heavy points. *)
Section Heavy.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (tau : R).
Hypothesis uG : gram X \in unitmx.

Local Notation l := (leverage_of X).
Local Notation H := (heavy X X1 tau).
Local Notation X1' := (light X X1 tau).

Lemma heavy_split (Z : zmodType) (F : I -> Z) :
  \sum_(x | X1 x) F x = \sum_(x | H x) F x + \sum_(x | X1' x) F x.
Proof.
rewrite (bigID (fun x => tau <= l x)) /=; congr (_ + _).
by apply: eq_bigl => x; rewrite /light ltNge.
Qed.

(* slug: heavy-points *)
Lemma heavy_rank : reduced_rank X X1' = reduced_rank X X1 - \sum_(x | H x) l x.
Proof. by rewrite !rank_leverage [in RHS]heavy_split addrAC subrr add0r. Qed.

Lemma heavy_opt : opt_on X Y X1' <= opt_on X Y X1.
Proof.
rewrite /opt_on [X in _ <= X]heavy_split ler_addr.
by apply: sumr_ge0 => x _; exact: sqr_ge0.
Qed.

(** The labels: the heavy ones once each, and C R'/tau for the light ones. *)
Lemma heavy_labels C : 0 < tau -> 1 <= C ->
  #|[set x | H x]|%:R + C / tau * reduced_rank X X1' <=
  C * \sum_(x | X1 x) Num.min 1 (l x / tau).
Proof.
move=> t0 C1; rewrite heavy_split mulrDr; apply: ler_add.
  rewrite -sum1_card natr_sum mulr_sumr.
  rewrite (eq_bigl H); last by move=> x; rewrite inE.
  apply: ler_sum => x /andP[_ le]; rewrite min_l ?mulr1 //.
  by rewrite ler_pdivl_mulr // mul1r.
rewrite rank_leverage !mulr_sumr; apply: ler_sum => x /andP[_ lt].
rewrite min_r; last by rewrite ler_pdivr_mulr // mul1r ltW.
by rewrite mulrAC mulrA.
Qed.

End Heavy.
