import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { startService, type TestService } from '../../support/http/service.js'
import { watching } from '../../support/watched-store.js'
import { createPetClient, expectError, PETS, type PetClient } from '../../support/http/pet-calls.js'
const COMBINED = 'ids: cannot be combined with limit or cursor'

describe('reading several pets', () => {
  let service: TestService
  let pets: PetClient
  const calls: string[] = []
  before(async () => {
    const aroundStore = watching(async (name, run) => {
      if (name.startsWith('pets.')) calls.push(name)
      return await run()
    })
    service = await startService({ aroundStore })
    pets = await createPetClient(service)
    for (let id = 1; id <= 105; id += 1) await pets.add({ name: `Pet ${id}` })
    await pets.patch(2, { age: 3 })
  })
  after(() => service.close())

  it('returns those pets in ascending order of ID, by one store call', async () => {
    calls.length = 0
    const reply = await pets.list('?ids=3,1,2')
    expect(reply.status).to.equal(200)
    const [one, two, three] = ['Pet 1', 'Pet 2', 'Pet 3']
    const expected = [
      { id: 1, name: one },
      { id: 2, name: two, age: 3 },
      { id: 3, name: three },
    ]
    expect(reply.json).to.deep.equal(expected)
    expect(calls).to.deep.equal(['pets.findMany'])
  })

  it('rejects repeated ids parameters, and ids together with a page', async () => {
    expectError(await pets.list('?ids=1&ids=2'), 400, 'ids: must be given once')
    expectError(await pets.list('?ids=1&limit=5'), 400, COMBINED)
    expectError(await pets.list('?ids=1&cursor=cDE6MjA'), 400, COMBINED)
  })

  it('needs the permission of the list, and a credential', async () => {
    const roles = { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['read'] } } }
    const other = await startService({ permissions: { roles } })
    try {
      expectError(await (await createPetClient(other)).list('?ids=1'), 403)
    } finally {
      await other.close()
    }
    expectError(await service.client.call('GET', `${PETS}?ids=1`), 401)
  })
})
