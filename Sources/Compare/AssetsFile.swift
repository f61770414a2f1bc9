import Build
import Diagnostics
import Files
import Foundation

/// The `assets.json` of a site, which may come from anywhere.
struct AssetsFile: Decodable, Sendable {
  struct User: Decodable, Hashable, Sendable {
    var name, status: String
    var reason, source, sourceSHA256: String?
    /// By style.
    var avatars: [String: [Image]]
  }

  struct State: Decodable, Hashable, Sendable {
    var color: String
    var images: [Image]
  }

  struct Image: Decodable, Hashable, Sendable {
    var format, path, sha256: String
    var scale: Double
    var width, height: Int32
    var bytes: Int
  }

  var users: [String: User]
  var buttons: [String: [String: [String: State]]]
  var strips: [String: [Image]]?
  private var version: Int

  static let name = "assets.json"
  private static let byteLimit = 1 << 30

  /// - Throws: `BuildFailure.usage` if there is no such file, or if no build can have written it.
  init(in site: String) throws(BuildFailure) {
    let path = "\(site)/\(Self.name)"
    let bytes: Data
    do throws(FileError) {
      bytes = try Folder(opening: site).open(beneath: Self.name).read(upTo: Self.byteLimit)
    } catch {
      throw .usage(
        Diagnostic(
          .error, .siteUnreadable, "cannot read \(path)", note: error.explanation,
          help: "name a folder that `sitegen build` has written"))
    }
    let file = try? JSONDecoder().decode(Self.self, from: bytes)
    guard let file, file.version == 1 else {
      throw .usage(
        Diagnostic(
          .error, .siteNotOurs, "cannot read \(path): it does not have the form of an \(Self.name)",
          help: "build the site again"))
    }
    self = file
  }

  /// The states of all buttons, by `name, appearance, state`.
  var states: [String: State] {
    var all: [String: State] = [:]
    for (button, appearances) in buttons {
      for (appearance, states) in appearances {
        for (state, value) in states { all["\(button), \(appearance), \(state)"] = value }
      }
    }
    return all
  }
}
