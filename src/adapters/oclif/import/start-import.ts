import { OperatorError } from '../../../domain/operator-error.js'
import type { ImportAtStart } from '../../../application/accounts/import-users.js'
import type { Signals } from '../signals.js'
import { importFile } from './import-file.js'
import type { ImportReport } from './report.js'

/** So many refused lines are named; the rest is a number. */
const NAMED_MAX = 20

/**
 * Imports a file before the service answers any request. A refused line stops the start, with the line named: a service
 * that runs without some of its accounts looks well and is not. The lines that are right are saved by then, and are
 * unchanged when it is started again.
 */
export function importingFrom(path: string, signals: Signals): ImportAtStart {
  return async (importUsers) => {
    const refused: string[] = []
    const counts = { saved: 0, unchanged: 0, refused: 0 }
    const report: ImportReport = {
      counts,
      save: () => (counts.saved += 1),
      leave: () => (counts.unchanged += 1),
      refuse(line, message) {
        counts.refused += 1
        if (refused.length < NAMED_MAX) refused.push(`--import: line ${line}: ${message}`)
      },
      written: async () => await Promise.resolve(),
      end: async () => await Promise.resolve(),
    }
    await importFile(importUsers, path, { report, signals })
    const more = counts.refused - refused.length
    if (counts.refused > 0)
      throw new OperatorError(more > 0 ? [...refused, `--import: ${more} more lines were refused`] : refused)
    return { saved: counts.saved, unchanged: counts.unchanged }
  }
}
