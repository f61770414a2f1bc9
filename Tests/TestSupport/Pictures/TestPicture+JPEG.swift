extension TestPicture {
  package enum JPEGColors: Sendable, CaseIterable {
    case gray
    case color
    /// CMYK, inverted with an Adobe marker, as Photoshop writes it.
    case cmyk
    /// The inverted CMYK colours as luma, two chroma channels and black.
    case ycck

    var channels: Int {
      switch self {
      case .gray: 1
      case .color: 3
      case .cmyk, .ycck: 4
      }
    }
  }

  /// Returns a JPEG with fixed Huffman tables, baseline or progressive by spectral selection.
  ///
  /// An EXIF segment with the orientation follows SOI. Restart markers require baseline. `extra`
  /// contains whole segments.
  package static func jpeg(
    width: Int, height: Int, colors: JPEGColors = .color, orientation: Int? = nil,
    quality: Int = 90, isProgressive: Bool = false, restartInterval: Int? = nil,
    extra: [[UInt8]] = [], pixel: Paint
  ) -> Data {
    var file: [UInt8] = [0xFF, 0xD8]
    if colors == .cmyk || colors == .ycck {
      file += segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, colors == .ycck ? 2 : 0])
    } else if orientation == nil {
      file += segment(0xE0, Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
    }
    if let orientation { file += exifSegment(orientation: orientation) }
    file += extra.joined()

    let coding = JPEGCoding(quality: quality)
    file += segment(0xDB, [0] + coding.quantizers.map { UInt8($0) })
    file += frameSegment(
      width: width, height: height, channels: colors.channels, marker: isProgressive ? 0xC2 : 0xC0)
    file += segment(0xC4, [0x00] + JPEGCoding.averageTable)
    file += segment(0xC4, [0x10] + JPEGCoding.detailTable)
    if let restartInterval { file += segment(0xDD, .big(restartInterval, width: 2)) }

    let planes = planes(width: width, height: height, colors: colors, pixel: pixel)
    let blocks = planes.map { coding.blocks(of: $0, width: width, height: height) }
    let ids = (1...colors.channels).map { UInt8($0) }
    if isProgressive {
      file += scanSegment(channels: ids, from: 0, through: 0)
      file += coding.scan(blocks, parts: 0...0, restartInterval: nil)
      for (id, plane) in zip(ids, blocks) {
        file += scanSegment(channels: [id], from: 1, through: 63)
        file += coding.scan([plane], parts: 1...63, restartInterval: nil)
      }
    } else {
      file += scanSegment(channels: ids, from: 0, through: 63)
      file += coding.scan(blocks, parts: 0...63, restartInterval: restartInterval)
    }
    return Data(file + [0xFF, 0xD9])
  }

  package static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0xFF, marker] + .big(payload.count + 2, width: 2) + payload
  }

  package static func exifSegment(orientation: Int, isLittle: Bool = false) -> [UInt8] {
    segment(0xE1, Array("Exif\0\0".utf8) + exif(orientation: orientation, isLittle: isLittle))
  }

  /// Returns a frame header without subsampling; channels are numbered from 1.
  package static func frameSegment(
    width: Int, height: Int, channels: Int, marker: UInt8 = 0xC0, precision: UInt8 = 8
  ) -> [UInt8] {
    var payload: [UInt8] = [precision] + .big(height, width: 2)
    payload += .big(width, width: 2) + [UInt8(channels)]
    for channel in 1...channels { payload += [UInt8(channel), 0x11, 0] }
    return segment(marker, payload)
  }

  /// Returns a scan header with the first tables for all channels.
  package static func scanSegment(
    channels: [UInt8], from: UInt8 = 0, through: UInt8 = 63
  ) -> [UInt8] {
    var payload = [UInt8(channels.count)]
    for channel in channels { payload += [channel, 0] }
    return segment(0xDA, payload + [from, through, 0])
  }

  private static func planes(
    width: Int, height: Int, colors: JPEGColors, pixel: Paint
  ) -> [[Double]] {
    var planes = [[Double]](repeating: [], count: colors.channels)
    for y in 0..<height {
      for x in 0..<width {
        let color = pixel(x, y)
        let (red, green, blue) = (Double(color.red), Double(color.green), Double(color.blue))
        switch colors {
        case .gray:
          planes[0].append(Double(color.luma))
        case .color:
          planes[0].append(0.299 * red + 0.587 * green + 0.114 * blue)
          planes[1].append(-0.168736 * red - 0.331264 * green + 0.5 * blue + 128)
          planes[2].append(0.5 * red - 0.418688 * green - 0.081312 * blue + 128)
        case .cmyk:
          for (plane, value) in [red, green, blue, 255].enumerated() {
            planes[plane].append(value)
          }
        case .ycck:
          // Computed from inverted inks, because a decoder subtracts these three values from 255.
          let (cyan, magenta, yellow) = (255 - red, 255 - green, 255 - blue)
          planes[0].append(0.299 * cyan + 0.587 * magenta + 0.114 * yellow)
          planes[1].append(-0.168736 * cyan - 0.331264 * magenta + 0.5 * yellow + 128)
          planes[2].append(0.5 * cyan - 0.418688 * magenta - 0.081312 * yellow + 128)
          planes[3].append(255)
        }
      }
    }
    return planes
  }
}
