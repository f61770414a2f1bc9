/// A trained face detector: a row of stages, each of which turns away most of what is no face.
///
/// Such is the form of Viola and Jones, as OpenCV trains and stores it. A stage adds up the votes
/// of stumps; a stump compares the brightness of two or three rectangles.
struct Cascade: Sendable {
  /// A rectangle of the window: where its corners lie in the sums, from the window's first.
  struct Area: Sendable {
    var topLeft: Int32
    var topRight: Int32
    var bottomLeft: Int32
    var bottomRight: Int32
    var weight: Float

    init(x: Int, y: Int, width: Int, height: Int, weight: Float) {
      topLeft = Int32(y * BrightnessSums.stride + x)
      topRight = topLeft + Int32(width)
      bottomLeft = topLeft + Int32(height * BrightnessSums.stride)
      bottomRight = bottomLeft + Int32(width)
      self.weight = weight
    }

    @inline(__always)
    func sum(_ sums: Span<UInt32>, at origin: Int) -> UInt32 {
      sums[origin &+ Int(topLeft)] &- sums[origin &+ Int(topRight)]
        &- sums[origin &+ Int(bottomLeft)] &+ sums[origin &+ Int(bottomRight)]
    }
  }

  /// One comparison, and the votes for either outcome.
  struct Stump: Sendable {
    var first: Area
    var second: Area
    /// Of weight 0 when there are only two.
    var third: Area
    /// For a window of unit contrast.
    var threshold: Float
    var below: Float
    var above: Float
  }

  struct Stage: Sendable {
    var stumps: Range<Int>
    var threshold: Float
  }

  /// Sides of the window that was trained, in pixels.
  let width: Int
  let height: Int
  let stages: [Stage]
  let stumps: [Stump]

  /// How many stages a window passes; a face passes all.
  ///
  /// The contrast is the window's standard deviation times its pixels, both without the rim.
  @inline(__always)
  func passed(
    _ sums: Span<UInt32>, at origin: Int, contrast: Float, stages: Span<Stage>,
    stumps: Span<Stump>
  ) -> Int {
    for number in stages.indices {
      var votes: Float = 0
      for index in stages[number].stumps {
        let stump = stumps[index]
        var value = Float(stump.first.sum(sums, at: origin)) * stump.first.weight
        value += Float(stump.second.sum(sums, at: origin)) * stump.second.weight
        if stump.third.weight != 0 {
          value += Float(stump.third.sum(sums, at: origin)) * stump.third.weight
        }
        votes += value < stump.threshold * contrast ? stump.below : stump.above
      }
      if votes < stages[number].threshold { return number }
    }
    return stages.count
  }
}
