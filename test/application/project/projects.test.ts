import { expect } from 'chai'
import type { Identity } from '../../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permission-rules.js'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import type { ProjectId } from '../../../src/domain/project/project.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

const EDITOR = 'project-editor'
const RULES = { roles: { ...DEFAULT_PERMISSIONS.roles, [EDITOR]: { components: { project: ['*'] } } } }
const VALID = { label: 'Kennel', status: 'open', budget: 12.5 }
const NO_PROJECT = 'not-found | NotFound: There is no project with this id.'

describe('projects', () => {
  let kennel: Composed
  let ann: Identity
  let bob: Identity

  beforeEach(async () => {
    kennel = await composeUseCases({ permissions: RULES })
    for (const name of ['ann', 'bob']) await kennel.account(`${name}@example.com`, [EDITOR])
    ann = await kennel.caller('ann@example.com')
    bob = await kennel.caller('bob@example.com')
  })

  const create = (change: Readonly<Record<string, unknown>> = {}, caller = ann) =>
    kennel.useCases.createProject({ caller, ...VALID, ...change })

  it('are not created if a field has the wrong type or an invalid value', async () => {
    const labels = [{ label: 7 }, { label: ['a'] }, { label: 'a\u0000' }]
    for (const change of [...labels, { status: {} }, { budget: '12' }, { budget: -1 }, { budget: 2 ** 53 }]) {
      const { code, messages } = await refusalOf(create(change))
      const told = messages.map(({ field, message }) => [field, message])
      expect([code, ...told]).to.deep.equal(['invalid', [Object.keys(change)[0], 'not-valid']])
    }
    expect(await wordsOf(create({ label: 7, budget: Number.NaN }))).to.equal(
      'invalid | label NotValid: not-valid | budget NotValid: not-valid',
    )
  })

  it('are listed for the caller in pages of 20 by default, each with the start of the next page', async () => {
    for (let number = 1; number <= 21; number += 1) await create()
    const other = await create({}, bob)
    const { listProjects } = kennel.useCases
    const first = await listProjects({ caller: ann })
    expect([first.projects.length, first.next]).to.deep.equal([20, 20])
    const last = await listProjects({ caller: ann, after: 20 as ProjectId })
    expect(last.projects.map(({ id }) => Number(id))).to.deep.equal([21])
    expect(last).to.not.have.property('next')
    expect(await listProjects({ caller: bob, limit: 1 as PageLimit })).to.deep.equal({ projects: [other] })
  })

  it('are closed only once, with the current time', async () => {
    const project = await create()
    for (const later of [0, 1000]) {
      kennel.clock.now += later
      expect(await kennel.useCases.closeProject({ caller: ann, id: project.id })).to.deep.equal({
        ...project,
        closedAt: START,
      })
    }
  })

  it('can be read and closed by their creator, and are reported as not found to all other callers', async () => {
    const project = await create()
    const { readProject, closeProject } = kennel.useCases
    expect(await readProject({ caller: ann, id: project.id })).to.deep.equal(project)
    for (const id of [project.id, 99 as ProjectId, undefined])
      expect(await wordsOf(readProject({ caller: bob, id }))).to.equal(NO_PROJECT)
    for (const id of [project.id, 99])
      expect(await wordsOf(closeProject({ caller: bob, id }))).to.equal(NO_PROJECT)
    expect(await kennel.store.projects.find(project.id, ann.accountId)).to.deep.equal(project)
  })

  it('are not closed if the ID is invalid', async () => {
    const close = (id: unknown) => wordsOf(kennel.useCases.closeProject({ caller: ann, id }))
    for (const id of [undefined, null, ''])
      expect(await close(id)).to.equal('invalid | id Required: required')
    for (const id of ['1', 0, 1.5, 2 ** 53, {}])
      expect(await close(id)).to.equal('invalid | id NotValid: not-valid')
  })
})
