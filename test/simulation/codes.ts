import type { OneTimeCodes } from '../../src/ports/one-time-codes.js'
import type { Code } from '../model/limits.js'
import type { Scene } from './clients.js'
import { ownerOf, type Draw } from './made-up.js'

const STEP = 30_000

/** Two digits of the operation that has made the secret, and four of the step. */
const digits = (secret: string, step: number) =>
  `${ownerOf(secret).padStart(2, '0')}${String(step % 10_000).padStart(4, '0')}`

export function createCodes(draw: Draw): OneTimeCodes {
  return {
    freshSecret: () => draw() as never,
    freshRecoveryCode: () =>
      draw()
        .replace('.', 'Z')
        .replace(/[0-9]/g, (digit) => 'ABCDEFGHIJ'[+digit] ?? '')
        .padEnd(16, 'Q') as never,
    enrolment: () => ({ uri: '', qrCode: '' }),
    stepOf: (secret, code, at) => {
      const now = Math.floor(at / STEP)
      return [now, now - 1, now + 1].find((step) => digits(secret, step) === code) as never
    },
  }
}

/** A code that the owner types, mostly the current code of the newest secret; `meaning` is its form in the model. */
export function codeOf({ secrets, recovery, time }: Scene, number: number): { text: string; meaning: Code } {
  const code = recovery[(number >> 2) % Math.max(1, recovery.length)]
  if (number % 4 === 3 && code) return { text: code.text, meaning: { recovery: code.name } }
  return oneTimeOf({ secrets, time }, number)
}

export function oneTimeOf({ secrets, time }: Pick<Scene, 'secrets' | 'time'>, number: number) {
  const secret = secrets.at(number % 7 === 6 ? -2 : -1) ?? '0.0'
  const step = Math.floor(time() / STEP) + ((number >> 3) % 5 === 4 ? 1 : 0)
  return { text: digits(secret, step), meaning: { secret: ownerOf(secret), step } }
}
