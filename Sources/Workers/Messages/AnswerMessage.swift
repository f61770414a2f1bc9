package import Bytes
package import Foundation
package import Imaging

/// The outcomes of a job as a head and the images' bytes.
package struct AnswerMessage {
  fileprivate enum Tag {
    static let image: UInt8 = 0
    static let rejection: UInt8 = 1
  }

  /// Bytes of a rejection's detail: a sentence has 200.
  private static let detailLimit = 4_096

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
        writer.write(counted: image.findings.bytes)
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

  /// Reads one outcome for each recipe, each byte of the payload used exactly once.
  ///
  /// A worker that a source has taken over can say what it likes: an image counts only if its bytes
  /// are one picture of the format and size that were asked for.
  package static func outcomes(
    head: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, recipes: [Recipe]
  ) throws(ByteReader.Malformed) -> [RenderOutcome] {
    var reader = ByteReader(head)
    var rest = payload
    var outcomes: [RenderOutcome] = []
    for recipe in recipes {
      switch try reader.read(UInt8.self) {
      case Tag.image:
        let size = PixelSize(
          width: Int(try reader.read(UInt32.self)), height: Int(try reader.read(UInt32.self)))
        let length = Int(clamping: try reader.read(UInt64.self))
        let findings = try reader.readFindings(of: recipe)
        guard size == recipe.size, length > 0, length <= rest.count else {
          throw ByteReader.Malformed()
        }
        // A copy of its own: a slice would keep the whole answer in memory for each image.
        let bytes = Data(rest.prefix(length))
        rest = rest.dropFirst(length)
        guard recipe.isSatisfied(by: bytes) else { throw ByteReader.Malformed() }
        outcomes.append(.image(RenderedImage(bytes: bytes, size: size, findings: findings)))
      case Tag.rejection:
        let reason = Reason(rawValue: try reader.readText())
        let detail = try reader.readText()
        guard Reason.ofWorkers.contains(reason), detail.utf8.count <= detailLimit, detail.isPlain
        else { throw ByteReader.Malformed() }
        outcomes.append(.rejected(Rejection(reason, detail)))
      default:
        throw ByteReader.Malformed()
      }
    }
    guard reader.isAtEnd, rest.isEmpty else { throw ByteReader.Malformed() }
    return outcomes
  }
}

extension Recipe {
  /// Whether the bytes are one picture of this format and size, as far as their structure tells.
  fileprivate func isSatisfied(by bytes: Data) -> Bool {
    guard let format = Inspection.Format(rawValue: encoding.format.rawValue) else { return false }
    // Not what a source may be, but what this image must be; its pieces are as many as they are.
    var limits = InspectionLimits()
    limits.bytes = .max
    limits.chunks = .max
    limits.side = max(size.width, size.height)
    limits.pixels = size.width * size.height
    let inspection = try? Inspection(inspecting: bytes, limits: limits)
    return inspection == Inspection(format: format, size: size)
  }
}

extension Reason {
  /// What a worker can find out about bytes that were inspected before.
  fileprivate static let ofWorkers: Set<Reason> = [
    .unsupportedFormat, .truncated, .corrupt, .tooManyPixels, .tooManyScans,
    .tooManyChunks, .decodeFailed, .renderFailed, .encodeFailed, .glyphMissing, .fontUnusable,
  ]
}

extension ByteWriter {
  fileprivate mutating func write(_ rejection: Rejection) {
    write(AnswerMessage.Tag.rejection)
    write(counted: rejection.reason.rawValue.utf8.prefix(256))
    // Cut between bytes, then made whole: what arrives must be valid UTF-8.
    let detail = String(decoding: rejection.detail.utf8.prefix(2_000), as: UTF8.self)
    // A decoder quotes what it finds in a file.
    write(counted: detail.plain.utf8)
  }
}
