import { expect } from 'chai'
import { ANONYMOUS, OPERATOR } from '../../src/domain/access/caller.js'
import type { IdempotencyKey, PetId, Revision, TraitsChange } from '../../src/domain/catalogue/pet.js'
import type { Email } from '../../src/domain/identity/email.js'
import { draft, program } from '../support/pet-drafts.js'
import { refusalOf } from '../support/refusal-of.js'
import { composeUseCases, PASSWORD, type Composed } from '../support/use-cases.js'

const ADA = 'ada@example.com'

type UseCases = Composed['useCases']
/** A call that is refused, with the refusal's code and the field, type and text of its message. */
type Case = readonly [call: (useCases: UseCases) => Promise<unknown>, told: readonly string[]]

const NO_ACCOUNT = ['not-found', 'email', 'NotFound', 'There is no account with this email.']
const NO_PET = ['not-found', '', 'NotFound', 'There is no pet with this id.']
const caller = OPERATOR
const user = program(1)
const change: TraitsChange = { kind: 'cat', hunts: true }
const idempotencyKey = 'key' as IdempotencyKey

/** Refusals that several use cases share, each with a call that causes it. */
const CASES: Readonly<Record<string, Case>> = {
  'a caller without an identity': [
    ({ createPet }) => createPet({ caller: ANONYMOUS, draft: draft('Rex') }),
    ['unauthenticated', '', 'Forbidden', 'Authentication is required.'],
  ],
  'a caller without the permission': [
    ({ createRole }) => createRole({ caller: user, key: 'key', label: 'Label' }),
    ['forbidden', '', 'Forbidden', 'You do not have permission to do this.'],
  ],
  'a user that already exists': [
    ({ createUser }) => createUser({ caller, email: ADA, password: PASSWORD }),
    ['conflict', 'email', 'Duplicate', 'An account with this email already exists.'],
  ],
  'a role that already exists': [
    ({ createRole }) => createRole({ caller, key: 'editor', label: 'Editor' }),
    ['conflict', 'key', 'Duplicate', 'A role with this key already exists.'],
  ],
  'a role that the account does not have': [
    ({ assignRole }) => assignRole({ caller, email: ADA, role: 'editor', remove: true }),
    ['not-found', 'role', 'NotFound', 'The account does not have the role "editor".'],
  ],
  'an unknown API key': [
    ({ revokeApiKey }) => revokeApiKey({ caller, id: '7' }),
    ['not-found', 'id', 'NotFound', 'There is no API key with this id.'],
  ],
  'no pet to be read': [({ readPet }) => readPet({ caller: user, id: 7 as PetId }), NO_PET],
  'a change of an unknown pet': [
    ({ patchPet }) => patchPet({ caller: user, id: 7 as PetId, change }),
    NO_PET,
  ],
  'a removal with an invalid pet ID': [({ removePet }) => removePet({ caller: user, id: undefined }), NO_PET],
  'a pet that has changed': [
    ({ patchPet }) => patchPet({ caller: user, id: 1 as PetId, change, expected: [7 as Revision] }),
    ['stale', '', 'Conflict', 'The pet has changed since it was read.'],
  ],
  'a key that was used for another pet': [
    async ({ createPet }) => {
      await createPet({ caller: user, draft: draft('Rex'), idempotencyKey })
      await createPet({ caller: user, draft: draft('Tom'), idempotencyKey })
    },
    [
      ...['idempotency-key-reused', 'Idempotency-Key', 'Conflict'],
      'This idempotency key was used with a different body.',
    ],
  ],
}

describe('a refused caller', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({
      permissions: {
        roles: {
          user: { components: { pets: ['*'], project: ['*'] } },
          cli: {
            components: {
              'user-task': ['*'],
              role: ['*'],
              user: ['*'],
              session: ['*'],
              apikey: ['*'],
              pets: ['*'],
            },
          },
        },
      },
    })
    await kennel.account(ADA)
    await kennel.useCases.createRole({ caller, key: 'editor', label: 'Editor' })
    await kennel.store.pets.insert(draft('Rex'))
  })

  for (const [name, [call, told]] of Object.entries(CASES))
    it(`receives the error code and the message: ${name}`, async () => {
      const { code, messages } = await refusalOf(call(kennel.useCases))
      const [message] = messages
      expect([code, message?.field, message?.type, message?.message]).to.deep.equal(told)
      expect(messages).to.have.length(1)
    })

  it('gets the same error if another process has just deleted the account, and no audit record is written', async () => {
    const { accounts } = kennel.store
    const findByEmail: typeof accounts.findByEmail = async (email) => {
      const found = await accounts.findByEmail(email)
      if (found) await accounts.remove(found.id)
      return found
    }
    const { useCases } = await composeUseCases({
      store: { ...kennel.store, accounts: { ...accounts, findByEmail } },
    })
    const calls: readonly ((email: string) => Promise<unknown>)[] = [
      (email) => useCases.disableUser({ caller, email }),
      (email) => useCases.enableUser({ caller, email }),
      (email) => useCases.deleteUser({ caller, email }),
      (email) => useCases.setPassword({ caller, email, password: PASSWORD }),
    ]
    await kennel.audited()
    for (const [index, call] of calls.entries()) {
      const email = `user${String(index)}@example.com`
      await accounts.insert({ email: email as Email, createdAt: 0 })
      const { code, messages } = await refusalOf(call(email))
      expect([code, messages[0]?.field, messages[0]?.type, messages[0]?.message]).to.deep.equal(NO_ACCOUNT)
    }
    expect(await kennel.audited()).to.deep.equal([])
  })
})
