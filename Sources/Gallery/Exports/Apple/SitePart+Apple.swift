import Manifest
import Plan

extension SitePart {
  /// `Assets.xcassets` and the names in it, as far as the manifest asks for them.
  init(appleOf content: SiteContent) {
    guard content.manifest.exports.contains(.xcassets) else { return }
    let catalog = AssetCatalog(content)
    add(catalog.avatars, to: "Avatars")
    add(catalog.buttons, to: "Buttons")
    add(AssetCatalog.rootContents, at: Self.catalogName)
    if content.manifest.exports.contains(.swift) {
      pages.append(Site.Page("AssetNames.swift", AssetNames(catalog).text))
    }
  }

  private static let catalogName = "Assets.xcassets"

  /// Whatever a folder names comes before its own `Contents.json`.
  private mutating func add(_ groups: [AssetCatalog.Group], to folder: String) {
    guard !groups.isEmpty else { return }
    let path = "\(Self.catalogName)/\(folder)"
    for group in groups {
      let path = "\(path)/\(group.name)"
      for set in group.imageSets {
        let path = "\(path)/\(set.name).imageset"
        images += set.images.map { Site.Image($0.asset, at: "\(path)/\(set.fileName(of: $0))") }
        pages.append(Site.Page(path: "\(path)/Contents.json") { try $0(set.contents.bytes) })
      }
      for set in group.colorSets {
        add(set.contents, at: "\(path)/\(set.name).colorset")
      }
      add(AssetCatalog.groupContents, at: path)
    }
    add(AssetCatalog.groupContents, at: path)
  }

  private mutating func add(_ contents: ContentsJSON, at path: String) {
    let bytes = contents.bytes
    pages.append(Site.Page(path: "\(path)/Contents.json") { try $0(bytes) })
  }
}
