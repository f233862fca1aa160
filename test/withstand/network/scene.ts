import { setTimeout as pause } from 'node:timers/promises'
import type { Reply } from '../../support/http/client.js'
import type { Served } from '../../support/http/browser.js'
import type { Random } from '../random.js'
import type { Journal } from './journal.js'

/** What the clients of one round share. */
export type Scene = {
  readonly journal: Journal
  /** Processes, as it were, of one service on one database. */
  readonly services: readonly [Served, ...Served[]]
  readonly apiKey: string
  /** True from the moment when the network is whole again. */
  readonly isOver: () => boolean
}

/** One client of the service, which waits for each of its replies. */
export type Actor = {
  readonly name: string
  readonly draws: Random
  /** Of one service or the other. */
  readonly service: () => Served
  /** The reply, or nothing where it may have been done or not. */
  ask(what: string, send: (service: Served) => Promise<Reply>): Promise<Reply | undefined>
  /** Sends it again until there is a reply. */
  insist(what: string, send: (service: Served) => Promise<Reply>): Promise<Reply | undefined>
  violate(what: string): void
}

const PAUSE = 10
const PAUSE_AFTER_REFUSAL = 50
/** A set that is whole again has elected and caught up by then, however slow the machine is. */
const RECOVERY = 120_000

export function createActor(scene: Scene, name: string, draws: Random): Actor {
  const { journal, services } = scene
  const service = () => draws.pick(services)

  async function ask(what: string, send: (service: Served) => Promise<Reply>): Promise<Reply | undefined> {
    const one = service()
    const reply = await journal.ask(name, `${what} at ${String(services.indexOf(one) + 1)}`, () => send(one))
    await pause(reply ? PAUSE : PAUSE_AFTER_REFUSAL)
    return reply
  }

  async function insist(what: string, send: (service: Served) => Promise<Reply>): Promise<Reply | undefined> {
    let deadline: number | undefined
    for (;;) {
      const reply = await ask(what, send)
      if (reply) return reply
      if (scene.isOver()) deadline ??= performance.now() + RECOVERY
      if (deadline === undefined || performance.now() < deadline) continue
      journal.violate(name, `${what} is refused although nothing is wrong with the network any more`)
      return undefined
    }
  }

  return { name, draws, service, ask, insist, violate: (what) => journal.violate(name, what) }
}
