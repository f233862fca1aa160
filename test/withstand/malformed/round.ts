import type { Secrets } from '../../support/secrets.js'
import type { Round } from '../checker.js'
import { drawConversation, isReadable, verdictOf, type Conversation } from './conversation.js'
import { exchange, type Outcome } from './exchange.js'
import { CUT_OFF, type Judge } from './judge.js'
import type { Sample } from './memory-trend.js'
import type { Report } from './messages.js'
import type { Pool } from './pool.js'
import { randomOf } from '../random.js'
import type { CheckedService } from './service.js'
import { shrink } from './shrink.js'
import { told } from './told.js'

/** Requests of a round, and how many of its connections are open at once. */
const [REQUESTS, AT_ONCE] = [1000, 160]
/** Each is shrunk, which takes a while: a round with so many has enough to tell. */
const MOST_TOLD = 2

export type RoundParts = {
  readonly service: CheckedService
  readonly judge: Judge
  readonly secrets: Secrets
  readonly trend: (sample: Sample) => string | undefined
  readonly note: (text: string) => void
}

/** A conversation and what is wrong with it. */
type Tried = {
  readonly conversation: Conversation
  readonly outcome: Outcome
  readonly problems: readonly string[]
}

export function createRound(parts: RoundParts): (seed: number) => Promise<Round> {
  const { service, secrets, trend, note } = parts
  return async (seed) => {
    const pool = await service.ask('pool')
    rememberAll(secrets, pool)
    const conversations = drawAll(pool, seed)
    const [harmless, others] = [
      conversations.filter(isHarmless),
      conversations.filter((one) => !isHarmless(one)),
    ]
    const before = await service.ask('content')
    const first = await tryAll(harmless, parts)
    const changed =
      before === (await service.ask('content'))
        ? []
        : ['requests that were all refused or only read have changed the store']
    note(`${others.length} more connections`)
    const second = await tryAll(others, parts)
    const violations = [...changed, ...first.problems, ...second.problems]
    for (const one of [...first.tried, ...second.tried].slice(0, MOST_TOLD))
      violations.push(await toldOf(one, parts))
    const grown = trend(await service.ask('memory'))
    if (grown !== undefined) violations.push(grown)
    const requests = conversations.flatMap((one) => one.requests)
    return {
      histories: conversations.length,
      operations: requests.length,
      faults: requests.filter(({ applied }) => applied.length > 0).length,
      violations,
    }
  }
}

function drawAll(pool: Pool, seed: number): Conversation[] {
  const random = randomOf(seed)
  const conversations: Conversation[] = []
  for (let requests = 0; requests < REQUESTS; requests += conversations.at(-1)?.requests.length ?? 0)
    conversations.push(drawConversation(pool, random))
  return conversations
}

/** Whether all of it, as far as it can be read, is refused for sure or only reads. */
function isHarmless({ requests }: Conversation): boolean {
  for (const drawn of requests) {
    const verdict = verdictOf(drawn)
    if (verdict === 'unread') return true
    const isReading = drawn.valid.method === 'GET' && isReadable(drawn)
    if (verdict === undefined && !isReading) return false
  }
  return true
}

/** Tries them, so many at once, and gives those with which something is wrong. */
async function tryAll(
  conversations: readonly Conversation[],
  { service, judge }: RoundParts,
): Promise<{ readonly tried: readonly Tried[]; readonly problems: readonly string[] }> {
  const tried: Tried[] = []
  const outcomes = new Map<number, Tried>()
  const waiting = [...conversations]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const outcome = await exchange(next, peerOf(service))
      const one = { conversation: next, outcome, problems: judge(next, outcome) }
      outcomes.set(outcome.port, one)
      if (one.problems.length > 0) tried.push(one)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  const report = await service.ask('report')
  const problems: string[] = []
  for (const { clientPort, problem } of problemsOf(report)) {
    const known = clientPort === undefined ? undefined : outcomes.get(clientPort)
    if (known) tried.push({ ...known, problems: [...known.problems, problem] })
    else problems.push(problem)
  }
  return { tried: tried.filter((one) => !isStalled(one, report)), problems }
}

/** Cut off as it is promised to a client that does not read: this process was too slow. */
function isStalled({ problems }: Tried, { stalled }: Report): boolean {
  return stalled > 0 && problems.every((problem) => problem === CUT_OFF)
}

function problemsOf({ refusedWrites, errors }: Report): { clientPort?: number; problem: string }[] {
  return [
    ...refusedWrites.map(({ clientPort, request, status, writes }) => ({
      clientPort,
      problem: `${request} was refused (${status}) and has changed the store: ${writes.join(', ')}`,
    })),
    ...errors.map((error) => ({ problem: `the service has logged an error: ${error}` })),
  ]
}

function peerOf(service: CheckedService) {
  return { ports: service.ports, ping: () => service.ask('ping') }
}

/** Shrinks it, as long as anything is still wrong with it, and tells of it. What hangs takes too long for that. */
async function toldOf({ conversation, outcome, problems }: Tried, parts: RoundParts): Promise<string> {
  if (outcome.isHanging) return told(problems, conversation, outcome)
  let last = { conversation, outcome, problems }
  const kind = kindOf(problems)
  await shrink(conversation, async (smaller) => {
    const again = await tryAll([smaller], parts)
    const [one] = again.tried
    if (!one || kindOf(one.problems) !== kind) return false
    last = { ...one, conversation: smaller }
    return true
  })
  return told(last.problems, last.conversation, last.outcome)
}

/** The first problem without its particulars. */
function kindOf([first = '']: readonly string[]): string {
  return first.replace(/^\S+ \S+ was/, 'it was').replaceAll(/[0-9]+|:.*$/gs, '')
}

function rememberAll(secrets: Secrets, { members, victims, apiKey }: Pool): void {
  secrets.remember('API key', apiKey)
  for (const { cookie, accessToken, refreshToken } of [...members, ...victims]) {
    secrets.remember('session cookie', cookie.slice(cookie.indexOf('=') + 1))
    secrets.remember('access token', accessToken)
    secrets.remember('refresh token', refreshToken)
  }
}
