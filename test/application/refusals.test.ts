import { expect } from 'chai'
import { ANONYMOUS, OPERATOR, type Caller, type Identity } from '../../src/domain/access/caller.js'
import type { IdempotencyKey } from '../../src/domain/catalogue/idempotency-key.js'
import type { PetId, Revision } from '../../src/domain/catalogue/pet.js'
import type { TraitsChange } from '../../src/domain/catalogue/traits.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { ProjectId } from '../../src/domain/project/project.js'
import { draft, program } from '../support/pet-drafts.js'
import { refusalOf } from '../support/refusal-of.js'
import { composeUseCases, PASSWORD, type Composed } from '../support/use-cases.js'

const ADA = 'ada@example.com'
const NEVER_THERE = 'eve@example.com'

type UseCases = Composed['useCases']
/** What is refused, and what is told then: code, field, type and text. */
type Case = readonly [call: (useCases: UseCases) => Promise<unknown>, told: readonly string[]]

const NO_ACCOUNT = ['not-found', 'email', 'NotFound', 'There is no account with this email.']
const NO_PET = ['not-found', '', 'NotFound', 'There is no pet with this id.']
const NO_PROJECT = ['not-found', '', 'NotFound', 'There is no project with this id.']
const caller = OPERATOR
const user = program(1)
const ADA_HERSELF: Identity = { kind: 'account', accountId: 1 as AccountId, email: ADA as Email, roles: [] }
const change: TraitsChange = { kind: 'cat', hunts: true }
const idempotencyKey = 'key' as IdempotencyKey

/** Where several use cases say the same each is there: none has a text of its own for it. */
const CASES: Readonly<Record<string, Case>> = {
  'a caller without an identity': [
    ({ createPet }) => createPet({ caller: ANONYMOUS, draft: draft('Rex') }),
    ['unauthenticated', '', 'Forbidden', 'Authentication is required.'],
  ],
  'a caller without the permission': [
    ({ createRole }) => createRole({ caller: user, key: 'key', label: 'Label' }),
    ['forbidden', '', 'Forbidden', 'This action is not granted to you.'],
  ],
  'a user that is there already': [
    ({ createUser }) => createUser({ caller, email: ADA, password: PASSWORD }),
    ['conflict', 'email', 'Duplicate', 'An account with this email exists already.'],
  ],
  'a role that is there already': [
    ({ createRole }) => createRole({ caller, key: 'editor', label: 'Editor' }),
    ['conflict', 'key', 'Duplicate', 'A role with this key exists already.'],
  ],
  'a role that is none': [
    ({ assignRole }) => assignRole({ caller, email: ADA, role: 'none' }),
    ['not-found', 'role', 'NotFound', 'There is no role "none".'],
  ],
  'a role that the account has not': [
    ({ assignRole }) => assignRole({ caller, email: ADA, role: 'editor', remove: true }),
    ['not-found', 'role', 'NotFound', 'The account does not have the role "editor".'],
  ],
  'a role of no account': [
    ({ assignRole }) => assignRole({ caller, email: NEVER_THERE, role: 'editor' }),
    NO_ACCOUNT,
  ],
  'the lock of no account': [({ disableUser }) => disableUser({ caller, email: NEVER_THERE }), NO_ACCOUNT],
  'no account to be deleted': [({ deleteUser }) => deleteUser({ caller, email: NEVER_THERE }), NO_ACCOUNT],
  'the sessions of no account': [
    ({ revokeSessions }) => revokeSessions({ caller, email: NEVER_THERE }),
    NO_ACCOUNT,
  ],
  'a key that is none': [
    ({ revokeApiKey }) => revokeApiKey({ caller, id: '7' }),
    ['not-found', 'id', 'NotFound', 'There is no API key with this id.'],
  ],
  'no pet to be read': [({ readPet }) => readPet({ caller: user, id: 7 as PetId }), NO_PET],
  'no pet to be changed': [({ patchPet }) => patchPet({ caller: user, id: undefined, change }), NO_PET],
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
      'This idempotency key was used with another body.',
    ],
  ],
  'no project': [({ readProject }) => readProject({ caller: ADA_HERSELF, id: 7 as ProjectId }), NO_PROJECT],
}

describe('who is refused', () => {
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
    it(`is told why: ${name}`, async () => {
      const { code, messages } = await refusalOf(call(kennel.useCases))
      const [message] = messages
      expect([code, message?.field, message?.type, message?.message]).to.deep.equal(told)
      expect(messages).to.have.length(1)
    })

  it('is told that there is no account where another process has deleted it meanwhile, and nothing is audited', async () => {
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

  it('is told nothing of the keys of other callers, each of whom has its own', async () => {
    const ada = await kennel.caller(ADA)
    const callers: readonly Caller[] = [user, program(2), ada, OPERATOR]
    const ids = []
    for (const one of callers)
      ids.push(
        await kennel.useCases.createPet({ caller: one, draft: draft(`of ${one.kind}`), idempotencyKey }),
      )
    expect(new Set(ids)).to.have.lengthOf(callers.length)
  })
})
