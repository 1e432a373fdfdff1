import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { OpenAPIBackend, ValidationContext } from 'openapi-backend';

// It checks documents by OpenAPI 3.0 only and says so at length.
console.warn = () => {};
const started = performance.now();
const ajvs = new Map<boolean, Ajv2020>();

/** The library knows no JSON Schema 2020-12 by itself. */
function ajvFor(coerceTypes: boolean): Ajv2020 {
  const ajv = ajvs.get(coerceTypes) ?? new Ajv2020({ strict: false, allErrors: true, coerceTypes });
  if (!ajvs.has(coerceTypes)) addFormats.default(ajv);
  ajvs.set(coerceTypes, ajv);
  return ajv;
}

const api = new OpenAPIBackend({
  definition: process.argv[2] ?? '',
  customizeAjv: (_ajv, _options, context) => ajvFor(context === ValidationContext.Params) as never,
});
await api.init();
const app = new Koa();
app.use(bodyParser()).use((ctx) => api.handleRequest(ctx.request as Parameters<typeof api.handleRequest>[0], ctx));
const server = createServer(app.callback()).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ milliseconds: performance.now() - started, port });
});
process.on('disconnect', () => process.exit(0));
