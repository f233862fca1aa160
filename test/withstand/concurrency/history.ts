/** One request and what came of it. Times are places in the order of all events of the history, not of a clock. */
export type Operation<Input, Output> = {
  readonly client: number
  readonly input: Input
  /** Absent where no answer came, or it does not say what was done: then it may or may not have happened. */
  readonly output?: Output
  readonly invoked: number
  /** Absent like the output: what has no end may still happen after everything else. */
  readonly completed?: number
}

/** Numbers the events of one history. */
export type Recorder<Input, Output> = {
  /** Begins an operation; what it gives is called with the answer, if there is one. */
  invoke(client: number, input: Input): (output: Output | undefined) => void
  /** What was recorded so far, in the order of beginnings; what is still under way has no answer. */
  operations(): readonly Operation<Input, Output>[]
}

export function createRecorder<Input, Output>(): Recorder<Input, Output> {
  let time = 0
  const operations: Operation<Input, Output>[] = []
  return {
    invoke: (client, input) => {
      const index = operations.push({ client, input, invoked: (time += 1) }) - 1
      return (output) => {
        const begun = operations[index] as Operation<Input, Output>
        if (output !== undefined) operations[index] = { ...begun, output, completed: (time += 1) }
      }
    },
    operations: () => [...operations],
  }
}
