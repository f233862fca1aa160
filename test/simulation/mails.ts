import type { Issued } from '../../src/application/identity/issue.js'
import type { PresentedPurpose } from '../../src/domain/identity/proof.js'
import type { MailJob } from '../../src/domain/mail.js'
import { attempt, type Sender } from './attempt.js'
import { emailOf, keep, passwordOf, type Action, type ProofMail, type Turn } from './clients.js'
import { ownerOf } from './made-up.js'
import { OPERATOR_ALONE } from './operators.js'
import { codeOf, ownLogin } from './owners.js'

/** Chooses an email, usually the newest. */
const recent = <T>(all: readonly T[], number: number) =>
  all.at([-1, -1, -1, -1, -2, -3][number % 6] as number)

/** A request without an access token, in a browser that may have a cookie. */
function visitor({ client: { jar }, c }: Turn): Sender {
  const key = c % 2 === 0 ? jar.key : undefined
  return { seen: { key }, sent: () => ({ presented: { sessionKey: key } }) }
}

/** Requests an email. The reply contains a secret for the browser. */
function request(
  rule: 'requestSignUp' | 'requestLoginMail' | 'requestEmailChange',
  addresses: readonly number[],
): Action {
  return (turn) => {
    const [email, password] = [addresses[turn.b % addresses.length] as number, passwordOf(turn)]
    const isOwn = rule === 'requestEmailChange'
    return attempt(rule, isOwn ? ownLogin(turn) : visitor(turn), {
      input: { email, ...(isOwn && { password }) },
      sent: { email: emailOf(email), ...(isOwn && { password }) },
      answerOf: ({ browserSecret }: { readonly browserSecret: string }) => {
        turn.browsers.set(ownerOf(browserSecret), browserSecret)
        return ownerOf(browserSecret)
      },
    })
  }
}

/** The number of an email that initially belongs to no account. */
const NEW = 4
const requestSignUp = request('requestSignUp', [NEW, NEW, 5, 1])
const requestLoginMail = request('requestLoginMail', [1, 1, 1, NEW])
const requestEmailChange = request('requestEmailChange', [NEW, 5, 6, 7, 2])

type Confirmation = 'confirmSignUp' | 'confirmLoginMail' | 'confirmEmailChange' | 'undoEmailChange'

const NO_MAIL = { id: '0', proof: '0', token: '0.0', code: undefined, email: 9, isTried: false }

/** Presents a token, or a code, usually in the requesting browser. */
function confirmation(rule: Confirmation, ...purposes: readonly PresentedPurpose[]): Action {
  return (turn) => {
    const { mails, browsers, a, b, c } = turn
    const known = mails.filter(({ purpose }) => purposes.includes(purpose) || a % 8 === 7)
    const isUndo = rule === 'undoEmailChange'
    const mail = recent(isUndo && a % 16 > 7 ? known.toReversed() : known, a) ?? { ...NO_MAIL }
    mail.isTried = true
    const { id, proof, token, code, email } = mail
    const other = b % 8 === 7 ? recent([...browsers.keys()], c) : undefined
    const browser = other ?? (browsers.has(proof) ? proof : '')
    const isTyped = code !== undefined && b % 3 > 0 && !isUndo
    return confirmed(turn, rule, { email, browser, id, ...(isTyped ? { code } : { token }) })
  }
}

type Secrets = Partial<Pick<ProofMail, 'token' | 'code' | 'email'>> & Record<'id' | 'browser', string>

function confirmed(turn: Turn, rule: Confirmation, { email, browser, id, ...secret }: Secrets) {
  const { client, emails, passwords, browsers, secrets, c } = turn
  const password = `signup${turn.b % 3}`
  const isSignUp = rule === 'confirmSignUp'
  const hasFactor = rule === 'confirmLoginMail' && secrets.length > 0 && c % 16 > 1
  const factor = hasFactor ? codeOf(turn) : undefined
  return attempt(rule, visitor(turn), {
    input: {
      browser,
      [secret.code === undefined ? 'token' : 'code']: id,
      ...(isSignUp && { password }),
      factor: factor?.meaning,
    },
    sent: {
      ...(rule !== 'undoEmailChange' && { browserSecret: browsers.get(browser) }),
      ...secret,
      ...(isSignUp && { password }),
      ...(factor && { secondFactor: factor.text }),
    },
    answerOf: (issued: Issued | undefined) => {
      if (email !== undefined && rule !== 'confirmLoginMail') emails[client.account]?.push(email)
      if (isSignUp) passwords[client.account]?.push(password)
      if (issued) return keep(turn)(issued)
      client.jar.key = undefined
      return undefined
    },
  })
}

