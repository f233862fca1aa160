import { CAMPAIGNS } from './campaigns.js'
import { runCampaigns } from './program.js'

await runCampaigns({ command: 'withstand', campaigns: CAMPAIGNS, until: { minutes: '30' } })
