import Diagnostics
import Documents
import Files
import Imaging

/// All that two sites have differently, read in one walk over both.
///
/// Users are sorted by id in both files, so each is held only while it is compared; of those that
/// differ the first are kept, the others counted.
struct Differences: Sendable {
  struct Button: Sendable, Hashable {
    /// `primary, dark, highlighted`.
    var name: String
    /// Nil where the state is new.
    var old: Color?
    /// Nil where it is gone.
    var new: Color?
    /// The colour may be the same then.
    var bitmapsChanged: Bool
  }

  static let keptLimit = 5_000
  /// Of those added or removed, which are only shown.
  static let sideLimit = 100
  /// Bytes of users as they stand in the files, of which so many are kept: one user always fits.
  private static let changedBytes = 64 << 20
  private static let sideBytes = AssetsStream.valueLimit

  var changed: [UserChange] = []
  var added: [ComparedUser] = []
  var removed: [ComparedUser] = []
  var changedCount = 0
  var addedCount = 0
  var removedCount = 0
  var oldUsers = 0
  var newUsers = 0
  var buttons: [Button] = []
  var strips: [PictureChange] = []
  /// Keys of the file that this sitegen does not know, and whose values differ.
  var others: [String] = []

  private var room = (
    changed: Self.changedBytes, added: Self.sideBytes, removed: Self.sideBytes
  )

  var isEmpty: Bool {
    changedCount == 0 && addedCount == 0 && removedCount == 0 && buttons.isEmpty && strips.isEmpty
      && others.isEmpty
  }

  /// - Throws: `BuildFailure.usage` for what cannot be read or makes no sense.
  init(old: Folder, new: Folder, cancellation: Cancellation) throws {
    var before = try Side(old)
    var after = try Side(new)
    try before.readHead()
    try after.readHead()
    try compareUsers(&before, &after, cancellation)
    try before.readTail()
    try after.readTail()
    try compareParts(before.parts, after.parts, before.path, after.path)
  }

  // MARK: Users

  private mutating func compareUsers(
    _ old: inout Side, _ new: inout Side, _ cancellation: Cancellation
  ) throws {
    var before = try old.nextUser()
    var after = try new.nextUser()
    while true {
      if (oldUsers + newUsers) & 1023 == 0 { try cancellation.check() }
      switch (before, after) {
      case (nil, nil):
        return
      case (let left?, let right?) where left.id == right.id:
        oldUsers += 1
        newUsers += 1
        if left.value != right.value { try add(left, right, old.path, new.path) }
        before = try old.nextUser()
        after = try new.nextUser()
      case (let left?, let right)
      where right.map({ left.id.lexicographicallyPrecedes($0.id) }) ?? true:
        oldUsers += 1
        removedCount += 1
        if removedCount <= Self.sideLimit, Self.fits(left.value.count, in: &room.removed) {
          removed.append(try ComparedUser(left.value, id: left.id, in: old.path))
        }
        before = try old.nextUser()
      case (_, let right?):
        newUsers += 1
        addedCount += 1
        if addedCount <= Self.sideLimit, Self.fits(right.value.count, in: &room.added) {
          added.append(try ComparedUser(right.value, id: right.id, in: new.path))
        }
        after = try new.nextUser()
      case (_?, nil):
        preconditionFailure("taken by the case of what was removed")
      }
    }
  }

  private mutating func add(
    _ left: Side.User, _ right: Side.User, _ old: String, _ new: String
  ) throws {
    changedCount += 1
    guard changedCount <= Self.keptLimit,
      Self.fits(left.value.count + right.value.count, in: &room.changed)
    else { return }
    changed.append(
      UserChange(
        try ComparedUser(left.value, id: left.id, in: old),
        try ComparedUser(right.value, id: right.id, in: new)))
  }

  /// Takes the bytes off the room.
  ///
  /// What does not fit fills it: those that are kept are the first.
  private static func fits(_ bytes: Int, in room: inout Int) -> Bool {
    guard bytes <= room else {
      room = 0
      return false
    }
    room -= bytes
    return true
  }

  // MARK: The rest

  private mutating func compareParts(
    _ old: [String: [UInt8]], _ new: [String: [UInt8]], _ oldPath: String, _ newPath: String
  ) throws {
    for name in Set(old.keys).union(new.keys).sorted() where old[name] != new[name] {
      switch name {
      case "buttons":
        buttons = Self.changes(
          try ComparedButtons(old[name], in: oldPath), try ComparedButtons(new[name], in: newPath))
      case "strips":
        let before = try Self.strips(old[name], oldPath)
        let after = try Self.strips(new[name], newPath)
        strips = Set(before.keys).union(after.keys).sorted().compactMap { name in
          let change = PictureChange(name, before[name] ?? [], after[name] ?? [])
          return change.rows.isEmpty ? nil : change
        }
      default:
        others.append(name)
      }
    }
  }

  private static func strips(
    _ bytes: [UInt8]?, _ path: String
  ) throws -> [String: [ComparedImage]] {
    guard let bytes else { return [:] }
    guard let entries = try ComparedUser.node(bytes, path).entries else {
      throw BuildFailure.usage(.foreignSite(path, "the strips make no sense"))
    }
    var strips: [String: [ComparedImage]] = [:]
    for entry in entries {
      guard let images = ComparedImage.list(entry.value) else {
        throw BuildFailure.usage(.foreignSite(path, "strip \(entry.key.quoted) makes no sense"))
      }
      strips[entry.key] = images
    }
    return strips
  }

  private static func changes(_ old: ComparedButtons, _ new: ComparedButtons) -> [Button] {
    Set(old.states.keys).union(new.states.keys).sorted().compactMap { name in
      let (before, after) = (old.states[name], new.states[name])
      guard before != after else { return nil }
      return Button(
        name: name, old: before?.color, new: after?.color,
        bitmapsChanged: before?.images != after?.images)
    }
  }
}
