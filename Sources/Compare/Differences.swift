import Build

struct Differences: Sendable {
  let users: Changes<PublishedAssets.User>
  let states: Changes<PublishedAssets.State>
  let strips: Changes<[PublishedAssets.Image]>

  init(_ old: PublishedAssets, _ new: PublishedAssets) {
    users = Changes(old.users, new.users)
    states = Changes(old.states, new.states)
    strips = Changes(old.strips ?? [:], new.strips ?? [:])
  }

  var isEmpty: Bool { users.all.isEmpty && states.all.isEmpty && strips.all.isEmpty }
}

/// Both sites' items, keyed by name, and the sorted names of the items that differ.
struct Changes<Value: Equatable & Sendable>: Sendable {
  let old, new: [String: Value]
  let changed, added, removed: [String]

  init(_ old: [String: Value], _ new: [String: Value]) {
    (self.old, self.new) = (old, new)
    changed = old.filter { new[$0.key] != nil && new[$0.key] != $0.value }.keys.sorted()
    added = new.keys.filter { old[$0] == nil }.sorted()
    removed = old.keys.filter { new[$0] == nil }.sorted()
  }

  var all: [String] { (changed + added + removed).sorted() }
}
