import Diagnostics

/// The text that libyaml reads, and where its marks stand in it.
///
/// A class, because libyaml's read handler knows it by address.
final class YAMLInput {
  private var window: TextWindow
  /// How far `window.bytes` has been given to libyaml.
  private var served = 0
  /// How many bytes libyaml may take before it has to say something.
  private let patience: Int
  private var silence = 0
  /// The character at `window.start`.
  private var characterIndex = 0
  /// Why libyaml got no more bytes.
  private(set) var failure: ReadFailure?

  var file: String { window.file }

  init(_ window: TextWindow, awaiting patience: Int) {
    self.window = window
    self.patience = patience
  }

  // MARK: Towards libyaml

  /// As many bytes as asked for, fewer only at the end; nil after a failure.
  ///
  /// Always as many as there are, so that libyaml's pace does not depend on the pieces of the text.
  func serve(_ count: Int) -> ArraySlice<UInt8>? {
    window.ensure(count, from: served)
    let end = min(window.bytes.count, served + count)
    if end == served {
      do throws(ReadFailure) {
        _ = try window.fill()
      } catch {
        failure = error
        return nil
      }
    }
    silence += end - served
    if silence > patience {
      failure = .document(tooLong())
      return nil
    }
    defer { served = end }
    return window.bytes[served..<end]
  }

  /// libyaml has said something.
  func hasSpoken() { silence = 0 }

  // MARK: Places

  /// Where a mark stands; marks have to come in the order of the text to be exact.
  func position(of mark: YAMLMark) -> Position {
    guard mark.index >= characterIndex else {
      return Position(line: mark.line + 1, column: mark.column + 1)
    }
    advance(to: mark)
    return window.place.position
  }

  private func advance(to mark: YAMLMark) {
    let (offset, place) = walk(to: mark)
    served -= window.drop(to: offset, at: place)
  }

  /// A function of its own, so that nobody shares the window's bytes when it drops some.
  private func walk(to mark: YAMLMark) -> (offset: Int, place: TextPlace) {
    let bytes = window.bytes
    var offset = window.start
    var place = window.place
    var index = characterIndex
    while offset < bytes.count {
      if !bytes[offset].isContinuation {
        if index == mark.index { break }
        index += 1
      }
      place.advance(over: bytes[offset])
      offset += 1
    }
    characterIndex = index
    return (offset, place)
  }

  // MARK: Around the document

  /// Refuses directives but `%YAML` before libyaml sees them: it reads many in quadratic time.
  func checkPrologue() throws(ReadFailure) {
    var index = window.start
    var place = window.place
    while try nextByte(&index, &place) == Byte.percent, place.position.column == 1 {
      window.ensure(6, from: index)
      guard window.bytes[index...].starts(with: "%YAML ".utf8) else {
        throw .document(
          Diagnostic(
            .yamlDirective, "the file holds a directive", file: file, at: place.position,
            help: "remove the line; only `%YAML 1.1` and `%YAML 1.2` are understood"))
      }
      try skipLine(&index, &place)
    }
  }

  /// Refuses whatever follows the first document, so that libyaml need not read on.
  func checkEpilogue(after mark: YAMLMark) throws(ReadFailure) {
    advance(to: mark)
    var index = window.start
    var place = window.place
    while let byte = try nextByte(&index, &place) {
      window.ensure(3, from: index)
      let isMark = place.position.column == 1
      if isMark, window.bytes[index...].starts(with: "...".utf8) {
        try skipLine(&index, &place)
        continue
      }
      if isMark, byte == Byte.percent || window.bytes[index...].starts(with: "---".utf8) {
        throw .document(
          Diagnostic(
            .yamlManyDocuments, "a second document begins here", file: file, at: place.position,
            help: "a file holds one document: remove the rest, or put it into a file of its own"))
      }
      throw .document(
        Diagnostic(
          .yamlSyntax, "the YAML goes on after its end", file: file, at: place.position,
          help: "check the indentation of this line and for brackets closed too early"))
    }
  }

  /// The next byte that is neither blank nor in a comment, and where it stands.
  private func nextByte(_ index: inout Int, _ place: inout TextPlace) throws(ReadFailure)
    -> UInt8?
  {
    while try isThere(index) {
      switch window.bytes[index] {
      case Byte.space, Byte.tab, Byte.newline, Byte.carriageReturn:
        place.advance(over: window.bytes[index])
        index += 1
      case Byte.hash:
        try skipLine(&index, &place)
      case let byte:
        return byte
      }
    }
    return nil
  }

  private func skipLine(_ index: inout Int, _ place: inout TextPlace) throws(ReadFailure) {
    while try isThere(index), window.bytes[index] != Byte.newline,
      window.bytes[index] != Byte.carriageReturn
    {
      place.advance(over: window.bytes[index])
      index += 1
    }
  }

  private func isThere(_ index: Int) throws(ReadFailure) -> Bool {
    if index < window.bytes.count { return true }
    if window.bytes.count - window.start > patience { throw .document(tooLong()) }
    return try window.fill()
  }

  private func tooLong() -> Diagnostic {
    Diagnostic(
      .recordTooLong, "a record is longer than \(patience) bytes", file: file,
      at: window.place.position, help: "check for a quote or bracket that is never closed")
  }
}
