import type { Pet } from '../../src/domain/catalogue/pet.js'
import {
  actionsOf,
  emailOf,
  passwordOf,
  type Client,
  type Numbers,
  type Scene,
  type Sender,
} from './clients.js'
import { ownerOf } from './made-up.js'

/** The owner of an API key, or of a password. */
const onPets = actionsOf((scene: Scene, who: Client, [number]: Numbers): Sender => {
  const key = scene.apiKeys[number % scene.apiKeys.length]?.key
  if (who.kind === 'program' && key !== undefined)
    return senderOf({ apiKey: ownerOf(key) }, { apiKey: key }, 'apiKeys.find')
  const [account, password] = [who.account, passwordOf(scene, who, number)]
  const basic = { email: emailOf(account), password }
  return senderOf({ account, password }, { basic }, 'accounts.findByEmail')
})

const senderOf = (client: object, presented: object, first: string): Sender => ({
  ...{ seen: { client }, first: [first] },
  sent: async ({ authenticatePetClient }) => ({ caller: await authenticatePetClient(presented) }),
})

export const createPet = onPets('createPet', ({ pets }, _, [, b, c]) => {
  const [name, key] = [`pet${(b >> 2) % 3 === 0 ? 1 : 2}`, [undefined, 'k1', 'k1', 'k2'][c % 4]]
  return {
    input: { name, key },
    sent: { draft: { name }, idempotencyKey: key },
    then: (id: number) => void pets.push({ id, revision: 1 }),
  }
})

const petOf = ({ pets }: Scene, number: number) => pets[number % pets.length] ?? { id: 1, revision: 1 }

export const readPet = onPets('readPet', (scene, _, [, b]) => {
  const { id } = petOf(scene, b)
  return { input: { pet: id }, sent: { id }, then: (pet: Pet) => void scene.pets.push(pet) }
})

/** A pet, and mostly the revision that it is expected to have. */
function expectedOf(scene: Scene, _: Client, [, b, c]: Numbers) {
  const { id, revision } = petOf(scene, b)
  if (c % 3 === 0) return { input: { pet: id, expected: undefined }, sent: { id } }
  return { input: { pet: id, expected: revision }, sent: { id, expected: [revision] } }
}

export const patchPet = onPets('patchPet', (scene, client, numbers) => {
  const { input, sent } = expectedOf(scene, client, numbers)
  const age = (numbers[2] >> 2) % 4
  return {
    input: { ...input, age },
    sent: { ...sent, change: { kind: 'cat', age } },
    then: (pet: Pet) => void scene.pets.push(pet),
  }
})

export const removePet = onPets('removePet', expectedOf)
