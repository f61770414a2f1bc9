extension Color {
  /// This colour painted over another, as one colour.
  package func over(_ backdrop: Color) -> Color {
    let above = Int(alpha) * 255
    let below = Int(backdrop.alpha) * (255 - Int(alpha))
    let total = above + below
    guard total > 0 else { return Color(red: 0, green: 0, blue: 0, alpha: 0) }
    func mix(_ upper: UInt8, _ lower: UInt8) -> UInt8 {
      UInt8((Int(upper) * above + Int(lower) * below + total / 2) / total)
    }
    return Color(
      red: mix(red, backdrop.red), green: mix(green, backdrop.green),
      blue: mix(blue, backdrop.blue), alpha: UInt8((total + 127) / 255))
  }
}
