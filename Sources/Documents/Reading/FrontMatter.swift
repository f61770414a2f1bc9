import Bytes
import Diagnostics

/// The YAML between two lines of `---`, or the TOML between two of `+++`, at the start of a Markdown
/// file; the rest is not read.
enum FrontMatter {
  static func tree(
    _ bytes: [UInt8], file: String, limits: DocumentLimits
  ) throws(Diagnostic) -> (root: Node, problems: [Diagnostic]) {
    let bytes = try CleanText.decoded(bytes, file: file)
    var lines = TextLines(bytes)
    let first = lines.next().map { fence(bytes[$0]) } ?? ""
    guard first == "---" || first == "+++" else {
      throw problem(
        "the front matter is missing", "begin it with a line of ---, YAML, and another ---", file)
    }
    var end: Int?
    while end == nil, let line = lines.next() {
      let fence = fence(bytes[line])
      if fence == first || first == "---" && fence == "..." { end = line.lowerBound }
    }
    guard let end else {
      throw problem("the front matter is never closed", "end it with a line of \(first)", file)
    }
    // The first line is empty, so that all others keep their numbers.
    let syntax = first == "---" ? Syntax.yaml : .toml
    let start = bytes[..<end].firstIndex { $0 == Byte.newline || $0 == Byte.carriageReturn } ?? end
    let text = try CleanText(
      Array(bytes[start..<end]), file: file, syntax: syntax, limit: limits.bytes)
    do throws(Diagnostic) {
      return try text.tree(syntax, limits: limits)
    } catch  where error.id == DiagnosticID.documentEmpty.rawValue {
      return (Node(.mapping([]), at: Position(line: 1, column: 1)), [])
    }
  }

  /// What is on a line; a fence is not indented.
  private static func fence(_ line: ArraySlice<UInt8>) -> String {
    line.first == Byte.space
      ? "" : String(decoding: line.trimmed(while: \.isASCIIBlank), as: UTF8.self)
  }

  private static func problem(_ message: String, _ help: String, _ file: String) -> Diagnostic {
    Diagnostic(
      .frontMatter, message, file: file, at: Position(line: 1, column: 1), help: help)
  }
}
