/// The files that `gallery.js` loads beside the pages; none where there is nobody to be found.
struct FindingData: Sendable {
  let gallery: GalleryPages

  var pages: [Site.Page] {
    guard !gallery.content.manifest.users.isEmpty else { return [] }
    let details = PersonDetails(gallery: gallery)
    let index = SearchIndex(content: gallery.content, tags: gallery.tagBook)
    var pages = (1...gallery.pageCount).map { page in
      Site.Page(path: GalleryPaths.details(page: page)) { try details.write(page: page, $0) }
    }
    pages += (1...index.partCount).map { part in
      Site.Page(path: GalleryPaths.search(part: part)) { try index.write(part: part, $0) }
    }
    return pages + [Site.Page(path: GalleryPaths.search) { try index.writeHead($0) }]
  }
}
