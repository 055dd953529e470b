(** Draw for free, look, then pay: a draw of weights that reads no label can
    be inspected and drawn again before any label is bought.

      redrawE         == what redrawing does to an expectation
      wrapper         == E[excess; G] <= E|v|^2 / a^2, for any law of weights
      wrapper_given   == E[excess | G] <= E|v|^2 / (a^2 P(G))
      wrapper_redrawn == the same for the draw that was kept
      coin_prod       == independent coins: the mean of a product
      coin_noise      == E|v|^2 = sum of ((1-p)/p) l e^2
      coin_second     == E|v|^2 <= tau OPT_1
      coin_labels     == E|S| = sum of p
      free_draws      == the method with coins, composed
      free_draws_tau  == p = l/(l+tau): at most R/tau labels are expected *)
From mathcomp Require Import all_ssreflect all_algebra.
From mathcomp Require Import ring.
From Asura Require Import Forms Regression.
From Asura Require Import SpecBeyond Beyond.WeightedFit.
Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(** ** Finite spaces and redrawing. *)
Section Space.
Variables (R : realFieldType) (O : finType) (mu : O -> R).
Implicit Types (f : O -> R) (G : pred O).

Lemma meanD f1 f2 : mean mu (fun o => f1 o + f2 o) = mean mu f1 + mean mu f2.
Proof. by rewrite /mean -big_split; apply: eq_bigr => o _; rewrite mulrDr. Qed.
Lemma meanZ c f : mean mu (fun o => c * f o) = c * mean mu f.
Proof. by rewrite /mean mulr_sumr; apply: eq_bigr => o _; rewrite mulrCA. Qed.
Lemma eq_mean f1 f2 : f1 =1 f2 -> mean mu f1 = mean mu f2.
Proof. by move=> e; apply: eq_bigr => o _; rewrite e. Qed.
Lemma mean_sum (J : finType) (P : pred J) (f : J -> O -> R) :
  mean mu (fun o => \sum_(j | P j) f j o) = \sum_(j | P j) mean mu (f j).
Proof.
rewrite /mean exchange_big /=; apply: eq_bigr => o _.
by rewrite mulr_sumr.
Qed.

Hypothesis lawmu : law mu.

Lemma mean_const c : mean mu (fun=> c) = c.
Proof. by case: lawmu => _ s; rewrite /mean -mulr_suml s mul1r. Qed.
Lemma mean_mono f1 f2 : (forall o, f1 o <= f2 o) -> mean mu f1 <= mean mu f2.
Proof.
case: lawmu => m0 _ le; apply: ler_sum => o _.
by apply: ler_wpmul2l => //; exact: m0.
Qed.
Lemma mean_ge0 f : (forall o, 0 <= f o) -> 0 <= mean mu f.
Proof. by move=> f0; rewrite -(mean_const 0); exact: mean_mono. Qed.

Lemma chance_ge0 G : 0 <= chance mu G.
Proof. by apply: mean_ge0 => o; exact: ler0n. Qed.
Lemma chance_le1 G : chance mu G <= 1.
Proof.
rewrite -[X in _ <= X](mean_const 1); apply: mean_mono => o.
by rewrite -[1]/(1%:R) ler_nat leq_b1.
Qed.

Lemma redrawS G n f : redrawn mu G n.+1 f =
  mean mu (fun o => (G o)%:R * f o) + (1 - chance mu G) * redrawn mu G n f.
Proof.
rewrite /= (eq_mean (f2 := fun o => (G o)%:R * f o +
   redrawn mu G n f * (1 + (-1) * (G o)%:R))); last first.
  by move=> o; case: (G o) => /=; ring.
by rewrite meanD meanZ meanD mean_const meanZ -/(chance mu G); ring.
Qed.

(** A draw kept is a draw conditioned on G. *)
Lemma redrawE G n f : redrawn mu G n f * chance mu G =
  (1 - (1 - chance mu G) ^+ n) * mean mu (fun o => (G o)%:R * f o).
Proof.
elim: n => [|n IH]; first by rewrite /= expr0 subrr !mul0r.
rewrite redrawS exprS; move: IH.
move: (redrawn _ _ _ _) (chance _ _) (mean _ _) => r c m IH.
have -> : (m + (1 - c) * r) * c = m * c + (1 - c) * (r * c) by ring.
by rewrite IH; ring.
Qed.

Lemma redrawn_le G n f : 0 < chance mu G -> (forall o, 0 <= f o) ->
  redrawn mu G n f <= mean mu (fun o => (G o)%:R * f o) / chance mu G.
