import Bytes
import Recipes
import TestSupport
import Workers

struct MessageTests {
  private static let recipes = [
    Samples.recipe(side: 64, .png), Samples.recipe(side: 8, .webp), Samples.recipe(side: 1, .png),
    finding,
  ]

  /// A recipe that requests all metadata.
  private static let finding: Recipe = {
    var recipe = Samples.recipe(side: 1, .png)
    recipe.margins = Margins(top: 0, right: 1, bottom: 1, left: 0)
    recipe.frame.finder = .smart
    recipe.encoding.quality = 80
    recipe.encoding.limit = 9
    return recipe
  }()

  private static let metadata = RenderMetadata(
    placeholder: Placeholder(
      thumbHash: [1, 2, 3, 4, 5, 255], color: Color(red: 7, green: 8, blue: 9)),
    focus: FoundFocus(focus: Focus(x: 0.25, y: 1), method: .given), quality: 42,
    traits: PictureTraits(rows: 1, columns: 2, mean: Color(red: 3, green: 4, blue: 5)))

  private static let outcomes: [Result<RenderedImage, Rejection>] = [
    .success(RenderedImage(bytes: Samples.blankPNG(side: 64))),
    .failure(Rejection(.truncated, "the file ends at byte 7 – früh")),
    .success(RenderedImage(bytes: Samples.blankPNG(side: 1))),
    .success(RenderedImage(bytes: Samples.blankPNG(side: 2), metadata: metadata)),
  ]

  private static let wire: [UInt8] = {
    let answer = AnswerMessage(outcomes, limit: 1 << 20)
    let payload = Array(answer.images.joined())
    let header = MessageHeader(.answer, headCount: answer.head.count, payloadCount: payload.count)
    return header.bytes + answer.head + payload
  }()

