import { expect } from 'chai'
import { VERSION } from '../../src/domain/version.js'
import { textOf } from '../support/project.js'
import { runCampaign } from '../withstand/campaign.js'
import { UPGRADE_BUGS } from './builds.js'
import { UPGRADES } from './campaigns.js'
import { RELEASES } from './releases.js'

const NEWEST = `${String(RELEASES[0]?.version)}-sqlite`
const NEXT = 'next-sqlite'

async function upgrade(name: string, planted?: string) {
  const campaign = UPGRADES.find((one) => one.name === name)
  if (!campaign) throw new Error(`there is no campaign ${name}`)
  return await runCampaign(campaign, { seed: 1, rounds: 1, planted })
}

describe('an upgrade under load', () => {
  for (const name of [NEWEST, NEXT])
    it(`ends no login and loses no acknowledged change in the campaign ${name}`, async () => {
      const { violations, requests } = await upgrade(name)
      expect(violations).to.deep.equal([])
      expect(requests).to.be.greaterThan(500)
    })

  for (const bug of UPGRADE_BUGS)
    it(`finds the planted bug ${bug}`, async () => {
      const { violations } = await upgrade(NEXT, bug)
      expect(violations).not.to.deep.equal([])
      expect(violations.join('\n')).to.not.include('it ended with 1')
    })

  it('begins at each of the last four releases', () => {
    const released = [...textOf('CHANGELOG.md').matchAll(/^## (\d\S+) - /gm)].map(([, version]) => version)
    const previous = released.filter((version) => version !== VERSION)
    expect(RELEASES.map(({ version }) => version)).to.deep.equal(previous.slice(0, 4))
  })
})
