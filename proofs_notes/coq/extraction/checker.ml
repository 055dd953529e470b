(* Asks the extracted checkers about traces. Exit 0: every trace is accepted; 1: one is refused;
   2: one cannot be read, or the arguments are wrong; 3: none of these, but of one trace not every
   state is recorded. *)
open Asura_checker
open Reader

let usage = "usage: checker TRACE...               every value exact, from the start on\n\
            \       checker --steps EPS TRACE...   every step within EPS, from the recorded state"

let whole file trace =
  let accepted = check numbers trace in
  Printf.printf "%s: %s\n" file (if accepted then "accepted" else "refused");
  if accepted then 0 else 1

let steps allowance file trace =
  let say number (name, what) =
    Printf.printf "%s: line %d, field `%s`: %s\n" file number name what in
  let outcomes = Steps.check_steps allowance say trace in
  let count outcome = List.length (List.filter ((=) outcome) outcomes) in
  let refused, unrecorded = count Steps.Refused, count Steps.Unrecorded in
  let verdict, code =
    if refused > 0 then Printf.sprintf "refused (lines: %d)" refused, 1
    else if unrecorded > 0 then Printf.sprintf "undecided (lines without a state: %d)" unrecorded, 3
    else Printf.sprintf "accepted (steps: %d)" (List.length trace.trace_lines), 0 in
  Printf.printf "%s: %s\n" file verdict;
  code

let judged judge file =
  let unreadable what = Printf.printf "%s: cannot be read: %s\n" file what; 2 in
  match read file with
  | trace -> judge file trace
  | exception (Malformed what | Sys_error what) -> unreadable what
  | exception Stack_overflow -> unreadable "nested too deeply, or too long"

let misused what = prerr_endline what; exit 2

let allowance text =
  match exact text with
  | e when Q.sign e >= 0 && Q.lt e Q.one -> e
  | _ | exception No_scalar ->
    misused (Printf.sprintf "EPS: %s, expected a number of [0, 1): 0, 1e-9, 1/1000" (short text))

(* of the codes of all files, the one that counts *)
let worst codes = List.find (fun code -> List.mem code codes) [ 2; 1; 3; 0 ]

let () =
  match List.tl (Array.to_list Sys.argv) with
  | "--steps" :: text :: (_ :: _ as files) ->
    let judge = steps (allowance text) in
    exit (worst (List.map (judged judge) files))
  | file :: _ as files when file <> "--steps" -> exit (worst (List.map (judged whole) files))
  | _ -> misused usage
