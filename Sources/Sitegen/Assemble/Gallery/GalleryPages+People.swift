import Imaging
import Mustache

extension GalleryPages {
  /// Pictures of the first people of a page are fetched at once, the others when they come near.
  private static let eagerPeople = 12

  func person(_ user: Int, place: Int, root: String) -> Value {
    let person = content.manifest.users[user]
    let status = content.cast.status(of: user)
    let hasPicture = content.cast.roles[user].source != nil
    let styles = content.styles(of: user)
    return [
      "anchor": .text(Self.anchor("person", of: person.id)),
      "name": .text(person.name),
      "title": Value(person.title),
      "link": Value(person.link),
      "tags": person.tags.isEmpty
        ? .absent
        : [
          "items": .list(person.tags.map(Value.text)),
          "text": .text(person.tags.joined(separator: ", ")),
        ],
      "status": .text(status.rawValue),
      "isOK": .bool(status == .ok),
      "isFallback": .bool(status == .fallback),
      "isStale": false,
      "isSkipped": .bool(status == .skipped),
      "isFailed": .bool(status == .failed),
      "reason": Value(reason(of: user)),
      "avatars": hasPicture
        ? .list(
          styles.enumerated().map { number, style in
            avatar(
              of: user, style: style, root: root, isFirst: number == 0,
              isLazy: place >= Self.eagerPeople)
          })
        : .absent,
      "placeholders": hasPicture
        ? .absent
        : .list(
          styles.map { style in
            [
              "style": .text(content.manifest.styles[style].name),
              "width": .number(layoutWidth(of: style)),
              "height": .number(layoutHeight(of: style)),
            ]
          }),
    ]
  }

  /// Why a picture is not what was asked for, in words; the codes are in `assets.json`.
  private func reason(of user: Int) -> String? {
    guard let code = content.cast.reason(of: user) else { return nil }
    guard let id = DiagnosticID(rawValue: code) else { return "none was named" }
    let sentence = id.meaning
    return sentence.prefix(1).lowercased() + sentence.dropFirst().dropLast()
  }

  /// One `<picture>`: a `<source>` for each format, the `<img>` for browsers that know none.
  private func avatar(
    of user: Int, style: Int, root: String, isFirst: Bool, isLazy: Bool
  ) -> Value {
    let records = content.records(of: user, style: style)
    let formats = content.manifest.styles[style].formats
    // PNG and JPEG are read everywhere, so one of them is the `<img>` if there is any.
    let last = formats.last { $0 != .webp } ?? formats.last ?? .png
    func set(_ format: OutputFormat) -> String {
      records.filter { $0.variant.format == format }
        .map { "\(root)\($0.path) \(JSONBytes.text(of: $0.variant.scale))x" }
        .joined(separator: ", ")
    }
    let fallback = records.filter { $0.variant.format == last }
    let plain = fallback.first { $0.variant.scale >= 1 } ?? fallback.last
    let name = content.manifest.users[user].name
    return [
      "style": .text(content.manifest.styles[style].name),
      "sources": .list(
        formats.filter { $0 != last }.map {
          ["type": .text($0.mimeType), "srcset": .text(set($0))]
        }),
      "src": .text(plain.map { root + $0.path } ?? ""),
      "srcset": .text(set(last)),
      "width": .number(layoutWidth(of: style)),
      "height": .number(layoutHeight(of: style)),
      "alt": .text(isFirst ? name : ""),
      "isLazy": .bool(isLazy),
      "placeholder": content.placeholder(of: user, style: style).map { placeholder in
        ["color": .text(placeholder.colorText), "thumbhash": .text(placeholder.thumbHashText)]
      } ?? .absent,
    ]
  }

  /// Of the canvas: CSS pixels are points; pages want whole ones.
  private func layoutWidth(of style: Int) -> Int {
    let inset = content.looks.plans[style].inset
    return Int(content.manifest.styles[style].width.rounded()) + inset.left + inset.right
  }

  private func layoutHeight(of style: Int) -> Int {
    let inset = content.looks.plans[style].inset
    return Int(content.manifest.styles[style].height.rounded()) + inset.top + inset.bottom
  }

  /// An HTML id for the id of a user, or the name of anything else.
  static func anchor(_ kind: String, of id: String) -> String {
    "\(kind)-\(GalleryPaths.slug(of: id))"
  }
}
