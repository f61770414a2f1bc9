import Diagnostics
import Documents
import Recipes

/// Metadata about a kind of value, for the schema, the docs and `Kind.either`.
struct ValueForm: Sendable {
  /// The docs' description of the accepted values, such as `number from 0 to 100`.
  var takes: String
  var schema: @Sendable () -> Schema
  /// Returns whether a value looks like this kind; used to choose between alternatives.
  var fits: @Sendable (Node) -> Bool
  /// The keys of a mapping, which styles inherit individually; nil for other values.
  var table: KeyTable?
  var isColor = false

  init(
    _ takes: String, fits: @escaping @Sendable (Node) -> Bool = { $0.isScalar },
    schema: @escaping @Sendable () -> Schema
  ) {
    self.takes = takes
    self.fits = fits
    self.schema = schema
  }
}

package struct KeyTable: Sendable {
  package struct Key: Sendable {
    package let name: String
    let form: ValueForm
    package fileprivate(set) var absent: String?
    package fileprivate(set) var meaning = ""
    /// The help text to show if a required key is missing; nil for an optional key.
    package let requirement: String?
    /// An inherited key that this key overrides, such as `gradient` for `color`.
    let replaces: String?

    package var takes: String { form.takes }
  }

  package let title: String
  package let entries: [Key]
  package let keys: [String]
  let colors: [String]
  let alternatives: [String]
  /// Keys that were removed, each with a migration hint.
  let removed: [String: String]

  fileprivate init(
    title: String, entries: [Key], alternatives: [String], removed: [String: String]
  ) {
    (self.title, self.entries, self.alternatives) = (title, entries, alternatives)
    self.removed = removed
    keys = entries.map(\.name)
    colors = entries.filter(\.form.isColor).map(\.name)
  }

  subscript(key: String) -> Key? { entries.first { $0.name == key } }

  package var link: String { "[mapping](#\(title.replacing(" ", with: "-")))" }
}

struct Key<Target>: Sendable {
  fileprivate var entry: KeyTable.Key
  fileprivate let read: @Sendable (inout FieldReader, Field, inout Target) -> Void

  init<Value>(
    _ name: String, _ kind: Kind<Value>, required: String? = nil, replaces: String? = nil,
    set: @escaping @Sendable (inout Target, Value) -> Void
  ) {
    entry = KeyTable.Key(name: name, form: kind.form, requirement: required, replaces: replaces)
    read = { reader, field, target in
      if let value = kind.read(&reader, field) { set(&target, value) }
    }
  }

  init<Value>(
    _ name: String, _ kind: Kind<Value>, to path: any WritableKeyPath<Target, Value> & Sendable,
    required: String? = nil
  ) {
    self.init(name, kind, required: required) { $0[keyPath: path] = $1 }
  }

  init<Value>(
    _ name: String, _ kind: Kind<Value>, to path: any WritableKeyPath<Target, Value?> & Sendable
  ) {
    self.init(name, kind) { $0[keyPath: path] = $1 }
  }

  init<Value>(_ name: String, _ kind: Kind<Value>, required: String? = nil) {
    self.init(name, kind, required: required) { _, _ in }
  }

  func doc(default absent: String? = nil, _ meaning: String) -> Key {
    var key = self
    (key.entry.absent, key.entry.meaning) = (absent, meaning)
    return key
  }
}

struct Keys<Target>: Sendable {
  typealias Check = @Sendable (inout FieldReader, Fields, inout Target) -> Void

  let table: KeyTable
  fileprivate let keys: [Key<Target>]
  fileprivate let check: Check?

  init(
    _ title: String, alternatives: [String] = [], removed: [String: String] = [:],
    @KeysBuilder<Target> _ keys: () -> [Key<Target>], check: Check? = nil
  ) {
    self.keys = keys()
    self.check = check
    table = KeyTable(
      title: title, entries: self.keys.map(\.entry), alternatives: alternatives, removed: removed)
  }
}

@resultBuilder enum KeysBuilder<Target> {
  static func buildExpression(_ key: Key<Target>) -> [Key<Target>] { [key] }
  static func buildExpression(_ keys: [Key<Target>]) -> [Key<Target>] { keys }
  static func buildBlock(_ keys: [Key<Target>]...) -> [Key<Target>] { keys.flatMap(\.self) }
  static func buildArray(_ keys: [[Key<Target>]]) -> [Key<Target>] { keys.flatMap(\.self) }
}

extension FieldReader {
  /// Reads the keys that are present, in table order; returns nil if the field is not a mapping.
  mutating func read<Target>(
    _ field: Field, _ keys: Keys<Target>, into target: inout Target
  ) -> Fields? {
    let errors = diagnostics.count(.error)
    guard var fields = mapping(field, keys.table) else { return nil }
    for key in keys.keys {
      let name = key.entry.name
      if let field = fields[name] {
        key.read(&self, field, &target)
      } else if let help = key.entry.requirement {
        report(
          .error, name == "version" ? .versionMissing : .missingKey,
          "`\(name)` is missing", at: located(fields.field), help: help)
      }
    }
    fields.isSound = diagnostics.count(.error) == errors
    keys.check?(&self, fields, &target)
    return fields
  }

  /// Reads a mapping again, without repeating the errors that the first read reported.
  func value<Target>(of field: Field, _ keys: Keys<Target>, from start: Target) -> Target {
    var (reader, target) = (self, start)
    _ = reader.read(field, keys, into: &target)
    return target
  }

  /// Merges mappings key by key, including nested mappings; other values are replaced.
  func merge(_ own: Node, over base: Node, _ table: KeyTable) -> Node {
    guard case .mapping(let entries) = own.content else { return own }
    let present = entries.filter { !isAbsent($0.value) }
    let others: [Entry] =
      switch base.content {
      case .mapping(let entries): entries.filter { !isAbsent($0.value) }
      case .sequence: []
      // A scalar, such as one `maxBytes` for all formats, applies to every key.
      case .scalar:
        table.keys.map { Entry(key: $0, keyPosition: base.position, value: base) }
      }
    let replaced = present.map(\.key) + present.compactMap { table[$0.key]?.replaces }
    let merged = present.map { entry in
      guard let nested = table[entry.key]?.form.table,
        let other = others.first(where: { $0.key == entry.key })
      else { return entry }
      let value = merge(entry.value, over: other.value, nested)
      return Entry(key: entry.key, keyPosition: entry.keyPosition, value: value)
    }
    let inherited = others.filter { !replaced.contains($0.key) }
    return Node(.mapping(merged + inherited), at: own.position)
  }
}