const confirmSignUp = confirmation('confirmSignUp', 'sign-up', 'invitation')
const confirmLoginMail = confirmation('confirmLoginMail', 'login')
const confirmEmailChange = confirmation('confirmEmailChange', 'change-email')
const undoEmailChange = confirmation('undoEmailChange', 'undo-email')

const WRONG = '-'

/**
 * Returns the number of the operation that created a proof. In the proof's ID, this number follows a time of 12 digits
 * and a counter of 4 digits.
 */
const makerOf = (id: string) => ownerOf(id.slice(16))

export const inviteUser: Action = ({ b, c }) => {
  const email = b % 4 === 3 ? 1 : NEW
  const roles = c % 2 === 0 ? ['editor'] : []
  return attempt('inviteUser', OPERATOR_ALONE, {
    input: { email, roles },
    sent: { email: emailOf(email), roles },
    answerOf: ({ id }: { readonly id: string }) => makerOf(id),
  })
}

const NO_JOB = {
  ...{ id: '0'.repeat(16), kind: 'login', email: emailOf(9), askedAt: 0, attempts: 0 },
} as unknown as MailJob

/** Revokes an invitation. */
export const revokeInvitation: Action = ({ jobs, sentJobs, a }) => {
  const invitations = [...jobs, ...sentJobs].filter(({ kind }) => kind === 'invitation')
  const { id } = recent(invitations, a) ?? NO_JOB
  return attempt('revokeInvitation', OPERATOR_ALONE, { input: { proof: makerOf(id) }, sent: { id } })
}

/** Runs a process that sends the email of a job, usually the newest job or a job that was tried before. */
export const sendMail: Action = ({ jobs, sentJobs, mails, a }) => {
  const job = [recent(sentJobs, a), jobs[0], jobs.at(-1), jobs.at(-1)][a % 4] ?? NO_JOB
  const place = jobs.indexOf(job)
  if (place >= 0) sentJobs.push(...jobs.splice(place, 1))
  const [proof, purpose, email] = [
    makerOf(job.id),
    job.kind as PresentedPurpose,
    Number(/\d+/.exec(job.email)),
  ]
  const worker = { seen: {}, sent: () => job }
  return attempt('makeProofMail', worker, {
    input: { proof, purpose, email },
    sent: {},
    answerOf: (mail: { readonly text: string } | undefined) => {
      const secrets = new URLSearchParams(mail?.text.split('#')[1])
      const [token = '', code] = ['token', 'code'].map((name) => secrets.get(name) ?? undefined)
      if (token) mails.push({ id: ownerOf(token), proof, purpose, token, code, email, isTried: false })
      return ownerOf(token)
    },
  })
}

/** Requests an email, waits for it and uses it, usually in this order. */
const byMail =
  (asks: Action, confirms: Action, ...purposes: readonly PresentedPurpose[]): Action =>
  (turn) => {
    const { jobs, mails, c } = turn
    const isThere = mails.some(({ isTried, purpose }) => !isTried && purposes.includes(purpose))
    const waits = jobs.some(({ kind }) => purposes.some((one) => one === kind)) ? sendMail : asks
    return c % 8 > 0 === isThere ? confirms(turn) : waits(turn)
  }

export const signUp = byMail(requestSignUp, confirmSignUp, 'sign-up', 'invitation')
export const loginByMail = byMail(requestLoginMail, confirmLoginMail, 'login')
export const changeEmail = byMail(requestEmailChange, confirmEmailChange, 'change-email')
export const undoChange = byMail(changeEmail, undoEmailChange, 'undo-email')

/** Types a wrong code into the browser that requested the newest unused email, if there is one. */
export const guess: Action = (turn) => {
  const browser = turn.mails.findLast(({ isTried, proof }) => !isTried && turn.browsers.has(proof))?.proof
  return browser === undefined
    ? signUp(turn)
    : confirmed(turn, 'confirmSignUp', { browser, id: WRONG, code: WRONG })
}
