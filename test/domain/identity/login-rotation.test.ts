import { expect } from 'chai'
import {
  decideLoginRotation,
  pairsAfter,
  type LoginRecord,
  type LoginRotation,
} from '../../../src/domain/identity/login-rotation.js'
import type { PairId } from '../../../src/domain/identity/session.js'
import { loginRotation, NOON } from '../../support/several-processes/samples.js'

const GRACE = 10_000
const [OLDER, PREVIOUS, CURRENT] = ['older', 'previous', 'current'] as unknown as readonly PairId[]

/** A login that was refreshed twice, the second time at noon. */
function refreshed(grace: number): LoginRecord {
  const next = { pairId: CURRENT ?? ('' as PairId), kid: 'kid', issuedAt: NOON }
  const request = loginRotation('login', { from: PREVIOUS ?? ('' as PairId), next, grace })
  return { until: request.until, pairs: pairsAfter(request) }
}

/** The decision for a token while the grace window is open, after the window, and without a window. */
const TABLE: Readonly<Record<string, readonly LoginRotation['kind'][]>> = {
  current: ['rotated', 'rotated', 'rotated'],
  previous: ['superseded', 'replayed', 'replayed'],
  older: ['replayed', 'replayed', 'replayed'],
}
const TOKENS: Readonly<Record<string, PairId | undefined>> = {
  current: CURRENT,
  previous: PREVIOUS,
  older: OLDER,
}

describe('the decision about a stateless refresh', () => {
  for (const [token, expected] of Object.entries(TABLE)) {
    it(`depends on the token: ${token}`, () => {
      const from = TOKENS[token] ?? expect.fail(token)
      const judged = (grace: number, at: number) =>
        decideLoginRotation(refreshed(grace), loginRotation('login', { from, at, grace })).kind
      expect([judged(GRACE, NOON + GRACE - 1), judged(GRACE, NOON + GRACE)]).to.deep.equal(
        expected.slice(0, 2),
      )
      for (const at of [NOON - GRACE, NOON - 1, NOON, NOON + 1]) expect(judged(0, at)).to.equal(expected[2])
    })
  }

  it('treats any used token as a replay if the grace period is now 0, even within an earlier grace window', () => {
    const judged = (grace: number) => {
      const request = loginRotation('login', { from: PREVIOUS ?? ('' as PairId), at: NOON + 1, grace })
      return decideLoginRotation(refreshed(GRACE), request).kind
    }
    expect([judged(1), judged(0)]).to.deep.equal(['superseded', 'replayed'])
  })

  it('is "rotated" if there is no stored record or the record has expired', () => {
    const request = loginRotation('login')
    const first = { kind: 'rotated', pairs: pairsAfter(request) }
    expect(decideLoginRotation(undefined, request)).to.deep.equal(first)
    for (const over of [{ until: NOON }, { ...refreshed(GRACE), until: NOON }])
      expect(decideLoginRotation(over, request)).to.deep.equal(first)
  })

  it('is "revoked" for any token of a revoked login', () => {
    for (const from of Object.values(TOKENS))
      expect(
        decideLoginRotation({ until: NOON + 1 }, loginRotation('login', from && { from })),
      ).to.deep.equal({ kind: 'revoked' })
  })
})
