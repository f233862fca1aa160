import { expect } from 'chai'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import type { SecondFactor } from '../../../../src/domain/identity/second-factor.js'
import type { SecondFactors } from '../../../../src/ports/second-factors.js'
import { operations, type PartsOf } from '../../../../src/application/index.js'
import { ADA, AT } from '../../../support/logins.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../../support/use-cases.js'
import {
  fakedParts,
  PASSWORD as RIGHT,
  ACTIVE,
  CALLER,
  CLIENT,
  CODE,
  PENDING,
  type FakedParts,
} from '../faked-parts.js'

describe('setting up a second factor', () => {
  it('returns a new secret for each call, and stores the latest secret in sealed form', async () => {
    const kennel = await composeUseCases()
    const id = (await kennel.account('ada@example.com')) as AccountId
    const presented = presentedBy(await kennel.login('ada@example.com'))
    const setUp = () => kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented })
    const [first, second] = [await setUp(), await setUp()]
    expect(first.secret).not.to.equal(second.secret)
    const { sealedSecret } = (await kennel.store.secondFactors.find(id)) ?? expect.fail('nothing is kept')
    expect(sealedSecret).not.to.include(second.secret)
    const opened = await kennel.credentials.secretSeal.open(sealedSecret, id)
    expect(opened).to.deep.equal({ secret: second.secret, isCurrent: true })
  })
})

describe('setting up a second factor, with fakes', () => {
  const setUp = (begun: Awaited<ReturnType<SecondFactors['begin']>> = 'begun') => {
    const { parts } = fakedParts()
    const secondFactors = { ...parts.secondFactors, begin: async () => begun }
    const settingUp = operations.setUpSecondFactor.factory({ ...parts, secondFactors })
    return settingUp({ password: RIGHT, presented: {} })
  }

  it('is rejected if a factor is active or the account was deleted', async () => {
    expect(await setUp()).to.deep.equal({ secret: 'SECRET', uri: 'uri', qrCode: 'qr' })
    expect(await wordsOf(setUp('active'))).to.equal(
      'conflict | Conflict: A second factor is active: remove it first.',
    )
    expect(await wordsOf(setUp('unknown-account'))).to.match(
      /^invalid-token .*\(the account no longer exists\)$/,
    )
  })
})

describe('confirming a second factor', () => {})

describe('confirming a second factor, with fakes', () => {
  const NOW = AT + 3_600_000
  const confirm = (
    change: (parts: FakedParts['parts']) => Partial<PartsOf<'confirmSecondFactor'>> = () => ({}),
    { factor = PENDING, code = CODE }: { factor?: SecondFactor | null; code?: unknown } = {},
  ) => {
    const faked = fakedParts(factor ?? undefined)
    const parts = { ...faked.parts, ...change(faked.parts) }
    const confirmed = operations.confirmSecondFactor.factory(parts)({ code, presented: { client: CLIENT } })
    return { ...faked, confirmed }
  }

  it('returns a new login and recovery codes, and counts wrong codes', async () => {
    const { confirmed, attempts, replaced } = confirm()
    const { issued, recoveryCodes } = await confirmed
    expect([issued, recoveryCodes[0]]).to.deep.equal([{ accessToken: 'next' }, 'ABCD-EFGH-IJKL-MNOP'])
    expect(attempts).to.deep.equal([[ADA.email, CLIENT]])
    const next = { account: ADA, endsAt: CALLER.endsAt, factor: AT, client: CLIENT }
    expect(replaced).to.deep.equal([[CALLER, next]])
    expect(await wordsOf(confirm(undefined, { code: '12345x' }).confirmed)).to.equal(
      'invalid | code NotValid: not-valid',
    )
  })

  it('is rejected if no factor has been set up within the last hour', async () => {
    await confirm(() => ({ clock: () => NOW - 1 })).confirmed
    for (const late of [confirm(() => ({ clock: () => NOW })), confirm(undefined, { factor: null })])
      expect(await wordsOf(late.confirmed)).to.equal('conflict | Conflict: Set up a second factor first.')
  })

  it('is rejected if a factor is active, or if another setup has been started in the meantime', async () => {
    expect(await wordsOf(confirm(undefined, { factor: ACTIVE }).confirmed)).to.equal(
      'conflict | Conflict: A second factor is already active.',
    )
    const { confirmed, entries } = confirm(({ secondFactors }) => ({
      secondFactors: { ...secondFactors, activate: async () => 'changed' },
    }))
    expect(await wordsOf(confirmed)).to.equal(
      'conflict | Conflict: Another request has confirmed this second factor or set up a new one.',
    )
    expect(entries).to.deep.equal([])
  })
})
