import Bytes
import Files
import Glibc
import Store
import TestSupport

struct IndexTests {
  let temporary = TemporaryFolder()
  let cache: Folder

  init() throws { cache = try Folder(making: temporary.path(of: "cache")) }

  @Test func `a record is found by its key`() throws {
    let index = try Index(in: cache)
    let digest = Digest(of: "a")
    #expect(try index.get(.renders, digest) == nil)
    try index.put(.renders, digest, [1, 2, 3])
    try index.put(.stamps, "avatars/ada.jpg", [4])
    try index.put(.meta, [UInt8](), [])
    #expect(try index.get(.renders, digest) == [1, 2, 3])
    #expect(try index.get(.stamps, "avatars/ada.jpg") == [4])
    #expect(try index.get(.meta, [UInt8]()) == [])
    #expect(try index.get(.facts, digest) == nil)
    try index.put(.renders, digest, [5])
    #expect(try index.get(.renders, digest) == [5])
    #expect(!index.wasReset)
  }

  @Test func `records persist when an index is reopened`() throws {
    try Index(in: cache).put(.facts, "key", [1])
    let index = try Index(in: cache)
    #expect(try index.get(.facts, "key") == [1])
    #expect(!index.wasReset)
    #expect(temporary.list().contains("cache/index.sqlite"))
  }

  @Test func `closing an index releases its file and makes later calls fail`() throws {
    let index = try Index(in: cache)
    try index.put(.facts, "key", [1])
    index.close()
    #expect(try Index(in: cache).get(.facts, "key") == [1])
    #expect(throws: StoreError.self) { try index.get(.facts, "key") }
    #expect(throws: StoreError.self) { try index.put(.facts, "key", [2]) }
    #expect(try Index(in: cache).get(.facts, "key") == [1])
  }

  /// Some SQLite builds treat this name as a URI, in which `%2e%2e` is the parent folder.
  @Test(arguments: ["file:%2e%2e", "file:cache?mode=memory", ":memory:"])
  func `a URI-like cache name does not move the index elsewhere`(name: String) async throws {
    let folder = temporary.path(of: "odd")
    try temporary.makeFolder("odd")
    await #expect(processExitsWith: .success) {
      [folder = folder as String, name = name as String] in
      // A child process can change its working folder, so that the name is relative.
      guard unsafe chdir(folder) == 0 else { exit(2) }
      try Index(in: Folder(making: name)).put(.facts, "key", [1])
    }
    let found = temporary.list().filter { $0.hasSuffix("index.sqlite") }
    #expect(found == ["odd/\(name)/index.sqlite"])
  }

  @Test func `a batch read returns records in the requested order`() throws {
    let index = try Index(in: cache)
    let records = (0..<1000).map { (key: Digest(of: "\($0)"), value: Array("\($0)".utf8)) }
    try index.put(.renders, records)
    let keys = records.map(\.key).reversed() + [Digest(of: "unknown")]
    let expected: [[UInt8]?] = records.map(\.value).reversed() + [nil]
    #expect(try index.get(.renders, keys) == expected)
    #expect(try index.get(.renders, [Digest]()) == [])
  }

  @Test func `the last record written for a key is kept`() throws {
    let index = try Index(in: cache)
    try index.put(.facts, (0..<100).map { (key: "key \($0 * 7 % 10)", value: [UInt8($0)]) })
    #expect(try index.get(.facts, "key 7") == [91])
    #expect(try index.get(.facts, ["key 3", "key 7", "key 3"]) == [[99], [91], [99]])
  }

  @Test func `all records are visited in key order`() throws {
    let index = try Index(in: cache)
    try index.put(.stamps, (0..<300).map { (key: "file \($0)", value: [UInt8($0 % 7)]) })
    var seen: [String: [UInt8]] = [:]
    var keys: [String] = []
    try index.forEach(.stamps) { key, value in
      keys.append(String(decoding: key, as: UTF8.self))
      seen[keys[keys.count - 1]] = value
    }
    #expect(keys == (0..<300).map { "file \($0)" }.sorted())
    #expect(seen["file 10"] == [3])
  }

  @Test func `records are removed by key`() throws {
    let index = try Index(in: cache)
    for table in IndexFile.work.tables {
      try index.put(table, ["a", "b", "c"].map { (key: $0, value: [1]) })
    }
    try index.remove(.stamps, ["a", "c", "unknown"])
    #expect(try index.get(.stamps, ["a", "b", "c"]) == [nil, [1], nil])
    #expect(try index.get(.renders, ["a", "b", "c"]) == [[1], [1], [1]])
  }

  @Test(arguments: ["", "'; DROP TABLE facts; --", "a\0b", "\u{1F642}", "%", "?1"])
  func `any text can be a key`(key: String) throws {
    let index = try Index(in: cache)
    try index.put(.facts, key, Array(key.utf8))
    try index.put(.facts, key + "x", [])
    #expect(try index.get(.facts, key) == Array(key.utf8))
  }

  @Test func `canonically equivalent strings are different keys`() throws {
    let index = try Index(in: cache)
    try index.put(.stamps, "\u{e9}.png", [1])
    #expect(try index.get(.stamps, "e\u{301}.png") == nil)
  }

  @Test func `a large value is stored`() throws {
    let index = try Index(in: cache)
    let value = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 11) }
    try index.put(.facts, "large", value)
    #expect(try index.get(.facts, "large") == value)
  }

  @Test func `opening an index twice reports that the database is locked`() throws {
    let first = try Index(in: cache)
    try first.put(.facts, "a", [1])
    let error = #expect(throws: StoreError.self) { try Index(in: cache) }
    #expect(error?.explanation == "\(cache.path)/index.sqlite: database is locked")
    #expect(try first.get(.facts, "a") == [1])
  }

  @Test func `several threads can share an index`() throws {
    let index = try Index(in: cache)
    let good = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for round in 0..<200 {
        let key = "\(thread) \(round)"
        try? index.put(.facts, key, Array(key.utf8))
        if (try? index.get(.facts, key)) == Array(key.utf8) { good.add() }
      }
    }
    #expect(good.count == 800)
  }

  /// F30: an index in another user's folder is rejected.
  @Test(.needs(.root)) func `another user's cache is rejected`() throws {
    #expect(unsafe chown(temporary.path(of: "cache"), 12345, 12345) == 0)
    #expect(throws: FileError.self) { try Index(in: cache) }
  }
}
