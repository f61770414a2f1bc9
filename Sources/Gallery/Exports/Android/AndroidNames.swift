import Manifest

/// What buttons are called among Android's resources: `btn_primary`, `btn_primary_normal`.
struct AndroidNames: Sendable {
  /// One for each button, in the order of the manifest.
  let all: [String]

  /// Every state, and the colour of the words.
  private static let parts = ["normal", "highlighted", "disabled", "selected", "focused", "title"]

  /// Of buttons `a` and `a_normal` the second must not take the name of the first one's drawable.
  init(_ buttons: [ButtonStyle]) {
    let texts = buttons.map(\.name)
    var names = ResourceNames(texts).all
    var reserved: Set<String> = []
    while true {
      let parts = names.flatMap { name in Self.parts.map { "\(name)_\($0)" } }
      guard !reserved.isSuperset(of: parts) else { break }
      reserved.formUnion(parts)
      names = ResourceNames(texts, reserved: reserved).all
    }
    all = names.map { "btn_\($0)" }
  }
}
