import Diagnostics
import Fetch
package import Recipes

/// Why a source gives no picture, beside what its bytes decide (`Recipes`) and the network (`Fetch`).
extension Reason {
  package static let unreadable = Reason(rawValue: "source-unreadable")
  package static let outsideRoot = Reason(rawValue: "path-outside-root")
  package static let notRegular = Reason(rawValue: "not-a-regular-file")
  package static let changed = Reason(rawValue: "source-changed")
  package static let noInitials = Reason(rawValue: "no-initials")
  package static let fontMissing = Reason(rawValue: "font-missing")
  package static let crashed = Reason(rawValue: "decoder-crashed")
  package static let timedOut = Reason(rawValue: "decode-timeout")
  package static let hung = Reason(rawValue: "decoder-hung")
  package static let outOfMemory = Reason(rawValue: "decode-memory")

  /// As in "cannot read missing.png".
  var verb: String {
    switch self {
    case .unreadable, .outsideRoot, .notRegular: "read"
    case .crashed, .timedOut, .hung, .outOfMemory: "decode"
    case .glyphMissing, .fontMissing, .fontUnusable, .noInitials: "draw"
    case _ where isOfFetching: "fetch"
    default: "use"
    }
  }

  /// Files, too, can be empty or too large.
  private var isOfFetching: Bool {
    FetchReason(rawValue: rawValue) != nil && self != .empty && self != .tooManyBytes
  }

  /// What to do, if that can be said in general.
  var help: String? {
    switch self {
    case .unreadable: "paths are relative to the manifest"
    case .outsideRoot: "copy it beside the manifest, or write `allowOutside: true`"
    case .truncated, .corrupt: "export or copy the picture again"
    case .unsupportedFormat: "use \(Inspection.Format.list)"
    case .tooManyPixels, .tooManyBytes: "make the picture smaller"
    case .timedOut: "make the picture smaller, or try again with `--no-cache`"
    case .outOfMemory: "make the picture smaller, or allow more with `--memory`"
    case .crashed, .hung: "the next build tries again; another picture helps"
    case .glyphMissing:
      "name a font that has it with `font:`, or install those that script/bootstrap names"
    case .fontMissing: "script/bootstrap installs what is missing; `font:` names another"
    case .fontUnusable: "name a TrueType or OpenType font with `font:`"
    case .noInitials: "give the user or the site a name with a letter, or another source"
    case _ where isOfFetching:
      DiagnosticID(rawValue: rawValue)?.advice.map {
        $0.prefix(1).lowercased() + $0.dropFirst().dropLast()
      }
    default: nil
    }
  }
}
