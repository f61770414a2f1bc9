/// A SHA-256 digest.
package struct Digest: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The 32 bytes as four big-endian words, so that comparing words compares bytes.
  package let words: (UInt64, UInt64, UInt64, UInt64)

  package init(words: (UInt64, UInt64, UInt64, UInt64)) {
    self.words = words
  }

  package static func == (left: Digest, right: Digest) -> Bool { left.words == right.words }

  package static func < (left: Digest, right: Digest) -> Bool { left.words < right.words }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(words.0)
    hasher.combine(words.1)
  }
}
