import { expect } from 'chai'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import type { SecondFactor } from '../../../../src/domain/identity/second-factor.js'
import {
  assertOwnProof,
  givenProof,
} from '../../../../src/application/identity/second-factor/own-second-factor.js'
import { operations, type PartsOf } from '../../../../src/application/index.js'
import { factorHolder } from '../../../support/factor.js'
import { ADA } from '../../../support/logins.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy } from '../../../support/use-cases.js'
import {
  ACTIVE,
  CALLER,
  CLIENT,
  fakedParts,
  PASSWORD,
  PENDING,
  CODE,
  RECOVERY,
  type FakedParts,
} from '../faked-parts.js'

describe('proving the password and a second-factor code', () => {
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

describe('the status of a second factor', () => {
  it('shows whether and since when the factor is active, and how many recovery codes are left', async () => {
    const kennel = await composeUseCases()
    const { issued } = await factorHolder(kennel, 'ada@example.com')
    expect(await kennel.useCases.readSecondFactor(presentedBy(issued))).to.deep.equal({
      ...{ active: true, since: kennel.clock.now, recoveryCodesLeft: 10, required: false },
    })
  })

  it('shows whether a role requires a factor, even if the role has no effect without the factor', async () => {
    const kennel = await composeUseCases({ factorRoles: new Set(['admin' as RoleKey]) })
    await kennel.account('ada@example.com', ['admin'])
    const issued = await kennel.login('ada@example.com')
    expect(issued.identity.roles).to.deep.equal([])
    const status = await kennel.useCases.readSecondFactor(presentedBy(issued))
    expect(status).to.deep.equal({ active: false, recoveryCodesLeft: 0, required: true })
  })
})

describe('removing a second factor, with fakes', () => {
  it('is refused if another call has already removed the factor', async () => {
    const { parts, entries, notices } = fakedParts(ACTIVE)
    const removing = operations.removeSecondFactor.factory({
      ...parts,
      secondFactors: { ...parts.secondFactors, remove: async () => 'unknown' },
      proveFactor: async () => 1,
    })
    const removed = removing({ password: PASSWORD, code: CODE, presented: {} })
    expect(await wordsOf(removed)).to.equal('conflict | Conflict: No second factor is active.')
    expect([...entries, ...notices]).to.deep.equal([])
  })
})

describe('new recovery codes, with fakes', () => {
  const renew = (
    change: (parts: FakedParts['parts']) => Partial<PartsOf<'renewRecoveryCodes'>> = () => ({}),
    fields: object = {},
  ) => {
    const { parts, ...kept } = fakedParts(ACTIVE)
    const renewing = operations.renewRecoveryCodes.factory({ ...parts, ...change(parts) })
    return {
      ...kept,
      renewed: renewing({ password: PASSWORD, code: CODE, presented: { client: CLIENT }, ...fields }),
    }
  }
  const entry = { event: 'factor.renew', caller: CALLER, subject: ADA.id, client: CLIENT }
  const notice = (about: string) => ['factor', { email: ADA.email, client: CLIENT, about }]

  it('cause an audit record and a notice if a recovery code was used to request them', async () => {
    const { renewed, entries, notices } = renew(undefined, { code: RECOVERY })
    await renewed
    expect(entries.map(({ event }) => event)).to.deep.equal(['factor.recovery', 'factor.renew'])
    expect(notices).to.deep.equal([notice('recovery'), notice('renewed')])
  })

  it('are refused if another call has already used the code or removed the factor', async () => {
    const { renewed, entries } = renew(({ secondFactors }) => ({
      secondFactors: { ...secondFactors, renewRecovery: async () => 'spent' },
    }))
    expect(await wordsOf(renewed)).to.equal('invalid | code NotValid: not-valid')
    expect(entries).to.deep.equal([{ ...entry, outcome: 'failure' }])
  })
})
