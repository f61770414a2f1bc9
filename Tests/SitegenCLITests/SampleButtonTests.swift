import Diagnostics
import Documents
import Manifest
import Recipes
import TestSupport

struct SampleButtonTests {
  @Test(arguments: ["content", "Sources/SitegenCLI/Commands/starter"])
  func `the text on every button is readable`(folder: String) throws {
    let manifest = Checkout.root.appendingPathComponent("\(folder)/manifest.yaml")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    let document = try Document(reading: Array(text.utf8), syntax: .yaml, file: "manifest.yaml")
    let result = ManifestReader(NoFiles()).read(document)
    #expect(result.diagnostics.isEmpty)
    let buttons = try #require(result.manifest).buttons
    #expect(!buttons.isEmpty)
    #expect(text.contains("highlighted: auto"))
    for button in buttons {
      for (name, colors) in button.appearances {
        let title = try #require(colors.title, "\(button.name) \(name)")
        for (state, color) in colors.states where color.isOpaque {
          // The WCAG minimum for normal text.
          #expect(title.contrast(with: color) >= 4.5, "\(button.name) \(state)")
        }
      }
    }
  }
}

private struct NoFiles: ListFiles {
  func fetch(
    _ list: ListAddress, _ network: NetworkSettings
  ) throws(ManifestReader.Refusal) -> ManifestReader.FetchedList { throw .notFound }

  func names(
    in folder: String, allowOutside: Bool
  ) throws(ManifestReader.Refusal) -> [String] { throw .notFound }

  func open(
    _ path: String, allowOutside: Bool
  ) throws(ManifestReader.Refusal) -> [UInt8] { throw .notFound }

  func peek(_ path: String, allowOutside: Bool) -> [UInt8] { [] }
}
