"""Writes the manual page and the shell completions from the output of `sitegen help`.

    python3 script/help_texts.py PROGRAM VERSION DATE FOLDER
"""

import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"^  (?:-(\w), |    )--([a-z-]+)(?: (\S+(?: \S+)*?))?(?:  +(.*))?$")

FILES = [
    ("content/manifest.yaml", "the manifest, which describes the site"),
    ("output/", "the published site"),
    (".sitegen/", "the cache; report.json describes the last build"),
    ("~/.config/systemd/user/sitegen-*", "jobs installed by `sitegen schedule`"),
    ("/usr/share/doc/sitegen/", "the documentation, with recipes to copy"),
]


def options(lines):
    """Returns a command's options: letter, name, value and help."""
    found = []
    for line in lines:
        match = OPTION.match(line)
        if match:
            found.append([part or "" for part in match.groups()])
        elif found and line.startswith(" " * 30):
            found[-1][3] = f"{found[-1][3]} {line.strip()}".strip()
    return found


def commands(program):
    """Returns each command's name, summary, help lines and options."""
    ask = lambda *words: subprocess.run(
        [program, "help", *words], check=True, capture_output=True, text=True
    ).stdout
    names = re.findall(r"^  ([a-z]+)  +(.+)$", ask().split("\nExamples:")[0], re.M)
    pages = []
    for name, summary in names:
        lines = ask(name).splitlines()
        pages.append((name, summary, lines, options(lines)))
    if not any(command[3] for command in pages):
        sys.exit("the help does not contain any options")
    return ask().splitlines(), pages


def words(pages, lines):
    """Returns the possible values of the first argument; nothing if it is a path."""
    for line in lines:
        match = re.match(r"  ([A-Z]+)  +(.+)$", line)
        if match and match[1] == "COMMAND":
            return [command[0] for command in pages]
        if match and re.fullmatch(r"(\w+, )*\w+ or \w+", match[2]):
            return re.split(", | or ", match[2])
    return []


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return "\\&" + text if text[:1] in ".'" else text


def terms(lines, title):
    """Returns the entries below a title; continuation lines start with more than two spaces."""
    start = lines.index(title) + 1
    out = []
    for line in lines[start : lines.index("", start)]:
        match = re.match(r"  (\S+)  +(.+)$", line)
        out += [".TP", f"\\fB{roff(match[1])}\\fR", roff(match[2])] if match else [roff(line.strip())]
    return out


def manual(version, date, overview, pages):
    out = [f'.TH SITEGEN 1 "{date}" "sitegen {version}" "User Commands"', ".SH NAME"]
    out += [f"sitegen \\- {roff(overview[0].removeprefix('sitegen ').rstrip('.'))}"]
    out += [".SH SYNOPSIS", ".B sitegen", r"\fICOMMAND\fR [\fIOPTIONS\fR]", ".SH COMMANDS"]
    for name, summary, lines, found in pages:
        usage = next(line for line in lines if line.startswith("Usage: "))
        out += [f".SS {roff(usage.removeprefix('Usage: '))}", roff(summary) + "."]
        for letter, option, value, text in found:
            words = (f"\\-{letter}, " if letter else "") + f"\\-\\-{roff(option)}"
            out += [".TP", f"\\fB{words}\\fR" + (f" \\fI{roff(value)}\\fR" if value else ""), roff(text)]
        last = max(number for number, line in enumerate(lines) if OPTION.match(line))
        while lines[last]:
            last += 1
        end = lines.index("Examples:")
        out += [roff(line) if line else ".PP" for line in lines[last:end]]
        out += [".EX"] + [roff(line) for line in lines[end + 1 : lines.index("", end)]] + [".EE"]
    out += [".SH FILES"]
    for path, text in FILES:
        out += [".TP", f"\\fI{roff(path)}\\fR", roff(text)]
    out += [".SH ENVIRONMENT"] + terms(overview, "Environment:")
    out += [".SH EXIT STATUS"] + terms(overview, "Exit codes:")
    out += [".SH SEE ALSO", "The documentation in /usr/share/doc/sitegen."]
    return "\n".join(out) + "\n"


def choices(value):
    return value.split("|") if "|" in value else []


def takes_path(value):
    return value in ("FILE", "DIR", "PATH")


