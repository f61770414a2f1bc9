import Diagnostics
import Foundation
import Manifest
import Samples

extension Option {
  static let from = Option(
    "from", .text("PATH"), "write no example, but the manifest of a list or a folder of people")
}

extension Command {
  static let initialize: Command = Command(
    "init", "Write a small example that builds, with a manifest that explains itself",
    operands: [
      Operand(name: "DIR", help: "where to put it; the folder may exist, but has no manifest yet")
    ],
    options: [.from, .directory, .quiet],
    notes: [
      "Nothing is overwritten. `init --from PATH DIR` writes what `build PATH` assumes, for you to "
        + "change."
    ]
  ) { (arguments, session) throws(Diagnostic) in
    let folder = arguments.operands[0]
    var site = SampleSite.starter
    if let people = arguments.text(.from) {
      site.texts.removeAll { $0.path != ".gitignore" }
      site.texts.append(("manifest.yaml", try manifest(of: people, in: folder)))
      site.pictureCount = 0
    }
    // With the schema beside it an editor needs no network.
    let schema = site.addSchema()
    func isTaken(_ name: String) -> Bool {
      FileManager.default.fileExists(atPath: path(of: name, in: folder))
    }
    let taken = SiteLocation.names + (site.pictureCount > 0 ? ["content"] : [])
    if let taken = taken.first(where: isTaken) {
      throw .usage(
        .folderTaken, "\(path(of: taken, in: folder)) is there already", "init",
        help: "name another folder; nothing is ever overwritten")
    }
    // Whoever has one knows what belongs into it.
    site.texts.removeAll { [".gitignore", schema].contains($0.path) && isTaken($0.path) }
    let status = SampleWriting(
      site: site, folder: folder, jobs: 1,
      meter: ProgressMeter(session.console, style: .none), console: session.console
    ).run(arguments.volume)
    if status == .success {
      let output = "then open \(path(of: "output/index.html", in: folder))"
      // Not everybody has it in PATH: `swift run` starts it by its path.
      let program = CommandLine.arguments.first ?? "sitegen"
      Printer(session.console, volume: arguments.volume)
        .say("next: \(program) build \(folder), \(output)")
    }
    return status
  }

  private static func path(of name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }

  private static func manifest(of people: String, in folder: String) throws(Diagnostic) -> String {
    if SiteLocation.isAddress(people) { return SiteLocation.manifest(of: people) }
    guard
      FileManager.default.fileExists(atPath: SiteLocation.pattern(in: people)?.folder ?? people)
    else {
      throw .usage(
        .badValue, "there is no \(people.quoted)", "init",
        help: "name a list of people, or a folder of pictures")
    }
    let own = URL(fileURLWithPath: people).resolvingSymlinksInPath().pathComponents
    let site = URL(fileURLWithPath: folder).resolvingSymlinksInPath().pathComponents
    let common = zip(own, site).prefix { $0 == $1 }.count
    let path = Array(repeating: "..", count: site.count - common) + own.dropFirst(common)
    return SiteLocation.manifest(
      of: path.isEmpty ? "." : path.joined(separator: "/"), isOutside: common < site.count)
  }
}

extension SampleSite {
  /// Puts the schema of the manifest beside it, and its name into the first line; returns its path.
  fileprivate mutating func addSchema() -> String? {
    guard let index = texts.firstIndex(where: { $0.path.hasSuffix("manifest.yaml") }) else {
      return nil
    }
    let path = texts[index].path.replacing("manifest.yaml", with: ManifestSchema.fileName)
    texts[index].text = ManifestSchema.line + texts[index].text
    // Written before the manifest, which comes last.
    texts.insert((path, ManifestSchema.text), at: index)
    return path
  }
}
