import type { Account } from '../../../../src/domain/identity/account.js'
import type { Accounts } from '../../../../src/ports/accounts.js'
import { ADA, AT, BOSS } from '../../../support/logins.js'
import { CALLER, CLIENT, fakedFactorParts, PASSWORD } from './faked-factor-parts.js'
import { expect } from 'chai'
import {
  isOwnPassword,
  notValid,
  ownAccount,
  ownLogin,
} from '../../../../src/application/identity/second-factor/own-account.js'
import type { Identity } from '../../../../src/domain/access/caller.js'
import { createAuthorize } from '../../../../src/application/access/authorize.js'
import { anActor } from '../../../../src/contracts/samples.js'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases } from '../../../support/use-cases.js'

describe('what is of the own account alone', () => {
  it('needs a login of one’s own with the permission', async () => {
    const kennel = await composeUseCases()
    await kennel.account('ada@example.com')
    const { identity } = await kennel.login('ada@example.com')
    const authorize = createAuthorize(kennel.permissions)
    const codeOf = async (who: Identity) =>
      (await refusalOf(Promise.resolve().then(() => ownLogin({ authorize }, who)))).code
    expect(ownLogin({ authorize }, identity).accountId).to.equal(identity.accountId)
    const { sessionId: _, ...basic } = identity
    expect(await codeOf(basic)).to.equal('invalid-token')
    const actor = anActor({ id: 2, email: 'bob@example.com', epoch: 1 } as never)
    expect(await codeOf({ ...identity, actor })).to.equal('forbidden')
  })

  it('tells of a wrong password or code in one way', () => {
    for (const field of ['password', 'code'] as const)
      expect(notValid(field).messages).to.deep.equal([{ field, type: 'NotValid', message: 'not-valid' }])
  })
})

describe('the account of a login', () => {
  it('is refused where it is gone, disabled or in another epoch', async () => {
    const find = (account: Account | undefined) =>
      ownAccount({ accounts: { find: async () => account } as unknown as Accounts }, CALLER)
    expect(await find(ADA)).to.equal(ADA)
    for (const account of [undefined, { ...ADA, disabledAt: AT }, { ...ADA, epoch: BOSS.epoch }])
      expect(await wordsOf(find(account))).to.match(
        /^invalid-token .*\(the account is gone, disabled or in another epoch\)$/,
      )
  })

  it('has its passwords counted as its own, from where they came', async () => {
    const { parts, attempts } = fakedFactorParts(undefined)
    const throttled = { ...parts, throttle: parts.codeThrottle }
    for (const password of [PASSWORD, 'wrong'])
      expect(await isOwnPassword(throttled, CALLER, { password, client: CLIENT })).to.equal(
        password === PASSWORD,
      )
    expect(attempts).to.deep.equal([
      [ADA.email, CLIENT],
      [ADA.email, CLIENT],
    ])
  })
})
