// Starts a page: shows the view for the current address and the parts that all views share.
import { accountView } from './account.js'
import { confirmView } from './confirm.js'
import { account, base, client, confirmed, isOffered, page, showView } from './frame.js'
import { loginView, resetView, signUpView } from './login.js'
import { returnAddress } from './return-path.js'
import { t } from './texts.js'

const VIEWS = {
  ...{ login: loginView, 'sign-up': signUpView, 'reset-password': resetView },
  ...{ confirm: confirmView, account: accountView },
}

const context = {
  ...{ client, account, confirmed, may: isOffered, reload: show },
  /**
   * Opens a different page and preserves `return_to`. The values go into the fragment, because browsers do not send fragments to servers.
   */
  leave: (to, fragment) =>
    location.assign(`${base}/${to}${location.search}#${new URLSearchParams(fragment).toString()}`),
  enter: () => {
    const wanted = new URLSearchParams(location.search).get('return_to')
    location.replace(returnAddress(wanted, location.origin) ?? `${base}/account`)
  },
}

async function show(message) {
  const fragment = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  await showView(() => VIEWS[page]({ ...context, fragment }), message ?? t(`done.${fragment.done}`))
}

addEventListener('hashchange', () => void show())
await show()
