import { expect } from 'chai'
import type { PageLimit } from '../../../src/domain/page-limit.js'
import type { ProjectId } from '../../../src/domain/project/project.js'
import { addProject, withEditors } from './editors.js'

describe('list projects', () => {
  it('shows 20 of the caller’s projects by default, and the start of the next page', async () => {
    const { kennel, ann, bob } = await withEditors()
    for (let number = 1; number <= 21; number += 1) await addProject(kennel, ann)
    const other = await addProject(kennel, bob)
    const { listProjects } = kennel.useCases
    const first = await listProjects({ caller: ann })
    expect(first.projects).to.have.length(20)
    expect(first.next).to.equal(20)
    const last = await listProjects({ caller: ann, after: 20 as ProjectId })
    expect(last.projects.map(({ id }) => Number(id))).to.deep.equal([21])
    expect(last).to.not.have.property('next')
    expect(await listProjects({ caller: bob, limit: 1 as PageLimit })).to.deep.equal({ projects: [other] })
  })
})
