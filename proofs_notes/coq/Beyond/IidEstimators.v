(** Two estimators from N independent draws by leverage.

      ind_excess  == weighted least squares with X2 kept:
                     E excess <= (R/N) OPT_1/(1-delta)^2
      ind_bought  == at most N labels are bought
      sec_mean    == a first answer, corrected: its mean is beta*
      sec_excess  == and E excess <= (R/N) loss(first answer)
      sec_pilot   == the same after a random pilot *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Run Regression.
From Asura Require Import SpecBeyond Beyond.WeightedFit Beyond.Chain.
From Asura Require Import Beyond.NoLabel Beyond.IidDraws.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma sum_count (R : realFieldType) (d : nat) (I : finType) (F : I -> 'cV[R]_d)
    (h : seq I) : \sum_(x <- h) F x = \sum_x (count_mem x h)%:R *: F x.
Proof.
elim: h => [|y h IH]; first by rewrite big_nil big1 // => x _; rewrite scale0r.
rewrite big_cons IH [RHS](eq_bigr (fun x => (y == x)%:R *: F x
  + (count_mem x h)%:R *: F x)); last first.
  by move=> x _; rewrite /= natrD scalerDl.
rewrite big_split /=; congr (_ + _); rewrite (bigD1 y) //= eqxx scale1r big1 ?addr0 //.
by move=> x /negbTE; rewrite eq_sym => ->; rewrite scale0r.
Qed.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (X1 : pred I) (N : nat).
Hypothesis uG : gram X \in unitmx.
Hypothesis R_gt0 : 0 < reduced_rank X X1.
Hypothesis N_gt0 : (0 < N)%N.

Local Notation G := (gram X).
Local Notation lev := (leverage_of X).
Local Notation rk := (reduced_rank X X1).
Local Notation p := (fun _ : seq I => lev_law X X1).
Local Notation stop := (fun h : seq I => (N <= size h)%N).
Let N0 : (0 : R) < N%:R. Proof. by rewrite ltr0n. Qed.
Let pG : pd G := gram_pd uG.
Let p0 := lev_law0 uG R_gt0.
Let p1 := lev_law1 R_gt0.

Lemma draws_end : run_chance p stop N stop = 1.
Proof. exact: iid_ends. Qed.

(** ** Weighted least squares, X2 kept. *)
Section Independent.
Variables (Y : I -> R) (delta : R).
Hypothesis delta_lt1 : delta < 1.
Hypothesis G1_le : psd (delta *: G - \sum_(x | X1 x) X x *m (X x)^T).
Local Notation res := (resid X Y).
Definition ind_weight (h : seq I) x : R :=
  if X1 x then (count_mem x h)%:R * (rk / (N%:R * lev x)) else 1.
Local Notation w := ind_weight.
Local Notation fit h := (weighted_fit X Y (w h)).

Lemma ind_kept h : kept X1 (w h).
Proof. by move=> x; rewrite /ind_weight => /negbTE ->. Qed.

Lemma ind_weight0 h x : 0 <= w h x.
Proof.
rewrite /ind_weight; case: (X1 x); last exact: ler01.
apply: mulr_ge0; first exact: ler0n.
apply: divr_ge0; first exact: ltW.
by apply: mulr_ge0; [exact: ltW | exact: leverage_ge0].
Qed.

Lemma ind_ge h : psd (weighted_gram X (w h) - (1 - delta) *: G).
Proof.
apply: (psd_trans (free_ge G1_le)); rewrite /weighted_gram -sumrB.
apply: psd_sum => x _; rewrite -scalerBl; apply: psdZ; last exact: psd_outer.
have := ind_weight0 h x; rewrite /ind_weight; case: (X1 x); first by rewrite subr0.
by rewrite subrr lexx.
Qed.

Lemma ind_pd h : pd (weighted_gram X (w h)).
Proof. by apply: (weighted_pd uG _ (ind_ge h)); rewrite subr_gt0. Qed.

Lemma ind_unique h beta : beta != fit h ->
  weighted_loss X Y (w h) (fit h) < weighted_loss X Y (w h) beta.
Proof. exact/weighted_unique/ind_pd. Qed.

Lemma ind_local h (Y' : I -> R) :
  (forall x, (x \in h) || ~~ X1 x -> Y x = Y' x) -> fit h = weighted_fit X Y' (w h).
Proof.
move=> e; apply: weighted_local => x; rewrite /ind_weight => n; apply: e.
move: n; case: (X1 x); last by rewrite orbT.
by apply: contraR => /norP[/count_memPn -> _]; rewrite mul0r.
Qed.

Lemma ind_bought h : (bought X1 (w h) <= size h)%N.
Proof.
apply: leq_trans (card_size h); apply/subset_leq_card/subsetP => x.
rewrite inE => /andP[x1]; rewrite /ind_weight x1.
by apply: contraR => /count_memPn ->; rewrite mul0r.
Qed.

Local Notation e := (fun x => if X1 x then res x else 0).
Local Notation pull x := ((rk / lev x * e x) *: (1%:M *m X x)).

Lemma ind_noise h : size h = N -> noise_vector X Y X1 (w h) =
  N%:R^-1 *: (\sum_(x <- h) pull x - (size h)%:R *: (\sum_x lev_law X X1 x *: pull x)) + 0.
Proof.
move=> sz; rewrite addr0 lev_mean // mul1mx sz scalerBr scalerA mulVf ?gt_eqF // scale1r.
rewrite sum_count scaler_sumr [X in _ - X]big_mkcond /= -sumrB /noise_vector.
rewrite [LHS]big_mkcond /=; apply: eq_bigr => x _; rewrite mul1mx /ind_weight.
case: (X1 x); last by rewrite mulr0 scale0r !scaler0 subr0.
rewrite mulrBl mul1r scalerBl; congr (_ - _); rewrite !scalerA; congr (_ *: _).
rewrite invfM /=; move: (count_mem x h)%:R (lev x)^-1 (res x) (N%:R^-1) => a b c t.
by ring.
Qed.

Lemma ind_excess :
  run_mean p stop N (fun h => (stop h)%:R * (loss X Y (fit h) - opt X Y)) [::] <=
  rk / N%:R * (opt_on X Y X1 / (1 - delta) ^+ 2).
Proof.
have a0 : 0 < 1 - delta by rewrite subr_gt0.
have pI : psd (invmx G) by exact/pd_psd/pd_inv.
have q0 h x : reach stop h -> ~~ stop h -> 0 <= p h x by move=> _ _; exact: p0.
pose miss (h : seq I) := N%:R^-1 *: (\sum_(x <- h) pull x
  - (size h)%:R *: (\sum_x lev_law X X1 x *: pull x)) + 0.
apply: (@le_trans _ _ (run_mean p stop N
    (fun h => (1 - delta) ^- 2 * qf (invmx G) (miss h)) [::])).
  apply: (rmean_mono q0) => // h rh; case: (boolP (N <= size h)%N) => sh; last first.
    rewrite mul0r; apply: mulr_ge0; first by rewrite invr_ge0 exprn_ge0 // ltW.
    by case: pI.
  rewrite mul1r mulrC /miss -ind_noise; last exact: (iid_size rh sh).
  exact: weighted_excess (ind_kept h) a0 (ind_ge h).
rewrite rmeanZ mulrC [X in _ <= X]mulrA; apply: ler_wpmul2r.
  by rewrite invr_ge0 exprn_ge0 // ltW.
apply: le_trans (iid_moment (fun x => pull x) N p0 p1 pI _ _) _.
rewrite qf0v add0r.
have el x : qf (invmx G) (1%:M *m X x) = lev x by rewrite mul1mx.
have := lev_moment R_gt0 e el.
have -> : \sum_(x | X1 x) e x ^+ 2 = opt_on X Y X1.
  by apply: eq_bigr => x ->.
move=> le; apply: (@le_trans _ _ (N%:R * N%:R^-1 ^+ 2 * (rk * opt_on X Y X1))).
  by apply: ler_wpmul2l le; rewrite mulr_ge0 ?sqr_ge0 // ltW.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (opt_on _ _ _) => y.
by field; rewrite gt_eqF.
Qed.

End Independent.

(** ** A first answer, corrected. *)
Section Second.
Variables (Y : I -> R).
Local Notation out b x := (Y x - dot (X x) b).
Local Notation pull b x := ((rk / lev x * out b x) *: (invmx G *m X x)).
Definition sec_fit (b : 'cV[R]_d) (h : seq I) : 'cV[R]_d :=
  b + N%:R^-1 *: (\sum_(x <- h) pull b x)
  + invmx G *m \sum_(x | ~~ X1 x) out b x *: X x.
Local Notation fit := sec_fit.

Lemma sec_normal b : invmx G *m (\sum_(x | X1 x) out b x *: X x)
  + invmx G *m (\sum_(x | ~~ X1 x) out b x *: X x) = betastar X Y - b.
Proof.
rewrite -mulmxDr -[RHS](mulKmx uG); congr (_ *m _).
transitivity (\sum_x out b x *: X x); first by rewrite [RHS](bigID X1).
rewrite mulmxBr {1}/betastar mulKVmx // /rhs /gram mulmx_suml -sumrB.
apply: eq_bigr => x _; rewrite scalerBl -mulmxA.
by rewrite [(X x)^T *m _]mx11_scalar -dotE mul_mx_scalar.
Qed.

(** What the corrected answer misses is what the draws are off. *)
Lemma sec_miss b h : size h = N -> fit b h - betastar X Y = N%:R^-1 *:
  (\sum_(x <- h) pull b x - (size h)%:R *: (\sum_x lev_law X X1 x *: pull b x)) + 0.
Proof.
move=> sz; rewrite addr0 lev_mean // sz scalerBr scalerA mulVf ?gt_eqF // scale1r.
rewrite -[betastar X Y](subrK b) -sec_normal /sec_fit.
move: (invmx G *m \sum_(x | X1 x) _) (invmx G *m \sum_(x | ~~ X1 x) _) => A B.
move: (N%:R^-1 *: _) => C; apply/matrixP => i j; rewrite !mxE.
by move: (A i j) (B i j) (C i j) (b i j) => *; ring.
Qed.

Lemma sec_mean b i :
  run_mean p stop N (fun h => (stop h)%:R * fit b h i 0) [::] = betastar X Y i 0.
Proof.
rewrite (iid_mean_end (lev_law X X1) (fun h => fit b h i 0)) //.
have aff h : fit b h i 0 = N%:R^-1 * (\sum_(x <- h) pull b x) i 0
    + (b + invmx G *m \sum_(x | ~~ X1 x) out b x *: X x) i 0.
  rewrite /sec_fit; move: (invmx G *m \sum_(x | ~~ X1 x) _) (\sum_(x <- h) _) => A B.
  by rewrite !mxE; move: (A i 0) (B i 0) (b i 0) => *; ring.
rewrite (rmean_eq _ _ _ _ aff) rmeanD rmeanZ (rmean_const (fun _ _ _ => p1)) //.
rewrite (iid_sum (fun x => pull b x) N p1) lev_mean // mulrA mulVf ?gt_eqF // mul1r.
rewrite -[in RHS](subrK b (betastar X Y)) -sec_normal.
move: (invmx G *m \sum_(x | X1 x) _) (invmx G *m \sum_(x | ~~ X1 x) _) => A B.
by rewrite !mxE; move: (A i 0) (B i 0) (b i 0) => *; ring.
Qed.

Lemma sec_excess b :
  run_mean p stop N (fun h => (stop h)%:R * (loss X Y (fit b h) - opt X Y)) [::] <=
  rk / N%:R * loss X Y b.
Proof.
have q0 h x : reach stop h -> ~~ stop h -> 0 <= p h x by move=> _ _; exact: p0.
have ps := pd_psd pG.
apply: (@le_trans _ _ (run_mean p stop N (fun h => qf G (N%:R^-1 *:
   (\sum_(x <- h) pull b x - (size h)%:R *: (\sum_x lev_law X X1 x *: pull b x)) + 0)) [::])).
  apply: (rmean_mono q0) => // h rh; case: (boolP (N <= size h)%N) => sh; last first.
    by rewrite mul0r; case: ps.
  rewrite mul1r -sec_miss; last exact: (iid_size rh sh).
  by rewrite (fit_pythagoras Y uG (fit b h)) [X in X <= _]addrC addKr.
apply: le_trans (iid_moment (fun x => pull b x) N p0 p1 ps _ _) _.
rewrite qf0v add0r.
have el x : qf G (invmx G *m X x) = lev x by rewrite -qf_inv.
have le := lev_moment R_gt0 (fun x => out b x) el.
have part := part_loss X Y X1 b.
apply: (@le_trans _ _ (N%:R * N%:R^-1 ^+ 2 * (rk * loss X Y b))).
  apply: ler_wpmul2l; first by rewrite mulr_ge0 ?sqr_ge0 // ltW.
  by apply: le_trans le _; apply: ler_wpmul2l => //; exact: ltW.
rewrite le_eqVlt; apply/orP; left; apply/eqP; move: (loss _ _ _) => y.
by field; rewrite gt_eqF.
Qed.

(** After a random pilot. *)
Lemma sec_pilot (O : finType) (mu : O -> R) (pilot : O -> 'cV[R]_d) (eps : R) :
  law mu -> mean mu (fun o => loss X Y (pilot o)) <= (1 + eps) * opt X Y ->
  mean mu (fun o => run_mean p stop N
    (fun h => (stop h)%:R * (loss X Y (fit (pilot o) h) - opt X Y)) [::]) <=
  rk / N%:R * ((1 + eps) * opt X Y).
Proof.
move=> [m0 _] le; apply: (@le_trans _ _ (rk / N%:R * mean mu (fun o => loss X Y (pilot o)))).
  rewrite /mean mulr_sumr; apply: ler_sum => o _; rewrite [X in _ <= X]mulrCA.
  by apply: ler_wpmul2l => //; exact: sec_excess.
by apply: ler_wpmul2l => //; rewrite divr_ge0 // ltW.
Qed.

End Second.

Lemma sec_local (Y Y' : I -> R) b h :
  (forall x, (x \in h) || ~~ X1 x -> Y x = Y' x) -> sec_fit Y b h = sec_fit Y' b h.
Proof.
move=> e; rewrite /sec_fit; congr (_ + _).
  by congr (_ + _); congr (_ *: _); apply: eq_big_seq => x xh; rewrite e ?xh.
by congr (_ *m _); apply: eq_bigr => x n; rewrite e // n orbT.
Qed.

End Data.
