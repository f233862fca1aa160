import { expect } from 'chai'
import type { RuleName } from '../model/rules.js'
import { judge, withoutStacks } from './campaign.js'
import type { Bug } from './instance.js'
import type { Plan } from './plan.js'
import { PLANTED } from './planted/index.js'
import { play } from './play.js'

/** A bug in the use cases that the simulator found, with its shrunk history. */
type Finding = {
  /** The name of the planted bug that reintroduces this bug. */
  readonly bug: string
  readonly plan: Plan
  /** The operations of the history. If a theme changes, the plan may result in different operations, and the test fails. */
  readonly rules: readonly RuleName[]
}

const FINDINGS: readonly Finding[] = [
  {
    bug: 'a login gets the current factor instead of the proved factor',
    plan: {
      setting: [116, 1, 129, 224, 95, 233, 6, 1],
      actions: [
        [76, 168, 227, 119, 149, 249],
        [83, 143, 57, 107, 100, 74],
        [128, 17, 180, 92, 173, 7],
        [30, 16, 90, 158, 106, 52],
        [249, 58, 157, 108, 1, 4],
        [177, 143, 196, 212, 215, 76],
        [35, 179, 50, 13, 143, 179],
        [137, 118, 44, 254, 207, 39],
        [239, 20, 116, 223, 255, 35],
      ],
      choices: [],
      mishaps: [[1, 27]],
    },
    rules: ['login', 'removeUserFactor', 'login', 'setUpFactor', 'confirmFactor', 'getIdentity'],
  },
  {
    bug: 'a code of a removed factor counts for the next factor',
    plan: {
      setting: [230, 107, 142, 181, 156, 37, 6, 0],
      actions: [
        [244, 201, 212, 94, 165, 170],
        [77, 95, 202, 68, 217, 44],
        [198, 70, 141, 198, 12, 135],
        [101, 121, 1, 44, 30, 134],
        [197, 31, 11, 146, 137, 2],
      ],
      choices: [],
      mishaps: [[0, 149]],
    },
    rules: ['login', 'login', 'removeUserFactor', 'setUpFactor', 'confirmFactor'],
  },
]

describe('a bug that the simulator has found', () => {
  for (const { bug, plan, rules } of FINDINGS) {
    it(`still violates the model when reintroduced: ${bug}`, async () => {
      expect(PLANTED).to.include.keys(bug)
      const search = `the plan is outdated: node dist/test/simulation/main.js --bug '${bug}'`
      expect(await historyOf(plan, PLANTED[bug]), search).to.deep.equal({ rules, kind: 'impossible' })
      expect(await historyOf(plan), search).to.deep.equal({ rules, kind: 'explained' })
    })
  }
})

async function historyOf(plan: Plan, bug?: Bug) {
  const played = await withoutStacks(() => play(plan, bug))
  return { rules: played.operations.map(({ rule }) => rule), kind: judge(played, bug).kind }
}
