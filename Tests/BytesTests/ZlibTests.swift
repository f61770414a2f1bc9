import Bytes
import CZlib
import Testing

struct ZlibTests {
  private static let text = Array(String(repeating: "one picture a person, ", count: 200).utf8)

  @Test func framesAreTheirOwn() throws {
    let zlib = try Zlib.compressed(Self.text, as: .zlib)
    let gzip = try Zlib.compressed(Self.text, as: .gzip)
    // The highest level says so in its second byte.
    #expect(zlib.starts(with: [0x78, 0xDA]))
    #expect(gzip.starts(with: [0x1F, 0x8B, 8]))
    #expect(zlib.count < 100 && gzip.count < 120)
  }

  @Test(arguments: [Zlib.Frame.zlib, .gzip])
  func everyByteComesBack(_ frame: Zlib.Frame) throws {
    for bytes in [[], [0], Self.text] {
      #expect(inflated(try Zlib.compressed(bytes, as: frame), room: bytes.count + 1) == bytes)
    }
  }

  @Test func equalBytesGiveEqualStreams() throws {
    for bytes in [[], Self.text] {
      #expect(
        try Zlib.compressed(bytes, as: .zlib) == Zlib.compressed(bytes, as: .zlib))
    }
  }

  /// The check value of CRC-32, and that of an empty PNG chunk's type.
  @Test func checksumsAreThePublishedOnes() {
    #expect(Zlib.checksum(of: Array("123456789".utf8).span) == 0xCBF4_3926)
    #expect(Zlib.checksum(of: Array("IEND".utf8).span) == 0xAE42_6082)
    #expect(Zlib.checksum(of: [UInt8]().span) == 0)
  }

  @Test func tellsItsVersion() {
    #expect(Zlib.version.hasPrefix("1."))
  }
}

/// What zlib makes of a stream in either frame.
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
