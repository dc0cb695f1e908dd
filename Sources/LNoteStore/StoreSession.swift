import Files

/// One run of the store on a library: documents, their pages, a virtual clock. Not for use by several threads.
package final class StoreSession {
  private let volume: any Volume
  private let configuration: StoreConfiguration

  /// A session on the library at the volume's root. Touches nothing yet.
  package init(volume: any Volume, configuration: StoreConfiguration) {
    self.volume = volume
    self.configuration = configuration
  }

  /// Does what is asked and says what is durable now. Never traps, whatever the files hold.
  package func perform(_ command: NumberedCommand) -> StoreAnswer {
    StoreAnswer(number: command.number)
  }
}
