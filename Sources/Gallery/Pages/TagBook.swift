import Manifest

/// Every tag, and who has it.
struct TagBook: Sendable {
  struct Tag: Sendable {
    var name: String
    /// Ascending.
    var users: [Int32] = []
  }

  /// The most used first, then by the bytes of their names.
  let tags: [Tag]
  private let places: [String: Int]

  init(_ users: [User]) {
    var numbers: [String: Int] = [:]
    var tags: [Tag] = []
    for (index, user) in users.enumerated() {
      for name in user.tags {
        let number = numbers[name] ?? tags.count
        if number == tags.count {
          numbers[name] = number
          tags.append(Tag(name: name))
        }
        tags[number].users.append(Int32(index))
      }
    }
    self.tags = tags.sorted { left, right in
      left.users.count == right.users.count
        ? AssetsJSON.precedes(left.name, right.name) : left.users.count > right.users.count
    }
    places = Dictionary(
      self.tags.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// A tag by its name.
  subscript(name: String) -> Tag? { places[name].map { tags[$0] } }
}
