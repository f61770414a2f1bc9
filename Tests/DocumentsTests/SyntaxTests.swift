import Documents
import Testing

struct SyntaxTests {
  @Test(arguments: [
    ("yaml", Syntax.yaml), ("yml", .yaml), ("YAML", .yaml), ("json", .json), ("toml", .toml),
    ("jsonl", .jsonLines),
    ("ndjson", .jsonLines), ("csv", .csv), ("CSV", .csv), ("tsv", .tsv), ("txt", nil), ("", nil),
  ])
  func `the extension of a file name says how it is written`(name: String, syntax: Syntax?) {
    #expect(Syntax(fileExtension: name) == syntax)
  }
}
