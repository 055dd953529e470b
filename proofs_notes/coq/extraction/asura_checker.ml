
type __ = Obj.t
let __ = let rec f _ = Obj.repr f in Obj.repr f

(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y



(** val sub : int -> int -> int **)

let rec sub = fun n m -> Stdlib.max 0 (n-m)

type reflect =
| ReflectT
| ReflectF

(** val isSome : 'a1 option -> bool **)

let isSome = function
| Some _ -> true
| None -> false

(** val iffP : bool -> reflect -> reflect **)

let iffP _ pb =
  let _evar_0_ = fun _ _ _ -> ReflectT in
  let _evar_0_0 = fun _ _ _ -> ReflectF in
  (match pb with
   | ReflectT -> _evar_0_ __ __ __
   | ReflectF -> _evar_0_0 __ __ __)

(** val idP : bool -> reflect **)

let idP = function
| true -> ReflectT
| false -> ReflectF

type 't pred = 't -> bool

type 't rel = 't -> 't pred

module Equality =
 struct
  type 't axiom = 't -> 't -> reflect

  type 't mixin_of = { op : 't rel; mixin_of__1 : 't axiom }

  (** val op : 'a1 mixin_of -> 'a1 rel **)

  let op m =
    m.op

  type coq_type =
    __ mixin_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  (** val coq_class : coq_type -> sort mixin_of **)

  let coq_class cT =
    cT
 end

(** val eq_op : Equality.coq_type -> Equality.sort rel **)

let eq_op t =
  (Equality.coq_class t).Equality.op

(** val eqn : int -> int -> bool **)

let rec eqn m n =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ ->
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> true)
      (fun _ -> false)
      n)
    (fun m' ->
    (fun fO fS n -> if n=0 then fO () else fS (n-1))
      (fun _ -> false)
      (fun n' -> eqn m' n')
      n)
    m

(** val eqnP : int Equality.axiom **)

let eqnP n m =
  iffP (eqn n m) (idP (eqn n m))

(** val nat_eqMixin : int Equality.mixin_of **)

let nat_eqMixin =
  { Equality.op = eqn; Equality.mixin_of__1 = eqnP }

(** val nat_eqType : Equality.coq_type **)

let nat_eqType =
  Obj.magic nat_eqMixin

(** val subn_rec : int -> int -> int **)

let subn_rec =
  sub

(** val subn : int -> int -> int **)

let subn =
  subn_rec

(** val leq : int -> int -> bool **)

let leq m n =
  eq_op nat_eqType (Obj.magic subn m n) (Obj.magic 0)

(** val iter : int -> ('a1 -> 'a1) -> 'a1 -> 'a1 **)

let rec iter n f x =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> x)
    (fun i -> f (iter i f x))
    n

(** val size : 'a1 list -> int **)

let rec size = function
| [] -> 0
| _ :: s' -> Stdlib.Int.succ (size s')

(** val cat : 'a1 list -> 'a1 list -> 'a1 list **)

let rec cat s1 s2 =
  match s1 with
  | [] -> s2
  | x :: s1' -> x :: (cat s1' s2)

(** val rcons : 'a1 list -> 'a1 -> 'a1 list **)

let rec rcons s z =
  match s with
  | [] -> z :: []
  | x :: s' -> x :: (rcons s' z)

