package import Manifest

/// What must be there in the end: pure bookkeeping, nothing outside is touched.
package struct Plan: Sendable {
  /// One source and the variants that its users want.
  package struct Item: Sendable, Hashable {
    package var source: Int
    /// Ascending numbers.
    package var variants: [Int]

    package var slots: [SlotID] { variants.map { SlotID(source: source, variant: $0) } }
  }

  /// In the order of the first user who needs a source; one for each.
  package var items: [Item] = []
  /// Images wanted by users, before equal ones are made one.
  package var wanted = 0

  /// Plans for the users who are pending; the others have what they need.
  ///
  /// `variants` gets the variants that these users turn out to need.
  package init(
    _ assignment: SourceAssignment, users: [User], variants: inout StyleVariants,
    sources: SourceSet
  ) {
    var indices: [Int: Int] = [:]
    /// Of sources whose users do not all want the same.
    var mixed: [Int: Set<Int>] = [:]
    for user in assignment.pending {
      guard let source = assignment.assignments[user].source else { continue }
      let own = variants.add(users[user], sources.sources[source])
      wanted += own.reduce(0) { $0 + variants.plan(of: $1).picture.count }
      if let index = indices[source] {
        if items[index].variants != own {
          mixed[index, default: Set(items[index].variants)].formUnion(own)
        }
      } else {
        indices[source] = items.count
        items.append(Item(source: source, variants: own.sorted()))
      }
    }
    for (index, variants) in mixed { items[index].variants = variants.sorted() }
  }
}
