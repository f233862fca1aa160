import { judging, watched } from '../../composition-root/own-store/watch.js'
import type { Clock } from '../../ports/clock.js'
import type { Log } from '../../ports/log.js'
import type { KennelParts } from '../options.js'
import { PART_SHAPES } from './part-shapes.js'

/**
 * The caller's own parts, as far as anything can be seen of their answers: one that breaks a law is logged and thrown
 * away, and the call rejects with a `PartError`.
 */
export function watchedParts(parts: KennelParts, log: Log): KennelParts {
  const { clock, randomness, hasher, passwordBlocklist, mailer, mailTemplates } = parts
  return {
    ...parts,
    ...(clock && { clock: watchedClock(clock, log) }),
    ...(randomness && { randomness: watched(randomness, PART_SHAPES.randomness, log) }),
    ...(hasher && { hasher: watched(hasher, PART_SHAPES.hasher, log) }),
    ...(passwordBlocklist && {
      passwordBlocklist: watched(passwordBlocklist, PART_SHAPES.passwordBlocklist, log),
    }),
    ...(mailer && { mailer: watched(mailer, PART_SHAPES.mailer, log) }),
    ...(mailTemplates && { mailTemplates: watched(mailTemplates, PART_SHAPES.mailTemplates, log) }),
  }
}

function watchedClock(clock: Clock, log: Log): Clock {
  const { port, functions } = PART_SHAPES.clock
  return judging(clock, functions[''], { port, name: '', log }) as Clock
}
