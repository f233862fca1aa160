import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { comparable } from '../../support/http/expected.js'
import {
  basic,
  createPetClient,
  expectError,
  expectNoCredentials,
  PETS,
  type PetClient,
} from '../../support/http/pet-calls.js'
import { startService, type TestService } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'

const NO_PET = 'There is no pet with this id.'
const STALE = 'The pet has changed since it was read.'
const KEEPERS = { roles: { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['*'] } } } }
const AT_ONCE = 16

describe(`DELETE ${PETS}/{petId}`, () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService({ permissions: KEEPERS })
    pets = await createPetClient(service)
  })
  after(() => service.close())

  const listed = async () =>
    ((await pets.list('?limit=100')).json as readonly { id: number }[]).map(({ id }) => id)

  it('removes the pet from every read, has no body, and reuses no ID', async () => {
    const [kept, id] = [await pets.add(), await pets.add()]
    const reply = await pets.remove(id)
    expect(reply.status).to.equal(204)
    expect(reply.text).to.equal('')
    expect(reply.headers).to.not.have.any.keys('content-type', 'etag', 'location')
    expectError(await pets.read(id), 404, NO_PET)
    expectError(await pets.patch(id, { age: 1 }), 404, NO_PET)
    expect((await pets.list(`?ids=${kept},${id}`)).json).to.deep.equal([{ id: kept, name: 'Rex' }])
    expect(await listed())
      .to.include(kept)
      .and.not.include(id)
    expect(await pets.add()).to.be.greaterThan(id)
  })

  it('is 404 with the same bytes for removed and unknown pets', async () => {
    const id = await pets.add()
    await pets.remove(id)
    const gone = await pets.remove(id)
    expectError(gone, 404, NO_PET)
    for (const other of [999_999_999, 0, -1, '9007199254740992', '01', 'x', '%00', '{"$gt":""}', 'é']) {
      const path = encodeURIComponent(other)
      expect(comparable(await pets.remove(path)), String(other)).to.deep.equal(comparable(gone))
      expect((await pets.remove(path, { 'If-Match': '"1-1"' })).status, String(other)).to.equal(404)
    }
  })

  const holds: Record<string, (id: number) => string> = {
    'the tag': (id) => `"${id}-2"`,
    'any tag': () => '*',
    'a list with the tag': (id) => `"x" , "${id}-1","${id}-2"`,
  }
  for (const [what, tags] of Object.entries(holds)) {
    it(`accepts ${what} in If-Match`, async () => {
      const id = await pets.add()
      await pets.patch(id, { age: 1 })
      expect((await pets.remove(id, { 'If-Match': tags(id) })).status).to.equal(204)
      expect((await pets.read(id)).status).to.equal(404)
    })
  }

  const fails: Record<string, (id: number) => string> = {
    'the previous tag': (id) => `"${id}-1"`,
    'the tag of another pet': (id) => `"${id + 1}-2"`,
    'the weak tag': (id) => `W/"${id}-2"`,
    garbage: () => 'garbage',
    nothing: () => '',
  }
  for (const [what, tags] of Object.entries(fails)) {
    it(`is 412 with ${what} in If-Match, and the pet stays`, async () => {
      const id = await pets.add()
      await pets.patch(id, { age: 1 })
      expectError(await pets.remove(id, { 'If-Match': tags(id) }), 412, STALE)
      expect((await pets.read(id)).headers.etag).to.equal(`"${id}-2"`)
    })
  }

  it('has one winner in a race with PATCH on the same ETag', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await pets.add()
      const tag = { 'If-Match': `"${id}-1"` }
      const statuses = await Promise.all(
        Array.from({ length: AT_ONCE }, async (_, caller) => {
          const call = caller % 2 ? pets.remove(id, tag) : pets.patch(id, { age: caller }, tag)
          return (await call).status
        }),
      )
      const { status, headers } = await pets.read(id)
      const [won, lost] = status === 404 ? [204, 404] : [200, 412]
      expect(statuses.filter((one) => one === won)).to.have.length(1)
      expect(statuses.filter((one) => one === lost)).to.have.length(AT_ONCE - 1)
      if (status === 200) expect(headers.etag).to.equal(`"${id}-2"`)
    }
  })

  it('keeps the idempotency key of the pet', async () => {
    const key = { 'Idempotency-Key': 'removed' }
    const first = await pets.create({ name: 'Rex' }, key)
    const { location } = first.headers
    const id = Number(location?.split('/').at(-1))
    expect((await pets.remove(id)).status).to.equal(204)
    const before = await listed()
    const again = await pets.create({ name: 'Rex' }, key)
    expect([again.status, again.headers.location]).to.deep.equal([201, location])
    expectError(await pets.create({ name: 'Mia' }, key), 422)
    expect(await listed()).to.deep.equal(before)
    expectError(await pets.read(id), 404, NO_PET)
  })

  it('lets paging continue after a removed pet', async () => {
    const ids = [await pets.add(), await pets.add(), await pets.add()] as const
    const walked: number[] = []
    let next: string | undefined = '?limit=1'
    while (next !== undefined) {
      const reply = await pets.list(next)
      const [pet] = reply.json as readonly { id: number }[]
      if (pet) walked.push(pet.id)
      if (pet?.id === ids[1]) await pets.remove(ids[1])
      const link = reply.headers['x-next'] as string | undefined
      next = link?.slice(link.indexOf('?'))
    }
    expect(walked.slice(-3)).to.deep.equal(ids)
    expect(await listed()).to.not.include(ids[1])
  })
})

