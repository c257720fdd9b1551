# Toolplane in a container: docker build -t toolplane . (compose.yaml puts PostgreSQL and Caddy beside it)

FROM node:22-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json .npmrc ./
RUN ["npm", "ci", "--ignore-scripts"]
COPY bin bin
COPY scripts scripts
COPY src src
RUN ["node", "scripts/build.js", "--without-types"]
RUN ["npm", "prune", "--omit=dev", "--omit=optional", "--ignore-scripts"]
RUN ["mkdir", "/build/data"]

FROM node:22-bookworm-slim
LABEL org.opencontainers.image.title="Toolplane" \
      org.opencontainers.image.description="The control plane behind a developer tool" \
      org.opencontainers.image.licenses="MIT"
# The data directory of every command lies in the volume, whatever flags replace those below.
ENV NODE_ENV=production XDG_DATA_HOME=/data
WORKDIR /opt/toolplane
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/bin bin
COPY --from=build /build/dist dist
COPY LICENSE ./
# Written to by nobody but the server; the rest of the file system may be read-only.
COPY --from=build --chown=1000:1000 /build/data /data
VOLUME /data
USER 1000:1000
EXPOSE 4242
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "/opt/toolplane/bin/tool.js", "ready"]
ENTRYPOINT ["node", "/opt/toolplane/bin/tool.js"]
CMD ["serve", "--host", "0.0.0.0", "--allow-remote"]
