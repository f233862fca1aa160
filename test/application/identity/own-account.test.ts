import type { Account } from '../../../src/domain/identity/account.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import { ACTOR, ADA, AT, BOSS } from '../../support/logins.js'
import { CALLER, CLIENT, fakedFactorParts, PASSWORD } from './second-factor/faked-factor-parts.js'
import { expect } from 'chai'
import {
  isOwnPassword,
  notValid,
  ownAccount,
  ownLogin,
} from '../../../src/application/identity/own-account.js'
import { OPERATOR, type Identity } from '../../../src/domain/access/caller.js'
import { refuse } from '../../../src/domain/refusal.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'
import { factorHolder } from '../../support/factor.js'
import { oneTimeCode } from '../../support/one-time-code.js'
import { composeUseCases, PASSWORD as SET, presentedBy, type Composed } from '../../support/use-cases.js'

describe('the login of the own account', () => {
  const form = { text: 'a form' }
  const login = (identity: Identity, permitted = true) =>
    ownLogin(
      { authenticate: async () => identity },
      { presented: { client: CLIENT } },
      {
        permit: () => {
          if (!permitted) throw refuse('forbidden', 'Forbidden', 'not permitted')
        },
        read: () => form,
      },
    )

  it('needs a login of the account itself, with the permission', async () => {
    expect(await login(CALLER)).to.deep.equal({ ...form, caller: CALLER, client: CLIENT })
    const codeOf = async (...args: Parameters<typeof login>) => (await refusalOf(login(...args))).code
    const { sessionId: _, ...basic } = CALLER
    expect(await codeOf(basic)).to.equal('invalid-token')
    expect(await codeOf({ ...CALLER, actor: ACTOR })).to.equal('forbidden')
    expect(await codeOf(CALLER, false)).to.equal('forbidden')
  })

  it('rejects a wrong password or code with the same words', () => {
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
  it('is rejected if it is gone, disabled or in another epoch', async () => {
    const find = (account: Account | undefined) =>
      ownAccount({ accounts: { find: async () => account } as unknown as Accounts }, CALLER)
    expect(await find(ADA)).to.equal(ADA)
    for (const account of [undefined, { ...ADA, disabledAt: AT }, { ...ADA, epoch: BOSS.epoch }])
      expect(await wordsOf(find(account))).to.match(
        /^invalid-token .*\(the account is gone, disabled or in another epoch\)$/,
      )
  })

  it('has its passwords counted with their client', async () => {
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
