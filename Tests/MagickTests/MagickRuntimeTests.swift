import Foundation
import Magick
import Testing

struct MagickRuntimeTests {
  @Test func `the version string names ImageMagick, its quantum depth and the codecs`() throws {
    try MagickRuntime.start()
    let versions = MagickRuntime.versions.joined(separator: "\n")
    #expect(versions.contains("ImageMagick"))
    #expect(versions.contains("Q16"))
    for codec in ["libjpeg", "libpng", "libwebp"] { #expect(versions.contains(codec)) }
  }
}
