import Build
import Diagnostics
import Files
import Foundation
import Gallery
import Manifest

extension Option {
  static let from = Option(
    "from", .text("PATH"), in: .own,
    "write a manifest for this list or folder of people, without an example")
}

extension Command {
  static let initialize: Command = Command(
    "init", "Write a small example site with a commented manifest",
    operands: [
      Operand(name: "DIR", help: "the new folder; if it exists, it must not contain a manifest")
    ],
    options: [.from, .quiet], exits: [3]
  ) { (arguments, session) throws(Diagnostic) in
    let folder = arguments.operands[0]
    let people = arguments.text(.from)
    let content = people == nil ? "content/" : ""
    let text =
      try people.map { (people) throws(Diagnostic) in try manifest(of: people, in: folder) }
      ?? String(decoding: PackageResources.manifest_yaml, as: UTF8.self)
    let pictures = people == nil ? examplePictures : []
    // The manifest comes last: a folder with a manifest is complete. The local schema lets editors
    // work offline.
    var files = pictures.map { (path: "content/avatars/\($0.name)", bytes: $0.bytes) }
    files += [
      (".gitignore", Array("# Made by `sitegen build`.\n/output/\n/.sitegen/\n".utf8)),
      (content + ManifestSchema.fileName, Array(ManifestSchema.text.utf8)),
      (content + "manifest.yaml", Array((ManifestSchema.line + text).utf8)),
    ]
    func isTaken(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: path(of: name, in: folder))
    }
    let taken = SiteLocation.names + (people == nil ? ["content"] : [])
    if let taken = taken.first(where: isTaken) {
      throw .usage(
        .folderTaken, "\(path(of: taken, in: folder)) exists already", "init",
        help: "name another folder; `init` never overwrites")
    }
    let printer = Printer(session.console, isQuiet: arguments.isQuiet)
    do throws(FileError) {
      let place = try Folder(making: folder)
      // An existing `.gitignore` or schema stays.
      for file in files where !isTaken(file.path) { try place.write(file.bytes, to: file.path) }
    } catch {
      printer.problem(
        Diagnostic(
          .error, .samplesUnwritable,
          "cannot \(error.operation) \(error.path): \(error.explanation)",
          help: "free some space, or name a folder that you can write to"))
      return .machine
    }
    let count = pictures.isEmpty ? "" : " and \(pictures.count) pictures"
    printer.say("wrote \(folder): a manifest\(count)")
    // Print this program's path: `swift run` starts a program that is not in PATH.
    printer.say(
      "next: \(CommandLine.arguments.first ?? "sitegen") build \(folder.shellWord), "
        + "then open \(path(of: "output/index.html", in: folder))")
    return .success
  }

  private static let examplePictures: [(name: String, bytes: [UInt8])] = [
    ("otter.jpg", PackageResources.otter_jpg),
    ("fern.png", PackageResources.fern_png), ("heron.jpg", PackageResources.heron_jpg),
    ("badger.jpg", PackageResources.badger_jpg), ("clover.webp", PackageResources.clover_webp),
  ]

  private static func path(of name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func manifest(of people: String, in folder: String) throws(Diagnostic) -> String {
    let found = try SiteLocation(path: people, manifest: nil, command: "init", mayBeMade: false)
    guard let name = found.people else {
      throw .usage(
        .badValue, "\(people.quoted) has a manifest already", "init",
        help: "name a list of people, or a folder of pictures")
    }
    var from = people
    var lines: [String] = []
    if !SiteLocation.isAddress(people) {
      let place = people.repository ?? found.folder + "../" + name
      let own = URL(fileURLWithPath: place).standardizedFileURL
        .resolvingSymlinksInPath().pathComponents
      let site = URL(fileURLWithPath: folder).resolvingSymlinksInPath().pathComponents
      let common = zip(own, site).prefix { $0 == $1 }.count
      let path = Array(repeating: "..", count: site.count - common) + own.dropFirst(common)
      from = path.isEmpty ? "." : path.joined(separator: "/")
      if people.repository != nil { from = "git:" + from }
      if common < site.count {
        lines = ["# The people are outside this folder.", "allowOutside: true", ""]
      }
    }
    lines += ["users:", "  from: \(SiteLocation.json(from))"]
    // Check offline, only to see how columns are read; the list's errors can be fixed later.
    var options = BuildOptions(jobs: 1, programs: .own, pages: GalleryMaker())
    (options.manifest, options.manifestText) = (found.manifest, found.text)
    options.fetching.offline = true
    let diagnostics: [Diagnostic]
    do {
      diagnostics = try Build(options).check().diagnostics.sorted
    } catch {
      if case .usage(let problems) = error {
        diagnostics = problems.sorted
      } else {
        diagnostics = []
      }
    }
    if let problem = diagnostics.first(where: { $0.id == DiagnosticID.listExpected.rawValue }) {
      lines.append("  # \([problem.message, problem.help ?? ""].joined(separator: "; ").printable)")
    }
    if let guess = diagnostics.first(where: { $0.message.contains(#/^\d+ (person|people) from /#) })
    {
      if let place = guess.message.firstMatch(of: /^[^"]+ at ("[\w .-]+")/) {
        lines.append("  at: \(place.1)")
      }
      // Keys from a single, differently named column; `fields` gives other characters a meaning.
      let single = /(avatar|name|title|organisation|about|tags|link) from ("[\w -]+")(?=;|$)/
      let fields = guess.message.matches(of: single).filter { "\"\($0.1)\"" != $0.2 }
      lines += ["  # \(guess.message.printable)"]
      let text = fields.map { "\($0.1): \($0.2)" }.joined(separator: ", ")
      lines += fields.isEmpty ? [] : ["  fields: { \(text) }"]
    }
    return String(decoding: PackageResources.list_yaml, as: UTF8.self)
      .replacing("TITLE", with: SiteLocation.json(found.title))
      + lines.map { $0 + "\n" }.joined()
  }
}
