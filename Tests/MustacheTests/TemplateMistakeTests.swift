import Diagnostics
import Mustache
import Testing

struct TemplateMistakeTests {
  struct Slip: Sendable, CustomTestStringConvertible {
    let template: String
    let code: String
    let position: String
    var testDescription: String { template }

    init(_ template: String, _ code: String, _ position: String) {
      self.template = template
      self.code = code
      self.position = position
    }
  }

  @Test(arguments: [
    Slip("a\n {{name", "template-unclosed-tag", "2:2"),
    Slip("{{{name}}", "template-unclosed-tag", "1:1"),
    Slip("{{! comment", "template-unclosed-tag", "1:1"),
    Slip("{{=<% %>}}", "template-unclosed-tag", "1:1"),
    Slip("{{=<% %>=}}<%name}}", "template-unclosed-tag", "1:12"),
    Slip("é{{#a}}\n", "template-unclosed-section", "1:2"),
    Slip("e\u{301}\u{1F469}\u{200D}\u{1F4BB}{{#a}}", "template-unclosed-section", "1:6"),
    Slip("{{<a}}{{$b}}{{/b}}", "template-unclosed-section", "1:1"),
    Slip("{{#a}}\n{{#b}}\n{{/a}}", "template-mismatched-close", "3:1"),
    Slip("{{#a}}{{/A}}", "template-mismatched-close", "1:7"),
    Slip("{{<*a}}{{/a}}", "template-mismatched-close", "1:8"),
    Slip("a{{/b}}", "template-unexpected-close", "1:2"),
    Slip("{{==}}", "template-bad-delimiters", "1:1"),
    Slip("{{= =}}", "template-bad-delimiters", "1:1"),
    Slip("{{=<%=}}", "template-bad-delimiters", "1:1"),
    Slip("{{=a b c=}}", "template-bad-delimiters", "1:1"),
    Slip("{{=a= b=}}", "template-bad-delimiters", "1:1"),
    Slip("{{=aaaaaaaaaaaaaaaaa b=}}", "template-bad-delimiters", "1:1"),
    Slip("{{}}", "template-bad-name", "1:1"),
    Slip("{{# }}{{/ }}", "template-bad-name", "1:1"),
    Slip("{{a b}}", "template-bad-name", "1:1"),
    Slip("{{a\nb}}", "template-bad-name", "1:1"),
    Slip("{{a..b}}", "template-bad-name", "1:1"),
    Slip("{{.a}}", "template-bad-name", "1:1"),
    Slip("{{>*}}", "template-bad-name", "1:1"),
    Slip("{{>../../etc/passwd}}", "template-outside", "1:1"),
    Slip("{{</etc/passwd}}{{//etc/passwd}}", "template-outside", "1:1"),
  ])
  func `each template error is reported at its position`(slip: Slip) throws {
    let error = #expect(throws: Diagnostic.self) {
      try rendered(slip.template, with: ["a": ""])
    }
    #expect(error?.id == slip.code)
    #expect(error?.location?.position?.description == slip.position)
    #expect(error?.location?.file == "page.mustache")
    #expect(error?.help != nil)
  }

  @Test func `the error about a mismatched closing tag names both positions`() {
    let error = #expect(throws: Diagnostic.self) { try rendered("\n{{#a}}\n  {{/b}}") }
    #expect(
      error
        == Diagnostic(
          .error, .templateMismatchedClose, "\"b\" is closed while \"a\" is open",
          at: FileLocation(file: "page.mustache", position: Position(line: 3, column: 3)),
          help: "first close the section opened at page.mustache:2:1"))
  }

  @Test(
    arguments: [
      ([0x61, 0x0A, 0x62, 0xFF], 2, 2),
      ([0xC3], 1, 1),
      ([0x7B, 0x7B, 0xED, 0xA0, 0x80, 0x7D, 0x7D], 1, 3),
      ([0xC0, 0x80], 1, 1),
    ] as [([UInt8], Int, Int)])
  func `invalid UTF-8 is rejected`(bytes: [UInt8], line: Int, column: Int) {
    let error = #expect(throws: Diagnostic.self) {
      try Template(parsing: bytes, name: "a", file: "a.mustache")
    }
    #expect(error?.id == "template-not-utf8")
    #expect(error?.location?.position?.line == line)
    #expect(error?.location?.position?.column == column)
  }

  @Test func `names in error messages are sanitized and truncated`() {
    let error = #expect(throws: Diagnostic.self) {
      try rendered("{{a\u{1B}]0;x\u{7}\n\u{202E}\(String(repeating: "b", count: 1_000))}}")
    }
    let message = error?.lines.first ?? ""
    #expect(!message.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" })
    #expect(message.count < 200)
  }
}
