/// What lists of people call their columns, in English, German, French, Spanish, Chinese, Portuguese and
/// Italian, and the few most usual ones in eight more languages.
///
/// A line is a meaning and its names, the likeliest first, written as people write them: only letters and
/// digits count, without case and accents. Another language is another text. A `number` of staff, students or
/// members is not an id, since ids are published; it shows which records are one person.
enum ColumnNames {
  private static let languages = [
    english, german, french, spanish, chinese, portuguese, italian, others,
  ].map(table)

  private static let english = """
    id: id, user id, uid, member id, id user, person id, speaker id
    number: employee id, staff id, student id
    account: username, login, handle
    name: name, full name, display name, real name, person name, complete name, name and surname, \
    member name, speaker name, employee name, staff name, student name, contact name, sponsor name, \
    contributor name, maintainer name, player name, names, member, employee, speaker, contributor, \
    maintainer, presenter, nickname, nick, your name, attendee, participant, person in charge, \
    captain, last name first name, lastname firstname, first name last name
    given: first name, given name, forename, first, given names, first names
    family: last name, family name, surname, last, family names
    avatar: avatar, photo, picture, image, img, headshot, portrait, pic, avatar url, photo url, \
    image url, picture url, profile image, profile picture, profile photo, thumbnail, thumbnail url, \
    photo file, image file, picture file, profile pic, photo link, image link, photo path, image path, \
    headshot url, profile picture url, profile image url, profile photo url, photograph, pfp, photos
    title: job title, tag line, title, role, position, position title, job, occupation, designation, \
    headline, profession, function
    organisation: organisation, organization, company, affiliation, institution, employer, \
    company name, organization name, organisation name, university, institute, org, workplace
    about: about, bio, biography, description, desc, summary, short bio, about me, blurb
    tags: tags, tag, teams, team, departments, department, groups, group, categories, category, \
    division, contributions, working group, committee, unit, topics, keywords, roles, track, \
    tier, level, package, sponsorship level, user groups
    link: link, html url, url, website, homepage, webpage, web, blog, profile, personal website, \
    website url, personal page, profile url, site, home page url
    links: links, socials, social, social links, social networks, social media, networks, profiles
    email: email, mail, email address, emails, mail address, work email, contact email
    list: people, persons, members, team, users, authors, contributors, speakers, employees, \
    maintainers, alumni, former members, advisors, board, staff, faculty, students, postdocs, \
    volunteers, organizers, guests, creators, sponsors, partners
    """
  private static let german = """
    id: Benutzer-ID, Nutzer-ID, Mitglieds-ID, Kennung
    number: Personalnummer, Mitarbeiternummer, Mitgliedsnummer, Matrikelnummer
    account: Benutzername, Nutzername, Anmeldename
    name: Vor- und Nachname, Vorname Nachname, Vorname Name, Name Vorname, Nachname Vorname, \
    vollständiger Name, voller Name, Anzeigename, Mitarbeiter, Mitarbeiterin, Mitglied, Person, \
    Referent, Referentin, Ansprechpartner
    given: Vorname, Vornamen, Rufname
    family: Nachname, Familienname, Zuname
    avatar: Foto, Bild, Profilbild, Profilfoto, Porträt, Passbild, Mitarbeiterfoto, Bilddatei, \
    Fotodatei, Bild-URL, Foto-URL, Fotos, Bilder
    title: Funktion, Rolle, Stelle, Beruf, Tätigkeit, Aufgabe, Aufgaben, Berufsbezeichnung, \
    Stellenbezeichnung, Jobtitel, Amt, Dienstbezeichnung, Titel
    organisation: Firma, Unternehmen, Verein, Einrichtung, Arbeitgeber, Hochschule, Universität, \
    Institut, Behörde, Schule
    about: Beschreibung, über, über mich, Biografie, Biographie, Kurzbiografie, Kurzbiographie, Vita, \
    Kurzvita, Steckbrief, Kurzprofil
    tags: Abteilung, Abteilungen, Gruppe, Gruppen, Bereich, Fachbereich, Referat, Ressort, Sparte, \
    Mannschaft, Kategorie, Arbeitsgruppe, Schlagworte, Schlagwörter, Themen
    link: Webseite, Internetseite, Internet, Webadresse, Profilseite
    email: E-Mail-Adresse, Mailadresse, E-Mail dienstlich
    list: Personen, Mitglieder, Mitarbeiter, Mitarbeitende, Referenten, Ehemalige, Vorstand, Studierende
    """
  private static let french = """
    id: identifiant
    number: matricule, numéro de membre, numéro d'employé, numéro d'adhérent
    account: nom d'utilisateur, pseudo, pseudonyme
    name: nom, nom complet, nom et prénom, prénom et nom, nom prénom, prénom nom, membre, \
    intervenant, intervenante, personne, collaborateur
    given: prénom, prénoms
    family: nom de famille, nom
    avatar: photo de profil, photographie, image de profil, fichier photo, lien photo
    title: fonction, poste, rôle, titre, métier, emploi, intitulé du poste
    organisation: entreprise, société, organisme, employeur, établissement, université, structure, \
    laboratoire, école
    about: à propos, parcours
    tags: département, service, équipe, groupe, pôle, unité, catégorie, étiquettes, thèmes, section, \
    direction, commission
    link: site web, site internet, lien, page web, page personnelle, adresse web
    email: courriel, adresse e-mail, mél, adresse électronique, adresse mail
    list: personnes, membres, équipe, intervenants, auteurs
    """
  private static let spanish = """
    id: identificador, ID de usuario
    number: número de socio, número de empleado, legajo
    account: usuario, nombre de usuario
    name: nombre, nombre completo, nombre y apellidos, nombre y apellido, nombres y apellidos, \
    apellidos y nombre, miembro, ponente, persona, empleado, integrante
    given: nombre, nombres, nombre de pila
    family: apellidos, apellido, primer apellido, apellido paterno, apellido 1
    avatar: imagen, fotografía, retrato, foto de perfil, imagen de perfil, URL de la foto
    title: cargo, puesto, rol, función, título, profesión, ocupación, posición
    organisation: empresa, organización, compañía, institución, universidad, afiliación, entidad, \
    escuela
    about: biografía, descripción, semblanza, reseña, sobre mí, acerca de
    tags: departamento, equipo, grupo, área, sección, categoría, etiquetas, unidad, comisión, temas
    link: sitio web, página web, enlace, página, sitio, página personal
    email: correo, correo electrónico, dirección de correo
    list: personas, miembros, equipo, ponentes, autores, integrantes
    """
  private static let chinese = """
    id: 编号, 用户编号, 用户ID, 編號
    number: 工号, 学号, 员工编号, 会员编号, 工號, 學號
    account: 用户名, 账号, 帐号, 登录名, 用戶名, 帳號
    name: 姓名, 名字, 全名, 名称, 昵称, 显示名, 成员, 讲者, 嘉宾, 演讲者, 名稱, 成員, 講者
    given: 名
    family: 姓, 姓氏
    avatar: 头像, 照片, 图片, 相片, 头像链接, 照片链接, 頭像, 圖片
    title: 职位, 职务, 头衔, 角色, 岗位, 职称, 職位, 職務, 頭銜, 職稱
    organisation: 公司, 单位, 机构, 组织, 学校, 大学, 所属单位, 工作单位, 單位, 機構, 學校, 組織
    about: 简介, 介绍, 个人简介, 个人介绍, 自我介绍, 描述, 簡介, 介紹, 個人簡介
    tags: 部门, 团队, 小组, 组别, 分组, 类别, 标签, 院系, 班级, 部門, 團隊, 組別, 類別, 標籤
    link: 网站, 主页, 个人主页, 链接, 网址, 博客, 網站, 主頁, 連結, 網址
    email: 邮箱, 电子邮件, 邮件, 电子邮箱, 邮箱地址, 電子郵件, 信箱
    list: 人员, 成员, 员工, 团队, 作者
    """
  private static let portuguese = """
    id: identificação, ID do usuário
    number: número de sócio, número de funcionário
    account: nome de usuário, usuário
    name: nome, nome completo, nome e sobrenome, membro, palestrante, pessoa, funcionário
    given: primeiro nome
    family: sobrenome, último nome
    avatar: imagem, foto do perfil, fotografia
    title: função, profissão, posição, papel
    organisation: organização, instituição, universidade, afiliação
    about: biografia, descrição, sobre, sobre mim
    tags: equipe, equipa, grupo, área, setor, secção, etiquetas
    link: página, página pessoal
    email: correio eletrônico, endereço de e-mail
    list: pessoas, membros, equipe, equipa, palestrantes
    """
  private static let italian = """
    id: identificativo, ID utente
    number: numero di tessera, numero di matricola, matricola
    account: nome utente
    name: nome e cognome, cognome e nome, nominativo, membro, relatore, relatrice, persona, dipendente
    given: nome
    family: cognome
    avatar: immagine, foto profilo, fotografia, ritratto
    title: ruolo, funzione, titolo, incarico, posizione, professione, qualifica
    organisation: azienda, società, ente, istituzione, università
    about: biografia, descrizione, chi sono
    tags: reparto, squadra, gruppo, dipartimento, ufficio, settore, sezione, categoria
    link: sito, sito web, pagina web
    email: posta elettronica, indirizzo e-mail
    list: persone, membri, relatori, squadra, autori
    """

