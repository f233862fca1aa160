import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { type Composed, composeUseCases, PASSWORD, START } from '../../support/use-cases.js'
import { OUTSIDERS } from '../../support/callers.js'
import { refusalOf, refused } from '../../support/refusal-of.js'

describe('disable user', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases()
    await service.account('ada@example.com')
  })

  const disable = (email: string) => service.useCases.disableUser({ caller: OPERATOR, email })
  const login = () => service.useCases.login({ email: 'ada@example.com', password: PASSWORD, presented: {} })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('ends what the account holds and lets it in no more', async () => {
    const { accessToken, sessionKey, refreshToken } = await login()
    const presented = { accessToken, sessionKey }
    await disable('ADA@example.com')
    expect(await codeOf(service.useCases.getIdentity(presented))).to.equal('invalid-token')
    expect(await codeOf(service.useCases.refresh({ refreshToken, presented }))).to.equal('invalid-token')
    expect(await codeOf(login())).to.equal('login-failed')
  })

  it('leaves no session in the store', async () => {
    await login()
    await disable('ada@example.com')
    expect(await service.store.sessions.purge(Number.MAX_SAFE_INTEGER, 10)).to.equal(0)
  })

  it('leaves one that is disabled as it is, its date too', async () => {
    await disable('ada@example.com')
    const before = await service.store.accounts.findByEmail('ada@example.com' as Email)
    service.clock.now += 1000
    await disable('ada@example.com')
    expect(await service.store.accounts.findByEmail('ada@example.com' as Email)).to.deep.equal(before)
    expect(before?.disabledAt).to.equal(START)
  })

  it('says that there is no such account, or no such email', async () => {
    expect(await refused(disable('bob@example.com'))).to.deep.equal(['not-found', 'email', 'NotFound'])
    expect(await refused(disable('bob'))).to.deep.equal(['invalid', 'email', 'Format'])
  })

  it('is refused without the permission, an unknown email or not', async () => {
    for (const [caller, code] of OUTSIDERS) {
      for (const email of ['ada@example.com', 'bob@example.com', 'bob']) {
        expect(await codeOf(service.useCases.disableUser({ caller, email }))).to.equal(code)
      }
    }
    expect((await login()).identity.email).to.equal('ada@example.com')
  })
})
