import { Args, Command } from '@oclif/core'
import type { CommandMessage } from '../errors.js'
import { STORE_FLAGS } from '../flags.js'
import { importFile } from '../import/import-file.js'
import { createImportReport, type ImportReport } from '../import/report.js'
import type { OpenCommandContext, TypedPath } from '../command-context.js'
import { createOutput } from '../output.js'
import { takeSignals } from '../signals.js'
import { inCommandContext } from '../task.js'

const ARGS = {
  file: Args.string({
    description: 'file with a JSON object on each line; - for standard input',
    required: true,
    ignoreStdin: true,
  }),
}

export function createUserImport(open: OpenCommandContext, typedPath: TypedPath): Command.Class {
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
    static override flags = STORE_FLAGS

    async run(): Promise<void> {
      const { args, flags } = await this.parse({ args: ARGS, flags: STORE_FLAGS })
      const output = createOutput(process.stdout)
      const report = createImportReport((text) => output.write(text))
      await inCommandContext(
        this,
        { open, creating: 'outside-production', ...flags },
        async ({ importUsers }) => {
          await importFile(importUsers, typedPath(args.file), { report, signals: takeSignals() })
          await report.end()
        },
        async (errors) => await endWith(report, errors),
      )
      output.settle(this)
      this.exit(report.counts.refused === 0 ? 0 : 1)
    }
  }
}

async function endWith(report: ImportReport, errors: readonly CommandMessage[]): Promise<void> {
  for (const { message } of errors) report.refuse(0, message)
  await report.end()
}
