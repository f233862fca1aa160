import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { type Composed, composeUseCases, PASSWORD } from '../../support/use-cases.js'
import { createGate } from '../../support/watched-store.js'
import { refusalOf, refused } from '../../support/refusal-of.js'

describe('revoke sessions', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases()
    await service.account('ada@example.com')
    await service.account('bob@example.com')
  })

  const login = (email: string) => service.useCases.login({ email, password: PASSWORD, presented: {} })
  const revoke = (email: string) => service.useCases.revokeSessions({ caller: OPERATOR, email })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('ends every session of the account and counts them', async () => {
    const sessions = [await login('ada@example.com'), await login('ada@example.com')]
    expect(await revoke('ADA@example.com')).to.equal(2)
    for (const { accessToken, sessionKey, refreshToken } of sessions) {
      const presented = { accessToken, sessionKey }
      expect(await codeOf(service.useCases.getIdentity(presented))).to.equal('invalid-token')
      expect(await codeOf(service.useCases.refresh({ refreshToken, presented }))).to.equal('invalid-token')
    }
    expect(await revoke('ada@example.com')).to.equal(0)
  })

  for (const kind of ['stateful', 'stateless'] as const) {
    it(`ends a login whose password was found right before, in ${kind} mode`, async () => {
      const gate = createGate()
      const slow = await composeUseCases({
        mode: kind === 'stateful' ? kind : 'stateless-revocable',
        aroundHasher: (hasher) => ({
          ...hasher,
          verify: async (...args) => {
            const right = await hasher.verify(...args)
            await gate.pass()
            return right
          },
        }),
      })
      await slow.account('ada@example.com')
      const begun = slow.useCases.login({
        email: 'ada@example.com',
        password: PASSWORD,
        presented: {},
      })
      await gate.reached
      const ended = await slow.useCases.revokeSessions({ caller: OPERATOR, email: 'ada@example.com' })
      gate.release()
      const { accessToken, sessionKey, refreshToken } = await begun
      const presented = { accessToken, sessionKey }
      const codes = [
        await codeOf(slow.useCases.getIdentity(presented)),
        await codeOf(slow.useCases.refresh({ refreshToken, presented })),
      ]
      expect([ended, codes]).to.deep.equal([0, ['invalid-token', 'invalid-token']])
    })
  }

  it('reports a missing account if it is deleted during the call', async () => {
    const store = createMemoryStore()
    const deleting = await composeUseCases({
      store: {
        ...store,
        sessions: {
          ...store.sessions,
          endAllOf: async (id) => {
            await store.accounts.remove(id)
            return await store.sessions.endAllOf(id)
          },
        },
      },
    })
    await deleting.account('ada@example.com')
    const answer = deleting.useCases.revokeSessions({ caller: OPERATOR, email: 'ada@example.com' })
    const refusal = await refused(answer)
    expect(refusal).to.deep.equal(['not-found', 'email', 'NotFound'])
  })
})
