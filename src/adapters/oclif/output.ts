import { Errors, type Command } from '@oclif/core'
import type { Writable } from 'node:stream'

/** Standard output, whose reader may go at any time (`| head -1`) and whose disk may be full. */
export type Output = {
  /** Resolves when it was taken: with `false` when the reader is gone. */
  write(text: string): Promise<boolean>
  /** Something was written. */
  isUsed(): boolean
  /**
   * Tells people that not everything was taken. A reader that has seen enough is no error; where
   * the disk is full, say, the exit status is 1.
   */
  settle(command: Command): void
}

export function createOutput(stream: Writable): Output {
  let failure: string | undefined
  let used = false
  // oclif's own listener throws, with a stack, whatever is not a reader that went.
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
