import Files
import Harness
import TestSupport
import Testing

/// Each sync, rename and unlink of the store is needed as it stands: altered, it is convicted, or it is said why not.
///
/// A part of one save in `make test`; with `LNOTE_EVERY_STEP` set all of them, and the table of the page.
@Suite struct SeamNecessityTests {
  private static let isWhole = Host.environment("LNOTE_EVERY_STEP") != nil

  private static func page() throws -> String {
    let docs = try HostVolume(root: repositoryRoot.appending("Docs/inside"))
    return String(decoding: try docs.readWhole("reliability.md", sizeMax: 1 << 20), as: UTF8.self)
  }

  /// A new sync, rename or unlink has no row yet.
  @Test func theTableHasEachStepOfTheSaves() throws {
    let roles = StoreSteps.roles(of: try StoreSteps.places())
    #expect(roles == StoreSteps.roles(inTable: try Self.page()))
    #expect(roles.count >= 10)
    #expect(StoreSteps.harmless.allSatisfy { roles.contains($0.role) })
  }

  /// Of the first save: each step left out, and ways of doing a sync or a rename by halves.
  @Test func aStepLessIsConvicted() throws {
    let cells = try StoreSteps.cells(try StoreSteps.places().filter { $0.save == 0 }) { role, way in
      way == .dropped || role.hasSuffix("rename of a page") && way == .copied
        || role.hasSuffix("fsync of a page") && way == .halved
    }
    #expect(cells.count == 10)
    for cell in cells { #expect(cell.convicting != nil, "\(cell)") }
  }

  /// What is listed as harmless is not convicted, though every state is gone through.
  @Test func whatIsListedAsHarmlessIs() throws {
    let places = try StoreSteps.places().filter { Self.isWhole || $0.save == 0 }
    let cells = try StoreSteps.cells(places) { role, way in
      StoreSteps.letter(of: role, way) != nil && (Self.isWhole || role == Self.sample.role && way == Self.sample.way)
    }
    #expect(!cells.isEmpty)
    for cell in cells {
      for (place, outcome) in cell.outcomes {
        guard case .harmless(let states) = outcome else {
          Issue.record("save \(place.save + 1), \(place.step), \(cell.way): \(outcome)")
          continue
        }
        #expect(states >= 15)
      }
    }
  }

  private static let sample = (role: "background: rename of manifest.json", way: SeamAlteration.Way.postponed)

  @Test(.enabled(if: isWhole, "minutes: LNOTE_EVERY_STEP is not set"))
  func theTableIsWhatComesOfAllOfThem() throws {
    let cells = try StoreSteps.cells(try StoreSteps.places())
    for cell in cells {
      for case (let place, .unknown(let reason)) in cell.outcomes {
        Issue.record("save \(place.save + 1), \(place.step), \(cell.way): \(reason)")
      }
    }
    let table = StoreSteps.table(cells)
    #expect(!table.contains("not convicted"))
    if !(try Self.page()).contains(table) { Issue.record("Docs/inside/reliability.md has not:\n\(table)") }
  }
}
