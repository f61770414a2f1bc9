import Bytes
import Fetch

/// Decides which request goes next: limited per host and in all, after pauses, in turns.
///
/// Pure: it knows no network and no clock. A host is a name with a port.
package struct HostQueue {
  /// After so long a host that did not answer is tried again.
  package static let rest = Duration.seconds(60)

  private let perHost: Int
  private let overall: Int
  private let patience: Int
  private var hosts: [String: Host] = [:]
  /// Hosts with waiting requests, in turns.
  private var ring: [String] = []
  package private(set) var running = 0

  private struct Host {
    /// Requests that have begun already, ordered by the time until which they wait; they go first.
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

  // MARK: - Coming and going

  /// Queues a request; one with a `due` time has begun already, and goes first from then on.
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

  /// Takes the next request that may go; it holds a slot until `leave`.
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

  /// Removes a host's requests that `isMeant` selects.
  package mutating func remove(_ name: String, where isMeant: (Int) -> Bool) -> [Int] {
    guard var host = hosts[name] else { return [] }
    let meant = (host.back.map(\.id) + host.fresh).filter(isMeant)
    host.back.removeAll { meant.contains($0.id) }
    host.fresh.removeAll(where: meant.contains)
    if host.back.isEmpty, host.fresh.isEmpty { ring.removeAll { $0 == name } }
    hosts[name] = host
    return meant
  }

  /// When to look again, if nothing else happens before.
  package func due(now: Duration) -> Duration? {
    // Without a free slot nothing changes before a request leaves.
    if running >= overall { return nil }
    let times = ring.compactMap { hosts[$0] }.flatMap { host in
      [
        host.back.first { $0.due > now }?.due,
        host.pausedUntil > now && host.isReady(now) ? host.pausedUntil : nil,
      ].compactMap(\.self)
    }
    return times.min()
  }

  // MARK: - Hosts

  /// Holds a host's requests back; an earlier time does not shorten a later one.
  package mutating func pause(_ name: String, until: Duration) {
    hosts[name, default: Host()].pausedUntil = max(pausedUntil(name), until)
  }

  package func pausedUntil(_ name: String) -> Duration { hosts[name]?.pausedUntil ?? .zero }

  package mutating func noteSuccess(_ name: String) {
    hosts[name]?.failures = 0
    hosts[name]?.givenUpUntil = nil
  }

  /// Counts a failure; true when the host is given up by it.
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

/// How long to wait before asking again.
package enum BackOff {
  /// However often it is doubled.
  package static let longest = Duration.seconds(8)

  /// A random part (0 to 1) of a time that doubles with each retry, so that requests spread out.
  package static func pause(before retry: Int, base: Duration, part: Double) -> Duration {
    min(base * (1 << min(retry, 16)), longest) * min(max(part, 0), 1)
  }

  /// The pause that `Retry-After` asks for, in seconds or as a date; nil when it makes no sense.
  package static func wanted(_ text: String?, now: Int64) -> Duration? {
    guard let text = text?.trimmingBlanks,
      let seconds = DeltaSeconds.read(text) ?? HTTPDate.seconds(text).map({ max($0 - now, 0) })
    else { return nil }
    // Beyond ten years it does not matter.
    return .seconds(min(seconds, 315_360_000))
  }

  /// How long a host is left alone that asks for `wanted`.
  ///
  /// A pause longer than a request may take ends all that wait; later requests may try again.
  package static func rest(_ wanted: Duration, time: Duration) -> Duration {
    wanted <= time ? wanted : min(wanted, HostQueue.rest)
  }
}
