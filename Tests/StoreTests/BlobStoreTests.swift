import Bytes
import Files
import Glibc
import Store
import TestSupport

struct BlobStoreTests {
  let temporary = TemporaryFolder()
  let cache: Folder
  let store: BlobStore
  let bytes = Data("the quick brown fox".utf8)
  let digest: Digest
  let name: String

  init() throws {
    try temporary.makeFolder("output")
    cache = try Folder(making: temporary.path(of: "cache"))
    store = try BlobStore(in: cache)
    digest = Digest(of: bytes)
    name = "cache/store/\(digest.hex.prefix(2))/\(digest.hex)"
  }

  @Test func `a blob is found by its digest`() throws {
    #expect(try store.get(digest) == nil)
    #expect(try store.put(bytes) == digest)
    #expect(try store.get(digest) == bytes)
    #expect(try store.get(digest) != nil)
    #expect(try temporary.read(name) == bytes)
    #expect(try store.put(Data()) == Digest(of: Data()))
    #expect(try store.get(Digest(of: Data())) == Data())
  }

  @Test func `an existing blob is not written again`() throws {
    try store.put(bytes)
    let stamp = try cache.stamp(of: String(name.dropFirst(6)))
    try store.put(bytes)
    #expect(try cache.stamp(of: String(name.dropFirst(6))) == stamp)
  }

  @Test func `a removed blob can no longer be read`() throws {
    try store.put(bytes)
    try store.remove(digest)
    try store.remove(digest)
    #expect(try store.get(digest) == nil)
  }

