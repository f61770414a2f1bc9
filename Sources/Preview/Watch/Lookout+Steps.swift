import Files

// How a path is followed from `/` on, through every link, and watched on the whole way: whoever
// renames a folder above a place, or makes a link lead elsewhere, changes what is there.
extension Lookout {
  /// Goes the way to a place anew, and tells that the place may be another one.
  mutating func resolve(_ number: Int) throws(FileError) {
    guard let place = places[number] else { return }
    let old = steps[number] ?? []
    steps[number] = []
    let kind = try goTo(place.path, number)
    for step in old.subtracting(steps[number] ?? []) {
      drop(.step(place: number, name: step.name), of: step.watch)
    }
    tell(place.path)
    let spot = Spot(place: number, path: place.path)
    if kind == .folder {
      try reconcile(spot)
    } else {
      depart(spot)
    }
  }

  /// Watches each name on the way before it looks what the name stands for.
  ///
  /// - Parameters:
  ///   - path: Absolute.
  ///   - number: Of the place.
  /// - Throws: When the system lends no more watches.
  /// - Returns: What is there at last, nil if the way ends before.
  private mutating func goTo(_ path: String, _ number: Int) throws(FileError) -> FileKind? {
    // Without links, and empty for `/`.
    var folder = ""
    var ahead = Array(path.split(separator: "/").map(String.init).reversed())
    var links = 0
    while let name = ahead.popLast() {
      if name == "." { continue }
      if name == ".." {
        folder = folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(folder[..<$0]) } ?? ""
        continue
      }
      let isLast = ahead.isEmpty
      let watch = try add(
        .step(place: number, name: name), folder.isEmpty ? "/" : folder,
        for: isLast ? .changes : .names, followingLinks: false)
      if let watch { steps[number, default: []].insert(Step(watch: watch, name: name)) }
      let path = folder + "/" + name
      // What may not be looked at is not there for us.
      switch try? root.kind(of: path) {
      case .folder:
        folder = path
      case .link:
        links += 1
        // As many as the kernel follows.
        guard links <= 40, let target = try? root.destination(of: path) else { return nil }
        if target.utf8.first == UInt8(ascii: "/") { folder = "" }
        ahead += target.split(separator: "/").map(String.init).reversed()
      case .file, .other:
        return isLast ? .file : nil
      case nil:
        return nil
      }
    }
    return .folder
  }
}
