import Manifest
import Plan
import Recipes

/// `SwiftPackage/`: the catalog, with a typed accessor for each picture and color in it.
///
/// The pictures are read from the files of the catalog, so they are found on every platform, with Xcode and
/// without.
struct SwiftPackage {
  let catalog: AssetCatalog
  let users: [User]

  private static let folder = "SwiftPackage"
  static let sources = "\(folder)/Sources/AvatarAssets"

  var pages: [Site.Page] {
    let files = [
      ("\(Self.folder)/Package.swift", PackageResources.Package_txt),
      ("\(Self.sources)/Pictures.swift", PackageResources.Pictures_txt),
      (
        "\(Self.folder)/Tests/AvatarAssetsTests/PictureTests.swift",
        PackageResources.PictureTests_txt
      ),
    ]
    return files.map { path, bytes in Site.Page(path: path) { try $0(bytes) } }
      + [Site.Page("\(Self.sources)/Names.swift", names)]
  }

  /// Avatars, people, styles and buttons by name.
  private var names: String {
    let styles = catalog.avatars
    var lines = ["// Made by sitegen: what is changed here is lost with the next build.", ""]
    lines.append("extension AvatarStyle {")
    lines += styles.map { Self.constant($0.name, "AvatarStyle", "name: \"\($0.name)\"") }
    lines += ["}", ""]
    var ids: [String: String] = [:]
    for set in styles.flatMap(\.imageSets) { ids[set.name] = set.user.map { users[$0].id } }
    let people = ids.sorted { $0.key < $1.key }.map {
      (name: $0.key, id: $0.value.debugDescription)
    }
    lines += ["extension AvatarPerson {"]
    lines += people.map {
      Self.constant($0.name, "AvatarPerson", "id: \($0.id), asset: \"\($0.name)\"")
    }
    lines += ["}", "", "extension Avatars {", "  /// The first style of the manifest."]
    let standard = "AvatarStyle(name: \"\(styles.first?.name ?? "")\")"
    lines.append("  public static var standardStyle: AvatarStyle { \(standard) }")
    lines.append("  /// The name of each person in the catalog, by id.")
    lines.append("  public static let assets: [String: String] = [")
    lines += people.isEmpty ? ["    :"] : people.map { "    \($0.id): \"\($0.name)\"," }
    lines += [
      "  ]", "  /// Every picture of the package.", "  public static let names: [String] = [",
    ]
    for (folder, groups) in [("Avatars", catalog.avatars), ("Buttons", catalog.buttons)] {
      for group in groups {
        lines += group.imageSets.map { "    \"\(folder)/\(group.name)/\($0.name)\"," }
      }
    }
    lines += ["  ]", "}", "", "/// Each button, with its states.", "public enum Buttons {"]
    for group in catalog.buttons {
      lines.append("  public enum \(AssetNames.type(group.name)) {")
      for set in group.colorSets {
        let (light, dark) = (set.light.hex.dropFirst(), (set.dark ?? set.light).hex.dropFirst())
        let values = "light: 0x\(light), dark: 0x\(dark)"
        let picture = "picture: .init(name: \"Buttons/\(group.name)/\(set.name)\")"
        lines.append(
          "  " + Self.constant(set.name, "AvatarAssets.ButtonState", "\(picture), \(values)"))
      }
      lines.append("  }")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private static func constant(_ name: String, _ type: String, _ values: String) -> String {
    "  public static var \(AssetNames.constant(name)): \(type) { .init(\(values)) }"
  }
}
