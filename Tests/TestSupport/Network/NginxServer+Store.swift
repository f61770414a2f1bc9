import Foundation
import Testing

extension NginxServer {
  /// A shared store as docs/distributed.md tells how to make one, but with this folder and this token.
  package convenience init(
    storingIn folder: String, token: String, secureBy pair: TestCertificates.Pair? = nil
  ) throws {
    let page = Checkout.root.appending(path: "docs/distributed.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let block = text.components(separatedBy: "```nginx\n").dropFirst().first?
      .components(separatedBy: "```").first
    let lines = try #require(block).replacing("/srv/sitegen-store", with: folder)
      .replacing("REPLACE-ME", with: token)
    try self.init(serving: folder, secureBy: pair, more: lines)
  }
}
