import Mustache

extension GalleryPages {
  func pageCount(of items: Int, size: Int? = nil) -> Int {
    let size = size ?? pageSize
    return max(1, (items + size - 1) / size)
  }

  /// Returns the page numbers in publishing order: last to first, as all pages link to the last.
  func pageNumbers(of items: Int, size: Int? = nil) -> ReversedCollection<ClosedRange<Int>> {
    (1...pageCount(of: items, size: size)).reversed()
  }

  func pagination(
    of items: Int, size: Int? = nil, _ current: Int, path: (_ page: Int) -> String
  ) -> Value {
    let total = pageCount(of: items, size: size)
    guard total > 1 else { return .absent }
    let root = GalleryPaths.root(of: path(current))
    func link(_ page: Int) -> Value {
      [
        "number": .number(page), "href": .text(root + path(page)),
        "isCurrent": .bool(page == current), "isGap": false,
      ]
    }
    var links: [Value] = []
    var last = 0
    for page in [1] + Array(max(2, current - 2)...max(2, current + 2)) + [total]
    where page > last && page <= total {
      // Link to a single skipped page instead of showing a gap.
      if page == last + 2 { links.append(link(last + 1)) }
      if page > last + 2 { links.append(["isGap": true]) }
      links.append(link(page))
      last = page
    }
    return [
      "current": .number(current),
      "previous": current > 1 ? link(current - 1) : .absent,
      "next": current < total ? link(current + 1) : .absent,
      "items": .list(links),
    ]
  }
}
