import Diagnostics

/// A template parser; most of its code implements the whitespace rules of the Mustache spec.
///
/// The line of a standalone tag is removed. Content inserted by a partial, parent or block is
/// indented. A block inside a parent loses its indentation.
struct Parser {
  let source: SourceText
  private(set) var inclusions: [Inclusion] = []
  private(set) var paths: [Path] = []

  private var scanner: TagScanner
  var frames = [Frame(kind: .root)]
  /// The end of the text parsed so far, as a byte offset.
  var cursor = 0
  var isAtLineStart = true
  /// The indentation to remove from each line, as a range in the source.
  var dedent = 0..<0

  init(_ source: SourceText) {
    self.source = source
    scanner = TagScanner(source)
  }

  mutating func parse() throws(Diagnostic) -> [Node] {
    while let tag = try scanner.next(from: cursor) {
      switch tag.kind {
      case .escaped, .unescaped: try takeValue(tag)
      case .section, .inverted: try openSection(tag)
      case .block where frames[frames.count - 1].isParent: try openArgument(tag)
      case .block: try openBlock(tag)
      case .parent: try openParent(tag)
      case .partial: try takePartial(tag)
      case .close: try close(tag)
      case .comment, .delimiters: _ = passLine(of: tag)
      }
    }
    takeText(upTo: source.bytes.count)
    try checkAllAreClosed()
    return frames[0].nodes
  }

  private mutating func takeValue(_ tag: Tag) throws(Diagnostic) {
    let path = try tag.path(in: source)
    paths.append(path)
    pass(tag)
    append(.value(path, escaped: tag.kind == .escaped))
  }

  private mutating func takePartial(_ tag: Tag) throws(Diagnostic) {
    let target = try tag.target(in: source)
    append(.partial(include(target, tag.range, indentation: passLine(of: tag))))
  }

  private mutating func openSection(_ tag: Tag) throws(Diagnostic) {
    let path = try tag.path(in: source)
    paths.append(path)
    _ = passLine(of: tag)
    try open(tag, as: .section(path, isInverted: tag.kind == .inverted))
  }

  private mutating func openBlock(_ tag: Tag) throws(Diagnostic) {
    let leading = leadingWhitespace(before: tag)
    let isAlone = passLine(of: tag) != nil
    try open(
      tag, as: .block(startsLine: isAlone), indentation: leading.map(dedented),
      awaitsFirstLine: isAlone)
  }

  private mutating func openArgument(_ tag: Tag) throws(Diagnostic) {
    let nextLine = nextLine(after: tag)
    try open(
      tag, as: .argument(startsLine: nextLine != nil, dedent: dedent),
      awaitsFirstLine: nextLine != nil)
    cursor = nextLine ?? tag.range.upperBound
    isAtLineStart = nextLine != nil
    dedent = 0..<0
  }

  // Whether a parent is standalone depends on its closing tag. All content of the parent except
  // blocks is ignored.
  private mutating func openParent(_ tag: Tag) throws(Diagnostic) {
    let target = try tag.target(in: source)
    let leading = leadingWhitespace(before: tag)
    takeText(upTo: leading?.lowerBound ?? tag.range.lowerBound)
    if let leading { noteLine(leading) }
    try open(tag, as: .parent(target, leading: leading.map(dedented)))
    cursor = tag.range.upperBound
  }

  private mutating func close(_ tag: Tag) throws(Diagnostic) {
    try check(tag, closes: frames[frames.count - 1])
    switch frames[frames.count - 1].kind {
    case .root: break
    case .section(let path, let isInverted):
      _ = passLine(of: tag)
      append(.section(path, frames.removeLast().nodes, isInverted: isInverted))
    case .block(let startsLine):
      _ = passLine(of: tag)
      let frame = frames.removeLast()
      append(.block(Block(frame, startsLine: startsLine)))
    case .argument(let startsLine, let outerDedent):
      takeText(upTo: leadingWhitespace(before: tag)?.lowerBound ?? tag.range.lowerBound)
      cursor = tag.range.upperBound
      dedent = outerDedent
      let frame = frames.removeLast()
      frames[frames.count - 1].arguments.append(Block(frame, startsLine: startsLine))
    case .parent(let target, let leading): closeParent(tag, target, leading: leading)
    }
  }

