import Mustache
import Testing

/// Cases that the specification leaves open or covers only once.
struct WhitespaceTests {
  @Test(arguments: [
    ("a tag alone takes its line", "a\n {{#t}} \nb\n\t{{/t}}\nc", "a\nb\nc"),
    ("carriage returns too", "a\r\n{{#t}}\r\nb\r\n{{/t}}\r\nc", "a\r\nb\r\nc"),
    ("two tags are not alone", "{{#t}}{{/t}}\n", "\n"),
    ("a value is never alone", " {{v}}\n", " v\n"),
    ("a comment over lines", "a\n{{! x\n y }}\nb", "a\nb"),
    ("a comment beside text", "a {{! x }}\nb", "a \nb"),
    ("no-break space is text", "\u{A0}{{#t}}\n{{/t}}", "\u{A0}\n"),
    ("delimiters", " {{=<% %>=}} \n<%v%>{{v}}", "v{{v}}"),
    ("delimiters and three braces", "{{=<% %>=}}<%{v}%><%& v %>", "vv"),
    ("spaces in tags", "{{#  t }}{{  v\t}}{{/\n t }}", "v"),
  ])
  func `lines with only tags are removed`(fact: String, template: String, expected: String) throws {
    #expect(try rendered(template, ["t": true, "v": "v"]) == expected, "\(fact)")
  }

  @Test(arguments: [
    ("empty lines too", "\n  {{>p}}\n", "a\n\nb\n", "\n  a\n  \n  b\n"),
    ("once in front of a list", "  {{>p}}\n", "{{#l}}{{.}}{{/l}}!\n", "  12!\n"),
    ("each item on lines", "  {{>p}}\n", "{{#l}}\n{{.}}\n{{/l}}\n", "  1\n  2\n"),
    ("tags alone do not count", "  {{>p}}\n", "{{#l}}\n\n{{/l}}\n", "  \n  \n"),
    ("not inside of values", "  {{>p}}\n", "{{m}}\n{{m}}", "  x\ny\n  x\ny"),
    ("a tag closes on a text line", "  {{>p}}\n", "{{#f}}\n{{/f}}a\n", "a\n"),
    ("in text there is none", "a {{>p}}\n", "1\n2", "a 1\n2\n"),
  ])
  func `a standalone partial is indented`(
    fact: String, template: String, partial: String, expected: String
  ) throws {
    let value: Value = ["l": [1, 2], "m": "x\ny", "f": false]
    #expect(try rendered(template, value, with: ["p": partial]) == expected, "\(fact)")
  }

  @Test func `indentation adds up in nested partials`() throws {
    let text = try rendered(" {{>a}}\n", with: ["a": "a\n\t{{>b}}\na\n", "b": "b\nb\n"])
    #expect(text == " a\n \tb\n \tb\n a\n")
  }
}
