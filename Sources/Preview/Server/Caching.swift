/// What browsers may keep, and how they ask whether it is still right.
struct Caching: Hashable, Sendable {
  /// The value of Cache-Control.
  let control: String
  /// Nil where nobody shall ask.
  let tag: EntityTag?

  /// A page carries the revision of the moment, so it is another one each time.
  static let never = Caching(control: "no-store", tag: nil)

  /// - Parameters:
  ///   - path: Of the file; one that names its bytes is kept for ever, any other is asked for again
  ///     each time.
  ///   - tag: Of the bytes as they are.
  init(path: String, _ tag: EntityTag) {
    self = ForEver.name(of: path) != nil ? .forEver(tag) : Caching(control: "no-cache", tag: tag)
  }

  static func forEver(_ tag: EntityTag?) -> Caching {
    Caching(control: "public, max-age=31536000, immutable", tag: tag)
  }

  private init(control: String, tag: EntityTag?) {
    self.control = control
    self.tag = tag
  }

  /// The same of the bytes compressed.
  var packed: Caching { Caching(control: control, tag: tag?.packed) }

  /// Whether whoever asks has these bytes already.
  func isKnown(to request: Request) -> Bool {
    tag?.isNamed(in: request.ifNoneMatch) ?? false
  }

  /// Whether ranges are of the file that whoever asks has begun to read: always, if he does not say.
  func isBegun(by request: Request) -> Bool {
    request.ifRange.isEmpty || request.ifRange.count == 1 && request.ifRange[0] == tag?.text
  }

  var headers: [(String, String)] {
    [("Cache-Control", control)] + (tag.map { [("ETag", $0.text)] } ?? [])
  }
}
