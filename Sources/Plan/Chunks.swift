/// A collection cut into slices, so that many small items cost few operations.
package struct Chunks<Base: RandomAccessCollection>: Sequence, IteratorProtocol {
  private let base: Base
  private let size: Int
  private var start: Base.Index

  package init(of base: Base, size: Int) {
    self.base = base
    self.size = size
    start = base.startIndex
  }

  package mutating func next() -> Base.SubSequence? {
    guard start < base.endIndex else { return nil }
    let end = base.index(start, offsetBy: size, limitedBy: base.endIndex) ?? base.endIndex
    defer { start = end }
    return base[start..<end]
  }
}