(** val nth : 'a1 -> 'a1 list -> int -> 'a1 **)

let rec nth x0 s n =
  match s with
  | [] -> x0
  | x :: s' ->
    ((fun fO fS n -> if n=0 then fO () else fS (n-1))
       (fun _ -> x)
       (fun n' -> nth x0 s' n')
       n)

(** val all : 'a1 pred -> 'a1 list -> bool **)

let rec all a = function
| [] -> true
| x :: s' -> (&&) (a x) (all a s')

(** val drop : int -> 'a1 list -> 'a1 list **)

let rec drop n s = match s with
| [] -> s
| _ :: s' ->
  ((fun fO fS n -> if n=0 then fO () else fS (n-1))
     (fun _ -> s)
     (fun n' -> drop n' s')
     n)

(** val catrev : 'a1 list -> 'a1 list -> 'a1 list **)

let rec catrev s1 s2 =
  match s1 with
  | [] -> s2
  | x :: s1' -> catrev s1' (x :: s2)

(** val rev : 'a1 list -> 'a1 list **)

let rev s =
  catrev s []

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| x :: s' -> (f x) :: (map f s')

(** val iota : int -> int -> int list **)

let rec iota m n =
  (fun fO fS n -> if n=0 then fO () else fS (n-1))
    (fun _ -> [])
    (fun n' -> m :: (iota (Stdlib.Int.succ m) n'))
    n

(** val mkseq : (int -> 'a1) -> int -> 'a1 list **)

let mkseq f n =
  map f (iota 0 n)

(** val foldr : ('a1 -> 'a2 -> 'a2) -> 'a2 -> 'a1 list -> 'a2 **)

let rec foldr f z0 = function
| [] -> z0
| x :: s' -> f x (foldr f z0 s')

(** val foldl : ('a2 -> 'a1 -> 'a2) -> 'a2 -> 'a1 list -> 'a2 **)

let rec foldl f z = function
| [] -> z
| x :: s' -> foldl f (f z x) s'

(** val zip : 'a1 list -> 'a2 list -> ('a1 * 'a2) list **)

let rec zip s t =
  match s with
  | [] -> []
  | x :: s' -> (match t with
                | [] -> []
                | y :: t' -> (x, y) :: (zip s' t'))

(** val all2 : ('a1 -> 'a2 -> bool) -> 'a1 list -> 'a2 list -> bool **)

let rec all2 r s t =
  match s with
  | [] -> (match t with
           | [] -> true
           | _ :: _ -> false)
  | x :: s0 ->
    (match t with
     | [] -> false
     | y :: t0 -> (&&) (r x y) (all2 r s0 t0))

type 't numbers = { nzero : 't; nunit : 't; nadd : ('t -> 't -> 't);
                    nopp : ('t -> 't); nmul : ('t -> 't -> 't);
                    ninv : ('t -> 't); neq : ('t -> 't -> bool);
                    nle : ('t -> 't -> bool) }

(** val nsub : 'a1 numbers -> 'a1 -> 'a1 -> 'a1 **)

let nsub n a b =
  n.nadd a (n.nopp b)

(** val ndiv : 'a1 numbers -> 'a1 -> 'a1 -> 'a1 **)

let ndiv n a b =
  n.nmul a (n.ninv b)

(** val nnat : 'a1 numbers -> int -> 'a1 **)

let nnat n n0 =
  iter n0 (n.nadd n.nunit) n.nzero

(** val total : 'a1 numbers -> int -> (int -> 'a1) -> 'a1 **)

let total n n0 f =
  foldr (fun i a -> n.nadd (f i) a) n.nzero (iota 0 n0)

(** val less : 'a1 numbers -> 'a1 -> 'a1 -> bool **)

let less n a b =
  negb (n.nle b a)

(** val entry : 'a1 numbers -> 'a1 list list -> int -> int -> 'a1 **)

let entry n a i j =
  nth n.nzero (nth [] a i) j

(** val build : int -> (int -> int -> 'a1) -> 'a1 list list **)

let build d f =
  mkseq (fun i -> mkseq (f i) d) d

(** val scalar : 'a1 numbers -> 'a1 -> int -> int -> 'a1 **)

let scalar n a i j =
  if eq_op nat_eqType (Obj.magic i) (Obj.magic j) then a else n.nzero

(** val product :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list list -> 'a1 list list **)

let product n d a b =
  build d (fun i j ->
    total n d (fun k -> n.nmul (entry n a i k) (entry n b k j)))

(** val sweep :
    'a1 numbers -> int -> 'a1 list list -> int -> 'a1 list list **)

let sweep n d m c =
  let top = nth [] m c in
  let scale = n.ninv (nth n.nzero top c) in
  let top0 = map (fun a -> n.nmul scale a) top in
  mkseq (fun i ->
    if eq_op nat_eqType (Obj.magic i) (Obj.magic c)
    then top0
    else let row = nth [] m i in
         let factor = nth n.nzero row c in
         map (fun ab -> nsub n (fst ab) (n.nmul factor (snd ab)))
           (zip row top0)) d

(** val eliminate : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list **)

let eliminate n d a =
  map (fun row -> drop d row)
    (foldl (sweep n d)
      (mkseq (fun i -> cat (nth [] a i) (mkseq (scalar n n.nunit i) d)) d)
      (iota 0 d))

(** val is_one : 'a1 numbers -> int -> 'a1 list list -> bool **)

let is_one n d a =
  all (fun i ->
    all (fun j -> n.neq (entry n a i j) (scalar n n.nunit i j)) (iota 0 d))
    (iota 0 d)

(** val inverse :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list list option **)

let inverse n d a =
  let b = eliminate n d a in
  if is_one n d (product n d a b) then Some b else None

(** val cmass :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list list -> int -> 'a1 **)

let cmass n d pts e x =
  total n d (fun j ->
    n.nmul (total n d (fun i -> n.nmul (entry n pts x i) (entry n e i j)))
      (entry n pts x j))

type 't pstate = { pacc : 't list list; pup : 't; plo : 't; psum : 't }

(** val pscale : 'a1 numbers -> 'a1 list -> int -> 'a1 **)

let pscale n scales x =
  nth n.nunit scales x

(** val pouter :
    'a1 numbers -> 'a1 list list -> 'a1 list -> int -> int -> int -> 'a1 **)

let pouter n pts scales x i j =
  n.nmul (pscale n scales x) (n.nmul (entry n pts x i) (entry n pts x j))

(** val pgram :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 list list **)

let pgram n d pts scales =
  build d (fun i j -> total n (size pts) (fun x -> pouter n pts scales x i j))

(** val pinvert :
    'a1 numbers -> int -> 'a1 list list -> 'a1 pstate -> ('a1 list
    list * 'a1) option **)

let pinvert n d g s =
  match inverse n d
          (build d (fun i j ->
            nsub n (n.nmul s.pup (entry n g i j)) (entry n s.pacc i j))) with
  | Some p ->
    (match inverse n d
             (build d (fun i j ->
               nsub n (entry n s.pacc i j) (n.nmul s.plo (entry n g i j)))) with
     | Some q ->
       let e = build d (fun i j -> n.nadd (entry n p i j) (entry n q i j)) in
       Some (e,
       (total n d (fun i ->
         total n d (fun j -> n.nmul (entry n g i j) (entry n e j i)))))
     | None -> None)
  | None -> None

(** val pmass :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 list list -> int
    -> 'a1 **)

let pmass n d pts scales e x =
  n.nmul (pscale n scales x) (cmass n d pts e x)

(** val pprob :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 list list -> 'a1
    -> int -> 'a1 **)

let pprob n d pts scales e f x =
  ndiv n (pmass n d pts scales e x) f

(** val pweight :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1 list list
    -> int -> 'a1 **)

let pweight n d pts scales g e x =
  ndiv n g (pmass n d pts scales e x)

(** val pstep :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1 pstate ->
    'a1 list list -> 'a1 -> int -> 'a1 pstate **)

let pstep n d pts scales g s e f x =
  let w = pweight n d pts scales g e x in
  let one = n.nunit in
  let two = nnat n (Stdlib.Int.succ (Stdlib.Int.succ 0)) in
  { pacc =
  (build d (fun i j ->
    n.nadd (entry n s.pacc i j) (n.nmul w (pouter n pts scales x i j))));
  pup = (n.nadd s.pup (ndiv n (ndiv n g (nsub n one (n.nmul two g))) f));
  plo = (n.nadd s.plo (ndiv n (ndiv n g (n.nadd one (n.nmul two g))) f));
  psum = (n.nadd s.psum f) }

(** val pstart : 'a1 numbers -> int -> 'a1 -> 'a1 pstate **)

let pstart n d g =
  let u =
    ndiv n (n.nmul (nnat n (Stdlib.Int.succ (Stdlib.Int.succ 0))) (nnat n d))
      g
  in
  { pacc = (build d (fun _ _ -> n.nzero)); pup = u; plo = (n.nopp u); psum =
  n.nzero }

(** val ppaper : 'a1 numbers -> int -> 'a1 -> 'a1 pstate -> bool **)

let ppaper n d g s =
  less n (n.nadd (nsub n s.pup s.plo) s.psum)
    (ndiv n
      (n.nmul
        (nnat n (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
          (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
          (Stdlib.Int.succ 0))))))))) (nnat n d)) g)

(** val plevel : 'a1 numbers -> int -> 'a1 -> 'a1 -> 'a1 pstate -> bool **)

let plevel n d g t s =
  less n (nsub n s.pup s.plo)
    (n.nmul
      (ndiv n
        (n.nmul
          (nnat n (Stdlib.Int.succ (Stdlib.Int.succ (Stdlib.Int.succ
            (Stdlib.Int.succ 0))))) (nnat n d)) g) (n.nadd n.nunit t))

(** val pmid : 'a1 numbers -> 'a1 pstate -> 'a1 **)

let pmid n s =
  ndiv n (n.nadd s.pup s.plo) (nnat n (Stdlib.Int.succ (Stdlib.Int.succ 0)))

type 't stop_rule =
| RulePaper
| RuleGap of 't

type 't trace_line = { pick : int; line_uniform : 't option;
                       line_u : 't option; line_l : 't option;
                       line_phi : 't option; line_p : 't option;
                       line_probabilities : 't list option;
                       line_weight : 't option }

type 't trace = { trace_d : int; trace_points : 't list list;
                  trace_scales : 't list; trace_gamma : 't;
                  trace_rule : 't stop_rule;
                  trace_lines : 't trace_line list; trace_m : int;
                  trace_u : 't option; trace_l : 't option;
                  trace_mid : 't option; trace_weights : 't list option;
                  trace_alphas : 't list option }

(** val said : ('a1 -> 'a1 -> bool) -> 'a1 option -> 'a1 -> bool **)

let said test o a =
  match o with
  | Some b -> test b a
  | None -> true

(** val said_all :
    ('a1 -> 'a1 -> bool) -> 'a1 list option -> 'a1 list -> bool **)

let said_all test o l =
  match o with
  | Some l' -> all2 test l' l
  | None -> true

(** val goes_on :
    'a1 numbers -> int -> 'a1 -> 'a1 stop_rule -> 'a1 pstate -> bool **)

let goes_on n d g rule s =
  match rule with
  | RulePaper -> ppaper n d g s
  | RuleGap t -> plevel n d g t s

(** val line_ok :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> ('a1 -> 'a1 ->
    bool) -> 'a1 pstate -> 'a1 list list -> 'a1 -> 'a1 trace_line -> bool **)

let line_ok n d pts scales g test s e f e0 =
  let x = e0.pick in
  let below = total n x (pprob n d pts scales e f) in
  (&&) (leq (Stdlib.Int.succ x) (size pts))
    ((&&) (less n n.nzero (pmass n d pts scales e x))
      ((&&)
        (match e0.line_uniform with
         | Some r ->
           (&&) (n.nle below r)
             (less n r (n.nadd below (pprob n d pts scales e f x)))
         | None -> true)
        ((&&) (said test e0.line_u s.pup)
          ((&&) (said test e0.line_l s.plo)
            ((&&) (said test e0.line_phi f)
              ((&&) (said test e0.line_p (pprob n d pts scales e f x))
                ((&&)
                  (said_all test e0.line_probabilities
                    (mkseq (pprob n d pts scales e f) (size pts)))
                  (said test e0.line_weight (pweight n d pts scales g e x)))))))))

(** val follow :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1 stop_rule
    -> 'a1 list list -> 'a1 pstate -> ('a1 * 'a1) list -> 'a1 trace_line list
    -> ('a1 pstate * ('a1 * 'a1) list) option **)

let rec follow n d pts scales g rule g0 s log = function
| [] -> Some (s, log)
| e :: ls' ->
  if goes_on n d g rule s
  then (match pinvert n d g0 s with
        | Some p ->
          let (e0, f) = p in
          if line_ok n d pts scales g n.neq s e0 f e
          then follow n d pts scales g rule g0
                 (pstep n d pts scales g s e0 f e.pick)
                 (((pweight n d pts scales g e0 e.pick), f) :: log) ls'
          else None
        | None -> None)
  else None

(** val header_ok :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> bool **)

let header_ok n d pts scales g =
  (&&) (leq (Stdlib.Int.succ 0) d)
    ((&&) (less n n.nzero g)
      ((&&)
        (less n (n.nmul (nnat n (Stdlib.Int.succ (Stdlib.Int.succ 0))) g)
          n.nunit)
        ((&&) (all (n.nle n.nzero) scales)
          (isSome (inverse n d (pgram n d pts scales))))))

(** val check : 'a1 numbers -> 'a1 trace -> bool **)

let check n t =
  let { trace_d = d; trace_points = pts; trace_scales = scales; trace_gamma =
    g; trace_rule = rule; trace_lines = ls; trace_m = m; trace_u = u;
    trace_l = l; trace_mid = mid; trace_weights = ws; trace_alphas = als } = t
  in
  (&&) (header_ok n d pts scales g)
    ((&&) (eq_op nat_eqType (Obj.magic size ls) (Obj.magic m))
      (match follow n d pts scales g rule (pgram n d pts scales)
               (pstart n d g) [] ls with
       | Some p ->
         let (s, log) = p in
         let c = pmid n s in
         (&&) (negb (goes_on n d g rule s))
           ((&&) (said n.neq u s.pup)
             ((&&) (said n.neq l s.plo)
               ((&&) (said n.neq mid c)
                 ((&&)
                   (said_all n.neq ws
                     (rev (map (fun a -> ndiv n (fst a) c) log)))
                   (said_all n.neq als
                     (rev (map (fun a -> ndiv n (ndiv n g (snd a)) c) log)))))))
       | None -> false))

(** val size_of : 'a1 numbers -> 'a1 -> 'a1 **)

let size_of n a =
  if n.nle n.nzero a then a else n.nopp a

(** val near : 'a1 numbers -> 'a1 -> 'a1 -> 'a1 -> bool **)

let near n e a b =
  n.nle (size_of n (nsub n a b)) (n.nmul e (size_of n b))

(** val form_of :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 list -> 'a1 **)

let form_of n d m a b =
  total n d (fun i ->
    n.nmul (nth n.nzero a i)
      (total n d (fun j -> n.nmul (entry n m i j) (nth n.nzero b j))))

(** val orthogonal : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list **)

let orthogonal n d m =
  foldl (fun vs k ->
    let e = mkseq (fun i -> scalar n n.nunit i k) d in
    rcons vs
      (foldl (fun a b ->
        let t = ndiv n (form_of n d m b e) (form_of n d m b b) in
        mkseq (fun i ->
          nsub n (nth n.nzero a i) (n.nmul t (nth n.nzero b i))) d) e vs)) []
    (iota 0 d)

(** val same_table :
    'a1 numbers -> int -> 'a1 list list -> 'a1 list list -> bool **)

let same_table n d a b =
  all (fun i ->
    all (fun j -> n.neq (entry n a i j) (entry n b i j)) (iota 0 d))
    (iota 0 d)

(** val flip : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list **)

let flip n d a =
  build d (fun i j -> entry n a j i)

(** val definite : 'a1 numbers -> int -> 'a1 list list -> bool **)

let definite n d m =
  let c = orthogonal n d m in
  let d0 = product n d (product n d c m) (flip n d c) in
  (&&) (isSome (inverse n d c))
    ((&&) (all (fun i -> less n n.nzero (entry n d0 i i)) (iota 0 d))
      (same_table n d d0 (build d (fun i j -> scalar n (entry n d0 i i) i j))))

(** val check_state :
    'a1 numbers -> 'a1 -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1
    pstate -> 'a1 trace_line -> bool **)

let check_state n e d pts scales g s a =
  let g0 = pgram n d pts scales in
  (&&) (header_ok n d pts scales g)
    ((&&)
      (definite n d
        (build d (fun i j ->
          nsub n (n.nmul s.pup (entry n g0 i j)) (entry n s.pacc i j))))
      ((&&)
        (definite n d
          (build d (fun i j ->
            nsub n (entry n s.pacc i j) (n.nmul s.plo (entry n g0 i j)))))
        (match pinvert n d g0 s with
         | Some p ->
           let (e0, f) = p in line_ok n d pts scales g (near n e) s e0 f a
         | None -> false)))

(** val check_step :
    'a1 numbers -> 'a1 -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1
    pstate -> 'a1 trace_line -> 'a1 pstate -> bool **)

let check_step n e d pts scales g s a s' =
  (&&) (check_state n e d pts scales g s a)
    (match pinvert n d (pgram n d pts scales) s with
     | Some p ->
       let (e0, f) = p in
       let t = pstep n d pts scales g s e0 f a.pick in
       (&&) (same_table n d s'.pacc t.pacc)
         ((&&) (n.neq s'.pup t.pup)
           ((&&) (n.neq s'.plo t.plo) (n.neq s'.psum t.psum)))
     | None -> false)
