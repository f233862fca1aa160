import { expect } from 'chai'
import { TOKENS } from '../../../src/composition-root/tokens.js'
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

  const list = () => service.resolve(TOKENS.listApiKeys)({ caller: OPERATOR })

  it('shows id, name, roles and dates of every key by id, the revoked ones too, and no key', async () => {
    const editor = await service.resolve(TOKENS.createRole)({ caller: OPERATOR, key: 'editor', label: 'E' })
    const create = service.resolve(TOKENS.createApiKey)
    await create({ caller: OPERATOR, name: 'Shop front', roles: ['editor'] })
    await create({ caller: OPERATOR, name: 'Stock', roles: [] })
    service.clock.now += 5
    await service.resolve(TOKENS.revokeApiKey)({ caller: OPERATOR, id: '1' })
    expect(await list()).to.deep.equal([
      { id: 1, name: 'Shop front', roles: [editor], createdAt: START, revokedAt: START + 5 },
      { id: 2, name: 'Stock', roles: [], createdAt: START },
    ])
  })

  it('is refused without the permission', async () => {
    for (const [caller, code] of OUTSIDERS) {
      expect((await refusalOf(service.resolve(TOKENS.listApiKeys)({ caller }))).code).to.equal(code)
    }
  })
})
