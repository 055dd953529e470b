(* Reads traces (asura-trace/1, JSON Lines) and asks the extracted checker.
   Exit 0: every trace is accepted; 1: one is refused; 2: one cannot be read. *)
open Asura_checker

(* zarith's rationals, with 1/0 = 0 as in Coq: this is the hypothesis [reads]. *)
let numbers =
  { nzero = Q.zero; nunit = Q.one; nadd = Q.add; nopp = Q.neg; nmul = Q.mul;
    ninv = (fun a -> if Q.sign a = 0 then Q.zero else Q.inv a);
    neq = Q.equal; nle = Q.leq }

type json =
  | Null | Bool of bool | Number of string | String of string
  | List of json list | Object of (string * json) list

exception Unreadable of string

let parse text =
  let position = ref 0 in
  let peek () = if !position < String.length text then text.[!position] else '\000' in
  let rec blank () =
    match peek () with ' ' | '\t' | '\r' | '\n' -> incr position; blank () | _ -> () in
  let expect c =
    if peek () <> c then raise (Unreadable (Printf.sprintf "expected %c" c));
    incr position in
  let word w value =
    String.iter expect w; value in
  let string () =
    expect '"';
    let start = !position in
    while peek () <> '"' do
      if peek () = '\\' || peek () = '\000' then raise (Unreadable "string");
      incr position
    done;
    let s = String.sub text start (!position - start) in
    expect '"'; s in
  let items close item =
    blank ();
    if peek () = close then (expect close; [])
    else
      let rec more () =
        let x = item () in
        blank ();
        if peek () = ',' then (expect ','; x :: more ()) else (expect close; [x]) in
      more () in
  let rec value () =
    blank ();
    match peek () with
    | '{' ->
      expect '{';
      Object (items '}' (fun () ->
        blank (); let k = string () in blank (); expect ':'; (k, value ())))
    | '[' -> expect '['; List (items ']' value)
    | '"' -> String (string ())
    | 'n' -> word "null" Null
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | _ ->
      let start = !position in
      while (match peek () with
             | '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> true | _ -> false) do
        incr position
      done;
      if start = !position then raise (Unreadable "value");
      Number (String.sub text start (!position - start)) in
  let v = value () in
  blank ();
  if !position <> String.length text then raise (Unreadable "end of line");
  v

let contains c s = String.contains s c

(* A JSON number with a point or an exponent is a binary64; a string is exact. *)
let number = function
  | Number s when contains '.' s || contains 'e' s || contains 'E' s ->
    Q.of_float (float_of_string s)
  | Number s -> Q.of_string s
  | String s when contains 'x' s || contains 'X' s -> Q.of_float (float_of_string s)
  | String s -> Q.of_string s
  | _ -> raise (Unreadable "number")

let field name = function
  | Object pairs -> (match List.assoc_opt name pairs with Some Null -> None | x -> x)
  | _ -> raise (Unreadable "object")
let need name o =
  match field name o with Some x -> x | None -> raise (Unreadable ("no " ^ name))
let list = function List l -> l | _ -> raise (Unreadable "list")
let numbers_of j = List.map number (list j)
let integer j = Q.to_int (number j)

let trace_of lines =
  match lines with
  | [] -> raise (Unreadable "empty")
  | header :: rest ->
    let rest = List.rev rest in
    let result, iterations = List.hd rest, List.rev (List.tl rest) in
    let points = List.map numbers_of (list (need "points" header)) in
    let uniforms = Option.map numbers_of (field "uniforms" header) in
    let line j o =
      if integer (need "j" o) <> j then raise (Unreadable "j");
      let n name = Option.map number (field name o) in
      { pick = integer (need "index" o);
        line_uniform = Option.bind uniforms (fun us -> List.nth_opt us j);
        line_u = n "u"; line_l = n "l"; line_phi = n "phi"; line_p = n "p";
        line_probabilities = Option.map numbers_of (field "probabilities" o);
        line_weight = n "weight" } in
    let n name = Option.map number (field name result) in
    { trace_d = List.length (List.hd points); trace_points = points;
      trace_scales = (match field "squared_scales" header with
                      | Some l -> numbers_of l | None -> []);
      trace_gamma = number (need "gamma" header);
      trace_rule = (match field "stopping" header with
                    | Some (String "sure") ->
                      RuleGap (match field "level" header with
                               | Some t -> number t | None -> Q.one)
                    | Some (String "paper") | None -> RulePaper
                    | _ -> raise (Unreadable "stopping"));
      trace_lines = List.mapi line iterations;
      trace_m = integer (need "m" result);
      trace_u = n "u"; trace_l = n "l"; trace_mid = n "mid";
      trace_weights = Option.map numbers_of (field "weights" result);
      trace_alphas = Option.map numbers_of (field "alphas" result) }

let read file =
  let channel = open_in file in
  let rec lines () =
    match input_line channel with
    | exception End_of_file -> close_in channel; []
    | l when String.trim l = "" -> lines ()
    | l -> let j = parse l in j :: lines () in
  trace_of (lines ())

let () =
  let worst = ref 0 in
  let files = List.tl (Array.to_list Sys.argv) in
  if files = [] then (prerr_endline "usage: checker TRACE..."; exit 2);
  List.iter (fun file ->
    match check numbers (read file) with
    | true -> Printf.printf "%s: accepted\n" file
    | false -> Printf.printf "%s: refused\n" file; worst := max !worst 1
    | exception (Unreadable what | Failure what | Invalid_argument what | Sys_error what) ->
      Printf.printf "%s: cannot be read: %s\n" file what; worst := 2
    | exception Division_by_zero ->
      Printf.printf "%s: cannot be read: denominator 0\n" file; worst := 2) files;
  exit !worst
