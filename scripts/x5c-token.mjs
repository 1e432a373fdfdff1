#!/usr/bin/env node
/** Prints the token that a login with a client certificate takes: node scripts/x5c-token.mjs --help */
import { createPrivateKey, randomUUID, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const USAGE = `Usage: node scripts/x5c-token.mjs --key <file> --cert <file> [--nonce <text>] [--aud <url>] [--once]

  --key    the private key of the client, RSA, in PEM
  --cert   the certificate of the client, and the certificates above it up to but without the authority, in PEM
  --nonce  the nonce of GET /wallet-api/auth/x5c/nonce, for a server with x5c.replay = challenge
  --aud    the address of the server, so that the token is good there only
  --once   adds a token id and an end in five minutes, so that a captured token is worth nothing
`;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g;

const encode = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The certificates of a PEM file as standard base64 of DER, in their order (RFC 7515 §4.1.6). */
function readChain(pem) {
  const certificates = (pem.match(CERTIFICATE) ?? []).map((text) => new X509Certificate(text));
  if (certificates.length === 0) throw new Error('--cert: the file holds no certificate in PEM');
  return certificates;
}

function makeToken({ key, cert, nonce, aud, once }) {
  const privateKey = createPrivateKey(readFileSync(key));
  if (privateKey.asymmetricKeyType !== 'rsa') throw new Error('--key: the key must be RSA');
  const chain = readChain(readFileSync(cert, 'utf8'));
  if (!chain[0].checkPrivateKey(privateKey))
    throw new Error('--key does not belong to the first certificate of --cert');
  const header = { alg: 'RS256', typ: 'JWT', x5c: chain.map(({ raw }) => raw.toString('base64')) };
  const limits = once ? { jti: randomUUID(), exp: Math.floor(Date.now() / 1000) + 300 } : {};
  const input = `${encode(header)}.${encode({ ...(nonce && { nonce }), ...(aud && { aud }), ...limits })}`;
  return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
}

const options = {
  key: { type: 'string' },
  cert: { type: 'string' },
  nonce: { type: 'string' },
  aud: { type: 'string' },
};
try {
  const { values } = parseArgs({
    options: { ...options, once: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) process.stdout.write(USAGE);
  else if (!values.key || !values.cert) throw new Error(`--key and --cert are needed\n\n${USAGE}`);
  else process.stdout.write(`${makeToken(values)}\n`);
} catch (error) {
  process.stderr.write(`x5c-token: ${error.message}\n`);
  process.exitCode = 1;
}
