import { done, next, refused, type Made, type Step, type World } from './world.js'

/** An API key, or email and password. */
export type Client = { readonly apiKey: Made } | { readonly account: number; readonly password: string }

const authenticate: Step<{ readonly client: Client }> = (world, { client }) => {
  if ('apiKey' in client)
    return world.apiKeys.includes(client.apiKey)
      ? next(world, `key ${client.apiKey}`)
      : refused(world, 'invalid-credentials')
  const account = world.accounts[client.account]
  const isRight =
    account && !account.disabled && !account.factor?.isActive && account.password === client.password
  return isRight ? next(world, `account ${client.account}`) : refused(world, 'invalid-credentials')
}

const DAY = 86_400_000

type New = { readonly client: Client; readonly name: string; readonly key: string | undefined }

/** One pet for each credential and key within 24 hours. */
const create: Step<New> = (world, { name, key }, { now, note }) => {
  const pet = world.lastPet + 1
  const made = { ...world, lastPet: pet, pets: { ...world.pets, [pet]: { name, revision: 1 } } }
  const isPet = (id: number) => (answer: number) => answer === id
  if (key === undefined) return done(made, isPet(pet))
  const scoped = `${String(note)} ${key}`
  const spent = world.idempotencyKeys[scoped]
  if (spent && now < spent.until)
    return spent.name === name ? done(world, isPet(spent.pet)) : refused(world, 'idempotency-key-reused')
  const keys = { ...world.idempotencyKeys, [scoped]: { name, pet, until: now + DAY } }
  return done({ ...made, idempotencyKeys: keys }, isPet(pet))
}

type OnPet = { readonly client: Client; readonly pet: number; readonly expected?: number | undefined }
type Shown = { readonly name: string; readonly revision: number; readonly age?: number | undefined }

const isShown = (pet: Shown) => (answer: Shown) =>
  answer.name === pet.name && answer.revision === pet.revision && answer.age === pet.age

const read: Step<OnPet> = (world, { pet: id }) => {
  const pet = world.pets[id]
  return pet ? done(world, isShown(pet)) : refused(world, 'not-found')
}

const patch: Step<OnPet & { readonly age: number }> = (world, { pet: id, expected, age }) => {
  const pet = world.pets[id]
  if (!pet) return refused(world, 'not-found')
  if (expected !== undefined && expected !== pet.revision) return refused(world, 'stale')
  const changed = { ...pet, revision: pet.revision + 1, age }
  return done({ ...world, pets: { ...world.pets, [id]: changed } }, isShown(changed))
}

const remove: Step<OnPet> = (world, { pet: id, expected }) => {
  const { [id]: pet, ...pets } = world.pets
  if (!pet) return refused(world, 'not-found')
  return expected !== undefined && expected !== pet.revision
    ? refused(world, 'stale')
    : done({ ...world, pets })
}

export const createPet = [authenticate, create]
export const readPet = [authenticate, read]
export const patchPet = [authenticate, patch]
export const removePet = [authenticate, remove]

const withKeys = (world: World, apiKeys: readonly Made[]): World => ({ ...world, apiKeys })

export const createApiKey: readonly Step<unknown>[] = [
  (world, _, { id }) => done(withKeys(world, [...world.apiKeys, id]), (answer: Made) => answer === id),
]

export const revokeApiKey: readonly Step<{ readonly key: Made }>[] = [
  (world, { key }) =>
    done(
      withKeys(
        world,
        world.apiKeys.filter((one) => one !== key),
      ),
    ),
]
