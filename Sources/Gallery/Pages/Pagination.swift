import Mustache

/// A list that is cut into pages.
enum Pagination {
  /// How many pages a list takes, at least one.
  static func count(of items: Int, size: Int) -> Int { max(1, (items + size - 1) / size) }

  /// What templates make links of.
  ///
  /// - Parameters:
  ///   - current: The page that gets them, from 1.
  ///   - total: How many there are.
  ///   - root: The way from that page to the output folder.
  ///   - path: Of a page, by number, from the output folder.
  /// - Returns: Absent where there is only one page.
  static func value(
    current: Int, total: Int, root: String, path: (_ page: Int) -> String
  ) -> Value {
    guard total > 1 else { return .absent }
    func link(_ page: Int) -> Value {
      [
        "number": .number(page),
        "href": .text(root + path(page)),
        "isCurrent": .bool(page == current),
        "isGap": false,
      ]
    }
    var items: [Value] = []
    var last = 0
    for page in [1] + Array(max(2, current - 2)...max(2, current + 2)) + [total]
    where page > last && page <= total {
      // A gap says less than the one number in it.
      if page == last + 2 { items.append(link(last + 1)) }
      if page > last + 2 { items.append(["isGap": true]) }
      items.append(link(page))
      last = page
    }
    return [
      "current": .number(current),
      "total": .number(total),
      "previous": current > 1 ? link(current - 1) : .absent,
      "next": current < total ? link(current + 1) : .absent,
      "items": .list(items),
    ]
  }
}
