import Bytes
import Files
import Glibc
import Store
import TestSupport

struct IndexDamageTests {
  let temporary = TemporaryFolder(inMemory: true)
  let cache: Folder
  let records: [(key: Digest, value: [UInt8])] = (0..<400).map { number in
    (key: Digest(of: "\(number)"), value: Array("the value of \(number)".utf8))
  }

  let truth: [Digest: [UInt8]]

  init() throws {
    truth = Dictionary(uniqueKeysWithValues: records.map { ($0.key, $0.value) })
    cache = try Folder(making: temporary.path(of: "cache"))
  }

  func pristine() throws -> Data {
    let index = try Index(in: cache)
    try index.put(.renders, records)
    try index.put(.stamps, records.map { (key: $0.key.hex, value: $0.value) })
    _ = consume index
    return try temporary.read("cache/index.sqlite")
  }

  /// Opens and checks a damaged index, and returns the number of records; `andUse` also writes.
  func check(_ what: String, andUse: Bool = true) throws -> Int {
    let index = try Index(in: cache)
    let found = try compare(index, what)
    guard andUse else { return found }
    try index.put(.renders, records)
    let first = try compare(index, what)
    if first < records.count {
      // The damage was found late, which empties the index; this can happen only once.
      #expect(index.wasReset, "\(what)")
      try index.put(.renders, records)
      #expect(try compare(index, what) == records.count, "\(what)")
    }
    return found
  }

  private func compare(_ index: Index, _ what: String) throws -> Int {
    let renders = try index.get(.renders, records.map(\.key))
    let stamps = try index.get(.stamps, records.map(\.key.hex))
    let wrong = zip(records, zip(renders, stamps)).count { record, values in
      (values.0 ?? record.value) != record.value || (values.1 ?? record.value) != record.value
    }
    #expect(wrong == 0, "\(what)")
    var strange = 0
    try index.forEach(.renders) { key, value in
      if Digest(bytes: key).flatMap({ truth[$0] }) != value { strange += 1 }
    }
    #expect(strange == 0, "\(what)")
    return renders.count { $0 != nil }
  }

  /// F29: one overwritten byte, at many offsets in the index, never produces a wrong record.
  @Test func `a flipped byte never produces a wrong record`() throws {
    let whole = try pristine()
    var found: [Int] = []
    for (round, place) in Places(Extent.isAll ? 1_000 : 250, in: whole.count).enumerated() {
      try temporary.write(whole, to: "cache/index.sqlite")
      try temporary.flip("cache/index.sqlite", at: place)
      found.append(try check("byte \(place)", andUse: round % 8 == 0))
    }
    // Proves that the damage reaches the compared records.
    #expect(found.contains { $0 == 0 } && found.contains { $0 == records.count - 1 })
  }

  /// F29: each byte of the header and of the start of the first page is overwritten.
  @Test func `a flipped byte in the header never produces a wrong record`() throws {
    let whole = try pristine()
    for place in stride(from: 0, to: 200, by: Extent.isAll ? 1 : 3) {
      try temporary.write(whole, to: "cache/index.sqlite")
      try temporary.flip("cache/index.sqlite", at: place)
      _ = try check("byte \(place)", andUse: place % 8 == 0)
    }
  }

  /// F29: the index is truncated at many lengths, at page boundaries and between them.
  @Test func `a truncated index never produces a wrong record`() throws {
    let whole = try pristine()
    let borders = stride(from: 0, to: whole.count, by: 4096).flatMap { [$0, $0 + 1, $0 + 4095] }
    for length in borders + (0..<120) + Array(Places(Extent.isAll ? 100 : 30, in: whole.count)) {
      try temporary.write(whole.prefix(length), to: "cache/index.sqlite")
      let found = try check("length \(length)", andUse: length % 8 == 0)
      if length < 100 { #expect(found == 0) }
    }
  }

  /// F29: pages of garbage or zeros, as after a power failure.
  @Test func `a page of garbage never produces a wrong record`() throws {
    let whole = try pristine()
    for page in stride(from: 0, to: whole.count, by: 4096) {
      for garbage in [
        Data(count: 4096), Data((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 73) }),
      ] {
        var damaged = whole
        damaged.replaceSubrange(page..<page + 4096, with: garbage)
        try temporary.write(damaged, to: "cache/index.sqlite")
        _ = try check("page \(page)")
      }
    }
  }

  /// F29: a killed build's write-ahead log is cut off, or has a wrong byte, at many offsets.
  @Test func `a damaged log never produces a wrong record`() throws {
    do {
      let index = try Index(in: cache)
      try index.put(.renders, records)
      for name in ["index.sqlite", "index.sqlite-wal"] {
        try temporary.write(temporary.read("cache/" + name), to: "killed/" + name)
      }
    }
    let (main, log) = (
      try temporary.read("killed/index.sqlite"), try temporary.read("killed/index.sqlite-wal")
    )
    func restore(_ log: Data) throws {
      try temporary.write(main, to: "cache/index.sqlite")
      try temporary.write(log, to: "cache/index.sqlite-wal")
    }
    try restore(log)
    #expect(try check("whole log") == records.count)
    for place in Places(150, in: log.count) {
      try restore(log)
      try temporary.flip("cache/index.sqlite-wal", at: place)
      _ = try check("log byte \(place)", andUse: false)
      try restore(log.prefix(place))
      _ = try check("log length \(place)", andUse: place % 8 == 0)
    }
  }

