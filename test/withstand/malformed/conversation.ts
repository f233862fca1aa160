import { BYTE_MUTATIONS } from './grammar/bytes.js'
import { ENCODING_MUTATIONS } from './grammar/encoding.js'
import { FRAMING_MUTATIONS } from './grammar/framing.js'
import { HEADER_MUTATIONS } from './grammar/headers.js'
import { JSON_MUTATIONS } from './grammar/json.js'
import { LINE_MUTATIONS } from './grammar/line.js'
import { LEVELS, render, type Draft, type Mutation, type Verdict } from './grammar/draft.js'
import type { Pool } from './pool.js'
import { randomOf, type Random } from '../random.js'
import { validRequest } from './valid.js'

/** A mutation with what its choices follow from, so that it is the same without the others. */
export type Applied = { readonly mutation: Mutation; readonly seed: number }

/** A valid request and what is done to it. */
export type Drawn = { readonly valid: Draft; readonly applied: readonly Applied[] }

export type Host = 'koa' | 'web'

/** What one connection says. */
export type Conversation = {
  readonly host: Host
  readonly requests: readonly Drawn[]
  /** The bytes in the place of the requests: a conversation that was shrunk further than by mutations. */
  readonly bytes?: string
  /** Places between 0 and 1 at which the bytes are cut in pieces. */
  readonly cuts: readonly number[]
  /** Whether the client says at once that it will say no more, or waits for its answers first. */
  readonly isHalfClosed: boolean
}

const GROUPS = [
  ...[JSON_MUTATIONS, JSON_MUTATIONS, ENCODING_MUTATIONS, HEADER_MUTATIONS, HEADER_MUTATIONS],
  ...[LINE_MUTATIONS, FRAMING_MUTATIONS, FRAMING_MUTATIONS, BYTE_MUTATIONS],
]
/** Requests after one that may not be read are of use only to see that it hides none. */
const MOST = 6

export function drawConversation(pool: Pool, random: Random): Conversation {
  const length = 1 + random.below(MOST)
  return {
    host: random.pick(['koa', 'web'] as const),
    requests: Array.from({ length }, () => drawRequest(pool, random)),
    cuts: random.oneIn(3) ? Array.from({ length: 1 + random.below(6) }, () => random.below(1000) / 1000) : [],
    isHalfClosed: random.oneIn(12),
  }
}

function drawRequest(pool: Pool, random: Random): Drawn {
  const valid = validRequest(pool, random)
  const count = random.pick([0, 1, 1, 1, 1, 2, 2, 3])
  const applied = Array.from({ length: count }, () => {
    const mutation = random.pick(random.pick(GROUPS))
    return { mutation, seed: random.seed() }
  })
  const isSingle = ({ mutation }: Applied, at: number) =>
    mutation.level !== 'framing' || at === applied.findIndex((one) => one.mutation.level === 'framing')
  return { valid, applied: applied.filter(isSingle).sort((one, other) => levelOf(one) - levelOf(other)) }
}

function levelOf({ mutation }: Applied): number {
  return LEVELS.indexOf(mutation.level)
}

/** The bytes of one request. */
function bytesOf({ valid, applied }: Drawn): string {
  return render(applied.reduce((draft, { mutation, seed }) => mutation.apply(draft, randomOf(seed)), valid))
}

export function wholeOf({ bytes, requests }: Conversation): string {
  return bytes ?? [...requests.map(bytesOf), ...(hasFarewell(requests) ? [FAREWELL] : [])].join('')
}

/** After this the service closes the connection. */
const FAREWELL = 'GET /health/live HTTP/1.1\r\nHost: kennel.test\r\nConnection: close\r\n\r\n'

/** Where a request before the last may be read as another one, it is unknown how many answers will come. */
function hasFarewell(requests: readonly Drawn[]): boolean {
  return !requests.slice(0, -1).every(isReadable)
}

/** More answers than these do not come. */
export function answersTo({ bytes, requests }: Conversation): number {
  return requests.length + (bytes === undefined && hasFarewell(requests) ? 1 : 0)
}

/** Whether HTTP reads it as the request that it was: same method and target, and the same end. */
export function isReadable({ applied }: Drawn): boolean {
  return applied.every(({ mutation }) => mutation.level === 'content' || mutation.level === 'headers')
}

function asksForUpgrade(applied: readonly Applied[]): boolean {
  return applied.some(({ mutation }) => mutation.name === 'Upgrade' || mutation.name === 'an odd header')
}

/** What follows for sure, where no later mutation may have changed it. */
export function verdictOf({ valid, applied }: Drawn): Verdict | undefined {
  const levels = applied.map(({ mutation }) => mutation.level)
  const last = applied.at(-1)?.mutation
  if (levels.includes('bytes')) return undefined
  // A line without a version, say, is a whole request of HTTP/0.9, whatever comes after it; and where another
  // protocol is asked for, Node reads no more than the head, after which the connection is closed.
  const isWhole = levels.slice(0, -1).includes('line') || asksForUpgrade(applied)
  if (last?.verdict === 'unread' && !isWhole) return 'unread'
  const isAlone = applied.length === 1 && valid.takesBody
  return isAlone && last?.verdict !== undefined ? 'refused' : undefined
}
