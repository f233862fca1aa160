import type { Command } from '@oclif/core'
import { UsageError } from '../command-context.js'
import { readPassword } from './input.js'

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
