import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { type Composed, composeUseCases, PASSWORD, START } from '../../support/use-cases.js'

const SESSION = 10_000_000
const IDLE = 4_000_000

describe('list sessions', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases({ lifetimes: { session: SESSION, refreshToken: IDLE } })
    await service.account('ada@example.com')
    await service.account('bob@example.com')
  })

  const login = (email: string) => service.useCases.login({ email, password: PASSWORD, presented: {} })
  const list = (email: string, limit = 10) =>
    service.useCases.listSessions({ caller: OPERATOR, email, limit })

  it('shows the ID and the times of a session, and no secret', async () => {
    const { identity, refreshToken, accessToken, sessionKey } = await login('ada@example.com')
    service.clock.now += 1000
    await service.useCases.refresh({ refreshToken, presented: { accessToken, sessionKey } })
    await login('bob@example.com')
    expect(await list('ADA@example.com')).to.deep.equal([
      {
        id: identity.sessionId,
        createdAt: START,
        refreshedAt: START + 1000,
        idleEndsAt: START + 1000 + IDLE,
        endsAt: START + SESSION,
      },
    ])
  })

  it('shows the client and the network of a login', async () => {
    const client = { address: '203.0.113.7', userAgent: 'curl/8.5.0' }
    await service.useCases.login({ email: 'ada@example.com', password: PASSWORD, presented: { client } })
    const [session] = await list('ada@example.com')
    expect(session).to.include({ client: 'curl 8', network: '203.0.113.7' })
  })

  it('goes on after a session, the oldest first', async () => {
    for (let count = 0; count < 3; count += 1) {
      await login('ada@example.com')
      service.clock.now += 1
    }
    const first = await list('ada@example.com', 2)
    const input = { caller: OPERATOR, email: 'ada@example.com', limit: 2, after: first[1] }
    const rest = await service.useCases.listSessions(input)
    expect([...first, ...rest].map(({ createdAt }) => createdAt - START)).to.deep.equal([0, 1, 2])
  })
})
