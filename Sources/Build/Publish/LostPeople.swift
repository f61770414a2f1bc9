import Bytes
import Diagnostics
import Documents
import Files
import Manifest
import Plan

extension Diagnostic {
  /// Returns an error if more than half of at least 10 published people are gone: a list may be
  /// truncated, or the ids may have changed.
  ///
  /// The published people are read from `assets.json`, because the cache may have been deleted. An
  /// unknown format is also an error, because the people cannot be counted.
  static func lostPeople(_ manifest: Manifest, in path: String) throws(FileError) -> Diagnostic? {
    let assets = "assets.json"
    guard let output = try? Folder(opening: path), try output.kind(of: assets) == .file else {
      return nil
    }
    let file = try output.open(beneath: assets, followingLinks: false)
    let ids = Set(manifest.users.map(\.id))
    var people = JSONKeys(of: "users")
    var (published, lost, offset) = (0, 0, Int64(0))
    var examples: [String] = []
    while true {
      let piece = try file.readChunk(at: offset, count: 1 << 20)
      if piece.isEmpty { break }
      offset += Int64(piece.count)
      people.read(piece) { id in
        published += 1
        guard !ids.contains(id) else { return }
        lost += 1
        if examples.count < 3 { examples.append(id.quoted) }
      }
    }
    let isShrunk = published >= 10 && lost * 2 > published
    // A file that is not in the ledger was not written by sitegen.
    guard isShrunk || !people.isComplete, let entry = try Ledger(in: output)[assets] else {
      return nil
    }
    if isShrunk {
      return Diagnostic(
        .error, .usersShrunk, "\(lost) of \(published) published people are missing",
        note: "they include \(examples.joined(separator: ", "))",
        help: "if they have left, or their ids have changed, build once with --allow-shrink; "
          + "until then, the site is not updated")
    }
    // If the file is damaged, this build will repair it; if not, another sitegen version wrote it.
    guard try output.open(beneath: assets, followingLinks: false).digest() == entry.digest else {
      return nil
    }
    return Diagnostic(
      .error, .usersShrunk, "cannot count the published people: the format of \(assets) is unknown",
      help: "if the new site is complete, build once with --allow-shrink; "
        + "until then, the site is not updated")
  }
}
