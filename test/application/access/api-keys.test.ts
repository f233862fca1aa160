import { expect } from 'chai'
import { listApiKeys } from '../../../src/application/access/api-keys.js'
import type { ApiKeyId } from '../../../src/domain/access/api-key.js'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import { authorizeByDefault as authorize } from '../../support/permissions.js'
import { refused } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

const HOUR = 3_600_000

describe('API keys', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const key of ['editor', 'author']) await kennel.useCases.createRole({ caller, key, label: key })
  })

  const create = (name: string, roles: readonly string[] = [], expiresAt?: number) =>
    kennel.useCases.createApiKey({ caller, name, roles, expiresAt })
  const list = (page: { limit?: number | undefined; after?: ApiKeyId | undefined } = {}) =>
    kennel.useCases.listApiKeys({ caller, ...page })
  const authenticate = (apiKey: string) => kennel.useCases.authenticatePetClient({ apiKey })

  it('are different each time, give access to the catalog through their roles, and are not stored in plain text', async () => {
    const { id, key } = await create(' billing ', ['editor', 'author', 'editor'])
    expect((await create('billing', ['editor'])).key).to.not.equal(key)
    const [stored] = await list()
    expect(stored).to.include({ id, name: 'billing', createdAt: START })
    expect(stored?.roles.map((role) => role.key)).to.have.members(['author', 'editor'])
    expect(JSON.stringify(stored)).to.not.include(key)
    expect((await kennel.audited())[0]).to.equal(`apikey.create cli:tester apikey:${id} success`)
    expect(await authenticate(key)).to.include({ kind: 'api-key', apiKeyId: id })
  })

  it('are not created with an invalid name, role or expiry, or with an unknown role', async () => {
    for (const [attempt, answer] of [
      [() => create('billing', [], START), 'invalid expiresAt NotValid'],
      [() => create(''), 'invalid name Length'],
      [() => create('billing', ['a b']), 'invalid role Format'],
      [() => create('billing', ['editor', 'none']), 'not-found role NotFound'],
    ] as const)
      expect((await refused(attempt())).join(' ')).to.equal(answer)
    expect([await list(), await kennel.audited()]).to.deep.equal([[], []])
  })

  it('are listed in the order of their IDs, including revoked keys, and with the hour of their last use', async () => {
    const { key } = await create('Shop front', ['editor'], START + 7 * HOUR)
    await create('Stock')
    kennel.clock.now += HOUR
    await authenticate(key)
    const revokedAt = (kennel.clock.now += 5)
    await kennel.useCases.revokeApiKey({ caller, id: '1' })
    const roles = (await kennel.store.roles.list()).slice(1)
    const dates = { createdAt: START, expiresAt: START + 7 * HOUR, revokedAt }
    const lastUsedAt = Math.floor(revokedAt / HOUR) * HOUR
    expect(await list()).to.deep.equal([
      { id: 1, name: 'Shop front', roles, createdBy: 'cli', ...dates, lastUsedAt },
      { id: 2, name: 'Stock', roles: [], createdBy: 'cli', createdAt: START },
    ])
  })

  it('are listed after a given ID, up to a limit that fits into 32 bits', async () => {
    for (const name of ['one', 'two', 'three']) await create(name)
    const idsOf = async (limit?: number, after?: number) =>
      (await list({ limit, after: after as ApiKeyId | undefined })).map(({ id }) => id)
    expect([await idsOf(2), await idsOf(2, 2)]).to.deep.equal([[1, 2], [3]])
    expect([await idsOf(undefined, 1), await idsOf(1, 3)]).to.deep.equal([[2, 3], []])
    const limits: number[] = []
    const page = async (_: unknown, limit: number) => await Promise.resolve((limits.push(limit), []))
    const apiKeys = { ...kennel.store.apiKeys, page }
    await listApiKeys.factory({ authorize, apiKeys })({ caller })
    expect(limits).to.deep.equal([2_147_483_647])
  })
})
