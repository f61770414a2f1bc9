import Bytes
import Diagnostics
import Files
import Foundation
import Manifest
import Plan

extension Diagnostic {
  /// More than half the people of the published site are gone: a list may be cut, or its ids differ.
  ///
  /// The site itself says who was published, since a cache may be lost. The people of all lists count
  /// together.
  ///
  /// - Parameters:
  ///   - manifest: That of the new site.
  ///   - path: The output.
  /// - Throws: If the `assets.json` of the site cannot be read.
  /// - Returns: Nil if fewer are gone, or the site has fewer than 10 people. A diagnostic too if the
  ///   people cannot be counted, although the file is as a build wrote it.
  static func lostPeople(
    _ manifest: Manifest, in path: String
  ) throws(FileError) -> Diagnostic? {
    let assets = "assets.json"
    guard let output = try? Folder(opening: path), ServedOutput.names(assets, in: output),
      try output.kind(of: assets) == .file
    else { return nil }
    let file = try output.open(beneath: assets, followingLinks: false)
    let ids = Set(manifest.users.map(\.id))
    var people = PublishedPeople { offset throws(FileError) in
      try file.readChunk(at: offset, count: 1 << 20)
    }
    var (published, lost) = (0, 0)
    var examples: [String] = []
    while let id = try people.next() {
      published += 1
      guard !ids.contains(id) else { continue }
      lost += 1
      if examples.count < 3 { examples.append(id.quoted) }
    }
    if published >= 10, lost * 2 > published {
      return Diagnostic(
        .error, .usersShrunk, "\(lost) of \(published) published people are gone",
        note: "such as \(examples.joined(separator: ", "))",
        help: "if they have left, or their ids have changed, build once with --allow-shrink; "
          + "until then the site stays as it is")
    }
    // A build repairs a damaged file. An intact one was written by a version with another format.
    guard !people.isComplete,
      try output.open(beneath: assets, followingLinks: false).digest()
        == Ledger(in: output)[assets]?.digest
    else { return nil }
    return Diagnostic(
      .error, .usersShrunk, "cannot count the published people: the format of \(assets) is unknown",
      help: "if the new site is complete, build once with --allow-shrink; "
        + "until then the site stays as it is")
  }
}

/// The ids in an `assets.json`, which is not read as a whole.
///
/// Below the line `  "users":{` each person is a line, which starts with the id. Decoding the 60 MB of
/// 100,000 people would take more memory than the build.
private struct PublishedPeople {
  /// Whether the list of people was found and read to its end.
  private(set) var isComplete = false
  /// Gives the next bytes of the file from an offset on; none at its end.
  private let read: (_ offset: Int64) throws(FileError) -> [UInt8]
  private var offset: Int64 = 0
  private var bytes: ArraySlice<UInt8> = []
  private var isAmongUsers = false

  private static let usersStart = Array("  \"users\":{".utf8)
  private static let memberStart = Array("    \"".utf8)
  /// Of a key of the file itself, which ends the list before.
  private static let partStart = Array("  \"".utf8)

  init(_ read: @escaping (_ offset: Int64) throws(FileError) -> [UInt8]) { self.read = read }

  /// Nil behind the last one, and at a line that no build writes.
  mutating func next() throws(FileError) -> String? {
    while let line = try nextLine() {
      if isAmongUsers {
        if line.starts(with: Self.memberStart) { return Self.id(line.dropFirst(4)) }
        isComplete = line.starts(with: Self.partStart)
        return nil
      }
      isAmongUsers = line.starts(with: Self.usersStart)
    }
    return nil
  }

  /// Nil at the end.
  private mutating func nextLine() throws(FileError) -> ArraySlice<UInt8>? {
    while true {
      if let end = bytes.lineEnd {
        defer { bytes = bytes[(end + 1)...] }
        return bytes[..<end]
      }
      let chunk = try read(offset)
      if chunk.isEmpty { return nil }
      offset += Int64(chunk.count)
      bytes += chunk
    }
  }

  /// The text that a line starts with.
  private static func id(_ line: ArraySlice<UInt8>) -> String? {
    var isEscaped = false
    let end = line.dropFirst().firstIndex { byte in
      defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
      return byte == UInt8(ascii: "\"") && !isEscaped
    }
    guard let end else { return nil }
    guard line[..<end].contains(UInt8(ascii: "\\")) else {
      return String(decoding: line[..<end].dropFirst(), as: UTF8.self)
    }
    return try? JSONDecoder().decode(String.self, from: Data(line[...end]))
  }
}
