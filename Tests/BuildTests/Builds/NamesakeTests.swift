import SiteSupport

struct NamesakeTests {
  /// M29, M25: the output stores the ids, but not the email addresses.
  @Test func `people with the same name keep their ids across builds`() throws {
    let site = try TestSite()
    try site.folder.write(
      "version: 1\navatars: [{ \(TestSite.small) }]\nusers: { from: t.csv }\nfallback: [initials]\n",
      to: site.manifest)
    func build(_ numbers: [Int]) throws -> (ids: [String], written: Int) {
      let rows = numbers.map { "Ada Sample,\($0)@sample.example\n" }.joined()
      try site.put(Array("Name,E-Mail\n\(rows)".utf8), at: "t.csv")
      let written = try site.build().report.counters.written
      let lines = try site.text(".sitegen-ids").split(separator: "\n").dropFirst()
      let ids = lines.map { String($0.dropFirst(3)) }
      #expect(try Set(site.assets().users.keys) == Set(ids))
      return (ids, written)
    }
    #expect(try build([1, 2]).ids == ["ada-sample", "ada-sample-2"])
    let file = try site.folder.read("output/.sitegen-ids")
    #expect(String(decoding: file, as: UTF8.self).contains(" ada-sample-2\n"))
    #expect(file.count == "sitegen-ids 1\n00 ada-sample\n00 ada-sample-2\n".utf8.count)
    #expect(try build([1, 2]).written == 0)
    #expect(try build([2]).ids == ["ada-sample-2"])
    #expect(try build([3, 2]).ids == ["ada-sample", "ada-sample-2"])
    #expect(try build([2, 3]).ids == ["ada-sample-2", "ada-sample"])
    // Without the output, only the order remains. People with explicit ids need no id file.
    try site.folder.remove("output")
    #expect(try build([2, 3]).ids == ["ada-sample", "ada-sample-2"])
    try site.put(Array("id,name\na,Ada Sample\nb,Ada Sample\n".utf8), at: "t.csv")
    try site.build { $0.allowShrink = true }
    #expect(!FileManager.default.fileExists(atPath: site.folder.path(of: "output/.sitegen-ids")))
  }
}
