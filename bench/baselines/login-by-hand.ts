import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Router } from '@koa/router';
import { X509Certificate } from '@peculiar/x509';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  importX509,
  SignJWT,
} from 'jose';
import Koa from 'koa';
import bodyParser from 'koa-bodyparser';
import { openSqlite } from '../../adapters/sqlite/driver.ts';
import { listen } from '../support/servers.ts';
import { account } from './accounting.ts';

const anchor = new X509Certificate(process.argv[2] ?? '');
const { privateKey } = await generateKeyPair('EdDSA');
const isLogin = new Ajv2020().compile({
  type: 'object',
  required: ['type', 'token'],
  properties: { type: { const: 'x5c' }, token: { type: 'string', maxLength: 131_072 } },
});
const database = openSqlite(join(mkdtempSync(join(tmpdir(), 'bench-')), 'login.sqlite'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = NORMAL');
database.exec('CREATE TABLE accounts (id TEXT PRIMARY KEY, identity TEXT UNIQUE) STRICT');
database.exec('CREATE TABLE sessions (id TEXT PRIMARY KEY, account TEXT, expires INTEGER) STRICT');
const findAccount = database.prepare<[string], { id: string }>('SELECT id FROM accounts WHERE identity = ?');
const addAccount = database.prepare('INSERT INTO accounts VALUES (?, ?)');
const addSession = database.prepare('INSERT INTO sessions VALUES (?, ?, ?)');

/** The thumbprint of the leaf's key, when each certificate is signed by the next and the last by the anchor. */
async function identify(token: string): Promise<string> {
  const { x5c = [] } = decodeProtectedHeader(token);
  const chain = x5c.map((text) => new X509Certificate(text));
  for (const [at, certificate] of chain.entries()) {
    const isValid = certificate.notBefore < new Date() && certificate.notAfter > new Date();
    const { publicKey } = chain[at + 1] ?? anchor;
    if (!isValid || !(await certificate.verify({ publicKey }))) throw new Error('The chain is not trusted');
  }
  const [leaf] = chain;
  const key = await importX509(leaf?.toString('pem') ?? '', 'RS256', { extractable: true });
  await compactVerify(token, key);
  return calculateJwkThumbprint(await exportJWK(key));
}

function accountOf(identity: string): string {
  const known = findAccount.get(identity);
  if (known) return known.id;
  const id = randomUUID();
  addAccount.run(id, identity);
  return id;
}

const router = new Router();
router.post('/wallet-api/auth/x5c/login', async (ctx) => {
  const { body } = ctx.request as { body?: { token: string } };
  if (!isLogin(body)) ctx.throw(400, 'The body is not a login');
  const id = accountOf(await identify(body?.token ?? ''));
  const jti = randomUUID();
  addSession.run(jti, id, Date.now() + 86_400_000);
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'EdDSA' })
    .setSubject(id)
    .setJti(jti)
    .setIssuedAt()
    .setExpirationTime('24h')
    .sign(privateKey);
  ctx.set('set-cookie', `login=${token}; HttpOnly; SameSite=Strict; Path=/`);
  ctx.body = { id, token };
});

const app = new Koa();
app
  .use(account)
  .use(bodyParser({ jsonLimit: '1mb' }))
  .use(router.routes())
  .use(router.allowedMethods());
listen(app.callback());
