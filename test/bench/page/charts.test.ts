import { expect } from 'chai'
import { filesOfChart, pictureOf } from '../../../bench/page/charts.js'
import { COLOURS } from '../../../bench/page/colours.js'
import { BARS, LINES } from '../charts-of.js'

const CHARTS = [BARS, LINES]

describe('the charts', () => {
  it('are drawn light and dark, each with separate colours', () => {
    const files = filesOfChart(BARS)
    expect([...files.keys()]).to.deep.equal(['reads-ratios.light.svg', 'reads-ratios.dark.svg'])
    const [light = '', dark = ''] = [...files.values()]
    for (const colour of ['ground', 'text', 'reached', 'missed'] as const) {
      expect(light).to.contain(COLOURS.light[colour]).and.not.contain(COLOURS.dark[colour])
      expect(dark).to.contain(COLOURS.dark[colour]).and.not.contain(COLOURS.light[colour])
    }
  })

  it('have a title and a description for screen readers', () => {
    for (const chart of CHARTS)
      for (const drawn of filesOfChart(chart).values()) {
        expect(drawn).to.match(
          /^<svg role="img" [^>]*viewBox="0 0 440 \d+"[^>]*>\n<title>[^<]+<\/title>\n<desc>[^<]+<\/desc>/,
        )
        expect(drawn).to.contain(`<desc>${chart.about}</desc>`)
      }
    expect([...filesOfChart(BARS).values()][0]).to.contain('<title>Reads &amp; &lt;writes&gt;</title>')
  })

  it('contain no script, no event handler and no external resource', () => {
    for (const drawn of CHARTS.flatMap((chart) => [...filesOfChart(chart).values()])) {
      const names = drawn.replaceAll(/ xmlns(:xlink)?="[^"]*"/g, '')
      expect(names).to.not.match(
        /<script|<foreignObject|<image|<a |\bon\w+=|href|url\((?!#)|@import|https?:/i,
      )
    }
  })

  it('are the same bytes every time, in any drawing order', () => {
    const [first, second] = [1, 2].map(() => CHARTS.map((chart) => [...filesOfChart(chart)]))
    filesOfChart(LINES)
    expect(CHARTS.map((chart) => [...filesOfChart(chart)])).to.deep.equal(first)
    expect(second).to.deep.equal(first)
  })

  it('show each value with its goal, and mark reached goals by colour', () => {
    const drawn = filesOfChart(BARS).get('reads-ratios.light.svg') ?? ''
    const texts = Array.from(drawn.matchAll(/>([^<>]+)<\/text>/g), ([, text]) => text)
    expect(texts).to.include.members(['0.63 (goal 0.6)', '0.32 (goal 0.45)', '1.12 (goal 1.5)', '23,451'])
    const bars = Array.from(drawn.matchAll(/<path d="M10 [^>]*fill="(#\w+)"/g), ([, fill]) => fill)
    const { reached, missed } = COLOURS.light
    expect(bars).to.deep.equal([reached, missed, reached, reached])
  })

  it('name each line and axis', () => {
    const drawn = filesOfChart(LINES).get('reads-growth.light.svg') ?? ''
    for (const text of ['get-identity', 'the goal', 'sessions', 'requests/s', '10 k', '1 M'])
      expect(drawn).to.contain(`>${text}</text>`)
    expect(drawn).to.contain('stroke-dasharray')
  })

  it('are on the page for both colour schemes, with a text alternative', () => {
    expect(pictureOf(BARS, 'performance').split('\n')).to.deep.equal([
      '<picture>',
      '  <source media="(prefers-color-scheme: dark)" srcset="performance/reads-ratios.dark.svg">',
      '  <img src="performance/reads-ratios.light.svg" alt="Reads &amp; &lt;writes&gt;. Each ratio, and its goal.">',
      '</picture>',
    ])
  })
})
