import { expect } from 'chai'
import type { Identity } from '../../../src/domain/access/caller.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

const GOOD = { label: 'Kennel', status: 'open', budget: 12.5 }

describe('create project', () => {
  let kennel: Composed
  let caller: Identity

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account('ada@example.com', ['project-editor'])
    caller = await kennel.caller('ada@example.com')
  })

  const create = (change: Readonly<Record<string, unknown>>, by = caller) =>
    kennel.useCases.createProject({ caller: by, ...GOOD, ...change })
  const errorsOf = async (change: Readonly<Record<string, unknown>>) => {
    const { code, messages } = await refusalOf(create(change))
    return [code, ...messages.map(({ field, type }) => [field, type].join(' '))]
  }

  it("adds a project in the caller's name, at the moment of the clock", async () => {
    const project = await create({})
    expect(project).to.deep.equal({ ...GOOD, id: 1, createdBy: caller.accountId, createdAt: START })
    expect((await create({})).id).to.equal(2)
  })

  it('names every field that is missing', async () => {
    for (const none of [undefined, null, ''])
      expect(await errorsOf({ label: none, status: none, budget: none })).to.deep.equal([
        'invalid',
        'label Required',
        'status Required',
        'budget Required',
      ])
  })

  it('names every field that is of another type or breaks its rule, in words that say no more', async () => {
    const cases = [
      { label: 7 },
      { label: ['a'] },
      { label: 'a\u0000' },
      { status: {} },
      { budget: '12' },
      { budget: -1 },
    ]
    for (const change of cases) {
      const [field] = Object.keys(change)
      const [code, error] = await errorsOf(change)
      expect([code, error?.split(' ')[0]]).to.deep.equal(['invalid', field])
    }
    for (const change of [{ label: 7 }, { status: {} }])
      expect(await errorsOf(change)).to.deep.equal(['invalid', `${Object.keys(change).join()} NotValid`])
    const { messages } = await refusalOf(create({ label: 7, budget: Number.NaN }))
    expect(new Set(messages.map(({ message }) => message)).size).to.equal(1)
  })
})
