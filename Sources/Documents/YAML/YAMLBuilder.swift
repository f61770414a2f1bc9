import Diagnostics

/// Makes nodes of libyaml's events, and refuses the parts of YAML that manifests do not need.
///
/// An alias is a copy: the copy has the position of the alias, its content that of the anchor.
/// A class, because closures share it and the `~Copyable` parser needs one owner.
final class YAMLBuilder {
  private var events: YAMLEvents
  let input: YAMLInput
  private let limits: DocumentLimits
  private var anchors = YAMLAnchors()
  private(set) var log: ProblemLog
  private(set) var colorComments: [Position: String] = [:]

  private var isInList = false
  private var nodeLimit: Int
  private var nodeCount = 0
  private var copiedCount = 0
  // The children of all containers that are open, so that each container is allocated once.
  private var openNodes: [Node] = []
  private var openEntries: [Entry] = []

  init(_ input: YAMLInput, limits: DocumentLimits) {
    self.input = input
    self.limits = limits
    events = YAMLEvents(reading: input)
    log = ProblemLog(limit: limits.problems)
    nodeLimit = limits.nodes
  }

  func wholeDocument() throws(Diagnostic) -> Node {
    let root = try node(from: try firstEvent(), depth: 0)
    try finish()
    return root
  }

  private func enterList() throws(Diagnostic) {
    let event = try firstEvent()
    let position = input.position(of: event.start)
    if let tag = event.tag { throw tagProblem(tag, at: position) }
    switch event.kind {
    case .sequenceStart:
      // It stays open: an alias to it would be a cycle.
      if let anchor = event.anchor { _ = anchors.open(anchor) }
    case .mappingStart: throw Diagnostic.notList("a mapping", file: input.file, at: position)
    default: throw Diagnostic.notList("a single value", file: input.file, at: position)
    }
  }

  /// The event that begins the root of the document.
  private func firstEvent() throws(Diagnostic) -> YAMLEvent {
    try input.checkPrologue()
    _ = try next()
    guard case .documentStart = try next().kind else {
      throw Diagnostic.empty(file: input.file)
    }
    let event = try next()
    if case .scalar(let scalar) = event.kind, scalar.text.isEmpty, scalar.style == .plain,
      event.anchor == nil, event.tag == nil
    {
      throw Diagnostic.empty(file: input.file)
    }
    return event
  }

  /// Checks what follows the root.
  private func finish() throws(Diagnostic) {
    try input.checkEpilogue(after: try next().end)
  }

  private func next() throws(Diagnostic) -> YAMLEvent {
    do throws(YAMLError) {
      let event = try events.next()
      input.hasSpoken()
      return event
    } catch {
      throw input.failure ?? problem(of: error)
    }
  }

  /// The next item of the root, which has to be a sequence; nil at its end.
  ///
  /// An item is read as soon as libyaml has seen its end. Anchors hold for the rest of the list.
  func nextRecord() throws(Diagnostic) -> RecordReader.Finding? {
    if !isInList { try enterList() }
    isInList = true
    let event = try next()
    if case .sequenceEnd = event.kind {
      try finish()
      return nil
    }
    nodeLimit = limits.recordNodes
    nodeCount = 0
    copiedCount = 0
    let node = try node(from: event, depth: 1)
    guard anchors.total <= limits.copiedNodes else {
      throw copiesProblem(limits.copiedNodes, at: node.position)
    }
    return .init(record: node, problems: log.take(), file: input.file)
  }

  // MARK: Values

  private func node(from event: YAMLEvent, depth: Int) throws(Diagnostic) -> Node {
    let position = input.position(of: event.start)
    if let tag = event.tag { throw tagProblem(tag, at: position) }
    if case .alias(let name) = event.kind { return try copy(of: name, at: position) }
    let countBefore = nodeCount
    try count(1, at: position)
    let opening = event.anchor.map { anchors.open($0) }
    let content: Node.Content
    switch event.kind {
    case .scalar(let scalar):
      try check(scalar.text, at: position)
      content = .scalar(scalar)
    case .sequenceStart:
      content = try sequence(at: position, depth: depth + 1)
    case .mappingStart:
      content = try mapping(at: position, depth: depth + 1)
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .alias, .sequenceEnd, .mappingEnd:
      preconditionFailure("libyaml's events are well nested")
    }
    let node = Node(content, at: position)
    if let opening { anchors.close(opening, node: node, count: nodeCount - countBefore) }
    return node
  }

