import Foundation

/// How ImageMagick, the C++ library and Swift say that they got no memory.
///
/// Words, since nothing better reaches us: many libraries just print them and exit.
enum MemoryWords {
  private static let phrases = [
    "memory allocation failed", "cache resources exhausted", "unable to acquire memory",
    "failed to allocate", "cannot allocate memory", "out of memory", "bad_alloc",
  ]

  static func occur(in text: String) -> Bool {
    let text = text.lowercased()
    return phrases.contains { text.contains($0) }
  }
}
