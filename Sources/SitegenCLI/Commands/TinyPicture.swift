import Foundation

/// A picture of 16 by 16 pixels with which `doctor` tries a format; `all` are those never written.
struct TinyPicture: Sendable {
  var name: String
  var bytes: Data
  var isNeeded = false

  private init(_ name: String, base64: String) {
    self.name = name
    bytes = Data(base64Encoded: base64) ?? Data()
  }

  init(name: String, bytes: Data, isNeeded: Bool) {
    self.name = name
    self.bytes = bytes
    self.isNeeded = isNeeded
  }

  static let all = [
    TinyPicture(
      "gif",
      base64: """
        R0lGODdhEAAQAIEAAMhQKAAAAAAAAAAAACwAAAAAEAAQAEAIHQABCBxIsKDBgwgTKlzIsKHDhxAjSpxI\
        saLFgQEBADs=
        """),
    TinyPicture(
      "avif",
      base64: """
        AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADrbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAA\
        cGljdAAAAAAAAAAAAAAAAAAAAAAOcGl0bQAAAAAAAQAAAB5pbG9jAAAAAEQAAAEAAQAAAAEAAAETAAAA\
        KAAAAChpaW5mAAAAAAABAAAAGmluZmUCAAAAAAEAAGF2MDFDb2xvcgAAAABqaXBycAAAAEtpcGNvAAAA\
        FGlzcGUAAAAAAAAAEAAAABAAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBAAwAAAAAE2NvbHJuY2x4AAEA\
        DQAGgAAAABdpcG1hAAAAAAAAAAEAAQQBAoMEAAAAMG1kYXQSAAoJGAz/2iAhoNCAMhkZR4eGIYeeeeaA\
        AAB1hk3a5nlI+CevN50U
        """),
    TinyPicture(
      "heic",
      base64: """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAXxtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0\
        AAAAAAAAAAAAAAAAAAAAACJpbG9jAAAAAERAAAEAAQAAAAABoAABAAAAAAAAADIAAAAjaWluZgAAAAAA\
        AQAAABVpbmZlAgAAAAABAABodmMxAAAAAA5waXRtAAAAAAABAAAA/GlwcnAAAADcaXBjbwAAAHVodmND\
        AQNwAAAAkAAAAAAAHvAA/P34+AAADwNgAAEAGEABDAH//wNwAAADAJAAAAMAAAMAHroCQGEAAQApQgEB\
        A3AAAAMAkAAAAwAAAwAeoCCBBZbqrprm4CGgwIAAAAyAAAADAIRiAAEABkQBwXPBiQAAABNjb2xybmNs\
        eAABAA0ABoAAAAAUaXNwZQAAAAAAAABAAAAAQAAAAChjbGFwAAAAEAAAAAEAAAAQAAAAAf///9AAAAAC\
        ////0AAAAAIAAAAQcGl4aQAAAAADCAgIAAAAGGlwbWEAAAAAAAAAAQABBYECAwWEAAAAOm1kYXQAAAAu\
        KAGvEyFiY0D1JyL//i9p/8Rmn/MPZYWdyujBW/L6wPZkm8DzqpGegIdppzAVeA==
        """),
  ]
}
