import Diagnostics
import Documents
import Recipes

struct ListSearch {
  private let reader: ManifestReader
  private let allowOutside: Bool
  private var found: Set<SourcePath> = []
  /// System folders that only root can read.
  private static let systemFolders: Set<String> = ["lost+found/", "System Volume Information/"]
  /// The remaining number of folder reads, limited because patterns may read a folder repeatedly.
  private var left = ManifestLimits.userFiles

  init(_ reader: ManifestReader, allowOutside: Bool) {
    self.reader = reader
    self.allowOutside = allowOutside
  }

  /// The list's files, in alphabetical order; `areMany` is false if the list is a single file.
  struct Names {
    var records: [String] = []
    var pictures: [String] = []
    /// The prefix of all picture paths; the folders below it become tags.
    var base = ""
    var areMany = true
  }

  func names(_ name: String, _ field: Field, _ reader: inout FieldReader) -> Names? {
    let isPattern = name.contains { $0 == "*" || $0 == "?" }
    if !isPattern, Syntax(fileName: name) != nil { return Names(records: [name], areMany: false) }
    // A pattern stands for a folder only if it ends in `**`.
    let isFolder = !isPattern || parts(of: name).name == "**"
    var names: [String]
    do throws(ManifestReader.Refusal) {
      names = try sorted(name, isPattern: isPattern).filter {
        ![parts(of: reader.file).name, ManifestSchema.fileName].contains($0)
      }
      if !isPattern, names.allSatisfy(\.isPictureName) {
        names += try unnamedPictures(in: name, field, &reader)
        if names.isEmpty || self.reader.takesSubfolders {
          names = try picturesBelow(name, besides: names)
        }
      }
    } catch {
      if isPattern {
        return reader.reject(
          .usersUnreadable, "cannot read \(name.shortened)", field, note: error.cause,
          help: error.help ?? "paths are relative to the manifest")
      }
      let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
      // Suggest how to convert the file only if it exists and can be opened.
      let exists = (try? self.reader.files.open(name, allowOutside: allowOutside)) != nil
      let export = exists ? Self.exports[ending] : nil
      return reader.reject(
        .unknownValue, "\(name.quoted) is not a list of people", field,
        note: export == nil ? error.cause : nil, help: export ?? Self.help)
    }
    let records = names.filter { Syntax(fileName: $0) != nil }
    let pictures = names.filter { Syntax(fileName: $0) == nil }
    let lists = records.filter { Syntax(fileName: $0) != .markdown }
    if isFolder, let list = lists.first {
      let other = names.first { !lists.contains($0) } ?? lists.last
      let ending = list.lastIndex(of: ".").map { String(list[$0...]) } ?? ""
      return reader.reject(
        .unknownValue, "the folder contains lists, such as \(list.quoted)", field,
        note: other.flatMap { $0 == list ? nil : "it also contains \($0.quoted)" },
        help: "use a list, such as \(list), or a pattern like \(parts(of: list).folder)*\(ending)")
    }
    if names.isEmpty {
      // Only warn: the folder may be empty because the last person has left.
      let place = name == "." ? "the folder" : name.quoted
      let below = (name == "." ? "" : name + "/") + "*/*.md"
      let hasPages =
        isFolder && !isPattern && (try? sorted(below, isPattern: true).isEmpty) == false
      reader.report(
        .warning, .usersUnreadable,
        isFolder
          ? "cannot find any pictures in \(place)" : "cannot find a file that matches \(place)",
        field,
        help: hasPages
          ? "for pages in subfolders, use a pattern such as \(below.quoted)" : Self.help)
    }
    let count = records.isEmpty ? pictures.count : records.count
    guard count <= ManifestLimits.userFiles else {
      return reader.reject(
        .tooMany, "too many files: \(count); the limit is \(ManifestLimits.userFiles)", field)
    }
    let base = isPattern || name == "." ? "" : name + "/"
    return Names(records: records, pictures: pictures, base: base)
  }

  private func unnamedPictures(
    in folder: String, _ field: Field, _ reader: inout FieldReader
  ) throws(ManifestReader.Refusal) -> [String] {
    let names = try self.reader.files.names(in: folder, allowOutside: allowOutside)
    let others = names.filter { name in
      [".tif", ".tiff", ".bmp", ".ico", ".psd", ".jp2", ".jxl"].contains(
        where: name.lowercased().hasSuffix)
    }
    if let first = others.first {
      let place = reader.located(field)
      reader.diagnostics.add(
        Diagnostic(
          .warning, Reason.unsupportedFormat.rawValue,
          (others.count == 1 ? "cannot use" : "cannot use \(others.count) pictures, such as")
            + " \(first.quoted)", at: place.location, path: place.path,
          help: "use \(Inspection.Format.list)"))
    }
    let base = folder == "." ? "" : folder + "/"
    let unnamed = names.filter { !$0.contains(".") && !$0.hasSuffix("/") }.prefix(1_000)
    var pictures: [String] = []
    for path in unnamed.map({ base + $0 }) {
      let start = try self.reader.files.peek(path, allowOutside: allowOutside)
      if Signature.isPicture(start) { pictures.append(path) }
    }
    return pictures
  }

