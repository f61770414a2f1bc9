import Recipes
import Testing

struct ColorParsingTests {
  @Test(arguments: [
    ("#f80", "#ff8800ff"), ("#f808", "#ff880088"), ("#0a84ff", "#0a84ffff"),
    ("#0A84FF80", "#0a84ff80"), ("rgb(1, 2, 3)", "#010203ff"), ("rgb(1 2 3)", "#010203ff"),
    ("rgb(1,2,3,0.5)", "#01020380"), ("rgba(1, 2, 3, 50%)", "#01020380"),
    ("rgb(1 2 3 / .5)", "#01020380"), ("rgba(1 2 3/50%)", "#01020380"),
    ("rgb(0%, 50%, 100%)", "#0080ffff"), ("rgb(0% 128 100%)", "#0080ffff"),
    ("RGBA( 255 , 0 , 0 , 1 )", "#ff0000ff"), ("rgb(127.5 0 0)", "#800000ff"),
    ("gray(0)", "#000000ff"), ("gray(128)", "#808080ff"), ("gray(50%)", "#808080ff"),
    ("gray(50% / 50%)", "#80808080"), ("gray(255, 0)", "#ffffff00"),
    ("rebeccapurple", "#663399ff"), ("LightGoldenRodYellow", "#fafad2ff"),
    ("transparent", "#00000000"), ("rgba(0,0,0,0.2)", "#00000033"),
  ])
  func `every spelling of a colour is parsed`(text: String, hex: String) {
    #expect(Color(parsing: text)?.hex == hex)
  }

  @Test func `an alpha of 0.2 becomes exactly 51`() {
    #expect(Color(parsing: "rgba(0,0,0,0.2)") == Color(red: 0, green: 0, blue: 0, alpha: 51))
  }

  /// E4: short forms and colours with two components equal their RGBA form.
  @Test(arguments: [
    ("gray(50%)", "rgb(50%, 50%, 50%)"), ("gray(50%)", "#808080ff"), ("white", "#ffffffff"),
    ("white", "rgba(255, 255, 255, 1)"), ("#fff8", "#ffffff88"),
    ("#fff8", "rgb(255 255 255 / 53.3333%)"),
  ])
  func `short forms parse to the same colour as their RGBA form`(short: String, full: String) {
    let color = Color(parsing: short)
    #expect(color != nil)
    #expect(color == Color(parsing: full))
  }

  @Test(arguments: [
    "", " ", "#", "#f", "#ff", "#12345", "#1234567", "#123456789", "#ggg", "#ff ff ff", " #fff",
    "#fff ", "fff", "0xffffff", "rgb", "rgb(", "rgb()", "rgb(1,2", "rgb(1,2)", "rgb(1,2,3",
    "rgb(1,2,3,4,5)", "rgb(1,2,3,)", "rgb(,1,2,3)", "rgb(1,,2,3)", "rgb(1 2, 3)",
    "rgb(1 2 3 4)", "rgb(1 2 3 / )", "rgb(1 2 3 / 1 / 1)", "rgb(1,2,3 / 1)", "rgb(256,0,0)",
    "rgb(-1,0,0)", "rgb(101%,0%,0%)", "rgb(50%, 1, 2)", "rgb(1,2,3,1.5)", "rgb(1,2,3,-0)",
    "rgb(1e2,0,0)", "rgb(nan,0,0)", "rgb(0x10,0,0)", "rgb(1..2,0,0)", "rgb(1.,0,0)",
    "rgb(%,0,0)", "rgb (1,2,3)", "rgb(1,2,3) ", "rgb(1,2,3))", "argb(1,2,3)", "gray()",
    "gray(1,2,3)", "gray(1 2)", "gray(300)", "hsl(1,2,3)", "url(x)", "none", "currentcolor",
    "chartreus", "#١٢٣", "rgb(١,٢,٣)", "whiте", "white\u{0}", "white\n",
    "linear-gradient(red, blue)",
  ])
  func `invalid colours are rejected`(text: String) { #expect(Color(parsing: text) == nil) }

  @Test func `a very long colour string is rejected`() {
    let digits = String(repeating: "0", count: 1_000_000)
    #expect(Color(parsing: "rgb(\(digits), 0, 0)") == nil)
    #expect(Color(parsing: "#\(digits)") == nil)
  }

  /// B13: formatting and parsing a colour again does not change it.
  @Test func `a formatted colour parses to the same colour`() {
    // A linear congruential generator spreads 20,000 colours over all four channels.
    var state: UInt32 = 1
    for _ in 0..<20_000 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let color = Color(
        red: UInt8(truncatingIfNeeded: state >> 24), green: UInt8(truncatingIfNeeded: state >> 16),
        blue: UInt8(truncatingIfNeeded: state >> 8), alpha: UInt8(truncatingIfNeeded: state))
      #expect(Color(parsing: color.hex) == color)
      let numbers = "\(color.red) \(color.green) \(color.blue) / \(Double(color.alpha) / 255)"
      if !numbers.contains("e") { #expect(Color(parsing: "rgb(\(numbers))") == color) }
    }
  }

  @Test func `all 148 colour names are lower case and can be parsed`() {
    #expect(Color.names.count == 148)
    for (name, value) in Color.names {
      let digits = String(value, radix: 16)
      let hex = "#" + String(repeating: "0", count: 6 - digits.count) + digits
      #expect(name == name.lowercased())
      #expect(Color(parsing: name) == Color(parsing: hex))
      #expect(Color(parsing: name.uppercased()) == Color(parsing: hex))
    }
  }
}
