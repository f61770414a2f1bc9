import Foundation
import FoundationXML

/// The elements of a well-formed XML file, in their order.
final class XMLElements: NSObject, XMLParserDelegate {
  struct Element: Hashable {
    var name: String
    /// With their prefixes.
    var attributes: [String: String]
    var text = ""
  }

  struct NotWellFormed: Error {}

  private(set) var all: [Element] = []

  init(_ bytes: Data) throws {
    super.init()
    let parser = XMLParser(data: bytes)
    parser.delegate = self
    guard parser.parse() else { throw NotWellFormed() }
  }

  func named(_ name: String) -> [Element] { all.filter { $0.name == name } }

  func parser(
    _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?,
    qualifiedName qName: String?, attributes attributeDict: [String: String]
  ) {
    all.append(Element(name: elementName, attributes: attributeDict))
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) {
    if !all.isEmpty { all[all.count - 1].text += string }
  }
}
