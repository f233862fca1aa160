import fc from 'fast-check'
import { NEW_PASSWORD, RESET_PASSWORD } from '../../support/http/resetting.js'
import { tokenIn } from '../../support/mail/postbox.js'
import { headersOf, play, step, worded, type Place, type Step } from '../play.js'
import { askForReset, consumeReset, mailToken, type ResetToken } from '../resets.js'
import { ViolationError } from '../violation.js'
import type { Account, World } from '../world.js'
import {
  account,
  accountAt,
  addressOf,
  at,
  client,
  index,
  jarOf,
  network,
  presentedOf,
  seldom,
} from './choices.js'

const sent = { who: client, account, cookie: seldom, bearer: seldom, from: network }

/** Asks, lets the mails leave, and opens the one that came. */
export const asks: fc.Arbitrary<Step> = fc.record(sent).map((chosen) =>
  step('ask for a reset', async (world, place) => {
    const { email } = accountAt(world, chosen.account)
    const presented = presentedOf(world, jarOf(world, chosen.who), chosen)
    const from = addressOf(place.history, chosen.from)
    const line = `ask for a reset of ${email} from ${from}, ${worded(presented)}`
    const { reply: allowed, mailTo } = askForReset(world, { email, network: from, ...presented })
    const request = { method: 'POST', path: RESET_PASSWORD, headers: headersOf(world, presented, from) }
    await play(world, place, { line, request: { ...request, json: { email } }, allowed })
    await receive(world, place, mailTo)
  }),
)

/** Exactly the mail that is due arrives. */
async function receive(world: World, { service }: Place, mailTo: Account | undefined): Promise<void> {
  const before = service.postbox.arrived.length
  await service.mails().sendMails()
  const mails = service.postbox.arrived.slice(before).filter(({ text }) => text.includes('resetToken='))
  const [mail, ...others] = mails
  const recipients = mails.map(({ to }) => to).join()
  if (others.length > 0 || mail?.to !== mailTo?.email)
    throw new ViolationError(world.trace, `a mail to ${mailTo?.email ?? 'none'} expected, got ${recipients}`)
  if (mail && mailTo) mailToken(world, mailTo, tokenIn(mail))
}

type Which = 'newest' | 'any' | 'forged'
const which = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Which>('newest') },
  { weight: 6, arbitrary: fc.constant<Which>('any') },
  { weight: 1, arbitrary: fc.constant<Which>('forged') },
)

function tokenAt({ mailed }: World, kind: Which, position: number): ResetToken | 'forged' {
  if (kind === 'forged') return 'forged'
  return (kind === 'newest' ? mailed.at(-1) : at(mailed, position)) ?? 'forged'
}

export const consumptions: fc.Arbitrary<Step> = fc
  .record({ ...sent, which, position: index, foreign: fc.nat(9) })
  .map((chosen) =>
    step('reset', async (world, place) => {
      const token = tokenAt(world, chosen.which, chosen.position)
      const owner =
        token === 'forged' || chosen.foreign === 9 ? accountAt(world, chosen.account) : token.account
      const presented = presentedOf(world, jarOf(world, chosen.who), chosen)
      const from = addressOf(place.history, chosen.from)
      const told = token === 'forged' ? 'a made up token' : `token ${world.mailed.indexOf(token) + 1}`
      const line = `reset ${owner.email} with ${told} from ${from}, ${worded(presented)}`
      const fields = { email: owner.email, password: NEW_PASSWORD }
      const allowed = consumeReset(world, { ...fields, token, network: from, ...presented })
      const resetToken = token === 'forged' ? 'A'.repeat(43) : token.text
      const request = { method: 'POST', path: RESET_PASSWORD, headers: headersOf(world, presented, from) }
      await play(world, place, { line, request: { ...request, json: { ...fields, resetToken } }, allowed })
    }),
  )
