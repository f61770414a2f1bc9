import Build
import Diagnostics
import Files
import Recipes

/// Everything that is different between two sites, read in one walk over both.
///
/// Users are sorted by id in both files, so each is held only while it is compared.
struct Differences: Sendable {
  /// The most users that are kept of those added, and of those removed.
  static let sideLimit = 100

  var changed = Excerpt<UserChange>(limit: 5_000, byteLimit: 64 << 20)
  var added = Excerpt<ComparedUser>(limit: sideLimit, byteLimit: JSONStream.valueLimit)
  var removed = Excerpt<ComparedUser>(limit: sideLimit, byteLimit: JSONStream.valueLimit)
  /// How many users the new site has.
  var newUsers = 0
  var buttons: [ButtonChange] = []
  var strips: [PictureChange] = []
  /// Unknown keys of the file whose values differ.
  var others: [String] = []

  var isEmpty: Bool {
    changed.count == 0 && added.count == 0 && removed.count == 0 && buttons.isEmpty
      && strips.isEmpty && others.isEmpty
  }

  /// - Throws: `BuildFailure.usage` for what cannot be read or makes no sense.
  init(old: Folder, new: Folder, cancellation: Cancellation) throws {
    var before = try AssetsReader(old)
    var after = try AssetsReader(new)
    try before.readHead()
    try after.readHead()
    try compareUsers(&before, &after, cancellation)
    try before.readTail()
    try after.readTail()
    try compareParts(before.parts, after.parts, before.path, after.path)
  }

  private mutating func compareUsers(
    _ old: inout AssetsReader, _ new: inout AssetsReader, _ cancellation: Cancellation
  ) throws {
    var before = try old.nextUser()
    var after = try new.nextUser()
    var steps = 0
    while true {
      if steps & 1023 == 0 { try cancellation.check() }
      steps += 1
      switch (before, after) {
      case (nil, nil):
        return
      case (let left?, let right?) where left.id == right.id:
        newUsers += 1
        if left.value != right.value {
          try changed.add(bytes: left.value.count + right.value.count) {
            UserChange(
              try ComparedUser(left, in: old.path), try ComparedUser(right, in: new.path))
          }
        }
        before = try old.nextUser()
        after = try new.nextUser()
      case (let left?, let right)
      where right.map({ left.id.lexicographicallyPrecedes($0.id) }) ?? true:
        try removed.add(bytes: left.value.count) { try ComparedUser(left, in: old.path) }
        before = try old.nextUser()
      case (_, let right?):
        newUsers += 1
        try added.add(bytes: right.value.count) { try ComparedUser(right, in: new.path) }
        after = try new.nextUser()
      case (_?, nil):
        preconditionFailure("the case of a removed user takes it")
      }
    }
  }

  /// Compares everything but the users.
  private mutating func compareParts(
    _ old: [String: [UInt8]], _ new: [String: [UInt8]], _ oldPath: String, _ newPath: String
  ) throws {
    for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
      switch name {
      case "buttons":
        let before = try ComparedState.all(old[name], in: oldPath)
        let after = try ComparedState.all(new[name], in: newPath)
        buttons = Set(before.keys).union(after.keys).sorted().compactMap { name in
          let (before, after) = (before[name], after[name])
          guard before != after else { return nil }
          return ButtonChange(
            name: name, old: before?.color, new: after?.color,
            bitmapsChanged: before?.images != after?.images)
        }
      case "strips":
        let before = try ComparedImage.strips(old[name], in: oldPath)
        let after = try ComparedImage.strips(new[name], in: newPath)
        strips = Set(before.keys).union(after.keys).sorted().compactMap { name in
          let change = PictureChange(name, before[name] ?? [], after[name] ?? [])
          return change.rows.isEmpty ? nil : change
        }
      default:
        others.append(name)
      }
    }
  }
}

/// The first of many things, as far as there is room for them, and how many there are.
struct Excerpt<Item: Sendable>: Sendable {
  private(set) var items: [Item] = []
  private(set) var count = 0
  private let limit: Int
  /// Bytes of the files that can still be kept.
  private var room: Int

  init(limit: Int, byteLimit: Int) {
    self.limit = limit
    room = byteLimit
  }

  /// Counts one, and keeps it if it fits; after the first that does not fit nothing is kept.
  mutating func add(bytes: Int, _ make: () throws -> Item) rethrows {
    count += 1
    guard count <= limit, bytes <= room else {
      room = 0
      return
    }
    room -= bytes
    items.append(try make())
  }
}

/// A user whom both sites have, with differences.
struct UserChange: Sendable {
  struct Field: Sendable, Hashable {
    var name: String
    /// Empty when there is none.
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

/// A set of images on both sides: those of a user in one style, or of a strip.
struct PictureChange: Sendable {
  /// One scale in one format.
  struct Row: Sendable, Hashable {
    var variant: ComparedImage.Variant
    var old: ComparedImage?
    var new: ComparedImage?
  }

  var name: String
  /// The rows with a difference.
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

  /// The largest scale that most screens need; of its formats the one without loss.
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
  /// Nil when the state is new.
  var old: Color?
  /// Nil when the state is gone.
  var new: Color?
  /// This can be so with the same colour.
  var bitmapsChanged: Bool
}
