import Diagnostics
import Documents
import Manifest
import Recipes
import TestSupport
import Testing

/// The samples are what people copy from first.
struct SampleButtonTests {
  @Test(arguments: ["content", "Sources/SitegenCLI/Commands/starter"])
  func `the words on every button can be read`(folder: String) throws {
    let manifest = Checkout.root.appendingPathComponent("\(folder)/manifest.yaml")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let document = try Document(reading: Array(text.utf8), syntax: .yaml, file: "manifest.yaml")
    let reader = ManifestReader { (_, _) throws(ManifestReader.Refusal) in
      throw ManifestReader.Refusal("there is no file")
    }
    let result = reader.read(document)
    #expect(result.diagnostics.isEmpty)
    let buttons = try #require(result.manifest).buttons
    #expect(!buttons.isEmpty)
    #expect(text.contains("highlighted: auto"))
    for button in buttons {
      for (name, colors) in button.appearances {
        let title = try #require(colors.title, "\(button.name) \(name)")
        for (state, color) in colors.states where color.isOpaque {
          // What WCAG asks of text of a usual size.
          #expect(title.contrast(with: color) >= 4.5, "\(button.name) \(state)")
        }
      }
    }
  }
}
