import Manifest
import Recipes

/// The files of text among Android's resources.
enum AndroidXML {
  /// `drawable/btn_NAME.xml`: what a button looks like in each state.
  ///
  /// The first item that fits wins: a disabled button never lights up, and a pressed one does
  /// whatever else it is. Selected is what Android calls selected, checked and activated. The
  /// items lead to resources of a kind, `drawable` or `color`.
  static func selector(of button: ButtonStyle, name: String, kind: String) -> String {
    var items = ""
    let there = Set(button.light.states.map(\.name))
    for (state, condition) in conditions where there.contains(state) {
      let test = condition.map { " android:\($0.key)=\"\($0.value)\"" } ?? ""
      items += "  <item\(test) android:drawable=\"@\(kind)/\(escaped("\(name)_\(state)"))\"/>\n"
    }
    return """
      \(head)<selector xmlns:android="http://schemas.android.com/apk/res/android">
      \(items)</selector>

      """
  }

  /// `values/colors.xml`.
  static func colors(_ colors: [(name: String, color: Color)]) -> String {
    var lines = ""
    for (name, color) in colors {
      lines += "  <color name=\"\(escaped(name))\">\(hex(color))</color>\n"
    }
    return "\(head)<resources>\n\(lines)</resources>\n"
  }

  private static let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"

  private static let conditions: [(state: String, condition: (key: String, value: Bool)?)] = [
    ("disabled", ("state_enabled", false)),
    ("highlighted", ("state_pressed", true)),
    ("selected", ("state_selected", true)),
    ("selected", ("state_checked", true)),
    ("selected", ("state_activated", true)),
    ("focused", ("state_focused", true)),
    ("normal", nil),
  ]

  /// `#AARRGGBB`: alpha first, unlike everywhere else.
  private static func hex(_ color: Color) -> String {
    let digits = color.hex.dropFirst().uppercased()
    return "#\(digits.suffix(2))\(digits.prefix(6))"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
