import SitegenCLI
import TestSupport

struct HelpPageTests {
  static let names = Command.all.map(\.name)

  @Test func `help lines have at most 100 characters and no trailing spaces`() {
    for text in [HelpPage().text]
      + Command.all.flatMap({ [HelpPage($0).text, HelpPage($0, isShort: true).text] })
    {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        #expect(line.count <= 100)
        #expect(line.last != " ")
      }
      #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }
  }

  @Test(arguments: names)
  func `option names and help texts follow the style rules`(name: String) throws {
    let command = try Command.named(name)
    #expect(Set(command.options.map(\.name)).count == command.options.count)
    let letters = command.options.compactMap(\.letter)
    #expect(Set(letters).count == letters.count && !letters.contains("h"))
    for option in command.options {
      #expect(option.name.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
      #expect(option.help.last != ".")
      #expect(option.help.first?.isLowercase == true)
    }
    #expect(command.summary.last != ".")
  }

  @Test(arguments: names)
  func `a command's help contains two or three examples that run it`(name: String) throws {
    let texts = try #require(HelpPage.texts[name])
    #expect((2...3).contains(texts.examples.count))
    for example in texts.examples {
      let line = example.prefix { !"#>|&".contains($0) }
      // The only quotes are around a time for `schedule`.
      let parts = line.split(separator: "\"").enumerated().flatMap { index, part in
        index == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
      }
      #expect(parts.first == "sitegen")
      guard case .run(let command, _) = try Invocation(Array(parts.dropFirst())) else {
        Issue.record("\(example) does not run a command")
        continue
      }
      #expect(command.name == name)
    }
  }

  @Test(arguments: names)
  func `the short help fits on one screen`(name: String) throws {
    let command = try Command.named(name)
    let short = HelpPage(command, isShort: true).text
    #expect(short.split(separator: "\n").count <= 24)
    #expect(short.count < HelpPage(command).text.count)
    #expect(Program.run([name, "-h"], Session(console: Transcript().console())) == .success)
  }

  /// The package's man page and completions are generated from the help.
  @Test func `the man page and the completions cover every option`() throws {
    let folder = TemporaryFolder()
    let script = ["python3", "script/help_texts.py", BuiltProduct.sitegen, "1", "2026-01-01"]
    #expect(try RunningProgram(script + [folder.path]).ending().status == 0)
    func text(_ name: String) throws -> String {
      String(decoding: try folder.read(name), as: UTF8.self)
    }
    let manual = try text("man/man1/sitegen.1").replacing("\\-", with: "-")
    let bash = try text("bash-completion/completions/sitegen")
    let zsh = try text("zsh/vendor-completions/_sitegen")
    let fish = try text("fish/vendor_completions.d/sitegen.fish")
    for title in ["ENVIRONMENT", "EXIT STATUS", "FILES"] {
      #expect(manual.contains(".SH \(title)\n"))
    }
    for command in Command.all {
      #expect(manual.contains(".SS sitegen \(command.name)"))
      #expect(zsh.contains("'\(command.name):"))
      let words = bash.split(separator: "\n").first { $0.contains("  \(command.name)) options=") }
      #expect(words != nil, "\(command.name)")
      for option in command.options {
        #expect(manual.contains("--\(option.name)\\fR"), "\(option.name)")
        #expect(words?.contains("--\(option.name)") == true, "\(option.name)")
        #expect(zsh.contains("--\(option.name)\(option.isFlag ? "" : "=")["), "\(option.name)")
        #expect(
          fish.contains("__sitegen_is \(command.name)' -l \(option.name) "),
          "\(command.name) \(option.name)")
      }
    }
  }
}
