import Dispatch
import Files
import Foundation
package import Recipes

package struct WorkerLimits: Hashable, Sendable {
  /// A worker's address space in bytes; libraries use 170 MB, and a 49-megapixel PNG up to 780 MB.
  package var addressSpace = 2 << 30
  package var processorSeconds = 10
  /// The seconds from sending a request to receiving the complete answer.
  package var wallSeconds = 15.0
  /// The seconds from the program's start to its hello message, including loading the coders.
  package var startSeconds = 30.0
  package var requestBytes = 72 << 20
  package var answerBytes = 256 << 20
  /// The maximum number of jobs per worker, which limits the effects of leaks and compromises.
  package var jobs = 500
  /// The resident memory, in bytes, above which a worker is replaced after a job; 70 MB is typical.
  package var residentBytes = 128 << 20

  package init() {}

  static let idleBytes = 64 << 20

  package static let standard = WorkerLimits()

  package static let memoryLimit = 2 << 30
  package static func memory() -> Int { min(Memory.allowed() / 2, memoryLimit) }

  /// The maximum size of a setup message, in bytes; fonts take up most of it.
  package static let setupBytes = 96 << 20
  /// The maximum total size of the resources; one MiB of a setup message is reserved for the head.
  package static let suppliesBytes = setupBytes - (1 << 20)

  /// Returns the size limit for an answer, based on the uncompressed pixels of all images.
  package static func answerBytes(for recipes: [Recipe], atMost limit: Int) -> Int {
    let bytes = recipes.reduce(0.0) { sum, recipe in
      let pixels = Double(recipe.size.width) * Double(recipe.size.height)
      // `pixels / 16` is for PNG chunks and stored blocks, and the constant is for the head.
      return sum + pixels * 4 + pixels / 16 + 65_536
    }
    return Int(min(bytes, Double(limit)))
  }

  func wallSeconds(images: Int) -> Double { max(wallSeconds, Double(images)) }

  func processorSeconds(images: Int) -> Int { max(processorSeconds, images) }
}

final class MemoryBudget: Sendable {
  let total: Int
  private let free: Locked<Int>
  /// A lock held while a job waits, so that small jobs do not starve a large job.
  private let turn = DispatchSemaphore(value: 1)

  init(_ total: Int) {
    self.total = total
    free = Locked(total)
  }

  func take(_ bytes: Int, _ isOver: () -> Bool) throws(WorkerFailure) {
    guard bytes <= total else { throw .tooLarge(bytes: bytes, of: total) }
    while turn.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
      if isOver() { throw .cancelled }
    }
    defer { turn.signal() }
    while !takeNow(bytes) {
      if isOver() { throw .cancelled }
      usleep(2_000)
    }
  }

  func giveBack(_ bytes: Int) { free.withLock { $0 += bytes } }

  private func takeNow(_ bytes: Int) -> Bool {
    free.withLock { free in
      guard bytes <= free else { return false }
      free -= bytes
      return true
    }
  }
}

extension RenderRequest {
  var memoryNeed: Int {
    let drawn = recipes.map { $0.size.rasterBytes + $0.frame.base.rasterBytes }.max() ?? 0
    // Measured: libaom needs 9 times as much memory as the pixels.
    let written = recipes.filter { $0.encoding.format == .avif }.map(\.size.rasterBytes).max() ?? 0
    return WorkerLimits.idleBytes + payload.count * 3 + decodedBytes + drawn * 6 + written * 9
  }

  private var decodedBytes: Int {
    switch source {
    case .encoded(let inspection, let reduction):
      // A crop around a small face needs a second, larger decode.
      recipes.map { inspection.reduction(for: $0.frame.closest(in: inspection.uprightSize)) }
        .filter { $0 < reduction }.min().map {
          inspection.decodingBytes(reduction: $0)
            + inspection.decodedSize(reduction: reduction).rasterBytes * 4
        } ?? inspection.decodingBytes(reduction: reduction)
    case .raster(let size): size.rasterBytes * 4
    case .collage(let collage): collage.size.rasterBytes * 4
    case .color, .generated: 0
    }
  }
}

extension Inspection {
  // Measured: 8 bytes per pixel, plus 8 bytes while greyscale or a palette is converted.
  fileprivate func decodingBytes(reduction: Int) -> Int {
    let bytes = size.rasterBytes
    return switch format {
    // libjpeg keeps all coefficients of multi-scan files; files above the limit have one scan.
    case .jpeg:
      (bytes / 4 > InspectionLimits.standard.pixels ? 0 : bytes * 2)
        + decodedSize(reduction: reduction).rasterBytes * 4
    case .png: bytes * 5
    case .gif, .webp: bytes * 4
    // Measured: 9 bytes per pixel with 8 bits and alpha; 10 and 12 bits need twice as much.
    case .avif, .heic: bytes * 5
    // SVG filters keep several surfaces. An SVG that exceeds this estimate is retried alone.
    case .svg: 64 << 20 + decodedSize(reduction: reduction).rasterBytes * 8
    }
  }
}
