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

/** Refreshed twice, the second time at noon. */
function refreshed(grace: number): LoginRecord {
  const next = { pairId: CURRENT ?? ('' as PairId), kid: 'kid', issuedAt: NOON }
  const request = loginRotation('login', { from: PREVIOUS ?? ('' as PairId), next, grace })
  return { until: request.until, pairs: pairsAfter(request) }
}

/** What a token is while the window is open, after it, and where there is none. */
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

describe('what a refresh is to a login without a session', () => {
  for (const [token, expected] of Object.entries(TABLE)) {
    it(`is told by the ${token} token`, () => {
      const from = TOKENS[token] ?? expect.fail(token)
      const judged = (grace: number, at: number) =>
        decideLoginRotation(refreshed(grace), loginRotation('login', { from, at, grace })).kind
      expect([judged(GRACE, NOON + GRACE - 1), judged(GRACE, NOON + GRACE)]).to.deep.equal(
        expected.slice(0, 2),
      )
      for (const at of [NOON - GRACE, NOON - 1, NOON, NOON + 1]) expect(judged(0, at)).to.equal(expected[2])
    })
  }

  it('is a replay by any spent token where there is no grace now, though a window was opened', () => {
    const judged = (grace: number) => {
      const request = loginRotation('login', { from: PREVIOUS ?? ('' as PairId), at: NOON + 1, grace })
      return decideLoginRotation(refreshed(GRACE), request).kind
    }
    expect([judged(1), judged(0)]).to.deep.equal(['superseded', 'replayed'])
  })

  it('is the first one where nothing is stored, or only what is over', () => {
    const request = loginRotation('login')
    const first = { kind: 'rotated', pairs: pairsAfter(request) }
    expect(decideLoginRotation(undefined, request)).to.deep.equal(first)
    for (const over of [{ until: NOON }, { ...refreshed(GRACE), until: NOON }])
      expect(decideLoginRotation(over, request)).to.deep.equal(first)
  })

  it('is nothing where the login is revoked, whatever the token', () => {
    for (const from of Object.values(TOKENS))
      expect(
        decideLoginRotation({ until: NOON + 1 }, loginRotation('login', from && { from })),
      ).to.deep.equal({
        kind: 'revoked',
      })
  })
})
