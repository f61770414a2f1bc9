import Bytes
package import Diagnostics
import Documents
package import Manifest
package import Plan
import Recipes

extension SiteContent {
  /// Returns a diagnostic for a user's picture; nil if there is nothing to report.
  ///
  /// Using a later source in the list is not a problem, but unusable local files are reported.
  /// `fetchDiagnostics` reports failures of remote sources, except invalid addresses.
  func diagnostic(for user: Int, missing: (String) -> String?) -> Diagnostic? {
    let person = manifest.users[user]
    if let stale = staleness(of: user) {
      let candidate = assignments[user].candidate
      return diagnostic(
        stale, of: person.avatars[candidate].kind, use: "shown",
        declaration(of: candidate, of: user))
    }
    let status = self.status(of: user)
    let isOther = status != .failed && status != .fallback
    guard let (index, failure) = isOther ? fileFailure(of: user) : self.failure(of: user)
    else { return nil }
    guard index < person.avatars.count else {
      return Diagnostic(
        .error, failure.reason.rawValue,
        "cannot draw a picture in the colour \(person.background?.css ?? "")",
        at: person.declared.location,
        path: "\(person.declared.path).background", note: failure.detail, help: failure.reason.help)
    }
    let source = person.avatars[index]
    let declared = declaration(of: index, of: user)
    let instead =
      isOther
      ? "; the next source is used instead"
      : status == .fallback ? "; the background colour is shown instead" : ""
    return Diagnostic(
      status == .failed ? .error : .warning, failure.reason.rawValue,
      "cannot \(failure.reason.verb) \(source.kind.names.source)\(instead)",
      at: declared.location, path: declared.path,
      note: failure.detail + fallbackNote(of: user, after: source),
      help: source.kind.help(on: failure.reason, missing) ?? failure.reason.help)
  }

  private func fileFailure(of user: Int) -> (candidate: Int, rejection: Rejection)? {
    let failures = assignments[user].failures
    return zip(manifest.users[user].avatars, failures).enumerated().first { _, pair in
      pair.0.fallback == nil && ["file", "data", "address"].contains(pair.0.kind.names.kind)
    }.map { ($0, $1.1) }
  }

  func fallbackNote(of user: Int, after source: AvatarSource) -> String {
    let failures = zip(manifest.users[user].avatars, assignments[user].failures)
    guard source.fallback == nil,
      let last = failures.reversed().first(where: { $0.0.fallback != nil })
    else { return "" }
    return "; the fallback failed too: \(last.1.detail)"
  }

  func staleness(of user: Int) -> Staleness? {
    guard assignments[user].isStale else { return nil }
    return key(of: user).flatMap(sources.staleness)
  }

  private func diagnostic(
    _ stale: Staleness, of kind: AvatarSource.Kind, use: String, _ declared: Located
  ) -> Diagnostic {
    let verb = if case .file = kind { stale.rejection.reason.verb } else { "fetch" }
    return Diagnostic(
      .warning, .sourceStale,
      "cannot \(verb) \(kind.names.source); the last good picture is \(use)",
      at: declared.location, path: declared.path, note: stale.rejection.noteOfStaleness)
  }

  func profileDiagnostic(of user: Int) -> Diagnostic? {
    guard let source = assignments[user].source,
      withoutProfile.contains(source),
      let kind = candidate(of: user)
    else { return nil }
    let declared = declaration(of: assignments[user].candidate, of: user)
    return Diagnostic(
      .note, .profileIgnored, "the colours of \(kind.names.source) are treated as sRGB",
      at: declared.location, path: declared.path, note: "its colour profile is damaged")
  }

  /// Returns the manifest position of a user's source, or of the fallback that replaces it.
  func declaration(of source: Int, of user: Int) -> Located {
    let person = manifest.users[user]
    let avatar = person.avatars[source]
    if let fallback = avatar.fallback { return manifest.fallback[Int(fallback)] }
    let isAlone = person.avatars.count { $0.fallback == nil } == 1
    return Located(
      FileLocation(file: person.declared.location.file, position: avatar.position),
      path: "\(person.declared.path).avatar\(isAlone ? "" : "[\(source)]")")
  }

