(** A checker of traces, in Gram coordinates, and its soundness: a trace that
    it accepts is a faithful run of Algorithm 2.

    A trace is what the format asura-trace/1 holds: the points, gamma and the
    rule, one line an iteration, a result. A value that a line leaves out claims
    nothing. The checker compares exact numbers; it is a program (generic in its
    numbers, run with Coq's rationals inside the kernel, and extracted).
    Traces, the checker and the notion of a faithful run are those of SpecModel.v.

    Main results: [check_sound], and [check_whitens] over a real closed field:
    the whitening that [check_sound] speaks of exists. *)
From Coq Require Import QArith_base.
From mathcomp Require Import all_ssreflect all_algebra.
From Asura Require Import Spec Forms Step Run Tree Compute Gram GramProgram.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Sound.
Variables (T : Type) (N : numbers T) (R : realFieldType) (v : T -> R).
Hypothesis ok : reads N v.

Lemma said_ok o a : said (neq N) o a -> says v o (v a).
Proof. by case: o => // b /= /(readE ok) e _ [<-]. Qed.

Lemma all2_ok l' l : all2 (neq N) l' l -> map v l' = map v l.
Proof.
elim: l' l => [|b l' IH] [|a l] //= /andP[/(readE ok) -> /IH ->].
by [].
Qed.
Lemma said_all_ok o l : said_all (neq N) o l -> says_all v o (map v l).
Proof. by case: o => // b /= /all2_ok e _ [<-]. Qed.

Local Notation stop_of := (stop_of v).

Section Data.
Variables (d : nat) (pts : seq (seq T)) (scales : seq T) (g : T).
Variable rule : stop_rule T.
Local Notation n := (size pts).
Local Notation c := (@scale_of T N R v pts scales).
Local Notation X := (@pt_of T N R v d pts).
Local Notation G := (pgram N d pts scales).
Local Notation gstate_of := (gstate_of N v d).

Lemma header_range : header_ok N d pts scales g ->
  [/\ (0 < d)%N, 0 < v g, 2%:R * v g < 1, forall x, 0 <= c x &
      ggram c X \in unitmx].
Proof.
case/and5P => d0; rewrite !(less_ok ok) (readM ok) (read_nat ok) (read0 ok).
rewrite (read1 ok) => g0 g2 /(all_nthP (nunit N)) c0; case i: (inverse _ _ _) => [B|] // _.
split=> // [x|]; last by rewrite -(pgram_ok ok); case/(inverse_unit ok): i.
rewrite /scale_of /pscale; have [lt|ge] := ltnP x (size scales).
  by have := c0 _ lt; rewrite (readL ok) (read0 ok).
by rewrite nth_default // (read1 ok) ler01.
Qed.

