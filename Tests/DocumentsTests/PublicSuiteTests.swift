import Documents
import TestSupport

/// The public test suites for JSON, TOML and YAML, which are not in this repository.
///
/// `SYNTAX_SUITES` is a folder that contains the repositories `JSONTestSuite`, `toml-test` and
/// `yaml-test-suite` as published.
struct PublicSuiteTests {
  private static let folder = ProcessInfo.processInfo.environment["SYNTAX_SUITES"]
  private static let suites = Need(
    "the public suites of JSON, TOML and YAML (in the folder $SYNTAX_SUITES)", mayMissInCI: true
  ) { folder != nil }

  private func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: try #require(Self.folder) + "/" + path)))
  }

  private func isRead(_ bytes: [UInt8], _ syntax: Syntax) -> Bool {
    Reading(bytes: bytes, syntax).faults == []
  }

  /// M1: files named `n_…` are refused, and files named `y_…` are read.
  @Test(.needs(suites)) func `the reader passes the public JSON test suite`() throws {
    let folder = try #require(Self.folder) + "/JSONTestSuite/test_parsing"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    var (bad, good) = (0, 0)
    var wrong: [String] = []
    for name in names where name.hasPrefix("n_") || name.hasPrefix("y_") {
      let isGood = name.hasPrefix("y_")
      if isGood { good += 1 } else { bad += 1 }
      if isRead(try read("JSONTestSuite/test_parsing/" + name), .json) != isGood {
        wrong.append(name)
      }
    }
    #expect(bad == 188 && good == 95)
    // Manifests do not allow duplicate keys.
    #expect(
      wrong.sorted() == ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"])
  }

  /// Impossible dates are read, because dates stay text; a document without keys is refused.
  @Test(.needs(suites)) func `the reader passes the public TOML test suite`() throws {
    let list = String(decoding: try read("toml-test/tests/files-toml-1.0.0"), as: UTF8.self)
    var counts = (bad: 0, good: 0, moments: 0, empty: 0)
    for name in list.split(separator: "\n") where name.hasSuffix(".toml") {
      let (isGood, file) = (name.hasPrefix("valid/"), try read("toml-test/tests/" + name))
      if isGood { counts.good += 1 } else { counts.bad += 1 }
      if isRead(file, .toml) == isGood { continue }
      let lines = String(decoding: file, as: UTF8.self).split(whereSeparator: \.isNewline)
      if isGood, lines.allSatisfy({ $0.first == "#" || $0.allSatisfy(\.isWhitespace) }) {
        counts.empty += 1
      } else if name.contains(/^invalid\/(local-(date|time|datetime)|datetime)\//) {
        counts.moments += 1
      } else {
        Issue.record("\(name)")
      }
    }
    #expect(counts.bad > 450 && counts.good > 190 && counts.moments < 60 && counts.empty < 10)
  }

  /// Valid texts with tags, several documents or keys that are not text are refused.
  @Test(.needs(suites)) func `the reader rejects invalid YAML, with twelve exceptions`() throws {
    let folder = try #require(Self.folder) + "/yaml-test-suite/src"
    var (read, good, wrong) = (0, 0, [String]())
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let document = try Document(
        reading: self.read("yaml-test-suite/src/" + name), syntax: .yaml, file: name)
      guard case .sequence(let tests) = document.root.content else { continue }
      for test in tests {
        guard var text = test["yaml"] else { continue }
        for (mark, character) in [
          ("␣", " "), ("———»", "\t"), ("——»", "\t"), ("—»", "\t"), ("»", "\t"), ("←", "\r"),
          ("⇔", "\u{FEFF}"), ("∎\n", ""), ("↵", ""),
        ] {
          text = text.replacing(mark, with: character)
        }
        let isRead = isRead(Array(text.utf8), .yaml)
        if test["fail"] == "true" {
          if isRead { wrong.append(name) }
        } else {
          good += 1
          if isRead { read += 1 }
        }
      }
    }
    #expect(
      wrong == [
        "9C9N.yaml", "9JBA.yaml", "CVW2.yaml", "DK95.yaml", "G5U8.yaml", "QB6E.yaml", "RHX7.yaml",
        "S98Z.yaml", "SU5Z.yaml", "X4QW.yaml", "Y79Y.yaml", "YJV2.yaml",
      ])
    #expect(good > 250 && read * 2 > good, "\(read) of \(good)")
  }
}

extension Node {
  fileprivate subscript(key: String) -> String? {
    guard case .mapping(let entries) = content,
      case .scalar(let scalar)? = entries.first(where: { $0.key == key })?.value.content
    else { return nil }
    return scalar.text
  }
}
