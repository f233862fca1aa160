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
import { OPERATOR, type Identity } from '../../../../src/domain/access/caller.js'
import { createAuthorize } from '../../../../src/application/access/authorize.js'
import { anActor } from '../../../../src/contracts/samples.js'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { factorHolder } from '../../../support/factor.js'
import { oneTimeCode } from '../../../support/one-time-code.js'
import { composeUseCases, PASSWORD as SET, presentedBy, type Composed } from '../../../support/use-cases.js'

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

/** Without a session and without revocations an access token is valid until it expires. */
describe('a second factor and an access token that is older than the password', () => {
  const NEW = 'the stable door is open'
  const setNew = ({ useCases }: Composed) =>
    useCases.setPassword({ caller: OPERATOR, email: 'ada@example.com', password: NEW })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('sets nothing up and confirms nothing', async () => {
    const kennel = await composeUseCases({ mode: 'stateless' })
    await kennel.account('ada@example.com')
    const presented = presentedBy(await kennel.login('ada@example.com'))
    const { secret } = await kennel.useCases.setUpSecondFactor({ password: SET, presented })
    await setNew(kennel)
    const code = oneTimeCode(secret, kennel.clock.now)
    expect(await codeOf(kennel.useCases.confirmSecondFactor({ code, presented }))).to.equal('invalid-token')
    for (const password of [SET, NEW])
      expect(await codeOf(kennel.useCases.setUpSecondFactor({ password, presented }))).to.equal(
        'invalid-token',
      )
  })

  it('removes nothing, and spends no code', async () => {
    const kennel = await composeUseCases({ mode: 'stateless' })
    const holder = await factorHolder(kennel, 'ada@example.com')
    const presented = presentedBy(holder.issued)
    await setNew(kennel)
    const code = holder.code(1)
    const removed = kennel.useCases.removeSecondFactor({ password: NEW, code, presented })
    expect(await codeOf(removed)).to.equal('invalid-token')
    const login = kennel.useCases.login({ email: 'ada@example.com', password: NEW, code, presented: {} })
    expect((await login).identity.email).to.equal('ada@example.com')
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
