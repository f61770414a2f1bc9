import Foundation
import Glibc
import TestSupport

/// A network that there is only for some programs: public addresses, names, and places where
/// nobody should go, all on one machine and without touching it.
struct NamespaceLab {
  enum Failure: Error {
    case said(String)
  }

  struct Plan: Encodable {
    var names: NameServer.Table = [:]
    /// From `name/path` to a whole address.
    var redirects: [String: String] = [:]
    /// In base 64: what is served where it should be, and elsewhere.
    var picture = ""
    var wrongPicture = ""
    /// Run one after the other.
    var programs: [[String]] = []
    /// Copied after each, into a folder with the program's number.
    var kept: [String] = []
    fileprivate(set) var work = ""
  }

  struct Result: Decodable {
    struct Program: Decodable {
      var status: Int
      var said: String
    }

    var programs: [Program]
    /// Connections by address, before the witness came.
    var canaries: [String: Int]
    /// Whether the canaries count those who do connect.
    var areAwake: Bool
    /// `name/path` in the order in which they were asked for, at the public addresses.
    var requests: [String]
    /// As `A name`.
    var questions: [String]
  }

  /// Where pictures may be had: an address of a root server that is nobody's here.
  static let publicAddress = "198.41.0.4"
  static let publicNewAddress = "2001:503:ba3e::2:30"

  /// Whether this machine lets us make networks and mount files.
  static let isPossible: Bool = {
    let probe = """
      ip link set lo up && ip address add 198.41.0.4/32 dev lo \
        && ip -6 address add 2001:503:ba3e::2:30/128 dev lo nodad \
        && mount --bind /etc/hosts /etc/resolv.conf && mount --bind /etc/hosts /etc/nsswitch.conf
      """
    return (try? run(["/bin/sh", "-c", probe]).status) == 0
  }()

  /// Runs a program in a network and with mounts of its own.
  private static func run(_ words: [String]) throws -> (status: Int32, out: Data, errors: Data) {
    let folder = TemporaryFolder()
    for name in ["out", "err"] { try folder.write("", to: name) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    // Whoever is not root is it in a world of his own.
    process.arguments = [geteuid() == 0 ? "-mn" : "-Urmn", "--"] + words
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: folder.path(of: "out"))
    process.standardError = FileHandle(forWritingAtPath: folder.path(of: "err"))
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try folder.read("out"), try folder.read("err"))
  }

  let folder = TemporaryFolder()

  func run(_ plan: Plan) throws -> Result {
    var plan = plan
    plan.work = folder.path
    try folder.write(try JSONEncoder().encode(plan), to: "plan.json")
    let (status, out, errors) = try Self.run([
      "/usr/bin/python3", "-c", NameServer.module + Self.program, folder.path(of: "plan.json"),
    ])
    guard status == 0 else { throw Failure.said(String(decoding: errors, as: UTF8.self)) }
    return try JSONDecoder().decode(Result.self, from: out)
  }

  /// A file that was kept after a program, counted from 0.
  func kept(_ name: String, after program: Int) throws -> Data {
    try folder.read("\(program)/\(name)")
  }
}
