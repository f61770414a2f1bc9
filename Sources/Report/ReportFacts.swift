package import Build
import Files
import Manifest
package import Plan
import Recipes
import Store

/// What the report page tells of a site, beside counters and times.
package struct ReportFacts: Sendable, Hashable {
  package var slowest: [SlowSource] = []
  package var formats: [FormatTotal] = []
  package var savings: Savings?

  package init() {}

  package struct SlowSource: Sendable, Hashable {
    package var work: Recording.SourceWork
    /// Of the file; nil for what is drawn.
    package var bytes: Int64?
    /// The first few; in the order of the manifest.
    package var users: [String] = []
    package var userCount = 0

    package init(work: Recording.SourceWork, bytes: Int64? = nil) {
      self.work = work
      self.bytes = bytes
    }
  }

  /// Files of the output whose names have one end.
  package struct FormatTotal: Sendable, Hashable {
    package var name: String
    package var files: Int
    package var bytes: Int

    package init(name: String, files: Int, bytes: Int) {
      self.name = name
      self.files = files
      self.bytes = bytes
    }
  }

  /// What was wanted more than once and made once.
  package struct Savings: Sendable, Hashable {
    /// Users who show a picture, or what is drawn in its place.
    package var users = 0
    /// Ways in which they name it: paths, colours, initials.
    package var names = 0
    /// Different bytes behind those names.
    package var sources = 0
    /// Images that users show, each user's counted.
    package var wanted = 0
    package var wantedBytes = 0
    /// Images by source and recipe.
    package var renders = 0
    package var renderBytes = 0
    /// Images by their own bytes.
    package var images = 0
    package var imageBytes = 0

    package init() {}
  }
}

extension ReportFacts {
  static let slowestLimit = 20
  private static let usersShown = 3

  package init(
    _ content: SiteContent, _ recording: Recording, files: [(path: String, bytes: Int64)]
  ) {
    slowest = Self.slowest(content, recording)
    formats = Self.totals(of: files)
    savings = Savings(content)
  }

  private static func slowest(_ content: SiteContent, _ recording: Recording) -> [SlowSource] {
    var slowest = recording.slowest(slowestLimit).map { SlowSource(work: $0) }
    let places = Dictionary(
      slowest.enumerated().map { ($1.work.digest, $0) }, uniquingKeysWith: { first, _ in first })
    var placesByNumber: [Int: Int] = [:]
    for (number, source) in content.sources.sources.enumerated() {
      placesByNumber[number] = places[source.digest]
    }
    for place in slowest.indices where slowest[place].work.isFile {
      slowest[place].bytes =
        (content.sources.stamps[SourcePath(slowest[place].work.name)] ?? nil)?.size
    }
    for (user, assignment) in content.assignment.assignments.enumerated() {
      guard let source = assignment.source, let place = placesByNumber[source] else { continue }
      slowest[place].userCount += 1
      if slowest[place].users.count < usersShown {
        slowest[place].users.append(content.manifest.users[user].id)
      }
    }
    return slowest
  }

  /// By the end of the name, most bytes first.
  package static func totals(of files: [(path: String, bytes: Int64)]) -> [FormatTotal] {
    var totals: [String: FormatTotal] = [:]
    for file in files {
      let last = file.path.utf8.lastIndex(of: UInt8(ascii: "/"))
      let name = last.map { file.path[file.path.utf8.index(after: $0)...] } ?? file.path[...]
      let point = name.utf8.lastIndex(of: UInt8(ascii: "."))
      let end = point.map { name[name.utf8.index(after: $0)...] }
      let format = end.flatMap { $0.isEmpty || $0.utf8.count > 12 ? nil : String($0) } ?? "other"
      var total = totals[format] ?? FormatTotal(name: format, files: 0, bytes: 0)
      total.files += 1
      total.bytes += Int(file.bytes)
      totals[format] = total
    }
    return totals.values.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
  }
}

extension ReportFacts.Savings {
  init(_ content: SiteContent) {
    struct Sum {
      var count = 0
      var bytes = 0
    }
    var sums: [SlotID: Sum] = [:]
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
        var sum = Sum()
        if let known = sums[slot] {
          sum = known
        } else {
          for asset in content.rendered.assets(of: slot) ?? [] {
            sum.count += 1
            sum.bytes += Int(asset.bytes)
            guard seen.insert(asset.digest).inserted else { continue }
            images += 1
            imageBytes += Int(asset.bytes)
          }
          sums[slot] = sum
          renders += sum.count
          renderBytes += sum.bytes
        }
        wanted += sum.count
        wantedBytes += sum.bytes
      }
    }
    self.names = names.count
    self.sources = sources.count
  }
}
