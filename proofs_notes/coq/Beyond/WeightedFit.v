(** Weighted least squares with any weights, in Gram coordinates: existence,
    uniqueness, which labels are read, and the excess against the noise.

      weighted_unique  == the fit is the only minimiser of the weighted loss
      weighted_excess  == excess <= |v|^2 / a^2 when the weighted Gram matrix
                          is at least a times the Gram matrix
      weighted_local   == only labels with a weight are read *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Regression.
From Asura Require Import SpecBeyond.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** A nonnegative form whose matrix is invertible is positive. *)
Lemma psd_unit_pd (R : realFieldType) (d : nat) (B : 'M[R]_d) :
  psd B -> B \in unitmx -> pd B.
Proof.
move=> pB uB; have [sB hB] := pB; split=> // v v0.
rewrite lt_def hB andbT; apply: contra v0 => /eqP q0.
suff e : B *m v = 0 by rewrite -[v](mulKmx uB) e mulmx0.
apply/eqP; rewrite -sqn_eq0; set w := B *m v.
have e : sqn w = bf B w v by rewrite sqnE {2}/w dot_mulr.
have := cauchy_schwarz w v pB; rewrite q0 mulr0 -e => le.
by rewrite -sqrf_eq0 eq_le le sqr_ge0.
Qed.

Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R).
Hypothesis uG : gram X \in unitmx.

Local Notation G := (gram X).
Local Notation loss := (loss X Y).
Local Notation opt := (opt X Y).
Local Notation resid := (resid X Y).
Local Notation betastar := (betastar X Y).

Lemma gram_psd : psd G.
Proof. by apply: psd_sum => x _; exact: psd_outer. Qed.
Lemma gram_pd : pd G.
Proof. exact: psd_unit_pd gram_psd uG. Qed.

Lemma fit_pythagoras beta : loss beta = opt + qf G (beta - betastar).
Proof.
rewrite /opt !loss_expand (@square_complete _ _ G betastar) //; first by ring.
  by case: gram_psd.
by rewrite /betastar mulKVmx.
Qed.

Lemma fit_opt_min beta : opt <= loss beta.
Proof. by rewrite fit_pythagoras ler_addl; case: gram_psd. Qed.

(** The residual is orthogonal to the data. *)
Lemma fit_normal : \sum_x resid x *: X x = 0.
Proof.
rewrite (eq_bigr (fun x => Y x *: X x - X x *m (X x)^T *m betastar)).
  by rewrite sumrB -mulmx_suml -/G /betastar mulKVmx ?subrr.
move=> x _; rewrite /resid scalerBl -mulmxA.
by rewrite [(X x)^T *m betastar]mx11_scalar -dotE mul_mx_scalar.
Qed.

Lemma leverage_ge0 x : 0 <= leverage_of X x.
Proof. exact: (proj2 (pd_psd (pd_inv gram_pd))). Qed.

Lemma leverage_eq0 x : leverage_of X x <= 0 -> X x = 0.
Proof.
move=> le; apply/eqP; apply: contraTT le => n; rewrite -ltNge.
exact: (proj2 (pd_inv gram_pd)).
Qed.

Lemma rank_leverage (X1 : pred I) :
  reduced_rank X X1 = \sum_(x | X1 x) leverage_of X x.
Proof.
rewrite /reduced_rank mulmx_sumr raddf_sum /=; apply: eq_bigr => x _.
by rewrite mxtrace_mulC tr_outer.
Qed.

Section Weighted.
Variable w : I -> R.
Local Notation W := (weighted_gram X w).
Local Notation fit := (weighted_fit X Y w).

Lemma weighted_gram_sym : W^T = W.
Proof.
rewrite /weighted_gram raddf_sum /=; apply: eq_bigr => x _.
by rewrite linearZ /= outer_sym.
Qed.

Lemma weighted_expand beta : weighted_loss X Y w beta =
  qf W beta - 2%:R * dot beta (\sum_x (w x * Y x) *: X x)
  + \sum_x w x * Y x ^+ 2.
Proof.
rewrite /weighted_loss /weighted_gram dot_sumr qf_sum mulr_sumr -sumrB.
rewrite -big_split /=; apply: eq_bigr => x _.
by rewrite qfZ qf_outer dotZr [dot beta _]dotC; ring.
Qed.

