import Files

/// The folder that a page of differences is written to: one of its own, apart from both sites.
struct DiffFolder {
  /// Locks the folder, and says that it is one of ours.
  static let markName = ".sitegen-diff"

  let folder: Folder
  private let lock: FileLock

  /// - Throws: `BuildFailure.usage` when it is a site, is in one, or has files of somebody else;
  ///   nothing was made then.
  init(at path: String, apartFrom sites: [Folder]) throws {
    try Self.refuse(path, apartFrom: sites)
    let folder = try Folder(making: path)
    // Whatever the path has come to mean since it was looked at.
    try Self.refuse(path, apartFrom: sites)
    self.folder = folder
    switch try FileLock.acquire(Self.markName, in: folder) {
    case .acquired(let lock): self.lock = lock
    case .held(let holder):
      throw BuildFailure.locked(
        Diagnostic(
          .error, .locked, "\(path) is being written: \(holder) holds its lock",
          help: "wait for it to end"))
    }
    if lock.wasAbandoned { try folder.sweepTemporaries() }
    try refuseForeignFiles()
  }

  func close() { lock.release() }

  private static func refuse(_ path: String, apartFrom sites: [Folder]) throws {
    var (existing, rest) = (path, "")
    while (try? Folder(opening: existing)) == nil {
      let (folder, name) = parent(of: existing)
      guard folder != existing else { break }
      (existing, rest) = (folder, name + "/" + rest)
    }
    guard !rest.split(separator: "/").contains("..") else {
      throw notOurs(path, "leads through a folder that does not exist")
    }
    var place = try Folder(opening: existing)
    var climbed = existing
    while true {
      for site in sites where try place.isSame(as: site) {
        throw notOurs(path, "is in \(site.path), which is only read")
      }
      climbed += "/.."
      let above = try Folder(opening: climbed)
      if try above.isSame(as: place) { break }
      place = above
    }
    guard rest.isEmpty else { return }
    let names = try Folder(opening: path).entries().map(\.path)
    guard names.isEmpty || names.contains(markName) else {
      throw notOurs(path, "has files that no `sitegen diff` has written")
    }
  }

  /// The path without its last part, and that part.
  private static func parent(of path: String) -> (folder: String, name: String) {
    let trimmed = String(path.reversed().drop { $0 == "/" }.reversed())
    guard let slash = trimmed.lastIndex(of: "/") else { return (".", trimmed) }
    let folder = slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    return (folder, String(trimmed[trimmed.index(after: slash)...]))
  }

  private func refuseForeignFiles() throws {
    let ours = Set(try Ledger(in: folder).entries.map(\.path) + [Ledger.fileName, Self.markName])
    var foreign: String?
    try folder.walk { entry throws(FileError) in
      if foreign == nil, entry.kind != .folder, !ours.contains(entry.path) { foreign = entry.path }
    }
    if let foreign {
      close()
      throw Self.notOurs(folder.path, "has \(foreign.quoted), which sitegen did not write")
    }
  }

  private static func notOurs(_ path: String, _ why: String) -> BuildFailure {
    .usage(
      Diagnostic(
        .error, .diffNotOurs, "\(path) \(why)",
        help: "name an empty folder with --to, or one that does not exist"))
  }
}
