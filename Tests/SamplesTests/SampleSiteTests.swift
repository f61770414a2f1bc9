import Files
import Foundation
import Recipes
import Samples
import TestSupport
import Testing

struct SampleSiteTests {
  private func mock(_ users: Int, _ images: Int, seed: UInt64 = 1) -> SampleSite {
    .mock(MockOptions(users: users, images: images, seed: seed))
  }

  private func text(_ site: SampleSite, _ path: String) -> String? {
    site.texts.first { $0.path == path }?.text
  }

  @Test func `the same seed describes the same site`() {
    let (first, second, other) = (mock(50, 20), mock(50, 20), mock(50, 20, seed: 2))
    #expect(first.texts.map(\.text) == second.texts.map(\.text))
    #expect((0..<20).allSatisfy { first.picture($0) == second.picture($0) })
    #expect((0..<20).contains { first.picture($0).portrait != other.picture($0).portrait })
  }

  @Test func `a picture is the same in a larger site`() {
    let (small, large) = (mock(10, 10), mock(12, 12))
    #expect((0..<10).allSatisfy { small.picture($0).portrait == large.picture($0).portrait })
  }

  @Test func `every path of the manifest is a picture and every picture has a user`() throws {
    let site = mock(40, 7)
    let manifest = try #require(text(site, "manifest.yaml"))
    let named = manifest.split(separator: "\n").filter { $0.hasPrefix("    avatar: ") }
      .map { String($0.dropFirst(12)) }
    #expect(named.count == 40)
    #expect(Set(named) == Set((0..<7).map { site.picture($0).path }))
  }

  @Test func `long lists of users are a table`() throws {
    let site = mock(1001, 1)
    #expect(text(site, "manifest.yaml")?.contains("users: { from: users.csv }\n") == true)
    let rows = try #require(text(site, "users.csv")).split(separator: "\n")
    #expect(rows.count == 1002)
    #expect(rows[0] == "id,name,avatar,background,title,tags")
    #expect(
      rows.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 6 })
    #expect(Set(rows.map { $0.prefix { $0 != "," } }).count == 1002)
    #expect(mock(1000, 1).texts.count == 1)
  }

  @Test func `no folder gets more than a thousand pictures`() {
    let site = mock(2500, 2500)
    var counts: [String: Int] = [:]
    for index in 0..<2500 {
      let path = site.picture(index).path
      counts[(path as NSString).deletingLastPathComponent, default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 <= 1000 })
    #expect(counts.values.reduce(0, +) == 2500)
  }

  @Test func `the mix is that of uploads`() {
    let site = mock(2000, 2000)
    let pictures = (0..<2000).map { site.picture($0) }
    func share(_ matches: (SamplePicture) -> Bool) -> Double {
      Double(pictures.filter(matches).count) / 2000
    }
    #expect(abs(share { $0.format == .jpeg } - 0.85) < 0.03)
    #expect(abs(share { $0.format == .png } - 0.10) < 0.03)
    #expect(abs(share { $0.orientation == .quarterTurn } - 0.106) < 0.03)
  }

  @Test func `everyone is plainly a sample`() throws {
    for site in [mock(1000, 0), .showcase, .starter] {
      let manifest = try #require(site.texts.last).text
      let names = manifest.split(separator: "\n").filter { $0.hasPrefix("    name: ") }
      #expect(names.count >= 6)
      // Both words mean the same.
      #expect(
        names.allSatisfy { $0.hasPrefix("    name: Sample ") || $0.hasPrefix("    name: 見本 ") })
    }
  }

  @Test func `the demonstration shows every kind of picture`() throws {
    let site = SampleSite.showcase
    let pictures = (0..<site.pictureCount).map { site.picture($0) }
    let manifest = try #require(text(site, "manifest.yaml"))
    #expect(manifest.split(separator: "\n").count { $0.hasPrefix("  - id: ") } >= 24)
    #expect(Set(pictures.map(\.format)) == Set(OutputFormat.allCases))
    #expect(pictures.contains { $0.size.width > $0.size.height })
    #expect(pictures.contains { $0.size.height > $0.size.width })
    #expect(pictures.contains { $0.size.width <= 40 })
    #expect(pictures.contains { $0.isTransparent })
    #expect(pictures.contains { $0.isGrey })
    #expect(Set(pictures.map(\.orientation)).count >= 4)
    #expect(Set(pictures.map(\.path)).count == pictures.count)
    // Those without a picture are drawn, or one colour, or nobody.
    for avatar in ["initials", "identicon", "color:"] {
      #expect(manifest.contains("    avatar: \(avatar)"))
    }
    let people = manifest.components(separatedBy: "  - id: ").dropFirst()
    #expect(people.contains { !$0.contains("avatar:") && !$0.contains("background:") })
  }

  @Test func `the manifest is written last and what a picture costs is one call`() throws {
    let folder = TemporaryFolder()
    let encoder = PictureEncoder { drawing, _, _ in
      #expect(!FileManager.default.fileExists(atPath: folder.path(of: "manifest.yaml")))
      return Data("\(drawing.size.width)".utf8)
    }
    try SampleSite.mock(
      MockOptions(
        users: 3, images: 2, seed: 1, size: PixelSize(width: 12, height: 9), formats: .png)
    ).write(to: Folder(making: folder.path), encoder: encoder) { count, body in
      for index in 0..<count { try body(index) }
    }
    #expect(
      FileManager.default.contents(atPath: folder.path(of: "avatars/1.png")) == Data("12".utf8))
    #expect(FileManager.default.fileExists(atPath: folder.path(of: "manifest.yaml")))
  }

  @Test func `a site that fails has no manifest`() throws {
    struct Full: Error {}
    let folder = TemporaryFolder()
    #expect(throws: Full.self) {
      try mock(2, 2).write(
        to: Folder(making: folder.path), encoder: PictureEncoder { _, _, _ in throw Full() }
      ) { count, body in
        for index in 0..<count { try body(index) }
      }
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "manifest.yaml")))
  }
}
