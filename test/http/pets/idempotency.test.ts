import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { startService, type TestService } from '../../support/http/service.js'
import {
  basic,
  createPetClient,
  createdId,
  expectError,
  PETS,
  type PetClient,
} from '../../support/http/pet-calls.js'
const REUSED = 'Idempotency-Key: This idempotency key was used with another body.'

describe('an idempotency key', () => {
  let service: TestService
  let pets: PetClient
  let used = 0
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
  })
  after(() => service.close())

  const freshKey = () => `key-${(used += 1)}`
  const create = (key: string, json: object = { name: 'Rex' }) =>
    pets.create(json, { 'Idempotency-Key': key })
  const count = async () => ((await pets.list('?limit=100')).json as unknown[]).length

  it('creates one pet for the same body sent again, with the same reply', async () => {
    const key = freshKey()
    const first = await create(key, { name: 'Rex', tag: 'x', category: 'One' })
    const before = await count()
    const again = await create(key, { category: 'One', tag: 'x', name: ' Rex ' })
    expect(createdId(again)).to.equal(createdId(first))
    expect(again.text).to.equal('')
    expect(await count()).to.equal(before)
  })

  for (const other of [
    { name: 'Max' },
    { name: 'Rex', tag: 'x' },
    { name: 'Rex', category: 'One' },
    { name: 'rex' },
  ]) {
    it(`rejects ${JSON.stringify(other)} after another body`, async () => {
      const key = freshKey()
      const made = await create(key)
      const before = await count()
      const reply = await create(key, other)
      expectError(reply, 422, REUSED)
      expect(reply.headers.location).to.equal(undefined)
      expect(await count()).to.equal(before)
      expect(createdId(await create(key))).to.equal(createdId(made))
    })
  }

  it('has a separate namespace for each credential', async () => {
    const key = freshKey()
    await service.account('ada@example.com')
    await service.account('bob@example.com')
    const send = (headers: Record<string, string>) =>
      service.client.call('POST', PETS, {
        json: { name: 'Rex' },
        headers: { ...headers, 'Idempotency-Key': key },
      })
    const senders = [
      pets.headers,
      { 'X-API-Key': await service.apiKey() },
      { Authorization: basic('ada@example.com') },
      { Authorization: basic('bob@example.com') },
    ]
    const first: Reply[] = []
    for (const headers of senders) first.push(await send(headers))
    expect(new Set(first.map(createdId)).size).to.equal(4)
    for (const [at, headers] of senders.entries()) {
      expect(createdId(await send(headers))).to.equal(createdId(first[at]!))
    }
  })

  it('is case-sensitive', async () => {
    expect(createdId(await create('Same'))).to.not.equal(createdId(await create('same')))
  })
})

describe('the form of an idempotency key', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
  })
  after(() => service.close())

  const RULE = 'Idempotency-Key: must have 1 to 255 visible characters'

  for (const key of ['!', '~', '"quoted"', '__proto__', 'k'.repeat(255)]) {
    it(`may be ${key.slice(0, 20)} (${key.length})`, async () => {
      const reply = await pets.create({ name: 'Rex' }, { 'Idempotency-Key': key })
      expect(createdId(await pets.create({ name: 'Rex' }, { 'Idempotency-Key': key }))).to.equal(
        createdId(reply),
      )
    })
  }

  const bad = {
    empty: '',
    long: 'k'.repeat(256),
    spaced: 'a b',
    tabbed: 'a\tb',
    accented: 'é',
    latin: '\u00a0',
  }
  for (const [what, key] of Object.entries(bad)) {
    it(`may not be ${what}`, async () => {
      expectError(await pets.create({ name: 'Rex' }, { 'Idempotency-Key': key }), 400, RULE)
    })
  }

  it('may not be repeated, even with the same value', async () => {
    for (const keys of [
      ['a', 'b'],
      ['a', 'a'],
      ['', ''],
    ]) {
      expectError(await pets.create({ name: 'Rex' }, { 'Idempotency-Key': keys }), 400, RULE)
    }
  })

  it('is ignored on other routes', async () => {
    const id = await pets.add()
    expect((await pets.patch(id, { age: 1 }, { 'Idempotency-Key': '' })).status).to.equal(200)
  })
})
