import Bytes
package import Plan
package import Recipes

/// `renders`: the image that a render key stands for, or why the bytes give none.
package enum RenderRecord {
  /// A new form of a record is a new number; one that nobody knows is as good as no record.
  private enum Tag {
    // 0 and 2 were images with less to tell.
    static let rejection: UInt8 = 1
    static let image: UInt8 = 3
  }

  package static func bytes(of render: Result<Render, Rejection>) -> [UInt8] {
    var writer = ByteWriter()
    switch render {
    case .success(let render):
      writer.write(Tag.image)
      writer.write(render.asset.digest)
      writer.write(render.asset.width)
      writer.write(render.asset.height)
      writer.write(render.asset.bytes)
      // Eight bytes of length: what older builds have rendered stays readable.
      writer.write(UInt64(render.metadata.bytes.count))
      writer.write(raw: render.metadata.bytes)
    case .failure(let rejection):
      writer.write(Tag.rejection)
      writer.write(rejection)
    }
    return writer.bytes
  }

  package static func render(of bytes: [UInt8]) -> Result<Render, Rejection>? {
    ByteReader.all(of: bytes) { reader throws(ByteReader.Malformed) in
      switch try reader.read(UInt8.self) {
      case Tag.image:
        let asset = Asset(
          digest: try reader.readDigest(), width: try reader.read(Int32.self),
          height: try reader.read(Int32.self), bytes: try reader.read(Int64.self))
        let count = Int(clamping: try reader.read(UInt64.self))
        return RenderMetadata(try reader.read(count: count)).map {
          .success(Render(asset, metadata: $0))
        }
      case Tag.rejection: return .failure(try reader.readRejection())
      default: return nil
      }
    }
  }
}
