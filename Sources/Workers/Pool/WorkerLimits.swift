import Files
package import Recipes

/// The limits of one worker, and of one of its jobs.
package struct WorkerLimits: Hashable, Sendable {
  /// Bytes of address space of one worker.
  ///
  /// 170 MB are libraries; a PNG of 49 megapixels takes 390 MB (8 bytes each), a grey one twice
  /// that while it becomes coloured, and a progressive JPEG of that size keeps 300 MB of its own
  /// beside the pixels. An AVIF or HEIC takes 5 to 12 bytes a pixel in all.
  package var addressSpace: Int
  /// Seconds of processor time for one job.
  package var processorSeconds: Int
  /// Seconds from sending a request until its answer is complete.
  package var wallSeconds: Double
  /// Seconds from the start of the program until it says hello, coders loaded.
  package var startSeconds: Double
  /// Bytes of a request: the largest source and its recipes.
  package var requestBytes: Int
  /// Bytes of an answer, whatever the images of its job are.
  package var answerBytes: Int
  /// Jobs after which a worker is replaced.
  ///
  /// A start takes 30 ms, so a fresh worker every 500 jobs costs 0.06 ms a job. It ends leaks, and an
  /// attacker who took a worker over loses it.
  package var jobs: Int
  /// Resident bytes between jobs above which a worker is replaced; 70 MB are usual.
  package var residentBytes: Int

  package init(
    addressSpace: Int = 2 << 30, processorSeconds: Int = 10, wallSeconds: Double = 15,
    startSeconds: Double = 30, requestBytes: Int = 72 << 20, answerBytes: Int = 256 << 20,
    jobs: Int = 500, residentBytes: Int = 128 << 20
  ) {
    self.addressSpace = addressSpace
    self.processorSeconds = processorSeconds
    self.wallSeconds = wallSeconds
    self.startSeconds = startSeconds
    self.requestBytes = requestBytes
    self.answerBytes = answerBytes
    self.jobs = jobs
    self.residentBytes = residentBytes
  }

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

  /// Seconds for a job of so many images: a long list is not a hang, so each may take a second.
  func wallSeconds(images: Int) -> Double { max(wallSeconds, Double(images)) }

  /// The same for processor time.
  func processorSeconds(images: Int) -> Int { max(processorSeconds, images) }
}