Proof.
move=> c0 f0; rewrite ler_pdivl_mulr // redrawE ler_pimull //.
  by apply: mean_ge0 => o; apply: mulr_ge0; [exact: ler0n | exact: f0].
rewrite ler_subl_addr ler_addl exprn_ge0 // subr_ge0; exact: chance_le1.
Qed.

End Space.

(** ** Any law of weights that reads no label. *)
Section Wrapper.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I).
Variables (O : finType) (mu : O -> R) (w : O -> I -> R) (a : R).
Variable G : pred O.
Hypothesis uG : gram X \in unitmx.
Hypothesis lawmu : law mu.
Hypothesis keep : forall o, kept X1 (w o).
Hypothesis a0 : 0 < a.
Hypothesis good : forall o, G o -> psd (weighted_gram X (w o) - a *: gram X).

Local Notation excess o := (loss X Y (weighted_fit X Y (w o)) - opt X Y).
Local Notation size o := (noise_size X Y X1 (w o)).

Lemma excess_ge0 o : 0 <= excess o.
Proof. by rewrite subr_ge0; exact: fit_opt_min. Qed.

Lemma wrapper : mean mu (fun o => (G o)%:R * excess o) <=
  mean mu (fun o => size o) / a ^+ 2.
Proof.
rewrite mulrC -meanZ; apply: mean_mono => // o.
have n0 := noise_size_ge0 Y uG (w o) X1.
case: (boolP (G o)) => g; rewrite ?mul1r ?mul0r; last by nn.
by rewrite mulrC; exact: weighted_excess (good g).
Qed.

Lemma wrapper_given : 0 < chance mu G ->
  mean mu (fun o => (G o)%:R * excess o) / chance mu G <=
  mean mu (fun o => size o) / (a ^+ 2 * chance mu G).
Proof.
move=> c0; rewrite invfM mulrA; apply: ler_wpmul2r; first by nn.
exact: wrapper.
Qed.

Lemma wrapper_redrawn n : 0 < chance mu G ->
  redrawn mu G n (fun o => excess o) <=
  mean mu (fun o => size o) / (a ^+ 2 * chance mu G).
Proof.
move=> c0; apply: le_trans (wrapper_given c0).
by apply: redrawn_le => // o; exact: excess_ge0.
Qed.

End Wrapper.

(** ** Independent coins. *)
Section Coins.
Variables (R : realFieldType) (I : finType) (p : I -> R) (X1 : pred I).

(** A product over the points, summed over all sets. *)
Lemma prod_sum_sets (f1 f0 : I -> R) :
  \prod_x (f1 x + f0 x) = \sum_(S : {set I}) \prod_x (if x \in S then f1 x else f0 x).
Proof.
transitivity (\prod_x \sum_(b : bool) (if b then f1 x else f0 x)).
  by apply: eq_bigr => x _; rewrite big_bool.
rewrite bigA_distr_bigA /=.
rewrite (reindex (fun S : {set I} => [ffun x => x \in S])) /=.
  by apply: eq_bigr => S _; apply: eq_bigr => x _; rewrite ffunE.
exists (fun f : {ffun I -> bool} => [set x | f x]) => [S|f] _.
  by apply/setP => x; rewrite inE ffunE.
by apply/ffunP => x; rewrite ffunE inE.
Qed.

(** The law of the coins, with probability 0 outside X1. *)
Lemma coin_massE S : coin_mass p X1 S =
  \prod_x (if x \in S then (if X1 x then p x else 0)
           else (if X1 x then 1 - p x else 1)).
Proof.
rewrite /coin_mass; case: (boolP (S \subset X1)) => [sub|].
  rewrite big_mkcond /=; apply: eq_bigr => x _.
  case: (boolP (x \in S)) => xs; last by [].
  by have /subsetP/(_ x xs) := sub; rewrite unfold_in => ->.
case/subsetPn => x xs nx; rewrite (bigD1 x) //= xs.
by move: nx; rewrite unfold_in => /negbTE ->; rewrite mul0r.
Qed.

(** The mean of a product of functions of the single coins. *)
Lemma coin_prod (f1 f0 : I -> R) :
  mean (coin_mass p X1) (fun S => \prod_(x | X1 x) (if x \in S then f1 x else f0 x))
  = \prod_(x | X1 x) (p x * f1 x + (1 - p x) * f0 x).
Proof.
rewrite [RHS]big_mkcond /= /mean.
rewrite (eq_bigr (fun x => (if X1 x then p x * f1 x else 0) +
   (if X1 x then (1 - p x) * f0 x else 1))); last first.
  by move=> x _; case: (X1 x); rewrite ?add0r.
