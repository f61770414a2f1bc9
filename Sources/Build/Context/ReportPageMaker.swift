package import Diagnostics
package import Plan
import Store

/// Makes the page that shows where the time went, so that a build need not know what it looks like.
package struct ReportPageMaker: Sendable {
  /// A page whose template is read and checked.
  package struct Prepared: Sendable {
    /// Names in the template that no value has.
    package var warnings: [Diagnostic]
    package var page: @Sendable (ReportPageInput) throws -> [UInt8]

    package init(
      warnings: [Diagnostic], page: @escaping @Sendable (ReportPageInput) throws -> [UInt8]
    ) {
      self.warnings = warnings
      self.page = page
    }
  }

  /// Reads the template in the folder named; throws a `Diagnostic` when it is no good.
  package var prepare: @Sendable (_ templates: String?) throws -> Prepared

  package init(prepare: @escaping @Sendable (String?) throws -> Prepared) {
    self.prepare = prepare
  }

  /// The page's name in the cache.
  package static let fileName = "report.html"
}

/// All that the report page tells of.
package struct ReportPageInput: Sendable {
  package var report: Report
  package var recording: Recording
  /// When the build ended, in the recording's time.
  package var end: Int
  /// Nil when nothing had changed since the last build.
  package var content: SiteContent?
  /// What lies in the output, without the ledger.
  package var files: [(path: String, bytes: Int64)]
  package var isUnpublished: Bool
}
