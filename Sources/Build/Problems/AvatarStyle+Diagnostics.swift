package import Diagnostics
package import Manifest
package import Plan
import Recipes

extension AvatarStyle {
  /// What a style asks for in vain on this machine; nil when it has all.
  package func diagnostic(with resources: StyleResources) -> Diagnostic? {
    guard looksForFaces, resources.detector == nil else { return nil }
    let isSmartOtherwise =
      if case .face(_, isSmartOtherwise: true) = finder { true } else { false }
    return Diagnostic(
      .warning, .noFaceDetector,
      "no faces are looked for; "
        + (isSmartOtherwise ? "`smart` decides instead" : "the point of `otherwise` is kept"),
      at: focusLocation ?? declared.location, path: "\(declared.path).focus",
      note: "this machine has no face detector",
      help: "install the package opencv-data, or use another focus")
  }
}
