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
  /// Hosts with a request that may go, each once, in turns.
  private var ring: [String] = []
  /// Hosts that wait for a time.
  private var sleeping: Set<String> = []
  package private(set) var running = 0

  private struct Host {
    /// Requests that have begun already; they go first.
    var back: [Int] = []
    var fresh: [Int] = []
    /// Requests that wait for their own time first.
    var later: [(id: Int, due: Duration)] = []
    var running = 0
    var pausedUntil = Duration.zero
    var failures = 0
    var givenUpUntil: Duration?
    var isInRing = false

    var isAwaited: Bool { !back.isEmpty || !fresh.isEmpty }

    mutating func takeFirst() -> Int { back.isEmpty ? fresh.removeFirst() : back.removeFirst() }

    /// The next time that matters.
    func due(_ now: Duration) -> Duration? {
      let first = later.lazy.map(\.due).min()
      guard isAwaited, pausedUntil > now else { return first }
      return min(first ?? pausedUntil, pausedUntil)
    }
  }

  package init(perHost: Int, overall: Int, patience: Int) {
    self.perHost = max(perHost, 1)
    self.overall = max(overall, 1)
    self.patience = max(patience, 1)
  }

  // MARK: - Coming and going

  /// Queues a request; one with a `due` time has begun already, and goes first from then on.
  package mutating func enter(_ id: Int, _ host: String, due: Duration? = nil, now: Duration) {
    if let due, due > now {
      hosts[host, default: Host()].later.append((id, due))
    } else if due != nil {
      hosts[host, default: Host()].back.append(id)
    } else {
      hosts[host, default: Host()].fresh.append(id)
    }
    arrange(host, now)
  }

  /// Takes the next request that may go; it holds a slot until `leave`.
  package mutating func next(now: Duration) -> Int? {
    guard running < overall else { return nil }
    for host in sleeping where hosts[host]?.due(now).map({ $0 > now }) != true {
      arrange(host, now)
    }
    guard !ring.isEmpty else { return nil }
    let host = ring.removeFirst()
    hosts[host, default: Host()].isInRing = false
    let id = hosts[host, default: Host()].takeFirst()
    hosts[host, default: Host()].running += 1
    running += 1
    arrange(host, now)
    return id
  }

  /// Frees a slot.
  package mutating func leave(_ host: String, now: Duration) {
    hosts[host, default: Host()].running -= 1
    running -= 1
    arrange(host, now)
  }

  /// Removes a host's requests that `isMeant` selects, in the order in which they would have gone.
  package mutating func remove(
    _ host: String, now: Duration, where isMeant: (Int) -> Bool
  ) -> [Int] {
    guard var waiting = hosts.removeValue(forKey: host) else { return [] }
    var meant: [Int] = []
    func isTaken(_ id: Int) -> Bool {
      guard isMeant(id) else { return false }
      meant.append(id)
      return true
    }
    waiting.back.removeAll(where: isTaken)
    waiting.fresh.removeAll(where: isTaken)
    waiting.later.removeAll { isTaken($0.id) }
    hosts[host] = waiting
    arrange(host, now)
    return meant
  }

  /// All that wait for a host.
  package func waiting(_ host: String) -> [Int] {
    guard let host = hosts[host] else { return [] }
    return host.back + host.fresh + host.later.map(\.id)
  }

  /// When to look again, if nothing else happens before.
  package func due(now: Duration) -> Duration? {
    // Without a free slot nothing changes before a request leaves.
    if running >= overall { return nil }
    return sleeping.compactMap { hosts[$0]?.due(now) }.min()
  }

  // MARK: - Hosts

  /// Holds a host's requests back; an earlier time does not shorten a later one.
  package mutating func pause(_ host: String, until: Duration, now: Duration) {
    hosts[host, default: Host()].pausedUntil = max(pausedUntil(host), until)
    arrange(host, now)
  }

  package func pausedUntil(_ host: String) -> Duration { hosts[host]?.pausedUntil ?? .zero }

  package mutating func noteSuccess(_ host: String) {
    hosts[host]?.failures = 0
    hosts[host]?.givenUpUntil = nil
  }

  /// Counts a failure; true when the host is given up by it.
  package mutating func noteFailure(_ host: String, now: Duration) -> Bool {
    hosts[host, default: Host()].failures += 1
    guard hosts[host, default: Host()].failures >= patience else { return false }
    hosts[host]?.givenUpUntil = now + HostQueue.rest
    return true
  }

  package func isGivenUp(_ host: String, now: Duration) -> Bool {
    hosts[host]?.givenUpUntil.map { now < $0 } ?? false
  }

  /// Puts a host into the ring, among the sleeping, or nowhere.
  private mutating func arrange(_ name: String, _ now: Duration) {
    guard var host = hosts[name] else { return }
    let due = host.later.filter { $0.due <= now }
    if !due.isEmpty {
      host.later.removeAll { $0.due <= now }
      host.back += due.sorted { $0.due < $1.due }.map(\.id)
    }
    let mayGo = host.isAwaited && host.running < perHost && host.pausedUntil <= now
    if mayGo != host.isInRing {
      if mayGo { ring.append(name) } else { ring.removeAll { $0 == name } }
      host.isInRing = mayGo
    }
    if !host.later.isEmpty || (host.isAwaited && host.pausedUntil > now) {
      sleeping.insert(name)
    } else {
      sleeping.remove(name)
    }
    hosts[name] = host
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
    guard let text = text?.trimmingBlanks, !text.isEmpty else { return nil }
    if text.utf8.allSatisfy(\.isASCIIDigit) {
      // Beyond ten years it does not matter.
      return .seconds(min(Int64(text) ?? .max, 315_360_000))
    }
    return HTTPDate.seconds(text, now: now).map { .seconds(min(max($0 - now, 0), 315_360_000)) }
  }

  /// How long a host is left alone that asks for `wanted`.
  ///
  /// A pause longer than a request may take ends all that wait; later requests may try again.
  package static func rest(_ wanted: Duration, time: Duration) -> Duration {
    wanted <= time ? wanted : min(wanted, HostQueue.rest)
  }
}
