package import Build
import Foundation

package struct BuildSummary {
  private let report: Report
  private let options: BuildOptions

  package init(_ report: Report, _ options: BuildOptions) {
    (self.report, self.options) = (report, options)
  }

  package var lines: [String] {
    let counters = report.counters
    let users = Self.count(report.users.total, "user")
    var first: String
    if let shard = options.shard {
      return [
        "shard \(shard.number) of \(shard.count): \(users); "
          + "\(Self.count(counters.renders, "image")) rendered, \(counters.storeHits) from the store "
          + "(\(Self.seconds(report.seconds.values.reduce(0, +))))"
      ]
    }
    if report.dryRun {
      first =
        "dry run: \(users), \(Self.count(counters.renders, "image")) to render; nothing written"
    } else if report.upToDate {
      first = "\(options.output) is up to date: \(users)"
    } else {
      first =
        "\(options.output): \(users); \(Self.count(counters.renders, "image")) rendered, "
        + (counters.storeHits > 0 ? "\(counters.storeHits) from the store, " : "")
        + "\(counters.cacheHits) from the cache; \(Self.count(counters.written, "file")) written, "
        + "\(counters.unchanged) unchanged, \(counters.removed) removed"
    }
    first += " (\(Self.seconds(report.seconds.values.reduce(0, +))))"
    return [first] + [pictures].compactMap(\.self)
  }

  var pictures: String? {
    let (users, pictures) = (report.users, report.pictures)
    guard users.total > 0 else { return nil }
    let flaws = [
      (users.failed, "failed"), (users.fallback, "with the background colour instead"),
      (users.stale, "with an earlier picture"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "pictures: \(pictures.own) with their own picture, "
      + "\(pictures.initials) with initials, \(pictures.without) with neither"
      + (flaws.isEmpty ? "" : "; " + flaws.joined(separator: ", "))
  }

  static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }

  static func seconds(_ seconds: Double) -> String { String(format: "%.2f s", seconds) }
}
