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
  /// Bytes of one value; no user needs more, whatever the styles.
  static let valueLimit = 16 << 20

  /// For messages.
  let path: String
  private let file: OpenFile
  private var offset: Int64 = 0
  private var isComplete = false
  /// The part of the file that is in memory.
  private var window: [UInt8] = []
  /// The index of the next byte in the window.
  private var position = 0
  /// For each open object, whether none of its keys was read yet.
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

  /// The bytes of the next value, to where its brackets and quotes are closed.
  mutating func value() throws -> [UInt8] {
    try skipBlanks()
    var value: [UInt8] = []
    var depth = 0
    var isText = false
    var isEscaped = false
    loop: while let byte = try peek() {
      switch byte {
      case _ where isEscaped: isEscaped = false
      case UInt8(ascii: "\\"): isEscaped = isText
      case UInt8(ascii: "\""): isText.toggle()
      case _ where isText: break
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0 else { break loop }
        depth -= 1
      case UInt8(ascii: ","), UInt8(ascii: ":"), 0...0x20:
        guard depth > 0 else { break loop }
      default: break
      }
      value.append(byte)
      position += 1
      guard value.count <= Self.valueLimit else { throw broken("a value is too long") }
      let isClosing = [UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
      if isClosing, depth == 0, !isText { break }
    }
    guard depth == 0, !isText else { throw broken("a value is never closed") }
    guard !value.isEmpty else { throw broken("a value was expected") }
    return value
  }

  /// Throws when anything but blanks follows.
  mutating func finish() throws {
    try skipBlanks()
    guard try peek() == nil else { throw broken("more text follows after the end") }
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

  /// The next byte; nil at the end of the file.
  private mutating func peek() throws -> UInt8? {
    if position == window.count, !isComplete {
      do throws(FileError) {
        window = try file.readChunk(at: offset, count: 1 << 18)
      } catch {
        throw BuildFailure.usage(.unreadableSite(path, error.explanation))
      }
      position = 0
      offset += Int64(window.count)
      isComplete = window.isEmpty
    }
    return position < window.count ? window[position] : nil
  }

  /// An error that names the current position.
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
