/// Why a picture was refused: a stable code and a sentence.
package struct Rejection: Error, Codable, Hashable, Sendable {
  package let reason: Reason
  /// Lower case, no full stop, with the figures that decided.
  package let detail: String

  package init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// A stable code; open, so that other rooms can add their own.
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
  /// The file has fewer bytes than its own structure announces.
  package static func truncated(_ count: Int) -> Rejection {
    Rejection(.truncated, "the file ends in the middle of the picture (after \(bytes(count)))")
  }

  /// The same where the structure says how much there should be.
  package static func truncated(_ count: Int, of whole: Int) -> Rejection {
    Rejection(
      .truncated,
      "the file ends in the middle of the picture (\(count.grouped) of \(bytes(whole)))")
  }

  /// The same where the structure only says how far its next part reaches.
  package static func truncated(_ count: Int, ofAtLeast needed: Int) -> Rejection {
    Rejection(
      .truncated,
      "the file ends in the middle of the picture (\(count.grouped) of at least \(bytes(needed)))")
  }

  package static func corrupt(_ detail: String) -> Rejection {
    Rejection(.corrupt, detail)
  }

  package static func unsupported(_ detail: String) -> Rejection {
    Rejection(.unsupportedFormat, detail)
  }

  /// For a variant of a format that we do take.
  package static func unsupported(variant detail: String) -> Rejection {
    Rejection(.unsupportedFormat, detail + "; save it anew as an ordinary picture")
  }

  private static func bytes(_ count: Int) -> String {
    count == 1 ? "1 byte" : "\(count.grouped) bytes"
  }
}
