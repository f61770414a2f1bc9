import Bytes
import Diagnostics
package import Manifest
import Store

/// A subset of the users, rendered by a build that does not publish.
///
/// A person's shard depends only on a hash of the id, so it stays the same when the list grows.
package struct Shard: Hashable, Sendable {
  package var number: Int
  package var count: Int

  package init(_ number: Int, of count: Int) {
    precondition((1...count).contains(number))
    (self.number, self.count) = (number, count)
  }

  static let cachesName = "shards"

  package var cacheName: String { "\(Self.cachesName)/\(number)-of-\(count)" }

  package func contains(_ id: String) -> Bool {
    Int(Digest(of: Array(id.utf8)).words.0 % UInt64(count)) == number - 1
  }

  /// Returns the manifest for this shard, without exports, which only the publishing build writes.
  package func part(of manifest: Manifest) -> Manifest {
    var part = manifest
    part.users.removeAll { !contains($0.id) }
    part.exports = Exports()
    return part
  }
}

extension BuildContext {
  func addingProblems(to result: BuildResult) -> BuildResult {
    guard let problems = shared?.problems, let path = options.store?.path else { return result }
    var result = result
    func add(_ message: String, note: String? = nil, help: String) {
      result.diagnostics.add(Diagnostic(.warning, .storeUnusable, message, note: note, help: help))
    }
    if let why = problems.unusable {
      add("cannot use the store \(path)", note: why, help: "create the folder, or mount its disk")
    }
    if problems.damaged > 0 {
      let more = problems.damaged > problems.names.count ? ", \u{2026}" : ""
      add(
        "\(problems.damaged) damaged file\(problems.damaged == 1 ? "" : "s") in the store \(path)",
        note: problems.names.joined(separator: ", ") + more,
        help: "damaged files are ignored; --store-mode readwrite replaces them"
      )
    }
    if let why = problems.unwritten {
      add(
        "cannot write to the store \(path)", note: why,
        help: "other machines cannot use images missing there; `sitegen prune --store` frees space")
    }
    return result
  }
}
