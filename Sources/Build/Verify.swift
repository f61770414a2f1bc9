import Bytes
package import Diagnostics
import Files
import Foundation
import Manifest
import Plan
import Recipes
import Store

/// Checks all published files, links and cached blobs without relying on earlier builds' stamps.
package struct Verify: Sendable {
  private let options: BuildOptions
  private let cancellation: Cancellation
  private let sample: Int

  /// `sample` is the number of people whose images are rendered again and compared.
  package init(
    _ options: BuildOptions, sample: Int = 0, cancellation: Cancellation = Cancellation()
  ) {
    (self.options, self.sample, self.cancellation) = (options, sample, cancellation)
  }

  package func run() throws(BuildFailure) -> Verification {
    try BuildFailure.mapping(cancellation) { try verified() }
  }

  private func verified() throws -> Verification {
    var found = Verification()
    let output = try? Folder(opening: options.output)
    let before = try output?.stamp(of: Ledger.fileName, followingLinks: false)
    guard let output, before != nil else {
      let isEmpty = try output?.entries().isEmpty ?? true
      found.add(
        .ledgerWrong, Ledger.fileName, options,
        isEmpty
          ? "cannot find a built site here" : "the list of the site's files is missing",
        help: isEmpty ? "run `sitegen build`, or choose the built site with --output" : nil)
      return found
    }
    let ledger = try Ledger(in: output)
    if !ledger.isIntact {
      found.add(.ledgerWrong, Ledger.fileName, options, "it contains lines not written by sitegen")
    }
    if ledger.isUnfinished {
      let hasIndex = try output.kind(of: "index.html") == .file
      found.add(
        .ledgerWrong, Ledger.fileName, options,
        "the last build did not finish publishing; build the site again",
        hasIndex ? .warning : .error)
    }
    let good = try verifyFiles(ledger, in: output, &found)
    if let cache = try? Folder(opening: options.cache) {
      try verifyBlobs(good, in: cache, &found)
      try verifyRecords(in: cache, &found)
    }
    if sample > 0 { try renderCold(sample, &found) }
    if found.flaws.hasErrors || ledger.isUnfinished { try checkNoBuild(output, since: before) }
    return found
  }

  /// Fails if a build is publishing, because its changes would look like damage.
  private func checkNoBuild(_ output: Folder, since before: FileStamp?) throws {
    var isRunning = try output.stamp(of: Ledger.fileName, followingLinks: false) != before
    // Locking fails in another user's folder, so this check is skipped there.
    if case .held? = try? FileLock.acquire(FolderRules.lockName, in: output) { isRunning = true }
    guard isRunning else { return }
    throw BuildFailure.locked(
      Diagnostic(
        .error, .locked, "cannot verify \(output.path): a build is running",
        help: "verify again when it has finished"))
  }

  // An image and its blob may be the same file, so check both in the same shard.
  private func isChecked(_ path: String) -> Bool {
    options.shard?.contains(Digest(assetPath: path)?.hex ?? path) ?? true
  }

  private struct Part: Sendable {
    var found = Verification()
    var pages: [(path: String, links: FileLinks)] = []
    var good: [FileStamp: Digest] = [:]
  }

  private func verifyFiles(
    _ ledger: Ledger, in output: Folder, _ found: inout Verification
  ) throws -> [FileStamp: Digest] {
    let paths = Set(ledger.entries.map(\.path))
    let earlier = Dictionary(grouping: ledger.earlier, by: \.path)
    var good: [FileStamp: Digest] = [:]
    var anchors: [String: Set<String>] = [:]
    var places: [(page: String, link: FileLinks.Link)] = []
    let checked = ledger.entries.filter { isChecked($0.path) }
    try queue.map(checked.chunks(of: 64)) { files in
      var part = Part()
      for file in files {
        // An unfinished build leaves the old file, the new one, or neither.
        let place = ledger.isUnfinished ? try output.kind(of: file.path) : .file
        if place == nil { continue }
        part.found.counts.files += 1
        verify(file, or: earlier[file.path] ?? [], in: output, &part)
      }
      return part
    } receive: { _, result in
      let part = try result.get()
      found.counts.files += part.found.counts.files
      found.flaws.add(contentsOf: part.found.flaws)
      good.merge(part.good) { first, _ in first }
      for (page, links) in part.pages {
        anchors[page] = links.anchors
        found.counts.links += links.links.count
        for link in links.links {
          // The lookup fails if the name is too long; such a file cannot exist.
          if ledger.isUnfinished || !paths.contains(link.path),
            (try? output.kind(of: link.path)) == nil
          {
            found.add(.deadLink, page, options, "it links to \(link.path), which does not exist")
          } else if link.fragment != nil {
            places.append((page, link))
          }
        }
      }
    }
    for (page, link) in places {
      if anchors[link.path] == nil, !isChecked(link.path), let file = ledger[link.path] {
        var part = Part()
        verify(file, or: earlier[file.path] ?? [], in: output, &part)
        anchors[link.path] = part.pages.first?.links.anchors
      }
      guard let fragment = link.fragment, anchors[link.path]?.contains(fragment) == false
      else { continue }
      found.add(
        .deadLink, page, options, "it links to \(link.path)#\(fragment), which does not exist")
    }
    let own: Set = [Ledger.fileName, FolderRules.lockName]
    try output.walk { (entry) throws(FileError) in
      guard !options.adopt, entry.kind != .folder, !own.contains(entry.path),
        !paths.contains(entry.path), isChecked(entry.path),
        !(ledger.isUnfinished && entry.name.hasPrefix(StagedFile.prefix))
      else { return }
      found.add(.fileForeign, entry.path, options, "sitegen did not write it")
    }
    return good
  }

  private func verify(
    _ file: Site.File, or earlier: [Site.File], in output: Folder, _ part: inout Part
  ) {
    let path = file.path
    let named = Digest(assetPath: path)
    if let named, named != file.digest {
      part.found.add(.ledgerWrong, path, options, "its name does not match its recorded digest")
    }
    do throws(FileError) {
      let open = try output.open(beneath: path, followingLinks: false)
      guard ([file] + earlier).contains(where: { $0.size == open.size }) else {
        return part.found.add(
          .fileChanged, path, options, "it is \(open.size) bytes long instead of \(file.size)")
      }
      let bytes = try open.readBytes(upTo: Int(open.size))
      let digest = Digest(of: bytes)
      guard ([file] + earlier).contains(where: { (named ?? $0.digest) == digest }) else {
        return part.found.add(.fileChanged, path, options, "its bytes have changed since the build")
      }
      part.good[open.stamp] = digest
      if let read = options.pages.links(path) { part.pages.append((path, read(bytes))) }
    } catch  where error.reason == .notFound {
      part.found.add(.fileMissing, path, options, "it is missing")
    } catch {
      part.found.add(.fileChanged, path, options, error.explanation)
    }
  }

  private var queue: WorkQueue {
    WorkQueue(name: "sitegen verify", width: options.jobs, cancellation: cancellation)
  }

  /// Reads every blob, except hard links to output files that were already found to be intact.
  private func verifyBlobs(
    _ good: [FileStamp: Digest], in cache: Folder, _ found: inout Verification
  ) throws {
    for name in ["store", "originals"] where try cache.kind(of: name) == .folder {
      let store = try cache.folder(name)
      // Do not use `BlobStore`, because it rejects another user's cache.
      var blobs: [Digest] = []
      try store.walk { (entry) throws(FileError) in
        if entry.kind == .file, let digest = BlobStore.digest(at: entry.path), isChecked(digest.hex)
        {
          blobs.append(digest)
        }
      }
      found.counts.blobs += blobs.count
      try queue.map(blobs.chunks(of: 64)) { blobs in
        try blobs.filter { try Self.isDamaged($0, in: store, good) }
      } receive: { _, result in
        for digest in try result.get() {
          found.add(
            .blobDamaged, "\(name)/\(BlobStore.name(of: digest))", options,
            "its bytes do not match its name", in: options.cache)
        }
      }
    }
  }

  private static func isDamaged(
    _ digest: Digest, in store: Folder, _ good: [FileStamp: Digest]
  ) throws(FileError) -> Bool {
    do throws(FileError) {
      let file = try store.open(beneath: BlobStore.name(of: digest), followingLinks: false)
      if good[file.stamp] == digest { return false }
      return try file.digest() != digest
    } catch  where error.reason == .notFound {
      // Another process has removed the blob.
      return false
    }
  }

  /// Checks copies of the cache's databases, because SQLite may write to a file that it opens.
  private func verifyRecords(in cache: Folder, _ found: inout Verification) throws {
    func add(_ name: String, _ damage: String) {
      found.add(
        .cacheDamaged, name, options, "this cache file is damaged: \(damage)",
        in: options.cache)
    }
    let name = UpToDateCheck.fileName
    if isChecked(name), try cache.kind(of: name) != nil, UpToDateCheck.contents(in: cache) == nil {
      add(name, "its checksum is wrong")
    }
    let files = [IndexFile.work, .addresses].filter { isChecked($0.rawValue) }
    if files.isEmpty { return }
    let scratch = try Scratch()
    let copy = try Folder(opening: scratch.path)
    try BuildContext.copyRecords(from: options.cache, to: copy)
    for file in files {
      if try copy.kind(of: file.rawValue) == .file {
        let index = try Index(in: copy, file)
        defer { index.close() }
        if let damage = try index.removeDamage() {
          add(file.rawValue, damage.replacing("\(copy.path)/\(file.rawValue): ", with: ""))
        }
      } else if try cache.kind(of: file.rawValue) != nil {
        add(file.rawValue, "it is not a readable file")
      }
    }
  }

  /// Renders some people's images without the cache, and compares them with the cached images.
  private func renderCold(_ people: Int, _ found: inout Verification) throws {
    var options = options
    options.fetching.offline = true
    options.allowEmpty = true
    options.shard = nil
    let context = try BuildContext(options, cancellation: cancellation, isCold: true) { _ in }
    defer { context.close() }
    let (content, renderer) = try BuildStages.content(in: context) { manifest in
      let users = manifest.users.indices.filter { isChecked(manifest.users[$0].id) }
      let count = min(people, users.count)
      return (0..<count).map { users[$0 * users.count / count] }
    }
    let last = try context.lastIndex()
    defer { last.close() }
    for (number, user) in content.manifest.users.enumerated() {
      guard let source = content.source(of: number) else { continue }
      for style in content.styles(of: number) {
        guard let slot = content.slot(of: number, style: style),
          let assets = content.assets(of: slot)
        else { continue }
        let images = content.variants.images(of: slot.variant, for: source)
        for (planned, asset) in zip(images, assets) {
          let key = try planned.recipe.key(of: source.digest, by: renderer)
          guard let known = try last.get(.renders, key).flatMap({ RenderRecord.render(of: $0) })
          else {
            found.counts.newPictures += 1
            continue
          }
          found.counts.pictures += 1
          let digest = (try? known.get())?.digest
          guard digest != asset.digest else { continue }
          let image = "\(planned.scale.plain)x \(planned.format.rawValue)"
          found.flaws.add(
            Diagnostic(
              .error, .pictureDiffers,
              "\(user.id.quoted) in style \(content.manifest.styles[style].name), \(image): "
                + "the cached image differs from the newly rendered one",
              at: user.declared.location, path: user.declared.path,
              note: "\(digest?.hex ?? "none") instead of \(asset.digest.hex)"))
        }
      }
    }
  }
}

package struct Verification: Sendable {
  package struct Counts: Sendable {
    package var files = 0
    package var links = 0
    package var blobs = 0
    package var pictures = 0
    /// The number of images that cannot be compared, because the source, style or renderer changed.
    package var newPictures = 0
  }

  package fileprivate(set) var counts = Counts()
  package fileprivate(set) var flaws = Diagnostics()

  fileprivate mutating func add(
    _ id: DiagnosticID, _ path: String, _ options: BuildOptions, _ message: String,
    _ severity: Diagnostic.Severity = .error, in folder: String? = nil, help: String? = nil
  ) {
    let file = "\(folder ?? options.output)/\(path)"
    flaws.add(Diagnostic(severity, id, message, at: FileLocation(file: file), help: help))
  }
}
