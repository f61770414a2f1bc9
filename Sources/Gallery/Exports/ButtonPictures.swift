import Manifest
import Plan
import Recipes

/// The stretchable pictures of a button, as what CSS says of them.
///
/// A plain colour is one stretched pixel, any other button a border image that fills. Which
/// addresses a state needs stands in the rule for all states, so that the browser fetches every
/// picture of an appearance and scale with the first paint, and none when the button is pressed.
struct ButtonPictures {
  /// Those of one appearance at one scale.
  struct PictureSet {
    var isDark: Bool
    /// The least resolution for which it is meant; nil for any.
    var resolution: String?
    /// Pixels of the files, and points on the page, that are not stretched.
    var cap: Int
    var width: Double
    /// Addresses by state; states that look alike share one.
    var addresses: [(state: String, address: String)]
    /// What lies under the seams of opaque states.
    var grounds: [String: Ground]

    /// Each address once, that of `normal` first.
    var distinct: [String] {
      var known: Set<String> = []
      return addresses.map(\.address).filter { known.insert($0).inserted }
    }

    func address(of state: String) -> String {
      addresses.first { $0.state == state }?.address ?? distinct[0]
    }
  }

  /// The colours of an opaque state: of its middle, and of its border, if it has one.
  struct Ground {
    var fill: Color
    var edge: Color?
  }

  let sets: [PictureSet]
  private let isPlain: Bool
  private let borderWidth: Double

  /// Nil when the button has none, or not all of them could be made.
  init?(of button: ButtonStyle, in content: SiteContent) {
    guard button.emit.contains(.png) else { return nil }
    isPlain = button.isPlain
    borderWidth = button.border?.width ?? 0
    let scales = button.isPlain ? Array(ButtonStyle.scales.prefix(1)) : ButtonStyle.scales
    var sets: [PictureSet] = []
    for (appearance, colors) in button.appearances {
      let grounds = Self.grounds(of: button, colors)
      for (place, scale) in scales.enumerated() {
        var addresses: [(state: String, address: String)] = []
        var cap = 0
        for (name, _) in colors.states {
          let bitmaps = content.bitmaps(of: button, state: name, in: appearance, at: [scale])
          guard let (bitmap, asset) = bitmaps.first else { return nil }
          cap = bitmap.slice.cap
          addresses.append((name, asset.path(as: OutputFormat.png.fileExtension)))
        }
        // The smallest scale that is enough; anything above the one before needs the next.
        let before = place > 0 ? scales[place - 1] : nil
        sets.append(
          PictureSet(
            isDark: appearance == "dark",
            resolution: before.map { ($0 + 0.01).plain + "dppx" },
            cap: cap, width: Double(cap) / scale, addresses: addresses, grounds: grounds))
      }
    }
    self.sets = sets
  }

  /// Those of an appearance; what is translucent has none, since it would be seen twice.
  private static func grounds(
    of button: ButtonStyle, _ appearance: ButtonStyle.Appearance
  ) -> [String: Ground] {
    guard !button.isPlain else { return [:] }
    var grounds: [String: Ground] = [:]
    for (name, color) in appearance.states where color.isOpaque {
      grounds[name] = Ground(fill: color, edge: button.visibleBorder?.color.over(color))
    }
    return grounds
  }

  /// Whether colours lie under the seams of some state.
  var hasGrounds: Bool { sets.contains { !$0.grounds.isEmpty } }

  /// What holds for every picture of the button.
  var frame: [String] {
    let lines = ["border: \(CSSWriter.points(borderWidth)) solid transparent"]
    guard isPlain else {
      return lines + ["background: none center / 0 0 no-repeat border-box"]
        + (hasGrounds ? ["--btn-lap: 2px"] : [])
    }
    return lines + ["background: none border-box no-repeat"]
  }

  /// Where a pixel of the files is one of the device, there are no seams, and at the corners
  /// nothing lies under the picture.
  static let exact = "(resolution: 1dppx), (resolution: 2dppx), (resolution: 3dppx)"

  /// Two bars that cross under the picture, each a little wider than what is between the corners:
  /// where parts of a border image meet amid a pixel of the device, the page would shine through.
  private var bars: [String] {
    let (fill, edge) = ("var(--btn-under)", "var(--btn-edge)")
    guard sets.contains(where: { $0.grounds.values.contains { $0.edge != nil } }) else {
      return Array(repeating: "linear-gradient(\(fill), \(fill))", count: 2)
    }
    let width = CSSWriter.points(borderWidth)
    let stops = "\(edge) \(width), \(fill) \(width) calc(100% - \(width)), \(edge) 0"
    return ["linear-gradient(\(stops))", "linear-gradient(90deg, \(stops))"]
  }

  /// The pictures of all states are there without being seen.
  private func backgrounds(of set: PictureSet) -> [String] {
    let urls = set.distinct.map(Self.url)
    guard hasGrounds else { return ["background-image: " + urls.joined(separator: ", ")] }
    let length = "calc(100% - \(CSSWriter.points(2 * set.width)) + var(--btn-lap))"
    let sizes = ["\(length) 100%", "100% \(length)"] + urls.map { _ in "0 0" }
    return [
      "background-image: " + (bars + urls).joined(separator: ", "),
      "background-size: " + sizes.joined(separator: ", "),
    ]
  }

  /// The normal state, and the addresses of all the others.
  func lines(of set: PictureSet) -> [String] {
    backgrounds(of: set) + lines(of: set, in: "normal")
      + (isPlain
        ? []
        : [
          "border-image-slice: \(set.cap) fill",
          "border-image-width: \(CSSWriter.points(set.width))",
        ])
  }

  /// One state, for an element that has the rule for all of them.
  func lines(of set: PictureSet, in state: String) -> [String] {
    let address = set.address(of: state)
    guard isPlain else {
      let lines = ["border-image-source: \(Self.url(address))"]
      guard hasGrounds else { return lines }
      let ground = set.grounds[state]
      let under = ["--btn-under: \(ground?.fill.css ?? "transparent")"]
      guard borderWidth > 0 else { return lines + under }
      return lines + under + ["--btn-edge: \((ground?.edge ?? ground?.fill)?.css ?? "transparent")"]
    }
    // The others are there without being seen.
    let sizes = set.distinct.map { $0 == address ? "100% 100%" : "0 0" }
    return ["background-size: \(sizes.joined(separator: ", "))"]
  }

  private static func url(_ address: String) -> String { "url(\"\(address)\")" }
}
