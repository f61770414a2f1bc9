/// A manifest and its files in memory.
package struct ManifestText {
  package var text: String
  package var syntax = Syntax.yaml
  package var files: [String: String] = [:]
  /// Binary files and downloads by path.
  package var binaries: [String: [UInt8]] = [:]
  package var allowEmpty = false
  package var explains = false
  package var allowShrink = false
  /// IDs that an earlier build wrote to the output.
  package var madeIDs = ""
  /// Lists by URL: the newest version and the cached one.
  package var lists: [String: (new: String, former: String?)] = [:]

  package init(
    text: String, syntax: Syntax = .yaml, files: [String: String] = [:], allowEmpty: Bool = false
  ) {
    self.text = text
    self.syntax = syntax
    self.files = files
    self.allowEmpty = allowEmpty
  }

  /// Returns a manifest with one style, whose keys start at line 3, column 5, and one user.
  package static func style(_ keys: String) -> ManifestText {
    ManifestText(text: "version: 1\navatars:\n  - \(keys)\nusers: [{ id: a }]\n")
  }

  /// Returns a manifest with one button, whose keys start at line 5, column 5.
  package static func button(_ keys: String) -> ManifestText {
    ManifestText(text: "version: 1\nbuttons:\n  - name: b\n    normal: red\n    \(keys)\n")
  }

  /// Returns a manifest with one user, whose keys start at line 4, column 5.
  package static func user(_ keys: String) -> ManifestText {
    ManifestText(text: "version: 1\nusers:\n  - id: a\n    \(keys)\n")
  }

  /// Reads the manifest; if jsonschema is installed, the schema must find the same mistakes.
  package func read() throws -> (manifest: Manifest?, diagnostics: Diagnostics) {
    let file = syntax == .json ? "content/manifest.json" : "content/manifest.yaml"
    let document = try Document(reading: Array(text.utf8), syntax: syntax, file: file)
    var reader = ManifestReader(self)
    (reader.allowEmpty, reader.allowShrink) = (allowEmpty, allowShrink)
    reader.explains = explains
    reader.madeIDs = MadeIDs(parsing: madeIDs)
    let result = reader.read(document)
    if text.utf8.count < 100_000 {
      let flaws = try SchemaOracle.shared?.disagreements(on: document, result.diagnostics) ?? []
      #expect(flaws == [], "\(text.prefix(500))")
    }
    return result
  }

  /// Returns the problems in short form, such as `3:11 avatars[0].size out-of-range`.
  package func problems() throws -> [String] {
    try read().diagnostics.sorted.map { diagnostic in
      var words: [String] = []
      if let location = diagnostic.location {
        let isManifest = location.file.hasPrefix("content/manifest.")
        let position = location.position.map { "\($0.line):\($0.column)" } ?? "-"
        words.append(isManifest ? position : "\(location.file):\(position)")
      }
      if let path = diagnostic.path { words.append(path) }
      words.append(diagnostic.id)
      if diagnostic.severity != .error { words.append("(\(diagnostic.severity.rawValue))") }
      return words.joined(separator: " ")
    }
  }
}

extension ManifestText: ListFiles {
  package func fetch(
    _ list: ListAddress, _ network: NetworkSettings
  ) throws(ManifestReader.Refusal) -> ManifestReader.FetchedList {
    if let bytes = binaries[list.url] { return ManifestReader.FetchedList(bytes: bytes) }
    guard let list = lists[list.url] else { throw ManifestReader.Refusal("HTTP 404") }
    return ManifestReader.FetchedList(
      bytes: Array(list.new.utf8), former: list.former.map { Array($0.utf8) })
  }

  package func names(
    in folder: String, allowOutside: Bool
  ) throws(ManifestReader.Refusal) -> [String] {
    let isFile = files[folder.hasSuffix("/") ? String(folder.dropLast()) : folder] != nil
    if isFile { throw ManifestReader.Refusal("not a directory") }
    let start = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let names = (Array(files.keys) + binaries.keys).filter { $0.hasPrefix(start) }
      .map { String($0.dropFirst(start.count)) }
    guard !names.isEmpty else { throw .notFound }
    // A folder is listed once, by its name and a slash.
    return Set(names.map { $0.prefix(while: { $0 != "/" }) + ($0.contains("/") ? "/" : "") })
      .sorted().map(String.init)
  }

  package func open(_ path: String, allowOutside: Bool) throws(ManifestReader.Refusal) -> [UInt8] {
    if let bytes = binaries[path] { return bytes }
    guard let text = files[path] else { throw .notFound }
    return Array(text.utf8)
  }

  package func peek(_ path: String, allowOutside: Bool) -> [UInt8] { [] }
}

extension AvatarStyle.Ring {
  package init(width: Double, color: Color?, mode: Mode = .over, gap: Double = 0) {
    self.init(fill: color.map(Fill.solid))
    (self.width, self.mode, self.gap) = (.points(width), mode, gap)
  }
}
