package import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
import Plan
package import Recipes
import Store

/// Where a person's pictures come from, and what is not as it was in the last build.
///
/// It looks as a dry run does: it fetches, renders and writes nothing.
package struct Explain: Sendable {
  private let options: BuildOptions
  private let cancellation: Cancellation

  package init(_ options: BuildOptions, cancellation: Cancellation = Cancellation()) {
    var options = options
    options.dryRun = true
    options.fetching.offline = true
    self.options = options
    self.cancellation = cancellation
  }

  /// What the site has shown of a person since the last build.
  package struct Published: Sendable {
    package var source: Digest?
    /// By `name`.
    package var images: [String: Digest] = [:]

    package init() {}

    package static func name(_ style: String, _ scale: Double, _ format: OutputFormat) -> String {
      "\(style) \(scale.plain)x \(format.rawValue)"
    }
  }

  /// Explains one style of a user, or all.
  ///
  /// - Throws: `BuildFailure.usage` for a user or a style that the manifest does not know.
  package func user(
    _ id: String, style: String?, published: Published?
  ) throws(BuildFailure) -> Explanation {
    do {
      let context = try BuildContext(options, cancellation: cancellation) { _ in }
      defer { context.close() }
      let (content, renderer) = try BuildStages.content(in: context) { manifest in
        guard let user = manifest.users.firstIndex(where: { $0.id == id }) else {
          throw Diagnostic.unknown(.unknownUser, "user", id, among: manifest.users.map(\.id))
        }
        return [user]
      }
      let names = content.styles(of: 0).map { content.manifest.styles[$0].name }
      if let style, !names.contains(style) {
        throw Diagnostic.unknown(.unknownStyle, "style of \(id)", style, among: names)
      }
      var explanation = Explanation(content)
      let past = try Past(published, context.index, renderer: renderer)
      for number in content.styles(of: 0)
      where style.map({ $0 == content.manifest.styles[number].name }) ?? true {
        explanation.styles.append(try self.style(number, content, renderer, past, context.index))
      }
      return explanation
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  // MARK: - Images

  /// What the last build knew.
  ///
  /// Nobody keeps recipes. But a picture of the site whose record is under no key of its source is one
  /// of another recipe.
  private struct Past {
    let published: Published?
    let renderer: String
    /// Pictures of the site that the cache has records of.
    let recorded: Set<Digest>

    init(_ published: Published?, _ index: Index, renderer: String) throws {
      self.published = published
      self.renderer = try LastRenderer.get(in: index) ?? renderer
      let shown = published.map { Set($0.images.values) } ?? []
      var recorded: Set<Digest> = []
      try index.forEach(.renders) { _, value in
        guard case .success(let render)? = RenderRecord.render(of: value) else { return }
        if shown.contains(render.asset.digest) { recorded.insert(render.asset.digest) }
      }
      self.recorded = recorded
    }
  }

  private func style(
    _ number: Int, _ content: SiteContent, _ renderer: String, _ past: Past, _ index: Index
  ) throws -> Explanation.Style {
    let style = content.manifest.styles[number]
    var result = Explanation.Style(
      name: style.name, recipe: options.pages.words(style).map { .init(term: $0, text: $1) })
    let user = content.manifest.users[0]
    if let focus = user.focus, style.fit == .fill {
      let (x, y) = ((focus.x * 100).plain, (focus.y * 100).plain)
      result.recipe.append(
        .init(term: "Own focus", text: "\(x)% from the left, \(y)% from the top"))
    }
    guard let source = content.source(of: 0), let slot = content.slot(of: 0, style: number) else {
      return result
    }
    for planned in content.variants.images(of: slot.variant, for: source) {
      func render(by renderer: String) throws -> (key: Digest, asset: Asset?) {
        let key = try RenderKey(recipe: planned.recipe, fingerprint: renderer)
          .key(of: source.digest)
        let record = try index.get(.renders, key).flatMap(RenderRecord.render)
        return (key, (try? record?.get())?.asset)
      }
      let now = try render(by: renderer)
      let name = Published.name(style.name, planned.scale, planned.format)
      let shown = past.published?.images[name]
      var image = Explanation.Image(
        scale: planned.scale, format: planned.format.rawValue, key: now.key.hex,
        path: now.asset?.path(as: planned.format), shown: shown?.path(as: planned.format))
      image.cached = try now.asset.map { try isKept($0) } ?? false
      let before = try render(by: past.renderer).asset
      if let shown, let old = past.published?.source {
        if old != source.digest {
          (image.differs, image.old, image.new) = ("source", old.hex, source.digest.hex)
        } else if before.map({ $0.digest != shown }) ?? past.recorded.contains(shown) {
          image.differs = "recipe"
        } else if past.renderer != renderer {
          image.differs = "renderer"
          (image.old, image.new) = Self.firstDifference(past.renderer, renderer)
        }
      } else {
        image.differs = "new"
      }
      result.images.append(image)
    }
    return result
  }

  /// The first library that is another one.
  private static func firstDifference(_ old: String, _ new: String) -> (String?, String?) {
    let (old, new) = (old.components(separatedBy: "; "), new.components(separatedBy: "; "))
    let same = zip(old, new).prefix { $0 == $1 }.count
    return (old.dropFirst(same).first, new.dropFirst(same).first)
  }

  private func isKept(_ asset: Asset) throws -> Bool {
    let store = try? Folder(opening: options.cache).folder("store")
    return try store?.stamp(of: BlobStore.name(of: asset.digest))?.size == asset.bytes
  }

  // MARK: - Files

  /// A file of the output as the last build wrote it; nil for one that it did not write.
  package func file(_ path: String) throws(BuildFailure) -> (size: Int64, digest: Digest)? {
    do {
      return try Ledger(in: Folder(opening: options.output))[path].map { ($0.size, $0.digest) }
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }

  /// The files of the output that name one of some others, or are copies of them: for each path, in
  /// the order of their paths.
  package func files(showing paths: Set<String>) throws(BuildFailure) -> [String: [String]] {
    do {
      guard !paths.isEmpty, let output = try? Folder(opening: options.output) else { return [:] }
      let ledger = try Ledger(in: output)
      let digests = Dictionary(
        paths.compactMap { path in ledger[path].map { ($0.digest, path) } }
      ) { first, _ in first }
      var files: [String: [String]] = [:]
      let queue = WorkQueue(
        name: "sitegen explain", width: options.jobs, cancellation: cancellation)
      try queue.map(Chunks(of: ledger.entries, size: 64)) { [pages = options.pages] entries in
        try entries.map { entry in
          var named: Set<String> = []
          if let read = pages.links(entry.path), let file = try? output.open(beneath: entry.path) {
            let links = read(try file.readBytes(upTo: BlobStore.sizeLimit)).links
            named = paths.intersection(links.map(\.path))
          }
          if let path = digests[entry.digest], path != entry.path { named.insert(path) }
          return (entry.path, named)
        }
      } receive: { _, result in
        for (file, named) in try result.get() {
          for path in named { files[path, default: []].append(file) }
        }
      }
      return files
    } catch {
      throw BuildFailure(error, cancellation)
    }
  }
}

extension Diagnostic {
  fileprivate static func unknown(
    _ id: DiagnosticID, _ what: String, _ word: String, among words: [String]
  ) -> Diagnostic {
    Diagnostic(
      .error, id, "there is no \(what) \(word.quoted)", help: suggestion(for: word, among: words))
  }
}
