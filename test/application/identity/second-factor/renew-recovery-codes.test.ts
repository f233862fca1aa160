import { expect } from 'chai'
import { operations, type PartsOf } from '../../../../src/application/index.js'
import { factorHolder, type FactorHolder } from '../../../support/factor.js'
import { ADA } from '../../../support/logins.js'
import { codeOf, refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../../support/use-cases.js'
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

for (const mode of ['stateful', 'stateless'] as const)
  describe(`new recovery codes in ${mode} mode`, () => {
    let kennel: Composed
    let holder: FactorHolder
    beforeEach(async () => {
      kennel = await composeUseCases({ mode })
      holder = await factorHolder(kennel, 'ada@example.com')
    })

    const renew = (code: string, password = PASSWORD) =>
      kennel.useCases.renewRecoveryCodes({ password, code, presented: presentedBy(holder.issued) })
    const logIn = (code = '') =>
      kennel.useCases.login({ email: holder.email, password: PASSWORD, code, presented: {} })

    it('replace the previous codes, and the login stays valid', async () => {
      const codes = await renew(holder.code(1))
      expect(codes).to.have.length(10)
      expect(codes.filter((code) => holder.recoveryCodes.includes(code))).to.deep.equal([])
      expect(await codeOf(logIn(holder.recoveryCodes[0]))).to.equal('login-failed')
      for (const code of codes) expect((await logIn(code)).identity.accountId).to.equal(holder.id)
      const presented = presentedBy(holder.issued)
      expect((await kennel.useCases.getIdentity(presented)).accountId).to.equal(holder.id)
    })

    it('can be requested with an old recovery code, which becomes invalid like the other old codes', async () => {
      const [code = '', other = ''] = holder.recoveryCodes
      const codes = await renew(code)
      for (const old of [code, other])
        expect((await refusalOf(renew(old))).messages[0]?.field).to.equal('code')
      expect(await renew(codes[0] ?? '')).to.have.length(10)
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
