import Recipes
import TestSupport

struct DemonstrationTests {
  private static let content = Checkout.root.appendingPathComponent("content")

  private static func manifest(in folder: URL = content) throws -> String {
    try String(contentsOf: folder.appendingPathComponent("manifest.yaml"), encoding: .utf8)
  }

  @Test func `the samples cover every kind of picture`() throws {
    let folder = Self.content.appendingPathComponent("avatars")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .map { try Data(contentsOf: folder.appendingPathComponent($0)) }
    let pictures = try files.map { try Inspection(inspecting: $0) }
    let manifest = try Self.manifest()
    #expect(manifest.split(separator: "\n").count { $0.hasPrefix("  - id: ") } >= 24)
    #expect(Set(pictures.map(\.format)) == [.jpeg, .png, .webp])
    #expect(pictures.contains { $0.uprightSize.width > $0.uprightSize.height })
    #expect(pictures.contains { $0.uprightSize.height > $0.uprightSize.width })
    #expect(pictures.contains { $0.size.width <= 40 })
    #expect(Set(pictures.map(\.orientation)).count >= 4)
    // Byte 25 is the PNG colour type, here with alpha. A grey JPEG has one component.
    #expect(zip(files, pictures).contains { $1.format == .png && [4, 6].contains($0[25]) })
    #expect(zip(files, pictures).contains { $1.format == .jpeg && Self.components($0) == 1 })
    for avatar in ["initials", "identicon"] { #expect(manifest.contains("    avatar: \(avatar)")) }
  }

  @Test(arguments: [("content", 24), ("Sources/SitegenCLI/Commands/starter", 6)])
  func `all sample people are recognizable as samples`(folder: String, count: Int) throws {
    let manifest = try Self.manifest(in: Checkout.root.appendingPathComponent(folder))
    let names = manifest.split(separator: "\n").filter { $0.hasPrefix("    name: ") }
    #expect(names.count >= count)
    // The Japanese word means "sample".
    #expect(names.allSatisfy { $0.hasPrefix("    name: Sample ") || $0.hasPrefix("    name: 見本 ") })
  }

  private static func components(_ file: Data) -> Int? {
    var position = 2
    while position + 9 < file.count {
      let marker = file[position + 1]
      if marker == 0xC0 || marker == 0xC2 { return Int(file[position + 9]) }
      position += 2 + Int(file[position + 2]) * 256 + Int(file[position + 3])
    }
    return nil
  }
}