Variables (P : 'M[R]_d) (U : 'I_n -> 'cV[R]_d).
Hypothesis whP : whites c X P U.
Hypothesis d_gt0 : (0 < d)%N.
Hypothesis g_gt0 : 0 < v g.
Hypothesis g_lt : 2%:R * v g < 1.
Local Notation hst := (hst U (v g)).
Local Notation stop := (stop_of U (v g) rule).
Local Notation run := (grun c X (v g)).
Local Notation gram_run := (gram_run whP d_gt0 g_gt0 g_lt).
Local Notation stands s h := (gstate_of s = run h).

Lemma goes_on_ok s h : stands s h -> goes_on N d g rule s = ~~ stop h.
Proof.
move=> st; have [_ [_ paper _ level]] := gram_run h.
rewrite /goes_on /stop_of; case: rule => [|t].
  by rewrite (ppaper_ok ok) st paper negbK.
by rewrite (plevel_ok ok) st level negbK.
Qed.

(** The partial sums of the probabilities. *)
Lemma partial_sum (f : 'I_n -> R) (q : nat -> T) k : (k <= n)%N ->
  (forall y : 'I_n, v (q y) = f y) ->
  v (total N k q) = \sum_(y < n | (y < k)%N) f y.
Proof.
move=> le e; rewrite (read_total ok) (big_ord_widen n (fun y => v (q y))) //.
by apply: eq_big => // y _; exact: e.
Qed.

(** The point that a line draws, at any state w with these probabilities. *)
Lemma line_draws test s w E F e :
  (forall y : 'I_n, v (pprob N d pts scales E F y) = prob U w y) ->
  v F = Phi w -> 0 < Phi w -> line_ok N d pts scales g test s E F e ->
  exists2 x : 'I_n, pick e = x &
    0 < prob U w x /\ forall r, line_uniform e = Some r ->
      \sum_(y < n | (y < x)%N) prob U w y <= v r /\
      v r < \sum_(y < n | (y <= x)%N) prob U w y.
Proof.
move=> pE eF F0 /and5P[lt pos unif _ _].
exists (Ordinal lt) => //; set x := Ordinal lt; split.
  move: pos; rewrite (less_ok ok) (read0 ok) -(pE x) /pprob (read_div ok) eF.
  by move=> m0; rewrite divr_gt0.
move=> r er; move: unif; rewrite er => /andP[].
rewrite (readL ok) (less_ok ok) (readD ok) -[pick e]/(val x) pE.
rewrite (partial_sum (ltnW lt) pE) => -> lt2; split=> //.
apply: lt_le_trans lt2 _; rewrite [in X in _ <= X](bigD1 x) //= addrC.
rewrite ler_add2l le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_bigl => y; rewrite ltn_neqAle andbC.
Qed.

Lemma line_describes s h E F e : stands s h ->
  pinvert N d G s = Some (E, F) ->
  line_ok N d pts scales g (neq N) s E F e ->
  exists2 x : 'I_n, pick e = x & describes v U (v g) e x h.
Proof.
move=> st inv chk; have [_ _ eE eF] := pinvert_ok ok inv.
have [[est _ ePhi eprob eweight] _] := gram_run h.
have pE (y : 'I_n) : v (pprob N d pts scales E F y) = prob U (hst h) y.
  by rewrite (pprob_ok ok eE eF) st eprob.
have vF : v F = Phi (hst h) by rewrite ePhi -st eF.
have F0 : 0 < Phi (hst h) := hPhi_gt0 d_gt0 (whites_iso whP) g_gt0 g_lt h.
have [x ex [pos unif]] := line_draws pE vF F0 chk.
move: chk => /and5P[_ _ _ /said_ok su /andP[/said_ok sl]].
case/and4P => /said_ok sphi; rewrite ex.
move=> /said_ok sp /said_all_ok sps /said_ok sw.
exists x => //; split; [by split | split; [split | split]].
- by rewrite est; have /= -> := congr1 (@gup R d) (esym st).
- by rewrite est; have /= -> := congr1 (@glo R d) (esym st).
- by rewrite -vF.
- by rewrite -(pE x).
- move=> b eb; rewrite (sps b eb) -map_comp -val_enum_ord -map_comp.
  by apply: eq_map => y; exact: pE.
- by rewrite eweight -st -(pweight_ok ok _ eE).
Qed.

(** The weights and potentials that were computed on the way. *)
Fixpoint logged (log : seq (T * T)) (h : seq 'I_n) : Prop :=
  match log, h with
  | [::], [::] => True
  | a :: log', x :: h' => [/\ v a.1 = weight U (v g) (hst h') x,
      v a.2 = Phi (hst h') & logged log' h']
  | _, _ => False
  end.

Lemma follow_sound ls s log h done s' log' :
  stands s h -> logged log h -> follows v U (v g) stop done h ->
  follow N d pts scales g rule G s log ls = Some (s', log') ->
  exists h', [/\ stands s' h', logged log' h' &
    follows v U (v g) stop (rev ls ++ done) h'].
Proof.
elim: ls s log h done => [|e ls IH] s log h done st lg fo /=.
  by case=> <- <-; exists h.
case go: (goes_on _ _ _ _ _) => //; case i: (pinvert _ _ _ _) => [[E F]|] //.
case l: (line_ok _ _ _ _ _ _ _ _ _ _) => //.
have [x ex de] := line_describes st i l.
have [_ _ eE eF] := pinvert_ok ok i.
have [[_ _ ePhi _ eweight] _] := gram_run h.
rewrite rev_cons cat_rcons; apply: (IH _ _ (x :: h)).
- by rewrite ex (pstep_ok ok _ eE eF) st.
- by split=> //; rewrite ?ex ?(pweight_ok ok _ eE) ?st ?eweight // ePhi -st eF.
- by split=> //; rewrite -(goes_on_ok st) go.
Qed.

Lemma logged_weights log h (m : R) : logged log h ->
  [seq v a.1 / m | a <- log] =
  alongside (fun h' x => weight U (v g) (hst h') x / m) h.
Proof. by elim: log h => [|a l IH] [|x h] //= [-> _ /IH ->]. Qed.
Lemma logged_alphas log h (m : R) : logged log h ->
  [seq v g / v a.2 / m | a <- log] =
  alongside (fun h' _ => v g / Phi (hst h') / m) h.
Proof. by elim: log h => [|a l IH] [|x h] //= [_ -> /IH ->]. Qed.

Lemma follows_size ls h : follows v U (v g) stop ls h -> size h = size ls.
Proof. by elim: ls h => [|e l IH] [|x h] //= [_ _ /IH ->]. Qed.

End Data.

(** An accepted trace is a faithful run, in every whitened form of its data. *)
(* slug: model *)
Theorem check_sound (t : trace T) P U : check N t ->
  whites (@scale_of T N R v (trace_points t) (trace_scales t))
         (@pt_of T N R v (trace_d t) (trace_points t)) P U ->
  exists h, faithful v U h.
Proof.
case: t U P => d pts scales g rule ls m u l mid ws als U P /=.
case/and3P => /header_range[d0 g0 g2 _ _] /eqP sz.
case f: (follow _ _ _ _ _ _ _ _ _ _) => [[s log]|] // chk whP.
have := follow_sound (h := [::]) (done := [::]) whP d0 g0 g2.
move/(_ _ _ _ _ _ _ _ _ _ f); case=> // [|h].
  by rewrite (pstart_ok ok).
case=> st lg; rewrite cats0 => fo.
move: chk => /andP[stp /and5P[/said_ok su /said_ok sl /said_ok sm]].
move=> /said_all_ok sw /said_all_ok sa.
have [[est _ _ _ _] [emid _ _ _]] := gram_run whP d0 g0 g2 h.
have em : v (pmid N s) = Spec.mid (hst U (v g) h).
  by rewrite (pmid_ok ok d) st emid.
exists h; split=> //=.
- by move: stp; rewrite (goes_on_ok _ whP d0 g0 g2 st) negbK.
- by rewrite (follows_size fo) size_rev.
split.
- by rewrite est; have /= -> := congr1 (@gup R d) (esym st).
- by rewrite est; have /= -> := congr1 (@glo R d) (esym st).
- by rewrite -em.
- move=> b eb; rewrite (sw b eb) map_rev -map_comp -em -(logged_weights _ lg).
  by congr rev; apply: eq_map => a /=; rewrite (read_div ok).
- move=> b eb; rewrite (sa b eb) map_rev -map_comp -[alpha U (v g) h]/(fun h' => _).
  rewrite /alpha -em -(logged_alphas _ lg).
  by congr rev; apply: eq_map => a /=; rewrite !(read_div ok).
Qed.

End Sound.

(** Over a real closed field there is such a whitened form. *)
(* slug: model *)
Theorem check_whitens (T : Type) (N : numbers T) (R : rcfType) (v : T -> R)
    (t : trace T) : reads N v -> check N t ->
  exists P, let c := @scale_of T N R v (trace_points t) (trace_scales t) in
    let X := @pt_of T N R v (trace_d t) (trace_points t) in
    let U x := Num.sqrt (c x) *: (P^T *m X x) in
    whites c X P U /\ exists h, faithful v U h.
Proof.
move=> ok chk; have hd : header_ok N (trace_d t) (trace_points t)
    (trace_scales t) (trace_gamma t) by case: t chk => > /and3P[].
have [_ _ _ c0 u] := header_range ok hd.
have [P whP] := scaled_whitening c0 u.
by exists P; split=> //; exact: check_sound whP.
Qed.
