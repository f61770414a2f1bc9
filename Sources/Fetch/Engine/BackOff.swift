import Foundation

/// How long to wait before asking again.
package enum BackOff {
  /// However often it is doubled.
  package static let longest = Duration.seconds(8)

  /// A random part of a time that doubles with each retry, so that many do not come at once.
  ///
  /// - Parameters:
  ///   - retry: 0 before the first.
  ///   - base: The time before the first.
  ///   - part: From 0 to 1.
  /// - Returns: The pause.
  package static func pause(before retry: Int, base: Duration, part: Double) -> Duration {
    min(base * (1 << min(retry, 16)), longest) * min(max(part, 0), 1)
  }

  /// What a server wants to be waited, as `Retry-After` says; nil when it says nothing sensible.
  ///
  /// - Parameters:
  ///   - text: Seconds, or a date.
  ///   - now: In seconds since 1970.
  /// - Returns: The time from now, zero for a date in the past.
  package static func wanted(_ text: String?, now: Int64) -> Duration? {
    guard let text = text?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
    if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      // Beyond ten years it does not matter.
      return .seconds(min(Int64(text) ?? .max, 315_360_000))
    }
    return HTTPDate.seconds(text, now: now).map { .seconds(min(max($0 - now, 0), 315_360_000)) }
  }

  /// How long a host is left alone that wants it for some time.
  ///
  /// What is beyond the time of a request ends those who are there; who comes much later may look
  /// whether it is still so.
  package static func rest(_ wanted: Duration, time: Duration) -> Duration {
    wanted <= time ? wanted : min(wanted, HostQueue.rest)
  }
}
