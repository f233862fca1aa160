import { expect } from 'chai'
import { assertOwnProof, givenProof } from '../../../../src/application/identity/second-factor/own-proof.js'
import type { SecondFactor } from '../../../../src/domain/identity/second-factor.js'
import { ADA } from '../../../support/logins.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { ACTIVE, CALLER, CLIENT, fakedParts, PASSWORD, PENDING } from '../faked-parts.js'

describe('proof of the password and a second-factor code', () => {
  const entry = { event: 'factor.remove', caller: CALLER, subject: ADA.id, client: CLIENT }

  const judge = async (password: string, factor: SecondFactor | undefined, isRight: boolean) => {
    const judged: string[] = []
    const { parts, entries } = fakedParts(factor)
    const proof = assertOwnProof(
      parts,
      await givenProof(parts, { caller: CALLER, client: CLIENT, password, code: '1' }),
      {
        event: 'factor.remove',
        prove: async (one) => {
          judged.push(one)
          return isRight ? 1 : undefined
        },
      },
    )
    const outcome = await proof.catch(() => wordsOf(proof))
    return [outcome, judged.length, entries.length] as const
  }

  it('reports all missing fields', async () => {
    const own = { caller: CALLER, client: CLIENT }
    for (const none of [undefined, ''])
      expect(await wordsOf(givenProof(fakedParts().parts, { ...own, password: none, code: none }))).to.equal(
        'invalid | password Required: required | code Required: required',
      )
  })

  it('checks the code only if the password is correct and a factor is active, and audits every failure', async () => {
    const conflict = 'conflict | Conflict: No second factor is active.'
    const wrong = (field: string) => `invalid | ${field} NotValid: not-valid`
    for (const [password, factor, isRight, outcome, judged, audited] of [
      [PASSWORD, ACTIVE, true, entry, 1, 0],
      [PASSWORD, ACTIVE, false, wrong('code'), 1, 1],
      ['wrong', ACTIVE, true, wrong('password'), 0, 1],
      ['wrong', undefined, true, wrong('password'), 0, 1],
      [PASSWORD, PENDING, true, conflict, 0, 0],
      [PASSWORD, undefined, true, conflict, 0, 0],
    ] as const)
      expect(await judge(password, factor, isRight)).to.deep.equal([outcome, judged, audited])
  })
})
