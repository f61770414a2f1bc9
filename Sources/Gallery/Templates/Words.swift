import Diagnostics
import Foundation
import Manifest
import Mustache
import Recipes

/// What the pages say in the language of the site, by the keys of docs/manifest.md.
///
/// A file `words-LANGUAGE.json` is read as templates are: the user's, or the copy compiled in. The
/// manifest's own words come first, English ones last.
struct Words {
  let texts: [String: String]

  init(_ site: SiteDescription, _ files: TemplateFiles) throws(Diagnostic) {
    var texts: [String: String] = [:]
    for language in ["en"] + Self.languages(of: site.language) {
      let name = "words-\(language).json"
      guard let bytes = try files.read(name) else { continue }
      guard let found = try? JSONDecoder().decode([String: String].self, from: Data(bytes)) else {
        throw .unreadableTemplate(files.path(of: name), note: "it is not a JSON object of texts")
      }
      texts.merge(found) { $1 }
    }
    self.texts = texts.merging(site.strings) { $1 }
  }

  /// From the language alone to the whole tag, in small letters.
  ///
  /// Traditional Chinese is another script, which our Chinese words are not written in.
  private static func languages(of tag: String) -> [String] {
    let tag = tag.lowercased()
    let parts = tag.split(separator: "-").map(String.init)
    let isTraditional =
      parts.first == "zh" && !Set(parts).isDisjoint(with: ["hant", "tw", "hk", "mo"])
    return isTraditional ? [tag] : Set([parts.first ?? tag, tag]).sorted()
  }

  /// `1 person`, `1,234 people`.
  func people(_ count: Int) -> String {
    // The least number with a separator, such as `1,000`, or `10.000` in Spanish.
    let least = texts["thousands"] ?? ""
    let separator = least.filter { !$0.isNumber }
    let isShort = String(count).count < least.count - separator.count
    let number = isShort ? String(count) : count.grouped.replacing(",", with: separator)
    return ((count == 1 ? texts["countOne"] : texts["count"]) ?? "")
      .replacing("{count}", with: number)
  }

  var value: Value { .record(Record(texts.map { ($0, .text($1)) })) }
}
