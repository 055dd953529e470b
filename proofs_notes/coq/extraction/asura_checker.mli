
type __ = Obj.t

val negb : bool -> bool

val fst : ('a1 * 'a2) -> 'a1

val snd : ('a1 * 'a2) -> 'a2



val sub : int -> int -> int

type reflect =
| ReflectT
| ReflectF

val isSome : 'a1 option -> bool

val iffP : bool -> reflect -> reflect

val idP : bool -> reflect

type 't pred = 't -> bool

type 't rel = 't -> 't pred

module Equality :
 sig
  type 't axiom = 't -> 't -> reflect

  type 't mixin_of = { op : 't rel; mixin_of__1 : 't axiom }

  val op : 'a1 mixin_of -> 'a1 rel

  type coq_type =
    __ mixin_of
    (* singleton inductive, whose constructor was Pack *)

  type sort = __

  val coq_class : coq_type -> sort mixin_of
 end

val eq_op : Equality.coq_type -> Equality.sort rel

val eqn : int -> int -> bool

val eqnP : int Equality.axiom

val nat_eqMixin : int Equality.mixin_of

val nat_eqType : Equality.coq_type

val subn_rec : int -> int -> int

val subn : int -> int -> int

val leq : int -> int -> bool

val iter : int -> ('a1 -> 'a1) -> 'a1 -> 'a1

val size : 'a1 list -> int

val cat : 'a1 list -> 'a1 list -> 'a1 list

val rcons : 'a1 list -> 'a1 -> 'a1 list

val nth : 'a1 -> 'a1 list -> int -> 'a1

val all : 'a1 pred -> 'a1 list -> bool

val drop : int -> 'a1 list -> 'a1 list

val catrev : 'a1 list -> 'a1 list -> 'a1 list

val rev : 'a1 list -> 'a1 list

val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list

val iota : int -> int -> int list

val mkseq : (int -> 'a1) -> int -> 'a1 list

val foldr : ('a1 -> 'a2 -> 'a2) -> 'a2 -> 'a1 list -> 'a2

val foldl : ('a2 -> 'a1 -> 'a2) -> 'a2 -> 'a1 list -> 'a2

val zip : 'a1 list -> 'a2 list -> ('a1 * 'a2) list

val all2 : ('a1 -> 'a2 -> bool) -> 'a1 list -> 'a2 list -> bool

type 't numbers = { nzero : 't; nunit : 't; nadd : ('t -> 't -> 't);
                    nopp : ('t -> 't); nmul : ('t -> 't -> 't);
                    ninv : ('t -> 't); neq : ('t -> 't -> bool);
                    nle : ('t -> 't -> bool) }

val nsub : 'a1 numbers -> 'a1 -> 'a1 -> 'a1

val ndiv : 'a1 numbers -> 'a1 -> 'a1 -> 'a1

val nnat : 'a1 numbers -> int -> 'a1

val total : 'a1 numbers -> int -> (int -> 'a1) -> 'a1

val less : 'a1 numbers -> 'a1 -> 'a1 -> bool

val entry : 'a1 numbers -> 'a1 list list -> int -> int -> 'a1

val build : int -> (int -> int -> 'a1) -> 'a1 list list

val scalar : 'a1 numbers -> 'a1 -> int -> int -> 'a1

val product :
  'a1 numbers -> int -> 'a1 list list -> 'a1 list list -> 'a1 list list

val sweep : 'a1 numbers -> int -> 'a1 list list -> int -> 'a1 list list

val eliminate : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list

val is_one : 'a1 numbers -> int -> 'a1 list list -> bool

val inverse : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list option

val cmass : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list -> int -> 'a1

type 't pstate = { pacc : 't list list; pup : 't; plo : 't; psum : 't }

val pscale : 'a1 numbers -> 'a1 list -> int -> 'a1

val pouter :
  'a1 numbers -> 'a1 list list -> 'a1 list -> int -> int -> int -> 'a1

val pgram : 'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 list list

val pinvert :
  'a1 numbers -> int -> 'a1 list list -> 'a1 pstate -> ('a1 list list * 'a1)
  option

val pmass :
  'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 list list -> int ->
  'a1

val pprob :
  'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 list list -> 'a1 ->
  int -> 'a1

val pweight :
  'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1 list list ->
  int -> 'a1

val pstep :
  'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1 pstate -> 'a1
  list list -> 'a1 -> int -> 'a1 pstate

val pstart : 'a1 numbers -> int -> 'a1 -> 'a1 pstate

val ppaper : 'a1 numbers -> int -> 'a1 -> 'a1 pstate -> bool

val plevel : 'a1 numbers -> int -> 'a1 -> 'a1 -> 'a1 pstate -> bool

val pmid : 'a1 numbers -> 'a1 pstate -> 'a1

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

val said : ('a1 -> 'a1 -> bool) -> 'a1 option -> 'a1 -> bool

val said_all : ('a1 -> 'a1 -> bool) -> 'a1 list option -> 'a1 list -> bool

val goes_on : 'a1 numbers -> int -> 'a1 -> 'a1 stop_rule -> 'a1 pstate -> bool

val line_ok :
  'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> ('a1 -> 'a1 ->
  bool) -> 'a1 pstate -> 'a1 list list -> 'a1 -> 'a1 trace_line -> bool

val follow :
  'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1 stop_rule ->
  'a1 list list -> 'a1 pstate -> ('a1 * 'a1) list -> 'a1 trace_line list ->
  ('a1 pstate * ('a1 * 'a1) list) option

val header_ok : 'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 -> bool

val check : 'a1 numbers -> 'a1 trace -> bool

val size_of : 'a1 numbers -> 'a1 -> 'a1

val near : 'a1 numbers -> 'a1 -> 'a1 -> 'a1 -> bool

val form_of :
  'a1 numbers -> int -> 'a1 list list -> 'a1 list -> 'a1 list -> 'a1

val orthogonal : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list

val same_table : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list -> bool

val flip : 'a1 numbers -> int -> 'a1 list list -> 'a1 list list

val definite : 'a1 numbers -> int -> 'a1 list list -> bool

val check_state :
  'a1 numbers -> 'a1 -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1 pstate
  -> 'a1 trace_line -> bool

val check_step :
  'a1 numbers -> 'a1 -> int -> 'a1 list list -> 'a1 list -> 'a1 -> 'a1 pstate
  -> 'a1 trace_line -> 'a1 pstate -> bool
