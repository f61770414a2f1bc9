/// The keys of a batch in one piece of memory, and the order in which to work them off.
///
/// In the order of their bytes neighbours lie side by side in the file, which makes a large batch
/// several times faster. Equal keys stay in the order in which they came.
struct KeyBatch {
  private var bytes: [UInt8] = []
  /// Where each key starts, and where the last one ends.
  private var starts: [Int] = [0]
  /// Indices of the keys.
  private(set) var order: [Int] = []

  init(_ keys: some Sequence<some IndexKey>) {
    for key in keys {
      key.withBytes { key in
        unsafe key.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
      }
      starts.append(bytes.count)
    }
    order = sorted()
  }

  /// Calls `body` with the bytes of one key, which are valid only during the call.
  func withKey<Result>(
    _ index: Int, _ body: (RawSpan) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    try body(unsafe bytes.span.bytes.extracting(starts[index]..<starts[index + 1]))
  }

  /// Most keys differ in their first eight bytes, and comparing one number is fast.
  private func sorted() -> [Int] {
    let all = unsafe bytes.span.bytes
    var heads: [(head: UInt64, index: Int)] = []
    heads.reserveCapacity(starts.count - 1)
    for index in 0..<starts.count - 1 {
      let (start, end) = (starts[index], starts[index + 1])
      var head: UInt64 = 0
      for offset in start..<min(start + 8, end) {
        // Inside the key.
        head |=
          UInt64(unsafe all.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
          << UInt64(56 - (offset - start) * 8)
      }
      heads.append((head, index))
    }
    heads.sort { left, right in
      if left.head != right.head { return left.head < right.head }
      let (one, two) = (key(left.index), key(right.index))
      if one.elementsEqual(two) { return left.index < right.index }
      return one.lexicographicallyPrecedes(two)
    }
    return heads.map(\.index)
  }

  private func key(_ index: Int) -> ArraySlice<UInt8> {
    bytes[starts[index]..<starts[index + 1]]
  }
}
