import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { listAnswer } from './answers.ts';
import { listen } from './serve.ts';

const app = new Koa();
app.use(bodyParser()).use((ctx) => {
  ctx.body = listAnswer({});
});
listen(app.callback());
