/** What one object does when its operations come one after the other. States are values: nothing changes them. */
export type Specification<State, Input, Output> = {
  readonly initial: State
  /**
   * The states in which the object may be after it has answered this; none where it may not answer so. Without an
   * answer: those in which it may be after it has done what it is asked for.
   */
  after(state: State, input: Input, output: Output | undefined): readonly State[]
  /** Equal for equal states. */
  keyOf(state: State): string
  /** Whether such an answer, or any where none came, leaves every state in which it may be given as it is. */
  isRead(input: Input, output: Output | undefined): boolean
  /** The state, and the answer that is due in it, for people. */
  due(state: State, input: Input): string
  /** The operation in a line, for people. */
  tell(input: Input, output: Output | undefined): string
}
