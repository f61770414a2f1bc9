import Diagnostics
import Manifest
import Plan
import Recipes

extension SiteContent {
  /// Styles that exports leave out.
  var exportDiagnostics: [Diagnostic] {
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
  var spriteDiagnostics: [Diagnostic] {
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

  /// The icons, if an earlier picture is used for them.
  var staleIcon: (icon: IconStyle, staleness: Staleness)? {
    guard let icon = manifest.exports.icons, let stale = sources.stale[icon.source] else {
      return nil
    }
    return (icon, stale)
  }

  /// What is wrong with the images of buttons, icons and sheets.
  var siteImageDiagnostics: [Diagnostic] {
    var told: Set<String> = []
    var diagnostics: [Diagnostic] = []
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
          "cannot fetch \(icon.source.names.source); the picture of an earlier time is used",
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
