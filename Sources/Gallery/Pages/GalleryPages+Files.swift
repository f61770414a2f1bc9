import Manifest
import Plan

extension GalleryPages {
  /// Every page of the gallery, in the order of publishing.
  ///
  /// People come first, then lists of them, `index.html` last. Pages lead to each other in circles, so
  /// a new one may lead to another that is not placed yet; but `index.html` leads to none of those.
  var pages: [Site.Page] {
    var pages: [Site.Page] = []
    func add(_ path: String, _ bytes: @escaping @Sendable () throws -> [UInt8]) {
      pages.append(Site.Page(path: path) { try $0(try bytes()) })
    }
    if content.manifest.pages.people {
      for (index, user) in content.manifest.users.enumerated() {
        add(GalleryPaths.person(user.id)) { try writePerson(index) }
      }
    }
    if hasStylePages {
      for (style, hidden) in shelves.hidden.enumerated() where !hidden.isEmpty {
        let name = content.manifest.styles[style].name
        for page in pageNumbers(of: hidden.count) {
          add(GalleryPaths.style(name, page: page)) { try write(style: style, page: page) }
        }
      }
      add(GalleryPaths.styles) { try writeStyles() }
    }
    if hasTagPages {
      for tag in tagBook.tags {
        for page in pageNumbers(of: tag.users.count) {
          add(GalleryPaths.tag(tag.name, page: page)) { try write(tag, page: page) }
        }
      }
      for page in pageNumbers(of: tagBook.tags.count, size: Self.tagsOnPage) {
        add(GalleryPaths.tags(page: page)) { try writeTags(page: page) }
      }
    }
    if hasButtons { add(GalleryPaths.buttons) { try writeButtons() } }
    for page in pageNumbers(of: content.manifest.users.count) {
      add(GalleryPaths.people(page: page)) { try write(page: page) }
    }
    return pages
  }

  /// Of a list with so many items, the last page first: it is reached from the others.
  private func pageNumbers(
    of items: Int, size: Int? = nil
  ) -> ReversedCollection<ClosedRange<Int>> {
    (1...Pagination.count(of: items, size: size ?? pageSize)).reversed()
  }
}
