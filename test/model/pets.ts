import { done, enabledAccount, next, refused, without, withRow } from './world.js'
import type { OperationId, Outcome, Pet, Step, World } from './world.js'

/** An API key, or email and password. */
type Client = { readonly apiKey: OperationId } | { readonly account: number; readonly password: string }

export type PetClient = { readonly client: Client }

export const authenticate: Step<PetClient> = (world, { client }) => {
  const isKey = 'apiKey' in client
  const account = isKey ? undefined : enabledAccount(world, client.account)
  const isRight = isKey
    ? world.apiKeys.includes(client.apiKey)
    : !account?.factor?.isActive && account?.password === client.password
  const credential = isKey ? `key ${client.apiKey}` : `account ${client.account}`
  return isRight ? next(world, credential) : refused(world, 'invalid-credentials')
}

const DAY = 86_400_000

type New = { readonly name: string; readonly key: string | undefined }

/** Each combination of credential and idempotency key creates only one pet within 24 hours. */
const create: Step<New> = (world, { name, key }, { now, note }) => {
  const pet = world.lastPet + 1
  const made = withRow({ ...world, lastPet: pet }, 'pets', pet, { name, revision: 1 })
  if (key === undefined) return done(made, pet)
  const scoped = `${String(note)} ${key}`
  const spent = world.idempotencyKeys[scoped]
  if (spent && now < spent.until)
    return spent.name === name ? done(world, spent.pet) : refused(world, 'idempotency-key-reused')
  return done(withRow(made, 'idempotencyKeys', scoped, { name, pet, until: now + DAY }), pet)
}

type OnPet = { readonly pet: number; readonly expected?: number | undefined }

/** The steps of an operation on a pet that exists and has the expected revision. */
function onPet<Input extends OnPet>(step: (world: World, pet: Pet, input: Input) => readonly Outcome[]) {
  const onFound: Step<Input> = (world, input) => {
    const pet = world.pets[input.pet]
    if (!pet) return refused(world, 'not-found')
    const isExpected = input.expected === undefined || input.expected === pet.revision
    return isExpected ? step(world, pet, input) : refused(world, 'stale')
  }
  return [authenticate, onFound]
}

const shown = ({ name, revision, age }: Pet) => ({ name, revision, age })

const patchPet = onPet<OnPet & { readonly age: number }>((world, pet, { pet: id, age }) => {
  const changed = { ...pet, revision: pet.revision + 1, age }
  return done(withRow(world, 'pets', id, changed), shown(changed))
})

const createApiKey: Step = (world, _, { id }) => done({ ...world, apiKeys: [...world.apiKeys, id] }, id)

const revokeApiKey: Step<{ readonly key: OperationId }> = (world, { key }) =>
  done({ ...world, apiKeys: world.apiKeys.filter((one) => one !== key) })

export const petRules = {
  createPet: [authenticate, create],
  readPet: onPet((world, pet) => done(world, shown(pet))),
  patchPet,
  removePet: onPet((world, _, { pet: id }) => done(without(world, 'pets', id))),
  createApiKey: [createApiKey],
  revokeApiKey: [revokeApiKey],
}
