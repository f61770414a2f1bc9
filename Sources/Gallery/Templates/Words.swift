import Diagnostics
import Foundation
import Manifest
import Mustache
import Recipes

/// The UI strings of the pages, in the site's language; docs/reference/manifest.md lists the keys.
///
/// Like a template, `words-LANGUAGE.json` can be in the user's folder or built in. Strings in the
/// manifest's `words` take precedence; missing strings are in English.
struct Words {
  let texts: [String: String]

  init(_ site: SiteDescription, _ files: TemplateFiles) throws(Diagnostic) {
    var texts: [String: String] = [:]
    for language in ["en"] + Self.languages(of: site.language) {
      let name = "words-\(language).json"
      guard let bytes = try files.read(name) else { continue }
      guard let found = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) else {
        throw .unreadableTemplate(files.path(of: name), note: "it is not a JSON object of strings")
      }
      texts.merge(found) { $1 }
    }
    self.texts = texts.merging(site.strings) { $1 }
  }

  /// Returns the languages whose strings are loaded, from general to specific, in lowercase.
  ///
  /// For Traditional Chinese, `zh` is omitted: the built-in strings are in Simplified Chinese.
  private static func languages(of tag: String) -> [String] {
    let tag = tag.lowercased()
    let parts = tag.split(separator: "-").map(String.init)
    let isTraditional =
      parts.first == "zh" && !Set(parts).isDisjoint(with: ["hant", "tw", "hk", "mo"])
    return isTraditional ? [tag] : Set([parts.first ?? tag, tag]).sorted()
  }

  func people(_ count: Int) -> String {
    // The string `thousands` is the smallest number with a separator, such as `1,000` or `10.000`.
    let least = texts["thousands"] ?? ""
    let separator = least.filter { !$0.isNumber }
    let isShort = String(count).count < least.count - separator.count
    let number = isShort ? String(count) : count.grouped.replacing(",", with: separator)
    return ((count == 1 ? texts["countOne"] : texts["count"]) ?? "")
      .replacing("{count}", with: number)
  }

  var value: Value { .record(Record(texts.map { ($0, .text($1)) })) }
}
