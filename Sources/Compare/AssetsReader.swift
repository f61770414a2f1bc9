import Build
import Diagnostics
import Files

/// Reads the `assets.json` of a site: the users one after the other, all else at once.
struct AssetsReader: ~Copyable {
  struct User: Sendable {
    var id: [UInt8]
    var value: [UInt8]
  }

  private static let fileName = "assets.json"
  private static let partLimit = 64

  let path: String
  /// Everything but the users, by key.
  private(set) var parts: [String: [UInt8]] = [:]
  private var stream: JSONStream
  private var last: [UInt8]?
  private var isAmongUsers = false
  private var hasUsers = false

  /// - Throws: `BuildFailure.usage` when there is no such file.
  init(_ folder: Folder) throws {
    path = "\(folder.path)\(folder.path.hasSuffix("/") ? "" : "/")\(Self.fileName)"
    do throws(FileError) {
      stream = JSONStream(try folder.open(beneath: Self.fileName))
    } catch {
      throw BuildFailure.usage(.unreadableSite(path, error.explanation))
    }
  }

  /// Reads up to the users.
  mutating func readHead() throws {
    try stream.enter()
    try readParts()
  }

  /// In the order of the file, which is that of the ids; nil after the last.
  mutating func nextUser() throws -> User? {
    guard isAmongUsers else { return nil }
    guard let id = try stream.nextKey() else {
      isAmongUsers = false
      return nil
    }
    if let last, !last.lexicographicallyPrecedes(id) {
      throw stream.broken(
        "user \(String(decoding: id, as: UTF8.self).quoted) is not in the order of the ids")
    }
    last = id
    return User(id: id, value: try stream.value())
  }

  /// Reads what comes after the users, to the end.
  mutating func readTail() throws {
    if hasUsers { try readParts() }
    try stream.finish()
    guard hasUsers else { throw stream.broken("there are no users") }
    guard parts.removeValue(forKey: "version").map({ $0 == [UInt8(ascii: "1")] }) == true else {
      throw stream.broken("the version is not 1")
    }
  }

  /// Reads keys and values until the users begin, or to the end.
  private mutating func readParts() throws {
    while let key = try stream.nextKey() {
      let name = String(decoding: key, as: UTF8.self)
      guard name != "users" else {
        guard !hasUsers else { throw stream.broken("there are users twice") }
        hasUsers = true
        isAmongUsers = true
        return try stream.enter()
      }
      guard parts.count < Self.partLimit else { throw stream.broken("there are too many parts") }
      guard parts.updateValue(try stream.value(), forKey: name) == nil else {
        throw stream.broken("\(name.quoted) comes twice")
      }
    }
  }
}
