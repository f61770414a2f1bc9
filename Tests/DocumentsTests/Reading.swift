import Diagnostics
import Documents

/// The result of reading a text, in a form for test tables.
struct Reading {
  /// The tree in short form: `text` plain, `"text"` quoted, `#1` a number, `!true`, `~` for null.
  let tree: String
  /// The error, or each problem, as `code line:column`.
  let faults: [String]

  init(_ text: String, _ syntax: Syntax, limits: DocumentLimits = .standard) {
    self.init(bytes: Array(text.utf8), syntax, limits: limits)
  }

  init(bytes: [UInt8], _ syntax: Syntax, limits: DocumentLimits = .standard) {
    do throws(Diagnostic) {
      let (root, problems) = try readAll(bytes, syntax, limits: limits)
      tree = root.tree
      faults = problems.map(\.fault)
    } catch {
      tree = "-"
      faults = [error.fault]
    }
  }
}

/// Reads a document, or a list as a sequence that omits broken records.
func readAll(
  _ bytes: [UInt8], _ syntax: Syntax, limits: DocumentLimits = .standard
) throws(Diagnostic) -> (root: Node, problems: [Diagnostic]) {
  if [.json, .yaml, .toml].contains(syntax) {
    let document = try Document(reading: bytes, syntax: syntax, file: "file", limits: limits)
    return (document.root, document.problems)
  }
  var limits = limits
  limits.listBytes = limits.bytes
  var reader = try RecordReader(bytes, syntax: syntax, file: "file", limits: limits)
  var nodes: [Node] = []
  var problems: [Diagnostic] = []
  while let record = try reader.next() {
    problems += record.problems
    if !record.isBroken { nodes.append(record.node) }
  }
  return (Node(.sequence(nodes), at: Position(line: 1, column: 1)), problems)
}

extension Diagnostic {
  /// The error as `code line:column`, or as the code alone.
  var fault: String { position.map { "\(id) \($0)" } ?? id }

  var position: Position? { location?.position }
}

extension Node {
  var tree: String {
    switch content {
    case .scalar(let scalar):
      switch scalar.style {
      case .plain: scalar.text
      case .quoted: "\"\(scalar.text)\""
      case .number: "#\(scalar.text)"
      case .boolean: "!\(scalar.text)"
      case .null: "~"
      }
    case .sequence(let nodes): "[" + nodes.map(\.tree).joined(separator: ", ") + "]"
    case .mapping(let entries):
      "{" + entries.map { "\($0.key): \($0.value.tree)" }.joined(separator: ", ") + "}"
    }
  }

  /// The positions of keys and values except mappings, as `text line:column`, in tree order.
  var positions: [String] {
    let here = "\(position.line):\(position.column)"
    switch content {
    case .scalar(let scalar): return ["\(scalar.text) \(here)"]
    case .sequence(let nodes): return ["[] \(here)"] + nodes.flatMap(\.positions)
    case .mapping(let entries):
      return ["{} \(here)"]
        + entries.flatMap { entry in
          ["\(entry.key): \(entry.keyPosition.line):\(entry.keyPosition.column)"]
            + entry.value.positions
        }
    }
  }
}

func records(_ bytes: [UInt8], _ syntax: Syntax, limits: DocumentLimits = .standard) -> [String] {
  var reported: [String] = []
  do throws(Diagnostic) {
    var reader = try RecordReader(bytes, syntax: syntax, file: "file", limits: limits)
    while let record = try reader.next() {
      let words =
        ["\(reported.count)", record.isBroken ? "broken" : record.node.tree]
        + record.problems.map(\.fault)
      reported.append(words.joined(separator: " "))
    }
  } catch {
    reported.append("throws \(error.fault) \(error.message)")
  }
  return reported
}

func records(_ text: String, _ syntax: Syntax, limits: DocumentLimits = .standard) -> [String] {
  records(Array(text.utf8), syntax, limits: limits)
}
