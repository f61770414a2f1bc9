import Foundation
import Recipes
import Testing

/// The alpha plane of an AVIF, which is a separate item in the file.
struct AVIFAlphaTests {
  /// 16 × 16 pixels of (200, 100, 50), from transparent on the left to opaque on the right.
  private static let straight = """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGGbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAA\
    AAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAHNAAAAJwACAAAAAQAAAa4AAAAfAAAA\
    QmlpbmYAAAAAAAIAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAABppbmZlAgAAAAACAABhdjAxQWxwaGEAAAAAGmly\
    ZWYAAAAAAAAADmF1eGwAAgABAAEAAADDaXBycAAAAJ1pcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAAD\
    CAgIAAAADGF2MUOBIAAAAAAAE2NvbHJuY2x4AAEADQAGgAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwAAAAAOGF1eEMA\
    AAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAeaXBtYQAAAAAAAAACAAEEAQKD\
    BAACBAEFhgcAAABObWRhdBIACgUYDP/YVDIUEYAAAQAFcBre5784nzhZtE/Ak88SAAoIOAz/2kBDQaQyGRICQ0qAQQQf\
    IAAAdYVch+MlBveVUj8JrcA=
    """

  /// The same picture with premultiplied colours.
  private static let premultiplied = """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGUbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAA\
    AAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAHbAAAANwACAAAAAQAAAbwAAAAfAAAA\
    QmlpbmYAAAAAAAIAAAAaaW5mZQIAAAAAAQAAYXYwMUNvbG9yAAAAABppbmZlAgAAAAACAABhdjAxQWxwaGEAAAAAKGly\
    ZWYAAAAAAAAADnByZW0AAQABAAIAAAAOYXV4bAACAAEAAQAAAMNpcHJwAAAAnWlwY28AAAAUaXNwZQAAAAAAAAAQAAAA\
    EAAAABBwaXhpAAAAAAMICAgAAAAMYXYxQ4EgAAAAAAATY29scm5jbHgAAQANAAaAAAAADnBpeGkAAAAAAQgAAAAMYXYx\
    Q4EAHAAAAAA4YXV4QwAAAAB1cm46bXBlZzptcGVnQjpjaWNwOnN5c3RlbXM6YXV4aWxpYXJ5OmFscGhhAAAAAB5pcG1h\
    AAAAAAAAAAIAAQQBAoMEAAIEAQWGBwAAAF5tZGF0EgAKBRgM/9hUMhQRgAABAAVwGt7nvzifOFm0T8CTzxIACgg4DP/a\
    QENBpDIpEgJDSoBBBB8gAAB1hZJO0yrk9B8/D+csUDONCL5KwecCm4xWiHTniYA=
    """

  /// Like `straight`, but the alpha is item 65,537, whose lower 16 bits are the picture's ID.
  private static let farAway = """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAGcbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAA\
    AAAAAAAAAAAOcGl0bQAAAAAAAQAAADZpbG9jAgAAAEQAAAAAAgAAAAEAAAAAAAEAAAHjAAAAJwABAAEAAAAAAAEAAAHEAAAA\
    HwAAAEZpaW5mAAAAAAACAAAAHGluZmUDAAAAAAAAAQAAYXYwMUNvbG9yAAAAABxpbmZlAwAAAAABAAEAAGF2MDFBbHBoYQAA\
    AAAeaXJlZgEAAAAAAAASYXV4bAABAAEAAQAAAAEAAADHaXBycAAAAJ1pcGNvAAAAFGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4\
    aQAAAAADCAgIAAAADGF2MUOBIAAAAAAAE2NvbHJuY2x4AAEADQAGgAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwAAAAAOGF1\
    eEMAAAAAdXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAiaXBtYQEAAAAAAAACAAAAAQQB\
    AoMEAAEAAQQBBYYHAAAATm1kYXQSAAoFGAz/2FQyFBGAAAEABXAa3ue/OJ84WbRPwJPPEgAKCDgM/9pAQ0GkMhkSAkNKgEEE\
    HyAAAHWFXIfjJQb3lVI/Ca3A
    """

  @Test(arguments: [straight, premultiplied, farAway])
  func `straight and premultiplied AVIF alpha are both decoded correctly`(base64: String) throws {
    let file = try #require(Data(base64Encoded: base64))
    let image = try Rendered.whole(file)
    for x in 0..<16 {
      #expect(abs(image.alpha(x, 8) - x * 17) <= 4, "\(image.alpha(x, 8))")
      // At low alpha, premultiplied colours have little precision.
      guard x > 3 else { continue }
      #expect(
        Rendered.isNear(image[x, 8], [200, 100, 50], by: 6 + 120 / x), "\(x): \(image[x, 8])")
    }
  }

  @Test func `an alpha plane with a different size is rejected`() throws {
    var file = try #require(Data(base64Encoded: Self.straight))
    // Both items share one size property, so the picture seems to be larger than both.
    let size = Data([0, 0, 0, 16, 0, 0, 0, 16])
    let place = try #require(file.range(of: Data("ispe".utf8)))
    let numbers = try #require(file.range(of: size, in: place.upperBound..<file.count))
    file.replaceSubrange(numbers, with: [0, 0, 0, 32, 0, 0, 0, 16])
    #expect(throws: Rejection.self) { try Rendered.whole(file) }
  }
}