  /// Dutch, Swedish, Polish, Czech, Turkish, Russian, Japanese and Korean.
  private static let others = """
    name: naam, volledige naam, namn, imię i nazwisko, jméno a příjmení, ad soyad, isim, имя и фамилия, \
    фио, 氏名, 名前, お名前, 이름, 성명
    given: voornaam, förnamn, imię, jméno, ad, имя
    family: achternaam, efternamn, nazwisko, příjmení, soyad, фамилия
    avatar: afbeelding, pasfoto, bild, zdjęcie, fotka, fotoğraf, resim, фото, фотография, 写真, 画像, 사진
    title: functie, befattning, stanowisko, pozice, görev, unvan, должность, 役職, 肩書き, 직책, 직위
    organisation: bedrijf, företag, firma, şirket, организация, компания, 会社, 所属, 회사, 소속
    about: over mij, om mig, о себе, 自己紹介, 소개
    tags: afdeling, avdelning, dział, oddělení, bölüm, отдел, 部署, 부서
    email: e-mailadres, e-post, почта, メール, 이메일
    """

  private static func table(_ text: String) -> [String: [String]] {
    let lines = text.split(separator: "\n").map { $0.split(separator: ":") }
    return Dictionary(
      uniqueKeysWithValues: lines.map { line in
        (String(line[0]), line[1].split(separator: ",").map { ValuePath.plain(String($0)) })
      })
  }

