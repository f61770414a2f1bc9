import Foundation

/// Reads an asset catalog and checks it against Apple's Asset Catalog Format Reference.
struct CatalogInspection {
  /// One entry of `images`.
  struct Image {
    var fileName: String
    /// Nil for any.
    var scale: Int?
    var isDark: Bool
    var cap: Int?
    var width: Int
    var height: Int
  }

  struct ColorPair: Equatable {
    var light: String
    var dark: String?
  }

  /// Every broken rule; empty for a catalog that Xcode accepts.
  private(set) var complaints: [String] = []
  /// By the names that programs use.
  private(set) var imageSets: [String: [Image]] = [:]
  private(set) var colorSets: [String: ColorPair] = [:]
  private(set) var templates: Set<String> = []

  init(_ folder: URL) throws {
    if folder.pathExtension != "xcassets" { complain(folder, "is no catalog") }
    try inspectGroup(folder, namespace: "", isRoot: true)
  }

  private mutating func complain(_ place: URL, _ what: String) {
    complaints.append("\(place.path): \(what)")
  }

  // MARK: Folders

  private mutating func inspectGroup(_ folder: URL, namespace: String, isRoot: Bool) throws {
    let contents = try contents(of: folder, keys: ["info", "properties"])
    check(
      contents["properties"], in: folder,
      [
        "provides-namespace": { $0.flag != nil }, "on-demand-resource-tags": { $0.array != nil },
      ])
    var path = namespace
    if !isRoot {
      if folder.lastPathComponent.contains(".") { complain(folder, "has a point in its name") }
      if contents["properties"]?["provides-namespace"] == .flag(true) {
        path += folder.lastPathComponent + "/"
      }
    }
    let children = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.isDirectoryKey])
    let names = Set(children.map { $0.lastPathComponent.lowercased() })
    if names.count < children.count { complain(folder, "has names that differ by case only") }
    if children.count < 2 { complain(folder, "is empty") }
    for child in children where child.lastPathComponent != "Contents.json" {
      guard try child.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == true else {
        complain(child, "belongs to nothing")
        continue
      }
      let name = path + child.deletingPathExtension().lastPathComponent
      switch child.pathExtension {
      case "imageset": try inspectImageSet(child, name: name)
      case "colorset": try inspectColorSet(child, name: name)
      case "": try inspectGroup(child, namespace: path, isRoot: false)
      default: complain(child, "is of no kind that we write")
      }
    }
  }

  private mutating func contents(
    of folder: URL, keys: Set<String>
  ) throws -> [String: JSONValue] {
    let url = folder.appendingPathComponent("Contents.json")
    let value = try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url))
    guard let contents = value.object else {
      complain(url, "is no dictionary")
      return [:]
    }
    for key in contents.keys where !keys.contains(key) { complain(url, "has the key \(key)") }
    if contents["info"] == nil { complain(url, "has no info") }
    check(
      contents["info"], in: url,
      [
        "author": { $0.string?.isEmpty == false }, "version": { $0 == .number(1) },
      ])
    return contents
  }

  /// Complains of keys that the reference does not know, and of values that it does not allow.
  private mutating func check(
    _ value: JSONValue?, in place: URL, _ rules: [String: (JSONValue) -> Bool]
  ) {
    guard let value else { return }
    guard let members = value.object else { return complain(place, "\(value) is no dictionary") }
    for (key, value) in members {
      guard let rule = rules[key] else {
        complain(place, "has the key \(key)")
        continue
      }
      if !rule(value) { complain(place, "\(key) has the value \(value)") }
    }
  }

  // MARK: Images

  private static var slot: [String: (JSONValue) -> Bool] {
    [
      "filename": { $0.string?.hasSuffix(".png") == true },
      "idiom": { isOne($0, of: ["universal", "iphone", "ipad", "mac", "tv", "watch", "car"]) },
      "scale": { isOne($0, of: ["1x", "2x", "3x"]) },
      "appearances": { isAppearances($0) },
      "resizing": { $0.object != nil },
      "color-space": { isOne($0, of: ["srgb", "display-p3"]) },
      "display-gamut": { isOne($0, of: ["sRGB", "display-P3"]) },
      "compression-type": { isOne($0, of: ["automatic", "lossless", "lossy"]) },
    ]
  }

  private static func isOne(_ value: JSONValue, of words: Set<String>) -> Bool {
    value.string.map(words.contains) ?? false
  }

  private static func isAppearances(_ value: JSONValue) -> Bool {
    value.array?.allSatisfy {
      $0.object?.count == 2 && $0["appearance"] == .string("luminosity")
        && isOne($0["value"] ?? .flag(false), of: ["light", "dark"])
    } ?? false
  }

  private static func isDark(_ slot: JSONValue) -> Bool {
    slot["appearances"]?.array?.contains { $0["value"] == .string("dark") } ?? false
  }

  private mutating func inspectImageSet(_ folder: URL, name: String) throws {
    let contents = try contents(of: folder, keys: ["info", "properties", "images"])
    check(
      contents["properties"], in: folder,
      [
        "template-rendering-intent": { Self.isOne($0, of: ["original", "template"]) },
        "preserves-vector-representation": { $0.flag != nil },
      ])
    if contents["properties"]?["template-rendering-intent"] == .string("template") {
      templates.insert(name)
    }
    var images: [Image] = []
    for slot in contents["images"]?.array ?? [] {
      check(slot, in: folder, Self.slot)
      if slot["idiom"] == nil { complain(folder, "has an image without idiom") }
      if let image = try image(slot, in: folder) { images.append(image) }
    }
    if images.isEmpty { complain(folder, "has no images") }
    let slots = Set(images.map { "\($0.scale ?? 0) \($0.isDark)" })
    if slots.count < images.count { complain(folder, "has two images for one slot") }
    if !images.contains(where: { !$0.isDark }) { complain(folder, "is dark only") }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let named = Set(images.map(\.fileName) + ["Contents.json"])
    for file in files where !named.contains(file) { complain(folder, "does not name \(file)") }
    checkSizes(images, in: folder)
    imageSets[name] = images
  }

  private mutating func image(_ slot: JSONValue, in folder: URL) throws -> Image? {
    guard let fileName = slot["filename"]?.string else {
      complain(folder, "has an image without file")
      return nil
    }
    guard let data = try? Data(contentsOf: folder.appendingPathComponent(fileName)) else {
      complain(folder, "has no \(fileName)")
      return nil
    }
    // A PNG begins with eight bytes of its own; its first chunk says width and height.
    guard data.prefix(4).elementsEqual([0x89, 0x50, 0x4E, 0x47]), data.count > 24 else {
      complain(folder, "\(fileName) is no PNG")
      return nil
    }
    let number = { (at: Int) in data[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    var image = Image(
      fileName: fileName, scale: slot["scale"]?.string?.first?.wholeNumberValue,
      isDark: Self.isDark(slot), cap: nil, width: number(16), height: number(20))
    guard let resizing = slot["resizing"] else { return image }
    check(
      resizing, in: folder,
      [
        "mode": { $0 == .string("9-part") }, "center": { $0.object != nil },
        "cap-insets": { $0.object != nil },
      ])
    let isLength = { (value: JSONValue) in value.number.map { $0 >= 1 } ?? false }
    check(
      resizing["center"], in: folder,
      [
        "mode": { Self.isOne($0, of: ["stretch", "tile"]) }, "width": isLength, "height": isLength,
      ])
    let sides = ["top", "left", "bottom", "right"]
    check(
      resizing["cap-insets"], in: folder,
      Dictionary(uniqueKeysWithValues: sides.map { ($0, { ($0.number ?? -1) >= 0 }) }))
    let caps = sides.map { Int(resizing["cap-insets"]?[$0]?.number ?? -1) }
    let center = (
      Int(resizing["center"]?["width"]?.number ?? 0),
      Int(resizing["center"]?["height"]?.number ?? 0)
    )
    if caps[1] + center.0 + caps[3] != image.width || caps[0] + center.1 + caps[2] != image.height {
      complain(folder, "\(fileName): caps \(caps) and center \(center) are not the whole file")
    }
    if Set(caps).count > 1 { complain(folder, "\(fileName): caps \(caps) differ") }
    image.cap = caps[0]
    return image
  }

  /// The same points at every scale; rounding may cost a pixel.
  private mutating func checkSizes(_ images: [Image], in folder: URL) {
    func spread(_ points: (Image) -> Double, allowed: Double) -> Bool {
      let points = images.map(points)
      return (points.max() ?? 0) - (points.min() ?? 0) <= allowed
    }
    if images.contains(where: { $0.cap != nil }) {
      if images.contains(where: { $0.cap == nil }) { complain(folder, "is resized in part") }
      if !spread({ Double($0.cap ?? 0) / Double($0.scale ?? 1) }, allowed: 1) {
        complain(folder, "has caps of different lengths")
      }
      return
    }
    for side in [\Image.width, \Image.height]
    where !spread({ Double($0[keyPath: side]) / Double($0.scale ?? 1) }, allowed: 1) {
      complain(folder, "has images of different sizes")
    }
  }

  // MARK: Colors

  private mutating func inspectColorSet(_ folder: URL, name: String) throws {
    let contents = try contents(of: folder, keys: ["info", "properties", "colors"])
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    if files != ["Contents.json"] { complain(folder, "has files") }
    var colors: [Bool: String] = [:]
    for slot in contents["colors"]?.array ?? [] {
      check(
        slot, in: folder,
        [
          "idiom": { $0 == .string("universal") }, "appearances": { Self.isAppearances($0) },
          "color": { $0.object != nil },
        ])
      check(
        slot["color"], in: folder,
        [
          "color-space": { $0 == .string("srgb") }, "components": { $0.object?.count == 4 },
        ])
      let components = slot["color"]?["components"]
      let channel = { (value: JSONValue) in Self.component(value) != nil }
      check(
        components, in: folder,
        [
          "red": channel, "green": channel, "blue": channel, "alpha": channel,
        ])
      let bytes = ["red", "green", "blue", "alpha"].map { key in
        components?[key].flatMap(Self.component) ?? 0
      }
      let isDark = Self.isDark(slot)
      if colors[isDark] != nil { complain(folder, "has two colors for one slot") }
      colors[isDark] = "#" + bytes.map { String(format: "%02x", $0) }.joined()
    }
    guard let light = colors[false] else { return complain(folder, "has no color") }
    colorSets[name] = ColorPair(light: light, dark: colors[true])
  }

  /// A channel in either of the notations, as a byte.
  private static func component(_ value: JSONValue) -> Int? {
    guard let text = value.string else { return nil }
    if text.hasPrefix("0x") {
      return text.utf8.count == 4 ? Int(text.dropFirst(2), radix: 16) : nil
    }
    guard text.contains("."), let fraction = Double(text), (0...1).contains(fraction) else {
      return nil
    }
    return Int((fraction * 255).rounded())
  }
}
