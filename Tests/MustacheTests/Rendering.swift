import Diagnostics
import Mustache

/// Renders a template called `page`, which may include the other templates.
func rendered(
  _ page: String, _ value: Value = [:], with others: [String: String] = [:]
) throws(Diagnostic) -> String {
  let set = try set(page, with: others)
  return String(decoding: try set.render("page", with: value), as: UTF8.self)
}

func set(_ page: String, with others: [String: String] = [:]) throws(Diagnostic) -> TemplateSet {
  var texts = others
  texts["page"] = page
  return try TemplateSet(
    loading: texts.keys.sorted(), from: source(texts.mapValues { Array($0.utf8) }))
}

/// Returns a loader of templates in memory.
func source(_ texts: [String: [UInt8]]) -> (String) -> TemplateSet.File? {
  { name in texts[name].map { TemplateSet.File(path: "\(name).mustache", bytes: $0) } }
}
