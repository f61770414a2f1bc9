import Diagnostics

/// Makes nodes of libyaml's events, and refuses what this house does not want of YAML.
///
/// Aliases are copies: the copy stands where the alias stands, what is in it where the anchor is.
/// A class, since a `~Copyable` parser wants one owner that closures can share.
final class YAMLBuilder {
  private var events: YAMLEvents
  let input: YAMLInput
  private let limits: DocumentLimits
  private var anchors = YAMLAnchors()
  private(set) var log: ProblemLog

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

  func wholeDocument() throws(ReadFailure) -> Node {
    let root = try node(from: try firstEvent(), depth: 0)
    try finish()
    return root
  }

  /// Goes into the root, which has to be a sequence.
  func enterList() throws(ReadFailure) {
    let event = try firstEvent()
    let place = input.position(of: event.start)
    if let tag = event.tag { throw .document(tagRefusal(tag, at: place)) }
    switch event.kind {
    case .sequenceStart:
      // It stays open: an alias to it would be a cycle.
      if let anchor = event.anchor { _ = anchors.open(anchor) }
    case .mappingStart: throw .document(.notList("a mapping", file: input.file, at: place))
    default: throw .document(.notList("a single value", file: input.file, at: place))
    }
  }

  /// The event that begins the root of the document.
  private func firstEvent() throws(ReadFailure) -> YAMLEvent {
    try input.checkPrologue()
    _ = try next()
    guard case .documentStart = try next().kind else {
      throw .document(.empty(file: input.file))
    }
    let event = try next()
    if case .scalar(let scalar) = event.kind, scalar.text.isEmpty, scalar.style == .plain,
      event.anchor == nil, event.tag == nil
    {
      throw .document(.empty(file: input.file))
    }
    return event
  }

  /// To be called behind the root.
  func finish() throws(ReadFailure) {
    try input.checkEpilogue(after: try next().end)
  }

  func next() throws(ReadFailure) -> YAMLEvent {
    do throws(YAMLProblem) {
      let event = try events.next()
      input.hasSpoken()
      return event
    } catch {
      throw input.failure ?? .document(refusal(of: error))
    }
  }

  /// One value of a list, with the budgets of a record.
  func record(from event: YAMLEvent) throws(ReadFailure) -> RecordReader.Finding {
    nodeLimit = limits.recordNodes
    nodeCount = 0
    copiedCount = 0
    let node = try node(from: event, depth: 1)
    guard anchors.total <= limits.copiedNodes else {
      throw .document(copiesRefusal(limits.copiedNodes, at: node.position))
    }
    return .init(record: node, problems: log.take(), file: input.file)
  }

  // MARK: Values

  private func node(from event: YAMLEvent, depth: Int) throws(ReadFailure) -> Node {
    let place = input.position(of: event.start)
    if let tag = event.tag { throw .document(tagRefusal(tag, at: place)) }
    if case .alias(let name) = event.kind { return try copy(of: name, at: place) }
    let countBefore = nodeCount
    try count(1, at: place)
    let opening = event.anchor.map { anchors.open($0) }
    let content: Node.Content
    switch event.kind {
    case .scalar(let scalar):
      try check(scalar.text, at: place)
      content = .scalar(scalar)
    case .sequenceStart:
      content = try sequence(at: place, depth: depth + 1)
    case .mappingStart:
      content = try mapping(at: place, depth: depth + 1)
    case .streamStart, .streamEnd, .documentStart, .documentEnd, .alias, .sequenceEnd, .mappingEnd:
      preconditionFailure("libyaml's events are well nested")
    }
    let node = Node(content, at: place)
    if let opening { anchors.close(opening, node: node, count: nodeCount - countBefore) }
    return node
  }

  private func sequence(at place: Position, depth: Int) throws(ReadFailure) -> Node.Content {
    guard depth <= limits.depth else {
      throw .document(.tooDeep(limits, file: input.file, at: place))
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

  private func mapping(at place: Position, depth: Int) throws(ReadFailure) -> Node.Content {
    guard depth <= limits.depth else {
      throw .document(.tooDeep(limits, file: input.file, at: place))
    }
    let base = openEntries.count
    var ledger = KeyLedger()
    while true {
      let event = try next()
      if case .mappingEnd = event.kind { break }
      let keyPlace = input.position(of: event.start)
      let key = try key(from: event, at: keyPlace)
      let child = try node(from: try next(), depth: depth)
      if let first = ledger.first(key, in: openEntries, from: base) {
        log.append(.duplicate(key, file: input.file, at: keyPlace, first: first))
      } else {
        openEntries.append(Entry(key: key, keyPosition: keyPlace, value: child))
      }
    }
    let entries = Array(openEntries[base...])
    openEntries.removeLast(entries.count)
    return .mapping(entries)
  }

  private func key(from event: YAMLEvent, at place: Position) throws(ReadFailure) -> String {
    if let tag = event.tag { throw .document(tagRefusal(tag, at: place)) }
    guard case .scalar(let scalar) = event.kind else {
      throw .document(keyRefusal(event.kind, at: place))
    }
    if scalar.text == "<<", scalar.style == .plain { throw .document(mergeRefusal(at: place)) }
    try check(scalar.text, at: place)
    if let anchor = event.anchor {
      let opening = anchors.open(anchor)
      anchors.close(opening, node: Node(.scalar(scalar), at: place), count: 1)
    }
    return scalar.text
  }

  private func copy(of name: String, at place: Position) throws(ReadFailure) -> Node {
    guard let anchor = anchors[name] else {
      throw .document(undefinedRefusal(name, at: place))
    }
    guard let node = anchor.node else {
      throw .document(cycleRefusal(name, at: place))
    }
    copiedCount += anchor.count
    guard copiedCount <= limits.copiedNodes else {
      throw .document(copiesRefusal(limits.copiedNodes, at: place))
    }
    try count(anchor.count, at: place)
    return Node(node.content, at: place)
  }

  // MARK: Limits

  private func count(_ more: Int, at place: Position) throws(ReadFailure) {
    nodeCount += more
    guard nodeCount <= nodeLimit else {
      throw .document(.tooManyValues(nodeLimit, file: input.file, at: place))
    }
  }

  private func check(_ text: String, at place: Position) throws(ReadFailure) {
    let count = text.utf8.count
    guard count > limits.scalarBytes else { return }
    let cap = limits.scalarCap(isData: text.utf8.starts(with: "data:".utf8))
    guard count > cap else { return }
    throw .document(.tooLong(count, cap: cap, file: input.file, at: place))
  }
}
