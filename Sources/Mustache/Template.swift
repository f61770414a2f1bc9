import Bytes
package import Diagnostics

package struct Template: Sendable {
  package let name: String
  let source: SourceText
  let nodes: [Node]
  let inclusions: [Inclusion]
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

/// The rules for template names, which must not escape the templates folder.
package enum TemplateName {
  /// Allows letters, digits, `_`, `-`, dots and slashes; path components must not start with a dot.
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
