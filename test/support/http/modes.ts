import { STATELESS } from './service.js'

/** Defines a test that needs stored sessions; stateless runs omit the test. */
export function itWithSessions(title: string, body: () => Promise<void>): void {
  if (!STATELESS) it(title, body)
}
