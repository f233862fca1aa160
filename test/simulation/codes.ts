import type { OneTimeCodes } from '../../src/ports/one-time-codes.js'
import type { Code } from '../model/limits.js'
import type { Scene } from './clients.js'
import { ownerOf, type Draw } from './made-up.js'

const STEP = 30_000
export const stepAt = (time: number) => Math.floor(time / STEP)

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
      const now = stepAt(at)
      return [now, now - 1, now + 1].find((step) => digits(secret, step) === code) as never
    },
  }
}

/** Notes the first two codes. Their letters stand for the number of the operation that has made them. */
export function keepCodes({ recovery }: Scene, codes: readonly string[]): void {
  const maker = (text: string) =>
    text.slice(0, text.indexOf('Z')).replace(/[A-J]/g, (letter) => String('ABCDEFGHIJ'.indexOf(letter)))
  const known = codes.slice(0, 2).map((text, index) => ({ text, name: `${maker(text)} ${index + 1}` }))
  recovery.push(...known)
}

/** A code that the owner types, mostly the next unused code of the newest secret; `meaning` is its form in the model. */
export function codeOf(scene: Scene, number: number): { text: string; meaning: Code } {
  const { recovery } = scene
  const code = recovery[(number >> 2) % Math.max(1, recovery.length)]
  if (number % 4 === 3 && code) return { text: code.text, meaning: { recovery: code.name } }
  return oneTimeOf(scene, number)
}

/** The first code of a secret is typed late, so that two more codes are right at the same time. */
export function oneTimeOf({ secrets, time, lastStep }: Scene, number: number) {
  const secret = secrets.at(number % 7 === 6 ? -2 : -1) ?? '0.0'
  const now = stepAt(time())
  const last = lastStep.get(secret) ?? now - 2
  const step = number % 5 === 4 ? now : Math.min(now + 1, Math.max(now - 1, last + 1))
  lastStep.set(secret, step)
  return { text: digits(secret, step), meaning: { secret: ownerOf(secret), step } }
}
