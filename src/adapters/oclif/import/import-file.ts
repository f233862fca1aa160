import type { OperatorUseCases } from '../../../application/wiring.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { OperatorError } from '../../../domain/operator-error.js'
import { showProgress } from '../progress.js'
import { createCommandRetries } from '../retries.js'
import type { Signals } from '../signals.js'
import { createImportLines } from './import-lines.js'
import { readLines } from './lines.js'
import type { ImportReport } from './report.js'
import { openSource, sourceError } from './source.js'

const STOPPED = 'Stopped by a signal. What was saved is safe; run the same import again to go on.'

/** Imports every line of a file, or of standard input for `-`, and shows how far it is. Rejects with a `OperatorError`. */
export async function importFile(
  importUsers: OperatorUseCases['importUsers'],
  path: string,
  { report, signals }: { readonly report: ImportReport; readonly signals: Signals },
): Promise<void> {
  const importUser = importUsers({ caller: OPERATOR })
  const { size, pieces } = await openSource(path)
  // A pipe may give nothing for hours: waiting for it must come to an end too.
  void signals.received.then(() => pieces.destroy())
  const progress = await showProgress(size, 'lines')
  const retries = createCommandRetries({ say: (text) => progress.say(text), signals })
  const importLines = createImportLines({ importUser, report, retries })
  try {
    for await (const { lines, position } of readLines(pieces)) {
      await importLines(lines)
      progress.update(position, lines.at(-1)?.number)
    }
  } catch (error) {
    throw signals.isReceived() ? new OperatorError([STOPPED]) : sourceError(error)
  } finally {
    progress.stop()
  }
}
