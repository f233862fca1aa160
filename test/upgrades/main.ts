import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/fixture.js'
import { runCampaigns } from '../withstand/program.js'
import { UPGRADES } from './campaigns.js'

await mochaGlobalSetup()
try {
  await runCampaigns({ command: 'upgrades', campaigns: UPGRADES, until: { rounds: '1' } })
} finally {
  await mochaGlobalTeardown()
}
