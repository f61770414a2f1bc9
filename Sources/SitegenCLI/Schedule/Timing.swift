import Diagnostics

enum Timing {
  /// An interval in seconds.
  case every(Int)
  /// A time of day on the given weekdays (1 is Monday), or daily if `days` is empty.
  case at(days: [Int], hour: Int, minute: Int)

  private static let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Parses an interval such as `30s`, `15m`, `6h` or `1d`.
  init(every text: String, _ command: String) throws(Diagnostic) {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    guard let unit = text.last.flatMap({ units[$0] }), let number = Int(text.dropLast()),
      (1...2_592_000).contains(number), number * unit <= 2_592_000
    else {
      throw .usage(
        .badValue, "invalid interval \(text.quoted)", command,
        help: "write 15m, 6h or 1d, up to 30d")
    }
    self = .every(number * unit)
  }

  /// Parses a time such as `06:00`, `Mon..Fri 06:00` or `Mon,Thu 6:30`.
  init(on text: String) throws(Diagnostic) {
    guard let match = text.wholeMatch(of: /(?:([A-Za-z.,]+) )?(\d\d?):(\d\d)/),
      let days = Self.days(match.1 ?? ""), let hour = Int(match.2), let minute = Int(match.3),
      hour < 24, minute < 60
    else {
      throw .usage(
        .badValue, "invalid time \(text.quoted)", "schedule",
        help: "write days and a time, such as `Mon..Fri 06:00`, `Sat,Sun 7:30` or `06:00`")
    }
    self = .at(days: days.sorted(), hour: hour, minute: minute)
  }

  private static func days(_ text: Substring) -> Set<Int>? {
    var days: Set<Int> = []
    for part in text.split(separator: ",") {
      let ends = part.split(separator: "..").map { names.firstIndex(of: String($0)) }
      guard ends.count < 3, let first = ends.first ?? nil, let last = ends.last ?? nil,
        first <= last
      else { return nil }
      days.formUnion(first + 1...last + 1)
    }
    return days
  }

  var seconds: Double? { if case .every(let seconds) = self { Double(seconds) } else { nil } }

  /// The lines of a systemd timer; a random delay keeps sites from building at the same time.
  var timer: String {
    switch self {
    case .every(let seconds):
      return "OnActiveSec=1min\nOnUnitActiveSec=\(seconds)s\n"
        + "RandomizedDelaySec=\(min(seconds / 10, 300))"
    case .at(let days, let hour, let minute):
      let names = days.map { Self.names[$0 - 1] }.joined(separator: ",")
      let time = [hour, minute].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
      return "OnCalendar=\(names.isEmpty ? "" : names + " ")*-*-* \(time):00\nPersistent=true\n"
        + "RandomizedDelaySec=300"
    }
  }

  func cron() throws(Diagnostic) -> String {
    switch self {
    case .at(let days, let hour, let minute):
      let names = days.map { String($0 % 7) }.joined(separator: ",")
      return "\(minute) \(hour) * * \(names.isEmpty ? "*" : names)"
    case .every(86_400): return "0 0 * * *"
    case .every(let seconds) where seconds % 3600 == 0 && 86_400 % seconds == 0:
      return "0 */\(seconds / 3600) * * *"
    case .every(let seconds) where seconds % 60 == 0 && 3600 % seconds == 0:
      return "*/\(seconds / 60) * * * *"
    case .every:
      throw .usage(
        .badValue, "cron cannot express this interval", "schedule",
        help: "use minutes that divide an hour, or hours that divide a day")
    }
  }
}
