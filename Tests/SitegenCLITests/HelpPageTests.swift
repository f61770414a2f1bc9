import SitegenCLI
import Testing

struct HelpPageTests {
  static let names = Command.all.map(\.name)

  @Test(arguments: names)
  func `the page of a command names all that it takes`(name: String) throws {
    let command = try Command.named(name)
    let text = HelpPage(command).text
    #expect(text.hasPrefix(command.summary))
    for option in command.options {
      #expect(text.contains("  \(option.letter.map { "-\($0), " } ?? "    ")\(option.usage)"))
      let flat = text.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
      #expect(flat.contains(option.help))
      if let absent = option.absent { #expect(text.contains("[default: \(absent)]")) }
    }
    for operand in command.operands { #expect(text.contains(operand.name)) }
  }

  @Test func `the list names every command and no worker`() {
    let text = HelpPage(Command.all).text
    for command in Command.all {
      #expect(text.contains("  \(command.name)"))
      #expect(text.contains(command.summary))
    }
    #expect(!text.contains("worker"))
  }

  @Test func `lines fit and end where their words end`() {
    for text in [HelpPage(Command.all).text] + Command.all.map({ HelpPage($0).text }) {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        #expect(line.count <= 100)
        #expect(line.last != " ")
      }
      #expect(text.hasSuffix("\n") && !text.hasSuffix("\n\n"))
    }
  }

  @Test(arguments: names)
  func `names and words follow the rules of the house`(name: String) throws {
    let command = try Command.named(name)
    #expect(Set(command.options.map(\.name)).count == command.options.count)
    let letters = command.options.compactMap(\.letter)
    #expect(Set(letters).count == letters.count && !letters.contains("h"))
    for option in command.options {
      #expect(option.name.allSatisfy { $0 == "-" || ("a"..."z").contains($0) })
      #expect(option.help.last != ".")
      #expect(option.help.first?.isLowercase == true)
    }
    #expect(command.summary.last != ".")
  }
}
