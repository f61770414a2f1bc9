import Manifest
import Recipes

/// Numbers as people read them; in English, like all messages.
package enum Figures {
  /// `1 user`, `1,234 users`.
  package static func count(_ number: Int, _ noun: String) -> String {
    "\(number.grouped) \(number == 1 ? noun : noun + "s")"
  }

  /// `812 B`, `4.9 kB`, `12 MB`: thousands, as disks and networks count.
  package static func bytes(_ bytes: Int) -> String {
    let (unit, name) =
      bytes < 1_000 ? (1.0, "B") : bytes < 1_000_000 ? (1e3, "kB") : (1e6, "MB")
    return "\(((Double(bytes) / unit * 10).rounded() / 10).plain) \(name)"
  }
}
