import type { Command } from '@oclif/core'
import { Refusal } from '../../../domain/refusal.js'
import { shownText } from '../terminal-text.js'

/**
 * The specification's fallback where no password was given: a word that is easily guessed, so it
 * is said loudly, and refused in production.
 */
export function conveniencePassword(command: Command, production: boolean, fallback: string): string {
  if (production) {
    throw new Refusal('invalid', [
      {
        field: 'password',
        type: 'Required',
        message: 'A password is required in production; use --password-stdin.',
      },
    ])
  }
  command.warn(
    `No password was given: it is now "${shownText(fallback)}", which anybody can guess. Not for real accounts.`,
  )
  return fallback
}
