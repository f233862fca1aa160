import { createAccount } from 'kennel-id/account'
const part = (id) => document.getElementById(id)

/** What the forms below "Your account" do, and what is shown there. */
export function accountPage(client) {
  const account = createAccount(client)

  async function showFactor() {
    const { active, recoveryCodesLeft: left, required } = await account.secondFactor()
    const wanted = required ? ' A role of yours needs one.' : ''
    part('factor').textContent = active ? `It is on; ${left} recovery codes are left.` : `It is off.${wanted}`
    part('remove').hidden = !active
    part('setup').hidden = active
  }

  const show = showFactor
  const shown = (act) => async (fields) => {
    await act(fields)
    await show()
  }

  return {
    show,
    acts: {
      others: shown(account.endOtherSessions),
      change: shown(account.changePassword),
      remove: shown(account.removeSecondFactor),
      setup: async ({ password }) => {
        const { secret, qrCode } = await account.setUpSecondFactor(password)
        part('qr').src = `data:image/svg+xml,${encodeURIComponent(qrCode)}`
        part('secret').textContent = secret
        part('confirm').hidden = false
        part('confirm').elements.code.focus()
      },
      confirm: shown(async ({ code }) => {
        const codes = await account.confirmSecondFactor(code)
        forget()
        part('codes').replaceChildren(...codes.map((one) => element('li', one)))
        part('recovery').hidden = false
      }),
    },
  }
}

/** Nothing that is shown once stays in the page. */
export function forget() {
  for (const id of ['confirm', 'recovery']) part(id).hidden = true
  for (const id of ['secret', 'codes']) part(id).replaceChildren()
  part('qr').removeAttribute('src')
}

function element(name, ...children) {
  const made = document.createElement(name)
  made.append(...children)
  return made
}
