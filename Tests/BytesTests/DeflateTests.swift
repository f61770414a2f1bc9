import Bytes
import CZlib
import Testing

/// Checks the output of libdeflate and of our own compressor with zlib.
struct DeflateTests {
  private static let text = Array(String(repeating: "one picture a person, ", count: 200).utf8)

  @Test func `text is compressed at the requested level`() throws {
    let zlib = try Deflate.compressed(Self.text, level: 9)
    // The second byte contains the compression level.
    #expect(zlib.starts(with: [0x78, 0xDA]))
    #expect(zlib.count < 100)
  }

  @Test func `compressed bytes survive a round trip`() throws {
    for bytes in [[], [0], Self.text] {
      for level in [1, 6, 9, 12] {
        let stream = try Deflate.compressed(bytes, level: level)
        #expect(inflated(stream, room: bytes.count + 1) == bytes)
      }
    }
  }

  @Test func `compression is deterministic`() throws {
    for bytes in [[], Self.text] {
      #expect(try Deflate.compressed(bytes, level: 9) == Deflate.compressed(bytes, level: 9))
    }
  }

  /// Includes the published CRC of an empty `IEND` chunk.
  @Test func `checksums match the published check values`() {
    #expect(Deflate.crc32(of: Array("123456789".utf8).span) == 0xCBF4_3926)
    #expect(Deflate.crc32(of: Array("IEND".utf8).span) == 0xAE42_6082)
    #expect(Deflate.crc32(of: [UInt8]().span) == 0)
    #expect(Deflate.adler32(of: Array("Wikipedia".utf8).span) == 0x11E6_0398)
    #expect(Deflate.adler32(of: [UInt8]().span) == 1)
  }

  @Test func `the version string names libdeflate and its version`() {
    let words = Deflate.version.split(separator: " ")
    #expect(words.count == 3)
    #expect(words[0] == "libdeflate" && words[1].hasPrefix("1."))
  }

  @Test func `the beginning of a stream can be decompressed`() throws {
    let stream = try Deflate.compressed(Self.text, level: 6)
    #expect(try Zlib.beginning(of: stream.span, count: 4) == Array("one ".utf8))
    #expect(try Zlib.beginning(of: stream.span.extracting(..<3), count: 4) == [])
  }
}

struct RunLengthDeflateTests {
  /// The lengths include all limits, and are tested one by one and in sequence.
  @Test func `runs of every length survive a round trip`() throws {
    var bytes: [UInt8] = []
    for length in Array(1...300) + [515, 516, 517, 1_000] {
      bytes += [UInt8](repeating: UInt8(length % 5), count: length)
      #expect(roundTrip([UInt8](repeating: 7, count: length)))
      #expect(roundTrip([1] + [UInt8](repeating: 0, count: length) + [2]))
    }
    #expect(roundTrip(bytes))
  }

  /// A block is 32,768 bytes long, and the last one may be a quarter longer.
  @Test(arguments: [0, 1, 2, 3, 8, 9, 32_767, 32_768, 32_769, 40_959, 40_960, 40_961, 100_000])
  func `inputs of every size survive a round trip`(count: Int) {
    var state: UInt32 = 9
    let noise = (0..<count).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(state >> 24)
    }
    #expect(roundTrip(noise))
    #expect(roundTrip(noise.map { $0 & 3 }))
    #expect(roundTrip(noise.map { $0 < 250 ? 0 : $0 }))
    #expect(roundTrip([UInt8](repeating: 255, count: count)))
  }

  /// Fibonacci frequencies make the deepest Huffman tree: 22 bits for 23 symbols.
  @Test func `Huffman codes stay within the length limit`() {
    var bytes: [UInt8] = []
    var (count, next) = (1, 1)
    for symbol in 0..<23 where bytes.count + count < 40_000 {
      // Alternates with a frequent byte, so that no runs occur.
      for _ in 0..<count { bytes += [UInt8(symbol + 1), 0] }
      (count, next) = (next, count + next)
    }
    #expect(bytes.count > 32_768)
    #expect(roundTrip(bytes))
  }

  @Test func `repeated bytes compress well`() {
    #expect(RunLengthDeflate.compressed([UInt8](repeating: 0, count: 100_000)).count < 200)
  }

  private func roundTrip(_ bytes: [UInt8]) -> Bool {
    inflated(RunLengthDeflate.compressed(bytes), room: bytes.count + 1) == bytes
  }
}

private func inflated(_ bytes: [UInt8], room: Int) -> [UInt8]? {
  var stream = unsafe z_stream()
  var input = bytes
  var isDone = false
  guard
    unsafe inflateInit2_(&stream, 15 + 32, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
      == Z_OK
  else { return nil }
  defer { _ = unsafe inflateEnd(&stream) }
  let output = unsafe input.withUnsafeMutableBufferPointer { source in
    unsafe [UInt8](unsafeUninitializedCapacity: room) { target, used in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = uInt(source.count)
      unsafe stream.next_out = target.baseAddress
      unsafe stream.avail_out = uInt(room)
      isDone = unsafe inflate(&stream, Z_FINISH) == Z_STREAM_END
      used = unsafe room - Int(stream.avail_out)
    }
  }
  return isDone ? output : nil
}
