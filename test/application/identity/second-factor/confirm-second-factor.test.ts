import { operations, type PartsOf } from '../../../../src/application/index.js'
import type { SecondFactor } from '../../../../src/domain/identity/second-factor.js'
import { ADA, AT } from '../../../support/logins.js'
import {
  ACTIVE,
  CALLER,
  CLIENT,
  CODE,
  fakedFactorParts,
  PENDING,
  type FactorParts,
} from './faked-factor-parts.js'
import { expect } from 'chai'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import { factorHolder } from '../../../support/factor.js'
import { oneTimeCode } from '../../../support/one-time-code.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'

describe('confirming a second factor', () => {
  it('gives ten recovery codes, and a login with the factor that keeps the previous end', async () => {
    const kennel = await composeUseCases()
    const { id, issued, recoveryCodes } = await factorHolder(kennel, 'ada@example.com')
    expect(new Set(recoveryCodes).size).to.equal(10)
    expect(issued.identity.factor).to.equal(true)
    expect(issued.identity.endsAt).to.equal(issued.endsAt)
    expect(await kennel.useCases.getIdentity(presentedBy(issued))).to.deep.equal(issued.identity)
    const found = await kennel.store.secondFactors.find(id)
    expect([found?.activeSince, found?.recoveryLeft]).to.deep.equal([kennel.clock.now, 10])
  })

  it('gives a login that keeps its network', async () => {
    const kennel = await composeUseCases({ mode: 'stateful' })
    const id = (await kennel.account('ada@example.com')) as AccountId
    const presented = {
      ...presentedBy(await kennel.login('ada@example.com')),
      client: { address: '192.0.2.1' },
    }
    const { secret } = await kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented })
    await kennel.useCases.confirmSecondFactor({ code: oneTimeCode(secret, kennel.clock.now), presented })
    const [session] = await kennel.store.sessions.pageOf({ accountId: id, limit: 10, at: kennel.clock.now })
    expect(session?.openedBy).to.deep.equal({ network: '192.0.2.1' })
  })

  it('in plain stateless mode leaves earlier tokens valid, without the factor', async () => {
    const kennel = await composeUseCases({ mode: 'stateless' })
    await kennel.account('ada@example.com')
    const before = await kennel.login('ada@example.com')
    const holder = await factorHolder(kennel, 'bob@example.com')
    expect((await kennel.useCases.getIdentity(presentedBy(before))).factor).to.equal(undefined)
    expect((await kennel.useCases.getIdentity(presentedBy(holder.issued))).factor).to.equal(true)
  })
})

describe('confirming a second factor, with faked parts', () => {
  const NOW = AT + 3_600_000
  const confirm = (
    change: (parts: FactorParts) => Partial<PartsOf<'confirmSecondFactor'>> = () => ({}),
    { factor = PENDING, code = CODE }: { factor?: SecondFactor | null; code?: unknown } = {},
  ) => {
    const faked = fakedFactorParts(factor ?? undefined)
    const parts = { ...faked.parts, ...change(faked.parts) }
    const confirmed = operations.confirmSecondFactor.factory(parts)({ code, presented: { client: CLIENT } })
    return { ...faked, confirmed }
  }
  const entry = { event: 'factor.set', caller: CALLER, subject: ADA.id, client: CLIENT }

  it('is audited, and the account gets a notice', async () => {
    const { confirmed, entries, notices, attempts } = confirm()
    expect((await confirmed).recoveryCodes[0]).to.equal('ABCD-EFGH-IJKL-MNOP')
    expect(entries).to.deep.equal([entry])
    expect(notices).to.deep.equal([['factor', { email: ADA.email, client: CLIENT, about: 'added' }]])
    expect(attempts).to.deep.equal([[ADA.email, CLIENT]])
  })

  it('needs no notices', async () => {
    expect((await confirm(() => ({ notices: undefined })).confirmed).issued).to.deep.equal({
      accessToken: 'next',
    })
  })

  it('is refused with a wrong code, which is audited', async () => {
    const { confirmed, entries, notices } = confirm(undefined, { code: '654321' })
    expect(await wordsOf(confirmed)).to.equal('invalid | code NotValid: not-valid')
    expect(entries).to.deep.equal([{ ...entry, outcome: 'failure' }])
    expect(notices).to.deep.equal([])
    expect(await wordsOf(confirm(undefined, { code: '' }).confirmed)).to.equal(
      'invalid | code Required: required',
    )
    expect(await wordsOf(confirm(undefined, { code: '12345x' }).confirmed)).to.equal(
      'invalid | code NotValid: not-valid',
    )
  })

  it('is rejected if no factor was set up in the last hour', async () => {
    await confirm(() => ({ clock: () => NOW - 1 })).confirmed
    for (const late of [confirm(() => ({ clock: () => NOW })), confirm(undefined, { factor: null })])
      expect(await wordsOf(late.confirmed)).to.equal('conflict | Conflict: Set up a second factor first.')
  })

  it('is rejected if a factor is active or was set up in the meantime', async () => {
    expect(await wordsOf(confirm(undefined, { factor: ACTIVE }).confirmed)).to.equal(
      'conflict | Conflict: A second factor is active already.',
    )
    const { confirmed, entries } = confirm(({ secondFactors }) => ({
      secondFactors: { ...secondFactors, activate: async () => 'changed' },
    }))
    expect(await wordsOf(confirmed)).to.equal(
      'conflict | Conflict: The second factor was set up anew, or confirmed, meanwhile.',
    )
    expect(entries).to.deep.equal([])
  })
})
