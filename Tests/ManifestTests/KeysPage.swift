import Foundation
import Manifest

/// Generates docs/reference/keys.md with a table per mapping of the manifest.
enum KeysPage {
  static func text(words: [String: String]) -> String {
    var text = """
      # All keys

      Each table is one mapping of the manifest. [manifest.md](manifest.md) explains how values are read and
      what the keys do together. This page is written from the source: `UPDATE_DOCS=1 script/test --filter KeysPageTests`.

      """
    for table in KeyTable.all {
      let title = table.title.prefix(1).uppercased() + table.title.dropFirst()
      text += "\n## \(title)\n\n"
      if table.title == KeyTable.strings.title {
        text += "| key | English |\n|---|---|\n"
        for key in table.keys { text += "| `\(key)` | \(words[key] ?? "") |\n" }
        continue
      }
      text += "| key | takes | default | meaning |\n|---|---|---|---|\n"
      for key in table.entries {
        let absent = key.absent ?? (key.requirement == nil ? "none" : "required")
        text += "| `\(key.name)` | \(key.takes) | \(absent) | \(key.meaning) |\n"
      }
    }
    return text
  }
}
