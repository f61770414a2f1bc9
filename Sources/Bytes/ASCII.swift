extension UInt8 {
  @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }
  @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
  @inlinable package var isASCIILetterOrDigit: Bool { isASCIILetter || isASCIIDigit }
  @inlinable package var isHexDigit: Bool { hexDigitValue != nil }

  @inlinable package var isASCIIBlank: Bool { self == 0x20 || self == 0x09 }
  @inlinable package var isASCIISpace: Bool { isASCIIBlank || self == 0x0A || self == 0x0D }

  /// Whether the byte is a `tchar` in HTTP (RFC 9110, 5.6.2).
  package var isHTTPTokenByte: Bool {
    isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
  }

  @inlinable package var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  @inlinable package var hexDigitValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}

extension BidirectionalCollection<UInt8> {
  /// Whether the bytes are a JSON number; true for `0.5` and `1e3`, false for `.5` and `010`.
  package var isJSONNumber: Bool {
    var rest = self[...]
    func takeDigits() -> Int {
      let digits = rest.prefix(while: \.isASCIIDigit)
      rest = rest[digits.endIndex...]
      return digits.count
    }
    func take(_ bytes: String) -> Bool {
      guard let first = rest.first, bytes.utf8.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = take("-")
    let isZero = rest.first == UInt8(ascii: "0")
    let digits = takeDigits()
    guard digits > 0, !isZero || digits == 1 else { return false }
    if take("."), takeDigits() == 0 { return false }
    if take("eE") {
      _ = take("+-")
      if takeDigits() == 0 { return false }
    }
    return rest.isEmpty
  }
}

extension BidirectionalCollection {
  @inlinable package func trimmed(while isOuter: (Element) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isOuter($0) }),
      let last = lastIndex(where: { !isOuter($0) })
    else { return self[endIndex..<endIndex] }
    return self[first...last]
  }
}

extension RandomAccessCollection where Index == Int {
  package func chunks(of size: Int) -> [SubSequence] {
    stride(from: startIndex, to: endIndex, by: size).map {
      self[$0..<Swift.min($0 + size, endIndex)]
    }
  }
}

extension StringProtocol {
  package var trimmingBlanks: Substring {
    let text = Substring(self)
    let inner = text.utf8.trimmed(while: \.isASCIIBlank)
    return text[inner.startIndex..<inner.endIndex]
  }
}

extension String {
  /// The text without leading and trailing blanks; most strings are returned without a copy.
  package var trimmed: String {
    if utf8.first.map({ $0 > 0x20 }) ?? true, utf8.last.map({ $0 > 0x20 }) ?? true { return self }
    return String(trimmingBlanks)
  }

  package var isPlain: Bool { unicodeScalars.allSatisfy { !$0.breaksLines } }

  /// The text on one line, without control characters or zero-width spaces.
  package var plain: String {
    // Fast path: printable ASCII without leading, trailing or double spaces stays unchanged.
    var isSpace = true
    let isPlain = utf8.allSatisfy { byte in
      defer { isSpace = byte == 0x20 }
      return byte > 0x20 && byte < 0x7F || byte == 0x20 && !isSpace
    }
    if isPlain && !isSpace { return self }
    // Text copied from web pages may contain zero-width spaces.
    let invisible = "\u{200B}\u{2060}\u{FEFF}".unicodeScalars
    return unicodeScalars.filter { !invisible.contains($0) }
      .split { $0.breaksLines || $0 == " " }.map { String($0) }
      .joined(separator: " ")
  }
}

extension Unicode.Scalar {
  fileprivate var breaksLines: Bool {
    switch properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
