/// Numbers as PNG, ISO files and ICC profiles have them: the most significant byte first.
package enum BigEndian {
  /// Of 32 bits; what does not fit is left out.
  package static func bytes(_ value: some BinaryInteger) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
