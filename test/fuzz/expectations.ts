import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import type { Outcome } from './schemathesis.js'

export const EMAIL = 'ada@example.com'

const { everyone, user } = DEFAULT_PERMISSIONS.roles
/** Permits everything, so that the fuzzer also reaches actions that no role has by default. */
export const OPEN = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    everyone: { ...everyone, components: { auth: ['*'], user: ['find'] } },
    user: { ...user, components: { pets: ['*'] } },
    'project-editor': { components: { project: ['*'] } },
  },
}

/** Expects that the fuzzer sent more than `least` requests, and found nothing. */
export function expectNothingFound({ status, report, requests }: Outcome, least: number): void {
  expect(status, report).to.equal(0)
  expect(requests, report).to.be.greaterThan(least)
}

/** Returns the operations that, according to the fuzzer's report, never accepted a request. */
export function closedIn({ report }: Outcome): readonly string[] {
  const [, listed = ''] = /Authentication failed:([^💡]*)/u.exec(report) ?? []
  return [...listed.matchAll(/^ {2}- (.+)$/gm)].map(([, operation = '']) => operation)
}
