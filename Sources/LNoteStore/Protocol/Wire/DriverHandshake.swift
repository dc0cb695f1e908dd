import JSON
import LNoteFormat

/// The first words between a driver and its caller, before any command.
package enum DriverHandshake {
  /// The number of the protocol that this code speaks.
  package static let protocolVersion = 1
}

/// The driver's first line: who it is and what it can do.
package struct DriverHello: Hashable, Sendable {
  /// The driver's name, "lnote-driver".
  package var name: String
  /// The protocol that it speaks.
  package var protocolVersion: Int
  /// The words of its engines, "snapshot".
  package var engines: [String]
  /// The words of its seeded bugs; empty for a store without any.
  package var mutants: [String]

  /// A hello of these values.
  package init(name: String, protocolVersion: Int, engines: [String], mutants: [String]) {
    self.name = name
    self.protocolVersion = protocolVersion
    self.engines = engines
    self.mutants = mutants
  }

  /// What this store's driver says.
  package static let own = DriverHello(
    name: "lnote-driver", protocolVersion: DriverHandshake.protocolVersion,
    engines: StoreConfiguration.Engine.allCases.map(\.rawValue), mutants: StoreMutant.all.map(\.name))

  /// The hello as one JSON object.
  package var wireValue: JSONValue {
    [
      "hello": .string(name), "protocol": JSONValue(protocolVersion), "engines": .array(engines.map { .string($0) }),
      "mutants": .array(mutants.map { .string($0) }),
    ]
  }

  /// The hello that this JSON object says.
  package static func reading(wire value: JSONValue) throws(WireError) -> DriverHello {
    let fields = try WireFields(value, name: "a hello")
    func word(_ value: JSONValue) throws(WireError) -> String {
      guard let text = value.string else { throw WireError("engines and mutants of a hello must be strings") }
      return text
    }
    return DriverHello(
      name: try fields.text("hello"), protocolVersion: try fields.integer("protocol"),
      engines: try fields.list("engines", word), mutants: try fields.list("mutants", word))
  }
}

/// The caller's first line: which store on which folder.
package struct DriverStart: Hashable, Sendable {
  /// The store's configuration.
  package var configuration: StoreConfiguration
  /// The library's folder, an absolute path of the host; nil where the driver's command line names it.
  package var root: String?

  /// A start of these values.
  package init(configuration: StoreConfiguration, root: String?) {
    self.configuration = configuration
    self.root = root
  }

  /// The start as one JSON object.
  package var wireValue: JSONValue {
    [
      "protocol": JSONValue(DriverHandshake.protocolVersion), "engine": .string(configuration.engine.rawValue),
      "durability": .string(configuration.durability.rawValue), "root": JSONValue(root),
      "mutant": JSONValue(configuration.mutant?.name), "now": JSONValue(configuration.now.milliseconds),
      // A seed is a pattern of 64 bits, and JSON's integers are signed.
      "seed": .integer(Int64(bitPattern: configuration.seed)),
      "autosave": JSONValue(configuration.autosaveMilliseconds), "thumbnails": .bool(configuration.drawsThumbnails),
    ]
  }

  /// The start that this JSON object asks for. `root`, `mutant`, `autosave` and `thumbnails` may be left out.
  package static func reading(wire value: JSONValue) throws(WireError) -> DriverStart {
    let fields = try WireFields(value, name: "a start")
    let version: Int = try fields.integer("protocol")
    guard version == DriverHandshake.protocolVersion else {
      throw WireError("the caller speaks protocol \(version), this driver speaks \(DriverHandshake.protocolVersion)")
    }
    let autosave =
      fields.has("autosave")
      ? try fields.integer("autosave") : StoreConfiguration.autosaveMillisecondsDefault
    guard (0...StoreConfiguration.autosaveMillisecondsMax).contains(autosave) else {
      throw WireError("'autosave' of a start must be 0 to \(StoreConfiguration.autosaveMillisecondsMax)")
    }
    let now = Timestamp(milliseconds: try fields.integer("now"))
    guard StoreConfiguration.clockRange.contains(now.milliseconds) else {
      throw WireError("'now' of a start must lie between 1970 and 9999")
    }
    return DriverStart(
      configuration: StoreConfiguration(
        engine: try fields.word("engine"), durability: try fields.word("durability"),
        mutant: fields.has("mutant") ? try fields.word("mutant") : nil,
        now: now,
        seed: UInt64(bitPattern: try fields.integer("seed", as: Int64.self)), autosaveMilliseconds: autosave,
        drawsThumbnails: fields.has("thumbnails") ? try fields.flag("thumbnails") : true),
      root: fields.has("root") ? try fields.text("root") : nil)
  }
}

/// The driver's second line, before it takes commands: ready, or why not.
package enum DriverReadiness: Hashable, Sendable {
  case ready
  case refused(String)

  /// The readiness as one JSON object.
  package var wireValue: JSONValue {
    switch self {
    case .ready: ["ready": true]
    case .refused(let reason): ["ready": false, "message": .string(reason)]
    }
  }

  /// The readiness that this JSON object tells.
  package static func reading(wire value: JSONValue) throws(WireError) -> DriverReadiness {
    let fields = try WireFields(value, name: "a readiness")
    return try fields.flag("ready") ? .ready : .refused(try fields.text("message"))
  }
}
