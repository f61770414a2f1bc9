import Files
import Foundation
import Imaging
import Recipes

/// The data by which faces are found: OpenCV's, as Debian packages them.
package enum FaceDetector {
  /// Stumps over upright rectangles, which is what our own reader evaluates.
  package static let path = "/usr/share/opencv4/haarcascades/haarcascade_frontalface_alt.xml"
  package static let debianPackage = "opencv-data"
  static let limit = 4 << 20

  /// Whether this machine has them, and can use them; nil when they are not there.
  package static func isUsable(at path: String = FaceDetector.path) -> Bool? {
    do throws(FileError) {
      let file = try Folder(opening: "/").open(
        beneath: Inputs.fromRoot(path), allowOutside: true)
      return FocusFinder.Face.canUse(detector: try file.read(upTo: limit))
    } catch {
      return nil
    }
  }
}

extension BuildResources {
  /// Reads the detector's data for styles that look for faces.
  ///
  /// - Returns: The name by which a finder knows them; nil where the package is not installed, or
  ///   has data of another form.
  mutating func readDetector(_ path: String, inputs: inout Inputs) -> String? {
    supply(
      file: path, upTo: FaceDetector.limit, inputs: &inputs,
      sound: FocusFinder.Face.canUse(detector:))
  }
}
