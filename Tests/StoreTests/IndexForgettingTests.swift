import Bytes
import Files
import Store
import TestSupport

struct IndexForgettingTests {
  let temporary = TemporaryFolder(inMemory: true)
  let cache: Folder

  init() throws { cache = try Folder(making: temporary.path(of: "cache")) }

  private func index(day: Int64, _ kind: IndexFile = .work) throws -> Index {
    try Index(in: cache, kind, now: day * 86_400)
  }

  private func size(_ name: String = "index.sqlite") throws -> Int {
    try temporary.read("cache/" + name).count
  }

  @Test func `records unused for 90 days are removed`() throws {
    try index(day: 20_000).put(.facts, ["read", "unused"].map { (key: $0, value: [1]) })
    try index(day: 20_050).put(.facts, "young", [2])
    // Iterating over a record does not count as use; reading it by key does.
    try index(day: 20_060).forEach(.facts) { _, _ in }
    #expect(try index(day: 20_060).get(.facts, ["read", "unknown"]) == [[1], nil])
    try index(day: 20_098).forgetUnused()
    let all = try index(day: 20_098).get(.facts, ["read", "unused", "young"])
    #expect(all == [[1], nil, [2]])
  }

  @Test func `records used within the last 90 days are kept`() throws {
    for day: Int64 in 20_000..<20_200 {
      let index = try index(day: day)
      if day % 90 == 0 || day == 20_000 { try index.put(.renders, "k", [1]) }
      try index.forgetUnused()
    }
    #expect(try index(day: 20_200).get(.renders, "k") == [1])
  }

  @Test(arguments: [IndexFile.work, .addresses])
  func `the file does not grow as records come and go`(kind: IndexFile) throws {
    let table: IndexTable = kind == .work ? .renders : .fetches
    var sizes: [Int] = []
    for day: Int64 in 0..<400 {
      let index = try index(day: 20_000 + day, kind)
      try index.put(
        table,
        (0..<50).map { (key: Digest(of: "\(day) \($0)"), value: [UInt8](repeating: 7, count: 100)) }
      )
      try index.forgetUnused()
      _ = consume index
      sizes.append(try size(kind.rawValue))
    }
    let full = try #require(sizes[..<110].max())
    #expect(try #require(sizes.max()) < full * 5 / 4)
    do {
      let index = try index(day: 30_000, kind)
      try index.forget(unusedFor: 0)
      try index.shrink()
      try index.put(table, "new", [1])
      #expect(try index.get(table, "new") == [1])
    }
    #expect(try !index(day: 30_000, kind).wasReset)
    #expect(try size(kind.rawValue) < 50_000)
  }

  @Test func `an unused record dated far in the future is removed`() throws {
    try index(day: 900_000).put(.stamps, ["a", "b"].map { (key: $0, value: [1]) })
    let index = try index(day: 20_000)
    #expect(try index.get(.stamps, "a") == [1])
    try index.forget(unusedFor: 90)
    #expect(try index.get(.stamps, ["a", "b"]) == [[1], nil])
  }

  @Test func `metadata about the index itself is kept`() throws {
    try index(day: 20_000).put(.meta, "name", [1])
    try index(day: 21_000).forget(unusedFor: 0)
    #expect(try index(day: 21_000).get(.meta, "name") == [1])
  }

  @Test func `rereading a record within a week does not write to disk`() throws {
    let records = (0..<500).map { (key: "\($0)", value: [UInt8](repeating: 1, count: 100)) }
    try index(day: 20_000).put(.facts, records)
    let before = try temporary.read("cache/index.sqlite")
    func log(day: Int64) throws -> Int {
      let index = try index(day: day)
      #expect(try index.get(.facts, records.map(\.key)).allSatisfy { $0 != nil })
      #expect(try index.get(.meta, "unknown") == nil)
      return (try? temporary.read("cache/index.sqlite-wal").count) ?? 0
    }
    #expect(try log(day: 20_006) == 0)
    #expect(try temporary.read("cache/index.sqlite") == before)
    #expect(try log(day: 20_007) > 0)
    #expect(try log(day: 20_008) == 0)
  }
}
