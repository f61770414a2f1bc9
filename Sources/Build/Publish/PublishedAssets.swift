import Diagnostics
import Files
import Foundation

/// A site's `assets.json`, which is untrusted.
package struct PublishedAssets: Decodable, Sendable {
  package struct User: Decodable, Hashable, Sendable {
    package var name, status: String
    package var reason, source, sourceSHA256: String?
    package var avatars: [String: [Image]]
  }

  package struct State: Decodable, Hashable, Sendable {
    package var color: String
    package var images: [Image]
  }

  package struct Image: Decodable, Hashable, Sendable {
    package var format, path, sha256: String
    package var scale: Double
    package var width, height: Int32
    package var bytes: Int
  }

  package var users: [String: User]
  package var buttons: [String: [String: [String: State]]]
  package var strips: [String: [Image]]?
  private var version: Int

  static let name = "assets.json"
  private static let byteLimit = 1 << 30

  package init(in site: String) throws(BuildFailure) {
    let path = "\(site)/\(Self.name)"
    let bytes: Data
    do throws(FileError) {
      bytes = try Folder(opening: site).open(beneath: Self.name).read(upTo: Self.byteLimit)
    } catch {
      throw .usage(
        .siteUnreadable, "cannot read \(path)", note: error.explanation,
        help: "choose a folder written by `sitegen build`")
    }
    let file = try? JSONDecoder().decode(Self.self, from: bytes)
    guard let file, file.version == 1 else {
      throw .usage(
        .siteNotOurs, "cannot read \(path): it is not a valid \(Self.name)",
        help: "build the site again")
    }
    self = file
  }

  package var states: [String: State] {
    var all: [String: State] = [:]
    for (button, appearances) in buttons {
      for (appearance, states) in appearances {
        for (state, value) in states { all["\(button), \(appearance), \(state)"] = value }
      }
    }
    return all
  }
}
