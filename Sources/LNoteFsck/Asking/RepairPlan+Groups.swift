import Files
import LNoteFormat

extension RepairPlan {
  /// The problems of the plan in groups of which each can be repaired or left, whatever becomes of the others.
  ///
  /// Problems with one and the same repair belong together; so does all that everything else waits for: what decides
  /// about the document, and page files that have to swap their names.
  var groups: [[Problem]] {
    if problems.contains(where: \.comesFirst) { return [problems] }
    var groups: [[Problem]] = []
    var places: [RepairAction: Int] = [:]
    for problem in problems {
      guard let action = problem.action else { continue }
      if let place = places[action] {
        groups[place].append(problem)
      } else {
        places[action] = groups.count
        groups.append([problem])
      }
    }
    return groups
  }
}

/// What a user did not want to be repaired, known again when the package was looked at anew.
struct DeclinedRepair: Hashable, Sendable {
  private let code: String
  private let path: BytePath?
  private let page: NoteID?
  private let asset: NoteID?

  init(_ problem: Problem) {
    code = problem.kind.code
    path = problem.path
    page = problem.page?.id
    asset = problem.asset
  }
}
