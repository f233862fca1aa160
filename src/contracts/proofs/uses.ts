import assert from 'node:assert/strict'
import type { RoleKey } from '../../domain/access/role.js'
import type { Account, Epoch } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import { PROOF_PURPOSES, type Proof } from '../../domain/identity/proof.js'
import type { Store } from '../../ports/store.js'
import {
  accountOf,
  addAccount,
  assertAccount,
  ensureRole,
  logIn,
  issue,
  issueUndos,
  newAccount,
  useOf,
  USES,
  ENDINGS,
} from '../arrangements.js'
import { eachInOrder, lawOf, type Law } from '../law.js'
import { assertInactive } from '../logins.js'
import { aProof, NOW, proofDigestOf, SECOND } from '../samples.js'

const law = lawOf('proofs')
const accountLaw = lawOf('proofs', addAccount)

/** Contract tests for uses of email proofs. */
export const proofUseLaws: readonly Law[] = [
  law(
    'every call refuses an expired, unknown or used proof and a proof for another purpose, and removes no proof',
  )
    .protects('A link works once, before it expires, and only for the purpose that its email states.')
    .check(async (store) => {
      const account = await addAccount(store)
      for (const purpose of PROOF_PURPOSES) {
        const proof = await issue(store, purpose, purpose, { accountId: account.id })
        for (const use of Object.values(USES)) {
          assert.equal(await use(store, useOf(proof, proof.until)), 'spent', 'an expired proof is refused')
          if (use !== USES[purpose])
            assert.equal(await use(store, useOf(proof)), 'spent', `the proof is for ${purpose}`)
        }
        assert.deepEqual(await store.proofs.find(useOf(proof)), proof)
        assert.deepEqual(await accountOf(store, account.id), account)
      }
      for (const purpose of PROOF_PURPOSES.toReversed()) {
        const use = useOf(aProof(purpose, purpose))
        assert.notEqual(await USES[purpose](store, use), 'spent', `${purpose} is valid`)
        assert.equal(await USES[purpose](store, use), 'spent', `the proof for ${purpose} is used up`)
        assert.equal(await store.proofs.find(use), undefined)
      }
    }),
  law('a proof with the epoch of a disabled account is invalid')
    .protects(
      'The owner of an account that is waiting for approval cannot log in or set a password by email.',
    )
    .check(async (store) => {
      const { id: accountId, epoch } = await addAccount(store, 'ann', { disabledAt: NOW })
      const purposes = ['login', 'change-email', 'reset-password'] as const
      const proofs = await eachInOrder(purposes, (one) => issue(store, one, one, { accountId, epoch }))
      for (const proof of proofs) {
        assert.equal(await store.proofs.find(useOf(proof)), undefined)
        for (const use of Object.values(USES)) assert.equal(await use(store, useOf(proof)), 'spent')
      }
    }),
  ...ENDINGS.map(({ name, end }) =>
    accountLaw(`${name} invalidates every proof with the account's epoch, and no other proof`)
      .protects('After a password change, a link that a thief requested earlier does nothing.')
      .check(async (store, { id: accountId, epoch }) => {
        const bound = { accountId, epoch, binding: proofDigestOf('browser') }
        const login = await issue(store, 'login', 'login', bound)
        const change = await issue(store, 'change-email', 'change', { accountId, epoch })
        const reset = await issue(store, 'reset-password', 'reset', { accountId, epoch })
        const bob = await addAccount(store, 'bob')
        const others = [await issue(store, 'login', 'other', { accountId: bob.id, epoch: bob.epoch })]
        if (name !== 'remove') others.push(await issue(store, 'undo-email', 'undo', { accountId }))
        const all = [login, change, reset, ...others]
        for (const proof of all) assert.deepEqual(await store.proofs.find(useOf(proof)), proof)
        await end(store, await accountOf(store, accountId))
        for (const proof of [login, change, reset]) {
          assert.equal(await store.proofs.find(useOf(proof)), undefined)
          for (const use of Object.values(USES)) assert.equal(await use(store, useOf(proof)), 'spent')
        }
        assert.equal(await store.proofs.attempt(bound.binding, NOW), undefined)
        for (const proof of others) assert.deepEqual(await store.proofs.find(useOf(proof)), proof)
      }),
  ),
  law('createAccount inserts the account with the email and the roles of the proof')
    .protects('A new account has the address that was proven, and the roles of its invitation.')
    .check(async (store) => {
      const roles = await eachInOrder(['admin', 'editor'], async (key) => await ensureRole(store, key))
      const keys = roles.map(({ key }) => key)
      const enteredEmail = 'Ann@example.org' as Email
      const invited = await issue(store, 'invitation', 'ann', { enteredEmail, roles: keys })
      const signedUp = await issue(store, 'sign-up', 'bob')
      const common = { createdAt: NOW, epoch: 1 as Epoch }
      const ann = { ...newAccount('ann'), ...common, email: invited.email, enteredEmail, roles }
      const bob = { ...common, email: signedUp.email, disabledAt: NOW + SECOND, roles: [] }
      assert.deepEqual(await created(store, invited, newAccount('ann')), ann)
      assert.deepEqual(await created(store, signedUp, { createdAt: NOW, disabledAt: NOW + SECOND }), bob)
      const search = { onlyDisabled: true, limit: 10 }
      assert.deepEqual(
        (await store.accounts.search(search)).map(({ email }) => email),
        [bob.email],
      )
    }),
  law('createAccount uses up the proof if the email is taken, and keeps the proof if a role is unknown')
    .protects('An invitation works again when its role is restored.')
    .check(async (store) => {
      const ann = await addAccount(store)
      const roles = ['gone' as RoleKey]
      const taken = await issue(store, 'sign-up', 'ann', { email: ann.email, roles })
      const invited = await issue(store, 'invitation', 'bob', { roles })
      const create = async (proof: Proof) =>
        await store.proofs.createAccount({ ...useOf(proof), account: newAccount('new') })
      assert.deepEqual(await create(taken), { kind: 'email-taken' })
      assert.deepEqual(await create(taken), { kind: 'spent' })
      for (const _ of ['once', 'twice'])
        assert.deepEqual(await create(invited), { kind: 'unknown-role', role: 'gone' })
      assert.deepEqual(await store.proofs.find(useOf(invited)), invited)
      assert.deepEqual(await store.accounts.page(undefined, 10), [ann])
      await ensureRole(store, 'gone')
      assert.equal((await create(invited)).kind, 'created')
    }),
  accountLaw(
    'an email change with a proof sets the email, increases the epoch, ends all sessions and stores the proof for undoing',
  )
    .protects(
      'After an email change, only the owner of the new address is logged in, and the owner of the old address can object.',
    )
    .check(async (store, ann) => {
      const session = await logIn(store, ann)
      const [accountId, enteredEmail] = [ann.id, 'New@example.org' as Email]
      const earlier = await issueUndos(store, ann, 1)
      const proof = await issue(store, 'change-email', 'new', { accountId, epoch: ann.epoch, enteredEmail })
      const undo = aProof('undo-email', 'undo', { accountId, email: ann.email })
      assert.equal(await store.proofs.changeEmail(useOf(proof), undo), 'changed')
      await assertAccount(store, { ...ann, email: proof.email, enteredEmail, epoch: 2 as Epoch })
      assert.equal(await store.accounts.findByEmail(ann.email), undefined)
      await assertInactive(store, session, NOW)
      assert.deepEqual(await store.proofs.listOf(accountId), [...earlier, undo])
    }),
  accountLaw('a change to an email in use only uses up the proof')
    .protects('No account gets an address that belongs to another account.')
    .check(async (store, ann) => {
      const [{ email }, { id: accountId, epoch }] = [await addAccount(store, 'bob'), ann]
      const change = await issue(store, 'change-email', 'change', { accountId, email, epoch })
      const undo = await issue(store, 'undo-email', 'undo', { accountId, email })
      const next = aProof('undo-email', 'next', { accountId })
      assert.equal(await store.proofs.changeEmail(useOf(change), next), 'email-taken')
      assert.deepEqual(await store.proofs.listOf(accountId), [undo])
      assert.equal(await store.proofs.undoEmail(useOf(undo)), 'email-taken')
      assert.deepEqual(await store.proofs.listOf(accountId), [])
      assert.deepEqual(await accountOf(store, accountId), ann)
    }),
  accountLaw(
    'undoEmail restores the email, removes the proofs that undo later changes, and keeps earlier proofs',
  )
    .protects('A thief cannot take back an account that its owner has restored.')
    .check(async (store, ann) => {
      const bob = await addAccount(store, 'bob')
      const others = await issueUndos(store, bob, 3)
      const [first, second, third] = await issueUndos(store, ann, 3)
      assert.ok(first && second && third)
      const session = await logIn(store, ann)
      assert.equal(await store.proofs.undoEmail(useOf(second)), 'changed')
      await assertInactive(store, session, NOW)
      await assertAccount(store, { ...ann, email: second.email, epoch: 2 as Epoch })
      assert.equal(await store.proofs.undoEmail(useOf(third)), 'spent')
      assert.deepEqual(await store.proofs.listOf(ann.id), [first])
      assert.equal(await store.proofs.undoEmail(useOf(first)), 'changed')
      await assertAccount(store, { ...ann, email: first.email, epoch: 3 as Epoch })
      assert.deepEqual(await store.proofs.listOf(bob.id), others)
    }),
]

async function created(
  store: Store,
  proof: Proof,
  account: Parameters<Store['proofs']['createAccount']>[0]['account'],
): Promise<Omit<Account, 'id'>> {
  const answer = await store.proofs.createAccount({ ...useOf(proof), account })
  assert.ok(answer.kind === 'created', 'the account is created')
  const { id, ...rest } = await accountOf(store, answer.id)
  await assertAccount(store, { id, ...rest })
  return rest
}
