import { expect } from 'chai'
import type { ApiKeyId } from '../../../src/domain/access/api-key.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { listApiKeys as listApiKeysOperation } from '../../../src/application/access/list-api-keys.js'
import { authorizeByDefault } from '../../support/proofs.js'
import { type Composed, composeUseCases, START } from '../../support/use-cases.js'

const HOUR = 3_600_000

describe('list API keys', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases()
  })

  const list = () => service.useCases.listApiKeys({ caller: OPERATOR })

  it('shows ID, name, roles and dates of every key by ID, even if revoked, without the key', async () => {
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

  it('shows the end of a key and the hour in which it was used last', async () => {
    const expiresAt = START + 7 * HOUR
    const { key } = await service.useCases.createApiKey({
      caller: OPERATOR,
      name: 'Shop',
      roles: [],
      expiresAt,
    })
    expect((await list())[0]).to.not.have.property('lastUsedAt')
    service.clock.now += HOUR
    await service.useCases.authenticatePetClient({ apiKey: key })
    const lastUsedAt = Math.floor(service.clock.now / HOUR) * HOUR
    expect((await list())[0]).to.include({ expiresAt, lastUsedAt })
  })

  it('continues after an ID, up to the limit', async () => {
    for (const name of ['one', 'two', 'three'])
      await service.useCases.createApiKey({ caller: OPERATOR, name, roles: [] })
    const ids = async (limit?: number, after?: number) => {
      const input = { caller: OPERATOR, limit, after: after as ApiKeyId | undefined }
      return (await service.useCases.listApiKeys(input)).map(({ id }) => id)
    }
    expect([await ids(2), await ids(2, 2), await ids(undefined, 1), await ids(1, 3)]).to.deep.equal([
      [1, 2],
      [3],
      [2, 3],
      [],
    ])
  })

  it('asks the store for a 32-bit number of keys at most, which every driver accepts', async () => {
    const limits: number[] = []
    const page = async (_: unknown, limit: number) => await Promise.resolve((limits.push(limit), []))
    const listApiKeys = listApiKeysOperation.factory({
      authorize: authorizeByDefault,
      apiKeys: { ...service.store.apiKeys, page },
    })
    await listApiKeys({ caller: OPERATOR })
    expect(limits).to.deep.equal([2_147_483_647])
  })
})
