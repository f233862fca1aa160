import * as z from 'zod'
import type { ProofId } from '../../../domain/identity/proof.js'
import { withIsoTimes } from '../../../domain/instant.js'
import { administration, administrationList, done } from '../../administration.js'
import * as refused from '../../description/refusals.js'
import { bodyOf, type Endpoint } from '../../endpoint.js'
import type { Exchange } from '../../exchange.js'
import * as schemas from '../../schemas/administration.js'

const INVITATIONS = '/invitations'
const INVITATION = `${INVITATIONS}/:id`
const { example } = schemas.INVITATION
const ID = z.string().meta({ description: 'The id of the invitation.', param: { example: example.id } })

const ofInvitation = {
  parameters: { path: z.object({ id: ID }) },
  refusals: { 404: refused.NO_INVITATION },
  input: ({ request }: Exchange) => ({ id: request.parameters['id'] ?? '' }),
}
const mailed = { description: 'The email is queued' }

/** The routes for invitations. */
export const invitations: readonly Endpoint[] = [
  administrationList(INVITATIONS, 'listInvitations', {
    summary: 'List the invitations that were not accepted, including expired invitations',
    ...{ entries: 'invitations', version: 'i1', example: example.id as ProofId, write: String },
    read: (text) => (schemas.TIME_ORDERED_ID.test(text) ? (text as ProofId) : undefined),
    positionOf: ({ id }) => id,
    ...{ row: schemas.INVITATION, present: withIsoTimes },
  }),
  administration(['POST', INVITATIONS], 'inviteUser', {
    summary: 'Invite the owner of an email address to create an account with these roles',
    description: 'Assigning roles also requires the permission `user-task: role`.',
    body: bodyOf(schemas.newInvitationSchema, { email: example.email, roles: example.roles }),
    replies: { 201: { ...mailed, ...schemas.INVITATION } },
    refusals: { 400: refused.NO_TEXT('email'), 404: refused.NO_ROLE, 409: refused.EMAIL_TAKEN },
    input: ({ json }) => ({ ...json }),
    reply: (invitation) => ({ status: 201, body: withIsoTimes(invitation) }),
  }),
  administration(['POST', `${INVITATION}/mail`], 'sendInvitation', {
    summary: 'Send the email of an invitation again, and invalidate the earlier link',
    ...ofInvitation,
    replies: { 202: mailed },
    reply: () => ({ status: 202, body: '' }),
  }),
  administration(['DELETE', INVITATION], 'revokeInvitation', {
    ...{ summary: 'Revoke an invitation', ...ofInvitation, ...done('Revoked') },
  }),
]