  /// Warnings about missing and unusable fonts that users' diagnostics do not mention.
  var fontDiagnostics: [Diagnostic] {
    [Reason.fontMissing, .fontUnusable].compactMap { reason in
      let users = manifest.users.indices.compactMap { user in
        assignments[user].failures.first { $0.reason == reason }.map { (user, $0) }
      }
      guard let (_, first) = users.first,
        !users.contains(where: { [.failed, .fallback].contains(status(of: $0.0)) })
      else { return nil }
      let font = reason == .fontUnusable ? manifest.font : nil
      let cause =
        reason == .fontMissing
        ? "a font is missing" : "\(font?.path.shortened ?? "a font") is unusable"
      return Diagnostic(
        .warning, reason.rawValue,
        (users.count == 1 ? "1 user is" : "\(users.count) users are")
          + " shown differently because \(cause)",
        at: font?.location, path: font.map { _ in "font" }, note: first.detail, help: reason.help)
    }
  }

  /// Returns one warning for all images of a style that exceed `maxBytes`.
  func limitDiagnostic(of style: Int) -> Diagnostic? {
    let wanted = manifest.styles[style]
    guard !wanted.maxBytes.isEmpty, !variants.plans[style].picture.isEmpty else { return nil }
    var tooLarge: [(image: (scale: Double, asset: Asset), limit: Int, user: Int)] = []
    for (user, person) in manifest.users.enumerated()
    where person.styles?.contains(style) ?? true {
      for image in images(of: user, style: style) {
        guard let limit = wanted.maxBytes[image.asset.format], image.asset.bytes > limit else {
          continue
        }
        tooLarge.append((image, limit, user))
      }
    }
    guard let largest = tooLarge.max(by: { $0.image.asset.bytes < $1.image.asset.bytes }) else {
      return nil
    }
    // Count distinct images, because several users may have the same picture.
    let images = Set(tooLarge.map(\.image.asset.digest)).count
    let count = images == 1 ? "an image is" : "\(images) images are"
    let (scale, asset) = largest.image
    return Diagnostic(
      .warning, .maxBytesMissed, "\(count) larger than `maxBytes` allows",
      at: wanted.limitLocation ?? wanted.declared.location,
      path: "\(wanted.declared.path).maxBytes",
      note: "the largest is a \(asset.format.rawValue) file of \(asset.bytes) bytes (limit: "
        + "\(largest.limit)), for \(manifest.users[largest.user].declared.path) at scale "
        + scale.plain,
      help: "allow more bytes, or make the style smaller")
  }

  var siteImageDiagnostics: [Diagnostic] {
    var reported: Set<String> = []
    var diagnostics = exportDiagnostics
    if let icon = manifest.exports.icons, case .failure(let rejection) = sources[icon.key],
      staleIcon == nil
    {
      diagnostics.append(
        Diagnostic(
          .error, rejection.reason.rawValue, "cannot use \(icon.source.names.source) for the icons",
          at: icon.declared.location, path: icon.declared.path, note: rejection.detail,
          help: icon.source.colorHelp(on: rejection.reason)
            ?? (rejection.reason == .unsupportedFormat
              ? "export it as a 512-pixel PNG" : rejection.reason.help)))
      reported.insert(icon.declared.path)
    }
    if let (icon, stale) = staleIcon {
      diagnostics.append(diagnostic(stale, of: icon.source, use: "used", icon.declared))
    }
    for (siteImage, rejection) in siteImageFailures
    where reported.insert(siteImage.declared.path).inserted {
      diagnostics.append(
        Diagnostic(
          .error, rejection.reason.rawValue, "cannot draw this picture",
          at: siteImage.declared.location,
          path: siteImage.declared.path, note: rejection.detail, help: rejection.reason.help))
    }
    return diagnostics
  }

