import Manifest
import Plan
import Recipes

extension ExportedFiles {
  init(appleOf content: SiteContent) {
    guard content.manifest.exports.contains(.xcassets) else { return }
    let catalog = AssetCatalog(content)
    add(catalog, at: Self.catalogName)
    if content.manifest.exports.contains(.swift) {
      pages.append(Site.Page("AssetNames.swift", AssetNames(catalog: catalog).text))
    }
    if content.manifest.exports.contains(.swiftPackage) {
      let package = SwiftPackage(catalog: catalog, users: content.manifest.users)
      add(catalog, at: "\(SwiftPackage.sources)/\(Self.catalogName)")
      pages += package.pages
    }
  }

  private static let catalogName = "Assets.xcassets"

  private mutating func add(_ catalog: AssetCatalog, at path: String) {
    add(catalog.avatars, at: "\(path)/Avatars")
    add(catalog.buttons, at: "\(path)/Buttons")
    add(AssetCatalog.contents(), at: path)
  }

  /// Adds a folder; its members are published before the `Contents.json` that refers to them.
  private mutating func add(_ groups: [AssetCatalog.Group], at path: String) {
    guard !groups.isEmpty else { return }
    for group in groups {
      let path = "\(path)/\(group.name)"
      for set in group.imageSets {
        let path = "\(path)/\(set.name).imageset"
        images += set.images.map { Site.File($0.asset, at: "\(path)/\(set.fileName(of: $0))") }
        add(set.contents, at: path)
      }
      for set in group.colorSets { add(set.contents, at: "\(path)/\(set.name).colorset") }
      add(AssetCatalog.groupContents, at: path)
    }
    add(AssetCatalog.groupContents, at: path)
  }

  /// Adds a file that is generated on demand, because a catalog may contain 100,000 files.
  private mutating func add(
    _ contents: @autoclosure @escaping @Sendable () -> AssetCatalog.Contents, at path: String
  ) {
    pages.append(
      Site.Page(path: "\(path)/Contents.json") { try $0(try AssetCatalog.file(contents())) })
  }
}

struct AssetCatalog: Sendable {
  struct ImageSet: Sendable {
    var name: String
    var user: Int?
    var images: [Image]
    var isTemplate = false
  }

  struct Image: Sendable {
    var asset: Asset
    /// The scale; nil for a single pixel, which is used at every scale.
    var scale: Int?
    var isDark = false
    /// The width in pixels of the edges that are not stretched; nil for avatars and plain buttons.
    var cap: Int?
  }

  struct ColorSet: Sendable {
    var name: String
    var light: Color
    var dark: Color?
  }

  struct Group: Sendable {
    var name: String
    var imageSets: [ImageSet] = []
    var colorSets: [ColorSet] = []
  }

  let avatars: [Group]
  let buttons: [Group]

  init(_ content: SiteContent) {
    avatars = Self.avatars(of: content)
    buttons = Self.buttons(of: content)
  }

  private static func avatars(of content: SiteContent) -> [Group] {
    let manifest = content.manifest
    let styles = content.exportableStyles
    let styleNames = ResourceNames(manifest.styles.map(\.name))
    // Generate names for all users, so that a name does not depend on who has a picture.
    let userNames = ResourceNames(manifest.users.map(\.id))
    var groups = styles.map { Group(name: styleNames[$0]) }
    let numbers = Dictionary(uniqueKeysWithValues: zip(styles, groups.indices))
    for user in manifest.users.indices {
      for style in content.styles(of: user) {
        guard let group = numbers[style] else { continue }
        let images = content.images(of: user, style: style).compactMap { scale, asset in
          asset.format == .png ? Image(asset: asset, scale: self.scale(scale)) : nil
        }.filter { $0.scale != nil }
        guard !images.isEmpty else { continue }
        groups[group].imageSets.append(ImageSet(name: userNames[user], user: user, images: images))
      }
    }
    return groups.filter { !$0.imageSets.isEmpty }
  }

  private static func buttons(of content: SiteContent) -> [Group] {
    let buttons = content.manifest.buttons
    let names = ResourceNames(buttons.map(\.name))
    return buttons.enumerated().map { number, button in
      var group = Group(name: names[number])
      var images: [ButtonStyle.State: [Image]] = [:]
      for bitmap in button.bitmaps() {
        guard let asset = content.asset(of: bitmap.siteImage) else { continue }
        images[bitmap.state, default: []].append(
          Image(
            asset: asset, scale: button.isPlain ? nil : scale(bitmap.scale),
            isDark: bitmap.appearance == .dark, cap: button.isPlain ? nil : bitmap.cap))
      }
      for (state, color) in button.light.states {
        let dark = button.dark?.states.first { $0.state == state }?.color
        group.colorSets.append(ColorSet(name: state.rawValue, light: color, dark: dark))
        guard let images = images[state] else { continue }
        group.imageSets.append(
          ImageSet(name: state.rawValue, images: images, isTemplate: button.isTemplate))
      }
      return group
    }
  }

  private static func scale(_ scale: Double) -> Int? {
    ButtonStyle.scales.contains(scale) ? Int(scale) : nil
  }
}
