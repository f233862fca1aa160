import type { Kennel } from 'kennel-id'

declare global {
  /** Modules of Next.js are bundled several times; they share the global object alone. */
  var kennel: Kennel
}
