import { Flags } from '@oclif/core'
import { readFile } from 'node:fs/promises'
import { OPERATOR } from '../../../domain/access/caller.js'
import {
  argument,
  booleanFlag,
  command,
  STORE_FLAGS,
  type Commands,
  type CommandContext,
} from '../command.js'
import { openIdFile } from '../import/import-records.js'
import { importFile, sourceError } from '../import/import-file.js'
import { createImportReport } from '../import/report.js'
import { createRoleMapping } from '../import/foreign-user.js'
import { KENNEL, SOURCE_NAMES, sourceCalled, readFirebaseParameters } from '../import/sources.js'
import { createOutput } from '../output.js'
import { takeSignals } from '../signals.js'
import { inCommandContext } from '../task.js'

const FLAGS = {
  from: Flags.string({
    description: 'the system that exported the file',
    options: [...SOURCE_NAMES],
    default: KENNEL,
  }),
  'dry-run': booleanFlag('report the outcome of the import, but change nothing'),
  role: Flags.string({
    description:
      'assign the role NEW, or no role if NEW is empty, to accounts that have the role OLD in the other system',
    helpValue: 'OLD=NEW',
    multiple: true,
    multipleNonGreedy: true,
  }),
  ids: Flags.string({
    description: 'write the ID of each account in the other system and here into this file',
    helpValue: 'FILE',
    exclusive: ['dry-run'],
  }),
  'firebase-parameters': Flags.string({
    description: 'file with the password hash parameters of the project in Firebase',
    helpValue: 'FILE',
  }),
  ...STORE_FLAGS,
}

/** The command that imports accounts from a file. */
export const COMMANDS: Commands = {
  'user:import': command(
    {
      summary: 'Import accounts from a file of any size.',
      description: `With --from, reads the export of another system. Otherwise, each line is {"email": "…", "passwordHash": "…", "roles": ["…"], "disabled": false, "totp": {"secret": "…"}}; only email is required.
Hashes of scrypt, bcrypt, Argon2, PBKDF2 and others are verified at the first login and then replaced. Existing accounts are left unchanged, so an import that was stopped can be run again.
Prints {"errors": [{"line": 7, "message": "…"}], "save": 2, "unchanged": 1}; line 0 stands for the whole import, and in a JSON array, object is the number of the account. With --from or --dry-run, also prints how many saved accounts have no password, and with --from, how many accounts in the file have each role. Exit status 1 when an account was refused.`,
      examples: [
        '<%= config.bin %> user import accounts.ndjson',
        'zcat accounts.ndjson.gz | <%= config.bin %> user import -',
        '<%= config.bin %> user import --from keycloak --dry-run shop-realm.json',
        '<%= config.bin %> user import --from keycloak --role editor=project-editor --ids ids.ndjson shop-realm.json',
      ],
      args: { file: argument('file with the accounts; - for standard input') },
      flags: FLAGS,
    },
    async (importing, { file }, flags, { open, typedPath }) => {
      const output = createOutput(process.stdout)
      const report = createImportReport((text) => output.write(text))
      const dryRun = flags['dry-run']
      await inCommandContext(
        importing,
        { open, creating: dryRun ? 'never' : 'outside-production', ...flags },
        async (context) => {
          const paths = { parameters: flags['firebase-parameters'], ids: flags.ids }
          const origin = await originOf(context, flags, paths.parameters && typedPath(paths.parameters))
          const ids =
            paths.ids === undefined
              ? undefined
              : await openIdFile(typedPath(paths.ids), typedPath(file), context.getUser)
          const options = { report, signals: takeSignals(), origin, dryRun, ids, refusesDuplicates: true }
          try {
            await importFile(context.importUsers, typedPath(file), options)
          } finally {
            await ids?.close()
          }
          const { withoutPassword } = report.counts
          await report.end(origin || dryRun ? { withoutPassword, ...origin?.counts() } : {})
        },
        async (errors) => {
          for (const { message } of errors) report.refuse({ line: 0, message })
          await report.end()
        },
      )
      output.settle(importing)
      importing.exit(report.counts.refused === 0 ? 0 : 1)
    },
  ),
}

/** Returns `undefined` for Kennel's own format. */
async function originOf(
  { listRoles }: CommandContext,
  { from, role = [] }: { readonly from: string; readonly role?: readonly string[] | undefined },
  parametersPath: string | undefined,
) {
  const parameters =
    parametersPath === undefined ? undefined : readFirebaseParameters(await readText(parametersPath))
  const source = sourceCalled(from, parameters)
  if (!source) return undefined
  const known = (await listRoles({ caller: OPERATOR })).map(({ key }) => key)
  const { map: mapRoles, counts } = createRoleMapping(new Set(known), role)
  return { source, mapRoles, counts }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw sourceError(error)
  }
}
