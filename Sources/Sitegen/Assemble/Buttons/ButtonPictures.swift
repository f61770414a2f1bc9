import Imaging

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

    /// Each address once, that of `normal` first.
    var distinct: [String] {
      var known: Set<String> = []
      return addresses.map(\.address).filter { known.insert($0).inserted }
    }

    func address(of state: String) -> String {
      addresses.first { $0.state == state }?.address ?? distinct[0]
    }
  }

  let sets: [PictureSet]
  private let isPlain: Bool
  private let borderWidth: Double

  /// Nil when the button has none, or not all of them could be made.
  init?(of button: ButtonStyle, in content: SiteContent) {
    guard button.emit.contains(.png) else { return nil }
    isPlain = button.isPlain
    borderWidth = button.border?.width ?? 0
    let names = button.light.states.map(\.name)
    let scales = button.isPlain ? Array(ButtonStyle.webScales.prefix(1)) : ButtonStyle.webScales
    var sets: [PictureSet] = []
    for (appearance, colors) in button.appearances {
      let own = Set(colors.states.map(\.name))
      for (place, scale) in scales.enumerated() {
        var addresses: [(state: String, address: String)] = []
        var cap = 0
        for name in names {
          // A state that has no dark colour of its own is as it is in the light.
          let appearance = own.contains(name) ? appearance : "light"
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
            resolution: before.map { JSONBytes.text(of: $0 + 0.01) + "dppx" },
            cap: cap, width: Double(cap) / scale, addresses: addresses))
      }
    }
    self.sets = sets
  }

  /// What holds for every picture of the button.
  var frame: [String] {
    let lines = ["border: \(CSSText.points(borderWidth)) solid transparent"]
    guard isPlain else { return lines + ["background: none 0 0 / 0 0 no-repeat"] }
    return lines + ["background: none border-box no-repeat"]
  }

  /// The normal state, and the addresses of all the others.
  func lines(of set: PictureSet) -> [String] {
    let all = "background-image: " + set.distinct.map(Self.url).joined(separator: ", ")
    return [all] + lines(of: set, in: "normal")
      + (isPlain
        ? []
        : [
          "border-image-slice: \(set.cap) fill",
          "border-image-width: \(CSSText.points(set.width))",
        ])
  }

  /// One state, for an element that has the rule for all of them.
  func lines(of set: PictureSet, in state: String) -> [String] {
    let address = set.address(of: state)
    guard isPlain else { return ["border-image-source: \(Self.url(address))"] }
    // The others are there without being seen.
    let sizes = set.distinct.map { $0 == address ? "100% 100%" : "0 0" }
    return ["background-size: \(sizes.joined(separator: ", "))"]
  }

  private static func url(_ address: String) -> String { "url(\"\(address)\")" }
}
