import Mustache

/// A list that is cut into pages.
struct Pagination {
  /// From 1.
  var current: Int
  var total: Int
  /// From the output folder, by number.
  var path: (_ page: Int) -> String

  /// How many pages a list takes, at least one.
  static func count(of items: Int, size: Int) -> Int { max(1, (items + size - 1) / size) }

  /// What templates make links of; absent where there is only one page.
  func value(root: String) -> Value {
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
      if page > last + 1 { items.append(["isGap": true]) }
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