def bash(pages):
    lines = ["# Bash completions for sitegen.", "_sitegen_files() {", "  compopt -o filenames"]
    lines += ['  mapfile -t COMPREPLY < <(compgen -f -- "$word")', "}", "_sitegen_words() {"]
    lines += ['  mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")', "}", "_sitegen() {"]
    lines += ["  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}"]
    names = " ".join(command[0] for command in pages)
    lines += [f'  [ "$COMP_CWORD" != 1 ] || {{ _sitegen_words "{names} --help --version"; return; }}']
    # The = in --name=value is a separate word.
    lines += ["  if [ \"$word\" = = ]; then", "    word=", '  elif [ "$before" = = ]; then']
    lines += ["    before=${COMP_WORDS[COMP_CWORD - 2]}", "  fi", '  case ${COMP_WORDS[1]}:$before in']
    for name, _, _, found in pages:
        for letter, option, value, _ in found:
            if not value:
                continue
            pattern = f"{name}:--{option}" + (f" | {name}:-{letter}" if letter else "")
            answer = f'_sitegen_words "{" ".join(choices(value))}"'
            lines += [f"    {pattern}) {'_sitegen_files' if takes_path(value) else answer}; return ;;"]
    lines += ["  esac", "  local options= first=", "  case ${COMP_WORDS[1]} in"]
    for name, _, text, found in pages:
        first = words(pages, text)
        lines += [f'    {name}) options="{" ".join("--" + option[1] for option in found)}"']
        lines += [f'      first="{" ".join(first)}" ;;' if first else "      ;;"]
    lines += ["  esac", "  case $word in", '    -*) _sitegen_words "$options" ;;']
    lines += ['    *) if [ -n "$first" ] && [ "$COMP_CWORD" = 2 ]; then', '        _sitegen_words "$first"']
    lines += ["      else", "        _sitegen_files", "      fi ;;", "  esac", "}"]
    lines += ["complete -F _sitegen sitegen"]
    return "\n".join(lines) + "\n"


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zsh(pages):
    plain = lambda text: text.replace("[", "(").replace("]", ")").replace(":", "\\:")
    lines = ["#compdef sitegen", "local -a commands", "commands=("]
    lines += [f"  {quoted(name + ':' + plain(summary))}" for name, summary, _, _ in pages]
    lines += [")", "if (( CURRENT == 2 )); then", "  _describe command commands", "  return", "fi"]
    lines += ["local name=$words[2]", "shift words", "(( CURRENT-- ))", "case $name in"]
    for name, _, told_lines, found in pages:
        specs = []
        for letter, option, value, text in found:
            action = ""
            if choices(value):
                action = f":value:({' '.join(choices(value))})"
            elif value:
                action = f":{plain(value)}:" + ("_files" if takes_path(value) else "")
            # With = or +, the value may follow in the same word.
            long, short = ("=", "+") if value else ("", "")
            for word in [f"--{option}{long}"] + ([f"-{letter}{short}"] if letter else []):
                specs.append(quoted(f"{word}[{plain(text)}]{action}"))
        first = words(pages, told_lines)
        specs += [f"'1:word:({' '.join(first)})'"] if first else []
        lines += [f"  {name}) _arguments {' '.join(specs)} '*:file:_files' ;;"]
    return "\n".join(lines + ["esac"]) + "\n"


def fish(pages):
    lines = ["# Fish completions for sitegen.", "function __sitegen_is"]
    lines += ["  set -l words (commandline -opc)", '  test "$words[2]" = $argv[1]', "end"]
    lines += ["function __sitegen_is_first", "  set -l words (commandline -opc)"]
    lines += ["  test (count $words) = 2; and __sitegen_is $argv[1]", "end"]
    lines += ["complete -c sitegen -n __fish_use_subcommand -f"]
    lines += ["complete -c sitegen -n __fish_use_subcommand -s h -l help -d 'list the commands'"]
    lines += ["complete -c sitegen -n __fish_use_subcommand -s V -l version -d 'print the version'"]
    for name, summary, told_lines, found in pages:
        lines += [f"complete -c sitegen -n __fish_use_subcommand -a {name} -d {fish_quoted(summary)}"]
        if words(pages, told_lines):
            answer = fish_quoted(" ".join(words(pages, told_lines)))
            lines += [f"complete -c sitegen -n '__sitegen_is_first {name}' -f -a {answer}"]
        for letter, option, value, text in found:
            line = f"complete -c sitegen -n '__sitegen_is {name}' -l {option}"
            line += f" -s {letter}" if letter else ""
            if choices(value):
                line += f" -x -a {fish_quoted(' '.join(choices(value)))}"
            elif value:
                line += " -r" if takes_path(value) else " -x"
            lines += [f"{line} -d {fish_quoted(text)}"]
    return "\n".join(lines) + "\n"


def fish_quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def main():
    program, version, date, folder = sys.argv[1:]
    overview, pages = commands(program)
    texts = {
        "man/man1/sitegen.1": manual(version, date, overview, pages),
        "bash-completion/completions/sitegen": bash(pages),
        "zsh/vendor-completions/_sitegen": zsh(pages),
        "fish/vendor_completions.d/sitegen.fish": fish(pages),
    }
    for name, text in texts.items():
        path = pathlib.Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


main()
