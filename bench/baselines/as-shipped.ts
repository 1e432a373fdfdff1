import type { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { type Context, type Document, OpenAPIBackend } from 'openapi-backend';
import { createdAnswer, listAnswer } from '../support/answers.ts';
import { benchDocument, operationIds } from '../support/orders-document.ts';
import { listen } from '../support/servers.ts';
import { account } from './accounting.ts';

const definition = benchDocument(Number(process.argv[2]), '3.0.3');
const api = new OpenAPIBackend({
  definition: definition as unknown as Document,
  customizeAjv: (ajv) => addFormats.default(ajv as unknown as Ajv) as unknown as typeof ajv,
});
for (const id of operationIds(definition)) api.register(id, (_: Context, ctx: Koa.Context) => answer(ctx, {}));
api.register({
  createOrder: (c: Context, ctx: Koa.Context) => answer(ctx, createdAnswer(c.request.requestBody)),
  listOrders: (c: Context, ctx: Koa.Context) => answer(ctx, listAnswer(c.request.query)),
  validationFail: (c: Context, ctx: Koa.Context) => ctx.throw(400, JSON.stringify(c.validation.errors)),
  notFound: (_: Context, ctx: Koa.Context) => ctx.throw(404, 'There is nothing at this path'),
  methodNotAllowed: (_: Context, ctx: Koa.Context) => ctx.throw(405, 'This path does not answer this method'),
});
await api.init();

function answer(ctx: Koa.Context, body: unknown): void {
  ctx.body = body;
}

const app = new Koa();
app.use(account).use(bodyParser());
app.use((ctx) => api.handleRequest(ctx.request as Parameters<typeof api.handleRequest>[0], ctx));
listen(app.callback());
