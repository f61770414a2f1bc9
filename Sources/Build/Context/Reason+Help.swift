import Diagnostics
import Fetch
import Manifest
package import Recipes

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

  var verb: String {
    switch self {
    case .unreadable, .outsideRoot, .notRegular: "read"
    case .crashed, .timedOut, .hung, .outOfMemory: "decode"
    case .glyphMissing, .fontMissing, .fontUnusable, .noInitials: "draw"
    case .empty, .tooManyBytes, .badData, .badAddress: "use"
    default: FetchReason(rawValue: rawValue) == nil ? "use" : "fetch"
    }
  }

  var help: String? {
    switch self {
    case .unreadable: "paths are relative to the manifest"
    case .empty: nil
    default: DiagnosticID.help(for: rawValue)
    }
  }
}
