import Recipes

// The keys are those of Apple's Asset Catalog Format Reference; `appearances` and the notation of
// `components`, which are younger than it, are as Xcode writes them.

extension AssetCatalog {
  fileprivate static let info = ContentsJSON.object([
    "author": .string("sitegen"), "version": .number(1),
  ])
  fileprivate static let dark = ContentsJSON.array([
    .object(["appearance": .string("luminosity"), "value": .string("dark")])
  ])

  /// Of the catalog itself.
  static let rootContents = ContentsJSON.object(["info": info])

  /// Of a folder whose name is part of the names of what it holds.
  static let groupContents = ContentsJSON.object([
    "info": info, "properties": .object(["provides-namespace": .flag(true)]),
  ])
}

extension AssetCatalog.ImageSet {
  var contents: ContentsJSON {
    .object([
      "images": .array(images.map { $0.contents(fileName: fileName(of: $0)) }),
      "info": AssetCatalog.info,
      "properties": .object([
        "template-rendering-intent": .string(isTemplate ? "template" : "original")
      ]),
    ])
  }

  /// As Apple's tools name such files: `ada.png`, `ada@2x.png`.
  func fileName(of image: AssetCatalog.Image) -> String {
    let scale = image.scale ?? 1
    return "\(name)\(image.isDark ? "_dark" : "")\(scale == 1 ? "" : "@\(scale)x").png"
  }
}

extension AssetCatalog.Image {
  fileprivate func contents(fileName: String) -> ContentsJSON {
    var members: [String: ContentsJSON] = [
      "filename": .string(fileName), "idiom": .string("universal"),
    ]
    if let scale { members["scale"] = .string("\(scale)x") }
    if isDark { members["appearances"] = AssetCatalog.dark }
    if let cap {
      members["resizing"] = .object([
        "mode": .string("9-part"),
        "center": .object([
          "mode": .string("stretch"), "width": .number(1), "height": .number(1),
        ]),
        // In pixels of this very file.
        "cap-insets": .object([
          "top": .number(cap), "left": .number(cap), "bottom": .number(cap),
          "right": .number(cap),
        ]),
      ])
    }
    return .object(members)
  }
}

extension AssetCatalog.ColorSet {
  var contents: ContentsJSON {
    var colors: [ContentsJSON] = [
      .object(["color": light.contents, "idiom": .string("universal")])
    ]
    if let dark {
      colors.append(
        .object([
          "appearances": AssetCatalog.dark, "color": dark.contents,
          "idiom": .string("universal"),
        ]))
    }
    return .object(["colors": .array(colors), "info": AssetCatalog.info])
  }
}

extension Color {
  /// Channels in hexadecimal, one of Xcode's own notations: nothing is rounded.
  ///
  /// Xcode writes alpha as a fraction with three digits also then; no two of 256 values have the
  /// same.
  fileprivate var contents: ContentsJSON {
    let digits = hex.dropFirst().uppercased()
    func channel(_ number: Int) -> ContentsJSON {
      .string("0x\(digits.dropFirst(number * 2).prefix(2))")
    }
    let thousandths = (Int(alpha) * 1000 + 127) / 255
    let fraction = "\(thousandths / 1000).\(String(thousandths % 1000 + 1000).dropFirst())"
    return .object([
      "color-space": .string("srgb"),
      "components": .object([
        "red": channel(0), "green": channel(1), "blue": channel(2), "alpha": .string(fraction),
      ]),
    ])
  }
}
