import Recipes
import TestSupport

struct SVGTests {
  private static func head(_ attributes: String) -> Data {
    Data("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)/>".utf8)
  }

  @Test(arguments: [
    ("viewBox='0 0 20 10'", 4096, 2048), ("viewBox=\"-5,-5 , 10 20\"", 2048, 4096),
    ("width='30' height='40'", 3072, 4096), ("width='1in' height='48px'", 4096, 2048),
    ("width='25.4mm' height=' 2.54cm '", 4096, 4096), ("width='3pc' height='36pt'", 4096, 4096),
    ("width='2em' height='16'", 4096, 2048), ("height='5' width='1e1'", 4096, 2048),
    ("width='100%' height='100%' viewBox='0 0 9 9'", 4096, 4096),
    ("width='50' viewBox='0 0 20 10'", 4096, 2048),
    ("width='8' height='4' viewBox='0 0 1 1'", 4096, 2048),
    ("", 4096, 4096), ("width='100%' height='100%'", 4096, 4096), ("width='9'", 4096, 4096),
    ("viewBox='0 0 3 1'", 4096, 1365), ("viewBox='0 0 640 10'", 4096, 64),
  ])
  func `a drawing has its declared aspect ratio`(_ head: String, width: Int, height: Int) throws {
    let found = try Inspection(inspecting: Self.head(head))
    #expect(found == Inspection(format: .svg, size: PixelSize(width: width, height: height)))
  }

  @Test(arguments: [
    "<?xml version='1.0' encoding='utf-8' standalone='no'?><!-- a < b -->",
    "\u{FEFF}  \n", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>",
    "<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">",
    "<!DOCTYPE svg [\n<!ENTITY ns_svg \"http://www.w3.org/2000/svg\">\n<!-- > ] ' -->\n]>",
    "<!DOCTYPE svg [<?x ' ]> % ?>]>",
    "<?xml-stylesheet href='\(String(repeating: "a", count: 300)).css'?>",
    "<!-- " + String(repeating: "made by hand ", count: 200) + "-->",
  ])
  func `a drawing is recognized after any prologue`(_ before: String) throws {
    let file = Data(before.utf8) + Self.head("viewBox='0 0 9 9'")
    #expect(try Inspection(inspecting: file).format == .svg)
  }

  @Test func `base64 data in a drawing may be wrapped in any way`() throws {
    let picture = TestPicture.png(width: 40, height: 40) { x, _ in x % 2 == 0 ? .red : .green }
    let lines = picture.base64EncodedString(options: [
      .lineLength76Characters, .endLineWithLineFeed,
    ])
    for text in [lines, lines.replacing("\n", with: "&#10;"), lines.replacing("\n", with: " ")] {
      let file = "<svg viewBox='0 0 9 9'><image xlink:href='data:image/png;base64,\(text)'/></svg>"
      #expect(throws: Never.self) { try Inspection(inspecting: Data(file.utf8)) }
    }
  }

  @Test(arguments: [
    ("<text>a</text>", true), ("<s:text x='1'>a</s:text>", true), ("<text/>", true),
    ("<!-- <text> -->", false), ("<textPath/>", false), ("<title>text</title>", false),
    ("<style><![CDATA[<text>]]></style>", false),
  ])
  func `text in a drawing is reported`(_ inside: String, has: Bool) {
    #expect(Inspection.hasText(inSVG: Data("<svg viewBox='0 0 1 1'>\(inside)</svg>".utf8)) == has)
  }

