/// A PNG taken apart by the letter of its standard: a second opinion on libpng and on our writers.
///
/// Eight bits a channel or a palette, not interlaced: what we write. Anything else throws.
package struct PNGReader: Hashable, Sendable {
  package struct Unreadable: Error, CustomStringConvertible {
    package let description: String
  }

  package let width: Int
  package let height: Int
  /// Red, green, blue and straight alpha, row by row.
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
      throw Unreadable(description: "cut short, interlaced or with something behind its end")
    }
    width = Self.number(header[0..<4])
    height = Self.number(header[4..<8])
    let (depth, type) = (Int(header[8]), Int(header[9]))
    guard let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][type], type == 3 || depth == 8 else {
      throw Unreadable(description: "type \(type) of \(depth) bits")
    }
    let rows = try Self.unfiltered(
      Inflate.bytes(of: stream), rowBytes: (width * channels * depth + 7) / 8, height: height,
      distance: channels)
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

  /// A part of the picture, as bytes like `pixels`.
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
    _ raw: [UInt8], rowBytes: Int, height: Int, distance: Int
  ) throws(Unreadable) -> [[UInt8]] {
    guard raw.count == (rowBytes + 1) * height else {
      throw Unreadable(description: "\(raw.count) bytes for \(height) rows of \(rowBytes)")
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
        default: throw Unreadable(description: "a filter of no number")
        }
        row[x] = row[x] &+ UInt8(guess)
      }
      rows.append(row)
      above = row
    }
    return rows
  }
}

/// Undoes a zlib stream, one bit after the other.
private struct Inflate {
  private let bytes: [UInt8]
  private var place: Int
  private var out: [UInt8] = []

  static func bytes(of stream: [UInt8]) throws(PNGReader.Unreadable) -> [UInt8] {
    var inflate = Inflate(bytes: stream, place: 16)
    try inflate.run()
    var check = 0
    for byte in stream.suffix(4) { check = check << 8 | Int(byte) }
    guard check == Zlib.adler32(inflate.out) else {
      throw PNGReader.Unreadable(description: "the data's checksum is wrong")
    }
    return inflate.out
  }

  private init(bytes: [UInt8], place: Int) {
    self.bytes = bytes
    self.place = place
  }

  private mutating func bits(_ count: Int) throws(PNGReader.Unreadable) -> Int {
    var value = 0
    for bit in 0..<count {
      guard place >> 3 < bytes.count else {
        throw PNGReader.Unreadable(description: "the data end too early")
      }
      let next = Int(bytes[place >> 3]) >> (place & 7)
      value |= (next & 1) << bit
      place += 1
    }
    return value
  }

  private mutating func run() throws(PNGReader.Unreadable) {
    var isLast = false
    while !isLast {
      isLast = try bits(1) == 1
      switch try bits(2) {
      case 0: try store()
      case 1:
        var lengths = [Int](repeating: 8, count: 288)
        for symbol in 144..<256 { lengths[symbol] = 9 }
        for symbol in 256..<280 { lengths[symbol] = 7 }
        try expand(Code(lengths), Code([Int](repeating: 5, count: 30)))
      case 2:
        let (literals, distances) = try codes()
        try expand(literals, distances)
      default: throw PNGReader.Unreadable(description: "a block of no kind")
      }
    }
  }

  private mutating func store() throws(PNGReader.Unreadable) {
    place = (place + 7) / 8 * 8
    let count = try bits(16)
    guard try bits(16) == count ^ 0xFFFF, place / 8 + count <= bytes.count else {
      throw PNGReader.Unreadable(description: "a stored block is broken")
    }
    out += bytes[place / 8..<place / 8 + count]
    place += count * 8
  }

  private mutating func codes() throws(PNGReader.Unreadable) -> (Code, Code) {
    let literalCount = try bits(5) + 257
    let distanceCount = try bits(5) + 1
    let count = try bits(4) + 4
    var lengths = [Int](repeating: 0, count: 19)
    for place in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count) {
      lengths[place] = try bits(3)
    }
    let code = Code(lengths)
    var all: [Int] = []
    while all.count < literalCount + distanceCount {
      switch try symbol(code) {
      case 16: all += [Int](repeating: all.last ?? 0, count: 3 + (try bits(2)))
      case 17: all += [Int](repeating: 0, count: 3 + (try bits(3)))
      case 18: all += [Int](repeating: 0, count: 11 + (try bits(7)))
      case let length: all.append(length)
      }
    }
    return (Code(Array(all.prefix(literalCount))), Code(Array(all.dropFirst(literalCount))))
  }

  private mutating func expand(_ literals: Code, _ distances: Code) throws(PNGReader.Unreadable) {
    while true {
      let symbol = try symbol(literals)
      if symbol < 256 {
        out.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol < 286 else { throw PNGReader.Unreadable(description: "a length of no kind") }
      let length = Self.lengths[symbol - 257] + (try bits(Self.lengthBits[symbol - 257]))
      let far = try self.symbol(distances)
      guard far < 30 else { throw PNGReader.Unreadable(description: "a distance of no kind") }
      let distance = Self.distances[far] + (try bits(Self.distanceBits[far]))
      guard distance <= out.count else {
        throw PNGReader.Unreadable(description: "a distance before the beginning")
      }
      for _ in 0..<length { out.append(out[out.count - distance]) }
    }
  }

  private mutating func symbol(_ code: Code) throws(PNGReader.Unreadable) -> Int {
    var (value, first, index) = (0, 0, 0)
    for length in 1..<16 {
      value |= try bits(1)
      let count = code.counts[length]
      if value - count < first { return code.symbols[index + value - first] }
      index += count
      first = (first + count) << 1
      value <<= 1
    }
    throw PNGReader.Unreadable(description: "a code of no symbol")
  }

  /// Canonical codes: how many there are of each length, and whose they are.
  private struct Code {
    let counts: [Int]
    let symbols: [Int]

    init(_ lengths: [Int]) {
      counts = (0..<16).map { length in length == 0 ? 0 : lengths.count { $0 == length } }
      symbols = lengths.indices.filter { lengths[$0] > 0 }
        .sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
  }

  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let lengths = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let distanceBits: [Int] = (0..<30).map { max(0, $0 / 2 - 1) }
  private static let distances: [Int] = (0..<30).map { code in
    if code < 2 { return code + 1 }
    let lead = 2 + code % 2
    return (lead << (code / 2 - 1)) + 1
  }
}
