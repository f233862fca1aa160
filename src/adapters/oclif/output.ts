import { Errors, type Command } from '@oclif/core'
import type { Writable } from 'node:stream'

/** Standard output, whose reader may go at any time (`| head -1`) and whose disk may be full. */
export type Output = {
  /** Resolves when it was taken: with `false` when the reader is gone. */
  write(text: string): Promise<boolean>
  /** Something was written. */
  isUsed(): boolean
  /**
   * Reports output that was not taken. A reader that has closed the pipe is no error; for any other failure, such as a
   * full disk, the exit status is 1.
   */
  settle(command: Command): void
}

export function createOutput(stream: Writable): Output {
  let failure: string | undefined
  let used = false
  // The listener of oclif throws any error except a closed pipe, with a stack.
  stream.removeAllListeners('error')
  stream.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error.code ?? error.message
  })
  return {
    write: async (text) => {
      used = true
      if (failure === undefined) await new Promise<void>((resolve) => stream.write(text, () => resolve()))
      return failure === undefined
    },
    isUsed: () => used,
    settle(command) {
      if (failure === undefined) return
      if (failure === 'EPIPE') {
        command.logToStderr('Standard output was closed before everything was written.')
        return
      }
      command.logToStderr(`Standard output cannot be written (${failure}); what was asked for has been done.`)
      throw new Errors.ExitError(1)
    },
  }
}
