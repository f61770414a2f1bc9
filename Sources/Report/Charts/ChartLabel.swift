/// Words in a chart, with the room that they take at most.
package struct ChartLabel: Sendable, Hashable {
  package enum Anchor: String, Sendable {
    case start
    case middle
    case end
  }

  package var text: String
  package var x: Int
  /// Of the line that letters stand on.
  package var y: Int
  package var anchor: Anchor

  /// Pixels of the letters, as report.css has them.
  package static let size = 12

  package init(_ text: String, x: Int, y: Int, anchor: Anchor = .start) {
    self.text = text
    self.x = x
    self.y = y
    self.anchor = anchor
  }

  /// No font that browsers take for `system-ui` or `sans-serif` needs more.
  package var width: Int { Self.width(of: text) }

  package var box: (x: Range<Int>, y: Range<Int>) {
    let left =
      switch anchor {
      case .start: x
      case .middle: x - (width + 1) / 2
      case .end: x - width
      }
    return (left..<left + width, y - Self.size..<y + 4)
  }

  package func overlaps(_ other: ChartLabel) -> Bool {
    box.x.overlaps(other.box.x) && box.y.overlaps(other.box.y)
  }

  package static func width(of text: String) -> Int {
    // In hundredths of the size.
    let hundredths = text.unicodeScalars.reduce(0) { sum, scalar in
      switch scalar {
      case "i", "j", "l", ".", ",", ":", " ", "|", "'": sum + 42
      case "m", "w", "M", "W", "@", "%": sum + 104
      case "a"..."z", "0"..."9", "-", "_", "/": sum + 68
      case "A"..."Z", "<", "(", ")": sum + 86
      default: sum + 140
      }
    }
    return (hundredths * size + 99) / 100
  }

  /// As much of a text as fits, with an ellipsis where it was cut.
  package static func fitting(_ text: String, into width: Int) -> String {
    guard self.width(of: text) > width else { return text }
    var cut = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(width) {
      cut.append(scalar)
      guard self.width(of: String(cut) + "…") <= width else {
        cut.removeLast()
        break
      }
    }
    return String(cut) + "…"
  }
}
