extension Rejection {
  /// The file has fewer bytes than its own structure announces.
  static func truncated(_ count: Int) -> Rejection {
    Rejection(.truncated, "the file ends in the middle of the picture (after \(bytes(count)))")
  }

  /// The same where the structure says how much there should be.
  static func truncated(_ count: Int, of whole: Int) -> Rejection {
    Rejection(
      .truncated,
      "the file ends in the middle of the picture (\(count.grouped) of \(bytes(whole)))")
  }

  /// The same where the structure only says how far its next part reaches.
  static func truncated(_ count: Int, ofAtLeast needed: Int) -> Rejection {
    Rejection(
      .truncated,
      "the file ends in the middle of the picture (\(count.grouped) of at least \(bytes(needed)))")
  }

  static func corrupt(_ detail: String) -> Rejection {
    Rejection(.corrupt, detail)
  }

  static func unsupported(_ detail: String) -> Rejection {
    Rejection(.unsupportedFormat, detail)
  }

  /// For a variant of a format that we do take.
  static func unsupported(variant detail: String) -> Rejection {
    Rejection(.unsupportedFormat, detail + "; save it anew as an ordinary picture")
  }

  private static func bytes(_ count: Int) -> String {
    count == 1 ? "1 byte" : "\(count.grouped) bytes"
  }
}
