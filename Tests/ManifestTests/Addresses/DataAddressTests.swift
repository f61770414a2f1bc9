import SiteSupport

struct DataAddressTests {
  @Test(arguments: [
    (",A%20brief%20note", "A brief note"), ("text/plain;charset=UTF-8,a", "a"), (",%2C,;", ",,;"),
    ("text/html;charset=US-ASCII,base64,Zg==", "base64,Zg=="), (",a%00%fF", "a\0\u{FF}"),
    (";base64,", ""), (",", ""), (";base64,Zg==", "f"), (";base64,Zg", "f"), (";base64,Zm8", "fo"),
    (";base64,Zm8=", "fo"), (";base64,Zm9v", "foo"), ("image/png;BASE64,Zm9vYg==", "foob"),
    ("x;base64;y,Zg==", "Zg=="), ("base64,Zg==", "Zg=="), (";base64,%5a%67%3D%3D", "f"),
    (";base64,Zm9vYmFy", "foobar"), (",<svg>%22</svg>", "<svg>\"</svg>"),
  ]) func `data URLs are decoded to bytes`(rest: String, text: String) throws {
    // Each character represents the byte with its code.
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    let result = DataAddress.decode(rest)
    if bytes.isEmpty {
      #expect(result == .failure(Rejection(.badData, "its data is empty")))
    } else {
      #expect(try result.get() == Data(bytes))
    }
  }

  /// M22: no comma, invalid Base64 letters, blanks, padding of the wrong length.
  @Test(arguments: [
    "", "image/png", ";base64", ",a b", ",a\n", ",é", ",\u{0}", ",a#b", ",%", ",%4", ",%4g", ",%zz",
    ",%+1", ";base64,Zg=", ";base64,Z", ";base64,Zg===", ";base64,Zm9v=", ";base64,Zm9v====",
    ";base64,=", ";base64,====", ";base64,Z===", ";base64,Zg==Zg==", ";base64,Zh==",
    ";base64,Zm9=", ";base64,Z-_v", ";base64,Zm 9v", ";base64,Zm%0A9v", ";base64,Zm9v%20",
    ";base64,%00",
  ]) func `malformed data URLs are rejected`(rest: String) {
    guard case .failure(let failure) = DataAddress.decode(rest) else {
      Issue.record("accepted: \(rest)")
      return
    }
    #expect(failure.reason == .badData)
    #expect(failure.reason.rawValue == "bad-data-address")
  }

  /// M22: the limit applies to the text, not to the decoded bytes.
  @Test func `data URLs longer than 2 MiB are rejected before decoding`() throws {
    let data = String(repeating: "A", count: (2 << 20) - 8)
    #expect(try DataAddress.decode(";base64," + data).get().count == ((2 << 20) - 8) / 4 * 3)
    #expect(
      DataAddress.decode(";base64,A" + data)
        == .failure(Rejection(.badData, "it is longer than 2 MiB")))
  }

  @Test func `arbitrary bytes round-trip in both encodings`() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededRandom(seed: seed)
    for _ in 0..<500 {
      let bytes = (0...random.next(upTo: 40)).map { _ in UInt8.random(in: 0...255, using: &random) }
      let base64 = Data(bytes).base64EncodedString()
      let bare = base64.filter { $0 != "=" }
      let escaped = bytes.map { "%" + String($0, radix: 16).leftPadded }.joined()
      for rest in [";base64," + base64, ";base64," + bare, "," + escaped] {
        #expect(try DataAddress.decode(rest).get() == Data(bytes), "seed \(seed): \(rest)")
      }
    }
  }
}

extension String {
  fileprivate var leftPadded: String { utf8.count < 2 ? "0" + self : self }
}