Lemma weighted_square beta : W \in unitmx -> weighted_loss X Y w beta =
  weighted_loss X Y w fit + qf W (beta - fit).
Proof.
move=> uW; rewrite !weighted_expand.
rewrite (@square_complete _ _ W fit _ beta) ?weighted_gram_sym //.
  by ring.
by rewrite /weighted_fit mulKVmx.
Qed.

Lemma weighted_unique beta : pd W -> beta != fit ->
  weighted_loss X Y w fit < weighted_loss X Y w beta.
Proof.
move=> pW ne; rewrite (weighted_square beta (pd_unit pW)) ltr_addl.
by apply: (proj2 pW); rewrite subr_eq0.
Qed.

(** Only labels with a weight are read. *)
Lemma weighted_local (Y' : I -> R) : (forall x, w x != 0 -> Y x = Y' x) ->
  fit = weighted_fit X Y' w.
Proof.
move=> e; congr (_ *m _); apply: eq_bigr => x _.
by have [->|n] := eqVneq (w x) 0; rewrite ?mul0r // e.
Qed.

Lemma weighted_noise (X1 : pred I) : kept X1 w -> pd W ->
  W *m (fit - betastar) = noise_vector X Y X1 w.
Proof.
move=> keep pW; rewrite mulmxBr /weighted_fit mulKVmx ?pd_unit //.
rewrite /weighted_gram mulmx_suml -sumrB.
transitivity (\sum_x (w x * resid x) *: X x).
  apply: eq_bigr => x _; rewrite -scalemxAl -mulmxA /resid.
  rewrite [(X x)^T *m betastar]mx11_scalar -dotE mul_mx_scalar scalerA.
  by rewrite -scalerBl -mulrBr.
rewrite -[LHS]subr0 -[X in _ - X = _]fit_normal -sumrB /noise_vector.
rewrite [RHS]big_mkcond /=; apply: eq_bigr => x _; rewrite -scalerBl.
case: (boolP (X1 x)) => x1; first by rewrite mulrBl mul1r.
by rewrite keep // mul1r subrr scale0r.
Qed.

Lemma weighted_pd a : 0 < a -> psd (W - a *: G) -> pd W.
Proof. by move=> a0 h; apply: pd_ge h; apply: pdZ => //; exact: gram_pd. Qed.

(** The excess is at most |v|^2/a^2: two Cauchy-Schwarz steps, no root. *)
Lemma weighted_excess (X1 : pred I) a : kept X1 w -> 0 < a ->
  psd (W - a *: G) -> loss fit - opt <= noise_size X Y X1 w / a ^+ 2.
Proof.
move=> keep a0 h; have pW := weighted_pd a0 h; have pG := gram_pd.
rewrite fit_pythagoras addrC addKr /noise_size.
have := weighted_noise keep pW.
set D := fit - betastar; set v := noise_vector _ _ _ _ => ev.
have le : a * qf G D <= dot D v.
  by have := psd_le D h; rewrite qfZ -ev dot_mulr.
have cs : dot D v ^+ 2 <= qf G D * qf (invmx G) v.
  have -> : dot D v = bf G D (invmx G *m v).
    by rewrite bf_mulr mulmxV // /dot.
  by rewrite qf_inv //; exact/cauchy_schwarz/pd_psd.
have q0 : 0 <= qf G D by case: (pd_psd pG).
have n0 : 0 <= qf (invmx G) v by case: (pd_psd (pd_inv pG)).
rewrite ler_pdivl_mulr ?exprn_gt0 //.
move: q0; rewrite le_eqVlt => /orP[/eqP <-|q0]; first by rewrite mul0r.
rewrite -(ler_pmul2r q0); apply: (@le_trans _ _ (dot D v ^+ 2)).
  have -> : qf G D * a ^+ 2 * qf G D = (a * qf G D) ^+ 2 by ring.
  rewrite ler_pexpn2r ?nnegrE //; first by nn.
  by apply: le_trans le; nn.
by apply: le_trans cs _; rewrite mulrC.
Qed.

Lemma noise_size_ge0 (X1 : pred I) : 0 <= noise_size X Y X1 w.
Proof. by case: (pd_psd (pd_inv gram_pd)) => _; apply. Qed.

End Weighted.
End Data.
