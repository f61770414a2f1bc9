package import Diagnostics

/// When a scheduled build runs; only what systemd and cron both have a word for, or that we tell.
package enum Timing: Hashable, Sendable {
  /// In seconds.
  case every(Int)
  /// Days of the week from 1, which is Monday; none are all.
  case at(days: [Int], hour: Int, minute: Int)

  private static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// `15m`, `6h`, `1d`; a loop of our own may also take `30s`.
  package init(every text: String) throws(Diagnostic) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()),
      (1...2_592_000).contains(number), number * unit <= 2_592_000
    else {
      throw .usage(
        .badValue, "\(text.quoted) is no time between two builds", "schedule",
        help: "write 15m, 6h or 1d, at most 30d")
    }
    self = .every(number * unit)
  }

  /// `06:00`, `Mon..Fri 06:00`, `Mon,Thu 6:30`.
  package init(on text: String) throws(Diagnostic) {
    let words = text.split(separator: " ")
    let time = words.last?.split(separator: ":").map { Int($0) } ?? []
    var days: [Int]? = []
    for part in words.count == 2 ? words[0].split(separator: ",") : [] {
      let ends = part.split(separator: ".").map { Self.names.firstIndex(of: String($0)) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last,
        part.count == 3 || (part.count == 8 && part.dropFirst(3).hasPrefix(".."))
      else {
        days = nil
        break
      }
      days? += Array(first + 1...last + 1)
    }
    guard (1...2).contains(words.count), let days, time.count == 2, let hour = time[0],
      let minute = time[1], (0..<24).contains(hour), (0..<60).contains(minute)
    else {
      throw .usage(
        .badValue, "\(text.quoted) is no time of a week", "schedule",
        help: "write days and a time, such as `Mon..Fri 06:00`, `Sat,Sun 7:30` or `06:00`")
    }
    self = .at(days: Set(days).sorted(), hour: hour, minute: minute)
  }

  /// Between two builds, if that is always the same.
  var seconds: Double? { if case .every(let seconds) = self { Double(seconds) } else { nil } }

  /// The lines of a timer, which waits a little so that not all sites of a machine begin at once.
  var timer: String {
    let delay: Int
    let when: String
    switch self {
    case .every(let seconds):
      delay = min(seconds / 10, 300)
      if let calendar = Self.calendar(seconds) {
        when = "OnCalendar=\(calendar)\nPersistent=true"
      } else {
        when = "OnActiveSec=1min\nOnUnitActiveSec=\(seconds)s"
      }
    case .at(let days, let hour, let minute):
      delay = 300
      let names = days.map { Self.names[$0 - 1] }.joined(separator: ",")
      when =
        "OnCalendar=\(names.isEmpty ? "" : names + " ")*-*-* \(Self.two(hour)):\(Self.two(minute)):00"
        + "\nPersistent=true"
    }
    return when + "\nRandomizedDelaySec=\(delay)"
  }

  private static func calendar(_ seconds: Int) -> String? {
    let (minutes, rest) = seconds.quotientAndRemainder(dividingBy: 60)
    switch minutes {
    case _ where rest > 0: return nil
    case 1440: return "*-*-* 00:00:00"
    case 60: return "*-*-* *:00:00"
    case ..<60 where 60 % minutes == 0: return "*-*-* *:00/\(minutes):00"
    case 61... where minutes % 60 == 0 && 1440 % minutes == 0:
      return "*-*-* 00/\(minutes / 60):00:00"
    default: return nil
    }
  }

  /// The five fields of cron.
  package func cron() throws(Diagnostic) -> String {
    switch self {
    case .at(let days, let hour, let minute):
      let names = days.map { String($0 % 7) }.joined(separator: ",")
      return "\(minute) \(hour) * * \(names.isEmpty ? "*" : names)"
    case .every(86_400): return "0 0 * * *"
    case .every(3600): return "0 * * * *"
    case .every(let seconds) where Self.calendar(seconds) != nil:
      return seconds < 3600 ? "*/\(seconds / 60) * * * *" : "0 */\(seconds / 3600) * * *"
    case .every:
      throw .usage(
        .badValue, "cron has no word for this interval", "schedule",
        help: "choose minutes that divide an hour, or hours that divide a day")
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
