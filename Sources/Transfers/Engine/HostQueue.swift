import Bytes
import Fetch

/// A queue that shares a limited number of slots fairly among hosts (`name:port`).
package struct HostQueue {
  /// The time after which an unresponsive host is tried again.
  package static let rest = Duration.seconds(60)

  private let perHost: Int
  private let overall: Int
  private let patience: Int
  private var hosts: [String: Host] = [:]
  private var ring: [String] = []
  package private(set) var running = 0

  private struct Host {
    /// Requests to retry or redirect, sorted by due time; they take priority over new ones.
    var back: [(id: Int, due: Duration)] = []
    var fresh: [Int] = []
    var running = 0
    var pausedUntil = Duration.zero
    var failures = 0
    var givenUpUntil: Duration?

    func isReady(_ now: Duration) -> Bool {
      back.first.map { $0.due <= now } ?? false || !fresh.isEmpty
    }

    mutating func takeFirst(_ now: Duration) -> Int {
      if let first = back.first, first.due <= now { return back.removeFirst().id }
      return fresh.removeFirst()
    }
  }

  package init(perHost: Int, overall: Int, patience: Int) {
    self.perHost = max(perHost, 1)
    self.overall = max(overall, 1)
    self.patience = max(patience, 1)
  }

  /// Queues a request; `due` is the time from which a retry or redirect takes priority.
  package mutating func enter(_ id: Int, _ name: String, due: Duration? = nil) {
    var host = hosts[name] ?? Host()
    if let due {
      let place = host.back.firstIndex { $0.due > due } ?? host.back.endIndex
      host.back.insert((id, due), at: place)
    } else {
      host.fresh.append(id)
    }
    hosts[name] = host
    if !ring.contains(name) { ring.append(name) }
  }

  /// Dequeues the next request that may start; the request occupies a slot until `leave`.
  package mutating func next(now: Duration) -> Int? {
    guard running < overall else { return nil }
    for (turn, name) in ring.enumerated() {
      guard var host = hosts[name], host.running < perHost, host.pausedUntil <= now,
        host.isReady(now)
      else { continue }
      let id = host.takeFirst(now)
      host.running += 1
      running += 1
      hosts[name] = host
      ring.remove(at: turn)
      if !host.back.isEmpty || !host.fresh.isEmpty { ring.append(name) }
      return id
    }
    return nil
  }

  package mutating func leave(_ name: String) {
    hosts[name]?.running -= 1
    running -= 1
  }

  package mutating func remove(_ name: String, where isMeant: (Int) -> Bool) -> [Int] {
    guard var host = hosts[name] else { return [] }
    let meant = (host.back.map(\.id) + host.fresh).filter(isMeant)
    host.back.removeAll { meant.contains($0.id) }
    host.fresh.removeAll(where: meant.contains)
    if host.back.isEmpty, host.fresh.isEmpty { ring.removeAll { $0 == name } }
    hosts[name] = host
    return meant
  }

  /// Returns the time when the next request may start, if nothing else happens first.
  package func due(now: Duration) -> Duration? {
    if running >= overall { return nil }
    let times = ring.compactMap { hosts[$0] }.flatMap { host in
      [
        host.back.first { $0.due > now }?.due,
        host.pausedUntil > now && host.isReady(now) ? host.pausedUntil : nil,
      ].compactMap(\.self)
    }
    return times.min()
  }

  package mutating func pause(_ name: String, until: Duration) {
    hosts[name, default: Host()].pausedUntil = max(pausedUntil(name), until)
  }

  package func pausedUntil(_ name: String) -> Duration { hosts[name]?.pausedUntil ?? .zero }

  package mutating func noteSuccess(_ name: String) {
    hosts[name]?.failures = 0
    hosts[name]?.givenUpUntil = nil
  }

  /// Counts a failure; returns true if no more requests should be sent to the host for now.
  package mutating func noteFailure(_ name: String, now: Duration) -> Bool {
    hosts[name, default: Host()].failures += 1
    guard hosts[name, default: Host()].failures >= patience else { return false }
    hosts[name]?.givenUpUntil = now + HostQueue.rest
    return true
  }

  package func isGivenUp(_ name: String, now: Duration) -> Bool {
    hosts[name]?.givenUpUntil.map { now < $0 } ?? false
  }
}

package enum BackOff {
  package static let longest = Duration.seconds(8)

  /// Returns a pause with exponential backoff and full jitter; `part` is a random factor up to 1.
  package static func pause(before retry: Int, base: Duration, part: Double) -> Duration {
    min(base * (1 << min(retry, 16)), longest) * min(max(part, 0), 1)
  }

  /// Parses a `Retry-After` field, in seconds or as a date; returns nil if it is invalid.
  package static func wanted(_ text: String?, now: Int64) -> Duration? {
    guard let text = text?.trimmingBlanks,
      let seconds = DeltaSeconds.read(text) ?? HTTPDate.seconds(text).map({ max($0 - now, 0) })
    else { return nil }
    // Cap at ten years to prevent an overflow.
    return .seconds(min(seconds, 315_360_000))
  }

  /// Returns how long to pause a host that sent a Retry-After of `wanted`.
  ///
  /// If `wanted` exceeds a request's time limit (`time`), the pause is short, for later requests.
  package static func rest(_ wanted: Duration, time: Duration) -> Duration {
    wanted <= time ? wanted : min(wanted, HostQueue.rest)
  }
}
