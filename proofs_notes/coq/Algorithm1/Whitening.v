(** A positive definite Gram matrix has a whitening over a real closed field:
    this is what the paper takes from the singular value decomposition.

    Selected results:
      whitening_exists == P^T G P = I for some P, by Gram and Schmidt
      data_whitening   == the same for data of full column rank *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Step Run Tree Regression.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** Full column rank makes the Gram matrix positive definite. *)
Lemma psd_unit_pd (R : realFieldType) d (B : 'M[R]_d) : psd B -> B \in unitmx -> pd B.
Proof.
move=> pB uB; have [sB qB] := pB; split=> // v v0; rewrite lt_def qB andbT.
apply: contra v0 => /eqP z; suff e : B *m v = 0 by rewrite -[v](mulKmx uB) e mulmx0.
apply/matrixP => i j; rewrite ord1 [RHS]mxE; apply/eqP; rewrite -sqrf_eq0.
have := cauchy_schwarz (delta_mx i 0) v pB; rewrite z mulr0.
rewrite /bf trmx_delta -mulmxA -rowE !mxE => le.
by rewrite eq_le le sqr_ge0.
Qed.

Section Exists.
Variable R : rcfType.

Lemma whitening_exists d (G : 'M[R]_d) : pd G -> exists P : 'M[R]_d, P^T *m G *m P = 1%:M.
Proof.
elim: d G => [|d IH] G pG; first by exists 0; rewrite !flatmx0; apply/matrixP => -[].
pose H : 'M[R]_(1 + d) := G.
pose a := G 0 0; pose b : 'M[R]_(1, d) := ursubmx H; pose C : 'M[R]_d := drsubmx H.
have [sG qG] := pG; have pH : @pd R (1 + d) H := pG; have [sH qH] := pH.
have a0 : 0 < a.
  rewrite /a -bf_delta; apply: qG; apply/eqP => /matrixP /(_ 0 0).
  by rewrite !mxE !eqxx => /eqP; rewrite oner_eq0.
have eH : H = block_mx a%:M b b^T C.
  rewrite -[LHS]submxK /b /C; congr block_mx.
    by rewrite [LHS]mx11_scalar !mxE; congr (_%:M); rewrite /a /H; congr (G _ _); apply: val_inj.
  rewrite trmx_ursub; congr dlsubmx; by rewrite -[RHS]/(G^T) sG.
pose C' := C - a^-1 *: (b^T *m b).
have sC' : C'^T = C'.
  rewrite /C' linearB /= linearZ /= trmx_mul trmxK; congr (_ - _).
  by rewrite /C trmx_drsub; congr drsubmx; rewrite -[LHS]/(G^T) sG.
have qC' v : qf C' v = @qf R (1 + d) H (col_mx (- a^-1 *: (b *m v)) v).
  rewrite eH /qf /bf tr_col_mx mul_row_block mul_row_col.
  set z := b *m v; rewrite !linearZ /= .
  have -> : z^T = v^T *m b^T by rewrite /z trmx_mul.
  rewrite mul_mx_scalar -!scalemxAl scalerA mulrN divff ?gt_eqF // scaleN1r.
  rewrite addNr mul0mx scaler0 add0r /C' mulmxBr -scalemxAr mulmxA scaleNr.
  by rewrite [in RHS]addrC.
have pC' : pd C'.
  split=> // v v0; rewrite qC'; apply: qH.
  apply: contra v0 => /eqP e; apply/eqP.
  by have := congr1 (@dsubmx _ 1 d 1) e; rewrite col_mxKd linear0.
have [P' eP'] := IH _ pC'.
pose s := Num.sqrt a.
have s0 : 0 < s by rewrite sqrtr_gt0.
have ss : s * s = a by rewrite -expr2 sqr_sqrtr // ltW.
pose P : 'M[R]_(1 + d) := block_mx (s^-1)%:M (- a^-1 *: (b *m P')) 0 P'.
exists P; change (P^T *m H *m P = 1%:M); rewrite eH -mulmxA mulmx_block tr_block_mx mulmx_block.
rewrite !trmx0 !mulmx0 !mul0mx !addr0 -!scalar_mxM tr_scalar_mx.
have -> : a%:M *m (- a^-1 *: (b *m P')) + b *m P' = 0.
  by rewrite mul_scalar_mx scalerA mulrN divff ?gt_eqF // scaleN1r addNr.
have -> : b^T *m (- a^-1 *: (b *m P')) + C *m P' = C' *m P'.
  by rewrite /C' mulmxBl -scalemxAr scaleNr -scalemxAl mulmxA addrC.
rewrite !mulmx0 add0r [P'^T *m (C' *m P')]mulmxA eP' -!scalar_mxM.
have -> : s^-1 * (a / s) = 1 by rewrite -ss; field; rewrite gt_eqF.
have -> : (- a^-1 *: (b *m P'))^T *m (a / s)%:M + P'^T *m (b^T *m (s^-1)%:M) = 0.
  rewrite linearZ /= trmx_mul !mul_mx_scalar -scalemxAr scalerA.
  have -> : a / s * - a^-1 = - s^-1 by field; rewrite !gt_eqF.
  by rewrite scaleNr addNr.
by rewrite -scalar_mx_block.
Qed.

End Exists.

(* slug: trace-identity *)
Lemma data_whitening (R : rcfType) d (I : finType) (X : I -> 'cV[R]_d) :
  gram X \in unitmx -> exists P, whitens X P.
Proof.
move=> u; apply: whitening_exists; apply: psd_unit_pd => //.
by apply: psd_sum => x _; exact: psd_outer.
Qed.
