// Writes the output of commands to a pipe or a file that may fail.
import { Errors, type Command } from '@oclif/core'
import type { Writable } from 'node:stream'

// Makes text from users safe to print on a terminal.

/**
 * Matches characters that control a terminal, are invisible or change the order of text: control and format characters (escape sequences,
 * bidirectional overrides, zero-width characters), line separators and lone surrogates.
 */
const ACTED_ON = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** Escapes characters that a terminal would act on, for example as `\u202e`. */
export function shownText(text: string): string {
  return text.replace(ACTED_ON, escapeCharacter)
}

export function shownLines(text: string): string {
  return text.split('\n').map(shownText).join('\n')
}

/**
 * Returns one line of JSON that is safe for a terminal, even if the line is displayed later. `JSON.stringify` escapes only the characters
 * below U+0020; the additional escapes do not change the parsed value.
 */
export function jsonLine(value: object): string {
  return shownText(JSON.stringify(value))
}

function escapeCharacter(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}

/** Standard output; its reader may close the pipe at any time (`| head -1`), and its disk may be full. */
export type Output = {
  /** Resolves with `false` if writing failed, for example because the reader has closed the pipe. */
  write(text: string): Promise<boolean>
  isUsed(): boolean
  /** Reports a failed write. The exit status is 1, unless the reader has closed the pipe. */
  settle(command: Command): void
}

export function createOutput(stream: Writable): Output {
  let failure: string | undefined
  let used = false
  // Replaces oclif's error listener, which would rethrow most errors and thereby print a stack trace.
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
      command.logToStderr(unwritable(failure))
      throw new Errors.ExitError(1)
    },
  }
}

/** Writes a line as the whole output of a command, and reports if it could not be written. */
export async function printText(command: Command, text: string): Promise<void> {
  const output = createOutput(process.stdout)
  await output.write(`${text}\n`)
  output.settle(command)
}

function unwritable(failure: string): string {
  return `Standard output cannot be written (${failure}), but the command has completed.`
}

/**
 * Reports the first failed write to standard output of a command that does not use `createOutput`, such as help or version; the exit status
 * is then 1. Standard error contains only notes, so a failed write to standard error does not change the exit status.
 */
export function watchStandardStreams({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'>): void {
  let isReported = false
  // These listeners replace oclif's error listeners, which would rethrow most errors and thereby print a stack trace.
  for (const stream of [stdout, stderr]) stream.removeAllListeners('error')
  stderr.on('error', () => undefined)
  stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE' || isReported) return
    isReported = true
    process.exitCode = 1
    stderr.write(`${unwritable(code ?? message)}\n`)
  })
}
