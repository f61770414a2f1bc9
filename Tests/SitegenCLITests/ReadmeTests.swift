import Glibc
import TestSupport

struct ReadmeTests {
  private static let root = Checkout.root

  /// Returns the arguments of every sitegen command on the page, in order.
  private func commands() throws -> [[String]] {
    let start = "    swift run sitegen "
    return try Checkout.text(of: "README.md").split(separator: "\n").filter { $0.hasPrefix(start) }
      .map { line in
        line.dropFirst(start.count).split(separator: " ").prefix { $0 != "#" }.map(String.init)
      }
  }

  @Test func `all commands in the readme work in the given order`() throws {
    let commands = try commands()
    let page = try Checkout.text(of: "README.md")
    #expect(page.contains("    script/build ") && page.contains("    script/test "))
    #expect(commands.count >= 3)
    let folder = TemporaryFolder()
    for name in ["content", "templates"] {
      try FileManager.default.copyItem(
        at: Self.root.appendingPathComponent(name),
        to: URL(fileURLWithPath: folder.path(of: name)))
    }
    let photo = Self.root.appendingPathComponent("content/avatars/otter.jpg")
    try folder.write(Data(contentsOf: photo), to: "photos/sample-otter.jpg")
    try folder.write("name,photo\nSample Otter,photos/sample-otter.jpg\n", to: "team.csv")
    for words in commands {
      if words == ["serve"] {
        try serve(in: folder)
      } else {
        let run = try sitegen(words, in: folder)
        #expect(run.status == 0 && !run.err.contains("warning"), "\(words): \(run.err)")
        if words == ["build"] { #expect(run.err == "") }
      }
    }
    let sample = try JSONDecoder().decode(AssetsFile.self, from: folder.read("output/assets.json"))
    #expect(sample.users.count >= 24)
    for (id, user) in sample.users {
      #expect(["file", "initials", "identicon"].contains(user.source), "\(id)")
    }
    for site in ["mysite", "photos-site", "team.csv-site"] {
      #expect(folder.exists("\(site)/output/index.html"))
    }
  }

  /// Serves the site until the page is received, then sends Ctrl-C.
  private func serve(in folder: TemporaryFolder) throws {
    let program = try RunningProgram(sitegen: ["serve"], in: folder.path)
    #expect(try Visitor(program).get("").status == 200)
    program.send(SIGINT)
    #expect(try program.ending().status == 130)
  }
}
