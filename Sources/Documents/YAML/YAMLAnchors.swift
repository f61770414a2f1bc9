/// The named values of a YAML document, and which of them are still being read.
struct YAMLAnchors {
  struct Anchor {
    fileprivate let serial: Int
    /// Nil while the value is being read: an alias to it would be a cycle.
    fileprivate(set) var node: Node?
    /// Values in the node, itself and all copies included.
    fileprivate(set) var count: Int
  }

  /// Says which anchor is being closed, even if its name has been given away again inside.
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
