/// One template in its parsed form; makes text only as part of a `TemplateSet`.
package struct Template: Sendable {
  package let name: String
  let source: SourceText
  let nodes: [Node]
  /// Every partial and parent, in the order of the text.
  let inclusions: [Inclusion]
  /// Every name of a value, in the order of the text.
  let paths: [Path]

  /// The file, as errors call it.
  package var file: String { source.file }

  /// The text without a byte order mark: what decides the output, so what a digest must cover.
  package var bytes: [UInt8] { source.bytes }

  package init(parsing bytes: [UInt8], name: String, file: String) throws(MustacheError) {
    self.name = name
    source = try SourceText(bytes, file: file)
    var parser = Parser(source)
    nodes = try parser.parse()
    inclusions = parser.inclusions
    paths = parser.paths
  }
}
