package import Foundation
import Imaging

/// The outcomes of a job as a head and the images' bytes.
package struct AnswerMessage {
  fileprivate enum Tag {
    static let image: UInt8 = 0
    static let rejection: UInt8 = 1
  }

  package let head: [UInt8]
  /// In the order of the outcomes.
  package let images: [Data]

  /// An image that no longer fits below `limit` becomes a rejection.
  package init(_ outcomes: [RenderOutcome], limit: Int) {
    var writer = ByteWriter()
    var images: [Data] = []
    // What the longest head of so many outcomes takes.
    var room = limit - outcomes.count * 4_096
    for outcome in outcomes {
      switch outcome {
      case .image(let image) where image.bytes.count <= room:
        room -= image.bytes.count
        images.append(image.bytes)
        writer.write(Tag.image)
        writer.write(UInt32(clamping: image.size.width))
        writer.write(UInt32(clamping: image.size.height))
        writer.write(UInt64(clamping: image.bytes.count))
      case .image(let image):
        let detail = "the image has \(image.bytes.count) bytes, more than its job may return"
        writer.write(Rejection(.renderFailed, detail))
      case .rejected(let rejection):
        writer.write(rejection)
      }
    }
    head = writer.bytes
    self.images = images
  }

  /// Reads `count` outcomes, each byte of the payload used exactly once.
  package static func outcomes(
    head: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, count: Int
  ) throws(ByteReader.Malformed) -> [RenderOutcome] {
    var reader = ByteReader(head)
    var rest = payload
    var outcomes: [RenderOutcome] = []
    for _ in 0..<count {
      switch try reader.read(UInt8.self) {
      case Tag.image:
        let width = Int(try reader.read(UInt32.self))
        let height = Int(try reader.read(UInt32.self))
        let length = Int(clamping: try reader.read(UInt64.self))
        guard width > 0, height > 0, length > 0, length <= rest.count else {
          throw ByteReader.Malformed()
        }
        // A copy of its own: a slice would keep the whole answer in memory for each image.
        let bytes = Data(rest.prefix(length))
        rest = rest.dropFirst(length)
        outcomes.append(
          .image(RenderedImage(bytes: bytes, size: PixelSize(width: width, height: height))))
      case Tag.rejection:
        let reason = Reason(rawValue: try reader.readText())
        outcomes.append(.rejected(Rejection(reason, try reader.readText())))
      default:
        throw ByteReader.Malformed()
      }
    }
    guard reader.isAtEnd, rest.isEmpty else { throw ByteReader.Malformed() }
    return outcomes
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ rejection: Rejection) {
    write(AnswerMessage.Tag.rejection)
    write(counted: rejection.reason.rawValue.utf8.prefix(256))
    // Cut between bytes, then made whole: what arrives must be valid UTF-8.
    let detail = String(decoding: rejection.detail.utf8.prefix(2_000), as: UTF8.self)
    write(counted: detail.utf8)
  }
}
