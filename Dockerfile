# The image of Backhalf. The same image runs every command:
#
#   docker build -t backhalf .
#   docker run --env-file .env -v backhalf:/data -p 3000:3000 -p 3001:3001 --init --read-only --tmpfs /tmp backhalf
#   docker run … backhalf service
#   docker run … backhalf admin help
#
# README.md has a command for the playground. compose.yaml adds PostgreSQL and https (docs/one-machine.md).

# The Node.js of package.json. Dependabot proposes newer ones.
FROM node:26.10.0-slim AS base

FROM base AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM base
LABEL org.opencontainers.image.title="Backhalf" \
      org.opencontainers.image.description="Short links and QR codes without leaving Slack, and the link service behind them" \
      org.opencontainers.image.licenses="MIT"

# The playground needs a loopback address, so without Slack's tokens the app starts only with HOST=127.0.0.1 (README.md).
ENV NODE_ENV=production \
    HOST=0.0.0.0

# The program belongs to root, so the user it runs as can't change it. That user is "node". Kubernetes checks
# runAsNonRoot only if the user is a number.
# The default database, ./data/backhalf.db, is in the volume, and so is encryption.keys.
RUN mkdir -p /app /data /secrets && ln -s /data /app/data && chown 1000:1000 /data /secrets
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json manifest.yml LICENSE ./
COPY deploy/health-check.ts ./deploy/
COPY src ./src
# Compiles the program now, because nothing can be written here later. Node.js reads only what its own user has compiled.
RUN install -d -o 1000 node_modules/.cache && \
    node -e "process.setuid(1000); process.argv.push('-', '--help'); require('./src/main.cjs'); \
      for (const file of ['start', 'service/start-service', 'database/postgres']) import('/app/src/' + file + '.ts')" && \
    chown -R 0:0 node_modules/.cache && chmod -R a+rX node_modules/.cache
USER 1000:1000
EXPOSE 3000 3001

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "deploy/health-check.ts"]
# Not npm, which would not pass SIGTERM on. Run it with --init: a process with the number 1 ignores every signal that it
# does not handle. Backhalf handles SIGTERM, but commands such as "admin" do not.
ENTRYPOINT ["node", "src/main.cjs"]
CMD ["start"]
