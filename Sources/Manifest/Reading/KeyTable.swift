import Diagnostics
import Documents
import Recipes

/// What is known of a value without reading it, for the schema, the docs and the choice of a kind.
struct ValueForm: Sendable {
  /// For the docs, such as `number from 0 to 100`.
  var takes: String
  var schema: @Sendable () -> Schema
  /// Whether a value can be meant as one of this kind, where there are several.
  var fits: @Sendable (Node) -> Bool
  /// The keys of a mapping, which styles inherit one by one.
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

/// The keys of one kind of mapping: for messages, editors and the docs.
package struct KeyTable: Sendable {
  package struct Key: Sendable {
    package let name: String
    let form: ValueForm
    /// What holds if the key is left out; nil for nothing.
    package let absent: String?
    /// What to write, if the key cannot be left out.
    package let requirement: String?
    /// One sentence.
    package let meaning: String
    /// A key of the parent that a style does not inherit if it has this one.
    let replaces: String?

    package var takes: String { form.takes }
  }

  /// As in "`x` is not a key of a style".
  package let title: String
  package fileprivate(set) var entries: [Key] = []
  package fileprivate(set) var keys: [String] = []
  /// A bare `#` in YAML leaves them empty.
  fileprivate(set) var colors: [String] = []
  /// Keys of which one cannot be left out.
  let alternatives: [String]
  /// Keys of later versions: known, but refused.
  package let later: [String]
  /// Keys of earlier versions, with what to do instead.
  let removed: [String: String]

  subscript(key: String) -> Key? { entries.first { $0.name == key } }

  /// To its section in docs/reference/keys.md.
  package var link: String { "[mapping](#\(title.replacing(" ", with: "-")))" }
}

/// The keys of one kind of mapping, each with the place where its value goes.
struct Keys<Target>: Sendable {
  fileprivate typealias Reader = @Sendable (inout FieldReader, Field, inout Target) -> Void
  typealias Check = @Sendable (inout FieldReader, Fields, inout Target) -> Void

  private(set) var table: KeyTable
  fileprivate private(set) var readers: [Reader] = []
  /// What depends on several keys.
  var check: Check?

  init(
    _ title: String, alternatives: [String] = [], later: [String] = [],
    removed: [String: String] = [:], _ add: (inout Keys) -> Void
  ) {
    table = KeyTable(title: title, alternatives: alternatives, later: later, removed: removed)
    add(&self)
  }

  mutating func add<Value>(
    _ name: String, _ kind: Kind<Value>, default absent: String? = nil, required: String? = nil,
    replaces: String? = nil, _ meaning: String,
    set: @escaping @Sendable (inout Target, Value) -> Void
  ) {
    table.entries.append(
      KeyTable.Key(
        name: name, form: kind.form, absent: absent, requirement: required, meaning: meaning,
        replaces: replaces))
    table.keys.append(name)
    if kind.form.isColor { table.colors.append(name) }
    readers.append { reader, field, target in
      if let value = kind.read(&reader, field) { set(&target, value) }
    }
  }

  mutating func add<Value>(
    _ name: String, _ kind: Kind<Value>, to path: any WritableKeyPath<Target, Value> & Sendable,
    default absent: String? = nil, required: String? = nil, _ meaning: String
  ) {
    add(name, kind, default: absent, required: required, meaning) { $0[keyPath: path] = $1 }
  }

  mutating func add<Value>(
    _ name: String, _ kind: Kind<Value>, to path: any WritableKeyPath<Target, Value?> & Sendable,
    default absent: String? = nil, required: String? = nil, _ meaning: String
  ) {
    add(name, kind, default: absent, required: required, meaning) { $0[keyPath: path] = $1 }
  }

  /// A key whose value is only checked here.
  mutating func add<Value>(
    _ name: String, _ kind: Kind<Value>, default absent: String? = nil, required: String? = nil,
    _ meaning: String
  ) {
    add(name, kind, default: absent, required: required, meaning) { _, _ in }
  }
}

extension FieldReader {
  /// Reads the keys that a mapping has, in the order of the table; nil if it is not a mapping.
  mutating func read<Target>(
    _ field: Field, _ keys: Keys<Target>, into target: inout Target
  ) -> Fields? {
    let errors = diagnostics.count(.error)
    guard var fields = mapping(field, keys.table) else { return nil }
    for (key, read) in zip(keys.table.entries, keys.readers) {
      if let field = fields[key.name] {
        read(&self, field, &target)
      } else if let help = key.requirement {
        report(
          .error, key.name == "version" ? .versionMissing : .missingKey,
          "`\(key.name)` is missing", at: fields.position, fields.path, help: help)
      }
    }
    fields.isSound = diagnostics.count(.error) == errors
    keys.check?(&self, fields, &target)
    return fields
  }

  /// What a mapping means whose mistakes have been reported.
  func value<Target>(of field: Field, _ keys: Keys<Target>, from start: Target) -> Target {
    var (reader, target) = (self, start)
    _ = reader.read(field, keys, into: &target)
    return target
  }

  /// A mapping laid over another one: key by key, mappings in it too, all else as a whole.
  func merge(_ own: Node, over base: Node, _ table: KeyTable) -> Node {
    guard case .mapping(let entries) = own.content else { return own }
    let present = entries.filter { !isAbsent($0.value) }
    let others: [Entry] =
      switch base.content {
      case .mapping(let entries): entries.filter { !isAbsent($0.value) }
      case .sequence: []
      // One value for all keys.
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
