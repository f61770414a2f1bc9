import Bytes
import Plan
import Recipes

/// Cuts the stream of jobs into units where the sources themselves say, so that one person more
/// changes one unit or two, and not all that follow.
struct UnitCutter {
  /// Pixels of a unit: about a second of one core.
  private static let largest = 16 << 20
  private static let smallest = 1 << 10
  /// So that the units of a shard are of nearly the same size as those of another.
  private static let unitsOfShard = 4
  /// Pixels of a unit's sources, since who renders it has all their bytes in memory.
  private static let mostOfSources = 128 << 20

  /// What is gathered until the cut.
  private(set) var open: [RenderJob] = []
  private var pixels = 0
  private var sourcePixels = 0
  private let target: Int

  /// Large sites have units of one size, whatever their shards; small ones have enough for each.
  ///
  /// A power of two, so that a site that grows keeps its units until it has doubled.
  init(pixels: Int, shards: Int) {
    let wanted = pixels / (shards * Self.unitsOfShard)
    var target = Self.smallest
    while target < Self.largest, target * 2 <= wanted { target *= 2 }
    self.target = target
  }

  /// Takes the jobs of one source; returns those of a unit when it is whole.
  mutating func take(_ jobs: [RenderJob]) -> [RenderJob]? {
    guard let source = jobs.first?.source else { return nil }
    let weight = jobs.reduce(0) { sum, job in
      sum + job.recipes.reduce(0) { $0 + $1.size.width * $1.size.height }
    }
    open += jobs
    pixels += weight
    if let size = source.inspection?.size { sourcePixels += size.width * size.height }
    // Each pixel is as likely to be the last one.
    let chance = Double(source.digest.words.0 >> 11) / Double(1 << 53)
    let isCut = chance < Double(weight) / Double(target)
    guard
      pixels >= 2 * target || sourcePixels >= Self.mostOfSources || (pixels >= target / 4 && isCut)
    else { return nil }
    return finish()
  }

  /// The jobs of the last unit; nil if there are none.
  mutating func finish() -> [RenderJob]? {
    guard !open.isEmpty else { return nil }
    defer { (open, pixels, sourcePixels) = ([], 0, 0) }
    return open
  }
}
