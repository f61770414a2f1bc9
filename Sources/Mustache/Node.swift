/// A node of a parsed template; ranges are byte offsets in the template.
enum Node: Sendable {
  /// `startsLine`: a partial's indentation is written first; it always follows inner newlines.
  case text(Range<Int>, startsLine: Bool)
  /// The start of a line without text before its first tag.
  case lineStart
  case value(Path, escaped: Bool)
  case section(Path, [Node], isInverted: Bool)
  case partial(Inclusion)
  case parent(Inclusion, [Block])
  case block(Block)
}

struct Path: Sendable {
  /// Empty for `.`, the current value.
  let keys: [String]
  let offset: Int
}

/// `{{>name}}` or `{{<name}}`.
struct Inclusion: Sendable {
  enum Target: Sendable {
    case fixed(String)
    case dynamic(Path)
  }

  let target: Target
  /// Written before each line of the included template.
  let indentation: Range<Int>
  let offset: Int
}

/// A block: inside a parent tag it overrides the parent's block of that name; elsewhere it can be
/// overridden.
struct Block: Sendable {
  let name: String
  let content: [Node]
  /// Written before each line of the override.
  let indentation: Range<Int>
  /// Whether the content starts on a new line, because the opening tag ends its line.
  let startsLine: Bool
  let offset: Int

  init(_ frame: Frame, startsLine: Bool) {
    name = frame.label
    content = frame.nodes
    indentation = frame.indentation
    self.startsLine = startsLine
    offset = frame.range.lowerBound
  }
}
