import Dispatch
import Files
import Foundation
import Recipes

/// The bytes that all workers together may take: heavy jobs take turns.
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
  /// The most that decoding took of pictures of every kind: ImageMagick keeps 8 bytes a pixel, and 8
  /// more while a grey or a few colours become full colour.
  fileprivate func decodingBytes(reduction: Int) -> Int {
    let bytes = size.rasterBytes
    return switch format {
    // A progressive file keeps all its coefficients, whatever the reduction.
    case .jpeg: bytes * 2 + decodedSize(reduction: reduction).rasterBytes * 4
    case .png: bytes * 5
    case .gif, .webp: bytes * 4
    // Measured: 9 bytes a pixel with 8 bits and alpha; 10 and 12 bits take twice as many.
    case .avif, .heic: bytes * 5
    // A filter keeps some surfaces of that size, and a logo of 1 MB takes 20 MB. An SVG that takes
    // more is drawn again, alone.
    case .svg: 64 << 20 + decodedSize(reduction: reduction).rasterBytes * 8
    }
  }
}
