import CYAML
import Diagnostics

/// Owns one libyaml parser; nothing else here calls C.
///
/// It is safe to use: the parser is initialised once, has one owner at a time and is deleted once;
/// no pointer into it leaves this type.
@safe struct YAMLEvents: ~Copyable {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  let input: YAMLInput

  init(reading input: YAMLInput) {
    self.input = input
    unsafe parser = .allocate(capacity: 1)
    // It fails only when there is no memory for its buffers.
    precondition(unsafe yaml_parser_initialize(parser) == 1, "out of memory")
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    let source = unsafe Unmanaged.passUnretained(input).toOpaque()
    // `input` lives as long as the parser, since this value holds both. libyaml asks for at most
    // `size` bytes at `buffer` and takes `count` of them; 0 tells it that reading failed.
    unsafe yaml_parser_set_input(
      parser,
      { source, buffer, size, count in
        guard let source = unsafe source, let buffer = unsafe buffer, let count = unsafe count
        else { return 0 }
        let input = unsafe Unmanaged<YAMLInput>.fromOpaque(source).takeUnretainedValue()
        guard let bytes = input.serve(size) else { return 0 }
        unsafe UnsafeMutableRawBufferPointer(start: buffer, count: size).copyBytes(from: bytes)
        unsafe count.pointee = bytes.count
        return 1
      }, source)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
  }

  /// The next event; must not be called again after it has thrown.
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
      mark: Self.mark(state.problem_mark),
      context: state.context.map { unsafe String(cString: $0) },
      contextMark: Self.mark(state.context_mark))
  }

  // MARK: From C to Swift

  private static func event(_ event: yaml_event_t) -> YAMLEvent {
    let kind: YAMLEvent.Kind
    var (anchor, tag): (String?, String?) = (nil, nil)
    // Each arm reads the member of the union that libyaml has filled for this type.
    switch unsafe event.type {
    case YAML_STREAM_START_EVENT: kind = .streamStart
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
    case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
    case YAML_MAPPING_END_EVENT: kind = .mappingEnd
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
    default: kind = .streamEnd
    }
    return unsafe YAMLEvent(
      kind: kind, anchor: anchor, tag: tag, start: mark(event.start_mark),
      end: mark(event.end_mark))
  }

  private static func text(_ pointer: UnsafePointer<UInt8>?) -> String? {
    unsafe pointer.map { unsafe String(cString: $0) }
  }

  private static func mark(_ mark: yaml_mark_t) -> YAMLMark {
    YAMLMark(index: Int(mark.index), line: Int(mark.line), column: Int(mark.column))
  }
}

/// What libyaml says about the next piece of a document.
struct YAMLEvent {
  enum Kind {
    case streamStart
    case streamEnd
    case documentStart
    case documentEnd
    case alias(String)
    case scalar(Scalar)
    case sequenceStart
    case sequenceEnd
    case mappingStart
    case mappingEnd
  }

  let kind: Kind
  /// The name after `&`.
  let anchor: String?
  /// The name after `!`, in full.
  let tag: String?
  let start: YAMLMark
  let end: YAMLMark
}

/// A position as libyaml counts it: in characters from 0, without a byte order mark.
struct YAMLMark {
  let index: Int
  /// Counts U+0085, U+2028 and U+2029 as line ends too, so it can differ from `Position.line`.
  let line: Int
  let column: Int
}

/// Why libyaml gave up, in its own words.
struct YAMLError: Error {
  let problem: String
  let mark: YAMLMark
  /// What it was doing, `while scanning a quoted scalar`, and where that began.
  let context: String?
  let contextMark: YAMLMark
}
