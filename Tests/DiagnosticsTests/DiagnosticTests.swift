import Diagnostics
import Testing

struct DiagnosticTests {
  private let location = FileLocation(
    file: "content/manifest.yaml", position: Position(line: 31, column: 13))

  @Test func `a diagnostic is printed in the documented format`() {
    let diagnostic = Diagnostic(
      .error, "source-unreadable", "cannot read avatars/zoe.jpg", at: location,
      path: "users[3].avatar", note: "no such file or directory",
      help: "paths are relative to the manifest")
    #expect(
      diagnostic.description == """
        content/manifest.yaml:31:13: users[3].avatar: error: cannot read avatars/zoe.jpg [source-unreadable]
          note: no such file or directory
          help: paths are relative to the manifest
        """)
  }

  @Test func `location, path, note and help are optional`() {
    #expect(Diagnostic(.warning, "x-y", "it is so").lines == ["warning: it is so [x-y]"])
    #expect(
      Diagnostic(.note, "x-y", "it is so", at: FileLocation(file: "a.csv"), path: "users").lines
        == ["a.csv: users: note: it is so [x-y]"])
  }

  /// M19: terminal controls, such as escapes, C1 controls and bidi marks, are never printed.
  @Test(arguments: [
    ("\u{1b}]0;owned\u{7}", "\\u{1b}]0;owned\\u{7}"), ("\u{1b}[2J", "\\u{1b}[2J"),
    ("a\rb", "a\\rb"), ("a\tb", "a\\tb"), ("\u{0}", "\\u{0}"), ("\u{7f}", "\\u{7f}"),
    ("\u{9b}31m", "\\u{9b}31m"), ("\u{85}", "\\u{85}"), ("a\u{202e}b", "a\\u{202e}b"),
    ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"), ("\u{feff}", "\\u{feff}"),
    ("a\u{301}é 👩‍👩‍👧 אב", "a\u{301}é 👩‍👩‍👧 אב"),
  ])
  func `control characters are escaped`(text: String, printed: String) {
    let diagnostic = Diagnostic(
      .error, "x", text, at: FileLocation(file: text), path: text, note: text, help: text)
    #expect(
      diagnostic.lines == [
        "\(printed): \(printed): error: \(printed) [x]", "  note: \(printed)",
        "  help: \(printed)",
      ])
  }

  /// M20: each message is on one line, and cannot contain a command to a build server.
  @Test(arguments: [
    "\n", "\r\n", "\u{2028}", "\u{2029}", "\u{b}", "\u{c}", "\u{85}", "x\n::error::y",
    "x\n##[error]y", "##[error]y", "###[error]y", "##vso[task.setvariable]",
  ])
  func `a message with line breaks is printed on one line`(text: String) {
    let lines = Diagnostic(.error, "x", text, path: text, note: text, help: text).lines
    #expect(lines.count == 3)
    for line in lines {
      #expect(line.unicodeScalars.allSatisfy { !$0.properties.isPatternWhitespace || $0 == " " })
      #expect(!line.contains("##[") && !line.contains("##vso["))
      #expect(!line.hasPrefix("::"))
    }
  }

  @Test func `long quoted text is truncated`() {
    #expect("short".quoted == "\"short\"")
    #expect(String(repeating: "x", count: 60).quoted.count == 62)
    #expect(String(repeating: "x", count: 61).quoted == "\"\(String(repeating: "x", count: 60))…\"")
    let marks = "e" + String(repeating: "\u{301}", count: 10_000)
    #expect(marks.quoted.utf8.count < 200)
  }
}
