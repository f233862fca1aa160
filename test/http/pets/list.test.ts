import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, expectError, type PetClient } from '../../support/http/pet-calls.js'

function cursorOf(text: string): string {
  return Buffer.from(text).toString('base64url')
}

describe('listing pets', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
    for (let id = 1; id <= 120; id += 1) await pets.add({ name: `Pet ${id}` })
  })
  after(() => service.close())

  const idsOf = (json: unknown) => (json as { id: number }[]).map(({ id }) => id)

  it('rejects a repeated limit, even with the same value', async () => {
    for (const query of ['limit=5&limit=6', 'limit=5&limit=5', 'limit=5&limit=']) {
      expectError(await pets.list(`?${query}`), 400)
    }
  })

  it('ignores unknown parameters', async () => {
    expect(idsOf((await pets.list('?limit=2&offset=5&Limit=7&__proto__=x')).json)).to.deep.equal([1, 2])
  })

  it('rejects a repeated cursor', async () => {
    const cursor = cursorOf('p1:5')
    expectError(await pets.list(`?cursor=${cursor}&cursor=${cursor}`), 400)
  })

  it('continues after any place that a cursor names, with any limit', async () => {
    expect(idsOf((await pets.list(`?limit=3&cursor=${cursorOf('p1:50')}`)).json)).to.deep.equal([51, 52, 53])
    const beyond = await pets.list(`?cursor=${cursorOf(`p1:${Number.MAX_SAFE_INTEGER}`)}`)
    expect(beyond.json).to.deep.equal([])
    expect(beyond.headers['x-next']).to.equal(undefined)
  })
})

describe('links of the pet routes', () => {
  it('have the origin of PUBLIC_URL, despite the request headers', async () => {
    const service = await startService({ settings: { publicUrl: 'https://pets.example' } })
    try {
      const pets = await createPetClient(service)
      const evil = {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'http',
        'X-Forwarded-For': '10.0.0.1',
        Forwarded: 'host=evil.example;proto=http',
      }
      expect((await pets.create({ name: 'Rex' }, evil)).headers.location).to.equal(
        'https://pets.example/v1/pets/1',
      )
      await pets.add()
      const { headers, status } = await pets.list('?limit=1', evil)
      expect(status).to.equal(200)
      expect(headers['x-next']).to.equal(`https://pets.example/v1/pets?limit=1&cursor=${cursorOf('p1:1')}`)
      expect(JSON.stringify(headers)).to.not.contain('evil')
    } finally {
      await service.close()
    }
  })
})
