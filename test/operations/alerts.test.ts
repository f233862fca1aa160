import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseYaml } from '@redocly/openapi-core'
import { expect } from 'chai'
import { recordedHour } from '../support/prometheus/recorded-hour.js'
import { startPrometheus, type Prometheus } from '../support/prometheus/server.js'
import { PROJECT } from '../support/project.js'
import { describeWith, toolPath } from '../support/required-tools.js'

const FILE = join(PROJECT, 'docs', 'operate', 'files', 'alerts.yml')

type Rules = { readonly groups: readonly { readonly rules: readonly { alert: string; expr: string }[] }[] }

describeWith('prometheus', 'the alerts in Prometheus', () => {
  let prometheus: Prometheus
  before(async () => {
    prometheus = await startPrometheus(await recordedHour())
  })
  after(() => prometheus.stop())

  it('are valid rules', () => {
    const said = execFileSync(toolPath('promtool'), ['check', 'rules', FILE], { encoding: 'utf8' })
    expect(said).to.match(/SUCCESS: 12 rules found/)
  })

  it('fire for password guessing and for a store outage in the recorded hour, and at no other time', async () => {
    const rules = (parseYaml(readFileSync(FILE, 'utf8')) as Rules).groups.flatMap((group) => group.rules)
    const reasons = await Promise.all(
      // Process metrics are left out, because they describe the test process and differ from run to run.
      rules.map(async ({ alert, expr }) =>
        expr.includes('nodejs_') ? [] : (await prometheus.hour(expr)).map(() => alert),
      ),
    )
    expect(reasons.flat()).to.deep.equal([
      'KennelServerErrors',
      'KennelStoreUnavailable',
      'KennelManyFailedLogins',
    ])
  })
})
