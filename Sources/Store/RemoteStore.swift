import Bytes
import Fetch
import Files
package import Foundation

/// A server that speaks HTTP, as a child process asks it.
package final class RemoteStore: ObjectStore {
  package let address: String
  private let link: ObjectLink

  /// The program is `sitegen-fetcher`.
  init(
    _ address: String, _ origin: ObjectOrigin, program: String,
    _ isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.address = address
    link = ObjectLink(origin, program: program, isCancelled: isCancelled)
  }

  package func get(_ object: StoredObject) throws(ObjectStoreFailure) -> Data? {
    try ask(.get, object)
  }

  package func has(_ object: StoredObject) throws(ObjectStoreFailure) -> Bool {
    try ask(.has, object) != nil
  }

  package func put(_ bytes: Data, as object: StoredObject) throws(ObjectStoreFailure) {
    _ = try ask(.put, object, bytes)
  }

  /// Of the child; nil while there is none.
  package var processID: Int32? { link.processID }

  /// - Throws: When the process that asks is not jailed wholly.
  func requireJail() throws(ObjectStoreFailure) {
    switch link.askForJail() {
    case .jail(.whole): break
    case .jail(let jail):
      var failure = ObjectStoreFailure("its jail lacks \(jail.missing)", isLasting: true)
      failure.lack = jail.missing
      throw failure
    case .failed(let words, let isLasting):
      throw ObjectStoreFailure(words, isLasting: isLasting)
    case .done, .none:
      throw ObjectStoreFailure("the process that asks the store talks nonsense", isLasting: true)
    }
  }

  private func ask(
    _ verb: ObjectRequest.Verb, _ object: StoredObject, _ body: Data = Data()
  ) throws(ObjectStoreFailure) -> Data? {
    let name = "\(object.shelf.rawValue)/\(object.key.hex)"
    switch link.ask(ObjectRequest(verb, name), body: body) {
    case .done(let bytes): return bytes
    case .none, .jail: return nil
    case .failed(let words, let isLasting):
      throw ObjectStoreFailure(words, isLasting: isLasting)
    }
  }
}

extension SharedStore.Location {
  /// Bytes of a token.
  private static let longest = 8_192

  /// The token in a file that only its owner can read.
  static func token(in path: String) throws(ObjectStoreFailure) -> String {
    let name = "the file that SITEGEN_STORE_TOKEN_FILE names"
    let (bytes, isPrivate): (Data, Bool)
    do throws(FileError) {
      let file = try Folder(opening: "/").open(
        beneath: URL(fileURLWithPath: path).path, allowOutside: true)
      (bytes, isPrivate) = (try file.read(upTo: longest), try file.isPrivate)
    } catch {
      throw ObjectStoreFailure("\(name): \(error.explanation)", isLasting: true)
    }
    guard isPrivate else {
      throw ObjectStoreFailure(
        "\(name) can be read by others: chmod 600 makes it yours alone", isLasting: true)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    return try checked(text.trimmingCharacters(in: .whitespacesAndNewlines), from: name)
  }

  /// A token that can stand in a line of a request; the message has nothing of it.
  static func checked(_ token: String, from name: String) throws(ObjectStoreFailure) -> String {
    guard (1...longest).contains(token.utf8.count),
      token.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw ObjectStoreFailure("\(name) has no token in it", isLasting: true) }
    return token
  }
}
