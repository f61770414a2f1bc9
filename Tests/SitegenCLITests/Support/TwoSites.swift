import TestSupport

/// A built site and a second manifest to replace it.
struct TwoSites {
  let site = SiteFolder()
  let old: Tree
  /// The result of an undisturbed build of the second manifest.
  let new: Tree

  private static let style =
    #"{"name": "s", "size": 8, "shape": "circle", "scales": [1, 2], "formats": ["webp", "png"]}"#

  /// Builds both sites; `warm` keeps the second site's images, and `more` extends both manifests.
  init(warm: Bool = false, more: String = "") throws {
    for number in 0..<6 {
      let picture = TestPicture.png(width: 20 + number, height: 24) { x, y in
        TestPicture.Pixel(UInt8(x * 9), UInt8(y * 7), UInt8(number * 40))
      }
      try site.write(picture: picture, to: "\(number).png")
    }
    try Self.write(0..<4, title: "Before", more, in: site)
    #expect(try site.build().status == 0)
    old = site.tree()
    try Self.write(2..<6, title: "After", more, in: site)
    let cache = warm ? ".sitegen" : "other"
    #expect(try site.build("--output", "undisturbed", "--cache", cache).status == 0)
    new = site.tree("undisturbed")
    try site.folder.remove("undisturbed")
    if !warm { try site.folder.remove("other") }
    try site.folder.makeFolder("kept")
    for name in ["output", ".sitegen"] { try copy(name, to: "kept/" + name) }
  }

  func reset() throws {
    for name in ["output", ".sitegen"] {
      if site.folder.exists(name) { try site.folder.remove(name) }
      try copy("kept/" + name, to: name)
    }
  }

  /// The problems in the output after a disturbed build of the second site.
  var flaws: [String] { site.tree().flaws(between: old, and: new) }

  /// Builds again and returns the differences from the second site.
  func differencesAfterNextBuild() throws -> [String] {
    let run = try site.build()
    guard run.status == 0 else { return ["status \(run.status ?? -1): \(run.err)"] }
    return site.tree().differences(from: new) + site.tree(".sitegen").unfinished
  }

  private static func write(
    _ pictures: Range<Int>, title: String, _ more: String, in site: SiteFolder
  ) throws {
    try site.write(
      users: pictures.map { ("user \($0)", ["\($0).png"]) }, style: style,
      more: #""site": {"title": "\#(title)"},"# + more)
  }

  private func copy(_ name: String, to newName: String) throws {
    try FileManager.default.copyItem(
      atPath: site.folder.path(of: name), toPath: site.folder.path(of: newName))
  }
}
