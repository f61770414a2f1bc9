import Files
import Foundation
import Glibc

/// Finds the answer to a request.
final class Desk: Sendable {
  private let site: ServedSite
  private let hosts: KnownHosts
  let live: LiveChannel
  let cache = TextCache()

  /// Larger pages are sent as they are, without the script.
  static let pageLimit = 32 << 20
  /// Less is not worth compressing.
  static let packedFrom = 1024
  /// More would hold up, while it is compressed, others who are served by the same thread.
  static let packedUpTo = 4 << 20

  init(_ site: ServedSite, _ hosts: KnownHosts, _ live: LiveChannel) {
    self.site = site
    self.hosts = hosts
    self.live = live
  }

  enum Answer: Sendable {
    case reply(Reply?)
    /// Who stands in for the folder must be asked, which may take a while.
    case later(RequestPath)
    /// Whoever asks is to be told what happens.
    case events
  }

  /// Answers without waiting for anybody.
  func answer(_ request: Request) -> Answer {
    do throws(Refusal) {
      try request.check(hosts)
      let path = try RequestPath(reading: request.target)
      if path.path == "-" || path.path.hasPrefix("-/") { return try own(path, request) }
      if let found = try find(path, request) { return .reply(found) }
      return .later(path)
    } catch {
      return .reply(refuse(error, request))
    }
  }

  /// Asks whoever stands in for the folder.
  func answerLater(_ path: RequestPath, _ request: Request) -> Reply? {
    if let standIn = site.standIn(path.file) { return reply(standIn, path.file, request) }
    let page = RequestPath(path: path.path, endsWithSlash: true)
    if !path.endsWithSlash, !path.path.utf8.contains(UInt8(ascii: ".")),
      site.standIn(page.file) != nil
    {
      return redirect(page)
    }
    // It may have been written while the other was asked.
    do throws(Refusal) {
      return try find(path, request) ?? refuse(.notFound, request)
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
      if !request.isHead { return .events }
      return .reply(text(Bytes([]), Desk.eventHeaders))
    default: throw .notFound
    }
  }

  static let eventHeaders = [
    ("Content-Type", "text/event-stream; charset=utf-8"), ("Cache-Control", "no-store"),
  ]

  // MARK: - From the folder

  /// Nil when the folder has no such file.
  private func find(_ path: RequestPath, _ request: Request) throws(Refusal) -> Reply? {
    do throws(FileError) {
      // Opened each time, since it may be made, or be another one, by now.
      let folder = try Folder(opening: site.folder)
      let file: OpenFile
      do throws(FileError) {
        file = try folder.open(beneath: path.file)
      } catch let error where error.reason == .notRegular && !path.endsWithSlash {
        _ = try folder.folder(path.path)
        return redirect(RequestPath(path: path.path, endsWithSlash: true))
      }
      return try reply(file, path.file, request)
    } catch {
      switch error.reason {
      case .notFound, .outside, .linked, .notRegular, .denied, .badName: return nil
      default: throw .broken
      }
    }
  }

  private func reply(
    _ file: consuming OpenFile, _ path: String, _ request: Request
  ) throws(FileError) -> Reply? {
    let type = MediaType(ofFile: path)
    let tag = EntityTag(path: path, stamp: file.stamp)
    let isPacked = type.isText && mayPack(Int(file.size), request)
    if type.isPage && file.size <= Desk.pageLimit {
      return try page(file, path, tag, isPacked: isPacked)
    }
    let caching = Caching(path: path, type, isPacked ? tag.packed : tag)
    if caching.isKnown(to: request) { return notModified(caching, isText: type.isText) }
    if isPacked {
      let key = TextCache.Key(path: path, tag: tag, revision: nil, isPacked: true)
      let bytes = try cache.bytes(key) { () throws(FileError) in
        try Desk.packed(try file.readBytes(upTo: Desk.pageLimit), path)
      }
      return text(bytes, ofFile: path, caching, isPacked: true)
    }
    return plain(file, type, caching, request)
  }

  private func page(
    _ file: consuming OpenFile, _ path: String, _ tag: EntityTag, isPacked: Bool
  ) throws(FileError) -> Reply? {
    let revision = live.revision
    let key = TextCache.Key(path: path, tag: tag, revision: revision, isPacked: isPacked)
    let bytes = try cache.bytes(key) { () throws(FileError) in
      let page = Injection.into(
        try file.readBytes(upTo: Desk.pageLimit), revision: revision)
      return isPacked ? try Desk.packed(page, path) : page
    }
    return text(bytes, ofFile: path, Caching.never, isPacked: isPacked)
  }

  private static func packed(_ bytes: [UInt8], _ path: String) throws(FileError) -> [UInt8] {
    guard let packed = Gzip.compressed(bytes) else {
      throw FileError("compress", path: path, code: ENOMEM)
    }
    return packed
  }
}
