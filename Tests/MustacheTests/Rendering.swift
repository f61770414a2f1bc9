import Diagnostics
import Mustache

/// Renders a template called `page`, with other templates beside it.
func rendered(
  _ page: String, _ value: Value = [:], with others: [String: String] = [:],
  missing: TemplateSet.Missing = .refused
) throws(Diagnostic) -> String {
  let set = try set(page, with: others, missing: missing)
  var output: [UInt8] = []
  try set.render("page", with: value, into: &output)
  return String(decoding: output, as: UTF8.self)
}

func set(
  _ page: String, with others: [String: String] = [:], missing: TemplateSet.Missing = .refused
) throws(Diagnostic) -> TemplateSet {
  var texts = others
  texts["page"] = page
  let source = TemplateSource(bytes: { [texts] in texts[$0].map { Array($0.utf8) } })
  return try TemplateSet(loading: texts.keys.sorted(), from: source, missing: missing)
}
