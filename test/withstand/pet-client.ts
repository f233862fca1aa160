import type { Reply } from '../support/http/client.js'
import { PETS } from '../support/http/pet-calls.js'
import { told, type Actor, type Answer } from './journal.js'
import type { LoadClient, Scene } from './load.js'

/** A pet that only this client changes, as of its last acknowledged write. */
type Pet = { readonly id: number; readonly name: string; age?: number; etag: string; removed: boolean }

/**
 * Creates pets with idempotency keys, and changes, reads and removes them; also sends requests that must be rejected.
 */
export function createPetClient(scene: Scene, actor: Actor, apiKey: string): LoadClient {
  const { random, service } = scene
  const pets: Pet[] = []
  let names = 0

  const freshName = () => `${actor.name} ${String((names += 1))}`
  const send = (what: string, method: string, path: string, headers = {}, json?: object): Promise<Answer> =>
    actor.insist(what, () =>
      service.client.call(method, path, {
        headers: { 'X-API-Key': apiKey, ...headers },
        ...(json && { json }),
      }),
    )
  const pathOf = ({ id }: Pet) => `${PETS}/${String(id)}`

  async function create(): Promise<void> {
    const name = freshName()
    const key = { 'Idempotency-Key': name.replaceAll(' ', '-') }
    const id = createdIn(await send(`create ${name}`, 'POST', PETS, key, { name }))
    const again = createdIn(await send(`create ${name} again`, 'POST', PETS, key, { name }))
    if (again !== id)
      actor.violate(`one idempotency key has made the pets ${String(id)} and ${String(again)}`)
    const { reply } = await send(`read ${name}`, 'GET', `${PETS}/${String(id)}`)
    pets.push({ id, name, etag: String(reply.headers.etag), removed: false })
  }

  function createdIn({ reply }: Answer): number {
    const id = Number(/\/(\d+)$/.exec(reply.headers.location ?? '')?.[1])
    return reply.status === 201 && id > 0 ? id : actor.violate(`a new pet got ${told(reply)}`)
  }

  async function createRefused(): Promise<void> {
    const name = `${freshName()}${REFUSED.repeat(30)}`
    const { reply } = await send('create with a long name', 'POST', PETS, {}, { name })
    if (reply.status !== 400) actor.violate(`a name that is too long got ${told(reply)}`)
  }

  /** A repeated request gets 412 if an earlier attempt succeeded; in that case, the pet has the new age. */
  async function change(pet: Pet): Promise<void> {
    const age = ((pet.age ?? 0) + 1) % 20
    const what = `give pet ${String(pet.id)} the age ${String(age)}`
    const { reply, repeated } = await send(what, 'PATCH', pathOf(pet), { 'If-Match': pet.etag }, { age })
    const isDone = reply.status === 200 || (reply.status === 412 && repeated)
    if (!isDone) actor.violate(`a change of pet ${String(pet.id)} got ${told(reply)}`)
    const { reply: now } = await send(`read ${String(pet.id)}`, 'GET', pathOf(pet))
    const isChanged = ageIn(now) === age && (reply.status === 412 || now.headers.etag === reply.headers.etag)
    if (!isChanged) actor.violate(`after its change, pet ${String(pet.id)} is ${told(now)}`)
    Object.assign(pet, { age, etag: now.headers.etag })
  }

  async function changeLate(pet: Pet): Promise<void> {
    const headers = { 'If-Match': '"1-0"' }
    const { reply } = await send('change with an old tag', 'PATCH', pathOf(pet), headers, { age: 20 })
    if (reply.status !== 412) actor.violate(`an old tag got ${told(reply)}`)
  }

  async function remove(pet: Pet): Promise<void> {
    const { reply, repeated } = await send(`remove ${String(pet.id)}`, 'DELETE', pathOf(pet))
    if (reply.status !== 204 && !(reply.status === 404 && repeated))
      actor.violate(`a removal got ${told(reply)}`)
    pet.removed = true
  }

  async function look(pet: Pet): Promise<void> {
    const { reply } = await send(`read ${String(pet.id)}`, 'GET', pathOf(pet))
    if (!isAsExpected(pet, reply)) actor.violate(`${JSON.stringify(pet)} is ${told(reply)}`)
  }

  async function list(): Promise<string[]> {
    const found: string[] = []
    for (let path: string | undefined = `${PETS}?limit=100`; path !== undefined;) {
      const { reply } = await send('list', 'GET', path)
      if (reply.status !== 200) actor.violate(`a list got ${told(reply)}`)
      found.push(...(reply.json as { name: string }[]).map(({ name }) => name))
      const next = reply.headers['x-next']
      path = typeof next === 'string' ? next.replace(/^https?:\/\/[^/]+/, '') : undefined
    }
    return found
  }

  return {
    step: async () => {
      const draw = random.below(100)
      const pet = pets.length > 0 ? random.pick(pets) : undefined
      if (scene.prefersEnds() && pet && !pet.removed) await remove(pet)
      else if (!pet || draw < 35) await create()
      else if (draw < 40) await createRefused()
      else if (!scene.allowsChanges) await look(pet)
      else if (draw < 60 && !pet.removed) await change(pet)
      else if (draw < 63 && !pet.removed) await changeLate(pet)
      else if (draw < 70 && !pet.removed) await remove(pet)
      else await look(pet)
    },
    readBack: async () => {
      for (const pet of pets) await look(pet)
      const own = (await list())
        .filter((name) => name.startsWith(`${actor.name} `) || name === REFUSED)
        .sort()
      const expected = pets.flatMap(({ name, removed }) => (removed ? [] : [name])).sort()
      if (own.join('\n') !== expected.join('\n'))
        actor.violate(`listed ${own.join()} and not ${expected.join()}`)
      return pets.length
    },
  }
}

const REFUSED = 'refused'

function ageIn({ json }: Reply): number | undefined {
  return (json as { age?: number } | undefined)?.age
}

function isAsExpected({ name, age, etag, removed }: Pet, reply: Reply): boolean {
  if (removed) return reply.status === 404
  const isSame = (reply.json as { name?: string } | undefined)?.name === name && ageIn(reply) === age
  return isSame && reply.headers.etag === etag
}
