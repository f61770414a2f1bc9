import Bytes
import Diagnostics
import Documents
import Files
import Manifest
import Plan

extension Diagnostic {
  /// Returns an error if over half of the published people are gone: a list may be truncated, or
  /// the ids may have changed.
  ///
  /// People are read from the published `assets.json`, because the cache may have been deleted.
  ///
  /// - Throws: If `assets.json` cannot be read.
  /// - Returns: Nil if fewer are gone, or if the site has fewer than 10 people. An error also if
  /// the file is intact but in an unknown format.
  static func lostPeople(
    _ manifest: Manifest, in path: String
  ) throws(FileError) -> Diagnostic? {
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
    // Only files in the ledger were written by a build.
    guard isShrunk || !people.isComplete, let entry = try Ledger(in: output)[assets] else {
      return nil
    }
    if isShrunk {
      return Diagnostic(
        .error, .usersShrunk, "\(lost) of \(published) published people are gone",
        note: "such as \(examples.joined(separator: ", "))",
        help: "if they have left, or their ids have changed, build once with --allow-shrink; "
          + "until then the site stays as it is")
    }
    // A build repairs a damaged file; an intact one was written by another version.
    guard try output.open(beneath: assets, followingLinks: false).digest() == entry.digest else {
      return nil
    }
    return Diagnostic(
      .error, .usersShrunk, "cannot count the published people: the format of \(assets) is unknown",
      help: "if the new site is complete, build once with --allow-shrink; "
        + "until then the site stays as it is")
  }
}
