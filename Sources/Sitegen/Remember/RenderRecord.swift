package import Imaging
import Store

/// `renders`: the image that a render key stands for, or why the bytes give none.
package enum RenderRecord {
  /// A new form of a record is a new number; one that nobody knows is as good as no record.
  private enum Tag {
    // 0 was an image without findings.
    static let rejection: UInt8 = 1
    static let image: UInt8 = 2
  }

  private enum Part {
    static let placeholder: UInt8 = 1
    static let focus: UInt8 = 2
    static let quality: UInt8 = 4
  }

  package static func bytes(of render: Result<Render, Rejection>) -> [UInt8] {
    var writer = RecordWriter()
    switch render {
    case .success(let render):
      writer.write(Tag.image)
      writer.write(render.asset.digest)
      writer.write(render.asset.width)
      writer.write(render.asset.height)
      writer.write(render.asset.bytes)
      write(render.findings, to: &writer)
    case .failure(let rejection):
      writer.write(Tag.rejection)
      writer.write(rejection)
    }
    return writer.bytes
  }

  package static func render(of bytes: [UInt8]) -> Result<Render, Rejection>? {
    var reader = RecordParser(bytes)
    switch reader.read(UInt8.self) {
    case Tag.image:
      guard let digest = reader.readDigest(), let width = reader.read(Int32.self),
        let height = reader.read(Int32.self), let size = reader.read(Int64.self),
        let findings = findings(&reader), reader.isAtEnd
      else { return nil }
      let asset = Asset(digest: digest, width: width, height: height, bytes: size)
      return .success(Render(asset, findings: findings))
    case Tag.rejection:
      guard let rejection = reader.readRejection(), reader.isAtEnd else { return nil }
      return .failure(rejection)
    default:
      return nil
    }
  }

  private static func write(_ findings: Findings, to writer: inout RecordWriter) {
    writer.write(
      (findings.placeholder == nil ? 0 : Part.placeholder)
        | (findings.focus == nil ? 0 : Part.focus)
        | (findings.quality == nil ? 0 : Part.quality))
    if let placeholder = findings.placeholder {
      writer.write(UInt8(clamping: placeholder.thumbHash.count))
      let color = placeholder.color
      for byte in placeholder.thumbHash + [color.red, color.green, color.blue] {
        writer.write(byte)
      }
    }
    if let found = findings.focus {
      writer.write(found.way.rawValue)
      writer.write(found.focus.x.bitPattern)
      writer.write(found.focus.y.bitPattern)
    }
    if let quality = findings.quality { writer.write(UInt8(clamping: quality)) }
  }

  private static func findings(_ reader: inout RecordParser) -> Findings? {
    let known = Part.placeholder | Part.focus | Part.quality
    guard let parts = reader.read(UInt8.self), parts & ~known == 0 else { return nil }
    var findings = Findings()
    if parts & Part.placeholder != 0 {
      guard let count = reader.read(UInt8.self) else { return nil }
      let bytes = (0..<Int(count) + 3).compactMap { _ in reader.read(UInt8.self) }
      guard bytes.count == Int(count) + 3 else { return nil }
      findings.placeholder = Placeholder(
        thumbHash: Array(bytes.dropLast(3)),
        color: Color(
          red: bytes[bytes.count - 3], green: bytes[bytes.count - 2], blue: bytes[bytes.count - 1]))
    }
    if parts & Part.focus != 0 {
      guard let way = reader.readText().flatMap(FoundFocus.Way.init),
        let x = reader.read(UInt64.self), let y = reader.read(UInt64.self)
      else { return nil }
      let focus = Focus(x: Double(bitPattern: x), y: Double(bitPattern: y))
      findings.focus = FoundFocus(focus: focus, way: way)
    }
    if parts & Part.quality != 0 {
      guard let quality = reader.read(UInt8.self) else { return nil }
      findings.quality = Int(quality)
    }
    return findings.isPossible ? findings : nil
  }
}
