import Files
import Foundation
import Imaging
import Store
import Workers

/// Makes the pictures of files that have changed before anything else is looked at.
///
/// Somebody who has saved a picture looks at the page. What the whole build will find out about
/// everyone, this finds out about those few who show that file; the build then finds their images
/// in the store.
struct Express {
  private let place: Workplace
  private let last: Resident.Last

  /// More people than these are better served by the whole build.
  private static let crowd = 64

  init(_ place: Workplace, _ last: Resident.Last) {
    self.place = place.urgent
    self.last = last
  }

  /// - Parameter changes: Absolute paths of what may have changed.
  /// - Throws: What keeps any picture from being rendered.
  /// - Returns: Old paths of images and new ones; empty when more than pictures has changed.
  func swaps(_ changes: Set<String>) throws -> [String: String] {
    guard last.inputs.hold else { return [:] }
    let users = users(of: files(changes))
    guard !users.isEmpty, users.count <= Self.crowd else { return [:] }
    place.pool.supply(last.provisions.supplies)
    let content = try Studio.content(
      of: users, in: last.content.manifest, place: place, provisions: last.provisions,
      fingerprint: last.fingerprint)
    var swaps: [String: String] = [:]
    for (number, user) in users.enumerated() {
      for style in content.styles(of: number) {
        let old = last.content.records(of: user, style: style)
        let new = content.records(of: number, style: style)
        guard old.count == new.count else { continue }
        for (old, new) in zip(old, new) where old.path != new.path { swaps[old.path] = new.path }
      }
    }
    return swaps
  }

  /// What has changed, as users name it.
  private func files(_ changes: Set<String>) -> Set<String> {
    let root = URL(fileURLWithPath: place.manifestFolder.path).standardizedFileURL.path + "/"
    return Set(changes.map { $0.hasPrefix(root) ? String($0.dropFirst(root.count)) : $0 })
  }

  private func users(of files: Set<String>) -> [Int] {
    let users = last.content.manifest.users
    return users.indices.filter { user in
      users[user].avatars.contains { avatar in
        guard case .file(let path) = avatar.kind else { return false }
        return files.contains(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
      }
    }
  }
}

extension Studio {
  /// Some users and nobody else, with all their pictures, or with those of some styles.
  ///
  /// - Throws: What keeps any picture from being rendered.
  static func content(
    of users: [Int], _ styles: [Int]? = nil, in manifest: Manifest, place: Workplace,
    provisions: Provisions, fingerprint: Fingerprint
  ) throws -> SiteContent {
    var few = manifest
    few.users = users.map { manifest.users[$0] }
    if let styles { for user in few.users.indices { few.users[user].styles = styles } }
    few.exports = Exports()
    var studio = try Studio(
      place, manifest: few, provisions: provisions, fingerprint: fingerprint)
    try studio.settleEveryone()
    return studio.content
  }
}
