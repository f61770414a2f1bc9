/// A piece of a parsed template; ranges are offsets in the template's bytes.
enum Node: Sendable {
  /// `startsLine` is where the indentation of a partial goes, likewise after each inner newline.
  case text(Range<Int>, startsLine: Bool)
  /// The same in front of a tag.
  case lineStart
  case value(Path, escaped: Bool)
  case section(Path, [Node])
  case inverted(Path, [Node])
  case partial(Inclusion)
  case parent(Inclusion, [Argument])
  case block(Block)
}

/// The dotted name of a value.
struct Path: Sendable {
  /// Empty for `.`, the innermost value itself.
  let keys: [Key]
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

/// A block outside of a parent: it can be filled from outside.
struct Block: Sendable {
  let name: String
  let content: [Node]
  /// Put before each line of what fills it.
  let indentation: Range<Int>
  /// The opening tag has its line to itself, so what fills it starts a line.
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

/// A block directly inside of a parent: what fills the parent's block of that name.
struct Argument: Sendable {
  let name: String
  let content: [Node]
  /// The content goes on behind the opening tag, on the same line.
  let startsInline: Bool
  let offset: Int

  init(_ frame: Frame, startsInline: Bool) {
    name = frame.label
    content = frame.nodes
    self.startsInline = startsInline
    offset = frame.range.lowerBound
  }
}
