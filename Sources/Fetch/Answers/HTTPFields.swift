/// The header fields of an answer, by names in lower case.
package struct HTTPFields: Hashable, Sendable {
  private var values: [String: [String]] = [:]
  /// The host that answered, with the port; redirects may have led to another one than was asked.
  package var host: String?

  package init() {}

  package init(_ fields: KeyValuePairs<String, String>) {
    for (name, value) in fields { add(name, value) }
  }

  package mutating func add(_ name: String, _ value: String) {
    values[name.lowercased(), default: []].append(value)
  }

  /// All lines of that name as one list; nil when there is none.
  package subscript(_ name: String) -> String? {
    values[name.lowercased()].map { $0.joined(separator: ", ") }
  }
}
