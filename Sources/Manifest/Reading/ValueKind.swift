import Recipes

/// What a key takes, told with the reader's own ranges, limits and lists of words.
///
/// The schema for editors is made of it. The reader reads each key in its own code; tests show it
/// every value that a kind allows and forbids.
indirect enum ValueKind: Sendable {
  /// Also a number and a boolean in YAML; the pattern is a regular expression of JavaScript.
  case text(limit: Int = ManifestLimits.textBytes, pattern: String = Pattern.line)
  case color
  case boolean
  case number(NumberRange)
  case whole(NumberRange)
  /// A text such as `25%`.
  case percentage(NumberRange)
  case words([String])
  /// Exactly two values.
  case pair(ValueKind)
  /// A value that stands alone is a list of one.
  case list(ValueKind, ClosedRange<Int>)
  case onlyList(ValueKind, ClosedRange<Int>)
  case mapping(KeyTable)
  /// A mapping with any keys.
  case values(ValueKind)
  case either([ValueKind])
  /// An item of a list that may be empty.
  case optional(ValueKind)

  static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> ValueKind {
    .words(type.allCases.map(\.rawValue))
  }

  static let name = text(limit: ManifestLimits.nameBytes, pattern: Pattern.visible)
  /// Names of styles and themes.
  static let word = text(limit: ManifestLimits.nameBytes, pattern: "^[a-z0-9-]+$")
  static let alias = text(
    limit: ManifestLimits.nameBytes, pattern: "^(_*[a-z0-9-][a-z0-9_-]*)?$")
  static let id = text(limit: ManifestLimits.idBytes, pattern: Pattern.visible)
  static let lines = text(pattern: Pattern.lines)
  static let path = text(pattern: "^[^\(Pattern.controls)]+$")
  static let source = text(
    limit: .max,
    pattern:
      "^(?!\(Pattern.scheme))[^\(Pattern.controls)]*$|^\(Pattern.scheme)(\(Pattern.color)|[a-zA-Z]+)$"
  )
  static let link = text(
    pattern: "^$|^(\(Pattern.web)[^/?#:\\s]|[mM][aA][iI][lL][tT][oO]:[^?\\s])[^\\s\"<>\\\\^`{|}]*$")
  static let point = pair(.percentage(.percentage))
  static let sides = words(FieldReader.gravities.map(\.key))
  static let shade = either([.color, .words(["same", "auto"])])
  static let colors = list(.color, 0...ManifestLimits.colors)
  static let direction = either([
    .words(FieldReader.directions.map(\.key)), .number(.degrees),
  ])
  static let corner = words(AvatarStyle.Corner.self)
  static let severity = words(FieldReader.severities.map(\.key))

  /// What a text may consist of.
  enum Pattern {
    static let controls = "\\u0000-\\u001f\\u007f-\\u009f"
    static let line = "^[^\(controls)]*$"
    static let lines = "^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f]*$"
    /// Not blank.
    static let visible = "^[^\(controls)]*[^\(controls)\\s][^\(controls)]*$"
    static let web = "[hH][tT][tT][pP][sS]?://"
    static let scheme = "[cC][oO][lL][oO][rR]:"
    /// But names.
    static let color =
      "#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"
      + "|([rR][gG][bB][aA]?|[gG][rR][aA][yY])\\([-0-9., /%\\t]+\\)"
  }

  /// Where an empty value may come from a `#` that was not quoted.
  var takesColor: Bool {
    switch self {
    case .color: true
    case .either(let kinds): kinds.contains(where: \.takesColor)
    default: false
    }
  }
}
