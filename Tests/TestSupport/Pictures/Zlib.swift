import CZlib

/// zlib, which sitegen's writers do not use, and a hand-made stream.
package enum Zlib {
  package static func crc32(_ bytes: some Sequence<UInt8>) -> Int {
    let bytes = Array(bytes)
    return Int(unsafe CZlib.crc32(0, bytes, UInt32(bytes.count)))
  }

  private static func adler32(_ bytes: [UInt8]) -> Int {
    Int(unsafe CZlib.adler32(1, bytes, UInt32(bytes.count)))
  }

  /// Decompresses a stream of a known length.
  package static func inflated(_ stream: [UInt8], count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var length = UInt(count)
    let status = unsafe uncompress(&bytes, &length, stream, UInt(stream.count))
    return status == Z_OK && length == UInt(count) ? bytes : nil
  }

  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65_535)
      rest = rest.dropFirst(block.count)
      stream.append(rest.isEmpty ? 1 : 0)
      stream.appendLittle(block.count, width: 2)
      stream.appendLittle(~block.count, width: 2)
      stream += block
    } while !rest.isEmpty
    stream.appendBig(adler32(bytes), width: 4)
    return stream
  }

  /// Compresses zeros by a factor of 158, the limit for fixed codes: 100 MB become 630 KB.
  package static func zeros(_ count: Int) -> [UInt8] {
    var bits = BitWriter(bytes: [0x78, 0x01])
    bits.write(0b011, count: 3)
    var rest = count
    while rest > 0 {
      if rest < count, rest >= 258 {
        // Code 285 stands for 258 bytes, and distance code 0 for the previous byte.
        bits.write(0b1010_0011, count: 8)
        bits.write(0, count: 5)
        rest -= 258
      } else {
        // Codes start with their highest bit: literal 0 is 00110000.
        bits.write(0b0000_1100, count: 8)
        rest -= 1
      }
    }
    bits.write(0, count: 7)
    return bits.bytes + .big((count % 65_521) << 16 | 1, width: 4)
  }
}

/// Packs bits from the lowest up, as deflate, GIF and lossless WebP do.
struct BitWriter {
  private(set) var bytes: [UInt8]
  private var used = 8

  init(bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func write(_ value: Int, count: Int) {
    var value = value
    var count = count
    while count > 0 {
      if used == 8 {
        bytes.append(0)
        used = 0
      }
      let step = min(count, 8 - used)
      bytes[bytes.count - 1] |= UInt8(value & ((1 << step) - 1)) << used
      used += step
      value >>= step
      count -= step
    }
  }
}
