import Bytes
import Dispatch
import Files
import Foundation
import Store
import TestSupport
import Testing

/// A server that keeps what it is given.
@Suite(.needs(.nginx)) struct WebStoreTests {
  private static let token = "a-token-of-tests"

  private let folder = TemporaryFolder()
  private let server: NginxServer

  init() throws {
    try folder.makeFolder("store")
    server = try NginxServer(storingIn: folder.path(of: "store"), token: Self.token)
  }

  private func open(
    _ environment: [String: String] = ["SITEGEN_STORE_TOKEN": WebStoreTests.token]
  ) throws -> any ObjectStore {
    var location = SharedStore.Location(server.url("/sitegen"))
    location.program = BuiltProduct.fetcher
    return try location.open(within: .seconds(20), environment: environment)
  }

  @Test func `what is put there comes back, and what is not there is none`() throws {
    let store = try open()
    let beside = try FolderStore(folder.path(of: "store"))
    for count in [0, 1, 3_000, 5 << 20] {
      let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) })
      let name = StoredObject.bytes(Digest(of: bytes))
      #expect(try store.get(name) == nil)
      #expect(try !store.has(name))
      try store.put(bytes, as: name)
      #expect(try store.has(name))
      #expect(try store.get(name) == bytes)
      #expect(try beside.get(name) == bytes, "a folder with the same layout")
      try store.put(bytes, as: name)
    }
    // It writes its log after its answer.
    #expect(try eventually { try server.requests().count { $0.method == "PUT" } == 8 })
  }

  @Test func `many threads ask at once, over few connections`() throws {
    let (store, other) = (try open(), try open())
    let failures = Guarded(0)
    DispatchQueue.concurrentPerform(iterations: 200) { number in
      // Two machines put the same.
      let bytes = Data(repeating: UInt8(number / 2), count: 100_000)
      let name = StoredObject.bytes(Digest(of: bytes))
      let store = number % 2 == 0 ? store : other
      do {
        try store.put(bytes, as: name)
        guard try store.get(name) == bytes else { return failures.withLock { $0 += 1 } }
      } catch {
        failures.withLock { $0 += 1 }
      }
    }
    #expect(failures.withLock { $0 } == 0)
    #expect(Set(try server.requests().map(\.connection)).count <= 32)
  }

  @Test func `who has no token, or a wrong one, is told what to do`() throws {
    for (environment, advice) in [
      ([:], "SITEGEN_STORE_TOKEN_FILE"),
      (["SITEGEN_STORE_TOKEN": "another"], "is this token right"),
    ] {
      let store = try open(environment)
      let failure = #expect(throws: ObjectStoreFailure.self) {
        try store.put(Data([1]), as: .bytes(Digest(of: Data([1]))))
      }
      #expect(failure?.isLasting == true)
      #expect(failure?.words.contains(advice) == true)
      #expect(failure?.words.contains("another") == false)
    }
  }

  @Test func `a token comes from a file that nobody else can read`() throws {
    let file = folder.path(of: "token")
    try folder.write("\(Self.token)\n", to: "token")
    for (mode, isTaken) in [(0o600, true), (0o400, true), (0o640, false), (0o604, false)] {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let environment = ["SITEGEN_STORE_TOKEN_FILE": file]
      if isTaken {
        #expect(try open(environment).get(.result(Digest(of: "a"))) == nil)
      } else {
        let failure = #expect(throws: ObjectStoreFailure.self) { try open(environment) }
        #expect(failure?.words.contains("chmod 600") == true)
      }
    }
    for text in ["", "two words", "ä", String(repeating: "a", count: 9_000)] {
      try folder.write(text, to: "token")
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      #expect(throws: ObjectStoreFailure.self) { try open(["SITEGEN_STORE_TOKEN_FILE": file]) }
    }
  }

  @Test func `a child that dies is replaced once`() throws {
    let store = try open()
    let name = StoredObject.result(Digest(of: "a"))
    for number in 1...3 {
      if number < 3 {
        #expect(try store.get(name) == nil)
        let child = try #require((store as? RemoteStore)?.processID)
        kill(child, SIGKILL)
        // Until its end is seen, the next request is given to it, and fails.
        #expect(eventually { (store as? RemoteStore)?.processID == nil })
      } else {
        let failure = #expect(throws: ObjectStoreFailure.self) { try store.get(name) }
        #expect(failure?.isLasting == true)
        #expect(failure?.words.contains("was ended by signal 9") == true)
      }
    }
  }
}
