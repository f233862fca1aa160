import type { PresentedPurpose } from '../../src/domain/identity/proof.js'
import { checkCode, ownPassword, type Checked } from './accounts.js'
import type { Code } from './limits.js'
import { ownOnly } from './own-login.js'
import { rolesOf, startLogin, type OwnStep } from './sessions.js'
import { accountWith, done, enabledAccount, next, refused, withAccount, without, withRow } from './world.js'
import type { Account, OperationId, Outcome, Proof, Step, World } from './world.js'

const HOUR = 3_600_000
const LIFETIMES: Readonly<Record<PresentedPurpose, number>> = {
  ...{ 'sign-up': 24 * HOUR, invitation: 168 * HOUR, login: HOUR / 6 },
  ...{ 'change-email': HOUR, 'undo-email': 72 * HOUR },
}
const MOST_ATTEMPTS = 5

/** Until its email is created, a proof has no secrets and is not valid. */
const issued = (world: World, id: OperationId, wanted: Pick<Proof, 'purpose' | 'email'> & Partial<Proof>) =>
  withRow(world, 'proofs', id, { ...wanted, until: 0, attempts: 0 })

type ByMail = { readonly email: number }

/** The requesting browser gets a secret. */
const request =
  (purpose: PresentedPurpose): Step<ByMail> =>
  (world, { email }, { id }) =>
    next(issued(world, id, { purpose, email, browser: id }))

const isNotOwn: OwnStep<ByMail> = (world, { email }, { note }) =>
  world.accounts[note.account]?.email === email ? refused(world, 'invalid') : next(world, note)

const requestChange: OwnStep<ByMail> = (world, { email }, { id, note: { account, epoch } }) =>
  next(issued(world, id, { purpose: 'change-email', email, browser: id, account, epoch }))

const isFree: Step<ByMail> = (world, { email }) =>
  accountWith(world, email) === undefined ? next(world) : refused(world, 'conflict')

const invite: Step<ByMail & { readonly roles: readonly string[] }> = (world, { email, roles }, { id }) =>
  next(issued(world, id, { purpose: 'invitation', email, roles }))

/** The proof is removed if its email cannot be queued. */
const queueMail: Step = (world, _, { id }) => [
  ...done(world, id),
  { world: without(world, 'proofs', id), reply: 'done', ifLost: true },
]

const revoke: Step<{ readonly proof: OperationId }> = (world, { proof }) =>
  world.proofs[proof]?.purpose === 'invitation'
    ? done(without(world, 'proofs', proof))
    : refused(world, 'not-found')

type Mail = ByMail & { readonly proof: OperationId; readonly purpose: PresentedPurpose }
type Recipient = Partial<Pick<Proof, 'account' | 'epoch'>> & { readonly isVoid?: boolean }

/** A login needs an enabled account with the email; a sign-up or a change of email is impossible if an account has the email. */
const seeRecipient: Step<Mail> = (world, { email, purpose }) => {
  const known = accountWith(world, email)
  if (purpose === 'login') {
    const account = enabledAccount(world, known ?? 0)
    return next(world, account ? { account: known, epoch: account.epoch } : { isVoid: true })
  }
  return next(world, { isVoid: known !== undefined && ['sign-up', 'change-email'].includes(purpose) })
}

/** Each email has new secrets, which replace the secrets in the proof's earlier email. */
const renew: Step<Mail, Recipient> = (world, { proof: at, purpose }, { id, now, note }) => {
  const { isVoid, ...recipient } = note
  const proof = world.proofs[at]
  if (isVoid || !proof) return done(isVoid ? without(world, 'proofs', at) : world, '')
  const until = now + LIFETIMES[purpose]
  return done(withRow(world, 'proofs', at, { ...proof, ...recipient, secret: id, until, attempts: 0 }), id)
}

/** The operation that sent the presented token or code, and the request whose browser presents the code. */
type Secrets = Readonly<Partial<Record<'token' | 'code' | 'browser', OperationId | undefined>>>
/** A proof, its ID, and the time at which it was presented. */
type Presented = { readonly at: OperationId; readonly proof: Proof; readonly now: number }

/** The proof is invalid if its account is disabled or has a different epoch. */
function isValid(world: World, { until, account, epoch }: Proof, now: number): boolean {
  if (now >= until) return false
  return epoch === undefined || enabledAccount(world, account as number)?.epoch === epoch
}

/** Counts an attempt with a code before it compares the code. Only the requesting browser can use the code. */
const present =
  (...purposes: readonly PresentedPurpose[]): Step<Secrets> =>
  (before, { token, code, browser }, { now }) => {
    const all = Object.entries(before.proofs).filter(([, proof]) => isValid(before, proof, now))
    const [at = '', proof] =
      all.find(([, one]) => (token ? one.secret === token : browser && one.browser === browser)) ?? []
    if (!proof || (!token && proof.attempts >= MOST_ATTEMPTS)) return refused(before, 'invalid')
    const attempts = proof.attempts + 1
    const world = token ? before : withRow(before, 'proofs', at, { ...proof, attempts })
    const isRight = token !== undefined || proof.secret === code
    const isThere = proof.purpose !== 'login' || proof.browser === browser
    if (!isRight || !isThere || !purposes.includes(proof.purpose)) return refused(world, 'invalid')
    return next(world, { at, proof, now })
  }

