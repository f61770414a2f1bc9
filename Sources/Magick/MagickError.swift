/// A call that ImageMagick refused, in its own words where it has any.
package struct MagickError: Error, Hashable, Sendable {
  /// The C function that failed.
  package let call: String
  /// ImageMagick's number; 0 when it failed without an exception, which it often does.
  package let severity: Int
  /// Empty when ImageMagick gave no reason.
  package let message: String

  package init(call: String, severity: Int = 0, message: String = "") {
    self.call = call
    self.severity = severity
    self.message = message
  }

  /// The severity by which a security policy refuses.
  package static let policySeverity = 499

  package var isPolicy: Bool { severity == Self.policySeverity }
}
