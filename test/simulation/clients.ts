import type { UseCases } from '../../src/application/wiring.js'
import type { Issued } from '../../src/application/identity/issue.js'
import { OPERATOR, type Identity } from '../../src/domain/access/caller.js'
import type { Input, RuleName } from '../model/rules.js'
import type { Credentials, Issued as SeenIssued, Seen, Token } from '../model/sessions.js'
import { ownerOf } from './made-up.js'

/** What a client holds: texts of tokens and a cookie. */
export type Held = {
  readonly key?: string | undefined
  readonly access?: string | undefined
  readonly refresh?: string | undefined
}

export type Client = {
  readonly name: string
  readonly kind: 'owner' | 'thief' | 'operator'
  readonly account: number
  /** Shared by the tabs of one browser. */
  readonly jar: { key?: string | undefined }
  tokens: Pick<Held, 'access' | 'refresh'>
}

/** What a client is about to do. */
export type Attempt = {
  readonly rule: RuleName
  readonly input: unknown
  readonly text: string
  /** The calls of ports with which the steps of the rule probably take effect. */
  readonly hints: readonly string[]
  readonly call: (cases: UseCases) => Promise<unknown>
  readonly answerOf?: (result: never) => unknown
  readonly then?: (result: never) => void
}

/** What the clients know of each other. */
export type Scene = {
  readonly clients: readonly Client[]
  /** Everything that was ever handed out: a thief may have any half of it. */
  readonly issued: Held[]
  readonly passwords: Record<number, string[]>
}

type Numbers = readonly [number, number, number]
type Action = (scene: Scene, client: Client, numbers: Numbers) => Attempt

/** Types the input of a rule. */
function attempt<Name extends RuleName>(
  rule: Name,
  input: Input<Name>,
  rest: Omit<Attempt, 'rule' | 'input' | 'text'> & { readonly text?: string },
): Attempt {
  return { rule, input, text: rest.text ?? rule, ...rest }
}

export const emailOf = (account: number) => `user${account}@example.com`

function held({ issued }: Scene, client: Client, [a, b, c]: Numbers): Held {
  if (client.kind !== 'thief') return { key: client.jar.key, ...client.tokens }
  const pick = (number: number) => issued[number % (issued.length + 1)]
  return { key: pick(a)?.key, access: pick(b)?.access, refresh: pick(c)?.refresh }
}

function tokenOf(text: string | undefined): Token | undefined {
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

const credentialsOf = ({ key, access }: Held): Credentials => ({ key, access: tokenOf(access) })

function presentedOf({ key, access }: Held) {
  return {
    ...(key !== undefined && { sessionKey: key }),
    ...(access !== undefined && { accessToken: access }),
  }
}

function seen({ accountId, sessionId, roles }: Identity): Seen {
  const keys = roles.map(({ key }) => String(key)).sort()
  return { account: accountId, session: ownerOf(sessionId ?? ''), roles: keys.join() }
}

function issuedSeen({ identity, sessionKey, accessToken, refreshToken, endsAt }: Issued): SeenIssued {
  const [access, refresh] = [tokenOf(accessToken) as Token, tokenOf(refreshToken) as Token]
  return { ...seen(identity), key: String(sessionKey), access, refresh, endsAt }
}

function keep({ issued }: Scene, client: Client) {
  return ({ sessionKey: key, accessToken: access, refreshToken: refresh }: Issued) => {
    issued.push({ key, access, refresh })
    if (client.kind === 'thief') return
    client.jar.key = key
    client.tokens = { access, refresh }
  }
}

const nameOf = (held: Held) =>
  `cookie ${held.key ?? '-'}, access ${tokenOf(held.access)?.pair ?? '-'}, refresh ${tokenOf(held.refresh)?.pair ?? '-'}`

const login: Action = (scene, client, [a, b]) => {
  const { account } = client
  const passwords = scene.passwords[account] as string[]
  const password = a % 4 === 0 ? 'wrong' : (passwords.at(-1 - (a % 8 === 1 ? 1 : 0)) ?? 'wrong')
  const key = b % 2 === 0 ? client.jar.key : undefined
  return attempt(
    'login',
    { account, password, key },
    {
      text: `login of account ${account} with ${password}, cookie ${key ?? '-'}`,
      hints: ['accounts.findByEmail', 'sessions.find', 'sessions.end', 'sessions.open'],
      call: ({ login: run }) => run({ email: emailOf(account), password, presented: presentedOf({ key }) }),
      answerOf: issuedSeen,
      then: keep(scene, client),
    },
  )
}

const getIdentity: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  return attempt('getIdentity', credentialsOf(mine), {
    text: `get identity with ${nameOf(mine)}`,
    hints: ['sessions.find'],
    call: ({ getIdentity: run }) => run(presentedOf(mine)),
    answerOf: seen,
  })
}

