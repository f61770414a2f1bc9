import Bytes
import Diagnostics
import Foundation

/// The site that a scheduled job builds: what the job is called, and how its command names the site.
struct JobSite {
  /// The site's folder, then the folders that a site at this path had if its files have changed since.
  private let folders: [String]
  /// The path that the job's name has a hash of: a manifest, if it may share its folder with others.
  private let identity: String
  /// The absolute paths that a job's command may have for this site.
  private let paths: [String]

  init(_ arguments: RawArguments, mustExist: Bool) throws(Diagnostic) {
    let operand = arguments.operands.first
    let site = try SiteLocation(
      path: operand, manifest: arguments.text(.manifest), command: "schedule",
      mustExist: mustExist)
    let folder = (site.folder.isEmpty ? "." : site.folder).wholePath
    let typed = operand.map { [$0.wholePath] } ?? []
    folders = [folder] + typed.flatMap(SiteLocation.possibleFolders).map(\.wholePath)
    if site.hasCustomName {
      identity = site.manifest.wholePath
      paths = [identity]
    } else {
      identity = folder
      let names = ["content"] + SiteLocation.names
      let places = ([folder] + typed).flatMap { place in
        [place] + names.map { "\(place)/\($0)" }
      }
      paths = places + [arguments.text(.manifest)].compactMap { $0?.wholePath }
    }
  }

  var name: String { Self.name(folders[0], hashing: identity) }

  /// A name that two sites may share, if their folders have the same name.
  var plainName: String { Self.plainName(folders[0]) }

  /// Names that a job on this site may have from an earlier version, or from before its files changed.
  var otherNames: [String] {
    let names = folders.flatMap { [Self.plainName($0), Self.name($0, hashing: $0)] }
    return Set(names).subtracting([name]).sorted()
  }

  /// How jobs name this site in their commands, one way on each line.
  func commands() throws(Diagnostic) -> String {
    try RawArguments.checkWords(paths, "schedule")
    return ScheduledBuild.commands(naming: paths).joined(separator: "\n")
  }

  private static func plainName(_ folder: String) -> String {
    let name = (folder as NSString).lastPathComponent.lowercased()
    return "sitegen-" + String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" })
  }

  private static func name(_ folder: String, hashing text: String) -> String {
    "\(plainName(folder).prefix(41))-\(Digest(of: Array(text.utf8)).hex.prefix(8))"
  }
}