  /// Returns the pictures in a folder and its subfolders.
  ///
  /// Skips files such as `originals/ada.jpg` if the folder itself contains a picture named `ada`.
  private func picturesBelow(
    _ folder: String, besides known: [String]
  ) throws(ManifestReader.Refusal) -> [String] {
    let base = folder == "." ? "" : folder + "/"
    let below = try sorted(base + "**/*", isPattern: true).filter(\.isPictureName)
    let names = Set(known.map { parts(of: $0).name.stem })
    return known + below.filter { !known.contains($0) && !names.contains(parts(of: $0).name.stem) }
  }

  private static let exports = [
    "ods": "save it as CSV: in LibreOffice, File > Save As > Text CSV (.csv)",
    "numbers": "save it as CSV: in Numbers, File > Export To > CSV",
    "xls": "save it as CSV: in Excel, File > Save As > CSV UTF-8 (Comma delimited)",
    "html": "save it as CSV: open it in Excel or LibreOffice, then File > Save As > CSV",
    "xml": "save it as CSV: open it in Excel or LibreOffice, then File > Save As > CSV",
    "ts": "save it as CSV or JSON, for example with JSON.stringify(people)",
  ]

  private static let help =
    "use a .csv, .tsv, .xlsx, .json, .jsonl, .yaml, .toml, .vcf or .md file, or a folder of "
    + "pictures or .md files"

  private func sorted(_ name: String, isPattern: Bool) throws(ManifestReader.Refusal) -> [String] {
    var search = self
    let start = name.hasPrefix("/") ? "/" : ""
    let folders = name.split(separator: "/").map(String.init)
    try search.find(start, folders[...], isFolder: !isPattern)
    // Also find Hugo bundles such as `authors/ada/_index.md`. Next to pages such as `ada.md`, a
    // folder with `_index.md` is a section, not a person.
    let isEmpty = search.found.isEmpty
    let mayBeBundles = !isPattern && search.found.allSatisfy { $0.text.hasSuffix(".md") }
    for page in ["index.md", "index.??.md"] + (isEmpty ? ["_index.md"] : []) where mayBeBundles {
      let pattern = folders.filter { $0 != "." } + ["*", page]
      try search.find(start, pattern[...], isFolder: false)
    }
    if mayBeBundles, search.found.isEmpty {
      // The people's pages may be in the only subfolder, as in `content/team/members`.
      let below = try reader.files.names(in: name, allowOutside: allowOutside)
        .filter { $0.hasSuffix("/") }.map { String($0.dropLast()) }
      if below.count == 1, ColumnNames.isUsual(below[0]), !ColumnNames.isContacts(below[0]) {
        try search.find(start, (folders.filter { $0 != "." } + below)[...], isFolder: true)
        search.found = search.found.filter { Syntax(fileName: $0.text) == .markdown }
      }
    }
    search.found = Set(Self.withoutTranslations(search.found.map(\.text)).map { SourcePath($0) })
    return search.found.map { (key: $0.text.sortKey, name: $0.text) }.sorted {
      $0.key == $1.key
        ? $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        : $0.key.lexicographicallyPrecedes($1.key)
    }.map(\.name)
  }

  /// Returns one page of each person: the one without a language, or else the English one.
  ///
  /// The end of `ada.pl.md` is a language if there is an `ada.md`, or if half of the pages have it.
  private static func withoutTranslations(_ files: [String]) -> [String] {
    let people = Dictionary(grouping: files.sorted(), by: \.pageName)
    let pages = people.values.count { $0[0].hasSuffix(".md") }
    let languages = Dictionary(grouping: files.compactMap(\.language)) { $0 }
      .filter { $0.value.count * 2 >= pages }
    return people.values.flatMap { files in
      if let plain = files.last(where: { $0.language == nil }) { return [plain] }
      let isTranslated = files.contains { file in
        languages[file.language ?? ""] != nil || parts(of: file).name.isBundle
      }
      return isTranslated ? [files.first { $0.language == "en" } ?? files[0]] : files
    }
  }

