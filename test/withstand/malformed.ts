import { connect } from 'node:net'
import { join } from 'node:path'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import type { Store } from '../../src/ports/store.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import { PAGE_LIMIT_MAX, type PageLimit } from '../../src/domain/page-limit.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { createBrowser } from '../support/http/browser.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Bench, BenchOptions, Campaign, Round } from './campaign.js'
import { createJournal } from './journal.js'
import { startLoad } from './load.js'
import { malformedRequest, type Attacker } from './malformed-requests.js'
import { STORE_BUGS } from './planted-store-main.js'
import { randomOf } from './random.js'
import { makeCast, startSite, type Site } from './site.js'

/** The number of malformed requests in a round. */
const REQUESTS = 5_000
/** The number of malformed requests between two logins of an attacker. */
const BETWEEN_LOGINS = 1_250
const CONNECTIONS = 400
const LONGEST_REPLY = 60_000

/** The statuses allowed with any body; a 503 is also allowed, but its body is checked. */
const STATUSES = [
  302, 100, 200, 201, 204, 301, 304, 400, 401, 403, 404, 405, 408, 409, 411, 412, 413, 415, 417, 422, 429,
  431,
]
/** Stack traces, file names and driver names, which no reply may contain. */
const INTERNAL = /\bat .{0,200}:\d+:\d+|node:internal|node_modules|\/dist\/|\.js:\d|SQLITE_|Error:/

/**
 * Sends malformed requests while other clients use the service, and checks that the data of those clients stays correct. Some clients
 * close their sending side before the reply. Each added pet was acknowledged on its connection, and no request causes a log line at level
 * `error`.
 */
export const malformedCampaign: Campaign = { name: 'malformed', bugs: STORE_BUGS, open: openBench }

async function openBench({ planted, note }: BenchOptions): Promise<Bench> {
  const leftovers = createLeftovers()
  const { path: folder, remove } = makeTemporaryFolder()
  leftovers.add(remove)
  const path = join(folder, 'app.db')
  const store = await openSqlite(path)
  leftovers.add(() => store.close())
  const env = { REQUEST_TIMEOUT: '500ms', KEEP_ALIVE_TIMEOUT: '500ms' }
  const site = await startSite({ url: `sqlite:${path}`, workers: 1, planted, env })
  leftovers.add(() => site.close())
  const added = new Set<number>()
  let rounds = 0
  return {
    round: async (seed) => {
      const round = `${String((rounds += 1))}-${String(seed)}`
      const { accounts, apiKeys } = await makeCast(store, round)
      // Uses few correct clients, so that the service has time for malformed requests.
      const cast = { accounts: accounts.slice(0, 2), apiKeys: apiKeys.slice(0, 1) }
      const attackers = await makeCast(store, `attackers-${round}`)
      const journal = createJournal({ mayBreak: false })
      const load = startLoad({ journal, cast, seed, service: site, round })
      const [account] = attackers.accounts
      const attack = { ...account, apiKey: attackers.apiKeys[0] ?? '' } as Attacker
      const found = await attackWith(site, attack, { seed, note, added })
      await load.end()
      const unacknowledged = (await foreignPets(store)).filter((id) => !added.has(id))
      const violations = [
        ...[...journal.violations, ...found, ...deaths(site), ...site.service().errors()],
        ...unacknowledged.map((id) => `no client knows of the pet ${String(id)}, which was added`),
      ]
      return { requests: journal.answered, faults: { 'malformed request': REQUESTS }, violations }
    },
    close: () => leftovers.clear(),
  }
}

function deaths(site: Site): readonly string[] {
  return site.service().deaths() === 0 ? [] : ['a worker died']
}

/** The pets that were not added by the correct clients. */
async function foreignPets({ pets }: Store): Promise<readonly number[]> {
  const found: number[] = []
  let after: PetId | undefined
  do {
    const page = await pets.page(after, PAGE_LIMIT_MAX as PageLimit)
    found.push(...page.pets.flatMap(({ id, name }) => (name.startsWith('pets-') ? [] : [id])))
    after = page.next
  } while (after !== undefined)
  return found
}

type AttackOptions = {
  readonly seed: number
  readonly note: (text: string) => void
  readonly added: Set<number>
}

async function attackWith(
  site: Site,
  attacker: Attacker,
  { seed, note, added }: AttackOptions,
): Promise<Round['violations']> {
  const random = randomOf(seed)
  const found: string[] = []
  let sent = 0
  const one = async (held: Attacker['held']) => {
    const malformed = malformedRequest({ ...attacker, held }, random)
    const bytes = random.below(4) === 0 ? Buffer.concat([newPet(attacker), malformed]) : malformed
    const text = await exchange(site.service().origin, bytes, random.below(2) === 0)
    for (const [, id] of text.matchAll(LOCATION)) added.add(Number(id))
    const problem = text.split(REPLY).map(problemOf).find(Boolean)
    if (problem !== undefined) found.push(`${problem}\n${bytes.toString('latin1').slice(0, 2_000)}`)
  }
  while (sent < REQUESTS && found.length === 0) {
    const browser = createBrowser(site, attacker.email)
    await browser.login(attacker.password)
    const end = sent + BETWEEN_LOGINS
    const connections = Array.from({ length: CONNECTIONS }, async () => {
      while (sent < end) {
        sent += 1
        await one(browser.held())
      }
    })
    await Promise.all(connections)
    note(`${String(sent)} malformed requests`)
  }
  return found
}

const LOCATION = /\r\nlocation: \S*\/v1\/pets\/(\d+)\r\n/gi

/**
 * Returns all replies on a connection. The client closes its sending side immediately or after the first complete reply. Then the service
 * replies to all complete requests and closes the connection.
 */
async function exchange(origin: string, bytes: Buffer, closesEarly: boolean): Promise<string> {
  const { hostname, port } = new URL(origin)
  return await new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    let text = ''
    socket.setEncoding('latin1')
    socket.setTimeout(LONGEST_REPLY, () => {
      reject(new Error(`neither a reply nor an end: ${bytes.toString('latin1')}`))
    })
    socket.on('data', (chunk: string) => {
      text = `${text}${chunk}`.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
      if (isComplete(text)) socket.end()
    })
    // The service resets a connection whose request it does not read.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.syscall === 'connect') reject(error)
    })
    socket.once('close', () => {
      resolve(text)
    })
    socket.write(bytes)
    if (closesEarly) socket.end()
  })
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, Math.max(0, end)))?.[1]
  return length !== undefined && text.length >= end + 4 + Number(length)
}

function newPet({ apiKey }: Attacker): Buffer {
  const body = JSON.stringify({ name: 'Rex' })
  const head = `POST /v1/pets HTTP/1.1\r\nHost: kennel.test\r\nX-API-Key: ${apiKey}\r\n`
  const framing = `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n`
  return Buffer.from(`${head}${framing}\r\n${body}`)
}

const REPLY = /(?=HTTP\/1\.1 \d{3} )/

/** A reply to HEAD has no body. */
function problemOf(text: string): string | undefined {
  if (text === '') return undefined
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1])
  if (![...STATUSES, 503].includes(status)) return `a wrong reply: ${text.slice(0, 500)}`
  if (status < 400) return undefined
  if (INTERNAL.test(text)) return `a reply that shows internals: ${text.slice(0, 500)}`
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  const hasForm =
    body === '' || body.includes(`"code":${String(status)}`) || body === '{"status":"unavailable"}'
  return hasForm ? undefined : `a refusal without its form: ${text.slice(0, 500)}`
}
