/// The reason for rejecting a picture: a stable code and a message.
package struct Rejection: Error, Codable, Hashable, Sendable {
  package let reason: Reason
  /// The message, with the values that caused the rejection; in lower case, without a full stop.
  package let detail: String

  package init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// A stable code for a rejection; other modules declare further codes.
package struct Reason: RawRepresentable, Codable, Hashable, Sendable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  package static let empty = Reason(rawValue: "source-empty")
  package static let unsupportedFormat = Reason(rawValue: "unsupported-format")
  package static let truncated = Reason(rawValue: "truncated")
  package static let corrupt = Reason(rawValue: "corrupt")
  package static let tooManyBytes = Reason(rawValue: "too-many-bytes")
  package static let tooManyPixels = Reason(rawValue: "too-many-pixels")
  package static let tooManyScans = Reason(rawValue: "too-many-scans")
  package static let tooManyChunks = Reason(rawValue: "too-many-chunks")
  package static let decodeFailed = Reason(rawValue: "decode-failed")
  package static let renderFailed = Reason(rawValue: "render-failed")
  package static let encodeFailed = Reason(rawValue: "encode-failed")
  package static let glyphMissing = Reason(rawValue: "glyph-missing")
  package static let fontUnusable = Reason(rawValue: "font-unusable")
}

extension Rejection {
  package static func truncated(
    _ count: Int, of whole: Int? = nil, ofAtLeast least: Int? = nil
  ) -> Rejection {
    let extent =
      whole.map { "\(count.grouped) of \(bytes($0))" }
      ?? least.map { "\(count.grouped) of at least \(bytes($0))" } ?? "after \(bytes(count))"
    return Rejection(.truncated, "the file ends in the middle of the picture (\(extent))")
  }

  package static func corrupt(_ detail: String) -> Rejection { Rejection(.corrupt, detail) }

  package static func unsupported(_ detail: String) -> Rejection {
    Rejection(.unsupportedFormat, detail)
  }

  package static func unsupported(variant detail: String) -> Rejection {
    Rejection(.unsupportedFormat, detail + "; save it in a common format")
  }

  private static func bytes(_ count: Int) -> String {
    count == 1 ? "1 byte" : "\(count.grouped) bytes"
  }
}
