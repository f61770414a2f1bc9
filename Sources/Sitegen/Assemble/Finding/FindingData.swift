/// The scripts of finding and what they load beside the pages; none where there is nobody to be found.
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
    pages.append(Site.Page(path: GalleryPaths.search) { try index.writeHead($0) })
    let templates = gallery.templates
    return pages + [
      Site.Page(path: Templates.findScriptName) { try $0(templates.findScript) },
      Site.Page(path: Templates.detailScriptName) { try $0(templates.detailScript) },
    ]
  }
}
