FROM node:24-slim AS build
WORKDIR /app
COPY . .
RUN npm ci

FROM node:24-slim
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/dist/src ./dist/src
USER node
ENV HOST=0.0.0.0
EXPOSE 8080
HEALTHCHECK CMD ["node", "dist/src/main.js", "healthcheck"]
# The options keep the memory of bulk requests low.
CMD ["node", "--max-semi-space-size=4", "--heap-growing-percent=50", "dist/src/main.js"]
