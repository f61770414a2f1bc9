import Build
import TestSupport

/// Many pictures as the users of one manifest, checked in one build.
struct Portfolio {
  let site = SiteFolder()
  private(set) var pictures: [(id: String, bytes: Data)] = []
  var fileName: (_ id: String, _ number: Int) -> String = { _, number in "\(number).png" }

  mutating func add(_ id: String, _ bytes: Data) { pictures.append((id, bytes)) }

  /// Builds the pictures and checks that each user is in the result.
  func build(
    style: String = SiteFolder.smallStyle, through: [String] = [], _ words: String...
  ) throws -> Outcome {
    var users: [(id: String, avatars: [String])] = []
    for (number, picture) in pictures.enumerated() {
      let name = fileName(picture.id, number)
      try site.folder.write(picture.bytes, to: "content/" + name)
      users.append((picture.id, [name]))
    }
    try site.write(users: users, style: style)
    let run = try site.start(SiteFolder.buildWords + words, through: through).ending(within: 120)
    return Outcome(
      run: run, assets: try site.assets(), report: try site.report(), tree: site.tree())
  }

  struct Outcome {
    let run: RunningProgram.Ending
    let assets: AssetsFile
    let report: Report
    let tree: Tree
  }
}
