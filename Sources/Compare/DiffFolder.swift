import Build
import Bytes
import Diagnostics
import Files
import Plan

/// The folder that the page of differences is written to; it is in neither site.
struct DiffFolder {
  /// The file that locks the folder, and marks it as ours.
  static let markName = ".sitegen-diff"

  let folder: Folder
  private let lock: FileLock

  /// - Throws: `BuildFailure.usage` when the folder is a site, is in one, or has foreign files;
  ///   then nothing was made.
  init(at path: String, apartFrom sites: [Folder]) throws {
    try Self.refuse(path, apartFrom: sites)
    let folder = try Folder(making: path)
    // The path may mean another folder by now.
    try Self.refuse(path, apartFrom: sites)
    self.folder = folder
    // The lock writes to the mark, and a file of that name may not be ours.
    try Self.refuseForeignMark(in: folder)
    try Self.refuseForeignFiles(in: folder, allowingTemporaries: true)
    switch try FileLock.acquire(Self.markName, in: folder) {
    case .acquired(let lock): self.lock = lock
    case .held(let holder):
      throw BuildFailure.locked(
        Diagnostic(
          .error, .locked, "\(path) is being written: \(holder) holds its lock",
          help: "wait for it to end"))
    }
    do {
      if lock.wasAbandoned { try folder.sweepTemporaries() }
      try Self.refuseForeignFiles(in: folder, allowingTemporaries: false)
    } catch {
      lock.release()
      throw error
    }
  }

  func close() { lock.release() }

  private static func refuse(_ path: String, apartFrom sites: [Folder]) throws {
    let (existing, missing) = try Folder.nearest(to: path)
    guard !missing.contains("..") else {
      throw notOurs(path, "leads through a folder that does not exist")
    }
    for folder in try Folder.chain(from: existing.path) {
      for site in sites where try folder.isSame(as: site) {
        throw notOurs(path, "is in \(site.path), which is only read")
      }
    }
    guard missing.isEmpty else { return }
    let names = try existing.entries().map(\.path)
    guard names.isEmpty || names.contains(markName) else {
      throw notOurs(path, "has files that no `sitegen diff` has written")
    }
  }

  /// Our own mark is empty, or has the id of the process that holds it.
  private static func refuseForeignMark(in folder: Folder) throws {
    guard let kind = try folder.kind(of: markName) else { return }
    if kind == .file {
      let file = try folder.open(beneath: markName, followingLinks: false)
      if file.size == 0 { return }
      if file.size <= 32 {
        let text = String(decoding: try file.readBytes(upTo: 64), as: UTF8.self)
        let number = text.dropFirst(4).dropLast()
        let isNumber = number.utf8.allSatisfy(\.isASCIIDigit)
        if text.isEmpty || isNumber && text == "pid \(number)\n" { return }
      }
    }
    throw notOurs(folder.path, "has \(markName.quoted), which sitegen did not write")
  }

  /// Unfinished files may be of a run that was killed or is not done.
  ///
  /// - Throws: `BuildFailure.usage` when there are foreign files.
  private static func refuseForeignFiles(in folder: Folder, allowingTemporaries: Bool) throws {
    let ours = Set(try Ledger(in: folder).entries.map(\.path) + [Ledger.fileName, markName])
    var foreign: String?
    try folder.walk { entry throws(FileError) in
      guard foreign == nil, entry.kind != .folder, !ours.contains(entry.path) else { return }
      let isTemporary = entry.path.split(separator: "/").contains {
        $0.hasPrefix(StagedFile.prefix)
      }
      if !isTemporary || !allowingTemporaries { foreign = entry.path }
    }
    if let foreign {
      throw notOurs(folder.path, "has \(foreign.quoted), which sitegen did not write")
    }
  }

  private static func notOurs(_ path: String, _ why: String) -> BuildFailure {
    .usage(
      Diagnostic(
        .error, .diffNotOurs, "\(path) \(why)",
        help: "name an empty folder with --to, or one that does not exist"))
  }
}