  /// Adds the files that match a path whose components may contain `*`, `?` or `**`.
  ///
  /// - Throws: If a folder that is named without wildcards cannot be read.
  private mutating func find(
    _ folder: String, _ parts: ArraySlice<String>, isFolder: Bool, isBelow: Bool = false
  ) throws(ManifestReader.Refusal) {
    let (part, rest) = (parts.first ?? "*", parts.dropFirst())
    let (isDeep, isPattern) = (part == "**", part.contains { $0 == "*" || $0 == "?" })
    if !isPattern, isFolder || !rest.isEmpty {
      return try find(
        part == "." && rest.isEmpty ? folder : folder + part + "/", rest, isFolder: isFolder,
        isBelow: isBelow)
    }
    left -= 1
    guard left >= 0 else { throw ManifestReader.Refusal("it contains too many folders") }
    let names = try reader.files.names(
      in: folder.isEmpty ? "." : folder, allowOutside: allowOutside)
    if rest.isEmpty {
      for name in names where !name.hasSuffix("/") && name.matches(part) {
        // Accept an index file only if it is named explicitly or is in a person's subfolder.
        let isMeant = name.isOfPerson || !isPattern || isBelow && name.isBundle && name.isPage
        if isMeant, name.isPictureName || Syntax(fileName: name) != nil {
          found.insert(SourcePath(folder + name))
        }
      }
    } else if isDeep {
      try findIfThere(folder, rest, isBelow: isBelow)
    }
    guard isDeep || !rest.isEmpty else { return }
    for name in names where name.hasSuffix("/") && name.isOfPerson {
      if isDeep || name.dropLast().matches(part), !Self.systemFolders.contains(name) {
        try findIfThere(folder + name, isDeep ? parts : rest, isBelow: true)
      }
    }
  }

  /// Searches a folder that matched a wildcard; ignores a missing folder but not an unreadable one.
  private mutating func findIfThere(
    _ folder: String, _ parts: ArraySlice<String>, isBelow: Bool
  ) throws(ManifestReader.Refusal) {
    do throws(ManifestReader.Refusal) {
      try find(folder, parts, isFolder: false, isBelow: isBelow)
    } catch {
      if !error.isAbsence { throw error }
    }
  }
}

extension StringProtocol {
  fileprivate func matches(_ pattern: String) -> Bool {
    let name = Array(unicodeScalars)
    // The lengths of the beginnings of the name that match the pattern so far.
    var lengths = [0]
    for mark in pattern.unicodeScalars {
      if mark == "*" {
        lengths = lengths.first.map { Array($0...name.count) } ?? []
      } else {
        lengths = lengths.filter { $0 < name.count && (mark == "?" || mark == name[$0]) }
          .map { $0 + 1 }
      }
    }
    return lengths.last == name.count
  }
}

extension String {
  /// The path in `git:PATH`, which refers to the contributors of a Git repository.
  package var repository: String? { hasPrefix("git:") ? String(dropFirst(4)) : nil }

  package var isPictureName: Bool {
    let ending = lastIndex(of: ".").map { self[$0...].dropFirst().lowercased() } ?? ""
    return Inspection.Format.endings.contains(ending)
  }

  package var stem: String { lastIndex(of: ".").map { String(self[..<$0]) } ?? self }

  /// The lowercase text with padded numbers, so that `photo-2` comes before `photo-10`.
  fileprivate var sortKey: [UInt8] {
    var (key, digits) = ([UInt8](), 0)
    for byte in lowercased().utf8 {
      let isDigit = UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      if !isDigit, 1..<9 ~= digits {
        key.insert(
          contentsOf: repeatElement(UInt8(ascii: "0"), count: 9 - digits), at: key.count - digits)
      }
      digits = isDigit ? digits + 1 : 0
      key.append(byte)
    }
    return key
  }

  /// Whether the file may describe a person, unlike Excel's lock file `~$team.xlsx`.
  fileprivate var isOfPerson: Bool {
    let name = lowercased()
    return !name.hasPrefix(".")
      && (isPictureName
        || !name.hasPrefix("_") && !name.hasPrefix("~") && !name.hasPrefix("index.")
          && !["readme.", "template."].contains(where: name.hasPrefix))
  }

  /// The `de` in a page's name such as `ada.de.md`.
  fileprivate var language: String? {
    guard hasSuffix(".md"), let dot = stem.lastIndex(of: ".") else { return nil }
    let end = stem[dot...].dropFirst()
    return end.count == 2 || end.count == 5 && end.dropFirst(2).first == "-" ? String(end) : nil
  }

  /// The page's path without its language and ending; a bundle is named after its folder.
  fileprivate var pageName: String {
    guard hasSuffix(".md") else { return self + "/" }
    let name = String(stem.dropLast(language.map { $0.count + 1 } ?? 0))
    let (folder, file) = parts(of: name)
    return ["index", "_index"].contains(file) ? String(folder.dropLast()) : name
  }

  var isBundle: Bool { hasPrefix("index.") || hasPrefix("_index.") }

  fileprivate var isPage: Bool { !hasPrefix("_") && Syntax(fileName: self) == .markdown }
}

/// Splits a path into folder and file name; the folder is empty or ends with a slash.
package func parts(of path: String) -> (folder: String, name: String) {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
  let next = path.utf8.index(after: slash)
  return (String(path[..<next]), String(path[next...]))
}
