import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { listAnswer } from '../support/answers.ts';
import { listen } from '../support/servers.ts';

const app = new Koa();
app.use(bodyParser()).use((ctx) => {
  ctx.body = listAnswer({});
});
listen(app.callback());
