import Diagnostics
import Documents
import Recipes

/// A value of a document, and its path.
struct Field {
  var node: Node
  var path: NodePath
}

/// Reads the values of one file; says what is wrong with each and goes on.
///
/// The field decides how a scalar is read: `no` is text where text is wanted, and an error where
/// a boolean is. Every method returns nil after an error, or where `nil` is said to mean absent.
struct FieldReader {
  var file: String
  /// CSV and TSV: only the empty cell is absent, and `;` splits lists.
  var isTabular: Bool
  var diagnostics: Diagnostics

  mutating func report(
    _ severity: Diagnostic.Severity = .error, _ id: DiagnosticID, _ message: String,
    at position: Position, _ path: NodePath, note: String? = nil, help: String? = nil
  ) {
    diagnostics.add(
      Diagnostic(
        severity, id, message, at: FileLocation(file: file, position: position), path: path.text,
        note: note, help: help))
  }

  mutating func report(
    _ id: DiagnosticID, _ message: String, _ field: Field, note: String? = nil,
    help: String? = nil
  ) {
    report(.error, id, message, at: field.node.position, field.path, note: note, help: help)
  }

  mutating func reportType(_ field: Field, expected: String, help: String? = nil) {
    report(.wrongType, "expected \(expected), got \(field.node.kind)", field, help: help)
  }

  /// Of a list that has too few or too many values, how many it has.
  mutating func reportCount(_ field: Field, expected: String) {
    guard case .sequence(let items) = field.node.content else {
      return reportType(field, expected: expected)
    }
    let count = items.count == 1 ? "1 value" : "\(items.count) values"
    report(.wrongType, "expected \(expected), got \(count)", field)
  }

  /// Empty, or `null`.
  func isAbsent(_ node: Node) -> Bool {
    guard case .scalar(let scalar) = node.content else { return false }
    switch scalar.style {
    case .null: return true
    case .plain: return scalar.text.isEmpty || (!isTabular && scalar.text == "null")
    case .quoted: return isTabular && scalar.text.isEmpty
    case .number, .boolean: return false
    }
  }

  // MARK: Scalars

  /// Text of any kind, as written, without control characters.
  mutating func text(
    _ field: Field, limit: Int = ManifestLimits.textBytes, id: DiagnosticID = .badText,
    allowsLines: Bool = false
  ) -> String? {
    guard case .scalar(let scalar) = field.node.content, scalar.style != .boolean,
      scalar.style != .null
    else {
      reportType(field, expected: "text")
      return nil
    }
    let length = scalar.text.utf8.count
    guard length <= limit else {
      report(id, "the text is \(length) bytes long, allowed are \(limit)", field)
      return nil
    }
    guard !scalar.text.hasControls(otherThanLines: allowsLines) else {
      report(
        id, "\(scalar.text.quoted) contains a control character", field,
        help: "remove it; line breaks and tabs count too")
      return nil
    }
    return scalar.text
  }

  /// Exactly `true` or `false`, without quotes.
  mutating func boolean(_ field: Field) -> Bool? {
    if case .scalar(let scalar) = field.node.content,
      scalar.style == .plain || scalar.style == .boolean
    {
      if scalar.text == "true" { return true }
      if scalar.text == "false" { return false }
    }
    reportType(field, expected: "`true` or `false`", help: "write it without quotes")
    return nil
  }

  /// A decimal number in `range`.
  mutating func number(_ field: Field, _ range: NumberRange) -> Double? {
    guard case .scalar(let scalar) = field.node.content,
      scalar.style == .plain || scalar.style == .number
    else {
      reportType(
        field, expected: "a number",
        help: field.node.isScalar ? "numbers are written without quotes" : nil)
      return nil
    }
    return number(scalar.text, range, field)
  }

  /// The same for a text that is part of a scalar, such as `25` of `25%`.
  mutating func number(_ text: String, _ range: NumberRange, _ field: Field) -> Double? {
    guard isDecimal(text), let value = Double(text) else {
      report(
        .wrongType, "\(text.quoted) is no number", field,
        help: "numbers are decimal, such as 12 or 0.5")
      return nil
    }
    guard range.contains(value) else {
      report(.outOfRange, "\(text.shortened) is out of range", field, help: range.text)
      return nil
    }
    // -0 becomes 0: they are one length.
    return value + 0
  }

