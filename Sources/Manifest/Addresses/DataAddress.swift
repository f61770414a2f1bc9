import Bytes
package import Foundation
package import Recipes

/// A decoder for `data:` URLs: `data:[<media type>][;base64],<data>` (RFC 2397).
package enum DataAddress {
  private static let longest = 2 << 20

  /// Decodes the part after `data:`, ignoring the media type, which is not trusted.
  package static func decode(_ rest: String) -> Result<Data, Rejection> {
    guard rest.utf8.count <= longest else { return failure("it is longer than 2 MiB") }
    guard rest.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return failure("it contains a space, a control character or a non-ASCII character")
    }
    guard !rest.utf8.contains(UInt8(ascii: "#")) else {
      return failure("it contains a #, which must be written as %23")
    }
    guard let comma = rest.utf8.firstIndex(of: UInt8(ascii: ",")) else {
      return failure("the comma before its data is missing")
    }
    guard let bytes = Percent.decoded(rest.utf8[comma...].dropFirst()) else {
      return failure("it contains a % that is not followed by two hexadecimal digits")
    }
    let isBase64 = rest[..<comma].lowercased().hasSuffix(";base64")
    guard let data = isBase64 ? base64(Data(bytes)) : Data(bytes) else {
      return failure("its data is not valid Base64")
    }
    return data.isEmpty ? failure("its data is empty") : .success(data)
  }

  /// Decodes Base64 with optional padding; unused bits must be 0 (RFC 4648, 3.5).
  private static func base64(_ text: Data) -> Data? {
    var whole = text
    if !text.count.isMultiple(of: 4), !text.contains(UInt8(ascii: "=")) {
      whole += Data(repeating: UInt8(ascii: "="), count: 4 - text.count % 4)
    }
    return Data(base64Encoded: whole).flatMap { $0.base64EncodedData() == whole ? $0 : nil }
  }

  private static func failure(_ detail: String) -> Result<Data, Rejection> {
    .failure(Rejection(.badData, detail))
  }
}
