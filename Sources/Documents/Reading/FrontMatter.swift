import Bytes
import Diagnostics

/// The front matter of a Markdown file: YAML between `---` lines, or TOML between `+++` lines.
struct FrontMatter: RecordSource {
  private var record: RecordReader.Record?

  init(_ bytes: [UInt8], file: String, limits: DocumentLimits) throws(Diagnostic) {
    let bytes = try CleanText.decoded(bytes, file: file)
    var lines = TextLines(bytes)
    let first = lines.next().map { Self.fence(bytes[$0]) } ?? ""
    guard first == "---" || first == "+++" else {
      throw Self.problem(
        "the front matter is missing", "start with a --- line, YAML, and another --- line", file)
    }
    var end: Int?
    while end == nil, let line = lines.next() {
      let fence = Self.fence(bytes[line])
      if fence == first || first == "---" && fence == "..." { end = line.lowerBound }
    }
    guard let end else {
      throw Self.problem("the front matter is never closed", "end it with a \(first) line", file)
    }
    // Keep the first line break, so that line numbers are correct.
    let start = bytes[..<end].firstIndex { $0 == Byte.newline || $0 == Byte.carriageReturn } ?? end
    do throws(Diagnostic) {
      let document = try Document(
        reading: Array(bytes[start..<end]), syntax: first == "---" ? .yaml : .toml, file: file,
        limits: limits)
      record = .checked(document.root, problems: document.problems, file: file)
    } catch  where error.id == DiagnosticID.documentEmpty.rawValue {
      record = .init(node: Node(.mapping([]), at: Position(line: 1, column: 1)), problems: [])
    }
  }

  mutating func next() -> RecordReader.Record? { record.take() }

  private static func fence(_ line: ArraySlice<UInt8>) -> String {
    line.first == Byte.space
      ? "" : String(decoding: line.trimmed(while: \.isASCIIBlank), as: UTF8.self)
  }

  private static func problem(_ message: String, _ help: String, _ file: String) -> Diagnostic {
    Diagnostic(.frontMatter, message, file: file, at: Position(line: 1, column: 1), help: help)
  }
}