describe(`DELETE ${PETS}/{petId}`, () => {
  const serve = servicesOfTests()

  it('needs credentials before it reveals whether the pet exists', async () => {
    const service = await serve({ permissions: KEEPERS })
    const pets = await createPetClient(service)
    const id = await pets.add()
    const bad: Record<string, string>[] = [
      {},
      { 'X-API-Key': 'wrong' },
      { Authorization: basic('ada@example.com') },
      { ...pets.headers, Authorization: basic('ada@example.com') },
      { Cookie: 'sid=x', 'X-Authorization': 'Bearer x' },
    ]
    for (const headers of bad) {
      for (const one of [id, 99, 'x'])
        expectNoCredentials(await service.client.call('DELETE', `${PETS}/${one}`, { headers }))
    }
    expect((await pets.read(id)).status).to.equal(200)
  })

  it('needs both credentials if PETS_SECURITY=all', async () => {
    const service = await serve({ permissions: KEEPERS, petSecurity: 'all' })
    await service.account('ada@example.com')
    const person = { Authorization: basic('ada@example.com') }
    const program = { 'X-API-Key': await service.apiKey() }
    await service.store.pets.insert({ name: 'Rex' as never })
    const call = (headers: Record<string, string>) => service.client.call('DELETE', `${PETS}/1`, { headers })
    for (const half of [person, program]) expectNoCredentials(await call(half))
    expect((await call({ ...person, ...program })).status).to.equal(204)
  })

  it('is 403 if only the other actions are permitted, as in the built-in permissions', async () => {
    const service = await serve()
    const pets = await createPetClient(service)
    const id = await pets.add()
    await service.account('ada@example.com', ['admin'])
    const person = { Authorization: basic('ada@example.com') }
    for (const headers of [pets.headers, person]) {
      for (const one of [id, 99]) {
        const reply = await service.client.call('DELETE', `${PETS}/${one}`, { headers })
        expectError(reply, 403, 'This action is not granted to you.')
      }
    }
    expect((await pets.read(id)).status).to.equal(200)
  })

  it('is 406 for a client that does not accept JSON, and removes nothing', async () => {
    const pets = await createPetClient(await serve({ permissions: KEEPERS }))
    const id = await pets.add()
    expectError(await pets.remove(id, { Accept: 'text/html' }), 406)
    expect((await pets.read(id)).status).to.equal(200)
  })

  it('ignores a body', async () => {
    const pets = await createPetClient(await serve({ permissions: KEEPERS }))
    const id = await pets.add()
    const headers = { 'Content-Type': 'text/plain' }
    expect((await pets.call('DELETE', `${PETS}/${id}`, { headers, body: '{' })).status).to.equal(204)
  })

  it('is 503 with Retry-After while the store is unavailable', async () => {
    const service = await serve({ permissions: KEEPERS })
    const pets = await createPetClient(service)
    await service.store.close()
    const reply = await pets.remove(1)
    expectError(reply, 503)
    expect(reply.headers['retry-after']).to.match(/^[1-9][0-9]*$/)
  })
})
