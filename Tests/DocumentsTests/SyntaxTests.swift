import Documents
import Testing

struct SyntaxTests {
  @Test(arguments: [
    ("yaml", Syntax.yaml), ("yml", .yaml), ("YAML", .yaml), ("json", .json), ("toml", .toml),
    ("jsonl", .jsonLines),
    ("ndjson", .jsonLines), ("csv", .csv), ("CSV", .csv), ("tsv", .tsv), ("txt", nil), ("", nil),
  ])
  func `the file extension determines the format`(name: String, syntax: Syntax?) {
    #expect(Syntax(fileExtension: name) == syntax)
  }
}
