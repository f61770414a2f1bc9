extension Focus {
  /// The point that stands for all those which crop a picture to these boxes as this one does, so
  /// that equal crops have equal keys.
  ///
  /// Along a way that a box shows whole, all points are the middle; those that are too near to an
  /// edge to be in the middle of a box are the edge.
  package func simplified(for source: PixelSize, boxes: [PixelSize]) -> Focus {
    var columns = Reach()
    var rows = Reach()
    for box in boxes {
      let window = Placement(of: source, in: box, fit: .fill, focus: self).window
      columns.include(window.x, window.width, of: Double(source.width))
      rows.include(window.y, window.height, of: Double(source.height))
    }
    return Focus(x: columns.simplified(x), y: rows.simplified(y))
  }

  /// Where all the windows lie along one axis.
  private struct Reach {
    private var isWhole = true
    private var isFirst = true
    private var isLast = true

    mutating func include(_ start: Double, _ length: Double, of whole: Double) {
      // What division leaves of nothing moves no pixel.
      isWhole = isWhole && whole - length <= whole * 1e-9
      isFirst = isFirst && start <= 0
      isLast = isLast && start >= whole - length
    }

    func simplified(_ point: Double) -> Double {
      isWhole ? 0.5 : isFirst ? 0 : isLast ? 1 : point
    }
  }
}
