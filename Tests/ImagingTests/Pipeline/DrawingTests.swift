import Recipes
import TestSupport

@testable import Imaging

struct DrawingTests {
  private static let bodies = [
    "<rect width='50' height='100' fill='#f00'/><rect x='50' width='50' height='100' fill='#00f8'/>",
    "<circle cx='50' cy='50' r='47' fill='teal' stroke='gold' stroke-width='5'/>",
    "<linearGradient id='g'><stop stop-color='red'/><stop offset='1' stop-color='lime'/>"
      + "</linearGradient><path d='M5 95L50 5L95 95z' fill='url(#g)' opacity='.6'/>",
    "<clipPath id='c'><circle cx='50' cy='50' r='40'/></clipPath><g clip-path='url(#c)'>"
      + "<rect width='100' height='100' fill='navy'/><path d='M0 50h100' stroke='#fff9'/></g>",
    "<filter id='f'><feGaussianBlur stdDeviation='6'/></filter>"
      + "<rect x='25' y='25' width='50' height='50' fill='purple' filter='url(#f)'/>",
    "<mask id='m'><rect width='100' height='50' fill='#888'/></mask>"
      + "<ellipse cx='50' cy='50' rx='45' ry='30' fill='green' mask='url(#m)'/>",
    "<symbol id='s' viewBox='0 0 10 10'><path d='M1 1L9 5L1 9z'/></symbol>"
      + "<use href='#s' width='60' height='60' fill='crimson' transform='rotate(20 50 50)'/>",
    "<style>.a { fill: #0aa } @media print { .a { fill: red } }</style>"
      + "<pattern id='p' width='.2' height='.2'><circle cx='8' cy='8' r='6' class='a'/></pattern>"
      + "<rect width='100' height='100' fill='url(#p)'/>",
  ]

  private static func file(_ body: String) -> Data {
    Data("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>\(body)</svg>".utf8)
  }

  private static func drawn(_ file: Data, side: Int) throws -> [UInt8] {
    try ImageMagick.start()
    let inspection = try Inspection(inspecting: file)
    let reduction = inspection.size.width / side
    return try inspection.decode(file, reduction: reduction).pixels.rgba(
      columns: 0..<side, rows: 0..<side)
  }

  private static let oracle = Need(
    "librsvg2-bin (script/bootstrap test)", file: "/usr/bin/rsvg-convert")

  @Test(arguments: bodies.indices, [64, 512])
  func `a drawing matches rsvg-convert's output`(_ number: Int, side: Int) throws {
    guard try Self.oracle.isMet() else { return }
    let folder = TemporaryFolder()
    let file = Self.file(Self.bodies[number])
    try folder.write(file, to: "a.svg")
    let words = ["rsvg-convert", "-w", "\(side)", "-h", "\(side)", "-o", "a.png", "a.svg"]
    #expect(try RunningProgram(words, in: folder.path).ending().status == 0)
    let wanted = try PNGReader(try Data(folder.read("a.png"))).crop(
      x: 0, y: 0, width: side, height: side)
    let drawn = try Self.drawn(file, side: side)
    #expect(drawn.count == wanted.count)
    let far = zip(0..., zip(drawn, wanted)).filter { at, pair in
      // The colours of faint pixels have little precision.
      let alpha = Int(wanted[at | 3])
      return abs(Int(pair.0) - Int(pair.1)) * (at % 4 == 3 ? 255 : alpha) > 2 * 255
    }
    #expect(far.isEmpty, "\(far.count) of \(drawn.count), first \(far.prefix(3))")
    #expect(Set(drawn).count > 2)
  }

  @Test func `embedded pictures are drawn, but text is not`() throws {
    let picture = TestPicture.png(width: 8, height: 8) { _, _ in .green }
    let body =
      "<image width='50' height='100' preserveAspectRatio='none' href='data:image/png;base64,\(picture.base64EncodedString())'/>"
      + "<text x='50' y='90' font-size='90'>W</text>"
    let drawn = try Self.drawn(Self.file(body), side: 64)
    for y in 0..<64 {
      for x in 0..<64 where x != 32 {
        let pixel = Array(drawn[(y * 64 + x) * 4..<(y * 64 + x) * 4 + 4])
        #expect(pixel == (x < 32 ? [0, 255, 0, 255] : [0, 0, 0, 0]), "\(x), \(y)")
      }
    }
  }
}
