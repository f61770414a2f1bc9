/// One entry of a sample manifest's list of users; no value but a colour needs quotes in YAML.
struct SampleUser {
  let id: String
  let name: String
  let avatar: String?
  /// `#rrggbb`.
  let background: String
  let title: String
  let tag: String

  static let csvHeader = "id,name,avatar,background,title,tags\n"

  var csv: String {
    [id, name, avatar ?? "", background, title, tag].joined(separator: ",") + "\n"
  }

  var yaml: String {
    "  - id: \(id)\n    name: \(name)\n" + (avatar.map { "    avatar: \($0)\n" } ?? "")
      + "    background: \"\(background)\"\n    title: \(title)\n    tags: [\(tag)]\n"
  }
}
