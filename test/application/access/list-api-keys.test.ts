import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { START, startService, type TestService } from '../../support/http/service.js'
import { OUTSIDERS } from '../../support/callers.js'
import { refusalOf } from '../../support/refusal-of.js'

describe('list API keys', () => {
  let service: TestService

  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.close())

  const list = () => service.useCases.listApiKeys({ caller: OPERATOR })

  it('shows id, name, roles and dates of every key by id, the revoked ones too, and no key', async () => {
    const editor = await service.useCases.createRole({ caller: OPERATOR, key: 'editor', label: 'E' })
    const create = service.useCases.createApiKey
    await create({ caller: OPERATOR, name: 'Shop front', roles: ['editor'] })
    await create({ caller: OPERATOR, name: 'Stock', roles: [] })
    service.clock.now += 5
    await service.useCases.revokeApiKey({ caller: OPERATOR, id: '1' })
    expect(await list()).to.deep.equal([
      { id: 1, name: 'Shop front', roles: [editor], createdAt: START, revokedAt: START + 5 },
      { id: 2, name: 'Stock', roles: [], createdAt: START },
    ])
  })

  it('is refused without the permission', async () => {
    for (const [caller, code] of OUTSIDERS) {
      expect((await refusalOf(service.useCases.listApiKeys({ caller }))).code).to.equal(code)
    }
  })
})
