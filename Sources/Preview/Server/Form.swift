/// The form in which a file is sent to whoever asks, wherever its bytes come from.
struct Form: Hashable, Sendable {
  let path: String
  let type: MediaType
  /// Compressed.
  let isPacked: Bool
  /// With the script in it.
  let isInjected: Bool
  let caching: Caching

  /// Larger pages are sent as they are, without the script.
  static let pageLimit = 32 << 20
  /// Less is not worth compressing.
  private static let packedFrom = 1024
  /// For more, compressing takes longer than it saves on the way from one program to another.
  private static let packedUpTo = 4 << 20

  /// - Parameters:
  ///   - path: What the file is, is said by the end of its name.
  ///   - size: In bytes.
  ///   - caching: What may be kept of it as it is.
  ///   - request: Who asks.
  init(_ path: String, size: Int, _ caching: Caching, for request: Request) {
    self.path = path
    type = MediaType(ofFile: path)
    isPacked =
      type.isText && size >= Form.packedFrom && size <= Form.packedUpTo
      && Gzip.isAccepted(by: request.encodings)
    isInjected = type.isPage && size <= Form.pageLimit
    self.caching = type.isPage ? .never : isPacked ? caching.packed : caching
  }

  /// Sent as it is.
  var isPlain: Bool { !isPacked && !isInjected }

  /// Nil when there is no memory for it.
  func made(of bytes: [UInt8], revision: Int) -> [UInt8]? {
    let text = isInjected ? Injection.into(bytes, revision: revision) : bytes
    return isPacked ? Gzip.compressed(text) : text
  }
}
