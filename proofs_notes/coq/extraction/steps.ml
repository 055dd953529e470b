(* Judges every step of a trace from the state that the trace itself records before it: u_j and l_j
   as reported, A_j the sum of the reported weights w'_i x_i x_i^T, i < j. Each state and its line
   go through [check_step] (accepted_states, accepted_steps), which is extracted. *)
open Asura_checker
open Reader

type outcome = Accepted | Refused | Unrecorded

let bare a =
  { pick = a.pick; line_uniform = None; line_u = None; line_l = None; line_phi = None;
    line_p = None; line_probabilities = None; line_weight = None }

(* the state after one exact iteration from s, with the sum of the potentials from s on *)
let following t s a =
  let gram = pgram numbers t.trace_d t.trace_points t.trace_scales in
  Option.map (fun (bracket, potential) ->
    pstep numbers t.trace_d t.trace_points t.trace_scales t.trace_gamma s bracket potential a.pick)
    (pinvert numbers t.trace_d gram s)

let accepts t e s a next =
  check_step numbers e t.trace_d t.trace_points t.trace_scales t.trace_gamma s a next

(* which part of a refused line is wrong: the same checker, on one value at a time *)
let what_is_wrong t e s a next =
  let b = bare a in
  let values =
    [ "index", { b with line_uniform = a.line_uniform }, "the uniform picks another point";
      "phi", { b with line_phi = a.line_phi }, "";
      "p", { b with line_p = a.line_p }, "";
      "probabilities", { b with line_probabilities = a.line_probabilities }, "";
      "weight", { b with line_weight = a.line_weight }, "" ] in
  let not_that = "not what Algorithm 2 gives from the recorded state" in
  List.filter_map (fun (name, part, why) ->
    if accepts t e s part next then None
    else Some (name, if why = "" then not_that else why)) values

(* why a state is refused with nothing but its pick *)
let no_step t s a =
  let gram = pgram numbers t.trace_d t.trace_points t.trace_scales in
  let form sign bound = build t.trace_d (fun i j ->
    Q.mul sign (Q.sub (Q.mul bound (entry numbers gram i j)) (entry numbers s.pacc i j))) in
  let inside = definite numbers t.trace_d in
  if not (inside (form Q.one s.pup)) then "u", "the recorded state is not strictly below it"
  else if not (inside (form Q.minus_one s.plo)) then "l", "the recorded state is not strictly above it"
  else "index", "no point that can be drawn from the recorded state"

(* a barrier is within e of the gap from where the step before leads *)
let lands e predicted u l =
  let off s name expected = function
    | Some a when not (near numbers e (Q.add (Q.sub a expected) (Q.sub s.pup s.plo))
                         (Q.sub s.pup s.plo)) ->
      [ name, "not where the step before leads" ]
    | _ -> [] in
  match predicted with
  | None -> []
  | Some s -> off s "u" s.pup u @ off s "l" s.plo l

(* the next state, if the step from s is one; and what is wrong with the line *)
let judge t e s a =
  match following t s a with
  | None -> Refused, None, [ no_step t s a ]
  | Some next when accepts t e s a next -> Accepted, Some next, []
  | Some next when accepts t e s (bare a) next -> Refused, Some next, what_is_wrong t e s a next
  | Some _ -> Refused, None, [ no_step t s a ]

(* A_{j+1}, known while all weights are *)
let grown t known a =
  match known, a.line_weight with
  | Some sum, Some weight ->
    Some (build t.trace_d (fun i j -> Q.add (entry numbers sum i j)
      (Q.mul weight (pouter numbers t.trace_points t.trace_scales a.pick i j))))
  | _ -> None

(* the outcome of one line; says what is wrong with it *)
let line t e say known predicted a =
  let landed = lands e predicted a.line_u a.line_l in
  let outcome, next, faults =
    match known, a.line_u, a.line_l with
    | Some pacc, Some pup, Some plo -> judge t e { pacc; pup; plo; psum = Q.zero } a
    | _ -> Unrecorded, None, [] in
  List.iter say (landed @ faults);
  (if landed = [] then outcome else Refused), next

(* the result: u_m and l_m, and m *)
let result t e say predicted =
  let landed = lands e predicted t.trace_u t.trace_l in
  let count = List.length t.trace_lines in
  let faults = if t.trace_m = count && count > 0 then []
    else [ "m", Printf.sprintf "%d, and the iterations are %d" t.trace_m count ] in
  List.iter say (landed @ faults);
  if landed @ faults = [] then Accepted else Refused

(* the outcomes of all lines and of the result *)
let outcomes t e say =
  let rec walk number known predicted = function
    | [] -> [ result t e (say number) predicted ]
    | a :: rest ->
      let outcome, next = line t e (say number) known predicted a in
      outcome :: walk (number + 1) (grown t known a) next rest in
  let nothing = build t.trace_d (fun _ _ -> Q.zero) in
  walk 2 (Some nothing) (Some (pstart numbers t.trace_d t.trace_gamma)) t.trace_lines

(* points of deficient rank have no whitening in these coordinates, and so no theorem *)
let check_steps e say t =
  if header_ok numbers t.trace_d t.trace_points t.trace_scales t.trace_gamma then outcomes t e say
  else begin
    say 1 ("points", "of deficient rank, expected coordinates of the row space");
    [ Unrecorded ]
  end
