import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { START, startService, type TestService } from '../../support/http/service.js'
import { OUTSIDERS } from '../../support/callers.js'
import { refusalOf } from '../../support/refusal-of.js'

describe('list users', () => {
  let service: TestService

  beforeEach(async () => {
    service = await startService()
    await service.account('ada@example.com', ['editor', 'author'])
    await service.account('bob@example.com')
    await service.account('eve@example.com')
  })
  afterEach(() => service.close())

  const list = (limit: number, after?: number) =>
    service.useCases.listUsers({ caller: OPERATOR, limit, after: after as AccountId | undefined })

  it('shows of an account its id, email, roles and dates, nothing else', async () => {
    await service.useCases.disableUser({ caller: OPERATOR, email: 'bob@example.com' })
    const [ada, bob] = await list(2)
    expect(ada).to.deep.equal({
      id: 1,
      email: 'ada@example.com',
      roles: ['author', 'editor'],
      createdAt: START,
    })
    expect(bob).to.deep.equal({
      id: 2,
      email: 'bob@example.com',
      roles: [],
      createdAt: START,
      disabledAt: START,
    })
  })

  it('goes on after an id, and ends with a page that is shorter', async () => {
    const ids = async (limit: number, after?: number) => (await list(limit, after)).map(({ id }) => id)
    expect([await ids(2), await ids(2, 2), await ids(2, 3)]).to.deep.equal([[1, 2], [3], []])
  })

  it('is refused without the permission', async () => {
    for (const [caller, code] of OUTSIDERS) {
      const answer = service.useCases.listUsers({ caller, limit: 1 })
      expect((await refusalOf(answer)).code).to.equal(code)
    }
  })
})
