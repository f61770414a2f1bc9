/// UTF-16 as spreadsheets write it, on its way to UTF-8; what is no character becomes U+FFFD.
struct UTF16Text {
  let isLittleEndian: Bool
  /// Half a unit, half a pair, or both.
  private var rest: [UInt8] = []

  init(isLittleEndian: Bool) { self.isLittleEndian = isLittleEndian }

  mutating func utf8(_ piece: [UInt8], isLast: Bool) -> [UInt8] {
    let bytes = rest + piece
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittleEndian ? second << 8 | first : first << 8 | second)
    }
    if !isLast, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    rest = Array(bytes[(units.count * 2)...])
    if isLast, !rest.isEmpty { units.append(0xFFFD) }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }
}
