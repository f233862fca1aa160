import { expect } from 'chai'
import { UsageError } from '../../bench/arguments.js'
import { readCommandLine, type Wanted } from '../../bench/command-line.js'
import { figureOf } from './results-of.js'

const FIGURES = [
  figureOf('reads'),
  figureOf('mongodb-reads', { needsMongodb: true }),
  figureOf('scale', { onlyNamed: 'it takes an hour' }),
]

function read(line: string, hasMongodb = true): Wanted {
  return readCommandLine(line.split(' ').filter(Boolean), FIGURES, hasMongodb)
}

function names(wanted: Wanted): { figures: string[]; leftOut: string[] } {
  if (wanted.kind !== 'measure') throw new Error('it measures')
  const of = (figures: typeof wanted.figures) => figures.map(({ name }) => name)
  return { figures: of(wanted.figures), leftOut: of(wanted.leftOut) }
}

describe('the command line of the benchmarks', () => {
  it('without names selects all figures, except figures that must be named', () => {
    expect(names(read(''))).to.deep.equal({ figures: ['reads', 'mongodb-reads'], leftOut: [] })
    expect(names(read('scale'))).to.deep.equal({ figures: ['scale'], leftOut: [] })
  })

  it('skips figures that need MongoDB if it is missing, and rejects them by name', () => {
    expect(names(read('', false))).to.deep.equal({ figures: ['reads'], leftOut: ['mongodb-reads'] })
    expect(() => read('reads mongodb-reads', false)).to.throw(
      UsageError,
      /mongodb-reads not measured: .*MONGODB_URL/,
    )
  })

  it('lists the known figures if a name is unknown', () => {
    expect(() => read('reads raeds')).to.throw(
      UsageError,
      'There is no figure raeds. There are reads, mongodb-reads, scale.',
    )
  })

  it('keeps results, but of a quick run only on request', () => {
    const kept = ['', '--quick', '--quick --keep', '--rounds 2'].map((line) => {
      const wanted = read(line)
      return wanted.kind === 'measure' && wanted.keep
    })
    expect(kept).to.deep.equal([true, false, true, true])
  })

  it('accepts rounds and seconds from 1 upwards', () => {
    expect(read('--rounds 3 --seconds 1.5')).to.deep.include({
      run: { quick: false, rounds: 3, seconds: 1.5 },
    })
    for (const wrong of ['--rounds 0', '--rounds 1.5', '--seconds 0.5', '--seconds soon', '--rounds 1e9'])
      expect(() => read(wrong), wrong).to.throw(UsageError, 'from 1 to 3600')
  })

  it('prints its usage on request and after an invalid argument', () => {
    const help = read('--help')
    expect(help.kind === 'help' && help.text)
      .to.contain('--page')
      .and.contain('reads, mongodb-reads, scale')
    expect(read('--page')).to.deep.equal({ kind: 'page' })
    expect(() => read('--fast')).to.throw(UsageError, '--quick')
  })
})