  private func read(_ bytes: [UInt8], pieces: Int) throws -> [Result<RenderedImage, Rejection>]? {
    var message = IncomingMessage(limit: 4_096)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      var piece = bytes[start..<min(start + pieces, bytes.count)]
      try message.take(&piece)
      guard piece.isEmpty else { throw ByteReader.Malformed() }
    }
    guard message.isWhole, message.header?.kind == .answer else { return nil }
    return try AnswerMessage.outcomes(
      head: message.head, payload: message.payload, recipes: Self.recipes)
  }

  @Test(arguments: [1, 7, 19, 20, 21, 4_096])
  func `a response may arrive in chunks of any size`(pieces: Int) throws {
    #expect(try read(Self.wire, pieces: pieces) == Self.outcomes)
  }

  @Test func `a response truncated at any byte is incomplete`() throws {
    for count in 0..<Self.wire.count {
      #expect(try read(Array(Self.wire.prefix(count)), pieces: 64) == nil)
    }
  }

  @Test func `a response with an extra byte is rejected`() {
    #expect(throws: ByteReader.Malformed.self) { try read(Self.wire + [0], pieces: 4_096) }
  }

  @Test func `flipping any bit changes or invalidates a response`() {
    var kept = 0
    for index in Self.wire.indices {
      for bit in 0..<8 {
        var bytes = Self.wire
        bytes[index] ^= 1 << UInt8(bit)
        if let outcomes = try? read(bytes, pieces: 4_096), outcomes == Self.outcomes { kept += 1 }
      }
    }
    #expect(kept == 0)
  }

  @Test func `random bytes after a valid header are rejected`() {
    var random = SeededRandom(seed: 46)
    for round in 0..<5_000 {
      let (head, payload) = (
        Int.random(in: 0..<90, using: &random), Int.random(in: 0..<90, using: &random)
      )
      // Half of the rounds use small bytes, which are likely to be tags and lengths.
      let most: UInt8 = round % 2 == 0 ? 3 : 255
      let body = (0..<head + payload).map { _ in UInt8.random(in: 0...most, using: &random) }
      let header = MessageHeader(.answer, headCount: head, payloadCount: payload)
      #expect(throws: ByteReader.Malformed.self, "round \(round)") {
        try read(header.bytes + body, pieces: 64)
      }
    }
  }

  @Test func `an invalid or unexpected image is rejected`() {
    let png = Samples.blankPNG(side: 64)
    let html = Data("<!doctype html><script>alert(1)</script>".utf8)
    let lies = [
      (Samples.recipe(side: 64, .png), html), (Samples.recipe(side: 64, .png), png.dropLast()),
      (Samples.recipe(side: 63, .png), png), (Samples.recipe(side: 64, .webp), png),
      (Samples.recipe(side: 64, .jpeg), png),
    ]
    for (recipe, bytes) in lies {
      let answer = AnswerMessage([.success(RenderedImage(bytes: bytes))], limit: 1 << 20)
      #expect(throws: ByteReader.Malformed.self) {
        try AnswerMessage.outcomes(
          head: answer.head[...], payload: [UInt8](bytes)[...], recipes: [recipe])
      }
    }
  }

  @Test func `invalid or unrequested metadata is rejected`() throws {
    func isRead(_ metadata: RenderMetadata, _ change: (inout Recipe) -> Void = { _ in }) -> Bool {
      let image = RenderedImage(bytes: Samples.blankPNG(side: 2), metadata: metadata)
      var recipe = Self.finding
      change(&recipe)
      let answer = AnswerMessage([.success(image)], limit: 1 << 20)
      let outcomes = try? AnswerMessage.outcomes(
        head: answer.head[...], payload: [UInt8](image.bytes)[...], recipes: [recipe])
      return outcomes == [.success(image)]
    }
    func hash(_ count: Int) -> RenderMetadata {
      let hash = [UInt8](repeating: 1, count: count)
      return RenderMetadata(placeholder: Placeholder(thumbHash: hash, color: .white))
    }
    func focus(_ x: Double, _ y: Double) -> RenderMetadata {
      RenderMetadata(focus: FoundFocus(focus: Focus(x: x, y: y), method: .face))
    }
    #expect(
      isRead(RenderMetadata()) && isRead(Self.metadata) && isRead(hash(5)) && isRead(hash(25)))
    #expect(!isRead(hash(4)) && !isRead(hash(26)) && !isRead(hash(100_000)))
    #expect(isRead(focus(0, 1)))
    for value in [-0.1, 1.0001, .nan, .infinity] {
      #expect(!isRead(focus(value, 0)) && !isRead(focus(0, value)))
    }
    #expect(isRead(RenderMetadata(quality: 1)) && isRead(RenderMetadata(quality: 100)))
    #expect(!isRead(RenderMetadata(quality: 0)) && !isRead(RenderMetadata(quality: 101)))
    // The recipes do not request these metadata.
    #expect(!isRead(focus(0, 1)) { $0.frame.finder = nil })
    #expect(!isRead(RenderMetadata(quality: 5)) { $0.encoding.limit = nil })
    #expect(!isRead(hash(5)) { $0.frame.base = PixelSize(width: 3, height: 3) })
  }

  @Test func `a worker may return only certain rejection reasons`() throws {
    func read(_ reason: String, _ detail: [UInt8]) throws -> [Result<RenderedImage, Rejection>] {
      func counted(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(bytes.count & 255), UInt8(bytes.count >> 8), 0, 0] + bytes
      }
      let head = [1] + counted(Array(reason.utf8)) + counted(detail)
      return try AnswerMessage.outcomes(
        head: head[...], payload: [], recipes: [Samples.recipe(side: 8, .png)])
    }
    let good = try read("decode-failed", Array("no zlib – früh".utf8))
    #expect(good == [.failure(Rejection(.decodeFailed, "no zlib – früh"))])
    let long = [UInt8](repeating: 0x61, count: 4_096)
    #expect(throws: Never.self) { try read("corrupt", long) }
    for (reason, detail) in [
      ("fetched", []), ("", []), ("too-many-bytes", []), ("corrupt", long + [0x61]),
      ("corrupt", [0x0A]), ("corrupt", Array("\u{1B}[2J".utf8)), ("corrupt", [0xC2, 0x85]),
      ("corrupt", [0xFF]), ("corrupt", Array("\u{2028}".utf8)),
    ] {
      #expect(throws: ByteReader.Malformed.self, "\(reason) \(detail.count)") {
        try read(reason, detail)
      }
    }
  }

  @Test func `control characters are removed from decoder messages`() throws {
    let answer = AnswerMessage(
      [.failure(Rejection(.corrupt, "chunk\u{1B}[31m\nend"))], limit: 1 << 20)
    let outcomes = try AnswerMessage.outcomes(
      head: answer.head[...], payload: [], recipes: [Samples.recipe(side: 8, .png)])
    #expect(outcomes == [.failure(Rejection(.corrupt, "chunk [31m end"))])
  }

  @Test func `a message over the size limit is rejected as soon as its header is read`() {
    let header = MessageHeader(.answer, headCount: 1_000, payloadCount: 3_097)
    #expect(throws: ByteReader.Malformed.self) { try MessageHeader(header.bytes, limit: 4_096) }
    let largest = MessageHeader(.answer, headCount: .max, payloadCount: .max)
    #expect(throws: ByteReader.Malformed.self) { try MessageHeader(largest.bytes, limit: .max) }
  }

  @Test func `a response with the wrong number of images is rejected`() throws {
    let answer = AnswerMessage(Self.outcomes, limit: 1 << 20)
    let payload = Array(answer.images.joined())
    for recipes in [[], Array(Self.recipes.prefix(2)), Self.recipes + Self.recipes.suffix(1)] {
      #expect(throws: ByteReader.Malformed.self) {
        try AnswerMessage.outcomes(head: answer.head[...], payload: payload[...], recipes: recipes)
      }
    }
  }
}
