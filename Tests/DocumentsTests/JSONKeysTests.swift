import Documents
import Testing

struct JSONKeysTests {
  private func keys(_ text: String, pieces: Int = 1) -> (found: [String], isComplete: Bool) {
    var keys = JSONKeys(of: "users")
    var found: [String] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      keys.read(Array(rest.prefix(pieces))) { found.append($0) }
      rest = rest.dropFirst(pieces)
    }
    return (found, keys.isComplete)
  }

  @Test(arguments: [1, 2, 7, 1_000]) func `the chunk size does not affect the keys`(size: Int) {
    let text = #"""
      {"a":{"users":{"no":1}},"users" : {"x":{"y":[{"z":"}\""}]}, "a\"b":[], "\u00e9":":", "é,":{}},
      "later":{"no":{}}}
      """#
    let read = keys(text, pieces: size)
    #expect(read.found == ["x", "a\"b", "é", "é,"] && read.isComplete)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"users":"#, #"{"users":{"a":{}"#, #"{"users":[{"a":1}]}"#, #"{"users":"x"}"#,
    #"{"people":{"a":1}}"#, #"["users",{"a":1}]"#, "}}}", #""users":{"a":1}"#,
  ])
  func `incomplete or unexpected input is detected`(text: String) {
    #expect(!keys(text).isComplete)
  }
}
