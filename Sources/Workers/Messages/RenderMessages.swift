package import Bytes
package import Foundation
package import Recipes

/// A job for a worker: one source at one decode scale, and all images to render from it.
package struct RenderRequest: Sendable {
  package var source: RenderSource
  package var payload: Data
  package var recipes: [Recipe]

  package init(source: RenderSource, payload: Data = Data(), recipes: [Recipe]) {
    self.source = source
    self.payload = payload
    self.recipes = recipes
  }

  var draws: Bool {
    if case .encoded(let inspection, _) = source { inspection.format == .svg } else { false }
  }

  /// The number of images and collage cells, for time limits; cells in a large collage count less.
  var imageCount: Int {
    guard case .collage(let collage) = source else { return recipes.count }
    return recipes.count + min(collage.cells.count, 100 + collage.cells.count / 10)
  }
}

/// A writer that encodes requests as JSON, and caches values that consecutive jobs usually share.
final class RequestWriter {
  private let encoder = JSONEncoder()
  private var sources: [RenderSource: Data] = [:]
  private var lastRecipes: [Recipe] = []
  private var lastText = Data("[]".utf8)

  func head(of request: RenderRequest) throws -> [UInt8] {
    if request.recipes != lastRecipes {
      lastText = try encoder.encode(request.recipes)
      lastRecipes = request.recipes
    }
    let source = try sources[request.source] ?? encoder.encode(request.source)
    if sources.count >= RequestReader.sourceLimit { sources = [:] }
    // Cache only short sources, because collages are long and rarely repeated.
    if source.count <= RequestReader.sourceBytes { sources[request.source] = source }
    var writer = ByteWriter()
    writer.write(counted: source)
    writer.write(counted: lastText)
    return writer.bytes
  }
}

package final class RequestReader {
  static let (sourceLimit, sourceBytes) = (256, 1_024)

  private let decoder = JSONDecoder()
  private var sources: [[UInt8]: RenderSource] = [:]
  private var lastText: ArraySlice<UInt8> = []
  private var lastRecipes: [Recipe]?

  package init() {}

  package func request(head: ArraySlice<UInt8>, payload: Data) throws -> RenderRequest {
    var reader = ByteReader(head)
    let key = [UInt8](try reader.readCounted())
    let source = try sources[key] ?? decoder.decode(RenderSource.self, from: Data(key))
    if sources.count >= Self.sourceLimit { sources = [:] }
    if key.count <= Self.sourceBytes { sources[key] = source }
    let text = try reader.readCounted()
    let recipes: [Recipe]
    if let lastRecipes, text == lastText {
      recipes = lastRecipes
    } else {
      recipes = try decoder.decode([Recipe].self, from: Data(text))
      lastRecipes = recipes
      lastText = text
    }
    return RenderRequest(source: source, payload: payload, recipes: recipes)
  }
}

/// A worker's limits and resources, sent before the worker starts ImageMagick.
package struct Setup {
  package var addressSpace: Int
  package var requestBytes: Int
  package var answerBytes: Int
  /// Whether the worker draws SVG files, which requires additional libraries.
  package var draws: Bool
  /// Fonts, badges and face detection data, keyed by digest.
  package var resources: [String: Data]

  init(_ limits: WorkerLimits, draws: Bool, resources: [String: Data]) {
    addressSpace = limits.addressSpace
    requestBytes = limits.requestBytes
    answerBytes = limits.answerBytes
    self.draws = draws
    self.resources = resources
  }

  private struct Head: Codable {
    var addressSpace, requestBytes, answerBytes: Int
    var draws: Bool
    /// The size of each resource, keyed by digest; the payload contains the resources in key order.
    var resources: [String: Int]
  }

  package init(head: ArraySlice<UInt8>, payload: Data) throws {
    let head = try JSONDecoder().decode(Head.self, from: Data(head))
    (addressSpace, requestBytes) = (head.addressSpace, head.requestBytes)
    (answerBytes, draws, resources) = (head.answerBytes, head.draws, [:])
    var rest = payload
    for (name, count) in head.resources.sorted(by: { $0.key < $1.key }) {
      guard (0...rest.count).contains(count) else { throw ByteReader.Malformed() }
      resources[name] = rest.prefix(count)
      rest = rest.dropFirst(count)
    }
  }

  var head: [UInt8] {
    let head = Head(
      addressSpace: addressSpace, requestBytes: requestBytes, answerBytes: answerBytes,
      draws: draws, resources: resources.mapValues(\.count))
    return (try? JSONEncoder().encode(head)).map { [UInt8]($0) } ?? []
  }

  var payload: [Data] { resources.sorted { $0.key < $1.key }.map(\.value) }
}

