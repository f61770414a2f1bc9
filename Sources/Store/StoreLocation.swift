import Fetch
import Foundation

extension SharedStore {
  /// Where it is, and what is done with it.
  package struct Location: Hashable, Sendable {
    /// `dir:` and a path, or a URL that begins with `http://`, `https://` or `s3://`.
    package var address: String
    package var mode: Mode
    /// Whose child asks a store that has a URL: `sitegen-fetcher`.
    package var program = ""
    /// A child whose jail lacks a layer is a failure.
    package var requiresJail = false

    package init(_ address: String, mode: Mode = .read) {
      self.address = address
      self.mode = mode
    }
  }
}

extension SharedStore.Location {
  /// The folder; nil for an address of another kind.
  package var path: String? {
    address.hasPrefix("dir:") && address.utf8.count > 4 ? String(address.dropFirst(4)) : nil
  }

  /// What is wrong with an address, and what to do.
  package struct Problem {
    /// It must not be repeated.
    package var isSecret = false
    package var help: String
  }

  /// Nil if nothing is wrong with the address.
  package var problem: Problem? {
    if path != nil { return nil }
    guard let (scheme, rest) = parts else {
      return Problem(
        help: "write dir: and the path of a folder, or a URL that begins with https:// or s3://")
    }
    if rest.contains("@") {
      return Problem(
        isSecret: true,
        help: scheme == "s3"
          ? "put the key into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
          : "name a file with a token in SITEGEN_STORE_TOKEN_FILE")
    }
    // Nothing of it is written in two ways, since it is signed as it stands.
    let isPlain = rest.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
        || "-._~/:[]".utf8.contains(byte)
    }
    let words = rest.split(separator: "/", omittingEmptySubsequences: false)
    let isPath = !words.dropLast().contains("") && !words.contains { $0 == "." || $0 == ".." }
    return isPlain && isPath && !words[0].isEmpty
      ? nil : Problem(help: "a store's URL has a host, and a path of letters, digits and -._~")
  }

  private var parts: (scheme: String, rest: Substring)? {
    for scheme in ["https", "http", "s3"] where address.hasPrefix("\(scheme)://") {
      return (scheme, address.dropFirst(scheme.utf8.count + 3))
    }
    return nil
  }

  /// Opens the store itself, for whoever needs it; each request may take so long, with all retries,
  /// unless it `isCancelled`.
  ///
  /// Secrets come from the environment, and go nowhere but to the store.
  package func open(
    within time: Duration = .seconds(300),
    environment: [String: String] = ProcessInfo.processInfo.environment,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws(ObjectStoreFailure) -> any ObjectStore {
    if let path { return try FolderStore(path) }
    guard problem == nil, let (scheme, rest) = parts else {
      throw ObjectStoreFailure("this is no address of a shared store", isLasting: true)
    }
    func word(_ name: String) -> String? {
      environment[name].flatMap { $0.isEmpty ? nil : $0 }
    }
    let place = rest.hasSuffix("/") ? rest.dropLast() : rest
    var origin = ObjectOrigin("\(scheme)://\(place)", time: time, bytes: StoredObject.sizeLimit)
    origin.certificates = word("SSL_CERT_FILE").map { URL(fileURLWithPath: $0).path }
    if scheme == "s3" {
      let region = word("AWS_REGION") ?? word("AWS_DEFAULT_REGION") ?? "us-east-1"
      let endpoint = word("AWS_ENDPOINT_URL_S3") ?? word("AWS_ENDPOINT_URL")
      let server = endpoint ?? "https://s3.\(region).amazonaws.com"
      origin.url = "\(server.hasSuffix("/") ? String(server.dropLast()) : server)/\(place)"
      origin.access = .open(wantsKey: true)
      if let key = word("AWS_ACCESS_KEY_ID"), let secret = word("AWS_SECRET_ACCESS_KEY") {
        origin.access = .signed(
          key: key, secret: secret, session: word("AWS_SESSION_TOKEN"), region: region)
      }
    } else if let path = word("SITEGEN_STORE_TOKEN_FILE") {
      origin.access = .bearer(try Self.token(in: path))
    } else if let token = word("SITEGEN_STORE_TOKEN") {
      origin.access = .bearer(try Self.checked(token, from: "SITEGEN_STORE_TOKEN"))
    }
    let store = RemoteStore(address, origin, program: program, isCancelled)
    if requiresJail { try store.requireJail() }
    return store
  }
}
