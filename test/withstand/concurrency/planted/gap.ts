import { setTimeout as pause } from 'node:timers/promises'

/** The time between a look and a write, in which others get their turn. */
export async function gap(): Promise<void> {
  await pause(10)
}
