import Bytes
import Diagnostics
import Foundation
import Plan
import Recipes
import Store
import Workers

/// Takes what was rendered elsewhere into the cache of this machine, where a build finds it.
///
/// Nothing is believed: pictures are walked as workers' answers are, and a unit whose pack is damaged
/// counts as missing.
struct UnitImport {
  let plan: JobPlan
  let store: any ObjectStore
  let context: BuildContext

  /// - Throws: `BuildFailure.incomplete` where units are missing.
  func run() throws {
    // A unit may be some hundred megabytes.
    let queue = try WorkQueue(
      waiting: "units", width: min(context.options.jobs, 4), cancellation: context.cancellation)
    var lost: [Digest] = []
    try queue.map(plan.units.compactMap { Digest(hex: $0) }) { unit in
      try take(unit)
    } receive: { unit, result in
      if try !result.get() { lost.append(unit) }
    }
    if let first = lost.first {
      throw BuildFailure.incomplete(units: lost.count, of: plan.units.count, such: first)
    }
  }

  /// False where the unit must be rendered again.
  private func take(_ digest: Digest) throws -> Bool {
    let result = JobUnit.resultKey(of: digest)
    guard let bytes = try store.get(.bytes(digest)), Digest(of: bytes) == digest,
      let unit = try? JobUnit(bytes), unit.renderer == plan.renderer
    else {
      // A plan puts there the units that are not rendered.
      Pack.renounce(result, in: store)
      throw BuildFailure.lacking("a unit of the plan", in: store)
    }
    guard try take(unit, result) else {
      Pack.renounce(result, in: store)
      return false
    }
    return true
  }

  private func take(_ unit: JobUnit, _ result: Digest) throws -> Bool {
    let keys = try unit.keys()
    let known = try context.index.get(.renders, Array(keys.joined()))
    if known.allSatisfy({ $0 != nil }) { return true }
    guard let pieces = try Pack.get(result, count: unit.jobs.count, in: store) else {
      return false
    }
    var records: [(key: Digest, value: [UInt8])] = []
    for (job, (keys, piece)) in zip(unit.jobs, zip(keys, pieces)) {
      guard let result = UnitResult(piece) else { return false }
      // What failed elsewhere is tried here.
      guard case .answer(let answer) = result else { continue }
      guard
        let outcomes = try? AnswerMessage.outcomes(of: answer, recipes: unit.recipes(of: job))
      else { return false }
      for (key, result) in zip(keys, try context.keep(outcomes)) {
        if case .success = result { context.tally.count(\.storeHits) }
        records.append((key, RenderRecord.bytes(of: result)))
      }
    }
    try context.index.put(.renders, records)
    return true
  }
}
