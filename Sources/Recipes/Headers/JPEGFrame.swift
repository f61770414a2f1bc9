/// What a JPEG's SOF segment says, and which channels have had their data.
struct JPEGFrame {
  private struct Channel {
    let id: Int
    let horizontal: Int
    let vertical: Int
    var hasData = false
  }

  let size: PixelSize
  private let isProgressive: Bool
  private var channels: [Channel] = []

  init(
    _ segment: JPEGWalk.Segment, in bytes: borrowing FileBytes, limits: InspectionLimits
  ) throws(Rejection) {
    let start = segment.payload.lowerBound
    let precision = try bytes.byte(at: start)
    let height = try bytes.big(2, at: start + 1)
    let width = try bytes.big(2, at: start + 3)
    let count = try bytes.byte(at: start + 5)
    guard segment.payload.count == 6 + 3 * count else {
      throw .corrupt("the JPEG's description has the wrong length")
    }
    // Height 0 announces a DNL marker after the picture, which nobody writes and few read.
    size = try limits.checked(width: width, height: height)
    isProgressive = segment.marker == 0xC2
    guard precision == 8 else {
      throw .unsupported(variant: "this JPEG has \(precision) bits a channel")
    }
    guard [1, 3, 4].contains(count) else {
      throw .unsupported(variant: "this JPEG has \(count) colour channels")
    }
    for index in 0..<count {
      let id = try bytes.byte(at: start + 6 + 3 * index)
      let factors = try bytes.byte(at: start + 7 + 3 * index)
      let channel = Channel(id: id, horizontal: factors >> 4, vertical: factors & 15)
      guard (1...4).contains(channel.horizontal), (1...4).contains(channel.vertical) else {
        throw .corrupt("the JPEG has an impossible sampling factor")
      }
      channels.append(channel)
    }
  }

  var isComplete: Bool { channels.allSatisfy(\.hasData) }

  /// Notes a scan, and refuses one whose data cannot hold its blocks.
  ///
  /// Huffman codes have at least 1 bit: a block costs a sequential scan two codes and the first
  /// progressive scan one. So a photo whose data was lost is found without decoding it, whatever
  /// marker was put behind.
  mutating func readScan(
    _ segment: JPEGWalk.Segment, data: Range<Int>, in bytes: borrowing FileBytes
  ) throws(Rejection) {
    let start = segment.payload.lowerBound
    let count = try bytes.byte(at: start)
    guard (1...4).contains(count), segment.payload.count == 4 + 2 * count else {
      throw .corrupt("a JPEG scan has the wrong length")
    }
    let spectralStart = try bytes.byte(at: start + 1 + 2 * count)
    let isFirst = !isProgressive || spectralStart == 0

    var scanned: [Channel] = []
    for index in 0..<count {
      let id = try bytes.byte(at: start + 1 + 2 * index)
      let matches = channels.indices.filter { channels[$0].id == id }
      guard let first = matches.first else {
        throw .corrupt("a JPEG scan names a colour channel that does not exist")
      }
      scanned.append(channels[first])
      if isFirst { for match in matches { channels[match].hasData = true } }
    }
    guard isFirst else { return }
    let needed = (blocks(of: scanned) * (isProgressive ? 1 : 2) + 7) / 8
    guard data.count >= needed else {
      throw Rejection(
        .truncated,
        "the JPEG's data breaks off (\(data.count.grouped) of at least \(needed.grouped) bytes)")
    }
  }

  /// How many 8×8 blocks a scan of these channels codes.
  private func blocks(of scanned: [Channel]) -> Int {
    func parts(_ length: Int, _ unit: Int) -> Int { (length + unit - 1) / unit }
    let horizontal = channels.map(\.horizontal).max() ?? 1
    let vertical = channels.map(\.vertical).max() ?? 1
    if scanned.count == 1 {
      let width = parts(size.width * scanned[0].horizontal, horizontal)
      let height = parts(size.height * scanned[0].vertical, vertical)
      return parts(width, 8) * parts(height, 8)
    }
    let units = parts(size.width, 8 * horizontal) * parts(size.height, 8 * vertical)
    return units * scanned.reduce(0) { $0 + $1.horizontal * $1.vertical }
  }
}
