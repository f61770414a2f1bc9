"""Finds where values violate a JSON Schema, for Tests/SiteSupport/SchemaOracle.swift.

    .test-tools/bin/python script/schema_check.py SCHEMA

Reads one JSON value per line, and prints the paths of the errors in each: `avatars[0].size`.
"""

import json
import re
import sys

import jsonschema


def shown(path):
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        else:
            word = part if re.fullmatch(r"[A-Za-z0-9_-]+", part) else json.dumps(part)
            text += ("." if text else "") + word
    return text


def is_of_type(error):
    """Whether an error in an alternative is about the value's content, not its type."""
    if error.path or error.validator in ("maxItems", "minItems", "additionalProperties", "required"):
        return True
    return error.validator == "anyOf" and all(one.validator == "required" for one in error.context)


def leaves(error):
    """Returns an error's paths; for alternatives, only those for the value's type."""
    path = list(error.absolute_path)
    if error.validator == "additionalProperties" and error.validator_value is False:
        known = error.schema.get("properties", {})
        return [path + [key] for key in error.instance if key not in known]
    if error.validator != "anyOf":
        return [path]
    branches = {}
    for inner in error.context:
        branches.setdefault(inner.schema_path[0], []).append(inner)
    for inner in branches.values():
        if all(map(is_of_type, inner)):
            return [leaf for one in inner for leaf in leaves(one)]
        if len(inner) == 1 and inner[0].validator == "anyOf":
            deeper = leaves(inner[0])
            if deeper != [path]:
                return deeper
    return [path]


def pattern(validator, wanted, value, schema):
    """Matches as in JavaScript, where $ does not match before a final line break."""
    if isinstance(value, str) and not re.search(wanted.replace("$", r"\Z"), value):
        yield jsonschema.ValidationError("another form")


def main():
    with open(sys.argv[1]) as file:
        schema = json.load(file)
    standard = jsonschema.Draft202012Validator
    standard.check_schema(schema)
    check = jsonschema.validators.extend(standard, {"pattern": pattern})(schema)
    for line in sys.stdin:
        places = {shown(leaf) for error in check.iter_errors(json.loads(line)) for leaf in leaves(error)}
        print(json.dumps(sorted(places)), flush=True)


main()
