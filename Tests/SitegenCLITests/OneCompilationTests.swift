import TestSupport

/// H2: script/build, script/test and `swift run sitegen` share one build, so that each file is compiled
/// once: a stand-in for `swift` records what the scripts ask for.
struct OneCompilationTests {
  private static let flags = "-Xswiftc -gnone"

  private let folder = TemporaryFolder()

  /// Runs a script of the repository beside stand-ins, of which `swift` prints a line, and returns the
  /// words of each `swift build`, after the variables that Package.swift reads.
  private func builds(
    _ script: String, _ words: [String] = [], isCI: Bool = true, printing line: String = "",
    status: Int32 = 0
  ) throws -> [String] {
    let root = Checkout.root
    let variables = try String(
      contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8
    ).matches(of: /Context\.environment\["(\w+)"\]/).map { String($0.1) }
    #expect(variables.contains("SITEGEN_ONE_BY_ONE"))
    let swift = """
      #!/bin/sh
      [ "$1" = build ] || exit 0
      for name in \(variables.joined(separator: " ")); do
        ! printenv "$name" >&2 || printf '%s ' "$name" >>"$LOG"
      done
      echo "$@" >>"$LOG"
      echo "$LINE"
      """
    let stubs = [
      "script/bootstrap", "script/lint", "script/bench", "script/build", "script/test",
      ".build/debug/sitegen",
    ]
    for (name, text) in [("bin/swift", swift)] + stubs.map({ ($0, "#!/bin/sh\n") }) {
      try folder.write(text, to: name)
    }
    for name in [script, "script/flags"] {
      try folder.write(Data(contentsOf: root.appendingPathComponent(name)), to: name)
    }
    for name in ["bin/swift", script] + stubs {
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder.path(of: name))
    }
    try folder.write("", to: "log")
    var environment = [
      "PATH": "\(folder.path(of: "bin")):/usr/bin:/bin", "LOG": folder.path(of: "log"),
      "LINE": line,
    ]
    if isCI { environment["CI"] = "true" }
    let run = try RunningProgram([folder.path(of: script)] + words, environment: environment)
    #expect(try run.ending().status == status)
    return try folder.text(of: "log").split(separator: "\n").map(String.init)
  }

  @Test func `script/build builds what swift run runs`() throws {
    #expect(try builds("script/build", ["--quiet"], isCI: false) == ["build --product sitegen"])
    #expect(try builds("script/build") == ["build --product sitegen \(Self.flags)"])
  }

  @Test(arguments: [
    ("Build of product 'sitegen' complete!", false),
    ("[3/9] Compiling Bytes ASCII.swift", true), ("[8/9] Linking sitegen", true),
  ])
  func `CI fails if swift run compiles after script/build`(line: String, fails: Bool) throws {
    let status: Int32 = fails ? 1 : 0
    #expect(
      try builds(".ci/run", printing: line, status: status) == [
        "build --build-tests --explicit-target-dependency-import-check error \(Self.flags)",
        "build --product sitegen \(Self.flags)",
      ])
  }

  /// The check of imports compiles nothing; the fuzzers have a target that nothing else needs.
  @Test(arguments: [[], ["--filter", "SomeTests"]])
  func `script/test compiles no file in another way`(words: [String]) throws {
    let check = "--explicit-target-dependency-import-check error"
    #expect(
      try builds("script/test", words, isCI: false) == [
        "build --build-tests \(check)", "SITEGEN_FUZZ build --target Fuzz \(check)",
      ])
    #expect(
      try builds("script/test", words) == [
        "build --build-tests \(check) \(Self.flags)",
        "SITEGEN_FUZZ build --target Fuzz \(check) \(Self.flags)",
      ])
  }
}
