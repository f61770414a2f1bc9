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
  var anchor: String?
  /// The name after `!`, in full.
  var tag: String?
  let start: YAMLMark
  let end: YAMLMark
}

/// A place as libyaml counts it: in characters from 0, without a byte order mark.
struct YAMLMark {
  let index: Int
  /// Counts also U+0085, U+2028 and U+2029 as line ends, so it is no line of ours.
  let line: Int
  let column: Int
}

/// Why libyaml gave up, in its own words.
struct YAMLProblem: Error {
  let problem: String
  let place: YAMLMark
  /// What it was doing, `while scanning a quoted scalar`, and where that began.
  let context: String?
  let contextPlace: YAMLMark
}
