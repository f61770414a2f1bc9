package import Foundation

/// A Viola–Jones face detector; each of its stages rejects most of the windows that reach it.
package struct Cascade: Sendable {
  /// A rectangle, stored as the offsets of its corners in an integral image.
  package struct Area: Sendable {
    package var topLeft: Int32
    package var topRight: Int32
    package var bottomLeft: Int32
    package var bottomRight: Int32
    package var weight: Float

    package init(x: Int, y: Int, width: Int, height: Int, weight: Float) {
      topLeft = Int32(y * Cascade.rowStride + x)
      topRight = topLeft + Int32(width)
      bottomLeft = topLeft + Int32(height * Cascade.rowStride)
      bottomRight = bottomLeft + Int32(width)
      self.weight = weight
    }

    @inlinable @inline(__always)
    package func sum(_ sums: Span<UInt32>, at origin: Int) -> UInt32 {
      sums[origin &+ Int(topLeft)] &- sums[origin &+ Int(topRight)]
        &- sums[origin &+ Int(bottomLeft)] &+ sums[origin &+ Int(bottomRight)]
    }
  }

  /// A Haar feature, its threshold, and its votes for values below and above the threshold.
  package struct Stump: Sendable {
    package var first: Area
    package var second: Area
    /// The third rectangle; its weight is 0 if the feature has only two rectangles.
    package var third: Area
    /// The threshold for a window with a contrast of 1.
    package var threshold: Float
    package var below: Float
    package var above: Float
  }

  package struct Stage: Sendable {
    package var stumps: Range<Int>
    package var threshold: Float
  }

  package static let rowStride = 257

  package let width: Int
  package let height: Int
  package let stages: [Stage]
  package let stumps: [Stump]

  /// Returns the number of stages that a window passes; a face passes all of them.
  ///
  /// `contrast` is the standard deviation times the pixel count; both exclude the window's border.
  @inlinable @inline(__always)
  package func passed(
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

extension Cascade {
  private enum Limit {
    static let bytes = 4 << 20
    static let parts = 20_000
    static let window = 8...64
  }

  /// Parses OpenCV's XML format; supports only cascades of upright Haar features and stumps.
  package init?(reading file: Data) {
    guard file.count <= Limit.bytes else { return nil }
    var scanner = MarkupScanner([UInt8](file))
    var sides: [String: Int] = [:]
    var stages: [Stage] = []
    var comparisons: [(feature: Int, threshold: Float)] = []
    var votes: [(below: Float, above: Float)] = []
    var features: [[Area]] = []
    var isInRectangles = false
    while let tag = scanner.nextTag() {
      guard comparisons.count <= Limit.parts, features.count <= Limit.parts else { return nil }
      switch tag {
      case "width", "height":
        // Reject a second size, because earlier rectangles were checked against the first one.
        guard let side = scanner.numbers(1).first.flatMap({ Int(exactly: $0) }),
          Limit.window.contains(side), sides[tag] == nil
        else { return nil }
        sides[tag] = side
      case "stageThreshold":
        guard let threshold = scanner.numbers(1).first else { return nil }
        // OpenCV also subtracts 1e-5, to tolerate rounding errors.
        let start = comparisons.count
        stages.append(Stage(stumps: start..<start, threshold: Float(threshold) - 1e-5))
      case "internalNodes":
        let node = scanner.numbers(5)
        // In a stump, both branches lead to a leaf.
        guard node.count == 4, node[0] == 0, node[1] == -1, !stages.isEmpty,
          let feature = Int(exactly: node[2]), feature >= 0
        else { return nil }
        comparisons.append((feature, Float(node[3])))
        let start = stages[stages.count - 1].stumps.lowerBound
        stages[stages.count - 1].stumps = start..<comparisons.count
      case "leafValues":
        let leaves = scanner.numbers(3)
        guard leaves.count == 2 else { return nil }
        votes.append((Float(leaves[0]), Float(leaves[1])))
      case "rects":
        isInRectangles = true
        features.append([])
      case "/rects": isInRectangles = false
      case "_" where isInRectangles:
        guard let width = sides["width"], let height = sides["height"],
          let area = Area(scanner.numbers(6), inside: width, height)
        else { return nil }
        features[features.count - 1].append(area)
      case "tilted":
        guard scanner.numbers(1) == [0] else { return nil }
      default: break
      }
    }
    guard let width = sides["width"], let height = sides["height"], !stages.isEmpty,
      stages.allSatisfy({ !$0.stumps.isEmpty }), comparisons.count == votes.count,
      features.allSatisfy({ (2...3).contains($0.count) }),
      comparisons.allSatisfy({ $0.feature < features.count })
    else { return nil }
    self.width = width
    self.height = height
    self.stages = stages
    stumps = zip(comparisons, votes).map { comparison, votes in
      let areas = features[comparison.feature]
      let none = Area(x: 0, y: 0, width: 0, height: 0, weight: 0)
      return Stump(
        first: areas[0], second: areas[1], third: areas.count > 2 ? areas[2] : none,
        threshold: comparison.threshold, below: votes.below, above: votes.above)
    }
  }
}

extension Cascade.Area {
  fileprivate init?(_ numbers: [Double], inside width: Int, _ height: Int) {
    let whole = numbers.compactMap { Int(exactly: $0) }
    guard numbers.count == 5, whole.count == 5, whole[0] >= 0, whole[1] >= 0, whole[2] > 0,
      whole[3] > 0, whole[2] <= width - whole[0], whole[3] <= height - whole[1],
      (-100...100).contains(whole[4])
    else { return nil }
    self.init(x: whole[0], y: whole[1], width: whole[2], height: whole[3], weight: Float(whole[4]))
  }
}

/// A scanner for the tags of a simple XML file; ignores entities, attributes and nesting.
struct MarkupScanner {
  private var rest: ArraySlice<UInt8>
  private var words = ArraySlice<UInt8>()

  init(_ bytes: [UInt8]) {
    rest = bytes.drop { $0 != UInt8(ascii: "<") }.dropFirst()
  }

  /// Returns the next tag's name: `/name` for a closing tag, and `!--` for a comment.
  mutating func nextTag() -> String? {
    if rest.isEmpty { return nil }
    let tag = rest.prefix { $0 != UInt8(ascii: ">") }
    words = rest[tag.endIndex...].dropFirst().prefix { $0 != UInt8(ascii: "<") }
    rest = rest[words.endIndex...].dropFirst()
    return String(decoding: tag.prefix(32).prefix { $0 > UInt8(ascii: " ") }, as: UTF8.self)
  }

  func numbers(_ limit: Int) -> [Double] {
    let numbers = words.split(maxSplits: limit) { $0 <= UInt8(ascii: " ") }.prefix(limit).map {
      Double(String(decoding: $0, as: UTF8.self)) ?? .nan
    }
    return Array(numbers.prefix(while: \.isFinite))
  }
}
