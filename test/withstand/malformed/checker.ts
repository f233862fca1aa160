import { replyCheckBy } from '../../support/http/reply-check.js'
import { freshDatabase } from '../../support/mongodb/server.js'
import { createSecrets } from '../../support/secrets.js'
import { makeTemporaryFolder } from '../../support/temporary-folder.js'
import { PASSPHRASE, PASSWORD } from '../../support/use-cases.js'
import type { BenchOptions, Checker } from '../checker.js'
import { createJudge } from './judge.js'
import { createMemoryTrend } from './memory-trend.js'
import { PLANTED } from './planted.js'
import { createRound } from './round.js'
import { startCheckedService } from './service.js'

/** Requests that are no HTTP, no JSON, or not quite, and what becomes of them, of the store and of the process. */
export const malformedChecker: Checker = {
  name: 'malformed',
  title: 'Malformed requests: valid ones of every endpoint, mutated by a grammar of HTTP/1.1 and JSON',
  stores: ['memory', 'sqlite', 'mongodb'],
  open: async ({ store, planted, note }: BenchOptions) => {
    const folder = makeTemporaryFolder()
    const place = store === 'mongodb' ? freshDatabase().url : folder.path
    const service = await startCheckedService(store, place, planted)
    const description = await fetch(`http://127.0.0.1:${service.ports.koa}/openapi.json`)
    const secrets = createSecrets()
    secrets.remember('password', PASSWORD)
    secrets.remember('passphrase', PASSPHRASE)
    const judge = createJudge(replyCheckBy(await description.text()), secrets)
    const round = createRound({ service, judge, secrets, trend: createMemoryTrend(), note })
    return {
      round,
      close: async () => {
        await service.close()
        folder.remove()
      },
    }
  },
  planted: PLANTED,
}