  @Test(arguments: ["image", "feImage"])
  func `a message names the rejected picture in a drawing`(element: String) {
    let inner = Data("<svg viewBox='0 0 1 1'/>".utf8).base64EncodedString()
    let file = "<svg viewBox='0 0 9 9'><\(element) href='data:;base64,\(inner)'/></svg>"
    #expect(
      rejection(of: file.utf8)?.detail.hasPrefix(
        "the SVG contains a picture in SVG, but only PNG and JPEG can be embedded;") == true)
  }

  /// I22: the limit applies to the expanded size of entities, wherever they are referenced.
  @Test(arguments: [
    ("a", "<text>&a;</text>", 128, 32_768), ("a", "<path d='&a;&a;'/>", 128, 16_384),
    ("a", "<![CDATA[&]]>&a;", 127, 32_768), ("b ''><!ENTITY\na\t", "&b;&a;", 127, 32_768),
    ("a", "&a;", 0, 4_194_304),
    (String(repeating: "e", count: 99), "&\(String(repeating: "e", count: 99));", 128, 32_768),
  ])
  func `entities expand to at most 4 MiB`(_ name: String, _ piece: String, bytes: Int, most: Int) {
    func file(_ count: Int) -> Data {
      let value = String(repeating: "x", count: bytes)
      return Data("<!DOCTYPE svg [<!ENTITY \(name) '\(value)' >]><svg viewBox='0 0 9 9'>".utf8)
        + Data("\(String(repeating: piece, count: count))</svg>".utf8)
    }
    #expect(throws: Never.self) { try Inspection(inspecting: file(most)) }
    let refused = rejection(of: file(most + 1))
    #expect(refused?.reason == .tooManyBytes)
    #expect(refused?.detail == "the SVG entities expand to more than 4,194,304 bytes")
  }

  /// I22: a processing instruction cannot hide an entity or an attribute declaration.
  @Test func `a processing instruction cannot hide declarations`() {
    func refused(_ declaration: String, _ inside: String) -> Rejection? {
      let before = "<!DOCTYPE svg [<?x ]> ?>\(declaration)]>"
      return rejection(of: "\(before)<svg viewBox='0 0 9 9'>\(inside)</svg>".utf8)
    }
    let letters = String(repeating: "x", count: 100_000)
    let references = String(repeating: "&a;", count: 50)
    let entity = refused("<!ENTITY a \"\(letters)\">", "<text>\(references)</text>")
    #expect(entity?.reason == .tooManyBytes)
    let attribute = refused("<!ATTLIST image href CDATA 'a.png'>", "<image/>")
    #expect(attribute?.detail.hasPrefix("the SVG document type declares attributes;") == true)
  }

  /// I22: entities can be declared only in a single document type before the root.
  @Test(arguments: [
    ("<!ENTITY a 'x'>", ""), ("<!doctype svg>", ""), ("<!DOCTYPE svg><!DOCTYPE svg>", ""),
    ("", "<!DOCTYPE svg>"), ("", "</svg><!DOCTYPE svg><svg>"),
  ])
  func `a misplaced declaration is rejected`(_ before: String, _ inside: String) {
    let found = rejection(of: "\(before)<svg viewBox='0 0 9 9'>\(inside)</svg>".utf8)
    #expect(found == Rejection(.corrupt, "the SVG has a declaration in the wrong place"))
  }

  /// I10: librsvg would read UTF-7 elements that the inspection does not see.
  @Test func `spaces cannot hide an encoding declaration`() {
    let declaration = "<?xml version='1.0'\(String(repeating: " ", count: 300))encoding='UTF-7'?>"
    let found = rejection(of: "\(declaration)<svg viewBox='0 0 9 9'>+ADw-image/+AD4-</svg>".utf8)
    #expect(found?.detail.hasPrefix("the SVG XML declaration is longer than 256 bytes;") == true)
  }

  @Test func `20,000 mutated drawings never crash the inspection`() {
    let file = Array(
      """
      <?xml version="1.0" encoding="utf-8"?><!DOCTYPE svg [<!ENTITY a "b">]>
      <svg width="10mm" height="5" viewBox='0 0 9 9'><!-- --><![CDATA[ ]]><g a='b'><text>x</text>
      <image href="data:image/gif;base64,R0lGODlhAQABAAAAACw="/></g></svg>
      """.utf8)
    let seed: UInt64 = 20_261_124
    var random = SeededRandom(seed: seed)
    let pieces = [
      "<", ">", "'", "\"", "<!", "-->", "]", "[", "/", "&", "=", "<svg", "\0", "e9", " ",
    ]
    for round in Extent.seeds(4_000, all: 20_000) {
      var bytes = file
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...6, using: &random))
        bytes.replaceSubrange(
          place..<end, with: pieces.randomElement(using: &random)?.utf8 ?? "".utf8)
      }
      guard let found = try? Inspection(inspecting: Data(bytes)) else { continue }
      let sides = (found.size.width, found.size.height)
      #expect(
        max(sides.0, sides.1) == 4_096 && min(sides.0, sides.1) >= 64,
        "seed \(seed), round \(round)")
    }
  }

  /// Parsing in quadratic time would take minutes.
  @Test(arguments: [
    "<", "<g ", "<g a='", "<!", "<!--", "</g>", "&a;", "<!DOCTYPE [", "<image href='",
  ])
  func `parsing takes linear time`(_ piece: String) {
    let pieces = String(repeating: piece, count: 4_000_000 / piece.utf8.count)
    let file = Data("<svg viewBox='0 0 9 9'>\(pieces)".utf8)
    let clock = ContinuousClock()
    #expect(clock.measure { _ = try? Inspection(inspecting: file) } < .seconds(20))
  }
}
