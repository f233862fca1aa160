import type { Identity } from '../../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import type { Project } from '../../../src/domain/project/project.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

const EDITOR = 'project-editor'
const RULES = { roles: { ...DEFAULT_PERMISSIONS.roles, [EDITOR]: { components: { project: ['*'] } } } }

/** A Kennel with two accounts that may do everything with projects, and an account that may do nothing. */
export async function withEditors() {
  const kennel = await composeUseCases({ permissions: RULES })
  const callerOf = async (name: string, roles: readonly string[]) => {
    await kennel.account(`${name}@example.com`, roles)
    return await kennel.caller(`${name}@example.com`)
  }
  return {
    kennel,
    ann: await callerOf('ann', [EDITOR]),
    bob: await callerOf('bob', [EDITOR]),
    eve: await callerOf('eve', []),
  }
}

export async function addProject({ useCases }: Composed, caller: Identity): Promise<Project> {
  return await useCases.createProject({ caller, label: 'Kennel', status: 'open', budget: 12.5 })
}
