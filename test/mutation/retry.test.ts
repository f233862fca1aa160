import { expect } from 'chai'
import { mutationOf, type Mutation, type Position, type ReportedMutant } from './mutants.js'
import { retried } from './outcomes.js'
import { rangesOf } from './ranges.js'
import { equivalentsOf, type Result } from './results.js'
import type { Report } from './stryker.js'

const FILE = 'src/domain/suggestions.ts'
const survivors = equivalentsOf('domain').filter(({ file }) => file === FILE)
const kept: Result = {
  piece: 'domain',
  files: [FILE],
  mutants: 10,
  killed: 6,
  timeouts: 1,
  score: 70,
  survivors,
}

describe('survivors of a kept result', () => {
  it('are where the sources read as they did', () => {
    const found = rangesOf(kept).map(reportedAt)
    expect(survivors.length).to.be.above(1)
    for (const { line, change } of survivors) {
      const places = found.map((mutant) => mutationOf(FILE, mutant))
      const original = change.split(' → ', 1).join('')
      expect(places.map((place) => [place.line, place.change])).to.deep.include([line, `${original} → `])
    }
  })

  it('are found where the middle of a long change is left out', () => {
    const long = equivalentsOf('domain').filter(({ change }) => change.includes(' … '))
    const inFile: Mutation = {
      file: 'test/mutation/retry.test.ts',
      within: "const FILE = 'src/domain/suggestions.ts'",
      line: "const FILE = 'src/domain/suggestions.ts'",
      change: '\'src/dom … tions.ts\' → ""',
    }
    expect(rangesOf({ survivors: [...long, inFile] })).to.include(`${inFile.file}:8:13-8:40`)
  })

  it('are not in sources that have changed: the piece has to be run whole', () => {
    const gone = survivors.map((one) => ({ ...one, line: `${one.line} && true` }))
    expect(() => rangesOf({ survivors: gone })).to.throw('run the piece whole')
    const elsewhere = survivors.map((one) => ({ ...one, within: 'export function elsewhere(): void {' }))
    expect(() => rangesOf({ survivors: elsewhere })).to.throw('run the piece whole')
  })
})

describe('survivors that are tried again', () => {
  const statuses = (...given: string[]): Report => ({ [FILE]: { mutants: given.map(mutantOf) } })

  it('are noticed by now, or survive still', () => {
    const result = retried(kept, statuses('Killed', 'Survived', 'Timeout'))
    expect(result).to.deep.equal({
      ...kept,
      killed: 7,
      timeouts: 2,
      score: 90,
      survivors: survivors
        .slice(1, 2)
        .map(({ file, within, line, change }) => ({ file, within, line, change })),
    })
  })

  it('survive where no test reaches them', () => {
    expect(retried(kept, statuses('NoCoverage', 'NoCoverage', 'NoCoverage'))).to.deep.include({
      killed: 6,
      score: 70,
    })
  })

  it('are not what Stryker tried beside them', () => {
    const report = statuses('Survived', 'Survived', 'Survived')
    const beside = mutantOf('Killed', 0)
    const mutants = [...(report[FILE]?.mutants ?? []), { ...beside, replacement: 'no one' }]
    expect(retried(kept, { [FILE]: { mutants } })).to.deep.include({ killed: 6, mutants: 10 })
  })

  it('are all tried, or the piece has to be run whole', () => {
    expect(() => retried(kept, statuses('Killed', 'Killed'))).to.throw('run the piece whole')
  })
})

/** What Stryker reports of the survivor of this number. */
function mutantOf(status: string, index: number): ReportedMutant {
  const survivor = survivors[index]
  const [range = ''] = survivor ? rangesOf({ survivors: [survivor] }) : []
  return { ...reportedAt(range), status, replacement: survivor?.change.split(' → ')[1] ?? '' }
}

function reportedAt(range: string): ReportedMutant {
  const [, start = '', end = ''] = /:(\d+:\d+)-(\d+:\d+)$/.exec(range) ?? []
  return { status: '', location: { start: positionOf(start), end: positionOf(end) } }
}

function positionOf(text: string): Position {
  const [line = 0, column = 0] = text.split(':').map(Number)
  return { line, column: column + 1 }
}
