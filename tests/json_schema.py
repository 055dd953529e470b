"""The part of JSON Schema (2020-12) that our schemas use; any other keyword is an error."""

from __future__ import annotations

from typing import Any

_SILENT = {"$schema", "$defs", "title", "description", "default"}
_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "null": (type(None),),
}


def problems(value: Any, schema: dict[str, Any], root: dict[str, Any], at: str = "$") -> list[str]:
    """What is wrong with a value; nothing when it is valid."""
    found: list[str] = []
    for keyword, rule in schema.items():
        if keyword in _SILENT:
            continue
        if keyword == "$ref":
            found += problems(value, root["$defs"][rule.removeprefix("#/$defs/")], root, at)
        elif keyword == "anyOf":
            tries = [problems(value, kind, root, at) for kind in rule]
            found += [] if [] in tries else [f"{at}: none of {len(rule)}", *min(tries, key=len)]
        elif keyword == "oneOf":
            count = sum(not problems(value, kind, root, at) for kind in rule)
            found += [] if count == 1 else [f"{at}: {count} of {len(rule)}"]
        elif keyword == "enum":
            found += [] if value in rule else [f"{at}: not in {rule}"]
        elif keyword == "type":
            kind = isinstance(value, _TYPES[rule]) and not isinstance(value, bool)
            found += [] if kind else [f"{at}: no {rule}"]
        elif keyword == "minimum":
            low = isinstance(value, (int, float)) and value < rule
            found += [f"{at}: below {rule}"] if low else []
        else:
            found += _inside(value, keyword, rule, schema, root, at)
    return found


def _inside(
    value: Any, keyword: str, rule: Any, schema: dict[str, Any], root: dict[str, Any], at: str
) -> list[str]:
    """The keywords about the entries of an array or the fields of an object."""
    entries = enumerate(value) if isinstance(value, list) else ()
    fields = value if isinstance(value, dict) else {}
    if keyword == "items":
        return [text for k, x in entries for text in problems(x, rule, root, f"{at}[{k}]")]
    if keyword == "required":
        return [f"{at}: lacks {name}" for name in rule if name not in fields]
    if keyword == "properties":
        known = sorted(fields.keys() & rule.keys())
        return [text for x in known for text in problems(fields[x], rule[x], root, f"{at}.{x}")]
    if keyword == "additionalProperties" and rule is False:
        return [f"{at}: no field {name}" for name in fields.keys() - schema["properties"].keys()]
    raise NotImplementedError(keyword)
