import Files
import Foundation
import Recipes
import Samples
import TestSupport
import Testing
import Workers

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
    #expect(abs(share { $0.liesOnItsSide } - 0.106) < 0.03)
  }

  @Test func `everyone is plainly a sample`() throws {
    for site in [mock(1000, 0), .starter] {
      let manifest = try #require(site.texts.last).text
      let names = manifest.split(separator: "\n").filter { $0.hasPrefix("    name: ") }
      #expect(names.count >= 6)
      #expect(names.allSatisfy { $0.hasPrefix("    name: Sample ") })
    }
  }

  @Test func `the manifest is written last and what a picture costs is one call`() throws {
    let folder = TemporaryFolder()
    try SampleSite.mock(
      MockOptions(
        users: 3, images: 2, seed: 1, size: PixelSize(width: 12, height: 9), formats: .png)
    ).write(
      to: Folder(making: folder.path),
      encode: { request in
        #expect(!FileManager.default.fileExists(atPath: folder.path(of: "manifest.yaml")))
        return Data("\(request.recipes[0].frame.box.width)".utf8)
      },
      forEach: { count, body in
        for index in 0..<count { try body(index) }
      })
    #expect(
      FileManager.default.contents(atPath: folder.path(of: "avatars/1.png")) == Data("12".utf8))
    #expect(FileManager.default.fileExists(atPath: folder.path(of: "manifest.yaml")))
  }

  @Test func `a site that fails has no manifest`() throws {
    struct Full: Error {}
    let folder = TemporaryFolder()
    #expect(throws: Full.self) {
      try mock(2, 2).write(
        to: Folder(making: folder.path), encode: { _ in throw Full() },
        forEach: { count, body in
          for index in 0..<count { try body(index) }
        })
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path(of: "manifest.yaml")))
  }
}
