import Foundation
import Magick
import TestSupport
import Testing

struct PrivateFolderTests {
  @Test func `a folder whose name would be two is passed over`() throws {
    let parent = TemporaryFolder()
    for (name, isTaken) in [("plain", true), ("two:names", false)] {
      let place = "\(parent.path)/\(name)"
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: false)
      let folder = try PrivateFolder(preferring: place)
      #expect(folder.path.hasPrefix(place) == isTaken)
      #expect(!folder.path.contains(":"))
    }
  }
}