  mutating func color(_ field: Field) -> Color? {
    guard let text = text(field) else { return nil }
    if let color = Color(parsing: text) { return color }
    report(.badColor, "\(text.quoted) is no colour", field, help: colorHelp(for: text))
    return nil
  }

  private func colorHelp(for text: String) -> String {
    if let name = nearest(to: text, among: Color.names.keys.sorted()) {
      return "did you mean `\(name)`?"
    }
    return "colours are #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), gray() or a CSS name"
  }

  /// Exactly two numbers.
  mutating func pair(
    _ field: Field, _ range: NumberRange, expected: String
  ) -> (first: Double, second: Double)? {
    guard case .sequence(let items) = field.node.content, items.count == 2 else {
      reportCount(field, expected: expected)
      return nil
    }
    let values = items.enumerated().map {
      number(Field(node: $1, path: .item($0, of: field.path)), range)
    }
    guard let first = values[0], let second = values[1] else { return nil }
    return (first, second)
  }

  /// A number without fraction.
  mutating func whole(_ field: Field, _ range: NumberRange) -> Int? {
    guard let number = number(field, range) else { return nil }
    if let whole = Int(exactly: number) { return whole }
    report(.outOfRange, "\(number.plain) is no whole number", field, help: range.text)
    return nil
  }

  /// What stands before the `%`.
  func percentText(_ field: Field) -> String? {
    guard case .scalar(let scalar) = field.node.content, scalar.text.last == "%" else {
      return nil
    }
    return String(scalar.text.dropLast())
  }

  /// One of a few words; `later` are those of later versions.
  mutating func word<Word>(
    _ field: Field, _ words: KeyValuePairs<String, Word>, later: [String] = []
  ) -> Word? {
    word(field, words.map { ($0.key, $0.value) }, later: later)
  }

  mutating func word<Word>(
    _ field: Field, _ words: [(key: String, value: Word)], later: [String] = []
  ) -> Word? {
    guard let text = text(field) else { return nil }
    for (word, value) in words where word == text { return value }
    if later.contains(text) {
      report(
        .notSupported, "`\(text)` is not supported yet", field,
        help: "use \(words.map { "`\($0.key)`" }.joined(separator: ", "))")
    } else {
      report(
        .unknownValue, "\(text.quoted) is not known here", field,
        help: suggestion(for: text, among: words.map(\.key)))
    }
    return nil
  }
}

/// The numbers that a field takes.
struct NumberRange {
  var lowest: Double
  var highest: Double
  var excludesLowest = false
  /// What to do, as a help line.
  var text: String

  func contains(_ value: Double) -> Bool {
    value.isFinite && value <= highest && (excludesLowest ? value > lowest : value >= lowest)
  }

  /// A width or height in points.
  static let size = NumberRange(
    lowest: 0, highest: ManifestLimits.length, excludesLowest: true,
    text: "a size is above 0 and at most 16384 points")
  /// A radius or the width of a border, in points.
  static let length = NumberRange(
    lowest: 0, highest: ManifestLimits.length, text: "a length is from 0 to 16384 points")
  static let scale = NumberRange(
    lowest: 0, highest: ManifestLimits.largestScale, excludesLowest: true,
    text: "a scale is above 0 and at most 10")
  static let percentage = NumberRange(
    lowest: 0, highest: 100, text: "a percentage is from 0% to 100%")
  /// How far something is moved or drawn out, in points.
  static let offset = NumberRange(
    lowest: -ManifestLimits.length, highest: ManifestLimits.length,
    text: "what is moved or drawn out takes -16384 to 16384 points")
  static let degrees = NumberRange(
    lowest: -36_000, highest: 36_000, text: "an angle is from -36000 to 36000 degrees")
  static let headRoom = NumberRange(
    lowest: 0, highest: 10, text: "a head room is from 0 to 10 heights of the face")
  static let headRoomPercentage = NumberRange(
    lowest: 0, highest: 1_000, text: "a head room is from 0% to 1000% of the face's height")
  static let bytes = NumberRange(
    lowest: 1, highest: 1e12, text: "a limit is a whole number of bytes from 1")
  static let quality = NumberRange(
    lowest: 1, highest: 100, text: "a quality is a whole number from 1 to 100")
  static let pageSize = NumberRange(
    lowest: 10, highest: 1_000, text: "a page has 10 to 1000 people")
  static let any = NumberRange(
    lowest: -.greatestFiniteMagnitude, highest: .greatestFiniteMagnitude,
    text: "a number has at most 308 digits")
}
