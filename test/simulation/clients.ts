import type { Issued } from '../../src/application/identity/issue.js'
import type { Identity } from '../../src/domain/access/caller.js'
import type { Ceremony } from '../../src/domain/identity/passkey.js'
import type { PresentedPurpose } from '../../src/domain/identity/proof.js'
import type { MailJob } from '../../src/domain/mail.js'
import type { Issued as SeenIssued, Seen, Token } from '../model/sessions.js'
import type { Attempt, Sender } from './attempt.js'
import { ownerOf } from './made-up.js'

/** The credentials of a client: tokens as strings, and a cookie. */
export type Held = Readonly<Partial<Record<'key' | 'access' | 'refresh', string | undefined>>>

export type Client = {
  readonly name: string
  readonly kind: 'owner' | 'thief' | 'operator' | 'program'
  readonly account: number
  /** Its address. */
  readonly network: string
  /** The cookie, which the tabs of one browser share. */
  readonly jar: { key?: string | undefined }
  tokens: Pick<Held, 'access' | 'refresh'>
}

/** An email with a proof, identified by the number of the email and the number of the request. */
export type ProofMail = {
  readonly id: string
  readonly proof: string
  readonly purpose: PresentedPurpose
  readonly email: number
  readonly token: string
  readonly code: string | undefined
  /** Whether a client has tried to use the proof. */
  isTried: boolean
}

/** The knowledge that all clients share. */
export type Scene = {
  readonly clients: readonly Client[]
  /** All credentials ever issued, because a thief may have either half of a pair. */
  readonly issued: (Held & { readonly session: string })[]
  readonly passwords: Record<number, string[]>
  readonly resets: string[]
  /** For each account, the numbers in all the emails that it has had. */
  readonly emails: Record<number, number[]>
  /** The emails with proofs that are waiting in the queue, and the emails that were sent at least once. */
  readonly jobs: MailJob[]
  readonly sentJobs: MailJob[]
  readonly mails: ProofMail[]
  /** The secrets of browsers, keyed by the numbers of the requests that returned them. */
  readonly browsers: Map<string, string>
  /** The secrets of second factors; `recovery` has the recovery codes. */
  readonly secrets: string[]
  /** The secrets of the factors that were confirmed. */
  readonly confirmed: string[]
  /** The time step of the last code that was used with a secret. */
  readonly lastStep: Map<string, number>
  readonly recovery: { readonly text: string; readonly name: string }[]
  /** Challenges of passkeys, the oldest first, and the counters of the authenticators. */
  readonly challenges: {
    readonly client: Client
    readonly ceremony: Ceremony
    readonly challenge: string
    readonly browserSecret?: string | undefined
  }[]
  readonly counters: Map<string, number>
  readonly apiKeys: { readonly id: number; readonly key: string }[]
  readonly pets: { readonly id: number; readonly revision: number }[]
  readonly time: () => number
}

/** A client, the state that it can use, and three numbers that determine the details of its next action. */
export type Turn = Scene & Readonly<Record<'a' | 'b' | 'c', number>> & { readonly client: Client }
export type Action = (turn: Turn) => Attempt

export const emailOf = (account: number) => `user${account}@example.com`

/** Creates a request that names an account by its email. */
export const about = (account: number, more?: object): Sender => ({
  seen: { account },
  sent: () => ({ email: emailOf(account), ...more }),
})

/** The email that a client believes to be current; usually the newest email. */
export function emailOfOwner({ emails, client, c }: Turn): number {
  const known = emails[client.account] as number[]
  return known.at(c % 8 === 7 ? -2 : -1) ?? client.account
}

/** The password that a client believes to be current; usually the newest password. */
export function passwordOf({ passwords, client, a }: Turn): string {
  if (a % 5 === 0) return 'wrong'
  const known = passwords[client.account] as string[]
  return known.at(a % 5 === 1 ? -2 : -1) ?? (known[0] as string)
}

export function held({ issued, client, a, b, c }: Turn): Held {
  if (client.kind !== 'thief') return { key: client.jar.key, ...client.tokens }
  const pick = (number: number) => issued[number % (issued.length + 1)]
  return { key: pick(a)?.key, access: pick(b)?.access, refresh: pick(c)?.refresh }
}

/** Returns whether the client holds an impersonation token. */
export const isActing = ({ tokens }: Client) => tokens.access?.includes('"act":') === true

type Claims = Readonly<Record<'sid' | 'jti' | 'sub', string> & Record<'iat' | 'exp', number>>

export function tokenOf(text: string | undefined): Token | undefined {
  if (text === undefined) return undefined
  const [, , { sid, jti, sub, iat, exp }] = JSON.parse(text) as [string, string, Claims]
  return { session: ownerOf(sid), pair: ownerOf(jti), account: Number(sub), issued: iat, expires: exp }
}

export function seen({ accountId: account, sessionId, roles, actor }: Identity): Seen {
  const keys = roles.map(({ key }) => String(key)).sort()
  return { account, session: ownerOf(sessionId ?? ''), roles: keys.join(), actor: actor?.accountId ?? 0 }
}

/** Remembers a login that the client has received. */
export function keep({ issued, client }: Turn) {
  return ({ identity, sessionKey: key, accessToken, refreshToken, endsAt }: Issued): SeenIssued => {
    const session = String(identity.sessionId)
    issued.push({ session, key, access: accessToken, refresh: refreshToken })
    if (client.kind !== 'thief') {
      client.jar.key = key
      client.tokens = { access: accessToken, refresh: refreshToken }
    }
    const [access, refresh] = [tokenOf(accessToken) as Token, tokenOf(refreshToken) as Token]
    return { ...seen(identity), key: String(key), access, refresh, endsAt }
  }
}
