import Build
import Bytes
import Diagnostics
import Files
import Foundation
import Gallery
import Manifest
import Mustache
import Plan
import Recipes

/// The page of differences: what changed, old beside new.
struct ComparePage {
  static let templateName = "diff"
  /// Users on the page; at most a fifth of them are added ones, and a fifth removed ones.
  private static let userLimit = 500
  private static let sideLimit = Differences.sideLimit
  /// Styles of a user with pictures.
  private static let styleLimit = 8

  /// Every name that the template can use.
  static let vocabulary: Set<String> = [
    "added", "buttons", "bytes", "changed", "class", "color", "count", "difference", "fields",
    "figures", "format", "hash", "height", "id", "images", "isAdded", "isEqual", "isMissing",
    "isRemoved", "items", "more", "name", "new", "newSite", "number", "old", "oldSite", "others",
    "pixels", "removed", "rows", "scale", "src", "statuses", "strips", "styles", "stylesheets",
    "text", "title", "total", "users", "value", "width",
  ]

  let differences: Differences
  let old: Folder
  let new: Folder

  /// The whole folder: pictures, style sheets, and at last the page that names them.
  func site(_ template: PageTemplate) throws -> Site {
    var pictures = ShownPictures(old: old, new: new)
    let page = try template.fill(with: values(&pictures))
    let pages =
      pictures.pages + [
        Site.Page(path: Templates.styleSheetName) { try $0(template.gallerySheet) },
        Site.Page(path: "diff.css") { try $0(template.styleSheet) },
        Site.Page(path: "index.html") { try $0(page) },
      ]
    return Site(images: [], pages: pages)
  }

  private func values(_ pictures: inout ShownPictures) -> Record {
    let added = differences.added.items
    let removed = differences.removed.items
    let changed = differences.changed.items.prefix(Self.userLimit - added.count - removed.count).map
    {
      user($0.old, $0.new, $0.fields, $0.styles, &pictures)
    }
    return [
      "title": "What changed",
      "isEqual": .bool(differences.isEmpty),
      "oldSite": .text(old.path.printable), "newSite": .text(new.path.printable),
      "users": .text(Figures.count(differences.newUsers, "user")),
      "stylesheets": [.text(Templates.styleSheetName), "diff.css"],
      "figures": .list(figures),
      "statuses": statuses,
      "styles": styles,
      "buttons": buttons,
      "strips": section(
        differences.strips.prefix(Self.sideLimit).map { picture($0, &pictures) },
        of: differences.strips.count),
      "others": differences.others.isEmpty
        ? .absent : .text(differences.others.map(\.quoted).joined(separator: ", ").printable),
      "changed": section(changed, of: differences.changed.count),
      "added": section(
        added.map { user(nil, $0, [], [], &pictures) }, of: differences.added.count),
      "removed": section(
        removed.map { user($0, nil, [], [], &pictures) }, of: differences.removed.count),
    ]
  }

  /// The items that are shown, and how many there are; absent without any.
  private func section(_ items: [Value], of count: Int) -> Value {
    guard count > 0 else { return .absent }
    let left = count - items.count
    return [
      "total": .text(Figures.count(count)), "items": .list(items),
      "more": left > 0 ? .text(Figures.count(left)) : .absent,
    ]
  }

  // MARK: Summary

  private var figures: [Value] {
    let buttons = differences.buttons.count
    let strips = differences.strips.count
    let all = [
      (differences.changed.count, "changed", "changed", "#changed"),
      (differences.added.count, "added", "added", "#added"),
      (differences.removed.count, "removed", "removed", "#removed"),
      (buttons, buttons == 1 ? "state of a button" : "states of buttons", "other", "#buttons"),
      (strips, strips == 1 ? "strip" : "strips", "other", "#strips"),
    ]
    return all.enumerated().filter { $0.offset < 3 || $0.element.0 > 0 }.map { _, figure in
      [
        "value": .text(Figures.count(figure.0)), "name": .text(figure.1),
        "class": .text(figure.2), "text": figure.0 > 0 ? .text(figure.3) : .absent,
      ]
    }
  }

  /// Whether every change is known, so that counts of them are true.
  private var isComplete: Bool {
    differences.changed.count == differences.changed.items.count
  }

  private var statuses: Value {
    var counts: [UserChange.Field: Int] = [:]
    for change in differences.changed.items {
      for field in change.fields where field.name == "status" { counts[field, default: 0] += 1 }
    }
    guard isComplete, !counts.isEmpty else { return .absent }
    return [
      "items": .list(
        counts.sorted { ($1.value, $0.key.old, $0.key.new) < ($0.value, $1.key.old, $1.key.new) }
          .map {
            [
              "old": .text($0.key.old.printable), "new": .text($0.key.new.printable),
              "count": .text(Figures.count($0.value)),
            ]
          })
    ]
  }

  private var styles: Value {
    var counts: [String: Int] = [:]
    for change in differences.changed.items {
      for style in change.styles { counts[style.name, default: 0] += 1 }
    }
    guard isComplete, !counts.isEmpty else { return .absent }
    return [
      "items": .list(
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(24).map {
          ["name": .text($0.key.printable), "count": .text(Figures.count($0.value, "user"))]
        })
    ]
  }

  // MARK: Users

