/// One entry of a sample manifest's list of users, as text.
struct SampleUser {
  var id: String
  var name: String
  var avatars: [String] = []
  /// `#rrggbb`.
  var background: String?
  var title: String?
  var tags: [String] = []
  /// As the manifest has it: a point or a side.
  var focus: String?
  /// Names of decorations.
  var decorations: [String] = []
  /// Said above the entry.
  var comment: String?

  static let csvHeader = "id,name,avatar,background,title,tags\n"

  /// None of the values needs quotes: names are words, colours are hexadecimal.
  var csv: String {
    [
      id, name, avatars.joined(separator: ";"), background ?? "", title ?? "",
      tags.joined(separator: ";"),
    ].joined(separator: ",") + "\n"
  }

  var yaml: String {
    var lines = comment.map { ["  # \($0)"] } ?? []
    lines.append("  - id: \(id)")
    lines.append("    name: \(name)")
    if avatars.count == 1 { lines.append("    avatar: \(avatars[0])") }
    if avatars.count > 1 { lines.append("    avatar: [\(avatars.joined(separator: ", "))]") }
    if let background { lines.append("    background: \"\(background)\"") }
    if let title { lines.append("    title: \(title)") }
    if !tags.isEmpty { lines.append("    tags: [\(tags.joined(separator: ", "))]") }
    if let focus { lines.append("    focus: \(focus)") }
    if !decorations.isEmpty {
      lines.append("    decorations: [\(decorations.joined(separator: ", "))]")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
