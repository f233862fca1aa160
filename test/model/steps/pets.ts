import fc from 'fast-check'
import { PETS } from '../../support/http/pet-calls.js'
import type { Reply } from '../../support/http/client.js'
import {
  createPet,
  idOf,
  listPets,
  patchPet,
  readPet,
  removePet,
  type Condition,
  type ModelPet,
  readPets,
  type PetPosition,
  type TraitsChange,
} from '../pets.js'
import { step, type Step } from '../play.js'
import { ViolationError } from '../violation.js'
import type { World } from '../world.js'
import { at, index } from './choices.js'
import { credentials, exchange } from './pet-requests.js'

const DRAFTS = [{ name: 'Rex' }, { name: 'Tom', tag: 'cat', category: 'One' }]

export const creations: fc.Arbitrary<Step> = fc
  .record({ ...credentials, draft: fc.nat(1), idempotencyKey: fc.option(fc.nat(1)) })
  .map((chosen) =>
    step('create a pet', async (world, place) => {
      const draft = DRAFTS[chosen.draft]!
      const key = chosen.idempotencyKey === null ? undefined : `${place.history}-${chosen.idempotencyKey}`
      const headers = { ...(key !== undefined && { 'Idempotency-Key': key }) }
      let made: ModelPet | undefined
      const judge = (caller: { readonly scope: string }) => {
        const { reply, pet } = createPet(world, caller, { draft, key })
        made = pet
        return reply
      }
      const reply = await exchange(world, place, chosen, {
        method: 'POST',
        path: PETS,
        json: draft,
        headers,
        judge,
      })
      if (made) learnId(world, made, reply)
    }),
  )

/** The address of a new pet is above all that there were; a repeated request tells that of the first one. */
function learnId(world: World, pet: ModelPet, reply: Reply): void {
  const id = Number(/\/v1\/pets\/([1-9][0-9]*)$/.exec(reply.headers.location ?? '')?.[1])
  const others = world.pets.filter((one) => one !== pet).map(idOf)
  const isRight = pet.id === undefined ? id > Math.max(0, ...others) : id === pet.id
  if (!isRight)
    throw new ViolationError(world.trace, `the address of pet ${pet.id ?? 'of its own'} expected, got ${id}`)
  pet.id = id
}

/** Where there is none, an id that no pet of the history has. */
const MISSING = 2 ** 40

function pathOf(pet: ModelPet | undefined): string {
  return `${PETS}/${pet ? idOf(pet) : MISSING}`
}

/** A tag that the pet has or had: 0 is the newest. None where nothing is asked of it. */
function conditionOf(pet: ModelPet | undefined, back: number | null): Condition {
  const tag = pet && back !== null ? pet.tags.at(-1 - Math.min(back, pet.tags.length - 1)) : undefined
  return tag === undefined ? undefined : { tag, holds: pet?.isTagKnown === true && tag === pet.tags.at(-1) }
}

/** Mostly one of the first, which then changes more than once. */
const onePet = {
  ...credentials,
  position: fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: index }),
  back: fc.option(fc.nat(1), { freq: 4 }),
}

/** A tag is as long the same as the pet is. */
function learnTag(world: World, pet: ModelPet | undefined, { status, headers }: Reply): void {
  const { etag } = headers
  if (!pet || status >= 300 || etag === undefined || (pet.isTagKnown && etag === pet.tags.at(-1))) return
  if (pet.tags.includes(etag)) throw new ViolationError(world.trace, 'a tag that the pet never had expected')
  pet.tags.push(etag)
  pet.isTagKnown = true
}

export const reads: fc.Arbitrary<Step> = fc.record(onePet).map((chosen) =>
  step('read a pet', async (world, place) => {
    const pet = at(world.pets, chosen.position)
    const condition = conditionOf(pet, chosen.back)
    const headers = { ...(condition && { 'If-None-Match': condition.tag }) }
    const judge = () => readPet(pet, condition)
    learnTag(
      world,
      pet,
      await exchange(world, place, chosen, { method: 'GET', path: pathOf(pet), headers, judge }),
    )
  }),
)

const CHANGES: readonly TraitsChange[] = [
  { age: 3 },
  { hunts: true },
  { bark: false },
  { breed: 'Beagle', bark: true },
  { age: 1, bark: true },
  {},
  { age: null },
  { hunts: null, age: 7 },
  { bark: null },
  { breed: null, bark: null },
  { age: null, bark: true },
]

const MERGE_PATCH = 'application/merge-patch+json'

export const patches: fc.Arbitrary<Step> = fc
  .record({ ...onePet, change: fc.constantFrom(...CHANGES), isMerge: fc.boolean() })
  .map(({ change, isMerge, ...chosen }) =>
    step('patch a pet', async (world, place) => {
      const pet = at(world.pets, chosen.position)
      const condition = conditionOf(pet, chosen.back)
      const headers = { ...(condition && { 'If-Match': condition.tag }) }
      const sent = isMerge
        ? { headers: { ...headers, 'Content-Type': MERGE_PATCH }, body: JSON.stringify(change) }
        : { headers, json: change }
      const judge = () => patchPet(pet, { change, isMerge }, condition)
      learnTag(
        world,
        pet,
        await exchange(world, place, chosen, { method: 'PATCH', path: pathOf(pet), ...sent, judge }),
      )
    }),
  )

export const removals: fc.Arbitrary<Step> = fc.record(onePet).map((chosen) =>
  step('remove a pet', async (world, place) => {
    const pet = at(world.pets, chosen.position)
    const condition = conditionOf(pet, chosen.back)
    const headers = { ...(condition && { 'If-Match': condition.tag }) }
    const judge = () => removePet(pet, condition)
    await exchange(world, place, chosen, { method: 'DELETE', path: pathOf(pet), headers, judge })
  }),
)

const LIMITS = [1, 2, 3, 100, 20, 0, 101]

/** The first page, or a next one by an address that was told at any time. */
export const lists: fc.Arbitrary<Step> = fc
  .record({ ...credentials, limit: fc.nat(LIMITS.length - 1), position: fc.option(index) })
  .map((chosen) =>
    step('list pets', async (world, place) => {
      const limit = LIMITS[chosen.limit]!
      const told = chosen.position === null ? undefined : at(world.positions, chosen.position)
      const from: PetPosition = told ?? { after: 0, limit, path: `${PETS}?limit=${limit}` }
      let next: PetPosition | undefined
      const judge = () => {
        const listed = listPets(world, from)
        ;({ next } = listed)
        return listed.reply
      }
      const reply = await exchange(world, place, chosen, { method: 'GET', path: from.path ?? PETS, judge })
      if (next) world.positions.push({ ...next, path: pathAndQuery(reply) })
    }),
  )

function pathAndQuery({ headers }: Reply): string {
  const { pathname, search } = new URL(String(headers['x-next']))
  return pathname + search
}

/** Several by their ids, some of them twice, and some that never were. */
export const picks: fc.Arbitrary<Step> = fc
  .record({ ...credentials, positions: fc.array(fc.option(index), { minLength: 1, maxLength: 4 }) })
  .map(({ positions, ...chosen }) =>
    step('read pets', async (world, place) => {
      const ids = positions.map((position) => idAt(world, position))
      const judge = () => readPets(world, ids)
      await exchange(world, place, chosen, { method: 'GET', path: `${PETS}?ids=${ids.join()}`, judge })
    }),
  )

function idAt({ pets }: World, position: number | null): number {
  const pet = position === null ? undefined : at(pets, position)
  return pet ? idOf(pet) : MISSING
}
