import type { Kennel } from 'kennel-id'

declare global {
  /** Modules of Next.js are bundled several times; they share the global object alone. With custom components it is `Kennel<typeof components>`. */
  var kennel: Kennel
}
