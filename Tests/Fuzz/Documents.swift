import Diagnostics
import Manifest
import Mustache

@testable import Documents

/// Rejects every list file named in a manifest.
private struct NoFiles: ListFiles {
  func fetch(
    _ list: ListAddress, _ network: NetworkSettings
  ) throws(ManifestReader.Refusal) -> ManifestReader.FetchedList { throw .notFound }

  func names(
    in folder: String, allowOutside: Bool
  ) throws(ManifestReader.Refusal) -> [String] { throw .notFound }

  func open(
    _ path: String, allowOutside: Bool
  ) throws(ManifestReader.Refusal) -> [UInt8] { throw .notFound }

  func peek(_ path: String, allowOutside: Bool) -> [UInt8] { [] }
}

extension FuzzTarget {
  static let json = FuzzTarget { read($0, .json) }
  static let yaml = FuzzTarget { read($0, .yaml) }
  static let toml = FuzzTarget { read($0, .toml) }
  static let jsonLines = FuzzTarget { read($0, .jsonLines) }
  static let markdown = FuzzTarget { read($0, .markdown) }
  static let vCard = FuzzTarget { read($0, .vCard) }
  static let csv = FuzzTarget { read($0, $0.first == UInt8(ascii: "\t") ? .tsv : .csv) }

  static let xlsx = FuzzTarget { read($0, .xlsx) }

  /// Reads a document as a tree, and any other syntax as a list.
  private static func read(_ bytes: [UInt8], _ syntax: Syntax) {
    var limits = DocumentLimits()
    limits.bytes = 1 << 20
    limits.listBytes = limits.bytes
    if [.json, .toml, .yaml].contains(syntax) {
      _ = try? Document(reading: bytes, syntax: syntax, file: "fuzz", limits: limits)
    } else {
      var reader = try? RecordReader(bytes, syntax: syntax, file: "fuzz", limits: limits)
      while (try? reader?.next()) != nil {}
    }
  }

  static let manifest = FuzzTarget { bytes in
    guard let document = try? Document(reading: bytes, syntax: .yaml, file: "fuzz") else { return }
    let reader = ManifestReader(NoFiles())
    let (manifest, diagnostics) = reader.read(document)
    demand(manifest != nil || diagnostics.hasErrors, "no manifest, and no word why")
  }

  /// A template that may include itself, filled with every kind of value.
  static let mustache = FuzzTarget { bytes in
    let set = try? TemplateSet(loading: ["fuzz"]) { name in
      TemplateSet.File(
        path: name, bytes: name == "fuzz" ? bytes : Array("[{{name}}{{>fuzz}}]".utf8))
    }
    guard let set else { return }
    let value: Value = [
      "name": "a < b", "count": 3, "isNew": true, "none": .absent,
      "list": ["a", "b", ["name": "c", "list": ["d"]]], "partial": "fuzz",
      "a": ["b": ["c": "deep"]],
    ]
    guard let output = try? set.render("fuzz", with: value) else { return }
    demand(String(validating: output, as: UTF8.self) != nil, "the page is no UTF-8")
  }
}
