import TestSupport

/// H2: script/build, script/test and `swift run sitegen` compile each file only once.
///
/// A fake `swift` records the builds.
struct OneCompilationTests {
  private static let flags = "-Xswiftc -gnone"

  private let folder = TemporaryFolder()

  /// Runs a script with fake programs and returns the arguments of each `swift build`.
  ///
  /// The fake `swift` prints `line`. The variables of Package.swift come first.
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

  @Test func `script/build and swift run share one build`() throws {
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

  /// The import check does not compile, and the fuzz target is built separately.
  @Test(arguments: [[], ["--filter", "SomeTests"]])
  func `script/test compiles each file only once`(words: [String]) throws {
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
