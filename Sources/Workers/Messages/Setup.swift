/// What a worker learns before it starts ImageMagick.
struct Setup {
  var addressSpace: Int
  var requestBytes: Int
  var answerBytes: Int

  init(_ limits: WorkerLimits) {
    addressSpace = limits.addressSpace
    requestBytes = limits.requestBytes
    answerBytes = limits.answerBytes
  }

  init(head: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
    var reader = ByteReader(head)
    addressSpace = Int(clamping: try reader.read(UInt64.self))
    requestBytes = Int(clamping: try reader.read(UInt64.self))
    answerBytes = Int(clamping: try reader.read(UInt64.self))
  }

  var head: [UInt8] {
    var writer = ByteWriter()
    writer.write(UInt64(clamping: addressSpace))
    writer.write(UInt64(clamping: requestBytes))
    writer.write(UInt64(clamping: answerBytes))
    return writer.bytes
  }
}

extension WorkerFingerprint {
  init(head: ArraySlice<UInt8>) throws(ByteReader.Malformed) {
    var reader = ByteReader(head)
    let text = try reader.readText()
    var files: [String] = []
    while !reader.isAtEnd { files.append(try reader.readText()) }
    self.init(text: text, files: files)
  }

  var head: [UInt8] {
    var writer = ByteWriter()
    writer.write(counted: text.utf8)
    for file in files { writer.write(counted: file.utf8) }
    return writer.bytes
  }
}
