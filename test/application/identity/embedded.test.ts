import { expect } from 'chai'
import sinon from 'sinon'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { Refusal, type RefusalCode } from '../../../src/domain/refusal.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'

describe('the identity use cases, embedded', () => {
  let service: TestService
  let verify: sinon.SinonSpy<Parameters<PasswordHasher['verify']>, Promise<boolean>>

  beforeEach(async () => {
    service = await startService({
      store: createMemoryStore(),
      aroundHasher: (hasher) => {
        verify = sinon.spy(hasher, 'verify')
        return hasher
      },
    })
    await service.account('ada@example.com')
  })
  afterEach(() => service.close())

  const login = (email: unknown, password: unknown) =>
    service.useCases.login({ email, password, presented: {} })

  const codeOf = (promise: Promise<unknown>): Promise<RefusalCode | undefined> =>
    promise.then(
      () => undefined,
      (error: unknown) => (error instanceof Refusal ? error.code : undefined),
    )

  for (const [name, value] of [
    ['an object', { $gt: '' }],
    ['an array', ['ada@example.com']],
    ['a number', 1],
    ['null', null],
  ] as const) {
    it(`refuse ${name} as email or password before the store or the hasher is asked`, async () => {
      const find = sinon.spy(service.store.accounts, 'findByEmail')
      expect(await codeOf(login(value, PASSWORD))).to.equal('malformed')
      expect(await codeOf(login('ada@example.com', value))).to.equal('malformed')
      expect([find.callCount, verify.callCount]).to.deep.equal([0, 0])
    })
  }

  for (const [name, email, password] of [
    ['an unknown email', 'bob@example.com', PASSWORD],
    ['a wrong password', 'ada@example.com', 'not the password'],
    ['a password with U+0000', 'ada@example.com', `${PASSWORD}\u0000`],
    ['a password that is too long', 'ada@example.com', 'x'.repeat(5000)],
  ] as const) {
    it(`cost exactly one hash for ${name}`, async () => {
      expect(await codeOf(login(email, password))).to.equal('login-failed')
      expect(verify.callCount).to.equal(1)
    })
  }

  it('read the store once for an identity', async () => {
    const { accessToken, sessionKey } = await login('ada@example.com', PASSWORD)
    const spies = [
      ...Object.keys(service.store.sessions).map((name) => sinon.spy(service.store.sessions, name as 'find')),
      ...Object.keys(service.store.accounts).map((name) => sinon.spy(service.store.accounts, name as 'find')),
    ]
    const identity = await service.useCases.getIdentity({ accessToken, sessionKey })
    expect(identity.email).to.equal('ada@example.com')
    expect(spies.reduce((calls, spy) => calls + spy.callCount, 0)).to.equal(1)
  })

  it('give everybody inside the grace window the same successor', async () => {
    const { refreshToken, sessionKey } = await login('ada@example.com', PASSWORD)
    const refresh = () => service.useCases.refresh({ refreshToken, presented: { sessionKey } })
    const [first, second] = await Promise.all([refresh(), refresh()])
    expect(second).to.deep.equal(first)
    expect(first.refreshToken).to.not.equal(refreshToken)
  })

  it('take no identity where nothing is presented', async () => {
    expect(await codeOf(service.useCases.getIdentity({}))).to.equal('unauthenticated')
    expect(await codeOf(service.useCases.logout({}))).to.equal(undefined)
  })
})
