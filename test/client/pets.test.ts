import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../src/index.js'
import { PASSWORD, servicesOfTests, sharedService } from '../support/http/service.js'
import { clientOf, failureOf, type Watched } from './clients.js'

const PETS = 45

describe('the pets of a client', () => {
  const service = sharedService()
  const serve = servicesOfTests()
  const keepers = async (): Promise<Watched> =>
    clientOf(service, { pets: { apiKey: await service.apiKey() } })

  before(async () => {
    const { client } = await keepers()
    for (let number = 1; number <= PETS; number += 1) await client.pets.create({ name: `Pet ${number}` })
  })

  it('are listed page by page until the last page', async () => {
    const { client, sent } = await keepers()
    const ids: number[][] = []
    for await (const { pets } of client.pets.pages()) ids.push(pets.map(({ id }) => id))
    expect(ids.map(({ length }) => length)).to.deep.equal([20, 20, 5])
    expect(ids.flat()).to.deep.equal(Array.from({ length: PETS }, (_, index) => index + 1))
    expect(sent).to.have.length(3)
  })

  it('are fetched page by page, and only as far as the caller reads', async () => {
    const { client, sent } = await keepers()
    for await (const { next } of client.pets.pages({ limit: 10 })) if (next !== undefined) break
    expect(sent).to.have.length(1)
  })

  it("are always requested from the client's base URL, not from PUBLIC_URL", async () => {
    const proxied = await serve({ settings: { publicUrl: 'https://pets.example' } })
    const { client, sent } = clientOf(proxied, { pets: { apiKey: await proxied.apiKey() } })
    for (const name of ['Rex', 'Rosa', 'Tom']) await client.pets.create({ name })
    const names: string[] = []
    for await (const { pets } of client.pets.pages({ limit: 1 })) names.push(...pets.map(({ name }) => name))
    expect(names).to.deep.equal(['Rex', 'Rosa', 'Tom'])
    expect(sent).to.have.length(6)
  })

  it('can be created (once per idempotency key), read, changed and removed', async () => {
    const roles = { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['*'] } } }
    const permitting = await serve({ permissions: { roles } })
    const { pets } = clientOf(permitting, { pets: { apiKey: await permitting.apiKey() } }).client
    const id = await pets.create({ name: 'Rex' }, { idempotencyKey: 'order-12' })
    expect(await pets.create({ name: 'Rex' }, { idempotencyKey: 'order-12' })).to.equal(id)
    const { etag } = await pets.read(id)
    const changed = await pets.patch(id, { age: 3 }, { ifMatch: etag })
    expect(await pets.readMany([id, 999])).to.deep.equal([changed.pet])
    expect(await pets.readMany([])).to.deep.equal([])
    expect(await failureOf(pets.remove(id, { ifMatch: etag }))).to.include({ status: 412, code: 'Conflict' })
    await pets.remove(id, { ifMatch: changed.etag })
    expect(await failureOf(pets.read(id))).to.include({ status: 404, code: 'NotFound' })
  })

  it('can be read with a password and an email that contains non-ASCII characters', async () => {
    const email = 'zoë@example.com'
    await service.account(email)
    const { client, sent } = clientOf(service, { pets: { basic: { email, password: PASSWORD } } })
    expect((await client.pets.read(1)).pet.name).to.equal('Pet 1')
    await client.login(email, PASSWORD)
    await client.pets.read(1)
    for (const { headers } of sent.filter(({ path }) => path === '/v1/pets/1')) {
      expect([headers.has('Cookie'), headers.has('X-Authorization')]).to.deep.equal([false, false])
    }
  })

  it('are accessible with an API key in a renamed header', async () => {
    const renamed = await serve({ settings: { petsApiKeyHeader: 'X-Kennel-Key' } })
    const pets = { apiKey: await renamed.apiKey(), apiKeyHeader: 'X-Kennel-Key' }
    expect(await clientOf(renamed, { pets }).client.pets.create({ name: 'Rex' })).to.equal(1)
  })

  it('cannot be created with an idempotency key that is not a valid header value, and no request is sent', async () => {
    const { client, sent } = await keepers()
    for (const idempotencyKey of ['two\nlines', 'ключ']) {
      const error = await failureOf(client.pets.create({ name: 'Rex' }, { idempotencyKey }))
      expect([error.status, error.code]).to.deep.equal([0, 'NotValid'])
    }
    expect(sent).to.deep.equal([])
  })
})
