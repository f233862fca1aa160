import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import type { Issued } from '../../../src/application/identity/issue.js'
import type { Presented } from '../../../src/application/identity/presented.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { PROOF_LIFETIMES, type PresentedPurpose } from '../../../src/domain/identity/proof.js'
import type { MailKind } from '../../../src/domain/mail.js'
import { refuse } from '../../../src/domain/refusal.js'
import type { Store } from '../../../src/ports/store.js'
import { PASSWORD, presentedBy, type Composed, type UseCaseOptions } from '../use-cases.js'
import { composeProofs, outcomeOf, type ComposedProofs } from './composed-proofs.js'

/** The current email of the requesting account, and the new email whose ownership is proved. */
export const [ADA, NEW] = ['ada@example.com', 'lovelace@example.com']
export const NOT_VALID = 'invalid token not-valid'
export const CODE_NOT_VALID = 'invalid code not-valid'
export const IMPERSONATING = 'forbidden  This is not possible while you are acting as another account.'
export const CLIENT = { address: '192.0.2.1' }

export const PURPOSES = Object.keys(PROOF_LIFETIMES) as readonly PresentedPurpose[]

type Form = Readonly<Record<string, unknown>> & { readonly presented?: Presented }
type Options = Parameters<typeof composeProofs>[0]

/** Logs in, and requests a change of the email `from` to `email`. */
export async function requestChange(kennel: ComposedProofs, email: string, from = ADA) {
  const presented = presentedBy(await kennel.login(from))
  return await kennel.useCases.requestEmailChange({ email, password: PASSWORD, presented })
}

/** Requests the email of each purpose. */
const REQUESTS: Readonly<
  Record<PresentedPurpose, (kennel: ComposedProofs, email: string) => Promise<unknown>>
> = {
  'sign-up': ({ useCases }, email) => useCases.requestSignUp({ email, presented: {} }),
  invitation: ({ useCases }, email) => useCases.inviteUser({ caller: OPERATOR, email }),
  'change-email': (kennel, email) => requestChange(kennel, email),
  'undo-email': async (kennel, email) => {
    await requestChange(kennel, email)
    await kennel.useCases.confirmEmailChange({ token: (await kennel.mailed()).token, presented: {} })
  },
  login: ({ useCases }) => useCases.requestLoginMail({ email: ADA, presented: {} }),
}

const signUp = ({ useCases }: ComposedProofs, form: Form) =>
  useCases.confirmSignUp({ password: PASSWORD, presented: {}, ...form })

const OPERATIONS: Readonly<
  Record<PresentedPurpose, (kennel: ComposedProofs, form: Form) => Promise<unknown>>
> = {
  'sign-up': signUp,
  invitation: signUp,
  'change-email': ({ useCases }, form) => useCases.confirmEmailChange({ presented: {}, ...form }),
  'undo-email': ({ useCases }, form) => useCases.undoEmailChange({ presented: {}, ...form }),
  login: ({ useCases }, form) => useCases.confirmLoginMail({ presented: {}, ...form }),
}

/** Uses up a proof of this purpose, and resolves with the outcome: see `outcomeOf`. */
export function confirmed(kennel: ComposedProofs, purpose: PresentedPurpose, form: Form): Promise<string> {
  return outcomeOf(OPERATIONS[purpose](kennel, form))
}

/** Requests and sends an email; resolves with the token and the code, each with the requesting browser's secret. */
export async function issued(kennel: ComposedProofs, purpose: PresentedPurpose, email = NEW) {
  if (!(await kennel.store.accounts.findByEmail(ADA as Email))) await kennel.account(ADA)
  const answer = (await REQUESTS[purpose](kennel, email)) as { readonly browserSecret?: string } | undefined
  const browserSecret = answer?.browserSecret
  const { token, code, to } = await kennel.mailed()
  return { byToken: { token, browserSecret }, byCode: { code, browserSecret }, to }
}

/** A new Kennel with the account ADA and an email of this purpose. */
export async function prepared(purpose: PresentedPurpose, options?: Options) {
  const kennel = await composeProofs(options)
  const secrets = await issued(kennel, purpose)
  return { ...kennel, ...secrets, purpose, confirm: (form: Form) => confirmed(kennel, purpose, form) }
}

/** A new Kennel for each purpose. */
export async function* eachPrepared(purposes: readonly PresentedPurpose[] = PURPOSES, options?: Options) {
  for (const purpose of purposes) yield await prepared(purpose, options)
}

export function isLoggedIn({ useCases }: ComposedProofs, login: Issued): Promise<boolean> {
  return outcomeOf(useCases.getIdentity(presentedBy(login))).then((outcome) => outcome === 'done')
}

/** The credentials of a new administrator who acts as ADA. */
export async function acting(kennel: Pick<Composed, 'account' | 'login' | 'useCases'>): Promise<Presented> {
  await kennel.account('boss@example.com', ['admin'])
  const presented = presentedBy(await kennel.login('boss@example.com'))
  return presentedBy(await kennel.useCases.loginAs({ userId: 1, presented }))
}

/** An in-memory store whose mail queue is full for these emails. */
export function crowded(isFull: (kind: MailKind) => boolean = () => true): Store {
  const { mailQueue, ...others } = createMemoryStore()
  const enqueue: typeof mailQueue.enqueue = async (job, max) =>
    isFull(job.kind) ? 'full' : await mailQueue.enqueue(job, max)
  return { ...others, mailQueue: { ...mailQueue, enqueue } }
}

/** A hasher that is overloaded while `isBusy` is set. */
export function busyHasher() {
  const state = { isBusy: false }
  const overloaded = () => Promise.reject(refuse('overloaded', 'Unavailable', 'busy'))
  const aroundHasher: UseCaseOptions['aroundHasher'] = (hasher) => ({
    ...hasher,
    hash: (text) => (state.isBusy ? overloaded() : hasher.hash(text)),
    verify: (...args) => (state.isBusy ? overloaded() : hasher.verify(...args)),
  })
  return Object.assign(state, { aroundHasher })
}
