import Bytes
import Diagnostics

/// The YAML between two lines of `---` at the start of a Markdown file; the rest is not read.
enum FrontMatter {
  static func record(
    _ window: TextWindow, limits: DocumentLimits
  ) throws(Diagnostic) -> RecordReader.Finding {
    let file = window.file
    let text = try text(window, limit: limits.recordBytes)
    var limits = limits
    limits.nodes = limits.recordNodes
    let yaml = TextWindow(text, file: file, syntax: .yaml, byteLimit: limits.recordBytes)
    let builder = YAMLBuilder(YAMLInput(yaml, awaiting: .max), limits: limits)
    do throws(Diagnostic) {
      let root = try builder.wholeDocument()
      return RecordReader.Finding(record: root, problems: builder.log.problems, file: file)
    } catch  where error.id == DiagnosticID.documentEmpty.rawValue {
      return RecordReader.Finding(node: Node(.mapping([]), at: Position(line: 1, column: 1)))
    }
  }

  /// From the first line on, so that all lines keep their numbers, to the one that closes it.
  private static func text(_ window: TextWindow, limit: Int) throws(Diagnostic) -> [UInt8] {
    var start = 0
    var end = 0
    while true {
      while end < window.bytes.count, window.bytes[end] != Byte.newline,
        window.bytes[end] != Byte.carriageReturn
      {
        end += 1
        if end > limit {
          throw Diagnostic.recordTooLong(
            limit, file: window.file, at: Position(line: 1, column: 1))
        }
      }
      if end == window.bytes.count { try window.checkEnd() }
      let line = window.bytes[start..<end].trimmed(while: \.isASCIIBlank)
      let isFence = line.elementsEqual("---".utf8)
      if start == 0, !isFence { throw missing(line, file: window.file) }
      if start > 0, isFence || line.elementsEqual("...".utf8), window.bytes[start] != Byte.space {
        return Array(window.bytes[..<start])
      }
      guard end < window.bytes.count else {
        throw problem("the front matter is never closed", "end it with a line of ---", window.file)
      }
      end += 1
      start = end
    }
  }

  private static func missing(_ line: ArraySlice<UInt8>, file: String) -> Diagnostic {
    line.elementsEqual("+++".utf8)
      ? problem("front matter in TOML is not read", "write it in YAML, between lines of ---", file)
      : problem(
        "the file has no front matter", "begin it with a line of ---, YAML, and another ---", file)
  }

  private static func problem(_ message: String, _ help: String, _ file: String) -> Diagnostic {
    Diagnostic(
      .frontMatter, message, file: file, at: Position(line: 1, column: 1), help: help)
  }
}
