import Build
import Files
import Recipes
import SitegenCLI
import TestSupport

struct ProgramTests {
  @Test func `with invalid arguments, sitegen exits with 2 and prints to stderr`() throws {
    for words in [["biuld"], ["build", "--jobs", "0"], ["build", "--jobs=33"], ["init"], []] {
      let run = try sitegen(words)
      #expect(run.status == 2 && run.signal == nil)
      #expect(run.out.isEmpty)
      #expect(run.err.contains("help"))
    }
  }

  @Test func `help and version are printed to stdout and exit with 0`() throws {
    for words in [
      ["help"], ["--help"], ["help", "init"], ["init", "-h"], ["version"], ["--version"],
    ] {
      let run = try sitegen(words)
      #expect(run.status == 0)
      #expect(!run.out.isEmpty && run.err.isEmpty)
    }
    #expect(try sitegen(["version"]).out == "sitegen \(Version.current)\n")
  }

  @Test func `if the manifest is missing, a build exits with 2 and changes nothing`() throws {
    let folder = TemporaryFolder()
    let run = try sitegen(["build"], in: folder)
    #expect(run.status == 2)
    #expect(run.err.contains("content/manifest.yaml"))
    #expect(!run.err.hasControls)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  /// F1: equal seeds produce the same bytes, and different seeds produce different people.
  @Test func `the same seed produces the same sample people`() throws {
    let folder = TemporaryFolder()
    for (name, seed) in [("a", "7"), ("b", "7"), ("c", "8")] {
      try writePeople(
        ["--users", "6", "--images", "4", "--size", "96x80", "--seed", seed, name], in: folder)
    }
    let (a, b, c) = (
      try contents("a", folder), try contents("b", folder), try contents("c", folder)
    )
    #expect(
      a.keys.sorted() == (0..<4).map { "avatars/\($0).png" } + ["manifest.yaml", "users.csv"])
    #expect(a == b)
    #expect(c.count == 6)
    for (path, bytes) in c { #expect(a[path] != bytes, "\(path)") }
  }

  /// F1: a shared picture is decoded once.
  @Test func `sample people who share pictures build without diagnostics`() throws {
    let folder = TemporaryFolder()
    try writePeople(["--users", "30", "--images", "5", "--size", "64x64", "m"], in: folder)
    try folder.write(folder.read("m/avatars/3.png"), to: "m/avatars/4.png")
    let run = try sitegen(["build", "m"], in: folder)
    #expect(run.status == 0)
    #expect(run.err.isEmpty)
    #expect(!run.out.hasControls)
    #expect(run.out.hasPrefix("m/output: 30 users; 24 images rendered"))
    let report = try JSONDecoder().decode(Report.self, from: folder.read("m/.sitegen/report.json"))
    #expect(report.counters.decodes == 4)
  }

  private func writePeople(_ words: [String], in folder: TemporaryFolder) throws {
    let script = Checkout.root.appending(path: "script/sample-people").path
    #expect(try RunningProgram([script] + words, in: folder.path).ending().status == 0)
  }

  @Test func `the generated example can be built unchanged`() throws {
    let folder = TemporaryFolder()
    let made = try sitegen(["init", "site"], in: folder)
    #expect(made.status == 0)
    // The line contains the program's path, so that the line can be copied.
    #expect(
      made.out.contains(
        "next: \(BuiltProduct.sitegen) build site, then open site/output/index.html"))
    let site = folder.path(of: "site")
    let schema = try sitegen(["schema"]).out
    #expect(schema.contains("2020-12"))
    #expect(try folder.read("site/content/manifest.schema.json") == Data(schema.utf8))
    #expect(
      try folder.read("site/content/manifest.yaml")
        .starts(with: Data("# yaml-language-server: $schema=manifest.schema.json\n".utf8)))
    let badger = try Inspection(inspecting: folder.read("site/content/avatars/badger.jpg"))
    // The picture is rotated by its EXIF orientation.
    #expect(badger.orientation == 6)
    let run = try sitegen(["build"], in: site)
    #expect(run.status == 0)
    #expect(run.err.isEmpty)
    #expect(FileManager.default.fileExists(atPath: site + "/output/index.html"))
    let clean = try sitegen(["clean"], in: site)
    #expect(clean.status == 0)
    #expect(clean.out == "removed sitegen's files from output, and emptied .sitegen\n")
  }

  @Test func `verify and clean report a missing site`() throws {
    let folder = TemporaryFolder()
    try folder.write("version: 1\nusers: []\n", to: "manifest.yaml")
    let verify = try sitegen(["verify"], in: folder)
    #expect(verify.status == 1 && verify.out.hasPrefix("output: nothing verified; 1 problem\n"))
    #expect(verify.err.contains("cannot find a built site here"))
    #expect(verify.err.contains("  help: run `sitegen build`"))
    let clean = try sitegen(["clean"], in: folder)
    #expect(clean.status == 0)
    #expect(clean.out == "nothing to remove: output and .sitegen do not exist\n")
  }

  @Test func `if the output cannot be created, the error names the option to change`() throws {
    let folder = TemporaryFolder()
    try folder.write("name\nAda\n", to: "team.csv")
    let run = try sitegen(["build", "team.csv", "--output", "/proc/sitegen"], in: folder)
    #expect(run.status == 3 && run.err.contains("cannot create /proc/sitegen"), "\(run.err)")
    #expect(run.err.contains("  help: choose another --output or --cache\n"))
  }

  @Test func `the example does not overwrite existing files`() throws {
    let folder = TemporaryFolder()
    try folder.write("mine", to: "d/content/mine.txt")
    let run = try sitegen(["init", "d"], in: folder)
    #expect(run.status == 2)
    #expect(run.err.contains("[folder-taken]"))
    #expect(try contents("d", folder).keys.sorted() == ["content/mine.txt"])
  }

  @Test func `doctor reports which features work`() throws {
    let run = try sitegen(["doctor"])
    #expect(run.status == 0)
    for format in OutputFormat.allCases { #expect(run.out.contains("write \(format.rawValue)")) }
    #expect(run.out.contains("ImageMagick"))
    #expect(!run.out.hasControls)
  }

  private func contents(_ name: String, _ folder: TemporaryFolder) throws -> [String: Data] {
    let root = folder.path(of: name)
    var files: [String: Data] = [:]
    for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init() {
      if let data = FileManager.default.contents(atPath: root + "/" + path) { files[path] = data }
    }
    return files
  }
}
