import Manifest
import Plan
import Recipes

/// A button's stretchable pictures as CSS.
///
/// A plain button stretches a single pixel; all others use a `border-image` with `fill`. The base
/// rule refers to the pictures for all states, so that the browser loads them before the first
/// press.
struct ButtonPictures {
  struct PictureSet {
    var isDark: Bool
    var resolution: String?
    /// The width of the edges that are not stretched: `cap` in file pixels, `width` in CSS pixels.
    var cap: Int
    var width: Double
    /// The CSS URL for each state; states with identical pictures share a URL.
    var addresses: [(state: ButtonStyle.State, address: String)]
    /// The colours to paint under the seams of opaque pictures, keyed by state.
    var grounds: [ButtonStyle.State: Ground]

    /// The distinct URLs; the first one is for `normal`.
    var distinct: [String] {
      var known: Set<String> = []
      return addresses.map(\.address).filter { known.insert($0).inserted }
    }

    func address(of state: ButtonStyle.State) -> String {
      addresses.first { $0.state == state }?.address ?? distinct[0]
    }
  }

  struct Ground {
    var fill: Color
    var edge: Color?
  }

  let sets: [PictureSet]
  private let isPlain: Bool
  private let borderWidth: Double

  init?(of button: ButtonStyle, in content: SiteContent) {
    guard button.emit.contains(.png) else { return nil }
    isPlain = button.isPlain
    borderWidth = button.border?.width ?? 0
    let scales = button.isPlain ? Array(ButtonStyle.scales.prefix(1)) : ButtonStyle.scales
    var sets: [PictureSet] = []
    for (appearance, colors) in button.appearances {
      let grounds = Self.grounds(of: button, colors)
      for (index, scale) in scales.enumerated() {
        var addresses: [(state: ButtonStyle.State, address: String)] = []
        var cap = 0
        for (state, _) in colors.states {
          let bitmaps = content.bitmaps(of: button, state: state, in: appearance, at: [scale])
          guard let (bitmap, asset) = bitmaps.first else { return nil }
          cap = bitmap.cap
          addresses.append((state, CSSWriter.url(asset)))
        }
        // A screen with a resolution between two scales uses the higher scale.
        let before = index > 0 ? scales[index - 1] : nil
        sets.append(
          PictureSet(
            isDark: appearance == .dark,
            resolution: before.map { ($0 + 0.01).plain + "dppx" },
            cap: cap, width: Double(cap) / scale, addresses: addresses, grounds: grounds))
      }
    }
    self.sets = sets
  }

  private static func grounds(
    of button: ButtonStyle, _ colors: ButtonStyle.Colors
  ) -> [ButtonStyle.State: Ground] {
    guard !button.isPlain else { return [:] }
    var grounds: [ButtonStyle.State: Ground] = [:]
    for (state, color) in colors.states where color.isOpaque {
      grounds[state] = Ground(fill: color, edge: button.visibleBorder?.color.over(color))
    }
    return grounds
  }

  var hasGrounds: Bool { sets.contains { !$0.grounds.isEmpty } }

  var frame: [String] {
    let lines = ["border: \(CSSWriter.points(borderWidth)) solid transparent"]
    guard isPlain else {
      return lines + ["background: none center / 0 0 no-repeat border-box"]
        + (hasGrounds ? ["--btn-lap: 2px"] : [])
    }
    return lines + ["background: none border-box no-repeat"]
  }

  /// The resolutions at which file pixels match device pixels, so that seams cannot occur
  /// and the parts of a picture do not need to overlap.
  static let exact = "(resolution: 1dppx), (resolution: 2dppx), (resolution: 3dppx)"

  /// Two crossed bars under the picture, slightly wider than the area between the corners.
  ///
  /// Without the bars, the page would show through the seams between the parts of a border image.
  private var bars: [String] {
    let (fill, edge) = ("var(--btn-under)", "var(--btn-edge)")
    guard sets.contains(where: { $0.grounds.values.contains { $0.edge != nil } }) else {
      return Array(repeating: "linear-gradient(\(fill), \(fill))", count: 2)
    }
    let width = CSSWriter.points(borderWidth)
    let stops = "\(edge) \(width), \(fill) \(width) calc(100% - \(width)), \(edge) 0"
    return ["linear-gradient(\(stops))", "linear-gradient(90deg, \(stops))"]
  }

  /// Returns invisible backgrounds that make the browser load the pictures for all states.
  private func backgrounds(of set: PictureSet) -> [String] {
    let urls = set.distinct
    guard hasGrounds else { return ["background-image: " + urls.joined(separator: ", ")] }
    let length = "calc(100% - \(CSSWriter.points(2 * set.width)) + var(--btn-lap))"
    let sizes = ["\(length) 100%", "100% \(length)"] + urls.map { _ in "0 0" }
    return [
      "background-image: " + (bars + urls).joined(separator: ", "),
      "background-size: " + sizes.joined(separator: ", "),
    ]
  }

  /// Returns the declarations for the normal state, which also load the pictures for other states.
  func lines(of set: PictureSet) -> [String] {
    backgrounds(of: set) + lines(of: set, in: .normal)
      + (isPlain
        ? []
        : [
          "border-image-slice: \(set.cap) fill",
          "border-image-width: \(CSSWriter.points(set.width))",
        ])
  }

  func lines(of set: PictureSet, in state: ButtonStyle.State) -> [String] {
    let address = set.address(of: state)
    guard isPlain else {
      let lines = ["border-image-source: \(address)"]
      guard hasGrounds else { return lines }
      let ground = set.grounds[state]
      let under = ["--btn-under: \(ground?.fill.css ?? "transparent")"]
      guard borderWidth > 0 else { return lines + under }
      return lines + under + ["--btn-edge: \((ground?.edge ?? ground?.fill)?.css ?? "transparent")"]
    }
    // All other pictures have size 0, which makes them invisible.
    let sizes = set.distinct.map { $0 == address ? "100% 100%" : "0 0" }
    return ["background-size: \(sizes.joined(separator: ", "))"]
  }
}
