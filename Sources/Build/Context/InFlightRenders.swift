import Bytes
import Dispatch
import Files
import Plan
import Recipes
import Store

/// How a job ended.
enum JobResult: Sendable {
  /// In the order of the job's images.
  case finished([Result<Render, Rejection>])
  /// The machine decided this, not the bytes: the next build tries again.
  case failed(Rejection)
  /// The file is no longer what was gathered.
  case changed
}

/// Makes no image twice: a thread that asks for one that is being made waits for it.
///
/// A browser asks for images that the build will come to anyway.
final class InFlightRenders: Sendable {
  private struct State {
    /// By render key: left when the image is made, or its job has failed.
    var pending: [Digest: DispatchGroup] = [:]
    /// What was made a moment ago, and what the index may not know yet.
    var recent: [Digest: Result<Render, Rejection>] = [:]
    var order: [Digest] = []
  }

  /// Records are written to the index in batches that are smaller.
  private static let memory = 4096
  private let state = Guarded(State())

  /// Makes the images that no other thread makes, and waits for the rest.
  ///
  /// `work` makes some of the images, by their indices. When it throws, a thread that waited for it
  /// tries it itself.
  func run(_ keys: [Digest], _ work: ([Int]) throws -> JobResult) throws -> JobResult {
    var results: [Result<Render, Rejection>?] = Array(repeating: nil, count: keys.count)
    while true {
      let (own, group, others) = claim(keys, &results)
      if !own.isEmpty {
        var made: [Result<Render, Rejection>] = []
        defer {
          keep(own.map { keys[$0] }, made)
          group.leave()
        }
        switch try work(own) {
        case .finished(let all): made = all
        // A failure of the machine is tried again by the next thread that asks.
        case let other: return other
        }
        for (index, result) in zip(own, made) { results[index] = result }
      }
      for other in others { other.wait() }
      let complete = results.compactMap(\.self)
      if complete.count == results.count { return .finished(complete) }
    }
  }

  /// Takes the results that are known, and claims the images that no thread makes.
  ///
  /// Returns the indices of the claimed ones, the group to leave when they are made, and the groups
  /// of the others.
  private func claim(
    _ keys: [Digest], _ results: inout [Result<Render, Rejection>?]
  ) -> (own: [Int], group: DispatchGroup, others: [DispatchGroup]) {
    let group = DispatchGroup()
    let known = results
    let (own, others, news) = state.withLock { state in
      var own: [Int] = []
      var others: [DispatchGroup] = []
      var news: [(Int, Result<Render, Rejection>)] = []
      for (index, key) in keys.enumerated() where known[index] == nil {
        if let result = state.recent[key] {
          news.append((index, result))
        } else if let other = state.pending[key] {
          if !others.contains(where: { $0 === other }) { others.append(other) }
        } else {
          state.pending[key] = group
          own.append(index)
        }
      }
      if !own.isEmpty { group.enter() }
      return (own, others, news)
    }
    for (index, result) in news { results[index] = result }
    return (own, group, others)
  }

  private func keep(_ keys: [Digest], _ results: [Result<Render, Rejection>]) {
    state.withLock { state in
      for key in keys { state.pending[key] = nil }
      for (key, result) in zip(keys, results) {
        if state.recent.updateValue(result, forKey: key) == nil { state.order.append(key) }
      }
      // In one go, now and then.
      if state.order.count > 2 * Self.memory {
        let old = state.order.prefix(state.order.count - Self.memory)
        for key in old { state.recent[key] = nil }
        state.order.removeFirst(old.count)
      }
    }
  }
}
