import { Flags } from '@oclif/core'
import type { CopyOutcome, CopyProgress } from '../../../application/copy-store.js'
import { createRetrying } from '../../../application/retrying.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import {
  command,
  STORE_FLAGS,
  type Commands,
  type CommandContext,
  type OpenCommandContext,
} from '../command.js'
import { showProgress, type Progress, createCommandRetries } from '../progress.js'
import { takeSignals } from '../signals.js'
import { runTask, savedResult, task } from '../task.js'

export const TOPICS = { store: 'the data' }

/** Commands that create, purge and copy stores. */
export const COMMANDS: Commands = {
  'store:create': command(
    {
      summary: 'Create an empty store before the first start in production.',
      description:
        'Prints {"errors": [], "save": 1}. Leaves an existing store unchanged, and prints "save": 0 and "unchanged": 1.',
      examples: ['<%= config.bin %> store create'],
      flags: STORE_FLAGS,
    },
    async (creating, _args, flags, { open, loadAuthorize }) => {
      const permitted: OpenCommandContext = async (options) => {
        const authorize = await loadAuthorize(options)
        // Asks for permission first, because opening creates a missing store.
        authorize(OPERATOR, 'store', 'create')
        return await open(options)
      }
      await runTask(creating, { open: permitted, creating: 'always', ...flags }, ({ isNew }) =>
        Promise.resolve(isNew ? savedResult() : { errors: [], save: 0, unchanged: 1 }),
      )
    },
  ),
  'store:purge': task({
    summary: 'Remove ended sessions and old idempotency keys now.',
    description:
      'Prints {"errors": [], "save": 1, "removed": 12}. `serve` does the same automatically every ten minutes.',
    examples: ['<%= config.bin %> store purge'],
    work: async ({ purgeStore }) => savedResult({ removed: await purgeStore({ caller: OPERATOR }) }),
  }),
  'store:copy': command(
    {
      summary: 'Copy all data into another, empty store, without changing this store.',
      description:
        'Stop the service first. Run an interrupted copy again to continue it. At the end, both stores are compared by the number and digest of their records; if the source was written to in the meantime, the command fails (exit status 1). If the copy is already complete, the stores are only compared. Prints {"errors": [], "save": 1, "records": {"account": 2, …}}. Sessions are copied too: with the same SECURITY_JWT_PASSPHRASE and PUBLIC_URL, users stay logged in.',
      examples: [
        '<%= config.bin %> store copy --to mongodb://db1,db2,db3/kennel?replicaSet=rs0',
        '<%= config.bin %> store copy --to sqlite:./copy.db',
      ],
      flags: {
        to: Flags.string({
          description: 'the other store, in the format of DATABASE_URL: sqlite:PATH or mongodb://…',
          required: true,
        }),
        ...STORE_FLAGS,
      },
    },
    async (copying, _args, flags, { open }) => {
      if (HAS_PASSWORD.test(flags.to)) copying.warn(VISIBLE)
      await runTask(copying, { open, ...flags }, async (context) => {
        const { kind, records } = await copy(context, flags.to)
        if (kind === 'unchanged') copying.logToStderr('This copy is already complete: nothing was copied.')
        return savedResult({ records })
      })
    },
  ),
}

const HAS_PASSWORD = /\/\/[^/@:]*:[^/@]*@/
const VISIBLE =
  'The password of the other store is now in the history of your shell and was visible in the list of processes.'

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
