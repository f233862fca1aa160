import { OPERATOR } from '../../../domain/access/caller.js'
import { adviseUpgrade, nameOf, type FinishOutcome, type UpgradeAdvice } from '../../../domain/upgrade.js'
import { command, JSON_FLAG, STORE_FLAGS, type Commands } from '../command.js'
import { printText, jsonLine, shownLines } from '../output.js'
import { refusable, savedResult } from '../task.js'

/** The exit status if running instances must stop first. */
const STOP_FIRST = 3

export const TOPICS = { upgrade: 'the change to a newer release' }

/** Commands for upgrading from one release to the next. */
export const COMMANDS: Commands = {
  'upgrade:check': command(
    {
      summary: 'Show whether instances of the earlier release can keep running while this release starts.',
      description:
        'Changes nothing. Exit status 0: replace the instances one by one; 3: stop all instances first. A sentence on a terminal; in a pipe or with --json {"errors": [], "answer": "rolling", "reason": "…", "instances": [{"id": "…", "release": "…", "schema": 24, "servedAt": "…"}]}, with the instances that ran within the last 5 minutes.',
      examples: ['<%= config.bin %> upgrade check', '<%= config.bin %> upgrade check --json'],
      flags: { ...JSON_FLAG, ...STORE_FLAGS },
    },
    // Needs no permission, because the earlier release may share the permission file and would reject an action that it does not know.
    async (checking, _args, { json, debug, store }, { openUpgrades, clock }) => {
      await refusable(checking, debug, async () => {
        const schema = await (await openUpgrades({ store })).read()
        const advice = adviseUpgrade(schema, clock())
        await printText(checking, process.stdout.isTTY && !json ? sentencesOf(advice) : jsonOf(advice))
        if (advice.answer === 'stop-first') checking.exit(STOP_FIRST)
      })
    },
  ),
  'upgrade:finish': command(
    {
      summary: 'Remove the data that only earlier releases need, once all instances run this release.',
      description:
        'Prints {"errors": [], "save": 1}; if there is nothing to remove, "save": 0 and "unchanged": 1. Afterwards earlier releases cannot use the store. Exit status 3 if an older instance ran within the last 5 minutes, or if another caller is finishing the upgrade.',
      examples: ['<%= config.bin %> upgrade finish'],
      flags: STORE_FLAGS,
    },
    async (finishing, _args, { debug, store }, { openUpgrades, loadAuthorize, clock }) => {
      await refusable(finishing, debug, async () => {
        const authorize = await loadAuthorize({ store })
        authorize(OPERATOR, 'store', 'upgrade')
        const outcome = await (await openUpgrades({ store })).finish(clock())
        await printText(finishing, jsonLine(resultOf(outcome)))
        if (reasonIn(outcome) !== undefined) finishing.exit(STOP_FIRST)
      })
    },
  ),
}

function sentencesOf({ reason, instances }: UpgradeAdvice): string {
  const none = 'No instance recorded that it ran within the last 5 minutes.'
  const named = instances.map((one) => `Serving: ${nameOf(one)}.`)
  return [reason, ...(named.length > 0 ? named : [none])].map(shownLines).join('\n')
}

function jsonOf({ answer, reason, instances }: UpgradeAdvice): string {
  const shown = instances.map((one) => ({ ...one, servedAt: new Date(one.servedAt).toISOString() }))
  return jsonLine({ errors: [], answer, reason, instances: shown })
}

function reasonIn(outcome: FinishOutcome): string | undefined {
  if (outcome.kind === 'under-way') return 'Another caller is finishing the upgrade.'
  return outcome.kind === 'refused' ? outcome.reason : undefined
}

function resultOf(outcome: FinishOutcome) {
  const message = reasonIn(outcome)
  if (message !== undefined) return { errors: [{ message, field: '', type: 'Conflict', code: 409 }], save: 0 }
  return outcome.kind === 'finished' ? savedResult() : { errors: [], save: 0, unchanged: 1 }
}
