import { expect } from 'chai'
import fc from 'fast-check'
import {
  decideRotation,
  type Rotation,
  type RotationRequest,
  decideLoginRotation,
  pairsAfter,
  type LoginRecord,
  type LoginRotation,
} from '../../../src/domain/identity/rotation.js'
import type { KeyDigest, PairId, Session } from '../../../src/domain/identity/session.js'
import {
  generation,
  NOON,
  rotation,
  session,
  loginRotation,
} from '../../support/several-processes/samples.js'

const GRACE = 10_000
const [OLDER, PREVIOUS, CURRENT] = [1, 2, 3].map((number) => generation('one', number))

/** A session that was refreshed twice, the second time at noon. */
function refreshedTwice(grace: number): Session {
  const first = session('one', 1 as never)
  const second = rotatedBy(first, { ...rotation('one', 1), at: NOON - 60_000, grace })
  return rotatedBy(second, { ...rotation('one', 2), at: NOON, grace })
}

function rotatedBy(before: Session, request: RotationRequest): Session {
  const decision = decideRotation(before, request)
  if (decision.kind !== 'rotated') expect.fail(decision.kind)
  return decision.session
}

const TOKENS = { current: CURRENT, previous: PREVIOUS, older: OLDER }
const KEYS = { ...TOKENS, none: undefined }

/** The decision for each token and key while the grace window is open, after the window, and without a window. */
const TABLE: Readonly<
  Record<keyof typeof TOKENS, Readonly<Record<keyof typeof KEYS, readonly Rotation['kind'][]>>>
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

describe('the kind of a refresh decision', () => {
  for (const [token, row] of Object.entries(TABLE)) {
    for (const [key, expected] of Object.entries(row)) {
      it(`depends on the token (${token}) and the key (${key})`, () => {
        const from = TOKENS[token as keyof typeof TOKENS]!.pairId
        const keyDigest = KEYS[key as keyof typeof KEYS]?.keyDigest
        const judged = (grace: number, at: number) =>
          decideRotation(refreshedTwice(grace), { ...rotation('one', 3), from, keyDigest, at, grace }).kind
        expect([judged(GRACE, NOON + GRACE - 1), judged(GRACE, NOON + GRACE)]).to.deep.equal(
          expected.slice(0, 2),
        )
        // The result does not depend on the clock of the process.
        for (const at of [NOON - GRACE, NOON - 1, NOON, NOON + 1]) expect(judged(0, at)).to.equal(expected[2])
      })
    }
  }
})

/** Uses only a few numbers, so that tokens and keys often match. */
const numbers = fc.integer({ min: 1, max: 6 })
const grace = fc.constantFrom(0, 1, GRACE)
const requests: fc.Arbitrary<RotationRequest> = fc.record({
  sessionId: fc.constant(session('one', 1 as never).id),
  from: numbers.map((number) => generation('one', number).pairId),
  keyDigest: fc.option(
    numbers.map((number) => generation('one', number).keyDigest),
    { nil: undefined },
  ),
  at: fc.integer({ min: NOON - 2, max: NOON + GRACE + 2 }),
  grace,
  next: fc
    .record({ number: numbers, ends: fc.integer({ min: NOON, max: NOON + GRACE }) })
    .map(({ number, ends }) => ({ ...generation('one', number), idleEndsAt: ends })),
})
const sessions: fc.Arbitrary<Session> = fc
  .record({
    number: numbers,
    last: fc.option(numbers),
    until: fc.integer({ min: NOON - 1, max: NOON + GRACE }),
  })
  .map(({ number, last, until }) => {
    const { pairId, keyDigest } = generation('one', last ?? 0)
    const one = {
      ...session('one', 1 as never),
      current: generation('one', number),
      endsAt: NOON + GRACE + 1,
    }
    return last === null ? one : { ...one, previous: { pairId, keyDigest, until } }
  })

