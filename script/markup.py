"""Parses pages with html5lib and style sheets with tinycss2, and prints all errors."""

import re
import sys

import html5lib
import tinycss2

# html5lib does not support templates, so each template's content is parsed in its future parent.
TEMPLATE = re.compile(r"(<template\b[^>]*>)(.*?)(</template>)", re.DOTALL)
CONTAINERS = {"tr": "tbody", "td": "tr", "th": "tr", "li": "ul", "option": "select"}


def html_errors(text):
    parser = html5lib.HTMLParser()
    parser.parse(TEMPLATE.sub(r"\1\3", text))
    yield from parser.errors
    for _, inside, _ in TEMPLATE.findall(text):
        name = re.search(r"<(\w+)", inside)
        parser = html5lib.HTMLParser()
        parser.parseFragment(inside, container=CONTAINERS.get(name and name[1], "div"))
        yield from parser.errors


def token_errors(tokens):
    for token in tokens or ():
        if token.type == "error":
            yield (token.source_line, token.source_column), token.kind, token.message
        for name in ("content", "arguments"):
            yield from token_errors(getattr(token, name, None))


def css_errors(rules):
    for rule in rules:
        yield from token_errors(getattr(rule, "prelude", None))
        if rule.type == "declaration":
            yield from token_errors(rule.value)
        if rule.type == "error":
            yield (rule.source_line, rule.source_column), rule.kind, rule.message
        if getattr(rule, "content", None) is None:
            continue
        # A block contains declarations, nested rules, or both.
        parse = tinycss2.parse_blocks_contents
        if rule.type == "at-rule" and rule.lower_at_keyword in ("media", "supports", "layer", "keyframes"):
            parse = tinycss2.parse_rule_list
        yield from css_errors(parse(rule.content, skip_comments=True, skip_whitespace=True))


for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if path.endswith(".css"):
        errors = css_errors(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True))
    else:
        errors = html_errors(text)
    for place, code, detail in errors:
        print(f"{path}:{place[0]}:{place[1]}: {code} {detail}")
