import { Flags } from '@oclif/core'
import { OperatorError } from '../../../domain/refusal.js'
import { command, STORE_FLAGS, type Commands, booleanFlag } from '../command.js'
import { stackOf, unforeseen } from '../errors.js'
import { takeSignals, type Signals } from '../signals.js'
import { shownLines } from '../output.js'

/** The command that starts the service. */
export const COMMANDS: Commands = {
  serve: command(
    {
      summary: 'Run the service.',
      description:
        'Reads the configuration from the environment and .env; see .env.example. WORKERS is the number of processes that serve requests: by default one per core in production. Logs go to standard output; the line `ready` contains the address. SIGTERM, SIGINT and SIGHUP stop the service after its running requests; a second SIGTERM or SIGINT stops it immediately; SIGUSR2 switches the log level to debug, and back. With --import, a refused line stops the start, and existing accounts are left unchanged.',
      examples: [
        '<%= config.bin %> serve',
        'PORT=8080 <%= config.bin %> serve',
        'DATABASE_URL=memory: <%= config.bin %> serve --import accounts.ndjson',
        '<%= config.bin %> serve --store ./my-store.js',
      ],
      flags: {
        import: Flags.string({
          description: 'import the accounts of this file first, as `user import` does; - for standard input',
          helpValue: 'FILE',
        }),
        create: booleanFlag(
          'create the database file if it does not exist; without this option, production refuses to start',
        ),
        ...STORE_FLAGS,
      },
    },
    async (serving, _args, flags, { start, typedPath }) => {
      const { store, create, debug, import: file } = flags
      const signals = takeSignals()
      try {
        const importing = file === undefined ? {} : await importOf(typedPath(file), signals)
        const started = start({ store, create, ...importing })
        const running = await Promise.race([started, signals.received.then(() => undefined)])
        await signals.received
        await running?.stop()
      } catch (error) {
        for (const sentence of sentencesOf(error, debug)) serving.logToStderr(shownLines(sentence))
        serving.exit(1)
      }
      serving.exit(0)
    },
  ),
}

async function importOf(path: string, signals: Signals) {
  const { importingFrom } = await import('../import/import-file.js')
  return { importing: importingFrom(path, signals) }
}

function sentencesOf(error: unknown, debug: boolean): readonly string[] {
  const sentences = error instanceof OperatorError ? error.errors : [unforeseen(error)]
  return debug ? [stackOf(error), ...sentences] : sentences
}
