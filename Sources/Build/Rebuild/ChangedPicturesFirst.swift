import Bytes
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Workers

/// Makes the pictures of changed files before the rest of the build.
///
/// Somebody who has saved a picture looks at the page. This builds only the few users who show that
/// file; the build then finds their images in the store.
struct ChangedPicturesFirst {
  private let context: BuildContext
  private let last: BuildCache.Last

  /// With more users than these, the whole build is as quick.
  private static let crowd = 64

  init(_ context: BuildContext, _ last: BuildCache.Last) {
    self.context = context.urgent
    self.last = last
  }

  /// Makes the pictures that cards show, then the others; nothing if more than pictures has changed.
  ///
  /// `changes` are absolute paths; `tell` gets the new paths of images by the old ones.
  ///
  /// - Throws: Whatever prevents all rendering.
  func run(_ changes: Set<String>, tell: ([String: String]) -> Void) throws {
    guard last.inputs.hold else { return }
    let users = users(of: files(changes))
    guard !users.isEmpty, users.count <= Self.crowd else { return }
    context.pool.supply(last.resources.supplies, draws: last.resources.draws)
    let shown = Set(users.flatMap { last.content.shownStyles(of: $0) })
    let rest = Set(users.flatMap { last.content.styles(of: $0) }).subtracting(shown)
    for styles in [shown, rest] where !styles.isEmpty {
      let swaps = try swaps(of: users, styles.sorted())
      if !swaps.isEmpty { tell(swaps) }
    }
  }

  private func swaps(of users: [Int], _ styles: [Int]) throws -> [String: String] {
    let content = try BuildStages.content(
      of: users, styles, in: last.content.manifest, context: context, resources: last.resources,
      fingerprint: last.fingerprint)
    var swaps: [Digest: (old: String, new: String)] = [:]
    for (number, user) in users.enumerated() {
      for style in content.styles(of: number) {
        let old = last.content.records(of: user, style: style)
        let new = content.records(of: number, style: style)
        guard old.count == new.count else { continue }
        for (old, new) in zip(old, new) where old.path != new.path {
          swaps[old.asset.digest] = (old.path, new.path)
        }
      }
    }
    if swaps.isEmpty { return [:] }
    for digest in kept(swaps.keys, by: users) { swaps[digest] = nil }
    return Dictionary(swaps.values.map { ($0.old, $0.new) }) { first, _ in first }
  }

  /// Images that other users show, too: a page cannot tell whose they are.
  private func kept(
    _ digests: Dictionary<Digest, (old: String, new: String)>.Keys, by users: [Int]
  ) -> Set<Digest> {
    let changed = Set(users)
    var kept: Set<Digest> = []
    var seen: Set<SlotID> = []
    for user in last.content.manifest.users.indices where !changed.contains(user) {
      for style in last.content.styles(of: user) {
        guard let slot = last.content.slot(of: user, style: style), seen.insert(slot).inserted,
          let assets = last.content.rendered.assets(of: slot)
        else { continue }
        kept.formUnion(assets.lazy.map(\.digest).filter(digests.contains))
      }
    }
    return kept
  }

  /// The changed files, as users name them.
  private func files(_ changes: Set<String>) -> Set<String> {
    let root = URL(fileURLWithPath: context.manifestFolder.path).standardizedFileURL.path + "/"
    return Set(changes.map { $0.hasPrefix(root) ? String($0.dropFirst(root.count)) : $0 })
  }

  private func users(of files: Set<String>) -> [Int] {
    let users = last.content.manifest.users
    return users.indices.filter { user in
      users[user].avatars.contains { avatar in
        guard case .file(let file) = avatar.kind else { return false }
        let path = file.text
        return files.contains(path.hasPrefix("./") ? String(path.dropFirst(2)) : path)
      }
    }
  }
}
