import Bytes
import Foundation
import Store
import TestSupport
import Testing

/// Packs in a folder, where somebody else may write too.
struct PackTests {
  private let folder = TemporaryFolder()
  private let key = Digest(of: "key")
  private let pieces = (0..<5).map { Data(repeating: $0, count: 10 * Int($0)) }

  private func store() throws -> any ObjectStore {
    try SharedStore.Location("dir:\(folder.path(of: "."))").open()
  }

  private func path(_ shelf: String, _ digest: Digest) -> String {
    "\(shelf)/\(digest.hex.prefix(2))/\(digest.hex)"
  }

  @Test func `pieces come back as they are, and only as many as somebody wants`() throws {
    let store = try store()
    #expect(try !Pack.isWhole(key, in: store))
    try Pack.put(pieces, as: key, in: store)
    #expect(try Pack.isWhole(key, in: store))
    #expect(try Pack.get(key, count: 5, in: store) == pieces)
    for count in [0, 4, 6] { #expect(try Pack.get(key, count: count, in: store) == nil) }
    try Pack.put([], as: key, in: store)
    #expect(try Pack.get(key, count: 0, in: store) == [])
    Pack.renounce(key, in: store)
    #expect(ActionResult(ActionResult.failed) == ActionResult([]))
    #expect(try !Pack.isWhole(key, in: store) && Pack.get(key, count: 0, in: store) == nil)
  }

  @Test func `a list that names one object again and again is not followed`() throws {
    let store = try store()
    try Pack.put(pieces, as: key, in: store)
    let name = try #require(folder.list().first { $0.hasPrefix("cas/") && $0.utf8.count > 64 })
    let part = ActionResult.File(path: "0", contents: try folder.read(name), isInside: false)
    let none = ActionResult.File(path: "0", contents: Data(count: 4), isInside: false)
    try store.put(Data(count: 4), as: .bytes(none.digest))
    for files in [[part, part], [part, none], Array(repeating: none, count: 1_000)] {
      try store.put(ActionResult(files).bytes, as: .result(key))
      #expect(try Pack.get(key, count: 5, in: store) == nil)
      #expect(try Pack.get(key, count: 0, in: store) == nil)
    }
    // More of them than any list of ours has.
    let many = Array(repeating: none, count: 1 << 17)
    #expect(ActionResult(ActionResult(many).bytes) == nil)
  }

  @Test func `what is no file, or longer than any object, is damage`() throws {
    let store = try store()
    let object = StoredObject.bytes(key)
    try folder.makeFolder(path("cas", key))
    #expect(try store.get(object) == nil)
    try folder.remove(path("cas", key))
    try folder.write("", to: path("cas", key))
    let file = try #require(FileHandle(forWritingAtPath: folder.path(of: path("cas", key))))
    try file.truncate(atOffset: UInt64(StoredObject.sizeLimit + 1))
    #expect(try store.get(object) == nil)
    try folder.remove(path("cas", key))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path(of: path("cas", key)), withDestinationPath: "/etc/passwd")
    #expect(try store.get(object) == nil && !store.has(object))
  }
}
