import { median } from './alternate.js'
import { runCommand, type Round } from './command.js'
import { startMongodb } from './mongodb-server.js'
import { atLeast, atMost, type Options, type Report } from './report.js'
import { seedAccounts, seedPets, seedSessions } from './seed.js'
import { inWorkplace } from './workplace.js'

const ACCOUNTS = 20_000
const PETS = 160_000
const DOCUMENTS = 2 * ACCOUNTS + PETS

/** `store copy` from SQLite into MongoDB: accounts with a role, a session for each, and pets; comparison included. */
export async function measureStoreCopy({ quick }: Options): Promise<Report> {
  const mongodb = await startMongodb()
  try {
    return await inWorkplace(async (place) => {
      await place.withStore(async (store) => {
        const accounts = await seedAccounts(store, ACCOUNTS)
        await seedSessions(place, store, accounts, ACCOUNTS)
      })
      await seedPets(place.database, PETS)
      const rounds: Round[] = []
      for (let round = 0; round < (quick ? 1 : 3); round += 1) {
        const target = mongodb.urlOf(`kennel-copy-${process.pid}-${round}`)
        rounds.push(await runCommand(['store', 'copy', '--to', target], place.env))
      }
      const seconds = median(rounds.map((one) => one.seconds))
      const peak = Math.max(...rounds.map((one) => one.peakMebibytes))
      return {
        title: `store copy of ${DOCUMENTS.toLocaleString('en')} documents from SQLite to MongoDB`,
        columns: ['', 'seconds, median', 'documents/s', 'peak MiB, highest'],
        rows: [
          [
            'app store copy, start to end',
            seconds.toFixed(1),
            (DOCUMENTS / seconds).toFixed(0),
            peak.toFixed(0),
          ],
        ],
        claims: [
          atLeast('documents a second', 10_000, DOCUMENTS / seconds),
          ...(Number.isNaN(peak) ? [] : [atMost('peak memory', 200, peak, ' MiB')]),
        ],
      }
    })
  } finally {
    await mongodb.stop()
  }
}
