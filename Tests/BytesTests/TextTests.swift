import Bytes
import Testing

struct HexTests {
  @Test func `each byte is written as two hex digits`() {
    #expect(Hex.text(of: [0, 0x0A, 0xFF]) == "000aff")
    #expect(Hex.text(of: [0, 0x0A, 0xFF], .upper) == "000AFF")
    #expect(Hex.text(of: []) == "")
    var bytes: [UInt8] = []
    Hex.append(0xB0, to: &bytes)
    #expect(bytes == Array("b0".utf8))
  }

  @Test func `only pairs of lowercase hex digits are accepted`() {
    #expect(Hex.bytes("000aff") == [0, 0x0A, 0xFF])
    for wrong in ["0", "000", "0A", "g0", "0g", " 0", "é", "+1"] {
      #expect(Hex.bytes(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `every byte survives a round trip through hex`() {
    let all = (0...255).map { UInt8($0) }
    #expect(Hex.bytes(Hex.text(of: all)) == all)
  }

  @Test func `code points are written as U+ followed by at least four hex digits`() {
    #expect([0, 0xE9, 0x1F600].map(Hex.codePoint) == ["U+0000", "U+00E9", "U+1F600"])
  }
}

struct ASCIITests {
  @Test func `bytes are classified and lowercased as ASCII`() {
    let all = (0...255).map { UInt8($0) }
    let text = { (isIn: (UInt8) -> Bool) in String(decoding: all.filter(isIn), as: UTF8.self) }
    #expect(text(\.isASCIIDigit) == "0123456789")
    let upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    #expect(text(\.isASCIILetter) == upper + upper.lowercased())
    #expect(text(\.isHexDigit) == "0123456789ABCDEFabcdef")
    #expect(text(\.isASCIIBlank) == "\t ")
    #expect(text(\.isASCIISpace) == "\t\n\r ")
    #expect(text(\.isHTTPTokenByte) == "!#$%&'*+-.0123456789\(upper)^_`\(upper.lowercased())|~")
    let lowered = String(decoding: all.prefix(128).map(\.asciiLowercased), as: UTF8.self)
    #expect(lowered == String(decoding: all.prefix(128), as: UTF8.self).lowercased())
    #expect(all.suffix(128).allSatisfy { $0.asciiLowercased == $0 })
    #expect(Array("09afAF".utf8).map(\.hexDigitValue) == [0, 9, 10, 15, 10, 15])
  }

  @Test func `trimming affects both ends but not the middle`() {
    #expect(" \t a b\t".trimmingBlanks == "a b")
    #expect("a".trimmingBlanks == "a")
    #expect(" \t".trimmingBlanks == "")
    #expect("\na ".dropLast(0).trimmingBlanks == "\na")
    let bytes: [UInt8] = [0, 0, 1, 0, 2, 0]
    #expect(bytes.trimmed { $0 == 0 } == [1, 0, 2])
    #expect(bytes.trimmed { $0 == 0 }.indices == 2..<5)
    #expect(bytes.trimmed { _ in true }.isEmpty)
  }

  @Test func `a leading space is trimmed even before a combining mark`() {
    #expect(" \u{301}x".trimmingBlanks.unicodeScalars.first == "\u{301}")
  }
}

struct EscapeTests {
  @Test func `special characters in markup are escaped`() {
    #expect(Markup.escaped("<a b=\"c\">&'é") == "&lt;a b=&quot;c&quot;&gt;&amp;&#39;é")
    #expect(Markup.escaped("plain") == "plain")
    var output = Array("x".utf8)
    Markup.append("<", to: &output)
    #expect(output == Array("x&lt;".utf8))
  }

  @Test func `percent-encoding escapes all but unreserved characters`() {
    let encoded = { Percent.encoded(($0 as String).utf8, where: Percent.isUnreserved) }
    #expect(encoded("aZ09-._~") == "aZ09-._~")
    #expect(encoded("a b/é%20") == "a%20b%2F%C3%A9%2520")
  }

  @Test func `percent-encoding can keep valid escapes`() {
    let encoded = Percent.encoded(
      "%20%2G%4".utf8, keepingEscapes: true, where: Percent.isUnreserved)
    #expect(encoded == "%20%252G%254")
  }

  @Test func `percent-decoding never decodes twice and rejects invalid escapes`() {
    let decoded = { Percent.decoded(($0 as String).utf8) }
    #expect(decoded("a%20%c3%A9") == Array("a é".utf8))
    #expect(decoded("%2520") == Array("%20".utf8))
    for wrong in ["%", "%1", "%g0", "%0g", "%+1"] { #expect(decoded(wrong) == nil, "\(wrong)") }
  }

  @Test func `class names are escaped with underscores`() {
    #expect(CSSName.escaped("Ann-é_1") == "_41nn-_c3_a9_5f1")
  }

  @Test func `a path segment is never a Windows device name`() {
    let texts = ["con", "aux", "com0", "lpt9", "aux_", "AUX", "aux.txt", "auxx"]
    let expected = ["con_", "aux_", "com0_", "lpt9_", "aux_5f", "_41_55_58", "aux_2etxt", "auxx"]
    #expect(texts.map(CSSName.segment) == expected)
  }
}

struct HostTests {
  @Test func `a host is separated from its port`() throws {
    for (text, host, port) in [
      ("a.example", "a.example", nil), ("a:80", "a", "80"), ("a:", "a", ""), ("", "", nil),
      ("[::1]", "[::1]", nil), ("[::1]:8080", "[::1]", "8080"), ("[::1", "[", ":1"),
      ("a:1:2", "a", "1:2"),
    ] as [(String, String, String?)] {
      let parts = try #require(HostAndPort(text))
      #expect(String(parts.host) == host && parts.port.map { String($0) } == port, "\(text)")
    }
    #expect(HostAndPort("[::1]x") == nil)
  }

  @Test func `a port is a number from 1 to 65535`() {
    #expect(["1", "00080", "65535"].map { HostAndPort.port($0) } == [1, 80, 65535])
    for wrong in ["", "0", "65536", "+1", "-1", "000080", "1a", "１"] {
      #expect(HostAndPort.port(wrong) == nil, "\(wrong)")
    }
  }

  @Test func `host names and bracketed addresses are validated`() {
    let label = String(repeating: "a", count: 63)
    let longest = [label, label, label, String(label.dropLast(2))].joined(separator: ".")
    for name in ["a", "A-1_.example", "a.", label, longest, longest + "."] {
      #expect(HostName.isValid(name), "\(name)")
    }
    for name in ["", ".", "a..b", ".a", "a b", "é", label + "a", longest + "a", "a:1"] {
      #expect(!HostName.isValid(name), "\(name)")
    }
    #expect(HostName.isBracketedAddress("[::ffff:1.2.3.4]"))
    for wrong in ["::1", "[::1", "[1]", "[::g]", "[", "[]"] {
      #expect(!HostName.isBracketedAddress(wrong), "\(wrong)")
    }
  }
}
