/// The scripts in `data/`, parsed as `gallery.js` receives them.
package struct FindingFiles {
  package struct Line: Hashable {
    package var name: String
    package var title: String
    package var tags: [String]
    package var status: String
    package var folded: String?
  }

  package typealias Mapping = [String: Any]

  package let head: Mapping
  /// The lines from all parts, in order.
  package private(set) var lines: [Line] = []
  package private(set) var people: [Mapping] = []
  package private(set) var pageSizes: [Int] = []
  package private(set) var partSizes: [Int] = []

  package init(_ site: TestSite) throws {
    head = try #require(
      Self.arguments(of: "sitegen.search", in: site.text("data/search.js")).first as? Mapping)
    let parts = try #require(head["chunks"] as? Int)
    for number in 1...parts {
      let arguments = try Self.arguments(
        of: "sitegen.index", in: site.text("data/search-\(number).js"))
      try #require(arguments.count == 2 && arguments[0] as? Int == number)
      let lines = try #require(arguments[1] as? String).components(separatedBy: "\n")
      partSizes.append(lines.count)
      for line in lines { try self.lines.append(Self.line(line)) }
    }
    let pages = site.outputFiles().filter { $0.hasPrefix("data/people-") }
    for number in 1...pages.count {
      let arguments = try Self.arguments(
        of: "sitegen.people", in: site.text("data/people-\(number).js"))
      try #require(arguments.count == 2 && arguments[0] as? Int == number)
      let people = try #require(arguments[1] as? [Mapping])
      pageSizes.append(people.count)
      self.people += people
    }
  }

  private static func line(_ text: String) throws -> Line {
    let fields = text.components(separatedBy: "\t")
    try #require(fields.count == 4 || fields.count == 5, "\(text)")
    return Line(
      name: fields[0], title: fields[1],
      tags: fields[2].isEmpty ? [] : fields[2].components(separatedBy: "\u{C}"),
      status: fields[3], folded: fields.count == 5 ? fields[4] : nil)
  }

  /// Parses the arguments of a script that consists of one function call.
  package static func arguments(of function: String, in script: String) throws -> [Any] {
    try #require(script.hasPrefix(function + "(") && script.hasSuffix(");\n"))
    let list = "[" + script.dropFirst(function.count + 1).dropLast(3) + "]"
    // Older JavaScript ends a string at a line separator, and `<` could close the script element.
    let forbidden: [Unicode.Scalar] = ["<", "\u{2028}", "\u{2029}"]
    #expect(!list.unicodeScalars.contains(where: forbidden.contains))
    return try #require(JSONSerialization.jsonObject(with: Data(list.utf8)) as? [Any])
  }
}
