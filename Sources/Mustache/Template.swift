import Bytes
package import Diagnostics

/// One template in its parsed form; makes text only as part of a `TemplateSet`.
package struct Template: Sendable {
  package let name: String
  let source: SourceText
  let nodes: [Node]
  /// Every partial and parent, in the order of the text.
  let inclusions: [Inclusion]
  /// Every name of a value, in the order of the text.
  let paths: [Path]

  package init(parsing bytes: [UInt8], name: String, file: String) throws(Diagnostic) {
    self.name = name
    source = try SourceText(bytes, file: file)
    var parser = Parser(source)
    nodes = try parser.parse()
    inclusions = parser.inclusions
    paths = parser.paths
  }
}

/// Which names templates may have: a path inside the set, and nothing that leads out of it.
package enum TemplateName {
  /// Letters, digits, `_`, `-` and dots, in parts between slashes; no part starts with a dot.
  package static func isAllowed(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= 128 else { return false }
    return name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .allSatisfy { part in
        part.first != nil && part.first != UInt8(ascii: ".") && part.allSatisfy(isAllowed)
      }
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    byte.isASCIILetterOrDigit || "_-.".utf8.contains(byte)
  }
}
