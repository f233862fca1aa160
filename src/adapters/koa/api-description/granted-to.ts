import type { GrantedTo } from '../../../domain/access/permissions.js'

const SENTENCES: Readonly<Record<GrantedTo, string>> = {
  everyone: 'Granted to everyone.',
  user: 'Granted to whoever has an identity.',
  roles: 'Granted to some roles.',
  nobody: 'Not granted to anybody in this configuration: the answer is 401 or 403.',
}

/** Says whom an operation is granted to, for people and for programs. */
export function grantedTo(description: string, grantedTo: GrantedTo | undefined) {
  if (grantedTo === undefined) return description === '' ? {} : { description }
  return { description: `${description} ${SENTENCES[grantedTo]}`.trim(), 'x-granted-to': grantedTo }
}

/** Whether somebody who is known may be refused all the same. */
export function isForSome(grantedTo: GrantedTo): boolean {
  return grantedTo === 'roles' || grantedTo === 'nobody'
}
