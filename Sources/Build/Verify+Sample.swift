import Bytes
import Diagnostics
import Manifest
import Plan
import Recipes
import Store

extension Verify {
  /// Renders the pictures of some people as if there were no cache, and compares them with those that
  /// the cache names: each of them in one style, all its files.
  ///
  /// Nothing is fetched: originals are checked by their digests.
  func renderCold(_ people: Int, _ found: inout Verification) throws {
    var options = options
    options.fetching.offline = true
    let context = try BuildContext(options, cancellation: cancellation, isCold: true) { _ in }
    defer { context.close() }
    let (content, renderer) = try BuildStages.content(in: context) { Self.choose(people, in: &$0) }
    let last = try context.lastIndex()
    defer { last.close() }
    for (number, user) in content.manifest.users.enumerated() {
      guard let source = content.source(of: number) else { continue }
      for style in content.styles(of: number) {
        for record in content.records(of: number, style: style) {
          let key = try RenderKey(recipe: record.image.recipe, fingerprint: renderer)
            .key(of: source.digest)
          guard let known = try last.get(.renders, key).flatMap(RenderRecord.render) else {
            found.counts.newPictures += 1
            continue
          }
          found.counts.pictures += 1
          let digest = (try? known.get())?.asset.digest
          guard digest != record.asset.digest else { continue }
          found.wrongKeys.append(key)
          let image = "\(record.image.scale.plain)x \(record.image.format.rawValue)"
          found.flaws.add(
            Diagnostic(
              .error, .pictureDiffers,
              "\(user.id.quoted) in style \(content.manifest.styles[style].name), \(image): "
                + "the cache has another picture than rendering makes",
              at: user.declared.location, path: user.declared.path,
              note: "\(digest?.hex ?? "none") instead of \(record.asset.digest.hex)"))
        }
      }
    }
  }

  /// People from the first to the last, each with another style, the same each time.
  ///
  /// They have more styles each where there are not as many people.
  private static func choose(_ people: Int, in manifest: inout Manifest) -> [Int] {
    let count = min(people, manifest.users.count)
    return (0..<count).map { number in
      let user = number * manifest.users.count / count
      let own = manifest.users[user].styles ?? Array(manifest.styles.indices)
      let wanted = people / count + (number < people % count ? 1 : 0)
      manifest.users[user].styles = own.indices.prefix(wanted).map {
        own[($0 + number) % own.count]
      }.sorted()
      return user
    }
  }
}
