import type { Readable } from 'node:stream'
import { UsageError } from '../command-context.js'
import { openHiddenPrompt, type Terminal } from './hidden-prompt.js'
import type { Command } from '@oclif/core'

export type PasswordInput = { readonly positional: string | undefined; readonly fromStdin: boolean }

/** More than any password that could be accepted. */
const STDIN_MAX = 64 * 1024

/**
 * The password that was given, `undefined` where none was and the convenience default applies.
 * `UsageError` for two at once and for a standard input that is empty or has two lines.
 */
async function readPassword(
  { positional, fromStdin }: PasswordInput,
  terminal: Terminal,
  warn: (message: string) => void,
): Promise<string | undefined> {
  refuseTwoPasswords({ positional, fromStdin })
  if (fromStdin) return await readStdin(terminal.input)
  if (positional !== undefined) {
    warn('The password is now in the history of your shell and was visible in the list of processes.')
    return positional
  }
  return terminal.input.isTTY === true ? await askTwice(terminal) : undefined
}

function refuseTwoPasswords({ positional, fromStdin }: PasswordInput): void {
  if (fromStdin && positional !== undefined) {
    throw new UsageError('Give the password either as an argument or with --password-stdin, not both.')
  }
}

async function readStdin(input: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of input) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
    if (size > STDIN_MAX) throw new UsageError('Standard input holds more than a password.')
  }
  const text = decode(Buffer.concat(chunks)).replace(/\r?\n$/, '')
  if (text === '') throw new UsageError('Standard input holds no password.')
  if (/[\r\n]/.test(text)) throw new UsageError('Standard input holds more than one line.')
  return text
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new UsageError('Standard input is not UTF-8.')
  }
}

async function askTwice(terminal: Terminal): Promise<string | undefined> {
  const prompt = openHiddenPrompt(terminal)
  try {
    const first = await prompt.ask('Password: ')
    if (first === '') return undefined
    if (first === (await prompt.ask('Password, again: '))) return first
  } finally {
    prompt.close()
  }
  throw new UsageError('The two passwords differ.')
}

/** Reads the password of a command from wherever it was given. */
export async function parsePasswordInput(
  command: Command,
  positional: string | undefined,
  fromStdin: boolean,
): Promise<string | undefined> {
  try {
    const terminal = { input: process.stdin, output: process.stderr }
    return await readPassword({ positional, fromStdin }, terminal, (message) => command.warn(message))
  } catch (error) {
    if (error instanceof UsageError) return command.error(error.message, { exit: 2 })
    throw error
  }
}
