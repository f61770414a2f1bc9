import Diagnostics
import Files
import Foundation
import Gallery
import Manifest
import Mustache
import Plan
import Recipes
import Store

/// The page of differences: what changed, old beside new.
struct ComparePage {
  static let templateName = "diff"
  /// So many users are shown in all; of those added or removed no more than a fifth each, if
  /// others want the room.
  static let userLimit = 500
  private static let sideLimit = Differences.sideLimit
  /// So many styles of a user are shown with pictures.
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
  private let old: Folder
  private let new: Folder

  init(_ differences: Differences, old: Folder, new: Folder) {
    self.differences = differences
    self.old = old
    self.new = new
  }

  /// The whole folder: pictures, style sheets, and at last the page that names them.
  func site(_ look: PageTemplate) throws -> Site {
    var shelf = PictureShelf(old: old, new: new)
    let page = try look.fill(with: values(&shelf))
    let pages =
      shelf.pages + [
        Site.Page(path: Templates.styleSheetName) { try $0(look.gallerySheet) },
        Site.Page(path: "diff.css") { try $0(look.styleSheet) },
        Site.Page(path: "index.html") { try $0(page) },
      ]
    return Site(images: [], pages: pages)
  }

  private func values(_ shelf: inout PictureShelf) -> Record {
    let added = min(differences.added.count, Self.sideLimit)
    let removed = min(differences.removed.count, Self.sideLimit)
    let shown = differences.changed.prefix(Self.userLimit - added - removed)
    let changed = shown.map { user($0.old, $0.new, $0.fields, $0.styles, &shelf) }
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
      "strips": strips(&shelf),
      "others": differences.others.isEmpty
        ? .absent : .text(differences.others.map(\.quoted).joined(separator: ", ").printable),
      "changed": section(changed, differences.changedCount),
      "added": section(
        differences.added.prefix(added).map { user(nil, $0, [], [], &shelf) },
        differences.addedCount),
      "removed": section(
        differences.removed.prefix(removed).map { user($0, nil, [], [], &shelf) },
        differences.removedCount),
    ]
  }

  private func section(_ items: [Value], _ count: Int) -> Value {
    guard count > 0 else { return .absent }
    let left = count - items.count
    return [
      "total": .text(Figures.count(count)), "items": .list(items),
      "more": left > 0 ? .text(Figures.count(left)) : .absent,
    ]
  }

  // MARK: Summary

  private var figures: [Value] {
    let all = [
      (differences.changedCount, "changed", "changed", "#changed"),
      (differences.addedCount, "added", "added", "#added"),
      (differences.removedCount, "removed", "removed", "#removed"),
      (
        differences.buttons.count,
        differences.buttons.count == 1 ? "state of a button" : "states of buttons", "other",
        "#buttons"
      ),
      (
        differences.strips.count, differences.strips.count == 1 ? "strip" : "strips", "other",
        "#strips"
      ),
    ]
    return all.enumerated().filter { $0.offset < 3 || $0.element.0 > 0 }.map { _, figure in
      [
        "value": .text(Figures.count(figure.0)), "name": .text(figure.1),
        "class": .text(figure.2), "text": figure.0 > 0 ? .text(figure.3) : .absent,
      ]
    }
  }

  /// Whether every change was looked at, so that counting them tells the truth.
  private var isComplete: Bool { differences.changedCount == differences.changed.count }

  private var statuses: Value {
    var counts: [UserChange.Field: Int] = [:]
    for change in differences.changed {
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
    for change in differences.changed {
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
    _ changes: [PictureChange], _ shelf: inout PictureShelf
  ) -> Value {
    var changes = changes
    if old == nil || new == nil {
      // All its styles came or went.
      changes =
        (old ?? new)?.avatars.map { style, images in
          PictureChange(style, old == nil ? [] : images, new == nil ? [] : images)
        } ?? []
    }
    var styles: [Value] = []
    for change in changes.prefix(Self.styleLimit) { styles.append(picture(change, &shelf)) }
    let left = changes.count - styles.count
    let isSame = old != nil && new != nil && changes.isEmpty && fields.isEmpty
    return [
      "id": .text((new ?? old)?.id.printable), "name": .text((new ?? old)?.name.printable),
      "isAdded": .bool(old == nil), "isRemoved": .bool(new == nil),
      "fields": .list(
        fields.map {
          [
            "name": .text($0.name), "old": .text($0.old.printable), "new": .text($0.new.printable),
          ]
        }),
      "styles": .list(styles),
      "more": left > 0 ? .text(Figures.count(left, "style")) : .absent,
      // The digest of its source, perhaps, or where it was cropped: nothing that can be shown.
      "others": .bool(isSame),
    ]
  }

  private func strips(_ shelf: inout PictureShelf) -> Value {
    guard !differences.strips.isEmpty else { return .absent }
    var items: [Value] = []
    for strip in differences.strips.prefix(Self.sideLimit) { items.append(picture(strip, &shelf)) }
    return section(items, differences.strips.count)
  }

  private func picture(_ change: PictureChange, _ shelf: inout PictureShelf) -> Value {
    [
      "name": .text(change.name.printable),
      "old": value(change.oldPicture, isOld: true, &shelf),
      "new": value(change.newPicture, isOld: false, &shelf),
      "rows": .list(
        change.rows.map { row in
          [
            "scale": .text(row.variant.scale.plain + "x"),
            "format": .text(row.variant.format), "old": value(row.old), "new": value(row.new),
            "difference": Value(difference(row)),
          ]
        }),
    ]
  }

  private func value(
    _ image: ComparedImage?, isOld: Bool, _ shelf: inout PictureShelf
  ) -> Value {
    guard let image else { return .absent }
    var values = facts(image)
    let isThere = shelf.take(image, isOld: isOld)
    values["isMissing"] = .bool(!isThere)
    values["src"] = .text(image.path)
    values["width"] = .number(max(Int((Double(image.width) / image.scale).rounded()), 1))
    values["height"] = .number(max(Int((Double(image.height) / image.scale).rounded()), 1))
    return .record(values)
  }

  private func value(_ image: ComparedImage?) -> Value {
    image.map { .record(facts($0)) } ?? .absent
  }

  private func facts(_ image: ComparedImage) -> Record {
    [
      "pixels": .text("\(image.width) × \(image.height)"),
      "bytes": .text(Figures.bytes(image.bytes)),
      "hash": .text(String(image.digest.hex.prefix(8))),
      "scale": .text(image.scale.plain + "x"),
      "format": .text(image.format.rawValue),
    ]
  }

  /// `+1.2 kB`; nil for what is only on one side, or has the same size.
  private func difference(_ row: PictureChange.Row) -> String? {
    guard let old = row.old, let new = row.new, old.bytes != new.bytes else { return nil }
    return (new.bytes > old.bytes ? "+" : "−") + Figures.bytes(abs(new.bytes - old.bytes))
  }

  private var buttons: Value {
    guard !differences.buttons.isEmpty else { return .absent }
    let shown = differences.buttons.prefix(Self.sideLimit)
    return section(
      shown.map { button in
        [
          "name": .text(button.name.printable),
          "old": button.old.map { ["color": .text($0.hex)] } ?? .absent,
          "new": button.new.map { ["color": .text($0.hex)] } ?? .absent,
          "images": .bool(button.bitmapsChanged),
        ]
      }, differences.buttons.count)
  }
}

extension Value {
  /// Text, or `absent` for nil.
  fileprivate static func text(_ text: String?) -> Value { Value(text) }
}
