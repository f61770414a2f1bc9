extension HTMLPage {
  private static let void: Set<String> = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr",
  ]

  /// Returns the element names in each matching root, including the root but not templates.
  package func elements(in root: String, where isRoot: (Tag) -> Bool) -> [String] {
    var names: [String] = []
    walk { tag, parents in
      if (parents + [tag]).contains(where: { $0.name == root && isRoot($0) }) {
        names.append(tag.name)
      }
    }
    return names
  }

  /// Returns the parent of each element with this name.
  package func parents(of name: String) -> [String] {
    var names: [String] = []
    walk { tag, parents in
      if tag.name == name { names.append(parents.last?.name ?? "") }
    }
    return names
  }

  /// Visits each element with its ancestors, except inside `<template>`.
  private func walk(_ visit: (_ tag: Tag, _ parents: [Tag]) -> Void) {
    var open: [Tag] = []
    for part in parts {
      switch part {
      case .open(let tag):
        if !open.contains(where: { $0.name == "template" }) { visit(tag, open) }
        if !Self.void.contains(tag.name) { open.append(tag) }
      case .close(let name):
        guard let index = open.lastIndex(where: { $0.name == name }) else { continue }
        open.removeSubrange(index...)
      case .text, .comment: break
      }
    }
  }
}
