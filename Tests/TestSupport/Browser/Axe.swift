/// axe-core, which `script/bootstrap test` installs.
package enum Axe {
  /// The text of the script, or nil if it is not installed.
  package static var script: String? {
    let libraries = root.appending(path: ".test-tools/lib")
    let versions = try? FileManager.default.contentsOfDirectory(atPath: libraries.path)
    return versions?.lazy.compactMap { version in
      try? String(
        contentsOf: libraries.appending(
          path: "\(version)/site-packages/axe_playwright_python/axe.min.js"), encoding: .utf8)
    }.first
  }

  private static let root = Checkout.root
}

extension BrowserPage {
  /// Returns the violations that axe-core finds in the current page.
  ///
  /// Dark pages differ only in their colours, so only their contrast is checked.
  package func violations(_ axe: String, isDark: Bool = false) throws -> [String] {
    try run(axe)
    let rules = isDark ? ", runOnly: [\"color-contrast\"]" : ""
    return try value(
      of: """
        axe.run(document, { resultTypes: ["violations"]\(rules) }).then(({ violations }) =>
          violations.flatMap(({ id, nodes }) => nodes.map(({ target, any }) =>
            `${id} ${target} ${any.map(({ message }) => message).join()}`)))
        """)
  }
}
