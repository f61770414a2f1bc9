/// A section, parent or block that is open while the template is parsed.
struct Frame {
  enum Kind {
    case root
    case section(Path)
    case inverted(Path)
    /// The range is the whitespace in front of it, nil if something else stands there.
    case parent(Inclusion.Target, leading: Range<Int>?)
    case block(startsLine: Bool)
    /// A block directly inside of a parent; `dedent` is what held outside of it.
    case argument(startsInline: Bool, dedent: Range<Int>)
  }

  let kind: Kind
  /// Of the opening tag.
  var range = 0..<0
  /// What the closing tag must repeat.
  var label = ""
  /// Of a block: what is put before the lines that fill it.
  var indentation = 0..<0
  /// The next line that is not empty tells the indentation of the content.
  var awaitsFirstLine = false
  var nodes: [Node] = []
  var arguments: [Argument] = []

  var isParent: Bool {
    if case .parent = kind { true } else { false }
  }
}
