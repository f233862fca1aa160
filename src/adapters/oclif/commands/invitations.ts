import { Flags } from '@oclif/core'
import type { Invitation } from '../../../application/accounts/invitations.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import type { ProofId } from '../../../domain/identity/proof.js'
import { argument, EMAIL_ARG, type Commands } from '../command.js'
import { afterFlag, eachPage, LIMIT_FLAG, list, shownInstants } from '../list.js'
import { savedBy, savedResult, task } from '../task.js'

const ARGS = { id: argument('id of the invitation, see `invitation list`') }

export const TOPICS = { invitation: 'invitations to create an account' }

/** Commands that invite people to create an account, and commands that approve accounts. */
export const COMMANDS: Commands = {
  'user:invite': task({
    summary: 'Send an email that lets its recipient create an account.',
    description:
      'Prints {"errors": [], "save": 1, "id": "…"} when the email is queued; the service sends it. The link is valid for seven days. Requires the permission "auth: sign-up" for everyone, and MAIL_URL.',
    examples: ['<%= config.bin %> user invite ada@example.com --role editor'],
    args: { email: EMAIL_ARG },
    flags: { role: Flags.string({ description: 'key of a role for the new account', multiple: true }) },
    work: async ({ inviteUser }, { email }, { role: roles = [] }) =>
      savedResult({ id: (await inviteUser({ caller: OPERATOR, email, roles })).id }),
  }),
  'user:approve': task({
    summary: 'Enable an account that waits for approval after its sign-up.',
    description: 'Prints {"errors": [], "save": 1}. The service informs the owner by email.',
    examples: ['<%= config.bin %> user approve ada@example.com'],
    args: { email: EMAIL_ARG },
    work: ({ approveUser }, { email }) => savedBy(approveUser({ caller: OPERATOR, email })),
  }),
  'invitation:list': list({
    summary: 'List the invitations that were not accepted, oldest first.',
    description:
      'Prints a table on a terminal; in a pipe or with --json, an array of {"id", "email", "roles", "createdAt", "expiresAt"}. Expired invitations are included. No links.',
    examples: ['<%= config.bin %> invitation list'],
    flags: { after: afterFlag('the invitation with this id', 'ID'), ...LIMIT_FLAG },
    pages: ({ listInvitations }, { after: begin, limit: most }) =>
      eachPage<Invitation>(
        ({ after, limit }) =>
          listInvitations({ caller: OPERATOR, after: after?.id ?? (begin as ProofId | undefined), limit }),
        most,
      ),
    row: ({ id, email, roles, createdAt, expiresAt }) => ({
      ...{ id, email, roles: [...roles], ...shownInstants({ createdAt, expiresAt }) },
    }),
  }),
  'invitation:send': task({
    summary: 'Send an invitation email again.',
    description:
      'Prints {"errors": [], "save": 1} when the email is queued; the service sends it. The new link is valid for seven days; the earlier link becomes void.',
    examples: ['<%= config.bin %> invitation send 019b7c2f1a2e0000kq3Xb1QxZ7M'],
    args: ARGS,
    work: ({ sendInvitation }, { id }) => savedBy(sendInvitation({ caller: OPERATOR, id })),
  }),
  'invitation:revoke': task({
    summary: 'Revoke an invitation, and invalidate its link.',
    description: 'Prints {"errors": [], "save": 1}. Takes effect immediately.',
    examples: ['<%= config.bin %> invitation revoke 019b7c2f1a2e0000kq3Xb1QxZ7M'],
    args: ARGS,
    work: ({ revokeInvitation }, { id }) => savedBy(revokeInvitation({ caller: OPERATOR, id })),
  }),
}
