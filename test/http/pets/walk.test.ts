import { expect } from 'chai'
import type { PetName } from '../../../src/domain/catalogue/pet.js'
import { startService, type TestService } from '../../support/http/service.js'
import { createPetClient, PETS, type PetClient } from '../../support/http/pet-calls.js'

const OLDER = 1_000

type Walk = { readonly ids: readonly number[]; readonly pages: number }

describe('paging through 1,000 pets while more are created', () => {
  let service: TestService
  let pets: PetClient
  before(async () => {
    service = await startService()
    pets = await createPetClient(service)
    await fill(service)
  })
  after(() => service.close())

  for (const limit of [7, 100]) {
    it(`returns every older pet once, ascending, ${limit} at a time`, async () => {
      const { ids, pages } = await walk(pets, `${PETS}?limit=${limit}`)
      expectEveryOlderPet(ids)
      expect(pages).to.equal(Math.ceil(ids.length / limit))
    })
  }

  it('returns every pet once, ascending, one at a time', async () => {
    const start = Buffer.from('p1:970').toString('base64url')
    const { ids } = await walk(pets, `${PETS}?limit=1&cursor=${start}`)
    expect(ids).to.deep.equal(Array.from({ length: ids.length }, (_, at) => 971 + at))
    expect(ids.length).to.be.greaterThan(OLDER - 970)
  })
})

async function fill({ store }: TestService): Promise<void> {
  for (let made = 0; made < OLDER; made += 500) {
    const batch = Array.from({ length: 500 }, (_, at) => `Pet ${made + at + 1}` as PetName)
    await Promise.all(batch.map((name) => store.pets.insert({ name })))
  }
}

/** Follows `x-next` to its end; another pet is created with every tenth page of the older ones. */
async function walk(pets: PetClient, start: string): Promise<Walk> {
  const ids: number[] = []
  let pages = 0
  let path: string | undefined = start
  while (path !== undefined) {
    const creating: boolean = pages % 10 === 0 && (ids.at(-1) ?? 0) < OLDER
    const [page]: readonly [Awaited<ReturnType<PetClient['call']>>, ...unknown[]] = await Promise.all([
      pets.call('GET', path),
      ...(creating ? [pets.add({ name: 'Newcomer' })] : []),
    ])
    ids.push(...(page.json as { id: number }[]).map(({ id }) => id))
    const next: unknown = page.headers['x-next']
    path = typeof next === 'string' ? next.slice(pets.service.origin.length) : undefined
    pages += 1
  }
  return { ids, pages }
}

function expectEveryOlderPet(ids: readonly number[]): void {
  expect(ids.length).to.be.greaterThan(OLDER)
  const outOfOrder = ids.findIndex((id, at) => at > 0 && id <= (ids[at - 1] ?? 0))
  expect(outOfOrder, 'not ascending').to.equal(-1)
  const seen = new Set(ids)
  const missing = Array.from({ length: OLDER }, (_, at) => at + 1).filter((id) => !seen.has(id))
  expect(missing).to.deep.equal([])
}
