import { Args, Command } from '@oclif/core'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { CommandMessage } from '../faults.js'
import { DEBUG_FLAG } from '../flags.js'
import { importLines } from '../import/import-lines.js'
import { readLines } from '../import/lines.js'
import { createImportReport, type ImportReport } from '../import/report.js'
import { openSource, sourceFault } from '../import/source.js'
import { CommandFault, type OpenOperation, type Operation } from '../operation.js'
import { createOutput } from '../output.js'
import { showProgress } from '../progress.js'
import { takeSignals } from '../signals.js'
import { inOperation } from '../task.js'

const ARGS = {
  file: Args.string({
    description: 'file with a JSON object on each line; - for standard input',
    required: true,
    ignoreStdin: true,
  }),
}

const STOPPED = 'Stopped by a signal. What was saved is safe; run the same import again to go on.'

export function createUserImport(open: OpenOperation): Command.Class {
  return class UserImport extends Command {
    static override summary = 'Import accounts from a file of any size.'
    static override description = `Each line is {"email": "…", "passwordHash": "…", "roles": ["…"]}; the last two may be left out.
Hashes of scrypt-kdf and bcrypt ($2a$, $2b$, $2y$) are kept as they are. An account that exists is left unchanged, so an import that was stopped can be run again.
Prints {"errors": [{"line": 7, "message": "…"}], "save": 2, "unchanged": 1}; line 0 is the import as a whole. Exit status 1 when a line was refused.`
    static override examples = [
      '<%= config.bin %> user import accounts.ndjson',
      'zcat accounts.ndjson.gz | <%= config.bin %> user import -',
    ]
    static override args = ARGS
    static override flags = DEBUG_FLAG

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: DEBUG_FLAG })
      const output = createOutput(process.stdout)
      const report = createImportReport((text) => output.write(text))
      await inOperation(
        this,
        { open, ...flags },
        async (operation) => {
          await importFile(operation, args.file, report)
          await report.end()
        },
        async (errors) => await endWith(report, errors),
      )
      output.settle(this)
      this.exit(report.counts.refused === 0 ? 0 : 1)
    }
  }
}

async function importFile({ importUsers }: Operation, path: string, report: ImportReport): Promise<void> {
  const importUser = importUsers({ caller: OPERATOR })
  const { size, pieces } = await openSource(path)
  const signals = takeSignals()
  // A pipe may give nothing for hours: waiting for it must come to an end too.
  void signals.received.then(() => pieces.destroy())
  const progress = await showProgress(size, 'lines')
  try {
    for await (const { lines, position } of readLines(pieces)) {
      await importLines(lines, importUser, report)
      progress.update(position, lines.at(-1)?.number)
    }
  } catch (error) {
    throw signals.isReceived() ? new CommandFault([STOPPED]) : sourceFault(error)
  } finally {
    progress.stop()
  }
}

async function endWith(report: ImportReport, errors: readonly CommandMessage[]): Promise<void> {
  for (const { message } of errors) report.refuse(0, message)
  await report.end()
}
