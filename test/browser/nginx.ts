import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { PROJECT } from '../support/project.js'
import { describeWith, toolPath } from '../support/required-tools.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

const CERTIFICATE = join(PROJECT, 'test', 'support', 'mail', 'test-only-certificate.pem')
const KEY = join(PROJECT, 'test', 'support', 'mail', 'test-only-key.pem')

/** An nginx process that listens on 127.0.0.1. */
export type Proxy = {
  readonly port: number
  /** Whether nginx terminates TLS. */
  readonly tls: boolean
  /** The upstream of each host name, such as `http://127.0.0.1:3000`; any other name uses the first upstream. */
  readonly upstreams: Readonly<Record<string, string>>
  /** The source address of the requests to the upstreams. */
  readonly address: string
}

/**
 * A `describe` that is skipped if nginx is missing: see required-tools.ts. `start` starts a proxy, which stops after the
 * test.
 */
export function describeBehindNginx(
  title: string,
  body: (start: (proxy: Proxy) => Promise<void>) => void,
): void {
  describeWith('nginx', title, () => {
    body(startedForTests())
  })
}

function startedForTests(): (proxy: Proxy) => Promise<void> {
  const running: { child: ChildProcess; ended: Promise<unknown>; remove: () => void }[] = []
  afterEach(async () => {
    for (const { child, ended, remove } of running.splice(0)) {
      child.kill('SIGKILL')
      await ended
      remove()
    }
  })
  return async (proxy) => {
    const { path: folder, remove } = makeTemporaryFolder()
    writeFileSync(join(folder, 'nginx.conf'), configuration(proxy))
    const args = ['-p', `${folder}/`, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']
    const child = spawn(toolPath('nginx'), args, { stdio: ['ignore', 'ignore', 'pipe'] })
    let complaints = ''
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
    running.push({ child, ended: once(child, 'close'), remove })
    while (!(await accepts(proxy.port))) {
      if (child.exitCode !== null) throw new Error(`nginx has ended: ${complaints}`)
      await pause(5)
    }
  }
}

/** A single process in the foreground, which writes all its files to a separate folder. */
function configuration({ port, tls, upstreams, address }: Proxy): string {
  const servers = Object.entries(upstreams).map(
    ([host, upstream]) => `
  server {
    listen 127.0.0.1:${port}${tls ? ' ssl' : ''};
    server_name ${host};
    # A cookie without use, as other sites have them.
    location = /ordinary-cookie {
      add_header Set-Cookie "ordinary=1; Path=/; Secure; SameSite=None";
      return 204;
    }
    location / {
      proxy_pass ${upstream};
      proxy_bind ${address};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }`,
  )
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
master_process off;
pid nginx.pid;
error_log stderr warn;
events { worker_connections 256; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path ${name};`).join('\n  ')}
  ssl_certificate ${CERTIFICATE};
  ssl_certificate_key ${KEY};
  ${servers.join('\n')}
}
`
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
