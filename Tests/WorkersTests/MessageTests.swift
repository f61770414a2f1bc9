import Foundation
import Imaging
import Testing
import Workers

struct MessageTests {
  private static let outcomes: [RenderOutcome] = [
    .image(RenderedImage(bytes: Data([1, 2, 3]), size: PixelSize(width: 64, height: 32))),
    .rejected(Rejection(.truncated, "the file ends at byte 7 – früh")),
    .image(RenderedImage(bytes: Data([4]), size: PixelSize(width: 1, height: 1))),
  ]

  /// An answer as it would travel.
  private static let wire: [UInt8] = {
    let answer = AnswerMessage(outcomes, limit: 1 << 20)
    let header = MessageHeader(.answer, headCount: answer.head.count, payloadCount: 4)
    return header.bytes + answer.head + answer.images.joined()
  }()

  /// Reads bytes in pieces, as the build does.
  private func read(_ bytes: [UInt8], pieces: Int) throws -> [RenderOutcome]? {
    var message = IncomingMessage(limit: 4_096)
    for start in stride(from: 0, to: bytes.count, by: pieces) {
      try message.append(bytes[start..<min(start + pieces, bytes.count)])
    }
    guard message.isWhole, message.header?.kind == .answer else { return nil }
    return try AnswerMessage.outcomes(
      head: message.head, payload: message.payload, count: Self.outcomes.count)
  }

  @Test(arguments: [1, 7, 19, 20, 21, 4_096])
  func `an answer survives its journey in pieces of any size`(pieces: Int) throws {
    #expect(try read(Self.wire, pieces: pieces) == Self.outcomes)
  }

  @Test func `an answer that is cut anywhere is not whole`() throws {
    for count in 0..<Self.wire.count {
      #expect(try read(Array(Self.wire.prefix(count)), pieces: 64) == nil)
    }
  }

  @Test func `an answer with a byte too many is malformed`() {
    #expect(throws: ByteReader.Malformed.self) { try read(Self.wire + [0], pieces: 4_096) }
  }

  @Test func `no changed byte is more than malformed or another answer`() {
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

  @Test func `random bytes are never an answer`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let bytes = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(throws: ByteReader.Malformed.self) { try read(bytes, pieces: 200) }
    }
  }

  @Test func `a body above the limit is refused by its header`() {
    let header = MessageHeader(.answer, headCount: 1_000, payloadCount: 3_097)
    #expect(throws: ByteReader.Malformed.self) { try MessageHeader(header.bytes, limit: 4_096) }
    let largest = MessageHeader(.answer, headCount: .max, payloadCount: .max)
    #expect(throws: ByteReader.Malformed.self) { try MessageHeader(largest.bytes, limit: .max) }
  }

  @Test func `an answer to another number of recipes is malformed`() throws {
    let answer = AnswerMessage(Self.outcomes, limit: 1 << 20)
    let payload = Array(answer.images.joined())
    for count in [0, 2, 4] {
      #expect(throws: ByteReader.Malformed.self) {
        try AnswerMessage.outcomes(head: answer.head[...], payload: payload[...], count: count)
      }
    }
  }
}
