import Build
import Bytes
import Files
import Manifest
import Plan
import Recipes

/// Figures of a site for the report page, beside counters and times.
struct ReportFacts: Sendable {
  var slowest: [SlowSource] = []
  var formats: [FormatTotal] = []
  /// Nil when nothing had changed since the last build.
  var savings: Savings?

  struct SlowSource: Sendable {
    var work: Recording.SourceWork
    /// The size of the file; nil for a picture that sitegen draws.
    var bytes: Int64?
    /// The first few, in the order of the manifest.
    var users: [String] = []
    var userCount = 0
  }

  /// The files of the output with one file extension.
  struct FormatTotal: Sendable {
    var name: String
    var files = 0
    var bytes = 0
  }

  /// A number of images, and their bytes.
  struct Sum: Sendable {
    var count = 0
    var bytes = 0

    mutating func add(_ other: Sum) {
      count += other.count
      bytes += other.bytes
    }
  }

  /// Work that was asked for more than once and done once.
  struct Savings: Sendable {
    /// Users who have a picture of any kind.
    var users = 0
    /// The sources that they name: paths, colours, initials.
    var names = 0
    /// Different bytes behind those names.
    var sources = 0
    /// Images that users show, each user's counted.
    var wanted = Sum()
    /// Images by source and recipe.
    var renders = Sum()
    /// Images by their own bytes.
    var images = Sum()
  }

  private static let slowestLimit = 20
  private static let usersShown = 3

  init(_ content: SiteContent?, _ recording: Recording, files: [Site.File]) {
    formats = Self.totals(of: files)
    guard let content else { return }
    slowest = Self.slowest(content, recording)
    savings = Savings(content)
  }

  private static func slowest(_ content: SiteContent, _ recording: Recording) -> [SlowSource] {
    var slowest = recording.slowest(slowestLimit).map { SlowSource(work: $0) }
    let ranks = Dictionary(
      slowest.enumerated().map { ($1.work.digest, $0) }, uniquingKeysWith: { first, _ in first })
    let ranksByNumber = content.sources.sources.map { ranks[$0.digest] }
    for rank in slowest.indices where slowest[rank].work.isFile {
      slowest[rank].bytes =
        (content.sources.stamps[SourcePath(slowest[rank].work.name)] ?? nil)?.size
    }
    for (user, assignment) in content.assignment.assignments.enumerated() {
      guard let source = assignment.source, let rank = ranksByNumber[source] else { continue }
      slowest[rank].userCount += 1
      if slowest[rank].users.count < usersShown {
        slowest[rank].users.append(content.manifest.users[user].id)
      }
    }
    return slowest
  }

  /// By file extension, most bytes first.
  private static func totals(of files: [Site.File]) -> [FormatTotal] {
    var totals: [String: FormatTotal] = [:]
    for file in files {
      let name = file.path.utf8.split(separator: UInt8(ascii: "/")).last ?? file.path.utf8[...]
      let point = name.lastIndex(of: UInt8(ascii: "."))
      let end = point.map { name[name.index(after: $0)...] }
      let format = end.flatMap { (1...12).contains($0.count) ? String($0) : nil } ?? "other"
      totals[format, default: FormatTotal(name: format)].files += 1
      totals[format, default: FormatTotal(name: format)].bytes += Int(file.size)
    }
    return totals.values.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
  }
}

extension ReportFacts.Savings {
  fileprivate init(_ content: SiteContent) {
    var sums: [SlotID: ReportFacts.Sum] = [:]
    var names: Set<AvatarSource.Kind> = []
    var sources: Set<Int> = []
    var seen: Set<Digest> = []
    for (user, assignment) in content.assignment.assignments.enumerated() {
      guard let source = assignment.source else { continue }
      users += 1
      sources.insert(source)
      if let name = content.assignment.candidate(of: user) { names.insert(name) }
      let person = content.manifest.users[user]
      for variant in content.variants.numbers(of: person, content.sources.sources[source]) {
        let slot = SlotID(source: source, variant: variant)
        if sums[slot] == nil {
          var sum = ReportFacts.Sum()
          for asset in content.rendered.assets(of: slot) ?? [] {
            let image = ReportFacts.Sum(count: 1, bytes: Int(asset.bytes))
            sum.add(image)
            if seen.insert(asset.digest).inserted { images.add(image) }
          }
          sums[slot] = sum
          renders.add(sum)
        }
        wanted.add(sums[slot] ?? ReportFacts.Sum())
      }
    }
    self.names = names.count
    self.sources = sources.count
  }
}
