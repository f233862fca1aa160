import type { Reply } from '../../../support/http/client.js'
import { createdId, PETS } from '../../../support/http/pet-calls.js'
import { createPossible, type Possible } from '../journal.js'
import { notAllowed } from '../line.js'
import type { ClientParts, CrashClient } from './client.js'

/** Not made, made and removed, or there with this age; 0 where it has none. */
type World = 'absent' | 'gone' | number

type Tracked = {
  readonly name: string
  readonly key?: string
  readonly world: Possible<World>
  id?: number | undefined
  age: number
}

type Found = {
  readonly id: number
  readonly name: string
  readonly age?: number
  readonly hunts?: boolean
}

const MOST_PETS = 30

/** Creates pets with and without idempotency keys, changes two members of them at a time, and removes them. */
export function createPetsClient(
  { newLine, random, journal }: ClientParts,
  { name: owner, apiKey }: { readonly name: string; readonly apiKey: string },
): CrashClient {
  const line = newLine()
  const pets: Tracked[] = []
  let count = 0

  const send = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}) =>
    line.known(
      line.client.call(method, path, {
        headers: { 'X-API-Key': apiKey, ...headers },
        ...(json !== undefined && { json }),
      }),
    )

  async function create(pet: Tracked): Promise<void> {
    const headers: Record<string, string> = pet.key === undefined ? {} : { 'Idempotency-Key': pet.key }
    const reply = await send('POST', PETS, { name: pet.name }, headers)
    const made = (state: World) => (state === 'absent' ? 0 : state)
    const what = `POST ${pet.key === undefined ? '' : `with ${pet.key}`}`
    if (!reply) {
      pet.world.lost(what, made)
      return
    }
    expectStatus(reply, what, 201)
    const id = createdId(reply)
    if (pet.id !== undefined && pet.id !== id)
      throw notAllowed(journal, `${pet.name} was ${String(pet.id)}, and is ${String(id)} with the same key`)
    pet.id = id
    pet.world.done(`${what}: pet ${String(id)}`, made)
  }

  function newPet(): Tracked {
    const name = `${owner}, pet ${String((count += 1))}`
    const keyed = random.below(2) === 0
    const world = createPossible<World>(journal, name, 'absent')
    const pet = { name, world, age: 0, ...(keyed && { key: name.replaceAll(/[^a-z0-9]/g, '-') }) }
    pets.push(pet)
    return pet
  }

  async function patch(pet: Tracked): Promise<void> {
    const age = (pet.age += 1)
    const reply = await send('PATCH', pathOf(pet), { age, hunts: hunts(age) })
    const what = `PATCH to ${String(age)}`
    const patched = (state: World) => (typeof state === 'number' ? age : undefined)
    if (!reply) pet.world.lost(what, patched)
    else if (reply.status === 404) pet.world.seen(`${what}: 404`, (state) => state === 'gone')
    else {
      expectStatus(reply, what, 200)
      pet.world.done(what, patched)
      read(pet, `what ${what} answers`, reply.json as Found)
    }
  }

  async function remove(pet: Tracked): Promise<void> {
    const reply = await send('DELETE', pathOf(pet))
    const removed = (state: World) => (typeof state === 'number' ? ('gone' as const) : undefined)
    if (!reply) pet.world.lost('DELETE', removed)
    else if (reply.status === 404) pet.world.seen('DELETE: 404', (state) => state === 'gone')
    else {
      expectStatus(reply, 'DELETE', 204)
      pet.world.done('DELETE', removed)
    }
  }

  async function readOne(pet: Tracked): Promise<void> {
    const reply = await send('GET', pathOf(pet))
    if (!reply) return
    if (reply.status === 404) pet.world.seen('GET: 404', (state) => state === 'gone')
    else {
      expectStatus(reply, 'GET', 200)
      read(pet, 'GET', reply.json as Found)
    }
  }

  function read(pet: Tracked, what: string, found: Found): void {
    const text = `${what}: age ${String(found.age)}, hunts ${String(found.hunts)}`
    pet.world.seen(text, (state) => typeof state === 'number' && looksLike(state, found))
  }

  function expectStatus(reply: Reply, what: string, status: number): void {
    if (reply.status !== status)
      throw notAllowed(journal, `${owner}: ${what}: ${String(reply.status)} ${reply.text}`)
  }

  /** With its key a request is sent again until it is answered; without one only the list tells. */
  async function act(): Promise<void> {
    const owed = pets.find(({ id, key }) => id === undefined && key !== undefined)
    const known = pets.filter(({ id }) => id !== undefined)
    const chance = random.below(16)
    if (owed) await create(owed)
    else if (known.length === 0 || (chance < 6 && pets.length < MOST_PETS)) await create(newPet())
    else await use(random.pick(known), chance)
  }

  async function use(pet: Tracked, chance: number): Promise<void> {
    if (chance < 10) await patch(pet)
    else if (chance < 12) await readOne(pet)
    else if (chance < 14) await remove(pet)
    else if (pet.key !== undefined) await create(pet)
  }

  /** Every pet of the catalogue whose name is one that this client gives. */
  async function listed(): Promise<readonly Found[] | undefined> {
    const found: Found[] = []
    let path: string | undefined = `${PETS}?limit=100`
    while (path !== undefined) {
      const reply = await send('GET', path)
      if (!reply) return undefined
      expectStatus(reply, 'the list', 200)
      found.push(...(reply.json as readonly Found[]).filter(({ name }) => name.startsWith(`${owner}, `)))
      const next = reply.headers['x-next']
      path = next === undefined ? undefined : `${PETS}${new URL(String(next)).search}`
    }
    return found
  }

  async function readBack(): Promise<void> {
    for (const pet of pets) if (pet.key !== undefined) await create(pet)
    const found = await listed()
    for (const pet of found ? pets : []) {
      const same = (found ?? []).filter(({ name }) => name === pet.name)
      const [one] = same
      if (same.length > 1) throw notAllowed(journal, `${pet.name} was made ${String(same.length)} times`)
      if (one) read(pet, 'the list', one)
      else pet.world.seen('not in the list', (state) => typeof state !== 'number')
      pet.id ??= one?.id
    }
    const there = pets.filter(({ world }) => world.states().some((state) => typeof state === 'number'))
    for (const pet of there) if (pet.id !== undefined) await remove(pet)
  }

  return {
    step: async () => {
      await act()
      return true
    },
    readBack,
  }
}

function pathOf({ id }: Tracked): string {
  return `${PETS}/${String(id)}`
}

function hunts(age: number): boolean {
  return age % 2 === 1
}

/** Both members are of one write. */
function looksLike(state: number, { age, hunts: hunting }: Found): boolean {
  return state === 0 ? age === undefined && hunting === undefined : age === state && hunting === hunts(state)
}
