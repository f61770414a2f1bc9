import Bytes
import Foundation
import Glibc
import Testing

struct DigestTests {
  /// G40: NIST's test vectors, hashed as a whole and in small pieces of several sizes.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqr"
        + "lmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func `digests match the published test vectors`(text: String, hex: String) {
    let bytes = Array(text.utf8)
    #expect(Digest(of: bytes).hex == hex)
    #expect(Digest(of: Data(bytes)).hex == hex)
    #expect(Digest(of: text).hex == hex)
    for size in [1, 3, 63, 64, 65, 1000] where bytes.count < 1000 || size > 60 {
      var stream = DigestStream()
      for start in stride(from: 0, to: bytes.count, by: size) {
        stream.update(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(stream.finish().hex == hex)
    }
  }

  /// G40: a gigabyte is hashed with less than 64 MB of memory.
  @Test func `hashing a gigabyte takes less than 64 MB of memory`() async {
    // Runs in a child process, because other tests use memory at the same time.
    await #expect(processExitsWith: .success) {
      let chunk = [UInt8](repeating: 0, count: 1 << 20)
      let before = Self.peakBytes()
      var stream = DigestStream()
      for _ in 0..<1024 { stream.update(chunk) }
      // The digest of 2^30 zero bytes, according to `head -c 1G /dev/zero | sha256sum`.
      guard
        stream.finish().hex == "49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14"
      else { exit(2) }
      guard Self.peakBytes() - before < 64 << 20 else { exit(3) }
    }
  }

  private static func peakBytes() -> Int {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return Int(usage.ru_maxrss) << 10
  }

  @Test func `a digest round-trips through its hex string and its bytes`() throws {
    let digest = Digest(of: "abc")
    #expect(Digest(hex: digest.hex) == digest)
    #expect(Digest(hex: digest.hex[...]) == digest)
    #expect(Digest(bytes: digest.bytes) == digest)
    #expect("\(digest)" == digest.hex)
    #expect(digest.bytes.count == 32 && digest.bytes[0] == 0xba && digest.bytes[31] == 0xad)
  }

  @Test(arguments: [
    "", "abc", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
    String(repeating: "A", count: 64), String(repeating: "g", count: 64),
    String(repeating: "0", count: 63) + "/", String(repeating: "\u{e9}", count: 32),
  ])
  func `a hex digest has exactly 64 lower-case digits`(text: String) {
    #expect(Digest(hex: text) == nil)
  }

  @Test func `a digest is exactly 32 bytes long`() {
    #expect(Digest(bytes: [UInt8](repeating: 0, count: 31)) == nil)
    #expect(Digest(bytes: [UInt8](repeating: 0, count: 33)) == nil)
  }

  @Test func `digests sort in the same order as their hex strings`() {
    let digests = (0..<200).map { Digest(of: "\($0)") }
    #expect(digests.sorted().map(\.hex) == digests.map(\.hex).sorted())
  }
}
