import { expect } from 'chai'
import { judgeRotation, rotated, type RotationKind } from '../../../src/domain/identity/rotation.js'
import type { Session } from '../../../src/domain/identity/session.js'
import { generation, NOON, session } from '../../adapters/several-processes/samples.js'

const GRACE = 10_000
const [OLDER, PREVIOUS, CURRENT] = [1, 2, 3].map((number) => generation('one', number))

/** Refreshed twice, the second time at noon. */
function refreshedTwice(grace: number): Session {
  const first = session('one', 1 as never)
  const second = rotated(first, { next: PREVIOUS!, at: NOON - 60_000, grace })
  return rotated(second, { next: CURRENT!, at: NOON, grace })
}

const TOKENS = { current: CURRENT, previous: PREVIOUS, older: OLDER }
const KEYS = { ...TOKENS, none: undefined }

/** What each token is with each key, while the window is open, after it, and where there is none. */
const TABLE: Readonly<
  Record<keyof typeof TOKENS, Readonly<Record<keyof typeof KEYS, readonly RotationKind[]>>>
> = {
  current: {
    current: ['rotated', 'rotated', 'rotated'],
    previous: ['rotated', 'mismatched', 'mismatched'],
    older: ['mismatched', 'mismatched', 'mismatched'],
    none: ['mismatched', 'mismatched', 'mismatched'],
  },
  previous: {
    current: ['superseded', 'superseded', 'replayed'],
    previous: ['superseded', 'replayed', 'replayed'],
    older: ['mismatched', 'replayed', 'replayed'],
    none: ['mismatched', 'replayed', 'replayed'],
  },
  older: {
    current: ['superseded', 'superseded', 'replayed'],
    previous: ['superseded', 'replayed', 'replayed'],
    older: ['replayed', 'replayed', 'replayed'],
    none: ['replayed', 'replayed', 'replayed'],
  },
}

describe('what a refresh is to a session', () => {
  for (const [token, row] of Object.entries(TABLE)) {
    for (const [key, expected] of Object.entries(row)) {
      it(`is told by the ${token} token with the ${key} key`, () => {
        const from = TOKENS[token as keyof typeof TOKENS]!.pairId
        const keyDigest = KEYS[key as keyof typeof KEYS]?.keyDigest
        const judged = (grace: number, at: number) =>
          judgeRotation(refreshedTwice(grace), { from, keyDigest, at, grace })
        expect([judged(GRACE, NOON + GRACE - 1), judged(GRACE, NOON + GRACE)]).to.deep.equal(
          expected.slice(0, 2),
        )
        // Whatever the clock of the process says.
        for (const at of [NOON - GRACE, NOON - 1, NOON, NOON + 1]) expect(judged(0, at)).to.equal(expected[2])
      })
    }
  }
})
