/// A link on a page, and its target.
package struct PageLink: Hashable {
  package var page: String
  /// The URL as written.
  package var address: String
  /// The path relative to the output, or nil for other sites.
  package var path: String?
  package var anchor: String?
  /// Whether people can follow the link, unlike a link to a style sheet or picture.
  package var isForPeople: Bool

  init(_ address: String, on page: String, isForPeople: Bool) {
    self.page = page
    self.address = address
    self.isForPeople = isForPeople
    let parts = address.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    anchor = parts.count > 1 ? String(parts[1]) : nil
    let before = parts.first.map { String($0) } ?? ""
    if ["https:", "http:", "mailto:"].contains(where: before.hasPrefix) { return }
    path = before.isEmpty ? page : Self.resolved(before, on: page)
  }

  private static func resolved(_ address: String, on page: String) -> String {
    var parts = page.split(separator: "/").dropLast().map { String($0) }
    for part in address.split(separator: "/", omittingEmptySubsequences: false) {
      if part == ".." {
        // A page must not link above the output.
        if parts.popLast() == nil { return "outside: \(address)" }
      } else {
        parts.append(String(part))
      }
    }
    return parts.joined(separator: "/")
  }

  package static func path(of address: String, on page: String) -> String? {
    PageLink(address, on: page, isForPeople: false).path
  }
}

extension HTMLPage {
  /// Returns every URL in the attributes of this page.
  package func links(on path: String) -> [PageLink] {
    tags.flatMap { tag in
      var links = [tag["href"], tag["src"]].compactMap(\.self)
        .map { PageLink($0, on: path, isForPeople: tag.name == "a") }
      for candidate in (tag["srcset"] ?? "").split(separator: ",") {
        let address = candidate.split(separator: " ").first.map { String($0) } ?? ""
        links.append(PageLink(address, on: path, isForPeople: false))
      }
      return links
    }
  }

  package var ids: [String] { tags.compactMap { $0["id"] } }
}

extension TestSite {
  package func pageFiles() -> [String] { outputFiles().filter { $0.hasSuffix(".html") } }

  package func page(_ path: String) throws -> HTMLPage { HTMLPage(try text(path)) }

  package func pages() throws -> [String: HTMLPage] {
    var pages: [String: HTMLPage] = [:]
    for path in pageFiles() { pages[path] = try page(path) }
    return pages
  }

  /// Returns the links to missing files or ids.
  package func brokenLinks() throws -> [PageLink] {
    let files = Set(outputFiles())
    let pages = try pages()
    let ids = pages.mapValues { Set($0.ids) }
    return pages.sorted { $0.key < $1.key }.flatMap { path, page in
      page.links(on: path).filter { link in
        guard let target = link.path else { return false }
        guard files.contains(target) else { return true }
        guard let anchor = link.anchor else { return false }
        return ids[target]?.contains(anchor) != true
      }
    }
  }

  /// Returns the pages reachable from the first page without scripts, and the files they show.
  package func reachable() throws -> (pages: Set<String>, files: Set<String>) {
    let all = try pages()
    var reached: Set<String> = ["index.html"]
    var waiting = ["index.html"]
    var files: Set<String> = []
    while let path = waiting.popLast() {
      for link in all[path]?.links(on: path) ?? [] {
        guard let target = link.path else { continue }
        files.insert(target)
        if link.isForPeople, all[target] != nil, reached.insert(target).inserted {
          waiting.append(target)
        }
      }
    }
    return (reached, files)
  }
}
