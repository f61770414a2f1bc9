import Build
import Bytes
import Diagnostics
import Documents
import Files

/// Walks over the objects of a JSON file, one value at a time, however long the file is.
///
/// The file can say anything: a value that never ends is refused, and each that is used goes
/// through `Document`.
struct JSONStream: ~Copyable {
  /// Of one value; a user with every style that there may be has less.
  static let valueLimit = 16 << 20

  /// For messages.
  let path: String
  private let file: OpenFile
  private var offset: Int64 = 0
  private var isComplete = false
  /// The part of the file that is in memory.
  private var window: [UInt8] = []
  /// Of the next byte, in the window.
  private var position = 0
  /// For each object that is open, whether nothing of it was read yet.
  private var isFresh: [Bool] = []

  init(_ file: consuming OpenFile) {
    path = file.path
    self.file = file
  }

  /// Enters the object that comes next.
  mutating func enter() throws {
    try expect(UInt8(ascii: "{"), "a mapping")
    isFresh.append(true)
  }

  /// The next key of the current object; after the last one the object is left.
  mutating func nextKey() throws -> [UInt8]? {
    try skipBlanks()
    guard let first = isFresh.last else { return nil }
    if try peek() == UInt8(ascii: "}") {
      position += 1
      isFresh.removeLast()
      return nil
    }
    if !first { try expect(UInt8(ascii: ","), "`,` or `}`") }
    isFresh[isFresh.count - 1] = false
    try skipBlanks()
    guard try peek() == UInt8(ascii: "\"") else { throw broken("a key was expected") }
    let text = try value()
    try expect(UInt8(ascii: ":"), "`:`")
    guard text.contains(UInt8(ascii: "\\")) else { return Array(text.dropFirst().dropLast()) }
    guard
      case .scalar(let scalar) = try Document(reading: text, syntax: .json, file: path).root
        .content
    else { throw broken("a key was expected") }
    return Array(scalar.text.utf8)
  }

  /// The bytes of the value that comes next.
  mutating func value() throws -> [UInt8] {
    try skipBlanks()
    guard let end = try endOfValue() else { throw broken("a value is never closed") }
    defer { position = end }
    guard end > position else { throw broken("a value was expected") }
    return Array(window[position..<end])
  }

  /// Throws when anything but blanks follows.
  mutating func finish() throws {
    try skipBlanks()
    guard try peek() == nil else { throw broken("more text follows after the end") }
  }

  /// Where the brackets of the next value are even; nil when the file ends before.
  private mutating func endOfValue() throws -> Int? {
    var index = position
    var depth = 0
    while true {
      if index - position > Self.valueLimit { throw broken("a value is too long") }
      if index == window.count {
        let distance = index - position
        guard try fill() else { return depth == 0 && distance > 0 ? window.count : nil }
        index = position + distance
      }
      switch window[index] {
      case UInt8(ascii: "\""):
        guard let close = try endOfText(from: index) else { return nil }
        index = close
        if depth == 0 { return index }
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index }
        depth -= 1
        if depth == 0 { return index + 1 }
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0...0x20:
        if depth == 0 { return index }
      default: break
      }
      index += 1
    }
  }

  /// Behind the closing quote; nil when the file ends before.
  private mutating func endOfText(from opening: Int) throws -> Int? {
    var distance = opening + 1 - position
    while true {
      var index = position + distance
      while index < window.count {
        let byte = window[index]
        if byte == UInt8(ascii: "\"") { return index + 1 }
        index += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      distance = index - position
      if distance > Self.valueLimit { throw broken("a value is too long") }
      guard try fill() else { return nil }
    }
  }

  // MARK: Bytes

  private mutating func expect(_ byte: UInt8, _ what: String) throws {
    try skipBlanks()
    guard try peek() == byte else { throw broken("\(what) was expected") }
    position += 1
  }

  private mutating func skipBlanks() throws {
    while let byte = try peek(), byte.isASCIISpace { position += 1 }
  }

  private mutating func peek() throws -> UInt8? {
    while position >= window.count {
      guard try fill() else { return nil }
    }
    return window[position]
  }

  /// Reads on and drops what was passed; false at the end of the file.
  private mutating func fill() throws -> Bool {
    guard !isComplete else { return false }
    window.removeSubrange(0..<position)
    position = 0
    let chunk: [UInt8]
    do throws(FileError) {
      chunk = try file.readChunk(at: offset, count: 1 << 18)
    } catch {
      throw BuildFailure.usage(.unreadableSite(path, error.explanation))
    }
    offset += Int64(chunk.count)
    window += chunk
    isComplete = chunk.isEmpty
    return !isComplete
  }

  /// What is wrong here, as an error that ends the reading.
  func broken(_ why: String) -> BuildFailure {
    .usage(
      .foreignSite(path, "\(why), near byte \(offset - Int64(window.count) + Int64(position))"))
  }
}

extension Diagnostic {
  static func unreadableSite(_ path: String, _ why: String) -> Diagnostic {
    Diagnostic(
      .error, .siteUnreadable, "cannot read \(path)", note: why,
      help: "name a folder that `sitegen build` has written")
  }

  static func foreignSite(_ path: String, _ why: String) -> Diagnostic {
    Diagnostic(
      .error, .siteNotOurs, "\(path) makes no sense", note: why,
      help: "build the site again")
  }
}
