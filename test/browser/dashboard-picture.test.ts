import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { dashboardPanels, fillPanel, type FilledPanel } from '../support/prometheus/dashboard.js'
import { recordedHour } from '../support/prometheus/recorded-hour.js'
import { startPrometheus, STEPS } from '../support/prometheus/server.js'
import { PROJECT } from '../support/project.js'
import { describeWith } from '../support/required-tools.js'
import { describeInChromium, expectCurrent } from './chromium.js'

const PICTURE = {
  shownIn: 'docs/operate/alerts.md',
  name: 'dashboard.png',
  size: { width: 1000, height: 1412 },
  limit: 200_000,
}

const ADDRESS = 'http://dashboard.test'
/** The library that draws Grafana's own charts. */
const FILES = {
  '/': [join(PROJECT, 'test/browser/dashboard.html'), 'text/html'],
  '/uPlot.iife.min.js': [
    fileURLToPath(import.meta.resolve('uplot/dist/uPlot.iife.min.js')),
    'text/javascript',
  ],
  '/uPlot.min.css': [fileURLToPath(import.meta.resolve('uplot/dist/uPlot.min.css')), 'text/css'],
} as const

/** The first row of the dashboard that does not fit into the picture. */
const NOT_DRAWN = 'Password hashes'

/** The dashboard as text: each row with its panels. */
const IN_WORDS = `(() => {
  const rows = []
  for (const section of document.querySelectorAll('section')) {
    const title = section.querySelector('h2').textContent
    if (section.className === 'row') rows.push({ title, panels: [] })
    else rows.at(-1).panels.push(title)
  }
  return 'The dashboard. ' + rows.map(({ title, panels }) => title + ': ' + panels.join(', ') + '.').join(' ')
})()`

describeWith('prometheus', 'the picture of the dashboard', () => {
  let panels: readonly FilledPanel[]
  const drawn = () => {
    const end = panels.findIndex(({ title }) => title === NOT_DRAWN)
    return panels.slice(0, end)
  }
  before(async () => {
    const prometheus = await startPrometheus(await recordedHour())
    try {
      panels = await Promise.all(dashboardPanels().map((panel) => fillPanel(panel, prometheus)))
    } finally {
      await prometheus.stop()
    }
  })

  it('has numbers in every panel except the worker panels, because the service has no workers', () => {
    const empty = panels.filter(({ type, series }) => type !== 'row' && !series.some(hasNumber))
    expect(empty.map(({ title }) => title)).to.deep.equal(['Workers'])
    const incidents = panels.filter(hasIncident).map(({ title }) => title)
    expect(incidents).to.include.members(['Errors by route', 'Calls that failed'])
  })

  describeInChromium('drawn from the file that Grafana loads', (chromium) => {
    async function visit(): Promise<Page> {
      const viewport = PICTURE.size
      const { page, context, expectQuiet } = await chromium.visit({ origins: [ADDRESS], viewport })
      for (const [path, [file, contentType]] of Object.entries(FILES))
        await context.route(`${ADDRESS}${path}`, (route) => route.fulfill({ path: file, contentType }))
      await page.goto(`${ADDRESS}/`)
      await page.evaluate(`draw(${JSON.stringify(drawn())}, ${JSON.stringify(STEPS)})`)
      expectQuiet()
      return page
    }

    it('contains the rows and panels that the handbook names', async () => {
      const page = await visit()
      await expectCurrent(PICTURE, page, IN_WORDS)
    })
  })
})

function hasNumber({ values }: FilledPanel['series'][number]): boolean {
  return values.some((value) => value !== null)
}

/** Whether a series is absent or zero at the start of the hour. */
function hasIncident({ series }: FilledPanel): boolean {
  return series.some(({ values }) => values[0] === null || values[0] === 0)
}
