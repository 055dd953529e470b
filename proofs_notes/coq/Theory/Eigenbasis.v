(** A symmetric matrix over a real closed field has a basis of eigenvectors,
    so the sums of the statistical and of the effective dimension exist for
    every X1 and every K.

    Selected results:
      symmetric_real       == the roots of the characteristic polynomial are real
      symmetric_nilpotent  == a symmetric nilpotent matrix is 0
      symmetric_eigenbasis == B V = V diag(mu) with V invertible *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp.real_closed Require Import complex.
From mathcomp.algebra_tactics Require Import ring.
From Asura Require Import Reductions.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Local Open Scope complex_scope.

Section Symmetric.
Variable R : rcfType.

Let C := (real_complex R).

(* Eigenvalues of a symmetric matrix are real.                                *)
Lemma symmetric_real n (B : 'M[R]_n) (z : R[i]) : B^T = B ->
  eigenvalue (map_mx C B) z -> complex.Im z = 0.
Proof.
move=> sB /eigenvalueP[v vB v0].
pose a : 'rV[R]_n := map_mx (@complex.Re R) v.
pose b : 'rV[R]_n := map_mx (@complex.Im R) v.
have aB : a *m B = complex.Re z *: a - complex.Im z *: b.
  apply/matrixP => i j; have /matrixP /(_ i j) /(congr1 (@complex.Re R)) := vB.
  rewrite !mxE raddf_sum /= => e; transitivity (complex.Re (z * v i j)).
    by rewrite -e; apply: eq_bigr => k _; rewrite !mxE; case: (v i k) => x y /=; rewrite mulr0 subr0.
  by case: z {vB e} => x y; case: (v i j).
have bB : b *m B = complex.Re z *: b + complex.Im z *: a.
  apply/matrixP => i j; have /matrixP /(_ i j) /(congr1 (@complex.Im R)) := vB.
  rewrite !mxE raddf_sum /= => e; transitivity (complex.Im (z * v i j)).
    by rewrite -e; apply: eq_bigr => k _; rewrite !mxE; case: (v i k) => x y /=; rewrite mulr0 add0r.
  by case: z {vB e aB} => x y; case: (v i j).
have cross : (a *m B *m b^T) 0 0 = (b *m B *m a^T) 0 0.
  have : (a *m B *m b^T)^T = b *m B *m a^T by rewrite !trmx_mul trmxK sB mulmxA.
  by move/matrixP => /(_ 0 0); rewrite mxE.
have key : complex.Im z * (sqnorm a^T + sqnorm b^T) = 0.
  rewrite !sqnormE !trmxK mulrDr; apply/eqP; rewrite addr_eq0; apply/eqP.
  move: cross; rewrite aB bB mulmxBl mulmxDl -!scalemxAl.
  have ab : (b *m a^T) 0 0 = (a *m b^T) 0 0.
    have : (b *m a^T)^T = a *m b^T by rewrite trmx_mul trmxK.
    by move/matrixP => /(_ 0 0); rewrite mxE.
  have ent (M N : 'M[R]_1) s t : (s *: M + t *: N) 0 0 = s * M 0 0 + t * N 0 0 by rewrite !mxE.
  rewrite -[- (_ *: _)]scaleNr !ent ab => e.
  by apply: (addrI (complex.Re z * (a *m b^T) 0 0)); rewrite -e mulNr.
move/eqP: key; rewrite mulf_eq0 => /orP[/eqP //|].
rewrite paddr_eq0 ?sqnorm_ge0 // => /andP[/eqP /sqnorm_eq0 a0 /eqP /sqnorm_eq0 b0].
case/eqP: v0; apply/matrixP => i j; rewrite mxE.
have := congr1 (fun M : 'cV_n => M j i) a0; have := congr1 (fun M : 'cV_n => M j i) b0.
by rewrite !mxE; case: (v i j) => x y /= -> ->.
Qed.

Lemma symmetric_split n (B : 'M[R]_n) : B^T = B ->
  exists rs : seq R, char_poly B = \prod_(r <- rs) ('X - r%:P).
Proof.
move=> sB; have [zs zE] := closed_field_poly_normal (map_poly C (char_poly B)).
have mB : map_poly C (char_poly B) \is monic by rewrite map_monic char_poly_monic.
rewrite (monicP mB) scale1r in zE.
exists [seq complex.Re z | z <- zs].
apply: (@map_poly_inj _ _ [rmorphism of C]) => /=.
rewrite rmorph_prod /= [LHS]zE big_map; apply: eq_big_seq => z zzs.
rewrite rmorphB /= map_polyX map_polyC /=; congr (_ - _%:P).
have : eigenvalue (map_mx C B) z.
  rewrite eigenvalue_root_char -map_char_poly zE.
  by rewrite root_prod_XsubC.
by move/(symmetric_real sB); case: z {zzs} => x y /= ->.
Qed.

Lemma tr_horner_mx n (B : 'M[R]_n.+1) p : B^T = B -> (horner_mx B p)^T = horner_mx B p.
Proof.
move=> sB; elim/poly_ind: p => [|p c IHp]; first by rewrite rmorph0 trmx0.
rewrite rmorphD rmorphM /= horner_mx_X horner_mx_C.
have trD (M N : 'M[R]_n.+1) : (M + N)^T = M^T + N^T by apply/matrixP => i j; rewrite !mxE.
rewrite trD tr_scalar_mx -[_ * B]/(_ *m B) trmx_mul IHp sB; congr (_ + _).
exact: (comm_mx_horner p (comm_mx_refl B)).
Qed.

Lemma col_mul m n p (A : 'M[R]_(m, n)) (B : 'M[R]_(n, p)) j : col j (A *m B) = A *m col j B.
Proof. by rewrite !colE mulmxA. Qed.

Lemma symmetric_nilpotent n (S : 'M[R]_n.+1) k : S^T = S -> S ^+ k = 0 -> S = 0.
Proof.
move=> sS; elim: k => [|k IHk].
  by rewrite expr0 => /matrixP /(_ 0 0); rewrite !mxE eqxx => /eqP; rewrite oner_eq0.
case: k IHk => [|k] IHk; first by rewrite expr1.
move=> S0; apply: IHk; rewrite exprS -[S * _]/(S *m _).
apply/matrixP => i j; have h : S^T *m S *m col j (S ^+ k) = 0.
  rewrite sS -col_mul -[S *m S *m _]/(S * S * S ^+ k) -mulrA -!exprS S0.
  by apply/matrixP => i' j'; rewrite !mxE.
have := gram_kernel h => /matrixP /(_ i 0); rewrite -col_mul !mxE => e.
by rewrite -[RHS]e; apply: eq_bigr => l _.
Qed.

Theorem symmetric_eigenbasis n (B : 'M[R]_n) : B^T = B ->
  exists (V : 'M[R]_n) (mu : 'rV[R]_n), V \in unitmx /\ B *m V = V *m diag_mx mu.
Proof.
case: n B => [|n] B sB.
  by exists 1%:M, 0; split; [rewrite unitmx1 | apply/matrixP => -[]].
have [rs cE] := symmetric_split sB.
have dv : char_poly B %| (\prod_(r <- undup rs) ('X - r%:P)) ^+ size rs.
  rewrite cE; move: (undup rs) (mem_undup rs) => us ur.
  have : {subset rs <= us} by move=> r; rewrite ur.
  elim: rs {cE ur} => [|r rs IH] sub; first by rewrite big_nil expr0 dvdpp.
  rewrite big_cons exprS dvdp_mul //; last by apply: IH => x xr; apply: sub; rewrite inE xr orbT.
  by rewrite dvdp_XsubCl root_prod_XsubC; apply: sub; rewrite mem_head.
set q := \prod_(r <- _) _ in dv.
have q0 : horner_mx B q = 0.
  apply: (@symmetric_nilpotent _ _ (size rs)); first exact: tr_horner_mx.
  rewrite -rmorphX /=; have /dvdpP[s ->] := dv.
  by rewrite rmorphM /= Cayley_Hamilton mulr0.
have [|P uP /diagonalizable_forPex[mu /(simmxP uP) PB]] := (diagonalizableP B).2.
  by exists (undup rs); [apply: undup_uniq | apply: mxminpoly_min].
exists (invmx P), mu; split; first by rewrite unitmx_inv.
apply: (can_inj (mulKmx uP)); rewrite mulmxA PB !mulmxA mulmxV // mul1mx.
by rewrite -mulmxA mulmxV // mulmx1.
Qed.

(* Every X1 has singular values for rr_ridge_sd, ...                          *)
Theorem singular_values_exist n d (X1 : 'M[R]_(n, d)) :
  exists (V : 'M[R]_d) (sigma : 'rV[R]_d), [/\ V \in unitmx, forall i, 0 <= sigma 0 i &
    X1^T *m X1 *m V = V *m diag_mx (\row_i sigma 0 i ^+ 2)].
Proof.
have sG : (X1^T *m X1)^T = X1^T *m X1 by rewrite trmx_mul trmxK.
have [V [mu [uV GV]]] := symmetric_eigenbasis sG.
have mu0 i : 0 <= mu 0 i.
  have e : X1^T *m X1 *m col i V = mu 0 i *: col i V.
    rewrite -col_mul GV; apply/matrixP => k j; rewrite !mxE (bigD1 i) //= !mxE eqxx mulr1n.
    by rewrite big1 ?addr0 1?mulrC // => l /negbTE li; rewrite !mxE li mulr0n mulr0.
  have n0 : 0 < sqnorm (col i V).
    rewrite lt_neqAle sqnorm_ge0 andbT eq_sym; apply/eqP => /sqnorm_eq0 c0.
    have /matrixP /(_ i i) := mulVmx uV.
    rewrite [RHS]mxE eqxx mxE big1 => [/eqP|k _]; first by rewrite eq_sym oner_eq0.
    by have := congr1 (fun M : 'cV_d => M k 0) c0; rewrite !mxE => ->; rewrite mulr0.
  have : sqnorm (X1 *m col i V) = mu 0 i * sqnorm (col i V).
    rewrite !sqnormE trmx_mul -mulmxA [X1^T *m _]mulmxA e -scalemxAr.
    by rewrite [LHS]mxE.
  by move=> E; rewrite -(pmulr_lge0 _ n0) -E sqnorm_ge0.
exists V, (\row_i Num.sqrt (mu 0 i)); split=> // [i|]; first by rewrite mxE sqrtr_ge0.
rewrite GV; congr (_ *m diag_mx _); apply/matrixP => i j; rewrite !mxE (ord1 i) sqr_sqrtr //.
Qed.

(* ... and every Gram matrix K has eigenvalues for effective_dimension.       *)
Theorem eigenvalues_exist n (K Z : 'M[R]_n) : Z^T *m Z = K ->
  exists (V : 'M[R]_n) (mu : 'rV[R]_n), V \in unitmx /\ K *m V = V *m diag_mx mu.
Proof. by move=> ZK; apply: symmetric_eigenbasis; apply: kernel_sym ZK. Qed.

End Symmetric.
