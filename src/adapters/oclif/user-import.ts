import { argument, command, STORE_FLAGS, type Commands } from './command.js'
import { importFile } from './import/import-file.js'
import { createImportReport } from './import/report.js'
import { createOutput } from './output.js'
import { takeSignals } from './signals.js'
import { inCommandContext } from './task.js'

/** The command that imports accounts from a file. */
export const COMMANDS: Commands = {
  'user:import': command(
    {
      summary: 'Import accounts from a file of any size.',
      description: `Each line is {"email": "…", "passwordHash": "…", "roles": ["…"]}; passwordHash and roles are optional.
Hashes of scrypt, bcrypt, Argon2, PBKDF2 and others are verified at the first login and then replaced. Existing accounts are left unchanged, so an import that was stopped can be run again.
Prints {"errors": [{"line": 7, "message": "…"}], "save": 2, "unchanged": 1}; line 0 stands for the whole import. Exit status 1 when a line was refused.`,
      examples: [
        '<%= config.bin %> user import accounts.ndjson',
        'zcat accounts.ndjson.gz | <%= config.bin %> user import -',
      ],
      args: { file: argument('file with a JSON object on each line; - for standard input') },
      flags: STORE_FLAGS,
    },
    async (importing, { file }, flags, { open, typedPath }) => {
      const output = createOutput(process.stdout)
      const report = createImportReport((text) => output.write(text))
      await inCommandContext(
        importing,
        { open, creating: 'outside-production', ...flags },
        async ({ importUsers }) => {
          await importFile(importUsers, typedPath(file), { report, signals: takeSignals() })
          await report.end()
        },
        async (errors) => {
          for (const { message } of errors) report.refuse(0, message)
          await report.end()
        },
      )
      output.settle(importing)
      importing.exit(report.counts.refused === 0 ? 0 : 1)
    },
  ),
}
