import Diagnostics
import Documents

/// The names of one list, and where each was first given.
struct NameBook {
  let plural: String
  fileprivate var places: [String: Position] = [:]

  init(of plural: String) {
    self.plural = plural
  }
}

extension FieldReader {
  /// The `name` of a thing, which no other of its list has; nil when it is missing or bad.
  mutating func name(
    of thing: String, _ fields: Fields, _ names: inout NameBook
  ) -> String? {
    guard let field = required("name", of: fields, help: "\(thing) needs a `name`"),
      let name = text(field, limit: ManifestLimits.nameBytes, id: .badName)
    else { return nil }
    guard !name.isBlank else {
      report(.badName, "the name is blank", field, help: "\(thing) needs a `name`")
      return nil
    }
    if let first = names.places[name] {
      report(
        .duplicateName, "there are two \(names.plural) called \(name.quoted)", field,
        note: "the first is at \(FileLocation(file: file, position: first))",
        help: "give one of them another name")
    } else {
      names.places[name] = field.node.position
    }
    return name
  }
}
