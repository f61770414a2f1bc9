import Build
import Diagnostics
import Files

/// All that two sites have differently, read in one walk over both.
///
/// Users are sorted by id in both files, so each is held only while it is compared.
struct Differences: Sendable {
  /// Of those added or removed, which are only shown.
  static let sideLimit = 100

  var changed = Excerpt<UserChange>(limit: 5_000, byteLimit: 64 << 20)
  var added = Excerpt<ComparedUser>(limit: sideLimit, byteLimit: JSONStream.valueLimit)
  var removed = Excerpt<ComparedUser>(limit: sideLimit, byteLimit: JSONStream.valueLimit)
  /// How many users the new site has.
  var newUsers = 0
  var buttons: [ButtonChange] = []
  var strips: [PictureChange] = []
  /// Keys of the file that this sitegen does not know, and whose values differ.
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
        preconditionFailure("taken by the case of what was removed")
      }
    }
  }

  /// Compares what stands beside the users.
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
