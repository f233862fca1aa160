import { expect } from 'chai'
import { filesOf } from '../support/project.js'
import { stillStands } from './mutants.js'
import { PIECES, sourcesOf } from './pieces.js'
import { equivalentsOf, keptResult, unnamed } from './results.js'

const SCORE_MIN = 85
const names = Object.keys(PIECES)
const kept = names.map(keptResult).filter((result) => result !== undefined)

describe('the pieces of the mutation tests', () => {
  it('cover all of the domain and the application', () => {
    const covered = new Set(names.flatMap(sourcesOf))
    const wanted = ['src/domain', 'src/application'].flatMap(filesOf)
    expect(wanted).to.not.be.empty
    expect(wanted.filter((file) => !covered.has(file))).to.deep.equal([])
  })

  it('have no source in common', () => {
    const all = names.flatMap(sourcesOf)
    expect(all.filter((file, index) => all.indexOf(file) !== index)).to.deep.equal([])
  })
})

describe('the results of the mutation tests', () => {
  it('are kept, one of each piece', () => {
    expect(kept).to.not.be.empty
    expect(names.filter((name) => !keptResult(name))).to.deep.equal([])
  })

  for (const result of kept)
    describe(result.piece, () => {
      it('is of the files that there are', () => {
        expect(result.files).to.deep.equal(sourcesOf(result.piece))
      })

      it(`has noticed ${SCORE_MIN} % or more`, () => {
        expect(result.mutants).to.equal(result.killed + result.timeouts + result.survivors.length)
        expect(result.mutants).to.be.above(0)
        expect(result.score).to.be.at.least(SCORE_MIN)
      })

      it('has no survivor but those that are named as equivalent', () => {
        expect(unnamed(result)).to.deep.equal([])
      })
    })

  for (const name of names)
    it(`have equivalents of ${name} that stand in the source, each with its reason`, () => {
      const named = equivalentsOf(name)
      expect(named.filter((one) => !stillStands(one))).to.deep.equal([])
      expect(named.filter(({ reason }) => reason.trim().length < 10)).to.deep.equal([])
    })
})
