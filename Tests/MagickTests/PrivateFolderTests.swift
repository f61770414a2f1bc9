import Magick
import TestSupport

struct PrivateFolderTests {
  @Test func `a folder with a colon in its path is not used`() throws {
    let parent = TemporaryFolder()
    for (name, isTaken) in [("plain", true), ("two:names", false)] {
      let place = "\(parent.path)/\(name)"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
      let folder = try PrivateFolder(preferring: place)
      #expect(folder.path.hasPrefix(place) == isTaken)
      #expect(!folder.path.contains(":"))
    }
  }

  @Test func `only folders left behind by killed workers are removed`()
    throws
  {
    let parent = TemporaryFolder()
    try parent.write("policy", to: "sitegen-policy-abcdef/policy.xml")
    try parent.write("mine", to: "sitegen/mine.txt")
    do {
      let first = try PrivateFolder(preferring: parent.path)
      let second = try PrivateFolder(preferring: parent.path)
      #expect(!parent.exists("sitegen-policy-abcdef"))
      for path in [first.path, second.path] {
        #expect(FileManager.default.fileExists(atPath: path))
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: parent.path) == ["sitegen"])
  }
}
