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
    var writer = RecordWriter()
    switch render {
    case .success(let render):
      writer.write(Tag.image)
      writer.write(render.asset.digest)
      writer.write(render.asset.width)
      writer.write(render.asset.height)
      writer.write(render.asset.bytes)
      writer.write(blob: render.metadata.bytes)
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
        let metadata = reader.readBytes().flatMap({ RenderMetadata($0) }), reader.isAtEnd
      else { return nil }
      let asset = Asset(digest: digest, width: width, height: height, bytes: size)
      return .success(Render(asset, metadata: metadata))
    case Tag.rejection:
      guard let rejection = reader.readRejection(), reader.isAtEnd else { return nil }
      return .failure(rejection)
    default:
      return nil
    }
  }
}
