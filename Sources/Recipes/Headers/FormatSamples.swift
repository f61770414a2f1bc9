package import Foundation

extension Inspection.Format {
  /// A file of each format that we read but never write, 16 × 16 pixels, to try a decoder with.
  package static let samples: [(format: Inspection.Format, file: Data)] = [
    (.gif, Data(PackageResources.sample_gif)), (.avif, Data(PackageResources.sample_avif)),
    (.heic, Data(PackageResources.sample_heic)),
  ]
}
