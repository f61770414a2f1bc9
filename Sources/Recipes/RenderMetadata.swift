import Bytes
package import Foundation

package struct RenderedImage: Hashable, Sendable {
  package var bytes: Data
  package var metadata: RenderMetadata

  package init(bytes: Data, metadata: RenderMetadata = RenderMetadata()) {
    (self.bytes, self.metadata) = (bytes, metadata)
  }
}

/// The metadata of an image; most of it is collected only at the base size.
package struct RenderMetadata: Hashable, Sendable {
  /// Set at every scale for a generated picture, but only at the base size for a photo.
  package var placeholder: Placeholder?
  package var focus: FoundFocus?
  /// The quality that met the file size limit.
  package var quality: Int?
  package var ignoresProfile: Bool
  package var traits: PictureTraits?

  package init(
    placeholder: Placeholder? = nil, focus: FoundFocus? = nil, quality: Int? = nil,
    ignoresProfile: Bool = false, traits: PictureTraits? = nil
  ) {
    (self.placeholder, self.focus, self.quality) = (placeholder, focus, quality)
    (self.ignoresProfile, self.traits) = (ignoresProfile, traits)
  }

  /// Whether the values are in range; they come from another process or a file.
  private var isPossible: Bool {
    if let hash = placeholder?.thumbHash, !Placeholder.thumbHashSizes.contains(hash.count) {
      return false
    }
    // NaN is outside every range.
    let shares = focus.map { [$0.focus.x, $0.focus.y, ($0.zoom - 1) / 3] } ?? []
    if !shares.allSatisfy((0...1).contains) { return false }
    return quality.map((1...100).contains) ?? true
  }
}

/// A ThumbHash and a colour, displayed until the picture has loaded.
package struct Placeholder: Hashable, Sendable {
  package var thumbHash: [UInt8]
  /// The dominant colour, which is opaque and ignores rings, shadows and decorations.
  package var color: Color

  static let thumbHashSizes = 5...25

  package init(thumbHash: [UInt8], color: Color) {
    (self.thumbHash, self.color) = (thumbHash, color)
  }
}

package struct FoundFocus: Hashable, Sendable {
  package enum Method: String, Hashable, Sendable, CaseIterable {
    case face
    case smart
    /// The finder found nothing, so the frame's focus is used.
    case given
  }

  package var focus: Focus
  package var method: Method
  /// The zoom towards a small face; 1 if the crop is not zoomed.
  package var zoom: Double

  package init(focus: Focus, method: Method, zoom: Double = 1) {
    (self.focus, self.method, self.zoom) = (focus, method, zoom)
  }
}

extension RenderMetadata {
  private enum Part {
    static let placeholder: UInt8 = 1
    static let focus: UInt8 = 2
    static let quality: UInt8 = 4
    static let ignoresProfile: UInt8 = 8
    static let traits: UInt8 = 16
    static let zoom: UInt8 = 32
    static let all = placeholder | focus | quality | ignoresProfile | traits | zoom
  }

  package var bytes: [UInt8] {
    var parts = ignoresProfile ? Part.ignoresProfile : 0
    var writer = ByteWriter()
    if let placeholder {
      parts |= Part.placeholder
      let color = placeholder.color
      writer.write(UInt8(clamping: placeholder.thumbHash.count))
      writer.write(raw: placeholder.thumbHash + [color.red, color.green, color.blue])
    }
    if let focus {
      parts |= Part.focus
      writer.write(
        FoundFocus.Method.allCases.firstIndex(of: focus.method).map { UInt8($0) } ?? .max)
      if focus.zoom != 1 { parts |= Part.zoom }
      for value in [focus.focus.x, focus.focus.y] + (focus.zoom == 1 ? [] : [focus.zoom]) {
        writer.write(value.bitPattern.byteSwapped)
      }
    }
    if let quality {
      parts |= Part.quality
      writer.write(UInt8(clamping: quality))
    }
    if let traits {
      parts |= Part.traits
      writer.write(traits.rows)
      writer.write(traits.columns)
      let mean = traits.mean
      writer.write(raw: [mean.red, mean.green, mean.blue, traits.flags.rawValue])
    }
    return [parts] + writer.bytes
  }

  /// Decodes `bytes`; returns nil unless every byte is used and the values are in range.
  package init?(_ bytes: some Collection<UInt8>) {
    let read = ByteReader.all(of: Array(bytes)) { reader throws(ByteReader.Malformed) in
      try Self(&reader)
    }
    guard let read, read.isPossible else { return nil }
    self = read
  }

  private init(_ reader: inout ByteReader) throws(ByteReader.Malformed) {
    let parts = try reader.read(UInt8.self)
    guard parts & ~Part.all == 0 else { throw ByteReader.Malformed() }
    self.init(ignoresProfile: parts & Part.ignoresProfile != 0)
    if parts & Part.placeholder != 0 {
      let hash = Array(try reader.read(count: Int(try reader.read(UInt8.self))))
      let color = Array(try reader.read(count: 3))
      placeholder = Placeholder(
        thumbHash: hash, color: Color(red: color[0], green: color[1], blue: color[2]))
    }
    if parts & Part.focus != 0 {
      let method = Int(try reader.read(UInt8.self))
      guard FoundFocus.Method.allCases.indices.contains(method) else {
        throw ByteReader.Malformed()
      }
      // Unlike the other values, the focus and the zoom are big-endian.
      let x = Double(bitPattern: try reader.read(UInt64.self).byteSwapped)
      let y = Double(bitPattern: try reader.read(UInt64.self).byteSwapped)
      focus = FoundFocus(focus: Focus(x: x, y: y), method: FoundFocus.Method.allCases[method])
    }
    if parts & Part.zoom != 0 {
      let zoom = Double(bitPattern: try reader.read(UInt64.self).byteSwapped)
      focus?.zoom = zoom
    }
    if parts & Part.quality != 0 { quality = Int(try reader.read(UInt8.self)) }
    if parts & Part.traits != 0 {
      let (rows, columns) = (try reader.read(UInt64.self), try reader.read(UInt64.self))
      let rest = Array(try reader.read(count: 4))
      let flags = PictureTraits.Flags(rawValue: rest[3])
      guard flags.isSubset(of: .all) else { throw ByteReader.Malformed() }
      traits = PictureTraits(
        rows: rows, columns: columns, mean: Color(red: rest[0], green: rest[1], blue: rest[2]),
        flags: flags)
    }
  }
}
