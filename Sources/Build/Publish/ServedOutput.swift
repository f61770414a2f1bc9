package import Files
import Manifest
import Plan

/// The files that `serve` may send: those in the output that sitegen wrote.
package final class ServedOutput: Sendable {
  private let known = Locked<(stamp: FileStamp, paths: Set<String>)?>(nil)

  package init() {}

  package func names(_ path: String, in output: Folder) -> Bool {
    guard let stamp = try? output.stamp(of: Ledger.fileName, followingLinks: false) else {
      return false
    }
    return known.withLock { known in
      if known?.stamp != stamp {
        known = (try? Ledger(in: output)).map { (stamp, Set($0.entries.map(\.path))) }
      }
      return known?.paths.contains(path) == true
    }
  }

  static func madeIDs(in path: String) -> MadeIDs {
    guard let output = try? Folder(opening: path),
      let file = try? output.open(beneath: MadeIDs.fileName, followingLinks: false),
      let bytes = try? file.readBytes(upTo: 64 << 20),
      (try? Ledger(in: output))?[MadeIDs.fileName] != nil
    else { return MadeIDs() }
    return MadeIDs(parsing: String(decoding: bytes, as: UTF8.self))
  }
}
