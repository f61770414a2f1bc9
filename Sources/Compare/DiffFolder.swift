import Build
import Diagnostics
import Files

/// The folder for the diff page: it is outside both sites, and is new, empty or written by `diff`.
struct DiffFolder {
  /// The lock file, which also marks the folder as created by `diff`.
  static let markName = ".sitegen-diff"

  let folder: Folder
  private let lock: FileLock

  /// Throws `BuildFailure.usage` for an unsuitable folder, before creating anything.
  init(at path: String, apartFrom sites: [Folder]) throws {
    try Self.check(path, apartFrom: sites)
    folder = try Folder(making: path)
    // Check again: the path may now lead to a different folder.
    try Self.check(path, apartFrom: sites)
    switch try FileLock.acquire(Self.markName, in: folder) {
    case .acquired(let lock): self.lock = lock
    case .held(let holder):
      throw BuildFailure.locked(
        Diagnostic(
          .error, .locked, "\(path) is locked by \(holder)",
          help: "wait for that process to finish"))
    }
    if lock.wasAbandoned { try folder.sweepTemporaries() }
  }

  func close() { lock.release() }

  private static func check(_ path: String, apartFrom sites: [Folder]) throws {
    let (existing, missing) = try Folder.nearest(to: path)
    guard !missing.contains("..") else {
      throw refusal(path, "contains .. after a folder that does not exist")
    }
    for folder in try Folder.chain(from: existing.path) {
      for site in sites where try folder.isSame(as: site) {
        throw refusal(path, "is inside \(site.path), which `sitegen diff` must not change")
      }
    }
    guard missing.isEmpty, try !existing.entries().isEmpty else { return }
    guard try hasMark(existing) else {
      throw refusal(path, "contains files that `sitegen diff` did not write")
    }
  }

  /// Locking would overwrite the marker file, so the file must be empty or contain a process ID.
  private static func hasMark(_ folder: Folder) throws -> Bool {
    guard try folder.kind(of: markName) == .file else { return false }
    let bytes = try? folder.open(beneath: markName, followingLinks: false).readBytes(upTo: 64)
    return bytes.map { String(decoding: $0, as: UTF8.self) }?.wholeMatch(of: /(pid \d+\n)?/) != nil
  }

  private static func refusal(_ path: String, _ why: String) -> BuildFailure {
    .usage(
      .diffNotOurs, "\(path) \(why)",
      help: "choose an empty folder with --to, or one that does not exist")
  }
}
