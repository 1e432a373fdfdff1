import { Router } from '@koa/router';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { createdAnswer, listAnswer } from '../support/answers.ts';
import { benchDocument, ORDER_SCHEMA } from '../support/orders-document.ts';
import { listen } from '../support/servers.ts';
import { account } from './accounting.ts';

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
const isOrder = ajv.compile(ORDER_SCHEMA);

const router = new Router();
for (const [path, item] of Object.entries(benchDocument(Number(process.argv[2]), '3.1.0').paths))
  for (const method of Object.keys(item)) bind(path.replaceAll(/\{([^}]+)\}/g, ':$1'), method);

function bind(path: string, method: string): void {
  if (path === '/orders') router.post(path, createOrder);
  else if (path.startsWith('/tenants')) router.get(path, listOrders);
  else router.register(path, [method], answerNothing);
}

function createOrder(ctx: Koa.Context): void {
  ctx.state.operation = 'createOrder';
  const { body } = ctx.request as { body?: unknown };
  if (!isOrder(body)) ctx.throw(400, ajv.errorsText(isOrder.errors));
  ctx.body = createdAnswer(body);
}

function listOrders(ctx: Koa.Context): void {
  ctx.body = listAnswer(ctx.query);
}

function answerNothing(ctx: Koa.Context): void {
  ctx.body = {};
}

const app = new Koa();
app.use(account).use(bodyParser()).use(router.routes()).use(router.allowedMethods());
listen(app.callback());
