package import Diagnostics
import Documents
import Fetch
package import Manifest
package import Plan
import Recipes

extension SiteContent {
  /// What is wrong with a user's picture; nil when it is what was asked for.
  ///
  /// A later source of a list is what was asked for, too; but a file that is named is meant to be
  /// there. `fetchDiagnostics` reports what is on the network.
  ///
  /// `missing` says what to do about a file that is not there.
  func diagnostic(for user: Int, missing: (String) -> String?) -> Diagnostic? {
    let status = assignment.status(of: user)
    if let stale = staleness(of: user) { return diagnostic(for: user, stale) }
    let isOther = status != .failed && status != .fallback
    guard let (index, failure) = isOther ? fileFailure(of: user) : assignment.failure(of: user)
    else { return nil }
    let person = manifest.users[user]
    guard index < person.avatars.count else {
      return Diagnostic(
        .error, failure.reason.rawValue,
        "cannot make a picture of the colour \(person.background?.css ?? "")",
        at: person.declared.location,
        path: "\(person.declared.path).background", note: failure.detail, help: failure.reason.help)
    }
    let source = person.avatars[index]
    let declared = declaration(of: index, of: user)
    return Diagnostic(
      status == .failed ? .error : .warning, failure.reason.rawValue,
      "cannot \(failure.reason.verb) \(source.kind.names.source)"
        + (status == .fallback ? "; the background colour is shown instead" : "")
        + (isOther ? "; another source is shown instead" : ""),
      at: declared.location, path: declared.path, note: note(on: failure, number: index, of: user),
      help: source.kind.colorHelp(on: failure.reason)
        ?? source.kind.missingHelp(on: failure.reason, missing)
        ?? source.kind.shrinkingHelp(on: failure.reason) ?? failure.reason.help)
  }

  /// The first file of a user's own that has failed.
  private func fileFailure(of user: Int) -> (candidate: Int, rejection: Rejection)? {
    let failures = assignment.assignments[user].failures
    let avatars = manifest.users[user].avatars
    for (index, failure) in failures.prefix(avatars.count).enumerated() {
      guard avatars[index].fallback == nil else { continue }
      switch avatars[index].kind {
      case .file, .inline: return (index, failure)
      default: continue
      }
    }
    return nil
  }

  /// Why a user's picture cannot be had now, where an earlier one is shown.
  func staleness(of user: Int) -> Staleness? {
    guard assignment.assignments[user].isStale, let kind = assignment.candidate(of: user) else {
      return nil
    }
    return sources.stale[kind]
  }

  private func diagnostic(for user: Int, _ stale: Staleness) -> Diagnostic {
    let declared = declaration(of: assignment.assignments[user].candidate, of: user)
    let source = manifest.users[user].avatars[assignment.assignments[user].candidate]
    return Diagnostic(
      .warning, .sourceStale,
      "cannot \(stale.verb(for: source.kind)) \(source.kind.names.source); "
        + "the picture of an earlier time is shown",
      at: declared.location,
      path: declared.path, note: stale.rejection.noteOfStaleness)
  }

  /// Says that the colour profile of a user's picture was ignored.
  func profileDiagnostic(of user: Int) -> Diagnostic? {
    guard let source = assignment.assignments[user].source,
      rendered.ignoresProfile(source: source),
      let kind = assignment.candidate(of: user)
    else { return nil }
    let declared = declaration(of: assignment.assignments[user].candidate, of: user)
    return Diagnostic(
      .note, .profileIgnored, "the colours of \(kind.names.source) are taken for sRGB",
      at: declared.location, path: declared.path, note: "its colour profile is damaged")
  }

  /// Where the manifest names a user's source, or the fallback that is used for it.
  func declaration(of source: Int, of user: Int) -> Located {
    let person = manifest.users[user]
    let avatar = person.avatars[source]
    if let fallback = avatar.fallback { return manifest.fallback[Int(fallback)] }
    let isAlone = person.avatars.count { $0.fallback == nil } == 1
    return Located(
      FileLocation(file: person.declared.location.file, position: avatar.position),
      path: "\(person.declared.path).avatar\(isAlone ? "" : "[\(source)]")")
  }

  /// Why a source fails, and why the manifest's fallback fails too.
  private func note(on failure: Rejection, number: Int, of user: Int) -> String {
    failure.detail + (fallbackNote(of: user, after: number).map { "; " + $0 } ?? "")
  }

  /// Why the manifest's fallback fails too, for a source of the user's own.
  func fallbackNote(of user: Int, after source: Int) -> String? {
    let failures = assignment.assignments[user].failures
    let avatars = manifest.users[user].avatars
    guard avatars[source].fallback == nil,
      let last = avatars.indices.prefix(failures.count).last(where: { avatars[$0].fallback != nil })
    else { return nil }
    return "the fallback fails too: \(failures[last].detail)"
  }
}

extension Staleness {
  fileprivate func verb(for kind: AvatarSource.Kind) -> String {
    if case .file = kind { rejection.reason.verb } else { "fetch" }
  }
}

