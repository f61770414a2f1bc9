import Diagnostics

/// A builder of nodes from libyaml's events; YAML features that manifests do not need are rejected.
///
/// An alias becomes a copy of its anchor's content, at the position of the alias.
struct YAMLBuilder: ~Copyable {
  let text: CleanText
  private let limits: DocumentLimits
  private var events: YAMLEvents
  private var anchors: [String: Anchor] = [:]
  private(set) var problems: [Diagnostic] = []
  private(set) var lastLine = 1

  private struct Anchor {
    /// The node, or nil while it is being read: an alias inside it would create a cycle.
    var node: Node?
    var count = 0
  }

  private var nodeCount = 0
  private var copiedCount = 0
  // The children of all open containers, collected so that each container is allocated only once.
  private var openNodes: [Node] = []
  private var openEntries: [Entry] = []

  var file: String { text.file }

  init(_ text: CleanText, limits: DocumentLimits) {
    self.text = text
    self.limits = limits
    events = YAMLEvents(reading: text.bytes)
  }

  mutating func wholeDocument() throws(Diagnostic) -> Node {
    try checkDirectives()
    _ = try next()
    guard case .start = try next().kind else { throw .empty(file: file) }
    let event = try next()
    if case .scalar(let scalar) = event.kind, scalar.text.isEmpty, scalar.style == .plain,
      event.anchor == nil, event.tag == nil
    {
      throw .empty(file: file)
    }
    let root = try node(from: event, depth: 0)
    _ = try next()
    let end = try next()
    if case .end = end.kind { return root }
    // A trailing `---` begins an empty document.
    if case .scalar(let scalar) = try next().kind, scalar.text.isEmpty, scalar.style == .plain {
      _ = try next()
      if case .end = try next().kind { return root }
    }
    throw Diagnostic(
      .yamlManyDocuments, "cannot read a second YAML document", file: file, at: end.position,
      help: "put it in a separate file")
  }

  /// Rejects directives except `%YAML` in advance, because libyaml reads them in quadratic time.
  private func checkDirectives() throws(Diagnostic) {
    var lines = TextLines(text.bytes)
    while let line = lines.next() {
      guard text.bytes[line].first == Byte.percent, !text.bytes[line].starts(with: "%YAML ".utf8)
      else { continue }
      throw Diagnostic(
        .yamlDirective, "cannot use a YAML directive here", file: file,
        at: Position(line: lines.number, column: 1),
        help: "remove or indent the line; only `%YAML 1.1` and `%YAML 1.2` are supported")
    }
  }

  private mutating func next() throws(Diagnostic) -> YAMLEvent {
    do throws(YAMLError) {
      let event = try events.next()
      lastLine = event.position.line
      return event
    } catch {
      throw problem(of: error)
    }
  }

  private mutating func node(from event: YAMLEvent, depth: Int) throws(Diagnostic) -> Node {
    let position = event.position
    if let tag = event.tag { throw tagProblem(tag, at: position) }
    if case .alias(let name) = event.kind { return try copy(of: name, at: position) }
    let countBefore = nodeCount
    try count(1, at: position)
    if let name = event.anchor { anchors[name] = Anchor() }
    let content: Node.Content
    switch event.kind {
    case .scalar(let scalar):
      try check(scalar.text, at: position)
      content = .scalar(scalar)
    case .sequenceStart where depth == limits.depth, .mappingStart where depth == limits.depth:
      throw .tooDeep(limits, file: file, at: position)
    case .sequenceStart: content = try sequence(depth: depth + 1)
    case .mappingStart: content = try mapping(depth: depth + 1)
    case .start, .end, .alias:
      preconditionFailure("libyaml's events are well nested")
    }
    let node = Node(content, at: position)
    // A nested value may define the same anchor again; that later definition wins.
    if let name = event.anchor, anchors[name]?.node == nil {
      anchors[name] = Anchor(node: node, count: nodeCount - countBefore)
    }
    return node
  }

  private mutating func sequence(depth: Int) throws(Diagnostic) -> Node.Content {
    let base = openNodes.count
    while true {
      let event = try next()
      if case .end = event.kind { break }
      let child = try node(from: event, depth: depth)
      openNodes.append(child)
    }
    let nodes = Array(openNodes[base...])
    openNodes.removeLast(nodes.count)
    return .sequence(nodes)
  }

  private mutating func mapping(depth: Int) throws(Diagnostic) -> Node.Content {
    let base = openEntries.count
    var keys = KeyIndex()
    while true {
      let event = try next()
      if case .end = event.kind { break }
      let keyPosition = event.position
      let key = try key(from: event)
      let child = try node(from: try next(), depth: depth)
      if let first = keys.first(key, in: openEntries, from: base) {
        if problems.count < limits.problems {
          problems.append(.duplicate(key, file: file, at: keyPosition, first: first))
        }
      } else {
        openEntries.append(Entry(key: key, keyPosition: keyPosition, value: child))
      }
    }
    let entries = Array(openEntries[base...])
    openEntries.removeLast(entries.count)
    return .mapping(entries)
  }

  private mutating func key(from event: YAMLEvent) throws(Diagnostic) -> String {
    let position = event.position
    if let tag = event.tag { throw tagProblem(tag, at: position) }
    guard case .scalar(let scalar) = event.kind else { throw keyProblem(event.kind, at: position) }
    if scalar.text == "<<", scalar.style == .plain {
      throw Diagnostic(
        .yamlMergeKey, "the merge key `<<` is not supported", file: file, at: position,
        help: "write the keys out, or use an alias for a whole value")
    }
    try check(scalar.text, at: position)
    if let name = event.anchor {
      anchors[name] = Anchor(node: Node(.scalar(scalar), at: position), count: 1)
    }
    return scalar.text
  }

  private mutating func copy(of name: String, at position: Position) throws(Diagnostic) -> Node {
    guard let anchor = anchors[name] else {
      throw Diagnostic(
        .yamlAliasUndefined, "the alias `*\(name.brief)` does not have an anchor before it",
        file: file,
        at: position, help: "write `&\(name.brief)` before the value to copy")
    }
    guard let node = anchor.node else {
      throw Diagnostic(
        .yamlAliasCycle, "the alias `*\(name.brief)` is inside its own anchor", file: file,
        at: position, help: "a value cannot contain itself; remove the alias")
    }
    copiedCount += anchor.count
    guard copiedCount <= limits.copiedNodes else {
      throw Diagnostic(
        .yamlAliasTooManyCopies, "the aliases copy more than \(limits.copiedNodes) values",
        file: file, at: position, help: "use fewer aliases, especially inside copied values")
    }
    try count(anchor.count, at: position)
    return Node(node.content, at: position)
  }

  private mutating func count(_ more: Int, at position: Position) throws(Diagnostic) {
    nodeCount += more
    guard nodeCount <= limits.nodes else {
      throw Diagnostic.tooManyValues(limits.nodes, file: file, at: position)
    }
  }

  private func check(_ text: String, at position: Position) throws(Diagnostic) {
    if let problem = limits.problem(ofText: text.utf8, file: file, at: position) { throw problem }
  }
}
