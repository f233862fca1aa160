import { inspect } from 'node:util'
import { expect } from 'chai'
import { ANONYMOUS, OPERATOR, type Caller, type Identity } from '../../../src/domain/access/caller.js'
import { freshLoginRequired, missingProofs } from '../../../src/domain/access/step-up.js'
import { ACTOR, ADA, AT, SESSION_ID } from '../../support/logins.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

const login = (proved?: Identity['proved'], more: Partial<Identity> = {}): Identity => ({
  ...{ kind: 'account', accountId: ADA.id, email: ADA.email, roles: [], sessionId: SESSION_ID },
  ...(proved && { proved }),
  ...more,
})
const withFactor = (factorAt: number) => login({ at: AT, factorAt }, { factor: true, factorSince: AT - HOUR })

describe('the proofs that a login lacks for a condition', () => {
  it('are an empty list if the password was entered recently enough', () => {
    const fresh = { fresh: 10 * MINUTE }
    expect(missingProofs(login({ at: AT }), fresh, AT)).to.deep.equal([])
    expect(missingProofs(login({ at: AT }), fresh, AT + 10 * MINUTE)).to.deep.equal([])
    expect(missingProofs(login({ at: AT }), fresh, AT + 10 * MINUTE + 1)).to.deep.equal(['password'])
    expect(missingProofs(login(), fresh, AT)).to.deep.equal(['password'])
  })

  it('include the password if the clock was set back by more than the maximum age', () => {
    expect(missingProofs(login({ at: AT }), { fresh: 10 * MINUTE }, AT - HOUR)).to.deep.equal(['password'])
  })

  it('include a code if the login used no second factor, or if its code is too old', () => {
    expect(missingProofs(withFactor(AT), { factor: true }, AT + HOUR)).to.deep.equal([])
    expect(missingProofs(withFactor(AT), { factor: 5 * MINUTE }, AT + 5 * MINUTE)).to.deep.equal([])
    expect(missingProofs(withFactor(AT), { factor: 5 * MINUTE }, AT + HOUR)).to.deep.equal(['code'])
    expect(missingProofs(login({ at: AT }), { factor: true }, AT)).to.deep.equal(['code'])
    const removed = login({ at: AT, factorAt: AT })
    expect(missingProofs(removed, { factor: true }, AT)).to.deep.equal(['code'])
  })

  it('have separate maximum ages for the password and the code', () => {
    const both = { fresh: HOUR, factor: 5 * MINUTE }
    expect(missingProofs(withFactor(AT + HOUR), both, AT + HOUR + MINUTE)).to.deep.equal(['password'])
    expect(missingProofs(withFactor(AT), both, AT + HOUR)).to.deep.equal(['code'])
    expect(missingProofs(withFactor(AT), both, AT + 2 * HOUR)).to.deep.equal(['password', 'code'])
  })

  it('are undefined for a caller without a login', () => {
    const { sessionId: _, ...basic } = login({ at: AT })
    const key: Caller = { kind: 'api-key', apiKeyId: 3, roles: [] }
    for (const caller of [ANONYMOUS, OPERATOR, key, basic, login({ at: AT }, { actor: ACTOR })])
      expect(missingProofs(caller, { fresh: HOUR }, AT)).to.equal(undefined)
  })
})

describe('the fields of a refusal that requires a fresh login', () => {
  for (const [hasFactor, hasPassword, hasPasskeys, missing, expected] of [
    [true, true, false, ['code'], ['code']],
    [true, true, true, ['password', 'code'], ['password', 'code', 'passkey']],
    [undefined, undefined, true, ['code'], ['code', 'passkey']],
    [true, false, true, ['code'], ['passkey']],
    [true, false, false, ['code'], ['']],
    [false, true, true, ['password'], ['password', 'passkey']],
    [false, true, true, ['code'], ['code']],
    [false, true, true, ['password', 'code'], ['password', 'code']],
    [false, false, true, ['password'], ['passkey']],
    [false, false, true, ['password', 'code'], ['code']],
  ] as const)
    it(`are ${expected.join(', ') || 'an empty list'}: ${inspect({ missing, hasFactor, hasPassword, hasPasskeys })}`, () => {
      const { messages } = freshLoginRequired(missing, { hasFactor, hasPassword, hasPasskeys }, 'this change')
      expect(messages.map(({ field }) => field)).to.deep.equal(expected)
    })
})
