import Files
import Foundation
import Glibc

/// Finds the reply to a request: top to bottom, what is tried in which order.
final class RequestHandler: Sendable {
  private let site: ServedSite
  private let hosts: AllowedHosts
  let live: LiveChannel
  private let cache = TextCache()

  /// Making larger texts would hold up other connections of the same thread for too long.
  private static let largeTextSize = 1 << 20

  init(_ site: ServedSite, _ hosts: AllowedHosts, _ live: LiveChannel) {
    self.site = site
    self.hosts = hosts
    self.live = live
  }

  enum Answer: Sendable {
    case reply(Reply?)
    /// A stream of events.
    case events
    /// To be made by `makeLargeText`, on another thread.
    case largeText(RequestPath)
    /// To be asked of `askFallback`, on another thread.
    case missing(RequestPath)
  }

  /// Answers at once.
  func answer(_ request: Request) -> Answer {
    do throws(Refusal) {
      try request.check(hosts)
      let path = try RequestPath(reading: request.target)
      if path.path == "-" || path.path.hasPrefix("-/") { return try answerOwn(path, request) }
      return try answerFile(path, request, mayTakeLong: false) ?? .missing(path)
    } catch {
      return .reply(refuse(error))
    }
  }

  /// What lies under `/-/` belongs to the server, not to the folder.
  private func answerOwn(_ path: RequestPath, _ request: Request) throws(Refusal) -> Answer {
    switch path.target {
    case LiveScript.path:
      // Another version of the program has another script.
      return .reply(.script(LiveScript.bytes))
    case LiveScript.events:
      try request.checkSameSite(hosts)
      return request.isHead ? .reply(.eventsHead()) : .events
    default: throw .notFound
    }
  }

  /// Nil when the folder has no such file, or none that may be served.
  private func answerFile(
    _ path: RequestPath, _ request: Request, mayTakeLong: Bool
  ) throws(Refusal) -> Answer? {
    do throws(FileError) {
      // Opened for each request, since a build may have made or replaced it.
      let folder = try Folder(opening: site.folder)
      do throws(FileError) {
        guard let file = try open(path.file, in: folder, mayTakeLong) else { return nil }
        return try answer(file, path, request, mayTakeLong: mayTakeLong)
      } catch let error where error.reason == .notRegular && !path.endsWithSlash {
        guard (try open(path.asFolder.file, in: folder, mayTakeLong)) != nil else { return nil }
        return .reply(.redirect(to: path.asFolder))
      }
    } catch {
      switch error.reason {
      case .notFound, .outside, .linked, .notRegular, .denied, .badName: return nil
      default: throw .broken
      }
    }
  }

  /// Opens a file that may be served, nil for others; a link is another name of what it leads to.
  ///
  /// The link is resolved by name first, and no link is followed when the file is opened. So
  /// whatever is swapped meanwhile, the file lies in the folder under a name that was judged.
  private func open(
    _ path: String, in folder: Folder, _ mayTakeLong: Bool
  ) throws(FileError) -> OpenFile? {
    guard let name = try folder.nameWithoutLinks(of: path) else { return nil }
    if !site.names(name, folder) {
      if try folder.kind(of: name) == .folder {
        throw FileError("open", path: path, code: EISDIR, reason: .notRegular)
      }
      // The judgement reads whole folders.
      guard mayTakeLong, let foreign = site.foreign, try foreign.allows(name, in: folder)
      else { return nil }
    }
    return try folder.open(beneath: name, followingLinks: false)
  }

  private func answer(
    _ file: consuming OpenFile, _ path: RequestPath, _ request: Request, mayTakeLong: Bool
  ) throws(FileError) -> Answer {
    let tag = EntityTag(path: path.file, stamp: file.stamp)
    let form = Representation(
      path.file, size: Int(file.size), .file(path.file, tag), for: request)
    if form.caching.isKnown(to: request) { return .reply(.notModified(form)) }
    if form.isPlain { return .reply(.file(file, form, request)) }
    let revision = live.revision
    let key = TextCache.Key(
      path: path.file, tag: tag, revision: form.isInjected ? revision : nil, isGzip: form.isGzip)
    if let kept = cache[key] { return .reply(.text(kept, form)) }
    if !mayTakeLong, file.size > RequestHandler.largeTextSize { return .largeText(path) }
    let bytes = try file.readBytes(upTo: Representation.pageLimit)
    guard let body = try? form.body(of: bytes, revision: revision) else {
      throw FileError("compress", path: path.file, code: ENOMEM)
    }
    cache.keep(body, for: key)
    return .reply(.text(body, form))
  }

  func refuse(_ refusal: Refusal) -> Reply? { .refusal(refusal, revision: live.revision) }

  // MARK: - On other threads

  func makeLargeText(_ path: RequestPath, _ request: Request) -> Reply? {
    answerSlowly(path, request) ?? askFallback(path, request)
  }

  func askFallback(_ path: RequestPath, _ request: Request) -> Reply? {
    if let file = site.fallback(path.file) { return reply(file, path.file, request) }
    if !path.endsWithSlash, !path.path.utf8.contains(UInt8(ascii: ".")),
      site.fallback(path.asFolder.file) != nil
    {
      return .redirect(to: path.asFolder)
    }
    // It may have been written meanwhile.
    return answerSlowly(path, request) ?? refuse(.notFound)
  }

  /// Nil when the folder has no such file.
  private func answerSlowly(_ path: RequestPath, _ request: Request) -> Reply? {
    do throws(Refusal) {
      guard case .reply(let reply) = try answerFile(path, request, mayTakeLong: true) else {
        return nil
      }
      return reply
    } catch {
      return refuse(error)
    }
  }

  private func reply(_ file: FallbackFile, _ path: String, _ request: Request) -> Reply? {
    // A client can ask again only for bytes that have a name.
    let caching = file.isForEver ? Caching.forEver(EntityTag(path: path)) : .never
    let form = Representation(path, size: file.bytes.count, caching, for: request)
    if form.caching.isKnown(to: request) { return .notModified(form) }
    guard let body = try? form.body(of: Array(file.bytes), revision: live.revision) else {
      return refuse(.broken)
    }
    return .text(body, form)
  }
}

/// Texts as they were sent last, so that a page is not read and compressed for each request.
///
/// A key names its bytes: the file's tag, the injected revision and the compression. So no entry is
/// ever wrong; an old one is only not asked for any more.
final class TextCache: Sendable {
  struct Key: Hashable, Sendable {
    let path: String
    let tag: EntityTag
    /// Nil where nothing is injected.
    let revision: Int?
    let isGzip: Bool
  }

  /// How many bytes it may hold.
  private let limit: Int
  private let state = Guarded(State())

  private struct State {
    var entries: [Key: (body: ReplyBody, lastUse: UInt64)] = [:]
    var size = 0
    var uses: UInt64 = 0
  }

  init(limit: Int = 16 << 20) {
    self.limit = limit
  }

  subscript(key: Key) -> ReplyBody? {
    state.withLock { state in
      state.uses += 1
      state.entries[key]?.lastUse = state.uses
      return state.entries[key]?.body
    }
  }

  func keep(_ body: ReplyBody, for key: Key) {
    // No more than is left when the oldest make room.
    guard body.count <= limit / 2 else { return }
    state.withLock { state in
      guard state.entries[key] == nil else { return }
      state.entries[key] = (body, state.uses)
      state.size += body.count
      guard state.size > limit else { return }
      // Down to half, so that not every new entry sorts all of them.
      for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
        if state.size <= limit / 2 { break }
        state.entries[key] = nil
        state.size -= entry.body.count
      }
    }
  }
}
