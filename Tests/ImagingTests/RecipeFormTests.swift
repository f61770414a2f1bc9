import Foundation
import Recipes
import Testing

/// A recipe's JSON form is part of the cache keys: renaming a field re-renders every image.
@Suite struct RecipeFormTests {
  private static func written(_ recipe: Recipe) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(recipe), as: UTF8.self)
  }

  private static let red = Color(red: 200, green: 10, blue: 20)
  private static let box = PixelSize(width: 40, height: 30)

  @Test func `a minimal recipe keeps its JSON form`() throws {
    let recipe = Recipe(
      frame: Frame(base: Self.box, box: Self.box, fit: .contain), outline: .square, effects: [],
      encoding: Encoding(format: .png))
    let written = try Self.written(recipe)
    #expect(
      written
        == #"""
        {"effects":[],"encoding":{"format":"png"},"filters":[],"frame":{"base":{"height":30,"wid\#
        th":40},"box":{"height":30,"width":40},"fit":"contain","focus":{"x":0.5,"y":0.5}},"margi\#
        ns":{"bottom":0,"left":0,"right":0,"top":0},"outline":{"bottomLeft":0,"bottomRight":0,"c\#
        urve":"circular","topLeft":0,"topRight":0}}
        """#)
  }

  @Test func `every filter and effect keeps its JSON form`() throws {
    let recipe = Recipe(
      frame: Frame(
        base: Self.box, box: PixelSize(width: 20, height: 15), fit: .fill,
        focus: Focus(x: 0.25, y: 0.75),
        finder: .face(detector: "d", headRoom: 0.5, isSmartOtherwise: true)),
      filters: [.grayscale, .tint(Self.red), .blur(radius: 1.5)],
      outline: Outline(
        topLeft: 1, topRight: 2, bottomRight: 3, bottomLeft: 4.5, curve: .continuous),
      margins: Margins(top: 1, right: 2, bottom: 3, left: 4),
      effects: [
        .underlay(.white),
        .overlay(.linear([.white, .black], degrees: 90)),
        .border(
          Border(
            rings: [
              .init(from: -1, to: 2, fill: .solid(Self.red), isOver: true),
              .init(from: 2, to: 3, fill: .conic([.white, Self.red], degrees: 10), isOver: false),
            ], cut: 1)),
        .shadow(Shadow(color: .black, radius: 2, x: 1, y: -1, outset: 0.5)),
        .decoration(Decoration(content: .dot(Self.red), x: 1, y: 2, diameter: 3, gap: 1)),
        .decoration(
          Decoration(
            content: .picture("b", Inspection(format: .webp, size: Self.box, orientation: 6)),
            x: 1, y: 2, diameter: 3, gap: 0)),
        .matte(.white),
        .guides(NinePatchGuides(stretched: 1..<2, content: 5..<6)),
      ], encoding: Encoding(format: .jpeg, quality: 80, limit: 1000, pixels: .direct))
    let written = try Self.written(recipe)
    #expect(
      written
        == #"""
        {"effects":[{"underlay":{"_0":{"alpha":255,"blue":255,"green":255,"red":255}}},{"overlay\#
        ":{"_0":{"linear":{"_0":[{"alpha":255,"blue":255,"green":255,"red":255},{"alpha":255,"bl\#
        ue":0,"green":0,"red":0}],"degrees":90}}}},{"border":{"_0":{"cut":1,"rings":[{"fill":{"s\#
        olid":{"_0":{"alpha":255,"blue":20,"green":10,"red":200}}},"from":-1,"isOver":true,"to":\#
        2},{"fill":{"conic":{"_0":[{"alpha":255,"blue":255,"green":255,"red":255},{"alpha":255,"\#
        blue":20,"green":10,"red":200}],"degrees":10}},"from":2,"isOver":false,"to":3}]}}},{"sha\#
        dow":{"_0":{"color":{"alpha":255,"blue":0,"green":0,"red":0},"outset":0.5,"radius":2,"x"\#
        :1,"y":-1}}},{"decoration":{"_0":{"content":{"dot":{"_0":{"alpha":255,"blue":20,"green":\#
        10,"red":200}}},"diameter":3,"gap":1,"x":1,"y":2}}},{"decoration":{"_0":{"content":{"pic\#
        ture":{"_0":"b","_1":{"format":"webp","frames":1,"orientation":6,"size":{"height":30,"wi\#
        dth":40}}}},"diameter":3,"gap":0,"x":1,"y":2}}},{"matte":{"_0":{"alpha":255,"blue":255,"\#
        green":255,"red":255}}},{"guides":{"_0":{"content":[5,6],"stretched":[1,2]}}}],\#
        "encoding":{"format":"jpeg","limit":1000,\#
        "pixels":"direct","quality":80},"filters":[{"grayscale":{}},{"tint":{"_0":{"alpha":255,"\#
        blue":20,"green":10,"red":200}}},{"blur":{"radius":1.5}}],"frame":{"base":{"height":30,"\#
        width":40},"box":{"height":15,"width":20},"finder":{"face":{"detector":"d","headRoom":0.\#
        5,"isSmartOtherwise":true}},"fit":"fill","focus":{"x":0.25,"y":0.75}},\#
        "margins":{\#
        "bottom":3,"left":4,"right":2,"top":1},"outline":{"bottomLeft":4.5,"bottomRight":3,"curv\#
        e":"continuous","topLeft":1,"topRight":2}}
        """#)
  }

  @Test func `drawn sources keep their JSON form`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let drawn: [Generated] = [
      .initials(Initials(text: "AB", ink: .white, ground: Self.red, fonts: ["f"])),
      .identicon(Identicon(cells: [0, 1, 1, 0], side: 2, colors: [.white, Self.red])),
      .strip(Strip(color: .black, radius: 2, offset: 1, height: 8, isAbove: true)),
    ]
    let written = String(decoding: try encoder.encode(drawn), as: UTF8.self)
    #expect(
      written
        == #"""
        [{"initials":{"_0":{"fonts":["f"],"ground":{"alpha":255,"blue":20,"green":10,"red":200},\#
        "ink":{"alpha":255,"blue":255,"green":255,"red":255},"text":"AB"}}},{"identicon":{"_0":{\#
        "cells":[0,1,1,0],"colors":[{"alpha":255,"blue":255,"green":255,"red":255},{"alpha":255,\#
        "blue":20,"green":10,"red":200}],"side":2}}},{"strip":{"_0":{"color":{"alpha":255,"blue"\#
        :0,"green":0,"red":0},"height":8,"isAbove":true,"offset":1,"radius":2}}}]
        """#)
  }
}
