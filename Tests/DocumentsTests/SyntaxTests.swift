import Documents
import Testing

struct SyntaxTests {
  @Test(arguments: [
    ("yaml", Syntax.yaml), ("yml", .yaml), ("YAML", .yaml), ("json", .json), ("jsonl", .jsonLines),
    ("ndjson", .jsonLines), ("csv", .csv), ("CSV", .csv), ("tsv", .tsv), ("txt", nil), ("", nil),
  ])
  func `the extension of a file name says how it is written`(name: String, syntax: Syntax?) {
    #expect(Syntax(fileExtension: name) == syntax)
  }
}

struct DocumentCodeTests {
  @Test(arguments: DocumentCode.allCases)
  func `codes are kebab-case`(code: DocumentCode) {
    let words = code.rawValue.split(separator: "-", omittingEmptySubsequences: false)
    #expect(words.count >= 2)
    #expect(
      words.allSatisfy { !$0.isEmpty && $0.allSatisfy { "a"..."z" ~= $0 || "0"..."9" ~= $0 } })
  }
}
