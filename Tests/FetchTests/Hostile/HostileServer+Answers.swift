import Fetch
import TestSupport

extension HostileServer {
  static let statusLines: [HostileServer] = [
    .sends("HTTP/0.9", picture, .fails(.badAnswer)),
    .sends("a page without a head", "<!DOCTYPE html>\n<p>hello</p>\n", .fails(.badAnswer)),
    .steps("random bytes", .fails(.badAnswer), .bytes((0..<4_096).map(random)), .close),
    .steps("a TLS alert", .fails(.badAnswer), .bytes([0x15, 3, 1, 0, 2, 2, 0x46]), .close),
    .sends("another protocol", "RTSP/1.0 200 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("a greeting of FTP", "220 welcome\r\n", .fails(.badAnswer)),
    .sends("HTTP/3.0", "HTTP/3.0 200 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("HTTP/11.1", "HTTP/11.1 200 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("no status", "HTTP/1.1\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("status abc", "HTTP/1.1 abc OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("status 1000", "HTTP/1.1 1000 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("status 2000", "HTTP/1.1 2000 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("status 99", "HTTP/1.1 99 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("status 000", "HTTP/1.1 000 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("status -200", "HTTP/1.1 -200 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("status 600", "HTTP/1.1 600 OK\r\n\r\n" + picture, .fails(.badAnswer)),
    .sends("HTTP/1.0", "HTTP/1.0 200 OK\r\n\r\n" + picture, .picture),
    .sends("no phrase", "HTTP/1.1 200\r\nConnection: close\r\n\r\n" + picture, .picture),
    .sends("lines that end with LF", "HTTP/1.1 200 OK\nX: y\n\n" + picture, .picture),
    .sends(
      "hints and then the answer",
      "HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 \r\n\r\n"
        + "HTTP/1.1 200 OK\r\nContent-Length: \(picture.utf8.count)\r\n\r\n" + picture, .picture),
    .steps(
      "hints without end", .fails(.badAnswer),
      .forever(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 100))),
    .steps(
      "hints with headers without end", .fails(.badAnswer),
      .forever(String(repeating: "HTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\n", count: 100))),
    .sends(
      "another protocol from now on",
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n",
      .fails(.badAnswer)),
  ]

  static let heads: [HostileServer] = [
    .steps(
      "10,000 header lines", .fails(.badAnswer),
      .send("HTTP/1.1 200 OK\r\n"), .send(String(repeating: "X-Line: yes\r\n", count: 10_000)),
      .send("\r\n" + picture), .close),
    .steps(
      "a header line of 2 MB", .fails(.badAnswer),
      .send("HTTP/1.1 200 OK\r\nETag: \"" + String(repeating: "a", count: 2 << 20)),
      .send("\"\r\n\r\n" + picture), .close),
    .steps(
      "header lines without end", .fails(.badAnswer),
      .send("HTTP/1.1 200 OK\r\n"), .forever(String(repeating: "X-Line: yes\r\n", count: 1_000))),
    .steps(
      "a header line without end", .fails(.badAnswer),
      .send("HTTP/1.1 200 OK\r\nX: "), .forever(String(repeating: "a", count: 10_000))),
    .steps(
      "a status line without end", .fails(.badAnswer),
      .send("HTTP/1.1 200 "), .forever(String(repeating: "a", count: 10_000))),
    .steps(
      "a zero byte in a header", .fails(.badAnswer),
      .send("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n" + picture), .close),
    .headers("ETag: \"a\rX-Injected: yes\"", .pictureOr([.badAnswer])),
    .headers("Content-Type: text/html", .picture),
    .headers("Content-Encoding: gzip", .fails(.encodedBody)),
    .headers("Content-Encoding: GZIP", .fails(.encodedBody)),
    .headers("Content-Encoding: x-gzip", .fails(.encodedBody)),
    .headers("Content-Encoding: deflate", .fails(.encodedBody)),
    .headers("Content-Encoding: br", .fails(.encodedBody)),
    .headers("Content-Encoding: zstd", .fails(.encodedBody)),
    .headers("Content-Encoding: gzip, gzip", .fails(.encodedBody)),
    .headers("Content-Encoding: identity\nContent-Encoding: gzip", .fails(.encodedBody)),
    .headers("Content-Encoding: rot13", .fails(.encodedBody)),
    .headers("Content-Encoding: identity", .picture),
    .headers("content-encoding:   Identity  ", .picture),
    .headers("Transfer-Encoding: gzip", .fails(.encodedBody)),
    .headers("Transfer-Encoding: gzip, chunked", .fails(.encodedBody)),
    .headers("Transfer-Encoding: rot13", .fails(.encodedBody)),
  ]

  static let lengths: [HostileServer] = [
    .headers("Content-Length: -1", .fails(.badAnswer)),
    .headers("Content-Length: many", .fails(.badAnswer)),
    .headers("Content-Length: 0x10", .fails(.badAnswer)),
    .headers("Content-Length: 4\nContent-Length: 16", .fails(.badAnswer)),
    .headers("Content-Length: 16\nContent-Length: 4", .fails(.badAnswer)),
    .headers("Content-Length: 16, 4", .fails(.badAnswer)),
    .headers("Content-Length: 99999999999999999999999", .fails(.badAnswer)),
    .headers("Content-Length: 9223372036854775807", .fails(.tooManyBytes)),
    .headers("Content-Length: 16", .picture),
    .sends(
      "more than was reported",
      "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\n" + picture + " and more",
      .picture),
    .headers("Content-Length: 17", .fails(.connectionCut), requests: 3...3),
    .steps(
      "a length that is too large, and nothing", .fails(.tooManyBytes),
      .head("HTTP/1.1 200 OK\nContent-Length: 1099511627776\n"), .hold),
    .steps(
      "a length that is too large, and much", .fails(.tooManyBytes),
      .head("HTTP/1.1 200 OK\nContent-Length: 1099511627776\n"), .forever(rubbish)),
    .steps(
      "no length, and no end", .fails(.tooManyBytes),
      .head("HTTP/1.1 200 OK\n"), .forever(rubbish)),
    .steps(
      "HTTP/1.0 without end", .fails(.tooManyBytes),
      .head("HTTP/1.0 200 OK\n"), .forever(rubbish)),
    .steps(
      "chunks without end", .fails(.tooManyBytes), .head(chunked),
      .forever("2710\r\n\(rubbish)\r\n")),
    .steps("nothing, and it says so", .fails(.empty), .answer()),
    .sends("nothing, and it does not say so", "HTTP/1.1 200 OK\r\n\r\n", .fails(.empty)),
    .steps("nothing in chunks", .fails(.empty), .head(chunked), .send("0\r\n\r\n")),
  ]

  static let chunks: [HostileServer] = [
    .steps(
      "chunks", .picture, .head(chunked),
      .send("6\r\nall of\r\na\r\n a picture\r\n0\r\n\r\n")),
    .steps(
      "chunks, and a length that does not matter", .picture,
      .head(chunked + "Content-Length: 4\n"), .send("10\r\n\(picture)\r\n0\r\n\r\n")),
    .steps(
      "chunks with something behind", .picture, .head(chunked),
      .send("10;a=b\r\n\(picture)\r\n0\r\nX-Trailer: yes\r\n\r\n")),
    .steps(
      "chunks of a byte", .picture, .head(chunked),
      .send(picture.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n")),
    .broken("no hexadecimal length", "zz\r\n\(picture)\r\n0\r\n\r\n"),
    .broken("a length below zero", "-10\r\n\(picture)\r\n0\r\n\r\n"),
    .broken("no length", "\r\n\(picture)\r\n0\r\n\r\n"),
    .broken("a length of 2^63", "8000000000000000\r\n\(picture)\r\n0\r\n\r\n"),
    .broken("a length of 2^64", "10000000000000000\r\n\(picture)\r\n0\r\n\r\n"),
    .broken("a length of 40 digits", String(repeating: "0", count: 39) + "g\r\n\(picture)\r\n"),
    .broken("more than its length", "4\r\n\(picture)\r\n0\r\n\r\n"),
    .steps(
      "a chunk with less than its length", .fails(.connectionCut), requests: 3...3, .head(chunked),
      .send("20\r\n\(picture)\r\n0\r\n\r\n"), .close),
    .steps(
      "chunks without a last one", .fails(.connectionCut), requests: 3...3, .head(chunked),
      .send("10\r\n\(picture)\r\n"), .close),
    .steps(
      "a chunk that is cut", .fails(.connectionCut), requests: 3...3, .head(chunked),
      .send("10\r\nall"), .close),
    .steps(
      "trailers without end", .fails(.badAnswer),
      .head(chunked), .send("10\r\n\(picture)\r\n0\r\n"),
      .forever(String(repeating: "X-Trailer: yes\r\n", count: 1_000))),
  ]

  private static func broken(_ name: String, _ body: String) -> HostileServer {
    .steps("a chunk with \(name)", .fails(.badAnswer), .head(chunked), .send(body), .close)
  }

  private static let chunked = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n"
  private static let rubbish = String(repeating: "rubbish...", count: 1_000)

  private static func random(_ index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (index &* 2_654_435_761) >> 13)
  }
}
