import Diagnostics
import SitegenCLI
import Testing

struct PrinterTests {
  static let hostile = [
    "\u{1B}]0;owned\u{7}", "\u{1B}[2J", "a\rb", "a\nb", "a\u{9B}31mb", "a\u{8}b", "a\u{7F}b",
    "a\u{202E}b", "a\u{2028}b", "a\u{0}b", "x\nsitegen: error: forged [locked]",
  ]

  /// M19: control characters in names are escaped in every part of a message.
  @Test(arguments: hostile)
  func `user text cannot control the terminal`(text: String) {
    let err = printed(text)
    #expect(!err.hasControls)
    #expect(!err.contains("\u{202E}") && !err.contains("\u{2028}"))
  }

  /// M20: each event is one line, followed by at most one note line and one help line.
  @Test(arguments: hostile + ["##[error]boo", "##vso[task.setvariable]x"])
  func `each event is printed on one line`(text: String) {
    let lines = printed(text).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines[3].isEmpty)
    #expect(lines[0].hasPrefix("m.yaml:3:7: ") && lines[0].hasSuffix("[some-id]"))
    #expect(lines[1].hasPrefix("  note: ") && lines[2].hasPrefix("  help: "))
    #expect(!printed(text).contains("##["))
    #expect(!printed(text).contains("##vso["))
  }

  @Test func `the output follows the documented format`() {
    let transcript = Transcript()
    Printer(transcript.console()).problem(
      Diagnostic(
        .error, "source-unreadable", "cannot read avatars/zoe.jpg",
        at: FileLocation(file: "content/manifest.yaml", position: Position(line: 31, column: 13)),
        path: "users[3].avatar", note: "no such file or directory",
        help: "paths are relative to the manifest"))
    #expect(
      transcript.err == """
        content/manifest.yaml:31:13: users[3].avatar: error: cannot read avatars/zoe.jpg \
        [source-unreadable]
          note: no such file or directory
          help: paths are relative to the manifest

        """)
    #expect(transcript.out.isEmpty)
  }

  @Test func `a message without a location starts with the program's name`() {
    let transcript = Transcript()
    Printer(transcript.console()).problem(Diagnostic(.error, "locked", "another build is running"))
    #expect(transcript.err == "sitegen: error: another build is running [locked]\n")
  }

  @Test func `colours are used only if the terminal supports them`() {
    func err(_ environment: [String: String], isTerminal: Bool) -> String {
      let transcript = Transcript()
      Printer(transcript.console(isTerminal: isTerminal, environment: environment))
        .problem(Diagnostic(.warning, "id", "text", note: "more"))
      return transcript.err
    }
    let colored = err(["TERM": "xterm"], isTerminal: true)
    #expect(colored.contains("\u{1B}[35mwarning: "))
    #expect(!err(["TERM": "xterm"], isTerminal: false).hasControls)
    #expect(!err(["TERM": "xterm", "NO_COLOR": "1"], isTerminal: true).hasControls)
    #expect(!err(["TERM": "dumb"], isTerminal: true).hasControls)
    #expect(err(["TERM": "xterm", "NO_COLOR": ""], isTerminal: true) == colored)
    #expect(err(["CLICOLOR_FORCE": "1"], isTerminal: false) == colored)
    #expect(err(["TERM": "dumb", "CLICOLOR_FORCE": "yes"], isTerminal: true) == colored)
    #expect(!err(["CLICOLOR_FORCE": "0"], isTerminal: false).hasControls)
    #expect(!err(["CLICOLOR_FORCE": ""], isTerminal: false).hasControls)
    #expect(!err(["CLICOLOR_FORCE": "1", "NO_COLOR": "1"], isTerminal: true).hasControls)
  }

  @Test func `quiet mode prints only problems`() {
    let transcript = Transcript()
    let printer = Printer(transcript.console(), isQuiet: true)
    printer.say("done")
    printer.problems(
      Diagnostics(Diagnostic(.note, "a", "just so"), Diagnostic(.warning, "b", "hm")))
    #expect(transcript.out.isEmpty)
    #expect(transcript.err == "sitegen: warning: hm [b]\n")
  }

  @Test func `long lists of problems are truncated and counted`() {
    let transcript = Transcript()
    var diagnostics = Diagnostics()
    for number in 0..<250 { diagnostics.add(Diagnostic(.error, "id\(number)", "mistake")) }
    Printer(transcript.console()).problems(diagnostics)
    #expect(transcript.err.split(separator: "\n").count == 101)
    #expect(transcript.err.hasSuffix("\nsitegen: and 150 more\n"))
  }

  private func printed(_ text: String) -> String {
    let transcript = Transcript()
    Printer(transcript.console()).problem(
      Diagnostic(
        .error, "some-id", "cannot read \(text)",
        at: FileLocation(file: "m.yaml", position: Position(line: 3, column: 7)),
        path: "users[\(text)]",
        note: text, help: text))
    return transcript.err
  }
}
