import { expect } from 'chai'
import sinon from 'sinon'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { Refusal, type RefusalCode } from '../../../src/domain/refusal.js'
import type { PasswordHasher } from '../../../src/ports/password-hasher.js'
import { type Composed, composeUseCases, PASSWORD } from '../../support/use-cases.js'

describe('the identity use cases, embedded', () => {
  let service: Composed
  let verify: sinon.SinonSpy<Parameters<PasswordHasher['verify']>, Promise<boolean>>

  beforeEach(async () => {
    service = await composeUseCases({
      store: createMemoryStore(),
      aroundHasher: (hasher) => {
        verify = sinon.spy(hasher, 'verify')
        return hasher
      },
    })
    await service.account('ada@example.com')
  })

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
})
