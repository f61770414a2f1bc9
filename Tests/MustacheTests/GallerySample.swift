import Mustache

/// A page of the gallery with everything that templates/README.md lists.
struct GallerySample {
  var root = ""
  var people: [Record] = [
    person("ada", "Ada Lovelace", ["role": "Mathematician", "link": "https://example.org/ada"]),
    person(
      "bo", "بو ديريك", ["tags": ["text": "board", "items": [["name": "board", "href": "b"]]]]),
    person("cy", "Cy", ["isFallback": true, "isOK": false, "reason": "the picture is broken"]),
    person("di", "Di", ["isStale": true, "isOK": false, "reason": "the server does not answer"]),
    nobody("ed", "Ed", ["isSkipped": true, "reason": "no avatar is named"]),
    nobody("flo", "Flo", ["isFailed": true, "reason": "the picture is broken"]),
  ]

  var value: Value {
    [
      "site": ["title": "The team", "description": "Who we are", "language": "en"],
      "root": .text(root), "problems": true, "find": true,
      "links": [
        "people": ["href": .text("\(root)index.html"), "isCurrent": true],
        "buttons": ["href": .text("\(root)buttons/index.html")],
      ],
      "scripts": [.text("\(root)buttons.js")],
      "stylesheets": [.text("\(root)gallery.css"), .text("\(root)buttons.css")],
      "counts": [
        "people": .number(people.count), "buttons": 1, "tags": 1, "ok": 2, "fallback": 1,
        "stale": 1,
        "skipped": 1, "failed": 1,
      ],
      "people": people.isEmpty ? .absent : ["items": .list(people.map(Value.record))],
      "buttons": [
        "items": [
          [
            "name": "primary", "class": "btn-primary", "anchor": "button-primary",
            "imageClass": "btn-primary as-image",
            "appearances": [
              Self.appearance("light", ["normal", "disabled"]),
              Self.appearance("dark", ["normal", "selected"]),
            ],
          ]
        ]
      ],
      "pages": [
        "current": 2, "total": 9,
        "previous": ["number": 1, "href": .text("\(root)index.html")],
        "next": ["number": 3, "href": .text("\(root)page/3/index.html")],
        "items": [
          ["number": 1, "href": .text("\(root)index.html")],
          ["number": 2, "href": .text("\(root)page/2/index.html"), "isCurrent": true],
          ["number": 3, "href": .text("\(root)page/3/index.html")],
          ["isGap": true],
          ["number": 9, "href": .text("\(root)page/9/index.html")],
        ],
      ],
    ]
  }

  /// What a button looks like in the light or in the dark.
  private static func appearance(_ name: String, _ states: [String]) -> Value {
    let className = "btn-primary is-\(name)"
    return [
      "name": .text(name), "isDark": .bool(name == "dark"), "isInherited": .bool(name == "dark"),
      "class": .text(className), "imageClass": .text("\(className) as-image"),
      "states": .list(
        states.map { state in
          [
            "name": .text(state), "class": .text("\(className) is-\(state)"),
            "stateClass": .text("is-\(state)"), "color": .text(name == "dark" ? "#000" : "#fff"),
            "contrast": "4.62",
            "isDisabled": .bool(state == "disabled"), "isSelected": .bool(state == "selected"),
            "images": [["scale": "2x", "width": 17, "height": 17, "bytes": 93]],
          ]
        }),
    ]
  }

  /// Someone with two avatars.
  static func person(_ id: String, _ name: String, _ more: Record = [:]) -> Record {
    var person = more
    person["anchor"] = .text("person-\(id)")
    person["href"] = .text("#person-\(id)")
    person["name"] = .text(name)
    person["isOK"] = person["isOK"] ?? true
    person["avatars"] = [
      avatar("round", side: 64, alt: name), avatar("small", side: 40, alt: ""),
    ]
    return person
  }

  /// Someone without any.
  static func nobody(_ id: String, _ name: String, _ more: Record) -> Record {
    var person = more
    person["anchor"] = .text("person-\(id)")
    person["href"] = .text("#person-\(id)")
    person["name"] = .text(name)
    person["placeholders"] = [["style": "round", "width": 64, "height": 64]]
    return person
  }

  private static func avatar(_ style: String, side: Int, alt: String) -> Value {
    [
      "style": .text(style), "width": .number(side), "height": .number(side), "alt": .text(alt),
      "isLazy": true,
      "placeholder": ["color": "#5856d6", "thumbhash": "1QcSHQRnh493V4dIh4eXh1h4kJUI"],
      "src": .text("assets/\(style)-1.png"),
      "srcset": .text("assets/\(style)-1.png 1x, assets/\(style)-2.png 2x"),
      "sources": [
        [
          "type": "image/webp",
          "srcset": .text("assets/\(style)-1.webp 1x, assets/\(style)-2.webp 2x"),
        ]
      ],
    ]
  }
}
