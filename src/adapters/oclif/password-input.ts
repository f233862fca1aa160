// Reads a password from a terminal or from standard input.
import type { Command } from '@oclif/core'
import { createInterface } from 'node:readline'
import { Writable, type Readable } from 'node:stream'
import { UsageError } from './command-context.js'

/** Maximum number of bytes read from standard input; an acceptable password never needs more. */
const STDIN_MAX = 64 * 1024

/**
 * Returns the password from the argument, standard input or a hidden prompt; returns `undefined` if none was given and the convenience
 * default applies. Rejects with a `UsageError` if two passwords were given, or if standard input is empty or has two lines.
 */
export async function readPassword(
  command: Command,
  positional: string | undefined,
  fromStdin: boolean,
): Promise<string | undefined> {
  if (fromStdin && positional !== undefined)
    throw new UsageError('Give the password either as an argument or with --password-stdin, not both.')
  if (fromStdin) return await readStdin(process.stdin)
  if (positional !== undefined) {
    command.warn('The password is now in the history of your shell and was visible in the list of processes.')
    return positional
  }
  return process.stdin.isTTY ? await askTwice() : undefined
}

async function readStdin(input: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > STDIN_MAX) throw new UsageError('Standard input is too long for a password.')
  }
  const text = decode(Buffer.concat(chunks)).replace(/\r?\n$/, '')
  if (text === '') throw new UsageError('Standard input contains no password.')
  if (/[\r\n]/.test(text)) throw new UsageError('Standard input contains more than one line.')
  return text
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError('Standard input is not UTF-8.')
  }
}

async function askTwice(): Promise<string | undefined> {
  const prompt = openHiddenPrompt()
  try {
    const first = await prompt.ask('Password: ')
    if (first === '') return undefined
    if (first === (await prompt.ask('Password, again: '))) return first
  } finally {
    prompt.close()
  }
  throw new UsageError('The two passwords differ.')
}

/** A prompt that hides typed text, including text typed between questions, until the prompt is closed. */
type HiddenPrompt = {
  /** Reads one line, which may have been typed before the question; rejects with a `UsageError` after Ctrl-C or Ctrl-D. */
  ask(question: string): Promise<string>
  close(): void
}

function openHiddenPrompt(): HiddenPrompt {
  const silence = new Writable({
    write: (_chunk, _encoding, done) => done(),
  })
  // `createInterface` turns off the terminal's echo, before the question is printed.
  const lines = createInterface({ input: process.stdin, output: silence, terminal: true, historySize: 0 })
  lines.on('SIGINT', () => lines.close())
  const typed = lines[Symbol.asyncIterator]()
  return {
    async ask(question) {
      process.stderr.write(question)
      const line = await typed.next()
      process.stderr.write('\n')
      if (line.done === true) throw new UsageError('Nothing was entered.')
      return line.value
    },
    close: () => lines.close(),
  }
}
