import Dispatch
import Files
import Foundation
package import Recipes

package struct WorkerLimits: Hashable, Sendable {
  /// A worker's address space in bytes, of which libraries use 170 MB.
  ///
  /// A 49-megapixel PNG needs 390 MB, or twice that when greyscale is converted to colour.
  package var addressSpace = 2 << 30
  package var processorSeconds = 10
  /// The seconds from sending a request to receiving the complete answer.
  package var wallSeconds = 15.0
  /// The seconds from the program's start to its hello message, including loading the coders.
  package var startSeconds = 30.0
  /// The largest request, in bytes: a source and its recipes.
  package var requestBytes = 72 << 20
  package var answerBytes = 256 << 20
  /// The maximum number of jobs per worker, which limits leaks and compromises.
  package var jobs = 500
  /// A worker is replaced if its resident memory exceeds this after a job; 70 MB is typical.
  package var residentBytes = 128 << 20

  package init() {}

  static let idleBytes = 64 << 20

  package static let standard = WorkerLimits()

  /// The memory for all workers: half of the allowed memory, up to 2 GiB.
  package static func memory() -> Int { min(Memory.allowed() / 2, 2 << 30) }

  /// The largest setup message in bytes, mostly for fonts.
  package static let setupBytes = 96 << 20
  /// The maximum total size of the resources.
  ///
  /// The last MiB of a setup message is reserved for the limits and up to 10,000 resource names.
  package static let suppliesBytes = setupBytes - (1 << 20)

  /// The size limit for an answer, based on the uncompressed pixels of the recipes.
  package static func answerBytes(for recipes: [Recipe], atMost limit: Int) -> Int {
    let bytes = recipes.reduce(0.0) { sum, recipe in
      let pixels = Double(recipe.size.width) * Double(recipe.size.height)
      // The second term covers PNG's chunks and stored blocks; the third covers the head.
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
  /// Held while waiting, so that small jobs do not starve a large one.
  private let turn = DispatchSemaphore(value: 1)

  init(_ total: Int) {
    self.total = total
    free = Locked(total)
  }

  /// Waits until `bytes` are free and reserves them.
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
    // Measured: libaom needs 9 times the size of the pixels.
    let written = recipes.filter { $0.encoding.format == .avif }.map(\.size.rasterBytes).max() ?? 0
    return WorkerLimits.idleBytes + payload.count * 3 + decodedBytes + drawn * 6 + written * 9
  }

  private var decodedBytes: Int {
    switch source {
    case .encoded(let inspection, let reduction): inspection.decodingBytes(reduction: reduction)
    case .raster(let size): size.rasterBytes * 4
    case .collage(let collage): collage.size.rasterBytes * 4
    case .color, .generated: 0
    }
  }
}

extension Inspection {
  // Measured: 8 bytes per pixel, and 8 more while greyscale or a palette is converted.
  fileprivate func decodingBytes(reduction: Int) -> Int {
    let bytes = size.rasterBytes
    return switch format {
    // Progressive decoding keeps all coefficients. Files above the pixel limit have only one scan.
    case .jpeg:
      (bytes / 4 > InspectionLimits.standard.pixels ? 0 : bytes * 2)
        + decodedSize(reduction: reduction).rasterBytes * 4
    case .png: bytes * 5
    case .gif, .webp: bytes * 4
    // Measured: 9 bytes per pixel with 8 bits and alpha; 10 and 12 bits need twice as much.
    case .avif, .heic: bytes * 5
    // Filters keep several surfaces of this size. An SVG that exceeds this is retried alone.
    case .svg: 64 << 20 + decodedSize(reduction: reduction).rasterBytes * 8
    }
  }
}
