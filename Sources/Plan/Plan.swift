package import Manifest

/// What must be there in the end: pure bookkeeping, nothing outside is touched.
package struct Plan: Sendable {
  /// One source and the looks that its users want.
  package struct Item: Sendable, Hashable {
    package var source: Int
    /// Numbers of looks, ascending.
    package var looks: [Int]

    /// The same without the looks that are known already.
    package func without(_ isKnown: (_ source: Int, _ look: Int) -> Bool) -> Item {
      Item(source: source, looks: looks.filter { !isKnown(source, $0) })
    }
  }

  /// In the order of the first user who needs a source; one for each.
  package var items: [Item] = []
  /// Images wanted by users, before equal ones are made one.
  package var wanted = 0

  /// Plans for the users who are pending; the others have what they need.
  ///
  /// - Parameters:
  ///   - assignment: Who has which source.
  ///   - users: Whom the assignment is of.
  ///   - looks: Gets the looks that these users turn out to need.
  ///   - sources: What the assignment's sources are numbers of.
  package init(
    _ assignment: SourceAssignment, users: [User], looks: inout StyleVariants, sources: SourceSet
  ) {
    var places: [Int: Int] = [:]
    /// Of sources whose users do not all want the same.
    var mixed: [Int: Set<Int>] = [:]
    for user in assignment.pending {
      guard let source = assignment.assignments[user].source else { continue }
      let own = looks.add(users[user], sources.sources[source])
      wanted += own.reduce(0) { $0 + looks.plan(of: $1).picture.count }
      if let place = places[source] {
        if items[place].looks != own {
          mixed[place, default: Set(items[place].looks)].formUnion(own)
        }
      } else {
        places[source] = items.count
        items.append(Item(source: source, looks: own.sorted()))
      }
    }
    for (place, looks) in mixed { items[place].looks = looks.sorted() }
  }
}
