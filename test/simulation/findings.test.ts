import { expect } from 'chai'
import { judge, withoutStacks } from './campaign.js'
import { FINDINGS } from './findings.js'
import type { Bug } from './instance.js'
import type { Plan } from './plan.js'
import { PLANTED } from './planted/index.js'
import { play } from './play.js'

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
