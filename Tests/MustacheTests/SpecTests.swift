import Mustache
import TestSupport

/// The cases of the public Mustache specification, which are not part of this repository.
///
/// `MUSTACHE_SPEC` names the folder with the specification's JSON files.
struct SpecTests {
  private static let folder = ProcessInfo.processInfo.environment["MUSTACHE_SPEC"]
  private static let specification = Need(
    "the Mustache specification (its files in the folder $MUSTACHE_SPEC)"
  ) { folder != nil }

  @Test(.needs(specification))
  func `every case in the specification produces the expected text`() throws {
    let folder = URL(filePath: try #require(Self.folder))
    let modules = [
      "comments", "delimiters", "interpolation", "sections", "inverted", "partials",
      "~inheritance", "~dynamic-names",
    ]
    var count = 0
    for module in modules {
      let data = try Data(contentsOf: folder.appending(path: "\(module).json"))
      for test in try JSONDecoder().decode(SpecModule.self, from: data).tests {
        count += 1
        #expect(try test.rendered() == test.expected, "\(module): \(test.name)")
      }
    }
    #expect(count > 180)
  }
}

private struct SpecModule: Decodable {
  let tests: [SpecCase]
}

private struct SpecCase: Decodable {
  let name: String
  let data: SpecValue
  let template: String
  let expected: String
  let partials: [String: String]?

  func rendered() throws -> String {
    var texts = partials ?? [:]
    texts["spec-case"] = template
    // In the specification, a missing partial is empty. In sitegen, it is an error.
    let set = try TemplateSet(loading: texts.keys.sorted()) { name in
      TemplateSet.File(path: name, bytes: Array((texts[name] ?? "").utf8))
    }
    return String(decoding: try set.render("spec-case", with: data.value), as: UTF8.self)
  }
}

private struct SpecValue: Decodable {
  let value: Value

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      value = .absent
    } else if let bool = try? container.decode(Bool.self) {
      value = .bool(bool)
    } else if let number = try? container.decode(Int.self) {
      value = .number(number)
    } else if let number = try? container.decode(Double.self) {
      value = .text(String(number))
    } else if let text = try? container.decode(String.self) {
      value = .text(text)
    } else if let items = try? container.decode([SpecValue].self) {
      value = .list(items.map(\.value))
    } else {
      var record = Record()
      for (name, item) in try container.decode([String: SpecValue].self) {
        record[name] = item.value
      }
      value = .record(record)
    }
  }
}
