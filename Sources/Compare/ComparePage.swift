import Build
import Bytes
import Diagnostics
import Files
import Gallery
import Manifest
import Mustache
import Plan
import Recipes

/// The diff page, which shows old and new versions side by side.
struct ComparePage {
  static let templateName = "diff"

  static let vocabulary: Set<String> = [
    "bytes", "fields", "height", "id", "isColor", "isEqual", "items", "label", "more", "name",
    "new", "newSite", "old", "oldSite", "pictures", "pixels", "sections", "sides", "src",
    "stylesheets", "title", "total", "users", "width",
  ]

  private static let itemLimit = 200
  private static let styleLimit = 8
  private static let pictureBytes = 1...64 << 20

  let differences: Differences
  let old, new: Folder
  private(set) var shown: [String: (image: PublishedAssets.Image, site: Folder)] = [:]

  /// Returns the diff page's files in publishing order: pictures, style sheets, then the page.
  mutating func site(_ template: PageTemplate) throws -> Site {
    let page = try template.fill(with: values())
    let pictures = shown.sorted { $0.key < $1.key }.map { path, picture in
      Site.Page(path: path) { emit in
        guard let bytes = Self.bytes(of: picture.image, in: picture.site) else {
          throw BuildFailure.machine(
            .machineFailed, "\(picture.site.path)/\(path) changed while it was being read",
            help: "compare again when no other program is writing to the site")
        }
        try emit(bytes)
      }
    }
    return Site(
      images: [],
      pages: pictures + [
        Site.Page(path: Templates.styleSheetName) { try $0(template.gallerySheet) },
        Site.Page(path: "diff.css") { try $0(template.styleSheet) },
        Site.Page(path: "index.html") { try $0(page) },
      ])
  }

  private mutating func values() -> Record {
    let (users, states, strips) = (differences.users, differences.states, differences.strips)
    let sections = [
      section("changed", "Changed", users.changed) { $0.user($1) },
      section("added", "Added", users.added) { $0.user($1) },
      section("removed", "Removed", users.removed) { $0.user($1) },
      section("buttons", "Buttons", states.all) { $0.button($1) },
      section("strips", "Strips", strips.all) { page, name in
        page.item(name, [], ["pictures": strips.old[name]], ["pictures": strips.new[name]])
      },
    ]
    return [
      "title": "What changed", "isEqual": .bool(differences.isEmpty),
      "oldSite": .text(old.path.printable), "newSite": .text(new.path.printable),
      "users": .text(users.new.count == 1 ? "1 user" : "\(users.new.count.grouped) users"),
      "stylesheets": [.text(Templates.styleSheetName), "diff.css"],
      "sections": .list(sections.compactMap(\.self)),
    ]
  }

  private mutating func section(
    _ id: String, _ title: String, _ names: [String],
    _ item: (_ page: inout ComparePage, _ name: String) -> Value
  ) -> Value? {
    if names.isEmpty { return nil }
    let items = names.prefix(Self.itemLimit).map { item(&self, $0) }
    return [
      "id": .text(id), "title": .text(title), "total": .text(names.count.grouped),
      "items": .list(items), "more": more(names.count - items.count),
    ]
  }

  private func more(_ count: Int) -> Value { count > 0 ? .text(count.grouped) : .absent }

  private mutating func user(_ id: String) -> Value {
    let (old, new) = (differences.users.old[id], differences.users.new[id])
    let fields = [
      field("name", old?.name, new?.name), field("status", old?.status, new?.status),
      field("reason", old?.reason, new?.reason), field("source", old?.source, new?.source),
      field("source file", old?.sourceSHA256, new?.sourceSHA256),
    ]
    return item(
      new?.name ?? old?.name ?? "", id: id, old == nil || new == nil ? [] : fields,
      old?.avatars ?? [:], new?.avatars ?? [:])
  }

  private mutating func button(_ name: String) -> Value {
    let (old, new) = (differences.states.old[name], differences.states.new[name])
    return item(
      name, [field("color", old?.color, new?.color)], ["bitmaps": old?.images],
      ["bitmaps": new?.images])
  }

  private mutating func item(
    _ name: String, id: String? = nil, _ fields: [Value?],
    _ old: [String: [PublishedAssets.Image]?],
    _ new: [String: [PublishedAssets.Image]?]
  ) -> Value {
    let styles = Changes(old.compactMapValues(\.self), new.compactMapValues(\.self))
    let pictures: [Value] = styles.all.prefix(Self.styleLimit).map { style in
      let (old, new) = (styles.old[style] ?? [], styles.new[style] ?? [])
      let sides = [
        side("Old", old, unlike: new, self.old), side("New", new, unlike: old, self.new),
      ]
      return ["name": .text(style.printable), "sides": .list(sides.compactMap(\.self))]
    }
    return [
      "name": .text(name.printable), "id": Value(id?.printable),
      "fields": .list(fields.compactMap(\.self)), "pictures": .list(pictures),
      "more": more(styles.all.count - pictures.count),
    ]
  }

  private func field(_ name: String, _ old: String?, _ new: String?) -> Value? {
    if old == new { return nil }
    return [
      "name": .text(name), "isColor": .bool(name == "color"),
      "old": Value(old?.printable), "new": Value(new?.printable),
    ]
  }

  /// Returns the largest picture that the other side lacks, or else the largest of all.
  private mutating func side(
    _ label: String, _ images: [PublishedAssets.Image], unlike other: [PublishedAssets.Image],
    _ site: Folder
  ) -> Value? {
    let changed = images.filter { !other.contains($0) }
    let image = (changed.isEmpty ? images : changed).max {
      ($0.width, $0.format) < ($1.width, $1.format)
    }
    guard let image else { return nil }
    if shown[image.path] == nil, Self.bytes(of: image, in: site) != nil {
      shown[image.path] = (image, site)
    }
    func points(_ pixels: Int32) -> Value {
      .number(max(Int(Double(pixels) / max(image.scale, 1 / 64)), 1))
    }
    return [
      "label": .text(label), "src": Value(shown[image.path] == nil ? nil : image.path),
      "width": points(image.width), "height": points(image.height),
      "pixels": .text("\(image.width) × \(image.height)"),
      "bytes": .text(Self.text(ofBytes: image.bytes)),
    ]
  }

  /// Formats a size in decimal units: `812 B`, `4.9 kB`, `12 MB`.
  private static func text(ofBytes bytes: Int) -> String {
    let (unit, name) =
      bytes < 1_000 ? (1.0, "B") : bytes < 1_000_000 ? (1e3, "kB") : (1e6, "MB")
    return "\(((Double(bytes) / unit * 10).rounded() / 10).plain) \(name)"
  }

  /// Returns nil if the file is missing, is a symlink, or does not match the digest in its name.
  private static func bytes(of image: PublishedAssets.Image, in site: Folder) -> [UInt8]? {
    guard pictureBytes.contains(image.bytes), Digest(assetPath: image.path)?.hex == image.sha256,
      let file = try? site.open(beneath: image.path, followingLinks: false),
      let bytes = try? file.readBytes(upTo: image.bytes), Digest(of: bytes).hex == image.sha256
    else { return nil }
    return bytes
  }
}
