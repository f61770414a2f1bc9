import Files
import Foundation
import Glibc

/// Finds the answer to a request.
final class Desk: Sendable {
  private let site: ServedSite
  private let hosts: KnownHosts
  let live: LiveChannel
  let cache = TextCache()

  /// Making more would hold up, for too long, others who are served by the same thread.
  private static let heavyFrom = 1 << 20

  init(_ site: ServedSite, _ hosts: KnownHosts, _ live: LiveChannel) {
    self.site = site
    self.hosts = hosts
    self.live = live
  }

  enum Answer: Sendable {
    case reply(Reply?)
    /// Who stands in for the folder must be asked, which may take a while.
    case later(RequestPath)
    /// It is large, and must be made first.
    case heavy(RequestPath)
    /// Whoever asks is to be told what happens.
    case events
  }

  /// Answers without waiting for anybody.
  func answer(_ request: Request) -> Answer {
    do throws(Refusal) {
      try request.check(hosts)
      let path = try RequestPath(reading: request.target)
      if path.path == "-" || path.path.hasPrefix("-/") { return try own(path, request) }
      return try find(path, request, hasTime: false) ?? .later(path)
    } catch {
      return .reply(refuse(error, request))
    }
  }

  /// Asks whoever stands in for the folder.
  func answerLater(_ path: RequestPath, _ request: Request) -> Reply? {
    if let standIn = site.standIn(path.file) { return answer(standIn, path.file, request) }
    let page = RequestPath(path: path.path, endsWithSlash: true)
    if !path.endsWithSlash, !path.path.utf8.contains(UInt8(ascii: ".")),
      site.standIn(page.file) != nil
    {
      return redirect(page)
    }
    // It may have been written while the other was asked.
    return answerNow(path, request) ?? refuse(.notFound, request)
  }

  /// Makes what is large.
  func answerHeavy(_ path: RequestPath, _ request: Request) -> Reply? {
    answerNow(path, request) ?? answerLater(path, request)
  }

  /// Takes the time that it takes; nil when the folder has no such file.
  private func answerNow(_ path: RequestPath, _ request: Request) -> Reply? {
    do throws(Refusal) {
      guard case .reply(let reply) = try find(path, request, hasTime: true) else { return nil }
      return reply
    } catch {
      return refuse(error, request)
    }
  }

  // MARK: - The server's own

  private func own(_ path: RequestPath, _ request: Request) throws(Refusal) -> Answer {
    switch "/" + path.path {
    case Injection.script where !path.endsWithSlash:
      // It belongs to the program that runs: nobody shall keep one of another.
      return .reply(text(Bytes(LiveScript.bytes), ofFile: "live.js", Caching.never))
    case Injection.events where !path.endsWithSlash:
      try request.checkListener(hosts)
      return request.isHead ? .reply(eventHead()) : .events
    default: throw .notFound
    }
  }

  // MARK: - From the folder

  /// Nil when the folder has no such file.
  private func find(
    _ path: RequestPath, _ request: Request, hasTime: Bool
  ) throws(Refusal) -> Answer? {
    do throws(FileError) {
      // Opened each time, since it may be made, or be another one, by now.
      let folder = try Folder(opening: site.folder)
      let file: OpenFile
      do throws(FileError) {
        file = try folder.open(beneath: path.file)
      } catch let error where error.reason == .notRegular && !path.endsWithSlash {
        _ = try folder.folder(path.path)
        return .reply(redirect(RequestPath(path: path.path, endsWithSlash: true)))
      }
      return try answer(file, path, request, hasTime: hasTime)
    } catch {
      switch error.reason {
      case .notFound, .outside, .linked, .notRegular, .denied, .badName: return nil
      default: throw .broken
      }
    }
  }

  private func answer(
    _ file: consuming OpenFile, _ path: RequestPath, _ request: Request, hasTime: Bool
  ) throws(FileError) -> Answer {
    let tag = EntityTag(path: path.file, stamp: file.stamp)
    let form = Form(path.file, size: Int(file.size), Caching(path: path.file, tag), for: request)
    if form.caching.isKnown(to: request) { return .reply(notModified(form)) }
    if form.isPlain { return .reply(plain(file, form, request)) }
    let revision = live.revision
    let key = TextCache.Key(
      path: path.file, tag: tag, revision: form.isInjected ? revision : nil,
      isPacked: form.isPacked)
    if !hasTime, file.size > Desk.heavyFrom {
      return cache.kept(key).map { .reply(text($0, form)) } ?? .heavy(path)
    }
    let bytes = try cache.bytes(key) { () throws(FileError) in
      try made(try file.readBytes(upTo: Form.pageLimit), form, revision)
    }
    return .reply(text(bytes, form))
  }

  // MARK: - From whoever stands in

  private func answer(_ standIn: StandIn, _ path: String, _ request: Request) -> Reply? {
    // Without a name for the bytes there is nothing to ask for again.
    let caching = standIn.isForEver ? Caching.forEver(EntityTag(path: path)) : .never
    let form = Form(path, size: standIn.bytes.count, caching, for: request)
    if form.caching.isKnown(to: request) { return notModified(form) }
    do throws(FileError) {
      return text(Bytes(try made(Array(standIn.bytes), form, live.revision)), form)
    } catch {
      return refuse(.broken, request)
    }
  }

  private func made(
    _ bytes: [UInt8], _ form: Form, _ revision: Int
  ) throws(FileError) -> [UInt8] {
    guard let made = form.made(of: bytes, revision: revision) else {
      throw FileError("compress", path: form.path, code: ENOMEM)
    }
    return made
  }
}