describe('the decision about a refresh', () => {
  /** Checks the decision for any session and any request. */
  const always = (holds: (decision: Rotation, before: Session, request: RotationRequest) => void) => {
    fc.assert(
      fc.property(sessions, requests, (before, request) => {
        const copies = structuredClone([before, request])
        holds(decideRotation(before, request), before, request)
        expect([before, request]).to.deep.equal(copies)
      }),
      { numRuns: 2_000 },
    )
  }

  it('is "unknown" only if there is no session or the session has ended', () => {
    always(({ kind }, before, request) => {
      const isOver = request.at >= before.endsAt || request.at >= before.current.idleEndsAt
      expect(kind === 'unknown').to.equal(isOver)
      expect(decideRotation(undefined, request)).to.deep.equal({ kind: 'unknown' })
    })
  })

  it('is "rotated" only for the current token pair, and changes only the current and previous pair', () => {
    always((decision, before, { from, at, grace, next }) => {
      if (decision.kind !== 'rotated') return
      const { pairId, keyDigest } = before.current
      expect(from).to.equal(pairId)
      const previous = { pairId, keyDigest, until: grace === 0 ? 0 : at + grace }
      expect(decision.session).to.deep.equal({ ...before, current: next, previous })
      // A copy, because changing the request must not change the session.
      expect(decision.session.current).not.to.equal(next)
    })
  })

  it('returns the unchanged session for a superseded pair', () => {
    always((decision, before, { from }) => {
      if (decision.kind !== 'superseded') return
      expect(decision.session).to.equal(before)
      expect(from).not.to.equal(before.current.pairId)
    })
  })

  it('never ends a session because of a confirmation, even if the request presents a pair that is no longer current', () => {
    always((_, before, request) => {
      const decision = decideRotation(before, { ...request, confirmation: { proved: { at: request.at } } })
      expect(decision.kind).not.to.equal('replayed')
      if (decision.kind === 'superseded') expect(decision.session).to.equal(before)
    })
  })

  it('returns no session if the request has no key or an unknown key', () => {
    always((decision, before, request) => {
      const good = [before.current.keyDigest, before.previous?.keyDigest]
      const none = decideRotation(before, { ...request, keyDigest: undefined })
      const other = decideRotation(before, { ...request, keyDigest: 'other' as KeyDigest })
      expect([none, other].every((one) => !('session' in one))).to.equal(true)
      if ('session' in decision) expect(good).to.include(request.keyDigest)
    })
  })

  it('ends a session for every unknown pair without the key, but never for its current pair', () => {
    always((_, before, request) => {
      const current = decideRotation(before, { ...request, from: before.current.pairId })
      expect(current.kind).not.to.be.oneOf(['replayed', 'superseded'])
      const stranger = { ...request, from: 'other' as PairId, keyDigest: undefined }
      expect(decideRotation(before, stranger).kind).to.be.oneOf(['replayed', 'unknown'])
    })
  })

  it('ends the session if a token pair is reused and there is no grace window', () => {
    always(({ kind }, before, { from, grace }) => {
      if (grace > 0 || from === before.current.pairId) return
      expect(kind).to.be.oneOf(['replayed', 'unknown'])
    })
  })
})

const [OLDER_ID, PREVIOUS_ID, CURRENT_ID] = ['older', 'previous', 'current'] as unknown as readonly PairId[]

/** A login that was refreshed twice, the second time at noon. */
function refreshed(grace: number): LoginRecord {
  const next = { pairId: CURRENT_ID ?? ('' as PairId), kid: 'kid', issuedAt: NOON }
  const request = loginRotation('login', { from: PREVIOUS_ID ?? ('' as PairId), next, grace })
  return { until: request.until, pairs: pairsAfter(request) }
}

/** The decision for a token while the grace window is open, after the window, and without a window. */
const PAIR_TABLE: Readonly<Record<string, readonly LoginRotation['kind'][]>> = {
  current: ['rotated', 'rotated', 'rotated'],
  previous: ['superseded', 'replayed', 'replayed'],
  older: ['replayed', 'replayed', 'replayed'],
}
const PAIR_IDS: Readonly<Record<string, PairId | undefined>> = {
  current: CURRENT_ID,
  previous: PREVIOUS_ID,
  older: OLDER_ID,
}

describe('the decision about a stateless refresh', () => {
  for (const [token, expected] of Object.entries(PAIR_TABLE)) {
    it(`depends on the token: ${token}`, () => {
      const from = PAIR_IDS[token] ?? expect.fail(token)
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
      const request = loginRotation('login', { from: PREVIOUS_ID ?? ('' as PairId), at: NOON + 1, grace })
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
    for (const from of Object.values(PAIR_IDS))
      expect(
        decideLoginRotation({ until: NOON + 1 }, loginRotation('login', from && { from })),
      ).to.deep.equal({ kind: 'revoked' })
  })
})
