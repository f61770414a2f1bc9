/// A colour to paint with: sRGB, straight alpha, 0…1.
struct Tint: Hashable, Sendable {
  private var channels: SIMD4<Float>

  /// From `0xrrggbb`.
  init(_ hex: UInt32, alpha: Double = 1) {
    channels = SIMD4(
      Float((hex >> 16) & 255) / 255, Float((hex >> 8) & 255) / 255, Float(hex & 255) / 255,
      Float(alpha))
  }

  var premultiplied: SIMD4<Float> {
    var result = channels * channels.w
    result.w = channels.w
    return result
  }

  func withAlpha(_ alpha: Double) -> Tint {
    var copy = self
    copy.channels.w = Float(alpha)
    return copy
  }

  func mixed(with other: Tint, _ amount: Double) -> Tint {
    var copy = self
    copy.channels += (other.channels - channels) * Float(amount)
    return copy
  }

  func darker(_ amount: Double) -> Tint {
    mixed(with: Tint(0x1b1030, alpha: Double(channels.w)), amount)
  }

  func lighter(_ amount: Double) -> Tint {
    mixed(with: Tint(0xffffff, alpha: Double(channels.w)), amount)
  }

  /// `#rrggbb`.
  var hex: String {
    let digits = Array("0123456789abcdef")
    return [channels.x, channels.y, channels.z].reduce(into: "#") { text, channel in
      let byte = Int((channel * 255).rounded())
      text.append(digits[byte >> 4])
      text.append(digits[byte & 15])
    }
  }

  /// Perceived brightness, 0…1.
  var luma: Double {
    Double(channels.x) * 0.299 + Double(channels.y) * 0.587 + Double(channels.z) * 0.114
  }
}

/// What fills a shape.
enum Paint: Sendable {
  case flat(Tint)
  case linear(from: Point, Tint, to: Point, Tint)
  /// From the centre outwards.
  case radial(center: Point, radius: Double, Tint, Tint)
}
