import Files
import Foundation
import Recipes
import SitegenCLI
import TestSupport
import Testing

/// The real program, from outside.
struct ProgramTests {
  @Test func `words that make no sense are 2 on stderr`() throws {
    for words in [["biuld"], ["build", "--jobs", "0"], ["build", "--jobs=33"], ["init"], []] {
      let run = try Sitegen(words)
      #expect(run.status == 2 && run.signal == nil)
      #expect(run.out.isEmpty)
      #expect(run.err.contains("help"))
    }
  }

  @Test func `help and version are 0 on stdout`() throws {
    for words in [
      ["help"], ["--help"], ["help", "mock"], ["mock", "-h"], ["version"], ["--version"],
    ] {
      let run = try Sitegen(words)
      #expect(run.status == 0)
      #expect(!run.out.isEmpty && run.err.isEmpty)
    }
    #expect(try Sitegen(["version"]).out == "sitegen \(Version.current)\n")
  }

  @Test func `a closed stdout is no crash`() throws {
    let run = try Sitegen(["help", "build"], closedOutput: true)
    #expect(run.signal == nil)
    #expect(run.status == 0)
  }

  @Test func `a missing manifest is 2 and touches nothing`() throws {
    let folder = TemporaryFolder()
    let run = try Sitegen(["build"], in: folder)
    #expect(run.status == 2)
    #expect(run.err.contains("content/manifest.yaml"))
    #expect(!run.err.hasControls)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  /// F1: the same seed makes identical bytes, another seed does not.
  @Test func `the same seed makes the same folder`() throws {
    let folder = TemporaryFolder()
    let words = ["mock", "--users", "6", "--images", "4", "--size", "96x80", "--quiet", "--jobs"]
    for (name, rest) in [("a", ["1", "--seed", "7"]), ("b", ["2", "--seed", "7"]), ("c", ["2"])] {
      let run = try Sitegen(words + rest + [name], in: folder)
      #expect(run.status == 0 && run.out.isEmpty && run.err.isEmpty)
    }
    let (a, b, c) = (
      try contents("a", folder), try contents("b", folder), try contents("c", folder)
    )
    #expect(a.count == 5)
    #expect(a == b)
    #expect(a != c)
  }

  @Test func `a mock that shares pictures builds without a diagnostic`() throws {
    let folder = TemporaryFolder()
    #expect(
      try Sitegen(["mock", "--users", "30", "--images", "5", "--size", "64x64", "m"], in: folder)
        .status == 0)
    let run = try Sitegen(
      ["build", "m", "--report", "r.json"], in: folder)
    #expect(run.status == 0)
    #expect(run.err.isEmpty)
    #expect(!run.out.hasControls)
    #expect(run.out.hasPrefix("m/output: 30 users; 30 images rendered"))
  }

  @Test func `a turned picture is a JPEG that says so`() throws {
    let folder = TemporaryFolder()
    let words = [
      "mock", "--users", "40", "--size", "48x32", "--format", "mix", "--quiet", "m",
    ]
    #expect(try Sitegen(words, in: folder).status == 0)
    var orientations: [Int: Int] = [:]
    for (name, bytes) in try contents("m", folder) where name.hasPrefix("avatars/") {
      let inspection = try Inspection(inspecting: bytes)
      #expect(inspection.uprightSize == PixelSize(width: 48, height: 32))
      orientations[inspection.orientation, default: 0] += 1
    }
    #expect(orientations[6, default: 0] > 0)
    #expect(orientations[1, default: 0] > orientations[6, default: 0])
  }

  @Test func `an example builds as it is`() throws {
    let folder = TemporaryFolder()
    let made = try Sitegen(["init", "site"], in: folder)
    #expect(made.status == 0)
    // As it was started, so that the line can be copied.
    #expect(
      made.out.contains(
        "next: \(BuiltProduct.sitegen) build site, then open site/output/index.html"))
    let site = folder.path(of: "site")
    let schema = try Sitegen(["schema"]).out
    #expect(schema.contains("2020-12"))
    #expect(try folder.read("site/content/manifest.schema.json") == Data(schema.utf8))
    #expect(
      try folder.read("site/content/manifest.yaml")
        .starts(with: Data("# yaml-language-server: $schema=manifest.schema.json\n".utf8)))
    let run = try Sitegen(["build"], in: site)
    #expect(run.status == 0)
    #expect(run.err.isEmpty)
    #expect(FileManager.default.fileExists(atPath: site + "/output/index.html"))
    let clean = try Sitegen(["clean"], in: site)
    #expect(clean.status == 0)
    #expect(clean.out == "removed what sitegen wrote to output, and emptied .sitegen\n")
  }

  @Test(arguments: ["init", "mock"])
  func `samples are never written over what is there`(command: String) throws {
    let folder = TemporaryFolder()
    try folder.write("mine", to: "d/content/mine.txt")
    let run = try Sitegen([command, "d"], in: folder)
    #expect(run.status == 2)
    #expect(run.err.contains("[folder-taken]"))
    #expect(try contents("d", folder).keys.sorted() == ["content/mine.txt"])
  }

  @Test func `doctor says what works`() throws {
    let run = try Sitegen(["doctor"])
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
