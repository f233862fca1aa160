import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
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
const KEEPERS = { roles: { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['*'] } } } }

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

  it('ignores a body', async () => {
    const pets = await createPetClient(await serve({ permissions: KEEPERS }))
    const id = await pets.add()
    const headers = { 'Content-Type': 'text/plain' }
    expect((await pets.call('DELETE', `${PETS}/${id}`, { headers, body: '{' })).status).to.equal(204)
  })
})
