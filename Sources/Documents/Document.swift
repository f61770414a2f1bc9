package import Diagnostics

/// A document read whole, as one tree in which every node knows its place.
package struct Document: Hashable, Sendable {
  /// The name of the file, for messages.
  package let file: String
  package let root: Node
  /// What can be lived with, such as duplicate keys (the first wins), and broken rows of a list.
  package let problems: [Diagnostic]

  /// Reads a text; CSV, TSV and JSON Lines become a sequence of mappings, broken records left out.
  package init(
    reading bytes: [UInt8], syntax: Syntax, file: String, limits: DocumentLimits = .standard
  ) throws(Diagnostic) {
    self.file = file
    var unread: [UInt8]? = bytes
    let read: () throws -> [UInt8]? = {
      defer { unread = nil }
      return unread
    }
    do throws(ReadFailure) {
      switch syntax {
      case .json:
        var window = TextWindow(file: file, syntax: syntax, byteLimit: limits.bytes, read: read)
        while try window.fill() {}
        var parser = JSONParser(
          window.bytes, in: window.start..<window.bytes.count, at: window.place, file: file,
          limits: limits, nodeLimit: limits.nodes)
        root = try ReadFailure.wrap { () throws(Diagnostic) in try parser.wholeText() }
        problems = parser.log.problems
      case .yaml:
        let window = TextWindow(file: file, syntax: syntax, byteLimit: limits.bytes, read: read)
        let builder = YAMLBuilder(YAMLInput(window, awaiting: .max), limits: limits)
        root = try builder.wholeDocument()
        problems = builder.log.problems
      case .csv, .tsv, .jsonLines:
        var reader = RecordReader(
          syntax: syntax, file: file, limits: limits, byteLimit: limits.bytes, read: read)
        var log = ProblemLog(limit: limits.problems)
        var nodes: [Node] = []
        while let record = try reader.nextRecord() {
          for problem in record.problems { log.append(problem) }
          if !record.isBroken { nodes.append(record.node) }
        }
        root = Node(.sequence(nodes), at: Position(line: 1, column: 1))
        problems = log.problems
      }
    } catch {
      switch error {
      case .document(let problem): throw problem
      case .source: preconditionFailure("bytes in memory cannot fail to be read")
      }
    }
  }
}
