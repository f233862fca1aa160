import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { type Composed, composeUseCases, PASSWORD } from '../../support/use-cases.js'
import { OUTSIDERS } from '../../support/callers.js'
import { refusalOf, refused } from '../../support/refusal-of.js'

describe('enable user', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases()
    await service.account('ada@example.com')
  })

  const email = 'ada@example.com'
  const enable = (of: string) => service.useCases.enableUser({ caller: OPERATOR, email: of })
  const disable = () => service.useCases.disableUser({ caller: OPERATOR, email })
  const login = () => service.useCases.login({ email, password: PASSWORD, presented: {} })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('lets a disabled account log in again', async () => {
    await disable()
    await enable(email)
    expect((await login()).identity.email).to.equal(email)
  })

  it('restores no earlier session', async () => {
    const { accessToken, sessionKey, refreshToken } = await login()
    const presented = { accessToken, sessionKey }
    await disable()
    await enable(email)
    expect(await codeOf(service.useCases.getIdentity(presented))).to.equal('invalid-token')
    expect(await codeOf(service.useCases.refresh({ refreshToken, presented }))).to.equal('invalid-token')
  })

  it('ends no session of an account that was never disabled', async () => {
    const { accessToken, sessionKey } = await login()
    await enable(email)
    const identity = await service.useCases.getIdentity({ accessToken, sessionKey })
    expect(identity.email).to.equal(email)
  })

  it('says that there is no such account, or no such email', async () => {
    expect(await refused(enable('bob@example.com'))).to.deep.equal(['not-found', 'email', 'NotFound'])
    expect(await refused(enable('bob'))).to.deep.equal(['invalid', 'email', 'Format'])
  })

  it('is refused without the permission', async () => {
    await disable()
    for (const [caller, code] of OUTSIDERS) {
      expect(await codeOf(service.useCases.enableUser({ caller, email }))).to.equal(code)
    }
    expect(await codeOf(login())).to.equal('login-failed')
  })
})
