import type { MongoClient, TopologyDescription } from 'mongodb'

export type PrimaryWatch = ReturnType<typeof watchPrimary>

type Primary = {
  readonly key: string | undefined
  confirmed: boolean
  confirming: Promise<unknown> | undefined
  /** Resolves when the driver no longer uses this primary. */
  readonly over: Promise<void>
  readonly end: () => void
}

/**
 * Ensures that reads see every earlier acknowledged write, even right after an election. Confirms each primary with one linearizable read,
 * which costs one round trip per election and nothing per request. Right after an election, a primary may return an earlier state than its
 * predecessor (SERVER-53813); after an interruption, another member may have replaced the primary. `confirm` resolves if the current
 * primary confirms that no other member has replaced it.
 */
export function watchPrimary(client: Pick<MongoClient, 'on'>, confirm: () => Promise<unknown>) {
  let current = begin(undefined)

  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    const key = keyOf(newDescription)
    if (key === current.key) return
    current.end()
    current = begin(key)
  })

  async function confirmPrimary(primary: Primary): Promise<void> {
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
    /** Runs `work`, which must be read-only, and repeats `work` if the confirmed primary changed in the meantime. */
    read: async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;) {
        const primary = current
        if (!primary.confirmed) await confirmPrimary(primary)
        if (primary !== current) continue
        const result = await work()
        if (primary === current) return result
      }
    },
  }
}

/** Without a `key`, no confirmation is needed: the server is standalone or a router, or there is no primary. */
function begin(key: string | undefined): Primary {
  const ends: (() => void)[] = []
  const over = new Promise<void>((resolve) => ends.push(resolve))
  const end = () => {
    for (const one of ends) one()
  }
  return { key, confirmed: key === undefined, confirming: undefined, over, end }
}

function keyOf({ servers }: TopologyDescription): string | undefined {
  const primary = [...servers.values()].find(({ type }) => type === 'RSPrimary')
  if (!primary) return undefined
  return [primary.address, primary.setVersion, primary.electionId?.toHexString()].join(' ')
}
