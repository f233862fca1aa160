import { expect } from 'chai'
import { TOKENS } from '../../../src/composition-root/tokens.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { PASSWORD, startService, type TestService } from '../../http/service.js'
import { OUTSIDERS } from '../callers.js'
import { refusalOf, refused } from '../refusal-of.js'

describe('revoke sessions', () => {
  let service: TestService

  beforeEach(async () => {
    service = await startService()
    await service.account('ada@example.com')
    await service.account('bob@example.com')
  })
  afterEach(() => service.close())

  const login = (email: string) => service.resolve(TOKENS.login)({ email, password: PASSWORD, presented: {} })
  const revoke = (email: string) => service.resolve(TOKENS.revokeSessions)({ caller: OPERATOR, email })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('ends every session of the account and counts them', async () => {
    const sessions = [await login('ada@example.com'), await login('ada@example.com')]
    expect(await revoke('ADA@example.com')).to.equal(2)
    for (const { accessToken, sessionKey, refreshToken } of sessions) {
      const presented = { accessToken, sessionKey }
      expect(await codeOf(service.resolve(TOKENS.getIdentity)(presented))).to.equal('invalid-token')
      expect(await codeOf(service.resolve(TOKENS.refresh)({ refreshToken, presented }))).to.equal(
        'invalid-token',
      )
    }
    expect(await revoke('ada@example.com')).to.equal(0)
  })

  it('lets the account log in again and touches nobody else', async () => {
    const { accessToken, sessionKey } = await login('bob@example.com')
    await revoke('ada@example.com')
    expect((await login('ada@example.com')).identity.email).to.equal('ada@example.com')
    const bob = await service.resolve(TOKENS.getIdentity)({ accessToken, sessionKey })
    expect(bob.email).to.equal('bob@example.com')
  })

  it('says that there is no such account, or no such email', async () => {
    expect(await refused(revoke('eve@example.com'))).to.deep.equal(['not-found', 'email', 'NotFound'])
    expect(await refused(revoke('eve'))).to.deep.equal(['invalid', 'email', 'Format'])
  })

  it('is refused to whoever was not granted it', async () => {
    await login('ada@example.com')
    for (const [caller, code] of OUTSIDERS) {
      const answer = service.resolve(TOKENS.revokeSessions)({ caller, email: 'ada@example.com' })
      expect(await codeOf(answer)).to.equal(code)
    }
    expect(await revoke('ada@example.com')).to.equal(1)
  })
})
