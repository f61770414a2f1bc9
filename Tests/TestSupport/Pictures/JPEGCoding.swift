/// JPEG coding: cosine transform, quantization and Huffman codes.
struct JPEGCoding {
  /// The quantizers in zigzag order, as in the file.
  let quantizers: [Int]

  init(quality: Int) {
    let scale = quality < 50 ? 5_000 / quality : 200 - 2 * quality
    quantizers = Self.zigzag.map { min(max((Self.luminance[$0] * scale + 50) / 100, 1), 255) }
  }

  /// Returns the quantized blocks of a plane; the last row and column are repeated as padding.
  func blocks(of plane: [Double], width: Int, height: Int) -> [[Int]] {
    var blocks: [[Int]] = []
    for top in stride(from: 0, to: height, by: 8) {
      for left in stride(from: 0, to: width, by: 8) {
        let samples = (0..<64).map { place in
          plane[min(top + place / 8, height - 1) * width + min(left + place % 8, width - 1)] - 128
        }
        let rows = Self.transformedRows(samples)
        let coefficients = Self.transformedRows(rows)
        blocks.append(
          (0..<64).map { Int((coefficients[Self.zigzag[$0]] / Double(quantizers[$0])).rounded()) })
      }
    }
    return blocks
  }

  /// Returns the coded scan; channels are interleaved block by block.
  func scan(_ channels: [[[Int]]], parts: ClosedRange<Int>, restartInterval: Int?) -> [UInt8] {
    var bits = EntropyWriter()
    var averages = [Int](repeating: 0, count: channels.count)
    for block in channels[0].indices {
      if let restartInterval, block > 0, block % restartInterval == 0 {
        bits.writeRestart(block / restartInterval - 1)
        averages = [Int](repeating: 0, count: channels.count)
      }
      for channel in channels.indices {
        let values = channels[channel][block]
        if parts.lowerBound == 0 {
          bits.write(values[0] - averages[channel], run: 0, codes: Self.averageCodes)
          averages[channel] = values[0]
        }
        guard parts.upperBound > 0 else { continue }
        var run = 0
        for index in 1...63 {
          guard values[index] != 0 else {
            run += 1
            continue
          }
          while run > 15 {
            bits.write(Self.detailCodes[0xF0])
            run -= 16
          }
          bits.write(values[index], run: run, codes: Self.detailCodes)
          run = 0
        }
        if run > 0 { bits.write(Self.detailCodes[0x00]) }
      }
    }
    return bits.finished()
  }

  /// Transforms and transposes each row, so that two calls compute the full transform.
  private static func transformedRows(_ samples: [Double]) -> [Double] {
    var result = [Double](repeating: 0, count: 64)
    for row in 0..<8 {
      for frequency in 0..<8 {
        var sum = 0.0
        for x in 0..<8 { sum += samples[row * 8 + x] * cosines[frequency * 8 + x] }
        result[frequency * 8 + row] = sum
      }
    }
    return result
  }

  private static let cosines: [Double] = (0..<64).map { place in
    let (frequency, x) = (place / 8, place % 8)
    let scale = frequency == 0 ? 0.5.squareRoot() / 2 : 0.5
    return scale * cos(Double((2 * x + 1) * frequency) * .pi / 16)
  }

  /// The index in the block for each index in the file.
  private static let zigzag: [Int] = (0..<64).sorted { first, second in
    func key(_ place: Int) -> (Int, Int) {
      let (row, column) = (place / 8, place % 8)
      return (row + column, (row + column) % 2 == 0 ? column : row)
    }
    return key(first) < key(second)
  }

  private static let luminance = [
    16, 11, 10, 16, 24, 40, 51, 61, 12, 12, 14, 19, 26, 58, 60, 55, 14, 13, 16, 24, 40, 57, 69, 56,
    14, 17, 22, 29, 51, 87, 80, 62, 18, 22, 37, 56, 68, 109, 103, 77, 24, 35, 55, 64, 81, 104, 113,
    92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98, 112, 100, 103, 99,
  ]

  /// A table as in a DHT segment: the number of codes of each length, then the symbols.
  static let averageTable: [UInt8] = [0, 0, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + (0..<12)

  /// A table in which the end of a block has a code of 2 bits, and the 161 others have 9 bits.
  static let detailTable: [UInt8] =
    [0, 1, 0, 0, 0, 0, 0, 0, 161, 0, 0, 0, 0, 0, 0, 0, 0x00, 0xF0]
    + (0..<16).flatMap { run in (1...10).map { UInt8(run << 4 | $0) } }

  private static let averageCodes = codes(of: averageTable)
  private static let detailCodes = codes(of: detailTable)

  struct Code {
    var value = 0
    var length = 0
  }

  private static func codes(of table: [UInt8]) -> [Code] {
    var codes = [Code](repeating: Code(), count: 256)
    var value = 0
    var place = 16
    for length in 1...16 {
      for _ in 0..<Int(table[length - 1]) {
        codes[Int(table[place])] = Code(value: value, length: length)
        value += 1
        place += 1
      }
      value <<= 1
    }
    return codes
  }
}

/// Packs bits from the highest down and writes a zero after each 0xFF.
private struct EntropyWriter {
  private var bytes: [UInt8] = []
  private var pending = 0
  private var count = 0

  mutating func write(_ code: JPEGCoding.Code) { write(code.value, count: code.length) }

  /// Writes a coded bit count, followed by the bits of the value.
  mutating func write(_ value: Int, run: Int, codes: [JPEGCoding.Code]) {
    let width = Int.bitWidth - abs(value).leadingZeroBitCount
    write(codes[run << 4 | width])
    write(value < 0 ? value + (1 << width) - 1 : value, count: width)
  }

  mutating func writeRestart(_ number: Int) {
    pad()
    bytes += [0xFF, 0xD0 + UInt8(number % 8)]
  }

  mutating func finished() -> [UInt8] {
    pad()
    return bytes
  }

  private mutating func write(_ value: Int, count width: Int) {
    pending = pending << width | value
    count += width
    while count >= 8 {
      let byte = UInt8(truncatingIfNeeded: pending >> (count - 8))
      bytes.append(byte)
      if byte == 0xFF { bytes.append(0) }
      count -= 8
    }
    pending &= (1 << count) - 1
  }

  private mutating func pad() { if count > 0 { write((1 << (8 - count)) - 1, count: 8 - count) } }
}
