import { expect } from 'chai'
import type { ApiKeyId } from '../../../src/domain/access/api-key.js'
import { OPERATOR as caller, OPERATOR, type Caller } from '../../../src/domain/access/caller.js'
import { unavailable } from '../../../src/domain/refusal.js'
import { aNewApiKey } from '../../../src/contracts/samples.js'
import { permitting } from '../../support/permissions.js'
import { codeOf } from '../../support/refusal-of.js'
import { composeUseCases, START, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

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

  it('are listed after a given ID, up to a limit', async () => {
    for (const name of ['one', 'two', 'three']) await create(name)
    const idsOf = async (limit?: number, after?: number) =>
      (await list({ limit, after: after as ApiKeyId | undefined })).map(({ id }) => id)
    expect([await idsOf(2), await idsOf(2, 2)]).to.deep.equal([[1, 2], [3]])
    expect([await idsOf(undefined, 1), await idsOf(1, 3)]).to.deep.equal([[2, 3], []])
  })
})

const ADA = 'ada@example.com'
const permissions = permitting({
  user: { components: { apikey: ['create'], auth: ['delete-account'], pets: ['list'] } },
})

describe('the creator of an API key', () => {
  let kennel: Composed
  let ada: Caller

  beforeEach(async () => {
    kennel = await composeUseCases({ permissions })
    await kennel.account(ADA)
    ada = await kennel.caller(ADA)
  })

  const create = async (caller: Caller, { useCases }: Composed = kennel) =>
    await useCases.createApiKey({ caller, name: 'job', roles: [] })
  const callerWith = (apiKey: string) => kennel.useCases.authenticatePetClient({ apiKey })
  const answerTo = async (apiKey: string) =>
    await callerWith(apiKey).then(
      () => 'accepted',
      () => 'refused',
    )
  const listed = async () => await kennel.useCases.listApiKeys({ caller: OPERATOR })

  it('is the operator, the account, or the creator of the key that was used to create the new key', async () => {
    const keys = [await create(OPERATOR), await create(ada)]
    for (const { key } of [...keys]) keys.push(await create(await callerWith(key)))
    expect((await listed()).map(({ createdBy }) => createdBy)).to.deep.equal(['cli', 1, 'cli', 1])
  })

  it('is absent if the creating key has no creator or does not exist', async () => {
    await kennel.store.apiKeys.insert(aNewApiKey('old'))
    for (const apiKeyId of [1, 77]) await create({ kind: 'api-key', apiKeyId, roles: [] })
    for (const key of await listed()) expect(key).to.not.have.property('createdBy')
  })

  for (const [how, end] of Object.entries({
    'is disabled': () => kennel.useCases.disableUser({ caller: OPERATOR, email: ADA }),
    'is deleted': () => kennel.useCases.deleteUser({ caller: OPERATOR, email: ADA }),
    'deletes itself': async () => {
      const presented = presentedBy(await kennel.login(ADA))
      await kennel.useCases.deleteAccount({ password: PASSWORD, presented })
    },
  }))
    it(`invalidates its keys, and the keys that were created with them, when the creator ${how}`, async () => {
      const own = await create(ada)
      const keys = [own, await create(await callerWith(own.key)), await create(OPERATOR)]
      const answers = async () => await Promise.all(keys.map(({ key }) => answerTo(key)))
      expect(await answers()).to.deep.equal(['accepted', 'accepted', 'accepted'])
      await end()
      expect(await answers()).to.deep.equal(['refused', 'refused', 'accepted'])
      expect((await listed()).map(({ revokedAt }) => revokedAt)).to.deep.equal([START, START, undefined])
    })

  it('loses its earlier keys permanently when it is disabled, even if disabling was interrupted', async () => {
    const { key } = await create(ada)
    const revokeAllOf = () => Promise.reject(unavailable('away'))
    const apiKeys = { ...kennel.store.apiKeys, revokeAllOf }
    const faulty = await composeUseCases({ permissions, store: { ...kennel.store, apiKeys } })
    const disabling = faulty.useCases.disableUser({ caller: OPERATOR, email: ADA })
    expect([await codeOf(disabling), await answerTo(key)]).to.deep.equal(['unavailable', 'refused'])
    const enabling = faulty.useCases.enableUser({ caller: OPERATOR, email: ADA })
    expect([await codeOf(enabling), await answerTo(key)]).to.deep.equal(['unavailable', 'refused'])
    for (const _ of ['disabled', 'already enabled']) {
      await kennel.useCases.enableUser({ caller: OPERATOR, email: ADA })
      expect([await answerTo(key), await answerTo((await create(ada)).key)]).to.deep.equal([
        'refused',
        'accepted',
      ])
    }
    expect((await listed()).filter(({ revokedAt }) => revokedAt === undefined)).to.have.lengthOf(2)
  })
})