  private func sequence(at position: Position, depth: Int) throws(Diagnostic) -> Node.Content {
    guard depth <= limits.depth else {
      throw Diagnostic.tooDeep(limits, file: input.file, at: position)
    }
    let base = openNodes.count
    while true {
      let event = try next()
      if case .sequenceEnd = event.kind { break }
      let child = try node(from: event, depth: depth)
      openNodes.append(child)
    }
    let nodes = Array(openNodes[base...])
    openNodes.removeLast(nodes.count)
    return .sequence(nodes)
  }

  private func mapping(at position: Position, depth: Int) throws(Diagnostic) -> Node.Content {
    guard depth <= limits.depth else {
      throw Diagnostic.tooDeep(limits, file: input.file, at: position)
    }
    let base = openEntries.count
    var keys = KeyIndex()
    while true {
      let event = try next()
      if case .mappingEnd = event.kind { break }
      let keyPosition = input.position(of: event.start)
      let key = try key(from: event, at: keyPosition)
      let offset = input.offset
      let child = try node(from: try next(), depth: depth)
      if case .scalar(let scalar) = child.content, scalar.text.isEmpty, scalar.style == .plain {
        colorComments[keyPosition] = input.colorComment(at: offset)
      }
      if let first = keys.first(key, in: openEntries, from: base) {
        log.append(.duplicate(key, file: input.file, at: keyPosition, first: first))
      } else {
        openEntries.append(Entry(key: key, keyPosition: keyPosition, value: child))
      }
    }
    let entries = Array(openEntries[base...])
    openEntries.removeLast(entries.count)
    return .mapping(entries)
  }

  private func key(from event: YAMLEvent, at position: Position) throws(Diagnostic) -> String {
    if let tag = event.tag { throw tagProblem(tag, at: position) }
    guard case .scalar(let scalar) = event.kind else {
      throw keyProblem(event.kind, at: position)
    }
    if scalar.text == "<<", scalar.style == .plain { throw mergeProblem(at: position) }
    try check(scalar.text, at: position)
    if let anchor = event.anchor {
      let opening = anchors.open(anchor)
      anchors.close(opening, node: Node(.scalar(scalar), at: position), count: 1)
    }
    return scalar.text
  }

  private func copy(of name: String, at position: Position) throws(Diagnostic) -> Node {
    guard let anchor = anchors[name] else {
      throw undefinedProblem(name, at: position)
    }
    guard let node = anchor.node else {
      throw cycleProblem(name, at: position)
    }
    copiedCount += anchor.count
    guard copiedCount <= limits.copiedNodes else {
      throw copiesProblem(limits.copiedNodes, at: position)
    }
    try count(anchor.count, at: position)
    return Node(node.content, at: position)
  }

  // MARK: Limits

  private func count(_ more: Int, at position: Position) throws(Diagnostic) {
    nodeCount += more
    guard nodeCount <= nodeLimit else {
      throw Diagnostic.tooManyValues(nodeLimit, file: input.file, at: position)
    }
  }

  private func check(_ text: String, at position: Position) throws(Diagnostic) {
    if let problem = limits.problem(ofText: text.utf8, file: input.file, at: position) {
      throw problem
    }
  }
}

/// The named values of a YAML document, and which of them are still being read.
struct YAMLAnchors {
  struct Anchor {
    fileprivate let serial: Int
    /// Nil while the value is being read: an alias to it would be a cycle.
    fileprivate(set) var node: Node?
    /// Values in the node, itself and all copies included.
    fileprivate(set) var count: Int
  }

  /// Identifies the anchor to close, even if its value uses the same name for another one.
  struct Opening {
    fileprivate let name: String
    fileprivate let serial: Int
  }

  private var anchors: [String: Anchor] = [:]
  private var serial = 0
  /// Values of all anchors that were ever closed.
  private(set) var total = 0

  subscript(name: String) -> Anchor? { anchors[name] }

  /// The name means this value from here on; an earlier meaning is forgotten.
  mutating func open(_ name: String) -> Opening {
    serial += 1
    anchors[name] = Anchor(serial: serial, node: nil, count: 0)
    return Opening(name: name, serial: serial)
  }

  mutating func close(_ opening: Opening, node: Node, count: Int) {
    total += count
    guard anchors[opening.name]?.serial == opening.serial else { return }
    anchors[opening.name]?.node = node
    anchors[opening.name]?.count = count
  }
}
