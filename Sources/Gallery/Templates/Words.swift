import Diagnostics
import Foundation
import Manifest
import Mustache
import Recipes

/// The pages' UI strings in the site's language; docs/reference/manifest.md lists the keys.
///
/// `words-LANGUAGE.json` is read like a template: from the user's folder, or built in. The
/// manifest's `words` take precedence; English is the fallback.
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

  /// Languages from general to specific, in lowercase.
  ///
  /// Traditional Chinese is excluded, because the built-in Chinese strings are simplified.
  private static func languages(of tag: String) -> [String] {
    let tag = tag.lowercased()
    let parts = tag.split(separator: "-").map(String.init)
    let isTraditional =
      parts.first == "zh" && !Set(parts).isDisjoint(with: ["hant", "tw", "hk", "mo"])
    return isTraditional ? [tag] : Set([parts.first ?? tag, tag]).sorted()
  }

  /// Formats a count, such as `1 person` or `1,234 people`.
  func people(_ count: Int) -> String {
    // `thousands` is the smallest number with a separator: `1,000`, or `10.000` in Spanish.
    let least = texts["thousands"] ?? ""
    let separator = least.filter { !$0.isNumber }
    let isShort = String(count).count < least.count - separator.count
    let number = isShort ? String(count) : count.grouped.replacing(",", with: separator)
    return ((count == 1 ? texts["countOne"] : texts["count"]) ?? "")
      .replacing("{count}", with: number)
  }

  var value: Value { .record(Record(texts.map { ($0, .text($1)) })) }
}
