import Diagnostics
import Documents

extension Node {
  var isScalar: Bool {
    if case .scalar = content { true } else { false }
  }

  /// What it is, for a message.
  var kind: String {
    switch content {
    case .sequence: "a list"
    case .mapping: "a mapping"
    case .scalar(let scalar):
      switch scalar.style {
      case .quoted: "the text \(scalar.text.quoted)"
      case .null: "nothing"
      case .plain, .number, .boolean: scalar.text.isEmpty ? "nothing" : scalar.text.shortened
      }
    }
  }
}