extension Rejection {
  var noteOfStaleness: String { "\(detail) [\(reason.rawValue)]" }
}

extension AvatarSource.Kind {
  /// What a missing file may be called.
  fileprivate func missingHelp(on reason: Reason, _ help: (String) -> String?) -> String? {
    guard reason == .unreadable || reason == .outsideRoot, case .file(let path) = self else {
      return nil
    }
    return help(path.text)
      ?? (path.text.hasPrefix("/")
        ? "say in `root` of `users` what / is, such as root: static" : nil)
  }

  /// The command that makes a smaller copy beside a file that is too large.
  fileprivate func shrinkingHelp(on reason: Reason) -> String? {
    guard reason == .tooManyPixels || reason == .tooManyBytes, case .file(let path) = self else {
      return nil
    }
    let isJPEG = [".jpg", ".jpeg"].contains { path.text.lowercased().hasSuffix($0) }
    let quoted = path.text.split(separator: "'", omittingEmptySubsequences: false)
      .joined(separator: "'\\''")
    return "make a copy and name that: vipsthumbnail '\(quoted)' --size 4096x4096 "
      + "-o %s-small.\(isJPEG ? "jpg" : "png") (Debian's package libvips-tools)"
  }

  /// How to write a colour, for a missing file whose name is one.
  func colorHelp(on reason: Reason) -> String? {
    guard reason == .unreadable, case .file(let path) = self, Color(parsing: path.text) != nil
    else {
      return nil
    }
    return "write `color:\(path.text)` for the colour"
  }
}

extension AvatarStyle {
  /// What this machine lacks for the style; nil for nothing.
  package func diagnostic(with resources: StyleResources) -> Diagnostic? {
    guard looksForFaces, resources.detector == nil else { return nil }
    let isSmartOtherwise =
      if case .face(_, isSmartOtherwise: true) = finder { true } else { false }
    return Diagnostic(
      .warning, .noFaceDetector,
      "no faces are looked for; "
        + (isSmartOtherwise ? "`smart` decides instead" : "the point of `otherwise` is kept"),
      at: focusLocation ?? declared.location, path: "\(declared.path).focus",
      note: "this machine has no face detector",
      help: "install the package opencv-data, or use another focus")
  }
}

extension SiteContent {
  /// One warning for all images of a style that are larger than `maxBytes`.
  func limitDiagnostic(of style: Int) -> Diagnostic? {
    let wanted = manifest.styles[style]
    guard !wanted.maxBytes.isEmpty, !variants.plans[style].picture.isEmpty else { return nil }
    var shown: Set<SlotID> = []
    var images: Set<Asset> = []
    var largest: (image: SiteContent.Record, limit: Int, user: Int)?
    for (user, person) in manifest.users.enumerated()
    where person.styles?.contains(style) ?? true {
      // Many users may have the same picture in the same variant.
      guard let slot = slot(of: user, style: style), shown.insert(slot).inserted else { continue }
      for record in records(of: user, style: style) {
        guard let limit = record.image.recipe.encoding.limit, record.asset.bytes > limit,
          images.insert(record.asset).inserted, record.asset.bytes > largest?.image.asset.bytes ?? 0
        else { continue }
        largest = (record, limit, user)
      }
    }
    guard let largest else { return nil }
    let count = images.count == 1 ? "an image is" : "\(images.count) images are"
    let format = largest.image.image.format.rawValue
    return Diagnostic(
      .warning, .maxBytesMissed, "\(count) larger than `maxBytes` allows",
      at: wanted.limitLocation ?? wanted.declared.location,
      path: "\(wanted.declared.path).maxBytes",
      note: "the largest, in \(format), has \(largest.image.asset.bytes) bytes instead of "
        + "\(largest.limit), of \(manifest.users[largest.user].declared.path) at scale "
        + largest.image.image.scale.plain,
      help: "allow more bytes, or make the style smaller")
  }
}

extension SiteContent {
  /// Warnings of failed fonts that no user's own diagnostic mentions.
  ///
  /// A later source of a list is what was asked for, but a font that fails changes the picture of
  /// everyone with initials.
  var fontDiagnostics: [Diagnostic] {
    var told: Set<Rejection> = []
    var users: [Rejection: Int] = [:]
    for user in manifest.users.indices {
      let failures = assignment.assignments[user].failures.filter { $0.reason.isOfFonts }
      guard !failures.isEmpty else { continue }
      let isTold = [.failed, .fallback].contains(assignment.status(of: user))
      if isTold, let failure = assignment.failure(of: user)?.rejection { told.insert(failure) }
      for failure in Set(failures) { users[failure, default: 0] += 1 }
    }
    let silent = users.filter { !told.contains($0.key) }
    return [Reason.fontMissing, .fontUnusable].compactMap { reason in
      diagnostic(of: silent.filter { $0.key.reason == reason }, reason)
    }
  }

