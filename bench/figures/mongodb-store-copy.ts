import { median } from '../alternate.js'
import { runCommand, type Round } from '../workplace/command.js'
import { startMongodb } from '../workplace/mongodb-server.js'
import { atLeast, atMost, known, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { seedAccounts, seedPets, seedSessions } from '../workplace/seed.js'
import { inWorkplace } from '../workplace/workplace.js'

const ACCOUNTS = 20_000
const PETS = 160_000
const DOCUMENTS = 2 * ACCOUNTS + PETS

/** `store copy` from SQLite into MongoDB: accounts with a role, a session for each, and pets; comparison included. */
export async function measureStoreCopy(run: Run): Promise<Report> {
  const mongodb = await startMongodb()
  try {
    return await inWorkplace(async (place) => {
      await place.withStore(async (store) => {
        const accounts = await seedAccounts(store, ACCOUNTS)
        await seedSessions(place, store, accounts, ACCOUNTS)
      })
      await seedPets(place.database, PETS)
      const rounds: Round[] = []
      const count = run.rounds({ usual: 3, quick: 1 })
      for (let round = 0; round < count; round += 1) {
        run.progress(round + 1, count)
        const target = mongodb.urlOf(`kennel-copy-${process.pid}-${round}`)
        rounds.push(await runCommand(['store', 'copy', '--to', target], place.env))
      }
      const seconds = median(rounds.map((one) => one.seconds))
      const peak = Math.max(...rounds.map((one) => one.peakMebibytes))
      return {
        setting: `${thousands(DOCUMENTS)} documents (${thousands(ACCOUNTS)} accounts with a role, a session for each, ${thousands(PETS)} pets) from SQLite into MongoDB; start, end and comparison counted in.`,
        columns: [
          { name: 'seconds, median', digits: 1 },
          { name: 'documents/s', digits: 0 },
          { name: 'peak MiB, highest', digits: 0 },
        ],
        rows: [{ name: 'app store copy, start to end', values: [seconds, DOCUMENTS / seconds, known(peak)] }],
        claims: [
          atLeast('documents a second', 10_000, DOCUMENTS / seconds, { digits: 0 }),
          atMost('peak memory', 200, known(peak), { unit: 'MiB', digits: 0 }),
        ],
      }
    })
  } finally {
    await mongodb.stop()
  }
}
