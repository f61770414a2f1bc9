import Bytes
import Diagnostics

/// The YAML between two lines of `---` at the start of a Markdown file; the rest is not read.
enum FrontMatter {
  static func record(
    _ window: TextWindow, limits: DocumentLimits
  ) throws -> RecordReader.Finding {
    let file = window.file
    var rest: [UInt8]? = try text(window, limit: limits.recordBytes)
    var limits = limits
    limits.nodes = limits.recordNodes
    let yaml = TextWindow(file: file, syntax: .yaml, byteLimit: limits.recordBytes) {
      defer { rest = nil }
      return rest
    }
    let builder = YAMLBuilder(YAMLInput(yaml, awaiting: .max), limits: limits)
    do {
      let root = try builder.wholeDocument()
      return RecordReader.Finding(record: root, problems: builder.log.problems, file: file)
    } catch let error as Diagnostic where error.id == DiagnosticID.documentEmpty.rawValue {
      return RecordReader.Finding(node: Node(.mapping([]), at: Position(line: 1, column: 1)))
    }
  }

  /// From the first line on, so that all lines keep their numbers, to the one that closes it.
  private static func text(_ window: TextWindow, limit: Int) throws -> [UInt8] {
    var window = window
    var start = 0
    var end = 0
    while true {
      while try end < window.bytes.count || window.fill(), window.bytes[end] != Byte.newline,
        window.bytes[end] != Byte.carriageReturn
      {
        end += 1
        if end > limit {
          throw Diagnostic.recordTooLong(
            limit, file: window.file, at: Position(line: 1, column: 1))
        }
      }
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
