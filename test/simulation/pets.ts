import type { Pet } from '../../src/domain/catalogue/pet.js'
import { attempt, type Sender } from './attempt.js'
import { emailOf, passwordOf, type Action, type Turn } from './clients.js'
import { ownerOf } from './made-up.js'
import { doorOf } from './owners.js'

/** A client with an API key, or with a password. */
function petClient(turn: Turn): Sender {
  const { kind, account } = turn.client
  const key = turn.apiKeys[turn.a % turn.apiKeys.length]?.key
  if (kind === 'program' && key !== undefined)
    return senderOf({ apiKey: ownerOf(key) }, { apiKey: key }, 'apiKeys.find')
  const password = passwordOf(turn)
  const basic = { email: emailOf(account), password }
  return senderOf({ account, password }, { basic }, 'accounts.findByEmail')
}

const senderOf = (client: object, presented: object, first: string): Sender => ({
  ...{ seen: { client }, first: [first] },
  sent: async ({ authenticatePetClient }) => ({ caller: await authenticatePetClient(presented) }),
})

/** Rejected with an API key or a password, because these authenticate only a single request. */
export const enterVaultAlone: Action = (turn) =>
  attempt('enterVaultAlone', petClient(turn), { input: doorOf(turn) })

export const createPet: Action = (turn) => {
  const name = `pet${(turn.b >> 2) % 3 === 0 ? 1 : 2}`
  const key = [undefined, 'k1', 'k1', 'k2'][turn.c % 4]
  return attempt('createPet', petClient(turn), {
    input: { name, key },
    sent: { draft: { name }, idempotencyKey: key },
    answerOf: (id: number) => {
      turn.pets.push({ id, revision: 1 })
      return id
    },
  })
}

/** A pet and usually the revision that the pet is expected to have. */
function petOf({ pets, b, c }: Turn) {
  const { id, revision } = pets[b % pets.length] ?? { id: 1, revision: 1 }
  return { id, expected: c % 3 === 0 ? undefined : revision }
}

/** Remembers the revision of a pet. */
function seen({ pets }: Turn) {
  return ({ id, name, revision, traits }: Pet) => {
    pets.push({ id, revision })
    return { name, revision, age: traits?.kind === 'cat' ? traits.age : undefined }
  }
}

export const readPet: Action = (turn) => {
  const { id } = petOf(turn)
  const [input, sent] = [{ pet: id }, { id }]
  return attempt('readPet', petClient(turn), { input, sent, answerOf: seen(turn) })
}

export const patchPet: Action = (turn) => {
  const [{ id, expected }, age] = [petOf(turn), (turn.c >> 2) % 4]
  return attempt('patchPet', petClient(turn), {
    input: { pet: id, expected, age },
    sent: { id, change: { kind: 'cat', age }, expected: expected && [expected] },
    answerOf: seen(turn),
  })
}

export const removePet: Action = (turn) => {
  const { id, expected } = petOf(turn)
  const [input, sent] = [
    { pet: id, expected },
    { id, expected: expected && [expected] },
  ]
  return attempt('removePet', petClient(turn), { input, sent })
}
