import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeWorkplace, type Serving, type Workplace } from '../cli/app.js'

export type ServerKillReport = {
  readonly rounds: number
  /** Pets that the killed servers had answered with 201. */
  readonly acknowledged: number
  /** The acknowledged pets that the next server did not find under their Location, with their name. */
  readonly lost: readonly string[]
}

const WRITERS = 8
/** The longest time of writing before a kill, in milliseconds. */
const LONGEST_LIFE = 150

/**
 * Kills the real service with SIGKILL while eight clients create pets, `rounds` times on one file. The time of each
 * kill, counted from the first acknowledgement, is chosen by `random` (0 to 1). Then asks the next server for every
 * acknowledged pet.
 */
export async function killServer(rounds: number, random: () => number): Promise<ServerKillReport> {
  const place = await makeWorkplace()
  try {
    const key = await makeKey(place)
    const acknowledged = new Map<string, string>()
    for (let round = 1; round <= rounds; round += 1) {
      const serving = await place.serve()
      await writeUntilKilled(serving, key, { life: random() * LONGEST_LIFE, round, acknowledged })
    }
    const last = await place.serve()
    const lost = await missingFrom(last, key, acknowledged)
    last.child.kill('SIGTERM')
    await last.ended
    return { rounds, acknowledged: acknowledged.size, lost }
  } finally {
    await place.remove()
  }
}

async function makeKey(place: Workplace): Promise<string> {
  const { stdout } = await place.app(['apikey', 'create', 'durability'])
  return (JSON.parse(stdout) as { key: string }).key
}

async function writeUntilKilled(
  { origin, child, ended }: Serving,
  key: string,
  { life, round, acknowledged }: { life: number; round: number; acknowledged: Map<string, string> },
): Promise<void> {
  // A request to a dead process gets no reply, or one from another process on the same port.
  const gone = new AbortController()
  void ended.then(() => gone.abort())
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const write = async (writer: number) => {
    for (let count = 0; ; count += 1) {
      const name = `pet ${String(round)}-${String(writer)}-${String(count)}`
      const reply = await fetch(`${origin}/v1/pets`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
        body: JSON.stringify({ name }),
        signal: gone.signal,
      })
      const location = new URL(reply.headers.get('location') ?? 'none:')
      if (reply.status !== 201) continue
      acknowledged.set(location.pathname, name)
      begin()
    }
  }
  // Every writer ends with the connection error of the kill, or is aborted.
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer).catch(() => undefined))
  await Promise.race([begun, ended])
  await pause(life)
  child.kill('SIGKILL')
  await Promise.all([...writers, ended])
}

async function missingFrom(
  { origin }: Serving,
  key: string,
  acknowledged: ReadonlyMap<string, string>,
): Promise<string[]> {
  const lost: string[] = []
  for (const [path, name] of acknowledged) {
    const reply = await fetch(`${origin}${path}`, { headers: { 'X-API-Key': key } })
    const pet = (await reply.json()) as { name?: string }
    if (pet.name !== name) lost.push(`${path} ${name}`)
  }
  return lost
}

/** As a script: the number of rounds is its argument, 100 by default; exits 1 when a write was lost. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = await killServer(Number(process.argv[2] ?? 100), Math.random)
  console.log(JSON.stringify({ ...report, lost: report.lost.length }))
  process.exitCode = report.lost.length === 0 ? 0 : 1
}
