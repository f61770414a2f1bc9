import Bytes

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
