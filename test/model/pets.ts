import { attempt } from './limits.js'
import { accountOf } from './accounts.js'
import { petError, plain, tooMany, type Allowed } from './reply.js'
import { IDEMPOTENCY } from './rules.js'
import type { ApiKey, World } from './world.js'

/** A pet, as replies show it. */
export type ModelPet = {
  /** Learned from the reply that created it. */
  id?: number
  readonly draft: Draft
  traits: Traits
  /** Entity tags that it had; the last one is that of now, where a reply has told it. */
  readonly tags: string[]
  /** Whether the last tag is that of now. */
  isTagKnown: boolean
  isRemoved: boolean
}

export type Draft = { readonly name: string; readonly tag?: string; readonly category?: string }
export type Traits = Readonly<Record<string, string | number | boolean>>
/** Traits to be set; with `null` those to be taken away. */
export type TraitsChange = Readonly<Record<string, string | number | boolean | null>>

/** An idempotency key in the name space of a credential. */
export type UsedKey = {
  readonly scope: string
  readonly key: string
  readonly body: string
  readonly endsAt: number
  readonly pet: ModelPet
}

/** The address of a next page, as it was told. */
export type PetPosition = { readonly after: number; readonly limit: number; path?: string }

/** What is presented on pet routes, beside what is not. */
export type PetCredentials = {
  readonly apiKey?: ApiKey | 'forged' | undefined
  readonly basic?: { readonly email: string; readonly password: string } | undefined
  readonly network: string
}

/** The name space of who asks, or the refusal. */
export type PetCaller = { readonly scope: string } | Allowed

