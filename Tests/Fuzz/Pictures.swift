import Foundation

@testable import Imaging
@testable import Recipes
@testable import Workers

extension FuzzTarget {
  /// Removing metadata keeps a valid picture valid, and removing it twice changes nothing more.
  static let headers = FuzzTarget { bytes in
    let file = Data(bytes)
    guard let inspection = try? Inspection(inspecting: file) else { return }
    demand(
      (1...8).contains(inspection.orientation) && inspection.frames >= 1
        && inspection.size.width >= 1 && inspection.size.height >= 1, "\(inspection)")
    let bare: Data
    do {
      bare = try inspection.sanitized(file)
    } catch {
      fatalError("was inspected, cannot be cut: \(error)")
    }
    demand(bare.count <= file.count + 64, "grew from \(file.count) to \(bare.count) bytes")
    do {
      let again = try Inspection(inspecting: bare)
      demand(again.format == inspection.format, "\(again.format) of \(inspection.format)")
      demand(again.size == inspection.size, "\(again.size) of \(inspection.size)")
      demand(try again.sanitized(bare) == bare, "has more to leave out")
    } catch {
      fatalError("the bare picture was rejected: \(error)")
    }
  }

  /// Every step of rendering: the picture is inspected, decoded, drawn, and encoded in each format.
  static let pictures = FuzzTarget { bytes in
    let file = Data(bytes)
    demand(isDrawing, "the decoders do not start")
    guard let inspection = try? Inspection(inspecting: file),
      inspection.format == .svg || inspection.size.rasterBytes <= 1 << 18
    else { return }
    let box = PixelSize(width: 24, height: 16)
    let frame = Frame(base: box, box: box, fit: .fill)
    let source = RenderSource.encoded(inspection, reduction: inspection.reduction(for: frame))
    guard var picture = try? Picture(source, file) else { return }
    for format in OutputFormat.allCases {
      let recipe = Recipe(
        frame: frame, outline: .circle(in: box), effects: format.hasAlpha ? [] : [.matte(.white)],
        encoding: Encoding(format: format, quality: format.defaultQuality))
      guard let image = try? picture.rendered(recipe) else { continue }
      let written = try? Inspection(inspecting: image.bytes)
      demand(written?.size == box && written?.isCut == false, "\(format) is no picture")
    }
  }

  private static let isDrawing: Bool = {
    ImagingRuntime.allowDecoding()
    return (try? ImagingRuntime.start(draws: true)) != nil
  }()

  static let profiles = FuzzTarget(
    run: { bytes in
      guard let profile = ICCProfile(bytes), let matrix = profile.matrix else { return }
      demand(
        matrix.curves.count == 3 && matrix.curves.joined().allSatisfy(\.isFinite),
        "a curve without numbers")
    },
    seeds: { [SRGB.profile] })

  private static let recipes = [64, 8, 1].map { side in
    let size = PixelSize(width: side, height: side)
    return Recipe(
      frame: Frame(base: size, box: size, fit: .fill), outline: .circle(in: size), effects: [],
      encoding: Encoding(format: side == 8 ? .webp : .png, quality: side == 8 ? 80 : nil))
  }

  private static let pixel = Data(
    base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNgYGBgAAAABQAB"
      + "pfZFQAAAAABJRU5ErkJggg==")

  /// An answer from a compromised worker: any bytes, in pieces of any size.
  static let workerAnswers = FuzzTarget(
    run: { bytes in
      let size = Int(bytes.last ?? 0) % 64 + 1
      var message = IncomingMessage(limit: 1 << 16)
      for start in stride(from: 0, to: bytes.count, by: size) {
        var piece = bytes[start..<min(start + size, bytes.count)]
        guard (try? message.take(&piece)) != nil, piece.isEmpty else { return }
      }
      guard message.isWhole else { return }
      let outcomes = try? AnswerMessage.outcomes(
        head: message.head, payload: message.payload, recipes: recipes)
      guard let outcomes else { return }
      let answer = AnswerMessage(outcomes, limit: 1 << 20)
      let again = try? AnswerMessage.outcomes(
        head: answer.head[...], payload: Array(answer.images.joined())[...], recipes: recipes)
      demand(again == outcomes, "an answer does not survive its own journey")
    },
    seeds: {
      let images = recipes.map { recipe -> Result<RenderedImage, Rejection> in
        guard recipe.size.width == 1, let pixel else {
          return .failure(Rejection(.truncated, "the file ends at byte 7"))
        }
        return .success(RenderedImage(bytes: pixel))
      }
      let answer = AnswerMessage(images, limit: 1 << 20)
      let payload = Array(answer.images.joined())
      let header = MessageHeader(.answer, headCount: answer.head.count, payloadCount: payload.count)
      return [header.bytes + answer.head + payload + [63]]
    })

  /// The input of a worker, which only the build can write, but which must never cause a crash.
  static let workerRequests = FuzzTarget(
    run: { bytes in
      let middle = bytes.count / 2
      _ = try? Setup(head: bytes[..<middle], payload: Data(bytes[middle...]))
      _ = try? RequestReader().request(head: bytes[...], payload: Data())
    },
    seeds: {
      let request = RenderRequest(
        source: .encoded(
          Inspection(format: .png, size: PixelSize(width: 1, height: 1)), reduction: 1),
        payload: Data(), recipes: recipes)
      let setup = Setup(WorkerLimits(), draws: true, resources: ["a": Data([1, 2, 3])])
      return [(try? RequestWriter().head(of: request)) ?? [], setup.head + setup.payload.joined()]
    })
}