rewrite prod_sum_sets; apply: eq_bigr => S _.
rewrite coin_massE [X in _ * X]big_mkcond -big_split /=.
apply: eq_bigr => x _.
by case: (X1 x); case: (x \in S); rewrite ?mul0r ?mulr1.
Qed.

Hypothesis p01 : forall x, X1 x -> 0 <= p x <= 1.

Lemma coin_law : law (coin_mass p X1).
Proof.
split=> [S|].
  rewrite /coin_mass; case: ifP => // _; apply: prodr_ge0 => x x1.
  by case/andP: (p01 x1) => h0 h1; case: ifP => _ //; rewrite subr_ge0.
have := coin_prod (fun=> 1) (fun=> 1).
rewrite /mean (eq_bigr (coin_mass p X1)); last first.
  by move=> S _; rewrite big1 ?mulr1 // => x _; case: ifP.
by move=> ->; rewrite big1 // => x _; ring.
Qed.

(** One coin, and two different coins. *)
Lemma coin_one x (a b : R) : X1 x ->
  mean (coin_mass p X1) (fun S => if x \in S then a else b) =
  p x * a + (1 - p x) * b.
Proof.
move=> x1; have := coin_prod (fun y => if y == x then a else 1)
  (fun y => if y == x then b else 1).
rewrite [RHS](bigD1 x) //= eqxx [X in _ * X]big1 ?mulr1; last first.
  by move=> y /andP[_ /negbTE ->]; ring.
move=> <-; apply: eq_mean => S; rewrite [RHS](bigD1 x) //= eqxx [X in _ * X]big1 ?mulr1 //.
by move=> y /andP[_ /negbTE ->]; case: ifP.
Qed.

Lemma coin_two x y (a b a' b' : R) : X1 x -> X1 y -> x != y ->
  mean (coin_mass p X1)
    (fun S => (if x \in S then a else b) * (if y \in S then a' else b')) =
  (p x * a + (1 - p x) * b) * (p y * a' + (1 - p y) * b').
