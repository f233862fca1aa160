import { setTimeout as pause } from 'node:timers/promises'
import { LOGIN } from '../../support/http/browser.js'
import { basic, PETS } from '../../support/http/pet-calls.js'
import { PASSWORD } from '../../support/http/service.js'
import { createCatalogue, type Catalogue } from './catalogue.js'
import { roundOf, type Random } from '../random.js'
import type { Site } from './site.js'
import { createVisitor, type Visitor } from './visitor.js'

/** A few clients, each of which does one thing after the other. */
export type Load = {
  /** Resolves when so many more requests have been answered or have failed. */
  more(operations: number): Promise<void>
  /** Whether it does again what it is for; waits for that. */
  works(): Promise<boolean>
  /** Does something while no client has anything under way. */
  pausing(work: () => Promise<void>): Promise<void>
  /** Resolves when no client has anything under way. */
  stop(): Promise<void>
  /** Looks for what was acknowledged. */
  check(site: Site): Promise<void>
}

type Worker = { readonly visitor: Visitor; readonly catalogue: Catalogue; readonly draws: Random }

const PAUSE_AFTER_REFUSAL = 20
/** A service that has everything again works at once; a busy machine may take its time. */
const TRIES = 500

export type LoadOptions = {
  readonly draws: Random
  /** Each is one client's; the last one has no load, and tells whether the service works. */
  readonly emails: readonly string[]
  /** Whether what is refused has had no effect for certain. */
  readonly strict: boolean
}

export function startLoad(site: Site, { draws, emails, strict }: LoadOptions): Load {
  const workers = emails.slice(0, -1).map((email) => {
    const own = roundOf(draws.between(0, 2 ** 31))
    return {
      visitor: createVisitor(site, email),
      catalogue: createCatalogue(site, { email, draws: own, strict }),
      draws: own,
    }
  })
  let isEnding = false
  let running = workers.map((worker) => runOn(worker))

  async function runOn(worker: Worker): Promise<void> {
    while (!isEnding) {
      const { failed } = site
      await doOne(worker)
      if (site.failed > failed) await pause(PAUSE_AFTER_REFUSAL)
    }
  }

  async function stop(): Promise<void> {
    isEnding = true
    await Promise.all(running)
  }

  return {
    more: async (operations) => {
      const until = site.operations + operations
      while (site.operations < until) await pause(5)
    },
    works: () => works(site, emails.at(-1) ?? ''),
    pausing: async (work) => {
      await stop()
      await work()
      isEnding = false
      running = workers.map((worker) => runOn(worker))
    },
    stop,
    check: async (now) => {
      for (const { visitor, catalogue } of workers) {
        await visitor.check(now)
        await catalogue.check(now)
      }
    },
  }
}

function doOne({ visitor, catalogue, draws }: Worker): Promise<void> {
  const work = [
    catalogue.create,
    catalogue.create,
    catalogue.read,
    visitor.login,
    visitor.identity,
    visitor.identity,
    visitor.refresh,
    visitor.logout,
  ]
  return draws.pick(work)()
}

/** Whether a login and a new pet are acknowledged, one after the other, within reasonable time. */
async function works(site: Site, email: string): Promise<boolean> {
  const login = { path: LOGIN, status: 200, call: { json: { email, password: PASSWORD } } }
  const pet = {
    path: PETS,
    status: 201,
    call: { json: { name: 'Rex' }, headers: { Authorization: basic(email) } },
  }
  for (const { path, status, call } of [login, pet]) {
    let left = TRIES
    for (; left > 0; left -= 1) {
      const answer = await site.ask('POST', path, call)
      if (answer.kind === 'reply' && answer.reply.status === status) break
      await pause(PAUSE_AFTER_REFUSAL)
    }
    if (left === 0) return false
  }
  return true
}
