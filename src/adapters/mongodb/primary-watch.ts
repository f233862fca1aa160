import type { MongoClient, TopologyDescription } from 'mongodb'

/** Reads that tell of all that was acknowledged before them, also by a primary that has just been elected. */
export type PrimaryWatch = {
  /**
   * What the work comes to, where one confirmed primary was known from its begin to its end; else it is done again. So it
   * may only read.
   */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>
}

/** Resolves when the primary has told something that no other one can have replaced. */
export type Confirm = () => Promise<unknown>

/** A primary for as long as the driver knows it without a break. */
type Primary = {
  readonly key: string | undefined
  confirmed: boolean
  confirming: Promise<unknown> | undefined
  /** Resolves when it is not known any more. */
  readonly over: Promise<void>
  readonly end: () => void
}

/**
 * Reads are of what a majority has confirmed, and a new primary knows only later how far that goes: right after its
 * election it may tell of an earlier state than its predecessor did (SERVER-53813). And one that was found again after a
 * break may have been replaced in between. So each is asked one question first whose answer is linearizable, which
 * costs one round trip of an election, and nothing of a request.
 */
export function watchPrimary(client: Pick<MongoClient, 'on'>, confirm: Confirm): PrimaryWatch {
  let current = begin(undefined)

  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const key = keyOf(newDescription)
    if (key === current.key) return
    current.end()
    current = begin(key)
  })

  async function confirmed(primary: Primary): Promise<void> {
    primary.confirming ??= confirm().then(
      () => (primary.confirmed = true),
      (error: unknown) => {
        primary.confirming = undefined
        throw error
      },
    )
    await Promise.race([primary.confirming, primary.over])
  }

  return {
    read: async (work) => {
      for (;;) {
        const primary = current
        if (!primary.confirmed) await confirmed(primary)
        if (primary !== current) continue
        const answer = await work()
        if (primary === current) return answer
      }
    },
  }
}

/** There is nothing to confirm where there is no primary: a server of its own, a router, or a set that has none now. */
function begin(key: string | undefined): Primary {
  const ends: (() => void)[] = []
  const over = new Promise<void>((resolve) => ends.push(resolve))
  const end = () => {
    for (const one of ends) one()
  }
  return { key, confirmed: key === undefined, confirming: undefined, over, end }
}

/** A term of a member; each election has an id that is greater than those of the elections before it. */
function keyOf({ servers }: TopologyDescription): string | undefined {
  const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary')
  if (!primary) return undefined
  return [primary.address, primary.setVersion, primary.electionId?.toHexString()].join(' ')
}
