import Foundation

/// A PNG that is assembled byte by byte, so that tests control every chunk.
struct PNGFile {
  var width: Int
  var height: Int
  var depth: UInt8
  /// The PNG colour type: 0 grey, 2 RGB, 3 palette, 4 grey and alpha, 6 RGBA.
  var colorType: UInt8
  /// One packed row of samples, which every row repeats.
  var row: [UInt8]
  /// Chunks between the header and the pixels.
  var chunks: [(name: String, data: [UInt8])] = []

  var data: Data {
    var raw: [UInt8] = []
    for _ in 0..<height { raw += [0] + row }
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    file += Self.chunk(
      "IHDR", Self.number(width) + Self.number(height) + [depth, colorType, 0, 0, 0])
    for chunk in chunks { file += Self.chunk(chunk.name, chunk.data) }
    file += Self.chunk("IDAT", Self.deflated(raw)) + Self.chunk("IEND", [])
    return Data(file)
  }

  /// Returns an uncompressed zlib stream.
  static func deflated(_ bytes: [UInt8]) -> [UInt8] {
    precondition(bytes.count < 65536, "one stored block holds no more")
    let count = UInt16(bytes.count)
    var result: [UInt8] = [0x78, 0x01, 1]
    for value in [count, ~count] { result += [UInt8(value & 255), UInt8(value >> 8)] }
    var (a, b) = (1, 0)
    for byte in bytes {
      a = (a + Int(byte)) % 65521
      b = (b + a) % 65521
    }
    return result + bytes + number(b << 16 | a)
  }

  static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + data
    var crc: UInt32 = ~0
    for byte in body {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return number(data.count) + body + number(Int(~crc))
  }

  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}

enum Anatomy {
  static func png(_ data: Data) -> [String] {
    let bytes = [UInt8](data)
    var names: [String] = []
    var at = 8
    while at + 8 <= bytes.count {
      names.append(String(decoding: bytes[at + 4..<at + 8], as: UTF8.self))
      at += 12 + bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return names
  }

  static func webp(_ data: Data) -> [String] {
    let bytes = [UInt8](data)
    var names: [String] = []
    var at = 12
    while at + 8 <= bytes.count {
      names.append(String(decoding: bytes[at..<at + 4], as: UTF8.self))
      let length = bytes[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      at += 8 + length + length & 1
    }
    return names
  }

  /// Returns the second byte of each marker up to the first scan.
  static func jpeg(_ data: Data) -> [UInt8] {
    let bytes = [UInt8](data)
    var markers: [UInt8] = []
    var at = 2
    while at + 4 <= bytes.count, bytes[at] == 0xFF {
      markers.append(bytes[at + 1])
      if bytes[at + 1] == 0xDA { break }
      at += 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
    }
    return markers
  }

  /// Inserts segments after the first marker of a JPEG.
  static func jpeg(_ data: Data, adding segments: [(marker: UInt8, payload: [UInt8])]) -> Data {
    var result = [UInt8](data.prefix(2))
    for segment in segments {
      let length = segment.payload.count + 2
      result += [0xFF, segment.marker, UInt8(length >> 8), UInt8(length & 255)] + segment.payload
    }
    return Data(result) + data.dropFirst(2)
  }
}
