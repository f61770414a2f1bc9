/// An independent PNG decoder, to check libpng and sitegen's writers.
///
/// It reads only the PNGs that sitegen writes: 8 bits per channel or a palette, not interlaced.
package struct PNGReader: Hashable, Sendable {
  package struct Unreadable: Error, CustomStringConvertible {
    package let description: String
  }

  package let width: Int
  package let height: Int
  /// RGBA with straight alpha, row by row.
  package let pixels: [UInt8]

  package init(_ file: Data) throws(Unreadable) {
    let bytes = [UInt8](file)
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
      throw Unreadable(description: "no signature")
    }
    var header: [UInt8] = []
    var palette: [UInt8] = []
    var alphas: [UInt8] = []
    var stream: [UInt8] = []
    var isWhole = false
    var at = 8
    while at + 12 <= bytes.count, !isWhole {
      let count = Self.number(bytes[at..<at + 4])
      guard at + 12 + count <= bytes.count else { break }
      let payload = bytes[at + 8..<at + 8 + count]
      let end = at + 8 + count
      guard Zlib.crc32(bytes[at + 4..<end]) == Self.number(bytes[end..<end + 4]) else {
        throw Unreadable(description: "a checksum is wrong")
      }
      switch String(decoding: bytes[at + 4..<at + 8], as: UTF8.self) {
      case "IHDR": header = Array(payload)
      case "PLTE": palette = Array(payload)
      case "tRNS": alphas = Array(payload)
      case "IDAT": stream += payload
      case "IEND": isWhole = true
      default: break
      }
      at += 12 + count
    }
    guard isWhole, at == bytes.count, header.count == 13, header[12] == 0 else {
      throw Unreadable(description: "truncated, interlaced or followed by other data")
    }
    width = Self.number(header[0..<4])
    height = Self.number(header[4..<8])
    let (depth, type) = (Int(header[8]), Int(header[9]))
    guard let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][type], type == 3 || depth == 8 else {
      throw Unreadable(description: "colour type \(type) with \(depth) bits")
    }
    let rows = try Self.unfiltered(
      stream, rowBytes: (width * channels * depth + 7) / 8, height: height, distance: channels)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height * 4)
    for row in rows {
      for x in 0..<width {
        let samples = row.dropFirst(x * channels).prefix(channels)
        switch type {
        case 0: pixels += [row[x], row[x], row[x], 255]
        case 2:
          pixels += samples
          pixels.append(255)
        case 4: pixels += [row[x * 2], row[x * 2], row[x * 2], row[x * 2 + 1]]
        case 6: pixels += samples
        default:
          let bit = x * depth
          let mask = (1 << depth) - 1
          let index = (Int(row[bit / 8]) >> (8 - depth - bit % 8)) & mask
          guard index * 3 + 3 <= palette.count else {
            throw Unreadable(description: "a colour outside the palette")
          }
          pixels += palette[index * 3..<index * 3 + 3]
          pixels.append(index < alphas.count ? alphas[index] : 255)
        }
      }
    }
    self.pixels = pixels
  }

  package func crop(x: Int, y: Int, width: Int, height: Int) -> [UInt8] {
    var part: [UInt8] = []
    for row in y..<y + height {
      let start = (row * self.width + x) * 4
      part += pixels[start..<start + width * 4]
    }
    return part
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
    var number = 0
    for byte in bytes { number = number << 8 | Int(byte) }
    return number
  }

  private static func unfiltered(
    _ stream: [UInt8], rowBytes: Int, height: Int, distance: Int
  ) throws(Unreadable) -> [[UInt8]] {
    guard let raw = Zlib.inflated(stream, count: (rowBytes + 1) * height) else {
      throw Unreadable(description: "the data is not \(height) rows of \(rowBytes) bytes")
    }
    var rows: [[UInt8]] = []
    var above = [UInt8](repeating: 0, count: rowBytes)
    for y in 0..<height {
      let start = y * (rowBytes + 1)
      var row = Array(raw[start + 1..<start + 1 + rowBytes])
      for x in 0..<rowBytes {
        let left = x >= distance ? Int(row[x - distance]) : 0
        let up = Int(above[x])
        let corner = x >= distance ? Int(above[x - distance]) : 0
        let guess: Int
        switch raw[start] {
        case 0: guess = 0
        case 1: guess = left
        case 2: guess = up
        case 3: guess = (left + up) / 2
        case 4:
          let paeth = left + up - corner
          let (a, b, c) = (abs(paeth - left), abs(paeth - up), abs(paeth - corner))
          guess = a <= b && a <= c ? left : b <= c ? up : corner
        default: throw Unreadable(description: "an unknown filter")
        }
        row[x] = row[x] &+ UInt8(guess)
      }
      rows.append(row)
      above = row
    }
    return rows
  }
}