const refresh: Action = (scene, client, numbers) => {
  const { access, ...mine } = held(scene, client, numbers)
  return attempt(
    'refresh',
    { ...credentialsOf(mine), refresh: tokenOf(mine.refresh) },
    {
      text: `refresh with ${nameOf(mine)}`,
      hints: ['sessions.findById', 'sessions.rotate'],
      call: ({ refresh: run }) => run({ refreshToken: mine.refresh, presented: presentedOf(mine) }),
      answerOf: issuedSeen,
      then: keep(scene, client),
    },
  )
}

const logout: Action = (scene, client, numbers) => {
  const mine = held(scene, client, numbers)
  return attempt('logout', credentialsOf(mine), {
    text: `logout with ${nameOf(mine)}`,
    hints: ['sessions.find', 'sessions.end'],
    call: ({ logout: run }) => run(presentedOf(mine)),
  })
}

const setPassword: Action = (scene, _, [a, b]) => {
  const account = 1 + (a % 2)
  const password = `secret${b % 3}`
  ;(scene.passwords[account] as string[]).push(password)
  return attempt(
    'setPassword',
    { account, password },
    {
      text: `operator sets the password of account ${account} to ${password}`,
      hints: ['accounts.setPassword'],
      call: ({ setPassword: run }) => run({ caller: OPERATOR, email: emailOf(account), password }),
    },
  )
}

const setDisabled: Action = (_, __, [a, b]) => {
  const [account, disabled] = [1 + (a % 2), b % 4 === 0]
  return attempt(
    'setDisabled',
    { account, disabled },
    {
      text: `operator ${disabled ? 'disables' : 'enables'} account ${account}`,
      hints: ['accounts.setDisabled'],
      call: ({ disableUser, enableUser }) =>
        (disabled ? disableUser : enableUser)({ caller: OPERATOR, email: emailOf(account) }),
    },
  )
}

const revokeSessions: Action = (_, __, [a]) => {
  const account = 1 + (a % 2)
  return attempt(
    'revokeSessions',
    { account },
    {
      text: `operator ends all sessions of account ${account}`,
      hints: ['sessions.endAllOf'],
      call: ({ revokeSessions: run }) => run({ caller: OPERATOR, email: emailOf(account) }),
    },
  )
}

export const ROLES = ['admin', 'editor']

const setRole: Action = (_, __, [a, b, c]) => {
  const [account, role, remove] = [1 + (a % 2), ROLES[b % 2] as string, c % 2 === 0]
  return attempt(
    'setRole',
    { account, role, remove },
    {
      text: `operator ${remove ? 'takes' : 'gives'} account ${account} the role ${role}`,
      hints: [remove ? 'roles.unassign' : 'roles.assign'],
      call: ({ assignRole: run }) => run({ caller: OPERATOR, email: emailOf(account), role, remove }),
    },
  )
}

/** What each kind of client does; a more frequent action is there more often. */
const ACTIONS: Readonly<Record<Client['kind'], readonly Action[]>> = {
  owner: [getIdentity, refresh, login, logout, refresh, getIdentity, refresh, login],
  thief: [refresh, getIdentity, logout],
  operator: [setPassword, setDisabled, revokeSessions, setRole, setRole],
}

/** The next action of a client. Without a login it mostly logs in first. */
export function attemptOf(
  scene: Scene,
  client: Client,
  [kind, ...numbers]: readonly [number, ...Numbers],
): Attempt {
  const actions = ACTIONS[client.kind]
  const isOut = client.kind === 'owner' && client.jar.key === undefined && kind < 200
  const action = isOut ? login : (actions[kind % actions.length] as Action)
  return action(scene, client, numbers)
}