  private func user(
    _ old: ComparedUser?, _ new: ComparedUser?, _ fields: [UserChange.Field],
    _ changes: [PictureChange], _ pictures: inout ShownPictures
  ) -> Value {
    var changes = changes
    if old == nil || new == nil {
      // All its styles came or went.
      changes =
        (old ?? new)?.avatars.map { style, images in
          PictureChange(style, old == nil ? [] : images, new == nil ? [] : images)
        } ?? []
    }
    let styles = changes.prefix(Self.styleLimit).map { picture($0, &pictures) }
    let left = changes.count - styles.count
    let isSame = old != nil && new != nil && changes.isEmpty && fields.isEmpty
    return [
      "id": Value((new ?? old)?.id.printable), "name": Value((new ?? old)?.name.printable),
      "isAdded": .bool(old == nil), "isRemoved": .bool(new == nil),
      "fields": .list(
        fields.map {
          [
            "name": .text($0.name), "old": .text($0.old.printable), "new": .text($0.new.printable),
          ]
        }),
      "styles": .list(styles),
      "more": left > 0 ? .text(Figures.count(left, "style")) : .absent,
      // Its source's digest or its crop may differ, which cannot be shown.
      "others": .bool(isSame),
    ]
  }

  // MARK: Pictures

  private func picture(_ change: PictureChange, _ pictures: inout ShownPictures) -> Value {
    [
      "name": .text(change.name.printable),
      "old": picture(change.oldPicture, isOld: true, &pictures),
      "new": picture(change.newPicture, isOld: false, &pictures),
      "rows": .list(
        change.rows.map { row in
          [
            "scale": .text(row.variant.scale.plain + "x"),
            "format": .text(row.variant.format),
            "old": row.old.map { .record(facts($0)) } ?? .absent,
            "new": row.new.map { .record(facts($0)) } ?? .absent,
            "difference": Value(difference(row)),
          ]
        }),
    ]
  }

  private func picture(
    _ image: ComparedImage?, isOld: Bool, _ pictures: inout ShownPictures
  ) -> Value {
    guard let image else { return .absent }
    func points(_ pixels: Int32) -> Value {
      .number(max(Int((Double(pixels) / image.scale).rounded()), 1))
    }
    var values = facts(image)
    values["isMissing"] = .bool(!pictures.add(image, isOld: isOld))
    values["src"] = .text(image.path)
    values["width"] = points(image.asset.width)
    values["height"] = points(image.asset.height)
    return .record(values)
  }

  private func facts(_ image: ComparedImage) -> Record {
    [
      "pixels": .text("\(image.asset.width) × \(image.asset.height)"),
      "bytes": .text(Figures.bytes(Int(image.asset.bytes))),
      "hash": .text(String(image.asset.digest.hex.prefix(8))),
      "scale": .text(image.scale.plain + "x"),
      "format": .text(image.format.rawValue),
    ]
  }

  /// `+1.2 kB`; nil for what is only on one side, or has the same size.
  private func difference(_ row: PictureChange.Row) -> String? {
    guard let old = row.old?.asset.bytes, let new = row.new?.asset.bytes, old != new else {
      return nil
    }
    return (new > old ? "+" : "−") + Figures.bytes(Int(abs(new - old)))
  }

  private var buttons: Value {
    section(
      differences.buttons.prefix(Self.sideLimit).map { button in
        [
          "name": .text(button.name.printable),
          "old": button.old.map { ["color": .text($0.hex)] } ?? .absent,
          "new": button.new.map { ["color": .text($0.hex)] } ?? .absent,
          "images": .bool(button.bitmapsChanged),
        ]
      }, of: differences.buttons.count)
  }
}

/// The pictures that a page shows, each checked before the page names it.
struct ShownPictures {
  private let old: Folder
  private let new: Folder
  /// By path; the folder is nil where the file is missing, or is not what its name says.
  private var found: [String: (image: ComparedImage, folder: Folder?)] = [:]

  init(old: Folder, new: Folder) {
    self.old = old
    self.new = new
  }

  /// Whether the picture can be shown; it is then among `pages`.
  mutating func add(_ image: ComparedImage, isOld: Bool) -> Bool {
    let path = image.path
    if found[path]?.folder != nil { return true }
    let folder = isOld ? old : new
    let isSound = (try? Self.read(image, in: folder) { _ in }) == true
    found[path] = (image, isSound ? folder : nil)
    return isSound
  }

  /// Every picture that can be shown, by path.
  var pages: [Site.Page] {
    found.sorted { $0.key < $1.key }.compactMap { path, picture in
      guard let folder = picture.folder else { return nil }
      return Site.Page(path: path) { [image = picture.image] emit in
        guard try Self.read(image, in: folder, emit) else {
          throw BuildFailure.machine(
            Diagnostic(
              .error, .machineFailed, "\(folder.path)/\(path) changes while it is read",
              help: "compare again when nothing writes to it"))
        }
      }
    }
  }

  /// Reads a picture piece by piece, never through a link.
  ///
  /// - Returns: Whether it has the size and the digest that its site promises.
  private static func read(
    _ image: ComparedImage, in folder: Folder, _ emit: ([UInt8]) throws -> Void
  ) throws -> Bool {
    let asset = image.asset
    let file = try folder.open(beneath: image.path, followingLinks: false)
    guard file.size == asset.bytes else { return false }
    var stream = DigestStream()
    var offset: Int64 = 0
    while offset <= asset.bytes {
      let chunk = try file.readChunk(at: offset)
      if chunk.isEmpty { break }
      stream.update(chunk)
      try emit(chunk)
      offset += Int64(chunk.count)
    }
    return stream.finish() == asset.digest
  }
}
