import fc from 'fast-check'
import {
  CHANGE_PASSWORD,
  CREATE_PROJECT,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  PROJECT,
  REFRESH,
} from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { LOGIN_AS, LOGOUT_AS } from '../../support/http/acting.js'
import { changePassword, createProject, login, loginAs, logout, logoutAs } from '../accounts.js'
import { headersOf, play, step, wordOf, worded, type Place, type Step } from '../play.js'
import { getIdentity, type Presented } from '../presented.js'
import { refresh } from '../refresh.js'
import type { Allowed } from '../reply.js'
import type { Jar, World } from '../world.js'
import {
  accountAt,
  addressOf,
  account,
  client,
  pairOfChoices,
  jarOf,
  network,
  picked,
  presentedOf,
  seldom,
  type Choice,
  type Choices,
} from './choices.js'
import { anyPassword, passwordOf, passwords, wrongPasswords, type PasswordChoice } from './passwords.js'

type Sent = {
  readonly jar: Jar
  readonly line: string
  readonly method?: string
  readonly path: string
  readonly presented: Presented
  readonly from: string
  readonly json?: object
  readonly allowed: Allowed
}

/** Sends it, and keeps what the reply gives as a browser does. */
export async function exchange(world: World, place: Place, sent: Sent): Promise<Reply> {
  const { jar, line, method = 'POST', path, presented, from, json, allowed } = sent
  const request = { method, path, headers: headersOf(world, presented, from), ...(json && { json }) }
  const reply = await play(world, place, { line, request, allowed })
  if (allowed.pair) {
    allowed.pair.network ??= from
    jar.tokens = allowed.pair
  }
  if (allowed.cookie === 'set') jar.cookie = allowed.pair
  if (allowed.cookie === 'cleared') jar.cookie = undefined
  return reply
}

const WRITTEN = [(email: string) => email, (email: string) => ` ${email.toUpperCase()} `]

type LoginChoice = {
  readonly who: number
  readonly account: number
  readonly password: PasswordChoice
  readonly written: number
  readonly bearer: Parameters<typeof picked>[2]
  readonly from: number
}

/** A login as a browser sends it, with its cookie. */
export async function logIn(world: World, place: Place, chosen: LoginChoice): Promise<void> {
  const jar = jarOf(world, chosen.who)
  const account = accountAt(world, chosen.account)
  const email = WRITTEN[chosen.written % WRITTEN.length]!(account.email)
  const password = passwordOf(account, chosen.password)
  const presented = { cookie: jar.cookie, bearer: picked(world, jar.tokens, chosen.bearer) }
  const from = addressOf(place.history, chosen.from)
  const line = `client ${chosen.who}: login as ${email}, ${chosen.password} password, from ${from}, ${worded(presented)}`
  const allowed = login(world, { email, password, network: from, ...presented })
  await exchange(world, place, {
    jar,
    line,
    path: LOGIN,
    presented,
    from,
    json: { email, password },
    allowed,
  })
}

function loginsWith(password: fc.Arbitrary<PasswordChoice>): fc.Arbitrary<Step> {
  const sent = { who: client, account, password, written: fc.nat(1), bearer: seldom, from: network }
  return fc.record(sent).map((chosen) => step('login', (world, place) => logIn(world, place, chosen)))
}

export const logins = loginsWith(anyPassword)
export const guesses = loginsWith(wrongPasswords)

/** Mostly the client that is logged in as one at first. */
const administrator = fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: client })

const credentials = { who: client, held: pairOfChoices }

type Route = {
  readonly name: string
  readonly method?: string
  readonly path: string
  readonly json?: object
  readonly who?: fc.Arbitrary<number>
  readonly judge: (world: World, presented: Presented) => Allowed
}

/** A route that has nothing but credentials to judge. */
function route({ name, judge, who = client, ...sent }: Route): fc.Arbitrary<Step> {
  return fc.record({ ...credentials, who }).map((chosen) =>
    step(name, async (world, place) => {
      const jar = jarOf(world, chosen.who)
      const presented = presentedOf(world, jar, chosen.held)
      const line = `client ${chosen.who}: ${name} with ${worded(presented)}`
      const from = addressOf(place.history, 0)
      await exchange(world, place, { jar, line, presented, from, ...sent, allowed: judge(world, presented) })
    }),
  )
}

