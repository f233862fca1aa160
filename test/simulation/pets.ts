import type { Pet } from '../../src/domain/catalogue/pet.js'
import { attempt, emailOf, passwordOf, type Action, type Client, type Scene } from './clients.js'
import { ownerOf } from './made-up.js'

/** The credentials of a request, and their form in the model. */
function credentialsOf(scene: Scene, { kind, account }: Client, number: number) {
  const key = scene.apiKeys[number % Math.max(1, scene.apiKeys.length)]?.key
  if (kind === 'program' && key !== undefined)
    return { presented: { apiKey: key }, client: { apiKey: ownerOf(key) }, text: `key ${key}` }
  const password = passwordOf(scene, account, number)
  const presented = { basic: { email: emailOf(account), password } }
  return { presented, client: { account, password }, text: `account ${account}, ${password}` }
}

const FIRST = ['apiKeys.find', 'accounts.findByEmail']
const hintsOf = (client: object, last: string) => ['apiKey' in client ? FIRST[0] : FIRST[1], last] as string[]

/** Notes the revision that a client has seen. */
const note =
  ({ pets }: Scene) =>
  ({ id, revision }: Pet) =>
    void pets.push({ id, revision })
const shown = ({ name, revision, traits }: Pet) => ({
  ...{ name, revision },
  age: traits?.kind === 'cat' ? traits.age : undefined,
})

export const createPet: Action = (scene, who, [a, b, c]) => {
  const { presented, client, text } = credentialsOf(scene, who, a)
  const [name, key] = [`pet${(b >> 2) % 3 === 0 ? 1 : 2}`, [undefined, 'k1', 'k1', 'k2'][c % 4]]
  return attempt('createPet', {
    input: { client, name, key },
    text: `makes ${name} with idempotency key ${key ?? '-'}, ${text}`,
    hints: hintsOf(client, 'pets.insert'),
    call: async ({ authenticatePetClient, createPet: run }) => {
      const caller = await authenticatePetClient(presented)
      return await run({ caller, draft: { name } as never, ...(key && { idempotencyKey: key as never }) })
    },
    answerOf: (id: number) => id,
    then: (id: number) => void scene.pets.push({ id, revision: 1 }),
  })
}

const petOf = ({ pets }: Scene, number: number) =>
  pets[number % Math.max(1, pets.length)] ?? { id: 1, revision: 1 }

export const readPet: Action = (scene, who, [a, b]) => {
  const { presented, client, text } = credentialsOf(scene, who, a)
  const { id: pet } = petOf(scene, b)
  return attempt('readPet', {
    input: { client, pet },
    text: `reads pet ${pet}, ${text}`,
    hints: hintsOf(client, 'pets.find'),
    call: async ({ authenticatePetClient, readPet: run }) =>
      await run({ caller: await authenticatePetClient(presented), id: pet as never }),
    answerOf: shown,
    then: note(scene),
  })
}

export const patchPet: Action = (scene, who, [a, b, c]) => {
  const { presented, client, text } = credentialsOf(scene, who, a)
  const { id: pet, revision } = petOf(scene, b)
  const [expected, age] = [c % 3 === 0 ? undefined : revision, (c >> 2) % 4]
  return attempt('patchPet', {
    input: { client, pet, expected, age },
    text: `sets the age of pet ${pet} to ${age} if its revision is ${expected ?? 'any'}, ${text}`,
    hints: hintsOf(client, 'pets.patch'),
    call: async ({ authenticatePetClient, patchPet: run }) => {
      const caller = await authenticatePetClient(presented)
      const change = { kind: 'cat', age } as never
      return await run({
        caller,
        id: pet as never,
        change,
        ...(expected && { expected: [expected as never] }),
      })
    },
    answerOf: shown,
    then: note(scene),
  })
}

export const removePet: Action = (scene, who, [a, b, c]) => {
  const { presented, client, text } = credentialsOf(scene, who, a)
  const { id: pet, revision } = petOf(scene, b)
  const expected = c % 3 === 0 ? undefined : revision
  return attempt('removePet', {
    input: { client, pet, expected },
    text: `removes pet ${pet} if its revision is ${expected ?? 'any'}, ${text}`,
    hints: hintsOf(client, 'pets.remove'),
    call: async ({ authenticatePetClient, removePet: run }) => {
      const caller = await authenticatePetClient(presented)
      await run({ caller, id: pet as never, ...(expected && { expected: [expected as never] }) })
    },
  })
}
