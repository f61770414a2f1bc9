import CFreeType
import CHarfBuzz

/// What decides the form of letters beside the font.
package enum LetteringVersions {
  /// The corresponding C functions are `FT_Library_Version` and `hb_version_string`.
  package static let all: [String] = {
    var versions: [String] = []
    if let library = unsafe sitegen_ft_library() {
      var (major, minor, patch): (FT_Int, FT_Int, FT_Int) = (0, 0, 0)
      unsafe FT_Library_Version(library, &major, &minor, &patch)
      _ = unsafe FT_Done_Library(library)
      versions.append("FreeType \(major).\(minor).\(patch)")
    }
    if let text = unsafe hb_version_string() {
      versions.append("HarfBuzz \(unsafe String(cString: text))")
    }
    return versions
  }()
}
