import type { Issued } from '../../src/application/identity/issue.js'
import type { Identity } from '../../src/domain/access/caller.js'
import type { Input, RuleName } from '../model/rules.js'
import type { Credentials, Issued as SeenIssued, Seen, Token } from '../model/sessions.js'
import type { Cases } from './instance.js'
import { ownerOf } from './made-up.js'

/** The credentials of a client: texts of tokens and a cookie. */
export type Held = {
  readonly key?: string | undefined
  readonly access?: string | undefined
  readonly refresh?: string | undefined
}

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

/** The next operation of a client. */
export type Attempt = {
  readonly rule: RuleName
  readonly input: unknown
  readonly text: string
  /** The calls of ports with which the steps of the rule probably take effect. */
  readonly hints: readonly string[]
  readonly call: (cases: Cases) => Promise<unknown>
  readonly answerOf?: (result: never) => unknown
  readonly then?: (result: never) => void
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

export type Numbers = readonly [number, number, number]
export type Action = (scene: Scene, client: Client, numbers: Numbers) => Attempt

/** Types the input of a rule. */
export const attempt = <Name extends RuleName>(
  rule: Name,
  rest: Omit<Attempt, 'rule'> & { readonly input: Input<Name> },
): Attempt => ({ rule, ...rest })

export const emailOf = (account: number) => `user${account}@example.com`

export function held({ issued }: Scene, client: Client, [a, b, c]: Numbers): Held {
  if (client.kind !== 'thief') return { key: client.jar.key, ...client.tokens }
  const pick = (number: number) => issued[number % (issued.length + 1)]
  return { key: pick(a)?.key, access: pick(b)?.access, refresh: pick(c)?.refresh }
}

/** Whether the client holds the token of an impersonation. */
export const isActing = ({ tokens }: Client) => tokens.access?.includes('"act":') === true

export function tokenOf(text: string | undefined): Token | undefined {
  if (text === undefined) return undefined
  const [, , claims] = JSON.parse(text) as [string, string, Record<string, string | number>]
  const { sid, jti, sub, iat, exp } = claims
  return {
    session: ownerOf(String(sid)),
    pair: ownerOf(String(jti)),
    account: Number(sub),
    issued: Number(iat),
    expires: Number(exp),
  }
}

export const credentialsOf = ({ key, access }: Held): Credentials => ({ key, access: tokenOf(access) })

export function presentedOf({ key, access }: Held) {
  return {
    ...(key !== undefined && { sessionKey: key }),
    ...(access !== undefined && { accessToken: access }),
  }
}

export function seen({ accountId, sessionId, roles, actor }: Identity): Seen {
  const keys = roles.map(({ key }) => String(key)).sort()
  return {
    account: accountId,
    session: ownerOf(sessionId ?? ''),
    roles: keys.join(),
    actor: actor?.accountId ?? 0,
  }
}

export function issuedSeen({ identity, sessionKey, accessToken, refreshToken, endsAt }: Issued): SeenIssued {
  const [access, refresh] = [tokenOf(accessToken) as Token, tokenOf(refreshToken) as Token]
  return { ...seen(identity), key: String(sessionKey), access, refresh, endsAt }
}

export function keep({ issued }: Scene, client: Client) {
  return ({ sessionKey: key, accessToken: access, refreshToken: refresh }: Issued) => {
    issued.push({ key, access, refresh })
    if (client.kind === 'thief') return
    client.jar.key = key
    client.tokens = { access, refresh }
  }
}

export const nameOf = (held: Held) =>
  `cookie ${held.key ?? '-'}, access ${tokenOf(held.access)?.pair ?? '-'}, refresh ${tokenOf(held.refresh)?.pair ?? '-'}`

type OnLogin<Name extends RuleName> = Omit<Attempt, 'rule' | 'input' | 'call'> & {
  /** Besides the credentials. */
  readonly input?: Omit<Input<Name>, keyof Credentials>
  readonly call: (cases: Cases, presented: ReturnType<typeof presentedOf>) => Promise<unknown>
}

/** An action with the credentials that the client holds. */
export function withLogin<Name extends RuleName>(
  rule: Name,
  actionOf: (scene: Scene, client: Client, numbers: Numbers) => OnLogin<Name>,
): Action {
  return (scene, client, numbers) => {
    const mine = held(scene, client, numbers)
    const { text, input, call, ...rest } = actionOf(scene, client, numbers)
    return {
      ...{ rule, input: { ...credentialsOf(mine), ...input }, text: `${text} with ${nameOf(mine)}` },
      ...{ call: (cases) => call(cases, presentedOf(mine)), ...rest },
    }
  }
}

/** The password that a client believes in: mostly the newest. */
export function passwordOf({ passwords }: Scene, account: number, number: number): string {
  if (number % 5 === 0) return 'wrong'
  const known = passwords[account] as string[]
  return known.at(number % 5 === 1 ? -2 : -1) ?? (known[0] as string)
}
