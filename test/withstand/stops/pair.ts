import { setTimeout as pause } from 'node:timers/promises'
import {
  credentials,
  GET_IDENTITY,
  keep,
  LOGIN,
  LOGOUT,
  REFRESH,
  type Held,
} from '../../support/http/browser.js'
import { PASSWORD } from '../../support/http/service.js'
import type { Random } from '../random.js'
import type { RealService } from '../real-service/service.js'
import type { Answer, Site } from '../real-service/site.js'

/** Two instances on one store, of which the first stands still now and then; their clocks go together. */
export type Pair = {
  readonly stopping: { readonly service: RealService; readonly site: Site }
  readonly other: Site
  readonly draws: Random
  readonly email: string
  readonly setClock: (ahead: number) => void
}

/** Beyond the window of a spent refresh token, and within the time of an access token. */
const BEYOND = 30_000
/** A request is under way for a few milliseconds. */
const UNDER_WAY = 12

/** A session of which one instance rotates a generation while the other does something else with it. */
export async function stopDuringRefresh(pair: Pair): Promise<void> {
  const { stopping, other, draws } = pair
  const first = await login(pair)
  if (!first) return
  const late = refresh(stopping.site, first)
  await pause(draws.between(0, UNDER_WAY))
  stopping.service.signal('SIGSTOP')
  const isBeyond = draws.next() < 0.4
  if (isBeyond) pair.setClock(other.ahead + BEYOND)
  const does = draws.pick(['refresh', 'refresh twice', 'logout', 'nothing'] as const)
  const done = await meanwhile(other, first, does)
  stopping.service.signal('SIGCONT')
  const answer = await late
  if (done === 'unknown' || answer.kind !== 'reply') return
  await judge(pair, { does, isBeyond, first, done, late: heldAfter(first, answer) })
}

type Done = { readonly successor?: Held | undefined; readonly last?: Held | undefined }
type Deed = 'refresh' | 'refresh twice' | 'logout' | 'nothing'
type History = {
  readonly does: Deed
  readonly isBeyond: boolean
  readonly first: Held
  readonly done: Done
  /** What the instance that stood still has given, or nothing where it refused. */
  readonly late: Held | undefined
}

async function meanwhile(site: Site, first: Held, does: Deed): Promise<Done | 'unknown'> {
  if (does === 'nothing') return {}
  if (does === 'logout') {
    const answer = await site.ask('POST', LOGOUT, { headers: credentials(first), json: {} })
    return answer.kind === 'reply' && answer.reply.status === 200 ? {} : 'unknown'
  }
  const answer = await refresh(site, first)
  if (answer.kind !== 'reply') return 'unknown'
  const successor = heldAfter(first, answer)
  if (!successor || does === 'refresh') return { successor, last: successor }
  const second = await refresh(site, successor)
  if (second.kind !== 'reply') return 'unknown'
  return { successor, last: heldAfter(successor, second) }
}

async function judge(pair: Pair, history: History): Promise<void> {
  const { other, stopping } = pair
  const { does, isBeyond, first, done, late } = history
  const told = `${does}${isBeyond ? ' beyond the window' : ''} while a refresh stood still`
  const { violations } = other
  if (late && done.successor && !isSame(late, done.successor)) violations.push(`two successors: ${told}`)
  const isRefused = !late || (does.startsWith('refresh') && !done.successor)
  if (isRefused && does !== 'logout' && does !== 'refresh twice' && !isBeyond)
    violations.push(`a refresh was refused: ${told}`)
  const isOver = does === 'logout' || isRefused
  for (const held of [first, late, done.successor, done.last])
    for (const site of [other, stopping.site])
      if (held && isOver && (await isActive(site, held)))
        violations.push(`a session that has ended is active: ${told}`)
  const last = done.last ?? late
  if (!isOver && last) await expectEnd(pair, last, told)
}

/** It is active; rotated once more, its spent token is good for nothing beyond the window. */
async function expectEnd({ other, stopping, setClock }: Pair, last: Held, told: string): Promise<void> {
  const { violations } = other
  if (!(await isActive(other, last))) violations.push(`a session has ended: ${told}`)
  const next = heldAfter(last, await refresh(other, last))
  stopping.service.signal('SIGSTOP')
  setClock(other.ahead + BEYOND)
  stopping.service.signal('SIGCONT')
  const replayed = await refresh(stopping.site, last)
  if (!next || replayed.kind !== 'reply') return
  if (replayed.reply.status === 200) violations.push(`a spent token was good beyond its window: ${told}`)
  if (await isActive(stopping.site, next)) violations.push(`a replay has ended nothing: ${told}`)
}

async function login({ other, email }: Pair): Promise<Held | undefined> {
  return heldAfter({}, await other.ask('POST', LOGIN, { json: { email, password: PASSWORD } }))
}

function refresh(site: Site, { cookie, refreshToken }: Held): Promise<Answer> {
  return site.ask('POST', REFRESH, { headers: credentials({ cookie }), json: { refreshToken } })
}

async function isActive(site: Site, held: Held): Promise<boolean> {
  const answer = await site.ask('GET', GET_IDENTITY, { headers: credentials(held) })
  return answer.kind === 'reply' && answer.reply.status === 200
}

function heldAfter(held: Held, answer: Answer): Held | undefined {
  return answer.kind === 'reply' && answer.reply.status === 200 ? keep(held, answer.reply) : undefined
}

function isSame(one: Held, another: Held): boolean {
  return one.cookie === another.cookie && one.refreshToken === another.refreshToken
}
