import { createAccount } from 'kennel-id/account'
/** @type {(id: string) => any} */
const part = (id) => document.getElementById(id)

/**
 * Returns functions that show the section "Your account" and submit its forms.
 *
 * @param {import('kennel-id/client').KennelClient} client
 */
export function accountPage(client) {
  const account = createAccount(client)

  async function showSessions() {
    const entries = []
    for await (const { sessions } of account.sessionPages()) entries.push(...sessions.map(entryOf))
    part('sessions').replaceChildren(...entries)
  }

  async function showFactor() {
    const { active, recoveryCodesLeft: left, required } = await account.secondFactor()
    const wanted = required ? ' One of your roles requires a second factor.' : ''
    part('factor').textContent = active
      ? `It is enabled; ${left} recovery codes are left.`
      : `It is disabled.${wanted}`
    part('remove').hidden = !active
    part('setup').hidden = active
  }

  const show = () => Promise.all([showSessions(), showFactor()])
  /** @type {(act: (fields: any) => Promise<unknown>) => (fields: any) => Promise<void>} */
  const shown = (act) => async (fields) => {
    await act(fields)
    await show()
  }

  return {
    show,
    acts: {
      end: shown(({ id }) => account.endSession(id)),
      others: shown(account.endOtherSessions),
      change: shown(account.changePassword),
      remove: shown(async (proof) => {
        await account.removeSecondFactor(proof)
        forgetFactor()
      }),
      setup: async (/** @type {{ password: string }} */ { password }) => {
        const { secret, qrCode } = await account.setUpSecondFactor(password)
        part('qr').src = `data:image/svg+xml,${encodeURIComponent(qrCode)}`
        part('secret').textContent = secret
        part('confirm').hidden = false
        part('confirm').elements.code.focus()
      },
      confirm: shown(async ({ code }) => {
        const codes = await account.confirmSecondFactor(code)
        forgetFactor()
        part('codes').replaceChildren(...codes.map((one) => element('li', one)))
        part('recovery').hidden = false
      }),
    },
  }
}

/** Removes secrets and codes, which are shown only once, from the page. */
function forgetFactor() {
  for (const id of ['confirm', 'recovery']) part(id).hidden = true
  for (const id of ['secret', 'codes']) part(id).replaceChildren()
  part('qr').removeAttribute('src')
}

/** Clears everything on the page that the next user could read or send. */
export function forget() {
  forgetFactor()
  for (const id of ['sessions', 'factor']) part(id).replaceChildren()
  for (const form of part('own').querySelectorAll('form')) form.reset()
}

/** @param {import('kennel-id/account').OwnSession} session */
function entryOf({ id, client, network, refreshedAt, current, impersonated }) {
  const what = impersonated
    ? 'An administrator who acts as you'
    : `${client ?? 'Unknown'}, ${network ?? 'from somewhere'}`
  const entry = element('li', what)
  entry.append(element('small', current ? 'This one' : new Date(refreshedAt).toLocaleString()))
  if (current) return entry
  const form = element('form')
  Object.assign(form.dataset, { act: 'end', done: 'That login has ended.' })
  const field = Object.assign(element('input'), { type: 'hidden', name: 'id', value: id })
  const button = Object.assign(element('button', 'Log out there'), { ariaLabel: `Log out there: ${what}` })
  form.append(field, button)
  entry.append(form)
  return entry
}

/**
 * @param {string} name
 * @param {...(Node | string)} children
 */
function element(name, ...children) {
  const made = document.createElement(name)
  made.append(...children)
  return made
}
