(** The checkers of SpecModel.v, as OCaml. The numbers are
    a parameter: checker.ml gives them zarith's rationals. *)
From Coq Require Import ExtrOcamlBasic ExtrOcamlNatInt.
From Asura Require Import SpecModel.
Extraction "asura_checker.ml" check check_state check_step.