  private static func all(_ meaning: String) -> [String] {
    languages.flatMap { $0[meaning, default: []] }
  }

  /// The columns that may be a key of a user.
  static let usual = Dictionary(
    uniqueKeysWithValues: PersonKey.allCases.map { key in
      let names = all(key.rawValue)
      return switch key {
      case .id: (key, ids + ["slug"] + accounts)
      case .links: (key, names + WebAccounts.starts.keys.sorted())
      default: (key, names.isEmpty ? [key.rawValue] : names)
      }
    })

  /// Ids that a list gives to its records: two records with different ones are two people.
  static let ids = all("id")
  static let numbers = all("number")
  /// The id of a record without any other, and the name of one with nothing but an id.
  static let accounts = all("account")
  static let mail = all("email")
  static let groups = all("tags")
  static let given = all("given")
  static let family = all("family")
  /// In a document with several lists, the one of people.
  static let lists = Set(all("list"))
  /// Whether a list with this name has people: `current_members` too.
  static func isOfPeople(_ name: String) -> Bool {
    let name = ValuePath.plain(name)
    return lists.contains { name == $0 || name.hasSuffix($0) }
  }

  /// Keys under which a record has the person whom it is about.
  static let ofWrappers: Set = ["user", "node", "person", "member", "profile", "author", "speaker"]
  static let ofPictures = [
    "photo", "picture", "headshot", "portrait", "foto", "image", "照片", "头像",
  ]
  /// Parts of the names of columns that say whether a photo may be published, and of those that need no photo
  /// in their names.
  static let ofConsents = [
    "allow", "permission", "release", "erlaub", "freigabe", "droit", "autoris", "permiso",
  ]
  static let ofPublishing = ["consent", "einwillig", "einverst", "dsgvo", "gdpr", "同意"]
  /// Columns that say whether a person is shown at all: with no, and with yes.
  static let ofShowing: Set = [
    "show", "visible", "published", "publish", "public", "veroffentlichen", "anzeigen", "sichtbar",
  ]
  static let ofHiding: Set = [
    "hidden", "hide", "draft", "deleted", "inactive", "inaktiv", "archived",
  ]
  /// Words in the names of columns with roles.
  static let ofTitles: Set = [
    "role", "position", "jobtitle", "speakertitle", "organizationtitle", "memberjob",
  ]
  /// The person at a company whom one may call.
  static let contacts = ["contactname", "ansprechpartner", "kontakt", "contact"]
  /// In the answer of a server, the list that was asked for.
  static let ofAnswers: Set = ["results", "data", "items", "members", "nodes", "value"]
  /// Parts of the names of columns that are never taken for what their cells look like.
  static let ofSecrets = [
    "edit", "response", "resume", "lebenslauf", "ausweis", "passport", "scan", "signature",
    "unterschrift", "zoom", "invoice", "allerg", "medical", "diagnos", "emergency", "notfall",
    "street", "strasse", "city", "country", "contact", "parent", "spouse", "bank", "password",
  ]
  static let parts = Set(given + family + mail + accounts)
  static let ofNames = Set(given + all("name"))
  /// All words that are known to name a column.
  static let known = Set(languages.flatMap { $0.filter { $0.key != "list" }.values.joined() })
  /// One of them is in each record of a person.
  static let ofPeople = ofNames.union(["title", "photo", "image", "avatar", "picture"])
  /// Keys for looks, whose words mean other things in other lists.
  static let ofStyles: Set<PersonKey> = [.background, .styles, .focus, .decorations, .alias]
}
