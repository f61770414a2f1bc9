import Bytes
package import Diagnostics
import Foundation
package import Mustache
package import Plan

/// The template and the style sheets of a page that is no part of the site, each from the user's
/// folder or from the copy compiled in.
package struct PageTemplate: Sendable {
  package let styleSheet: [UInt8]
  /// The gallery's; the page's own uses its colours and distances.
  package let gallerySheet: [UInt8]
  /// One for each name in the template that no value has.
  package let warnings: [Diagnostic]
  private let set: TemplateSet
  private let name: String

  /// Throws a `Diagnostic` for a template that cannot be read or makes no sense.
  package init(_ name: String, in folder: TemplatesFolder, vocabulary: Set<String>) throws {
    self.name = name
    let read = try TemplateFiles(
      try TemplateReader(folder), theme: nil,
      names: ["\(name).css", Templates.styleSheetName])
    set = try TemplateSet(loading: [name], from: read.source)
    styleSheet = read.files["\(name).css"] ?? []
    gallerySheet = read.files[Templates.styleSheetName] ?? []
    warnings = set.unknownNames(known: vocabulary)
  }

  package func fill(with values: Record) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try set.render(name, with: .record(values), into: &bytes)
    return bytes
  }

  /// Both style sheets as the text of a `style` element, and the source that allows it.
  ///
  /// A browser turns every end of a line into a line feed, and ends the element at the first
  /// `</style`. The policy has the hash of the text that is left.
  package var inlined: (text: String, policy: String) {
    var text = String(decoding: gallerySheet + styleSheet, as: UTF8.self)
    for (found, written) in [("\r\n", "\n"), ("\r", "\n"), ("\0", "\u{FFFD}"), ("</", "<\\/")] {
      text = text.replacingOccurrences(of: found, with: written)
    }
    let digest = Data(Digest(of: Array(text.utf8)).bytes)
    return (text, "'sha256-\(digest.base64EncodedString())'")
  }
}
