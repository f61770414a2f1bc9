import Bytes
import Testing

struct ByteCodecTests {
  @Test func `a reader returns the values that were written`() throws {
    var writer = ByteWriter()
    writer.write(UInt8(7))
    writer.write(-2 as Int64)
    writer.write(UInt16(0x1234))
    writer.write(raw: [9, 8])
    writer.write(counted: [1, 2, 3])
    writer.write("Zoë")
    var reader = ByteReader(writer.bytes)
    #expect(try reader.read(UInt8.self) == 7)
    #expect(try reader.read(Int64.self) == -2)
    #expect(try reader.read(UInt16.self) == 0x1234)
    #expect(try reader.read(count: 2) == [9, 8])
    #expect(try reader.readCounted() == [1, 2, 3])
    #expect(try reader.readText() == "Zoë")
    #expect(reader.isAtEnd)
  }

  @Test func `integers are little-endian`() {
    var writer = ByteWriter()
    writer.write(0x0102_0304 as UInt32)
    #expect(writer.bytes == [4, 3, 2, 1])
  }

  @Test func `reading a slice starts at its first byte`() throws {
    var reader = ByteReader([1, 2, 3, 4][2...])
    #expect(try reader.read(UInt16.self) == 0x0403)
  }

  @Test func `truncated data is rejected`() {
    for bytes: [UInt8] in [[], [1], [3, 0, 0, 0, 1, 2], [255, 255, 255, 255]] {
      var reader = ByteReader(bytes)
      #expect(throws: ByteReader.Malformed.self) { try reader.readCounted() }
    }
    var reader = ByteReader([0, 0, 0])
    #expect(throws: ByteReader.Malformed.self) { try reader.read(Int32.self) }
  }

  @Test func `text that is not UTF-8 is rejected`() {
    var reader = ByteReader([1, 0, 0, 0, 0xFF])
    #expect(throws: ByteReader.Malformed.self) { try reader.readText() }
  }
}
