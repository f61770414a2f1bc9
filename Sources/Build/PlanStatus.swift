package import Bytes
import Foundation
import Store

/// `sitegen status`: which units of a plan are not in the store, asked one by one.
package struct PlanStatus: Sendable {
  package var units: Int
  package var missing: [Digest]
  /// Shards that have some of them.
  package var shards: [Int]

  package init(
    of location: PlanLocation, cancellation: Cancellation = Cancellation()
  ) throws(BuildFailure) {
    do {
      let (plan, store) = try location.open(cancellation)
      try self.init(plan, store, cancellation)
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  init(_ plan: JobPlan, _ store: any ObjectStore, _ cancellation: Cancellation) throws {
    var missing: [Digest] = []
    var open: Set<Int> = []
    let queue = try WorkQueue(waiting: "store", width: 16, cancellation: cancellation)
    try queue.map(plan.units.enumerated()) { number, hex in
      guard let digest = Digest(hex: hex) else { return false }
      return try Pack.isWhole(JobUnit.resultKey(of: digest), in: store)
    } receive: { unit, result in
      guard try !result.get(), let digest = Digest(hex: unit.element) else { return }
      missing.append(digest)
      open.insert(unit.offset % plan.shards)
    }
    (units, self.missing, shards) = (plan.units.count, missing, open.sorted())
  }

  /// As schedulers take it: `3,17-19`.
  package var list: String {
    var ranges: [ClosedRange<Int>] = []
    for shard in shards {
      if let last = ranges.last, last.upperBound == shard - 1 {
        ranges[ranges.count - 1] = last.lowerBound...shard
      } else {
        ranges.append(shard...shard)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }
}
