(* Reads a trace (asura-trace/1, JSON Lines) into the record of SpecModel.v, every number exactly.
   What is not such a trace is [Malformed], with the place, the value and what was expected. *)
open Asura_checker

exception Malformed of string
let malformed format = Printf.ksprintf (fun text -> raise (Malformed text)) format

(* zarith's rationals, with 1/0 = 0 as in Coq: this is the hypothesis [reads]. *)
let numbers =
  { nzero = Q.zero; nunit = Q.one; nadd = Q.add; nopp = Q.neg; nmul = Q.mul;
    ninv = (fun a -> if Q.sign a = 0 then Q.zero else Q.inv a);
    neq = Q.equal; nle = Q.leq }

(* -- Scalars: 0.1, 1e-9, -3/7, 0x1.8p-3 -- *)

exception No_scalar

let split c text =
  match String.index_opt text c with
  | None -> text, None
  | Some i -> String.sub text 0 i, Some (String.sub text (i + 1) (String.length text - i - 1))

let digit base c = c >= '0' && c <= '9' || base = 16 && c >= 'a' && c <= 'f'
let whole base text =
  if text = "" || not (String.for_all (digit base) text) then raise No_scalar;
  Z.of_string_base base text

(* "12.5" *)
let pointed base text =
  let before, after = split '.' text in
  let after = Option.value after ~default:"" in
  Q.make (whole base (before ^ after)) (Z.pow (Z.of_int base) (String.length after))

let without_sign text =
  if text = "" then raise No_scalar;
  let rest = String.sub text 1 (String.length text - 1) in
  match text.[0] with '-' -> true, rest | '+' -> false, rest | _ -> false, text

(* a power of ten or two; five digits are far beyond what can be computed with *)
let power of_what text =
  let negative, size = without_sign text in
  let n = Z.to_int (whole 10 size) in
  if n > 99999 then raise No_scalar;
  let p = Q.of_bigint (Z.pow (Z.of_int of_what) n) in
  if negative then Q.inv p else p

let scaled base of_what letter text =
  match split letter text with
  | mantissa, None -> pointed base mantissa
  | mantissa, Some exponent -> Q.mul (pointed base mantissa) (power of_what exponent)

let magnitude text =
  match split '/' text with
  | above, Some below ->
    let below = whole 10 below in
    if Z.sign below = 0 then raise No_scalar;
    Q.make (whole 10 above) below
  | _, None when String.length text > 2 && String.sub text 0 2 = "0x" ->
    scaled 16 2 'p' (String.sub text 2 (String.length text - 2))
  | _ -> scaled 10 10 'e' text

let exact text =
  let negative, rest = without_sign (String.lowercase_ascii (String.trim text)) in
  let size = try magnitude rest with Z.Overflow -> raise No_scalar in
  if negative then Q.neg size else size

(* a number of JSON is the binary64 that it denotes *)
let binary64 text =
  let _ = exact text in
  let double = float_of_string text in
  if Float.is_finite double then Q.of_float double else raise No_scalar

(* -- JSON -- *)

type json =
  | Null | Bool of bool | Number of string | String of string
  | List of json list | Object of (string * json) list

let short text = String.escaped (String.sub text 0 (min 40 (String.length text)))
let shown = function
  | Null -> "null" | Bool b -> string_of_bool b | List _ -> "a list" | Object _ -> "an object"
  | Number s -> short s
  | String s -> Printf.sprintf "\"%s\"" (short s)

(* JSON knows no +1, .5 and 01 *)
let starts_as_in_json text =
  let size = if text.[0] = '-' then String.sub text 1 (String.length text - 1) else text in
  let before, _ = split '.' (fst (split 'e' (String.lowercase_ascii size))) in
  before = "0" || before <> "" && before.[0] >= '1' && before.[0] <= '9'

let parse text =
  let position = ref 0 in
  let peek () = if !position < String.length text then text.[!position] else '\000' in
  let unexpected what = malformed "not JSON, character %d: expected %s" (!position + 1) what in
  let rec blank () =
    match peek () with ' ' | '\t' | '\r' | '\n' -> incr position; blank () | _ -> () in
  let expect c =
    if peek () <> c then unexpected (Printf.sprintf "'%c'" c);
    incr position in
  let word w value =
    String.iter expect w; value in
  let string () =
    expect '"';
    let start = !position in
    while peek () <> '"' do
      if peek () = '\\' then incr position;
      if !position >= String.length text then unexpected "the end of a string";
      incr position
    done;
    let s = String.sub text start (!position - start) in
    expect '"'; s in
  let items close item =
    let rec more read =
      let read = item () :: read in
      blank ();
      if peek () = ',' then (expect ','; more read) else (expect close; List.rev read) in
    blank ();
    if peek () = close then (expect close; []) else more [] in
  let number () =
    let start = !position in
    while (match peek () with '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> true | _ -> false) do
      incr position
    done;
    let read = String.sub text start (!position - start) in
    if read = "" then unexpected "a value";
    if not (starts_as_in_json read) then malformed "%s, expected a number of JSON" (short read);
    Number read in
  let rec value () =
    blank ();
    match peek () with
    | '{' -> expect '{'; Object (items '}' pair)
    | '[' -> expect '['; List (items ']' value)
    | '"' -> String (string ())
    | 'n' -> word "null" Null
    | 't' -> word "true" (Bool true)
    | 'f' -> word "false" (Bool false)
    | _ -> number ()
  and pair () =
    blank ();
    let key = string () in
    blank (); expect ':';
    key, value () in
  let read = value () in
  blank ();
  if !position <> String.length text then unexpected "the end of the line";
  read

(* -- Fields -- *)

let wrong name json expected = malformed "field `%s`: %s, expected %s" name (shown json) expected

let scalar name json =
  try match json with
    | Number text -> binary64 text
    | String text -> exact text
    | _ -> raise No_scalar
  with No_scalar -> wrong name json "a number: 0.1, \"-3/7\", \"0x1.8p-3\""

let list name = function List l -> l | json -> wrong name json "a list"
let scalars name json = List.map (scalar name) (list name json)

let natural name = function
  | Number s when String.length s < 10 && String.for_all (digit 10) s -> int_of_string s
  | json -> wrong name json "a number of {0, 1, 2, ...}"

let field o name = match List.assoc_opt name o with Some Null -> None | found -> found
let need read o name =
  match field o name with
  | Some json -> read name json
  | None -> malformed "field `%s`: missing, expected its value" name
let optional read o name = Option.map (read name) (field o name)

(* the fields of an object, each known and there once *)
let fields known = function
  | Object pairs ->
    let rec distinct = function
      | [] -> ()
      | (name, _) :: rest ->
        if not (List.mem name known) then
          malformed "field `%s`: unknown, expected only %s" (short name) (String.concat ", " known);
        if List.mem_assoc name rest then malformed "field `%s`: repeated, expected once" name;
        distinct rest in
    distinct pairs; pairs
  | json -> malformed "%s, expected an object" (shown json)

(* the theorems speak of Algorithm 2 at the paper's rates *)
let only word o name =
  match field o name with
  | None -> ()
  | Some (String s) when s = word -> ()
  | Some json -> wrong name json (Printf.sprintf "\"%s\"" word)

let within name test expected value =
  if not (test value) then
    malformed "field `%s`: %s, expected %s" name (short (Q.to_string value)) expected;
  value

(* -- The three kinds of lines -- *)

let header_fields =
  [ "format"; "gamma"; "points"; "unlabelled"; "squared_scales"; "labels"; "uniforms"; "precision";
    "implementation"; "stopping"; "level"; "whitening"; "rates"; "variant"; "ending"; "draws" ]
let iteration_fields = [ "j"; "index"; "u"; "l"; "phi"; "p"; "probabilities"; "weight" ]
let result_fields = [ "m"; "u"; "l"; "mid"; "weights"; "alphas"; "beta" ]

let points name json =
  let rows = List.map (scalars name) (list name json) in
  let width = match rows with [] -> 0 | row :: _ -> List.length row in
  if width = 0 then malformed "field `%s`: empty, expected rows of numbers" name;
  List.iter (fun row ->
    if List.length row <> width then
      malformed "field `%s`: a row of %d numbers, expected %d" name (List.length row) width) rows;
  if List.for_all (List.for_all (Q.equal Q.zero)) rows then
    malformed "field `%s`: only 0, expected a point besides" name;
  rows

let scales count name json =
  let scales = scalars name json in
  if List.length scales <> count then
    malformed "field `%s`: %d numbers, expected %d" name (List.length scales) count;
  List.map (within name (fun a -> Q.sign a >= 0) "a number of at least 0") scales

let rule o =
  match field o "stopping" with
  | None | Some (String "paper") -> RulePaper
  | Some (String "sure") -> RuleGap (Option.value (optional scalar o "level") ~default:Q.one)
  | Some json -> wrong "stopping" json "\"paper\" or \"sure\""

let uniforms name json =
  List.map (within name (fun r -> Q.sign r >= 0 && Q.lt r Q.one) "a number of [0, 1)")
    (scalars name json)

let iteration count uniforms j json =
  let o = fields iteration_fields json in
  let said, index = need natural o "j", need natural o "index" in
  if said <> j then malformed "field `j`: %d, expected %d" said j;
  if index >= count then malformed "field `index`: %d, expected less than %d" index count;
  { pick = index; line_uniform = List.nth_opt uniforms j;
    line_u = optional scalar o "u"; line_l = optional scalar o "l";
    line_phi = optional scalar o "phi"; line_p = optional scalar o "p";
    line_probabilities = optional scalars o "probabilities";
    line_weight = optional scalar o "weight" }

let on_line number read x =
  try read x with Malformed what -> malformed "line %d: %s" number what

let header json =
  let o = fields header_fields json in
  ignore (need (fun name _ -> only "asura-trace/1" o name) o "format");
  List.iter2 (fun word name -> only word o name)
    [ "paper"; "asura"; "overshoot" ] [ "rates"; "variant"; "ending" ];
  let rows = need points o "points" in
  let unlabelled, count = need natural o "unlabelled", List.length rows in
  if unlabelled > count then
    malformed "field `unlabelled`: %d, expected at most %d" unlabelled count;
  let gamma = within "gamma" (fun g -> Q.sign g > 0 && Q.lt g (Q.of_ints 1 2))
      "a number between 0 and 1/2" (need scalar o "gamma") in
  let uniforms = Option.value (optional uniforms o "uniforms") ~default:[] in
  let scales = Option.value (optional (scales count) o "squared_scales") ~default:[] in
  rows, gamma, scales, rule o, uniforms

(* the iterations, and the number of the result and the result: what has no j *)
let rec parted number read = function
  | [ Object o as last ] when not (List.mem_assoc "j" o) -> List.rev read, number, last
  | [] | [_] -> malformed "line %d ends the trace: expected a result after it" number
  | line :: rest -> parted (number + 1) (line :: read) rest

let trace_of = function
  | [] -> malformed "the trace is empty: expected a header"
  | [_] -> malformed "line 1 ends the trace: expected a result after it"
  | first :: rest ->
    let rows, gamma, scales, rule, uniforms = on_line 1 header first in
    let iterations, number, last = parted 2 [] rest in
    let read j json = on_line (j + 2) (iteration (List.length rows) uniforms j) json in
    let lines = List.mapi read iterations in
    on_line number (fun last ->
      let o = fields result_fields last in
      { trace_d = List.length (List.hd rows); trace_points = rows; trace_scales = scales;
        trace_gamma = gamma; trace_rule = rule; trace_lines = lines;
        trace_m = need natural o "m";
        trace_u = optional scalar o "u"; trace_l = optional scalar o "l";
        trace_mid = optional scalar o "mid"; trace_weights = optional scalars o "weights";
        trace_alphas = optional scalars o "alphas" }) last

let read file =
  let channel = open_in_bin file in
  let rec lines number read =
    match input_line channel with
    | exception End_of_file -> close_in channel; List.rev read
    | text -> lines (number + 1) (on_line number parse text :: read) in
  trace_of (lines 1 [])
