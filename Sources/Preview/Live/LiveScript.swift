import Foundation

enum LiveScript {
  static let path = "/-/live.js"
  static let events = "/-/events"

  static let bytes: [UInt8] = {
    let parts: [[UInt8]] = [
      PackageResources.state_js,
      PackageResources.pictures_js,
      PackageResources.files_js,
      // The style sheet does not contain backticks, backslashes or `${`.
      Array("const boardStyle = `".utf8) + PackageResources.board_css + Array("`;\n".utf8),
      PackageResources.board_js,
      PackageResources.channel_js,
    ]
    let opening =
      """
      /* Keeps an open page in sync with its folder. The server inserts this script into the pages
         that it serves, not into the files. Pictures are replaced once the new ones are decoded,
         and style sheets once the new ones have loaded. After any other change, the page is
         reloaded, at most once per revision. */

      "use strict";

      (() => {

      """
    return Array(opening.utf8) + parts.joined(separator: Array("\n".utf8)) + Array("})();\n".utf8)
  }()

  /// Inserts the script before the last `</body>`, or else at the end of the page.
  static func injected(into page: [UInt8], revision: Int) -> [UInt8] {
    let element = Array("<script src=\"\(path)\" data-revision=\"\(revision)\"></script>".utf8)
    let end = Data(page).range(of: Data("</body>".utf8), options: .backwards)
    let position = end?.lowerBound ?? page.count
    return page[..<position] + element + page[position...]
  }
}
