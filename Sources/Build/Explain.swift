import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store

/// An explanation of where a user's images come from, and of what changed since the last build.
package struct Explain: Sendable {
  private let options: BuildOptions
  private let cancellation: Cancellation

  package init(_ options: BuildOptions, cancellation: Cancellation = Cancellation()) {
    var options = options
    options.dryRun = true
    options.fetching.offline = true
    (self.options, self.cancellation) = (options, cancellation)
  }

  package func user(_ id: String, style: String? = nil) throws(BuildFailure) -> [String] {
    func unknown(_ id: DiagnosticID, _ text: String, _ word: String, _ words: [String])
      -> Diagnostic
    {
      Diagnostic(.error, id, text, help: suggestion(for: word, among: words))
    }
    return try BuildFailure.mapping(cancellation) {
      let context = try BuildContext(options, cancellation: cancellation) { _ in }
      defer { context.close() }
      let (content, renderer) = try BuildStages.content(in: context) { manifest in
        guard let user = manifest.users.firstIndex(where: { $0.id == id }) else {
          throw unknown(.unknownUser, "unknown user \(id.quoted)", id, manifest.users.map(\.id))
        }
        return [user]
      }
      let styles = content.styles(of: 0).map { (number: $0, content.manifest.styles[$0].name) }
      if let style, !styles.contains(where: { $0.1 == style }) {
        throw unknown(.unknownStyle, "unknown style \(style.quoted)", style, styles.map(\.1))
      }
      let keys = Keys(
        published: published[id], renderer: renderer,
        lastRenderer: try context.index.get(.meta, Fingerprint.lastKey).map {
          String(decoding: $0, as: UTF8.self)
        }, index: context.index,
        store: try? Folder(opening: options.cache).folder("store"))
      var lines = Self.sources(of: content)
      for (number, name) in styles where style.map({ $0 == name }) ?? true {
        lines.append("style \(name)")
        guard let source = content.source(of: 0), let slot = content.slot(of: 0, style: number)
        else { continue }
        for image in content.variants.images(of: slot.variant, for: source) {
          lines += try keys.lines(image.recipe, of: source.digest, name, image.scale, image.format)
        }
      }
      return lines
    }
  }

  private static func sources(of content: SiteContent) -> [String] {
    let (user, assignment) = (content.manifest.users[0], content.assignments[0])
    var lines = ["\(user.id) (\(user.name)): \(content.status(of: 0).rawValue)"]
    let background = user.background.map { AvatarSource.Kind.color($0) }
    for (number, kind) in (user.avatars.map(\.kind) + [background].compactMap(\.self)).enumerated()
    {
      var line = "  \(number + 1). \(kind.names.source): "
      if number == assignment.candidate, let shown = content.source(of: 0) {
        line += assignment.isStale ? "stale" : "shown"
        if let inspection = shown.inspection {
          let size = inspection.uprightSize
          line += ", \(inspection.format.rawValue), \(size.width) × \(size.height) pixels"
        }
        lines.append(line + Self.reason(content.staleness(of: 0)?.rejection))
        lines.append("     sha256 \(shown.digest.hex)")
      } else if number < assignment.failures.count {
        lines.append(line + "failed" + Self.reason(assignment.failures[number]))
      } else {
        lines.append(line + "untried")
      }
    }
    return lines
  }

  private static func reason(_ rejection: Rejection?) -> String {
    rejection.map { ", \($0.detail) [\($0.reason.rawValue)]" } ?? ""
  }

  /// Returns an explanation of an output file and, if it is an avatar, its first user and style.
  package func file(
    _ path: String, style: String? = nil
  ) throws(BuildFailure) -> (lines: [String], user: String?, style: String?) {
    try BuildFailure.mapping(cancellation) {
      // Shell completion produces paths relative to the working directory, not to the output.
      let output = URL(fileURLWithPath: options.output).standardizedFileURL.path + "/"
      let whole = URL(fileURLWithPath: path).standardizedFileURL.path
      let path = whole.hasPrefix(output) ? String(whole.dropFirst(output.count)) : path
      guard let entry = try Ledger(in: Folder(opening: options.output))[path] else {
        return (["\(path): not written by sitegen"], nil, nil)
      }
      let sha256 = entry.digest.hex
      var owners: [(user: String, style: String, line: String)] = []
      for (id, user) in published.sorted(by: { $0.key < $1.key }) {
        for (name, images) in user.avatars.sorted(by: { $0.key < $1.key }) {
          owners += images.filter { $0.sha256 == sha256 }.map {
            (id, name, "  user \(id), style \(name), \($0.scale.plain)x \($0.format)")
          }
        }
      }
      let limit = 10
      var lines = ["\(path): \(entry.size) bytes, sha256 \(sha256)"]
      lines += owners.prefix(limit).map(\.line)
      if owners.isEmpty { lines.append("  part of the site, but not an avatar") }
      if owners.count > limit { lines.append("  and \(owners.count - limit) more") }
      let first = owners.first { $0.style == style ?? $0.style }
      return (lines, first?.user, first?.style)
    }
  }

  private var published: [String: PublishedAssets.User] {
    (try? PublishedAssets(in: options.output))?.users ?? [:]
  }
}

private struct Keys {
  var published: PublishedAssets.User?
  var renderer: String
  var lastRenderer: String?
  var index: Index
  var store: Folder?

  func lines(
    _ recipe: Recipe, of source: Digest, _ style: String, _ scale: Double, _ format: OutputFormat
  ) throws -> [String] {
    func render(by renderer: String) throws -> (key: Digest, asset: Asset?) {
      let key = try recipe.key(of: source, by: renderer)
      let record = try index.get(.renders, key).flatMap { RenderRecord.render(of: $0, as: format) }
      return (key, try? record?.get())
    }
    let now = try render(by: renderer)
    var isCached = false
    if let asset = now.asset {
      isCached = try store?.stamp(of: BlobStore.name(of: asset.digest))?.size == asset.bytes
    }
    let shown = published?.avatars[style]?.first {
      $0.scale == scale && $0.format == format.rawValue
    }
    var change = isCached ? "as in the last build" : "as in the last build, but not in the cache"
    if let shown, let old = published?.sourceSHA256 {
      // Recipes are not recorded. But if the render key for the last renderer does not map to the
      // published image, the recipe must have changed.
      if old != source.hex {
        change = "the source has changed since the last build: \(old), now \(source.hex)"
      } else if let lastRenderer,
        try render(by: lastRenderer).asset?.digest.hex != shown.sha256
      {
        change = "the recipe has changed since the last build"
      } else if let lastRenderer, lastRenderer != renderer {
        change = "the renderer has changed since the last build"
      }
    } else {
      change = "not on the site"
    }
    let path = now.asset?.path ?? "not rendered yet"
    return ["  \(scale.plain)x \(format.rawValue): \(path)", "    key \(now.key.hex), \(change)"]
  }
}
