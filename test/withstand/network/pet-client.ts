import { createdId, PETS } from '../../support/http/pet-calls.js'
import type { Call, Reply } from '../../support/http/client.js'
import type { Served } from '../../support/http/browser.js'
import type { Actor, Scene } from './scene.js'

/** What one client knows of its pet, which is its own alone. */
type Pet = {
  readonly id: number
  readonly name: string
  /** The newest revision that it was told of. */
  revision: number
  /** Changes that were sent: those that were acknowledged, and all. */
  acknowledged: number
  sent: number
  /** A removal was sent; `gone` where it was acknowledged or seen. */
  removing: boolean
  gone: boolean
}

/** Makes pets under idempotency keys, reads, changes and removes them; gives all that it has made. */
export async function usePets(scene: Scene, actor: Actor): Promise<readonly number[]> {
  const pets: Pet[] = []
  while (!scene.isOver()) {
    const pet = await make(scene, actor, `${actor.name}-${String(pets.length)}`)
    if (!pet) break
    pets.push(pet)
    for (let steps = 2 + actor.draws.below(8); steps > 0 && !pet.gone; steps -= 1)
      await usePet(scene, actor, pet)
  }
  for (const pet of pets) await settle(scene, actor, pet)
  return pets.map(({ id }) => id)
}

/** Requested again under its key until it is acknowledged, and once more then: it is the same pet. */
async function make(scene: Scene, actor: Actor, name: string): Promise<Pet | undefined> {
  const call = { json: { name }, headers: { 'Idempotency-Key': name } }
  const send = (service: Served) => sendTo(scene, service, 'POST', PETS, call)
  const first = await created(actor, await actor.insist(`create ${name}`, send))
  if (first === undefined) return undefined
  const again = await actor.ask(`create ${name} again`, send)
  if (again && (await created(actor, again)) !== first) actor.violate(`the key of ${name} has made two pets`)
  return { id: first, name, revision: 1, acknowledged: 0, sent: 0, removing: false, gone: false }
}

async function created(actor: Actor, reply: Reply | undefined): Promise<number | undefined> {
  if (reply?.status === 201) return createdId(reply)
  if (reply) actor.violate(`a pet was refused with ${String(reply.status)}`)
  return undefined
}

async function usePet(scene: Scene, actor: Actor, pet: Pet): Promise<void> {
  const draw = actor.draws.below(12)
  const path = `${PETS}/${String(pet.id)}`
  if (draw === 0) await remove(scene, actor, pet)
  else if (draw < 6) {
    pet.sent += 1
    const json = { age: pet.sent % 30 }
    const reply = await actor.ask(`change ${pet.name}`, (one) => sendTo(scene, one, 'PATCH', path, { json }))
    if (reply?.status === 200) pet.acknowledged += 1
    see(actor, pet, reply, true)
  } else see(actor, pet, await actor.ask(`read ${pet.name}`, (one) => sendTo(scene, one, 'GET', path)))
}

async function remove(scene: Scene, actor: Actor, pet: Pet): Promise<void> {
  const path = `${PETS}/${String(pet.id)}`
  pet.removing = true
  const reply = await actor.insist(`remove ${pet.name}`, (one) => sendTo(scene, one, 'DELETE', path))
  if (!reply) return
  pet.gone = true
  if (reply.status !== 204 && reply.status !== 404) {
    actor.violate(`the removal of ${pet.name} was answered with ${String(reply.status)}`)
  }
  see(actor, pet, await actor.ask(`read ${pet.name}`, (one) => sendTo(scene, one, 'GET', path)))
}

/** A revision is never less than what was told before, and no more than what was sent can have made it. */
function see(actor: Actor, pet: Pet, reply: Reply | undefined, changed = false): void {
  if (!reply) return
  if (reply.status === 404) {
    if (!pet.removing) actor.violate(`${pet.name}, which was acknowledged, is not there`)
    pet.gone = pet.removing = true
    return
  }
  if (pet.gone) actor.violate(`${pet.name}, which was removed, is there`)
  const revision = revisionOf(reply)
  const least = changed ? pet.revision + 1 : pet.revision
  if (revision < least || revision < 1 + pet.acknowledged || revision > 1 + pet.sent) {
    const known = `${String(least)} or more after ${String(pet.acknowledged)} to ${String(pet.sent)} changes`
    actor.violate(`${pet.name} has revision ${String(revision)}, not ${known}`)
  }
  pet.revision = Math.max(pet.revision, revision)
}

async function settle(scene: Scene, actor: Actor, pet: Pet): Promise<void> {
  const path = `${PETS}/${String(pet.id)}`
  see(actor, pet, await actor.insist(`read ${pet.name}`, (one) => sendTo(scene, one, 'GET', path)))
}

function sendTo(
  { apiKey }: Scene,
  service: Served,
  method: string,
  path: string,
  call: Call = {},
): Promise<Reply> {
  const headers = { 'X-API-Key': apiKey, ...call.headers }
  return service.client.call(method, path, { ...call, headers })
}

function revisionOf({ headers }: Reply): number {
  return Number(/^"\d+-(\d+)"$/.exec(headers.etag ?? '')?.[1])
}
