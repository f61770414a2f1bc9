import Diagnostics
import Documents
import Imaging

extension FieldReader {
  mutating func formats(_ field: Field) -> [OutputFormat]? {
    guard let items = filledList(field, limit: ManifestLimits.words) else { return nil }
    var formats: [OutputFormat] = []
    for item in items {
      if let format = format(item), !formats.contains(format) { formats.append(format) }
    }
    return formats
  }

  private mutating func format(_ field: Field) -> OutputFormat? {
    guard case .scalar(let scalar) = field.node.content,
      let why = OutputFormat.unsupported[scalar.text]
    else { return word(field, OutputFormat.byName) }
    report(
      .notSupported, "`\(scalar.text)` files are not written", field, note: why,
      help: "use \(OutputFormat.byName.map { "`\($0.key)`" }.joined(separator: ", "))")
    return nil
  }

  mutating func quality(_ field: Field) -> [OutputFormat: Int] {
    mapping(field, .quality).map { numbers($0, .quality) } ?? [:]
  }

  /// One number for all formats, or one for each.
  mutating func maxBytes(_ field: Field) -> [OutputFormat: Int] {
    guard case .scalar = field.node.content else {
      return mapping(field, .maxBytes).map { numbers($0, .bytes) } ?? [:]
    }
    guard let bytes = whole(field, .bytes) else { return [:] }
    return Dictionary(OutputFormat.allCases.map { ($0, bytes) }) { first, _ in first }
  }

  private mutating func numbers(_ fields: Fields, _ range: NumberRange) -> [OutputFormat: Int] {
    var numbers: [OutputFormat: Int] = [:]
    for format in OutputFormat.allCases {
      numbers[format] = fields[format.rawValue].flatMap { whole($0, range) }
    }
    return numbers
  }
}

extension OutputFormat {
  fileprivate static let byName = allCases.map { (key: $0.rawValue, value: $0) }
}
