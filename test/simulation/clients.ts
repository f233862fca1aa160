import type { Issued } from '../../src/application/identity/issue.js'
import type { Input } from '../model/rules.js'
import { ANSWERS, HINTS, USE_CASES, type Played } from './calls.js'
import type { Cases } from './instance.js'

/** The credentials of a client: texts of tokens and a cookie. */
export type Held = Readonly<Partial<Record<'key' | 'access' | 'refresh', string | undefined>>>

export type Client = {
  readonly name: string
  readonly kind: 'owner' | 'thief' | 'operator' | 'program'
  readonly account: number
  /** Its address. */
  readonly network: string
  /** Shared by the tabs of one browser. */
  readonly jar: { key?: string | undefined }
  tokens: Pick<Held, 'access' | 'refresh'>
}

/** The shared knowledge of the clients. */
export type Scene = {
  readonly clients: readonly Client[]
  /** Everything that was ever handed out: a thief may have any half of it. */
  readonly issued: Held[]
  readonly passwords: Record<number, string[]>
  readonly resets: string[]
  /** Secrets of factors, and recovery codes with their names. */
  readonly secrets: string[]
  /** The secrets of the factors that were confirmed. */
  readonly confirmed: string[]
  /** The step of the last code of a secret. */
  readonly lastStep: Map<string, number>
  readonly recovery: { readonly text: string; readonly name: string }[]
  readonly apiKeys: { readonly id: number; readonly key: string }[]
  readonly pets: { readonly id: number; readonly revision: number }[]
  readonly time: () => number
}

/** The turn of a client. Three numbers decide the details of its action. */
export type Turn = Scene & Readonly<Record<'a' | 'b' | 'c', number>> & { readonly client: Client }
export type Action = (turn: Turn) => Attempt

/** The sender of a request: its part of the input of the rule, and of the request. */
export type Sender = {
  readonly seen: object
  readonly sent: (cases: Cases) => object | Promise<object>
  /** The calls of ports with which the first steps take effect, if they depend on the sender. */
  readonly first?: readonly string[]
}

/** An action adds this to the part of its sender. */
export type Draft<Name extends Played> = {
  readonly input?: Partial<Input<Name>>
  /** The rest of the request, if it is not the input. */
  readonly sent?: object
  readonly useCase?: keyof Cases
  readonly then?: (result: never) => void
}

/** The next operation of a client. */
export type Attempt = ReturnType<typeof attempt>

type UseCase = (request: object) => Promise<unknown>

export function attempt<Name extends Played>(rule: Name, sender: Sender, draft: Draft<Name> = {}) {
  const { input: added, sent = added, useCase = USE_CASES[rule] ?? rule, then } = draft
  const { seen, sent: sentBy, first = [] } = sender
  const input = { ...seen, ...added }
  return {
    ...{ rule, input, answerOf: ANSWERS[rule], then },
    hints: [...first, ...HINTS[rule].split(' ')],
    call: async (cases: Cases) => {
      const { [useCase]: run } = cases as unknown as Readonly<Record<string, UseCase>>
      return await run?.({ ...(await sentBy(cases)), ...sent })
    },
    get text() {
      return `${rule} ${textOf(input)}`
    },
  }
}

/** The members of an input. The number of the operation that has made a token stands for the token. */
function textOf(input: object): string {
  const members = Object.entries(input).filter(([, value]) => value !== undefined)
  return members.map(([name, value]) => `${name}=${shown(value)}`).join(' ')
}

function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return 'pair' in value ? String(value.pair) : `(${textOf(value)})`
}

export const emailOf = (account: number) => `user${account}@example.com`

/** A request about an account. */
export const about = (account: number, more?: object): Sender => ({
  seen: { account },
  sent: () => ({ email: emailOf(account), ...more }),
})

/** The password that a client believes in: mostly the newest. */
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

/** Whether the client holds the token of an impersonation. */
export const isActing = ({ tokens }: Client) => tokens.access?.includes('"act":') === true

/** Notes a login that the client got. */
export function keep({ issued, client }: Turn) {
  return ({ sessionKey: key, accessToken: access, refreshToken: refresh }: Issued) => {
    issued.push({ key, access, refresh })
    if (client.kind === 'thief') return
    client.jar.key = key
    client.tokens = { access, refresh }
  }
}
