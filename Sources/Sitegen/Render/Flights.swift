import Dispatch
import Store
import Synchronization

/// Lets no job run twice: whoever asks for what is being made waits for it, and gets the same.
///
/// What a browser asks for is rendered beside the build that will come to it anyway.
final class Flights: Sendable {
  /// A job on its way.
  private final class Flight: Sendable {
    let landing = DispatchGroup()
    let result = Mutex<JobResult?>(nil)
  }

  private struct State {
    var flights: [[Digest]: Flight] = [:]
    /// Of jobs that are over and that the index may not know yet.
    var landed: [[Digest]: JobResult] = [:]
    var order: [[Digest]] = []
  }

  /// Results are written to the index in batches that are smaller.
  private static let memory = 1024
  private let state = Mutex(State())

  /// - Parameters:
  ///   - keys: What the job makes.
  ///   - work: The job.
  /// - Throws: What the job throws; whoever waited for it then tries it himself.
  /// - Returns: How the job ended.
  func run(_ keys: [Digest], _ work: () throws -> JobResult) throws -> JobResult {
    while true {
      switch board(keys) {
      case .landed(let result):
        return result
      case .passenger(let flight):
        flight.landing.wait()
        if let result = flight.result.withLock({ $0 }) { return result }
      case .pilot(let flight):
        defer { flight.landing.leave() }
        do {
          let result = try work()
          flight.result.withLock { $0 = result }
          land(keys, result)
          return result
        } catch {
          land(keys, nil)
          throw error
        }
      }
    }
  }

  private enum Seat {
    case pilot(Flight)
    case passenger(Flight)
    case landed(JobResult)
  }

  private func board(_ keys: [Digest]) -> Seat {
    state.withLock { state in
      if let result = state.landed[keys] { return .landed(result) }
      if let flight = state.flights[keys] { return .passenger(flight) }
      let flight = Flight()
      flight.landing.enter()
      state.flights[keys] = flight
      return .pilot(flight)
    }
  }

  private func land(_ keys: [Digest], _ result: JobResult?) {
    state.withLock { state in
      state.flights[keys] = nil
      // What the machine decided is tried again, and so is what the file's changing decided.
      guard let result, case .finished = result else { return }
      if state.order.count == Self.memory { state.landed[state.order.removeFirst()] = nil }
      state.order.append(keys)
      state.landed[keys] = result
    }
  }
}
