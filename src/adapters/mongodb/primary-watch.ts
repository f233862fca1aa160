import type { MongoClient, TopologyDescription } from 'mongodb'

/** Reads that see every earlier acknowledged write, even right after an election. */
export type PrimaryWatch = {
  /**
   * Repeats the work until one confirmed primary was known from its start to its end, so the work must only
   * read.
   */
  readonly read: <T>(work: () => Promise<T>) => Promise<T>
}

/** Resolves if no other primary can have replaced the current primary. */
export type Confirm = () => Promise<unknown>

/** A primary while the driver knows it without interruption. */
type Primary = {
  readonly key: string | undefined
  confirmed: boolean
  confirming: Promise<unknown> | undefined
  /** Resolves when the driver no longer knows it. */
  readonly over: Promise<void>
  readonly end: () => void
}

/**
 * Right after its election a primary may return an earlier state than its predecessor did (SERVER-53813), and
 * after an interruption a primary may have been replaced. So each primary first answers one linearizable read,
 * which costs one round trip for an election and nothing for a request.
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

/** Without a primary (a standalone server, a router, a set without a primary) nothing needs confirmation. */
function begin(key: string | undefined): Primary {
  const ends: (() => void)[] = []
  const over = new Promise<void>((resolve) => ends.push(resolve))
  const end = () => {
    for (const one of ends) one()
  }
  return { key, confirmed: key === undefined, confirming: undefined, over, end }
}

/** Identifies the member and its term: each election has a greater ID. */
function keyOf({ servers }: TopologyDescription): string | undefined {
  const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary')
  if (!primary) return undefined
  return [primary.address, primary.setVersion, primary.electionId?.toHexString()].join(' ')
}
