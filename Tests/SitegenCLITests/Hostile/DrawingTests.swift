import Build
import TestSupport

struct DrawingTests {
  private static func drawing(_ inside: String, _ head: String = "viewBox='0 0 9 9'") -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(head)>"
      + "\(inside)</svg>"
  }

  private static func nested(_ open: String, _ close: String, _ count: Int) -> String {
    drawing(String(repeating: open, count: count) + String(repeating: close, count: count))
  }

  private static func image(_ address: String, _ name: String = "href") -> String {
    drawing("<image width='9' height='9' \(name)='\(address)'/>")
  }

  private static func data(_ picture: Data, _ type: String = "image/png") -> String {
    "data:\(type);base64,\(picture.base64EncodedString())"
  }

  private static func billion(_ kind: (Int) -> String, _ first: String) -> String {
    let levels = (1...12).map(kind).joined()
    return "<!DOCTYPE svg [<!ENTITY l0 \"\(first)\">\(levels)]>" + drawing("<text>&l12;</text>")
  }

  /// Returns files that are refused before librsvg reads them, with the reason.
  private static func refused(_ canary: String) -> [(String, String)] {
    let unsupported = [
      image(canary), image("file://\(canary)"), image("http://127.0.0.1:9/x.png", "xlink:href"),
      image("//127.0.0.1/x"), image("\\\\host\\x"), image("data:image/svg+xml,<svg/>"),
      image("data:image/png,%89PNG"), image("&#100;ata:image/png;base64,AAAA"),
      image(data(TestPicture.gif(width: 4, height: 4) { _, _, _ in .red }, "image/png")),
      image(data(Data(drawing("").utf8), "image/svg+xml")),
      image(data(TestPicture.webp(width: 4, height: 4) { _, _ in .red })),
      image(data(Data("%PDF-1.4".utf8), "application/pdf")),
      drawing("<filter id='f'><feImage href='\(canary)'/></filter><rect filter='url(#f)'/>"),
      drawing("<x:image xmlns:x='http://www.w3.org/2000/svg' href='\(canary)'/>"),
      "<!DOCTYPE svg [<!ATTLIST image href CDATA \"\(canary)\">]>" + drawing("<image/>"),
      "<!DOCTYPE svg [<!ENTITY x '<image href=\"\(canary)\"/>'>]>" + drawing("&x;"),
      "<!DOCTYPE svg [<!ENTITY % x SYSTEM \"file://\(canary)\"> %x;]>" + drawing(""),
      billion({ "<!ENTITY l\($0) \"&l\($0 - 1);&l\($0 - 1);&l\($0 - 1);\">" }, "ha"),
      "<?xml version='1.0' encoding='UTF-7'?>" + drawing("+ADw-image href='\(canary)'/+AD4-"),
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + drawing(""),
      drawing("", "width='0' height='9'"),
      drawing("", "viewBox='0 0 0 9'"), drawing("", "viewBox='0 0 nan inf'"),
      drawing("", "viewBox='0 0 1e308 1e-308'"), drawing("", "viewBox='0 0 -9 9'"),
      drawing("", "width='1e400' height='1e400'"), drawing("", "viewBox='0 0 1 99'"),
      "<html><body>" + drawing("") + "</body></html>", "<a><svg viewBox='0 0 9 9'/></a>",
      "<SVG viewBox='0 0 9 9'/>",
    ]
    let others = [
      ("too-many-pixels", image(data(Bomb.png(width: 50_000, height: 50_000)))),
      ("too-many-pixels", image(data(Bomb.jpeg(width: 65_500, height: 65_500), "image/jpeg"))),
      (
        "too-many-pixels",
        drawing(
          String(
            repeating: "<image href='\(data(Bomb.png(width: 6_000, height: 6_000)))'/>", count: 2))
      ),
      ("too-many-scans", image(data(Bomb.jpeg(scans: 1_000), "image/jpeg"))),
      ("too-many-chunks", drawing(String(repeating: "<g/>", count: 100_001))),
      ("truncated", "<svg viewBox='0 0 9 9'><g>"), ("truncated", "<svg viewBox='0 0 9 9"),
      ("truncated", drawing("<!-- ")), ("truncated", drawing("<![CDATA[ ")),
      ("truncated", "<!DOCTYPE svg [" + drawing("")),
      ("corrupt", "<svg viewBox/>"), ("corrupt", "<svg viewBox=9/>"),
    ]
    return unsupported.map { ("unsupported-format", $0) } + others
  }

  /// Returns files that are drawn without their invalid parts, or refused by librsvg.
  private static func borne(_ canary: String) -> [String] {
    [
      drawing(
        "<style>@import url('file://\(canary)'); * { fill: url('http://127.0.0.1:9/x') }</style>"),
      "<?xml-stylesheet href='file://\(canary)'?>" + drawing("<rect width='9' height='9'/>"),
      "<!DOCTYPE svg [<!ENTITY x SYSTEM \"file://\(canary)\">]>" + drawing("<text>&x;</text>"),
      "<!DOCTYPE svg SYSTEM \"file://\(canary)\">" + drawing(""),
      drawing("<use href='file://\(canary)#a'/><use href='\(canary)'/>"),
      drawing("<script>throw 1</script><foreignObject><p/></foreignObject>"),
      drawing("<g id='a'><use href='#a'/></g>"),
      drawing("<pattern id='a' width='1' height='1'><rect fill='url(#a)'/></pattern>"),
      drawing("<mask id='a' mask='url(#a)'/><rect width='9' height='9' mask='url(#a)'/>"),
      drawing("<xi:include xmlns:xi='http://www.w3.org/2001/XInclude' href='\(canary)'/>"),
      drawing("<text>letters</text>", "viewBox='0 0 9 9' font-family='no such font'"),
      drawing("<text style='display: inline !important'>letters</text>"),
      drawing("<path d='\(String(repeating: "M0 0L9 9z", count: 100_000))'/>"),
      drawing("<rect width='1e308' height='1e308' x='-1e308' transform='scale(1e308)'/>"),
      drawing("<rect width='9' height='9' stroke-dasharray='1e-9' stroke='red'/>"),
      drawing(
        "<filter id='f'><feGaussianBlur stdDeviation='1e9'/></filter>"
          + "<rect width='9' height='9' filter='url(#f)'/>"),
      drawing(
        "<filter id='f'><feMorphology operator='dilate' radius='4000'/></filter>"
          + "<rect width='9' height='9' filter='url(#f)'/>"),
      drawing(
        "<pattern id='p' width='1e-4' height='1e-4'><rect width='1' height='1'/></pattern>"
          + "<rect width='9' height='9' fill='url(#p)'/>"),
      drawing(
        (1...24).map {
          "<g id='u\($0)'>" + String(repeating: "<use href='#u\($0 - 1)'/>", count: 9)
        }
        .map { $0 + "</g>" }.joined() + "<rect id='u0' width='9' height='9'/>"),
      nested("<g>", "</g>", 5_000), nested("<svg>", "</svg>", 50_000),
      nested("<g opacity='.5'>", "</g>", 200), drawing("&undefined;"), drawing("<g></h></g>"),
    ]
  }

  /// I10: SVG files with references, bombs or endless nesting fail only their users.
  @Test func `an SVG cannot access other files`() throws {
    let folder = TemporaryFolder()
    try folder.write(TestPicture.png(width: 2, height: 2) { _, _ in .red }, to: "canary.png")
    let canary = folder.path(of: "canary.png")
    let (refused, borne) = (Self.refused(canary), Self.borne(canary))
    #expect(refused.count + borne.count >= 60)
    var portfolio = Portfolio()
    portfolio.fileName = { _, number in "\(number).svg" }
    let good = Self.drawing("<rect width='9' height='9' fill='red'/>")
    for (number, file) in refused.enumerated() {
      portfolio.add("refused \(number)", Data(file.1.utf8))
    }
    for (number, file) in borne.enumerated() {
      portfolio.add("borne \(number)", Data(file.utf8))
      portfolio.add("good \(number)", Data((good + "<!--\(number)-->").utf8))
    }
    let log = folder.path(of: "log")
    let isTraced = try Strace.need.isMet()
    let outcome = try portfolio.build(
      through: isTraced ? Strace.logging("execve,connect,openat,openat2", to: log) : [])
    #expect(outcome.run.status == 1, "\(outcome.run.err)")
    for (number, file) in refused.enumerated() {
      #expect(outcome.assets.reasons["refused \(number)"] == file.0, "\(file.1.prefix(300))")
    }
    let red = try #require(outcome.assets.digest("good 0"))
    for number in borne.indices {
      #expect(outcome.assets.digest("good \(number)") == red)
      let reason = outcome.assets.reasons["borne \(number)"]
      #expect([nil, "decode-failed"].contains(reason), "\(borne[number].prefix(300))")
    }
    guard isTraced else { return }
    let audit = try Audit(log: log)
    #expect(audit.opened.filter { $0.contains("canary") } == [])
    #expect(audit.calls("connect") == [])
    #expect(
      audit.calls("execve").dropFirst().allSatisfy { $0.contains("\"\(BuiltProduct.worker)\"") })
  }
}
