import { expect } from 'chai'
import { operations, type PartsOf } from '../../../../src/application/index.js'
import { factorHolder } from '../../../support/factor.js'
import { ADA } from '../../../support/logins.js'
import { codeOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'
import {
  ACTIVE,
  CALLER,
  CLIENT,
  CODE,
  fakedParts,
  PASSWORD as RIGHT,
  RECOVERY,
  type FakedParts,
} from '../faked-parts.js'

describe('new recovery codes', () => {
  for (const mode of ['stateful', 'stateless'] as const)
    it(`replace the previous codes, and the login stays valid, in ${mode} mode`, async () => {
      const { useCases, ...kennel } = await composeUseCases({ mode })
      const holder = await factorHolder({ useCases, ...kennel }, 'ada@example.com')
      const presented = presentedBy(holder.issued)
      const logIn = (code = '') =>
        useCases.login({ email: holder.email, password: PASSWORD, code, presented: {} })
      const codes = await useCases.renewRecoveryCodes({ password: PASSWORD, code: holder.code(1), presented })
      expect(codes).to.have.length(10)
      expect(codes.filter((code) => holder.recoveryCodes.includes(code))).to.deep.equal([])
      expect(await codeOf(logIn(holder.recoveryCodes[0]))).to.equal('login-failed')
      for (const code of codes) expect((await logIn(code)).identity.accountId).to.equal(holder.id)
      expect((await useCases.getIdentity(presented)).accountId).to.equal(holder.id)
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
      renewed: renewing({ password: RIGHT, code: CODE, presented: { client: CLIENT }, ...fields }),
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