export function petCaller(world: World, { apiKey, basic, network }: PetCredentials): PetCaller {
  const none = petError(401, { 'www-authenticate': /^Basic realm="[^"]+", charset="UTF-8"$/ })
  const presented = [apiKey, basic].filter((one) => one !== undefined).length
  if (presented < (world.rules.petSecurity === 'all' ? 2 : 1)) return none
  if (apiKey === 'forged' || apiKey?.isRevoked) return none
  if (!basic) return { scope: `key ${apiKey?.id ?? 0}` }
  const account = accountOf(world, basic.email)
  const isRight = account?.state === 'enabled' && account.password === basic.password
  const known = `${basic.email} ${account?.epoch ?? 0} ${basic.password}`
  // A pair that was verified a short time ago is known still, and is not counted then.
  if (isRight && world.verified.has(known)) return { scope: `account ${account.id}` }
  const counted = attempt(world, basic.email, network)
  if (counted.kind === 'refused') return { ...petError(429), ...retryAfter(tooMany(counted.seconds)) }
  if (!isRight) return none
  counted.refund()
  world.verified.add(known)
  return { scope: `account ${account.id}` }
}

function retryAfter({ headers }: Allowed): Pick<Allowed, 'headers'> {
  return headers ? { headers } : {}
}

export function isRefused(caller: PetCaller): caller is Allowed {
  return 'status' in caller
}

export type Creation = { readonly draft: Draft; readonly key?: string | undefined }

/** POST /v1/pets: what it answers, and the pet whose address it tells. */
export function createPet(
  world: World,
  { scope }: { readonly scope: string },
  { draft, key }: Creation,
): { readonly reply: Allowed; readonly pet?: ModelPet } {
  const body = JSON.stringify(draft)
  const used = world.usedKeys.find((one) => one.scope === scope && one.key === key && world.now < one.endsAt)
  if (used && used.body !== body) return { reply: petError(422) }
  if (used) return { reply: plain(201, ''), pet: used.pet }
  const pet: ModelPet = { draft, traits: {}, tags: [], isTagKnown: false, isRemoved: false }
  world.pets.push(pet)
  if (key !== undefined) world.usedKeys.push({ scope, key, body, endsAt: world.now + IDEMPOTENCY, pet })
  return { reply: plain(201, ''), pet }
}

/** Pets that are there, in the order of their ids. */
function petsAfter({ pets }: World, after: number): readonly ModelPet[] {
  const there = pets.filter(({ id = 0, isRemoved }) => !isRemoved && id > after)
  return there.sort((one, other) => idOf(one) - idOf(other))
}

export function idOf({ id = 0 }: ModelPet): number {
  return id
}

/** A pet as a reply shows it. */
function shownPet(pet: ModelPet): object {
  return { id: idOf(pet), ...pet.draft, ...pet.traits }
}

/** GET /v1/pets: a page, and where the next one starts. */
export function listPets(
  world: World,
  { after, limit }: PetPosition,
): { readonly reply: Allowed; readonly next?: PetPosition } {
  if (limit < 1 || limit > 100) return { reply: petError(400) }
  const there = petsAfter(world, after)
  const page = there.slice(0, limit)
  const body = page.map(shownPet)
  if (there.length === page.length)
    return { reply: plain(200, body, { 'x-next': undefined, link: undefined }) }
  const next = { after: idOf(page.at(-1)!), limit }
  return { reply: plain(200, body, { 'x-next': /^http:.*\bcursor=/, link: /^<http.*>; rel="next"$/ }), next }
}

/** GET /v1/pets?ids=: those that are there, each once (7.3). */
export function readPets(world: World, ids: readonly number[]): Allowed {
  const wanted = petsAfter(world, 0).filter((pet) => ids.includes(idOf(pet)))
  return plain(200, wanted.map(shownPet), { 'x-next': undefined, link: undefined })
}

/** A condition: on no tag, or on one that the pet has or had. */
export type Condition = { readonly tag: string; readonly holds: boolean } | undefined

/** GET /v1/pets/{petId}. */
export function readPet(pet: ModelPet | undefined, ifNoneMatch: Condition): Allowed {
  if (!pet || pet.isRemoved) return petError(404)
  const headers = { etag: pet.isTagKnown ? pet.tags.at(-1) : /^"[^"]+"$/ }
  return ifNoneMatch?.holds ? plain(304, '', headers) : plain(200, shownPet(pet), headers)
}

const SHAPES: Readonly<Record<string, string>> = { age: 'cat', hunts: 'cat', bark: 'dog', breed: 'dog' }

function shapesOf(traits: object): ReadonlySet<string | undefined> {
  return new Set(Object.keys(traits).map((name) => SHAPES[name]))
}

/** A change as it was sent: `null` is a wrong type, but in a merge patch (7.3). */
export type Patch = { readonly change: TraitsChange; readonly isMerge: boolean }

/** PATCH /v1/pets/{petId}. A body is judged before it is known whether there is such a pet. */
export function patchPet(pet: ModelPet | undefined, { change, isMerge }: Patch, ifMatch: Condition): Allowed {
  const shapes = shapesOf(change)
  if (shapes.size !== 1 || shapes.has(undefined)) return petError(400)
  if (!isMerge && Object.values(change).includes(null)) return petError(400)
  if (!pet || pet.isRemoved) return petError(404)
  if (ifMatch && !ifMatch.holds) return petError(412)
  pet.traits = merged(pet.traits, change)
  pet.isTagKnown = false
  return plain(200, shownPet(pet), { etag: /^"[^"]+"$/ })
}

/** Traits of the other shape go when one of this is set; taking away what is not there changes nothing. */
function merged(before: Traits, change: TraitsChange): Traits {
  const [shape] = shapesOf(change)
  const isSameShape = [...shapesOf(before)].every((one) => one === shape)
  const setsNothing = Object.values(change).every((trait) => trait === null)
  if (!isSameShape && setsNothing) return before
  const all = Object.entries({ ...(isSameShape && before), ...change })
  return Object.fromEntries(all.filter((entry): entry is [string, Traits[string]] => entry[1] !== null))
}

/** DELETE /v1/pets/{petId}. */
export function removePet(pet: ModelPet | undefined, ifMatch: Condition): Allowed {
  if (!pet || pet.isRemoved) return petError(404)
  if (ifMatch && !ifMatch.holds) return petError(412)
  pet.isRemoved = true
  return plain(204, '')
}
