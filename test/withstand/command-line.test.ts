import { expect } from 'chai'
import { readCommandLine, UsageError, type Wanted } from './command-line.js'
import { madeUp, WELL } from './made-up.js'

const CHECKERS = [
  madeUp(() => WELL, { name: 'model' }).checker,
  madeUp(() => WELL, { name: 'network', stores: ['mongodb'], planted: { lie: 'a proxy that lies' } }).checker,
  madeUp(() => WELL, { name: 'disks', stores: ['sqlite'], missing: () => 'no small disk' }).checker,
]

function read(line: string, hasMongodb = true): Wanted {
  return readCommandLine(line.split(' ').filter(Boolean), CHECKERS, hasMongodb)
}

function trialsOf(line: string, hasMongodb = true) {
  const wanted = read(line, hasMongodb)
  if (wanted.kind !== 'try') throw new Error('it tries nothing')
  return wanted
}

const pairs = (line: string, hasMongodb = true) =>
  trialsOf(line, hasMongodb).trials.map(({ checker, store }) => `${checker.name} ${store}`)

describe('the command line of the checkers', () => {
  it('without names means each checker on each of its stores', () => {
    expect(pairs('')).to.deep.equal(['model memory', 'model mongodb', 'network mongodb'])
    expect(pairs('model')).to.deep.equal(['model memory', 'model mongodb'])
    expect(pairs('--store mongodb')).to.deep.equal(['model mongodb', 'network mongodb'])
  })

  it('shares the minutes between the trials', () => {
    expect(trialsOf('').trials.map(({ minutes }) => minutes)).to.deep.equal([10, 10, 10])
    expect(trialsOf('model --minutes 5').trials.map(({ minutes }) => minutes)).to.deep.equal([2.5, 2.5])
  })

  it('says what is left out, and why', () => {
    expect(trialsOf('').leftOut).to.deep.equal(['disks on sqlite is left out: no small disk.'])
    expect(pairs('', false)).to.deep.equal(['model memory'])
    expect(trialsOf('model', false).leftOut.join()).to.match(
      /^model on mongodb is left out: .*MONGOMS_SYSTEM_BINARY/,
    )
    expect(() => read('network', false)).to.throw(
      UsageError,
      /network on mongodb is left out: there is no MongoDB/,
    )
  })

  it('takes a seed, or makes one up', () => {
    expect(trialsOf('model --seed 0').trials.map(({ seed }) => seed)).to.deep.equal([0, 0])
    const [first, second] = [trialsOf('model'), trialsOf('model')].map(({ trials }) => trials[0]?.seed)
    expect(first).not.to.equal(second)
  })

  it('refuses numbers that are none', () => {
    const wrong = [
      '--minutes 0',
      '--minutes=-1',
      '--minutes soon',
      '--seed=-1',
      '--seed 2147483648',
      '--rounds 0',
      '--rounds 1.5',
      '--jobs 0',
    ]
    for (const line of wrong)
      expect(() => read(line), line).to.throw(UsageError, /^--\w+ takes a (whole )?number (from|above) \d/)
    const [trial] = trialsOf('model --minutes 0.5 --rounds 3 --jobs 4').trials
    expect(trial).to.deep.include({ minutes: 0.25, rounds: 3, jobs: 4 })
    expect(trialsOf('model').trials[0]?.jobs).to.equal(1)
  })

  it('names what there is where something is unknown', () => {
    expect(() => read('modell')).to.throw(
      UsageError,
      'There is no checker modell. There are model, network, disks.',
    )
    expect(() => read('--store redis')).to.throw(
      UsageError,
      'There is no store redis. There are memory, sqlite, mongodb.',
    )
    expect(() => read('network --store memory')).to.throw(UsageError, 'network: not on the store memory.')
    expect(() => read('--minute 3')).to.throw(UsageError, /--minute/)
  })

  it('plants a bug in one checker, and keeps no result of it', () => {
    expect(trialsOf('network --planted lie').trials[0]?.planted).to.equal('lie')
    expect(() => read('--planted lie')).to.throw(UsageError, 'needs the name of one checker')
    expect(() => read('network --planted late')).to.throw(
      UsageError,
      'network has no planted bug late. It has lie.',
    )
    expect(() => read('network --planted lie --keep')).to.throw(UsageError, 'leave --keep out')
  })

  it('says how it is used, and what there is', () => {
    const [help, list] = [read('--help'), read('--list')]
    expect(help.kind === 'text' && help.text).to.match(
      /^npm run withstand -- .*[^]*Checkers: model, network, disks$/,
    )
    expect(list.kind === 'text' && list.text).to.contain(
      'network (mongodb): Nothing at all\n    lie: a proxy that lies',
    )
    expect(read('--page')).to.deep.equal({ kind: 'page' })
  })
})
