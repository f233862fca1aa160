import { Command } from '@oclif/core'
import { stackOf, unforeseen } from './faults.js'
import { DEBUG_FLAG } from './flags.js'
import { CommandFault } from './operation.js'
import { takeSignals } from './signals.js'
import { shownLines } from './terminal-text.js'

/** A service that runs; `stop` drains it and resolves when its store is closed. */
export type RunningService = { stop(): Promise<void> }

export function createServe(start: () => Promise<RunningService>): Command.Class {
  return class Serve extends Command {
    static override summary = 'Run the service.'
    static override description =
      'Reads the configuration from the environment and .env; see .env.example. Logs go to standard output; the line `ready` holds the address. SIGTERM and SIGINT drain, a second signal ends at once; SIGUSR2 switches the log to debug, and back.'
    static override examples = ['<%= config.bin %> serve', 'PORT=8080 <%= config.bin %> serve']
    static override flags = DEBUG_FLAG

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: DEBUG_FLAG })
      const signals = takeSignals()
      try {
        const running = await Promise.race([start(), signals.received.then(() => undefined)])
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
  const sentences = error instanceof CommandFault ? error.faults : [unforeseen(error)]
  return debug ? [stackOf(error), ...sentences] : sentences
}
