import Fetch
import Foundation
import TestSupport

/// A program in the place of a fetcher, which says what a test wants.
enum FakeFetcher {
  /// A fetcher that says these bytes, with so many seconds before each part, and then nothing more.
  static func child(
    saying parts: [[UInt8]], every seconds: Double = 0, in folder: TemporaryFolder,
    _ change: (inout FetchSettings) -> Void = { _ in }
  ) throws -> ChildFetcher {
    var lines = ["#!/bin/sh"]
    for (index, part) in parts.enumerated() {
      try folder.write(part, to: "words-\(index)")
      lines += ["sleep \(seconds)", "cat \(folder.path(of: "words-\(index)"))"]
    }
    let program = try folder.program((lines + ["exec sleep 1000", ""]).joined(separator: "\n"))
    return ChildFetcher(Fetching.settings([], change), program: program, environment: [:])
  }

  // MARK: - Messages

  static func frame(_ json: String, payload: [UInt8] = []) -> [UInt8] {
    [json.utf8.count, payload.count].flatMap { count in
      [0, 8, 16, 24].map { UInt8(count >> $0 & 0xFF) }
    } + Array(json.utf8) + payload
  }

  /// `hosts` is the inside of an object.
  static func failed(
    _ id: Int, _ detail: String = "x", reason: String = "not-found", status: String = "404",
    seconds: String = "1", hosts: String = ""
  ) -> String {
    #"{"failed":{"_0":\#(id),"_1":{"reason":"\#(reason)","detail":"\#(detail)","#
      + #""status":\#(status)},"_2":{"seconds":\#(seconds),"hosts":{\#(hosts)}}}}"#
  }

  static func piece(_ id: Int, _ bytes: [UInt8], isFirst: Bool = true) -> [UInt8] {
    frame(#"{"piece":{"_0":\#(id),"isFirst":\#(isFirst)}}"#, payload: bytes)
  }

  static func fetched(_ id: Int, _ bytes: [UInt8], isFirst: Bool) -> [UInt8] {
    frame(
      #"{"fetched":{"_0":\#(id),"_1":{"values":{}},"_2":{"seconds":1,"hosts":{}},"#
        + #""isFirst":\#(isFirst)}}"#, payload: bytes)
  }
}
