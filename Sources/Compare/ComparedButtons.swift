import Build
import Documents
import Recipes

/// The buttons as an `assets.json` tells of them.
struct ComparedButtons: Sendable {
  struct State: Hashable, Sendable {
    var color: Color
    var images: [ComparedImage]
  }

  /// By `name, appearance, state`.
  var states: [String: State] = [:]

  /// - Throws: `BuildFailure.usage` when they are no buttons.
  init(_ bytes: [UInt8]?, in path: String) throws {
    guard let bytes else { return }
    let wrong = BuildFailure.usage(.foreignSite(path, "the buttons make no sense"))
    guard let buttons = try ComparedUser.node(bytes, path).entries else { throw wrong }
    for button in buttons {
      guard let appearances = button.value.entries else { throw wrong }
      for appearance in appearances {
        guard let states = appearance.value.entries else { throw wrong }
        for state in states {
          guard let text = state.value["color"]?.text, let color = Color(hex: text),
            let images = state.value["images"].flatMap(ComparedImage.list)
          else { throw wrong }
          self.states["\(button.key), \(appearance.key), \(state.key)"] = State(
            color: color, images: images)
        }
      }
    }
  }
}

extension Color {
  /// Only as `assets.json` writes it: `#3e63ddff`.
  fileprivate init?(hex text: String) {
    guard text.utf8.count == 9, text.utf8.first == UInt8(ascii: "#"),
      text.utf8.dropFirst().allSatisfy({
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
          || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
      }), let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    self.init(
      red: UInt8(value >> 24), green: UInt8(value >> 16 & 255), blue: UInt8(value >> 8 & 255),
      alpha: UInt8(value & 255))
  }
}
