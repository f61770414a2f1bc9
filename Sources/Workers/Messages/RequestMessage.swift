import Bytes
import Foundation
import Recipes

/// Turns requests into heads.
///
/// Inspection and recipes go as JSON, so that a new member or effect of Imaging needs no line here.
/// That costs 0.1 ms for six recipes; nearly all jobs of a build have the same recipes as the
/// one before, so the text of the last ones is kept (and, on the other side, what it meant).
final class RequestWriter {
  private let encoder = JSONEncoder()
  private var lastRecipes: [Recipe] = []
  private var lastText = Data("[]".utf8)

  func head(of request: RenderRequest, limits: WorkerLimits) throws -> [UInt8] {
    if request.recipes != lastRecipes {
      lastText = try encoder.encode(request.recipes)
      lastRecipes = request.recipes
    }
    var writer = ByteWriter()
    let images = request.imageCount
    writer.write(UInt32(clamping: limits.processorSeconds(images: images)))
    writer.write(UInt32(clamping: Int(limits.wallSeconds(images: images).rounded(.up))))
    writer.write(counted: try encoder.encode(request.source))
    writer.write(counted: lastText)
    return writer.bytes
  }
}

/// Turns heads and payloads back into requests.
final class RequestReader {
  /// A request, and the time that it may take.
  struct Job {
    var request: RenderRequest
    var processorSeconds: Int
    var wallSeconds: Int
  }

  private let decoder = JSONDecoder()
  private var lastText: ArraySlice<UInt8> = []
  private var lastRecipes: [Recipe]?

  func job(head: ArraySlice<UInt8>, payload: Data) throws -> Job {
    var reader = ByteReader(head)
    let processorSeconds = Int(try reader.read(UInt32.self))
    let wallSeconds = Int(try reader.read(UInt32.self))
    let source = try decoder.decode(RenderSource.self, from: Data(try reader.readCounted()))
    let text = try reader.readCounted()
    let recipes: [Recipe]
    if let lastRecipes, text == lastText {
      recipes = lastRecipes
    } else {
      recipes = try decoder.decode([Recipe].self, from: Data(text))
      lastRecipes = recipes
      lastText = text
    }
    return Job(
      request: RenderRequest(source: source, payload: payload, recipes: recipes),
      processorSeconds: processorSeconds, wallSeconds: wallSeconds)
  }
}

/// What a worker learns before it starts ImageMagick, and what it gets to work with.
struct Setup {
  var addressSpace: Int
  var requestBytes: Int
  var answerBytes: Int
  /// Fonts, badges, a detector's data, by digest.
  var resources: [String: Data]

  init(_ limits: WorkerLimits, resources: [String: Data]) {
    addressSpace = limits.addressSpace
    requestBytes = limits.requestBytes
    answerBytes = limits.answerBytes
    self.resources = resources
  }

  init(head: ArraySlice<UInt8>, payload: Data) throws(ByteReader.Malformed) {
    var reader = ByteReader(head)
    addressSpace = Int(clamping: try reader.read(UInt64.self))
    requestBytes = Int(clamping: try reader.read(UInt64.self))
    answerBytes = Int(clamping: try reader.read(UInt64.self))
    resources = [:]
    var rest = payload
    while !reader.isAtEnd {
      let name = try reader.readText()
      let count = Int(clamping: try reader.read(UInt64.self))
      guard count <= rest.count else { throw ByteReader.Malformed() }
      resources[name] = rest.prefix(count)
      rest = rest.dropFirst(count)
    }
  }

  var head: [UInt8] {
    var writer = ByteWriter()
    writer.write(UInt64(clamping: addressSpace))
    writer.write(UInt64(clamping: requestBytes))
    writer.write(UInt64(clamping: answerBytes))
    for (name, bytes) in named {
      writer.write(name)
      writer.write(UInt64(clamping: bytes.count))
    }
    return writer.bytes
  }

  /// In the order of the head.
  var payload: [Data] { named.map(\.value) }

  private var named: [(key: String, value: Data)] { resources.sorted { $0.key < $1.key } }
}
