import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { startService, type TestService } from '../../support/http/service.js'
import { watching } from '../../support/watched-store.js'
import { createPetClient, expectError, PETS, type PetClient } from '../../support/http/pet-calls.js'

const RULE = 'ids: must hold at most 100 ids, which are positive integers'
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

  const idsOf = (json: unknown) => (json as { id: number }[]).map(({ id }) => id)
  const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

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

  it('has the headers of a list, and no link to another page', async () => {
    const { headers } = await pets.list('?ids=1,2')
    expect(headers['content-type']).to.equal('application/json; charset=utf-8')
    expect(headers['cache-control']).to.equal('private, no-cache')
    expect(headers['x-next']).to.equal(undefined)
    expect(headers['link']).to.equal(undefined)
  })

  it('omits unknown IDs and returns no pet twice', async () => {
    expect(idsOf((await pets.list('?ids=9999,2,2,1,2')).json)).to.deep.equal([1, 2])
    expect((await pets.list(`?ids=${Number.MAX_SAFE_INTEGER}`)).json).to.deep.equal([])
  })

  it('accepts up to 100 IDs, with any placement of commas', async () => {
    expect(idsOf((await pets.list(`?ids=${upTo(100).join(',')}`)).json)).to.deep.equal(upTo(100))
    expect(idsOf((await pets.list('?ids=1%2C2')).json)).to.deep.equal([1, 2])
    expectError(await pets.list(`?ids=${upTo(101).join(',')}`), 400, RULE)
    expectError(await pets.list(`?ids=${upTo(101).fill(1).join(',')}`), 400, RULE)
  })

  for (const ids of [
    '',
    ',',
    '1,',
    ',1',
    '1,,2',
    '1, 2',
    '0',
    '-1',
    '1.5',
    '01',
    '1e1',
    'abc',
    '9007199254740992',
  ])
    it(`rejects ?ids=${ids}`, async () => {
      expectError(await pets.list(`?ids=${encodeURIComponent(ids)}`), 400, RULE)
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

  it('answers HEAD with the same headers and no body', async () => {
    const reply = await pets.call('HEAD', `${PETS}?ids=1`)
    expect([reply.status, reply.text]).to.deep.equal([200, ''])
  })
})