Proof.
move=> x1 y1 ne.
have := coin_prod (fun z => if z == x then a else if z == y then a' else 1)
  (fun z => if z == x then b else if z == y then b' else 1).
have yx : y != x by rewrite eq_sym.
rewrite [RHS](bigD1 x) //= eqxx [X in _ * X](bigD1 y) /=; last by rewrite y1 yx.
rewrite (negbTE yx) eqxx [X in _ * (_ * X)]big1 ?mulr1; last first.
  by move=> z /andP[/andP[_ /negbTE ->] /negbTE ->]; ring.
move=> <-; apply: eq_mean => S; rewrite [RHS](bigD1 x) //= eqxx.
congr (_ * _); rewrite (bigD1 y) /=; last by rewrite y1 yx.
rewrite (negbTE yx) eqxx [X in _ = _ * X]big1 ?mulr1 //.
by move=> z /andP[/andP[_ /negbTE ->] /negbTE ->]; case: ifP.
Qed.

(* slug: free-draws *)
Lemma coin_labels : mean (coin_mass p X1) (fun S => #|S|%:R) = \sum_(x | X1 x) p x.
Proof.
transitivity (mean (coin_mass p X1)
   (fun S => \sum_(x | X1 x) (if x \in S then 1 else 0))).
  rewrite /mean; apply: eq_bigr => S _; rewrite /coin_mass.
  case: (boolP (S \subset X1)) => [sub|_]; rewrite ?mul0r //; congr (_ * _).
  rewrite -big_mkcondr -sum1_card natr_sum; apply: eq_bigl => x.
  case: (boolP (x \in S)) => xs; last by rewrite andbF.
  by have /subsetP/(_ x xs) := sub; rewrite unfold_in => ->.
rewrite mean_sum; apply: eq_bigr => x x1; rewrite coin_one //.
by rewrite mulr1 mulr0 addr0.
Qed.

End Coins.

(** ** The coins on the data. *)
Section Data.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (p : I -> R).
Hypothesis uG : gram X \in unitmx.
Hypothesis p01 : forall x, X1 x -> 0 <= p x <= 1.
Hypothesis p0 : forall x, X1 x -> p x = 0 -> X x = 0.

Local Notation w S := (coin_weight p X1 S).
Local Notation mu := (coin_mass p X1).
Local Notation e := (resid X Y).
Local Notation Q := (invmx (gram X)).

Lemma coin_kept S : kept X1 (w S).
Proof. by move=> x /negbTE nx; rewrite /coin_weight nx. Qed.

Lemma Q_sym : Q^T = Q.
Proof. by apply: inv_sym; case: (gram_psd X). Qed.

Lemma bf_suml (J : finType) (P : pred J) (f : J -> 'cV[R]_d) (B : 'M[R]_d) z :
  bf B (\sum_(j | P j) f j) z = \sum_(j | P j) bf B (f j) z.
Proof.
by elim/big_rec2: _ => [|j y v _ <-]; [rewrite bf0l | rewrite bfDl].
Qed.

Lemma bf_sumr (J : finType) (P : pred J) (f : J -> 'cV[R]_d) (B : 'M[R]_d) z :
  bf B z (\sum_(j | P j) f j) = \sum_(j | P j) bf B z (f j).
Proof.
by elim/big_rec2: _ => [|j y v _ <-]; [rewrite bf0r | rewrite bfDr].
Qed.

(** E|v|^2: the coins are independent and have mean 0. *)
(* slug: free-draws *)
Lemma coin_noise : mean mu (fun S => noise_size X Y X1 (w S)) =
  \sum_(x | X1 x) (1 - p x) / p x * leverage_of X x * e x ^+ 2.
Proof.
pose xi (S : {set I}) x : R := if x \in S then (p x)^-1 - 1 else 0 - 1.
transitivity (mean mu (fun S => \sum_(x | X1 x) \sum_(y | X1 y)
   (e x * e y * bf Q (X x) (X y)) * (xi S x * xi S y))).
  apply: eq_mean => S; rewrite /noise_size /qf {1}/noise_vector bf_suml.
  apply: eq_bigr => x x1; rewrite /noise_vector bf_sumr.
  apply: eq_bigr => y y1; rewrite bfZl bfZr /coin_weight x1 y1 /xi.
  by case: (x \in S); case: (y \in S); ring.
rewrite mean_sum; apply: eq_bigr => x x1; rewrite mean_sum.
have [z|nz] := eqVneq (X x) 0.
  rewrite /leverage_of z qf0v mulr0 mul0r big1 // => y _.
  rewrite (eq_mean _ (f2 := fun=> 0)) ?/mean ?big1 // => S.
    by rewrite mulr0.
  by rewrite bf0l mulr0 mul0r.
have px : p x != 0 by apply: contra nz => /eqP/(p0 x1)/eqP.
rewrite (bigD1 x) //= [X in _ + X]big1 ?addr0; last first.
  move=> y /andP[y1 yx]; rewrite meanZ /xi coin_two 1?eq_sym //.
  have -> : p x * ((p x)^-1 - 1) + (1 - p x) * (0 - 1) = 0 by field.
  by rewrite mul0r mulr0.
rewrite meanZ.
rewrite (eq_mean _ (f2 := fun S : {set I} =>
   if x \in S then ((p x)^-1 - 1) ^+ 2 else 1)).
  by rewrite coin_one // -/(qf Q (X x)) -/(leverage_of X x); field.
by move=> S; rewrite /xi; case: (x \in S); ring.
Qed.

Lemma coin_second tau : 0 <= tau ->
  (forall x, X1 x -> leverage_of X x * (1 - p x) <= tau * p x) ->
  mean mu (fun S => noise_size X Y X1 (w S)) <= tau * opt_on X Y X1.
Proof.
move=> t0 le; rewrite coin_noise /opt_on mulr_sumr; apply: ler_sum => x x1.
apply: ler_wpmul2r; first exact: sqr_ge0.
case/andP: (p01 x1); rewrite le_eqVlt => /orP[/eqP z|pos] _.
  by rewrite /leverage_of (p0 x1 (esym z)) qf0v mulr0.
by rewrite mulrAC ler_pdivr_mulr // mulrC le.
Qed.

End Data.

(** ** The method: coins, a test that reads no label, then the labels. *)
Section Method.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (Y : I -> R) (X1 : pred I) (p : I -> R).
Variables (tau a : R) (B : nat) (G : pred {set I}).
Hypothesis uG : gram X \in unitmx.
Hypothesis t0 : 0 <= tau.
Hypothesis a0 : 0 < a.
Hypothesis p01 : forall x, X1 x -> 0 <= p x <= 1.
Hypothesis p_tau :
  forall x, X1 x -> leverage_of X x * (1 - p x) <= tau * p x.
Hypothesis good : forall S, G S ->
  psd (weighted_gram X (coin_weight p X1 S) - a *: gram X) /\ (#|S| <= B)%N.

Local Notation mu := (coin_mass p X1).
Local Notation fit S := (weighted_fit X Y (coin_weight p X1 S)).
Local Notation excess S := (loss X Y (fit S) - opt X Y).

Lemma p_zero x : X1 x -> p x = 0 -> X x = 0.
Proof.
move=> x1 z; apply: (leverage_eq0 uG); have := p_tau x1.
by rewrite z subr0 mulr1 mulr0.
Qed.

(* slug: free-draws *)
Theorem free_draws :
  mean mu (fun S => (G S)%:R * excess S) <= tau * opt_on X Y X1 / a ^+ 2.
Proof.
have gd S : G S -> psd (weighted_gram X (coin_weight p X1 S) - a *: gram X).
  by case/good.
apply: le_trans (wrapper Y uG (coin_law p01) (@coin_kept _ _ X1 p) a0 gd) _.
apply: ler_wpmul2r; first by nn.
exact: (coin_second Y p01 p_zero t0 p_tau).
Qed.

Theorem free_draws_given : 0 < chance mu G ->
  mean mu (fun S => (G S)%:R * excess S) / chance mu G <=
  tau * opt_on X Y X1 / (a ^+ 2 * chance mu G).
Proof.
move=> c0; rewrite invfM mulrA; apply: ler_wpmul2r; first by nn.
exact: free_draws.
Qed.

Theorem free_draws_redrawn n : 0 < chance mu G ->
  redrawn mu G n (fun S => excess S) <=
  tau * opt_on X Y X1 / (a ^+ 2 * chance mu G).
Proof.
move=> c0; apply: le_trans (free_draws_given c0).
apply: redrawn_le => // [|S]; first exact: coin_law.
by rewrite subr_ge0; exact: fit_opt_min.
Qed.

(** Surely at most B labels are bought, and no other label is read. *)
Lemma free_draws_budget S : G S -> (bought X1 (coin_weight p X1 S) <= B)%N.
Proof.
case/good => _; apply: leq_trans; apply: subset_leq_card; apply/subsetP => x.
rewrite inE /coin_weight => /andP[->]; case: ifP => //.
by rewrite eqxx.
Qed.

Lemma free_draws_local (S : {set I}) (Y' : I -> R) :
  (forall x, (x \in S) || ~~ X1 x -> Y x = Y' x) ->
  fit S = weighted_fit X Y' (coin_weight p X1 S).
Proof.
move=> h; apply: weighted_local => x n; apply: h; move: n.
by rewrite /coin_weight; case: (X1 x); case: (x \in S); rewrite ?eqxx.
Qed.

(** The fit exists and is the only minimiser of the weighted loss. *)
Lemma free_draws_fit S beta : G S -> beta != fit S ->
  weighted_loss X Y (coin_weight p X1 S) (fit S) <
  weighted_loss X Y (coin_weight p X1 S) beta.
Proof.
case/good => h _ ne; apply: weighted_unique => //.
exact: (weighted_pd uG a0 h).
Qed.

End Method.

(** ** The best coins for a given tau. *)
Section Best.
Variables (R : realFieldType) (d : nat) (I : finType).
Variables (X : I -> 'cV[R]_d) (X1 : pred I) (tau : R).
Hypothesis uG : gram X \in unitmx.
Hypothesis t0 : 0 < tau.

Local Notation l := (leverage_of X).

Lemma best_pos x : 0 < l x + tau.
Proof. by apply: ltr_paddl => //; exact: leverage_ge0. Qed.

Lemma best_unit x : 0 <= l x / (l x + tau) <= 1.
Proof.
have l0 := leverage_ge0 uG x; have b := best_pos x.
rewrite divr_ge0 ?(ltW b) //= ler_pdivr_mulr // mul1r ler_addl.
exact: ltW.
Qed.

Lemma best_tau x : l x * (1 - l x / (l x + tau)) = tau * (l x / (l x + tau)).
Proof. by have b := best_pos x; field; rewrite gt_eqF. Qed.

(* slug: free-draws *)
Theorem free_draws_tau :
  mean (coin_mass (fun x => l x / (l x + tau)) X1) (fun S => #|S|%:R) =
  \sum_(x | X1 x) l x / (l x + tau).
Proof. exact: coin_labels. Qed.

Lemma best_labels :
  \sum_(x | X1 x) l x / (l x + tau) <= reduced_rank X X1 / tau.
Proof.
rewrite rank_leverage mulr_suml; apply: ler_sum => x _.
have l0 := leverage_ge0 uG x; apply: ler_wpmul2l => //.
by rewrite lef_pinv ?posrE ?best_pos // ler_addr.
Qed.

End Best.