  @Test(arguments: [0, 19, 4095, 4096, 100_000]) func `a blob can be published`(size: Int) throws {
    let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 13) })
    let output = try Folder(opening: temporary.path(of: "output"))
    let digest = try store.put(bytes)
    let staged = try #require(try store.stage(digest, into: output, at: "assets/ab/x.png"))
    #expect(!temporary.exists("output/assets/ab/x.png"))
    try output.place(staged)
    #expect(try temporary.read("output/assets/ab/x.png") == bytes)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: temporary.path(of: "output/assets/ab/x.png"))
    // The store's files are private, and the site's files are not.
    #expect(attributes[.posixPermissions] as? Int != 0o600)
  }

  private func stage(_ output: Folder) throws -> FileStamp? {
    let staged = try #require(
      try store.stage(digest, into: output, at: "assets/ab/x.png", linking: true))
    try output.place(staged)
    #expect(try output.open(beneath: "assets/ab/x.png").read(upTo: 100) == bytes)
    return try output.stamp(of: "assets/ab/x.png")
  }

  private func links(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: temporary.path(of: name))[.referenceCount]
      as? Int
  }

  /// F29: a damaged blob is never linked, whether this process or an earlier build wrote it.
  @Test(arguments: [true, false]) func `a blob is linked into the output`(isFresh: Bool) throws {
    let output = try Folder(opening: temporary.path(of: "output"))
    try store.put(bytes)
    let store = isFresh ? store : try BlobStore(in: cache)
    let staged = try #require(try store.stage(digest, into: output, at: "a/x", linking: true))
    try output.place(staged)
    #expect(try output.stamp(of: "a/x")?.inode == cache.stamp(of: String(name.dropFirst(6)))?.inode)
    #expect(try output.stamp(of: "a/x")?.modified == staged.stamp.modified)
    #expect(try links("output/a/x") == 2)
    // Edits the output file, which shares its bytes with the blob just written.
    try temporary.flip("output/a/x", at: 3)
    #expect(try store.stage(digest, into: output, at: "a/x", linking: true) == nil)
    try store.put(bytes)
    #expect(try stage(output) != nil)
  }

  @Test func `a linked blob replaces an existing output file`() throws {
    let output = try Folder(opening: temporary.path(of: "output"))
    try store.put(bytes)
    try temporary.write("old", to: "output/a/x")
    let staged = try #require(try store.stage(digest, into: output, at: "a/x", linking: true))
    #expect(try temporary.text(of: "output/a/x") == "old")
    try output.place(staged)
    #expect(try temporary.read("output/a/x") == bytes)
    #expect(try links(name) == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: output.path + "/a") == ["x"])
  }

  @Test(.needs(Need("/dev/shm, a file system in memory", file: "/dev/shm")))
  func `a blob on another file system is copied`() throws {
    let other = TemporaryFolder(inMemory: true)
    try store.put(bytes)
    let copy = try stage(Folder(opening: other.path))
    #expect(try copy?.inode != cache.stamp(of: String(name.dropFirst(6)))?.inode)
    #expect(try links(name) == 1)
  }

  /// The output's group may allow a web server to read files that the cache protects.
  @Test(.needs(.root)) func `blobs are copied if the output folder has a different group`() throws {
    #expect(unsafe chown(temporary.path(of: "output"), 0, 12345) == 0)
    #expect(unsafe chmod(temporary.path(of: "output"), 0o2755) == 0)
    try store.put(bytes)
    _ = try stage(Folder(opening: temporary.path(of: "output")))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: temporary.path(of: "output/assets/ab/x.png"))
    #expect(attributes[.groupOwnerAccountID] as? Int == 12345)
    #expect(try links(name) == 1)
  }

  @Test func `a blob is copied if its permissions differ from those of a new file`() throws {
    try store.put(bytes)
    #expect(unsafe chmod(temporary.path(of: name), 0o600) == 0)
    let output = try Folder(opening: temporary.path(of: "output"))
    let staged = try #require(
      try BlobStore(in: cache).stage(digest, into: output, at: "x.png", linking: true))
    try output.place(staged)
    #expect(try links("output/x.png") == 1)
  }

  /// F29: a killed process leaves a partial blob.
  @Test(arguments: [0, 7]) func `a partial blob is replaced`(length: Int) throws {
    try temporary.write(bytes.prefix(length), to: name)
    try store.put(bytes)
    #expect(try store.get(digest) == bytes)
  }

  /// F29: a blob with one flipped byte, at any offset, is removed and never returned.
  @Test func `a blob with a flipped byte is never returned`() throws {
    let output = try Folder(opening: temporary.path(of: "output"))
    for place in 0..<bytes.count {
      try store.put(bytes)
      try temporary.flip(name, at: place)
      #expect(try store.get(digest) == nil)
      #expect(!temporary.exists(name))
      try store.put(bytes)
      try temporary.flip(name, at: place)
      #expect(try store.stage(digest, into: output, at: "x.png") == nil)
      #expect(!temporary.exists(name))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: output.path).isEmpty)
    try store.put(bytes)
    #expect(try store.get(digest) == bytes)
  }

  /// F29: a truncated or extended blob is removed and can be stored again.
  @Test func `a truncated or extended blob is never returned`() throws {
    for length in Array(0..<bytes.count) + [bytes.count + 1, bytes.count * 1000] {
      var damaged = Data(count: length)
      damaged.replaceSubrange(0..<min(length, bytes.count), with: bytes.prefix(length))
      try temporary.write(damaged, to: name)
      #expect(try store.get(digest) == nil)
      #expect(!temporary.exists(name))
    }
    try store.put(bytes)
    #expect(try store.get(digest) == bytes)
  }

  /// F29: the bytes of another blob are not returned under a blob's name.
  @Test func `a blob with different content is never returned`() throws {
    try temporary.write("another text of 19 ", to: name)
    #expect(try store.get(digest) == nil)
    try store.put(bytes)
    #expect(try store.get(digest) == bytes)
  }

  /// F29: a folder, pipe or link in a blob's place is removed, and nothing is read through it.
  @Test(arguments: ["folder", "full folder", "pipe", "link", "dangling link"])
  func `a non-regular file in place of a blob is removed`(thing: String) throws {
    try temporary.write(bytes, to: "elsewhere")
    func plant() throws {
      try temporary.makeFolder((name as NSString).deletingLastPathComponent)
      switch thing {
      case "folder": try temporary.makeFolder(name)
      case "full folder": try temporary.write("x", to: name + "/a/b")
      case "pipe": #expect(unsafe mkfifo(temporary.path(of: name), 0o600) == 0)
      case "link": try temporary.link(name, to: temporary.path(of: "elsewhere"))
      default: try temporary.link(name, to: "nothing")
      }
    }
    try plant()
    #expect(try store.get(digest) == nil)
    #expect(!temporary.exists(name))
    #expect(temporary.exists((name as NSString).deletingLastPathComponent))
    try plant()
    try store.put(bytes)
    #expect(try store.get(digest) == bytes)
    #expect(try cache.kind(of: String(name.dropFirst(6))) == .file)
    #expect(try temporary.read("elsewhere") == bytes)
  }

  /// F29: a file or link in the place of a blob folder is removed.
  @Test func `a file or link in place of a blob folder is removed`() throws {
    let folder = (name as NSString).deletingLastPathComponent
    try temporary.makeFolder("elsewhere")
    for link in [true, false] {
      if link {
        try temporary.link(folder, to: temporary.path(of: "elsewhere"))
      } else {
        try temporary.write("x", to: folder)
      }
      #expect(try store.get(digest) == nil)
      try store.put(bytes)
      #expect(try store.get(digest) == bytes)
      try temporary.remove(folder)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: temporary.path(of: "elsewhere")
      ).isEmpty)
  }

  /// F29: if the store is deleted while in use, only its contents are lost.
  @Test func `a store that is deleted while in use is recreated`() throws {
    try store.put(bytes)
    try temporary.remove("cache/store")
    #expect(try store.get(digest) == nil)
    try store.put(bytes)
    #expect(try store.get(digest) == bytes)
    #expect(try temporary.read(name) == bytes)
  }

  /// F29: the store must not create the cache folder, because the cache lock was deleted with it.
  @Test func `a cache that is deleted while in use is not recreated`() throws {
    try store.put(bytes)
    try temporary.remove("cache")
    #expect(try store.get(digest) == nil)
    #expect(throws: FileError.self) { try store.put(bytes) }
    #expect(!temporary.exists("cache"))
  }

  @Test func `an unreadable blob is replaced`() throws {
    try store.put(bytes)
    #expect(unsafe chmod(temporary.path(of: name), 0) == 0)
    #expect(try withoutPower { try store.get(digest) } == nil)
    try store.put(bytes)
    #expect(try store.get(digest) == bytes)
  }

  /// F30: the cache becomes private to its owner, whatever its permissions were.
  @Test func `only the owner can access the cache`() throws {
    for path in ["cache", "cache/store"] {
      #expect(unsafe chmod(temporary.path(of: path), 0o777) == 0)
    }
    _ = try BlobStore(in: cache)
    for path in ["cache", "cache/store"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: temporary.path(of: path))
      #expect(attributes[.posixPermissions] as? Int == 0o700)
    }
  }

  /// F30: another user's cache or store is rejected.
  @Test(.needs(.root), arguments: ["cache", "cache/store"])
  func `another user's cache is rejected`(path: String) throws {
    #expect(unsafe chown(temporary.path(of: path), 12345, 12345) == 0)
    let error = #expect(throws: FileError.self) { try BlobStore(in: cache) }
    #expect(error?.reason == .foreign)
  }

  /// F30: a symlinked store is rejected.
  @Test func `a symlinked store is rejected`() throws {
    try temporary.makeFolder("elsewhere")
    try temporary.remove("cache/store")
    try temporary.link("cache/store", to: "../elsewhere")
    #expect(throws: FileError.self) { try BlobStore(in: cache) }
  }

  @Test func `several threads can share a store`() {
    let store = store
    let good = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for index in 0..<100 {
        let bytes = Data("blob \(index)".utf8)
        if let digest = try? store.put(bytes), (try? store.get(digest)) == bytes { good.add() }
      }
    }
    #expect(good.count == 400)
  }
}
