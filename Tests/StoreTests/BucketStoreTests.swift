import Bytes
import Foundation
import Glibc
import Store
import TestSupport
import Testing

/// A server that speaks S3, and checks signatures.
private final class BucketServer {
  static let program = Checkout.root.appending(path: ".test-tools/bin/rclone").path
  static let need = Need("rclone (script/bootstrap test)", file: program)

  let port: UInt16
  private let process = Process()

  /// Serves the folders of a folder as buckets, to one key.
  init(_ folder: TemporaryFolder) throws {
    port = try Socket.freePort()
    process.executableURL = URL(fileURLWithPath: Self.program)
    process.arguments = [
      "serve", "s3", "--addr", "127.0.0.1:\(port)", "--auth-key", "testkey,sekret",
      "--config", folder.path(of: "none"), folder.path(of: "buckets"),
    ]
    process.environment = ["HOME": folder.path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    let port = port
    let answers = eventually {
      guard let socket = try? Socket(to: port) else { return false }
      socket.close()
      return true
    }
    #expect(answers && process.isRunning)
  }

  deinit {
    if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }
}

@Suite(.needs(BucketServer.need)) struct BucketStoreTests {
  private let folder = TemporaryFolder()
  private let server: BucketServer

  init() throws {
    try folder.makeFolder("buckets/bucket")
    server = try BucketServer(folder)
  }

  private func open(
    _ address: String = "s3://bucket/a/b", secret: String = "sekret"
  ) throws -> any ObjectStore {
    var location = SharedStore.Location(address)
    location.program = BuiltProduct.fetcher
    return try location.open(
      within: .seconds(10),
      environment: [
        "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:\(server.port)/", "AWS_ACCESS_KEY_ID": "testkey",
        "AWS_SECRET_ACCESS_KEY": secret,
      ])
  }

  @Test func `what is put into a bucket comes back, signed each time`() throws {
    let store = try open()
    for count in [0, 3_000, 3 << 20] {
      let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
      let name = StoredObject.bytes(Digest(of: bytes))
      #expect(try store.get(name) == nil)
      #expect(try !store.has(name))
      try store.put(bytes, as: name)
      #expect(try store.has(name))
      #expect(try store.get(name) == bytes)
      #expect(try folder.read("buckets/bucket/a/b/cas/\(name.key.hex)") == bytes)
    }
  }

  @Test func `another key is refused, and so is a bucket that is not there`() throws {
    let name = StoredObject.result(Digest(of: "a"))
    for (address, secret, words) in [
      ("s3://bucket/a", "wrong", "SignatureDoesNotMatch: is this key right"),
      ("s3://nobody/a", "sekret", "there is no such bucket"),
    ] {
      let store = try open(address, secret: secret)
      let failure = #expect(throws: ObjectStoreFailure.self) {
        try store.put(Data([1]), as: name)
      }
      #expect(failure?.isLasting == true)
      #expect(failure?.words.contains(words) == true, "\(failure?.words ?? "")")
    }
  }
}
