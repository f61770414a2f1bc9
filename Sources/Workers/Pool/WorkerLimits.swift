import Dispatch
import Files
import Foundation
package import Recipes

package struct WorkerLimits: Hashable, Sendable {
  /// Bytes of address space of one worker: 170 MB are libraries, and a PNG of 49 megapixels takes 390 MB,
  /// or twice that while grey becomes colour.
  package var addressSpace = 2 << 30
  /// Seconds of processor time for one job.
  package var processorSeconds = 10
  /// Seconds from sending a request until its answer is complete.
  package var wallSeconds = 15.0
  /// Seconds from the start of the program until it says hello, coders loaded.
  package var startSeconds = 30.0
  /// Bytes of a request: the largest source and its recipes.
  package var requestBytes = 72 << 20
  /// Bytes of an answer, whatever the images of its job are.
  package var answerBytes = 256 << 20
  /// Jobs after which a worker is replaced: that ends leaks, and an attacker who took it over loses it.
  package var jobs = 500
  /// Resident bytes between jobs above which a worker is replaced; 70 MB are usual.
  package var residentBytes = 128 << 20

  package init() {}

  /// Bytes that a worker keeps between jobs, and those of a small one.
  static let idleBytes = 64 << 20

  package static let standard = WorkerLimits()

  /// Bytes for all workers of a build together: half of what the machine lets us take, 2 GiB at most.
  package static func memory() -> Int { min(Memory.allowed() / 2, 2 << 30) }

  /// Bytes of what a worker starts with: fonts are the largest of it.
  package static let setupBytes = 96 << 20
  /// Bytes of all resources; the rest is for limits and for the names of 10,000 resources.
  package static let suppliesBytes = setupBytes - (1 << 20)

  /// Bytes of an answer to these recipes: what their pixels take when nothing can be compressed.
  package static func answerBytes(for recipes: [Recipe], atMost limit: Int) -> Int {
    let bytes = recipes.reduce(0.0) { sum, recipe in
      let pixels = Double(recipe.size.width) * Double(recipe.size.height)
      // PNG's chunks and stored blocks add less than the second part; the third is for the head.
      return sum + pixels * 4 + pixels / 16 + 65_536
    }
    return Int(min(bytes, Double(limit)))
  }

  /// Seconds for a job of so many images, since each may take a second.
  func wallSeconds(images: Int) -> Double { max(wallSeconds, Double(images)) }

  /// The same for processor time.
  func processorSeconds(images: Int) -> Int { max(processorSeconds, images) }
}

/// The memory of all workers together: heavy jobs take turns.
final class MemoryBudget: Sendable {
  let total: Int
  private let free: Locked<Int>
  /// Held while waiting, so that light jobs do not starve a heavy one.
  private let turn = DispatchSemaphore(value: 1)

  init(_ total: Int) {
    self.total = total
    free = Locked(total)
  }

  /// Waits until `bytes` are free, and takes them.
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
  /// Bytes that a worker may take while it does this job, judged by the header alone.
  var memoryNeed: Int {
    let drawn = recipes.map { $0.size.rasterBytes + $0.frame.base.rasterBytes }.max() ?? 0
    // Measured: libaom takes 9 times the pixels.
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
  /// Measured: ImageMagick keeps 8 bytes a pixel, and 8 more while grey or a palette becomes full colour.
  fileprivate func decodingBytes(reduction: Int) -> Int {
    let bytes = size.rasterBytes
    return switch format {
    // A file of several scans keeps all its coefficients, whatever the reduction; a larger one has one.
    case .jpeg:
      (bytes / 4 > InspectionLimits.standard.pixels ? 0 : bytes * 2)
        + decodedSize(reduction: reduction).rasterBytes * 4
    case .png: bytes * 5
    case .gif, .webp: bytes * 4
    // Measured: 9 bytes a pixel with 8 bits and alpha; 10 and 12 bits take twice as many.
    case .avif, .heic: bytes * 5
    // A filter keeps some surfaces of that size. An SVG that takes more is drawn again, alone.
    case .svg: 64 << 20 + decodedSize(reduction: reduction).rasterBytes * 8
    }
  }
}