  /// One for all fonts that fail for the same reason.
  private func diagnostic(of failures: [Rejection: Int], _ reason: Reason) -> Diagnostic? {
    guard !failures.isEmpty else { return nil }
    let count = failures.values.reduce(0, +)
    let details = failures.keys.map(\.detail).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let cause =
      switch (reason, manifest.font) {
      case (.fontUnusable, let font?): "\(font.path.shortened) cannot be drawn from"
      case (.fontUnusable, nil): "a font cannot be drawn from"
      default: "a font is missing"
      }
    let font = reason == .fontUnusable ? manifest.font : nil
    return Diagnostic(
      .warning, reason.rawValue,
      (count == 1 ? "1 user is" : "\(count) users are") + " shown otherwise, since \(cause)",
      at: font?.location, path: font.map { _ in "font" },
      note: details.prefix(3).joined(separator: "; ")
        + (details.count > 3 ? "; and \(details.count - 3) more" : ""),
      help: reason.help)
  }
}

extension Reason {
  fileprivate var isOfFonts: Bool { self == .fontMissing || self == .fontUnusable }
}

extension SiteContent {
  /// Styles that exports leave out.
  private var exportDiagnostics: [Diagnostic] {
    let exports = manifest.exports
    guard exports.contains(.xcassets) || exports.contains(.sprites) else { return [] }
    return manifest.styles.filter { !$0.drawsNothing && !$0.formats.contains(.png) }.map { style in
      Diagnostic(
        .warning, .exportNeedsPNG, "the style \(style.name) is left out of the exports",
        at: style.declared.location, path: "\(style.declared.path).formats",
        note: "they are made of PNG files",
        help: "add `png` to its formats")
    }
  }

  /// Styles whose pictures fit on no sheet.
  private var spriteDiagnostics: [Diagnostic] {
    guard manifest.exports.contains(.sprites) else { return [] }
    return exportableStyles.filter { SpriteGrid(variants.plans[$0]) == nil }.map { number in
      let style = manifest.styles[number]
      return Diagnostic(
        .warning, .spriteTooLarge, "the style \(style.name) is left out of the sprites",
        at: style.declared.location, path: style.declared.path,
        note: "a picture and the gutter around it are larger than a sheet, which has at most "
          + "\(SpriteSheet.limit) × \(SpriteSheet.limit) pixels",
        help: "make it smaller, or leave out its largest scale")
    }
  }

  /// A poster that is too large to be made in pixels.
  private var posterDiagnostics: [Diagnostic] {
    guard let poster = Poster(self), !poster.fits else { return [] }
    return [
      Diagnostic(
        .warning, .posterTooLarge, "the poster is too large for PNG files of all sizes",
        at: poster.style.declared.location, path: poster.style.declared.path,
        note: "it has \(poster.size.width) × \(poster.size.height) points; a file has at most "
          + "16384 pixels a side and 32 megapixels, and its pictures 48 MiB",
        help: "make its pictures smaller, or use poster.svg")
    ]
  }

  /// The icons, if an earlier picture is used for them.
  var staleIcon: (icon: IconStyle, staleness: Staleness)? {
    guard let icon = manifest.exports.icons, let stale = sources.stale[icon.source] else {
      return nil
    }
    return (icon, stale)
  }

  /// What is wrong with exports and with the images of buttons, icons and sheets.
  var siteImageDiagnostics: [Diagnostic] {
    var told: Set<String> = []
    var diagnostics = exportDiagnostics + spriteDiagnostics + posterDiagnostics
    if let icon = manifest.exports.icons, case .failure(let rejection) = sources[icon.source] {
      diagnostics.append(
        Diagnostic(
          .error, rejection.reason.rawValue, "cannot use \(icon.source.names.source) for the icons",
          at: icon.declared.location, path: icon.declared.path, note: rejection.detail,
          help: icon.source.colorHelp(on: rejection.reason) ?? rejection.reason.iconHelp))
      told.insert(icon.declared.path)
    }
    if let (icon, stale) = staleIcon {
      diagnostics.append(
        Diagnostic(
          .warning, .sourceStale,
          "cannot \(stale.verb(for: icon.source)) \(icon.source.names.source); "
            + "the picture of an earlier time is used",
          at: icon.declared.location, path: icon.declared.path,
          note: stale.rejection.noteOfStaleness))
    }
    for (siteImage, rejection) in rendered.siteImageFailures
    where told.insert(siteImage.declared.path).inserted {
      diagnostics.append(
        Diagnostic(
          .error, rejection.reason.rawValue, "cannot draw what this asks for",
          at: siteImage.declared.location,
          path: siteImage.declared.path, note: rejection.detail, help: rejection.reason.help))
    }
    return diagnostics
  }
}

extension Reason {
  /// What to do; icons need other advice than users' pictures.
  fileprivate var iconHelp: String? {
    switch self {
    case .noInitials: "give the site a title with a letter, or the icons another source"
    case .unsupportedFormat: "export a PNG of 512 pixels"
    default: help
    }
  }
}
