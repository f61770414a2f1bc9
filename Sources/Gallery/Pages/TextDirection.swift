private let scriptsFromTheRight: Set<String> = [
  "adlm", "arab", "hebr", "nkoo", "rohg", "syrc", "thaa",
]

/// Those that are written so where their tag names no script.
private let languagesFromTheRight: Set<String> = [
  "ar", "ckb", "dv", "fa", "he", "ks", "nqo", "pnb", "ps", "sd", "syr", "ug", "ur", "yi",
]

/// `rtl` for a language that is written from right to left, else nil; tags have no case.
func textDirection(of language: String) -> String? {
  // What follows a single letter is no part of the language.
  let parts = language.lowercased().split(separator: "-").prefix { $0.utf8.count > 1 }
  guard let first = parts.first else { return nil }
  // Variants of four begin with a digit.
  let script = parts.dropFirst().first { part in
    part.utf8.count == 4 && part.utf8.allSatisfy { (0x61...0x7A).contains($0) }
  }
  let isFromTheRight =
    script.map { scriptsFromTheRight.contains(String($0)) }
    ?? languagesFromTheRight.contains(String(first))
  return isFromTheRight ? "rtl" : nil
}
