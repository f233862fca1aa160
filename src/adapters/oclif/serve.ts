import { Command } from '@oclif/core'
import { SetupFault } from './operation.js'

/** A service that runs; `stop` drains it and resolves when its store is closed. */
export type RunningService = { stop(): Promise<void> }

export function createServe(start: () => Promise<RunningService>): Command.Class {
  return class Serve extends Command {
    static override summary = 'Run the service.'
    static override description =
      'Reads the configuration from the environment and .env; see .env.example. Logs go to standard output. SIGTERM and SIGINT drain, a second signal ends at once.'
    static override examples = ['<%= config.bin %> serve', 'PORT=8080 <%= config.bin %> serve']

    async run(): Promise<void> {
      await this.parse(Serve)
      const signals = signalsOf()
      try {
        const running = await Promise.race([start(), signals.received.then(() => undefined)])
        if (!running) return this.exit(0)
        await signals.received
        await running.stop()
      } catch (error) {
        if (!(error instanceof SetupFault)) throw error
        for (const fault of error.faults) this.logToStderr(fault)
        this.exit(1)
      }
      this.exit(0)
    }
  }
}

/** The first SIGTERM or SIGINT resolves; the second ends the process as the signal itself would. */
function signalsOf(): { received: Promise<void> } {
  const received = new Promise<void>((resolve) => {
    let first = true
    const onSignal = (signal: 'SIGTERM' | 'SIGINT') => {
      if (first) {
        first = false
        resolve()
        return
      }
      process.removeAllListeners(signal)
      process.kill(process.pid, signal)
    }
    process.on('SIGTERM', onSignal)
    process.on('SIGINT', onSignal)
  })
  return { received }
}
