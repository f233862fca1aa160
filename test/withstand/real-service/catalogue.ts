import { basic, PETS } from '../../support/http/pet-calls.js'
import type { Reply } from '../../support/http/client.js'
import type { Random } from '../random.js'
import type { Site } from './site.js'

/** What was done with pets, and what has to be there because of that. */
export type Catalogue = {
  /** Creates a pet; one with an idempotency key again and again, until it is known that it is there. */
  readonly create: () => Promise<void>
  /** Reads one that is there. */
  readonly read: () => Promise<void>
  /** Looks for everything that was acknowledged and for what must not be there, on whatever service has the store now. */
  readonly check: (site: Site) => Promise<void>
}

type Journal = {
  readonly acknowledged: Map<number, string>
  /** It is not known whether it is there. */
  readonly unknown: Set<string>
  /** It is known that it is not. */
  readonly refused: Set<string>
}

export type CatalogueOptions = {
  readonly email: string
  readonly draws: Random
  /** Whether what is refused has had no effect for certain, as it is in one file. */
  readonly strict: boolean
}

/** The pets of one client, who is alone with their names. */
export function createCatalogue(site: Site, { email, draws, strict }: CatalogueOptions): Catalogue {
  const journal: Journal = { acknowledged: new Map(), unknown: new Set(), refused: new Set() }
  const headers = { Authorization: basic(email) }
  let count = 0

  async function tryOnce(
    name: string,
    more: Record<string, string>,
  ): Promise<'done' | 'refused' | 'unknown'> {
    const answer = await site.ask('POST', PETS, { json: { name }, headers: { ...headers, ...more } })
    if (answer.kind !== 'reply') return answer.kind
    const id = idOf(answer.reply)
    if (id === undefined) site.violations.push(`a pet was answered with ${told(answer.reply)}`)
    else journal.acknowledged.set(id, name)
    return 'done'
  }

  return {
    create: async () => {
      const name = `${email} ${String((count += 1))}`
      const isKeyed = draws.next() < 0.5
      const more: Record<string, string> = isKeyed ? { 'Idempotency-Key': name.replaceAll(' ', '-') } : {}
      const outcome = await tryOnce(name, more)
      if (outcome === 'done') return
      // With a key it may be tried once more, and then it is there at most once all the same.
      const again = isKeyed ? await tryOnce(name, more) : outcome
      if (again === 'done') return
      const isGone = strict && outcome === 'refused' && again === 'refused'
      ;(isGone ? journal.refused : journal.unknown).add(name)
    },
    read: async () => {
      const known = [...journal.acknowledged]
      if (known.length > 0) await expectPet(site, headers, draws.pick(known))
    },
    check: async (now) => {
      for (const one of journal.acknowledged) await expectPet(now, headers, one)
      await checkNames(now, headers, journal, email)
    },
  }
}

async function expectPet(
  site: Site,
  headers: Readonly<Record<string, string>>,
  [id, name]: readonly [number, string],
): Promise<void> {
  const answer = await site.ask('GET', `${PETS}/${String(id)}`, { headers })
  if (answer.kind !== 'reply') return
  const { status, json } = answer.reply
  if (status === 200 && (json as { name?: string }).name === name) return
  site.violations.push(`pet ${String(id)}, acknowledged as "${name}", is now ${told(answer.reply)}`)
}

async function checkNames(
  site: Site,
  headers: Readonly<Record<string, string>>,
  { acknowledged, refused }: Journal,
  email: string,
): Promise<void> {
  const times = new Map<string, number>()
  for (const name of await namesOf(site, headers)) times.set(name, (times.get(name) ?? 0) + 1)
  for (const [name, count] of times) {
    if (!name.startsWith(`${email} `)) continue
    if (count > 1) site.violations.push(`"${name}" is there ${String(count)} times`)
    if (refused.has(name)) site.violations.push(`"${name}" was refused, and is there`)
  }
  for (const name of acknowledged.values())
    if (!times.has(name)) site.violations.push(`"${name}" was acknowledged, and is in no list`)
}

/** All that are there. */
async function namesOf(site: Site, headers: Readonly<Record<string, string>>): Promise<string[]> {
  const names: string[] = []
  for (let path: string | undefined = `${PETS}?limit=100`; path !== undefined;) {
    const answer = await site.ask('GET', path, { headers })
    if (answer.kind !== 'reply' || answer.reply.status !== 200) {
      site.violations.push('the pets could not be listed')
      return names
    }
    names.push(...(answer.reply.json as { name: string }[]).map(({ name }) => name))
    path = String(answer.reply.headers['x-next'] ?? '').replace(/^https?:\/\/[^/]+/, '') || undefined
  }
  return names
}

function idOf({ status, headers }: Reply): number | undefined {
  const id = /\/v1\/pets\/([1-9][0-9]*)$/.exec(headers.location ?? '')?.[1]
  return status === 201 && id !== undefined ? Number(id) : undefined
}

function told({ status, text }: Reply): string {
  return `${String(status)} ${text.slice(0, 200)}`
}
