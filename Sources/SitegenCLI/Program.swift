package import Build
import Diagnostics
import Files
import Foundation
import Store

package enum Program {
  /// The shell command that starts this program again: its path or, in the package, `swift run`.
  static var command: String {
    let path = CommandLine.arguments.first ?? "sitegen"
    let isDebugBuild = path.contains(".build/") && path.contains("/debug/")
    let isRun = isDebugBuild && FileManager.default.fileExists(atPath: "Package.swift")
    return isRun ? "swift run sitegen" : path.shellWord
  }

  package static func run(_ words: [String], _ session: Session) -> ExitStatus {
    do throws(Diagnostic) {
      switch try Invocation(words) {
      case .run(let command, let arguments): return try command.run(arguments, session)
      case .help(let command, let isShort):
        session.console.out((command.map { HelpPage($0, isShort: isShort) } ?? HelpPage()).text)
        return .success
      case .nothing:
        session.console.err(HelpPage().text)
        return .usage
      }
    } catch {
      Printer(session.console).problem(error)
      return .usage
    }
  }
}

extension Programs {
  /// The programs next to this executable; nil without `/proc`.
  static let besideThis =
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    .map { Programs(beside: $0) }

  /// The fallback is never used: `main` exits if `besideThis` is nil.
  package static var own: Programs { besideThis ?? Programs(beside: "/nonexistent") }
}

extension BuildOptions {
  /// The folders that a build writes to; for a missing folder, its nearest existing parent.
  var writable: [String] {
    let site = shard == nil ? [output, cache] : [cache]
    var folders = site.compactMap { try? Folder.nearest(to: $0).folder.path }
    if let store, store.mode.writes { folders += store.writable }
    return folders
  }
}

extension SharedStore.Location {
  /// The store's folder; empty if it is missing, because sitegen never creates stores.
  var writable: [String] { (try? Folder(opening: path)).map { [$0.path] } ?? [] }
}

extension String {
  var absolutePath: String { URL(fileURLWithPath: self).standardizedFileURL.path }
}
