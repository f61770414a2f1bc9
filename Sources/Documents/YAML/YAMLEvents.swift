import CYAML
import Diagnostics

/// The only type that calls libyaml, and the owner of its parser.
///
/// The type is safe because the parser has one owner, is initialized and deleted once, and reads a
/// copy of the text that lives as long as the parser. Pointers never leave the type.
@safe struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let text: UnsafeMutableBufferPointer<UInt8>

  init(reading bytes: [UInt8]) {
    unsafe parser = .allocate(capacity: 1)
    unsafe text = .allocate(capacity: bytes.count)
    _ = unsafe text.initialize(fromContentsOf: bytes)
    precondition(unsafe yaml_parser_initialize(parser) == 1, "out of memory")
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe text.deallocate()
  }

  /// Returns the next event; must not be called after an error.
  mutating func next() throws(YAMLError) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem() }
    defer { unsafe yaml_event_delete(&event) }
    return unsafe Self.event(event)
  }

  private borrowing func problem() -> YAMLError {
    let state = unsafe parser.pointee
    return unsafe YAMLError(
      problem: state.problem.map { unsafe String(cString: $0) } ?? "out of memory",
      position: Self.position(state.problem_mark),
      context: state.context.map { unsafe String(cString: $0) },
      contextPosition: Self.position(state.context_mark))
  }

  private static func event(_ event: yaml_event_t) -> YAMLEvent {
    let kind: YAMLEvent.Kind
    var (anchor, tag): (String?, String?) = (nil, nil)
    // Each case reads the union member that libyaml sets for this event type.
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT, YAML_DOCUMENT_START_EVENT: kind = .start
    case YAML_ALIAS_EVENT: kind = .alias(unsafe text(event.data.alias.anchor) ?? "")
    case YAML_SCALAR_EVENT:
      let data = unsafe event.data.scalar
      let bytes = unsafe UnsafeBufferPointer(start: data.value, count: data.length)
      let isPlain = unsafe data.style == YAML_PLAIN_SCALAR_STYLE
      let text = unsafe String(decoding: bytes, as: UTF8.self)
      kind = .scalar(Scalar(text, style: isPlain ? .plain : .quoted))
      (anchor, tag) = unsafe (Self.text(data.anchor), Self.text(data.tag))
    case YAML_SEQUENCE_START_EVENT:
      kind = .sequenceStart
      let data = unsafe event.data.sequence_start
      (anchor, tag) = unsafe (text(data.anchor), text(data.tag))
    case YAML_MAPPING_START_EVENT:
      kind = .mappingStart
      let data = unsafe event.data.mapping_start
      (anchor, tag) = unsafe (text(data.anchor), text(data.tag))
    default: kind = .end
    }
    return unsafe YAMLEvent(
      kind: kind, anchor: anchor, tag: tag, position: position(event.start_mark))
  }

  private static func text(_ pointer: UnsafePointer<UInt8>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }

  /// Converts a libyaml mark, which counts from 0, to a position, which counts from 1.
  private static func position(_ mark: yaml_mark_t) -> Position {
    Position(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
  }
}

struct YAMLEvent {
  enum Kind {
    case start
    case end
    case alias(String)
    case scalar(Scalar)
    case sequenceStart
    case mappingStart
  }

  let kind: Kind
  let anchor: String?
  let tag: String?
  let position: Position
}

struct YAMLError: Error {
  let problem: String
  let position: Position
  /// What the parser was doing, such as `while scanning a quoted scalar`, and where that began.
  let context: String?
  let contextPosition: Position
}
