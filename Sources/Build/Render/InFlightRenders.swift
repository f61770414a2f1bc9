import Dispatch
import Files
import Plan
import Recipes
import Store

/// Lets no image be made twice: whoever asks for one that is being made waits for it.
///
/// What a browser asks for is rendered beside the build that will come to it anyway.
final class InFlightRenders: Sendable {
  /// Images on their way: those of one job.
  private final class Flight: Sendable {
    let landing = DispatchGroup()
    init() { landing.enter() }
  }

  private struct State {
    /// By render key.
    var flights: [Digest: Flight] = [:]
    /// What was made a moment ago, and what the index may not know yet.
    var landed: [Digest: Result<Render, Rejection>] = [:]
    var order: [Digest] = []
  }

  /// Records are written to the index in batches that are smaller.
  private static let memory = 4096
  private let state = Guarded(State())

  /// Does as much of a job as nobody else does, and waits for the rest.
  ///
  /// - Parameters:
  ///   - job: What is wanted.
  ///   - work: Does a job.
  /// - Throws: What `work` throws; whoever waited for it then tries it himself.
  /// - Returns: How the job ended.
  func run(_ job: RenderJob, _ work: (RenderJob) throws -> JobResult) throws -> JobResult {
    var results: [Result<Render, Rejection>?] = Array(repeating: nil, count: job.keys.count)
    while true {
      let (own, flight, others) = board(job.keys, &results)
      if !own.isEmpty {
        var made: [Result<Render, Rejection>] = []
        defer {
          land(own.map { job.keys[$0] }, made)
          flight.landing.leave()
        }
        switch try work(job.part(own)) {
        case .finished(let all): made = all
        // What the machine decided is tried again by whoever asks next.
        case let other: return other
        }
        for (place, result) in zip(own, made) { results[place] = result }
      }
      for other in others { other.landing.wait() }
      let complete = results.compactMap(\.self)
      if complete.count == results.count { return .finished(complete) }
    }
  }

  /// Takes what has landed, and a seat for each of the others.
  private func board(
    _ keys: [Digest], _ results: inout [Result<Render, Rejection>?]
  ) -> (own: [Int], flight: Flight, others: [Flight]) {
    let flight = Flight()
    var own: [Int] = []
    var others: [Flight] = []
    let known = results
    let news = state.withLock { state in
      var news: [(Int, Result<Render, Rejection>)] = []
      for (place, key) in keys.enumerated() where known[place] == nil {
        if let result = state.landed[key] {
          news.append((place, result))
        } else if let other = state.flights[key] {
          if !others.contains(where: { $0 === other }) { others.append(other) }
        } else {
          state.flights[key] = flight
          own.append(place)
        }
      }
      return news
    }
    for (place, result) in news { results[place] = result }
    if own.isEmpty { flight.landing.leave() }
    return (own, flight, others)
  }

  private func land(_ keys: [Digest], _ results: [Result<Render, Rejection>]) {
    state.withLock { state in
      for key in keys { state.flights[key] = nil }
      for (key, result) in zip(keys, results) {
        if state.landed.updateValue(result, forKey: key) == nil { state.order.append(key) }
      }
      // In one go, now and then.
      if state.order.count > 2 * Self.memory {
        let old = state.order.prefix(state.order.count - Self.memory)
        for key in old { state.landed[key] = nil }
        state.order.removeFirst(old.count)
      }
    }
  }
}

extension RenderJob {
  /// Some of its images, by their places.
  fileprivate func part(_ places: [Int]) -> RenderJob {
    guard places.count < keys.count else { return self }
    var part = self
    part.recipes = places.map { recipes[$0] }
    part.keys = places.map { keys[$0] }
    return part
  }
}
