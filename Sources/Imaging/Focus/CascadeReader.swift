package import Foundation
package import Recipes

extension Cascade {
  /// What a file may hold at most: several times what OpenCV's own have.
  private enum Limit {
    static let bytes = 4 << 20
    static let parts = 20_000
    static let window = 8...64
  }

  /// Reads OpenCV's form (XML, `opencv-cascade-classifier`, Haar features, stumps, upright).
  ///
  /// Nil for anything else: whoever looks for faces then finds none.
  init?(reading file: Data) {
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
        // Once: the rectangles are checked against it as they come.
        guard let side = scanner.numbers(1).first.flatMap({ Int(exactly: $0) }),
          Limit.window.contains(side), sides[tag] == nil
        else { return nil }
        sides[tag] = side
      case "stageThreshold":
        guard let threshold = scanner.numbers(1).first else { return nil }
        // The trainer's own slack against rounding.
        let start = comparisons.count
        stages.append(Stage(stumps: start..<start, threshold: Float(threshold) - 1e-5))
      case "internalNodes":
        let node = scanner.numbers(5)
        // A stump: both ways lead to a vote.
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
  /// Left, top, width, height, weight; nil unless it lies in a window of that size.
  fileprivate init?(_ numbers: [Double], inside width: Int, _ height: Int) {
    let whole = numbers.compactMap { Int(exactly: $0) }
    guard numbers.count == 5, whole.count == 5, whole[0] >= 0, whole[1] >= 0, whole[2] > 0,
      whole[3] > 0, whole[2] <= width - whole[0], whole[3] <= height - whole[1],
      (-100...100).contains(whole[4])
    else { return nil }
    self.init(x: whole[0], y: whole[1], width: whole[2], height: whole[3], weight: Float(whole[4]))
  }
}

extension Finder.Face {
  /// Whether faces can be looked for with the data of a detector.
  package static func canUse(detector data: Data) -> Bool { Cascade(reading: data) != nil }
}
