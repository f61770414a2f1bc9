package import Foundation

/// A finished file: its bytes and the size that its header states.
package struct RenderedImage: Hashable, Sendable {
  package var bytes: Data
  package var size: PixelSize
  package var metadata: RenderMetadata

  package init(bytes: Data, size: PixelSize, metadata: RenderMetadata = RenderMetadata()) {
    self.bytes = bytes
    self.size = size
    self.metadata = metadata
  }
}

/// What was found out while an image was made, and is worth telling beside it.
package struct RenderMetadata: Hashable, Sendable {
  /// Of the finished picture; only from images at the base's size.
  ///
  /// Those of a photo are its style's largest. What is drawn (a colour, initials, an identicon) has
  /// a base of its own at each scale, so each of them has a placeholder.
  package var placeholder: Placeholder?
  /// What a finder chose; only from images at the base's size.
  package var focus: FoundFocus?
  /// The quality that a limit of bytes led to.
  package var quality: Int?
  /// Whether the source has a colour profile that cannot be used; only from images at the base's
  /// size.
  package var ignoresProfile: Bool

  package init(
    placeholder: Placeholder? = nil, focus: FoundFocus? = nil, quality: Int? = nil,
    ignoresProfile: Bool = false
  ) {
    self.placeholder = placeholder
    self.focus = focus
    self.quality = quality
    self.ignoresProfile = ignoresProfile
  }

  /// Whether all of it can have been found, as must be asked of what comes from elsewhere.
  private var isPossible: Bool {
    if let hash = placeholder?.thumbHash,
      !(Placeholder.smallestThumbHash...Placeholder.largestThumbHash).contains(hash.count)
    {
      return false
    }
    // What is no number is in no range.
    if let point = focus?.focus, !(0...1).contains(point.x) || !(0...1).contains(point.y) {
      return false
    }
    return quality.map((1...100).contains) ?? true
  }
}

/// What a page can show until the picture has come.
package struct Placeholder: Hashable, Sendable {
  /// At most 25 bytes.
  package var thumbHash: [UInt8]
  /// The dominant colour of the picture, without rings, shadow and decorations; opaque.
  package var color: Color

  package static let smallestThumbHash = 5
  package static let largestThumbHash = 25

  package init(thumbHash: [UInt8], color: Color) {
    self.thumbHash = thumbHash
    self.color = color
  }
}

/// The point that a finder chose, and how.
package struct FoundFocus: Hashable, Sendable {
  package enum Way: String, Hashable, Sendable, CaseIterable {
    case face
    case smart
    /// Nothing was found: the frame's focus.
    case given
  }

  package var focus: Focus
  package var way: Way

  package init(focus: Focus, way: Way) {
    self.focus = focus
    self.way = way
  }
}

extension RenderMetadata {
  /// Which of them there are: the first byte.
  private enum Part {
    static let placeholder: UInt8 = 1
    static let focus: UInt8 = 2
    static let quality: UInt8 = 4
    static let ignoresProfile: UInt8 = 8
    static let all = placeholder | focus | quality | ignoresProfile
  }

  /// As they travel from a worker, and as they are remembered.
  package var bytes: [UInt8] {
    var parts = ignoresProfile ? Part.ignoresProfile : 0
    var bytes: [UInt8] = []
    if let placeholder {
      parts |= Part.placeholder
      let color = placeholder.color
      bytes.append(UInt8(clamping: placeholder.thumbHash.count))
      bytes += placeholder.thumbHash + [color.red, color.green, color.blue]
    }
    if let focus {
      parts |= Part.focus
      bytes.append(FoundFocus.Way.allCases.firstIndex(of: focus.way).map { UInt8($0) } ?? .max)
      for value in [focus.focus.x, focus.focus.y] {
        bytes += BigEndian.bytes(value.bitPattern >> 32) + BigEndian.bytes(value.bitPattern)
      }
    }
    if let quality {
      parts |= Part.quality
      bytes.append(UInt8(clamping: quality))
    }
    return [parts] + bytes
  }

  /// Nil unless every byte is used, and says what can have been found.
  package init?(_ bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    func take(_ count: Int) -> [UInt8]? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return Array(rest.prefix(count))
    }
    func number() -> Double? {
      take(8).map { Double(bitPattern: $0.reduce(0) { $0 << 8 | UInt64($1) }) }
    }
    guard let parts = take(1)?[0] else { return nil }
    guard parts & ~Part.all == 0 else { return nil }
    self.init(ignoresProfile: parts & Part.ignoresProfile != 0)
    if parts & Part.placeholder != 0 {
      guard let count = take(1)?[0], let hash = take(Int(count)), let color = take(3) else {
        return nil
      }
      placeholder = Placeholder(
        thumbHash: hash, color: Color(red: color[0], green: color[1], blue: color[2]))
    }
    if parts & Part.focus != 0 {
      guard let way = take(1).map({ Int($0[0]) }), let x = number(), let y = number(),
        FoundFocus.Way.allCases.indices.contains(way)
      else { return nil }
      focus = FoundFocus(focus: Focus(x: x, y: y), way: FoundFocus.Way.allCases[way])
    }
    if parts & Part.quality != 0 {
      guard let value = take(1)?[0] else { return nil }
      quality = Int(value)
    }
    guard rest.isEmpty, isPossible else { return nil }
  }
}
