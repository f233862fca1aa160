import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { PARSERS, QUADRATIC } from './linear-parsers.js'

const MAIN = fileURLToPath(new URL('linear-main.js', import.meta.url))
/** The maximum ratio of the costs for twice the input; a quadratic parser has a ratio near 4. */
const RATIO_MAX = 2.5

describe('a parser of client input', () => {
  let worst: Record<string, { readonly ratio: number; readonly pump: string }>
  before(() => {
    const told = execFileSync(process.execPath, ['--no-flush-bytecode', MAIN], {
      encoding: 'utf8',
      maxBuffer: 10_000_000,
    })
    worst = JSON.parse(told) as typeof worst
  })

  for (const name of Object.keys(PARSERS))
    it(`takes at most ${RATIO_MAX} times as many steps for twice the input: ${name}`, () => {
      const { ratio, pump } = worst[name] ?? {}
      expect(ratio, pump).to.be.within(0, RATIO_MAX)
    })

  for (const name of Object.keys(QUADRATIC))
    it(`fails this check if its run time is quadratic: ${name}`, () => {
      expect(worst[name]?.ratio).to.be.above(RATIO_MAX)
    })
})
