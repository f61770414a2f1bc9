import Files
import SiteSupport

@Suite(.timeLimit(.minutes(5))) struct RowCollectionTests {
  private static let day: Int64 = 86_400

  private func rows(
    _ table: IndexTable, of host: PictureHost, _ file: IndexFile = .work
  ) throws -> Int {
    let cache = try Folder(opening: host.site.folder.path(of: "cache"))
    var rows = 0
    try Index(in: cache, file).forEach(table) { _, _ in rows += 1 }
    return rows
  }

  private func pages(_ host: PictureHost) throws -> [Int] {
    try IndexFile.allNames.map { try host.site.folder.read("cache/\($0)").count / 4096 }
  }

  /// Styles and URLs change every 4 days; both database files stop growing after 90 days.
  @Test func `the index stops growing after a hundred days`() throws {
    let host = try PictureHost()
    host["/a.png"] = .init(.red, side: 1)
    let count = 12
    var sizes: [[Int]] = []
    for day in stride(from: 0, to: 200, by: 4) {
      // Enough names and styles to make growth visible.
      try host.write(
        (0..<count).map { Person("p\($0)", host.url("/a.png?day=\(day)&person=\($0)")) },
        styles: (1...6).map {
          "name: s\($0), size: [\(day + 1), \($0)], scales: [1], formats: [png, webp]"
        })
      try host.build(at: Int64(day) * Self.day)
      sizes.append(try pages(host))
    }
    for (number, name) in IndexFile.allNames.enumerated() {
      // SQLite fills its pages slightly differently each time.
      let limit = sizes[30][number] * 11 / 10 + 1
      #expect(sizes[7][number] < limit, "\(name) grows at first, or this test sees nothing")
      #expect(sizes[49][number] <= limit, "\(name)")
    }
    #expect(try rows(.renders, of: host) < 30 * count)
    #expect(try rows(.fetches, of: host, .addresses) < 30 * count)
    let last = try host.build(at: 196 * Self.day) { $0.refresh = true }
    #expect(last.report.counters.renders == 0)
  }

  /// Creates a site that showed three pictures in turn, each in another style.
  private func host() throws -> PictureHost {
    let host = try PictureHost()
    for (name, color) in [("a", TestPicture.Pixel.red), ("b", .green), ("c", .blue)] {
      host["/\(name).png"] = .init(color, cacheControl: "max-age=60000000")
      try host.write([Person("x", host.url("/\(name).png"))])
      try host.build()
    }
    return host
  }

  private func prune(_ host: PictureHost, age: Int64, at seconds: Int64 = 0) throws {
    var options = host.site.options()
    options.fetching.clockOffset = seconds
    _ = try Prune(options, Prune.Limits(age: age, bytes: -1)).run()
  }

  @Test func `pruning removes rows for pruned files and keeps rows in use`() throws {
    let host = try host()
    #expect(try rows(.renders, of: host) == 3 && rows(.facts, of: host) == 3)
    #expect(try rows(.fetches, of: host, .addresses) == 3)
    // A year without builds does not make shown images older.
    try prune(host, age: 0, at: 365 * Self.day)
    #expect(try rows(.renders, of: host) == 1 && rows(.facts, of: host) == 1)
    #expect(try rows(.fetches, of: host, .addresses) == 1)
    _ = host.asked()
    let result = try host.build { $0.refresh = true }
    #expect(result.report.counters.renders == 0 && result.report.counters.notModified == 1)
  }

  @Test func `pruning shrinks the database files`() throws {
    let host = try PictureHost()
    // Each URL has a different picture, because pruning keeps every URL of a shown picture.
    for number in 0..<250 { host["/\(number).png"] = .init(.init(UInt8(number), 0, 0), side: 1) }
    try host.write((0..<250).map { Person("p\($0)", host.url("/\($0).png")) })
    try host.build()
    try host.write([Person("x", host.url("/0.png"))])
    try host.site.build(jobs: 2) { $0.allowShrink = true }
    let before = try pages(host)
    try prune(host, age: 0, at: 8 * Self.day)
    let after = try pages(host)
    #expect(after[1] < before[1] && after[0] < before[0], "\(before) \(after)")
  }
}

extension IndexFile {
  fileprivate static let allNames = [IndexFile.work, .addresses].map(\.rawValue)
}
