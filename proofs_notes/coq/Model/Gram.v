(** Algorithm 2 in Gram coordinates, as the Python reference runs it, and the
    proof that it is Algorithm 2 in whitened coordinates, for every whitening.

    The reference never whitens: G = X^T X stands for the identity and
    B_j = sum w' x x^T for A_j, so that every number is rational in the data.
    Points may carry a squared scale c_x, for sqrt(c_x) x (the ridge and kernel
    data of the reference); c = 1 is the plain case.

      gstate           == B_j, u_j, l_j and the sum of the potentials before j
      gouter c X x     == c_x x x^T
      ggram c X        == G
      below_upper      == u G - B         above_lower == B - l G
      gpotential       == Tr(G ((uG-B)^-1 + (B-lG)^-1))
      gmass            == c_x x^T ((uG-B)^-1 + (B-lG)^-1) x, which is p_x Phi
      gprob, gweight   == p_x = mass/Phi and w'_x = gamma/mass
      gstep, grun      == one iteration; the state after the draws h
      proceeds_paper   == line 3 of Algorithm 2: whether the loop goes on
      proceeds_level T == the same for the rule on the gap alone
      gmid             == (u + l)/2, by which the final weights are divided
      gTend, gTsum     == expectations over the tree of draws
      whites c X P U   == P^T G P = 1 and U(x) U(x)^T = P^T (c_x x x^T) P

    Main results: [gram_step], one iteration from any state between the
    barriers; [gram_run], every run; [gram_expectation], the tree; and their
    readings [gram_is_whitened] (c = 1), [whitening_free], [change_free]. *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Spec Forms Step Run Tree Regression Whitening.
From Asura Require Export SpecModel.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** Congruence. *)
Lemma invmx_congr (R : realFieldType) d (P M : 'M[R]_d) :
  P \in unitmx -> M \in unitmx ->
  invmx (P^T *m M *m P) = invmx P *m invmx M *m invmx P^T.
Proof.
move=> uP uM; have uT : P^T \in unitmx by rewrite unitmx_tr.
have e : P^T *m M *m P *m (invmx P *m invmx M *m invmx P^T) = 1%:M.
  by rewrite !mulmxA mulmxK // mulmxK // mulmxV.
have [u _] := mulmx1_unit e.
by rewrite -[RHS](mulKmx u) e mulmx1.
Qed.

Lemma pd_congr (R : realFieldType) d (P M : 'M[R]_d) : P \in unitmx ->
  pd (P^T *m M *m P) <-> pd M.
Proof.
move=> uP; have uT : P^T \in unitmx by rewrite unitmx_tr.
have conj (Q N : 'M[R]_d) : Q \in unitmx -> pd N -> pd (Q^T *m N *m Q).
  move=> uQ [sN qN]; split=> [|v v0].
    by rewrite !trmx_mul trmxK sN mulmxA.
  rewrite -qf_mul; apply: qN; apply: contra v0 => /eqP e.
  by rewrite -[v](mulKmx uQ) e mulmx0.
split; last exact: conj.
have uV : invmx P \in unitmx by rewrite unitmx_inv.
move/(conj _ _ uV); congr pd; rewrite trmx_inv.
by rewrite !mulmxA mulVmx // mul1mx mulmxK.
Qed.

Section Whitened.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (c : I -> R) (X : I -> 'cV[R]_d) (P : 'M[R]_d) (U : I -> 'cV[R]_d).
Variable g : R.
Hypothesis whP : whites c X P U.
Local Notation G := (ggram c X).
Local Notation gstate := (gstate R d).
Local Notation whitened := (@whitened R d P).
Implicit Types (s : gstate) (x : I) (h : seq I).

Lemma whites_unit : P \in unitmx.
Proof. by case: whP => /mulmx1_unit[]. Qed.
Local Notation uP := whites_unit.
Lemma whites_gram_unit : G \in unitmx.
Proof. by case: whP => /mulmx1_unit[]; rewrite unitmx_mul => /andP[]. Qed.
Lemma whites_iso : \sum_x U x *m (U x)^T = 1%:M.
Proof.
case: whP => <- outer; rewrite /ggram mulmx_sumr mulmx_suml.
by apply: eq_bigr => x _; exact: outer.
Qed.
Lemma whites_inv : P *m P^T = invmx G.
Proof.
have [e _] := whP; have h : P *m (P^T *m G) = 1%:M by exact: mulmx1C.
by rewrite -[LHS](mulmxK whites_gram_unit) -(mulmxA P) h mul1mx.
Qed.

Lemma upper_whitened s : upper (whitened s) = P^T *m below_upper c X s *m P.
Proof.
case: whP => e _; rewrite /upper /below_upper mulmxBr mulmxBl /=.
by rewrite -scalemxAr -scalemxAl e scalemx1.
Qed.
Lemma lower_whitened s : lower (whitened s) = P^T *m above_lower c X s *m P.
Proof.
case: whP => e _; rewrite /lower /above_lower mulmxBr mulmxBl /=.
by rewrite -scalemxAr -scalemxAl e scalemx1.
Qed.

Lemma barriers_whitened s : within_barriers c X s <-> inv (whitened s).
Proof.
rewrite /within_barriers /inv upper_whitened lower_whitened.
by split=> -[a b]; split; first [exact/(pd_congr _ uP) |
  exact/(pd_congr (below_upper c X s) uP) | exact/(pd_congr (above_lower c X s) uP)].
Qed.

Section At.
Variable s : gstate.
Hypothesis u_unit : below_upper c X s \in unitmx.
Hypothesis l_unit : above_lower c X s \in unitmx.

Lemma bracket_whitened :
  bracket (whitened s) = invmx P *m gbracket c X s *m invmx P^T.
Proof.
rewrite /bracket upper_whitened lower_whitened !invmx_congr ?uP //.
by rewrite /gbracket mulmxDr mulmxDl.
Qed.

(** Phi^M for any form M: P^T M P stands for M. *)
Lemma phi_whitened M :
  phi (P^T *m M *m P) (whitened s) = \tr (M *m gbracket c X s).
Proof.
have uT : P^T \in unitmx by rewrite unitmx_tr uP.
rewrite /phi bracket_whitened.
have -> : P^T *m M *m P *m (invmx P *m gbracket c X s *m invmx P^T)
        = P^T *m (M *m gbracket c X s *m invmx P^T).
  by rewrite !mulmxA mulmxK // uP.
by rewrite mxtrace_mulC mulmxKV.
Qed.

Lemma qf_whitened x : qf (bracket (whitened s)) (U x) = gmass c X s x.
Proof.
rewrite -tr_outer; case: whP => _ ->; rewrite -[LHS]/(phi _ _) phi_whitened.
by rewrite /gouter -scalemxAl mxtraceZ tr_outer.
Qed.

Lemma potential_whitened : Phi (whitened s) = gpotential c X s.
Proof. by case: whP => e _; rewrite /Phi -e phi_whitened. Qed.

Lemma prob_whitened x : prob U (whitened s) x = gprob c X s x.
Proof. by rewrite /prob qf_whitened potential_whitened. Qed.

Hypothesis P_neq0 : gpotential c X s != 0.

Lemma weight_whitened x : weight U g (whitened s) x = gweight c X g s x.
Proof.
rewrite /weight prob_whitened potential_whitened /gprob /gweight.
by rewrite -mulrA -invfM [gpotential c X s * _]mulrC mulfVK.
Qed.

Lemma step_whitened x : step U g (whitened s) x = whitened (gstep c X g s x).
Proof.
rewrite /step /whitened /gstep /= -/(whitened s) weight_whitened.
rewrite potential_whitened; congr State.
by case: whP => _ o; rewrite o mulmxDr mulmxDl scalemxAl scalemxAr.
Qed.

(** One iteration, from every state where both inverses exist. *)
(* slug: model *)
Theorem gram_step x :
  [/\ Phi (whitened s) = gpotential c X s,
      prob U (whitened s) x = gprob c X s x,
      weight U g (whitened s) x = gweight c X g s x &
      step U g (whitened s) x = whitened (gstep c X g s x)].
Proof.
split; [exact: potential_whitened | exact: prob_whitened
  | exact: weight_whitened | exact: step_whitened].
Qed.

End At.

(** Strictly between the barriers both inverses exist and Phi > 0. *)
Lemma barriers_units s : (0 < d)%N -> within_barriers c X s ->
  [/\ below_upper c X s \in unitmx, above_lower c X s \in unitmx &
      0 < gpotential c X s].
Proof.
move=> d0 bs; have [/pd_unit u1 /pd_unit u2] := bs; split=> //.
rewrite -potential_whitened //; apply: Phi_gt0 => //.
exact/barriers_whitened.
Qed.

Section Runs.
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < g.
Hypothesis g_lt : 2%:R * g < 1.
Local Notation hst := (hst U g).
Local Notation grun := (grun c X g).

Lemma start_whitened : whitened (gstart d g) = start d g.
Proof. by rewrite /whitened /= mulmx0 mul0mx. Qed.

Lemma run_whitened h : whitened (grun h) = hst h.
Proof.
elim: h => [|x h IH] /=; first exact: start_whitened.
have b : within_barriers c X (grun h).
  apply/barriers_whitened; rewrite IH.
  exact: (inv_h d_gt0 whites_iso g_gt0 g_lt).
have [u l F0] := barriers_units d_gt0 b.
by rewrite -step_whitened ?IH // gt_eqF.
Qed.

Lemma run_barriers h : within_barriers c X (grun h).
Proof.
apply/barriers_whitened; rewrite run_whitened.
exact: (inv_h d_gt0 whites_iso g_gt0 g_lt).
Qed.

Lemma run_units h :
  [/\ below_upper c X (grun h) \in unitmx, above_lower c X (grun h) \in unitmx &
      0 < gpotential c X (grun h)].
Proof. exact: barriers_units d_gt0 (run_barriers h). Qed.

Lemma run_sum h : gsum (grun h) = past (fun h' => Phi (hst h')) h.
Proof.
elim: h => [|x h IH] //=; have [u l _] := run_units h.
by rewrite IH -run_whitened potential_whitened.
Qed.

Lemma run_paper h : proceeds_paper g (grun h) = ~~ paper_stop U g h.
Proof.
by rewrite /proceeds_paper run_sum /paper_stop -ltNge /gap -run_whitened.
Qed.
Lemma run_level T h : proceeds_level g T (grun h) = ~~ level_stop U g T h.
Proof. by rewrite /proceeds_level /level_stop -ltNge /gap -run_whitened. Qed.
Lemma run_sure h : proceeds_level g 1 (grun h) = ~~ sure_stop U g h.
Proof.
rewrite run_level /level_stop /sure_stop; congr (~~ (_ <= _)).
by ring.
Qed.

(** Every run, by induction over the draws. *)
(* slug: model *)
Theorem gram_run h :
  [/\ hst h = State (P^T *m gacc (grun h) *m P) (gup (grun h)) (glo (grun h)),
      past (fun h' => Phi (hst h')) h = gsum (grun h),
      Phi (hst h) = gpotential c X (grun h),
      forall x, prob U (hst h) x = gprob c X (grun h) x &
      forall x, weight U g (hst h) x = gweight c X g (grun h) x] /\
  [/\ mid (hst h) = gmid (grun h),
      paper_stop U g h = ~~ proceeds_paper g (grun h),
      sure_stop U g h = ~~ proceeds_level g 1 (grun h) &
      forall T, level_stop U g T h = ~~ proceeds_level g T (grun h)].
Proof.
have e := run_whitened h; have [u l /lt0r_neq0 F0] := run_units h.
split; split.
- by rewrite -e.
- by rewrite run_sum.
- by rewrite -e potential_whitened.
- by move=> x; rewrite -e prob_whitened.
- by move=> x; rewrite -e weight_whitened.
- by rewrite -e.
- by rewrite run_paper negbK.
- by rewrite run_sure negbK.
- by move=> T; rewrite run_level negbK.
Qed.

(** The final weights w'/mid, of the draw x made after h' in the run h. *)
Theorem gram_final_weights h h' x :
  weight U g (hst h') x / mid (hst h) =
  gweight c X g (grun h') x / gmid (grun h).
Proof. by have [[_ _ _ _ ->] _] := gram_run h'; have [_ [->]] := gram_run h. Qed.

Theorem gram_expectation (stop : pred (seq I)) n f h :
  Tend U g stop n f h = gTend c X g stop n f h /\
  Tsum U g stop n f h = gTsum c X g stop n f h.
Proof.
split; elim: n h => [|n IH] h //=; case: ifP => // _; [|congr (_ + _)];
  apply: eq_bigr => x _; rewrite IH; congr (_ * _);
  by have [[_ _ _ -> _] _] := gram_run h.
Qed.

End Runs.
End Whitened.

(** ** Readings *)

(** Plain points: c = 1 and U(x) = P^T x. *)
Section Plain.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d).

Local Notation plain := (@plain R I).

Lemma plain_outer x : gouter plain X x = X x *m (X x)^T.
Proof. exact: scale1r. Qed.
Lemma plain_gram : ggram plain X = gram X.
Proof. by apply: eq_bigr => x _; exact: plain_outer. Qed.
Lemma plain_whites P : whitens X P -> whites plain X P (white X P).
Proof.
move=> wP; split; first by rewrite plain_gram.
by move=> x; rewrite plain_outer /white trmx_mul trmxK !mulmxA.
Qed.

Variables (P : 'M[R]_d) (g : R).
Hypothesis wP : whitens X P.

(** B_m is the Gram matrix of the sample. *)
Lemma gram_sample : (0 < d)%N -> 0 < g -> 2%:R * g < 1 -> forall h,
  sample_gram X (white X P) g h = gacc (grun plain X g h).
Proof.
move=> d0 g0 g2; elim=> [|x h IH] //=; rewrite /sample_gram /= -/(sample_gram _ _ _ h) IH.
by have [[_ _ _ _ ->] _] := gram_run (plain_whites wP) d0 g0 g2 h; rewrite plain_outer.
Qed.
End Plain.

(** Scaled points over a real closed field: U(x) = sqrt(c_x) P^T x. *)
Lemma scaled_whites (R : rcfType) d (I : finType) (c : I -> R)
    (X : I -> 'cV[R]_d) (P : 'M[R]_d) :
  (forall x, 0 <= c x) -> P^T *m ggram c X *m P = 1%:M ->
  whites c X P (fun x => Num.sqrt (c x) *: (P^T *m X x)).
Proof.
move=> c0 e; split=> // x; rewrite linearZ /= -scalemxAl -scalemxAr scalerA.
rewrite -expr2 sqr_sqrtr // /gouter -scalemxAr -scalemxAl.
by rewrite trmx_mul trmxK !mulmxA.
Qed.

(** A whitening exists as soon as G is invertible. *)
Lemma scaled_whitening (R : rcfType) d (I : finType) (c : I -> R)
    (X : I -> 'cV[R]_d) :
  (forall x, 0 <= c x) -> ggram c X \in unitmx ->
  exists P, whites c X P (fun x => Num.sqrt (c x) *: (P^T *m X x)).
Proof.
move=> c0 u; have [P e] : exists P : 'M[R]_d, P^T *m ggram c X *m P = 1%:M.
  apply: whitening_exists; apply: psd_unit_pd => //.
  by apply: psd_sum => x _; apply: psdZ => //; exact: psd_outer.
by exists P; exact: scaled_whites.
Qed.

(** The run does not depend on the whitening, nor on the coordinates of the
    data (coordinates.py: [changed]): any two whitened forms of data that agree
    up to an invertible change of coordinates give the same numbers. *)
(* slug: model *)
Theorem whitening_free (R : realFieldType) d (I : finType) (c : I -> R)
    (X : I -> 'cV[R]_d) (P P' : 'M[R]_d) (U U' : I -> 'cV[R]_d) (g : R) h x :
  whites c X P U -> whites c X P' U' -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  [/\ Phi (hst U g h) = Phi (hst U' g h), prob U (hst U g h) x = prob U' (hst U' g h) x,
      weight U g (hst U g h) x = weight U' g (hst U' g h) x &
      paper_stop U g h = paper_stop U' g h].
Proof.
move=> w w' d0 g0 g2.
have [[_ _ -> -> ->] [_ -> _ _]] := gram_run w d0 g0 g2 h.
by have [[_ _ -> -> ->] [_ -> _ _]] := gram_run w' d0 g0 g2 h.
Qed.

Lemma change_whites (R : realFieldType) d (I : finType) (c c' : I -> R)
    (X X' : I -> 'cV[R]_d) (T P : 'M[R]_d) (U : I -> 'cV[R]_d) :
  T \in unitmx -> (forall x, gouter c' X' x = T^T *m gouter c X x *m T) ->
  whites c X P U -> whites c' X' (invmx T *m P) U.
Proof.
move=> uT eX [e o]; have uT' : T^T \in unitmx by rewrite unitmx_tr.
have k M : (invmx T *m P)^T *m (T^T *m M *m T) *m (invmx T *m P) = P^T *m M *m P.
  by rewrite trmx_mul trmx_inv !mulmxA mulmxKV // mulmxK.
split=> [|x]; last by rewrite eX k o.
suff -> : ggram c' X' = T^T *m ggram c X *m T by rewrite k.
by rewrite /ggram mulmx_sumr mulmx_suml; apply: eq_bigr => x _; exact: eX.
Qed.

(* slug: model *)
Theorem change_free (R : realFieldType) d (I : finType) (c c' : I -> R)
    (X X' : I -> 'cV[R]_d) (T P : 'M[R]_d) (U : I -> 'cV[R]_d) (g : R) h x :
  T \in unitmx -> (forall x, gouter c' X' x = T^T *m gouter c X x *m T) ->
  whites c X P U -> (0 < d)%N -> 0 < g -> 2%:R * g < 1 ->
  [/\ gpotential c' X' (grun c' X' g h) = gpotential c X (grun c X g h),
      gprob c' X' (grun c' X' g h) x = gprob c X (grun c X g h) x,
      gweight c' X' g (grun c' X' g h) x = gweight c X g (grun c X g h) x &
      proceeds_paper g (grun c' X' g h) = proceeds_paper g (grun c X g h)].
Proof.
move=> uT eX w d0 g0 g2; have w' := change_whites uT eX w.
have [[_ _ <- <- <-] _] := gram_run w d0 g0 g2 h.
have [[_ _ <- <- <-] _] := gram_run w' d0 g0 g2 h.
by rewrite (run_paper w) // (run_paper w').
Qed.
