import Bytes

extension Color {
  /// Reads `#rgb #rgba #rrggbb #rrggbbaa rgb() rgba() gray()`, a CSS name or `transparent`.
  ///
  /// Strict: whatever is not fully valid is nil, and so are channels out of range, which CSS
  /// would clamp. Letters may be of either case; there is no room for space around the colour.
  package init?(parsing text: String) {
    // The longest sensible spelling is far below this: a long text is no colour.
    guard text.utf8.count <= 128 else { return nil }
    let bytes = text.utf8.map(\.asciiLowercased)
    if bytes.first == UInt8(ascii: "#") {
      self.init(hexDigits: bytes.dropFirst())
    } else if bytes.last == UInt8(ascii: ")") {
      self.init(function: bytes)
    } else {
      self.init(name: String(decoding: bytes, as: UTF8.self))
    }
  }

  /// For style sheets and people: `#rrggbb`, and the alpha only where it says something.
  package var css: String { isOpaque ? String(hex.prefix(7)) : hex }

  /// The one spelling that we store: `#rrggbbaa`, lower case.
  package var hex: String {
    "#" + Hex.text(of: [red, green, blue, alpha])
  }

  // MARK: Spellings

  private init?(name: String) {
    if name == "transparent" {
      self.init(red: 0, green: 0, blue: 0, alpha: 0)
      return
    }
    guard let value = Color.names[name] else { return nil }
    self.init(
      red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
      blue: UInt8(truncatingIfNeeded: value))
  }

  private init?(hexDigits: ArraySlice<UInt8>) {
    var values: [UInt8] = []
    for byte in hexDigits {
      guard let value = byte.hexDigitValue else { return nil }
      values.append(value)
    }
    let channels: [UInt8]
    switch values.count {
    case 3, 4: channels = values.map { $0 * 17 }
    case 6, 8:
      channels = stride(from: 0, to: values.count, by: 2).map { values[$0] * 16 + values[$0 + 1] }
    default: return nil
    }
    self.init(
      red: channels[0], green: channels[1], blue: channels[2],
      alpha: channels.count == 4 ? channels[3] : 255)
  }

  private init?(function bytes: [UInt8]) {
    guard let open = bytes.firstIndex(of: UInt8(ascii: "(")) else { return nil }
    let name = String(decoding: bytes[..<open], as: UTF8.self)
    guard let arguments = ColorArguments(bytes[(open + 1)..<(bytes.count - 1)]) else { return nil }
    let channels = arguments.channels.compactMap(\.channel)
    guard channels.count == arguments.channels.count else { return nil }
    var alpha: UInt8 = 255
    if let written = arguments.alpha {
      guard let value = written.alpha else { return nil }
      alpha = value
    }
    switch (name, channels.count) {
    case ("rgb", 3), ("rgba", 3):
      self.init(red: channels[0], green: channels[1], blue: channels[2], alpha: alpha)
    case ("gray", 1):
      self.init(red: channels[0], green: channels[0], blue: channels[0], alpha: alpha)
    default:
      return nil
    }
  }
}

/// What stands between the parentheses: one or three channels, and perhaps an alpha.
private struct ColorArguments {
  var channels: [ColorNumber] = []
  var alpha: ColorNumber?

  /// Commas everywhere (`1, 2, 3, 0.5`), or spaces and a slash (`1 2 3 / 50%`); never a mixture.
  init?(_ bytes: ArraySlice<UInt8>) {
    let commas = split(bytes, at: UInt8(ascii: ","))
    if commas.count > 1 {
      let numbers = commas.compactMap { ColorNumber($0.trimmed(while: \.isASCIISpace)) }
      guard numbers.count == commas.count else { return nil }
      let count = numbers.count > 2 ? 3 : 1
      guard numbers.count <= count + 1 else { return nil }
      channels = Array(numbers.prefix(count))
      alpha = numbers.count > count ? numbers[count] : nil
      // As in CSS: with commas the channels are all numbers or all percentages.
      guard Set(channels.map(\.isPercentage)).count == 1 else { return nil }
      return
    }
    let halves = split(bytes, at: UInt8(ascii: "/"))
    guard let first = halves.first, halves.count <= 2 else { return nil }
    let words = first.split(whereSeparator: \.isASCIISpace)
    channels = words.compactMap { ColorNumber($0) }
    guard !words.isEmpty, channels.count == words.count else { return nil }
    if halves.count == 2 {
      guard let number = ColorNumber(halves[1].trimmed(while: \.isASCIISpace)) else { return nil }
      alpha = number
    }
  }
}

/// A plain decimal, perhaps with a percent sign; no sign, no exponent.
private struct ColorNumber {
  var value: Double
  var isPercentage: Bool

  init?(_ bytes: ArraySlice<UInt8>) {
    isPercentage = bytes.last == UInt8(ascii: "%")
    let number = isPercentage ? bytes.dropLast() : bytes
    let parts = split(number, at: UInt8(ascii: "."))
    guard parts.count <= 2, let last = parts.last, !last.isEmpty,
      parts.joined().allSatisfy(\.isASCIIDigit),
      let value = Double("0" + String(decoding: number, as: UTF8.self))
    else { return nil }
    self.value = value
  }

  /// 0…255 or 0%…100%, rounded.
  var channel: UInt8? {
    let full: Double = isPercentage ? 100 : 255
    guard value <= full else { return nil }
    return UInt8((value * 255 / full).rounded())
  }

  /// 0…1 or 0%…100%, rounded.
  var alpha: UInt8? {
    let full: Double = isPercentage ? 100 : 1
    guard value <= full else { return nil }
    return UInt8((value * 255 / full).rounded())
  }
}

// MARK: Bytes

private func split(_ bytes: ArraySlice<UInt8>, at separator: UInt8) -> [ArraySlice<UInt8>] {
  bytes.split(separator: separator, omittingEmptySubsequences: false)
}
