import Mustache
import Testing

struct ValueTests {
  @Test(
    arguments: [
      ("absent", .absent, ""),
      ("text", "a", "a"),
      ("true", true, "true"),
      ("false", false, "false"),
      ("zero", 0, "0"),
      ("least", .number(.min), "-9223372036854775808"),
      ("list", [1, 2], ""),
      ("record", ["a": 1], ""),
      ("nil text", Value(nil), ""),
    ] as [(String, Value, String)])
  func `every kind of value is rendered as text`(kind: String, value: Value, text: String) throws {
    #expect(try rendered("{{x}}", ["x": value]) == text, "\(kind)")
    #expect(try rendered("{{{x}}}", ["x": value]) == text, "\(kind)")
  }

  @Test(
    arguments: [
      ("absent", .absent, false),
      ("text", "a", true),
      ("empty text", "", false),
      ("true", true, true),
      ("false", false, false),
      ("zero", 0, false),
      ("number", -1, true),
      ("list", [false], true),
      ("empty list", [], false),
      ("empty record", [:], true),
    ] as [(String, Value, Bool)])
  func `either a section or its inverse is rendered, never both`(
    kind: String, value: Value, isTrue: Bool
  ) throws {
    let text = try rendered("{{#x}}yes{{/x}}{{^x}}no{{/x}}", ["x": value])
    #expect(text == (isTrue ? "yes" : "no"), "\(kind)")
  }

  @Test func `an inner value marked absent hides the outer value with the same name`() throws {
    let value: Value = ["name": "outer", "inner": ["name": .absent]]
    #expect(try rendered("{{#inner}}[{{name}}]{{/inner}}", value) == "[]")
  }

  @Test func `a record keeps the last value for a key`() throws {
    var record: Record = ["a": 1, "b": 2, "a": 3]
    record["b"] = 4
    record["c"] = 5
    record["a"] = nil
    #expect(try rendered("{{a}}{{b}}{{c}}", .record(record)) == "345")
    #expect(record["d"] == nil)
  }
}
