import { Command, Flags } from '@oclif/core'
import type { CopyOutcome, CopyProgress } from '../../../application/copy-store.js'
import { STORE_FLAGS } from '../flags.js'
import type { OpenCommandContext, CommandContext } from '../command-context.js'
import { showProgress, type Progress } from '../progress.js'
import { createRetrying } from '../../../application/retrying.js'
import { createCommandRetries } from '../retries.js'
import { takeSignals } from '../signals.js'
import { runTask, saved } from '../task.js'

const FLAGS = {
  to: Flags.string({
    description: 'the other store, as DATABASE_URL has it: sqlite:PATH or mongodb://…',
    required: true,
  }),
  ...STORE_FLAGS,
}

const HAS_PASSWORD = /\/\/[^/@:]*:[^/@]*@/
const VISIBLE =
  'The password of the other store is now in the history of your shell and was visible in the list of processes.'

export function createStoreCopy(open: OpenCommandContext): Command.Class {
  return class StoreCopy extends Command {
    static override summary = 'Copy everything into another, empty store, and leave this one as it is.'
    static override description =
      'Stop the service first. A copy that was interrupted goes on when it is run again; at the end both are compared by number and digest, and a source that was written to meanwhile is found out (exit 1). A copy that is complete is compared only. Prints {"errors": [], "save": 1, "records": {"account": 2, …}}. Sessions go along: with the same SECURITY_JWT_PASSPHRASE and PUBLIC_URL no login ends.'
    static override examples = [
      '<%= config.bin %> store copy --to mongodb://db1,db2,db3/kennel?replicaSet=rs0',
      '<%= config.bin %> store copy --to sqlite:./copy.db',
    ]
    static override flags = FLAGS

    async run(): Promise<void> {
      const { flags } = await this.parse({ flags: FLAGS })
      if (HAS_PASSWORD.test(flags.to)) this.warn(VISIBLE)
      await runTask(this, { open, ...flags }, async (operation) => {
        const { kind, records } = await copy(operation, flags.to)
        if (kind === 'unchanged') this.logToStderr('This copy was complete already: there was nothing to do.')
        return saved({ records })
      })
    }
  }
}

async function copy({ copyTo }: CommandContext, url: string): Promise<CopyOutcome> {
  const signals = takeSignals()
  let progress: Progress | undefined
  let latest: CopyProgress | undefined
  const showLatest = () => progress?.update(latest?.done ?? 0, latest?.done)
  const onProgress = (next: CopyProgress) => {
    if (!latest) void showProgress(next.total, 'records').then((shown) => (progress = shown))
    latest = next
    showLatest()
  }
  const say = (text: string) => (progress ? progress.say(text) : process.stderr.write(`${text}\n`))
  const retrying = createRetrying(createCommandRetries({ say, signals }))
  try {
    return await copyTo({ url, isStopped: () => signals.isReceived(), onProgress, retrying })
  } finally {
    progress?.stop()
  }
}
