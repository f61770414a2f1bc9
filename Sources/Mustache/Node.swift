/// A node of a parsed template; all ranges are byte offsets in the template.
enum Node: Sendable {
  /// Text; if `startsLine` is true, the renderer writes the current indentation first.
  case text(Range<Int>, startsLine: Bool)
  /// The indentation of a line that begins with a tag.
  case lineStart
  case value(Path, escaped: Bool)
  case section(Path, [Node], isInverted: Bool)
  case partial(Inclusion)
  case parent(Inclusion, [Block])
  case block(Block)
}

struct Path: Sendable {
  /// The parts of a dotted name; empty for `.`, the current value.
  let keys: [String]
  let offset: Int
}

/// A tag that includes a template: `{{>name}}` or `{{<name}}`.
struct Inclusion: Sendable {
  enum Target: Sendable {
    case fixed(String)
    case dynamic(Path)
  }

  let target: Target
  /// The indentation that is added to each line of the included template.
  let indentation: Range<Int>
  let offset: Int
}

/// A block: an override if it is directly inside a parent tag, otherwise a default.
struct Block: Sendable {
  let name: String
  let content: [Node]
  /// The indentation that is added to each line of the override.
  let indentation: Range<Int>
  /// Whether the content begins on the line after the opening tag.
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
