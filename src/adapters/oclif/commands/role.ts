import { OPERATOR } from '../../../domain/access/caller.js'
import type { RoleKey } from '../../../domain/access/role.js'
import { argument, type Commands } from '../command.js'
import { afterFlag, LIMIT_FLAG, list, onePage } from '../list.js'
import { savedBy, task } from '../task.js'

export const TOPICS = { role: 'the role table' }

/** Commands that create, list and delete roles. */
export const COMMANDS: Commands = {
  'role:create': task({
    summary: 'Add a role to the role table.',
    description:
      'The permission file defines the permissions of each role; a role that the file does not name has no permissions.',
    examples: ['<%= config.bin %> role create project-editor "Project editor"'],
    args: { key: argument('key of the role'), label: argument('name for people') },
    creating: 'outside-production',
    work: ({ createRole }, { key, label }) => savedBy(createRole({ caller: OPERATOR, key, label })),
  }),
  'role:list': list({
    summary: 'List the roles in the role table, in the order of their keys.',
    description:
      'Prints a table on a terminal; in a pipe or with --json, an array of {"uuid", "key", "label"}. The permission file defines the permissions of each role.',
    examples: ['<%= config.bin %> role list'],
    flags: { after: afterFlag('this key', 'KEY'), ...LIMIT_FLAG },
    pages: ({ listRoles }, { after, limit }) =>
      onePage(listRoles({ caller: OPERATOR, after: after as RoleKey | undefined, limit })),
    row: ({ uuid, key, label }) => ({ uuid, key, label }),
  }),
  'role:delete': task({
    summary: 'Delete a role from the role table.',
    description:
      'Prints {"errors": [], "save": 1}. Refused while an account or a valid API key has the role; `user list --role KEY` and `apikey list` show them.',
    examples: ['<%= config.bin %> role delete project-editor'],
    args: { key: argument('key of the role') },
    work: ({ deleteRole }, { key }) => savedBy(deleteRole({ caller: OPERATOR, key })),
  }),
}
