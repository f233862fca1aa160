import { Command, Flags } from '@oclif/core'
import { stackOf, unforeseen } from './errors.js'
import { STORE_FLAGS } from './flags.js'
import { importingFrom } from './import/start-import.js'
import { OperatorError } from '../../domain/operator-error.js'
import type { ImportAtStart } from '../../application/accounts/import-users.js'
import type { StoreFlag, TypedPath } from './command-context.js'
import { takeSignals } from './signals.js'
import { shownLines } from './terminal-text.js'

/** A service that runs; `stop` drains it and resolves when its store is closed. */
export type RunningService = { stop(): Promise<void> }

/** `importing` brings in accounts before the first request is answered; `create` makes the store in production too. */
export type StartService = (
  options: StoreFlag & { readonly importing?: ImportAtStart; readonly create: boolean },
) => Promise<RunningService>

const FLAGS = {
  import: Flags.string({
    description: 'import the accounts of this file first, as `user import` does; - for standard input',
    helpValue: 'FILE',
  }),
  create: Flags.boolean({
    description: 'make the database file if it does not exist; without it production refuses to start',
  }),
  ...STORE_FLAGS,
}

export function createServe(start: StartService, typedPath: TypedPath): Command.Class {
  return class Serve extends Command {
    static override summary = 'Run the service.'
    static override description =
      'Reads the configuration from the environment and .env; see .env.example. WORKERS says how many processes answer requests: in production one for each core. Logs go to standard output; the line `ready` holds the address. SIGTERM and SIGINT drain, a second signal ends at once; SIGUSR2 switches the log to debug, and back. With --import a refused line stops the start; an account that exists is left unchanged, so it can stand in a unit.'
    static override examples = [
      '<%= config.bin %> serve',
      'PORT=8080 <%= config.bin %> serve',
      'DATABASE_URL=memory: <%= config.bin %> serve --import accounts.ndjson',
      '<%= config.bin %> serve --store ./my-store.js',
    ]
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      const signals = takeSignals()
      try {
        const importing =
          flags.import === undefined ? {} : { importing: importingFrom(typedPath(flags.import), signals) }
        const options = { store: flags.store, create: flags.create, ...importing }
        const running = await Promise.race([start(options), signals.received.then(() => undefined)])
        await signals.received
        await running?.stop()
      } catch (error) {
        for (const sentence of sentencesOf(error, flags.debug)) this.logToStderr(shownLines(sentence))
        this.exit(1)
      }
      this.exit(0)
    }
  }
}

function sentencesOf(error: unknown, debug: boolean): readonly string[] {
  const sentences = error instanceof OperatorError ? error.errors : [unforeseen(error)]
  return debug ? [stackOf(error), ...sentences] : sentences
}
