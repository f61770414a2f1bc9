import Manifest
import Plan

/// The scripts that pages fetch when somebody needs them, and what these load; none where there is
/// nobody to be found.
struct FindingData: Sendable {
  let gallery: GalleryPages

  private var isEmpty: Bool { gallery.content.manifest.users.isEmpty }

  var scripts: [Site.Page] {
    let templates = gallery.templates
    return isEmpty
      ? []
      : [
        Site.Page(path: Templates.findScriptName) { try $0(templates.findScript) },
        Site.Page(path: Templates.detailScriptName) { try $0(templates.detailScript) },
      ]
  }

  /// It names pages.
  var data: [Site.Page] {
    guard !isEmpty else { return [] }
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