/// The outcomes of a job, encoded as a head and the bytes of the images.
package struct AnswerMessage {
  fileprivate enum Tag {
    static let image: UInt8 = 0
    static let rejection: UInt8 = 1
  }

  /// The maximum length of a rejection's detail in bytes; 200 is typical.
  private static let detailLimit = 4_096

  package let head: [UInt8]
  package let images: [Data]

  /// Creates a message in which images that exceed the total `limit` are replaced with rejections.
  package init(_ outcomes: [Result<RenderedImage, Rejection>], limit: Int) {
    var writer = ByteWriter()
    var images: [Data] = []
    // Each outcome adds fewer than 4,096 bytes to the head.
    var room = limit - outcomes.count * 4_096
    for outcome in outcomes {
      switch outcome {
      case .success(let image) where image.bytes.count <= room:
        room -= image.bytes.count
        images.append(image.bytes)
        writer.write(Tag.image)
        writer.write(UInt64(clamping: image.bytes.count))
        writer.write(counted: image.metadata.bytes)
      case .success(let image):
        let detail = "the image is \(image.bytes.count) bytes, more than the job may return"
        writer.write(Rejection(.renderFailed, detail))
      case .failure(let rejection):
        writer.write(rejection)
      }
    }
    head = writer.bytes
    self.images = images
  }

  /// Decodes one outcome per recipe; a worker may be compromised, so each image is checked.
  package static func outcomes(
    head: ArraySlice<UInt8>, payload: ArraySlice<UInt8>, recipes: [Recipe]
  ) throws(ByteReader.Malformed) -> [Result<RenderedImage, Rejection>] {
    var reader = ByteReader(head)
    var rest = payload
    var outcomes: [Result<RenderedImage, Rejection>] = []
    for recipe in recipes {
      switch try reader.read(UInt8.self) {
      case Tag.image:
        let length = Int(clamping: try reader.read(UInt64.self))
        let metadata = try reader.readCounted()
        // Copy the bytes: a slice would keep the whole answer in memory.
        guard length > 0, length <= rest.count,
          let image = recipe.image(Data(rest.prefix(length)), metadata: metadata)
        else { throw ByteReader.Malformed() }
        rest = rest.dropFirst(length)
        outcomes.append(.success(image))
      case Tag.rejection:
        let reason = Reason(rawValue: try reader.readText())
        let detail = try reader.readText()
        guard Reason.ofWorkers.contains(reason), detail.utf8.count <= detailLimit, detail.isPlain
        else { throw ByteReader.Malformed() }
        outcomes.append(.failure(Rejection(reason, detail)))
      default:
        throw ByteReader.Malformed()
      }
    }
    guard reader.isAtEnd, rest.isEmpty else { throw ByteReader.Malformed() }
    return outcomes
  }
}

extension Recipe {
  /// Returns nil if the bytes or the metadata do not match the recipe.
  package func image(_ bytes: Data, metadata: some Collection<UInt8>) -> RenderedImage? {
    let isLargest = frame.box == frame.base
    guard let metadata = RenderMetadata(metadata), isSatisfied(by: bytes),
      metadata.placeholder == nil || isLargest,
      !metadata.ignoresProfile || isLargest, metadata.traits == nil || isLargest,
      metadata.focus == nil || (isLargest && frame.finder != nil),
      metadata.quality == nil || (encoding.limit != nil && encoding.quality != nil)
    else { return nil }
    return RenderedImage(bytes: bytes, metadata: metadata)
  }

  /// Returns whether the bytes have the structure of one picture in this format and size.
  private func isSatisfied(by bytes: Data) -> Bool {
    guard let format = Inspection.Format(rawValue: encoding.format.rawValue) else { return false }
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
  /// The reasons that a worker may report for a source that the build has inspected.
  fileprivate static let ofWorkers: Set<Reason> = [
    .unsupportedFormat, .truncated, .corrupt, .tooManyPixels, .tooManyScans,
    .tooManyChunks, .decodeFailed, .renderFailed, .encodeFailed, .glyphMissing, .fontUnusable,
  ]
}

extension ByteWriter {
  fileprivate mutating func write(_ rejection: Rejection) {
    write(AnswerMessage.Tag.rejection)
    write(counted: rejection.reason.rawValue.utf8.prefix(256))
    // The text may quote untrusted bytes, and the prefix may end inside a character.
    let detail = String(decoding: rejection.detail.utf8.prefix(2_000), as: UTF8.self)
    write(detail.plain)
  }
}
