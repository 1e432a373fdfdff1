import { execFile } from 'node:child_process';
import { createPublicKey, verify, X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify, stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import { compactVerify, decodeJwt, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import decodeQR from 'qr/decode.js';
import { makeDemoCertificates } from '../../demo/actors/certificates.ts';
import { claimsOf, forge, loginToken, shorten, signJws } from '../../demo/actors/jws.ts';
import { keyPair } from '../../demo/actors/key-pairs.ts';
import { serveStatusList, statusEntry } from '../../demo/actors/status-list.ts';
import { CLOUDS } from '../../demo/fake-clouds/clouds.ts';
import { issuerKeys } from '../../demo/issuer-keys.ts';
import { runDemo } from '../../demo/scenario.ts';
import { HttpServices } from '../../demo/services.ts';
import { decodeList } from '../../domain/status/status-lists.ts';
import { localKeys } from '../support/keys/local-keys.ts';
import { startServer } from '../support/servers/server.ts';

describe('the demo certificates', () => {
  it('are an authority and a client certificate that it signed, both valid now', async () => {
    const { caPem, chain } = await makeDemoCertificates();
    const ca = new X509Certificate(caPem);
    const leaf = new X509Certificate(Buffer.from(chain[0] ?? '', 'base64'));
    expect([ca.ca, leaf.ca, leaf.checkIssued(ca), leaf.verify(ca.publicKey)]).to.deep.equal([true, false, true, true]);
    for (const { validFrom, validTo } of [ca, leaf]) {
      expect(Date.parse(validFrom)).to.be.below(Date.now());
      expect(Date.parse(validTo)).to.be.above(Date.now());
    }
  });

  it('sign a login token that another library verifies', async () => {
    const { chain, key } = await makeDemoCertificates();
    const token = loginToken({ chain, key });
    const leaf = new X509Certificate(Buffer.from(chain[0] ?? '', 'base64'));
    const { payload } = await compactVerify(token, leaf.publicKey);
    expect(new TextDecoder().decode(payload)).to.equal('{}');
    expect(decodeProtectedHeader(token)).to.deep.equal({ alg: 'RS256', typ: 'JWT', x5c: chain });
  });
});

describe('the demo status list', () => {
  it('is signed by the issuer and revokes exactly the given entries', async () => {
    const { backends } = localKeys();
    const reference = await backends.create('jwk', { keyType: 'secp256r1' });
    const publicKey = await importJWK(reference.publicJwk as JWK, 'ES256');
    const signer = backends.signer(reference);
    const list = await serveStatusList({ issuerDid: 'did:jwk:x', signer, revoked: [0, 11, 131071] });
    try {
      const token = await (await fetch(list.url)).text();
      await compactVerify(token, publicKey);
      const { iss, vc } = decodeJwt<{ vc: { id: string; credentialSubject: { encodedList: string } } }>(token);
      expect([iss, vc.id]).to.deep.equal(['did:jwk:x', list.url]);
      const bits = decodeList(vc.credentialSubject.encodedList, 'StatusList2021Entry');
      expect(bits.length * 8).to.equal(131072);
      const set = [...bits].flatMap((byte, at) =>
        [0, 1, 2, 3, 4, 5, 6, 7].filter((bit) => byte & (128 >> bit)).map((bit) => at * 8 + bit),
      );
      expect(set).to.deep.equal([0, 11, 131071]);
      expect(statusEntry(list.url, 11)).to.deep.include({ statusListIndex: '11', id: `${list.url}#11` });
    } finally {
      await list.close();
    }
  });
});

describe('the demo tokens', () => {
  it('forge changes the claims and keeps the signature, which becomes invalid', () => {
    const { privateKey, publicKey } = keyPair({ namedCurve: 'P-256' });
    const content = { header: { alg: 'ES256' as const }, payload: { degree: 'bachelor' } };
    const forged = forge(signJws(content, privateKey), (claims) => ({ ...claims, degree: 'doctor' }));
    expect(claimsOf(forged)).to.deep.equal({ degree: 'doctor' });
    const [header, payload, signature = ''] = forged.split('.');
    const check = {
      key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
      dsaEncoding: 'ieee-p1363' as const,
    };
    expect(verify('sha256', Buffer.from(`${header}.${payload}`), check, Buffer.from(signature, 'base64url'))).to.equal(
      false,
    );
  });

  it('shorten keeps short texts and gives the length of longer ones', () => {
    expect(shorten('short')).to.equal('short');
    expect(shorten('x'.repeat(500))).to.match(/^x{24}…x{8} \(500 characters\)$/);
  });
});

describe('runDemo', () => {
  it('runs every step of the scenario against a server', async () => {
    const { caPem, chain, key } = await makeDemoCertificates();
    const server = await startServer({
      settings: { trustedCa: { certificates: [caPem] }, outbound: { allow: ['127.0.0.1'] } },
    });
    const lines: string[] = [];
    try {
      const print = (line: string) => void lines.push(line);
      const services = await HttpServices.at(server.url);
      await runDemo({ services, client: { chain, key }, keys: localKeys().backends, print, keep: true });
    } finally {
      await server.close();
    }
    const text = lines.join('\n');
    for (const part of [
      'Registration succeeded',
      'verified  true',
      'verified  false',
      '{"isRevoked":false}',
      '{"isRevoked":true}',
      'no code   invalid_request',
      'withholds birthdate, family_name, given_name',
      'event     issuance_status_changed',
      'session   SUCCESSFUL',
      'disclosed {"degree":{"type":"BachelorDegree","name":"Bachelor of Science"}}; it has no parts to withhold',
      'disclosed {"family_name":"Example"}; withheld birthdate, given_name',
      'disclosed {"age_over_18":true}; withheld birth_date, family_name_unicode, given_name_unicode',
      'suspend   status suspended',
      'verified  false, Credential policy verification failed. Failed VC policies: card/revoked-status-list',
      'lift      status valid',
      'revoke    status revoked',
      'Ctrl+C',
    ])
      expect(text).to.include(part);
    for (const format of ['jwt_vc_json', 'dc+sd-jwt', 'mso_mdoc'])
      for (const way of ['definition', 'DCQL'])
        expect(text).to.match(
          new RegExp(`asked {5}${format.replace('+', '[+]')}: \\w+, by ${way}\n.*\n.*verified  true`),
        );
    expect(text).to.match(/suspend(.*\n){2}.*lift.*\n.*verified {2}true\n.*revoke.*\n.*verified {2}false/);
    expect(text).to.include('Verifiable credential has no credential-status property');
  });

  for (const [name, startCloud] of Object.entries(CLOUDS))
    it(`issues and verifies with a key in a fake of ${name}`, async () => {
      const { caPem, chain, key } = await makeDemoCertificates();
      const cloud = await startCloud();
      const outbound = { allow: ['127.0.0.1'] };
      const server = await startServer({
        settings: { trustedCa: { certificates: [caPem] }, outbound, kms: cloud.settings },
      });
      const holder = issuerKeys(server.settings);
      const lines: string[] = [];
      try {
        const print = (line: string) => void lines.push(line);
        await runDemo({ services: server, client: { chain, key }, issuerKey: cloud.key, keys: holder.backends, print });
      } finally {
        await server.close();
        await holder.close();
        await cloud.close();
      }
      expect(lines.join('\n')).to.include(`key       ${cloud.key.backend}`).and.include('verified  true');
    });

  it('stops at the first unexpected answer and names it', async () => {
    const { chain, key } = await makeDemoCertificates();
    const paths = { '/register': { post: { operationId: 'registerWithCertificate' } } };
    const broken: Server = createServer(({ url }, response) =>
      url === '/api.json'
        ? response.setHeader('content-type', 'application/json').end(JSON.stringify({ paths }))
        : response.writeHead(503).end('out of order'),
    );
    await new Promise<void>((resolve) => broken.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`;
    try {
      const error = await runDemo({
        services: await HttpServices.at(url),
        client: { chain, key },
        keys: localKeys().backends,
        print: () => {},
      }).catch((caught) => caught);
      expect(error.message).to.equal('registerWithCertificate answered 503, not 201: out of order');
    } finally {
      broken.close();
    }
  });
});

/** What a camera sees in lines of two rows of modules each: a mark is light. */
function photograph(lines: string[]): { width: number; height: number; data: Uint8ClampedArray } {
  const rows = lines.flatMap((line) => [
    [...line].map((mark) => '█▀'.includes(mark)),
    [...line].map((mark) => '█▄'.includes(mark)),
  ]);
  const large = rows.flatMap(
    (row) => Array(4).fill(row.flatMap((isLight) => Array<boolean>(4).fill(isLight))) as boolean[][],
  );
  const data = large.flat().flatMap((isLight) => [...Array(3).fill(isLight ? 255 : 0), 255]);
  return { width: large[0]?.length ?? 0, height: large.length, data: Uint8ClampedArray.from(data) };
}

describe('credenza demo on a terminal', () => {
  it('draws the offer to the phone as QR code, and writes its log, in a readable form, only after its output', async () => {
    const command = `${process.execPath} dist/main.js demo 2>&1`;
    const args = ['-qec', command, '/dev/null'];
    const { stdout } = await promisify(execFile)('script', args, { env: { PATH: process.env.PATH ?? '' } });
    const lines = stripVTControlCharacters(stdout).trim().split(/\r?\n/);
    const code = lines.filter((line) => /^[ █▀▄]{20,}$/.test(line));
    expect(lines.at(lines.indexOf(code[0] ?? '') - 1)).to.equal(`   offer     ${decodeQR(photograph(code))}`);
    const end = lines.indexOf('The demo succeeded.');
    expect(end).to.be.greaterThan(20);
    const logged = /^\[\d\d:\d\d:\d\d\] [A-Z]+: /;
    expect(lines.slice(0, end).filter((line) => logged.test(line))).to.deep.equal([]);
    expect(lines.slice(end + 1).filter((line) => !logged.test(line))).to.deep.equal([]);
    expect(lines.slice(end + 1).join('\n')).to.include('WARN: ');
  });
});