  private mutating func closeParent(_ tag: Tag, _ target: Inclusion.Target, leading: Range<Int>?) {
    let frame = frames.removeLast()
    let inside = source.bytes[frame.range.upperBound..<tag.range.lowerBound]
    var (indentation, next) = (leading, nextLine(after: tag))
    if !inside.contains(Byte.newline), leading == nil || next == nil {
      // Other text is on the tag's line, so the tag is not standalone.
      (indentation, next) = (nil, nil)
      if let leading { append(leading.isEmpty ? .lineStart : .text(leading, startsLine: true)) }
    }
    append(.parent(include(target, frame.range, indentation: indentation), frame.arguments))
    cursor = next ?? tag.range.upperBound
    isAtLineStart = next != nil
  }

  /// Appends a node to the innermost open tag; in a parent, everything except blocks is ignored.
  mutating func append(_ node: Node) {
    if !frames[frames.count - 1].isParent { frames[frames.count - 1].nodes.append(node) }
  }

  private mutating func open(
    _ tag: Tag, as kind: Frame.Kind, indentation: Range<Int>? = nil, awaitsFirstLine: Bool = false
  ) throws(Diagnostic) {
    try checkDepth(tag)
    frames.append(
      Frame(
        kind: kind, range: tag.range, label: try tag.label(in: source),
        indentation: indentation ?? 0..<0, awaitsFirstLine: awaitsFirstLine))
  }

  private mutating func include(
    _ target: Inclusion.Target, _ range: Range<Int>, indentation: Range<Int>?
  ) -> Inclusion {
    let inclusion = Inclusion(
      target: target, indentation: indentation ?? 0..<0, offset: range.lowerBound)
    inclusions.append(inclusion)
    if case .dynamic(let path) = target { paths.append(path) }
    return inclusion
  }
}

extension Parser {
  func checkDepth(_ tag: Tag) throws(Diagnostic) {
    guard frames.count > Limits.nesting else { return }
    throw source.error(
      .templateTooDeep, "more than \(Limits.nesting) sections are open here",
      at: tag.range.lowerBound, help: "move some of them into another template")
  }

  func check(_ tag: Tag, closes frame: Frame) throws(Diagnostic) {
    let label = try tag.label(in: source)
    if case .root = frame.kind {
      throw source.error(
        .templateUnexpectedClose, "\(label.quoted) is closed but was never opened",
        at: tag.range.lowerBound, help: "remove the tag, or open the section before it")
    }
    guard label == frame.label else {
      let open = source.location(of: frame.range.lowerBound)
      throw source.error(
        .templateMismatchedClose, "\(label.quoted) is closed while \(frame.label.quoted) is open",
        at: tag.range.lowerBound, help: "first close the section opened at \(open)")
    }
  }

  func checkAllAreClosed() throws(Diagnostic) {
    guard frames.count > 1 else { return }
    let open = frames[frames.count - 1]
    throw source.error(
      .templateUnclosedSection, "\(open.label.quoted) is never closed", at: open.range.lowerBound,
      help: "close it with {{/…}}")
  }
}

struct Frame {
  enum Kind {
    case root
    case section(Path, isInverted: Bool)
    /// `leading` is the whitespace before the tag; nil if other text precedes it.
    case parent(Inclusion.Target, leading: Range<Int>?)
    case block(startsLine: Bool)
    /// A block directly inside a parent; `dedent` is restored when the block closes.
    case argument(startsLine: Bool, dedent: Range<Int>)
  }

  let kind: Kind
  var range = 0..<0
  var label = ""
  var indentation = 0..<0
  /// Whether the next non-empty line determines the content's indentation.
  var awaitsFirstLine = false
  var nodes: [Node] = []
  var arguments: [Block] = []

  var isParent: Bool {
    if case .parent = kind { true } else { false }
  }
}
