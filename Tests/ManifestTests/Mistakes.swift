/// The most common mistakes, each in a short manifest.
enum Mistakes {
  static let all =
    [
      "border: { color: red }\n    background: #fff", "background: #fff # white",
      "border:\n      color: #5856d6\n      width: 2",
      "border: { width: 2, color: #fff }", "border: { color: #fff, width: 2 }\n    blur: 3",
      "border: {\n      color: #fff\n    }", "border: # the ring\n      color: red",
      "background: # later", "background: ff6600", "background: \"#ff660\"", "background: blakc",
      "background: oragne", "ring: { color: red }", "shape: squircle", "shape: continous",
      "fit: cover", "border: { color: rgb(1,2) }", "scale: 2", "from: rnd",
    ].map { "avatars:\n  - \($0)\n" }
    + ["- name: b\n    normal: #0a84ff", "- { name: b, normal: \"0a84ff\" }"].map {
      "buttons:\n  \($0)\n"
    }
    + [
      "avater: a.jpg", "avatar: \"color:ff6600\"", "avatar: a:b.png", "background: #fff",
    ].map { "users:\n  - id: ada\n    \($0)\n" }
    + ["avater: []\n", "user: []\n", "pages: { feed: true }\n", "site: { titel: x }\n"]
}
