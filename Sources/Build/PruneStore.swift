package import Bytes
import Diagnostics
import Foundation
package import Store

/// `sitegen prune --store`: removes from a folder that machines share what no kept plan names and
/// nobody has used for some time.
///
/// Only a folder is swept: buckets and servers of caches do that themselves, and listing them costs
/// money. Whoever misses an object makes it again.
package struct PruneStore: Sendable {
  package struct Outcome: Hashable, Sendable {
    package var removed = 0
    package var removedBytes: Int64 = 0
    package var kept = 0
    package var keptBytes: Int64 = 0
  }

  private let location: SharedStore.Location
  private let plans: [Digest]
  private let age: Int64
  private let deletes: Bool
  private let now: Int64
  private let cancellation: Cancellation

  /// Removes what is as old as `age` seconds, and nothing if that is negative.
  ///
  /// Without `deletes` it only counts.
  package init(
    _ location: SharedStore.Location, keeping plans: [Digest], age: Int64, deletes: Bool,
    now: Int64 = Int64(Date().timeIntervalSince1970), cancellation: Cancellation = Cancellation()
  ) {
    (self.location, self.plans, self.age, self.deletes) = (location, plans, age, deletes)
    (self.now, self.cancellation) = (now, cancellation)
  }

  package func run() throws(BuildFailure) -> Outcome {
    do {
      guard let path = location.path else {
        throw BuildFailure.usage(
          Diagnostic(
            .error, .badValue, "only a folder is swept, and not \(location.address)",
            help: "give a bucket a rule that removes old objects; run this where the server's "
              + "folder is, with dir: and its path"))
      }
      let store = try FolderStore(path)
      // First: a plan that is not there may be a mistyped one.
      let marked = try marked(in: store)
      var outcome = Outcome()
      try store.sweep { entry in
        if cancellation.isCancelled { throw CancellationError() }
        // What has no name yet may be at work.
        let age = entry.object == nil && age >= 0 ? max(age, 86_400) : age
        let isOld = age >= 0 && now - entry.used >= age
        guard isOld, entry.object.map({ !marked.contains($0) }) ?? true else {
          outcome.kept += 1
          outcome.keptBytes += entry.size
          return false
        }
        outcome.removed += 1
        outcome.removedBytes += entry.size
        return deletes
      }
      return outcome
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  /// What plans are made of, and what was rendered for them.
  private func marked(in store: FolderStore) throws -> Set<StoredObject> {
    var marked: Set<StoredObject> = []
    let queue = try WorkQueue(waiting: "store", width: 16, cancellation: cancellation)
    for digest in plans {
      let plan = try JobPlan(digest, in: store)
      marked.formUnion(
        ([digest] + plan.resources.compactMap { Digest(hex: $0) }).map { .bytes($0) })
      marked.formUnion(try Pack.objects(of: FetchedForPlan.key(of: digest), in: store))
      try queue.map(plan.units.compactMap { Digest(hex: $0) }) { unit in
        let sources = try store.get(.bytes(unit)).flatMap { try? JobUnit($0).sourcesKey }
        return try [StoredObject.bytes(unit)]
          + [sources, JobUnit.resultKey(of: unit)].compactMap(\.self).flatMap {
            try Pack.objects(of: $0, in: store)
          }
      } receive: { _, objects in
        marked.formUnion(try objects.get())
      }
    }
    return marked
  }
}
