import Recipes

/// A user whom both sites have, and not the same.
struct UserChange: Sendable {
  struct Field: Sendable, Hashable {
    var name: String
    /// Empty when there was none.
    var old: String
    var new: String
  }

  var old: ComparedUser
  var new: ComparedUser
  var fields: [Field]
  var styles: [PictureChange]

  init(_ old: ComparedUser, _ new: ComparedUser) {
    self.old = old
    self.new = new
    fields = [
      Field(name: "name", old: old.name, new: new.name),
      Field(name: "status", old: old.status, new: new.status),
      Field(name: "reason", old: old.reason ?? "", new: new.reason ?? ""),
      Field(name: "source", old: old.source ?? "", new: new.source ?? ""),
    ].filter { $0.old != $0.new }
    var names = old.avatars.map(\.style)
    names += new.avatars.map(\.style).filter { !names.contains($0) }
    styles = names.compactMap { name in
      let change = PictureChange(name, old.images(name), new.images(name))
      return change.rows.isEmpty ? nil : change
    }
  }
}

/// What became of a set of images that stand for one thing: a style of a user, a strip.
struct PictureChange: Sendable {
  /// One scale in one format.
  struct Row: Sendable, Hashable {
    var variant: ComparedImage.Variant
    var old: ComparedImage?
    var new: ComparedImage?
  }

  var name: String
  /// Only what is different.
  var rows: [Row]
  /// The pictures to show, one of each side.
  var oldPicture: ComparedImage?
  var newPicture: ComparedImage?

  init(_ name: String, _ old: [ComparedImage], _ new: [ComparedImage]) {
    self.name = name
    func byVariant(_ images: [ComparedImage]) -> [ComparedImage.Variant: ComparedImage] {
      Dictionary(images.map { ($0.variant, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (before, after) = (byVariant(old), byVariant(new))
    rows = Set(before.keys).union(after.keys).sorted().compactMap { variant in
      let row = Row(variant: variant, old: before[variant], new: after[variant])
      return row.old == row.new ? nil : row
    }
    let changedOld = rows.compactMap(\.old)
    let changedNew = rows.compactMap(\.new)
    guard let lead = Self.best(of: changedNew) ?? Self.best(of: changedOld) else { return }
    // The same scale and format on both sides, if there is such a pair.
    oldPicture = before[lead.variant] ?? Self.best(of: old)
    newPicture = after[lead.variant] ?? Self.best(of: new)
  }

  /// The largest scale that most screens need; of formats the one without loss.
  private static func best(of images: [ComparedImage]) -> ComparedImage? {
    func rank(_ image: ComparedImage) -> (Double, Int) {
      let scale = image.scale <= 2 ? image.scale : -image.scale
      let format = image.format == .png ? 2 : image.format == .webp ? 1 : 0
      return (scale, format)
    }
    return images.max { rank($0) < rank($1) }
  }
}

/// A state of a button whose colour or bitmaps changed.
struct ButtonChange: Sendable, Hashable {
  /// `primary, dark, highlighted`.
  var name: String
  /// Nil where the state is new.
  var old: Color?
  /// Nil where it is gone.
  var new: Color?
  /// The colour may be the same then.
  var bitmapsChanged: Bool
}
