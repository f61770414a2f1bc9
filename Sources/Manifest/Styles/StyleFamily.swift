import Diagnostics
import Documents
import Recipes

/// All styles of a manifest on their way from drafts to values: names, inheritance, checks.
struct StyleFamily {
  private let drafts: [StyleDraft]
  /// The first of each name.
  private(set) var indices: [String: Int] = [:]

  init(_ drafts: [StyleDraft], reporting reader: inout FieldReader) {
    self.drafts = drafts
    for (index, draft) in drafts.enumerated() {
      guard let first = indices[draft.name] else {
        indices[draft.name] = index
        continue
      }
      let place = FileLocation(file: reader.file, position: drafts[first].place(of: "name"))
      reader.report(
        .error, .duplicateName, "there are two styles called `\(draft.name)`",
        at: draft.place(of: "name"), draft.path, note: "the first is at \(place)",
        help: "give one of them another `name`; without one a style is called `round`")
    }
  }

  /// The finished styles, in the manifest's order, as many as there are drafts.
  func styles(reporting reader: inout FieldReader) -> [AvatarStyle] {
    var styles: [AvatarStyle] = []
    for index in drafts.indices {
      let draft = complete(index, reporting: &reader)
      var style = draft.style(in: reader.file)
      if !draft.isBroken { reader.check(&style, draft) }
      styles.append(style)
    }
    return styles
  }

  /// The draft of `index` with all that its line of ancestors says.
  private func complete(_ index: Int, reporting reader: inout FieldReader) -> StyleDraft {
    var line = [index]
    var draft = drafts[index]
    while let parent = drafts[line[line.count - 1]].parent {
      guard let next = indices[parent.name] else {
        // Said once, at the style that names it.
        if line.count == 1 {
          reader.report(
            .unknownStyle, "there is no style called \(parent.name.quoted)", parent.field,
            help: suggestion(for: parent.name, among: drafts.map(\.name)))
        }
        draft.isBroken = true
        break
      }
      if line.contains(next) {
        // A circle is said once, at its first style.
        if next == index, line.min() == index {
          let names = (line + [index]).map { drafts[$0].name }.joined(separator: " → ")
          reader.report(
            .styleCycle, "styles start from one another: \(names)",
            drafts[index].parent?.field
              ?? parent.field, help: "remove `from` from one of them")
        }
        draft.isBroken = true
        break
      }
      line.append(next)
      draft = draft.filled(from: drafts[next])
    }
    return draft
  }
}