  var staleIcon: (icon: IconStyle, staleness: Staleness)? {
    guard let icon = manifest.exports.icons, let stale = sources.staleness(of: icon.key) else {
      return nil
    }
    return (icon, stale)
  }

  private var exportDiagnostics: [Diagnostic] {
    let exports = manifest.exports
    var diagnostics: [Diagnostic] = []
    if exports.contains(.xcassets) || exports.contains(.sprites) {
      for style in manifest.styles where !style.drawsNothing && !style.formats.contains(.png) {
        diagnostics.append(
          Diagnostic(
            .warning, .exportNeedsPNG, "the style \(style.name) is left out of the exports",
            at: style.declared.location, path: "\(style.declared.path).formats",
            note: "these exports use only PNG files", help: "add `png` to the style's formats"))
      }
    }
    if exports.contains(.sprites) {
      for number in exportableStyles where SpriteGrid(variants.plans[number]) == nil {
        let style = manifest.styles[number]
        diagnostics.append(
          Diagnostic(
            .warning, .spriteTooLarge, "the style \(style.name) is left out of the sprite sheets",
            at: style.declared.location, path: style.declared.path,
            note: "a picture and the gutter around it are larger than a sheet, which is limited to "
              + "\(SpriteGrid.limit) × \(SpriteGrid.limit) pixels",
            help: "make the style smaller, or leave out its largest scale"))
      }
    }
    if let poster = Poster(self), !poster.fits {
      diagnostics.append(
        Diagnostic(
          .warning, .posterTooLarge, "the poster is too large for some of its PNG files",
          at: poster.style.declared.location, path: poster.style.declared.path,
          note: "it is \(poster.size.width) × \(poster.size.height) points; a file is limited to "
            + "16384 pixels per side and 32 megapixels, and the pictures in it to 48 MiB in total",
          help: "make the pictures smaller, or use poster.svg"))
    }
    return diagnostics
  }
}

extension AvatarStyle {
  package func diagnostic(with resources: StyleResources) -> Diagnostic? {
    guard looksForFaces, resources.detector == nil else { return nil }
    let isSmartOtherwise = if case .face(_, isSmartOtherwise: true) = finder { true } else { false }
    return Diagnostic(
      .warning, .noFaceDetector,
      "face detection is off; "
        + (isSmartOtherwise
          ? "`smart` is used instead"
          : focus == .center ? "the centre is used instead" : "`otherwise` is used instead"),
      at: focusLocation ?? declared.location, path: "\(declared.path).focus",
      note: "no face detector is installed",
      help: "install the package opencv-data, or use another focus")
  }
}

extension Rejection {
  var noteOfStaleness: String { "\(detail) [\(reason.rawValue)]" }
}

extension AvatarSource.Kind {
  fileprivate func help(on reason: Reason, _ missing: (String) -> String?) -> String? {
    guard case .file(let path) = self else { return nil }
    switch reason {
    case .unreadable, .outsideRoot:
      let word = path.text.contains(".") ? nil : nearest(to: path.text, among: Self.words)
      return colorHelp(on: reason) ?? missing(path.text) ?? word.map { "did you mean `\($0)`?" }
        ?? (path.text.hasPrefix("/")
          ? "in `users`, set `root` for paths that begin with /, e.g. root: static" : nil)
    case .tooManyPixels, .tooManyBytes:
      let isJPEG = [".jpg", ".jpeg"].contains { path.text.lowercased().hasSuffix($0) }
      let quoted = path.text.split(separator: "'", omittingEmptySubsequences: false)
        .joined(separator: "'\\''")
      return "make a smaller copy and use it: vipsthumbnail '\(quoted)' --size 4096x4096 "
        + "-o %s-small.\(isJPEG ? "jpg" : "png") (from the Debian package libvips-tools)"
    default: return nil
    }
  }

  /// Returns help for a missing file whose name is a colour.
  fileprivate func colorHelp(on reason: Reason) -> String? {
    guard reason == .unreadable, case .file(let path) = self, Color(parsing: path.text) != nil
    else { return nil }
    return "write `color:\(path.text)` for the colour"
  }
}
