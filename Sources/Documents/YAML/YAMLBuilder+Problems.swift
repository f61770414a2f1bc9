import Diagnostics

// The messages about YAML that cannot be read, or that we do not accept.
extension YAMLBuilder {
  func tagProblem(_ tag: String, at position: Position) -> Diagnostic {
    let name = tag.hasPrefix("tag:yaml.org,2002:") ? "!!" + tag.dropFirst(18) : tag
    return Diagnostic(
      .yamlTag, "the tag `\(name.brief)` is not supported", file: input.file, at: position,
      help: "remove it; to make a value text, put it into quotes")
  }

  func keyProblem(_ kind: YAMLEvent.Kind, at position: Position) -> Diagnostic {
    let found =
      switch kind {
      case .alias: "an alias"
      case .sequenceStart: "a list"
      default: "a mapping"
      }
    return Diagnostic(
      .yamlKey, "a key has to be text, but this is \(found)", file: input.file, at: position,
      help: "put text that starts with `[`, `{`, `*` or `?` into quotes")
  }

  func mergeProblem(at position: Position) -> Diagnostic {
    Diagnostic(
      .yamlMergeKey, "the merge key `<<` is not supported", file: input.file, at: position,
      help: "write the keys out, or give a whole value by an alias")
  }

  func undefinedProblem(_ name: String, at position: Position) -> Diagnostic {
    Diagnostic(
      .yamlAliasUndefined, "the alias `*\(name.brief)` has no anchor before it", file: input.file,
      at: position, help: "write `&\(name.brief)` before the value that it shall copy")
  }

  func cycleProblem(_ name: String, at position: Position) -> Diagnostic {
    Diagnostic(
      .yamlAliasCycle, "the alias `*\(name.brief)` stands inside its own anchor",
      file: input.file, at: position, help: "a value cannot contain itself: write it out")
  }

  func copiesProblem(_ limit: Int, at position: Position) -> Diagnostic {
    Diagnostic(
      .yamlAliasTooManyCopies, "the aliases copy more than \(limit) values", file: input.file,
      at: position, help: "use fewer aliases inside of what other aliases copy")
  }

  /// What libyaml found, in our words, with the advice that helps most often.
  func problem(of error: YAMLError) -> Diagnostic {
    if error.context?.hasPrefix("while parsing a flow") == true,
      let problem = input.colorComment(from: error.contextMark, to: error.mark)
    {
      return problem
    }
    // Positions are exact only when they are asked for in the order of the text.
    let contextPosition = input.position(of: error.contextMark)
    let problemPosition = input.position(of: error.mark)
    let isInside = error.context != nil && error.contextMark.index < error.mark.index
    // An open quote is reported where it opens, everything else where it was found.
    let isQuote = isInside && error.context == "while scanning a quoted scalar"
    let position = isQuote ? contextPosition : problemPosition
    let note: String? =
      if isQuote {
        "the quoted text is still open at \(problemPosition)"
      } else if isInside, let context = error.context {
        "\(context) that began at \(contextPosition)"
      } else {
        nil
      }
    if error.context == "while scanning a tag" || error.context == "while parsing a tag"
      || error.problem == "found undefined tag handle"
    {
      return Diagnostic(
        .yamlTag, "the tag here is not supported", file: input.file, at: position, note: note,
        help: "remove it, or put text that starts with `!` into quotes")
    }
    let (message, help) = Self.wording(of: error.problem)
    return Diagnostic(
      .yamlSyntax, message, file: input.file, at: position, note: note, help: help)
  }

  private static func wording(of problem: String) -> (message: String, help: String?) {
    switch problem {
    case "mapping values are not allowed in this context":
      (
        "a `:` that ends a key stands where no key can be",
        "put text that contains `: ` into quotes, and check the indentation"
      )
    case "could not find expected ':'":
      (
        "a key without a `:` behind it",
        "write `key: value`; put text that runs over several lines into quotes"
      )
    case "found character that cannot start any token":
      (
        "no value can start with this character",
        "indent with spaces, not tabs; put text that starts with @, ` or % into quotes"
      )
    case "found a tab character where an indentation space is expected",
      "found a tab character that violates indentation":
      ("a tab stands where the indentation is", "indent with spaces")
    case "found unexpected end of stream":
      ("a quoted text is never closed", "close the quote")
    case "found unexpected document indicator":
      (
        "a quoted text is not closed before a line of `---` or `...`",
        "close the quote, or indent the line"
      )
    case "found unknown escape character":
      (
        "a backslash in double quotes is followed by something that is no escape",
        "write the backslash twice, or use single quotes"
      )
    case "did not find expected key":
      (
        "a key was expected here",
        "check the indentation of this line, and that quotes are closed where they should be"
      )
    case "did not find expected '-' indicator":
      (
        "an item of the list was expected here",
        "start it with `- `, at the same indentation as the items before it"
      )
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      (
        "the list or mapping in brackets does not go on like one",
        "separate its items with commas, and close the bracket"
      )
    case "found incompatible YAML document":
      ("the file is written in another version of YAML", "remove the `%YAML` line")
    case "did not find expected <document start>":
      ("`---` was expected behind the `%YAML` line", "remove the `%YAML` line")
    case "did not find expected node content":
      ("a value was expected here", "write one, or remove what announces it")
    case "block sequence entries are not allowed in this context":
      (
        "an item of a list stands where no list can be",
        "put it on a line of its own below the key; put text that starts with `- ` into quotes"
      )
    default:
      ("the YAML cannot be read here: \(problem)", nil)
    }
  }
}