/** If the proof is still valid, uses it up and then changes the state. */
const use =
  <Input, Note>(change: Step<Input, Presented & Note>): Step<Input, Presented & Note> =>
  (world, input, moment) => {
    const { at, proof, now } = moment.note
    const isThere = world.proofs[at]?.secret === proof.secret && isValid(world, proof, now)
    return isThere ? change(without(world, 'proofs', at), input, moment) : refused(world, 'invalid')
  }

const create = use<{ readonly password: string }, unknown>((world, { password }, { id: hash, note }) => {
  const { purpose, email, roles = [] } = note.proof
  const waits = purpose === 'sign-up' && world.rules.isApprovalNeeded
  if (accountWith(world, email) !== undefined) return refused(world, 'conflict')
  const id = world.lastAccount + 1
  const account = { ...{ email, password, hash, roles }, disabled: waits, waits, epoch: 1, resets: [] }
  const made = { ...withRow(world, 'accounts', id, account), lastAccount: id }
  return waits ? done(made) : next(made, { account: id })
})

type Found = { readonly account: number }

/** If the account does not exist, the operation ends, and its reply contains no login. */
const findCreated: Step<unknown, Found> = (world, _, { note: { account } }) => {
  const found = world.accounts[account]
  return found ? next(world, { account, epoch: found.epoch, roles: rolesOf(world, account) }) : done(world)
}

/** Gives the account the proof's email, and ends all logins of the account. */
function withEmail(
  world: World,
  { account = 0, email }: Pick<Proof, 'account' | 'email'>,
  more: (epoch: number) => World,
  end: (world: World) => readonly Outcome[] = done,
): readonly Outcome[] {
  if ((accountWith(world, email) ?? account) !== account) return refused(world, 'conflict')
  const epoch = (world.accounts[account] as Account).epoch + 1
  return end(withAccount(more(epoch), account, { email, epoch }))
}

type SetEmail = { readonly account: number; readonly email: number }

/** An operator changes the email without a proof. */
const setEmail: Step<SetEmail> = (world, change) =>
  world.accounts[change.account] ? withEmail(world, change, () => world, next) : refused(world, 'not-found')

/** Undo links are removed in the order of the changes; see `removeUndo`. */
const seeUndos: Step<SetEmail> = (world, { account }) => {
  const all = Object.entries(world.proofs)
  const own = all.filter(([, one]) => one.purpose === 'undo-email' && one.account === account)
  own.sort(([, one], [, other]) => (one.change ?? 0) - (other.change ?? 0))
  return next(
    world,
    own.map(([id]) => id),
  )
}

const removeUndo =
  (index: number): Step<SetEmail, readonly OperationId[]> =>
  (world, _, { note }) =>
    next(without(world, 'proofs', ...note.slice(index, index + 1)), note)

const removeUndos: Step<SetEmail, readonly OperationId[]> = (world, _, { note }) =>
  done(without(world, 'proofs', ...note))

const changeEmail = use((world, _, { id, note: { proof } }) => {
  const { account = 0 } = proof
  const { email } = world.accounts[account] as Account
  return withEmail(world, proof, (change) =>
    issued(world, id, { purpose: 'undo-email', email, account, change }),
  )
})

/** Undoing an earlier change invalidates the undo link of a later change, but not vice versa. */
const undoEmail = use((world, _, { note: { proof } }) => {
  const { account, change = 0 } = proof
  const isLater = (one: Proof) => one.account === account && (one.change ?? 0) > change
  const later = Object.entries(world.proofs).filter(([, one]) => isLater(one))
  return withEmail(world, proof, () => without(world, 'proofs', ...later.map(([id]) => id)))
})

const findOwner: Step<unknown, Presented> = (world, _, { note }) => {
  const { account = 0, epoch } = note.proof
  const owner = enabledAccount(world, account)
  if (!owner || owner.epoch !== epoch) return refused(world, 'invalid')
  const roles = rolesOf(world, account)
  const withFactor = owner.factor?.isActive
    ? { roles: rolesOf(world, account, owner.factor.secret) }
    : undefined
  return next(world, { ...note, login: { account, epoch, roles, withFactor } })
}

/** A second-factor code is used up before the proof, which stays valid after a wrong code. */
const checkFactor: Step<{ readonly factor?: Code | undefined }, Presented & { readonly login: Checked }> = (
  world,
  { factor: code },
  { note, ...moment },
) =>
  checkCode(world, { code }, { ...moment, note: note.login }).map((outcome) =>
    outcome.reply === 'next' ? { ...outcome, note: { ...note, login: outcome.note } } : outcome,
  )

const consume = use<unknown, { readonly login: unknown }>((world, _, { note }) => next(world, note.login))

export const proofRules = {
  setEmail: [setEmail, seeUndos, removeUndo(0), removeUndo(1), removeUndos],
  requestSignUp: [request('sign-up'), queueMail],
  requestLoginMail: [request('login'), queueMail],
  requestEmailChange: [...ownOnly, isNotOwn, ownPassword, requestChange, queueMail],
  inviteUser: [isFree, invite, queueMail],
  revokeInvitation: [revoke],
  makeProofMail: [seeRecipient, renew],
  confirmSignUp: [present('sign-up', 'invitation'), create, findCreated, ...startLogin],
  confirmEmailChange: [present('change-email'), changeEmail],
  undoEmailChange: [present('undo-email'), undoEmail],
  confirmLoginMail: [present('login'), findOwner, checkFactor, consume, ...startLogin],
}
