import { command, JSON_FLAG, STORE_FLAGS, type Commands } from '../command.js'
import type { CommandMessage } from '../errors.js'
import { printText, jsonLine, shownText } from '../output.js'
import { refusable } from '../task.js'

type Report = { readonly errors: readonly CommandMessage[]; readonly warnings: readonly string[] }

export const TOPICS = { config: 'the configuration' }

/** The command that checks the configuration. */
export const COMMANDS: Commands = {
  'config:check': command(
    {
      summary: 'Check the configuration that `serve` would use, without starting the service.',
      description:
        'Reads the environment, .env, the permission file, mail templates and the store module, but does not open the store. Sentences on a terminal; in a pipe or with --json {"errors": [], "warnings": []}. Exit status 1 if there are errors. No values are shown.',
      examples: [
        '<%= config.bin %> config check',
        'NODE_ENV=production <%= config.bin %> config check --json',
      ],
      flags: { ...JSON_FLAG, ...STORE_FLAGS },
    },
    async (checking, _args, { json, debug, store }, { checkConfiguration }) => {
      const isReadable = process.stdout.isTTY && !json
      const print = async (report: Report) => {
        await printText(checking, isReadable ? sentencesOf(report) : jsonLine(report))
      }
      await refusable(
        checking,
        debug,
        async () => {
          await print({ errors: [], warnings: await checkConfiguration({ store }) })
        },
        async (errors) => {
          await print({ errors, warnings: [] })
        },
      )
    },
  ),
}

function sentencesOf({ errors, warnings }: Report): string {
  const lines = [
    ...errors.map(({ message }) => `Error: ${message}`),
    ...warnings.map((warning) => `Warning: ${warning}`),
    errors.length === 0
      ? 'The configuration has no errors.'
      : `The configuration has errors: ${errors.length}.`,
  ]
  return lines.map(shownText).join('\n')
}
