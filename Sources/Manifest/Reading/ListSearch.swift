import Documents

/// Finds the files with people that a pattern or a folder stands for.
struct ListSearch {
  let files: ManifestReader.Files
  let allowOutside: Bool
  private(set) var found: Set<SourcePath> = []
  /// Folders of file systems: only root may read them, and they never hold people.
  private static let systemFolders: Set<String> = ["lost+found/", "System Volume Information/"]
  /// Patterns may ask for the same folders again and again.
  private var left = ManifestLimits.userFiles

  init(files: ManifestReader.Files, allowOutside: Bool) {
    self.files = files
    self.allowOutside = allowOutside
  }

  /// Adds what `parts` of a path match in a folder; each is a name, or has `*` and `?` in it, and `**`
  /// is any number of folders.
  ///
  /// - Throws: Where a folder cannot be read that is named.
  mutating func find(
    _ folder: String, _ parts: ArraySlice<String>, isFolder: Bool, isBelow: Bool = false
  ) throws(ManifestReader.Refusal) {
    let part = parts.first ?? "*"
    let rest = parts.dropFirst()
    let isPattern = part.contains { $0 == "*" || $0 == "?" }
    if !isPattern, isFolder || !rest.isEmpty {
      return try find(
        part == "." && rest.isEmpty ? folder : folder + part + "/", rest, isFolder: isFolder,
        isBelow: isBelow)
    }
    left -= 1
    guard left >= 0 else { throw ManifestReader.Refusal("too many folders are in it") }
    let names = try files.list(folder.isEmpty ? "." : folder, allowOutside)
    if rest.isEmpty {
      for name in names where !name.hasSuffix("/") && name.matches(part) {
        // Who names an index means it, and in folders of people each has one.
        let isMeant = name.isOfPerson || !isPattern || isBelow && name.isBundle && name.isPage
        if isMeant, name.isPictureName || Syntax(fileName: name) != nil {
          found.insert(SourcePath(folder + name))
        }
      }
    } else if part == "**" {
      try findIfThere(folder, rest, isBelow: isBelow)
    }
    let isDeep = part == "**"
    guard isDeep || !rest.isEmpty else { return }
    for name in names where name.hasSuffix("/") && name.isOfPerson {
      guard isDeep || name.dropLast().matches(part), !Self.systemFolders.contains(name) else {
        continue
      }
      try findIfThere(folder + name, isDeep ? parts : rest, isBelow: true)
    }
  }

  /// A folder that a pattern stands for may lack what others have, but it must be readable.
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
  /// Whether `*` and `?` of a pattern can stand for what is different.
  fileprivate func matches(_ pattern: String) -> Bool {
    let (name, pattern) = (Array(unicodeScalars), Array(pattern.unicodeScalars))
    var (at, position) = (0, 0)
    var star: (at: Int, position: Int)?
    while at < name.count {
      if position < pattern.count, pattern[position] == "*" {
        star = (at, position)
        position += 1
      } else if position < pattern.count, pattern[position] == "?" || pattern[position] == name[at]
      {
        at += 1
        position += 1
      } else if let last = star {
        star = (last.at + 1, last.position)
        (at, position) = (last.at + 1, last.position + 1)
      } else {
        return false
      }
    }
    return pattern[position...].allSatisfy { $0 == "*" }
  }
}

extension String {
  /// False for hidden files and for what stands beside people in a folder; cameras write `_MG_1.jpg`.
  fileprivate var isOfPerson: Bool {
    let name = lowercased()
    return !name.hasPrefix(".")
      && (isPictureName
        || !name.hasPrefix("_") && !name.hasPrefix("index.") && !name.hasPrefix("readme."))
  }

  /// Whether it is the page of the folder that it lies in.
  var isBundle: Bool { hasPrefix("index.") || hasPrefix("_index.") }

  fileprivate var isPage: Bool { !hasPrefix("_") && Syntax(fileName: self) == .markdown }
}
