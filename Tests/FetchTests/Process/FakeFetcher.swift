import Fetch
import TestSupport
import Workers

enum FakeFetcher {
  /// Returns a fetcher that gets ready, sends parts with a pause before each, then falls silent.
  static func child(
    saying parts: [[UInt8]], every seconds: Double = 0, in folder: TemporaryFolder,
    _ change: (inout FetchSettings) -> Void = { _ in }
  ) throws -> ChildFetcher {
    try folder.write(message(.hello, [0]), to: "hello")
    // Reads the whole setup, then waits for the first request.
    var lines = [
      "#!/bin/sh", "head -c $(head -c 20 | od -An -tu4 -j8 -N4) >/dev/null",
      "cat \(folder.path(of: "hello"))", "head -c 20 >/dev/null",
    ]
    for (index, part) in parts.enumerated() {
      try folder.write(part, to: "words-\(index)")
      lines += ["sleep \(seconds)", "cat \(folder.path(of: "words-\(index)"))"]
    }
    let program = try folder.program((lines + ["exec sleep 1000", ""]).joined(separator: "\n"))
    return ChildFetcher(Fetching.settings([], change), program: program, environment: [:])
  }

  private static func message(
    _ kind: MessageHeader.Kind, _ head: [UInt8], payload: [UInt8] = []
  ) -> [UInt8] {
    MessageHeader(kind, headCount: head.count, payloadCount: payload.count).bytes + head + payload
  }

  static func answer(
    _ id: Int, _ json: String, payload: [UInt8] = [], isFirst: Bool = true
  ) -> [UInt8] {
    let head = NetworkMessage.head(id, isFirst: isFirst) + Array(json.utf8)
    return message(.answer, head, payload: payload)
  }

  /// `hosts` is the content of a JSON object.
  static func failed(
    _ detail: String = "x", reason: String = "not-found", status: String = "404",
    seconds: String = "1", hosts: String = ""
  ) -> String {
    #"{"outcome":{"failed":{"_0":{"reason":"\#(reason)","detail":"\#(detail)","#
      + #""status":\#(status)}}},"cost":{"seconds":\#(seconds),"hosts":{\#(hosts)}}}"#
  }

  static func piece(_ id: Int, _ bytes: [UInt8]) -> [UInt8] {
    message(.piece, NetworkMessage.head(id, isFirst: true), payload: bytes)
  }

  static func fetched(_ id: Int, _ bytes: [UInt8], isFirst: Bool) -> [UInt8] {
    answer(
      id, #"{"outcome":{"fetched":{"_0":{"values":{}}}},"cost":{"seconds":1,"hosts":{}}}"#,
      payload: bytes, isFirst: isFirst)
  }
}
