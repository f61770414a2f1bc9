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
          #expect(Self.contrast(title, color) >= 4.5, "\(button.name) \(state)")
        }
      }
    }
  }

  /// By WCAG 2: from 1, the same, to 21, black on white.
  private static func contrast(_ first: Color, _ second: Color) -> Double {
    let (darker, lighter) = (
      min(luminance(first), luminance(second)), max(luminance(first), luminance(second))
    )
    return (lighter + 0.05) / (darker + 0.05)
  }

  private static func luminance(_ color: Color) -> Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(color.red) + 0.7152 * linear(color.green)
      + 0.0722 * linear(color.blue)
  }
}
