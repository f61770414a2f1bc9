/// The names that lists of people use for their columns, the likeliest first, plain as in `ValuePath`.
enum ColumnNames {
  static let usual: [PersonKey: [String]] = [
    .id: ids + ["slug"] + accounts,
    .name: ["name", "fullname", "displayname", "realname", "personname"],
    .avatar: [
      "avatar", "photo", "picture", "image", "img", "headshot", "portrait", "pic", "avatarurl",
      "photourl", "imageurl", "pictureurl", "profileimage", "profilepicture", "profilephoto",
      "thumbnail", "thumbnailurl", "photofile", "imagefile", "picturefile",
    ],
    .title: [
      "title", "role", "position", "positiontitle", "jobtitle", "job", "occupation", "designation",
    ],
    .organisation: [
      "organisation", "organization", "company", "affiliation", "institution", "employer",
    ],
    .about: ["about", "bio", "biography", "description", "summary"],
    .tags: [
      "tags", "tag", "teams", "team", "departments", "department", "groups", "group", "categories",
      "category", "division", "contributions",
    ],
    .link: [
      "link", "url", "website", "homepage", "webpage", "web", "htmlurl", "blog", "profile",
    ],
    .links: ["links", "socials", "social", "sociallinks"] + WebAccounts.starts.keys.sorted(),
  ]
  /// Ids that a list gives to its records: two records with different ones are two people.
  static let ids = ["id", "userid", "uid", "memberid", "iduser"]
  /// The id of a record without any other, and the name of one with nothing but an id.
  static let accounts = ["username", "login", "handle"]
  static let mail = ["email", "mail", "emailaddress", "emails"]
  static let given = ["firstname", "givenname", "forename", "first"]
  static let family = ["lastname", "familyname", "surname", "last"]
  static let ofNames = given + usual[.name, default: []]
  /// One of them is in each record of a person.
  static let ofPeople = ofNames + ["title", "photo", "image", "avatar", "picture"]
  /// Keys for looks, whose words mean other things in other lists.
  static let ofStyles: Set<PersonKey> = [.background, .styles, .focus, .decorations, .alias]
}
