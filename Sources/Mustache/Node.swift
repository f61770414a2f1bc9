/// A piece of a parsed template; ranges are offsets in the template's bytes.
enum Node: Sendable {
  /// `startsLine` is where the indentation of a partial goes, likewise after each inner newline.
  case text(Range<Int>, startsLine: Bool)
  /// The same in front of a tag.
  case lineStart
  case value(Path, escaped: Bool)
  case section(Path, [Node], isInverted: Bool)
  case partial(Inclusion)
  case parent(Inclusion, [Block])
  case block(Block)
}

/// The dotted name of a value.
struct Path: Sendable {
  /// Empty for `.`, the innermost value itself.
  let keys: [String]
  let offset: Int
}

/// `{{>name}}` and `{{<name}}`: another template is written here.
struct Inclusion: Sendable {
  enum Target: Sendable {
    case fixed(String)
    case dynamic(Path)
  }

  let target: Target
  /// Put before each line of the other template.
  let indentation: Range<Int>
  let offset: Int
}

/// A block: outside of a parent it can be filled from outside, directly inside of one it fills the
/// parent's block of that name.
struct Block: Sendable {
  let name: String
  let content: [Node]
  /// Put before each line of what fills it.
  let indentation: Range<Int>
  /// The opening tag ends its line, so what fills it, or its own content, starts a line.
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
