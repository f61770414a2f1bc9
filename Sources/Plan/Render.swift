package import Recipes

/// What a render key stands for: an image in the store, and what was found out about it.
package struct Render: Hashable, Sendable {
  package var asset: Asset
  package var findings: Findings

  package init(_ asset: Asset, findings: Findings = Findings()) {
    self.asset = asset
    self.findings = findings
  }
}
