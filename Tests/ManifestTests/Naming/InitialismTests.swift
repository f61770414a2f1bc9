import Foundation
import Manifest
import Recipes
import TestSupport

struct InitialismTests {
  @Test(arguments: [
    ("Ada Lovelace", "AL"), ("ada lovelace", "AL"), ("Ada", "A"), ("Ada King Lovelace", "AL"),
    ("  Ada \t Lovelace  ", "AL"), ("Jean-Luc Picard", "JP"), ("Ludwig van Beethoven", "LB"),
    ("7 of 9", "79"), ("O'Brien", "O"), ("ben.eater", "B"),
  ])
  func `initials come from the first and last words`(name: String, letters: String) {
    #expect(Initialism.letters(of: name) == letters)
  }

  @Test(arguments: [
    ("\"Ada\" 'Lovelace'", "AL"), ("„Ada“ «Lovelace»", "AL"), ("¿Ada? - Lovelace!", "AL"),
    ("Ada Lovelace (she/her)", "AL"), ("张伟 (Zhang Wei)", "张"), ("(Ada) [Lovelace]", "AL"),
    ("Ada – Lovelace –", "AL"), ("Ada (Countess", "A"), ("…Ada", "A"),
  ])
  func `punctuation and bracketed text are ignored`(name: String, letters: String) {
    #expect(Initialism.letters(of: name) == letters)
  }

  @Test(arguments: [
    ("straße ßen", "SS"), ("ŉa", "N"), ("ﬁnn", "F"), ("ǆ", "ǅ"), ("éa ôb", "ÉÔ"),
    ("e\u{301}a o\u{302}b", "ÉÔ"), ("ılhan istanbul", "II"), ("ქართული", "ქ"), ("և", "Ե"),
    ("ώ", "Ώ"), ("жанна яблокова", "ЖЯ"), ("łukasz żak", "ŁŻ"),
  ])
  func `initials are capitalized without language-specific rules`(name: String, letters: String) {
    let found = Initialism.letters(of: name)
    #expect(found == letters)
    // Compares scalars, because `String` treats equivalent spellings as equal.
    #expect(found.map { Array($0.unicodeScalars) } == Array(letters.unicodeScalars))
  }

  @Test(arguments: [
    ("山田太郎", "山"), ("山田 太郎", "山"), ("山田\u{3000}太郎", "山"), ("김민준", "김"), ("김 민준", "김"),
    ("さくら", "さ"), ("タロウ", "タ"), ("ｱｲ", "ｱ"), ("Wei 张", "W张"),
  ])
  func `Han, kana and Hangul names are shortened to one character`(name: String, letters: String) {
    #expect(Initialism.letters(of: name) == letters)
  }

  @Test(arguments: [
    ("דוד בן גוריון", "דג"), ("محمد علي", "مع"), ("क्षितिज शर्मा", "क्षिश"), ("นิภา ใจดี", "นิใ"),
  ])
  func `initials in other scripts are whole grapheme clusters`(name: String, letters: String) {
    #expect(Initialism.letters(of: name) == letters)
  }

  @Test(arguments: [
    ("🦊", "🦊"), ("🦊🐻", "🦊"), ("🦊 🐻", "🦊🐻"), ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"), ("🇩🇪 🇫🇷", "🇩🇪🇫🇷"),
    ("👩🏽‍🚀", "👩🏽‍🚀"), ("Ada 🦊", "A"), ("🚀Ada Lovelace🚀", "AL"), ("1️⃣", "1️⃣"), ("❤️", "❤️"),
  ])
  func `emoji are used only if there are no letters`(name: String, letters: String) {
    #expect(Initialism.letters(of: name) == letters)
  }

  @Test(arguments: ["", " ", "---", "!?", "«»", "()", "★", "\u{301}", "\u{200D}\u{FE0F}", "_"])
  func `a name without letters does not have initials`(name: String) {
    #expect(Initialism.letters(of: name) == nil)
    #expect(SourceKey(.initials, name: name, id: "...").text == nil)
    #expect(SourceKey(.initials, name: name, id: "--x7").text == "X")
  }

  @Test func `even very long names have short initials`() {
    let long = String(repeating: "name ", count: 2_000)
    #expect(Initialism.letters(of: long) == "NN")
    #expect(Initialism.letters(of: String(repeating: "(", count: 10_000) + "a") == "A")
    let marks = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect((Initialism.letters(of: marks) ?? "").unicodeScalars.count <= 16)
  }

  @Test func `initials have at most two grapheme clusters`() {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of names: \(seed)")
    var random = SeededRandom(seed: seed)
    for _ in 0..<2_000 {
      var name = ""
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let limit: UInt32 = Bool.random(using: &random) ? 0x500 : 0x2_0000
        guard let scalar = Unicode.Scalar(UInt32.random(in: 1..<limit, using: &random)) else {
          continue
        }
        name.unicodeScalars.append(scalar)
        if Int.random(in: 0..<4, using: &random) == 0 { name += " " }
      }
      let letters = Initialism.letters(of: name)
      #expect(letters.map { (1...2).contains($0.count) && $0.unicodeScalars.count <= 40 } ?? true)
    }
  }
}
