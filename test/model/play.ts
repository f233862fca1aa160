import type fc from 'fast-check'
import type { Call, Reply } from '../support/http/client.js'
import { wrongWith } from './compare.js'
import { nameOf } from './logins.js'
import type { Credential, Presented } from './presented.js'
import type { Allowed } from './reply.js'
import type { Service } from './service.js'
import { ViolationError } from './violation.js'
import type { Pair, World } from './world.js'

/** What histories are played on. */
export type Place = {
  readonly service: Service
  /** The number of the history, for what has a name of its own in each. */
  history: number
  /** Requests that were sent, and calls of the operator's. */
  sent: number
  /** How often each reply came, such as `POST /api/auth/login 429`. */
  readonly seen: Map<string, number>
}

export type Step = fc.AsyncCommand<World, Place>

/** A step of a history; what it is in a world is told by the trace. */
export function step(name: string, run: (world: World, place: Place) => Promise<void>): Step {
  return { check: () => true, run, toString: () => name }
}

export type Request = Call & { readonly method: string; readonly path: string }

/** Sends a request whose reply has to be what is allowed; gives it. */
export async function play(
  world: World,
  place: Place,
  { line, request, allowed }: { readonly line: string; readonly request: Request; readonly allowed: Allowed },
): Promise<Reply> {
  const { method, path, ...call } = request
  place.service.clock.now = world.now
  place.sent += 1
  world.trace.push(line)
  const reply = await place.service.client.call(method, path, call).catch((error: unknown) => {
    throw new ViolationError(world.trace, String(error))
  })
  countReply(place, request, reply)
  const wrong = wrongWith(allowed, reply) ?? givenTwice(world, allowed.pair)
  world.trace.push(`${world.trace.pop() ?? ''} -> ${reply.status}${givenOut(allowed)}`)
  if (wrong !== undefined) throw new ViolationError(world.trace, `${wrong}; got ${inBrief(reply)}`)
  return reply
}

function countReply({ seen }: Place, { method, path }: Request, { status }: Reply): void {
  const name = `${method} ${path.replace(/\?.*/, '').replace(/\/\d+$/, '/:id')} ${status}`
  seen.set(name, (seen.get(name) ?? 0) + 1)
}

/** Tokens and cookie of one pair are no other's. */
function givenTwice({ pairs }: World, pair: Pair | undefined): string | undefined {
  const others = pairs.filter((one) => one !== pair && one.text && one.number !== pair?.number)
  const isTwice = (name: 'jwt' | 'refreshToken' | 'cookie') =>
    others.some(({ text }) => text?.[name] !== undefined && text[name] === pair?.text?.[name])
  const [twice] = (['jwt', 'refreshToken', 'cookie'] as const).filter(isTwice)
  return twice && `a ${twice} of its own expected`
}

function givenOut({ pair, cookie }: Allowed): string {
  return `${pair ? `, gives ${nameOf(pair)}` : ''}${cookie === 'cleared' ? ', clears the cookie' : ''}`
}

const SHOWN = 600

function inBrief({ status, headers, text }: Reply): string {
  const cookie = headers['set-cookie'] ? ', a cookie' : ''
  return `${status}${cookie} ${text.replaceAll(/"[\w.-]{80,}"/g, '"…"').slice(0, SHOWN)}`
}

/** Headers that carry credentials, from a network. A made-up bearer is a token of the other kind. */
export function headersOf(
  world: World,
  { cookie, bearer }: Presented,
  network: string,
): Record<string, string> {
  const key = cookie === 'forged' ? 'A'.repeat(43) : cookie?.text?.cookie
  const token =
    bearer === 'forged' ? (world.pairs.at(-1)?.text?.refreshToken ?? 'made.up') : bearer?.text?.jwt
  return {
    'X-Forwarded-For': network,
    ...(key !== undefined && { Cookie: `sid=${key}` }),
    ...(token !== undefined && { 'X-Authorization': `Bearer ${token}` }),
  }
}

/** Credentials in words. */
export function worded({ cookie, bearer }: Presented): string {
  const parts = { cookie, bearer }
  const told = Object.entries(parts).flatMap(([name, one]) =>
    one === undefined ? [] : [`${name} ${wordOf(one)}`],
  )
  return told.length === 0 ? 'nothing' : told.join(', ')
}

export function wordOf(credential: Exclude<Credential, undefined>): string {
  return credential === 'forged' ? 'made up' : `of ${nameOf(credential)}`
}