export const identities = route({
  ...{ name: 'get-identity', method: 'GET', path: GET_IDENTITY },
  judge: getIdentity,
})
export const logouts = route({ name: 'logout', path: LOGOUT, json: {}, judge: logout })
export const projects = route({
  name: 'project/create',
  path: CREATE_PROJECT,
  json: PROJECT,
  judge: createProject,
})
export const logoutsAs = route({
  name: 'logout-as',
  path: LOGOUT_AS,
  json: {},
  who: administrator,
  judge: logoutAs,
})

export const loginsAs: fc.Arbitrary<Step> = fc
  .record({ ...credentials, who: administrator, account })
  .map((chosen) =>
    step('login-as', async (world, place) => {
      const jar = jarOf(world, chosen.who)
      const presented = presentedOf(world, jar, chosen.held)
      const { id: userId, email } = accountAt(world, chosen.account)
      const line = `client ${chosen.who}: login-as ${email} with ${worded(presented)}`
      const from = addressOf(place.history, 0)
      const allowed = loginAs(world, presented, userId)
      await exchange(world, place, { jar, line, path: LOGIN_AS, presented, from, json: { userId }, allowed })
    }),
  )

type RefreshChoice = { readonly who: number; readonly token: Choice; readonly held: Choices }

/** The refresh token in the place of the access token, which seldom comes along. */
const refreshing: fc.Arbitrary<RefreshChoice> = fc
  .record({ who: client, held: pairOfChoices, bearer: seldom })
  .map(({ held: { cookie, bearer: token }, bearer, who }) => ({ who, token, held: { cookie, bearer } }))

export const refreshes = refreshesWith(refreshing)

function refreshesWith(arbitrary: fc.Arbitrary<RefreshChoice>): fc.Arbitrary<Step> {
  return arbitrary.map((chosen) =>
    step('refresh', async (world, place) => {
      const jar = jarOf(world, chosen.who)
      const presented = presentedOf(world, jar, chosen.held)
      const token = picked(world, jar.tokens, chosen.token)
      // An access token can stand in for no refresh token.
      const made = world.pairs.at(-1)?.text?.jwt ?? 'made.up'
      const refreshToken = token === 'forged' ? made : token?.text?.refreshToken
      const told = token === undefined ? 'nothing' : `the token ${wordOf(token)}`
      const line = `client ${chosen.who}: refresh with ${told}, ${worded(presented)}`
      const from = addressOf(place.history, 0)
      const allowed = refresh(world, { token, ...presented })
      await exchange(world, place, {
        jar,
        line,
        path: REFRESH,
        presented,
        from,
        json: { refreshToken },
        allowed,
      })
    }),
  )
}

/** With all that was stolen of the previous generation, or one before it. */
export const stolenRefreshes: fc.Arbitrary<Step> = refreshesWith(
  fc.record({ who: client, back: fc.constantFrom(1, 1, 2) }).map(({ who, back }) => {
    const stolen = { kind: 'earlier', back } as const
    return { who, token: stolen, held: { cookie: stolen, bearer: { kind: 'none' } } }
  }),
)

export const passwordChanges: fc.Arbitrary<Step> = fc
  .record({ ...credentials, password: passwords, next: fc.nat(2), from: network })
  .map((chosen) =>
    step('change-password', async (world, place) => {
      const jar = jarOf(world, chosen.who)
      const presented = presentedOf(world, jar, chosen.held)
      const { bearer } = presented
      const account = bearer && bearer !== 'forged' ? bearer.login.account : accountAt(world, 0)
      const json = {
        password: passwordOf(account, chosen.password),
        newPassword: `a new kennel door ${chosen.next}`,
      }
      const from = addressOf(place.history, chosen.from)
      const line = `client ${chosen.who}: change-password, ${chosen.password} password, from ${from}, ${worded(presented)}`
      const allowed = changePassword(world, { ...json, network: from, ...presented })
      await exchange(world, place, { jar, line, path: CHANGE_PASSWORD, presented, from, json, allowed })
    }),
  )