  /// F29: an index with a different schema, another kind of file and an empty file are replaced.
  @Test(arguments: ["other tables", "text", "empty", "folder", "link", "pipe", "log folder"])
  func `an invalid index is replaced`(kind: String) throws {
    _ = try pristine()
    let file = temporary.path(of: "cache/index.sqlite")
    switch kind {
    case "other tables":
      // The first page contains the CREATE TABLE statements.
      var bytes = try temporary.read("cache/index.sqlite")
      let words = try #require(bytes.range(of: Data("CREATE TABLE facts (key".utf8)))
      bytes.replaceSubrange(words, with: Data("CREATE TABLE facts (kex".utf8))
      try temporary.write(bytes, to: "cache/index.sqlite")
    case "text": try temporary.write("hello", to: "cache/index.sqlite")
    case "empty": try temporary.write("", to: "cache/index.sqlite")
    default: try temporary.remove("cache/index.sqlite")
    }
    switch kind {
    case "folder": try temporary.write("x", to: "cache/index.sqlite/file")
    case "pipe": #expect(unsafe mkfifo(file, 0o600) == 0)
    case "link":
      try temporary.write("precious", to: "precious")
      try temporary.link("cache/index.sqlite", to: temporary.path(of: "precious"))
    case "log folder":
      try temporary.write("", to: "cache/index.sqlite")
      try temporary.write("x", to: "cache/index.sqlite-wal/file")
    default: break
    }
    let index = try Index(in: cache)
    #expect(index.wasReset)
    // A different schema is not reported as damage.
    #expect(try (index.removeDamage() == nil) == (kind == "other tables"))
    #expect(try index.get(.renders, records[0].key) == nil)
    try index.put(.renders, records)
    #expect(try index.get(.renders, records[7].key) == records[7].value)
    if kind == "link" { #expect(try temporary.text(of: "precious") == "precious") }
  }

  /// F29: if an open index turns out to be damaged, it is recreated and keeps working.
  @Test func `an index that turns out to be damaged after opening is reset`() throws {
    var whole = try pristine()
    // Damages all pages but the first, so that opening succeeds and reading fails.
    for page in stride(from: 4096, to: whole.count, by: 4096) {
      whole.replaceSubrange(page..<page + 4096, with: Data(repeating: 0xaa, count: 4096))
    }
    try temporary.write(whole, to: "cache/index.sqlite")
    let index = try Index(in: cache)
    #expect(!index.wasReset)
    #expect(try index.get(.renders, records.map(\.key)).allSatisfy { $0 == nil })
    #expect(index.wasReset)
    try index.put(.stamps, "a", [1])
    #expect(try index.get(.stamps, "a") == [1])
  }

  /// F29: any changed record is found and removed; the others are kept.
  @Test func `each damaged record is found and removed`() throws {
    let whole = try pristine()
    #expect(try Index(in: cache).removeDamage() == nil)
    for number in stride(from: 0, to: records.count, by: 40) {
      let record = records[number]
      var damaged = whole
      let place = try #require(damaged.range(of: Data(record.key.bytes + record.value)))
      // Damages the key or the value; a damaged key is also out of order.
      damaged[number % 80 == 0 ? place.lowerBound : place.upperBound - 1] ^= 0x80
      try temporary.write(damaged, to: "cache/index.sqlite")
      #expect(try Index(in: cache).removeDamage() == "records with an incorrect checksum: 1")
      let index = try Index(in: cache)
      #expect(try !index.wasReset && index.removeDamage() == nil)
      #expect(try index.get(.renders, records.map(\.key)).count { $0 == nil } == 1)
    }
    for place in [18, 4096, whole.count - 4096] {
      var damaged = whole
      damaged.replaceSubrange(place..<place + 16, with: Data(repeating: 0x55, count: 16))
      try temporary.write(damaged, to: "cache/index.sqlite")
      #expect(try Index(in: cache).removeDamage() != nil, "\(place)")
      #expect(try Index(in: cache).removeDamage() == nil, "\(place)")
    }
  }

  /// F29: if the index is deleted while open, only its contents are lost.
  @Test func `an open index still works after its file is deleted`() throws {
    let index = try Index(in: cache)
    try index.put(.stamps, "a", [1])
    try temporary.remove("cache")
    try index.put(.stamps, "b", [2])
    #expect(try index.get(.stamps, "b") == [2])
  }

  /// F22: an unreadable or read-only index is kept, and the error names the file.
  @Test func `an unreadable or read-only index is kept`() throws {
    let whole = try pristine()
    let path = temporary.path(of: "cache/index.sqlite")
    for rights: mode_t in [0, 0o400] {
      #expect(unsafe chmod(path, rights) == 0)
      let error = #expect(throws: FileError.self) { try withoutPower { try Index(in: cache) } }
      #expect(error == FileError("open", path: path, code: EACCES))
      #expect(unsafe chmod(path, 0o600) == 0)
      #expect(try temporary.read("cache/index.sqlite") == whole)
    }
  }

  /// F29: if few or no file descriptors are left, the index reports it and is kept.
  @Test(arguments: 0..<6) func `an index that cannot be opened is kept`(left: Int) async throws {
    let whole = try pristine()
    let path = temporary.path(of: "cache")
    await #expect(processExitsWith: .success) { [path = path as String, left = left as Int] in
      let cache = try Folder(opening: path)
      try cache.makePrivate()
      // Limits the process to `left` more file descriptors.
      let free = (0...left).map { _ in dup(0) }
      for number in free { close(number) }
      let refused = rlim_t(free[left])
      var limit = rlimit(rlim_cur: refused, rlim_max: refused)
      guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
        exit(2)
      }
      do {
        exit(try Index(in: cache).wasReset || left == 0 ? 3 : 0)
      } catch let error as FileError where error.code == EMFILE {
        exit(0)
      } catch {
        exit(4)
      }
    }
    #expect(try temporary.read("cache/index.sqlite") == whole)
    #expect(try !Index(in: cache).wasReset)
  }
}
