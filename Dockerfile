# Two stages: the first builds and packs, the second holds what was packed and the packages that run it.
FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . ./
RUN npm run build \
  && npm pack --ignore-scripts \
  && mkdir /kennel \
  && tar -xzf kennel-*.tgz -C /kennel --strip-components=1 \
  && cp package-lock.json .npmrc /kennel/
WORKDIR /kennel
# The drivers of MongoDB and PostgreSQL, PASETO and WebAuthn are optional in the package and part of the image, in the locked versions.
RUN npm ci --omit=dev --ignore-scripts \
  && locked() { node -p "require('./package-lock.json').packages['node_modules/$1'].version"; } \
  && npm install --omit=dev --ignore-scripts --save-prod \
    "@simplewebauthn/server@$(locked @simplewebauthn/server)" "mongodb@$(locked mongodb)" "paseto@$(locked paseto)" "pg@$(locked pg)"
# One start, so that Node keeps what it has compiled: for this path and user, who in the image can read it and not write.
# In the foreground the signal is sent once: a second one would end the service at once, with 143 and half of the files.
RUN install -d -o 10001 -g 10001 dist/compile-cache \
  && WORKERS=2 PORT=0 DATABASE_URL=sqlite:dist/compile-cache/data/app.db \
    timeout --foreground --preserve-status --signal=TERM 5 \
    setpriv --reuid=10001 --regid=10001 --clear-groups node bin/app.js serve \
  && rm -r dist/compile-cache/data \
  && chown -R root:root dist/compile-cache \
  && chmod -R a+rX dist/compile-cache

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATABASE_URL=sqlite:/data/app.db
WORKDIR /kennel
COPY --from=build /kennel ./
RUN install -d -o 10001 -g 10001 -m 0700 /data
# A number, so that an orchestrator sees that it is not root.
USER 10001:10001
VOLUME ["/data"]
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=40s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/ready').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/app.js", "serve"]
