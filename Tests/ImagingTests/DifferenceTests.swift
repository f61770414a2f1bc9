import Recipes
import Testing

struct DifferenceTests {
  /// Test data by Sharma, Wu and Dalal: two Lab colours, then their difference.
  private static let published = """
    50 2.6772 -79.7751 50 0 -82.7485 2.0425
    50 3.1571 -77.2803 50 0 -82.7485 2.8615
    50 2.8361 -74.0200 50 0 -82.7485 3.4412
    50 -1.3802 -84.2814 50 0 -82.7485 1.0000
    50 -1.1848 -84.8006 50 0 -82.7485 1.0000
    50 -0.9009 -85.5211 50 0 -82.7485 1.0000
    50 0 0 50 -1 2 2.3669
    50 -1 2 50 0 0 2.3669
    50 2.4900 -0.0010 50 -2.4900 0.0009 7.1792
    50 2.4900 -0.0010 50 -2.4900 0.0010 7.1792
    50 2.4900 -0.0010 50 -2.4900 0.0011 7.2195
    50 2.4900 -0.0010 50 -2.4900 0.0012 7.2195
    50 -0.0010 2.4900 50 0.0009 -2.4900 4.8045
    50 -0.0010 2.4900 50 0.0010 -2.4900 4.8045
    50 -0.0010 2.4900 50 0.0011 -2.4900 4.7461
    50 2.5 0 50 0 -2.5 4.3065
    50 2.5 0 73 25 -18 27.1492
    50 2.5 0 61 -5 29 22.8977
    50 2.5 0 56 -27 -3 31.9030
    50 2.5 0 58 24 15 19.4535
    50 2.5 0 50 3.1736 0.5854 1.0000
    50 2.5 0 50 3.2972 0 1.0000
    50 2.5 0 50 1.8634 0.5757 1.0000
    50 2.5 0 50 3.2592 0.3350 1.0000
    60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
    63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
    61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
    35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
    22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
    36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
    90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
    90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
    6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
    2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
    """.split(separator: "\n")

  @Test(arguments: published)
  func `colour differences match the published test data`(row: Substring) throws {
    let numbers = row.split(separator: " ").compactMap { Double($0) }
    try #require(numbers.count == 7)
    let first = LabColor(lightness: numbers[0], a: numbers[1], b: numbers[2])
    let second = LabColor(lightness: numbers[3], a: numbers[4], b: numbers[5])
    // The published differences have four decimals.
    #expect(abs(first.difference(from: second) - numbers[6]) < 0.000_05)
    #expect(abs(second.difference(from: first) - numbers[6]) < 0.000_05)
  }

  /// Values from ColorAide and scikit-image, which round the white point differently.
  @Test(arguments: [
    ("#0a84ff", "#0060df", 13.408), ("#000000", "#ffffff", 100), ("#ff0000", "#00ff00", 86.608),
    ("#3e63dd", "#3151be", 7.100), ("#e4e4ec", "#d2d2de", 4.434), ("#101010", "#000000", 2.734),
    ("#ffcc00", "#b38f00", 17.998), ("#777777", "#808080", 3.515), ("#0000ff", "#1500ff", 0.359),
  ])
  func `colour differences match those of other implementations`(
    first: String, second: String, difference: Double
  ) throws {
    let colors = try [#require(Color(parsing: first)), #require(Color(parsing: second))]
    #expect(abs(colors[0].difference(from: colors[1]) - difference) < 0.002)
    #expect(colors[0].difference(from: colors[0]) == 0)
  }

  @Test func `the difference between opposite hues is symmetric`() {
    let green = LabColor(lightness: 50, a: -40, b: 2)
    let red = LabColor(lightness: 50, a: 20, b: -1)
    #expect(abs(green.difference(from: red) - red.difference(from: green)) < 1e-9)
  }

  @Test func `greys are neutral in Lab`() {
    for value in UInt8.min...UInt8.max {
      let lab = LabColor(Color(red: value, green: value, blue: value))
      #expect(abs(lab.a) < 1e-9 && abs(lab.b) < 1e-9)
    }
  }

  @Test func `translucent colours are compared after compositing on the page`() {
    let veil = Color(red: 0, green: 0, blue: 0, alpha: 51)
    let grey = Color(red: 204, green: 204, blue: 204)
    #expect(veil.difference(from: grey) == 0)
    #expect(veil.difference(from: .black, on: .black) == 0)
    #expect(veil.difference(from: grey, on: .black) > 50)
  }
}
